"""Names of loops that are over before anybody is asked (see `passing_slots`).

A rule's own names have slots in the state, because play may wait while they are bound. The name of a loop in which
nobody is asked has one too, and what it held last stays there when the loop is over. Nothing reads it: it says nothing
about the position, and another form of the code need not leave the same behind. So it is no part of what a position is
known by (`Position.state_hash`), nor of a save."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulescript.compiler import code as c

__all__ = ["passing_slots"]


def passing_slots(functions: Iterable[c.Function], first: int) -> list[int]:
    """The slots, from the `first` of a rule's own names on, that a loop inside a function sets and that are used inside
    such loops alone."""
    inside: set[int] = set()
    outside: set[int] = set()
    for function in functions:
        _look(function.body, frozenset(), inside, outside)
    return sorted(slot for slot in inside - outside if slot >= first)


def _look(body: c.Body, bound: frozenset[int], inside: set[int], outside: set[int]) -> None:
    for statement in body:
        outside.update(slot for code in c.expressions(statement) for slot in _slots(code) if slot not in bound)
        around = bound
        if isinstance(statement, c.For):
            set_here = {target.base for target in statement.targets if isinstance(target, c.Slot)}
            inside |= set_here
            around = bound | set_here
        for inner in c.bodies(statement):
            _look(inner, around, inside, outside)


def _slots(code: c.Code) -> Iterator[int]:
    """The slots with a fixed number that an expression names."""
    return (each.base for each in c.inside(code) if isinstance(each, c.Slot) and each.at is None)
