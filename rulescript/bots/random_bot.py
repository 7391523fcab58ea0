"""A bot that takes any option."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.bots.seated import decision_of, drawn, weight_of

if TYPE_CHECKING:
    from rulescript.runtime.position import Option, Position

__all__ = ["RandomBot"]


class RandomBot:
    """Any option, all equally likely but asides, which are taken seldom: they could be taken for ever."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(calls.whole(seed, "a seed"))

    def choose(self, position: Position) -> Option:
        decision = decision_of(position)
        options: Sequence[Any] = decision.options
        at = drawn(self._rng, [weight_of(option) for option in options])
        found: Option = options[at]
        return found
