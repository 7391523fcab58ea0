"""Pieces of a nation that is called by an adjective are counted as such: "ten Ruritanian units"."""

from __future__ import annotations

from rulescript.docgen.outline import Outliner
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Counted"
kind Nation
values Side: North, South
players Side
kind Army: nation: Nation
    state up: bool
things
    Nation Ruritanian
    Nation Vespric
    Army First  Ruritanian
    Army Second Ruritanian
    Army Third  Vespric
state active: Side
phase play "Play"
    choose by active go: a in Army "Go {a}"
        a.up = yes
sequence
    play
    end game, draw
check "Two of them"
    count(Army[nation == Ruritanian]) == 2
"""


def test_they_are_so_many() -> None:
    model = compile_text(load_single(GAME, "counted.rules")).model
    ((_, (condition,)),) = model.checks
    assert Outliner((), (), [condition]).say(condition) == "there are exactly two Ruritanian armies"
