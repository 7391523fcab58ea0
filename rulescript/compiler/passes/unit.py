"""The code of one form of a game while passes work on it, and what they know of the game besides.

A pass is a function of a `Unit`: it puts other functions in the place of those that are there. Statements and
expressions may stand in other forms, too, so a pass never changes one: it makes another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from rulescript.compiler import code as c
from rulescript.compiler.lower.infos import ChartInfo

__all__ = ["Pass", "Unit", "bound_in", "is_kept", "rewritten", "set_of", "with_set", "with_targets"]


@define
class Unit:
    """`keep` are blocks that are known by number and stay, `apart` those that are always jumped to. `values` are the
    constants of the module, by name. `runs` are the slots that are counted through: from the first one up to, not
    including, the last. `places` are the slots of places of pieces, `certain` those that never hold nothing (of a run,
    the first speaks for all). `sets`: for the runs of states with few values, where the set of things is that have the
    first value; those of the others follow. `homes`: for each table that moves single things, the first slots of the
    runs that change when one moves. `piles`: for the first slots of runs of places of pieces, all counters of a place.
    `known` are tables of the module that are filled when they are asked: what they work out. `states` are all slots of
    states, those sets included. A piece as an option is its place and, in the lowest `shift` bits, its code. `charts`
    are the functions that give charts. `pieces`: how many pieces there are of a kind, by how its tables are called.
    `members`: for slots that hold sets, a mask of all that can be in there. `largest`: how many things the largest kind
    has. `passing` are the slots that say nothing where somebody is asked (passing.py)."""

    functions: list[c.Function]
    keep: frozenset[int]
    apart: frozenset[int]
    values: Mapping[str, Any]
    runs: Sequence[range]
    places: frozenset[int]
    certain: frozenset[int]
    sets: Mapping[int, int]
    homes: Mapping[str, Sequence[int]]
    piles: Mapping[int, int]
    size: int
    known: Mapping[str, c.Lambda]
    states: frozenset[int]
    shift: int
    charts: Mapping[str, ChartInfo]
    pieces: Mapping[str, int]
    members: dict[int, int]
    largest: int
    passing: frozenset[int] = frozenset()
    # For slots, and parameters of rules, that hold pieces: the first slots of the runs they lie in (known_places.py).
    lies: dict[int | tuple[str, str], frozenset[int]] = field(factory=dict)
    # Tables that passes made: what stands in the module before the functions.
    tables: dict[str, c.Code] = field(factory=dict)
    _names: dict[tuple[str, c.Code], str] = field(factory=dict)
    # What passes keep in the state behind the slots of all forms: how each begins.
    kept: list[c.Code] = field(factory=list)
    # What works out the slots behind, once they are there.
    begin: c.Body = field(factory=list)
    # Which bits of what slot are set where something is written (kept_charts.py).
    marks: Any = None
    # For runs, by their first slots: where the number of all that is written there is kept, or what is gathered of it.
    numbered: dict[tuple[int, str], int] = field(factory=dict)

    def map(self, change: Callable[[c.Function], c.Function]) -> None:
        self.functions = [change(function) for function in self.functions]

    def table(self, code: c.Code, prefix: str) -> c.Known:
        """A table of the module, by its code; equal ones are one."""
        name = self._names.get((prefix, code))
        if name is None:
            name = self._names[prefix, code] = f"{prefix}{len(self.tables)}"
            self.tables[name] = code
        return c.Known(name)

    def slot(self, begins: c.Code) -> int:
        """One more slot behind all others."""
        self.kept.append(begins)
        return self.size + len(self.kept) - 1


Pass = Callable[[Unit], None]


def rewritten(body: c.Body, change: Callable[[c.Code], c.Code]) -> c.Body:
    """A body in which all values are changed, those of statements inside others included; what is written to is not."""
    return [_rewritten(statement, change) for statement in body]


def _rewritten(statement: c.Statement, change: Callable[[c.Code], c.Code]) -> c.Statement:
    inner = c.bodies(statement)
    if inner:
        made = [rewritten(each, change) for each in inner]
        if any(a is not b for new, old in zip(made, inner, strict=True) for a, b in zip(new, old, strict=True)):
            statement = c.with_bodies(statement, made)
    match statement:
        case c.Store(targets=targets, value=value):
            new = change(value)
            if new is value:
                return statement
            return c.Store(targets, new, statement.sign, statement.is_tuple, origin=statement.origin)
        case c.Do(value=value) | c.Return(value=value):
            new = change(value)
            return statement if new is value else evolve(statement, value=new)
        case c.If(test=test, then=then, other=other):
            new = change(test)
            return statement if new is test else c.If(new, then, other, origin=statement.origin)
        case c.While(test=test):
            new = change(test)
            return statement if new is test else evolve(statement, test=new)
        case c.For(source=source):
            new = change(source)
            return statement if new is source else evolve(statement, source=new)
        case c.Case(tests=tests):
            changed = [change(test) for test in tests]
            return evolve(statement, tests=changed)
        case c.Alone(tests=alone):
            return evolve(statement, tests=tuple(change(test) for test in alone))
    return statement


def with_targets(statement: c.Statement, change: Callable[[c.Code], c.Code]) -> c.Statement:
    """A statement in which what is written to is changed, also in statements inside it."""
    inner = c.bodies(statement)
    if inner:
        statement = c.with_bodies(statement, [[with_targets(each, change) for each in body] for body in inner])
    if isinstance(statement, c.Store | c.For):
        return evolve(statement, targets=tuple(change(target) for target in statement.targets))
    return statement


def set_of(source: c.Code) -> c.Code | None:
    """The set that a loop goes over."""
    match source:
        case c.Get(of=c.Known(text="BITS"), at=at):
            return at
        case c.Call(function=c.Known(text="many"), args=(c.Get(of=c.Known(text="BITS"), at=at), _)):
            return at
    return None


def with_set(source: c.Code, mask: c.Code) -> c.Code:
    """A loop over what is in another set, too."""
    match source:
        case c.Get(of=of, at=at):
            return of[c.joined_masks(at, mask)]
        case c.Call(function=function, args=(c.Get(of=of, at=at), weight)):
            return c.Call(function, (of[c.joined_masks(at, mask)], weight))
    raise AssertionError(source)


def bound_in(statement: c.Statement) -> set[str]:
    """The names that a statement binds, or statements inside it."""
    return {
        target.text
        for each in c.statements([statement])
        if isinstance(each, c.Store | c.For)
        for target in each.targets
        if isinstance(target, c.Name)
    }


def is_kept(at: c.Code) -> bool:
    """Whether a slot whose number is worked out is one of those that passes keep; it is a place otherwise."""
    return isinstance(at, c.Get) and isinstance(at.of, c.Known) and at.of.text[:2] in ("QC", "NU")
