"""Tests of which something is known beforehand.

Before::

    v = [a for a in BITS[S[41]] if CN_4[S[52 + a] & M12[k]] > 0]
    if (820 <= S[7] <= 823 or False) and S[9]: ...
    m = S[8] & (-1 if S[5] < 3 else -1) & ~0

After::

    v = [a for a in BITS[S[41]] if S[52 + a] & M12[k] != 0]     # a set, with `presence`
    if 820 <= S[7] <= 823 and S[9]: ...
    m = S[8]

Whether there are more than none is whether there is anything. And what is always so is not asked; unless asking counts
work or can fail."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["settled_tests"]

_BOOLEAN = (c.Compare, c.Between, c.Not)
_NONE_OF = {("==", 0): "==", ("<=", 0): "==", ("<", 1): "==", ("!=", 0): "!=", (">", 0): "!=", (">=", 1): "!="}


def settled_tests(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, _plain)))


def _plain(code: c.Code) -> c.Code:
    code = c.altered(code, _plain)
    match code:
        case c.Compare(sign=sign, left=left, right=c.Const(value=int(value))) if (sign, value) in _NONE_OF:
            counted = _counted(left)
            if counted is not None:
                return c.Compare(_NONE_OF[sign, value], counted, c.Const(0))
        case c.Not(of=c.Const(value=value)):
            return c.Const(not value)
        case c.Minus(sign="~", of=c.Const(value=int(value))):
            return c.Const(~value)
        case c.All(parts=parts):
            return _joined(parts, False)
        case c.Any_(parts=parts):
            return _joined(parts, True)
        case c.Cond(test=c.Const(value=value), then=then, other=other):
            return then if value else other
        case c.Cond(test=test, then=then, other=other) if then == other and _is_safe(test):
            return then
        case c.Op(sign="&", left=left, right=c.Const(value=-1)) if isinstance(left, c.Op | c.Slot):
            return left
    return code


def _counted(code: c.Code) -> c.Code | None:
    """The pile or set that is counted."""
    match code:
        case c.Get(of=c.Known(text=text), at=pile) if text.startswith("CN_"):
            return pile
        case c.Method(of=of, method="bit_count", args=()):
            return of
    return None


def _joined(parts: tuple[c.Code, ...], decides: bool) -> c.Code:
    """Several conditions; a fixed one decides, if it is `decides`, and is left out otherwise."""
    left: list[c.Code] = []
    for at, part in enumerate(parts):
        if isinstance(part, c.Const):
            if bool(part.value) == decides:
                left.append(part)
                break
            # The last is what comes of it all, and yes is not 1.
            if at < len(parts) - 1 or left and isinstance(left[-1], _BOOLEAN):
                continue
        left.append(part)
    make = c.any_of if decides else c.all_of
    return parts[-1] if not left else make(left)


def _is_safe(code: c.Code) -> bool:
    """Whether working something out does nothing and never fails."""
    return all(
        isinstance(each, c.Slot | c.Const | c.Compare | c.Name | c.Not) and not (isinstance(each, c.Slot) and each.at)
        for each in c.inside(code)
    )
