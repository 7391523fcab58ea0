"""The work that play counts, and how rules go wrong.

A game from a stranger must end, so what happens between two decisions is bounded, far beyond what any game needs. Each
thread counts its own."""

from __future__ import annotations

from threading import local
from typing import Any

from rulescript.errors import PlayError, StepLimit

__all__ = [
    "deeper", "DEEPEST", "look_at_work", "many", "no_row", "stale", "step", "through", "too_long", "WORK",
    "WORK_LIMIT",
]  # fmt: skip

WORK_LIMIT = 100_000_000
DEEPEST = 150
_NOTED = 1 << 60


def stale(place: str) -> None:
    raise PlayError(f"a rule used a piece that is no longer where it was ({place})")


def too_long(rule: str) -> None:
    raise StepLimit(f"`{rule}` went on for too long; it may never end")


class _Work(local):
    """The work done since the last decision. Each thread has its own. `play`: who plays many decisions without
    beginning to count anew at each, and sets its own `w` to 0 instead, which is quicker."""

    done = 0
    play: Any = None


WORK = _Work()


def step(weight: int) -> None:
    """Count work: what compiler/lower/cost.py makes of it, in looks at one thing."""
    done = WORK.done = WORK.done + weight
    if done > WORK_LIMIT:
        _too_much(weight)


def many(items: Any, weight: int) -> Any:
    """Count what a loop goes over, before it does."""
    done = WORK.done = WORK.done + weight * len(items)
    if done > WORK_LIMIT:
        _too_much(weight * len(items))
    return items


def _too_much(last: int) -> None:
    WORK.done = 0
    play = WORK.play
    if play is not None and play.w < _NOTED and last <= WORK_LIMIT:
        play.w += _NOTED  # it may all have been done before the last decision; next time it was not
        return
    raise _endless()


def look_at_work(noted: int) -> None:
    """Where who plays counts the work: end it if it is too much."""
    if noted & _NOTED - 1 > WORK_LIMIT:
        raise _endless()


def _endless() -> StepLimit:
    return StepLimit("a rule went on for too long without asking anybody; it may never end")


def through(items: Any) -> Any:
    """Count what is looked through at once: a list in which something is sought, say, or which is compared."""
    long = len(items)
    if long > 32:
        first = items[0]
        if first.__class__ is tuple:
            long = sum(map(len, items))
        elif first.__class__ is str:
            long *= 6  # they may be long, and alike but for their ends
        step(long >> 1)
    return items


def deeper(frame: Any, saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a rule that waits keeps while it calls itself: what the caller kept, its own, and how deep it is."""
    depth = 1 if frame is None else frame[2] + 1
    if depth > DEEPEST:
        raise StepLimit(f"a rule called itself more than {DEEPEST} times, one within the other; it may never end")
    return (frame, saved, depth)


def no_row(table: str, value: Any) -> None:
    raise PlayError(f"table `{table}` has no row for what it was asked for")
