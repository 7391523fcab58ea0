"""Choices that can turn out empty with no way out. A warning: play then goes on as if nothing had been
asked.

A choice that stands under an `if` or a `repeat while` is taken to be guarded by it; `choose if possible` says that
nothing happens then.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.analysis.looking import rule_line
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import inner_blocks

__all__ = ["check_dead_end_choices"]


def check_dead_end_choices(game: m.Game, reporter: Reporter) -> None:
    """A choice whose candidates all have to meet requirements says what happens when none does."""
    for procedure in game.every_procedure():
        if procedure.form in ("signal", "whenever", "aside"):
            continue
        for block in (procedure.block, *(hook.block for hook in procedure.hooks if hook.condition is None)):
            for choose in _unguarded(block):
                if not choose.if_possible and all(alt.picks and not _has_one(alt) for alt in choose.alts):
                    reporter.warning(
                        "RS318",
                        "it can happen that nothing meets the requirements, and there is no other way out",
                        first_line(choose.span),
                        "may be empty",
                        hint='add `or pass "..."`, write `may choose`, or `choose if possible` if nothing happens then',
                        rule=rule_line(game, choose.cites),
                    )


def _has_one(alt: ir.Alt) -> bool:
    """Whether there is always something to pick: nothing is required, or of numbers only that they are not above what
    can never be below the lowest of them, as a bid is not above what one has."""
    if not alt.clauses:
        return True
    var, domain = alt.picks[0]
    if len(alt.picks) > 1 or alt.many is not None or not isinstance(domain, ir.RangeX):
        return False
    return all(_allows(clause.condition, var, domain.low) for clause in alt.clauses)


def _allows(condition: ir.X, var: ir.Var, lowest: int) -> bool:
    match condition:
        case ir.CompareX(operator="<=", left=ir.Local(var=picked), right=ir.StateX(state=state)):
            pass
        case ir.CompareX(operator=">=", left=ir.StateX(state=state), right=ir.Local(var=picked)):
            pass
        case _:
            return False
    return picked is var and state.bounds is not None and state.bounds[0] >= lowest


def _unguarded(block: ir.Block) -> Iterator[ir.ChooseS]:
    for statement in block:
        if isinstance(statement, ir.ChooseS):
            yield statement
        is_guarded = isinstance(statement, ir.RepeatS) and statement.condition is not None and statement.mode != "times"
        if not is_guarded and not isinstance(statement, ir.IfS):
            for inner in inner_blocks(statement):
                yield from _unguarded(inner)
