"""What is chosen for paper: a few examples for the rulebook, and the charts and numbers of a player aid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.docgen.book import Book
from rulescript.docgen.entries import Entry
from rulescript.docgen.grids import Grid
from rulescript.docgen.lines import walk_lines
from rulescript.docgen.plays import Example

__all__ = ["Aid", "chosen_examples"]


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
        if page and (page not in found or len(example.cites) > len(found[page].cites)):
            found[page] = example
    order = [chapter.page for chapter in book.chapters]
    some = sorted((p for p in found if p in order), key=lambda p: (-len(found[p].cites), order.index(p)))[:most]
    return [found[page] for page in sorted(some, key=order.index)]


MOST_ROWS = 16
COLUMN = 58  # letters that a column of the aid is wide


def _width(grid: Grid) -> int:
    """How many letters a table is wide at least, with each cell broken between words."""
    columns = [max(map(len, cell.text.split()), default=1) for cell in grid.head]
    for row in grid.rows:
        for at, cell in enumerate(row.cells[: len(columns)]):
            whole = len(cell.text) if at == 0 else max(map(len, cell.text.split()), default=1)
            columns[at] = max(columns[at], min(whole, 20))
    return sum(columns) + 2 * len(columns)


class Aid:
    """What one looks up while playing: charts and what changes a number, shortest first where there is no room."""

    ROOM = 250  # lines of two pages in four columns

    def __init__(self, book: Book) -> None:
        self.tables: list[tuple[Entry, Grid]] = []
        self.values: list[Entry] = []
        left = self.ROOM - self._steps(book.sequence)
        # A long list is looked up once, when the game is set up.
        tables = [(e, g) for e in book.tables for g in e.grids if 0 < len(g.rows) <= MOST_ROWS]
        for entry, grid in sorted(tables, key=lambda pair: len(pair[1].rows)):
            lines = (len(grid.rows) + 3) * (3 if _width(grid) > COLUMN else 1)
            if lines <= left:
                self.tables.append((entry, grid))
                left -= lines
        self.tables.sort(key=tables.index)
        self.wide = [pair for pair in self.tables if _width(pair[1]) > COLUMN]
        self.tables = [pair for pair in self.tables if pair not in self.wide]
        values = [e for c in book.chapters for e in c.entries if e.form in ("value", "function") and self._is_number(e)]
        for entry in sorted(values, key=self._length):
            if self._length(entry) <= min(left, 16):
                self.values.append(entry)
                left -= self._length(entry)
        self.values.sort(key=values.index)

    def _steps(self, steps: Sequence[Any], depth: int = 0) -> int:
        return sum(1 + len(s.title) // 46 + (self._steps(s.steps, depth + 1) if depth < 2 else 0) for s in steps)

    @staticmethod
    def _is_number(entry: Entry) -> bool:
        """Whether something changes it, or it is counted together: a cost, a strength, a limit."""
        return any(line.form == "heading" and line.text == "Changed by:" for line in entry.lines)

    @staticmethod
    def _length(entry: Entry) -> int:
        return 2 + sum(1 + len(line.text) // 46 for line in walk_lines(entry.lines))
