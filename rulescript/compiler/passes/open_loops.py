"""Lists of options, and sets that are gone through, as loops of the function itself.

Before::

    o = [*[52 + h << 16 | c for h in BITS[S[41]] if S[10 + h] == 2 for c in CD_4[S[52 + h]]], -2]

After::

    o = []
    for h in BITS[S[41]]:
        if S[10 + h] == 2:
            o += E5[h][S[52 + h]]
    o.append(-2)

In Python a listing is a function of its own: it has to be made and called every time, and what it uses of the function
around it becomes slower everywhere. The innermost loop is looked up, if it can be (`memos`). The names of the loops are
new ones. Needs that nobody else has the list yet."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.memos import Memos
from rulescript.compiler.passes.unit import Unit

__all__ = ["open_loops"]


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
                    made = self._listed(name, listing, (), statement)
                case c.Store(
                    targets=(c.Name() as name,),
                    value=c.List(items=(c.Spread(of=c.Listing(form="list") as listing), *more)),
                    sign="",
                ):
                    made = self._listed(name, listing, tuple(more), statement)
                case _:
                    made = None
            if made is None:
                inner = c.bodies(statement)
                made = [c.with_bodies(statement, [self.body(each) for each in inner]) if inner else statement]
            out += made
        return out

    def _listed(self, name: c.Name, listing: c.Listing, more: tuple[c.Code, ...], statement: c.Store) -> c.Body | None:
        bound = [each for loop in listing.loops for each in loop.names]
        if len(set(bound)) < len(bound) or name.text in bound or _rebinds(listing, set(bound)):
            return None
        if any(name.text in c.names_in(code) for code in (listing, *more)):
            return None
        origin = statement.origin
        names: dict[str, c.Code] = {}
        for each in bound:
            self.count += 1
            names[each] = c.Name(f"x{self.count}")

        def added(item: c.Code) -> c.Statement:
            if isinstance(item, c.Spread):
                return c.Do(c.Method(name, "extend", (item.of,)), origin=origin)
            return c.Do(c.Method(name, "append", (item,)), origin=origin)

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
            inside = [added(c.replaced(listing.value, names))]
        for loop in reversed(loops):
            for test in reversed(loop.tests):
                inside = [c.If(c.replaced(test, names), inside, origin=origin)]
            targets = tuple(names[each] for each in loop.names)
            inside = [c.For(targets, c.replaced(loop.source, names), inside, origin=origin)]
        return [c.Store((name,), c.List(()), origin=origin), *inside, *map(added, more)]


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
