"""Work shared out to processes comes back whole, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import time

import pytest

from rulescript.processes import can_fork, shared

pytestmark = pytest.mark.skipif(not can_fork(), reason="no process begins as a copy here")


def test_every_number_is_answered_once() -> None:
    assert sorted(shared(lambda number: number * number, 40, 3)) == [(n, n * n) for n in range(40)]


@pytest.mark.parametrize("how", ["raises", "dies", "is killed"])
def test_what_goes_wrong_elsewhere_is_done_here(how: str) -> None:
    here = os.getpid()

    def do(number: int) -> int:
        if os.getpid() != here:
            if how == "raises":
                raise ValueError("no")
            if how == "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(1)
        time.sleep(0.05)
        return number

    assert sorted(shared(do, 6, 2)) == [(n, n) for n in range(6)]


def test_a_pipe_that_somebody_else_holds_open_keeps_nobody_waiting() -> None:
    """A process may end and leave behind another one that inherited its end of the pipe."""
    here = os.getpid()

    def do(number: int) -> int:
        if os.getpid() != here:
            if os.fork() == 0:
                time.sleep(15)
            os._exit(0)
        time.sleep(0.05)
        return number

    started = time.monotonic()
    assert sorted(shared(do, 4, 2)) == [(n, n) for n in range(4)]
    assert time.monotonic() - started < 10
