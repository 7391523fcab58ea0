"""A step in the plain form, all at once: with a journal, with chance that is told what to do, with somebody looking on.

What most steps need is less, and quicker: see `Position.choose`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.errors import RulescriptError
from rulescript.machine.effort import WORK
from rulescript.runtime.events import no_events
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import run_on
from rulescript.runtime.past import Step

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["again_at", "go_on", "run_in_place", "step_plainly"]


def step_plainly(position: Position, raw: Any, given: Sequence[Any] = (), is_opening: bool = False) -> None:
    """Take a raw option, or begin, in the plain form, writing the journal meanwhile. `given` are outcomes of chance
    that are settled already.

    All of it happens in a copy, which takes this position's place when it is done, in one assignment. So
    whatever goes wrong, and wherever Ctrl-C breaks it off, the position is as it was."""
    work = position._like(position._s[: position.game.size])
    work._mine = work._s
    if position.j is not None:
        work.j = no_events(work)
    if position.chance is not None:
        work.chance = position.chance.fork()
    step = None if is_opening or position.j is None else Step(position, raw)
    chance = work.chance
    if chance is not None:
        chance.begin(work, given)
    try:
        if is_opening:
            work.run(position.game.code["B"][position.game.data.start])
        else:
            go_on(work, raw)
        if chance is not None:
            chance.end(work)
    except BaseException as problem:
        if chance is None:
            raise
        work = _waiting_for(position, problem, chance, raw, is_opening)
    else:
        events, drawn = tuple(work.j or ()), chance.outcomes() if chance is not None else ()
        if is_opening:
            work._origin = evolve(work._origin, opening=events, drawn=drawn)
        elif step is not None:
            step.events, step.chance = events, drawn
            work._tip = step
        if work.j is not None:
            work.j = []
    position._become(work)


def go_on(position: Position, raw: Any) -> None:
    """Take a raw option in the position itself."""
    run_in_place(position, lambda S: position.game.code["C"][position.d](position, S, raw))


def run_in_place(position: Position, begin: Callable[[list[Any]], Any]) -> None:
    """Go on from what begins with the state, in the position itself, until somebody has to decide or the game is
    over."""
    S = position.s
    position._cached = None
    WORK.done = 0
    try:
        run_on(begin(S), position, S)
    except RulescriptError as problem:
        locate(position.game, problem)
        raise
    except Exception as problem:
        raise play_error(position.game, problem) from problem
    if S[0] == 0:
        position.d, position.o = 0, []


def _waiting_for(position: Position, problem: BaseException, chance: Any, raw: Any, is_opening: bool) -> Position:
    """Where a step broke off only because chance has to be asked first: the position before it, asking."""
    from rulescript.runtime.chance import waits

    pending = waits(problem, chance, raw, is_opening)
    if pending is None:
        chance.broke_off(position)
        raise problem
    work = position._like(position._s)
    work._pending = pending
    return work


def again_at(game: Game, state: list[Any], ask: bool) -> Position:
    """A position to play a step in once more, writing down what happens."""
    from rulescript.runtime.position import Position

    again = Position(game, state[: game.size], 0, False)
    again.j = no_events(again)
    again.ask = ask
    return again
