"""A state that gets the value it has is not written.

Before::

    S[147 + v] = y2

After::

    if S[147 + v] != y2: S[147 + v] = y2

Only where a chart looks at the state: what is not written need not be tested anew (`kept_charts`)."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["same_values"]


def same_values(unit: Unit) -> None:
    marks = unit.marks
    if marks is not None:
        runs = frozenset(first for first in marks.own if first in unit.states)
        unit.map(lambda function: evolve(function, body=_Same(runs).body(function.body)))


class _Same:
    def __init__(self, runs: frozenset[int]) -> None:
        self.runs = runs
        self.count = 0

    def body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            inner = c.bodies(statement)
            if inner:
                statement = c.with_bodies(statement, [self.body(each) for each in inner])
            match statement:
                case c.Store(
                    targets=(c.Slot(base=base, at=c.Code()) as slot,), value=value, sign="", is_tuple=False
                ) if base in self.runs:
                    origin = statement.origin
                    if not isinstance(value, c.Name | c.Const):
                        self.count += 1
                        name = c.Name(f"same{self.count}")
                        out.append(c.Store((name,), value, origin=origin))
                        value = name
                    store = c.Store((slot,), value, origin=origin)
                    statement = c.If(c.Compare("!=", slot, value), [store], origin=origin)
            out.append(statement)
        return out
