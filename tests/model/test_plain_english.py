"""Sentences that read like a rulebook: whose units, what a place carries, who controls it."""

from __future__ import annotations

import pytest

from rulescript.explain.evaluate import Evaluator
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.wording.english import say, say_not

GAME = """
values Side: North, South
values Arm: foot, guns
kind Nation: side: Side, starts_neutral: bool = no
things
    Nation Ruritania  North
    Nation Vespria    South, starts_neutral
kind Town: nation: Nation, garrison: maybe Arm
    state control: maybe Side
    state siege_marker: bool
    state entered_by_sea: bool
    holds units: Unit
kind Player: side: Side
    holds destroyed: Unit
    holds in_play: Card
    holds hand: Card
kind Card: side: Side
pieces Unit: nation: Nation, arm: Arm, side: Side = nation.side
    state moved: bool
    home box
holds box: Unit
players Side
state active: Side
state counted: maybe Nation
state rolled: list of int
state north_has_passed: bool
state hits: int
things
    Player Ann  North
    Card Raid  North
    Unit Line  Ruritania, foot, 3
map Valley
    link road
    Town Mill  Ruritania
    Town Ford  Vespria, guns
    road Mill - Ford
function must_fight(t: Town) -> bool
    t.siege_marker
function worth(t: Town) -> int
    2
route march(from_town: Town, by_sea: bool) from from_town by road
sequence
    end game, draw
"""


@pytest.fixture(scope="module")
def reader() -> Evaluator:
    return Evaluator(compile_text(load_single(GAME, "plain.rules")))


@pytest.mark.parametrize(
    ("source", "said", "denied"),
    [
        (
            "some Mill.units[side == North and not moved]",
            "North has units in Mill that have not moved",
            "North has no units in Mill that have not moved",
        ),
        (
            "none Town.units[nation == Ruritania]",
            "Ruritania has no units in towns",
            "Ruritania has units in towns",
        ),
        (
            "some Mill.units[side != active]",
            "there are units in Mill that do not belong to the active side",
            "there are no units in Mill that do not belong to the active side",
        ),
        (
            "some Ann.destroyed[arm == guns]",
            "there are destroyed units of Ann that are guns",
            "there are no destroyed units of Ann that are guns",
        ),
        ("none Ann.in_play", "there are no cards of Ann in play", "there are cards of Ann in play"),
        ("some Ann.hand", "Ann's hand is not empty", "Ann's hand is empty"),
        ("Mill.control == nothing", "nobody controls Mill", "somebody controls Mill"),
        ("Mill.garrison != nothing", "Mill has a garrison", "Mill has no garrison"),
        (
            "some Town[garrison != nothing]",
            "there are towns that have a garrison",
            "there are no towns that have a garrison",
        ),
        ("Mill.siege_marker", "Mill has a siege marker", "Mill has no siege marker"),
        ("Mill.entered_by_sea", "Mill was entered by sea", "Mill was not entered by sea"),
        ("Vespria.starts_neutral", "Vespria starts neutral", "Vespria does not start neutral"),
        ("north_has_passed", "north has passed", "north has not passed"),
        ("must_fight(Mill)", "Mill must fight", "Mill need not fight"),
        (
            "some Town[must_fight(it)]",
            "there are towns that must fight",
            "there are no towns that must fight",
        ),
        ("hits > 0", "there are hits", "there are no hits"),
        ("Town[nation == Vespria] == {Ford}", "the towns of Vespria are Ford", None),
        (
            "some Mill.units[nation in {Ruritania, Vespria}]",
            "there are units in Mill whose nation is Ruritania or Vespria",
            "there are no units in Mill whose nation is Ruritania or Vespria",
        ),
        (
            "Ford in march(Mill, active == North)",
            "Ford can be reached by march from Mill (by sea if the active side is North)",
            "Ford cannot be reached by march from Mill (by sea if the active side is North)",
        ),
        (
            "sum(worth(t) for t in Town) > 3",
            "the total worth of towns is more than 3",
            "the total worth of towns is at most 3",
        ),
        ("counted == Ruritania", "the counted nation is Ruritania", "the counted nation is not Ruritania"),
        ("count(rolled) == 2", "there are exactly two rolled numbers", None),
    ],
)
def test_conditions_read_as_a_rulebook_would_put_them(
    reader: Evaluator, source: str, said: str, denied: str | None
) -> None:
    x = reader.read(source)
    assert say(x) == said
    if denied is not None:
        assert say_not(x) == denied
