"""Going along links: all that can be reached, in how many steps, at what cost."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from rulescript.machine.effort import step
from rulescript.machine.tables import BITS, LIMIT_AT, Near

__all__ = ["flood", "flood_cost", "flood_steps", "links_of"]


def links_of(table: tuple[int, ...], mask: int) -> int:
    """All that is linked to any member of a set."""
    out = 0
    for i in BITS[mask]:
        out |= table[i]
    return out


def flood(start: int, table: Near, enter: int, through: int, steps: int) -> int:
    """What can be reached from `start` in at most `steps` (-1: any number), entering only `enter` and going on
    only from `through`. The start itself is never counted."""
    key = (start, enter, through, steps)
    found = table.floods.get(key)
    if found is not None:
        return found
    seen = 0
    frontier = start
    enter &= ~start
    left = steps
    while frontier and left:
        near = table[frontier] & enter & ~seen
        seen |= near
        frontier = near & through
        left -= 1
    step((steps - left) * (20 + (enter.bit_length() >> 5)))
    if len(table.floods) > LIMIT_AT:
        table.floods.clear()
    table.floods[key] = seen
    return seen


def flood_steps(
    start: int,
    near: Callable[[int], int],
    may_enter: Callable[[int], bool],
    may_pass: Callable[[int], bool],
    may_step: Callable[[int, int], bool],
    steps: int,
    target: int,
    weight: int,
) -> Any:
    """Like flood, asking about every step, which counts as work of so much `weight`; with a target, the number of steps
    to it (None if out of reach)."""
    seen = 0
    frontier = list(BITS[start])
    count = 0
    if target >= 0 and start >> target & 1:
        return 0
    while frontier and steps:
        count += 1
        fresh: list[int] = []
        for a in frontier:
            there = BITS[near(a) & ~seen & ~start]
            step(weight * (1 + len(there)))
            for b in there:
                if may_enter(b) and may_step(a, b):
                    seen |= 1 << b
                    if b == target:
                        return count
                    if may_pass(b):
                        fresh.append(b)
        frontier = fresh
        steps -= 1
    return seen if target < 0 else None


def flood_cost(
    start: int,
    near: Callable[[int], int],
    may_enter: Callable[[int], bool],
    may_pass: Callable[[int], bool],
    may_step: Callable[[int, int], bool],
    cost: Callable[[int, int], int],
    points: int,
    target: int,
    weight: int,
) -> Any:
    """Like flood_steps where each step costs points, the cheapest ways first; with a target, what it costs."""
    if target >= 0 and start >> target & 1:
        return 0
    seen = 0
    left = [(0, a) for a in BITS[start]]
    settled = start
    while left:
        spent, a = heappop(left)
        if not start >> a & 1:
            if settled >> a & 1:
                continue
            settled |= 1 << a
            seen |= 1 << a
            if a == target:
                return spent
            if not may_pass(a):
                continue
        there = BITS[near(a) & ~settled]
        step(weight * (1 + len(there)))
        for b in there:
            if may_enter(b) and may_step(a, b):
                total = spent + max(0, cost(a, b))
                if points < 0 or total <= points:
                    heappush(left, (total, b))
    return seen if target < 0 else None
