"""Lists of options, and sets that are gone through, as loops of the function itself.

Before::

    o = [*[52 + h << 16 | c for h in BITS[S[41]] if S[10 + h] == 2 for c in CD_4[S[52 + h]]], -2]

After::

    o = []
    for h in BITS[S[41]]:
        if S[10 + h] == 2:
            o += E5[h][S[52 + h]]
    o.append(-2)

and ``[v for v in BITS[S[41]] if any(True for w in BITS[L9[v]] if S[10 + w] == 2)]``::

    for v in BITS[S[41]]:
        for w in BITS[L9[v]]:
            if S[10 + w] == 2:
                o.append(v)
                break

In Python a listing is a function of its own: it has to be made and called every time, and what it uses of the function
around it becomes slower everywhere. The innermost loop is looked up, if it can be (`memos`). The names of the loops are
new ones. Needs that nobody else has the list yet."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.flat_loops import flat
from rulescript.compiler.passes.memos import Memos
from rulescript.compiler.passes.unit import Unit

__all__ = ["open_loops"]

_BOOLEAN = (c.Compare, c.Between, c.Not)


def open_loops(unit: Unit) -> None:
    memos = Memos(unit)
    unit.map(lambda function: evolve(function, body=_Opened(memos).body(function.body)))


class _Opened:
    def __init__(self, memos: Memos) -> None:
        self.memos = memos
        self.count = 0

    def body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            match statement:
                case c.Store(targets=(c.Name() as name,), value=c.Listing(form="list") as listing, sign=""):
                    made = self._list(name, (c.Spread(listing),), statement)
                case c.Store(targets=(c.Name() as name,), value=c.List(items=items), sign=""):
                    made = self._list(name, items, statement)
                case c.Return(value=value):
                    made = self._returned(value, statement)
                case _:
                    made = None
            if made is None:
                inner = c.bodies(statement)
                made = [c.with_bodies(statement, [self.body(each) for each in inner]) if inner else statement]
            out += made
        return out

    # -------------------------------------------------------------- lists

    def _list(self, name: c.Name, items: tuple[c.Code, ...], statement: c.Store) -> c.Body | None:
        """A list put together from its items, one after the other; None if there is nothing to open."""
        if any(name.text in c.names_in(item) for item in items):
            return None
        out: c.Body = [c.Store((name,), c.List(()), origin=statement.origin)]
        is_opened = False
        for item in items:
            made = self._spread(name, item.of, statement) if isinstance(item, c.Spread) else None
            is_opened = is_opened or made is not None
            out += made or [self._added(name, item, statement)]
        return out if is_opened else None

    def _added(self, name: c.Name, item: c.Code, statement: c.Statement) -> c.Statement:
        if isinstance(item, c.Spread):
            return c.Do(c.Method(name, "extend", (item.of,)), origin=statement.origin)
        return c.Do(c.Method(name, "append", (item,)), origin=statement.origin)

    def _spread(self, name: c.Name, code: c.Code, statement: c.Statement) -> c.Body | None:
        """What adds the members of something to a list; None if that has no loop that can be opened."""
        match code:
            case c.Cond(test=test, then=then, other=c.List(items=())):
                made = self._spread(name, then, statement)
                return None if made is None else [c.If(test, made, origin=statement.origin)]
            case c.Call(function=c.Known(text="unlike"), args=(c.Listing(form="list"), *_)):
                first, made = self._apart(code, statement)
                return None if made is None else [*made, c.Store((name,), first, "+", origin=statement.origin)]
            case c.Listing(
                form="list", loops=(c.Each(source=c.Cond(test=test, then=then, other=c.List(items=()))) as each,)
            ):
                inner = flat(evolve(code, loops=(evolve(each, source=then),)))
                made = self._spread(name, inner, statement)
                return None if made is None else [c.If(test, made, origin=statement.origin)]
            case c.Listing(
                form="list", loops=(c.Each(source=c.Call(function=c.Known(text="unlike")) as source) as each, *_)
            ):
                first, before = self._apart(source, statement)
                if before is None:
                    return self._loops(name, code, statement)
                made = self._loops(name, evolve(code, loops=(evolve(each, source=first), *code.loops[1:])), statement)
                return None if made is None else [*before, *made]
            case c.Listing(form="list"):
                return self._loops(name, code, statement)
        return None

    def _apart(self, code: c.Code, statement: c.Statement) -> tuple[c.Code, c.Body | None]:
        """A list that is given to a function: made first, under a name of its own."""
        assert isinstance(code, c.Call)
        if not isinstance(code.args[0], c.Listing):
            return code, None
        self.count += 1
        name = c.Name(f"apart{self.count}")
        made = self._loops(name, code.args[0], statement)
        if made is None:
            return code, None
        return c.Call(code.function, (name, *code.args[1:])), [
            c.Store((name,), c.List(()), origin=statement.origin),
            *made,
        ]

    def _loops(self, name: c.Name, listing: c.Listing, statement: c.Statement) -> c.Body | None:
        names = self._names(listing)
        if names is None:
            return None
        origin = statement.origin
        *loops, innermost = listing.loops
        inside: c.Body = []
        if loops:
            # What the innermost loop comes to may be known.
            last = c.Listing("list", listing.value, (innermost,))
            known = self.memos.looked_up(last)
            if not isinstance(known, c.Listing):
                inside = [c.Store((name,), c.replaced(known, names), "+", origin=origin)]
        if not inside:
            loops.append(innermost)
            inside = [self._added(name, c.replaced(listing.value, names), statement)]
        return self._around(tuple(loops), names, inside, origin)

    def _around(
        self, loops: tuple[c.Each, ...], names: dict[str, c.Code], inside: c.Body, origin: tuple[str, int] | None
    ) -> c.Body:
        for loop in reversed(loops):
            # What breaks off a loop must not stand in another.
            may_open = not isinstance(inside[-1], c.Break)
            for test in reversed(loop.tests):
                test = c.replaced(test, names)
                inside = self._tested(test, inside, origin) if may_open else [c.If(test, inside, origin=origin)]
            targets = tuple(names[each] for each in loop.names)
            inside = [c.For(targets, c.replaced(loop.source, names), inside, origin=origin)]
        return inside

    # -------------------------------------------------------------- whether there is any

    def _tested(self, test: c.Code, inside: c.Body, origin: tuple[str, int] | None) -> c.Body:
        """Statements that are done if a test holds; whether there is any of something, as a loop up to the first."""
        if isinstance(test, c.All):
            for part in reversed(test.parts):
                inside = self._tested(part, inside, origin)
            return inside
        found = _any_in(test)
        names = self._names(found) if found is not None else None
        if found is None or names is None:
            match inside:
                case [c.If(test=other, then=then, other=[])] if not isinstance(test, c.Any_):
                    return [
                        c.If(
                            c.All((test, *(other.parts if isinstance(other, c.All) else (other,)))), then, origin=origin
                        )
                    ]
            return [c.If(test, inside, origin=origin)]
        if isinstance(test, c.Not):
            made = self._around(found.loops, names, [c.Break(origin=origin)], origin)
            assert isinstance(made[0], c.For)
            return [evolve(made[0], other=inside)]
        return self._around(found.loops, names, [*inside, c.Break(origin=origin)], origin)

    def _returned(self, value: c.Code, statement: c.Return) -> c.Body | None:
        """Whether there is any of something, as what a function gives."""
        match value:
            case c.Call(function=c.Known(text="bool"), args=(c.All(parts=parts),)):
                pass
            case c.All(parts=parts) if all(isinstance(part, _BOOLEAN) for part in parts[:-1]):
                pass
            case _:
                parts = (value,)
        if not any(_any_in(part) is not None for part in parts):
            return None
        inside: c.Body = [c.Return(c.Const(True), origin=statement.origin)]
        for part in reversed(parts):
            inside = self._tested(part, inside, statement.origin)
        return [*inside, c.Return(c.Const(False), origin=statement.origin)]

    def _names(self, listing: c.Listing) -> dict[str, c.Code] | None:
        """New names for those of loops; None if they cannot be told apart."""
        bound = [each for loop in listing.loops for each in loop.names]
        if len(set(bound)) < len(bound) or _rebinds(listing, set(bound)):
            return None
        names: dict[str, c.Code] = {}
        for each in bound:
            self.count += 1
            names[each] = c.Name(f"x{self.count}")
        return names


def _any_in(test: c.Code) -> c.Listing | None:
    """The one loop that says whether there is any, or none."""
    match test:
        case c.Not(of=inner):
            return _any_in(inner) if not isinstance(inner, c.Not) else None
        case c.Call(function=c.Known(text="any"), args=(c.Listing(value=c.Const(value=True), loops=(_,)) as listing,)):
            return listing
    return None


def _rebinds(listing: c.Listing, names: set[str]) -> bool:
    """Whether a loop inside another uses one of the names for something else."""
    for each in c.inside(listing):
        if each is listing:
            continue
        if isinstance(each, c.Listing) and any(names & set(loop.names) for loop in each.loops):
            return True
        if isinstance(each, c.Lambda) and names & set(each.params):
            return True
    return False
