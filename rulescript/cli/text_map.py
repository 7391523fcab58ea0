"""A map as text: each space where it lies, with what stands in it, so far as letters allow.

In come the names of spaces, their coordinates and a short text for each; out go lines. Spaces are put where their
coordinates say, scaled to the terminal; one that would cover another is moved to the nearest free place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulescript.cli.screen import width_of

__all__ = ["coordinates_of", "drawn_map"]

_COORDS = re.compile(r"(-?\d+(?:\.\d+)?)([NSns])\s+(-?\d+(?:\.\d+)?)([EWew])")


def coordinates_of(at: str) -> tuple[float, float] | None:
    """``48.9N 2.3E`` as how far to the right and how far down."""
    found = _COORDS.fullmatch(at.strip())
    if found is None:
        return None
    down = float(found[1]) * (-1 if found[2] in "Nn" else 1)
    right = float(found[3]) * (1 if found[4] in "Ee" else -1)
    return right, down


def drawn_map(
    spaces: Sequence[tuple[str, tuple[float, float]]], width: int, height: int
) -> list[list[tuple[int, int]]]:
    """Rows of (column, number of the space): where each text goes. As many rows as are needed, at least `height`."""
    if not spaces:
        return []
    xs, ys = [x for _, (x, _) in spaces], [y for _, (_, y) in spaces]
    left, wide = min(xs), max(max(xs) - min(xs), 1e-9)
    top, high = min(ys), max(max(ys) - min(ys), 1e-9)
    taken: dict[int, list[tuple[int, int]]] = {}
    placed: dict[int, list[tuple[int, int]]] = {}
    order = sorted(range(len(spaces)), key=lambda at: (spaces[at][1][1], spaces[at][1][0]))
    for at in order:
        text, (x, y) = spaces[at]
        length = width_of(text)
        column = round((x - left) / wide * max(0, width - 1)) - length // 2
        column = max(0, min(column, width - length))
        row, column = _free(taken, round((y - top) / high * (height - 1)), column, length, width)
        taken.setdefault(row, []).append((column, column + length))
        placed.setdefault(row, []).append((column, at))
    return [sorted(placed.get(row, [])) for row in range(max(placed) + 1)]


def _free(taken: dict[int, list[tuple[int, int]]], row: int, column: int, length: int, width: int) -> tuple[int, int]:
    """The free place nearest to where a text should go; rows count more than columns."""
    for distance in range(400):
        for down in range(-(distance // 6), distance // 6 + 1):
            aside = distance - abs(down) * 6
            for at in {column - aside, column + aside}:
                if row + down < 0 or at < 0 or at + length > max(width, length):
                    continue
                if all(at >= end + 2 or at + length + 2 <= begin for begin, end in taken.get(row + down, ())):
                    return row + down, at
    return max(taken, default=row) + 1, 0
