"""Masks without what the masks beside them leave out anyway.

Before::

    L68[a] & (2199023255551 if A6[v] == 2 else 2199023255551 & ~L70[a]) & (2199023255551 & ~(2199023255551 & ~i3))
    2199023255551 & ~S[5]

After::

    L68[a] & (-1 if A6[v] == 2 else ~L70[a]) & i3
    2199023255551 ^ S[5]

All that `L68` and `S[5]` have lies within 2199023255551. Keeps what is worked out, and what can fail."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["narrow_masks"]

_ALL = c.Const(-1)


def narrow_masks(unit: Unit) -> None:
    narrow = _Narrow(unit)
    unit.map(lambda function: evolve(function, body=rewritten(function.body, narrow.code)))


class _Narrow:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.bounds: dict[tuple[str, int], int] = {}
        # Those that are kept beside the state (presence.py) stand one after the other, too, and are all alike.
        self.starts = {run.start for run in unit.runs} | {slot for slot in unit.members if slot >= unit.size}

    def code(self, code: c.Code) -> c.Code:
        return self.within(code, -1)

    def within(self, code: c.Code, bound: int) -> c.Code:
        """Code that means the same as far as the members of `bound` are concerned (-1: all)."""
        match code:
            case c.Const(value=int(value)) if bound != -1 and value is not True and value is not False:
                return _ALL if value & bound == bound else code
            case c.Op(sign="&"):
                return self._joined(c.factors(code), bound)
            case c.Op(sign="|" | "^" as sign, left=left, right=right) if bound != -1:
                return c.Op(sign, self.within(left, bound), self.within(right, bound))
            case c.Minus(sign="~", of=of):
                inner = self.within(of, bound)
                return inner.of if isinstance(inner, c.Minus) and inner.sign == "~" else c.Minus("~", inner)
            case c.Cond(test=test, then=then, other=other) if bound != -1:
                return c.Cond(self.code(test), self.within(then, bound), self.within(other, bound))
        return c.altered(code, self.code)

    def _joined(self, factors: list[c.Code], bound: int) -> c.Code:
        factors = list(factors)
        bounds = [self.bound(factor) for factor in factors]
        for at, factor in enumerate(factors):
            around = bound
            for other, one in enumerate(bounds):
                if other != at:
                    around &= one
            factors[at] = self.within(factor, around)
            bounds[at] = self.bound(factors[at])
        left = self._without(factor for factor in factors if factor != _ALL)
        if not left:
            return _ALL
        out = left[0]
        for factor in left[1:]:
            out = out & factor
        return out

    def _without(self, factors: Iterable[c.Code]) -> list[c.Code]:
        """Factors in which a known mask without some of its members is worked out at once."""
        left = list(factors)
        for at, known in enumerate(left):
            if isinstance(known, c.Const) and known.value.__class__ is int and known.value > 0:
                for other, factor in enumerate(left):
                    if isinstance(factor, c.Minus) and factor.sign == "~":
                        inside = self.bound(factor.of)
                        if inside != -1 and not inside & ~known.value:
                            left[at] = c.Op("^", known, factor.of)
                            del left[other]
                            return left
        return left

    def bound(self, code: c.Code) -> int:
        """A mask that has all members of another; -1 if none is known."""
        match code:
            case c.Const(value=int(value)):
                return value if value >= 0 else -1
            case c.Op(sign="&", left=left, right=right):
                return self.bound(left) & self.bound(right)
            case c.Op(sign="|" | "^", left=left, right=right):
                return self.bound(left) | self.bound(right)
            case c.Cond(then=then, other=other):
                return self.bound(then) | self.bound(other)
            case c.Slot():
                return self._of_slot(code)
            case c.Get(of=c.Known(text=text)):
                return self._of_all(text)
        return -1

    def _of_slot(self, slot: c.Slot) -> int:
        """The same of what a slot holds. Where its number is worked out, it is one of those in a table, or of a run."""
        if isinstance(slot.at, c.Get) and isinstance(slot.at.of, c.Known):
            return self._of_all(slot.at.of.text, slot.base)
        return self.unit.members.get(slot.base, -1) if slot.at is None or slot.base in self.starts else -1

    def _of_all(self, text: str, base: int = -1) -> int:
        """The same of all masks in a table; with a base, of all slots whose numbers from there on it has."""
        if (text, base) not in self.bounds:
            table = self.unit.values.get(text)
            found = -1
            if isinstance(table, tuple) and table and all(v.__class__ is int and v >= 0 for v in table):
                members = self.unit.members
                found = reduce(or_, table if base < 0 else [members.get(base + value, -1) for value in table])
            self.bounds[text, base] = found
        return self.bounds[text, base]
