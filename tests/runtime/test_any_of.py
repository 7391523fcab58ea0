"""`choose by any of S`: each of S in order may answer, and the first who does decides for all."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Somebody"
kind Side
    holds hand: Unit
    state gold: int
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.hand
things
    Side North
    Side South
    Side West
counts Unit
    |       | foot | horse |
    | North |    1 |     0 |
    | South |    1 |     1 |
    | West  |    1 |     1 |
players Side
holds lost: Unit
state active: Side
phase ask "Ask"
BODY
sequence
    ask
    end game, draw
"""
PICK = """\
    choose by any of Side give: u in chooser.hand[arm == horse] "{chooser} gives {u}"
        move u to lost
        chooser.gold += 1
"""
REQUIRED = "        require u.arm == horse\n"
BODIES = {
    "and nothing else": PICK,
    "or nobody": PICK + '    or none_does "Nobody"\n        active.gold += 5\n',
    "if possible": PICK.replace("choose by", "choose if possible by"),
    "by a requirement": PICK.replace("[arm == horse]", "").replace("        move", f"{REQUIRED}        move"),
    "several": PICK.replace("give: u in", "give: 1 from").replace(' "{chooser} gives {u}"', ' as us "Give {us}"')
    .replace("move u to lost", "move us to lost"),
}  # fmt: skip


def loaded(tmp_path: Path, body: str) -> rulescript.Game:
    (tmp_path / "game.rules").write_text(GAME.replace("BODY", body), encoding="utf-8")
    return rulescript.load(tmp_path, cache=False)


def golds_of(pos: rulescript.Position) -> list[int]:
    return [int(pos.value(f"{side}.gold")) for side in ("North", "South", "West")]


@pytest.mark.parametrize("name", ["and nothing else", "if possible", "by a requirement", "several"])
@pytest.mark.parametrize("is_search", [False, True])
def test_who_has_no_answer_leaves_it_to_the_next(tmp_path: Path, name: str, is_search: bool) -> None:
    """North has no horse: South gives one, unasked since it has no choice."""
    game = loaded(tmp_path, BODIES[name])
    pos = (game.prepare() if is_search else game).start(1, journal=not is_search)
    assert pos.is_over
    assert golds_of(pos) == [0, 1, 0]


@pytest.mark.parametrize("is_search", [False, True])
def test_who_declines_leaves_it_to_the_next(tmp_path: Path, is_search: bool) -> None:
    game = loaded(tmp_path, BODIES["or nobody"])
    pos = (game.prepare() if is_search else game).start(1, journal=not is_search)
    assert pos.decision is not None and pos.decision.player == "South"
    pos.choose("Nobody")
    assert pos.decision is not None and pos.decision.player == "West"
    assert pos.clone().choose("West gives horse").value("West.gold") == "1"
    assert pos.choose("Nobody").value("North.gold") == "5"


@pytest.mark.parametrize("name", BODIES)
def test_where_nobody_has_an_answer_it_is_passed_over(tmp_path: Path, name: str) -> None:
    game = loaded(
        tmp_path, "    move South.hand[arm == horse] to lost\n    move West.hand[arm == horse] to lost\n" + BODIES[name]
    )
    pos = game.start(1)
    assert pos.is_over
    assert golds_of(pos) == ([5, 0, 0] if name == "or nobody" else [0, 0, 0])
