"""Whether a position that an example gives could ever be: the game's `always` invariants must hold in it. What is
played from the game's own set-up keeps all of them.

Of a set-up that is an error. What begins with `given empty` is often a corner of the board on purpose, with the rest
left out; `rulescript check --positions` lists those, and where such an example fails it is told with the failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from rulescript.claims.problems import ClaimFails, ClaimProblem
from rulescript.diagnostics import Label
from rulescript.errors import RulescriptError
from rulescript.model import game as m
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.claims.play import Table
    from rulescript.runtime.position import Position

__all__ = ["Broken", "ImpossiblePosition", "broken_invariants", "first_line_of", "keep_invariants", "scope_ended"]


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
            [Label(first_line_of(broken.invariant.span), "must always hold")],
        )


def broken_invariants(table: Table, when: str = "always") -> Iterator[Broken]:
    """The invariants that do not hold as the position of a table was laid out: those that must always hold, or with
    `decision` also those that must where somebody is asked."""
    position, evaluator = table.position, table.evaluator
    try:
        numbers = table.game.check_invariants(position, when)
    except (RulescriptError, ArithmeticError, TypeError, LookupError):
        return  # one that cannot be worked out will say so when it is played
    for number in numbers:
        invariant = evaluator.model.invariants[number]
        told = ""
        for condition in invariant.conditions:
            if not told and not evaluator.worked_out(condition, position, condition.span):
                told = evaluator.sides(condition, position, condition.span)
        yield Broken(invariant, told)


def scope_ended(table: Table, position: Position, scope: str) -> None:
    """Called by the rules at the end of a phase or procedure whose end an invariant waits for."""
    for number, info in enumerate(table.game.data.invariants):
        if info.when == "end" and info.scope == scope:
            _must_hold(table, number, position, f" at the end of {scope}")


def keep_invariants(table: Table) -> None:
    """Where somebody is asked, and at the end of the game."""
    position = table.position
    is_over = position.s[2] is not None
    if not is_over and (not position.d or table.is_forced() and not table.is_asked_anyway()):
        return
    for number, info in enumerate(table.game.data.invariants):
        if info.when == "always" or info.when == "decision" and not is_over:
            _must_hold(table, number, position, "")


def _must_hold(table: Table, number: int, position: Position, where: str) -> None:
    if table.game.code["INV"][number](position.s):
        return
    invariant = table.evaluator.model.invariants[number]
    cites = "".join(f" §{c}" for c in invariant.cites)
    assert table.script.after is not None
    raise ClaimFails(
        f'invariant "{invariant.title}"{cites} does not hold{where}',
        table.script.after,
        "not after this",
        others=[Label(first_line_of(invariant.span), "must hold")],
    )


def first_line_of(span: Span) -> Span:
    """The first line of a declaration, or of a position."""
    return Span(span.source, span.start, min(span.end, span.source.line_end(span.line)))
