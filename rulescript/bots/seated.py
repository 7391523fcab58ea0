"""What every bot is: it is asked with a position and gives back one of its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulescript.errors import BadCall, BadChoice

if TYPE_CHECKING:
    import random

    from rulescript.runtime.position import Option, Position

__all__ = ["FLAGGED_WEIGHT", "Bot", "decision_of", "drawn", "weight_of"]

FLAGGED_WEIGHT = 0.1  # an aside, against 1 for an ordinary option


class Bot(Protocol):
    """Anything that can take a seat."""

    name: str

    def choose(self, position: Position) -> Option:
        """One of the options of the position's decision. The position is left as it was."""
        ...


def decision_of(position: Position) -> Any:
    """What there is to decide; BadCall or BadChoice if there is nothing."""
    if not hasattr(position, "decision"):
        raise BadCall(f"a bot chooses in a position, not in {type(position).__name__}")
    if position.decision is None:
        raise BadChoice("the game is over; there is nothing to choose")
    return position.decision


def weight_of(option: Any) -> float:
    return FLAGGED_WEIGHT if getattr(option, "flagged", False) else getattr(option, "weight", 1.0)


def drawn(rng: random.Random, weights: Sequence[float]) -> int:
    left = rng.random() * sum(weights)
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    return len(weights) - 1
