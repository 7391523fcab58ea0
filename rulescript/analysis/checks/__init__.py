"""Questions about the whole game, one per file. Each looks at the checked model and reports."""

from __future__ import annotations

from rulescript.diagnostics import Reporter
from rulescript.model.game import Game

__all__ = ["check_game"]


def check_game(game: Game, reporter: Reporter) -> None:
    """Run every check."""
