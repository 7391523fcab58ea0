"""Pieces that are too many, or come in too many forms, to be counted. No printed game comes near these
limits.
"""

from __future__ import annotations

from rulescript.analysis.types import BOOL, Maybe, ThingOf
from rulescript.diagnostics import Reporter
from rulescript.model import game as m

__all__ = ["check_oversized_pieces"]

MOST_PIECES = 10_000
MOST_FORMS = 20_000
NUMBERS = 16


def check_oversized_pieces(game: m.Game, reporter: Reporter) -> None:
    """Every kind of pieces fits the counters that play keeps for it."""
    for kind in game.kinds.values():
        if not kind.is_pieces:
            continue
        forms = max(1, kind.size)
        for state in kind.states.values():
            forms *= _values_of(game, state)
        if forms > MOST_FORMS:
            message = f"pieces of {kind.name} come in {forms} forms: their types times all that their states can be"
            hint = "keep some of the states elsewhere, or declare a `kind` of single things"
            reporter.error("RS014", message, kind.span, f"at most {MOST_FORMS}", hint=hint)
        for thing in kind.things:
            if thing.count > MOST_PIECES:
                reporter.error("RS014", f"too many pieces of {thing.name}", thing.span, f"at most {MOST_PIECES}")


def _values_of(game: m.Game, state: m.State) -> int:
    type_ = state.type.element if isinstance(state.type, Maybe) else state.type
    if type_ == BOOL:
        return 2
    return game.kinds[type_.kind].size + 1 if isinstance(type_, ThingOf) else NUMBERS
