"""Whether a condition is so whatever is played: ``yes``, ``1 == 1``, ``count(Mill.units) >= 0``, ``x == x or ...``.

In comes a condition; out goes True if it always holds, False if it never does, None if that depends on anything. What
stands in the text of the game and could stand there otherwise (an attribute, a table, what a function gives) is not
looked into: a claim can be about it.
"""

from __future__ import annotations

from collections.abc import Collection

from rulescript.analysis.looking import same
from rulescript.model import ir
from rulescript.model.traverse import conjuncts, walk
from rulescript.model.types import ThingOf

__all__ = ["asks_only", "empty_part", "foregone"]

_Bounds = tuple[float, float]
_ANY: _Bounds = (float("-inf"), float("inf"))
# What is worked out from the position, or stands in the text of the game.
_READS = (
    ir.StateX, ir.PieceStateX, ir.ContentsX, ir.PlaceOfX, ir.RouteX, ir.AttrX, ir.LinksX, ir.AllThings,
)  # fmt: skip


def empty_part(condition: ir.X) -> ir.X | None:
    """The first part of a condition, as an `and` has them, that holds in any case; None if each says something."""
    return next((part for part in conjuncts(condition) if foregone(part)), None)


def asks_only(condition: ir.X, rules: Collection[str]) -> bool:
    """Whether a condition looks at nothing, and asks no other rules."""
    for x in walk(condition):
        rule = x.function if isinstance(x, ir.CallX) else x.table if isinstance(x, ir.TableX) else None
        if isinstance(x, _READS) or (rule is not None and rule.name.partition("@")[0] not in rules):
            return False
    return True


def foregone(x: ir.X) -> bool | None:
    """Whether a condition holds whatever is played."""
    match x:
        case ir.Lit(value=bool(value)):
            return value
        case ir.NotX(of=of):
            found = foregone(of)
            return None if found is None else not found
        case ir.AndX(parts=parts):
            return _joined([foregone(part) for part in parts], False)
        case ir.OrX(parts=parts):
            found = _joined([foregone(part) for part in parts], True)
            return True if found is None and _are_opposite(parts) else found
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            asked = foregone(condition)
            if asked is not None:
                return foregone(then if asked else otherwise)
            return foregone(then) if foregone(then) == foregone(otherwise) else None
        case ir.CompareX():
            return _compared(x)
        case ir.InX(element=element, source=ir.AllThings(), negated=negated) if isinstance(element.type, ThingOf):
            return not negated
        case ir.InX(element=element, source=ir.SetX(items=items), negated=negated):
            return not negated if same(element) in [same(item) for item in items] else None
        case ir.SomeX(source=ir.AllThings(kind=kind), negated=negated) if kind.things:
            return not negated
        case ir.QuantX(quantifier="every", condition=condition) if foregone(condition):
            return True
        case ir.QuantX(quantifier="none", condition=condition) if foregone(condition) is False:
            return True
    return None


def _joined(found: list[bool | None], decides: bool) -> bool | None:
    """What several conditions come to, of which one that is so decides."""
    if decides in found:
        return decides
    return None if None in found else not decides


def _are_opposite(parts: tuple[ir.X, ...]) -> bool:
    """Whether one of several conditions holds where another does not."""
    said = {same(part) for part in parts}
    return any(same(opposite) in said for part in parts if (opposite := _opposite(part)) is not None)


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _opposite(x: ir.X) -> ir.X | None:
    match x:
        case ir.NotX(of=of):
            return of
        case ir.CompareX(operator=sign):
            return ir.altered(x, {"operator": _OPPOSITE[sign]})
        case ir.SomeX(negated=negated) | ir.InX(negated=negated):
            return ir.altered(x, {"negated": not negated})
    return ir.NotX(x.type, x.span, x)


def _compared(x: ir.CompareX) -> bool | None:
    if same(x.left) == same(x.right):
        return x.operator in ("==", "<=", ">=")
    (low, high), (least, most) = _bounds(x.left), _bounds(x.right)
    match x.operator:
        case "==" if low == high == least == most:
            return True
        case "==" if high < least or low > most:
            return False
        case "!=" if low == high == least == most:
            return False
        case "<":
            return True if high < least else False if low >= most else None
        case "<=":
            return True if high <= least else False if low > most else None
        case ">":
            return True if low > most else False if high <= least else None
        case ">=":
            return True if low >= most else False if high < least else None
        case "!=" if high < least or low > most:
            return True
    return None


def _bounds(x: ir.X) -> _Bounds:
    """The lowest and the highest number a value can be, as far as that can be seen in the expression itself."""
    match x:
        case ir.Lit(value=int(value)) if not isinstance(value, bool):
            return (value, value)
        case ir.ThingLit(index=index):
            return (index, index)
        case ir.AggregateX(function="count") | ir.BuiltinX(name="count" | "size"):
            return (0, _ANY[1])
        case ir.ArithX(operator="+", args=(left, right)):
            one, two = _bounds(left), _bounds(right)
            return (one[0] + two[0], one[1] + two[1])
    return _ANY
