"""The two forms of a game's generated code, as play uses them.

The plain form can write a journal, be asked for every choice and be told its dice. The search form (compiler/forms.py)
can do none of that and is quicker; it keeps more in the state, behind the slots that both have. At a decision both
have the same there but for names that are over, so a position changes from one to the other when it likes:
by leaving the slots behind, or by having them worked out (`enter`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulescript.errors import StepLimit
from rulescript.game_data import GameData
from rulescript.machine.effort import WORK_LIMIT, look_at_work

__all__ = ["STEP_LIMIT", "Form", "Playing", "run_on"]

STEP_LIMIT = 200_000


class Playing:
    """What generated code sees of a position while a step is played: the decision's block and options, and the work
    done where single options were taken. Nobody writes a journal, decides chance or looks on here."""

    __slots__ = ("d", "o", "w")

    d: int
    o: list[Any]
    w: int  # apart from what is counted in effort.WORK

    ask = False
    j = None
    chance = None
    watch = None


class Form:
    """Generated code, ready to be run: `take[block](p, S, raw)` takes an answer, `blocks[number](p, S)` goes on."""

    __slots__ = ("begun", "blocks", "code", "enter", "plain_size", "size", "take")

    def __init__(self, code: dict[str, Any], data: GameData) -> None:
        self.code = code
        self.blocks = code["B"]
        takers = code["C"]
        self.take: list[Any] = [takers.get(number) for number in range(max(takers, default=0) + 1)]
        self.enter: Callable[[list[Any]], None] | None = code.get("begin")
        self.begun: list[Any] = data.initial[:]
        self.plain_size = len(self.begun)
        if self.enter is not None:
            self.enter(self.begun)
        self.size = len(self.begun)

    def copied(self, state: list[Any]) -> list[Any]:
        """A copy of a state, of whichever form it is, to go on with in this form."""
        if len(state) == self.size:
            return state[:]
        out = state[: self.plain_size]
        if self.enter is not None:
            self.enter(out)
        return out


def run_on(block: Any, p: Any, S: list[Any]) -> None:
    """From block to block, until somebody has to decide or the game is over."""
    for _ in range(STEP_LIMIT):
        if block is None:
            return
        block = block(p, S)
        if p.w > WORK_LIMIT:
            look_at_work(p.w)
    raise StepLimit("the rules went on for too long without asking anybody; they may never end")
