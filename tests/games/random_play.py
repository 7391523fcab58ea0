"""Random play for the tests of single games: on to a decision that is wanted, and what a position looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from rulescript.runtime.game import Game
from rulescript.runtime.position import Position


def decisions(position: Position, seed: int) -> Iterator[Position]:
    """Play at random; the position is handed out at every decision before it is taken."""
    rng = Random(seed)
    while position.decision is not None:
        yield position
        position.choose(rng.randrange(len(position.decision.options)))


def played_to(game: Game, wanted: Callable[[Position], bool], *, seeds: int = 40, journal: bool = True) -> Position:
    """The first position of some random games that is wanted."""
    for seed in range(seeds):
        for position in decisions(game.start(seed=seed, journal=journal), seed):
            if wanted(position):
                return position
    raise AssertionError("random play never came there")


def at(choice: str, stage: int = 0) -> Callable[[Position], bool]:
    def is_there(position: Position) -> bool:
        decision = position.decision
        return decision is not None and (decision.name, decision.stage) == (choice, stage)

    return is_there


def picture(position: Position) -> tuple[Any, ...]:
    """All that a refused choice must leave as it was."""
    decision = position.decision
    options = [option.key for option in decision.options] if decision is not None else []
    return position.state_hash(), position.steps, options, position.journal.text()
