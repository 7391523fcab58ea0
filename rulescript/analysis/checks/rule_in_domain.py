"""Filters in a choice's list of candidates that look like rules: they read what changes in play about the
candidate.

Such a rule works, but a player who asks why a move is not allowed only hears that it is not on the list.
A warning.
"""

from __future__ import annotations

from rulescript.analysis.looking import deep, rule_line, shown
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects

__all__ = ["check_rules_in_domains"]


def check_rules_in_domains(game: m.Game, reporter: Reporter) -> None:
    """Candidates are filtered by fixed facts; what changes is a requirement."""
    effects = Effects(game)
    alts = [(choose.cites, alt) for _, choose in game.chooses for alt in choose.alts]
    alts += [(aside.cites, aside.alt) for aside in game.asides]
    for cites, alt in alts:
        for var, source in alt.picks:
            while isinstance(source, ir.FilterX):
                if reads_change(effects, source.condition, source.var):
                    what = shown(source.condition.span)
                    reporter.warning(
                        "RS315",
                        f"{what} is a rule: put it under the choice, where it can be read back",
                        source.condition.span,
                        "changes in play",
                        hint=_hint(source, var),
                        rule=rule_line(game, alt.cites or cites),
                    )
                source = source.source


def _hint(source: ir.FilterX, var: ir.Var) -> str:
    condition = source.condition.span.text.strip()
    short = "\n" not in condition and len(condition) < 40
    words = [part.span.text for part in deep(source.condition) if isinstance(part, ir.StateX | ir.PieceStateX)]
    if short and len(words) == 1 and condition.count(words[0]) == 1 and "it" not in condition.split("."):
        return f"write `require {condition.replace(words[0], f'{var.name}.{words[0]}')}` under the `choose`"
    return f"write it as `require ...` under the `choose`, about `{var.name}`"


def reads_change(effects: Effects, condition: ir.X, var: ir.Var) -> bool:
    """Whether a condition reads something of its element that changes in play."""
    for part in deep(condition):
        match part:
            case ir.StateX(of=ir.X() as of) | ir.PieceStateX(of=of) | ir.ContentsX(of=ir.X() as of) if _about(of, var):
                return True
            case ir.PlaceOfX(of=of) if _about(of, var):
                return True
            case ir.CallX(function=function, args=args) if any(_about(a, var) for a in args):
                if effects.rule_reads(function):
                    return True
            case ir.RouteX(route=route, args=args) if any(_about(a, var) for a in args):
                if effects.rule_reads(route):
                    return True
    return False


def _about(x: ir.X, var: ir.Var) -> bool:
    return any(isinstance(part, ir.Local) and part.var is var for part in deep(x))
