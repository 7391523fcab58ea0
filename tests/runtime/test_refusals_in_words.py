"""A refusal calls options by their texts, players by their labels, and what was named by its value."""

from __future__ import annotations

import pytest

from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.position import Position

GAME = """\
rulescript 1
game "Words"
kind Side: adjective: text
players Side
kind Town
    holds men: Man
pieces Man: side: Side
    home camp
holds camp: Man
things
    Side NO "Northland" adjective "Northern"
    Side SO "Southland" adjective "Southern"
    Man NO_man "Northern man" NO, 3
    Man SO_man "Southern man" SO, 3
map Land
    link road
    Town Mill
    Town Ford
    Town Hold
    road Mill - Ford - Hold
state active: Side
state coins: int = 2
state northland_is_asleep: bool
state vp: int
function open_towns(s: Side) -> set of Town as "the towns that are open to {s}" 
    {Mill}
function closed_off(t: Town) -> bool as "{t} is closed off" not "{t} is not closed off" 
    count(t.men) < 9
phase march "March"
    choose by active pay: n in [1, 2, 3] "Pay {n}"
        require n <= coins "the money"
        vp += n
    or choose march: u in Mill.men, t in Town "March {u} to {t}"
        require northland_is_asleep or t in Mill.road
        require t in open_towns(active)
        move u to t
    or choose strike: t in Town "Strike {t}"
        require not closed_off(t)
        vp += 1
    or pass "Enough"
phase rest "Rest"
    choose by SO rest: u in Mill.men, t in Town "Rest {u} in {t}"
        vp += 1
    or choose raise_two: t in Town "Raise two {active.adjective} men in {t}"
        vp += 1
    or pass "No rest"
sequence
    setup
    march
    rest
    end game, draw
phase setup
    active = NO
    northland_is_asleep = no
    place 1 NO_man in Mill
"""


@pytest.fixture(scope="module")
def position() -> Position:
    return compile_text(load_single(GAME, "words.rules")).start(seed=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pay 3", "3 is more than"),
        ("rest", "“Rest the man in the town” belongs to Rest"),
        ("raise two men", "“Raise two men in the town” belongs to Rest"),
        ("march to Hold", "Northland is not asleep"),
        ("march to Ford", "Ford is not one of the towns that are open to"),
        ("strike", "whichever town is chosen, the town is closed off"),
        ("Southland: enough", "It is not for Southland to decide"),
    ],
)
def test_what_is_told(position: Position, line: str, told: str) -> None:
    said = str(position.why_not(line))
    assert told in said, said
    assert "NO " not in said and "SO " not in said


def test_nobody_is_told_by_a_name_of_the_rules(position: Position) -> None:
    assert "Northland decides now" in str(position.why_not("fly"))
