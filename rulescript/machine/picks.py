"""Choices of several, asked one by one in ascending order: what can be picked first, and next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulescript.machine.tables import Remember

__all__ = [
    "alike_in", "each_copy", "first_picks", "Firsts", "how_many_of_each", "many_first", "many_options", "many_start",
    "next_picks", "so_many", "SPLIT", "unlike", "without_option",
]  # fmt: skip


def many_start(S: list[Any], wanted: int, count: int) -> bool:
    """Note how many are wanted; whether there is anything to choose at all."""
    S[wanted] = count
    return count > 0


def many_first(
    S: list[Any], items: int, wanted: int, available: tuple[tuple[int, int], ...], exactly: bool
) -> list[int]:
    """The options of the first pick; notes what there is."""
    S[items] = available
    if not exactly:
        return [item for item, _ in available]
    total = 0
    for _, count in available:
        total += count
    if S[wanted] > total:
        S[wanted] = total
    if len(available) == 1 or S[wanted] == total:
        # All of them, or all alike: there is nothing to ask.
        return [available[0][0]] if available else []
    return many_options(available, (), S[wanted])


class _Picks:
    """What was worked out before for one list of what there is: the first picks by the number that is wanted, and
    further ones by what was picked and how many are needed."""

    __slots__ = ("available", "first", "further")

    def __init__(self, available: tuple[tuple[int, int], ...]) -> None:
        self.available = available
        self.first: dict[int, tuple[list[int], int]] = {}
        self.further: dict[tuple[tuple[int, ...], int], list[int]] = {}


# Lists come out of tables, so it is mostly the very same one that comes back: looking for it takes less time than to
# work out a hash of all that is in it.
_PICKS: dict[int, _Picks] = {}
_MOST_PICKS = 1 << 12


def _picks_of(available: tuple[tuple[int, int], ...]) -> _Picks:
    if len(_PICKS) > _MOST_PICKS:
        _PICKS.clear()
    known = _PICKS[id(available)] = _Picks(available)
    return known


def next_picks(available: tuple[tuple[int, int], ...], chosen: tuple[int, ...], needed: int) -> list[int]:
    """What `many_options` lists, for those who add nothing to it: the same list again for the same."""
    known = _PICKS.get(id(available))
    if known is None or known.available is not available:
        known = _picks_of(available)
    key = (chosen, needed)
    options = known.further.get(key)
    if options is None:
        options = known.further[key] = many_options(available, chosen, needed)
    return options


def first_picks(
    S: list[Any], items: int, wanted: int, available: tuple[tuple[int, int], ...], exactly: bool
) -> list[int]:
    """What `many_first` does, likewise."""
    S[items] = available
    known = _PICKS.get(id(available))
    if known is None or known.available is not available:
        known = _picks_of(available)
    key = S[wanted] if exactly else ~S[wanted]
    found = known.first.get(key)
    if found is None:
        options = many_first(S, items, wanted, available, exactly)
        found = known.first[key] = (options, S[wanted])
    options, S[wanted] = found
    return options


def without_option(options: list[int], gone: int) -> list[int]:
    """A list of options without one, if it is there; nobody changes the list itself."""
    left = options[:]
    try:
        left.remove(gone)
    except ValueError:
        return options
    return left


class _Split(Remember):
    """The states of copies -> the slots of those that are masks, and of the others."""

    __slots__ = ()

    def work_out(self, key: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple([s for s, is_mask in key if is_mask]), tuple([s for s, is_mask in key if not is_mask])


SPLIT = _Split()


def _coarse(options: list[int], alike: tuple[int, ...], S: list[Any], loc: int) -> list[int]:
    """For each of some things a number: where it is another, they are no copies, or lie somewhere else."""
    if loc < 0:
        return [alike[i] for i in options]
    kinds = len(alike)
    return [S[loc + i] * kinds + alike[i] for i in options]


def alike_in(options: Iterable[int], alike: tuple[int, ...], S: list[Any], loc: int, states: Any) -> list[list[int]]:
    """Things in groups of copies that lie in the same place and are in the same state: `states` has for each its slot,
    and whether it is a mask."""
    options = list(options)
    coarse = _coarse(options, alike, S, loc)
    number = dict.fromkeys(coarse, 0)
    if len(number) == len(coarse):
        return [[i] for i in options]
    for key in coarse:
        number[key] += 1
    # Mostly a copy is alone where it lies, and of the masks it is in none: only otherwise all are looked at.
    masks, others = SPLIT[states]
    some = 0
    for s in masks:
        some |= S[s]
    found: dict[Any, list[int]] = {}
    for i, key in zip(options, coarse, strict=True):
        if number[key] == 1:
            found[key] = [i]
            continue
        own = tuple([S[s] >> i & 1 for s in masks]) if some >> i & 1 else ()
        here = (key, own, *[S[s + i] for s in others])
        if here in found:
            found[here].append(i)
        else:
            found[here] = [i]
    return list(found.values())


class Firsts(Remember):
    """A set of things that lie together and have no states -> its members as a list, of copies only the first. Never
    changed by anyone."""

    __slots__ = ("alike",)

    def __init__(self, alike: tuple[int, ...]) -> None:
        super().__init__()
        self.alike = alike

    def work_out(self, key: int) -> list[int]:
        if key < 0:
            raise ValueError("a set cannot have endlessly many members")
        # From the last to the first, which takes the place of those like it.
        first: dict[int, int] = {}
        while key:
            last = key.bit_length() - 1
            first[self.alike[last]] = last
            key ^= 1 << last
        return sorted(first.values())


def _firsts(options: Sequence[int], sorts: list[int]) -> list[int]:
    """Of options of the same sort, only the first."""
    # Of what comes several times under one key a dict keeps the last: so the other way round it is the first.
    first = set(dict(zip(reversed(sorts), reversed(options), strict=True)).values())
    return [i for i in options if i in first]


def unlike(options: Iterable[int], alike: tuple[int, ...], S: list[Any], loc: int, states: Any) -> list[int]:
    """Of copies that lie in the same place and are in the same state, only the first."""
    options = list(options)
    if len(options) < 2 or len(set(map(alike.__getitem__, options))) == len(options):
        return options
    if not states:
        return _firsts(options, _coarse(options, alike, S, loc))
    return [group[0] for group in alike_in(options, alike, S, loc, states)]


def so_many(options: Iterable[int], *copies: Any) -> tuple[tuple[int, int], ...]:
    """The first of each group of copies, with how many there are."""
    return tuple([(group[0], len(group)) for group in alike_in(options, *copies)])


def how_many_of_each(items: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """What is the same once, ascending, with how often it comes."""
    return tuple(sorted(Counter(items).items()))


def each_copy(chosen: tuple[int, ...], options: Iterable[int], *copies: Any) -> tuple[int, ...]:
    """Things that were chosen by the first of their copies, each by itself."""
    groups = {group[0]: group for group in alike_in(options, *copies)}
    return tuple([groups[first][at] for first in dict.fromkeys(chosen) for at in range(chosen.count(first))])


def many_options(available: tuple[tuple[int, int], ...], chosen: tuple[int, ...], needed: int) -> list[int]:
    """What can be picked next when several are chosen one after the other in ascending order.

    `available` has (item, how many) in ascending order; `needed` more must still be found, so an item is offered
    only if enough remain from it upwards. Picking in order makes every selection one path, not many."""
    last = chosen[-1] if chosen else -1
    if needed <= 1:  # one is always enough, so nothing has to be added up
        times = chosen.count(last)
        return [item for item, count in available if count > (times if item == last else 0) and item >= last]
    left: list[tuple[int, int]] = []
    for item, count in available:
        if item < last:
            continue
        if item == last:
            count -= chosen.count(item)
        if count > 0:
            left.append((item, count))
    out: list[int] = []
    remaining = sum(count for _, count in left)
    for item, count in left:
        if remaining >= needed:
            out.append(item)
        remaining -= count
    return out
