"""Pictures of numbers, as SVG: bars with intervals, histograms, lines with bands. For any numbers; nothing is fetched.

Coordinates are those of a picture 420 wide, which a page shows as wide as it likes: small, so that its words are large
enough on a phone. Every picture has a title for who cannot see it; the numbers themselves stand in tables beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attrs import frozen
from markupsafe import Markup

from rulescript.docgen.svg import element, text_width, wrap
from rulescript.simulation.figures import Figure

__all__ = ["Line", "bars", "histogram", "lines"]

WIDTH = 420.0
SIZE = 14.0
COLOURS = 6


@frozen
class Line:
    """A row of points with their bands: where they are, how high, and from where to where most are."""

    label: str
    points: list[tuple[float, float, float, float]]


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from about `low` to about `high`."""
    if high <= low:
        high = low + 1
    step = 10 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 5, 10, 20):
        if (high - low) / (step * factor) <= most:
            step *= factor
            break
    first = math.floor(low / step) * step
    count = math.ceil((high - first) / step - 1e-9) + 1
    return [round(first + at * step, 10) for at in range(count)]


def told(value: float, is_share: bool = False, step: float = 1.0) -> str:
    """A number as finely as the steps of its axis are."""
    places = max(0, -math.floor(math.log10(step * (100 if is_share else 1)) + 1e-9))
    return f"{value:.{places}%}" if is_share else f"{value:,.{places}f}"


def _width(said: str) -> float:
    """How wide a text is at most: faces differ, and some words are bold."""
    return 1.18 * text_width(said, SIZE)


def picture(height: float, title: str, parts: Sequence[Markup]) -> Markup:
    inside = [element("title", title), *parts]
    return element("svg", inside, class_="plot", viewBox=f"0 0 {WIDTH:g} {height:g}", role="img", aria_label=title)


def _text(x: float, y: float, said: str, anchor: str = "start", class_: str = "") -> Markup:
    return element("text", said, x=x, y=y, text_anchor=anchor, class_=class_ or None)


def bars(rows: Sequence[tuple[str, Figure]], title: str, is_share: bool = True, colours: int = COLOURS) -> Markup:
    """A bar for each, with its interval as a whisker; in so many colours by turns."""
    labels = [wrap(label, SIZE, 112, 3) for label, _ in rows]
    left = min(150.0, max((_width(line) for lines in labels for line in lines), default=0) + 10)
    right, row = WIDTH - 46, 14.0 * max(map(len, labels)) + 14
    low = min([0.0, *(figure.low for _, figure in rows if math.isfinite(figure.low))])
    high = max([figure.high for _, figure in rows if math.isfinite(figure.high)], default=1.0)
    scale = ticks(low, high)
    height = row * len(rows) + 30

    def x(value: float) -> float:
        return left + (min(max(value, scale[0]), scale[-1]) - scale[0]) / (scale[-1] - scale[0]) * (right - left)

    parts = [_axis_x(scale, x, height - 24, 4.0, is_share)]
    for at, (_, figure) in enumerate(rows):
        y = row * at + (row - 20) / 2
        colour = f"p{at % colours}"
        start, end = sorted((x(0), x(figure.value)))
        parts.append(element("rect", x=start, y=y, width=max(1.0, end - start), height=20.0, class_=f"bar {colour}"))
        if math.isfinite(figure.low) and figure.low != figure.high:
            parts += _whisker(x(figure.low), x(figure.high), y + 10)
        for number, line in enumerate(labels[at]):
            parts.append(_text(left - 8, y + 15 + 13 * (number - (len(labels[at]) - 1) / 2), line, "end"))
        parts.append(_text(right + 8, y + 15, told(figure.value, is_share, 0.01), class_="value"))
    return picture(height, title, parts)


def _whisker(low: float, high: float, y: float) -> list[Markup]:
    ends = [element("line", x1=at, y1=y - 5, x2=at, y2=y + 5, class_="whisker") for at in (low, high)]
    return [element("line", x1=low, y1=y, x2=high, y2=y, class_="whisker"), *ends]


def _axis_x(scale: Sequence[float], x: object, bottom: float, top: float, is_share: bool) -> Markup:
    parts = []
    for value in scale:
        at = x(value)  # type: ignore[operator]
        parts.append(element("line", x1=at, y1=top, x2=at, y2=bottom, class_="grid"))
        parts.append(_text(at, bottom + 16, told(value, is_share, scale[1] - scale[0]), "middle", "tick"))
    return element("g", parts)


def histogram(counts: dict[int, int], title: str, axis: str, most: int = 30) -> Markup:
    """How often each number came; numbers that are many are put together."""
    if not counts:
        return Markup("")
    low, high = min(counts), max(counts)
    width = max(1, math.ceil((high - low + 1) / most))
    if width > 1:
        step = 10 ** math.floor(math.log10(width))
        width = next(int(step * factor) for factor in (1, 2, 5, 10) if step * factor >= width)
    first = low // width * width
    number = (high - first) // width + 1
    heights = [0] * number
    for value, count in counts.items():
        heights[(value - first) // width] += count
    total = sum(heights)
    left, right, top, bottom = 48.0, WIDTH - 12, 8.0, 190.0
    scale = ticks(0, max(heights) / total)
    step_x = (right - left) / number
    parts = [_axis_y(scale, lambda v: bottom - v / scale[-1] * (bottom - top), left, right, True)]
    for at, count in enumerate(heights):
        size = count / total / scale[-1] * (bottom - top)
        gap = 1.0 if step_x > 4 else 0.0
        at_x = left + at * step_x + gap / 2
        said = f"{first + at * width}" if width == 1 else f"{first + at * width} to {first + (at + 1) * width - 1}"
        tip = element("title", f"{said}: {count} games, {count / total:.1%}")
        parts.append(
            element("rect", [tip], x=at_x, y=bottom - size, width=max(0.6, step_x - gap), height=size, class_="bar p0")
        )
    longest = max(_width(str(first)), _width(str(high))) + 8
    every = max(1, math.ceil(number * longest / (right - left)))
    for at in range(0, number, every):
        parts.append(_text(left + (at + 0.5) * step_x, bottom + 16, str(first + at * width), "middle", "tick"))
    parts.append(_text((left + right) / 2, bottom + 34, axis, "middle", "axis"))
    return picture(bottom + 42, title, parts)


def _axis_y(scale: Sequence[float], y: object, left: float, right: float, is_share: bool) -> Markup:
    parts = []
    for value in scale:
        at = y(value)  # type: ignore[operator]
        parts.append(element("line", x1=left, y1=at, x2=right, y2=at, class_="grid"))
        parts.append(_text(left - 6, at + 4, told(value, is_share, scale[1] - scale[0]), "end", "tick"))
    return element("g", parts)


def lines(
    rows: Sequence[Line], title: str, axis: str, labels: Sequence[tuple[float, str]], is_share: bool = False
) -> Markup:
    """A line for each, with its band; `labels` are those along the axis."""
    points = [point for line in rows for point in line.points]
    if not points:
        return Markup("")
    lows = [p[2] for p in points if math.isfinite(p[2])] + [p[1] for p in points]
    highs = [p[3] for p in points if math.isfinite(p[3])] + [p[1] for p in points]
    scale = ticks(min(lows), max(highs))
    first, last = min(p[0] for p in points), max(p[0] for p in points)
    names = [wrap(line.label, SIZE, 86, 3) for line in rows]
    right = WIDTH - 10 - max(_width(line) for lines in names for line in lines)
    left, top, bottom = 48.0, 10.0, 240.0

    def x(value: float) -> float:
        return left + ((value - first) / (last - first) if last > first else 0.5) * (right - left)

    def y(value: float) -> float:
        value = min(max(value, scale[0]), scale[-1])
        return bottom - (value - scale[0]) / (scale[-1] - scale[0]) * (bottom - top)

    parts = [_axis_y(scale, y, left, right, is_share)]
    longest = max(_width(word) for _, said in labels for word in said.split() or [""])
    every = max(1, math.ceil(len(labels) * (longest + 10) / (right - left)))
    for value, said in labels[::every]:
        for number, word in enumerate(wrap(said, SIZE, longest, 2)):
            parts.append(_text(x(value), bottom + 17 + 14 * number, word, "middle", "tick"))
    bottom_text = bottom + 36 + (14 if any(len(said.split()) > 1 for _, said in labels) else 0)
    ends: list[tuple[float, int]] = []
    for at, line in enumerate(rows):
        colour = f"p{at % COLOURS}"
        upper = [f"{x(p[0]):.1f},{y(p[3]):.1f}" for p in line.points]
        lower = [f"{x(p[0]):.1f},{y(p[2]):.1f}" for p in reversed(line.points)]
        if len(line.points) > 1:
            parts.append(element("polygon", points=" ".join(upper + lower), class_=f"band {colour}"))
            path = " ".join(f"{x(p[0]):.1f},{y(p[1]):.1f}" for p in line.points)
            parts.append(element("polyline", points=path, class_=f"line {colour}"))
        for p in line.points:
            numbers = [told(value, is_share, (scale[1] - scale[0]) / 10) for value in p[1:]]
            tip = element("title", f"{line.label}: {numbers[0]} ({numbers[1]} to {numbers[2]})")
            parts.append(element("circle", [tip], cx=x(p[0]), cy=y(p[1]), r=2.6, class_=f"dot {colour}"))
        ends.append((y(line.points[-1][1]), at))
    # The names stand at the ends of their lines, and not over each other.
    placed = -math.inf
    for height, at in sorted(ends):
        placed = max(height, placed + 17)
        for number, said in enumerate(names[at]):
            parts.append(_text(right + 8, placed + 4 + 14 * number, said, class_=f"name p{at % COLOURS}"))
        placed += 14 * (len(names[at]) - 1)
    parts.append(_text((left + right) / 2, bottom_text, axis, "middle", "axis"))
    return picture(max(bottom_text + 8, placed + 16), title, parts)
