"""`choose ...: each u in A to t in B as places`: something for each of several, under conditions on the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.errors import StepLimit
from rulescript.machine.demands import completes
from rulescript.runtime.position import Position
from tests.compiler.in_step import forms_of, play_in_step, source_of

GAME = """
rulescript 1
game "Plans"
values Side: North, South
players Side
state active: Side
kind Leader: side: Side
    home camp
holds camp: Leader
pieces Unit: side: Side
    state tired: bool
    home pool
holds pool: Unit
kind Town: room: int = 1
    holds units: Unit
    holds leaders: Leader
things
    Unit foot   North, 6
    Unit horse  North, 2
    Leader Ada  North
    Leader Bob  North
map Valley
    link road
    Town Mill
    Town Ford
    Town Mere  room 2
    Town Dale  room 0
    road Ford - Mill - Mere
    road Mill - Dale

procedure fall_back(r: Town)
    choose retreat: each u in r.units to t in r.road as places "{u} falls back to {t}"
        require t.room > 0 "a place to stay"
        require every x in places: count(places[it == x]) + count(x.units) <= x.room "all must fit"
        move u to t
        u.tired = yes
    if count(places) == 0
        tell "Nobody goes."

phase play "Play"
    fall_back(Mill)
    choose send: each l in Mill.leaders to t in Mill.road as homes "{l} goes to {t}"
        require size(set(t for t in homes)) == count(homes) "apart"
        move l to t
    choose rest "Rest"
    or end_it "End"

phase setup
    place 2 foot, 1 horse in Mill
    move Ada to Mill
    move Bob to Mill
sequence
    setup
    play
    end game

example "All must fit"
    given setup, at play
    legal t exactly {Ford, Mere}
    try retreat foot to Dale -> refused because "a place to stay"
    case "two in Mere leave Ford for the last"
        play
            North: foot falls back to Mere
            North: Ada goes to Dale
        expect
            Ford has 1 horse
    play
        North: foot falls back to Ford
        North: Ada goes to Dale
    legal t exactly {Ford, Mere}
    try Bob goes to Dale -> refused because "apart"
    play
        North: Bob goes to Ford
    expect
        Ford has 1 foot
        Mere has 1 foot, 1 horse
        Mere has 2 units (tired)
        Dale has Ada

example "Nobody can"
    given empty, active North, at play
        Mill: 3 foot, 1 horse
    play
        North: rest
    expect
        Mill has 3 foot, 1 horse
        journal mentions "Nobody goes"
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "plans.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture
def position(path: Path) -> Position:
    return rulescript.load(path).start(seed=1)


def test_the_examples_hold(path: Path) -> None:
    results = list(run_examples(GameSource.load(path)))
    assert [str(r) for r in results if not r.ok] == []
    assert len(results) == 3


def test_each_is_asked_in_turn_and_says_who(position: Position) -> None:
    assert [o.text for o in position.decision.options] == ["foot falls back to Ford", "foot falls back to Mere"]
    assert [o.key for o in position.decision.options] == ["retreat t=Ford", "retreat t=Mere"]


def test_a_refusal_names_the_condition_on_the_whole(position: Position) -> None:
    position.choose("foot falls back to Ford").choose("Ada goes to Dale")
    told = str(position.why_not("Bob goes to Dale"))
    assert "then no way would remain for all of them (apart)" in told


def test_a_save_in_the_middle_opens_as_what_it_was(position: Position) -> None:
    position.ask = True
    position.choose("retreat t=Mere")
    again = position.game.from_json(position.to_json())
    assert again.state_hash() == position.state_hash()
    assert [o.key for o in again.decision.options] == [o.key for o in position.decision.options]


def test_the_reference_tells_it_as_one_choice(path: Path, tmp_path: Path) -> None:
    from rulescript.cli.main import main

    assert main(["docs", str(path), "--format", "markdown", "--output", str(tmp_path / "book")]) == 0
    told = (tmp_path / "book" / "rules-plans.md").read_text(encoding="utf-8").split("<details>")[0]
    assert "chooses for each unit" in told and "if there is a way for all of them" in told
    assert "each of them" not in told and "“number”" not in told


def test_all_forms_play_alike(path: Path) -> None:
    assert sum(play_in_step(forms_of(source_of(path)), seed) for seed in range(4)) >= 8


ALLIES = """
rulescript 1
game "Allies"
values Side: North, South
players Side
state active: Side
kind Leader: side: Side
    home camp
holds camp: Leader
kind Town
    holds leaders: Leader
things
    Leader Ada  North
    Leader Bob  South
    Leader Cid  North
map Valley
    link road
    Town Mill
    Town Ford
    Town Mere
    Town Dale
    road Ford - Mill - Mere
    road Mill - Dale

phase play "Play"
    choose by l.side retreat: each l in Mill.leaders to t in Mill.road as places "{l} goes to {t}"
        require size(set(t for t in places)) == count(places) "apart"
        move l to t

phase setup
    move camp to Mill.leaders
sequence
    setup
    play
    end game

example "Everybody for their own"
    given setup, at play
    play
        North: Ada goes to Ford
    try South: Bob goes to Ford -> refused because "apart"
    try North: Bob goes to Mere -> refused
    play
        South: Bob goes to Dale
    expect
        Mere has Cid
        Ford has Ada
        Dale has Bob
"""


def test_who_decides_may_depend_on_which_one_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "allies.rules"
    path.write_text(ALLIES, encoding="utf-8")
    assert [str(r) for r in run_examples(GameSource.load(path)) if not r.ok] == []
    assert sum(play_in_step(forms_of(source_of(path)), seed) for seed in range(3)) >= 6


def test_those_that_are_alike_come_in_their_order() -> None:
    everything = (0b11, 0b11, 0b11)
    assert completes(everything, (7, 7, 9), (0,), lambda plan: True)
    assert completes(everything, (7, 8, 9), (1,), lambda plan: plan[1] == 0)
    assert not completes(everything, (7, 7, 9), (1,), lambda plan: plan[1] == 0)
    assert not completes(everything, (7, 7, 9), (1, 0), lambda plan: True)


def test_a_search_without_end_is_called_off() -> None:
    with pytest.raises(StepLimit, match="ways to give everything its place"):
        completes((0b1111,) * 12, tuple(range(12)), (), lambda plan: False)
