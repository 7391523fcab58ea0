"""`move X home`: each goes where the `home` line of its kind says, whatever X is."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.runtime.position import Position
from tests.compiler.in_step import decisions_of
from tests.forms import quick_code

GAME = """
rulescript 1
game "Homes"
values Side: North, South
players Side
state active: Side
kind Nation: side: Side
    state fled: int
    holds pool: Unit
    holds camp: Leader
kind Leader: nation: Nation
    state tired: bool, lasts in Town
    home nation.camp
things
    Nation Red    North
    Nation Green  North
    Nation Blue   South
    Leader Ada    Red
    Leader Bob    Blue
    Leader Cleo   Green
pieces Unit: nation: Nation
    state moved: bool
    state dug_in: bool, lasts in Town
    home nation.pool
pieces Chit: side: Side
    home cup
holds cup: Chit
holds drawn: Chit
things
    Unit Guard  Red, 5
    Unit Ranger Green, 5
    Unit Scout  Blue, 5
    Chit Fair   North, 3
    Chit Rain   South, 2 in drawn
kind Town
    holds units: Unit
    holds leaders: Leader
map Valley
    link road
    Town Mill
    Town Ford
    road Mill - Ford
phase set_out
    place 3 Guard, 2 Ranger, 3 Scout in Mill
    place 1 Guard in Ford
    move {Ada, Bob} to Mill
    move Cleo to Ford
    move cup to drawn
    for u in Mill.units
        u.dug_in = yes
        if u.nation != Blue
            u.moved = yes
    for l in Leader
        l.tired = yes
phase march
    choose walk: u in Town.units "{u} goes home"
        require u.nation.side == active
        move u home
        u.place.fled += 1
    or choose leader: l in Town.leaders "{l} goes home"
        move l home
    or choose everything: t in Town "All leave {t}"
        move t.units home
        move t.leaders home
        move drawn home
    or choose mine: t in Town "Mine leave {t}"
        move t.units[nation.side == active] home
        move Town.leaders[nation.side == active] home
    or choose lose: 3 from Town.units as lost "Lose {lost}"
        require count(lost) == 3
        move lost home
        move {Ada, Cleo} home
    or pass
sequence
    set_out
    for active in Side
        march
    end game, draw
option new_camp "Another camp"
    kind Leader
        home barracks
    holds barracks: Leader
example "In an option the home is another"
    with options new_camp
    given empty, active North, at march
        Mill: Ada, Bob, Cleo
    play
        North: all leave Mill
    expect
        barracks == {Ada, Bob, Cleo}
"""


@pytest.fixture
def start(tmp_path: Path) -> Position:
    path = tmp_path / "homes.rules"
    path.write_text(GAME.lstrip(), encoding="utf-8")
    return rulescript.load(path).start(seed=1)


def test_a_piece_goes_home_and_its_name_knows_where_it_is(start: Position) -> None:
    start.choose("Ranger (moved, dug in) goes home")
    assert start.value("Green.pool") == {"Ranger(moved)": 1, "Ranger": 3}
    assert start.explain("Green.fled").value == 1 and start.explain("Red.fled").value == 0


def test_a_thing_goes_home(start: Position) -> None:
    start.choose("leader Cleo")
    assert start.value("Green.camp") == {"Cleo": 1} and start.explain("Cleo.tired").value is False


def test_a_pile_goes_home_each_piece_to_its_own(start: Position) -> None:
    """Whatever has one home goes there together; what is put back elsewhere (`lasts in`) is put back."""
    start.choose("everything Mill")
    assert start.value("Red.pool") == {"Guard(moved)": 3, "Guard": 1}
    assert start.value("Green.pool") == {"Ranger(moved)": 2, "Ranger": 3}
    assert start.value("Blue.pool") == {"Scout": 5}
    assert start.value("Red.camp") == {"Ada": 1} and start.value("Blue.camp") == {"Bob": 1}
    told = [event["text"] for event in start.journal if event["kind"] == "move"][-6:]
    assert told == [
        "3 Guard (moved, dug in): Mill to Red",
        "2 Ranger (moved, dug in): Mill to Green",
        "3 Scout (dug in): Mill to Blue",
        "Ada: Mill to Red",
        "Bob: Mill to Blue",
        "3 Fair, 2 Rain: drawn to cup",
    ]


def test_the_home_line_counts_not_where_a_type_begins(start: Position) -> None:
    start.choose("everything Mill")
    assert start.value("cup") == {"Fair": 3, "Rain": 2}


def test_a_part_of_a_pile_and_of_a_set(start: Position) -> None:
    start.choose("mine Mill")
    assert start.value("Mill.units") == {"Scout(dug_in)": 3}
    assert start.value("Mill.leaders") == {"Bob": 1} and start.value("Ford.leaders") == {}


def test_a_selection_and_named_things(start: Position) -> None:
    start.choose("lose 1 Ranger, 2 Scout")
    assert start.value("Green.pool") == {"Ranger(moved)": 1, "Ranger": 3}
    assert start.value("Blue.pool") == {"Scout": 4}
    assert start.value("Mill.leaders") == {"Bob": 1} and start.value("Ford.leaders") == {}


def test_in_every_form_and_with_the_option(start: Position, tmp_path: Path) -> None:
    game = start.game
    assert decisions_of(game, game.code, 3, games=8) == decisions_of(game, quick_code(game), 3, games=8)
    results = list(run_examples(GameSource.load(tmp_path / "homes.rules")))
    assert [r.ok for r in results] == [True], "\n".join(map(str, results))
