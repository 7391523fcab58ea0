"""Piles of pieces that can be in very many states: only what is there is written down.

A small kind of pieces has a counter for each code (a type together with a combination of states), and a place is one
integer (compiler/layout.py). Where there are more codes than counters would pay for, a place is a `Heap`: the codes
that are there with how many there are of each, in ascending order; and the number 0 if nothing is there. Heaps
are added and taken away like the integers, and a mask of counters becomes a `Which`: a question about codes. So the
same text of a rule serves both, and what it costs depends on what lies there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import Factory, evolve, field, frozen

from rulescript.game_data import GameData

__all__ = [
    "EVERY", "Heap", "PieceLabels", "Recoded", "SparseCodes", "SparseCounts", "SparseFields", "SparseItems",
    "SparseUnits", "Which", "WhichBy", "WhichIn", "awake", "heap", "one_of", "recoded", "sparse_slots",
]  # fmt: skip

LIMIT = 1 << 15
# So many codes are put in or taken out one by one.
FEW = 4


class Heap(tuple[tuple[int, int], ...]):
    """(code, count) pairs in ascending order, never empty. What is taken away from it may leave counts below zero for
    a moment, as in `place += one - other`."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        if not other:
            return self
        if len(other) > FEW:
            return heap((*self, *other))
        pairs: tuple[tuple[int, int], ...] = self
        for code, count in other:
            pairs = _changed(pairs, code, count)
        return Heap(pairs) if pairs else 0

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + [(code, -count) for code, count in other] if other else self

    def __rsub__(self, other: Any) -> Any:
        return -1 * self + other

    def __mul__(self, times: Any) -> Any:
        return Heap([(code, count * times) for code, count in self]) if times else 0

    __rmul__ = __mul__

    def __and__(self, which: Any) -> Any:
        if which.__class__ is int:
            return self if which else 0
        if which.__class__ is One:
            at = bisect_left(self, (which.code,))
            return Heap((self[at],)) if at < len(self) and self[at][0] == which.code else 0
        found = [pair for pair in self if which[pair[0]]]
        return self if len(found) == len(self) else Heap(found) if found else 0

    __rand__ = __and__

    def __reduce__(self) -> Any:
        return Heap, (tuple(self),)


def _changed(pairs: tuple[tuple[int, int], ...], code: int, count: int) -> tuple[tuple[int, int], ...]:
    """So many more pieces of a code: what is done most goes to its place without counting all anew."""
    at = bisect_left(pairs, (code,))
    if at == len(pairs) or pairs[at][0] != code:
        return (*pairs[:at], (code, count), *pairs[at:])
    left = pairs[at][1] + count
    return (*pairs[:at], (code, left), *pairs[at + 1 :]) if left else (*pairs[:at], *pairs[at + 1 :])


def heap(pairs: Iterable[tuple[int, int]]) -> Heap | int:
    """A heap of pairs in any order, in which a code may come several times."""
    counts: dict[int, int] = {}
    for code, count in pairs:
        counts[code] = counts.get(code, 0) + count
    left = sorted([pair for pair in counts.items() if pair[1]])
    return Heap(left) if left else 0


# ------------------------------------------------------------------ which codes


class Which(dict[int, bool]):
    """The codes for which something holds; asked once of each."""

    __slots__ = ("test",)

    def __init__(self, test: Callable[[int], Any]) -> None:
        super().__init__()
        self.test = test

    def __missing__(self, code: int) -> bool:
        if len(self) > LIMIT:
            self.clear()
        value = self[code] = bool(self.test(code))
        return value

    def __and__(self, other: Any) -> Any:
        if other.__class__ is int:
            return self if other else 0
        if isinstance(other, Heap):
            return other & self
        return Which(lambda code: self[code] and other[code])

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if other.__class__ is int:
            return EVERY if other else self
        return Which(lambda code: self[code] or other[code])

    __ror__ = __or__

    def __invert__(self) -> Which:
        return Which(lambda code: not self[code])

    def __bool__(self) -> bool:
        return True


EVERY = Which(lambda code: True)


class One(Which):
    """One code alone."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        super().__init__(code.__eq__)
        self.code = code


class WhichBy(dict[Any, Which]):
    """A value -> the codes for which an expression has that value."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[[int], Any]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, value: Any) -> Which:
        if len(self) > LIMIT:
            self.clear()
        work = self.work
        made = self[value] = Which(lambda code: work(code) == value)
        return made


class WhichIn(dict[int, Which]):
    """A set -> the codes for which an expression is one of its members."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[[int], Any]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, members: int) -> Which:
        if len(self) > LIMIT:
            self.clear()
        work = self.work

        def test(code: int) -> bool:
            value = work(code)
            return value is not None and bool(members >> value & 1)

        made = self[members] = Which(test)
        return made


def one_of(codes: Iterable[int]) -> Which:
    """Some codes by themselves."""
    wanted = frozenset(codes)
    return Which(wanted.__contains__)


# ------------------------------------------------------------------ what the rules ask of a pile


class SparseItems:
    """A pile -> (code, count) pairs, in order of codes."""

    __slots__ = ()

    def __getitem__(self, pile: Any) -> Any:
        return pile or ()


class SparseCodes:
    """A pile -> its distinct codes."""

    __slots__ = ()

    def __getitem__(self, pile: Any) -> tuple[int, ...]:
        return tuple([code for code, _ in pile]) if pile else ()


class SparseCounts:
    """A pile -> how many pieces it has."""

    __slots__ = ()

    def __getitem__(self, pile: Any) -> int:
        return sum([count for _, count in pile]) if pile else 0


class SparseUnits(dict[int, Heap]):
    """A code -> one piece of it, as a pile."""

    __slots__ = ()

    def __missing__(self, code: int) -> Heap:
        if len(self) > LIMIT:
            self.clear()
        value = self[code] = Heap(((code, 1),))
        return value


class SparseFields(dict[int, Which]):
    """A code -> that code alone, as a question."""

    __slots__ = ()

    def __missing__(self, code: int) -> Which:
        if len(self) > LIMIT:
            self.clear()
        value = self[code] = One(code)
        return value


@frozen
class Recoded:
    """A code -> the code of the same piece with some states as they start. `states` has for each of them how far
    apart the codes of neighbouring values lie, how many values there are, and which of them is the first."""

    states: tuple[tuple[int, int, int], ...]

    def __getitem__(self, code: int) -> int:
        for stride, size, start in self.states:
            code += (start - code // stride % size) * stride
        return code


def recoded(pile: Any, codes: Recoded) -> Any:
    """All pieces of a pile with some states as they start."""
    if not pile or all([codes[code] == code for code, _ in pile]):
        return pile
    return heap([(codes[code], count) for code, count in pile])


@frozen
class PieceLabels:
    """A code -> what pieces of it are called, with the states that are not as they start: "foot (spent)". `states` has
    for each state its name, its stride, how many values it has, which is the first one, and their labels: none for a
    number, which is told as it is, counted from `lowest`."""

    labels: tuple[str, ...]
    states: tuple[tuple[str, int, int, int, tuple[str, ...] | None, int], ...]
    known: dict[int, str] = field(default=Factory(dict), eq=False, repr=False)

    def __getitem__(self, code: int) -> str:
        found = self.known.get(code)
        if found is None:
            if len(self.known) > LIMIT:
                self.known.clear()
            found = self.known[code] = self._worded(code)
        return found

    def _worded(self, code: int) -> str:
        notes = []
        for name, stride, size, start, labels, lowest in self.states:
            at = code // stride % size
            if at != start:
                notes.append(labels[at] if labels is not None else f"{name} {at + lowest}")
        label = self.labels[code % len(self.labels)]
        return f"{label} ({', '.join(notes)})" if notes else label


# ------------------------------------------------------------------ data of a game


def sparse_slots(data: GameData) -> Iterator[int]:
    """The places whose pieces are written down one sort after the other."""
    for holds in data.holds:
        if data.kinds[holds.kind].is_sparse:
            yield from range(holds.slot, holds.slot + holds.size)


def awake(data: GameData) -> GameData:
    """The data of a game as play needs them. In the cache a heap is a plain tuple, and a range of numbers its ends."""
    sparse = list(sparse_slots(data))
    if not sparse:
        return data
    initial = list(data.initial)
    for slot in sparse:
        initial[slot] = heap(initial[slot]) if initial[slot] else 0
    kinds = dict(data.kinds)
    for name, kind in kinds.items():
        if kind.is_sparse:
            states = [
                each._replace(values=range(*each.values)) if each.values.__class__ is tuple else each
                for each in kind.states
            ]
            kinds[name] = evolve(kind, states=states)
    return evolve(data, initial=initial, kinds=kinds)
