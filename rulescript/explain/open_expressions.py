"""Which expressions cannot look at anything hidden, whoever asks: told by the rules alone, once for each expression.

`sight.py` goes through an expression as it would be worked out. Most requirements ask only what lies open on the table,
and for these all of that can be left out. What is said here must hold for every position, so in doubt it says no.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children, expressions_of
from rulescript.model.types import ListOf, Maybe, PieceOf, SetOf, ThingOf, Type

__all__ = ["OpenExpressions", "is_private"]

_Rule = m.Function | m.Route | m.Table

# An expression that a caller made is forgotten after so many.
MOST_KNOWN = 100_000


class OpenExpressions:
    """Knows of the expressions of one game whether they are open."""

    def __init__(self, model: m.Game, slots: Mapping[int, int]) -> None:
        self.slots = slots
        hidden = {kind.name for kind in model.kinds.values() if kind.hidden is not None}
        every = model.every_place()
        self.kinds = frozenset({h.kind.name for h in every if h.visibility} | hidden)
        self.closed = frozenset(
            id(h)
            for h in every
            if h.visibility or h.kind.name in hidden or (h.owner is not None and h.owner.name in self.kinds)
        )
        self._own: dict[int, tuple[ir.X, bool, tuple[_Rule, ...]]] = {}
        self._rules: dict[int, bool] = {}

    def __call__(self, x: ir.X) -> bool:
        """Whether nothing that an expression reads, itself or by the rules it asks, can be hidden."""
        is_open, asked = self._look(x)
        return is_open and all(map(self._is_open, asked))

    def can_hide(self, type_: Type) -> bool:
        """Whether a value of some type can name what lies hidden."""
        while isinstance(type_, Maybe | SetOf | ListOf):
            type_ = type_.element
        return isinstance(type_, ThingOf | PieceOf) and type_.kind in self.kinds

    def _is_open(self, rule: _Rule) -> bool:
        """The same for a rule. Those that it asks are gone through once, so rules may ask each other in a circle, and
        what is known of one of them is never only a part."""
        known = self._rules.get(id(rule))
        if known is None:
            seen, todo, known = {id(rule)}, [rule], True
            while todo and known:
                for x in expressions_of(todo.pop()):
                    is_open, asked = self._look(x)
                    known = known and is_open
                    todo += [each for each in asked if id(each) not in seen]
                    seen.update(map(id, asked))
            self._rules[id(rule)] = known
        return known

    def _look(self, x: ir.X) -> tuple[bool, tuple[_Rule, ...]]:
        """Whether an expression reads only what is open, and the rules it asks."""
        known = self._own.get(id(x))
        if known is not None and known[0] is x:
            return known[1:]
        is_open = self._is_open_itself(x)
        asked: dict[int, _Rule] = {}
        match x:
            case ir.CallX(function=rule) | ir.RouteX(route=rule) | ir.TableX(table=rule):
                asked[id(rule)] = rule
        for inner in children(x):
            inside, more = self._look(inner)
            is_open = is_open and inside
            asked.update((id(each), each) for each in more)
        if len(self._own) > MOST_KNOWN:
            self._own.clear()
        self._own[id(x)] = (x, is_open, tuple(asked.values()))
        return is_open, tuple(asked.values())

    def _is_open_itself(self, x: ir.X) -> bool:
        match x:
            case ir.ContentsX(holds=holds):
                return id(holds) not in self.closed
            case ir.Local(var=var):
                return var.ident not in self.slots or not (self.can_hide(x.type) or is_private(var))
            case ir.StateX(of=of):
                return not self.can_hide(x.type) and (of is None or not self.can_hide(of.type))
            case ir.AttrX(of=of):
                return not isinstance(of.type, PieceOf) or not self.can_hide(of.type)
            case ir.PieceStateX(of=of) | ir.PlaceOfX(of=of):
                return not self.can_hide(of.type)
        return True


def is_private(var: ir.Var) -> bool:
    """Whether a rule's name may stand for what not everybody can work out."""
    return var.is_private or bool(var.veiled_in)
