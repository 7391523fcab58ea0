"""Where play begins, and what is in the way of reading it.

Phases that stand in the sequence more than once, loops in an order of their own, rules that hold at once,
sealed answers, and names that are like each other.
"""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_checks, run_examples
from rulescript.diagnostics import render_report
from rulescript.loader import load_single

GAME = """
rulescript 1
game "Seasons"
values Arm: infantry, elite
kind Side
    state score: int = 0
    state secret: int = 0
    holds box: Unit
things
    Side Red
    Side Blue
players Side
kind Nation: side: Side, adjective: text = ""
things
    Nation Zubrowka Red, adjective "Zubrowkan"
    Nation Latveria Blue, adjective "Latverian"
kind Town
    state alarmed: bool
    state alarms: int = 0
    holds units: Unit
pieces Unit: nation: Nation, arm: Arm
    home nation.side.box
map M
    link road
    Town Land_of_Zubrowka "Zubrowka"
    Town Porto
    Town Old_Porto
    road Land_of_Zubrowka - Porto - Old_Porto
counts Unit
    |          | infantry | elite |
    | Zubrowka | 5 | 2 |
    | Latveria | 5 | 2 |
kind Year
things
    Year First
    Year Second
state year: Year
state active: Side
function crowded(t: Town) -> bool
    count(t.units) >= 3
whenever some t in Town: crowded(t)
    t.alarms += 1
phase movement
    repeat
        choose move: u in Town.units, t in Town "Move {u} to {t}"
            require u.nation.side == active
            require t in u.place.road
            move u to t
        or stop
phase levy
    repeat
        choose pick: up to 2 from Porto.units as picked
            for u in picked
                move u to Old_Porto
        or stop
phase bidding
    each p in Side sealed
        choose by p bid: n in 1..3 "Bid {n}"
            p.secret = n
sequence
    for year in Year
        for active in [Blue, Red]
            movement
            levy
            movement
        bidding
check "Ten infantry"
    count(Red.box[arm == infantry]) + count(Blue.box[arm == infantry]) == 10
check "Three towns"
    count(Town) == 4
"""

SOURCE = GameSource(load_single(GAME, "seasons.rules"))

HOLDS = {
    "an order of its own": """
    given empty, year First, active Blue, at movement
        Porto: 1 Latverian infantry
        Land_of_Zubrowka: 1 Zubrowkan infantry
    play
        Blue: stop
        Blue: stop
        Blue: stop
        asks Red move
""",
    "the last of its loop": """
    given empty, year First, active Red, at movement
        Land_of_Zubrowka: 1 Zubrowkan infantry
    play
        Red: stop
        asks Red move
        Red: stop
        asks Red bid
""",
    "the second place of a phase": """
    given empty, active Red, at movement 2
        Land_of_Zubrowka: 1 Zubrowkan infantry
    play
        Red: stop
        asks Red bid
        Red: bid 2
        Blue: 3
    expect
        Red.secret == 2 and Blue.secret == 3
        year == Second
""",
    "what holds already does not happen again": """
    given empty, active Red, at movement
        Porto: 3 Zubrowkan infantry
        Old_Porto: 2 Zubrowkan elite
    play
        Red: move Zubrowkan infantry to Old Porto
    expect
        Porto.alarms == 0
        Old_Porto.alarms == 1
""",
    "a nation and a town of one name": """
    given empty, active Red, at movement
        Porto: 2 Zubrowkan infantry, 1 Zubrowkan elite
    play
        Red: move Zubrowkan infantry to Zubrowka
        Red: move Zubrowkan infantry from Porto to Old Porto
        Red: move elite to Zubrowka
    expect
        Land_of_Zubrowka has exactly 1 Zubrowkan infantry, 1 Zubrowkan elite
        Old_Porto has 1 infantry
""",
    "up to so many": """
    given empty, active Red, at levy
        Porto: 2 Zubrowkan infantry, 1 Latverian elite
    play
        Red: pick Zubrowkan infantry
        Red: pick Zubrowkan infantry, Latverian elite
    expect
        Old_Porto has 2 Zubrowkan infantry, 1 Latverian elite
        Porto is empty
""",
    "all pieces of a kind": """
    given empty
        Porto: 2 Zubrowkan infantry, 1 Latverian elite
    case "none": but Porto: no Unit
        expect
            Porto is empty
            count(Red.box) == 7
    case "some": but Porto: no Zubrowkan infantry
        expect
            Porto has exactly 1 Latverian elite
""",
}


def report_of(body: str) -> str:
    extra = load_single(f'example "x"\n{body.lstrip(chr(10))}', "claims.rules").pieces
    together = GameSource(SOURCE.base, extra)
    together._games, together._codes, together._evaluators = SOURCE._games, SOURCE._codes, SOURCE._evaluators
    results = list(run_examples(together, only_extra=True))
    assert results
    return "\n".join(render_report(r.failures) for r in results if not r.ok)


@pytest.mark.parametrize("name", HOLDS)
def test_where_play_begins(name: str) -> None:
    assert report_of(HOLDS[name]) == ""


FAILS = {
    "an order of its own": ("asks Red move", "asks Blue move", "Red is asked"),
    "the last of its loop": ("asks Red bid", "asks Blue move", "Red is asked `bid`"),
    "the second place of a phase": ("movement 2", "movement 3", "stands 2 times"),
    "what holds already does not happen again": ("Porto.alarms == 0", "Porto.alarms == 1", "is 0"),
    "a nation and a town of one name": (
        "move elite to Zubrowka",
        "move elite to Old Zubrowka",
        "cannot choose",
    ),
    "up to so many": ("pick Zubrowkan infantry, Latverian elite", "pick 2 Latverian elite", "cannot choose"),
    "all pieces of a kind": ("exactly 1 Latverian elite", "exactly 2 Latverian elite", "found 1"),
}


@pytest.mark.parametrize("name", FAILS)
def test_its_twin_fails(name: str) -> None:
    right, wrong, said = FAILS[name]
    assert right in HOLDS[name]
    report = report_of(HOLDS[name].replace(right, wrong))
    assert said in report, report or "it passed"


def test_a_check_that_fails_tells_both_sides() -> None:
    ten, towns = run_checks(SOURCE)
    assert ten.ok and not towns.ok
    assert "`count(Town)` is 3" in render_report(towns.failures)


def test_a_line_that_fits_two_answers_is_refused() -> None:
    report = report_of("""
    given empty, active Red, at movement
        Porto: 1 Zubrowkan infantry
        Old_Porto: 1 Zubrowkan infantry
        Land_of_Zubrowka: 1 Zubrowkan infantry
    play
        Red: move infantry to Porto
""")
    assert "could mean" in report


def test_a_position_takes_the_same_words() -> None:
    """`choose` understands what examples do."""
    game = SOURCE.game()
    position = game.start()
    position.choose("1")
    position.choose("bid 2")
    assert position.value("Red.secret") == "1" and position.value("Blue.secret") == "2"
