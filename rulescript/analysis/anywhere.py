"""Where a thing may lie, as far as the text alone says it: wherever there are any of its kind, or where nothing lies
face down; and what all can see of what does."""

from __future__ import annotations

from rulescript.analysis.looking import deep, same
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import conjuncts

__all__ = ["is_from_anywhere", "is_open", "never_in"]


def is_from_anywhere(x: ir.X) -> bool:
    """Whether a thing, or one of several, may be any of its kind, wherever it lies: called by its name, or picked out
    of all there are."""
    match x:
        case ir.ThingLit() | ir.AllThings():
            return True
        case ir.Local(var=var):
            return var.is_anywhere
        case ir.FilterX(source=source, var=var, condition=condition):
            it = same(ir.Local(var.type, x.span, var))
            lies = any(
                isinstance(part, ir.InX) and not part.negated and isinstance(part.source, ir.ContentsX)
                and same(part.element) == it
                for part in conjuncts(condition)
            )  # fmt: skip
            return not lies and is_from_anywhere(source)
        case ir.MostX(source=source):
            return is_from_anywhere(source)
        case ir.SetOpX(operator="&", left=left, right=right):
            return is_from_anywhere(left) and is_from_anywhere(right)
        case ir.SetOpX(operator="-", left=left):
            return is_from_anywhere(left)
        case ir.SetOpX(left=left, right=right):
            return is_from_anywhere(left) or is_from_anywhere(right)
        case ir.SetX(items=items) | ir.ListX(items=items) | ir.BuiltinX(args=items):
            return any(map(is_from_anywhere, items))
        case ir.IfX(then=then, otherwise=otherwise):
            return is_from_anywhere(then) or is_from_anywhere(otherwise)
        case ir.AggregateX(picks=[(var, source)], value=ir.Local(var=told)) if var is told:
            return is_from_anywhere(source)
    return False


def never_in(holds: m.Holds, condition: ir.X) -> bool:
    """Whether nothing in a place meets a condition, since the states it asks for last elsewhere only."""
    match condition:
        case ir.PieceStateX(state=state) | ir.StateX(state=state):
            return state.ends_in(holds) and state.initial is False
        case ir.AndX(parts=parts):
            return any(never_in(holds, part) for part in parts)
        case ir.OrX(parts=parts):
            return all(never_in(holds, part) for part in parts)
    return False


def is_open(x: ir.AttrX | ir.PieceStateX | ir.StateX, kind: m.Kind) -> bool:
    """Whether a fact of a thing that lies face down is seen by all: that it does, whose it is, what its back shows."""
    assert kind.hidden is not None
    _, condition, known = kind.hidden
    own = [condition, *kind.shown] if known is None else [condition, known, *kind.shown]
    facts = [part for part in deep(own) if isinstance(part, ir.AttrX | ir.PieceStateX | ir.StateX)]
    name = x.attr if isinstance(x, ir.AttrX) else x.state
    return any((part.attr if isinstance(part, ir.AttrX) else part.state) is name for part in facts)
