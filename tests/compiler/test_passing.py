"""Names that never outlive the function that binds them are no part of a position."""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.compiler.passes.passing import passing_slots
from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.pipeline import compile_text


def function(*body: c.Statement) -> c.Function:
    return c.Function("c1", ("p", "S", "o"), list(body), "answer")


def store(slot: int, value: c.Value) -> c.Store:
    return c.Store((c.Slot(slot),), c.as_code(value))


def test_what_is_set_before_it_is_read_passes() -> None:
    done = function(store(10, c.OPTIONS), store(3, c.Slot(10) + 1))
    assert passing_slots([done], 10) == [10]
    assert passing_slots([done, function(c.Return(c.Slot(10)))], 10) == []


def test_what_only_one_way_sets_does_not_pass() -> None:
    test = c.Compare(">", c.OPTIONS, c.Const(0))
    one_way = function(c.If(test, [store(10, 1)]), store(3, c.Slot(10)))
    assert passing_slots([one_way], 10) == []
    both_ways = function(c.If(test, [store(10, 1)], [store(10, 2)]), store(3, c.Slot(10)))
    assert passing_slots([both_ways], 10) == [10]
    other_leaves = function(c.If(test, [c.Return(c.Const(None))], [store(10, 2)]), store(3, c.Slot(10)))
    assert passing_slots([other_leaves], 10) == [10]


def test_what_a_loop_sets_passes_inside_it() -> None:
    loop = c.For((c.Slot(10),), c.BITS[c.OPTIONS], [store(3, c.Slot(10))])
    assert passing_slots([function(loop)], 10) == [10]
    assert passing_slots([function(loop, store(4, c.Slot(10)))], 10) == []


def test_what_is_counted_on_or_told_to_the_machine_does_not_pass() -> None:
    assert passing_slots([function(c.Store((c.Slot(10),), c.Const(1), "+"))], 10) == []
    told = c.Do(c.call("first_picks", c.STATE, 10, 11))
    assert passing_slots([function(store(10, 1), told)], 10) == []


GAME = """rulescript 1

game "Errands"

kind Side
things
    Side North

players Side

kind Town
    state seen: bool
things
    Town Ford
    Town Mill

state active: Side
state last: int

phase walk
    choose go: t in Town, n in 1..3 "Go to {t} {n} times"
        t.seen = yes
        last = n

sequence
    for active in Side
        walk
        walk
    end game, draw
"""


def test_two_ways_to_the_same_are_the_same() -> None:
    """What was picked before is told with the question; what was picked last is over."""
    reporter = Reporter()
    game = compile_text(load_single(GAME, "errands.rules", reporter), (), "", reporter)
    position = game.start(1).choose("go t=Ford")
    assert position.decision.options[0].args["t"] == {"kind": "Town", "name": "Ford"}
    game.prepare()
    quick = game.start(1).choose("go t=Ford")
    assert quick.state_hash() == position.state_hash()
    assert quick.decision.options[0].args == position.decision.options[0].args
    assert quick.choose(1).state_hash() == position.choose(1).state_hash()
