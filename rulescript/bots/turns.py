"""Where one seat's turn ends and another's begins, in any game.

Nobody declares that. But a decision that a phase itself asks for, rather than a procedure it calls, is one of the turn
that goes on; others are asked in procedures for their losses, retreats and answers. So the turn passes when a phase
asks another seat than before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["turn_blocks"]


def turn_blocks(game: Game) -> list[bool]:
    """For each decision's block: whether a phase asks it."""
    phases = set(game.data.phases)
    decisions = game.data.decisions
    found = [False] * (max(decisions, default=0) + 1)
    asked = [block for block, info in decisions.items() if info.procedure in phases]
    for block in asked or decisions:
        found[block] = True
    return found
