"""Filters, quantifiers, sums and membership -> code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import and_

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Each, Known, Name, call
from rulescript.compiler.lower.loops import AS_MANY, bound, cost
from rulescript.compiler.lower.room import Room
from rulescript.machine.values import LONGEST
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    INT,
    ListOf,
    Maybe,
    Pile,
    SetOf,
    ThingOf,
    kind_of,
)

__all__ = ["Collections"]


class Collections(Room):
    """Makes code of what is said of whole collections."""

    def filtered(self, x: ir.FilterX, any_order: bool = False) -> Code:
        match x.type:
            case SetOf():
                mask, left = self.loops.thing_mask(x, None, ())
                if not left:
                    return mask
                var = x.var
                mask, left = self.loops.thing_mask(x, var, ())
                name = self.scope.local(var)
                loop = Each(bound(name), c.BITS[mask], (c.all_of(self.each(test) for test in left),))
                return call("sum", c.Listing("list", Const(1) << name, (loop,)))
            case Pile():
                base, holder, codes, left = self.loops.pile_parts(x, None, ())
                if left:
                    return self.slow_pile(x)
                slot = self.layout.holds_slot[id(base.holds)]
                if holder is not None:
                    h = self.scope.fresh("h")
                    there = c.joined_masks(c.Slot(slot, Name(h)), codes)
                    return call("sum", c.Listing("list", there, (Each((h,), holder),)))
                return c.joined_masks(self.places.place(base), codes)
        loop_, left = self.loops.loop(x.var, x, (), any_order=any_order)
        loop_ = self.loops.tested(loop_, left)
        return call("tuple", c.Listing("list", self.scope.local(x.var), loop_))

    def slow_pile(self, x: ir.FilterX) -> Code:
        """A pile whose condition must be tested piece by piece."""
        var = x.var
        loop, left = self.loops.loop(var, x, (), "n_")
        units = Known(f"UN_{self.constants.ident(kind_of(x.type))}")
        loop = self.loops.tested(loop, left)
        code = self.places.code_of(ir.Local(var.type, x.span, var))
        return call("sum", c.Listing("list", Name("n_") * units[code], loop))

    def some(self, source: ir.X, negated: bool) -> Code:
        match source.type:
            case SetOf():
                mask, left = self.loops.thing_mask(source, None, ())
                if not left:
                    return c.Compare("==" if negated else "!=", mask, Const(0))
            case Pile():
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.loops.pile_parts(source, None, ())
                    if not left:
                        return self._some_pieces(base, holder, codes, negated)
            case ListOf():
                asked = self.expressions.listed(source, any_order=isinstance(source, ir.FilterX))
                return c.Compare("==" if negated else "!=", asked, c.Tuple(()))
        if isinstance(source, ir.FilterX):
            loop, left = self.loops.loop(source.var, source, ())
            test = c.all_of(self.each(each) for each in left)
            found = call("any", c.Listing("list", test, loop))
            return c.Not(found) if negated else found
        return c.Compare("==" if negated else "!=", self.x(source), Const(0))

    def _some_pieces(self, base: ir.ContentsX, holder: Code | None, codes: Code | None, negated: bool) -> Code:
        """Whether any piece is in a place or in several."""
        slot = self.layout.holds_slot[id(base.holds)]
        if holder is not None:
            h = self.scope.fresh("h")
            there = c.joined_masks(c.Slot(slot, Name(h)), codes)
            test = call("any", c.Listing("list", there, (Each((h,), holder),)))
            return c.Not(test) if negated else test
        place = self.places.place(base)
        cheap = _cheap(codes)
        if cheap is not None:
            found = c.All((reduce(and_, [place, *cheap]), c.joined_masks(place, codes)))
            return c.Not(found) if negated else found
        return c.Compare("==" if negated else "!=", c.joined_masks(place, codes), Const(0))

    def quantified(self, x: ir.QuantX) -> Code:
        if x.quantifier in ("some", "none"):
            if len(x.picks) == 1 and isinstance(x.picks[0][1].type, SetOf):
                var, source = x.picks[0]
                mask, left = self.loops.thing_mask(source, var, self.inlining.parts_of(x.condition))
                if not left:
                    return c.Compare("!=" if x.quantifier == "some" else "==", mask, Const(0))
            found = self._any(x.picks, x.condition)
            return found if x.quantifier == "some" else c.Not(found)
        return c.Not(self._any(x.picks, ir.NotX(BOOL, x.span, x.condition)))

    def _any(self, picks: Sequence[tuple[ir.Var, ir.X]], condition: ir.X) -> Code:
        return call("any", c.Listing("bare", Const(True), self.loops.nested(picks, condition, any_order=True)))

    def aggregate(self, x: ir.AggregateX) -> Code:
        pieces = isinstance(x.picks[-1][1].type, Pile)
        match x.function:
            case "matching":
                return self._matching(x, pieces)
            case "completes":
                return self._completes(x)
            case "set":
                if isinstance(x.value.type, ThingOf) or x.value.type == INT:
                    loops = self.loops.nested(x.picks, x.condition, any_order=True)
                    member = self.each(x.value)
                    one = call("bit", member) if x.value.type == INT else Const(1) << member
                    return call("sum", c.Listing("set", one, loops))
            case "list":
                loops = self.loops.nested(x.picks, x.condition, "n_" if pieces else None)
                value = self.each(x.value)
                if pieces or self.work.size(x) > LONGEST:
                    return call("listed", c.Listing("bare", value, (*loops, AS_MANY) if pieces else loops))
                return call("tuple", c.Listing("list", value, loops))
            case "sum":
                loops = self.loops.nested(x.picks, x.condition, "n_" if pieces else None, any_order=not pieces)
                value = self.each(x.value)
                return call("sum", c.Listing(self._form(x), Name("n_") * value if pieces else value, loops))
            case "count":
                both = x.value if x.condition is None else ir.AndX(BOOL, x.span, (x.condition, x.value))
                loops = self.loops.nested(x.picks, both, "n_" if pieces else None, any_order=not pieces)
                return call("sum", c.Listing(self._form(x), Name("n_") if pieces else Const(1), loops))
            case "max" | "min":
                loops = self.loops.nested(x.picks, x.condition, any_order=True)
                listing = c.Listing(self._form(x), self.each(x.value), loops)
                return call(x.function, call("iter", listing) if listing.form == "bare" else listing, default=0)
        raise AssertionError(x.function)

    def _form(self, x: ir.AggregateX) -> str:
        """Of a few members a list is the quickest; millions of them, which are within the limit of work, would fill the
        memory, so they are not kept."""
        return "bare" if math.prod(self.work.size(source) for _, source in x.picks) > LONGEST else "list"

    def _matching(self, x: ir.AggregateX, pieces: bool) -> Code:
        """How many dice find something that scores on them."""
        (var, source), dice = x.picks[0], x.condition
        assert dice is not None
        loop, left = (
            self.loops.loop(var, source, (), "n_") if pieces else self.loops.loop(var, source, (), any_order=True)
        )
        loop = self.loops.tested(loop, left)
        score = self.each(x.value)
        if isinstance(x.value.type, SetOf):
            score = call("frozenset", c.BITS[score])
        weight: Code = Name("n_") if pieces else Const(1)
        return call("hits", self.x(dice), c.Listing("list", c.Tuple((score, weight)), loop))

    def _completes(self, x: ir.AggregateX) -> Code:
        """Whether a plan can be completed."""
        (plan, done), (_, items) = x.picks
        assert x.condition is not None
        given = [self.x(x.condition), self.x(items), self.x(done)]
        # The name is one of this expression's own, so nobody else has a place for it.
        hoists, self.scope.hoists = self.scope.hoists, None
        self.scope.env[plan.ident] = Name(f"v{plan.ident}")
        try:
            return call("completes", *given, c.Lambda((f"v{plan.ident}",), self.each(x.value)))
        finally:
            self.scope.hoists = hoists
            del self.scope.env[plan.ident]

    def most(self, x: ir.MostX) -> Code:
        sign = 1 if x.direction == "most" else -1
        listed = self.loops.refs(x.source) if not isinstance(x.type, SetOf) else None
        name = self.scope.as_name(x.var)
        by = c.Lambda((name,), self.each(x.by))
        if listed is None:
            return call("most_set", self.x(x.source), by, sign)
        refs = call("most_list", listed, by, sign)
        if isinstance(x.type, Pile):
            units = Known(f"UN_{self.constants.ident(kind_of(x.type))}")
            return call("sum", c.Listing("list", units[Name("e") & self.constants.low], (Each(("e",), refs),)))
        return refs

    def contained(self, x: ir.InX) -> Code:
        element, source = x.element, self.inlining.expand(x.source)
        match source.type:
            case SetOf(ThingOf()):
                one = self.x(element)
                where = self._place_test(element, source)
                inside = where if where is not None else self.x(source).has(one)
                if isinstance(element.type, Maybe):
                    return _denied(c.All((one.is_something(), inside)), x.negated)
                if isinstance(inside, c.Compare) and x.negated:
                    return c.Compare("!=", inside.left, inside.right)
                return _denied(inside, x.negated)
            case SetOf():
                if isinstance(source, ir.RangeX):
                    return _denied(c.Between(Const(source.low), self.x(element), Const(source.high)), x.negated)
                one = self.x(element)
                return _denied(c.All((c.Compare(">=", one, Const(0)), self.x(source).has(one))), x.negated)
            case Pile(kind):
                return self._contained_piece(x, source, Known(f"FM_{self.constants.ident(kind)}"))
        listed = self.expressions.through(self.expressions.listed(source, isinstance(source, ir.FilterX)), source)
        return c.Compare("not in" if x.negated else "in", self.x(element), listed)

    def _place_test(self, element: ir.X, source: ir.X) -> Code | None:
        """Whether a single thing lies in a place, or in any place of all things of a kind, which are side by side: each
        thing is in one place at most. None for other sets."""
        if not isinstance(source, ir.ContentsX):
            return None
        there = self.places.slot_at(self.layout.loc_slot[kind_of(element.type)], element)
        if source.of is None or not isinstance(source.of.type, SetOf):
            return there.equals(self.places.slot(source))
        if isinstance(source.of, ir.AllThings):
            first = self.layout.holds_slot[id(source.holds)]
            return c.Between(Const(first), there, Const(first + source.of.kind.size - 1))
        return None

    def _contained_piece(self, x: ir.InX, source: ir.X, fields: Code) -> Code:
        one = self.x(x.element)
        if isinstance(source, ir.FilterX | ir.ContentsX):
            base, holder, codes, left = self.loops.pile_parts(source, None, ())
            if not left:
                slot = self.layout.holds_slot[id(base.holds)]
                there = c.joined_masks(c.Slot(0, one >> self.constants.shift), codes)
                inside = c.Compare("!=", there & fields[one & self.constants.low], Const(0))
                if holder is not None:
                    where = c.Compare("in", (one >> self.constants.shift) - slot, holder)
                else:
                    where = c.Compare("==", one >> self.constants.shift, self.places.slot(base))
                return _denied(c.All((where, inside)), x.negated)
        return c.Compare("not in" if x.negated else "in", one, self.loops.refs(source))


def _denied(code: Code, is_denied: bool) -> Code:
    return c.Not(code) if is_denied else code


def _cheap(codes: Code | None) -> list[Code] | None:
    """The parts of a mask worth testing first when the rest is expensive; None if it is all alike."""
    if codes is None:
        return None
    parts = c.factors(codes)
    easy = [part for part in parts if cost(part) < 2]
    return easy if len(easy) < len(parts) else None
