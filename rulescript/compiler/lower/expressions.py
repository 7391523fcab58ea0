"""Expressions of the model -> code.

The hard idea is in `masks`: a condition on the members of a set is turned into arithmetic on whole masks where that can
be done. What remains is tested member by member.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Known, Name, call
from rulescript.compiler.layout import Layout, PieceLayout
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import (
    INT,
    NOTHING,
    ListOf,
    PieceOf,
    Pile,
    SetOf,
    kind_of,
)

__all__ = ["Expressions"]


class Expressions(Room):
    """Makes code of expressions."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._plain_values: dict[int, tuple[Any, ...]] = {}
        self._tables: dict[int, Code] = {}
        self._piece_tables: dict[int, Code] = {}

    def x(self, x: ir.X) -> Code:
        """Code for an expression."""
        self.program.spend(x.span)
        around, self.scope.round = self.scope.round, self.work.round(x) if self.scope.is_counted else 0
        try:
            return self.scope.x_once(self._x(x))
        finally:
            self.scope.round = around

    def _x(self, x: ir.X) -> Code:  # noqa: C901 - one case for each sort of node
        match x:
            case ir.Lit(value=value):
                return Const(value)
            case ir.ThingLit(index=index):
                return Const(index)
            case ir.AllThings(kind=kind):
                return Const((1 << kind.size) - 1)
            case ir.Local(var=var):
                return self.scope.local(var)
            case ir.StateX():
                return self.state(x)
            case ir.AttrX(attr=attr, of=of):
                return self.attribute(attr, of)
            case ir.PieceStateX(state=state, of=of):
                pieces = self.layout.pieces[kind_of(of.type)]
                if pieces.is_sparse:
                    return self.sparse_state(pieces, state, of)
                return self.constants.const(pieces.values_of(state), "A")[self.places.code_of(of)]
            case ir.PlaceOfX(of=of):
                if isinstance(of.type, PieceOf):
                    if isinstance(of, ir.Local) and of.var.ident in self.scope.codes:
                        return self.scope.codes[of.var.ident][1]
                    return self.constants.owners(x.type)[self.x(of) >> self.constants.shift]
                return self.constants.owners(x.type)[self.places.slot_at(self.layout.loc_slot[kind_of(of.type)], of)]
            case ir.ContentsX(type=ListOf()):
                # As a value of its own: the order of a shuffled place is settled before it is kept.
                return call("tuple", self.places.contents(x))
            case ir.ContentsX():
                return self.places.contents(x)
            case ir.LinksX(of=of, kind=kind, sorts=sorts):
                near = self.constants.links(kind, sorts)
                return (self.constants.near(near) if isinstance(of.type, SetOf) else near)[self.x(of)]
            case ir.FilterX():
                return self.collections.filtered(x)
            case ir.SomeX(source=source, negated=negated):
                return self.collections.some(source, negated)
            case ir.QuantX():
                return self.collections.quantified(x)
            case ir.AggregateX():
                return self.collections.aggregate(x)
            case ir.MostX():
                return self.collections.most(x)
            case ir.AndX(parts=parts):
                return c.all_of(_undecided([self.x(p) for p in parts], True))
            case ir.OrX(parts=parts):
                return c.any_of(_undecided([self.x(p) for p in parts], False))
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
                return self.collections.contained(x)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                yes = self.x(then)
                return c.Cond(self.x(condition), yes, self.x(otherwise))
            case ir.CallX(function=function, args=args):
                looked_up = self.masks.look_up(x)
                if looked_up is not None:
                    return looked_up
                expanded = self.inlining.expand(x)
                if expanded is not x:
                    return self.x(expanded)
                name = self.program.function_name(function)
                if name in self.program.remembered:
                    return self.remembered_call(name, function.params, args)
                return call(name, STATE, *(self.x(a) for a in args))
            case ir.RouteX(route=route, args=args, target=target):
                name = self.program.route_name(route)
                if target is None and name in self.program.remembered:
                    return self.remembered_call(name, route.params, args)
                given = [self.x(a) for a in args]
                if target is not None:
                    return call(f"{name}_steps", STATE, *given, self.x(target))
                return call(name, STATE, *given)
            case ir.TableX(table=table, args=args, shift=shift):
                given = [self.x(a) for a in args]
                extra = [self.x(shift)] if shift is not None else []
                return call(self.program.table_name(table), STATE, *given, *extra)
            case ir.BuiltinX():
                return self.builtin(x)
            case ir.SetX(items=items):
                return self.set_of(items)
            case ir.ListX(items=items):
                return c.Tuple(tuple(self.x(i) for i in items))
            case ir.RangeX(low=low, high=high):
                return Const((1 << high + 1) - (1 << low) if low <= high else 0)
            case ir.TemplateX():
                return self.words.text(x)
        raise AssertionError(x)

    def each(self, x: ir.X) -> Code:
        """An expression that is worked out for every element of a loop."""
        self.scope.inner += 1
        try:
            return self.x(x)
        finally:
            self.scope.inner -= 1

    def remembered_call(self, name: str, params: Sequence[ir.Var], args: Sequence[ir.X]) -> Code:
        """A rule whose answers are kept while nothing it reads changes; inside a loop the table is found once."""
        table = self.scope.kept(call(f"{name}_at", STATE))
        return table[self.functions.key_of_arguments(params, [self.x(a) for a in args])]

    def state(self, x: ir.StateX) -> Code:
        slot = self.layout.state_slot[id(x.state)]
        if x.of is None:
            return c.Slot(slot)
        if self.layout.state_mode[id(x.state)] == "mask":
            return c.Slot(slot).has(self.x(x.of))
        return self.places.slot_at(slot, x.of)

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
                    return self.constants.const(values or (0,), "A")[self.places.code_of(of) % pieces.types]
                # A kind of pieces without any types still has one code, which no piece ever has.
                by_code = values[: pieces.types] * pieces.combos if values else (0,) * pieces.codes
                table = self._piece_tables[id(attr)] = self.constants.const(by_code, "A")
            return table[self.places.code_of(of)]
        table = self._tables.get(id(attr))
        if table is None:
            table = self._tables[id(attr)] = self.constants.const(values, "A")
        return table[self.x(of)]

    def sparse_state(self, pieces: PieceLayout, state: m.State, of: ir.X) -> Code:
        """A state of a piece of which there are so many codes that no table has them all."""
        stride, values = pieces.stride(state)
        at = self.places.code_of(of) // stride % len(values)
        if isinstance(values, range):
            # The lowest value has the first code.
            return at + values.start if values.start >= 0 else at - -values.start
        return self.constants.const(tuple(values), "A")[at]

    def listed(self, x: ir.X, any_order: bool = False) -> Code:
        """A list that is only looked at, where it stands. `any_order`: nobody cares for its order, so that a
        shuffled place need not be settled (machine/unsettled.py)."""
        match x:
            case ir.ContentsX(type=ListOf()):
                code = self.places.contents(x)
                return call("members", code) if any_order else self.scope.x_once(code)
            case ir.FilterX(type=ListOf()) if any_order:
                return self.collections.filtered(x, any_order)
        return self.x(x)

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
        asked = self.inlining.emptiness(x)
        if isinstance(asked, ir.SomeX):
            return self.collections.some(asked.source, asked.negated)
        a, b = self.x(x.left), self.x(x.right)
        if x.right.type == NOTHING:
            if _is_number(a):  # an attribute that is fixed: something, and Python would wonder about `0 is None`
                return Const(x.operator == "!=")
            return a.is_nothing() if x.operator == "==" else a.is_something()
        if x.operator in ("==", "!=") and isinstance(a, Const) and isinstance(b, Const):
            return Const((a.value == b.value) is (x.operator == "=="))
        return c.Compare(x.operator, self.through(a, x.left), b)

    def through(self, code: Code, x: ir.X) -> Code:
        """A list that is gone through at once: counted in play as it is long. What a place holds is never long, and
        what is written out is not either."""
        is_any = isinstance(x.type, ListOf) and not isinstance(x, ir.ContentsX | ir.ListX)
        return call("through", code) if is_any else code

    def builtin(self, x: ir.BuiltinX) -> Code:
        first = x.args[0]
        if x.name == "reasons":
            assert isinstance(first, ir.CallX)
            return call(self.program.reasons_name(first.function), STATE, *(self.x(given) for given in first.args))
        a = self.listed(first, any_order=x.name == "count" and isinstance(first, ir.FilterX))
        match x.name:
            case "count":
                if isinstance(first.type, SetOf):
                    return c.Method(a, "bit_count")
                if isinstance(first.type, Pile):
                    return Known(f"CN_{self.constants.ident(kind_of(first.type))}")[a]
                return call("len", a)
            case "sum":
                return call("sum", self.through(self.loops.refs(first, any_order=True), first))
            case "max" | "min":
                return call(x.name, self.through(self.loops.refs(first, any_order=True), first), default=0)
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
                return call("only", self.loops.refs(first))
            case "first" | "last":
                items = a if isinstance(first.type, ListOf) else self.loops.refs(first)
                return c.Any_((items, c.Tuple((Const(None),))))[0 if x.name == "first" else -1]
            case "next" | "previous":
                size = self.game.kinds[kind_of(first.type)].size
                table = tuple(
                    (i + 1 if i + 1 < size else None) if x.name == "next" else (i - 1 if i else None)
                    for i in range(size)
                )
                return self.constants.const(table, "N")[a]
            case "number":
                return a + 1
            case "label":
                return self.words.say(first)
            case "seats":
                size = self.game.players.size if self.game.players is not None else 1
                order = tuple(tuple((first_ + i) % size for i in range(size)) for first_ in range(size))
                return self.constants.const(order, "Q")[a]
            case "sorted":
                return call("in_order", a)
            case "taken":
                return call("taken", self.listed(x.args[1]), a)
        raise AssertionError(x.name)


def _undecided(parts: list[Code], holds: bool) -> list[Code]:
    """Conditions without those at the front that are fixed, and without what comes after one that settles it all."""
    while len(parts) > 1 and parts[0] == Const(holds):
        parts = parts[1:]
    for at, part in enumerate(parts):
        if part == Const(not holds):
            return parts[: at + 1]
    return parts


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
