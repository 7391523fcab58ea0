"""Rules that hold at once whose condition holds all through the set-up: it never becomes true there.

This needs the compiled game, so it is asked after compiling and not with the other checks.
"""

from __future__ import annotations

from contextlib import suppress

from rulescript.analysis.looking import rule_line, shown
from rulescript.diagnostics import Diagnostic, Label, Severity
from rulescript.errors import RulescriptError
from rulescript.model.game import Whenever
from rulescript.runtime.game import Game

__all__ = ["conditions_from_the_start", "hold_before_the_set_up"]


def hold_before_the_set_up(game: Game) -> list[tuple[int, Whenever]]:
    """The rules that hold at once whose condition holds when nothing has happened, with their numbers.

    The game need not be one that can be played."""
    from rulescript.explain.evaluate import evaluator_of

    plain = [(number, rule) for number, rule in enumerate(game.model.whenevers) if rule.var is None]
    evaluator, empty = evaluator_of(game), game.empty()
    out: list[tuple[int, Whenever]] = []
    for number, rule in plain:
        with suppress(RulescriptError, ArithmeticError, TypeError, LookupError):
            if evaluator.holds(rule.condition, empty.s):
                out.append((number, rule))
    return out


def conditions_from_the_start(game: Game) -> list[Diagnostic]:
    """A warning for every `whenever` that holds before the set-up and still does at the first decision."""
    model = game.model
    rules = hold_before_the_set_up(game) if game.data.start else []
    if not rules:
        return []
    try:
        begun = game.start(0, journal=False)
    except (RulescriptError, ArithmeticError, TypeError, LookupError):
        return []  # what goes wrong in the set-up is told by those who play it
    out: list[Diagnostic] = []
    for number, rule in rules:
        if begun.decision is not None and begun.s[game.data.locals_start + number]:
            label = Label(rule.condition.span, "so before the set-up, and still at the first decision")
            message = f"{shown(rule.condition.span, 'this condition')} holds from the start, so it does not become true"
            hint = (
                "a `whenever` happens when its condition becomes true; "
                "write `if` in a phase for what holds from the start"
            )
            rule_ = rule_line(model, rule.cites)
            out.append(Diagnostic("RS320", message, label, (), rule_, hint, Severity.WARNING))
    return out
