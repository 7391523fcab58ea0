"""Requirements on a whole selection, as tests of what its single items add up to.

`sum(c.price for c in bought) <= money` reads nothing of a selection but a sum, and a sum is known from the single
items. So two selections with the same sum need not both be looked at, and what can still be picked is known quickly
however many selections there are (machine/demands.py, `usable_items`). In comes a requirement; out goes the same with
names for the sums and facts in it, and what those are. A requirement that reads a selection in another way cannot be
parted, and then nothing is said of it.
"""

from __future__ import annotations

from typing import Any

from rulescript.model import ir
from rulescript.model.traverse import free_vars
from rulescript.model.types import SetOf, ThingOf

__all__ = ["Parting"]

_FIRST_IDENT = -1000  # no name of the rules has such a number


class Parting:
    """Finds the sums and facts over one name. `found` has for each a new name, how it is put together from single
    items (sum, or, and), and what it is."""

    def __init__(self, ident: int) -> None:
        self.ident = ident
        self.found: list[tuple[ir.Var, str, ir.X]] = []
        self.is_possible = True

    def rewritten(self, x: ir.X, bound: frozenset[int] = frozenset()) -> ir.X:
        """An expression with names for what is known from single items; `is_possible` becomes false if it reads
        anything else of the selection."""
        inside = free_vars(x)
        if self.ident not in inside:
            return x
        fold = self._fold(x)
        if fold and not inside & bound:
            var = ir.Var(f"part {len(self.found)}", x.type, "element", _FIRST_IDENT - len(self.found))
            self.found.append((var, fold, x))
            return ir.Local(x.type, x.span, var)
        if isinstance(x, ir.Local):
            self.is_possible = False
            return x
        bound |= _bound_by(x)
        changes: dict[str, Any] = {}
        for name, is_many in ir.inner_fields(x.__class__):
            value = getattr(x, name)
            if is_many:
                changes[name] = self._rewritten_items(value, bound)
            elif value is not None:
                changes[name] = self.rewritten(value, bound)
        return ir.altered(x, changes)

    def _rewritten_items(self, items: tuple[Any, ...], bound: frozenset[int]) -> tuple[Any, ...]:
        return tuple(
            self.rewritten(item, bound) if isinstance(item, ir.X)
            else self._rewritten_items(item, bound) if item.__class__ is tuple
            else item
            for item in items
        )  # fmt: skip

    # -------------------------------------------------------------- what is known from single items

    def _fold(self, x: ir.X) -> str:
        """How the value for a whole selection follows from those for its single items; "" if it does not."""
        match x:
            case ir.BuiltinX(name="count" | "size", args=(source,)) if self._is_plain(source):
                return "sum"
            case ir.AggregateX(function="sum" | "count", picks=picks, value=value, condition=condition):
                inner = [value, *([condition] if condition is not None else [])]
                return "sum" if self._is_over_one(picks, inner, self._is_plain) else ""
            case ir.AggregateX(function="set", type=SetOf(ThingOf()), picks=picks, value=value, condition=condition):
                inner = [value, *([condition] if condition is not None else [])]
                return "or" if self._is_over_one(picks, inner, self._is_spread) else ""
            case ir.QuantX(quantifier=quantifier, picks=picks, condition=condition):
                if not self._is_over_one(picks, [condition], self._is_spread):
                    return ""
                return "or" if quantifier == "some" else "and"
            case ir.SomeX(source=source, negated=negated) if self._is_spread(source):
                return "and" if negated else "or"
            case ir.InX(element=element, source=source, negated=negated) if self._is_spread(source):
                if self.ident in free_vars(element):
                    return ""
                return "and" if negated else "or"
            case ir.AttrX() | ir.StateX() | ir.PieceStateX() | ir.PlaceOfX() if self._is_spread(x):
                match x.type:
                    case SetOf(ThingOf()):
                        return "or"
        return ""

    def _is_over_one(self, picks: tuple[tuple[ir.Var, ir.X], ...], inner: list[ir.X], test: Any) -> bool:
        """Whether one of several pickings goes over the selection and nothing else reads it."""
        over = [source for _, source in picks if self.ident in free_vars(source)]
        return len(over) == 1 and test(over[0]) and not any(self.ident in free_vars(x) for x in inner)

    def _is_plain(self, source: ir.X) -> bool:
        """The selection itself, or those of its items that are something: as many as items fit."""
        match source:
            case ir.Local(var=var):
                return var.ident == self.ident
            case ir.FilterX(source=of, condition=condition):
                return self._is_plain(of) and self.ident not in free_vars(condition)
        return False

    def _is_spread(self, source: ir.X) -> bool:
        """What its items are, have or stand in, all together: that of two selections is that of both."""
        match source:
            case ir.AttrX(of=of) | ir.StateX(of=ir.X() as of) | ir.PieceStateX(of=of) | ir.PlaceOfX(of=of):
                return self._is_spread(of)
            case ir.FilterX(source=of, condition=condition):
                return self._is_spread(of) and self.ident not in free_vars(condition)
        return self._is_plain(source)


def _bound_by(x: ir.X) -> frozenset[int]:
    """The names that an expression binds for what is inside it."""
    match x:
        case ir.FilterX(var=var) | ir.MostX(var=var):
            return frozenset({var.ident})
        case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
            return frozenset(var.ident for var, _ in picks)
    return frozenset()
