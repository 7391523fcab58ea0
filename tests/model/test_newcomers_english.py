"""A game whose author gave no phrases at all: what the program says of it reads like a rulebook's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript import load
from rulescript.docgen.sentences import Sentences
from rulescript.docgen.subject import Subject
from rulescript.explain.evaluate import Evaluator
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.wording.english import say, say_not

NEWCOMERS = """\
rulescript 1
game "Newcomers"
values Side: North, South
players Side
values Ground: plain, peak, mire
values Arm: foot, guns
kind Nation: side: Side, capitals: set of Town = {}, falls_with: set of Town = {}, raised_at: set of Town = {}
    state points: int
    state won: set of Town
things
    Nation Ruritania  North, capitals {Mill}, falls_with {Mill}, raised_at {Ford, Mill}
    Nation Vespria    South, capitals {Ford}
kind Town: ground: Ground = plain, port: bool = no
    state control: Side = North
    state breaches: int
    holds units: Unit
pieces Unit: nation: Nation, arm: Arm, side: Side = nation.side
    state moved: bool
    state legs: int
    home camp
holds camp: Unit
kind Card: side: Side
things
    Card Raid  North
    Card Feint North
holds deck: Card, ordered, hidden to others
holds table: Card
holds pile: Card
state active: Side
state best: maybe Nation
state hits: int
state rolled: list of int
state marked: set of Town
things
    Unit Line  Ruritania, foot, 3
    Unit Shot  Vespria, guns, 3
map Valley
    link road
    Town Mill
    Town Ford  peak
    road Mill - Ford
function hostile(t: Town, s: Side) -> bool
    t.control != s
function present(t: Town, s: Side) -> bool
    some t.units[side == s]
function room(t: Town, s: Side) -> bool
    count(t.units) < 3
function weakest -> set of Town
    least t in Town by (count(t.units) - t.breaches)
function strong(u: Unit) -> bool
    u.arm == guns
function land(s: Side) -> set of Town
    Town[control == s]
phase play "Play"
    place 2 Line, 1 Shot in Mill
    move Card to deck
    shuffle deck
    hits = hits + 1
    hits = hits - 2 at least 0
    Mill.breaches = Mill.breaches + (if hits > 1 then 2 else 1) at most 6
    marked = marked + Ruritania.capitals
    marked -= {Mill}
    draw (2 at most count(deck)) from deck to table
    draw hits from deck to pile
    rolled = [1, 2]
    rolled -= max(rolled)
    choose go: u in Town.units, t in Town "Move {u} to {t}"
        require u.side == North and u.place.ground == plain and not u.moved
        require u.place.ground != mire or u.place != t
        require t.control == North or t.ground == peak and t.port
        require not (t.control == North and t.ground == peak) or hits > 2
        move u to t
    or pass "Nothing"
whenever some n in Nation: n.points < 0 and n.won == {}
    n.points = 0
sequence
    play
    end game, draw
"""


@pytest.fixture(scope="module")
def reader() -> Evaluator:
    return Evaluator(compile_text(load_single(NEWCOMERS, "newcomers.rules")))


CONDITIONS = {
    # "hostile" applies to Mill and North
    "hostile(Mill, North)": ("Mill is hostile to North", "Mill is not hostile to North"),
    "present(Mill, North)": ("Mill is present for North", "Mill is not present for North"),
    "room(Mill, North)": ("Mill has room for North", "Mill has no room for North"),
    # Mill is among the capitals
    "Mill in Ruritania.capitals": ("Mill is one of Ruritania's capitals", "Mill is not one of Ruritania's capitals"),
    "Mill in land(North)": ("Mill is in the land of North", "Mill is not in the land of North"),
    "Mill in Ford.road + {Ford}": (
        "Mill is either Ford or linked to Ford",
        "Mill is neither Ford nor linked to Ford",
    ),
    "Mill in weakest": ("Mill is one of the weakest towns", "Mill is not one of the weakest towns"),
    "best == Vespria": ("the best nation is Vespria", "the best nation is not Vespria"),
    "count(rolled[it >= 5]) > count(Mill.units)": (
        "there are more rolled numbers that are at least 5 than units in Mill",
        "there are no more rolled numbers that are at least 5 than units in Mill",
    ),
    # the nation's falls with towns
    "Mill in Ruritania.falls_with": (
        "Mill is one of the towns Ruritania falls with",
        "Mill is not one of the towns Ruritania falls with",
    ),
    "some Ruritania.raised_at[control == South]": (
        "there are towns Ruritania is raised at that South controls",
        "there are no towns Ruritania is raised at that South controls",
    ),
    # towns among Ruritania's capitals
    "some t in Ruritania.capitals: t.port": (
        "there is at least one capital of Ruritania that is a port",
        "there is no capital of Ruritania that is a port",
    ),
    "some {Mill, Ford}.units[side == North]": (
        "North has units in Mill and Ford",
        "North has no units in Mill and Ford",
    ),
    # brackets, and "either ... not ... or ... not"
    "Mill.port or Ford.port and Ford.control == North": (
        "either Mill is a port, or Ford is a port and is controlled by North",
        "Mill is not a port, and Ford either is not a port or is not controlled by North",
    ),
    "not Mill.port or hits > 2": (
        "if Mill is a port, there are at least three hits",
        "Mill is a port and there are fewer than three hits",
    ),
    "not Mill.port or not Ford.port": (
        "if Mill is a port, Ford is not a port",
        "Mill is a port and Ford is a port",
    ),
    "not (Mill.port or Ford.port) or hits > 2": (
        "if either Mill or Ford is a port, there are at least three hits",
        "either Mill or Ford is a port, and there are fewer than three hits",
    ),
    "Mill.control == North and (Mill.ground == plain or Mill.ground == mire) and hits > 1 and Mill in {Mill, Ford}": (
        "Mill is controlled by North, Mill's ground is either plain or mire, there are at least two hits, and Mill is "
        "Mill or Ford",
        "one of these: Mill is not controlled by North; or Mill's ground is not plain and is not mire; or there are "
        "fewer than two hits; or Mill is neither Mill nor Ford",
    ),
    # the number of numbers in the rolled that plus 1 is more than 3 is at least 2
    "count(rolled[it + hits > 3]) >= 2": (
        "there are at least two rolled numbers which, together with the hits, are more than 3",
        "there is at most one rolled number which, together with the hits, is more than 3",
    ),
    # there are no units in Mill that do not belong to North
    "none Mill.units[side != North]": (
        "all units in Mill belong to North",
        "there are units in Mill that do not belong to North",
    ),
    "none Mill.units[side != North and arm != foot]": (
        "all units in Mill belong to North or are foot",
        "there are units in Mill that do not belong to North and are not foot",
    ),
    # Mill is controlled by North and Ford is controlled by North and ...
    "Mill.control == North and Ford.control == North and hits > 1": (
        "Mill and Ford are controlled by North and there are at least two hits",
        "either Mill is not controlled by North, Ford is not controlled by North or there are fewer than two hits",
    ),
    # the hits are at most 0
    "Ruritania.points <= 0": ("Ruritania's points are 0 or less", "Ruritania's points are more than 0"),
    # for every number from 1 to 6 r and number from 1 to 6 k
    "every r in 1..6, k in 1..6: r + k > 1": (
        "for every number r from 1 to 6 and number k from 1 to 6, r plus k is more than 1",
        "for at least one number r from 1 to 6 and number k from 1 to 6, r plus k is at most 1",
    ),
    "every roll in 1..6, column in 1..6: roll + column > 1": (
        "for every roll from 1 to 6 and column from 1 to 6, the roll plus the column is more than 1",
        "for at least one roll from 1 to 6 and column from 1 to 6, the roll plus the column is at most 1",
    ),
    "every n in Nation, t in n.capitals: t.control == n.side": (
        "for every nation and each of its capitals, that town is controlled by that nation's side",
        "for at least one nation and one of its capitals, that town is not controlled by that nation's side",
    ),
}
VALUES = {
    # twice 31; the total of the number of towns linked to it over all towns
    "sum(count(t.road) for t in Town) - 2 * 31": (
        "the total, over all towns, of the number of towns linked to it minus 62"
    ),
    "Ford.road + {Ford}": "the towns linked to Ford and Ford itself",
    "Town - {Mill} - {Ford}": "all towns except Mill and Ford",
}


@pytest.mark.parametrize("source", CONDITIONS)
def test_conditions(reader: Evaluator, source: str) -> None:
    x = reader.read(source)
    assert (say(x), say_not(x)) == CONDITIONS[source]


@pytest.mark.parametrize("source", VALUES)
def test_values(reader: Evaluator, source: str) -> None:
    assert say(reader.read(source)) == VALUES[source]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path: Path = tmp_path_factory.mktemp("newcomers") / "newcomers.rules"
    path.write_text(NEWCOMERS, encoding="utf-8")
    return [sentence.text for sentence in Sentences(Subject.of(load(path))).all]


@pytest.mark.parametrize(
    "sentence",
    [
        "Add 1 to the hits.",
        "Subtract 2 from the hits (but not below 0).",
        "Add to Mill's breaches: 2 if there are at least two hits, otherwise 1 (but not above 6).",
        "Add Ruritania's capitals to the marked towns.",
        "Take Mill out of the marked towns.",
        "Draw two cards from the top of the deck and put them on the table (or as many as there are).",
        "Take the highest of the rolled numbers away.",
        "Deck: a place for cards, in order (everybody sees nothing).",
        "As soon as a nation's points are less than 0 and the nation's won towns are none:",
        "The town is hostile to the side if it is not controlled by the side.",
        "The town has room for the side if there are at most two units in the town.",
    ],
)
def test_what_is_done(told: list[str], sentence: str) -> None:
    assert sentence in told, "\n".join(told)
