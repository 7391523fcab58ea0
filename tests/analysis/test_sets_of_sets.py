"""What the members of a set have: things, several things each, or perhaps none; and tables used above their rows."""

from __future__ import annotations

import pytest

from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Sets"
values Side: North, South
players Side
state active: Side
kind Nation: capitals: set of Town, ally: maybe Nation, worth: int = 1
    state owner: maybe Side
kind Town
things
    Town Mill
    Town Ford
    Town Weir
    Nation Ruritania  capitals {Mill, Ford}, ally Vespria, worth 2
    Nation Vespria    capitals {Weir}
    Nation Karst      capitals {}
function all_capitals -> set of Town
    Nation.capitals
function of_ruritania -> set of Town
    Nation[worth > 1].capitals
function allies -> set of Nation
    Nation.ally
function shifted(n: int) -> int
    losses(n, 2, 1)
table losses(roll: int, strength: int) -> int
    |   | 1 | 2 | 3 |
    | 1 | 0 | 1 | 2 |
    | 2 | 1 | 2 | 3 |
sequence
    Vespria.owner = South
    end game, North wins
"""


def test_they_are_gathered() -> None:
    position = compile_text(load_single(GAME, "sets.rules")).start()
    value = {
        text: position.explain(text).value
        for text in ("all_capitals", "of_ruritania", "allies", "Nation.owner", "shifted(2)", "Ford in Nation.capitals")
    }
    assert [str(x) for x in value["all_capitals"]] == ["Mill", "Ford", "Weir"]
    assert [str(x) for x in value["of_ruritania"]] == ["Mill", "Ford"]
    assert [str(x) for x in value["allies"]] == ["Vespria"]
    assert [str(x) for x in value["Nation.owner"]] == ["South"]
    assert value["shifted(2)"] == 3
    assert value["Ford in Nation.capitals"] is True


def test_numbers_are_not_gathered_but_added_up() -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(GAME.replace("    Nation.ally\n", "    Nation.worth\n"), "sets.rules"))
    said = str(caught.value)
    assert "each of them has its own `worth`" in said and "`sum(x.worth for x in Nation)`" in said
