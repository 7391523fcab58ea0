"""What comes after a rule sees a piece where the rule has moved it, whether or not the rule asks anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Moved and moved again"
kind Side
things
    Side North
players Side
state active: Side
state noted: int
holds box: Unit
holds field: Unit
holds grave: Unit
pieces Unit: heavy: bool = no
    state tired: bool
    home box
things
    Unit Foot  2
    Unit Gun  heavy, 1

procedure bury(u: Unit)
    {body}

after bury(u) when u.heavy
    u.tired = yes
    move u to box
after bury(u) when not u.heavy
    noted += 1

sequence
    move box to field
    for u in field
        bury(u)
    end game, draw "{{count(field)}} {{count(grave)}} {{count(box)}} {{count(box[tired])}} {{noted}}"
"""

BODIES = {
    "plain": ["move u to grave"],
    "with a state": ["u.tired = yes", "move u to grave", "u.tired = no"],
    "returning early": ["move u to grave", "if u.heavy", "    return", "noted += 10", "noted -= 10"],
    "asking": ["move u to grave", 'may pray "Pray"', "    noted += 0"],
}


@pytest.mark.parametrize("way", BODIES)
def test_a_hook_finds_the_piece(tmp_path: Path, way: str) -> None:
    file = tmp_path / "game.rules"
    file.write_text(GAME.format(body="\n    ".join(BODIES[way])), encoding="utf-8")
    position = rulescript.load(file, cache=False).start()
    while position.decision:
        position.choose(0)
    assert position.outcome is not None
    assert position.outcome.how == "0 2 1 1 2"


def test_a_parameter_stays_as_it_was_set(tmp_path: Path) -> None:
    """A number that the rule has counted down, too."""
    text = GAME.replace("procedure bury", "procedure count_down(n: int)\n    n -= 1\n    noted += n\n\nprocedure bury")
    text = text.replace("sequence\n", "after count_down(n)\n    noted += 100 * n\n\nsequence\n    count_down(3)\n")
    file = tmp_path / "game.rules"
    file.write_text(text.format(body="move u to grave"), encoding="utf-8")
    outcome = rulescript.load(file, cache=False).start().outcome
    assert outcome is not None
    assert outcome.how == "0 2 1 1 204"
