"""Once one way of a choice is half answered, the name of another way is no part of the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import BadChoice

GAME = """\
rulescript 1
game "Two ways", version "1"
kind Side
    holds box: Unit
things
    Side Red
    Side Blue
players Side
kind Area
    holds units: Unit
map Lines
    link road, rail
    Area Ash
    Area Birch
    Area Cedar
    road Ash - Birch
    rail Ash - Birch - Cedar
pieces Unit: side: Side
    home side.box
things
    Unit Red_foot   Red, 1
    Unit Blue_foot  Blue, 1
state active: Side
phase orders "Orders"
    choose march: u in Area.units, t in Area "March {u} to {t}"
        require u.side == active and t in u.place.road
        move u to t
    or choose entrain: u in Area.units, t in Area "Entrain {u} for {t}"
        require u.side == active and t in u.place.rail
        move u to t
    or pass
sequence
    place 1 Red_foot, 1 Blue_foot in Birch
    for active in Side
        orders
    end game, draw
"""


@pytest.fixture
def entraining(tmp_path: Path) -> rulescript.Position:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    position = rulescript.load(tmp_path, cache=False).start()
    return position.choose("entrain u=Birch.units:Red_foot")


@pytest.mark.parametrize(
    "line", ["march t=Cedar", "march t=Ash", "march to Cedar", "march to Ash", "march Red foot to Cedar"]
)
def test_the_first_way_does_not_stand_for_the_one_that_was_begun(entraining: rulescript.Position, line: str) -> None:
    before = entraining.state_hash()
    assert not entraining.why_not(line).allowed
    with pytest.raises(BadChoice):
        entraining.choose(line)
    assert entraining.state_hash() == before


@pytest.mark.parametrize("line", ["entrain t=Cedar", "entrain to Cedar", "Cedar", "entrain Red foot for Cedar"])
def test_the_way_that_was_begun_goes_on(entraining: rulescript.Position, line: str) -> None:
    assert entraining.why_not(line).allowed
    assert entraining.choose(line).value("Cedar.units") == {"Red_foot": 1}
