"""Both forms of a compiled game, the plain and the quick one, played with the same answers."""

from __future__ import annotations

from random import Random
from typing import Any

from rulescript.runtime import support
from rulescript.runtime.game import Game

MOST = 100_000


def decisions_of(
    game: Game, code: dict[str, Any], seed: int, games: int = 1, most: int = MOST, chance: int | None = None
) -> list[tuple[list[Any], list[Any]]]:
    """The state and the options at every decision of some random games; `most` decisions of each. The slots after
    those of the rules are names of loops that may be over: they are left out. `chance` is the seed of the dice."""
    first = game.data["locals"]
    rng = Random(seed)
    found = []
    for number in range(games):
        position: Any = game.start(seed=number, journal=False)
        state = list(game.data["initial"])
        if chance is not None:
            state[1] = chance
        if "begin" in code:
            code["begin"](state)
        block = code["B"][game.data["start"]]
        for _ in range(most):
            support.WORK[0] = 0
            while block is not None:
                block = block(position, state)
            if not state[0]:
                break
            found.append((state[:first], list(position.o)))
            block = code["C"][state[0]](position, state, position.o[int(rng.random() * len(position.o))])
    return found
