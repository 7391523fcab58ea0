"""An invariant or a check that says nothing: it holds whatever the rules are and whatever is played."""

from __future__ import annotations

from rulescript.analysis.foregone import empty_part
from rulescript.analysis.looking import rule_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m

__all__ = ["check_empty_claims"]


def check_empty_claims(game: m.Game, reporter: Reporter) -> None:
    claims = [(invariant.conditions, invariant.cites) for invariant in game.invariants]
    claims += [(conditions, check.cites) for check, conditions in game.checks]
    for conditions, cites in claims:
        for condition in conditions:
            part = empty_part(condition)
            if part is not None:
                said = " ".join(part.span.text.split())
                hint = "say what must be so, in words of the game, or take it away"
                message = f"`{said}` holds in any case"
                reporter.warning("RS333", message, part.span, "says nothing", hint=hint, rule=rule_line(game, cites))
