"""What a condition is looked at with, and which of its parts say why it came out as it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from attrs import field, frozen

from rulescript.model import ir

__all__ = ["EXAMPLES", "Env", "Saw", "is_itself", "source_text", "telling_parts"]

# Of so many things it is told why each does not fit.
EXAMPLES = 3


@frozen
class Env:
    """Values for names, with the names themselves, so that they can be put into words; and what was written for
    a name that a rule gave to something (an argument, a `let`), so that it can be looked behind."""

    values: dict[int, Any]
    vars: dict[int, ir.Var]
    origins: dict[int, tuple[ir.X, Env]] = field(factory=dict, eq=False, repr=False)

    @classmethod
    def of(cls, pairs: Sequence[tuple[ir.Var, Any]] = ()) -> Env:
        return cls({v.ident: value for v, value in pairs}, {v.ident: v for v, _ in pairs})

    def also(self, *pairs: tuple[ir.Var, Any]) -> Env:
        more = Env.of(pairs)
        return Env({**self.values, **more.values}, {**self.vars, **more.vars}, self.origins)

    def written(self, var: ir.Var, x: ir.X, env: Env) -> Env:
        """The same, with what was written for a name."""
        return Env(self.values, self.vars, {**self.origins, var.ident: (x, env)})

    def meant(self, x: ir.X) -> tuple[ir.X, Env]:
        """What stands behind a name, as far as it is known."""
        env = self
        while isinstance(x, ir.Local) and x.var.ident in env.origins:
            x, env = env.origins[x.var.ident]
        return x, env


class Saw(TypedDict, total=False):
    """What a requirement looked at, as a `FailedClause` has it."""

    values: tuple[tuple[str, str], ...]
    spoken: tuple[str, ...]


def source_text(x: ir.X) -> str:
    """An expression as it is written, on one line."""
    return " ".join(x.span.text.split())


def is_itself(x: ir.AggregateX) -> bool:
    """``set(a for a in S if C)``: what is gathered is what is gone through."""
    return len(x.picks) == 1 and isinstance(x.value, ir.Local) and x.value.var is x.picks[0][0]


def telling_parts(x: ir.X) -> dict[str, ir.X]:
    """The parts of a condition that say something, by how they are written."""
    out: dict[str, ir.X] = {}
    for part in _telling(x):
        if isinstance(part, ir.Lit | ir.ThingLit | ir.AllThings | ir.SetX | ir.RangeX | ir.ListX):
            continue
        if isinstance(part, ir.Local) and part.var.role in ("pick", "element"):
            continue
        out.setdefault(source_text(part), part)
    return out


def _telling(x: ir.X) -> Iterator[ir.X]:
    """The parts of a condition whose values tell why it came out as it did."""
    match x:
        case ir.NotX(of=of):
            yield from _telling(of)
        case ir.AndX(parts=parts) | ir.OrX(parts=parts):
            for part in parts:
                yield from _telling(part)
        case ir.CompareX(left=left, right=right):
            for side in (left, right):
                yield side
                if isinstance(side, ir.ArithX):
                    yield from side.args
        case ir.InX(element=element, source=source):
            yield element
            if not isinstance(source, ir.RouteX):
                yield source
        case ir.SomeX(source=source):
            yield source
        case ir.CallX(args=args):
            yield from args
        case ir.QuantX():
            pass
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            yield from _telling(condition)
            yield from _telling(then)
            yield from _telling(otherwise)
        case _:
            yield x
