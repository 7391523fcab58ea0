"""Random games to their end, fast: no decision objects, no journal."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.errors import RulescriptError
from rulescript.game_data import FIRST_ASIDE
from rulescript.machine import support
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Form, Playing, run_on

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Playout", "play_out"]

# How often something that may be done at any time is done, where it is drawn.
FLAGGED_WEIGHT = 0.02


@frozen
class Playout:
    """The end of one random game."""

    winners: tuple[str, ...]
    drawn: bool
    how: str
    decisions: int
    over: bool


def play_out(game: Game, rng: random.Random, limit: int, form: Form) -> Playout:
    p = Playing()
    S = form.begun[:]
    S[1] = rng.getrandbits(64)
    decisions = 0
    support.WORK.done = 0
    try:
        run_on(form.blocks[game.data.start], p, S)
        if S[0]:
            play = _play_asides if game.has_asides else _play
            decisions = play(p, S, form.take, rng.random, limit)
    except RulescriptError as problem:
        locate(game, problem)
        raise
    except Exception as problem:
        raise play_error(game, problem) from problem
    game.count_played(decisions)
    outcome = S[2]
    if outcome is None:
        return Playout((), False, "", decisions, False)
    kind, winners, drawn, how, _ = outcome
    names = tuple(game.data.kinds[kind].names[i] for i in winners) if kind else ()
    return Playout(names, drawn, how, decisions, True)


def _play(p: Any, S: list[Any], take: list[Any], pick: Callable[[], float], limit: int) -> int:
    """Answer at random, until the game is over or there were too many decisions; how many there were."""
    work = support.WORK
    decisions = 0
    at = S[0]
    for decisions in range(1, limit + 1):  # noqa: B007
        options = p.o
        work.done = 0
        block = take[at](p, S, options[int(pick() * len(options))])
        if block is not None:
            block = block(p, S)
            if block is not None:
                run_on(block, p, S)
        at = S[0]
        if not at:
            break
    return decisions


def _play_asides(p: Any, S: list[Any], take: list[Any], pick: Callable[[], float], limit: int) -> int:
    """The same where something may be done at any time: it is rarely done."""
    decisions = 0
    for decisions in range(1, limit + 1):  # noqa: B007
        options = p.o
        option = options[int(pick() * len(options))]
        while option.__class__ is tuple and option[0] <= FIRST_ASIDE and pick() > FLAGGED_WEIGHT:
            option = options[int(pick() * len(options))]
        support.WORK.done = 0
        block = take[S[0]](p, S, option)
        if block is not None:
            run_on(block, p, S)
        if not S[0]:
            break
    return decisions
