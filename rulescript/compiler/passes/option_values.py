"""Lists of options as values: nobody adds to one that is there; another is made.

Before::

    o = [v for v in BITS[S[41]]]
    o.append(-2)
    if not o: return b95

After::

    o = [*[v for v in BITS[S[41]]], -2]

So a list may be in a table, or kept with the position, and be given to several who ask. A list with something in it is
never empty, so nobody needs to look."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["options_as_values"]


def options_as_values(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=_values(function.body)))


def _values(body: c.Body) -> c.Body:
    out: c.Body = []
    for statement in body:
        match statement:
            case c.Do(value=c.Method(of=c.Name(text="o"), method="append", args=(added,))):
                more: tuple[c.Code, ...] = (added,)
            case c.Store(targets=(c.Name(text="o"),), value=added, sign="+"):
                more = added.items if isinstance(added, c.List) else (c.Spread(added),)
            case c.If(test=c.Not(of=c.Name(text="o")), other=[]) if _is_never_empty(out):
                continue
            case _:
                inner = c.bodies(statement)
                out.append(c.with_bodies(statement, [_values(each) for each in inner]) if inner else statement)
                continue
        match out[-1] if out else None:
            case c.Store(targets=(c.Name(text="o"),), value=value, sign="") as before:
                first = value.items if isinstance(value, c.List) else (c.Spread(value),)
                out[-1] = evolve(before, value=c.List((*first, *more)))
            case _:
                out.append(c.Store((c.OPTIONS,), c.List((c.Spread(c.OPTIONS), *more)), origin=statement.origin))
    return out


def _is_never_empty(before: c.Body) -> bool:
    """Whether the options were listed just before, and there is always one."""
    for statement in reversed(before):
        match statement:
            case c.Alone():
                continue
            case c.Store(targets=(c.Name(text="o"),), value=c.List(items=items)):
                return any(not isinstance(item, c.Spread) for item in items)
        return False
    return False
