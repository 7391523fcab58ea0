"""Shares, means and differences, each with the interval in which the true number lies nineteen times out of twenty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

__all__ = ["Figure", "difference", "interval", "mean", "quantile", "share"]

Z = 1.96


@frozen
class Figure:
    """A number and its interval; of how many games."""

    value: float
    low: float
    high: float
    games: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": round(self.value, 4),
            "interval": [round(self.low, 4), round(self.high, 4)],
            "games": self.games,
        }


def interval(wins: float, games: int) -> tuple[float, float]:
    """Between which shares the true one lies (Wilson's interval)."""
    if not games:
        return 0.0, 1.0
    share = wins / games
    middle = share + Z * Z / (2 * games)
    spread = Z * math.sqrt(max(0.0, share * (1 - share)) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def share(wins: float, games: int) -> Figure:
    """How large a part it is."""
    return Figure(wins / games if games else 0.0, *interval(wins, games), games)


def mean(games: int, total: float, squares: float) -> Figure:
    """The mean of so many numbers, from their sum and that of their squares. Of a single one nothing more is known."""
    if not games:
        return Figure(0.0, 0.0, 0.0, 0)
    middle = total / games
    if games == 1:
        return Figure(middle, -math.inf, math.inf, 1)
    variance = max(0.0, squares - total * total / games) / (games - 1)
    spread = Z * math.sqrt(variance / games)
    return Figure(middle, middle - spread, middle + spread, games)


def difference(one: tuple[int, float, float], other: tuple[int, float, float]) -> Figure:
    """How much the mean of some numbers is above that of others, which have nothing to do with them; each is given as
    how many, their sum, and that of their squares."""
    a, b = mean(*one), mean(*other)
    if a.games < 2 or b.games < 2:
        return Figure(a.value - b.value, -math.inf, math.inf, min(a.games, b.games))
    spread = math.hypot(a.high - a.value, b.high - b.value)
    # Where all came out alike the spread would be nothing: then as much is in doubt as one game can tell.
    spread = max(spread, 1 / min(a.games, b.games))
    return Figure(a.value - b.value, a.value - b.value - spread, a.value - b.value + spread, min(a.games, b.games))


def paired(differences: Iterable[float]) -> Figure:
    """The mean of differences between pairs."""
    count, total, squares = 0, 0.0, 0.0
    for each in differences:
        count += 1
        total += each
        squares += each * each
    found = mean(count, total, squares)
    if count > 1 and found.low == found.high:
        # All pairs differ alike, mostly not at all: the next might not (three in so many, as one says).
        return Figure(found.value, found.value - 3 / count, found.value + 3 / count, count)
    return found


def quantile(counts: Mapping[int, int], part: float) -> float:
    """The number below which a part of all lie, from how often each was there."""
    total = sum(counts.values())
    if not total:
        return 0.0
    place = part * (total - 1)
    seen = 0
    ordered = sorted(counts.items())
    for at, (number, count) in enumerate(ordered):
        seen += count
        if seen > place:
            below = place - (seen - 1)
            if below > 0 and at + 1 < len(ordered):
                return number + below * (ordered[at + 1][0] - number)
            return float(number)
    return float(ordered[-1][0])
