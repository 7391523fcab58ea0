"""One at a time: reading texts, compiling rules, and explaining them.

Play needs no lock: a position is its own, and what games remember for later is worked out from what is asked alone.
But the reader keeps its place in a text, and explanations add to what they have compiled. All of it is Python, which
runs in one thread at a time anyway: a lock for everything costs nothing and cannot be taken in the wrong order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

__all__ = ["READING", "one_at_a_time"]

P = ParamSpec("P")
R = TypeVar("R")

READING = RLock()


def one_at_a_time(work: Callable[P, R]) -> Callable[P, R]:
    """A function that only one thread runs at a time, with all others like it."""

    @wraps(work)
    def locked(*args: P.args, **named: P.kwargs) -> R:
        with READING:
            return work(*args, **named)

    return locked
