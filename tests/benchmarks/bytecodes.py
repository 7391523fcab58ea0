"""How many instructions of Python's own a decision takes: the same on every machine, however busy it is.

What C does inside one of them is not seen, so it tells which way play goes, not how long it takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["bytecodes"]


def bytecodes(play: Callable[[], int]) -> float:
    """Instructions for each decision, of play that says how many decisions there were."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            count += 1
        return trace

    sys.settrace(trace)
    try:
        decisions = play()
    finally:
        sys.settrace(None)
    return count / decisions
