"""The player aid: what one looks up while playing, on two pages.

In comes a book, out come two pages of columns. Four narrow columns stand above two wide ones on each: sequence, tables
and numbers go into the narrow ones, tables that would be broken too often there into the wide ones, and below those
stands what needs the whole width. Everything is measured here, in the widths of a usual face, so that the letters are
as large as two pages allow, both are equally full, and what prints them has nothing to decide.
"""

from __future__ import annotations

import html as entities
import itertools
import math
import re
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen
from markupsafe import Markup

from rulescript.docgen.book import Book
from rulescript.docgen.entries import Entry
from rulescript.docgen.grids import Grid
from rulescript.docgen.lines import Line, walk_lines
from rulescript.docgen.prose import Paragraphs
from rulescript.docgen.sequence import Step
from rulescript.docgen.svg import text_width
from rulescript.docgen.weave import Block

__all__ = ["GAP", "Aid", "Part", "aid_of"]

# Letters from the largest to the smallest one can read, in points.
SIZES = tuple(size / 4 for size in range(48, 27, -1))
# A page has so many narrow columns, and half as many wide ones; what is between them, in millimetres.
COLUMNS = 4
GAP = 5.0
# What the title takes, and what is above the wide columns; how much of a page is trusted to what was measured.
TITLE, ABOVE_WIDE, TRUST = 8.0, 3.0, 0.97
# How high a column is at least, so that a few lines are not spread over the page.
LEAST_COLUMN = 90.0
POINT = 25.4 / 72
# Arial and all that are as wide as it are narrower than the face that texts are measured in; bold is wider.
FACE, BOLD = 0.9, 1.06
LINE, CELL_LINE, CELL = 1.24, 1.16, 0.96
# A long list is looked up once, when the game is set up.
MOST_ROWS = 16
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


@frozen
class Part:
    """What stands together in a column: a step of the sequence, a table, a number. `rows` are the words of a table;
    `html` is the author's own, `grid` one that was made of the rules. `depth` is that of a step, `number` what stands
    before it. `heading` is that of the section that begins with it."""

    form: str
    title: str
    number: str = ""
    cites: tuple[str, ...] = ()
    rows: list[list[str]] = field(factory=list, eq=False, repr=False)
    html: Markup | None = None
    grid: Grid | None = None
    entry: Entry | None = None
    depth: int = 0
    sort: str = ""
    heading: str = ""


@frozen
class Side:
    """One page: what stands in each of its narrow columns, below them in each of its wide ones, and below those."""

    narrow: list[list[Part]]
    wide: list[list[Part]]
    full: list[list[Part]]


@frozen
class Aid:
    """The pages, the size of letters in points, and how wide columns are in millimetres."""

    sides: list[Side]
    size: float
    columns: tuple[float, float, float]

    @property
    def parts(self) -> list[Part]:
        return [p for side in self.sides for column in (*side.narrow, *side.wide, *side.full) for p in column]


def aid_of(book: Book, paper: tuple[float, float], margin: float) -> Aid:
    """The aid of a game, on paper that lies on its side. Where two pages are not enough, what is longest goes first."""
    width, height = max(paper) - 2 * margin, min(paper) - 2 * margin
    narrow = (width - (COLUMNS - 1) * GAP) / COLUMNS
    columns = (narrow, 2 * narrow + GAP, width)
    parts = [*_steps(book.sequence), *_charts(book), *_numbers(book)]
    smallest = _Measure(SIZES[-1], columns)
    areas = {id(part): smallest.area(part) for part in parts}
    # No more than two pages hold, before anything is laid out; then what has a place there.
    while sum(areas[id(part)] for part in parts) > 2 * width * height or _laid_out(parts, smallest, height) is None:
        # A sequence longer than two pages of the smallest letters is cut off as well, from its end.
        some = [part for part in parts if part.form != "step"] or parts[-1:]
        longest = max(some, key=lambda part: areas[id(part)])
        parts = [part for part in parts if part is not longest]
    for size in SIZES:
        sides = _laid_out(parts, _Measure(size, columns), height)
        if sides is not None:
            break
    return Aid(sides or [], size, columns)


# ------------------------------------------------------------------ what there is


def _steps(steps: Sequence[Step], depth: int = 0, phases: int = 0) -> Iterator[Part]:
    """The sequence, step by step. Who takes turns is no step of its own, and is not counted."""
    count = 0
    for step in steps:
        number = step.number
        if not number and step.form not in ("loop", "test"):
            count += 1
            number = f"{count}."
        cites = tuple(cite for cite in step.cites if cite != step.number)
        yield Part("step", step.title, number, cites, depth=depth, sort=step.form)
        if phases < 2:
            yield from _steps(step.steps, depth + 1, phases + (step.form == "phase"))


def _charts(book: Book) -> Iterator[Part]:
    """The author's tables come first; beside them, in the same section, those made of the rules would only repeat
    them."""
    tables = {id(entry) for entry in book.tables}
    shown: set[int] = set()
    for chapter in book.chapters:
        for section in chapter.sections:
            own = [t for p in section.parts if isinstance(p, Paragraphs) for t in _TABLE.findall(str(p.html))]
            own = own if chapter.is_literate else []
            for html in own:
                rows = [[_words(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
                if 1 < len(rows) <= MOST_ROWS + 1:
                    title = section.title or chapter.title
                    number = section.number if section.title else chapter.number
                    yield Part("chart", title, number, rows=rows, html=Markup(html))
            for block in (part for part in section.parts if isinstance(part, Block)):
                for entry in (e for top in block.entries for e in (top, *top.children) if id(e) in tables):
                    shown.add(id(entry))
                    yield from () if own else _made(entry)
    for entry in (e for e in book.tables if id(e) not in shown):
        yield from _made(entry)


def _made(entry: Entry) -> Iterator[Part]:
    for grid in (g for g in entry.grids if 0 < len(g.rows) <= MOST_ROWS):
        rows = [[cell.text for cell in grid.head] + ["Note"] * grid.has_notes + ["Rule"] * grid.has_cites]
        for row in grid.rows:
            cites = [" ".join(f"§{cite}" for cite in row.cites)] * grid.has_cites
            rows.append([cell.text for cell in row.cells] + [row.note] * grid.has_notes + cites)
        yield Part("chart", entry.title, "", entry.cites, rows, grid=grid)


def _numbers(book: Book) -> Iterator[Part]:
    for entry in (e for chapter in book.chapters for e in chapter.entries if _is_number(e)):
        yield Part("number", entry.title.partition(" (")[0], "", entry.cites, entry=entry)


def _is_number(entry: Entry) -> bool:
    """Whether it is a number that something changes: a cost, a strength, a limit; and said in a few lines."""
    lines = list(walk_lines(entry.lines))
    is_changed = any(line.form == "heading" and line.text == "Changed by:" for line in lines)
    return entry.form in ("value", "function") and is_changed and not entry.is_truth and len(lines) <= 12


def _words(html: str) -> str:
    return entities.unescape(re.sub(r"<[^>]+>", "", html))


# ------------------------------------------------------------------ how large it is


@frozen
class _Measure:
    """Heights in millimetres, for letters of a size in columns of three widths."""

    size: float
    columns: tuple[float, float, float]

    def height(self, part: Part, width: int = 0) -> float:
        room = self.columns[width]
        match part.form:
            case "step":
                room -= 2.5 * part.depth
                high = self._lines([(f"{part.number} {part.title}", BOLD), (_told(part.cites), 0.76)], room) + 0.4
            case "chart":
                high = self._title(part, room) + self._table(part.rows, room) + 2.2
            case _:
                assert part.entry is not None
                high = self._title(part, room) + self._number(part.entry, room) + 0.8
        if part.heading:
            high += self._lines([(part.heading, 1.32 * BOLD)], room, 1.32) + 3.0
        return high

    def width_of(self, part: Part) -> int:
        """In which of the columns a table has room without its cells being broken too often, or within words."""
        if part.form != "chart":
            return 0
        lines = [self._rows(part.rows, room) for room in self.columns]
        if lines[0] is not None and sum(lines[0]) <= 2 * len(part.rows):
            return 0
        return 2 if lines[1] is None else 1

    def area(self, part: Part) -> float:
        width = self.width_of(part)
        return self.columns[width] * self.height(part, width)

    def _width(self, text: str, scale: float = 1.0) -> float:
        return text_width(text, self.size * scale * FACE * POINT)

    def _lines(self, parts: Sequence[tuple[str, float]], room: float, scale: float = 1.0) -> float:
        """How high some words are, in letters of their sizes."""
        count, left = 1, room
        for word, size in ((word, size) for text, size in parts for word in text.split()):
            wide = self._width(word, size)
            if wide > left and left < room:
                count, left = count + 1, room
            count += max(0, math.ceil(wide / room - 0.01) - 1)
            left -= wide + self._width(" ", size)
        return count * self.size * scale * LINE * POINT

    def _title(self, part: Part, room: float) -> float:
        told = [(f"{part.number} {part.title}", 1.1 * BOLD), (_told(part.cites), 0.84)]
        return self._lines(told, room, 1.02) + 2.1

    def _number(self, entry: Entry, room: float) -> float:
        high = self._lines([(entry.doc, 1.0)], room) + 1.0 if entry.doc else 0.0
        return high + sum(self._lines(*one) for one in self._said(entry.lines, room - 3.0))

    def _said(self, lines: Sequence[Line], room: float) -> Iterator[tuple[list[tuple[str, float]], float]]:
        for line in lines:
            yield [(line.text, 1.0), (line.label or line.origin, 1.0), (_told(line.cites), 0.76)], room
            yield from self._said(line.children, room - 3.0)

    def _table(self, rows: Sequence[Sequence[str]], room: float) -> float:
        lines = self._rows(rows, room)
        if lines is None:
            return math.inf
        # What makes pages does not share out the room as we do: cells that are broken, are sometimes once more.
        return sum(count * self.size * CELL * CELL_LINE * POINT + 0.85 for count in lines) + 0.2 * (
            self.size * POINT * sum(count > 1 for count in lines)
        )

    def _rows(self, rows: Sequence[Sequence[str]], room: float) -> list[int] | None:
        """The lines of each row of a table so wide; None if its longest words do not fit beside each other."""
        columns = list(itertools.zip_longest(*rows, fillvalue=""))
        scale = CELL * BOLD
        least = [2.6 + max(self._width(w, scale) for cell in cells for w in cell.split() or [""]) for cells in columns]
        wish = [2.6 + max(self._width(cell, scale) for cell in cells) for cells in columns]
        spare = room - sum(least)
        if spare < 0:
            return None
        share = min(1.0, spare / max(0.1, sum(wish) - sum(least)))
        given = [need + share * (want - need) for need, want in zip(least, wish, strict=True)]
        return [
            max(self._broken(cell, wide - 2.6, scale) for cell, wide in zip(row, given, strict=False))
            for row in rows
            if row
        ]

    def _broken(self, cell: str, room: float, scale: float) -> int:
        return round(self._lines([(cell, scale)], room + 0.1) / (self.size * LINE * POINT)) if cell else 1


def _told(cites: Sequence[str]) -> str:
    return " ".join(f"§{cite}" for cite in cites)


# ------------------------------------------------------------------ where it stands


def _laid_out(parts: Sequence[Part], measure: _Measure, height: float) -> list[Side] | None:
    """Two pages of equal fullness, everything in its order; None if there is no room in letters of this size."""
    widths = [measure.width_of(part) for part in parts]
    rows = [[part for part, width in zip(parts, widths, strict=True) if width == at] for at in range(3)]
    tables = "Tables" if any(part.form == "chart" for part in rows[0]) else ""
    bands: list[_Band] = []
    least = LEAST_COLUMN if measure.size == SIZES[0] else 0.0
    for at, (columns, some) in enumerate(zip((COLUMNS, COLUMNS // 2, 1), rows, strict=True)):
        headed = _headed(some, tables if at == 0 else f"{'More t' if tables else 'T'}ables")
        tables = tables or ("Tables" if some else "")
        bands.append(_Band(headed, [measure.height(part, at) for part in headed], columns, least))
    if any(math.inf in band.lengths for band in bands):
        return None
    steps = sum(part.form == "step" for part in parts)
    halves = [band.halves() for band in bands]
    best: tuple[bool, bool, bool, float, list[int]] | None = None
    for cut in itertools.product(*(range(len(band.parts) + 1) for band in bands)):
        pages = [0.0, 0.0]
        for page in (0, 1):
            highs = [halves[at][page][cut[at]] for at in range(3)]
            pages[page] = sum(highs) + ABOVE_WIDE * max(0, sum(high > 0 for high in highs) - 1) + TITLE * (page == 0)
        # The sequence stands on the first page, unless it is longer than that; so does everything that is short.
        is_bad = max(pages) > height * TRUST or (cut[0] < steps and measure.size > SIZES[-1])
        is_one = measure.size == SIZES[0] and not pages[1]
        found = (is_bad, cut[0] < steps, not is_one, max(pages), [-at for at in cut])
        best = found if best is None else min(best, found)
    if best is None or best[0]:
        return None
    cuts = [-at for at in best[4]]
    sides = [
        [band.columns_of(slice(0, cut)) for band, cut in zip(bands, cuts, strict=True)],
        [band.columns_of(slice(cut, None)) for band, cut in zip(bands, cuts, strict=True)],
    ]
    return [Side(*side) for side in sides if any(side)]


@frozen
class _Band:
    """What stands in columns of one width."""

    parts: list[Part]
    lengths: list[float]
    columns: int
    least: float

    def halves(self) -> tuple[list[float], list[float]]:
        """How high it is on the first page and on the second, wherever it is cut."""
        cuts = range(len(self.parts) + 1)
        return (
            [_height(self.lengths[:cut], self.columns, self.least) for cut in cuts],
            [_height(self.lengths[cut:], self.columns, self.least) for cut in cuts],
        )

    def columns_of(self, some: slice) -> list[list[Part]]:
        return _columns(self.parts[some], self.lengths[some], self.columns, self.least)


HEADINGS = {"step": "Sequence of play", "number": "Costs, strengths and what changes them"}


def _headed(parts: Sequence[Part], tables: str) -> list[Part]:
    """The first of each sort begins a section."""
    seen: set[str] = set()
    out: list[Part] = []
    for part in parts:
        heading = "" if part.form in seen else HEADINGS.get(part.form, tables)
        seen.add(part.form)
        out.append(evolve(part, heading=heading))
    return out


def _height(lengths: Sequence[float], columns: int, least: float) -> float:
    """How high so many columns are, if each is filled in order and none is broken."""
    if not lengths:
        return 0.0
    low, high = max(max(lengths), sum(lengths) / columns), sum(lengths)
    if max(lengths) <= least and _fill(lengths, least) <= columns:
        return min(high, least)
    while high - low > 0.05:
        middle = (low + high) / 2
        low, high = (low, middle) if _fill(lengths, middle) <= columns else (middle, high)
    return high


def _fill(lengths: Sequence[float], most: float) -> int:
    count, left = 1, most
    for length in lengths:
        if length > left:
            count, left = count + 1, most
        left -= length
    return count


def _columns(parts: Sequence[Part], lengths: Sequence[float], columns: int, least: float) -> list[list[Part]]:
    most = _height(lengths, columns, least) + 0.001
    out: list[list[Part]] = [[]] if parts else []
    left = most
    for part, length in zip(parts, lengths, strict=True):
        if length > left:
            out.append([])
            left = most
        left -= length
        out[-1].append(part)
    return out
