"""Names of loops that are over before anybody is asked (see `passing_slots`).

A rule's own names have slots in the state, because play may wait while they are bound. The name of a loop in which
nobody is asked has one too, and what it held last stays there when the loop is over. Nothing reads it: it says nothing
about the position, and another form of the code need not leave the same behind. So it is no part of what a position is
known by (`Position.state_hash`), nor of a save."""

from __future__ import annotations

import re

__all__ = ["passing_slots"]

_SLOT = re.compile(r"S\[(\d+)\]")
_LOOP = re.compile(r"for S\[(\d+)\] in ")


def passing_slots(text: str, first: int) -> list[int]:
    """The slots, from the `first` of a rule's own names on, that a loop of Python's sets and that are used inside such
    loops alone."""
    inside: set[str] = set()
    outside: set[str] = set()
    loops: list[tuple[int, str]] = []
    for line in text.splitlines():
        written = line.lstrip(" ")
        indent = len(line) - len(written)
        while loops and loops[-1][0] >= indent:
            loops.pop()
        loop = _LOOP.match(written)
        used = _SLOT.findall(written, loop.end() if loop else 0)
        if used:
            bound = {slot for _, slot in loops}
            inside.update(bound.intersection(used))
            outside.update(slot for slot in used if slot not in bound)
        if loop:
            inside.add(loop[1])
            loops.append((indent, loop[1]))
    return sorted(slot for slot in map(int, inside - outside) if slot >= first)
