"""Where things are: the slots of places, what lies in them, pieces as numbers."""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Each, Name, call
from rulescript.compiler.lower.room import Room
from rulescript.model import ir
from rulescript.model.types import (
    SetOf,
)

__all__ = ["Places"]


class Places(Room):
    """Knows the slots of places."""

    def slot_at(self, base: int, of: ir.X) -> Code:
        """The slot `base + x`, folded where x is fixed."""
        return c.Slot(base + of.index) if isinstance(of, ir.ThingLit) else c.Slot(base, self.x(of))

    def plus(self, base: int, of: ir.X) -> Code:
        """The number `base + x`, folded where x is fixed."""
        return Const(base + of.index) if isinstance(of, ir.ThingLit) else Const(base) + self.x(of)

    def slot(self, x: ir.ContentsX) -> Code:
        """The number of the slot of one place."""
        base = self.layout.holds_slot[id(x.holds)]
        return Const(base) if x.of is None else self.plus(base, x.of)

    def place(self, x: ir.ContentsX) -> Code:
        """The slot of one place."""
        base = self.layout.holds_slot[id(x.holds)]
        return c.Slot(base) if x.of is None else self.slot_at(base, x.of)

    def contents(self, x: ir.ContentsX) -> Code:
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is not None and isinstance(x.of.type, SetOf):
            # Piles of several places add up; sets of single things are disjoint, so adding joins them too.
            if isinstance(x.of, ir.AllThings) and not x.holds.ordered:
                return self.scope.kept(call("sum", c.Part(c.STATE, Const(base), Const(base + x.of.kind.size))))
            h = self.scope.fresh("h")
            there = c.Slot(base, Name(h))
            if x.holds.ordered:
                i = self.scope.fresh("j")
                loops = (Each((h,), c.BITS[self.x(x.of)]), Each((i,), call("members", there)))
                return call("sum", c.Listing("bare", Const(1) << Name(i), loops))
            return call("sum", c.Listing("list", there, (Each((h,), c.BITS[self.x(x.of)]),)))
        return self.place(x)

    def code_of(self, piece: ir.X) -> Code:
        """The code of a piece: its type and states."""
        if isinstance(piece, ir.Local) and piece.var.ident in self.scope.codes:
            return self.scope.codes[piece.var.ident][0]
        return self.x(piece) & self.constants.low

    def piece(self, place: Code, code: Code) -> Code:
        """One piece: the number of its place's slot and its code in one number."""
        return place << self.constants.shift | code
