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
