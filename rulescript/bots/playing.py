"""Random play from a state, as fast as it goes: no decision objects, no journal."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript.bots.seated import FLAGGED_WEIGHT, drawn
from rulescript.errors import RulescriptError
from rulescript.game_data import is_aside
from rulescript.machine.support import WORK
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Form, Playing, run_on

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["flagged_blocks", "play_from_start", "play_on", "raw_weight"]


def play_on(game: Game, form: Form, play: Any, state: list[Any], following: Any, rng: random.Random, depth: int) -> int:
    """Play at random from where `following` leads, changing `state`, for at most `depth` decisions.

    Returns how many were taken."""
    take = form.take
    flagged = flagged_blocks(game)
    pick = rng.random
    for decisions in range(depth):
        if following is not None:
            run_on(following, play, state)
        at = state[0]
        if at == 0:
            return decisions
        options = play.o
        if at in flagged:
            raw = options[drawn(rng, [raw_weight(raw) for raw in options])]
        else:
            raw = options[int(pick() * len(options))]
        play.w = WORK.done = 0
        following = take[at](play, state, raw)
    return depth


def play_from_start(game: Game, seed: int, depth: int) -> tuple[list[Any], int]:
    """A whole random game, as fast as it goes: its last state and how many decisions it took."""
    from rulescript.runtime.game import seeded

    form = game.quickest
    state = form.begun[:]
    state[1] = seeded(seed)
    play = Playing()
    play.w = WORK.done = 0
    try:
        decisions = play_on(game, form, play, state, form.blocks[game.data.start], random.Random(seed), depth)
    except RulescriptError as problem:
        locate(game, problem)
        raise
    except Exception as problem:
        raise play_error(game, problem) from problem
    game.count_played(decisions)
    return state[: game.size], decisions


_flagged: WeakKeyDictionary[Game, frozenset[int]] = WeakKeyDictionary()


def flagged_blocks(game: Game) -> frozenset[int]:
    """The decisions that offer asides."""
    found = _flagged.get(game)
    if found is None:
        decisions = game.data.decisions.items()
        found = frozenset(block for block, info in decisions if any(alt.is_flagged for alt in info.alts))
        _flagged[game] = found
    return found


def raw_weight(raw: Any) -> float:
    return FLAGGED_WEIGHT if is_aside(raw) else 1.0
