"""`when ... repeatedly`: a reaction that may be used as often as its player likes, in any order with others."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import RulescriptError
from rulescript.runtime.position import Position

GAME = """\
rulescript 1
game "Answers"
kind Side
    state planes: int = 2
    state sent: int
things
    Side North
    Side South
players Side
state active: Side
state cancelled: bool

signal planned

sequence
    active = North
    plan
    end game, draw "{{South.sent}} {{cancelled}}"

phase plan
    signal planned

when planned repeatedly
    may by South: send "Send a plane"
        require South.planes > 0
        South.planes -= 1
        South.sent += 1
{other}
"""

OTHER = """\
when planned
    may by South: cancel "Cancel the battle"
        cancelled = yes
"""


def start(tmp_path: Path, other: str = "") -> Position:
    file = tmp_path / "game.rules"
    file.write_text(GAME.format(other=other), encoding="utf-8")
    return rulescript.load(file, cache=False).start()


def answered(position: Position, *answers: str) -> str:
    for answer in answers:
        assert position.decision is not None
        assert str(position.decision.player) == "South"
        position.choose(answer)
    assert position.decision is None and position.outcome is not None
    return position.outcome.how


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [(["send", "send"], "2 no"), (["send", "decline"], "1 no"), (["decline"], "0 no")],
)
def test_alone(tmp_path: Path, answers: list[str], outcome: str) -> None:
    """Asked again until it is declined or nothing is left; nobody is asked in vain."""
    assert answered(start(tmp_path), *answers) == outcome


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (["send", "cancel", "send"], "2 yes"),
        (["cancel", "send", "decline"], "1 yes"),
        (["send", "send", "decline"], "2 no"),
        (["send", "send", "cancel"], "2 yes"),
        (["cancel", "decline"], "0 yes"),
    ],
)
def test_in_any_order_with_another(tmp_path: Path, answers: list[str], outcome: str) -> None:
    """The other is still used once."""
    assert answered(start(tmp_path, OTHER), *answers) == outcome


def test_only_what_one_may_do(tmp_path: Path) -> None:
    with pytest.raises(RulescriptError, match="repeatedly"):
        start(tmp_path, "when planned repeatedly\n    cancelled = yes\n")
