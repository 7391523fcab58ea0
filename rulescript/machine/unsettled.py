"""An ordered place that was shuffled and that nobody has looked into since.

With explicit chance a shuffle decides nothing: what lies where is asked for when a rule or a player looks. Until then
the place is a row of groups, from its top; what is in one group lies in any order, all orders equally likely. A group
of one is known. That stays true when a thing is put on top or at the bottom, and also when a named thing is taken out:
of the others, all orders are still equally likely.

Rules that do not care for the order (`count`, `some`, `sum`) read `members`; whoever reads by index or goes through
the place in order has it settled, as far as is looked. Outside of a step nobody can be asked: then such a look is a
failure, never a guess.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulescript.errors import PlayError

__all__ = ["NotSettled", "Unsettled", "members", "top_of"]


class NotSettled(PlayError):
    """Somebody asked for the order of a shuffled place that chance has not settled yet."""


class Unsettled:
    """`groups` from the top. `ask` picks one of a group; without it, nobody can be asked."""

    __slots__ = ("ask", "groups")

    def __init__(
        self, groups: Iterable[Iterable[int]], ask: Callable[[tuple[int, ...], int], int] | None = None
    ) -> None:
        self.groups: list[tuple[int, ...]] = [tuple(sorted(group)) for group in groups]
        self.ask = ask

    # -------------------------------------------------------------- in any order

    @property
    def members(self) -> tuple[int, ...]:
        return tuple([thing for group in self.groups for thing in group])

    @property
    def is_open(self) -> bool:
        return any(len(group) > 1 for group in self.groups)

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    def __contains__(self, thing: object) -> bool:
        return any(thing in group for group in self.groups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unsettled) and self.groups == other.groups

    def __hash__(self) -> int:
        return hash(tuple(self.groups))

    def __repr__(self) -> str:
        return f"Unsettled({self.groups})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Unsettled, (self.groups,)

    def sampled(self, rng: random.Random) -> tuple[int, ...]:
        """One of the orders it may have."""
        return tuple([thing for group in self.groups for thing in rng.sample(group, len(group))])

    # -------------------------------------------------------------- in order

    def settle(self, count: int, site: int = -1) -> None:
        """Have the first so many of them settled; with a number below zero, the last."""
        step = 1 if count > 0 else -1
        at = 0 if count > 0 else len(self.groups) - 1
        for _ in range(min(abs(count), len(self))):
            group = self.groups[at]
            if len(group) > 1:
                if self.ask is None:
                    raise NotSettled("what lies where in this shuffled pile is not settled before somebody looks")
                found = self.ask(group, site)
                rest = tuple([thing for thing in group if thing != found])
                self.groups[at : at + 1] = [(found,), rest][::step]
                at += step < 0
            at += step

    def first(self, mask: int, site: int) -> int:
        """The first of a set from the top, -1 if none is there; what lies above it is looked at, too."""
        if not any(mask >> thing & 1 for thing in self.members):
            return -1
        at = 0
        while not mask >> self.at(at, site) & 1:
            at += 1
        return self.at(at, site)

    def at(self, index: int, site: int = -1) -> int:
        self.settle(index + 1, site)
        return self.members[index]

    def __iter__(self) -> Iterator[int]:
        # All of it before the first is given: whatever becomes of the place meanwhile, it lay in this order.
        self.settle(len(self))
        return iter(self.members)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            is_top = index.start is None and index.step is None and (index.stop or 0) >= 0
            self.settle(min(index.stop, len(self)) if is_top and index.stop is not None else len(self))
        elif -len(self) <= index < len(self):
            self.settle(index + 1 if index >= 0 else index)
        return self.members[index]

    def __add__(self, other: tuple[int, ...]) -> tuple[int, ...]:
        return (*self, *other)

    def __radd__(self, other: tuple[int, ...]) -> tuple[int, ...]:
        return (*other, *self)

    def index(self, thing: int) -> int:
        return tuple(self).index(thing)

    # -------------------------------------------------------------- changed

    def without(self, thing: int) -> Unsettled | tuple[int, ...]:
        return self._like([[i for i in group if i != thing] for group in self.groups])

    def on_top(self, thing: int) -> Unsettled | tuple[int, ...]:
        return self._like([(thing,), *self.groups])

    def below(self, thing: int) -> Unsettled | tuple[int, ...]:
        return self._like([*self.groups, (thing,)])

    def bound(self, ask: Callable[[tuple[int, ...], int], int] | None) -> Unsettled | tuple[int, ...]:
        """The same, with somebody to ask or, for None, without; a tuple if nothing is left to be asked."""
        made = Unsettled(self.groups, ask)
        return made if made.is_open else made.members

    def _like(self, groups: Iterable[Iterable[int]]) -> Unsettled | tuple[int, ...]:
        return Unsettled([g for g in map(tuple, groups) if g], self.ask).bound(self.ask)


def members(held: Any) -> tuple[int, ...]:
    """What is in an ordered place, for those who do not care for its order."""
    return held if held.__class__ is tuple else held.members


def top_of(held: Any) -> int | None:
    """What lies on top, if that is settled."""
    if held.__class__ is tuple:
        return held[0] if held else None
    return held.groups[0][0] if len(held.groups[0]) == 1 else None
