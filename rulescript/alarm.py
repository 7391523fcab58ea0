"""Work that is stopped when its time is up, wherever it is.

Who looks at the clock between two steps waits for the step, and a stranger's game can make any step long. An alarm of
the system does not wait. Where there is none, outside the main thread, or where somebody else has set it, work is not
stopped.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["TimeUp", "stopped_after"]

# The alarm rings again after so many seconds: it may have been heard where nothing can be raised.
AGAIN = 5.0


class TimeUp(BaseException):
    """The time is up. No fault of anybody's, so nothing on the way takes it for one."""


@contextmanager
def stopped_after(seconds: float | None) -> Iterator[None]:
    """Raise `TimeUp` within this when so many seconds have passed; without a number, never."""
    if seconds is None or not _can_be_set():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, seconds), AGAIN)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # once more, if it rang just then
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _can_be_set() -> bool:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    return signal.getitimer(signal.ITIMER_REAL)[0] == 0


def _ring(*_: object) -> NoReturn:
    raise TimeUp
