"""Choices of several under a condition on the whole: which picks can still lead to a selection that meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulescript.errors import PlayError, StepLimit
from rulescript.machine.effort import step
from rulescript.machine.picks import many_options
from rulescript.machine.tables import BITS

__all__ = [
    "completable", "completes", "Demand", "meets", "MOST_SELECTIONS", "MOST_SUMS", "settled", "too_many_selections",
    "usable_items",
]  # fmt: skip

# So many selections, or cases of what they add up to, are looked at before it is said that there are too many.
MOST_SELECTIONS = 20_000
MOST_SUMS = 250_000


class Demand:
    """What a selection as a whole must meet, as functions of it.

    `made` writes what was picked as the value that the rules know it by; `whole` tests it; `lasting` is the part of
    that test which, once broken, no further item mends. Where the test reads nothing of a selection but sums,
    counts, and whether some, every or none of it is something, `parts` works those out, and `folds` says how each is
    put together from the single items: "sum", "or", "and". `parted` and `lasting_parts` are then the tests of them:
    selections that agree in their parts need be looked at only once, however many they are."""

    __slots__ = ("made", "whole", "lasting", "folds", "parts", "parted", "lasting_parts")

    def __init__(
        self,
        made: Callable[[tuple[int, ...]], Any],
        whole: Callable[[Any], bool],
        lasting: Callable[[Any], bool],
        folds: tuple[str, ...] = (),
        parts: Callable[[Any], tuple[Any, ...]] | None = None,
        parted: Callable[[tuple[Any, ...]], bool] | None = None,
        lasting_parts: Callable[[tuple[Any, ...]], bool] | None = None,
    ) -> None:
        self.made = made
        self.whole = whole
        self.lasting = lasting
        self.folds = folds
        self.parts = parts
        self.parted = parted
        self.lasting_parts = lasting_parts

    def folded(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
        """The parts of two selections together."""
        return tuple(
            [a + b if fold == "sum" else a | b if fold == "or" else a & b
             for fold, a, b in zip(self.folds, one, other, strict=True)]
        )  # fmt: skip


def meets(have: tuple[int, ...], demand: Demand) -> bool:
    """Whether a selection is what the rules ask of it as a whole."""
    return bool(demand.whole(demand.made(have)))


def completable(
    options: list[int],
    have: tuple[int, ...],
    available: tuple[tuple[int, int], ...],
    wanted: int,
    exactly: bool,
    demand: Demand,
) -> list[int]:
    """Those of the options, to be picked next in ascending order, with which a selection can be made that is allowed
    as a whole."""
    if not options:
        return []
    last = have[-1] if have else options[0]
    rest = [(item, n - have.count(item)) for item, n in available if item >= last]
    usable = usable_items(have, [(item, n) for item, n in rest if n > 0], wanted, exactly, demand, True)
    return [option for option in options if option in usable]


def usable_items(
    have: tuple[int, ...],
    rest: list[tuple[int, int]],
    wanted: int,
    exactly: bool,
    demand: Demand,
    ascending: bool = False,
) -> set[int]:
    """Those of some (item, how many) that belong, with what is picked already, to a selection that is allowed as a
    whole; with `ascending`, to one in which they come first of what is added."""
    if demand.parts is None:
        return _usable_one_by_one(have, rest, wanted, exactly, demand, ascending)
    most = wanted - len(have)
    is_bounded = exactly or most < sum([n for _, n in rest])
    nothing = demand.parts(demand.made(()))
    begun = nothing
    for item in have:
        begun = demand.folded(begun, demand.parts(demand.made((item,))))
    if not exactly and most > 0:
        # Mostly an item is enough with what is picked already, or already too much.
        with_one = [(item, demand.folded(begun, demand.parts(demand.made((item,))))) for item, _ in rest]
        enough = {item for item, parts in with_one if demand.parted(parts)}  # type: ignore[misc]
        if not any([i not in enough and demand.lasting_parts(parts) for i, parts in with_one]):  # type: ignore[misc]
            step(4 * len(rest))
            return enough
    # The parts of all that can be picked from the first items, and then from the last one backwards what can be
    # completed. How many are picked is told apart only where it matters.
    layers: list[set[tuple[int, tuple[Any, ...]]]] = [{(0, begun)}]
    steps: list[list[tuple[int, tuple[Any, ...]]]] = []
    looked = 0
    for item, n in rest:
        one = demand.parts(demand.made((item,)))
        added = nothing
        ways = [(0, nothing)]
        for count in range(1, min(n, most) + 1):
            added = demand.folded(added, one)
            ways.append((count if is_bounded else 0, added))
        steps.append(ways)
        following: set[tuple[int, tuple[Any, ...]]] = set()
        for number, parts in layers[-1]:
            looked += len(ways)
            if looked > MOST_SUMS:
                raise too_many_selections(MOST_SUMS)
            for count, more in ways:
                if number + count > most:
                    break
                new = (number + count, demand.folded(parts, more) if more is not nothing else parts)
                if new not in following and demand.lasting_parts(new[1]):  # type: ignore[misc]
                    following.add(new)
        layers.append(following)
    step(4 * looked)
    good = {state for state in layers[-1] if (not exactly or state[0] == most) and demand.parted(state[1])}  # type: ignore[misc]
    out: set[int] = set()
    for at in reversed(range(len(rest))):
        before: set[tuple[int, tuple[Any, ...]]] = set()
        for state in layers[at]:
            number, parts = state
            for way, (count, more) in enumerate(steps[at]):
                new = (number + count, demand.folded(parts, more) if more is not nothing else parts)
                if new in good:
                    before.add(state)
                    if way and (not ascending or state == (0, begun)):
                        out.add(rest[at][0])
                        break
        good = before
    return out


def _usable_one_by_one(
    have: tuple[int, ...],
    rest: list[tuple[int, int]],
    wanted: int,
    exactly: bool,
    demand: Demand,
    ascending: bool,
) -> set[int]:
    """The same where a selection has to be looked at as a whole: selections are tried one after the other."""
    made, whole, lasting = demand.made, demand.whole, demand.lasting
    looked = 0
    base = have

    def ends(chosen: tuple[int, ...], at: int, used: int) -> tuple[int, ...] | None:
        """The first selection found with these, and more from a place in the list on."""
        nonlocal looked
        looked += 1
        if looked > MOST_SELECTIONS:
            raise too_many_selections(MOST_SELECTIONS)
        value = made(tuple(sorted((*base, *chosen))))
        if not lasting(value):
            return None
        left = wanted - len(base) - len(chosen)
        if (not exactly or left <= 0) and whole(value):
            return chosen
        if left <= 0:
            return None
        remaining = sum([n for _, n in rest[at:]]) - used
        for further in range(at, len(rest)):
            item, n = rest[further]
            if exactly and remaining < left:
                return None
            if n > used:
                found = ends((*chosen, item), further, used + 1)
                if found is not None:
                    return found
            remaining -= n - used
            used = 0
        return None

    out: set[int] = set()
    whole_rest = list(rest)
    for at, (item, _) in enumerate(whole_rest):
        if item in out:
            continue
        if ascending:
            rest = whole_rest
            found = ends((item,), at, 1)
            if found is not None:
                out.add(item)
            continue
        rest = [(other, m - (other == item)) for other, m in whole_rest if m > (other == item)]
        base = (*have, item)
        found = ends((), 0, 0)
        base = have
        if found is not None:
            out.update((item, *found))
    step(20 * looked)
    return out


def too_many_selections(most: int) -> PlayError:
    return PlayError(f"which selections meet the requirement cannot be worked out: more than {most:,} were looked at")


def settled(first: int, available: tuple[tuple[int, int], ...], wanted: int, demand: Demand | None = None) -> bool:
    """Whether the only item that `up to` or `any number` can begin with leaves nothing else to decide either."""
    have: tuple[int, ...] = (first,)
    while len(have) < wanted:
        options = many_options(available, have, 1)
        if demand is not None:
            options = completable(options, have, available, wanted, False, demand)
        if not options:
            return True
        if len(options) > 1 or demand is None or meets(have, demand):
            return False
        have += (options[0],)
    return True


def completes(
    domains: tuple[int, ...], items: tuple[int, ...], done: tuple[int, ...], whole: Callable[[Any], Any]
) -> bool:
    """Whether everything can still be given something so that the whole is allowed: `domains` are what each of the
    `items` can be given, as masks, and `done` what the first of them were. Of those that are alike a later one is never
    given something that comes before what an earlier one has: that would be the same again."""
    looked = 0
    if any(items[at] == items[at - 1] and done[at] < done[at - 1] for at in range(1, len(done))):
        return False

    def ends(plan: tuple[int, ...]) -> bool:
        nonlocal looked
        looked += 1
        if looked > MOST_SELECTIONS:
            raise StepLimit(f"more than {MOST_SELECTIONS} ways to give everything its place had to be looked at")
        at = len(plan)
        if at == len(domains):
            return bool(whole(plan))
        low = plan[-1] if at and items[at] == items[at - 1] else 0
        return any(ends((*plan, each)) for each in BITS[domains[at]] if each >= low)

    return ends(done)
