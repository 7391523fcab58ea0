"""Whether a condition may be asked earlier than it is written, or of more things: whether it can fail.

A rule may ask `only(a.units)` after it has asked whether there is one, and `n.side` after `n != nothing`. Such a
condition is asked where it stands; one that always has an answer is asked wherever that is quickest.
"""

from __future__ import annotations

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import expressions_of, walk
from rulescript.model.types import NOTHING, Maybe, PieceOf

__all__ = ["NEVER_FAIL", "never_fails", "rests_on_others"]

# What can be worked out of anything.
NEVER_FAIL = {"+", "-", "neg", "min", "max", "count", "sum", "abs", "default", "first", "last", "next", "previous"}


def never_fails(x: ir.X, standing: frozenset[int], rules: dict[int, bool]) -> bool:
    """Whether a condition always has an answer. `standing` are names of things that are known to be in a place; `rules`
    is what was found of the rules that were asked before, each looked at once."""
    return not rests_on_others(x) and _has_an_answer(x, standing, rules)


def _has_an_answer(x: ir.X, standing: frozenset[int], rules: dict[int, bool]) -> bool:
    for node in walk(x):
        match node:
            case ir.RouteX() | ir.TemplateX() | ir.TableX():
                return False
            case ir.ArithX(operator=name) | ir.BuiltinX(name=name) if name not in NEVER_FAIL:
                return False
            case ir.PlaceOfX(of=of) if not isinstance(of.type, PieceOf):
                if not isinstance(of, ir.Local) or of.var.ident not in standing:
                    return False
            case ir.CallX(function=function):
                key = id(function)
                if key not in rules:
                    rules[key] = False  # one that asks itself is found here again
                    rules[key] = all(_has_an_answer(each, frozenset(), rules) for each in expressions_of(function))
                if not rules[key]:
                    return False
    return True


def rests_on_others(x: ir.X) -> bool:
    """Whether something that may be nothing is used as something, and the test of that stands elsewhere."""
    tested: set[tuple[int, ...]] = set()
    used: set[tuple[int, ...]] = set()
    for node in walk(x):
        match node:
            case ir.CompareX(left=left, right=right) if right.type == NOTHING:
                tested.add(_shape(left))
            case (
                ir.Local(var=ir.Var(type=Maybe()))
                | ir.AttrX(attr=m.Attr(type=Maybe()))
                | ir.StateX(state=m.State(type=Maybe()))
                | ir.CallX(function=m.Function(type=Maybe()))
                | ir.PieceStateX(state=m.State(type=Maybe()))
            ):
                if not isinstance(node.type, Maybe):
                    used.add(_shape(node))
    return not used <= tested


def _shape(x: ir.X) -> tuple[int, ...]:
    """Two expressions that are the same have the same numbers."""
    match x:
        case ir.Local(var=var):
            return (var.ident,)
        case ir.AttrX(attr=fact, of=of):
            return (id(fact), *_shape(of))
        case ir.StateX(state=state, of=None):
            return (id(state),)
        case ir.StateX(state=state, of=ir.X() as of) | ir.PieceStateX(state=state, of=of):
            return (id(state), *_shape(of))
        case ir.ThingLit(index=index):
            return (index,)
    return (id(x),)
