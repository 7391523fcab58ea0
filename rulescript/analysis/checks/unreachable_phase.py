"""Phases that the sequence of play never comes to."""

from __future__ import annotations

from rulescript.analysis.looking import reached_from, rule_line, words_in
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m

__all__ = ["check_unreachable_phases"]


def check_unreachable_phases(game: m.Game, reporter: Reporter) -> None:
    """Every phase is in the sequence, or called by something that is."""
    sequence = game.procedures.get("sequence")
    if sequence is None:
        return
    reached = reached_from(game, sequence)
    left = [p for p in game.procedures.values() if p.form == "phase" and id(p) not in reached]
    elsewhere = _mentioned_elsewhere(game) if left else frozenset()
    for phase in left:
        if phase.name not in elsewhere:
            reporter.error(
                "RS304",
                f"the sequence of play never comes to phase `{phase.name}`",
                phase.span,
                "never reached",
                [Label(sequence.span, "the sequence")],
                f"put `{phase.name}` where it belongs in the sequence"
                + (f", or take it away: `remove {phase.name}`" if game.is_of_base(phase.span) else ""),
                rule_line(game, phase.cites),
            )


def _mentioned_elsewhere(game: m.Game) -> set[str]:
    """What options and scenarios that are not chosen speak of: it may be theirs to call."""
    chosen = {*game.options, game.scenario}
    out: set[str] = set()
    for name, option in (*game.all_options.items(), *game.all_scenarios.items()):
        if name not in chosen:
            out.update(words_in(option.span.text))
    for part in game.all_parts:
        if not {name.text for name in part.names} <= chosen:
            out.update(words_in(part.span.text))
    return out
