"""Lists of options, and loops over sets: the work is counted once, as if all were gone over, not loop by loop.

Before::

    o = [v for v in many(BITS[S[41] & 4294967295], 861) if S[10 + v] == 2]

After::

    step(27552)
    o = [v for v in BITS[S[41] & 4294967295] if S[10 + v] == 2]

Counting a loop takes as long as a look at some of its members, and before somebody is asked it is not even needed
(`late_charges`). Loops that may be very long are still counted by what they go over."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["whole_charges"]

# More than this is counted as it is.
_MOST = 500_000


def whole_charges(unit: Unit) -> None:
    whole = _Whole(unit)
    unit.map(lambda f: evolve(f, body=whole.body(f.body)) if f.sort in ("block", "answer") else f)


class _Whole:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.longest: dict[str, int] = {}
        self.charge = 0

    def body(self, body: c.Body, is_round: bool = False) -> c.Body:
        out: c.Body = []
        for statement in body:
            inner = c.bodies(statement)
            if inner:
                is_again = is_round or isinstance(statement, c.For | c.While)
                statement = c.with_bodies(statement, [self.body(each, is_again) for each in inner])
            match statement:
                case c.Store(targets=(c.Name(text="o"),), value=value):
                    self.charge = 0
                    new = self._code(value, 1)
                    if self.charge:
                        out.append(c.Do(c.call("step", self.charge), origin=statement.origin))
                        statement = evolve(statement, value=new)
                case c.For(
                    source=c.Call(
                        function=c.Known(text="many"),
                        args=(c.Get(of=c.Known(text="BITS"), at=mask) as members, c.Const() as weight),
                    )
                ) if not is_round:
                    size = self._size(mask)
                    if size is not None and weight.value * size <= _MOST:
                        out.append(c.Do(c.call("step", weight.value * size), origin=statement.origin))
                        statement = evolve(statement, source=members)
            out.append(statement)
        return out

    def _code(self, code: c.Code, times: int) -> c.Code:
        """An expression that is worked out so often, at most, without counting its loops."""
        if not isinstance(code, c.Listing):
            return c.altered(code, lambda part: self._code(part, times))
        loops: list[c.Each] = []
        for each in code.loops:
            source = each.source
            match source:
                case c.Call(
                    function=c.Known(text="many"),
                    args=(c.Get(of=c.Known(text="BITS"), at=mask) as inner, c.Const() as weight),
                ):
                    size = self._size(mask)
                    if size is not None and weight.value * size * times <= _MOST:
                        self.charge += weight.value * size * times
                        source = inner
            source = self._code(source, times)
            times *= self._rounds(source)
            loops.append(c.Each(each.names, source, tuple(self._code(test, times) for test in each.tests)))
        return c.Listing(code.form, self._code(code.value, times), tuple(loops))

    def _rounds(self, source: c.Code) -> int:
        match source:
            case c.List(items=items):
                return len(items)
            case c.Get(of=c.Known(text="BITS"), at=mask):
                size = self._size(mask)
                return size if size is not None else _MOST
            case c.Call(function=c.Known(text="many"), args=(inner, _)):
                return self._rounds(inner)
        return _MOST

    def _size(self, mask: c.Code) -> int | None:
        """How many members a set has, at most."""
        match mask:
            case c.Const(value=int(value)):
                return value.bit_count() if value >= 0 else None
            case c.Op(sign="&", left=left, right=right):
                sizes = [size for size in (self._size(left), self._size(right)) if size is not None]
                return min(sizes, default=None)
            case c.Op(sign="|", left=left, right=right):
                one, other = self._size(left), self._size(right)
                return one + other if one is not None and other is not None else None
            case c.Op(sign="<<", left=c.Const(value=1)):
                return 1
            case c.Cond(then=then, other=other):
                one, other_ = self._size(then), self._size(other)
                return max(one, other_) if one is not None and other_ is not None else None
            case c.Get(of=c.Known(text=text)):
                if text not in self.longest:
                    table = self.unit.values.get(text)
                    masks = table if isinstance(table, tuple) else ()
                    is_known = masks and all(v.__class__ is int and v >= 0 for v in masks)
                    self.longest[text] = max(v.bit_count() for v in masks) if is_known else -1
                return self.longest[text] if self.longest[text] >= 0 else None
        return None
