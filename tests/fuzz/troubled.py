"""A worker that fails in every way, for the test of the fuzzer. (Here, so that other processes can import
it.)"""

from __future__ import annotations

import os
import time
from typing import Any


def some_trouble(seed: int, start: int, count: int, every: int, at: Any, pipe: Any) -> None:
    """A worker that hangs at its third text, dies at its fifth, and finds the seventh faulty."""
    for number in range(start, count):
        at.value = number
        if number == 2:
            time.sleep(1000)
        if number == 4:
            os._exit(3)
        pipe.send((number, "played", "oh dear" if number == 6 else "", "some text"))
    pipe.send(None)
