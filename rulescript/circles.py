"""Which members of a graph can come back to themselves: Tarjan's algorithm, with a stack of its own.

Rules call each other in chains of any length, and thousands of them: so nothing here recurses, and every member and
every edge is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from attrs import frozen

__all__ = ["Circle", "circles"]

T = TypeVar("T")


@frozen(eq=False)
class Circle(Generic[T]):
    """Members that can all reach each other. Most are alone; `is_closed` says whether one can come back to itself."""

    members: tuple[T, ...]
    is_closed: bool


def circles(starts: Iterable[T], near: Callable[[T], Iterable[T]]) -> Iterator[Circle[T]]:
    """The circles that can be reached, each after those it leads to. Members are told apart by identity."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    waiting: list[T] = []
    is_waiting: set[int] = set()
    leads_to_itself: set[int] = set()
    for start in starts:
        if id(start) in number:
            continue
        number[id(start)] = lowest[id(start)] = len(number)
        waiting.append(start)
        is_waiting.add(id(start))
        path: list[tuple[T, Iterator[T]]] = [(start, iter(near(start)))]
        while path:
            here, rest = path[-1]
            for there in rest:
                if there is here:
                    leads_to_itself.add(id(here))
                if id(there) not in number:
                    number[id(there)] = lowest[id(there)] = len(number)
                    waiting.append(there)
                    is_waiting.add(id(there))
                    path.append((there, iter(near(there))))
                    break
                if id(there) in is_waiting:
                    lowest[id(here)] = min(lowest[id(here)], number[id(there)])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[id(above)] = min(lowest[id(above)], lowest[id(here)])
                if lowest[id(here)] == number[id(here)]:
                    at = next(i for i in range(len(waiting) - 1, -1, -1) if waiting[i] is here)
                    found = tuple(waiting[at:])
                    del waiting[at:]
                    is_waiting.difference_update(map(id, found))
                    yield Circle(found, len(found) > 1 or id(here) in leads_to_itself)
