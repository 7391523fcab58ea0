"""Expressions of the model -> code.

The hard idea: a condition on the members of a set is turned into arithmetic on whole masks where that can be done
(`mask_of`), and a condition on pieces into a mask of counters (`code_mask`). What remains is tested member by
member. So `Region[control == s and capital]` becomes one `&` of two integers, as an expert would write it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Each, Known, Name, call
from rulescript.compiler.layout import PieceLayout
from rulescript.compiler.sources import AS_MANY, Sources, bound, cost
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import BOOL, INT, NOTHING, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf

__all__ = ["Compiler"]


class Compiler(Sources):
    """Makes code; collects the constants it needs."""

    # -------------------------------------------------------------- expressions

    def x(self, x: ir.X) -> Code:
        """Code for an expression."""
        around, self.round = self.round, self.work.round(x) if self.is_counted else 0
        try:
            return self.x_once(self._x(x))
        finally:
            self.round = around

    def _x(self, x: ir.X) -> Code:
        match x:
            case ir.Lit(value=value):
                return Const(value)
            case ir.ThingLit(index=index):
                return Const(index)
            case ir.AllThings(kind=kind):
                return Const((1 << kind.size) - 1)
            case ir.Local(var=var):
                return self.local(var)
            case ir.StateX():
                return self.state(x)
            case ir.AttrX(attr=attr, of=of):
                return self.attribute(attr, of)
            case ir.PieceStateX(state=state, of=of):
                pieces = self.layout.pieces[self.kind_of(of.type)]
                if pieces.is_sparse:
                    return self.sparse_state(pieces, state, of)
                table = tuple(pieces.state_of(code, state) for code in range(pieces.codes))
                return self.const(table, "A")[self.code_of(of)]
            case ir.PlaceOfX(of=of):
                if isinstance(of.type, PieceOf):
                    if isinstance(of, ir.Local) and of.var.ident in self.codes:
                        return self.codes[of.var.ident][1]
                    return self.owners(x.type)[self.x(of) >> self.shift]
                return self.owners(x.type)[self.slot_at(self.layout.loc_slot[self.kind_of(of.type)], of)]
            case ir.ContentsX(type=ListOf()):
                # As a value of its own: the order of a shuffled place is settled before it is kept.
                return call("tuple", self.contents(x))
            case ir.ContentsX():
                return self.contents(x)
            case ir.LinksX(of=of, kind=kind, sorts=sorts):
                near = self.links(kind, sorts)
                return (self.near(near) if isinstance(of.type, SetOf) else near)[self.x(of)]
            case ir.FilterX():
                return self.filtered(x)
            case ir.SomeX(source=source, negated=negated):
                return self.some(source, negated)
            case ir.QuantX():
                return self.quantified(x)
            case ir.AggregateX():
                return self.aggregate(x)
            case ir.MostX():
                return self.most(x)
            case ir.AndX(parts=parts):
                return c.all_of(self.x(p) for p in parts)
            case ir.OrX(parts=parts):
                return c.any_of(self.x(p) for p in parts)
            case ir.NotX(of=of):
                return c.Not(self.x(of))
            case ir.ArithX():
                return self.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                a, b = self.x(left), self.x(right)
                match operator:
                    case "+":
                        return a | b
                    case "-":
                        return a & ~b
                    case "&":
                        return a & b
                return call("joined", a, b)
            case ir.CompareX():
                return self.compare(x)
            case ir.InX():
                return self.contained(x)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                yes = self.x(then)
                return c.Cond(self.x(condition), yes, self.x(otherwise))
            case ir.CallX(function=function, args=args):
                expanded = self.expand(x)
                if expanded is not x:
                    return self.x(expanded)
                name = self.function_name(function)
                if name in self.remembered:
                    return self.remembered_call(name, args)
                return call(name, STATE, *(self.x(a) for a in args))
            case ir.RouteX(route=route, args=args, target=target):
                name = self.route_name(route)
                if target is None and name in self.remembered:
                    return self.remembered_call(name, args)
                given = [self.x(a) for a in args]
                if target is not None:
                    return call(f"{name}_steps", STATE, *given, self.x(target))
                return call(name, STATE, *given)
            case ir.TableX(table=table, args=args, shift=shift):
                given = [self.x(a) for a in args]
                extra = [self.x(shift)] if shift is not None else []
                return call(self.table_name(table), STATE, *given, *extra)
            case ir.BuiltinX():
                return self.builtin(x)
            case ir.SetX(items=items):
                return self.set_of(items)
            case ir.ListX(items=items):
                return c.Tuple(tuple(self.x(i) for i in items))
            case ir.RangeX(low=low, high=high):
                return Const(sum(1 << i for i in range(low, high + 1)))
            case ir.TemplateX():
                return self.text(x)
        raise AssertionError(x)

    def remembered_call(self, name: str, args: Sequence[ir.X]) -> Code:
        """A rule whose answers are kept while nothing it reads changes; inside a loop the table is found once."""
        table = call(f"{name}_at", STATE)
        if self.inner and self.hoists is not None:
            if table not in self.hoists:
                self._hoisted += 1
                self.hoists[table] = f"i{self._hoisted}"
            table = Name(self.hoists[table])
        given = tuple(self.x(a) for a in args)
        return table[given[0] if len(given) == 1 else c.Tuple(given) if given else None]

    def state(self, x: ir.StateX) -> Code:
        slot = self.layout.state_slot[id(x.state)]
        if x.of is None:
            return c.Slot(slot)
        if self.layout.state_mode[id(x.state)] == "mask":
            return c.Slot(slot).has(self.x(x.of))
        return self.slot_at(slot, x.of)

    def attribute(self, attr: m.Attr, of: ir.X) -> Code:
        values = self._plain_values.get(id(attr))
        if values is None:
            values = self._plain_values[id(attr)] = tuple(plain(v) for v in attr.values)
        if isinstance(of, ir.ThingLit):
            return Const(values[of.index])
        if isinstance(of.type, PieceOf):
            table = self._piece_tables.get(id(attr))
            if table is None:
                pieces = self.layout.pieces[attr.kind.name]
                if pieces.is_sparse:
                    return self.const(values or (0,), "A")[self.code_of(of) % pieces.types]
                # A kind of pieces without any types still has one code, which no piece ever has.
                by_code = values[: pieces.types] * pieces.combos if values else (0,) * pieces.codes
                table = self._piece_tables[id(attr)] = self.const(by_code, "A")
            return table[self.code_of(of)]
        table = self._tables.get(id(attr))
        if table is None:
            table = self._tables[id(attr)] = self.const(values, "A")
        return table[self.x(of)]

    def sparse_state(self, pieces: PieceLayout, state: m.State, of: ir.X) -> Code:
        """A state of a piece of which there are so many codes that no table has them all."""
        stride, values = pieces.stride(state)
        at = self.code_of(of) // stride % len(values)
        if isinstance(values, range):
            # The lowest value has the first code.
            return at + values.start if values.start >= 0 else at - -values.start
        return self.const(tuple(values), "A")[at]

    def code_of(self, piece: ir.X) -> Code:
        """The code of a piece: its type and states."""
        if isinstance(piece, ir.Local) and piece.var.ident in self.codes:
            return self.codes[piece.var.ident][0]
        return self.x(piece) & self.low

    def listed(self, x: ir.X, any_order: bool = False) -> Code:
        """A list that is only looked at, where it stands. `any_order`: nobody cares for its order, so that a
        shuffled place need not be settled (machine/unsettled.py)."""
        match x:
            case ir.ContentsX(type=ListOf()):
                code = self.contents(x)
                return call("members", code) if any_order else self.x_once(code)
            case ir.FilterX(type=ListOf()) if any_order:
                return self.filtered(x, any_order)
        return self.x(x)

    def x_once(self, code: Code) -> Code:
        return self.invariant(code) if self.inner and self.hoists is not None else code

    def contents(self, x: ir.ContentsX) -> Code:
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is not None and isinstance(x.of.type, SetOf):
            # Piles of several places add up; sets of single things are disjoint, so adding joins them too.
            h = self.fresh("h")
            there = c.Slot(base, Name(h))
            if x.holds.ordered:
                i = self.fresh("j")
                loops = (Each((h,), c.BITS[self.x(x.of)]), Each((i,), call("members", there)))
                return call("sum", c.Listing("bare", Const(1) << Name(i), loops))
            return call("sum", c.Listing("list", there, (Each((h,), c.BITS[self.x(x.of)]),)))
        return self.place(x)

    def links(self, kind: m.Kind, sorts: tuple[str, ...]) -> Code:
        table = [0] * kind.size
        for sort in sorts:
            for i, near in enumerate(kind.links.get(sort, [])):
                for j in near:
                    table[i] |= 1 << j
        return self.const(tuple(table), "L")

    def set_of(self, items: Sequence[ir.X]) -> Code:
        fixed = 0
        parts: list[Code] = []
        for item in items:
            if isinstance(item, ir.ThingLit):
                fixed |= 1 << item.index
            elif isinstance(item, ir.Lit) and isinstance(item.value, int):
                fixed |= 1 << item.value
            else:
                parts.append(call("bit", self.x(item)) if item.type == INT else Const(1) << self.x(item))
        if fixed or not parts:
            parts.insert(0, Const(fixed))
        return reduce(or_, parts)

    # -------------------------------------------------------------- the larger forms

    def filtered(self, x: ir.FilterX, any_order: bool = False) -> Code:
        match x.type:
            case SetOf():
                mask, left = self.thing_mask(x, None, ())
                if not left:
                    return mask
                var = x.var
                mask, left = self.thing_mask(x, var, ())
                name = self.local(var)
                loop = Each(bound(name), c.BITS[mask], (c.all_of(self.each(test) for test in left),))
                return call("sum", c.Listing("list", Const(1) << name, (loop,)))
            case Pile():
                base, holder, codes, left = self.pile_parts(x, None, ())
                if left:
                    return self.slow_pile(x)
                slot = self.layout.holds_slot[id(base.holds)]
                if holder is not None:
                    h = self.fresh("h")
                    there = c.joined_masks(c.Slot(slot, Name(h)), codes)
                    return call("sum", c.Listing("list", there, (Each((h,), holder),)))
                return c.joined_masks(self.place(base), codes)
        loop_, left = self.loop(x.var, x, (), any_order=any_order)
        loop_ = self.tested(loop_, left)
        return call("tuple", c.Listing("list", self.local(x.var), loop_))

    def slow_pile(self, x: ir.FilterX) -> Code:
        """A pile whose condition must be tested piece by piece."""
        var = x.var
        loop, left = self.loop(var, x, (), "n_")
        units = Known(f"UN_{self.ident(self.kind_of(x.type))}")
        loop = self.tested(loop, left)
        code = self.code_of(ir.Local(var.type, x.span, var))
        return call("sum", c.Listing("list", Name("n_") * units[code], loop))

    def some(self, source: ir.X, negated: bool) -> Code:
        match source.type:
            case SetOf():
                mask, left = self.thing_mask(source, None, ())
                if not left:
                    return c.Compare("==" if negated else "!=", mask, Const(0))
            case Pile():
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.pile_parts(source, None, ())
                    if not left:
                        return self._some_pieces(base, holder, codes, negated)
            case ListOf():
                asked = self.listed(source, any_order=isinstance(source, ir.FilterX))
                return c.Compare("==" if negated else "!=", asked, c.Tuple(()))
        if isinstance(source, ir.FilterX):
            loop, left = self.loop(source.var, source, ())
            test = c.all_of(self.each(each) for each in left)
            found = call("any", c.Listing("list", test, loop))
            return c.Not(found) if negated else found
        return c.Compare("==" if negated else "!=", self.x(source), Const(0))

    def _some_pieces(self, base: ir.ContentsX, holder: Code | None, codes: Code | None, negated: bool) -> Code:
        """Whether any piece is in a place or in several."""
        slot = self.layout.holds_slot[id(base.holds)]
        if holder is not None:
            h = self.fresh("h")
            there = c.joined_masks(c.Slot(slot, Name(h)), codes)
            test = call("any", c.Listing("list", there, (Each((h,), holder),)))
            return c.Not(test) if negated else test
        place = self.place(base)
        cheap = _cheap(codes)
        if cheap is not None:
            found = c.All((reduce(and_, [place, *cheap]), c.joined_masks(place, codes)))
            return c.Not(found) if negated else found
        return c.Compare("==" if negated else "!=", c.joined_masks(place, codes), Const(0))

    def quantified(self, x: ir.QuantX) -> Code:
        if x.quantifier in ("some", "none"):
            if len(x.picks) == 1 and isinstance(x.picks[0][1].type, SetOf):
                var, source = x.picks[0]
                mask, left = self.thing_mask(source, var, self.parts_of(x.condition))
                if not left:
                    return c.Compare("!=" if x.quantifier == "some" else "==", mask, Const(0))
            found = self._any(x.picks, x.condition)
            return found if x.quantifier == "some" else c.Not(found)
        return c.Not(self._any(x.picks, ir.NotX(BOOL, x.span, x.condition)))

    def _any(self, picks: Sequence[tuple[ir.Var, ir.X]], condition: ir.X) -> Code:
        return call("any", c.Listing("bare", Const(True), self.loops(picks, condition, any_order=True)))

    def aggregate(self, x: ir.AggregateX) -> Code:
        pieces = isinstance(x.picks[-1][1].type, Pile)
        match x.function:
            case "matching":
                return self._matching(x, pieces)
            case "completes":
                return self._completes(x)
            case "set":
                if isinstance(x.value.type, ThingOf) or x.value.type == INT:
                    loops = self.loops(x.picks, x.condition, any_order=True)
                    member = self.each(x.value)
                    one = call("bit", member) if x.value.type == INT else Const(1) << member
                    return call("sum", c.Listing("set", one, loops))
            case "list":
                loops = self.loops(x.picks, x.condition, "n_" if pieces else None)
                value = self.each(x.value)
                return call("tuple", c.Listing("list", value, (*loops, AS_MANY) if pieces else loops))
            case "sum":
                loops = self.loops(x.picks, x.condition, "n_" if pieces else None, any_order=not pieces)
                value = self.each(x.value)
                return call("sum", c.Listing("list", Name("n_") * value if pieces else value, loops))
            case "count":
                both = x.value if x.condition is None else ir.AndX(BOOL, x.span, (x.condition, x.value))
                loops = self.loops(x.picks, both, "n_" if pieces else None, any_order=not pieces)
                return call("sum", c.Listing("list", Name("n_") if pieces else Const(1), loops))
            case "max" | "min":
                loops = self.loops(x.picks, x.condition, any_order=True)
                return call(x.function, c.Listing("list", self.each(x.value), loops), default=0)
        raise AssertionError(x.function)

    def _matching(self, x: ir.AggregateX, pieces: bool) -> Code:
        """How many dice find something that scores on them."""
        (var, source), dice = x.picks[0], x.condition
        assert dice is not None
        loop, left = self.loop(var, source, (), "n_") if pieces else self.loop(var, source, (), any_order=True)
        loop = self.tested(loop, left)
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
        hoists, self.hoists = self.hoists, None
        self.env[plan.ident] = Name(f"v{plan.ident}")
        try:
            return call("completes", *given, c.Lambda((f"v{plan.ident}",), self.each(x.value)))
        finally:
            self.hoists = hoists
            del self.env[plan.ident]

    def most(self, x: ir.MostX) -> Code:
        sign = 1 if x.direction == "most" else -1
        listed = self.refs(x.source) if not isinstance(x.type, SetOf) else None
        name = self.as_name(x.var)
        by = c.Lambda((name,), self.each(x.by))
        if listed is None:
            return call("most_set", self.x(x.source), by, sign)
        refs = call("most_list", listed, by, sign)
        if isinstance(x.type, Pile):
            units = Known(f"UN_{self.ident(self.kind_of(x.type))}")
            return call("sum", c.Listing("list", units[Name("e") & self.low], (Each(("e",), refs),)))
        return refs

    def arithmetic(self, x: ir.ArithX) -> Code:
        args = [self.x(a) for a in x.args]
        match x.operator:
            case "neg":
                return -args[0]
            case "min" | "max":
                if len(args) == 2 and all(_is_atom(a) for a in args):
                    first = c.Compare("<" if x.operator == "min" else ">", args[0], args[1])
                    return c.Cond(first, args[0], args[1])
                return call(x.operator, *args)
            case "mod":
                return args[0] % args[1]
            case "/down":
                return args[0] // args[1]
            case "/up":
                return -(-args[0] // args[1])
            case "*":
                return call("product", args[0], args[1])
        return c.Op(x.operator, args[0], args[1])

    def compare(self, x: ir.CompareX) -> Code:
        asked = self.emptiness(x)
        if isinstance(asked, ir.SomeX):
            return self.some(asked.source, asked.negated)
        a, b = self.x(x.left), self.x(x.right)
        if x.right.type == NOTHING:
            if _is_number(a):  # an attribute that is fixed: something, and Python would wonder about `0 is None`
                return Const(x.operator == "!=")
            return a.is_nothing() if x.operator == "==" else a.is_something()
        return c.Compare(x.operator, a, b)

    def contained(self, x: ir.InX) -> Code:
        element, source = x.element, self.expand(x.source)
        match source.type:
            case SetOf(ThingOf()):
                one = self.x(element)
                if isinstance(source, ir.ContentsX) and not (
                    source.of is not None and isinstance(source.of.type, SetOf)
                ):
                    there = self.slot_at(self.layout.loc_slot[self.kind_of(element.type)], element)
                    return c.Compare("!=" if x.negated else "==", there, self.slot(source))
                if isinstance(element.type, Maybe):
                    return _denied(c.All((one.is_something(), self.x(source).has(one))), x.negated)
                return _denied(self.x(source).has(one), x.negated)
            case SetOf():
                if isinstance(source, ir.RangeX):
                    return _denied(c.Between(Const(source.low), self.x(element), Const(source.high)), x.negated)
                one = self.x(element)
                return _denied(c.All((c.Compare(">=", one, Const(0)), self.x(source).has(one))), x.negated)
            case Pile(kind):
                return self._contained_piece(x, source, Known(f"FM_{self.ident(kind)}"))
        listed = self.listed(source, isinstance(source, ir.FilterX))
        return c.Compare("not in" if x.negated else "in", self.x(element), listed)

    def _contained_piece(self, x: ir.InX, source: ir.X, fields: Code) -> Code:
        one = self.x(x.element)
        if isinstance(source, ir.FilterX | ir.ContentsX):
            base, holder, codes, left = self.pile_parts(source, None, ())
            if not left:
                slot = self.layout.holds_slot[id(base.holds)]
                there = c.joined_masks(c.Slot(0, one >> self.shift), codes)
                inside = c.Compare("!=", there & fields[one & self.low], Const(0))
                if holder is not None:
                    where = c.Compare("in", (one >> self.shift) - slot, holder)
                else:
                    where = c.Compare("==", one >> self.shift, self.slot(base))
                return _denied(c.All((where, inside)), x.negated)
        return c.Compare("not in" if x.negated else "in", one, self.refs(source))

    def builtin(self, x: ir.BuiltinX) -> Code:
        first = x.args[0]
        a = self.listed(first, any_order=x.name == "count" and isinstance(first, ir.FilterX))
        match x.name:
            case "count":
                if isinstance(first.type, SetOf):
                    return c.Method(a, "bit_count")
                if isinstance(first.type, Pile):
                    return Known(f"CN_{self.ident(self.kind_of(first.type))}")[a]
                return call("len", a)
            case "sum":
                return call("sum", self.refs(first, any_order=True))
            case "max" | "min":
                return call(x.name, self.refs(first, any_order=True), default=0)
            case "abs":
                return call("abs", a)
            case "nth":
                return a[self.x(x.args[1])]
            case "default":
                if _is_number(a):
                    return a
                other = self.x(x.args[1])
                return c.Cond(a.is_something(), a, other) if _is_atom(a) else call("default", a, other)
            case "only":
                return call("only", self.refs(first))
            case "first" | "last":
                items = a if isinstance(first.type, ListOf) else self.refs(first)
                return c.Any_((items, c.Tuple((Const(None),))))[0 if x.name == "first" else -1]
            case "next" | "previous":
                size = self.game.kinds[self.kind_of(first.type)].size
                table = tuple(
                    (i + 1 if i + 1 < size else None) if x.name == "next" else (i - 1 if i else None)
                    for i in range(size)
                )
                return self.const(table, "N")[a]
            case "number":
                return a + 1
            case "label":
                return self.say(first)
            case "seats":
                size = self.game.players.size if self.game.players is not None else 1
                order = tuple(tuple((first_ + i) % size for i in range(size)) for first_ in range(size))
                return self.const(order, "Q")[a]
            case "sorted":
                return call("in_order", a)
            case "taken":
                return call("taken", self.listed(x.args[1]), a)
        raise AssertionError(x.name)


def _denied(code: Code, is_denied: bool) -> Code:
    return c.Not(code) if is_denied else code


def _is_number(code: Code) -> bool:
    return isinstance(code, Const) and code.value.__class__ is int and code.value >= 0


def _is_atom(code: Code) -> bool:
    """Whether something is so quickly worked out that it may be written twice."""
    match code:
        case Const(value=value):
            return value is None or isinstance(value, int)
        case c.Slot(at=at):
            return at is None
    return isinstance(code, Name | Known)


def _cheap(codes: Code | None) -> list[Code] | None:
    """The parts of a mask worth testing first when the rest is expensive; None if it is all alike."""
    if codes is None:
        return None
    parts = c.factors(codes)
    easy = [part for part in parts if cost(part) < 2]
    return easy if len(easy) < len(parts) else None
