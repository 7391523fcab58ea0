"""Without what only a journal, somebody who looks on, or somebody who wants to be asked about everything needs.

Before::

    if p.j is not None: p.j.append((6, i, d))           # Tell
    if p.watch is not None: p.watch(p, 'battles')       # Watch
    if len(o) == 1 and not p.ask: return c5(p, S, o[0]) # Alone
    p.d = 5; p.o = o; S[0] = 5                          # Ask
    for v in members(S[57]): ...

After::

    if len(o) == 1: return c5(p, S, o[0])
    p.o = o; S[0] = 5
    for v in S[57]: ...

Needs that nobody decides chance: then a shuffled place is the list of what it holds (machine/unsettled.py). Keeps the
state at every decision."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["without_journal"]


def without_journal(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(_bare(function.body), _settled)))


def _bare(body: c.Body) -> c.Body:
    out: c.Body = []
    for statement in body:
        match statement:
            case c.Tell() | c.Told() | c.TellChange() | c.Watch():
                continue
            case c.Ask():
                out.append(evolve(statement, notes_block=False))
            case c.Alone():
                out.append(evolve(statement, may_ask=False))
            case _:
                inner = c.bodies(statement)
                out.append(c.with_bodies(statement, [_bare(each) for each in inner]) if inner else statement)
    return out


def _settled(code: c.Code) -> c.Code:
    code = c.altered(code, _settled)
    match code:
        case c.Call(function=c.Known(text="members"), args=(held,)):
            return held
        case c.Call(function=c.Known(text="tuple"), args=(c.Slot() as held,)):
            return held
    return code
