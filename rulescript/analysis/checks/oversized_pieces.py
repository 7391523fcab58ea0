"""Pieces that are too many to be counted. No printed game comes near the limit."""

from __future__ import annotations

from rulescript.diagnostics import Reporter
from rulescript.model import game as m

__all__ = ["check_oversized_pieces"]

MOST_PIECES = 10_000


def check_oversized_pieces(game: m.Game, reporter: Reporter) -> None:
    """There are not too many pieces of any type."""
    for kind in game.kinds.values():
        if not kind.is_pieces:
            continue
        for thing in kind.things:
            if thing.count > MOST_PIECES:
                reporter.error("RS014", f"too many pieces of {thing.name}", thing.span, f"at most {MOST_PIECES}")
