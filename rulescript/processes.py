"""Work for several processes, each of which begins as a copy of this one with everything in it.

Where a process cannot begin so, one after the other is done here; whoever asks sees no difference but time."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

__all__ = ["Helpers", "can_fork", "cores", "end", "fresh_python", "helping", "safe_path", "shared", "uninterrupted"]

_do: Callable[[int], Any] | None = None
# After so many seconds without an answer it is looked whether the others still work.
LOOK_AGAIN = 1.0


def can_fork() -> bool:
    """Whether a process can begin as a copy of this one. On a Mac it can, but the system's own libraries break."""
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def fresh_python(code: str, *args: str) -> tuple[list[str], dict[str, str]]:
    """The command and the environment of a Python from the beginning that runs code of ours. It finds this package, and
    looks for no module in the folder one stands in: that may be a stranger's game."""
    environment = dict(os.environ)
    package = str(Path(__file__).resolve().parents[1])
    environment["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [environment.get("PYTHONPATH")])])
    return [sys.executable, "-P", "-c", code, *args], environment


@contextmanager
def safe_path() -> Iterator[None]:
    """While this is open, a Python that is begun looks for no module in the folder one stands in, either."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("PYTHONSAFEPATH", None)
        else:
            os.environ["PYTHONSAFEPATH"] = before


def cores() -> int:
    """How many processes can work at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system says
        return os.cpu_count() or 1


def shared(do: Callable[[int], Any], count: int, jobs: int) -> Iterator[tuple[int, Any]]:
    """Each number below `count` with the answer of `do(number)`, as soon as it is there: worked out here from the first
    on, and in other processes from the last back. An answer is sent from process to process, so it is plain data. What
    goes wrong elsewhere goes wrong again here, where it is heard."""
    if jobs < 2 or count < 2 or not can_fork():
        for number in range(count):
            yield number, do(number)
        return
    context = multiprocessing.get_context("fork")
    taken, taken_there = context.Value("i", 0), context.Value("i", 0, lock=False)

    def take(is_here: bool) -> int | None:
        with taken.get_lock():
            if taken.value + taken_there.value >= count:
                return None
            by = taken if is_here else taken_there
            by.value += 1
            number: int = by.value
        return number - 1 if is_here else count - number

    def help_out(answers: Connection) -> None:
        gc.freeze()  # what was there before stays: looking for garbage in it would only make copies of it
        with suppress(Exception):
            while (number := take(False)) is not None:
                answers.send((number, do(number)))

    helpers: dict[Connection, multiprocessing.process.BaseProcess] = {}
    left = set(range(count))
    try:
        with uninterrupted():
            for _ in range(min(jobs, count) - 1):
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=help_out, args=(there,), daemon=True)
                process.start()
                there.close()
                helpers[here] = process
        open_ = list(helpers)
        is_busy = True
        while is_busy or open_:
            if is_busy and (own := take(True)) is not None:
                left.discard(own)
                yield own, do(own)
            else:
                is_busy = False
            ready = wait(open_, 0 if is_busy else LOOK_AGAIN)
            for pipe in open_[:]:
                if pipe in ready:
                    try:
                        number, answer = pipe.recv()
                    except (EOFError, OSError):
                        open_.remove(pipe)
                        continue
                    left.discard(number)
                    yield number, answer
                elif not is_busy and not helpers[pipe].is_alive() and not pipe.poll():
                    # Ended, and its end of the pipe is held open by somebody else.
                    open_.remove(pipe)
        for number in sorted(left):
            yield number, do(number)
    finally:
        for pipe, helper in helpers.items():
            helper.terminate()
            helper.join()
            pipe.close()


class Helpers:
    """Others that do `do(0)`, `do(1)` and so on from now on. The first should be the longest."""

    def __init__(self, do: Callable[[int], Any], count: int, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor

        global _do
        self._pool = ProcessPoolExecutor(min(jobs, count), multiprocessing.get_context("fork"))
        try:
            _do = do
            try:
                with uninterrupted():
                    self._futures = [self._pool.submit(_done, number) for number in range(count)]
            finally:
                _do = None
        except BaseException:
            self.stop()
            raise

    def answers(self) -> list[Any]:
        """Their answers, which are waited for. None stands for what went wrong there, to be done again here and be
        told."""
        try:
            found = [future.result() for future in self._futures]
        except BaseException:
            self.stop()
            raise
        self._pool.shutdown()
        return found

    def stop(self) -> None:
        """Nobody wants to know any more."""
        end(self._pool)


@contextmanager
def helping(do: Callable[[int], Any], count: int, jobs: int) -> Iterator[list[Any]]:
    """The same within this; at its end their answers stand in the list."""
    answers: list[Any] = []
    helpers = Helpers(do, count, jobs)
    try:
        yield answers
    except BaseException:
        helpers.stop()
        raise
    answers += helpers.answers()


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
