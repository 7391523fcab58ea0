"""What is chosen for paper: a few examples for the rulebook, and the charts and numbers of a player aid."""

from __future__ import annotations

import html as entities
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from attrs import frozen
from markupsafe import Markup

from rulescript.docgen.book import Book
from rulescript.docgen.entries import Entry
from rulescript.docgen.grids import Grid
from rulescript.docgen.lines import walk_lines
from rulescript.docgen.plays import Example, Telling
from rulescript.docgen.prose import Paragraphs
from rulescript.docgen.sequence import Step
from rulescript.docgen.weave import Block

T = TypeVar("T")

__all__ = ["Aid", "chosen_examples", "picture_width"]


def chosen_examples(book: Book, most: int = 8) -> list[Example]:
    """Examples for the printed book: of each chapter the one that shows most of its rules with a picture, if any."""
    found: dict[str, Example] = {}
    for example in book.examples:
        if not example.ok or not example.cites or len(example.tellings) != 1:
            continue
        telling = example.tellings[0]
        if not telling.before or not telling.passages:
            continue
        anchor = next((a for c in example.cites for a, _ in book.places.get(c, [])), "")
        page = book.anchors.pages.get(anchor, "")
        if page and (page not in found or _worth(example) > _worth(found[page])):
            found[page] = example
    order = [chapter.page for chapter in book.chapters]
    readable = [p for p in found if p in order and is_readable(found[p].tellings[0])]
    some = readable or [p for p in found if p in order]
    some = sorted(some, key=lambda p: (-len(found[p].cites), order.index(p)))[:most]
    return [found[page] for page in sorted(some, key=order.index)]


def _worth(example: Example) -> tuple[bool, int]:
    return is_readable(example.tellings[0]), len(example.cites)


# What a pixel of a map is on paper, in millimetres: for letters as they should be, and for the smallest one can read.
FULL, SMALL = 0.22, 0.15
# The width of a page within its frames, and how high a picture may be.
WIDE, HIGH = 164, 90
BESIDE = (WIDE - 4) / 2
_SIZE = re.compile(r'viewBox="\S+ \S+ (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"')


def _millimetres(picture: Markup, room: float) -> tuple[float, float]:
    """How wide a picture is on paper, where there is so much room, and what a pixel of it is then."""
    found = _SIZE.search(picture)
    wide, high = (float(found[1]), float(found[2])) if found else (1.0, 1.0)
    each = min(FULL, room / wide, HIGH / high)
    return wide * each, each


def is_readable(telling: Telling) -> bool:
    """Whether the names in the pictures can be read on paper, before and after beside each other."""
    return _millimetres(telling.before, BESIDE if telling.after else WIDE)[1] >= SMALL


def picture_width(picture: Markup, is_pair: bool) -> str:
    """How wide the picture of an example is on paper: as its letters want it, and two beside each other if they can be
    read there."""
    beside, each = _millimetres(picture, BESIDE)
    alone, _ = _millimetres(picture, WIDE)
    return f"{beside if is_pair and each >= SMALL else alone:.0f}mm"


MOST_ROWS = 16
NEVER = 10_000
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


@frozen
class Chart:
    """A table of the aid: the author's own, as `html`, or one that was made of the rules. `lines` is how long it is; if
    it is as wide as two columns, those of both."""

    title: str
    number: str
    cites: tuple[str, ...]
    html: Markup | None
    grid: Grid | None
    lines: int
    is_wide: bool


def _measured(rows: Sequence[Sequence[str]], column: int) -> tuple[int, bool]:
    """How many lines a table takes in columns of so many letters, and whether it has to be wide, as two of them: where
    its cells would be broken too often, or within words."""
    narrow = _lines_in(rows, column)
    if narrow is not None and narrow <= 2 * len(rows):
        return narrow, False
    wide = _lines_in(rows, 2 * column)
    return 2 * wide if wide is not None else NEVER, True


def _lines_in(rows: Sequence[Sequence[str]], room: int) -> int | None:
    """The lines of a table so wide; None if its longest words do not fit beside each other."""
    columns = list(itertools.zip_longest(*rows, fillvalue=""))
    least = [3 + max(len(word) for cell in cells for word in (cell.split() or [""])) for cells in columns]
    wish = [3 + max(map(len, cells)) for cells in columns]
    spare = room - sum(least)
    if spare < 0:
        return None
    share = min(1.0, spare / max(1, sum(wish) - sum(least)))
    given = [need + share * (want - need) for need, want in zip(least, wish, strict=True)]
    return sum(
        max(math.ceil((len(cell) + 3) / wide) for cell, wide in zip(row, given, strict=False)) for row in rows if row
    )


class Aid:
    """What one looks up while playing: charts and what changes a number, shortest first where there is no room. The
    author's tables come first; beside them, in the same section, those made of the rules would only repeat them."""

    # A short aid has large letters. For each size: the lines of two pages in four columns, and letters of a column.
    SIZES = tuple((size, round(2700 / size), round(360 / size)) for size in (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.1))

    def __init__(self, book: Book) -> None:
        values = [e for c in book.chapters for e in c.entries if self._is_number(e)]
        for size, room, column in self.SIZES:
            charts = list(self._charts(book, column))
            left = room - self._steps(book.sequence, column)
            taken, left = _those_that_fit(charts, left, [chart.lines + 2 for chart in charts])
            self.values, left = _those_that_fit(values, left, [self._length(e, column) for e in values])
            self.size = size
            if len(taken) == len(charts) and len(self.values) == len(values):
                break
        self.tables = [chart for chart in taken if not chart.is_wide]
        self.wide = [chart for chart in taken if chart.is_wide]

    @staticmethod
    def _charts(book: Book, column: int) -> Iterator[Chart]:
        tables = {id(entry) for entry in book.tables}
        shown: set[int] = set()
        for chapter in book.chapters:
            for section in chapter.sections:
                own = [t for p in section.parts if isinstance(p, Paragraphs) for t in _TABLE.findall(str(p.html))]
                own = own if chapter.is_literate else []
                for html in own:
                    rows = [[_words(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
                    if 1 < len(rows) <= MOST_ROWS + 1:
                        lines, is_wide = _measured(rows, column)
                        title = section.title or chapter.title
                        number = section.number if section.title else chapter.number
                        yield Chart(title, number, (), Markup(html), None, lines, is_wide)
                for block in (part for part in section.parts if isinstance(part, Block)):
                    for entry in (e for top in block.entries for e in (top, *top.children) if id(e) in tables):
                        shown.add(id(entry))
                        yield from () if own else _made(entry, column)
        for entry in (e for e in book.tables if id(e) not in shown):
            yield from _made(entry, column)

    def _steps(self, steps: Sequence[Step], column: int, depth: int = 0) -> int:

        inside = [s.steps if depth < 2 or s.form != "phase" else [] for s in steps]
        return sum(
            1 + len(s.title) // column + self._steps(more, column, depth + (s.form == "phase"))
            for s, more in zip(steps, inside, strict=True)
        )

    @staticmethod
    def _is_number(entry: Entry) -> bool:
        """Whether it is a number that something changes: a cost, a strength, a limit; and said in a few lines."""
        lines = list(walk_lines(entry.lines))
        is_changed = any(line.form == "heading" and line.text == "Changed by:" for line in lines)
        return entry.form in ("value", "function") and is_changed and not entry.is_truth and len(lines) <= 12

    @staticmethod
    def _length(entry: Entry, column: int) -> int:
        return 2 + sum(1 + len(line.text) // column for line in walk_lines(entry.lines))


def _those_that_fit(some: Sequence[T], room: int, lengths: Sequence[int]) -> tuple[list[T], int]:
    """The shortest that have room together, in their order, and what is left of it."""
    taken: set[int] = set()
    for at in sorted(range(len(some)), key=lengths.__getitem__):
        if lengths[at] <= room:
            taken.add(at)
            room -= lengths[at]
    return [some[at] for at in sorted(taken)], room


def _made(entry: Entry, column: int) -> Iterator[Chart]:
    # A long list is looked up once, when the game is set up.
    for grid in (g for g in entry.grids if 0 < len(g.rows) <= MOST_ROWS):
        rows = [[cell.text for cell in grid.head] + ["Note"] * grid.has_notes]
        rows += [[cell.text for cell in row.cells] + [row.note] * grid.has_notes for row in grid.rows]
        yield Chart(entry.title, "", entry.cites, None, grid, *_measured(rows, column))


def _words(html: str) -> str:
    return entities.unescape(re.sub(r"<[^>]+>", "", html))
