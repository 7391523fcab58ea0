"""How a position came about: its beginning, and the steps since.

Mostly nobody wrote down what happened in a step when it was played. It is played once more when somebody asks: the same
state and the same answer lead the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Origin", "Step"]


@frozen
class Origin:
    """How a game began. `opening` are the events before the first decision, or the state from which they come when it
    is played once more; `drawn` is what chance settled there."""

    players: int
    seed: int | None = None
    opening: tuple[Any, ...] | list[Any] = ()
    drawn: tuple[Any, ...] = ()


class Step:
    """What was decided before: the state before it, the answer, and what followed. `events` are worked out when they
    are asked for, unless chance or somebody who looks on had a part in it."""

    __slots__ = ("_events", "ask", "block", "chance", "game", "length", "options", "parent", "raw", "state")

    def __init__(self, position: Position, raw: Any) -> None:
        self.game = position.game
        self.parent = parent = position._tip
        self.state = position._s
        self.block = position.d
        self.options = position.o
        self.raw = raw
        self.ask = position.ask
        self.chance: tuple[Any, ...] = ()
        self.length: int = parent.length + 1 if parent is not None else 1
        self._events: tuple[Any, ...] | None = None

    @property
    def events(self) -> tuple[Any, ...]:
        if self._events is None:
            from rulescript.runtime.plain_steps import again_at, go_on

            again = again_at(self.game, self.state, self.ask)
            again.d = self.block
            go_on(again, self.raw)
            self._events, again.j = tuple(again.j or ()), None
        return self._events

    @events.setter
    def events(self, events: tuple[Any, ...]) -> None:
        self._events = events

    @property
    def key(self) -> str:
        return self.game.option(self.block, self.raw, self.state).key

    @property
    def choice(self) -> str:
        return self.game.asked(self.block).name

    @property
    def player(self) -> int:
        return int(self.game.asked(self.block).who(None, self.state))
