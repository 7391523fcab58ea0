"""Lines of a map run under no space that is not theirs: they are bent, or led around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from attrs import evolve

from rulescript.analysis.analyse import analyse
from rulescript.diagnostics import Reporter
from rulescript.docgen.layout import Box, Point
from rulescript.docgen.maps import Scene, _around, _curve, _detour, _sides, _ways, maps_of
from rulescript.loader import load_text
from tests.docgen.conftest import CARDS, LAKES

STEPS = 40


def points(d: str) -> Iterator[Point]:
    """Points along a path of straight lines and curves."""
    here: Point = (0.0, 0.0)
    for form, said in re.findall(r"([MLQ])([^MLQ]*)", d):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", said)]
        (*control, to) = list(zip(numbers[::2], numbers[1::2], strict=True))
        if form != "M":
            through = control[0] if control else ((here[0] + to[0]) / 2, (here[1] + to[1]) / 2)
            for step in range(STEPS + 1):
                t = step / STEPS
                x, y = (
                    (1 - t) ** 2 * a + 2 * t * (1 - t) * c + t * t * b
                    for a, c, b in zip(here, through, to, strict=True)
                )
                yield x, y
        here = to


def under(d: str, boxes: list[Box]) -> list[int]:
    return [
        i
        for i, box in enumerate(boxes)
        if any(box.left < x < box.right and box.top < y < box.bottom for x, y in points(d))
    ]


@pytest.mark.parametrize("game", ["quartermaster_general_1914", str(LAKES), str(CARDS)])
def test_no_line_runs_under_a_space_that_is_not_its_own(game: str) -> None:
    """As diagrams, also those that are drawn with outlines: there lines lead from name to name."""
    model = analyse(load_text(game, Reporter()), (), "", Reporter())
    assert model is not None
    for of in maps_of(evolve(model, maps=[evolve(each, drawn=()) for each in model.maps])):
        svg = str(of.draw(Scene("A map", "m")))
        drawn = re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" rx="\d+" class="box[^"]*"', svg)
        boxes = [Box(w, h, None, x + w / 2, y + h / 2) for x, y, w, h in (map(float, each) for each in drawn)]
        assert len(boxes) == len(of.spaces)
        lines = re.findall(r'<path d="([^"]*)" class="link', svg)
        assert len(lines) == len(of.links)
        for link, line in zip(of.links, lines, strict=True):
            assert set(under(line, boxes)) <= {link.a, link.b}, (of.spaces[link.a].name, of.spaces[link.b].name)


def test_a_line_goes_around_what_no_bend_gets_past() -> None:
    left, right = Box(60, 30, None, 0, 0), Box(60, 30, None, 600, 0)
    wall, other = Box(40, 1200, None, 300, 100), Box(60, 30, None, 300, -560)
    boxes = [left, right, wall, other]
    (way,) = _ways(tuple((b.x, b.y, b.width, b.height) for b in boxes), ((0, 1, 0),))
    assert isinstance(way, tuple) and len(way) >= 2
    line = _detour(left, right, way)
    assert under(line, [wall, other]) == []
    assert under(_curve(left, right, 0.0), [wall, other]) == [0]


def test_lines_between_the_same_two_lie_apart() -> None:
    boxes = ((0.0, 0.0, 60.0, 30.0), (600.0, 0.0, 60.0, 30.0), (300.0, 0.0, 40.0, 1400.0))
    first, second = _ways(boxes, ((0, 1, 0), (0, 1, 1)))
    assert isinstance(first, tuple) and isinstance(second, tuple) and first != second


def test_where_there_is_no_way_there_is_none() -> None:
    ring = [
        _sides(Box(wide, high, None, x, y))
        for wide, high, x, y in ((300, 20, 0, -100), (300, 20, 0, 100), (20, 300, -100, 0), (20, 300, 100, 0))
    ]
    assert _around((0.0, 0.0), (500.0, 0.0), ring, 12.0, 3) is None
    assert _around((300.0, 0.0), (500.0, 0.0), ring, 12.0, 3) == ()
