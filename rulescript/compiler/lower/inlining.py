"""Rules of one line written out where they are asked for, so that masks can be made of them."""

from __future__ import annotations

from rulescript.circles import circles
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.cost import SMALL
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import expressions_of, functions_in, walk
from rulescript.model.types import (
    BOOL,
    Pile,
    SetOf,
)

__all__ = ["Inlining"]

# Comparisons of a count that only ask whether it is none.
_EMPTINESS = {(">=", 1): False, (">", 0): False, ("!=", 0): False, ("==", 0): True, ("<", 1): True, ("<=", 0): True}
# A rule is written out where it is asked for only as long as all of it is no more than so many expressions, and no
# more than so many rules lie one inside the other: rules that ask each other twice would grow without end.
MOST_INSIDE = 600
DEEPEST_INSIDE = 20


class Inlining(Room):
    """Writes rules out in place."""

    def __init__(self, game: m.Game, layout: Layout, whole: frozenset[str]) -> None:
        super().__init__(game, layout)
        # Rules that are always called, never written out: an example may put another in their place.
        self.whole = whole
        self._in_circles: dict[int, bool] = {}
        self._rooms: dict[int, tuple[int, int]] = {}
        self._functions: list[m.Function] = []  # so that no other can come to have an id of one of them

    def expand(self, x: ir.X, costly: bool = False) -> ir.X:
        """A call of a one-line rule becomes its line, so that masks can be made of it. `costly`: also of a predicate
        that is much work, whose requirements then stand for themselves."""
        while isinstance(x, ir.CallX):
            body = self.inline_body(x.function, costly)
            if body is None or not all(_is_simple(a) for a in x.args):
                return x
            x = substitute(body, {p.ident: a for p, a in zip(x.function.params, x.args, strict=True)})
        return self.emptiness(x)

    def emptiness(self, x: ir.X) -> ir.X:
        """A comparison of a count that only asks whether there is any at all: that needs no counting."""
        match x:
            case ir.CompareX(operator=op, left=ir.BuiltinX(name="count", args=(counted,)), right=right):
                limit = self.expand(right)
                if (
                    isinstance(limit, ir.Lit)
                    and isinstance(limit.value, int)
                    and isinstance(counted.type, SetOf | Pile)
                ):
                    if (op, limit.value) in _EMPTINESS:
                        return ir.SomeX(BOOL, x.span, counted, _EMPTINESS[op, limit.value])
        return x

    def inline_body(self, function: m.Function, costly: bool = False) -> ir.X | None:
        if function.name in self.whole or function.adjustments or self.is_recursive(function):
            return None
        if self.work.function(function) > SMALL and not (costly and function.form == "predicate"):
            return None  # it counts its work itself
        size, depth = self._room_of(function)
        if size > MOST_INSIDE or depth > DEEPEST_INSIDE:
            return None
        if function.form == "predicate":
            parts = tuple(c.in_effect for c in function.clauses)
            if len(parts) == 1:
                return parts[0]
            return ir.AndX(BOOL, function.span, parts) if parts else ir.Lit(BOOL, function.span, True)
        block = [s for s in function.block if not isinstance(s, ir.DocS)]
        if len(block) == 1 and isinstance(block[0], ir.ReturnS) and block[0].value is not None:
            return block[0].value
        return None

    def is_recursive(self, function: m.Function) -> bool:
        """Whether a rule may come back to itself."""
        if id(function) not in self._in_circles:
            for circle in circles([function], functions_in):
                for each in circle.members:
                    self._in_circles.setdefault(id(each), circle.is_closed)
                    self._functions.append(each)
        return self._in_circles[id(function)]

    def _room_of(self, function: m.Function) -> tuple[int, int]:
        """How many expressions a rule is, and how deep they lie, with all that would be written out in it."""
        if id(function) not in self._rooms:
            for circle in circles([function], functions_in):
                for each in circle.members:
                    if id(each) not in self._rooms:
                        self._rooms[id(each)] = (MOST_INSIDE + 1, 0) if circle.is_closed else self._room(each)
                        self._functions.append(each)
        return self._rooms[id(function)]

    def _room(self, function: m.Function) -> tuple[int, int]:
        size = depth = 0
        for x in expressions_of(function):
            for node in walk(x):
                size += 1
                if isinstance(node, ir.CallX):
                    inner, deep = self._rooms.get(id(node.function), (0, 0))
                    if inner <= MOST_INSIDE and deep < DEEPEST_INSIDE:
                        size, depth = size + inner, max(depth, deep + 1)
        return min(size, MOST_INSIDE + 1), depth

    def parts_of(self, condition: ir.X | None, costly: bool = False) -> list[ir.X]:
        """A condition as a list that must all hold."""
        if condition is None:
            return []
        if isinstance(condition, ir.CallX) and self.ways.is_way(condition.function):
            return [condition]
        condition = self.expand(condition, costly)
        if isinstance(condition, ir.AndX):
            return [p for part in condition.parts for p in self.parts_of(part, costly)]
        return [condition]


def _is_simple(x: ir.X) -> bool:
    """Whether an argument may be written more than once."""
    match x:
        case ir.Local() | ir.Lit() | ir.ThingLit() | ir.AllThings():
            return True
        case ir.StateX(of=None):
            return True
        case ir.AttrX(of=of) | ir.PlaceOfX(of=of):
            return _is_simple(of)
    return False
