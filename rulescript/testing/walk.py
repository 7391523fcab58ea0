"""A walk through a game: how the next option is picked, and what is kept of a play.

A walker is given numbers from somewhere (Hypothesis, a random generator, a list of keys to follow) and turns
each into an option. Weights steer it: a label that would end the game early is given a small one, so that
late rules are reached; options that are open all the time (flagged ones) are picked rarely unless a weight
says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Position

__all__ = ["FLAGGED_WEIGHT", "Play", "Step", "Walker", "follow", "random_walker"]

FLAGGED_WEIGHT = 0.1
_FINE = 1000


@frozen
class Step:
    """One decision taken: who, which choice, and the option by its key and words.

    A choice of several names is asked name by name; `stage` counts them from 0. `chance` is what dice and
    draws decided after it, as lines of an example, where somebody asked for it. `forced`: it was the only option, and
    taken without asking; such steps are kept only where a play is to be told."""

    player: str
    choice: str
    key: str
    text: str
    stage: int = 0
    chance: tuple[str, ...] = ()
    forced: bool = False


@define
class Play:
    """What it takes to play a game again, and what it looked like at each decision."""

    seed: int
    players: int | None = None
    steps: list[Step] = field(factory=list)
    hashes: list[str] = field(factory=list)
    over: bool = False
    opening: tuple[str, ...] = ()

    @property
    def keys(self) -> list[str]:
        return [step.key for step in self.steps]


class Walker:
    """Picks options. `draw(n)` gives a number from 0 to n - 1."""

    def __init__(self, draw: Callable[[int], int], weights: Mapping[str, float] | None = None) -> None:
        self.draw = draw
        self.weights = dict(weights or {})
        self._plain: dict[tuple[int, int], bool] = {}

    def pick(self, position: Position, decision: Decision) -> int | None:
        """The index of the option to take; None to stop here."""
        count = len(decision)
        if self._is_plain(position.game, decision):
            return self.draw(count)
        shares = [self._share(decision, option) for option in decision.options]
        total = sum(shares)
        if total == 0:
            return self.draw(count)
        at = self.draw(total)
        for index, share in enumerate(shares):
            at -= share
            if at < 0:
                return index
        return count - 1

    def _is_plain(self, game: Game, decision: Decision) -> bool:
        """Whether every option of this decision has the same weight, so that it need not be looked at."""
        known = self._plain.get((id(game), decision.block))
        if known is None:
            alts = game.data.decisions[decision.block].alts
            known = not any(alt.is_flagged for alt in alts)
            if self.weights:
                names = {alt.label for alt in alts} | {decision.name, decision.procedure}
                known = known and not any(_first_word(w) in names for w in self.weights)
            self._plain[id(game), decision.block] = known
        return known

    def _share(self, decision: Decision, option: Any) -> int:
        names = (
            option.key,
            f"{decision.procedure}.{decision.name}.{option.label}",
            f"{decision.name}.{option.label}",
            option.label,
        )
        weight = next((self.weights[n] for n in names if n in self.weights), None)
        if weight is None:
            weight = FLAGGED_WEIGHT if option.flagged else 1.0
        return max(0, round(weight * _FINE))


def _first_word(name: str) -> str:
    return name.split(".")[0].split(" ")[0]


def random_walker(rng: Random, weights: Mapping[str, float] | None = None) -> Walker:
    return Walker(lambda n: int(rng.random() * n), weights)


class Follower:
    """Takes the keys it was given, in order; one that cannot be taken is left out. Stops when there are no
    more."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = list(keys)
        self.at = 0

    def pick(self, position: Position, decision: Decision) -> int | None:
        known = {option.key: index for index, option in enumerate(decision.options)}
        for at in range(self.at, len(self.keys)):
            if self.keys[at] in known:
                self.at = at + 1
                return known[self.keys[at]]
        return None


def follow(keys: Sequence[str]) -> Follower:
    return Follower(keys)
