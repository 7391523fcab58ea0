"""Where the spaces of a map are drawn: from their coordinates, or from the links alone.

In come boxes with a size, perhaps a place on the globe, and links; out go positions such that no box lies on another
and few links run under a box they do not belong to. Nothing is left to chance: the same map is laid out the same way
everywhere.

Three ideas. Far-off corners of a world map are brought nearer, because an ocean without spaces needs no room: no gap
between neighbours along an axis may be much wider than the others. A map without coordinates is drawn so that spaces
are as far apart as they are steps apart (stress majorization). And boxes that overlap are pushed apart along the
shorter way, again and again, until none do.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from attrs import define

__all__ = ["LARGE", "Box", "Point", "coordinates", "fit", "lay_out"]

MARGIN_X, MARGIN_Y = 34.0, 30.0
Point = tuple[float, float]
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([NSEWnsew])")


@define
class Box:
    """Something to be placed: its size, and its middle once it has a place."""

    width: float
    height: float
    at: tuple[float, float] | None = None
    x: float = 0.0
    y: float = 0.0

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2


def coordinates(text: str) -> tuple[float, float] | None:
    """``48.9N 2.3E`` as (east, south); None if it says nothing."""
    east: float | None = None
    south: float | None = None
    for number, letter in _NUMBER.findall(text):
        value = float(number)
        match letter.upper():
            case "N":
                south = -value
            case "S":
                south = value
            case "E":
                east = value
            case "W":
                east = -value
    return (east, south) if east is not None and south is not None else None


# A map with more spaces is laid out by what is near each of them, so that the work does not grow with their square.
LARGE = 120
# By so many of its spaces, far and wide, the others find their places.
POSTS = 40
# A map with more than so many is laid out in fewer rounds: of thousands of names on a page nobody reads a shape.
HUGE = 800


def _rounds(usual: int, count: int) -> int:
    """How often all boxes of a map are looked at."""
    return usual if count <= HUGE else max(4, usual * HUGE // count)


def lay_out(
    boxes: Sequence[Box],
    links: Sequence[tuple[int, int]],
    aspect: float = 1.5,
    near: Sequence[Point] | None = None,
) -> tuple[float, float]:
    """Give every box its place; the size of the whole drawing comes back. With `near`, as close as can be to where the
    boxes stand on another drawing of the map."""
    sizes = tuple((box.width, box.height, box.at) for box in boxes)
    places, size = _laid_out(sizes, tuple(links), aspect, None if near is None else tuple(near))
    for box, (x, y) in zip(boxes, places, strict=True):
        box.x, box.y = x, y
    return size


@lru_cache(maxsize=256)  # a position before and after a move, and many examples on one map, are laid out alike
def _laid_out(
    sizes: tuple[tuple[float, float, Point | None], ...],
    links: tuple[tuple[int, int], ...],
    aspect: float,
    near: tuple[Point, ...] | None,
) -> tuple[tuple[Point, ...], Point]:
    """The middles of boxes of some sizes, and the size of the drawing."""
    if not sizes:
        return (), (0.0, 0.0)
    boxes = [Box(*size) for size in sizes]
    if near is not None:
        for box, (x, y) in zip(boxes, near, strict=True):
            box.x, box.y = x, y
    else:
        known = [i for i, box in enumerate(boxes) if box.at is not None]
        if len(known) * 2 > len(boxes) and len(known) > 1:
            _from_coordinates(boxes, links, known)
        else:
            _from_links(boxes, links, aspect)
        _scale(boxes, aspect)
        _relax(boxes, links)
    _separate(boxes, MARGIN_X * 0.85, MARGIN_Y * 0.85)
    size = _settle(boxes)
    return tuple((box.x, box.y) for box in boxes), size


# ------------------------------------------------------------------ places that are given

# Between names that stand on a ground, and how much of a name's size may lie on others before the ground is too small.
NARROW_X, NARROW_Y = 6.0, 4.0
CROWDED = 0.1


def fit(boxes: Sequence[Box], homes: Sequence[Point], at: float | None = None) -> tuple[float, tuple[Point, ...]]:
    """How many times as large a ground with boxes at `homes` must be for the boxes to stand close to where they
    belong, and where they then stand, none on another; for a given size if there is one."""
    sizes = tuple((box.width, box.height) for box in boxes)
    return _fitted(sizes, tuple(homes), at)


@lru_cache(maxsize=256)
def _fitted(
    sizes: tuple[tuple[float, float], ...], homes: tuple[Point, ...], at: float | None
) -> tuple[float, tuple[Point, ...]]:
    boxes = [Box(*size) for size in sizes]
    if at is None:
        at = _least_scale(boxes, homes)
    there = [(x * at, y * at) for x, y in homes]
    for box, (x, y) in zip(boxes, there, strict=True):
        box.x, box.y = x, y
    for _ in range(60):
        for box, (x, y) in zip(boxes, there, strict=True):
            box.x += (x - box.x) * 0.1
            box.y += (y - box.y) * 0.1
        if not _push(boxes, 0.5, NARROW_X, NARROW_Y):
            break
    _separate(boxes, 2.0, 1.0)
    return at, tuple((round(box.x, 1), round(box.y, 1)) for box in boxes)


def _least_scale(boxes: Sequence[Box], homes: Sequence[Point]) -> float:
    """The smallest size at which few boxes lie on others."""
    allowed = CROWDED * sum(box.height for box in boxes)
    if len(boxes) > LARGE:
        return _least_of_many(boxes, homes, allowed)
    pairs: list[tuple[float, float, float]] = []
    for i, (a, (ax, ay)) in enumerate(zip(boxes, homes, strict=True)):
        for b, (bx, by) in zip(boxes[i + 1 :], homes[i + 1 :], strict=True):
            wide, high = (a.width + b.width) / 2 + NARROW_X, (a.height + b.height) / 2 + NARROW_Y
            dx, dy = abs(ax - bx), abs(ay - by)
            # From this size on the two are apart, across or down.
            free = min(wide / dx if dx > 1e-9 else math.inf, high / dy if dy > 1e-9 else math.inf)
            pairs.append((free, dy, high))
    if not pairs:
        return 1.0
    sizes = sorted(free for free, _, _ in pairs if free < math.inf) or [1.0]
    low, high = 0, len(sizes) - 1
    while low < high:
        middle = (low + high) // 2
        scale = sizes[middle]
        over = sum(max(0.0, high_ - dy * scale) for free, dy, high_ in pairs if free > scale * (1 + 1e-9))
        if over <= allowed:
            high = middle
        else:
            low = middle + 1
    return sizes[low]


def _least_of_many(boxes: Sequence[Box], homes: Sequence[Point], allowed: float) -> float:
    """The same for a large map, nearly: at each size that is tried, a box is only compared with those beside it."""
    order = sorted(range(len(boxes)), key=lambda i: homes[i])
    widest = max(box.width for box in boxes) + NARROW_X

    def is_crowded(scale: float) -> bool:
        over = 0.0
        for at, i in enumerate(order, 1):
            a, (ax, ay) = boxes[i], homes[i]
            for j in map(order.__getitem__, range(at, len(order))):
                dx = (homes[j][0] - ax) * scale
                if dx >= widest:
                    break
                b = boxes[j]
                if dx < (a.width + b.width) / 2 + NARROW_X:
                    over += max(0.0, (a.height + b.height) / 2 + NARROW_Y - abs(homes[j][1] - ay) * scale)
                    if over > allowed:
                        return True
        return False

    low, high = 0.0, 1.0
    while is_crowded(high) and high < 1e6:
        low, high = high, high * 2
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if is_crowded(middle) else (low, middle)
    return high


# ------------------------------------------------------------------ first places


def _from_coordinates(boxes: Sequence[Box], links: Sequence[tuple[int, int]], known: Sequence[int]) -> None:
    points = [box.at for box in boxes if box.at is not None]
    mean = sum(y for _, y in points) / len(points)
    narrow = max(0.35, math.cos(math.radians(min(80.0, abs(mean)))))
    xs = _evened(_without_deserts([x * narrow for x, _ in points]))
    ys = _evened(_without_deserts([y for _, y in points]))
    for i, x, y in zip(known, xs, ys, strict=True):
        boxes[i].x, boxes[i].y = x, y
    near: dict[int, list[int]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    placed = set(known)
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    spread = max(max(xs) - min(xs), max(ys) - min(ys), 1.0)
    for i, box in enumerate(boxes):
        if i in placed:
            continue
        around = [boxes[j] for j in near.get(i, []) if j in placed]
        box.x = sum(b.x for b in around) / len(around) if around else middle[0]
        box.y = sum(b.y for b in around) / len(around) if around else middle[1]
        # Two that have the same neighbours must not begin at the same point.
        angle = 2.4 * i
        box.x += math.cos(angle) * spread * 0.03
        box.y += math.sin(angle) * spread * 0.03
        placed.add(i)


def _without_deserts(values: Sequence[float]) -> list[float]:
    """The same values with wide gaps between neighbours made narrower."""
    order = sorted(set(values))
    gaps = [b - a for a, b in zip(order, order[1:], strict=False)]
    if len(gaps) < 4:
        return list(values)
    usual = sorted(gaps)[: max(1, len(gaps) * 9 // 10)]
    mean = sum(usual) / len(usual)
    widest = 3 * mean
    moved = {order[0]: 0.0}
    here = 0.0
    for value, gap in zip(order[1:], gaps, strict=True):
        # An ocean is still wider than a strait, but not by as much as it is.
        here += min(gap, widest + 0.5 * mean * math.log1p(max(0.0, gap - widest) / mean))
        moved[value] = here
    return [moved[value] for value in values]


def _evened(values: Sequence[float], share: float = 0.5) -> list[float]:
    """Values moved part of the way to where they would be if all were equally far apart: crowds get more room, and
    nobody changes places with a neighbour."""
    order = sorted(set(values))
    low, high = order[0], order[-1]
    if len(order) < 3:
        return list(values)
    rank = {value: at / (len(order) - 1) for at, value in enumerate(order)}
    return [(1 - share) * value + share * (low + rank[value] * (high - low)) for value in values]


def _neighbours(count: int, links: Sequence[tuple[int, int]]) -> list[list[int]]:
    near: list[dict[int, None]] = [{} for _ in range(count)]
    for a, b in links:
        near[a][b] = near[b][a] = None
    return [list(each) for each in near]


def _steps(start: int, near: Sequence[Sequence[int]], most: float = math.inf) -> dict[int, float]:
    """How many links away from one the others are, as far as they can be reached; at most so many of the nearest."""
    steps = {start: 0.0}
    waiting = deque([start])
    while waiting and len(steps) < most:
        here = waiting.popleft()
        for other in near[here]:
            if other not in steps:
                steps[other] = steps[here] + 1
                waiting.append(other)
    return steps


def _company(count: int, links: Sequence[tuple[int, int]]) -> list[list[tuple[int, float]]]:
    """For each, those by whose distance its place is found, and how many links away they are; parts that are not linked
    are a little further apart than the furthest. On a large map it is those that are near, and some that all have in
    common, so that the work does not grow with the square of the spaces."""
    near = _neighbours(count, links)
    posts = range(count) if count <= LARGE else range(0, count, count // POSTS)
    seen = {post: _steps(post, near) for post in posts}
    apart = max(1.0, *(max(steps.values()) for steps in seen.values())) / 2 + 1.5
    out: list[list[tuple[int, float]]] = []
    for one in range(count):
        wanted = {post: steps.get(one, apart) for post, steps in seen.items()}
        if count > LARGE:
            wanted |= {other: far for other, far in _steps(one, near, POSTS).items() if far <= 3}
        wanted.pop(one, None)
        out.append(sorted(wanted.items()))
    return out


def _from_links(boxes: Sequence[Box], links: Sequence[tuple[int, int]], aspect: float) -> None:
    count = len(boxes)
    for i, box in enumerate(boxes):  # in declared order around an oval
        angle = 2 * math.pi * i / count
        box.x, box.y = math.cos(angle) * count / 4 * aspect, math.sin(angle) * count / 4
    if count < 3:
        for i, box in enumerate(boxes):
            box.x, box.y = float(i), 0.0
        return
    company = _company(count, links)
    for _ in range(_rounds(60, count) if count > 80 else 150):
        for box, around in zip(boxes, company, strict=True):
            total = x = y = 0.0
            for j, wanted in around:
                other = boxes[j]
                weight = 1 / (wanted * wanted)
                dx, dy = box.x - other.x, box.y - other.y
                now = math.hypot(dx, dy) or 1e-6
                x += weight * (other.x + dx * wanted / now)
                y += weight * (other.y + dy * wanted / now)
                total += weight
            box.x, box.y = x / total, y / total
    _turn(boxes)


def _turn(boxes: Sequence[Box]) -> None:
    """Lay the longer axis of a cloud of points across the page, the first box to the left and above."""
    mx, my = sum(b.x for b in boxes) / len(boxes), sum(b.y for b in boxes) / len(boxes)
    xx = sum((b.x - mx) ** 2 for b in boxes)
    yy = sum((b.y - my) ** 2 for b in boxes)
    xy = sum((b.x - mx) * (b.y - my) for b in boxes)
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    cos, sin = math.cos(-angle), math.sin(-angle)
    for b in boxes:
        dx, dy = b.x - mx, b.y - my
        b.x, b.y = dx * cos - dy * sin, dx * sin + dy * cos
    if boxes[0].x > 1e-9:
        for b in boxes:
            b.x = -b.x
    if boxes[0].y > 1e-9:
        for b in boxes:
            b.y = -b.y


def _scale(boxes: Sequence[Box], aspect: float) -> None:
    """Stretch the drawing so that there is room for all boxes."""
    left, right = min(b.x for b in boxes), max(b.x for b in boxes)
    top, bottom = min(b.y for b in boxes), max(b.y for b in boxes)
    need = sum((b.width + MARGIN_X) * (b.height + MARGIN_Y) for b in boxes) * 2.1
    wide, high = max(right - left, 1e-9), max(bottom - top, 1e-9)
    shape = min(max(wide / high, aspect * 0.6), aspect * 1.5)
    width = math.sqrt(need * shape)
    height = need / width
    for b in boxes:
        b.x = (b.x - left) / wide * width if right > left else 0.0
        b.y = (b.y - top) / high * height if bottom > top else 0.0


# ------------------------------------------------------------------ making room


def _relax(boxes: Sequence[Box], links: Sequence[tuple[int, int]]) -> None:
    """Push boxes apart, and out of the way of links that are not theirs, without losing the shape of the map."""
    count = len(boxes)
    homes = [(b.x, b.y) for b in boxes]
    edges = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    rounds = 140 if count <= 60 else _rounds(70, count)
    for step in range(rounds):
        pull = 0.12 * (1 - 0.8 * step / rounds)
        for box, (hx, hy) in zip(boxes, homes, strict=True):
            box.x += (hx - box.x) * pull
            box.y += (hy - box.y) * pull
        _push(boxes, 0.5, MARGIN_X, MARGIN_Y)
        if count <= LARGE:
            for a, b in edges:
                _clear_line(boxes, boxes[a], boxes[b])
        elif step % 7 == 0:
            _clear_lines(boxes, edges)


def _push(boxes: Sequence[Box], share: float, margin_x: float, margin_y: float) -> bool:
    """Move each pair that overlaps, or is closer than the margins, apart along the shorter way; whether there was any.

    On a large map, from left to right, each with those that begin before it ends."""
    moved = False
    xs, ys = [box.x for box in boxes], [box.y for box in boxes]
    widths, heights = [box.width for box in boxes], [box.height for box in boxes]
    order, reach = list(range(len(boxes))), math.inf
    if len(boxes) > LARGE:
        order.sort(key=xs.__getitem__)
        reach = (max(widths) + margin_x) * 1.5
    for at, i in enumerate(order, 1):
        x, y, width, height = xs[i], ys[i], widths[i], heights[i]
        # A slice is quick, but as long as the map.
        for j in order[at:] if reach == math.inf else map(order.__getitem__, range(at, len(order))):
            dx = xs[j] - x
            if dx > reach:
                break
            over_x = (width + widths[j]) / 2 + margin_x - abs(dx)
            if over_x <= 0.01:
                continue
            dy = ys[j] - y
            over_y = (height + heights[j]) / 2 + margin_y - abs(dy)
            if over_y <= 0.01:
                continue
            moved = True
            if over_x * 0.8 < over_y:
                way = (over_x * share) * (1 if dx >= 0 else -1)
                x -= way
                xs[j] += way
            else:
                way = (over_y * share) * (1 if dy >= 0 else -1)
                y -= way
                ys[j] += way
        xs[i], ys[i] = x, y
    for box, x, y in zip(boxes, xs, ys, strict=True):
        box.x, box.y = x, y
    return moved


def _clear_line(boxes: Sequence[Box], a: Box, b: Box) -> None:
    """Nudge boxes away from the straight line between two others if they lie on it."""
    ax, ay = a.x, a.y
    dx, dy = b.x - ax, b.y - ay
    length = math.hypot(dx, dy)
    if length < 1:
        return
    square, twice = length * length, 2 * length
    wide, high = abs(dx), abs(dy)
    for box in boxes:
        bx, by = box.x - ax, box.y - ay
        along = (bx * dx + by * dy) / square
        if not 0.05 < along < 0.95 or box is a or box is b:
            continue
        off = (bx * dy - by * dx) / length
        # How far the box reaches across the line.
        reach = (high * box.width + wide * box.height) / twice + 8
        if abs(off) >= reach:
            continue
        way = (reach - abs(off)) * 0.12 * (1 if off >= 0 else -1)
        box.x += dy / length * way
        box.y -= dx / length * way


def _clear_lines(boxes: Sequence[Box], edges: Sequence[tuple[int, int]]) -> None:
    """The same for all lines of a large map: each looks only at the boxes that lie beside it."""
    order = sorted(boxes, key=lambda box: box.x)
    xs = [box.x for box in order]
    widest = max(box.width for box in boxes)
    for a, b in edges:
        one, other = boxes[a], boxes[b]
        first = bisect_left(xs, min(one.x, other.x) - widest)
        last = bisect_right(xs, max(one.x, other.x) + widest)
        _clear_line(order[first:last], one, other)


def _separate(boxes: Sequence[Box], margin_x: float, margin_y: float) -> None:
    """The last word: no box on another."""
    for _ in range(400 if len(boxes) <= LARGE else _rounds(60, len(boxes))):
        if not _push(boxes, 0.52, margin_x, margin_y):
            return
    # Should pushing ever go round in circles: rows from top to bottom, each box below those in its columns.
    wide = max(box.width for box in boxes) + MARGIN_X / 2
    columns: dict[int, list[int]] = {}
    for i, box in enumerate(boxes):
        columns.setdefault(int(box.x // wide), []).append(i)
    for box in sorted(boxes, key=lambda b: (b.y, b.x)):
        at = int(box.x // wide)
        for i in sorted(i for column in (at - 1, at, at + 1) for i in columns.get(column, ())):
            other = boxes[i]
            if other is not box and abs(other.x - box.x) < (other.width + box.width) / 2 + MARGIN_X / 2:
                if 0 <= box.y - other.y < (other.height + box.height) / 2 + MARGIN_Y / 2:
                    box.y = other.y + (other.height + box.height) / 2 + MARGIN_Y / 2


def _settle(boxes: Sequence[Box], edge: float = 26.0) -> tuple[float, float]:
    """Move everything so that the drawing begins in its corner; its size."""
    left, top = min(b.left for b in boxes) - edge, min(b.top for b in boxes) - edge
    for box in boxes:
        box.x = round(box.x - left, 1)
        box.y = round(box.y - top, 1)
    return (round(max(b.right for b in boxes) + edge), round(max(b.bottom for b in boxes) + edge))
