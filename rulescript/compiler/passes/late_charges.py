"""Work is counted where play goes on without asking, not where somebody is asked next.

Before::

    step(1539)
    step(249082)
    o = [...]
    if len(o) == 1: return c88(p, S, o[0])
    if not o: return b87
    p.o = o; S[0] = 88

After::

    o = [...]
    if len(o) == 1: p.w += 250621; return c88(p, S, o[0])
    if not o: p.w += 250621; return b87
    p.o = o; S[0] = 88

Counting begins anew with each question, so what was counted just before one is of no use. What is counted later is
counted before play goes on from there, so that no rule runs for ever; and what may be very much is counted first. Who
plays looks at `p.w` between blocks: so it is enough wherever a block counts once, outside of its loops. Rules that only
ever run in between look there themselves: what is counted for each thread (`step`) is far away."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit
from rulescript.machine.effort import WORK_LIMIT
from rulescript.machine.values import LONGEST

__all__ = ["late_charges"]


# More than this is counted before it is done.
_MOST = 6_000_000
# What a loop counts for each of what it goes over: with the longest list there can be, no more than a step may take.
_MOST_EACH = WORK_LIMIT // LONGEST
_WORK = c.Method(c.POSITION, "w", None)
_LEAVING = (c.Jump, c.Return, c.Ask, c.Halt)


def late_charges(unit: Unit) -> None:
    unit.map(_changed)


def _changed(function: c.Function) -> c.Function:
    if function.sort in ("block", "answer"):
        return evolve(function, body=_by_who_plays(_late(function.body)))
    if function.sort == "rule" and function.params[:1] == ("p",):
        return evolve(function, body=_looked_at(function.body))
    return function


def _looked_at(body: c.Body) -> c.Body:
    """What a rule counts, counted by who plays and looked at on the spot."""
    out: c.Body = []
    for statement in body:
        weight = _weight(statement)
        if weight:
            out.append(c.Store((_WORK,), c.Const(weight), "+", origin=statement.origin))
            out.append(c.If(c.Compare(">", _WORK, c.Known("WORK_LIMIT")), [c.Do(c.call("look_at_work", _WORK))]))
            continue
        inner = c.bodies(statement)
        out.append(c.with_bodies(statement, [_looked_at(each) for each in inner]) if inner else statement)
    return out


def _weight(statement: c.Statement) -> int:
    """How much a statement counts that does nothing else; 0 if it is another, or counts what may be very much."""
    match statement:
        case c.Do(value=c.Call(function=c.Known(text="step"), args=(c.Const(value=int(weight)),))) if weight <= _MOST:
            return weight
    return 0


def _late(body: c.Body) -> c.Body:
    out: c.Body = []
    charge = 0
    for statement in body:
        weight = _weight(statement)
        if weight:
            charge += weight
            continue
        match statement:
            case c.Alone() if charge:
                statement = evolve(statement, charge=statement.charge + charge)
            case c.If(then=then, other=[]) if charge and _leaves(then):
                statement = evolve(statement, then=_late([_charged(charge, statement), *then]))
            case c.Ask():
                charge = 0
            case _ if not isinstance(statement, c.While | c.Alone) and not _leaves_anywhere(statement):
                statement = _inside(statement)
            case _:
                if charge:
                    out.append(_charged(charge, statement))
                    charge = 0
                statement = _inside(statement)
        out.append(statement)
    if charge:
        out.append(c.Do(c.call("step", charge)))
    return out


def _by_who_plays(body: c.Body) -> c.Body:
    """What a block counts outside of its loops, counted by who plays: there is nothing to call."""
    out: c.Body = []
    for statement in body:
        weight = _weight(statement)
        if weight:
            statement = c.Store((_WORK,), c.Const(weight), "+", origin=statement.origin)
        match statement:
            case c.For(source=c.Call(function=c.Known(text="many"), args=(items, c.Const(value=int(each))))) if (
                each <= _MOST_EACH and isinstance(items, c.Name | c.Slot)
            ):
                counted = c.call("len", items) * each
                out.append(c.Store((_WORK,), counted, "+", origin=statement.origin))
                statement = evolve(statement, source=items)
            case c.If() | c.Case():
                statement = c.with_bodies(statement, [_by_who_plays(each) for each in c.bodies(statement)])
        out.append(statement)
    return out


def _charged(charge: int, near: c.Statement) -> c.Statement:
    return c.Do(c.call("step", charge), origin=near.origin)


def _inside(statement: c.Statement) -> c.Statement:
    inner = c.bodies(statement)
    return c.with_bodies(statement, [_late(each) for each in inner]) if inner else statement


def _leaves(body: c.Body) -> bool:
    """Whether a body ends by leaving the function."""
    return bool(body) and isinstance(body[-1], _LEAVING)


def _leaves_anywhere(statement: c.Statement) -> bool:
    """Whether a statement may leave the function: then what was counted before has to be counted there."""
    return any(isinstance(each, _LEAVING) for each in c.statements([statement]))
