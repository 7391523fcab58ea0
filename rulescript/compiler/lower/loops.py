"""What is gone through -> loops: things by the bits of a mask, pieces by the places they can be in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Each, Known, Name
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.scope import BEFORE, all_masks, is_fixed
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import free_vars
from rulescript.model.types import (
    INT,
    ListOf,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    kind_of,
)

__all__ = ["AS_MANY", "Loops", "bound", "cost"]

# For each of so many that are alike.
AS_MANY = Each(("_",), c.call("range", Name("n_")))


class Loops(Room):
    """Writes loops."""

    def split_source(self, source: ir.X) -> tuple[ir.X, list[tuple[ir.Var, ir.X]]]:
        """What lies under the filters, and the filters."""
        filters: list[tuple[ir.Var, ir.X]] = []
        while isinstance(source, ir.FilterX):
            filters += [(source.var, part) for part in self.inlining.parts_of(source.condition)]
            source = source.source
        return source, filters

    def thing_mask(self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]) -> tuple[Code, list[ir.X]]:
        """A mask for a set of things under conditions on its element, and the conditions left to test."""
        base, filters = self.split_source(source)
        kind = self.game.kinds.get(kind_of(source.type)) if isinstance(_element(source.type), ThingOf) else None
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        masks = [] if isinstance(base, ir.AllThings) and wanted else [self.x(base)]
        left: list[ir.X] = []
        for element, condition in wanted:
            # A few neighbours are quickly tested one by one, unless that is done again and again.
            is_wide = not isinstance(base, ir.LinksX | ir.ContentsX) or self.scope.inner > 0
            one = self.masks.mask_of(kind, element, condition, "often" if is_wide else "") if kind is not None else None
            if one is not None:
                masks.append(one)
            else:
                if var is not None and element is not var:
                    condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
                left.append(condition)
        if not masks:
            masks = [self.x(base)]
        return self.scope.joined(masks), left

    def loop(
        self,
        var: ir.Var,
        source: ir.X,
        conditions: Sequence[ir.X],
        weight: str | None = None,
        any_order: bool = False,
    ) -> tuple[tuple[Each, ...], list[ir.X]]:
        """``for v in ...`` over a source, and the conditions left to test inside it.

        With `weight`, pieces that are alike come once and that name counts them. `any_order`: what the loop comes to
        does not depend on its order."""
        self.scope.codes.pop(var.ident, None)
        name = self.scope.local(var)
        if isinstance(source.type, Pile):
            return self.pile_loop(var, name, source, conditions, weight)
        if not isinstance(name, Name):
            # The same name went through a pile before: what can be picked, and then what was.
            name = Name(self.scope.as_name(var))
        match source.type:
            case SetOf():
                mask, left = self.thing_mask(source, var, conditions)
                return (Each(bound(name), self.counted(c.BITS[mask])),), left
        base, filters = self.split_source(source)
        left = [substitute(test, {e.ident: ir.Local(e.type, test.span, var)}) for e, test in filters]
        return (Each(bound(name), self.counted(self.expressions.listed(base, any_order))),), [*left, *conditions]

    def counted(self, items: Code) -> Code:
        """What a loop goes over; counted in play where that could be much (compiler/lower/cost.py)."""
        return c.call("many", items, self.scope.round) if self.scope.round else items

    def tested(self, loops: tuple[Each, ...], conditions: Sequence[ir.X]) -> tuple[Each, ...]:
        """Loops with conditions tested in the innermost."""
        return (*loops[:-1], c.with_tests(loops[-1], [self.each(test) for test in conditions]))

    def pile_parts(
        self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]
    ) -> tuple[ir.ContentsX, Code | None, Code | None, list[ir.X]]:
        """A pile's places, its holders (None for one place), its mask of counters, and what is left."""
        base, filters = self.split_source(source)
        if not isinstance(base, ir.ContentsX):
            raise AssertionError(base)
        kind = base.holds.kind
        owner = base.holds.owner
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        codes: list[Code] = []
        holders: list[Code] = []
        tests: list[Code] = []
        left: list[ir.X] = []
        many = base.of is not None and isinstance(base.of.type, SetOf)
        place = ir.Var("place", ThingOf(owner.name) if owner else INT, "element", -1)
        h = self.scope.fresh("h")
        for element, condition in wanted:
            one = self.masks.code_mask(kind, element, condition)
            if one is not None:
                codes.append(one)
                continue
            if many and owner is not None:
                moved = _place_only(condition, element, place)
                if moved is not None:
                    mask = self.masks.mask_of(owner, place, moved)
                    if mask is not None:
                        holders.append(mask)
                    else:
                        self.scope.env[place.ident] = Name(h)
                        tests.append(self.each(moved))
                    continue
            if var is not None and element is not var:
                condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
            left.append(condition)
        holder: Code | None = None
        if many:
            assert base.of is not None
            masks = [
                *([] if isinstance(base.of, ir.AllThings) and holders else [self.x(base.of)]),
                *holders,
            ]
            holder = c.BITS[all_masks(masks)]
        codes.sort(key=cost)
        if holder is not None and codes:
            # The same for every place.
            self.scope.inner += 1
            codes = [self.scope.joined(codes)] if len(codes) > 1 else [self.scope.invariant(codes[0])]
            self.scope.inner -= 1
        if tests:
            # A place is tested only if somebody stands in it who matters.
            assert holder is not None
            inside: Code = c.Slot(self.layout.holds_slot[id(base.holds)], Name(h))
            inside = inside & codes[0] if codes else inside
            holder = c.Listing("list", Name(h), (Each((h,), holder, (c.All((inside, *tests)),)),))
        return base, holder, (all_masks(codes) if codes else None), left

    def pile_loop(
        self, var: ir.Var, name: Code, source: ir.X, conditions: Sequence[ir.X], weight: str | None
    ) -> tuple[tuple[Each, ...], list[ir.X]]:
        most = self.split_source(source)[0]
        if isinstance(most, ir.MostX):
            if weight is None:
                loop, left = self.loop(most.var, most.source, ())
                listed = c.Listing("list", self.scope.local(most.var), self.tested(loop, left))
                return (Each(bound(name), self._most(most, listed)),), list(conditions)
            # Where they are counted, alike ones come one by one, and each counts once.
            return (Each(bound(name), self.refs(most)), Each((weight,), c.Tuple((Const(1),)))), list(conditions)
        base, holder, codes, left = self.pile_parts(source, var, conditions)
        kind = self.constants.ident(base.holds.kind.name)
        slot = self.layout.holds_slot[id(base.holds)]
        code = self.scope.fresh("c")
        names = (code, weight) if weight else (code,)
        table = Known(f"IT_{kind}" if weight else f"CD_{kind}")
        if holder is not None:
            h = self.scope.fresh("h")
            self.scope.codes[var.ident] = (Name(code), Name(h))
            self.scope.env[var.ident] = (Const(slot) + Name(h)) << self.constants.shift | Name(code)
            there: Code = c.Slot(slot, Name(h))
            return (Each((h,), holder), Each(names, table[c.joined_masks(there, codes)])), left
        at = self.places.slot(base)
        self.scope.codes[var.ident] = (Name(code), self.x(base.of) if base.of is not None else Const(0))
        shifted = Const(at.value << self.constants.shift) if isinstance(at, Const) else at << self.constants.shift
        self.scope.env[var.ident] = shifted | Name(code)
        rest: list[ir.X] = []
        pile = self.places.place(base)
        pile = c.joined_masks(pile, codes)
        for condition in left:
            test = self.known_codes(kind, code, condition)
            if test is None:
                rest.append(condition)
            else:
                pile = pile & test
        return (Each(names, table[pile]),), rest

    def known_codes(self, kind: int, code: str, condition: ir.X) -> Code | None:
        """A mask of the codes for which a condition holds, remembered by the values it is tested against.

        Only for a condition that looks at a piece's code, constants and what does not change inside the loop."""
        if self.scope.hoists is None:
            return None
        before = dict(self.scope.hoists)
        test = self.each(condition)
        names = c.names_in(test)
        given = sorted(name for name in names if BEFORE.fullmatch(name))
        tables = [name for value, name in self.scope.hoists.items() if isinstance(value, c.Call)]
        reads_state = any(isinstance(part, c.Slot) for part in c.inside(test))
        if (
            reads_state or code not in names or not is_fixed(test, code)
            or not 0 < len(given) <= 2 or any(g in tables for g in given)
        ):  # fmt: skip
            self.scope.hoists = before
            return None
        # Names of this loop would make equal tables look different.
        here: dict[str, Code] = {name: Name(f"k{at}") for at, name in enumerate([*given, code])}
        params, own = tuple(f"k{at}" for at in range(len(given))), f"k{len(given)}"
        test = c.replaced(test, here)
        fields = Known(f"FM_{kind}")
        all_codes = c.call("range", c.call("len", fields))
        asked = c.call("sum", c.Listing("list", fields[Name(own)], (Each((own,), all_codes, (test,)),)))
        if self.constants.is_sparse(kind):
            asked = c.call("Which", c.Lambda((own,), test))
        worked = c.Lambda(params, asked)
        table = self.constants.known.get(worked)
        if table is None:
            table = self.constants.known[worked] = f"KN{len(self.constants.known)}"
        return Known(table)[Name(given[0]) if len(given) == 1 else c.Tuple(tuple(Name(g) for g in given))]

    def _most(self, x: ir.MostX, listed: Code) -> Code:
        """Those of some pieces that are the most, or the least."""
        self.scope.local(x.var)
        name = self.scope.as_name(x.var)
        return c.call("most_list", listed, c.Lambda((name,), self.each(x.by)), 1 if x.direction == "most" else -1)

    def refs(self, source: ir.X, any_order: bool = False) -> Code:
        """A tuple of piece references for a pile, alike ones repeated; or the members of a list or set."""
        base = self.split_source(source)[0]
        if isinstance(base, ir.MostX) and isinstance(source.type, Pile):
            return self._most(base, self.refs(base.source))
        if isinstance(source.type, SetOf):
            return c.BITS[self.x(source)]
        if isinstance(source.type, ListOf):
            return self.expressions.listed(source, any_order) if any_order else self.x(source)
        var = ir.Var("each", PieceOf(kind_of(source.type)), "element", -2)
        loop, left = self.loop(var, source, (), "n_")
        loop = self.tested(loop, left)
        return c.call("tuple", c.Listing("list", self.scope.local(var), (*loop, AS_MANY)))

    def nested(
        self,
        picks: Sequence[tuple[ir.Var, ir.X]],
        condition: ir.X | None,
        weight: str | None = None,
        any_order: bool = False,
    ) -> tuple[Each, ...]:
        """``for a in A for b in B if ...`` with every condition tested as early as it can be."""
        parts = self.inlining.parts_of(condition)
        out: list[Each] = []
        names = [var.ident for var, _ in picks]
        for at, (var, source) in enumerate(picks):
            later = set(names[at + 1 :])
            ready = [part for part in parts if not (free_vars(part) & later)]
            parts = [part for part in parts if free_vars(part) & later]
            self.scope.inner += 1 if at else 0
            loop, left = self.loop(var, source, ready, weight if at == len(picks) - 1 else None, any_order)
            self.scope.inner -= 1 if at else 0
            out += self.tested(loop, left)
        return tuple(out)


def _element(type_: Type) -> Type | None:
    return type_.element if isinstance(type_, SetOf | ListOf) else None


def cost(code: Code) -> int:
    """Roughly what a mask costs: a call more than a look-up."""
    inside = list(c.inside(code))
    calls = sum(1 for part in inside if isinstance(part, c.Call))
    return calls * 2 + any(isinstance(part, c.Slot | c.Get | c.Part | c.Listing) for part in inside)


def bound(name: Code) -> tuple[str]:
    """The name that a loop binds."""
    assert isinstance(name, Name)
    return (name.text,)


def _place_only(x: ir.X, element: ir.Var, place: ir.Var) -> ir.X | None:
    """The condition on the place alone, if a condition on a piece asks for nothing else."""
    found = False

    def visit(node: ir.X) -> ir.X | None:
        nonlocal found
        if isinstance(node, ir.PlaceOfX) and isinstance(node.of, ir.Local) and node.of.var is element:
            found = True
            return ir.Local(node.type, node.span, place)
        if isinstance(node, ir.Local) and node.var is element:
            return None
        changes: dict[str, Any] = {}
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if isinstance(value, ir.X):
                new = visit(value)
                if new is None:
                    return None
                changes[field.name] = new
            elif isinstance(value, tuple) and value and all(isinstance(v, ir.X) for v in value):
                items = [visit(v) for v in value]
                if any(i is None for i in items):
                    return None
                changes[field.name] = tuple(items)
            elif isinstance(value, tuple) and any(isinstance(v, tuple) for v in value):
                pairs: list[Any] = []
                for pair in value:
                    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], ir.X)):
                        return None if element.ident in free_vars(node) else node
                    source = visit(pair[1])
                    if source is None:
                        return None
                    pairs.append((pair[0], source))
                changes[field.name] = tuple(pairs)
        return ir.altered(node, changes) if changes else node

    made = visit(x)
    return made if found else None
