"""Pieces that are the most or the least of some are gone through one by one: each of those that are alike counts."""

from __future__ import annotations

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Most", version "1"
kind Side
    state score: int
kind Region
    holds units: Unit
values Arm: foot, horse
pieces Unit: arm: Arm
    state moved: bool
    home box
holds box: Unit
things
    Side North
    Region Mill
    Unit Foot   foot, 3
    Unit Horse  horse, 3
players Side
sequence
    end game
example "Counted one by one"
    given empty
        Mill: 2 Horse (moved), 1 Horse, 1 Foot
    expect
        count(most Mill.units by number(it.arm)) == 3
        count(u.moved for u in most Mill.units by number(it.arm)) == 2
        sum(number(u.arm) for u in most Mill.units by number(it.arm)) == 6
        sum(number(u.arm) for u in least Mill.units by number(it.arm) if not u.moved) == 1
        some u in most Mill.units by number(it.arm): u.moved
"""


def test_those_that_are_the_most_are_counted_one_by_one() -> None:
    assert [str(result) for result in run_examples(GameSource.of_text(GAME)) if not result.ok] == []


MOVED = (
    GAME.partition("sequence")[0].replace("    holds units: Unit\n", "    holds units: Unit\n    holds rear: Unit\n")
    + """\
state active: Side
state rounds: int
values Way: loop, all_of_them, several
sequence
    send_off
    end game
phase send_off
    choose by North way: w in Way "Go {w}"
        if w == loop
            for u in most Mill.units by number(it.arm)
                rounds += 1
                u.moved = yes
        else if w == all_of_them
            move most Mill.units by number(it.arm) to Mill.rear
        else
            choose by North send: 2 from most Mill.units by number(it.arm) as sent "Send {sent}"
                for u in sent
                    move u to Mill.rear
    choose by North go "Go"
    or stay "Stay"
example "Each of those that are alike"
    given empty
        Mill: units: 3 Horse, 2 Foot
        active = North
        at send_off
    case "comes round in a loop"
        play
            North: Go loop
        expect
            rounds == 3
            count(Mill.units[moved]) == 3
    case "is moved"
        play
            North: Go all_of_them
        expect
            count(Mill.rear) == 3
            count(Mill.units) == 2
    case "can be picked"
        play
            North: Go several
            North: Send 2 Horse
        expect
            count(Mill.rear) == 2
            count(Mill.units[arm == horse]) == 1
"""
)


def test_loops_moves_and_selections_take_each_of_them() -> None:
    results = list(run_examples(GameSource.of_text(MOVED)))
    assert len(results) == 3 and [str(result) for result in results if not result.ok] == []
