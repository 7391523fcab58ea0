"""The masks of a predicate that is asked of pairs: in a table that is kept while nothing changes that it reads.

Before::

    def way1(S, v69, v71):
        asked = (S[6], S[8], tuple(S[147:188]), v69, v71)
        found = way1_memo.get(asked)
        if found is None: found = remember(way1_memo, asked, way1_work(S, v69, v71))
        return found
    S[6] = 1

After::

    def way1(S, v69, v71):
        table = S[1990]
        if table is NO_WAYS: table = S[1990] = table_of(way1_memo, (S[6], S[8], tuple(S[147:188])))
        found = table.get((v69, v71))
        if found is None: found = table[v69, v71] = way1_work(S, v69, v71)
        return found
    S[6] = 1
    S[1990] = NO_WAYS

So what is read is looked up once, not for each pair. All positions that have a table agree on what the predicate reads,
so any of them may add to it. Who asks looks there before the predicate is called: ``S[1990][x, y] or way1(S, x, y)``.
Needs that it reads nothing but states."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.forgetting import Forgetting
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["kept_ways"]


_NO_WAYS = c.Known("NO_WAYS")


def kept_ways(unit: Unit) -> None:
    forgetting = Forgetting(unit, _NO_WAYS)
    made: list[c.Function] = []
    slots: dict[str, int] = {}
    for function in unit.functions:
        key = _key(function)
        reads = _reads(key) if key is not None else None
        if key is not None and reads and reads <= unit.states:
            slot = slots[function.name] = unit.slot(_NO_WAYS)
            forgetting.depends[slot] = reads
            function = evolve(function, body=_kept(function, key, slot))
        made.append(function)
    unit.functions = made

    def looked_up(code: c.Code) -> c.Code:
        code = c.altered(code, looked_up)
        match code:
            case c.Call(function=c.Known(text=text), args=(c.Name(text="S"), *given)) if text in slots:
                if not any(isinstance(each, c.Call | c.Listing) for arg in given for each in c.inside(arg)):
                    return c.Any_((c.Slot(slots[text])[_asked(tuple(given))], code))
        return code

    if slots:
        unit.map(lambda f: f if f.name in slots else evolve(f, body=rewritten(f.body, looked_up)))
    forgetting.run()


def _asked(given: tuple[c.Code, ...]) -> c.Code:
    """What an answer is looked up by."""
    return given[0] if len(given) == 1 else c.Tuple(given)


def _key(function: c.Function) -> tuple[c.Code, ...] | None:
    """What a predicate is looked up by, without what it is asked of; None if it is not looked up at all."""
    if not function.name.startswith("way") or function.name.endswith("_work"):
        return None
    match function.body:
        case [c.Store(value=c.Tuple(items=items)), c.Store(value=c.Method(method="get")), c.If(), c.Return()]:
            return items[: len(items) - (len(function.params) - 1)]
    return None


def _reads(key: tuple[c.Code, ...]) -> frozenset[int] | None:
    """The slots that a key is made of; None if there is anything else in it."""
    found: set[int] = set()
    for item in key:
        match item:
            case c.Slot(base=base, at=None):
                found.add(base)
            case c.Call(
                function=c.Known(text="tuple"),
                args=(c.Part(of=c.Name(text="S"), first=c.Const(value=int(first)), last=c.Const(value=int(last))),),
            ):
                found |= set(range(first, last))
            case _:
                return None
    return frozenset(found)


def _kept(function: c.Function, key: tuple[c.Code, ...], slot: int) -> c.Body:
    origin = function.origin
    table, found = c.Name("table"), c.Name("found")
    names = tuple(c.Name(name) for name in function.params[1:])
    asked = _asked(names)
    new = c.call("table_of", c.Known(f"{function.name}_memo"), c.Tuple(key))
    work = c.call(f"{function.name}_work", c.STATE, *names)
    return [
        c.Store((table,), c.Slot(slot), origin=origin),
        c.If(
            c.Compare("is", table, _NO_WAYS),
            [c.Store((table,), new, origin=origin), c.Store((c.Slot(slot),), table, origin=origin)],
            origin=origin,
        ),
        c.Store((found,), c.Method(table, "get", (asked,)), origin=origin),
        c.If(
            found.is_nothing(),
            [c.Store((found,), work, origin=origin), c.Store((table[asked],), found, origin=origin)],
            origin=origin,
        ),
        c.Return(found, origin=origin),
    ]
