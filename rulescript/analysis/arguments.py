"""Which value of a call is for which parameter: first in their order, then by name; what is not said has its default.

A default is read where it was declared, in the names known there and the parameters before it, and worked out anew at
each call that leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulescript import nodes as n
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["Misfit", "PendingDefault", "match_arguments"]


@frozen
class Misfit:
    """Why values and parameters do not go together."""

    message: str
    span: Span
    label: str = ""
    hint: str | None = None


@frozen
class PendingDefault:
    """A default that nobody has read yet: who wrote it, and the parameters it may speak of."""

    node: n.Expr
    origin: str
    cites: tuple[str, ...]
    before: tuple[ir.Var, ...]


def match_arguments(
    args: Sequence[n.Expr], params: Sequence[ir.Var], what: str, span: Span
) -> list[n.Expr | None] | Misfit:
    """The value for each parameter, None where its default counts."""
    placed = [arg for arg in args if not isinstance(arg, n.NamedArg)]
    named = [arg for arg in args if isinstance(arg, n.NamedArg)]
    if len(placed) > len(params) or (not named and len(placed) < sum(not p.has_default for p in params)):
        surplus = args[len(params)].span if len(placed) > len(params) else span
        label = "too many" if surplus is not span else "too few"
        return Misfit(_wrong_number(len(args), params, what), surplus, label, _as_asked(params, what))
    late = next((arg for arg in args[len(placed) :] if not isinstance(arg, n.NamedArg)), None)
    if late is not None:
        return Misfit("values by name come after the others", late.span, "after a named one", "put it first")
    out: list[n.Expr | None] = [*placed, *[None] * (len(params) - len(placed))]
    names = [p.name for p in params]
    for arg in named:
        if arg.name.text not in names:
            takes = f"it takes {', '.join(names)}" if names else None
            hint = spelling_hint(arg.name.text, names) or takes
            return Misfit(f"{what} has no `{arg.name}`", arg.name.span, "unknown", hint)
        at = names.index(arg.name.text)
        if out[at] is not None:
            return Misfit(f"{what} is given `{arg.name}` twice", arg.name.span, "given again")
        out[at] = arg.value
    missing = [p.name for p, value in zip(params, out, strict=True) if value is None and not p.has_default]
    if missing:
        return Misfit(f"{what} is not told its {' and '.join(f'`{name}`' for name in missing)}", span)
    return out


def _as_asked(params: Sequence[ir.Var], what: str) -> str | None:
    """A call with as many values as are taken, of what is named in backquotes."""
    name = what.rpartition("`")[0].rpartition("`")[2]
    names = ", ".join(p.name for p in params if not p.has_default)
    return f"write `{name}({names})`, with a value for each" if names and name else None


def _wrong_number(given: int, params: Sequence[ir.Var], what: str) -> str:
    names = ", ".join(f"{p.name}, if you like" if p.has_default else p.name for p in params) or "nothing"
    least = sum(not p.has_default for p in params)
    number = f"{len(params)}" if least == len(params) else f"{least} to {len(params)}"
    return f"{what} takes {number} value{'s' if len(params) != 1 else ''} ({names}), not {given}"
