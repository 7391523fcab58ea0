"""Masks joined with fewer steps: fixed ones once, none twice.

Before::

    134217727 & ~S[37] & (134217727 & ~S[37 + A18[S[6]]])

After::

    134217727 & ~S[37] & ~S[37 + A18[S[6]]]

Keeps what is worked out; what can fail is worked out in the same order."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["join_masks"]


def join_masks(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, _joined)))
    unit.tables = {name: _joined(code) for name, code in unit.tables.items()}


def _joined(code: c.Code) -> c.Code:
    code = c.altered(code, _joined)
    if not isinstance(code, c.Op) or code.sign != "&" or not isinstance(code.right, c.Op | c.Const):
        return code
    fixed = -1
    others: list[c.Code] = []
    factors = c.factors(code)
    for factor in factors:
        if isinstance(factor, c.Const) and isinstance(factor.value, int):
            fixed &= factor.value
        elif factor not in others:
            others.append(factor)
    if len(others) + (fixed != -1) == len(factors) and not isinstance(code.right, c.Op):
        return code
    if not others:
        return c.Const(fixed)
    out = others[0] if fixed == -1 else c.Const(fixed) & others[0]
    for other in others[1:]:
        out = out & other
    return out
