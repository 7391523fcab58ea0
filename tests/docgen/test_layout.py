"""Maps can be read: no box lies on another, labels fit their boxes, and what was near stays near."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulescript.docgen.layout import (
    CROWDED,
    LARGE,
    POSTS,
    Box,
    _company,
    _least_of_many,
    _least_scale,
    coordinates,
    lay_out,
)
from rulescript.docgen.maps import Scene, maps_of
from rulescript.docgen.svg import element, text_width, wrap
from rulescript.loader import bundled_games
from tests.docgen.conftest import subject

ROOT = Path(__file__).resolve().parents[2]
PLACES = [
    *bundled_games(),
    *(str(p.parent.relative_to(ROOT)) for p in sorted((ROOT / "tests" / "slices").glob("*/game.rules.md"))),
    "docs/cookbook/11-routes.rules.md",
    "docs/cookbook/35-variant",
]


def overlaps(boxes: list[Box]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, a in enumerate(boxes)
        for j, b in enumerate(boxes[:i])
        if a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom
    ]


@given(
    st.lists(
        st.tuples(
            st.floats(40, 160), st.floats(20, 90), st.none() | st.tuples(st.floats(-180, 180), st.floats(-80, 80))
        ),
        min_size=1,
        max_size=22,
    ),
    st.data(),
)
def test_no_box_lies_on_another_whatever_the_map(
    sizes: list[tuple[float, float, tuple[float, float] | None]], data: st.DataObject
) -> None:
    boxes = [Box(w, h, at) for w, h, at in sizes]
    number = st.integers(0, len(boxes) - 1)
    links = data.draw(st.lists(st.tuples(number, number), max_size=30))
    width, height = lay_out(boxes, links)
    assert not overlaps(boxes)
    assert all(b.left >= 0 and b.top >= 0 and b.right <= width and b.bottom <= height for b in boxes)


def names_in(picture: str) -> list[Box]:
    """Where the names of spaces stand, line by line."""
    return [
        Box(text_width(text, 13), 12, None, float(x), float(y) - 5)
        for x, y, text in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)" class="name">([^<]*)</text>', picture)
    ]


@pytest.mark.parametrize("name", PLACES)
def test_every_map_we_have_can_be_read(name: str) -> None:
    made = subject(name)
    for of in maps_of(made.model, made.folder_of):
        picture = of.draw(Scene("a map", "m"))
        assert picture == of.draw(Scene("a map", "m"))
        if of.ground is not None:
            assert not overlaps(names_in(picture))
            continue
        found = re.findall(
            r'<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)" rx="(?:0|6|18)" class="box', picture
        )
        ovals = re.findall(r'<ellipse cx="([\d.-]+)" cy="([\d.-]+)" rx="([\d.]+)" ry="([\d.]+)"', picture)
        assert len(found) + len(ovals) == len(of.spaces)
        boxes = [Box(2 * rx - 6, 2 * ry - 6, None, x, y) for x, y, rx, ry in (map(float, each) for each in ovals)]
        for x, y, w, h in (map(float, numbers) for numbers in found):
            boxes.append(Box(w, h, None, x + w / 2, y + h / 2))
        assert not overlaps(boxes)
        for x, y, text in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)" class="name">([^<]*)</text>', picture):
            home = [b for b in boxes if b.left <= float(x) <= b.right and b.top <= float(y) <= b.bottom]
            assert len(home) == 1
            assert text_width(text, 13) * 1.05 <= home[0].width, text


def test_what_lies_north_is_drawn_above() -> None:
    boxes = [
        Box(60, 30, coordinates(at)) for at in ("50.0N 1.0E", "40.0N 2.0E", "45.0N 20.0E", "44.0N 60.0W", "46.0N 9.0E")
    ]
    lay_out(boxes, [(0, 1), (1, 2), (3, 0), (2, 4)])
    assert boxes[0].y < boxes[1].y
    assert boxes[3].x < boxes[0].x < boxes[2].x


def test_an_ocean_needs_no_room() -> None:
    """Where two far-off places would squeeze all others into a corner, the gap is made narrow."""
    near = [Box(60, 30, (float(x), float(y))) for x in range(4) for y in range(4)]
    far = [Box(60, 30, (-150.0, 2.0))]
    lay_out([*near, *far], [])
    spread = max(b.x for b in near) - min(b.x for b in near)
    assert min(b.x for b in near) - far[0].x < spread


def test_a_large_map_keeps_its_places_when_something_stands_on_it() -> None:
    """It is laid out once; where boxes grow, those around them make room."""
    count = LARGE + 20
    links = [(i, (i + 1) % count) for i in range(count)] + [(i, i + 7) for i in range(0, count - 7, 5)]
    bare = [Box(56, 28) for _ in range(count)]
    lay_out(bare, links)
    full = [Box(110, 60) if i < 10 else Box(56, 28) for i in range(count)]
    width, height = lay_out(full, links, near=[(box.x, box.y) for box in bare])
    assert not overlaps(bare) and not overlaps(full)
    assert all(b.left >= 0 and b.top >= 0 and b.right <= width and b.bottom <= height for b in full)
    moved = sorted(math.hypot(a.x - b.x, a.y - b.y) for a, b in zip(bare, full, strict=True))
    assert moved[count // 2] < 60


def test_a_large_map_is_laid_out_by_what_is_near() -> None:
    """However many spaces there are, each finds its place by about as many others."""
    for count in (300, 1_200):
        links = [(i, (i + 1) % count) for i in range(count)]
        links += [(i, (i * 7 + 3) % count) for i in range(0, count, 5)]
        around = _company(count, links)
        assert max(map(len, around)) <= 3 * POSTS
        assert all((i, 1.0) in around[j] and (j, 1.0) in around[i] for i, j in links if i != j)
    alone = _company(LARGE + 30, [])
    assert {far for each in alone for _, far in each} == {2.0}


def test_a_large_map_is_as_large_as_the_exact_way_finds_it() -> None:
    boxes = [Box(60 + i % 5 * 8, 20 + i % 3 * 6) for i in range(LARGE)]
    homes = [(i * 37 % 101 * 3.0, i * 53 % 97 * 2.0) for i in range(LARGE)]
    exact = _least_scale(boxes, homes)
    quick = _least_of_many(boxes, homes, CROWDED * sum(box.height for box in boxes))
    assert quick == pytest.approx(exact, rel=0.02)


def test_coordinates() -> None:
    assert coordinates("48.9N 2.3E") == (2.3, -48.9)
    assert coordinates("10S 20.5W") == (-20.5, 10.0)
    assert coordinates("") is None


def test_texts_are_wrapped_and_cut() -> None:
    assert wrap("Kingdom of the Two Rivers", 13, 90) == ["Kingdom of", "the Two", "Rivers"]
    assert wrap("a b c d e f g h i j k l m n o p q r s", 13, 30, 2)[-1].endswith("…")
    assert wrap("", 13, 50) == [""]


def test_elements_escape_what_they_are_given() -> None:
    made = element("text", '<b> & "', class_='x" onclick="y', x=1.0)
    assert str(made) == '<text class="x&#34; onclick=&#34;y" x="1">&lt;b&gt; &amp; &#34;</text>'
