"""Tables that are asked one after the other are one, and a slot that is counted on by a table is in the table.

Before::

    S[37 + A21[A13[S[6]]]] & y1 & ~S[38] & y1

After::

    K50 = (39, 40)

    S[K50[S[6]]] & y1 & ~S[38]

Comes last: where a slot belongs to can no longer be seen afterwards. A mask that is joined twice is joined once."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten, with_targets

__all__ = ["joined_tables"]


def joined_tables(unit: Unit) -> None:
    joining = _Joining(unit)
    unit.map(
        lambda function: evolve(
            function,
            body=[with_targets(each, joining.joined) for each in rewritten(function.body, joining.joined)],
        )
    )


class _Joining:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.made: dict[tuple[int, ...], c.Known] = {}

    def joined(self, code: c.Code) -> c.Code:
        code = c.altered(code, self.joined)
        match code:
            case c.Get(of=c.Known(text=outer), at=c.Get(of=c.Known(text=inner), at=at)):
                first, second = self._numbers(inner), self._numbers(outer)
                if first is not None and second is not None and all(0 <= each < len(second) for each in first):
                    return self._table(tuple(second[each] for each in first))[at]
            case c.Slot(base=base, at=c.Get(of=c.Known(text=text), at=at)) if base:
                numbers = self._numbers(text)
                if numbers is not None and all(each >= 0 for each in numbers):
                    return c.Slot(0, self._table(tuple(base + each for each in numbers))[at])
            case c.Op(sign="&"):
                factors = c.factors(code)
                once = list(dict.fromkeys(factors))
                if len(once) < len(factors):
                    made = once[0]
                    for factor in once[1:]:
                        made = made & factor
                    return made
        return code

    def _numbers(self, name: str) -> tuple[int, ...] | None:
        """A table of nothing but numbers."""
        own = self.unit.tables.get(name)
        found = own.value if isinstance(own, c.Const) else self.unit.values.get(name)
        if isinstance(found, tuple) and all(type(each) is int for each in found):
            return found
        return None

    def _table(self, numbers: tuple[int, ...]) -> c.Known:
        found = self.made.get(numbers)
        if found is None:
            found = self.made[numbers] = self.unit.table(c.Const(numbers), "K")
        return found
