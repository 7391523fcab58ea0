"""Rules that hold at once whose condition holds all through the set-up: it never becomes true there.

This needs the compiled game, so it is asked after compiling and not with the other checks.
"""

from __future__ import annotations

from rulescript.analysis.checks.looking import rule_line, shown
from rulescript.diagnostics import Diagnostic, Label, Severity
from rulescript.errors import RulescriptError
from rulescript.runtime.game import Game

__all__ = ["conditions_from_the_start"]


def conditions_from_the_start(game: Game) -> list[Diagnostic]:
    """A warning for every `whenever` that holds before the set-up and still does at the first decision."""
    from rulescript.explain.evaluate import evaluator_of

    model = game.model
    plain = [(number, rule) for number, rule in enumerate(model.whenevers) if rule.var is None]
    if not plain or not game.data["start"]:
        return []
    evaluator, empty = evaluator_of(game), game.empty()
    out: list[Diagnostic] = []
    begun = None
    for number, rule in plain:
        try:
            if not evaluator.holds(rule.condition, empty.s):
                continue
            begun = begun if begun is not None else game.start(0, journal=False)
        except (RulescriptError, ArithmeticError, TypeError, LookupError):
            continue  # what goes wrong in the set-up is told by those who play it
        if begun.decision is not None and begun.s[game.data["locals"] + number]:
            label = Label(rule.condition.span, "so before the set-up, and still at the first decision")
            message = f"{shown(rule.condition.span, 'this condition')} holds from the start, so it does not become true"
            hint = (
                "a `whenever` happens when its condition becomes true; "
                "write `if` in a phase for what holds from the start"
            )
            rule_ = rule_line(model, rule.cites)
            out.append(Diagnostic("RS320", message, label, (), rule_, hint, Severity.WARNING))
    return out
