"""Whether a position that an example gives could ever be: the game's `always` invariants must hold in it.

Of a set-up that is an error. What begins with `given empty` is often a corner of the board on purpose, with the rest
left out; `rulescript check --positions` lists those.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from rulescript.claims.problems import ClaimProblem
from rulescript.diagnostics import Label
from rulescript.errors import RulescriptError
from rulescript.model import game as m
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.claims.play import Table

__all__ = ["Broken", "ImpossiblePosition", "broken_invariants"]


@frozen
class Broken:
    """An invariant that a position breaks, and what shows it."""

    invariant: m.Invariant
    told: str


class ImpossiblePosition(ClaimProblem):
    """A position that the game's own invariants rule out."""

    code = "RS332"

    def __init__(self, broken: Broken, span: Span) -> None:
        rule = f" §{broken.invariant.cites[0]}" if broken.invariant.cites else ""
        super().__init__(
            f'this position breaks the invariant "{broken.invariant.title}"{rule}',
            span,
            broken.told or "not so here",
            "mend the position; if only a part of the board is meant, begin with `given empty`",
            [Label(_head_of(broken.invariant.span), "must always hold")],
        )


def broken_invariants(table: Table) -> Iterator[Broken]:
    """The `always` invariants that do not hold as the position of a table was laid out."""
    position, evaluator = table.position, table.evaluator
    try:
        numbers = table.game.check_invariants(position, "always")
    except (RulescriptError, ArithmeticError, TypeError, LookupError):
        return  # one that cannot be worked out will say so when it is played
    for number in numbers:
        invariant = evaluator.model.invariants[number]
        told = ""
        for condition in invariant.conditions:
            if not told and not evaluator.worked_out(condition, position, condition.span):
                told = evaluator.sides(condition, position, condition.span)
        yield Broken(invariant, told)


def _head_of(span: Span) -> Span:
    """The first line of a declaration."""
    return Span(span.source, span.start, min(span.end, span.source.line_end(span.line)))
