"""Other processes on this machine that play parts of a run.

Each has a pipe of its own and is told one part after the other. So it is always known who is at what: what a process
had begun that is gone, for whatever reason, is given to another, and every part comes back once."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from rulescript.errors import BadRun, RulescriptError
from rulescript.processes import can_fork, safe_path, uninterrupted

__all__ = ["Crew"]

# So often a process may end over the same part.
MOST_DEATHS = 3

Work = Callable[[Any], Any]


class Crew:
    """`begin` makes the function that does the work, in each process: there, not here, where a process cannot begin as
    a copy of this one (then both have to be things that can be pickled)."""

    def __init__(self, begin: Callable[[], Work], jobs: int) -> None:
        self._begin = begin
        is_copied = can_fork() and _has_one_thread()
        self._context: Any = multiprocessing.get_context("fork" if is_copied else "spawn")
        self._is_copied = is_copied
        self._work = begin() if is_copied else None
        self._at_work: dict[Connection, tuple[Any, Any]] = {}  # the process at its other end, and what it is at
        if not is_copied and sys.platform != "win32":
            from multiprocessing import resource_tracker

            with safe_path():
                # Where it begins with the first process, it lets Ctrl-C through to that.
                resource_tracker.ensure_running()
        with uninterrupted():
            for _ in range(jobs):
                self._hire()

    def _hire(self) -> Connection:
        here, there = self._context.Pipe()
        if self._is_copied:
            args: tuple[Any, ...] = (there, lambda: self._work, [here, *self._at_work])
        else:
            args = (there, self._begin, [])
        process = self._context.Process(target=_serve, args=args, daemon=True)
        with safe_path():
            process.start()
        there.close()
        self._at_work[here] = (process, None)
        return here  # type: ignore[no-any-return]

    def do(self, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Each task with its answer, as they come. BadRun if processes end over a task again and again."""
        waiting = iter(tasks)
        again: deque[Any] = deque()
        deaths: dict[Any, int] = {}

        def give(pipe: Connection) -> None:
            task = again.popleft() if again else next(waiting, None)
            process, _ = self._at_work[pipe]
            self._at_work[pipe] = (process, task)
            if task is not None:
                with suppress(OSError):  # its end is noticed below
                    pipe.send(task)

        for pipe in list(self._at_work):
            give(pipe)
        while busy := [pipe for pipe, (_, task) in self._at_work.items() if task is not None]:
            ready: list[Any] = wait(busy, 5.0) or [pipe for pipe in busy if not self._at_work[pipe][0].is_alive()]
            for pipe in ready:
                process, task = self._at_work[pipe]
                try:
                    answer = pipe.recv()
                except (EOFError, OSError):
                    process.join()
                    pipe.close()
                    del self._at_work[pipe]
                    deaths[task] = deaths.get(task, 0) + 1
                    if deaths[task] >= MOST_DEATHS:
                        raise BadRun(
                            f"a process ended {MOST_DEATHS} times in the middle of its games (code {process.exitcode})",
                            hint="perhaps there is not enough memory; try fewer processes (--jobs)",
                        ) from None
                    again.append(task)
                    with uninterrupted():
                        give(self._hire())
                    continue
                if isinstance(answer, Exception):
                    raise answer
                give(pipe)
                yield task, answer
            for pipe, (_, task) in list(self._at_work.items()):
                if task is None and again:
                    give(pipe)

    def end(self) -> None:
        for pipe, (process, _) in self._at_work.items():
            process.terminate()
            process.join()
            pipe.close()
        self._at_work = {}


def _has_one_thread() -> bool:
    """A copy of a process with threads can hang. Libraries have threads, too, of which Python knows nothing."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not every system tells
        return threading.active_count() == 1 and "pyarrow" not in sys.modules


def _serve(pipe: Connection, begin: Callable[[], Work], others: list[Connection]) -> None:
    """What a process of the crew does until nobody asks any more."""
    gc.freeze()  # what was there before stays: looking for garbage in it would only make copies of it
    for other in others:  # so that the end of who began us is noticed
        other.close()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        work = None
        while True:
            task = pipe.recv()
            answer: Any
            try:
                work = work if work is not None else begin()
                answer = work(task)
            except RulescriptError as problem:
                answer = problem
            except Exception as problem:  # told where somebody reads it
                answer = RuntimeError(f"{type(problem).__name__}: {problem}")
            pipe.send(answer)
