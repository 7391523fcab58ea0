"""Hypothesis strategies for games: whole plays, positions along them, and options.

    @given(positions(game, max_steps=40))
    def test_nobody_stands_in_the_river(position): ...

Hypothesis shrinks what it draws: a failing play comes back with few and early choices. Choices beyond the
first `DRAWN` are taken by a generator whose seed is drawn, since Hypothesis keeps only so much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from rulescript import calls
from rulescript.errors import RulescriptError
from rulescript.testing.run import step_of
from rulescript.testing.walk import Play, Walker

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Option, Position

__all__ = ["DRAWN", "drawing", "options", "plays", "positions", "seeds"]

DRAWN = 1200


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def seeds() -> st.SearchStrategy[int]:
    """Seeds of a game."""
    return st.integers(0, 2**32 - 1)


def players_of(game: Game) -> st.SearchStrategy[int | None]:
    counts: tuple[int, ...] = game.player_counts
    return st.sampled_from(counts) if counts else st.none()


def drawing(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Callable[[int], int]:
    """Numbers below n for a walker: drawn as long as there is room, then made from a drawn seed."""
    tail = Random(draw(seeds()))
    left = DRAWN

    def below(count: int) -> int:
        nonlocal left
        if count == 1:
            return 0
        if left <= 0:
            return int(tail.random() * count)
        left -= 1
        return int(draw(_below(count)))

    return below


def plays(
    game: Game,
    *,
    max_steps: int = 5_000,
    players: int | None = None,
    weights: Mapping[str, float] | None = None,
) -> st.SearchStrategy[tuple[Play, Position]]:
    """A play to its end (or to `max_steps`) and the position it ends in, with its journal."""
    calls.instance(game, "Game", "what is played")

    @st.composite
    def strategy(draw: Any) -> tuple[Play, Position]:
        return _played(draw, game, players, weights, max_steps)

    return strategy()


def positions(
    game: Game, max_steps: int = 60, *, players: int | None = None, weights: Mapping[str, float] | None = None
) -> st.SearchStrategy[Position]:
    """A position somewhere in the first `max_steps` decisions; it may be the last one of a game."""
    calls.instance(game, "Game", "what is played")

    @st.composite
    def strategy(draw: Any) -> Position:
        return _played(draw, game, players, weights, draw(st.integers(0, max_steps)))[1]

    return strategy()


def options(position: Position) -> st.SearchStrategy[Option]:
    """An option of the position's decision."""
    calls.instance(position, "Position", "what is decided in")
    decision = position.decision
    if decision is None:
        raise RulescriptError("the game is over; there is nothing to choose")
    found: list[Any] = list(decision.options)
    return st.sampled_from(found)


def _played(
    draw: Any, game: Game, players: int | None, weights: Mapping[str, float] | None, steps: int
) -> tuple[Play, Position]:
    count = players if players is not None else draw(players_of(game))
    play = Play(draw(seeds()), count)
    position = game.start(play.seed, players=count)
    walker = Walker(drawing(draw), weights)
    for _ in range(steps):
        decision: Any = position.decision
        if decision is None:
            break
        play.hashes.append(position.state_hash())
        index = walker.pick(position, decision)
        option: Any = decision.options[index or 0]
        play.steps.append(step_of(decision, option))
        position.choose(option)
    play.hashes.append(position.state_hash())
    play.over = position.is_over
    return play, position
