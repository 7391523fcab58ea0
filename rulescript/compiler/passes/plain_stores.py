"""What is done with what a slot holds, as an ordinary store: so it is seen what the slot holds then.

Before::

    if not S[i] & y1: stale('Tile')
    S[i] -= y2
    if not S[i] & y1: ...

After, with `reuse_reads`::

    y3 = S[i]
    if not y3 & y1: stale('Tile')
    y4 = y3 - y2
    S[i] = y4
    if not y4 & y1: ...

Only where finding the slot twice costs nothing."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["plain_stores"]


def plain_stores(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=_plain(function.body)))


def _plain(body: c.Body) -> c.Body:
    out: c.Body = []
    for statement in body:
        match statement:
            case c.Store(targets=(c.Slot(base=base, at=at) as slot,), value=value, sign=sign) if sign and (
                at is None or not base and isinstance(at, c.Name)
            ):
                statement = evolve(statement, value=c.Op(sign, slot, value), sign="")
            case _:
                inner = c.bodies(statement)
                if inner:
                    statement = c.with_bodies(statement, [_plain(each) for each in inner])
        out.append(statement)
    return out
