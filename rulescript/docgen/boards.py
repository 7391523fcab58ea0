"""A map on several sheets of paper: the board of a kit, to be glued, and the plates of a rulebook.

The board is the map of the site, drawn anew with room for counters in every space and every field of a track, and cut
into sheets. A sheet goes on a little where the next one begins, so that the two can be laid over each other. In the
rulebook a map whose names would be too small between the margins has pages of its own, as many as it needs.
"""

from __future__ import annotations

import math
from itertools import product

from attrs import evolve, frozen
from markupsafe import Markup

from rulescript.docgen.maps import LABEL, Map, Scene
from rulescript.docgen.svg import element, number, text_width

__all__ = ["Board", "Tile", "board_of", "plates_of"]

# A counter of a board, in the measure that maps are drawn in.
COUNTER = 56.0
# How much of a sheet, in millimetres, is seen again on the next one.
OVERLAP = 8.0
# A board may be so much smaller than counters would like where that saves sheets, or larger where there is room, in %.
LEAST, MOST = 88, 125
# In a book: how small a name may be, in points; how wide the names of spaces are, in millimetres, so that each is
# whole on one page; how many pages a map may have in a row; what a page has around the map, across and down; and
# between which margins its text stands.
LEAST_NAME = 5.0
NAME = 14.0
MOST_PLATES = 3
AROUND, ABOVE = 16.0, 39.0
TEXT, TALL = 32.0, 225.0
POINT = 72 / 25.4
# Above the map stand its title and, in lines of so many millimetres and letters of so many points, its legend; what a
# sign takes, and what is between two of them.
HEAD, LEGEND_LINE, LEGEND_SIZE, SIGN = 11.0, 3.6, 7.5, 11.0
# How the picture of the whole shows the sheets.
# No `opacity` for a text: what makes the PDF cuts off what lies before its anchor.
LINE, NUMBER = "fill:none;stroke:#7a2613;stroke-width:6", "fill:#7a2613;fill-opacity:.75;font-weight:700"


@frozen
class Tile:
    """One sheet of a board: its number, where it lies, and what of the board it shows."""

    number: int
    row: int
    column: int
    picture: Markup


@frozen
class Board:
    """A map to be glued. Sizes are in millimetres; a sheet is used on its side where that saves sheets."""

    map: Map
    # The whole, drawn once; and what refers to it, on every sheet.
    definition: Markup
    everything: Markup
    overview: Markup
    tiles: list[Tile]
    columns: int
    rows: int
    paper: tuple[float, float]
    margin: float
    # How large the picture on a sheet is, and what stands above it.
    size: tuple[float, float] = (0.0, 0.0)
    head: float = 0.0

    @property
    def across(self) -> list[list[float]]:
        """For each column, where to cut: at its left, and where the next sheet comes to lie."""
        return [self._cuts(column, self.columns, self.paper[0]) for column in range(self.columns)]

    @property
    def down(self) -> list[list[float]]:
        return [self._cuts(row, self.rows, self.paper[1]) for row in range(self.rows)]

    def _cuts(self, at: int, of: int, size: float) -> list[float]:
        return [self.margin, size - self.margin - (OVERLAP if at < of - 1 else 0.0)]


def board_of(of: Map, paper: tuple[float, float], margin: float, counter: float) -> Board:
    """The board of a map, for counters of a size in millimetres."""
    ident = f"board-{of.anchor}"
    scene = Scene(of.title, ident, has_links=False, counter=COUNTER)
    parts, (left, top, width, height) = of.composed(scene, range(len(of.spaces)), True)
    scale, columns, rows, paper = _cut(width, height, counter / COUNTER, paper, margin)
    wide, high = ((size - 2 * margin) / scale for size in paper)
    step_x, step_y = wide - OVERLAP / scale, high - OVERLAP / scale
    # What is left over goes to both sides.
    left -= ((columns - 1) * step_x + wide - width) / 2
    top -= ((rows - 1) * step_y + high - height) / 2
    everything = element("use", href=f"#{ident}")
    tiles = _tiles(everything, of.title, (left, top), (step_x, step_y), (wide, high), columns, rows)
    lines: list[Markup] = []
    for tile in tiles:
        x, y = left + tile.column * step_x, top + tile.row * step_y
        lines.append(element("rect", x=x, y=y, width=wide, height=high, style=LINE))
        size = f"{NUMBER};font-size:{number(high / 3)}px"
        lines.append(element("text", str(tile.number), x=x + wide / 2, y=y + high * 0.6, style=size))
    around = (left, top, (columns - 1) * step_x + wide, (rows - 1) * step_y + high)
    overview = element(
        "svg", [everything, *lines], class_="map board", role="img", aria_label=f"{of.title}: how the sheets lie",
        viewBox=" ".join(map(number, around)),
    )  # fmt: skip
    return Board(of, element("g", parts, id=ident), everything, overview, tiles, columns, rows, paper, margin)


def plates_of(of: Map, paper: tuple[float, float]) -> Board | None:
    """The pages of a rulebook that a map has for itself; None if its names can be read between the margins."""
    ident = f"plate-{of.anchor}"
    scene = Scene(of.title, ident, has_links=False)
    every = range(len(of.spaces))
    parts, (left, top, width, height) = of.composed(scene, every, True)
    if LABEL * min((paper[0] - TEXT) / width, TALL / height) * POINT >= LEAST_NAME:
        return None
    head = HEAD + LEGEND_LINE * _legend_lines(of, min(paper) - AROUND)
    scale, columns, rows, chosen = _spread(width, height, paper, ABOVE + head)
    again = NAME / scale
    wide = (width + (columns - 1) * again) / columns
    if columns > 1 and of.tracks:  # a track stays on one page
        parts, (left, top, width, height) = of.composed(evolve(scene, row=wide - again), every, True)
    high = (height + (rows - 1) * again) / rows
    everything = element("use", href=f"#{ident}")
    tiles = _tiles(everything, of.title, (left, top), (wide - again, high - again), (wide, high), columns, rows)
    size = (round(wide * scale, 2), round(high * scale, 2))
    drawn = element("g", parts, id=ident)
    return Board(of, drawn, everything, Markup(""), tiles, columns, rows, chosen, AROUND / 2, size, head)


def _legend_lines(of: Map, width: float) -> int:
    """How many lines the legend of a map takes, at most."""
    groups = [label for colouring in of.colourings[:1] for label, _ in colouring.groups]
    words = [*(item[0] for item in (*of.sorts, *of.signs, *of.badges)), *groups]
    count, left = 1, width
    for word in words:
        wide = SIGN + text_width(word, LEGEND_SIZE / POINT)
        if wide > left and left < width:
            count, left = count + 1, width
        count += int(wide / width)
        left -= wide % width
    return count if words else 0


def _spread(
    width: float, height: float, paper: tuple[float, float], above: float
) -> tuple[float, int, int, tuple[float, float]]:
    """Millimetres for each unit of the drawing, columns, rows, and how the paper lies: the fewest pages on which names
    can be read, and of these the largest picture."""
    ways: list[tuple[bool, int, float, int, int, tuple[float, float]]] = []
    counts = range(1, MOST_PLATES + 1)
    for at, columns, rows in product((paper, paper[::-1]), counts, counts):
        across = (columns * (at[0] - AROUND - NAME) + NAME) / width
        down = (rows * (at[1] - above - NAME) + NAME) / height
        scale = min(across, down)
        is_small = LABEL * scale * POINT < LEAST_NAME
        ways.append((is_small, 0 if is_small else columns * rows, -scale, columns, rows, (at[0], at[1])))
    _, _, scale, columns, rows, chosen = min(ways)
    return -scale, columns, rows, chosen


def _tiles(
    everything: Markup,
    title: str,
    begin: tuple[float, float],
    step: tuple[float, float],
    size: tuple[float, float],
    columns: int,
    rows: int,
) -> list[Tile]:
    """The sheets of a drawing, row by row."""
    out: list[Tile] = []
    for row in range(rows):
        for column in range(columns):
            nth = len(out) + 1
            corner = (begin[0] + column * step[0], begin[1] + row * step[1])
            view = " ".join(map(number, (*corner, *size)))
            label = f"{title}, sheet {nth}"
            picture = element("svg", everything, class_="map board", viewBox=view, role="img", aria_label=label)
            out.append(Tile(nth, row, column, picture))
    return out


def _cut(
    width: float, height: float, scale: float, paper: tuple[float, float], margin: float
) -> tuple[float, int, int, tuple[float, float]]:
    """Millimetres for each unit of the drawing, columns, rows, and how the paper lies: the fewest sheets, and of these
    the largest board."""
    ways: list[tuple[int, float, int, int, tuple[float, float]]] = []
    for at in (paper, paper[::-1]):
        room = [size - 2 * margin - OVERLAP for size in at]
        for percent in range(LEAST, MOST + 1):
            size = scale * percent / 100
            columns, rows = (
                max(1, math.ceil((whole * size - OVERLAP) / step))
                for whole, step in zip((width, height), room, strict=True)
            )
            ways.append((columns * rows, -size, columns, rows, (at[0], at[1])))
    _, size, columns, rows, chosen = min(ways)
    return -size, columns, rows, chosen
