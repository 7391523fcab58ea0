"""The ground under a map whose coordinates are real: land and sea, and where on the picture a point of the globe lies.

A board is not drawn to scale: where many spaces lie close together it is larger, and an ocean without spaces is narrow.
So each axis is stretched by itself, smoothly and never backwards, by how many spaces lie near: `Projection` is the sum
of a little of the true scale and of as many soft steps as there are spaces. What is drawn on it (coasts, borders of
areas) is stretched in the same way, so that a space lies where it should on its land.

Coasts are those of Natural Earth, which are in the public domain, simplified (`data/land.json`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from rulescript.docgen.svg import number

__all__ = ["Point", "Projection", "Ring", "coasts", "mercator", "path_of"]

Point = tuple[float, float]
Ring = tuple[Point, ...]
# How much of each axis keeps its true scale, and how wide a step is against the whole.
TRUE = 0.34
STEP = 0.055
# What is farther away than so many steps comes to the same.
FAR = 300.0
# Polar lands would need room without end.
MOST_NORTH = 82.0
# A straight line on the globe is bent on the picture: no part of it may be longer than this, in degrees.
LONGEST = 1.5


def mercator(lon: float, lat: float) -> Point:
    """A point of the globe as (east, south), both in degrees; shapes keep their angles."""
    lat = max(-MOST_NORTH, min(MOST_NORTH, lat))
    return lon, -math.degrees(math.log(math.tan(math.pi / 4 + math.radians(lat) / 2)))


@frozen
class _Axis:
    """A smooth, rising function through the values of an axis: a part of it rises evenly, the rest by a soft step at
    each value. Such a step is 1 / (1 + e^((v - x) / soft)), and the power is made of one for `x` and one for `v`."""

    low: float
    span: float
    soft: float
    true: float
    powers: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> _Axis:
        low, high = min(values), max(values)
        span = max(high - low, 1e-6)
        soft = span * STEP
        # Spaces that stand exactly below each other are one step, not several.
        apart = sorted({round(v, 2) for v in values})
        # Where all are as good as one, there are no steps.
        powers = tuple([math.exp((v - low) / soft) for v in apart]) if len(apart) > 3 else ()
        return cls(low, span, soft, TRUE if powers else 1.0, powers)

    def at(self, value: float) -> float:
        far = value - self.low
        here = self.true * far / self.span
        if self.powers:
            power = math.exp(max(-FAR, min(FAR, -far / self.soft)))
            here += (1 - self.true) * sum([1 / (1 + power * each) for each in self.powers]) / len(self.powers)
        return here

    def steepness(self, value: float) -> float:
        far = self.span * 1e-4
        return (self.at(value + far) - self.at(value - far)) / (2 * far)


class Projection:
    """Where points of the globe lie on a picture: for the spaces at `points`, so wide that one of them is about as far
    from the next, on average, across as down."""

    def __init__(self, points: Sequence[Point]) -> None:
        flat = [mercator(*p) for p in points]
        self._x = _Axis.of([x for x, _ in flat])
        self._y = _Axis.of([y for _, y in flat])
        across = sum(self._x.steepness(x) for x, _ in flat) / len(flat)
        down = sum(self._y.steepness(y) for _, y in flat) / len(flat)
        # One part of the picture is as wide as it is high where the spaces are.
        self.ratio = down / across if across > 0 else 1.0
        self.scale = 1.0
        self.left = self.top = 0.0

    def __call__(self, lon: float, lat: float) -> Point:
        x, y = mercator(lon, lat)
        return (self._x.at(x) * self.ratio * self.scale - self.left, self._y.at(y) * self.scale - self.top)


@lru_cache(maxsize=1)
def coasts() -> tuple[tuple[Ring, ...], ...]:
    """All land, as polygons: an outline and its holes, in degrees east and north."""
    raw = json.loads((Path(__file__).resolve().parent / "data" / "land.json").read_text(encoding="utf-8"))
    return tuple(tuple(_ring(flat) for flat in polygon) for polygon in raw["land"])


def _ring(flat: Sequence[int]) -> Ring:
    x = y = 0
    points: list[Point] = []
    for at in range(0, len(flat), 2):
        x, y = x + flat[at], y + flat[at + 1]
        points.append((x / 50, y / 50))
    return tuple(points)


def _dense(ring: Ring) -> Iterable[Point]:
    """A ring with points along its long sides."""
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        yield a
        parts = math.ceil(max(abs(b[0] - a[0]), abs(b[1] - a[1])) / LONGEST)
        for part in range(1, parts):
            yield a[0] + (b[0] - a[0]) * part / parts, a[1] + (b[1] - a[1]) * part / parts


def path_of(polygons: Iterable[Sequence[Ring]], to: Projection, frame: tuple[float, float, float, float]) -> str:
    """Polygons of the globe as one path of SVG; what lies outside a frame (left, top, right, bottom) is left out, and
    what a reader could not see apart is drawn once."""
    left, top, right, bottom = frame
    parts: list[str] = []
    for polygon in polygons:
        for ring in polygon:
            # Far away is far away on the picture, too: most of the globe need not be looked at point by point.
            west, north = to(min(p[0] for p in ring), max(p[1] for p in ring))
            east, south = to(max(p[0] for p in ring), min(p[1] for p in ring))
            if east < left or west > right or south < top or north > bottom:
                continue
            points = _clipped([to(*p) for p in _dense(ring)], left, top, right, bottom)
            told: list[str] = []
            last: Point | None = None
            for x, y in points:
                if last is None or abs(x - last[0]) + abs(y - last[1]) >= 1.2:
                    told.append(f"{number(x)},{number(y)}")
                    last = (x, y)
            if len(told) > 2:
                parts.append(f"M{' '.join(told)}z")
    return "".join(parts)


def _clipped(points: list[Point], left: float, top: float, right: float, bottom: float) -> list[Point]:
    """A ring cut off at a frame (after Sutherland and Hodgman)."""
    for axis, limit, keeps_above in ((0, left, True), (0, right, False), (1, top, True), (1, bottom, False)):
        made: list[Point] = []
        for at, here in enumerate(points):
            before = points[at - 1]
            is_in = here[axis] >= limit if keeps_above else here[axis] <= limit
            was_in = before[axis] >= limit if keeps_above else before[axis] <= limit
            if is_in != was_in:
                share = (limit - before[axis]) / (here[axis] - before[axis])
                made.append((before[0] + (here[0] - before[0]) * share, before[1] + (here[1] - before[1]) * share))
            if is_in:
                made.append(here)
        points = made
        if not points:
            break
    return points
