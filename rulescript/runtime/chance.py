"""Chance other than from the seed: scripted, or as decisions of the chance player.

Generated code asks `p.chance` for dice, draws and orders when there is one. A script hands out what it was given.
Explicit chance works by running a step again: when an outcome is missing, the step is interrupted, the position goes
back to where the step began, and a decision with probabilities is shown; the answer is added to the outcomes and the
step is run anew. Nothing of Python's stack has to be kept, and the same outcomes always lead to the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import Factory, frozen

from rulescript.errors import BadChoice, BadOption, PlayError

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Option, Position

__all__ = ["Before", "ChanceNode", "ChanceOption", "Explicit", "Script", "ScriptError", "chance_for"]


class ScriptError(PlayError):
    """A script of dice or draws does not fit what the rules ask for."""


@frozen
class ChanceOption:
    """One outcome of chance with its probability (as a fraction: weight of total)."""

    key: str
    raw: Any
    weight: int
    total: int
    text: str

    @property
    def probability(self) -> float:
        return self.weight / self.total


class ChanceNode:
    """A decision of the chance player."""

    player = "chance"
    player_index = -1
    seat = -1
    is_chance = True
    sealed = False
    stage = 0

    def __init__(self, game: Game, what: str, options: list[ChanceOption], site: int) -> None:
        self.name = what
        self.procedure = what
        self.phase = ""
        self.options = options
        self.cites: tuple[str, ...] = tuple(game.data["sites"][site][1]) if site >= 0 else ()
        self.prompt = {"die": "Roll a die", "piece": "Draw a piece", "thing": "Draw", "order": "Shuffle"}.get(
            what, what
        )

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"<Chance: {self.name}, {len(self.options)} outcomes>"


@frozen
class Before:
    """A position before a step: its state, what was asked, and what was answered; at the very start, nothing was."""

    state: list[Any]
    block: int = 0
    options: list[Any] = Factory(list)
    step: Any = None
    raw: Any = None


class _Missing(BaseException):
    """A step needs an outcome nobody gave yet."""

    def __init__(self, what: str, outcomes: list[tuple[Any, int]], site: int, note: Any) -> None:
        super().__init__(what)
        self.what = what
        self.outcomes = outcomes
        self.site = site
        self.note = note


class _Pending:
    """A step waiting for chance."""

    def __init__(self, missing: _Missing, step: Any, raw: Any, outcomes: list[Any]) -> None:
        self.missing = missing
        self.step = step
        self.raw = raw
        self.outcomes = outcomes

    def node(self, position: Position) -> ChanceNode:
        game = position.game
        total = sum(w for _, w in self.missing.outcomes)
        options = []
        for value, weight in self.missing.outcomes:
            name = str(value)
            if self.missing.what == "piece":
                name = game.values.piece_name(game.values.places[self.missing.note][0]["kind"], value)
            elif self.missing.what == "thing":
                name = str(game.data["kinds"][self.missing.note]["names"][value])
            options.append(ChanceOption(f"{self.missing.what} {name}", value, weight, total, name.replace("_", " ")))
        return ChanceNode(game, self.missing.what, options, self.missing.site)

    def answer(self, position: Position, answer: Option | ChanceOption | str | int) -> None:
        options = self.node(position).options
        raw: Any = None
        if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(options):
            raw = options[answer].raw
        elif isinstance(answer, ChanceOption):
            raw = answer.raw if any(o.raw == answer.raw for o in options) else None
        elif isinstance(answer, str):
            raw = next((o.raw for o in options if answer in (o.key, o.text)), None)
        if raw is None:
            raise BadChoice(f"{answer!r} is no outcome of this {self.missing.what}")
        chance = position.chance
        chance.given = [*self.outcomes, raw]
        position._pending = None
        position._cached = None
        if self.step is None and self.raw is None:
            position._begin()
            return
        position._take(self.raw)


class _Chance:
    """Hands out outcomes. None leaves one to the seed, so that the generator is used in one place only."""

    def begin(self, position: Position) -> None:
        pass

    def interrupted(self, position: Position, problem: BaseException, before: Before) -> bool:
        """Whether a step that broke off waits for chance; then the position is as it was before it."""
        return False

    def outcomes(self) -> tuple[Any, ...]:
        return ()

    def copy(self) -> _Chance:
        return self

    def die(self, sides: int, site: int) -> int | None:
        raise NotImplementedError

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int | None:
        raise NotImplementedError

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int | None:
        raise NotImplementedError

    def order(self, items: list[int], slot: int, site: int) -> list[int] | None:
        raise NotImplementedError


class Explicit(_Chance):
    """Every die and draw is a decision with probabilities; a shuffle is sampled from the seed."""

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.used = 0

    def copy(self) -> Explicit:
        other = Explicit()
        other.given, other.used = list(self.given), self.used
        return other

    def begin(self, position: Position) -> None:
        self.used = 0

    def outcomes(self) -> tuple[Any, ...]:
        out = tuple(self.given)
        self.given = []
        self.used = 0
        return out

    def interrupted(self, position: Position, problem: BaseException, before: Before) -> bool:
        if not isinstance(problem, _Missing):
            self.given = []
            return False
        position.s[:] = before.state
        position.d, position.o = before.block, before.options
        position._cached = None
        if position.j is not None:
            position.j = []
        position._pending = _Pending(problem, before.step, before.raw, list(self.given))
        return True

    def _next(self, what: str, outcomes: list[tuple[Any, int]], site: int, note: Any = None) -> Any:
        if self.used < len(self.given):
            self.used += 1
            return self.given[self.used - 1]
        if len(outcomes) == 1:
            self.given.append(outcomes[0][0])
            self.used += 1
            return outcomes[0][0]
        raise _Missing(what, outcomes, site, note)

    def die(self, sides: int, site: int) -> int:
        return int(self._next("die", [(i, 1) for i in range(1, sides + 1)], site))

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int:
        return int(self._next("piece", list(items[pile]), site, slot))

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int:
        return int(self._next("thing", [(i, 1) for i in inside], site, info.name))

    def order(self, items: list[int], slot: int, site: int) -> list[int] | None:
        return None


class Script(_Chance):
    """Outcomes given beforehand, used up in order. `match` turns words into pieces or things for one draw."""

    def __init__(self, outcomes: Sequence[Any]) -> None:
        self.given: list[Any] = list(outcomes)
        self.at = 0
        self._mark = 0

    def copy(self) -> Script:
        other = Script(self.given)
        other.at = self.at
        return other

    @property
    def unused(self) -> list[Any]:
        return self.given[self.at :]

    def begin(self, position: Position) -> None:
        self._mark = self.at

    def interrupted(self, position: Position, problem: BaseException, before: Before) -> bool:
        self.at = self._mark
        return False

    def outcomes(self) -> tuple[Any, ...]:
        return tuple(self.given[self._mark : self.at])

    def _next(self, what: str) -> Any:
        if self.at >= len(self.given):
            raise ScriptError(f"the rules ask for a {what}, but the script has nothing left")
        self.at += 1
        return self.given[self.at - 1]

    def die(self, sides: int, site: int) -> int:
        value = self._next("die")
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= sides:
            raise ScriptError(f"the rules roll a die with {sides} sides, but the script has {value!r}")
        return value

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int:
        value = self._next("draw")
        codes = [code for code, _ in items[pile]]
        if callable(value):
            value = value(codes, slot)
        if value not in codes:
            raise ScriptError("the script draws a piece that is not there")
        return int(value)

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int:
        value = self._next("draw")
        if callable(value):
            value = value(list(inside), slot)
        if value not in inside:
            raise ScriptError("the script draws something that is not there")
        return int(value)

    def order(self, items: list[int], slot: int, site: int) -> list[int]:
        value = self._next("shuffle")
        if callable(value):
            value = value(items, slot)
        if sorted(value) != sorted(items):
            raise ScriptError("the script's order has not the same things as the place that is shuffled")
        return list(value)


def chance_for(chance: Any) -> _Chance | None:
    """What `start(chance=...)` means."""
    if chance is None:
        return None
    if chance == "explicit":
        return Explicit()
    if isinstance(chance, _Chance):
        return chance
    if isinstance(chance, str):
        raise BadOption(f'chance is None, "explicit" or a list of outcomes, not {chance!r}')
    if isinstance(chance, bytes) or not isinstance(chance, Iterable):
        raise BadOption(f'chance is None, "explicit" or a list of outcomes, not {chance!r}')
    return Script(list(chance))
