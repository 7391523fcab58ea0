"""`check` declarations that do not come out: counts and totals of the printed game, asked of the start of
play.

This needs the compiled game, so it is asked after compiling and not with the other checks.
"""

from __future__ import annotations

from typing import Any

from rulescript.analysis.looking import rule_line, shown
from rulescript.diagnostics import Diagnostic, Label, Severity
from rulescript.errors import PlayError, StepLimit
from rulescript.machine.effort import WORK, WORK_LIMIT
from rulescript.model import ir
from rulescript.nodes.declarations import Check
from rulescript.runtime.failures import play_error
from rulescript.runtime.game import Game

__all__ = ["failed_checks"]

MOST_WORK = WORK_LIMIT // 4

_OPPOSITE = {
    "==": "not",
    "!=": "the same as",
    "<": "not less than",
    "<=": "more than",
    ">": "not more than",
    ">=": "less than",
}


def failed_checks(game: Game) -> list[Diagnostic]:
    """A report for every line of a `check` that does not hold before the first move.

    All of them together may do a part of the work of one choice in play: what comes after that is not tried."""
    out: list[Diagnostic] = []
    model = game.model
    left = MOST_WORK
    for at, (check, conditions) in enumerate(model.checks):
        for number, condition in enumerate(conditions):
            if left <= 0:
                return [*out, _left_out(check)]
            state = list(game.data.initial)
            before = WORK.done = WORK_LIMIT - left
            try:
                if game.code["CHK"][at][number](state):
                    continue
                found = _found(game, condition, at, number, state)
            except StepLimit as problem:
                WORK.done = WORK_LIMIT
                if left < MOST_WORK:
                    return [*out, _left_out(check)]
                found = problem.message
            except PlayError as problem:
                found = problem.message
            except Exception as problem:
                found = play_error(game, problem).message
            finally:
                left -= WORK.done - before
            label = Label(condition.span, found)
            message = f"check fails: {check.title}"
            rule = rule_line(model, check.cites)
            # A variant may well change the totals of its base: that is worth a word, and no mistake.
            hint, severity = None, Severity.ERROR
            if model.is_of_base(check.span):
                severity = Severity.WARNING
                hint = f'if that is meant to be different in this game, write `remove "{check.title}"`'
            out.append(Diagnostic("RS313", message, label, (), rule, hint, severity))
    return out


def _left_out(check: Check) -> Diagnostic:
    """What is said where the checks of a game take too long together."""
    message = f"the checks of this game take too long together: more than {MOST_WORK:,} looks at one thing"
    hint = "ask for less in those above it: a sum over all combinations of several lists is long"
    return Diagnostic("RS014", message, Label(check.span, "this one and those after it were not tried"), hint=hint)


def _found(game: Game, condition: ir.X, at: int, number: int, state: list[Any]) -> str:
    """What the two sides came to."""
    sides = game.code["SIDES"].get((at, number))
    if sides is None or not isinstance(condition, ir.CompareX):
        return f"{shown(condition.span)} does not hold"
    from rulescript.model.types import type_data

    left, right = sides(state)
    a = game.values.name(left, type_data(condition.left.type))
    b = game.values.name(right, type_data(condition.right.type))
    return f"this is {a}, {_OPPOSITE[condition.operator]} {b}"
