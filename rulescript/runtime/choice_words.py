"""What a decision asks, in words, and what an answer settles beyond itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript.calls import is_number
from rulescript.errors import RulescriptError
from rulescript.phrases import capital
from rulescript.runtime.options import options_of
from rulescript.runtime.plain_steps import go_on
from rulescript.runtime.position import Position

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.telling import Teller

__all__ = ["choice_called", "prompt", "rest_of"]


def choice_called(game: Game, block: int) -> str:
    """What its author calls a choice. Of several with one name in a procedure, the later ones have a number in keys
    and saves, which is nobody's business."""
    info = game.data.decisions[block]
    name: str = info.choice
    before, _, number = name.rpartition("_")
    if before and is_number(number):
        others = game.data.decisions.values()
        if any(o.choice == before and o.procedure == info.procedure for o in others):
            return before
    return name


def prompt(game: Game, block: int, state: list[Any]) -> str:
    """What is asked, in words."""
    info = game.data.decisions[block]
    name = choice_called(game, block).replace("_", " ")
    text = capital(name)
    if info.is_many and info.previous:
        chosen = state[info.previous[0][1]]
        return f"{text} ({len(chosen)} chosen)"
    if info.stage:
        teller = options_of(game, block, state, (), False).teller(0)
        before = ", ".join(_picked(game, state[slot], t, teller) for _, slot, t in info.previous)
        return f"{text}: {before}"
    return str(text)


def _picked(game: Game, value: Any, type_: Any, teller: Teller) -> str:
    """What was picked before, in words."""
    if type_[0] == "piece":
        value = value >> game.values.shift << game.values.shift | teller.code(type_[1], value)
    return game.values.label(value, type_)


def rest_of(game: Game, block: int, raw: Any, state: list[Any]) -> tuple[int, Any, list[Any]] | None:
    """The last answer that follows without being asked for, if this one leaves no choice in the rest of its
    choice: its decision, the answer, the state before it."""
    decisions = game.data.decisions
    info = decisions[block]
    at, _ = info.split(raw)
    alt = info.alts[at]
    if alt.form != "pick" or info.is_sealed or info.stage >= len(alt.vars) - 1:
        return None

    def next_stage(ask: bool) -> Position | None:
        trial = Position(game, state[: game.size], 0, False)
        trial.d, trial.ask = block, ask
        try:
            go_on(trial, raw)
        except RulescriptError:
            return None
        here = decisions[trial.d] if trial.d else info
        same = here.choice == info.choice and here.procedure == info.procedure
        return trial if same and here.stage == info.stage + 1 else None

    found = next_stage(True)
    if found is None:
        return None
    after = decisions[found.d]
    left = [r for r in found.o if after.alts[after.split(r)[0]].form != "aside"]
    # What others may not know is asked for even where it is settled: then it has words of its own.
    if len(left) != 1 or next_stage(False) is not None:
        return None
    return rest_of(game, found.d, left[0], found.s) or (found.d, left[0], found.s)
