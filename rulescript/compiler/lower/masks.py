"""Conditions on the members of a set -> arithmetic on whole masks, where that can be done.

`mask_of` gives the mask of the things for which a condition holds, `code_mask` that of the counters of pieces: so
`Region[control == s and capital]` becomes one `&` of two integers, as an expert would write it.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Known, Name
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.charts import FEWEST, MOST
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.scope import is_fixed
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars, walk
from rulescript.model.types import (
    BOOL,
    NOTHING,
    Maybe,
    SetOf,
    ThingOf,
    kind_of,
)

__all__ = ["Masks"]

# The number of a name of our own: the thing that a mask is made for.
OWN_NAME = -900


class Masks(Room):
    """Finds masks."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._static: dict[tuple[Code, int], list[Any]] = {}
        # What was made of those values, by their id and that of the pieces.
        self._static_masks: dict[tuple[int, int], int] = {}
        self._tables: dict[tuple[int, int], list[int]] = {}

    def is_static(self, x: ir.X, var: ir.Var) -> bool:
        """Whether a value depends on nothing but fixed facts of one element."""
        for node in walk(x):
            match node:
                case ir.Local(var=other):
                    if other is not var:
                        return False
                case ir.Lit() | ir.ThingLit() | ir.AllThings() | ir.AttrX() | ir.AndX() | ir.OrX() | ir.NotX():
                    pass
                case ir.ArithX() | ir.CompareX() | ir.SetX() | ir.RangeX() | ir.IfX() | ir.LinksX() | ir.PieceStateX():
                    pass
                case ir.InX(source=source) if isinstance(source.type, SetOf):
                    pass
                case ir.SomeX(source=source) if isinstance(source.type, SetOf):
                    pass
                case _:
                    return False
        return True

    def static_values(self, x: ir.X, var: ir.Var, count: int) -> list[Any] | None:
        """The value of a fixed expression for each element, worked out now."""
        before = self.scope.env.get(var.ident)
        self.scope.env[var.ident] = Name("_i")
        hoists, self.scope.hoists = self.scope.hoists, None
        try:
            code = self.x(x)
            found = self._static.get((code, count))
            if found is None:
                made = self.constants.worked_out(c.Lambda(("_i",), code))
                found = self._static[code, count] = [made(i) for i in range(count)]
            return found
        except Exception:
            return None
        finally:
            self.scope.hoists = hoists
            if before is None:
                self.scope.env.pop(var.ident, None)
            else:
                self.scope.env[var.ident] = before

    def mask_of(self, kind: m.Kind, var: ir.Var, x: ir.X, charted: str = "") -> Code | None:
        """A mask of all members of a kind for which a condition holds; None if it must be tested one by one. `charted`:
        whether a chart is made of what no arithmetic can say: "always", or "often", where that is likely to be quicker
        than to test some members one by one."""
        if isinstance(x, ir.CallX):
            found = self.ways.mask(kind, var, x)
            if found is not None:
                return found
        x = self.inlining.expand(x, self.ways.is_way(x.function) if isinstance(x, ir.CallX) else False)
        if var.ident not in free_vars(x):
            return None
        made = self._mask_of(kind, var, x, charted)
        return self.charts.mask(kind, var, x, charted) if made is None and charted else made

    def _mask_of(self, kind: m.Kind, var: ir.Var, x: ir.X, charted: str) -> Code | None:
        every = (1 << kind.size) - 1
        if self.is_static(x, var):
            values = self.static_values(x, var, kind.size)
            if values is not None:
                return Const(sum(1 << i for i, v in enumerate(values) if v))
        match x:
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                made: list[Code] = []
                guards: list[Code] = []
                for part in parts:
                    if var.ident not in free_vars(part):
                        guards.append(self.x(part))
                        continue
                    one = self.mask_of(kind, var, part, charted)
                    if one is None:
                        return None
                    made.append(one)
                return self.guarded_masks(made, guards, every if isinstance(x, ir.OrX) else 0)
            case ir.NotX(of=of):
                one = self.mask_of(kind, var, of, charted)
                return Const(every) & ~one if one is not None else None
            case ir.StateX(state=state, of=ir.Local(var=v)) if v is var:
                if self.layout.state_mode[id(state)] == "mask":
                    return c.Slot(self.layout.state_slot[id(state)])
            case ir.CompareX(operator=op, left=left, right=right) if op in ("==", "!="):
                one = self.equal_mask(kind, var, left, right) or self.equal_mask(kind, var, right, left)
                if one is None:
                    return None
                return one if op == "==" else Const(every) & ~one
            case ir.InX(element=ir.Local(var=v), source=source, negated=negated) if v is var:
                if isinstance(source.type, SetOf) and var.ident not in free_vars(source):
                    inside = self.x(source)
                    return Const(every) & ~inside if negated else inside
            case ir.InX(element=ir.PlaceOfX(of=ir.Local(var=v)), source=source, negated=False) if v is var:
                if isinstance(source.type, SetOf) and var.ident not in free_vars(source):
                    return self.held_by(kind, source)
        return None

    def look_up(self, x: ir.CallX) -> Code | None:
        """A question about one thing inside a loop, as a look at a mask that is the same all through the loop; None if
        there is none. So `open_to(u.place, s)` is worked out once for all places, not once for each u."""
        if not self.scope.inner or self.scope.hoists is None or x.type != BOOL or self.inlining.whole:
            return None
        if self.ways.is_way(x.function):
            return self.ways.look_up(x)
        if self.inlining.inline_body(x.function) is None:
            return None
        before = dict(self.scope.hoists)
        changing = [at for at, arg in enumerate(x.args) if not is_fixed(self.x(arg))]
        self.scope.hoists = before
        if len(changing) != 1:
            return None
        arg = x.args[changing[0]]
        if not isinstance(arg.type, ThingOf) or not FEWEST <= self.game.kinds[arg.type.kind].size <= MOST:
            return None
        var = ir.Var("each", arg.type, "element", OWN_NAME)
        one = ir.Local(arg.type, arg.span, var)
        asked = ir.CallX(x.type, x.span, x.function, (*x.args[: changing[0]], one, *x.args[changing[0] + 1 :]))
        before = dict(self.scope.hoists)
        inner, self.scope.inner = self.scope.inner, 1
        mask = self.mask_of(self.game.kinds[arg.type.kind], var, asked, "often")
        self.scope.inner = inner
        if mask is None or not is_fixed(mask):
            self.scope.hoists = before
            return None
        return self.scope.invariant(mask).has(self.x(arg))

    def guarded_masks(self, masks: list[Code], guards: list[Code], decided: int) -> Code:
        """Masks joined under conditions that are the same for every member. The conditions are asked first and decide
        alone where they can, as the text does: in ``x == nothing or t == x`` the mask of ``x`` is only made if there
        is one."""
        joined = masks[0]
        for mask in masks[1:]:
            joined = joined | mask if decided else joined & mask
        if not guards:
            return joined
        if decided:
            return c.Cond(c.any_of(guards), Const(decided), joined)
        return c.Cond(c.all_of(guards), joined, Const(0))

    def equal_mask(self, kind: m.Kind, var: ir.Var, left: ir.X, right: ir.X) -> Code | None:
        """``left == right`` where only the left depends on the element."""
        if var.ident in free_vars(right):
            return None
        match left:
            case ir.Local(var=v) if v is var:
                return Const(1) << self.x(right) if not isinstance(right.type, Maybe) else None
            case ir.StateX(state=state, of=ir.Local(var=v)) if v is var:
                if self.layout.state_mode[id(state)] == "dual" and not isinstance(right.type, Maybe):
                    return self.places.slot_at(self.layout.mask_slot[id(state)], right)
                return None
            case ir.PlaceOfX(of=ir.Local(var=v)) if v is var and isinstance(right.type, ThingOf):
                return self.held_by(kind, right)
        by = left.type.element if isinstance(left.type, Maybe) else left.type
        if self.is_static(left, var) and var.ident in free_vars(left) and isinstance(by, ThingOf):
            if isinstance(right.type, Maybe) or right.type == NOTHING:
                return None
            values = self.static_values(left, var, kind.size)
            if values is None:
                return None
            size = self.game.kinds[by.kind].size
            table = [0] * size
            for i, value in enumerate(values):
                if value is not None:
                    table[value] |= 1 << i
            if isinstance(right, ir.ThingLit):
                return Const(table[right.index])
            return self.constants.const(tuple(table), "M")[self.x(right)]
        return None

    def held_by(self, kind: m.Kind, holder: ir.X) -> Code | None:
        """The single things of a kind that lie in the places of a thing, or of several."""
        owner = self.game.kinds[kind_of(holder.type)]
        places = [holds for holds in owner.holds.values() if holds.kind is kind]
        if not places or any(holds.ordered for holds in places):
            return None
        made = [self.places.contents(ir.ContentsX(SetOf(ThingOf(kind.name)), holder.span, h, holder)) for h in places]
        return reduce(or_, made)

    def code_mask(self, kind: m.Kind, var: ir.Var, x: ir.X) -> Code | None:
        """A mask of counters: the codes of pieces for which a condition holds; None if it depends on more."""
        x = self.inlining.expand(x)
        pieces = self.layout.pieces[kind.name]
        if var.ident not in free_vars(x):
            return None
        full = Known("EVERY") if pieces.is_sparse else self.constants.big(pieces.full)
        if pieces.is_sparse and self.is_static(x, var):
            return self.constants.question("Which", self.of_code(x, var))
        if self.is_static(x, var):
            values = self.static_values(x, var, pieces.codes)
            if values is not None:
                key = (id(values), id(pieces))
                if key not in self._static_masks:
                    held = [mask for mask, v in zip(pieces.masks, values, strict=True) if v]
                    self._static_masks[key] = sum(held)
                return self.constants.big(self._static_masks[key])
        match x:
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                made: list[Code] = []
                for part in parts:
                    if var.ident not in free_vars(part):
                        made.append(c.Cond(self.x(part), full, Const(0)))
                        continue
                    one = self.code_mask(kind, var, part)
                    if one is None:
                        return None
                    made.append(one)
                return self.guarded_masks(made, [], 0 if isinstance(x, ir.AndX) else 1)
            case ir.NotX(of=of):
                one = self.code_mask(kind, var, of)
                return full & ~one if one is not None else None
            case ir.CompareX(operator=op, left=left, right=right) if op in ("==", "!="):
                one = self.equal_codes(pieces, var, left, right) or self.equal_codes(pieces, var, right, left)
                if one is None:
                    return None
                return one if op == "==" else full & ~one
            case ir.InX(element=element, source=source, negated=negated) if isinstance(source.type, SetOf):
                if var.ident in free_vars(source) or not self.is_static(element, var):
                    return None
                if pieces.is_sparse:
                    one = self.constants.question("WhichIn", self.of_code(element, var))[self.x(source)]
                    return full & ~one if negated else one
                table = self.codes_by_value(pieces, var, element)
                if table is None:
                    return None
                one = self.constants.near(self.constants.const(tuple(table), "M"))[self.x(source)]
                return full & ~one if negated else one
        return None

    def of_code(self, x: ir.X, var: ir.Var) -> Code:
        """A fixed expression about one piece, as a function of its code."""
        before, known = self.scope.env.get(var.ident), self.scope.codes.pop(var.ident, None)
        self.scope.env[var.ident] = Name("k")
        hoists, self.scope.hoists = self.scope.hoists, None
        try:
            return c.Lambda(("k",), self.x(x))
        finally:
            self.scope.hoists = hoists
            self.scope.env.pop(var.ident)
            if before is not None:
                self.scope.env[var.ident] = before
            if known is not None:
                self.scope.codes[var.ident] = known

    def codes_by_value(self, pieces: Any, var: ir.Var, x: ir.X) -> list[int] | None:
        if not isinstance(x.type, ThingOf):
            return None
        values = self.static_values(x, var, pieces.codes)
        if values is None:
            return None
        table = self._tables.get((id(values), id(pieces)))
        if table is None:
            table = self._tables[id(values), id(pieces)] = [0] * self.game.kinds[x.type.kind].size
            masks = pieces.masks
            for code, value in enumerate(values):
                if value is not None:
                    table[value] |= masks[code]
        return table

    def equal_codes(self, pieces: Any, var: ir.Var, left: ir.X, right: ir.X) -> Code | None:
        if var.ident in free_vars(right) or var.ident not in free_vars(left):
            return None
        if not self.is_static(left, var) or isinstance(right.type, Maybe):
            return None
        if pieces.is_sparse:
            return self.constants.question("WhichBy", self.of_code(left, var))[self.x(right)]
        table = self.codes_by_value(pieces, var, left)
        if table is not None:
            if isinstance(right, ir.ThingLit):
                return self.constants.big(table[right.index])
            return self.constants.const(tuple(table), "M")[self.x(right)]
        values = self.static_values(left, var, pieces.codes)
        if values is None:
            return None
        by: dict[Any, int] = {}
        for code, value in enumerate(values):
            by[value] = by.get(value, 0) | pieces.field(code)
        return c.Method(self.constants.const(_Fixed(by), "M"), "get", (self.x(right), Const(0)))


class _Fixed(dict[Any, int]):
    """A dict that never changes, so that it can stand among the constants."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items(), key=repr)))
