"""Examples as a reader of the printed rules writes them down, who has not seen how the game is coded.

A phase that a line runs to is not missed because nobody has a choice on the way; answers given at once may be
written in any order; things go by the other names that a rulebook has for them; and what is not understood is
answered with what there is.
"""

from __future__ import annotations

from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import render_report
from rulescript.loader import load_single

GAME = """
rulescript 1

game "Two Banks", version "1"

values Mark: open, East, West
values Arm: foot, horse

kind Side: mark: Mark, also: list of text = []
    state points: int
    holds camp: Unit
    holds dead: Unit
    holds prison_camp: Unit

kind Nation: side: Side, adjective: text, also: list of text = []

things
    Side East   mark East, also ["Eastern Powers", "EP"]
    Side West   mark West
    Nation Ostland   East, adjective "Ostlandish", also ["Austro-Ostlandish", "A-O"]
    Nation Wald      West, adjective "Waldish"

players Side

kind Bank
    state mark: Mark = open
    holds units: Unit

things
    Bank Near
    Bank Far

pieces Unit: nation: Nation, arm: Arm
    home nation.side.camp

counts Unit
    |         | foot | horse |
    | Ostland |    3 |     2 |
    | Wald    |    3 |     2 |

state active: Side
state round: int

function fallen(s: Side, b: Bank) -> int
    2 at most count(b.units[nation.side == s])

phase fights "Fights"
    choose fight: b in Bank "Fight on the bank {b}"
        require some b.units[nation.side == East] and some b.units[nation.side == West]
        together
            East: choose lose: fallen(East, b) from b.units[nation.side == East] as lost
                for u in lost
                    move u to East.dead
            West: choose lose: fallen(West, b) from b.units[nation.side == West] as lost
                for u in lost
                    move u to West.dead
    or pass "No fight"

phase marks "Marks"
    for b in Bank[some it.units]
        if none b.units[nation.side == West]
            b.mark = East
        if none b.units[nation.side == East]
            b.mark = West

phase pay "Pay"
    active.points += 1

phase rest "Rest"
    choose rest: n in 1..2 "Rest {n}"
        round += n

sequence
    repeat until round > 6
        for active in Side
            fights
            marks
            pay
            rest
"""


SOURCE = GameSource(load_single(GAME, "banks.rules"))


def report_of(text: str) -> str:
    extra = load_single(text, "claims.rules").pieces
    results = list(run_examples(GameSource(SOURCE.base, extra), only_extra=True))
    assert results
    return "\n".join(render_report(r.failures) for r in results if not r.ok)


FIGHT = """
example "x"
    given empty, active EP, at fights
        Near: 3 A-O foot, 1 A-O horse, 1 Waldish foot, 2 Waldish horse
"""

CLAIM = "    expect\n        Near has 1 Waldish foot\n"


def test_run_to_stops_at_the_phase_that_a_line_brings_about() -> None:
    # After the stop nobody has a choice before Rest: the line alone would go past Pay.
    text = """
example "x"
    given empty, active East, at fights
        Near: 1 Ostlandish foot, 1 Waldish foot
        Far: 1 Waldish foot
    play
        East: pass
        run to pay
    expect
        Far.mark == West
        East.points == {points}
        active == East
"""
    assert report_of(text.format(points=0)) == ""
    assert "which is not so" in report_of(text.format(points=1))


def test_run_to_stops_at_the_phase_that_the_beginning_brings_about() -> None:
    text = """
example "x"
    given empty, active East, at marks
        Far: 1 Waldish foot
    play
        run to {phase}
    expect
        East.points == {points}
        West.points == 0
"""
    assert report_of(text.format(phase="rest", points=1)) == ""
    assert report_of(text.format(phase="pay", points=0)) == ""


def test_run_to_the_phase_that_play_stands_in_is_the_next_one() -> None:
    text = """
example "x"
    given empty, active East, at pay
    play
        East: rest 1
        run to pay
    expect
        East.points == 1
        West.points == 0
        active == West
    play
        run to pay passing, any chance
"""
    assert "cannot decline" in report_of(text)
    assert report_of(text[: text.rindex("    play")]) == ""


def test_sealed_answers_in_any_order() -> None:
    west = "        West: lose Waldish foot, Waldish horse\n"
    east = "        East: lose 2 A-O foot\n"
    for lines in (east + west, west + east):
        text = f"""{FIGHT}
    play
        East: fight
{lines}
    expect
        Near has exactly 1 A-O foot, 1 A-O horse, 1 Waldish horse
"""
        assert report_of(text) == "", lines
    text = f"""{FIGHT}
    play
        East: fight
        West: lose 2 Waldish horse
        West: lose 1 Waldish foot
    expect
        Near has 3 units
"""
    assert "East is asked `lose` here, not West" in report_of(text)


def test_other_names_of_a_thing() -> None:
    text = """
example "x"
    given empty, active Eastern Powers, at fights
        Near: EP mark, 2 Austro-Ostlandish foot, 1 A-O horse, 1 Waldish foot
    expect
        Near.mark == East
        Near has 2 Ostlandish foot, 1 Austro-Ostlandish horse
        EP.camp has exactly 1 A-O foot, 1 A-O horse
        asks EP fight
    play
        EP: pass
    expect
        asks Eastern Powers rest
"""
    assert report_of(text) == ""
    assert "Near.mark == West" in report_of(text.replace("Near.mark == East", "Near.mark == West"))


def test_never_asks_where_a_die_is_missing() -> None:
    dice = GAME.replace("        round += n\n", "        round += n\n        roll d6 as die\n        round += die\n")
    assert dice != GAME
    extra = """
example "x"
    given empty, active East, at rest
    play
        East: rest 1
        dice 2
    expect
        never asks fight
"""
    source = GameSource(load_single(dice, "banks.rules"), load_single(extra, "claims.rules").pieces)
    results = list(run_examples(source, only_extra=True))
    assert [r.ok for r in results] == [True], render_report(results[0].failures)


def test_what_is_not_understood_is_answered_with_what_there_is() -> None:
    unknown = report_of(FIGHT.replace("3 A-O foot", "3 Eastphalian foot") + CLAIM)
    assert "no piece is called `Eastphalian`: there are Ostland foot, Ostland horse, Wald foot, Wald horse" in unknown
    slip = report_of(FIGHT.replace("Waldish foot", "Waldihs foot") + CLAIM)
    assert "did you mean `waldish`?" in slip
    value = report_of(FIGHT.replace("active EP", "active Nobody Else") + CLAIM)
    assert "it can be East, West" in value
    short = FIGHT + "        Far: 2 A-O horse\n" + CLAIM
    assert "on a line above: `Near.units: without 1 Ostland horse`" in report_of(short)
    assert "given empty" not in report_of(short).split("hint:")[1]
    assert "; or begin with `given empty`" in report_of(short.replace("given empty, ", "given setup, "))
    place = report_of(FIGHT + "        East: box: 1 A-O horse\n" + CLAIM)
    assert "East has camp, dead, prison_camp, points" in place
    name = report_of(FIGHT + "    expect\n        legal b exactly {Shore}\n")
    assert "there are Near, Far" in name


def test_places_by_the_end_of_their_names_and_all_units_of_a_nation() -> None:
    text = """
example "x"
    given empty, active East, at fights
        East: dead: 2 A-O foot, prison: 1 A-O horse
        West: prison_camp: 2 Waldish foot, 1 Waldish horse
        Near: 1 A-O foot, 1 A-O horse, 1 Waldish foot
    expect
        West.prison has {number} Waldish units
        Near has 2 units of Ostland, 1 Waldish unit
        East.camp is empty
"""
    text = text.replace("prison: 1", "prison_camp: 1").replace("West.prison ", "West.prison_camp ")
    assert report_of(text.format(number=3)) == ""
    assert "expected 2 Waldish units in West.prison_camp, found 3" in report_of(text.format(number=2))
    # `camp` is a place of its own, so it never means the prison camp.
    ending = text.format(number=3).replace("East: dead:", "East: fallen_dead:")
    assert "Side has no place or state `fallen_dead`" in report_of(ending)
