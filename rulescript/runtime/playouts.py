"""Random play to the end, fast: no decision objects, no journal. Playouts, `simulate` and bots all play so."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import repeat, starmap
from math import floor
from operator import length_hint
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.errors import RulescriptError, StepLimit
from rulescript.game_data import FIRST_ASIDE
from rulescript.machine import effort
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Form, Playing, run_on

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Playout", "play_from_start", "play_on", "play_out", "play_outs"]

# How often something that may be done at any time is done, where it is drawn.
FLAGGED_WEIGHT = 0.02
# So many games are played again in the plain form if one of them is too much for the other.
AT_ONCE = 16


@frozen
class Playout:
    """The end of one random game."""

    winners: tuple[str, ...]
    drawn: bool
    how: str
    decisions: int
    over: bool


def play_out(game: Game, rng: random.Random, limit: int, form: Form) -> Playout:
    """A random game in a form of the code."""
    return _all_of(game, rng, 1, limit, lambda: form)[0]


def play_outs(game: Game, rng: random.Random, count: int, limit: int) -> list[Playout]:
    """Random games one after the other, in the quickest form that is at hand when each begins."""
    out: list[Playout] = []
    while len(out) < count:
        out += _all_of(game, rng, min(count - len(out), AT_ONCE), limit, lambda: game.quickest)
    return out


def _all_of(game: Game, rng: random.Random, count: int, limit: int, form: Callable[[], Form]) -> list[Playout]:
    before = rng.getstate()
    try:
        return [_playout(game, *_played(game, form(), rng.getrandbits(64), rng, limit)) for _ in range(count)]
    except StepLimit:
        if form() is game.plain:
            raise
    rng.setstate(before)  # the plain form plays alike, and counts what is done, not what could be
    return _all_of(game, rng, count, limit, lambda: game.plain)


def _playout(game: Game, state: list[Any], decisions: int) -> Playout:
    outcome = state[2]
    if outcome is None:
        return Playout((), False, "", decisions, False)
    kind, winners, drawn, how, _ = outcome
    names = tuple(game.data.kinds[kind].names[i] for i in winners) if kind else ()
    return Playout(names, drawn, how, decisions, True)


def play_from_start(game: Game, seed: int, limit: int) -> tuple[list[Any], int]:
    """A random game from its beginning: its last state, and how many decisions it took, at most `limit`."""
    from rulescript.runtime.game import seeded

    try:
        state, decisions = _played(game, game.quickest, seeded(seed), random.Random(seed), limit)
    except StepLimit:
        state, decisions = _played(game, game.plain, seeded(seed), random.Random(seed), limit)
    return state[: game.size], decisions


def _played(game: Game, form: Form, chance: int, rng: random.Random, limit: int) -> tuple[list[Any], int]:
    """A random game in a form of the code: `chance` is what its dice begin with, `rng` picks the answers. The search
    form may take for too much what the plain one does not."""
    state = form.begun[:]
    state[1] = chance
    play = Playing()
    play.w = effort.WORK.done = 0
    try:
        run_on(form.blocks[game.data.start], play, state)
        decisions = play_on(game, form, play, state, rng, limit) if state[0] else 0
    except RulescriptError as problem:
        if not isinstance(problem, StepLimit) or form is game.plain:
            locate(game, problem)
        raise
    except Exception as problem:
        raise play_error(game, problem) from problem
    game.count_played(decisions)
    return state, decisions


def play_on(game: Game, form: Form, play: Playing, state: list[Any], rng: random.Random, limit: int) -> int:
    """Answer at random from where somebody is asked, changing `state`, until the game is over or there were `limit`
    decisions; how many there were.

    Work is counted on from one decision to the next: noting that another has begun takes less time than beginning
    to count anew (see `effort.WORK`). `floor` takes half the time of `int`, which is a class and called as one. A game
    ends in a block of its own, so nobody looks whether it is over where an answer led straight to the next question."""
    pick, take, work = rng.random, form.take, effort.WORK
    limit = min(limit, sys.maxsize)
    turns = repeat((), limit)
    work.done, work.play = 0, play
    try:
        if game.has_asides:
            for drawn in starmap(pick, turns):
                options = play.o
                play.w = 0
                option = options[floor(drawn * len(options))]
                while option.__class__ is tuple and option[0] <= FIRST_ASIDE and pick() > FLAGGED_WEIGHT:
                    option = options[floor(pick() * len(options))]
                block = take[state[0]](play, state, option)
                if block is not None:
                    run_on(block, play, state)
                    if not state[0]:
                        break
        else:
            # The same where no option is weighed. Most play comes by here, so what is rare stands apart.
            for drawn in starmap(pick, turns):
                options = play.o
                play.w = 0
                block = take[state[0]](play, state, options[floor(drawn * len(options))])
                if block is not None:
                    block = block(play, state)
                    if block is not None:
                        run_on(block, play, state)
                    if not state[0]:
                        break
    finally:
        work.play = None
    return limit - length_hint(turns)
