"""Work for several processes, each of which begins as a copy of this one with everything in it.

Where a process cannot begin so, one after the other is done here; whoever asks sees no difference but time."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["can_fork", "end", "helping", "uninterrupted"]

_do: Callable[[int], Any] | None = None


def can_fork() -> bool:
    """Whether a process can begin as a copy of this one. On a Mac it can, but the system's own libraries break."""
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


@contextmanager
def helping(do: Callable[[int], Any], count: int, jobs: int) -> Iterator[list[Any]]:
    """Within this, others do `do(0)`, `do(1)` and so on; at its end their answers stand in the list. The first should
    be the longest. None stands for what went wrong there, to be done again here and be told."""
    from concurrent.futures import ProcessPoolExecutor

    global _do
    answers: list[Any] = []
    pool = ProcessPoolExecutor(min(jobs, count), multiprocessing.get_context("fork"))
    try:
        _do = do
        try:
            with uninterrupted():
                futures = [pool.submit(_done, number) for number in range(count)]
        finally:
            _do = None
        yield answers
        answers += [future.result() for future in futures]
    except BaseException:
        end(pool)
        raise
    pool.shutdown()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Processes that begin within this never hear of Ctrl-C: it is for this one, which hears of it at the end of this
    and then ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, ours)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end(pool: Any) -> None:
    """End the processes of a pool, whatever they are at."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    # Waited for: a pool that is left to end by itself can stumble when the whole program ends.
    pool.shutdown(wait=True, cancel_futures=True)


def _done(number: int) -> Any:
    assert _do is not None
    try:
        return _do(number)
    except Exception:  # it happens again where it can be told
        return None
