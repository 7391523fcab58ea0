"""The table of a rule's answers is kept with the position while nothing changes that the rule reads.

Before::

    i12 = r2_at(S)                  # looks for it by a key of all that the rule reads
    S[37 + v] |= 1 << i

After::

    i12 = S[131] or r2_at(S)        # makes one and notes it there
    S[37 + v] |= 1 << i
    S[131] = None

Needs that the rule reads nothing but states, which are only ever set by statements that say so. A copy of a position
has the same table: it says the same of the same state."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.forgetting import Forgetting
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["kept_tables", "key_of"]


def kept_tables(unit: Unit) -> None:
    kept: dict[str, int] = {}
    forgetting = Forgetting(unit)
    for function in unit.functions:
        reads = key_of(function)
        if reads and reads <= unit.states:
            kept[function.name] = unit.slot(c.Const(None))
            forgetting.depends[kept[function.name]] = reads

    def used(code: c.Code) -> c.Code:
        code = c.altered(code, used)
        match code:
            case c.Call(function=c.Known(text=text), args=(c.Name(text="S"),)) if text in kept:
                return c.Any_((c.Slot(kept[text]), code))
        return code

    functions = {function.name: function for function in unit.functions}
    ends = {run.start: run.stop for run in unit.runs}
    slots = range(min(kept.values(), default=0), max(kept.values(), default=0) + 1)

    def changed(function: c.Function) -> c.Function:
        if function.name in kept:
            last = _last_read(functions.get(f"{function.name.removesuffix('_at')}_work"), ends)
            return evolve(function, body=_noting(function.body, kept[function.name], slots, last))
        return evolve(function, body=rewritten(function.body, used))

    unit.map(changed)
    forgetting.run()


def key_of(function: c.Function) -> frozenset[int]:
    """The slots that the answers of a rule depend on; none if it keeps no answers."""
    match function.body:
        case [
            c.Store(targets=(c.Name(text="key"),), value=c.Tuple(items=items)),
            c.Store(targets=(c.Name(text="table"),), value=c.Method(method="get")),
            c.If(then=[c.Return(value=c.Call(function=c.Known(text="answers")))]),
            c.Return(),
        ]:
            slots = frozenset(item.base for item in items if isinstance(item, c.Slot) and item.at is None)
            return slots if len(slots) == len(items) else frozenset()
    return frozenset()


def _last_read(work: c.Function | None, ends: dict[int, int]) -> int | None:
    """Behind the last slot that a rule reads; None if nobody knows, or it gives the state to others."""
    last = 0
    for statement in c.statements(work.body) if work is not None else ():
        for code in c.expressions(statement):
            for each in c.inside(code):
                match each:
                    case c.Slot(base=base, at=None):
                        last = max(last, base + 1)
                    case c.Slot(base=base) if base in ends:
                        last = max(last, ends[base])
                    case c.Slot() | c.Name(text="S"):
                        return None
    return last or None


def _noting(body: c.Body, slot: int, slots: range, last_read: int | None) -> c.Body:
    """A new table, noted in its slot: by the time what was read before comes back, it has been driven out of every
    cache. The copy of the state that belongs to it ends where nothing is read any more, or else has no tables:
    otherwise each table would have those before it, and they those before them."""
    _, _, unless, last = body
    assert isinstance(unless, c.If) and isinstance(unless.then[0], c.Return) and isinstance(last, c.Return)
    asked = unless.then[0].value
    assert isinstance(asked, c.Call)
    copied = c.Part(c.STATE, None, c.Const(last_read) if last_read is not None else None)
    made = c.Store((c.Name("table"),), c.call("new_answers", copied, *asked.args[3:]), origin=unless.origin)
    own = c.Part(c.Method(c.Name("table"), "S", None), c.Const(slots.start), c.Const(slots.stop))
    none = c.Store((own,), c.Const((None,) * len(slots)), origin=unless.origin)
    noted = c.Store((c.Slot(slot),), last.value, origin=last.origin)
    return [made, noted, last] if last_read is not None else [made, none, noted, last]
