"""Names that nobody reads are not bound.

Before::

    drawn = draw_pieces(p, S, 2, 45, -1, 72, UN_4, IT_4, 1)
    was = S[8]

After::

    draw_unseen(S, 2, 45, -1, 72, IT_4)

A name is read if any expression of the function has it, wherever that stands. What is worked out for a name and does
nothing else is left out with it; a call stays, for what it does."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["without_dead_names"]


def without_dead_names(unit: Unit) -> None:
    unit.map(_without)


def _without(function: c.Function) -> c.Function:
    read = {name for statement in c.statements(function.body) for name in _read(statement)}
    return evolve(function, body=_left(function.body, read))


def _read(statement: c.Statement) -> set[str]:
    found: set[str] = set()
    for code in c.expressions(statement):
        if isinstance(statement, c.Store) and not statement.sign and code in statement.targets:
            if isinstance(code, c.Name):
                continue
        found |= c.names_in(code)
    return found


def _left(body: c.Body, read: set[str]) -> c.Body:
    out: c.Body = []
    for statement in body:
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign="", is_tuple=False) if name not in read:
                match value:
                    case c.Call(
                        function=c.Known(text="draw_pieces"),
                        args=(_, state, count, source, mask, target, _, items, _),
                        named=(),
                    ):
                        unseen = c.call("draw_unseen", state, count, source, mask, target, items)
                        out.append(c.Do(unseen, origin=statement.origin))
                        continue
                if any(isinstance(each, c.Call | c.Method) for each in c.inside(value)):
                    out.append(c.Do(value, origin=statement.origin))
            case _:
                inner = c.bodies(statement)
                out.append(c.with_bodies(statement, [_left(each, read) for each in inner]) if inner else statement)
    return out
