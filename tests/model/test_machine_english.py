"""Families of sentences that only a machine would write, and what is said instead."""

from __future__ import annotations

import pytest

from rulescript.explain.evaluate import Evaluator
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.wording.english import say, say_not

ALLIES = """
values Side: North, South
values Arm: foot, guns
kind Nation: side: Side, guests: set of Nation = {}, worth: int = 1
things
    Nation Ruritania  North
    Nation Vespria    South, guests {Ruritania}
values Holder: nobody, northern
kind Town: arm: Arm
    state control: Holder
    holds units: Unit
kind Player: side: Side
    holds hand: Card
    holds men: Card
    holds discards: Card
    holds deck: Card
kind Card: side: Side, from_year: int
pieces Unit: nation: Nation, arm: Arm, side: Side = nation.side
    state sent_by: maybe Side
    home box
reword Unit.sent_by(u) as "who has sent {u}"
holds box: Unit
players Side
state active: Side
state hits: int
state rolled: list of int
state missing: maybe Nation
state moves_made: int
state guns_in: int
reword moves_made as "the number of Northern moves made"
reword guns_in as "the guns of North in towns"
things
    Player Ann  North
    Card Raid  North, 1915
    Unit Line  Ruritania, foot, 3
map Valley
    link road
    Town Mill  foot
    Town Ford  guns
    road Mill - Ford
function may_enter(u: Unit on Town, t: Town) -> bool as "{u} may enter {t}"
    t != u.place
function fits(s: Side, t: Town) -> bool as "units of {s} may stand in {t}"
    none t.units[nation.side != s]
function uses(n: Nation, other: Nation) -> bool as "{n} may use units of {other}"
    n == other
function column(n: Nation) -> int as "the column of {n}"
    3
table result(roll: int, column: int) -> int as "the result of {roll} in column {column}"
    |      | 0..3 | 4+ |
    | 1..6 |    0 |  1 |
table sinks(roll: int) -> bool as "a ship sinks at {roll}" not "no ship sinks at {roll}"
    | 1..3      | yes |
    | otherwise | no  |
table weather(roll: int) -> bool
    | 1..3      | yes |
    | otherwise | no  |
function can_fall -> set of Nation
    Nation
function gain(n: int) -> bool as "Ann gets {n} points"
    n > 0
function draws(n: int) -> bool as "Ann draws {n} cards"
    n > 0
sequence
    end game, draw
"""


@pytest.fixture(scope="module")
def reader() -> Evaluator:
    return Evaluator(compile_text(load_single(ALLIES, "allies.rules")))


CONDITIONS = {
    # whose arm is the arm
    "some Mill.units[arm == Ford.arm]": (
        "there are units in Mill that are of Ford's arm",
        "there are no units in Mill that are of Ford's arm",
    ),
    "none Mill.units[arm != Ford.arm]": (
        "all units in Mill are of Ford's arm",
        "there are units in Mill that are not of Ford's arm",
    ),
    # for no nation, Ruritania is among its guests
    "some n in Nation: Ruritania in n.guests": (
        "there is at least one nation whose guests include Ruritania",
        "there is no nation whose guests include Ruritania",
    ),
    "some Nation[Ruritania not in guests]": (
        "there are nations whose guests do not include Ruritania",
        "there are no nations whose guests do not include Ruritania",
    ),
    # for no unit in towns, it belongs to Ruritania and (for at least one town, that unit may enter it)
    "some u in Town.units: u.nation == Ruritania and some t in u.place.road: may_enter(u, t)": (
        "there is at least one unit in towns that belongs to Ruritania and for which there is at least one town linked "
        "to its town which that unit may enter",
        "there is no unit in towns that belongs to Ruritania and for which there is at least one town linked to its "
        "town which that unit may enter",
    ),
    # Vespria may use units of it
    "some n in Nation: uses(Vespria, n)": (
        "for at least one nation, Vespria may use its units",
        "for no nation, Vespria may use its units",
    ),
    # the hits are at least 2
    "hits >= 2": ("there are at least two hits", "there are fewer than two hits"),
    "hits == 1": ("there is exactly one hit", "the hits are not 1"),
    "hits > 0": ("there are hits", "there are no hits"),
    "hits == 0": ("there are no hits", "there are hits"),
    # the number of Northern moves made are at least 2
    "moves_made >= 2": (
        "the number of Northern moves made is at least 2",
        "the number of Northern moves made is less than 2",
    ),
    "guns_in >= 2": ("the guns of North in towns are at least 2", "the guns of North in towns are less than 2"),
    # Mill's control is nobody
    "Mill.control == nobody": ("nobody controls Mill", "somebody controls Mill"),
    # a ship sinks at 2 is yes
    "sinks(2)": ("a ship sinks at 2", "no ship sinks at 2"),
    "weather(2)": ("the weather for 2 says so", "the weather for 2 says otherwise"),
    # Ann gets minus 1 points
    "gain(-1)": ("Ann loses 1 point", "it is not so that Ann loses 1 point"),
    # Ann draws the number of cards in Ann's hand cards
    "draws(count(Ann.hand))": (
        "Ann draws as many cards as there are cards in Ann's hand",
        "it is not so that Ann draws as many cards as there are cards in Ann's hand",
    ),
    # there is at least one nation among the can fall
    "some n in can_fall: n.side == North": (
        "there is at least one nation that can fall that belongs to North",
        "there is no nation that can fall that belongs to North",
    ),
    # whose from year is 1915
    "some Card[from_year == 1915]": ("there are cards from 1915", "there are no cards from 1915"),
    # a number that comes twice is told twice
    "rolled == [1, 2, 2]": ("the rolled numbers are 1, 2 and 2", "the rolled numbers are not 1, 2 and 2"),
    # Ruritania's place in order is less than Vespria's place in order
    "number(Ruritania) < number(Vespria)": (
        "Ruritania comes before Vespria",
        "Ruritania does not come before Vespria",
    ),
    "some Nation[number(it) >= number(Vespria)]": (
        "there are nations that do not come before Vespria",
        "there are no nations that do not come before Vespria",
    ),
    # Ann's men is not empty
    "some Ann.men": ("Ann's men are not empty", "Ann's men are empty"),
    "some Ann.deck": ("Ann's deck is not empty", "Ann's deck is empty"),
    # units in Mill that are guns; exactly one unit in towns that is a foot
    "some Mill.units[arm == guns and nation == Ruritania]": (
        "Ruritania has guns in Mill",
        "Ruritania has no guns in Mill",
    ),
    "count(Town.units[arm == foot]) == 1": (
        "there is exactly one unit in towns that is foot",
        "there is not exactly one unit in towns that is foot",
    ),
    # every town is not guns; every unit may not enter Mill
    "every t in Town: t.arm != guns": ("no town is guns", "there is at least one town that is guns"),
    "every u in Town.units: not may_enter(u, Mill)": (
        "no unit in towns may enter Mill",
        "there is at least one unit in towns that may enter Mill",
    ),
    # units in Mill whose sent by is North, in its author's words
    "some Mill.units[sent_by == North]": (
        "there are units in Mill that North has sent",
        "there are no units in Mill that North has sent",
    ),
    # whose control is nobody
    "every t in Town: t.control != nobody": (
        "for every town, somebody controls it",
        "there is at least one town that nobody controls",
    ),
    # a unit in towns not among the units in Mill and that is guns
    "some u in Town.units: u not in Mill.units and u.arm == guns": (
        "there is at least one unit in towns that is not among the units in Mill and is guns",
        "there is no unit in towns that is not among the units in Mill and is guns",
    ),
    # Mill either is northern or Ford or Mill
    "Mill.control == northern or Mill in {Ford, Mill}": (
        "Mill either is northern or is Ford or Mill",
        "Mill is not northern and is neither Ford nor Mill",
    ),
    # cards in the hand of players; the deck of players is empty
    "some Player.hand[side == North]": (
        "North has cards in the hands of the players",
        "North has no cards in the hands of the players",
    ),
    "some Player.deck": ("the decks of the players are not empty", "the decks of the players are empty"),
    # the missing, or Vespria if there is none is Ruritania
    "(missing otherwise Vespria) == Ruritania": (
        "the missing nation (Vespria if there is none) is Ruritania",
        "the missing nation (Vespria if there is none) is not Ruritania",
    ),
}
VALUES = {
    # the total nation's worth of units in towns
    "sum(u.nation.worth for u in Town.units)": "the total worth of the nations of units in towns",
    # towns for which units of North may stand in it
    "Town[fits(North, it)]": "the towns in which units of North may stand",
    # (but at least 1) (but at most 7)
    "(hits at least 1) at most 7": "the hits (but at least 1 and at most 7)",
    "(hits at most 7) at least 1": "the hits (but at least 1 and at most 7)",
    # the hits minus the hits minus 1 (but at least 0); the hits plus 1 if ..., otherwise 2
    "hits - (hits - 1 at least 0)": "the hits minus (the hits minus 1, but at least 0)",
    "hits + (if hits > 3 then 1 else 2)": "the hits plus (1 if there are at least four hits, otherwise 2)",
    # Ann's hand together with the discards of Ann together with Ann's deck
    "count(Ann.hand + Ann.discards + Ann.deck)": "the number of cards among Ann's hand, discards and deck",
    # 1 if Vespria's side is North, otherwise the hits
    "if Vespria.side == North then 1 else hits": "the hits",
    "if Vespria.side != North then 1 else hits": "1",
    # in column the column of Vespria
    "result(2, column(Vespria))": "the result of 2 in the column of Vespria",
}


@pytest.mark.parametrize("source", CONDITIONS)
def test_conditions(reader: Evaluator, source: str) -> None:
    x = reader.read(source)
    assert (say(x), say_not(x)) == CONDITIONS[source]


@pytest.mark.parametrize("source", VALUES)
def test_values(reader: Evaluator, source: str) -> None:
    assert say(reader.read(source)) == VALUES[source]
