"""Diagnostics as text with carets, or as JSON.

In come finished diagnostics; out goes text for a terminal or a file, or plain dicts for an editor. Where a
diagnostic came from, and in which order they stand, was settled before.

The hard idea is that a column on the screen is not a column in the file. A tab reaches to the next stop,
some characters take two cells, accents may take none, and a file from a stranger can hold characters that
would move the cursor, colour the screen or turn the line around. So a line is first laid out as a list of
cells, harmless ones only, with a note of which cell each character begins at; carets, cropping and colours
then work on cells.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypedDict

from attrs import frozen

from rulescript.diagnostics.catalogue import CODES, Code
from rulescript.diagnostics.report import Diagnostic, Label, Severity
from rulescript.source import SourceFile, Span

__all__ = [
    "DiagnosticJson",
    "LabelJson",
    "first_told",
    "render_diagnostic",
    "render_explanation",
    "render_json",
    "render_report",
    "render_summary",
    "said_of_more",
]

TAB_WIDTH = 4
WIDEST_LINE = 160  # cells of source shown; longer lines are cropped around what is marked
# So many problems are told; whoever has more mends these first. (As JSON, all are.)
MOST_TOLD = 200
MOST_LINES = 4  # a longer stretch shows its first two lines and its last

Paint = Callable[[str, str], str]

_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "second": "\x1b[1;34m",
    "frame": "\x1b[34m",
    "bold": "\x1b[1m",
}


# ---- whole reports -----------------------------------------------------------------------------------------


def render_report(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """The diagnostics that are told, an empty line after each, and the summary. No newline at the end."""
    listed = list(diagnostics)
    parts = [render_diagnostic(diagnostic, colour=colour) for diagnostic in first_told(listed)]
    return "\n\n".join([*parts, *said_of_more(listed), render_summary(listed)])


def first_told(diagnostics: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Those that are told: all, or of too many the first, errors before warnings."""
    if len(diagnostics) <= MOST_TOLD:
        return diagnostics
    return sorted(diagnostics, key=lambda d: d.severity is not Severity.ERROR)[:MOST_TOLD]


def said_of_more(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """That there are more than are told, if there are."""
    if len(diagnostics) <= MOST_TOLD:
        return []
    return [f"... and {len(diagnostics) - MOST_TOLD} more (the first {MOST_TOLD} are told)"]


def render_summary(diagnostics: Iterable[Diagnostic]) -> str:
    """``3 errors, 1 warning``"""
    listed = list(diagnostics)
    counts = [(sum(each.severity is severity for each in listed), severity.value) for severity in Severity]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(said) or "no problems found"


def render_explanation(code: Code) -> str:
    """A page on one code, for ``rulescript check --explain``."""
    parts = [f"{code.code} {code.slug}: {code.title}", textwrap.fill(code.explanation, 88)]
    for heading, snippet in (("Wrong:", code.example), ("Right:", code.cure)):
        if snippet:
            body = "\n".join(f"    {line}".rstrip() for line in snippet.splitlines())
            parts.append(f"{heading}\n\n{body}")
    return "\n\n".join(parts)


# ---- JSON --------------------------------------------------------------------------------------------------


class LabelJson(TypedDict):
    """A place. Lines and columns count from 1, offsets from 0, in characters; the end is just after it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int
    text: str


class DiagnosticJson(TypedDict):
    """One diagnostic. `slug` is null if the catalogue lacks the code, `rule` and `hint` if there is none."""

    code: str
    slug: str | None
    severity: str
    message: str
    label: LabelJson
    others: list[LabelJson]
    rule: str | None
    hint: str | None


def render_json(diagnostics: Iterable[Diagnostic]) -> list[DiagnosticJson]:
    """Diagnostics as plain data, ready for `json.dumps`. The texts are as they are, unprintables included."""
    return [
        DiagnosticJson(
            code=each.code,
            slug=CODES[each.code].slug if each.code in CODES else None,
            severity=each.severity.value,
            message=each.message,
            label=_label_json(each.label),
            others=[_label_json(label) for label in each.others],
            rule=each.rule,
            hint=each.hint,
        )
        for each in diagnostics
    ]


def _label_json(label: Label) -> LabelJson:
    span = label.span
    return LabelJson(
        file=span.source.name,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        start=span.start,
        end=span.end,
        text=label.text,
    )


# ---- one diagnostic as text --------------------------------------------------------------------------------


def render_diagnostic(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """One diagnostic with its source lines and carets. No newline at the end."""
    paint: Paint = _paint_ansi if colour else _paint_plain
    severity = diagnostic.severity.value
    groups = _marks_by_file(diagnostic)
    last_line = max((mark.line for _, marks in groups for mark in marks), default=1)
    gutter = " " * len(str(last_line))

    head = paint(f"{severity}[{diagnostic.code}]", severity)
    lines = [head + paint(f": {_harmless(diagnostic.message)}", "bold")]
    for index, (span, marks) in enumerate(groups):
        arrow = "-->" if index == 0 else ":::"
        place = f"{span.source.name}:{span.line}:{span.column}" if span.source.text else span.source.name
        lines.append(f"{gutter}{paint(arrow, 'frame')} {_harmless(place)}")
        if marks:
            lines.append(f"{gutter} {paint('|', 'frame')}")
            lines.extend(_render_snippet(span.source, marks, gutter, severity, paint))
    notes = [("rule", diagnostic.rule), ("hint", diagnostic.hint)]
    notes.append(("more", f"rulescript check --explain {diagnostic.code}"))
    for word, text in notes:
        if text:
            # Text of several lines hangs under its own beginning.
            body = f"\n{gutter}         ".join(_harmless(line) for line in text.split("\n"))
            lines.append(f"{gutter} {paint('=', 'frame')} {paint(word + ':', 'bold')} {body}")
    return "\n".join(lines)


@frozen
class _Mark:
    """What one label does to one line: underline these characters, and perhaps say something."""

    line: int
    start: int
    end: int
    is_main: bool
    text: str


def _marks_by_file(diagnostic: Diagnostic) -> list[tuple[Span, list[_Mark]]]:
    """For each file, the span to name it by and its marks; the file at fault first.

    A file without text (a game that was not found) is named and nothing more.
    """
    groups: dict[SourceFile, tuple[Span, list[_Mark]]] = {}
    for label in (diagnostic.label, *diagnostic.others):
        _, marks = groups.setdefault(label.span.source, (label.span, []))
        if label.span.source.text:
            marks.extend(_marks_of(label, is_main=label is diagnostic.label))
    return list(groups.values())


def _marks_of(label: Label, *, is_main: bool) -> list[_Mark]:
    """One mark for each line to show; the last one carries the words."""
    source, span = label.span.source, label.span
    pieces: list[tuple[int, int, int]] = []
    if span.line != span.end_line:
        for line in range(span.line, span.end_line + 1):
            text = source.line_text(line)
            start = span.column - 1 if line == span.line else 0
            end = span.end_column - 1 if line == span.end_line else len(text)
            covered = text[start:end]
            start += len(covered) - len(covered.lstrip())
            end -= len(covered) - len(covered.rstrip())
            if start < end:
                pieces.append((line, start, end))
    else:
        pieces = [(span.line, span.column - 1, span.end_column - 1)]
    if not pieces:  # nothing but white space: point at where it begins
        pieces = [(span.line, span.column - 1, span.column)]
    if len(pieces) > MOST_LINES:
        pieces = [*pieces[:2], pieces[-1]]
    last = len(pieces) - 1
    words = _harmless(label.text).strip()
    return [
        _Mark(line, start, end, is_main, words if index == last else "")
        for index, (line, start, end) in enumerate(pieces)
    ]


def _render_snippet(source: SourceFile, marks: Sequence[_Mark], gutter: str, severity: str, paint: Paint) -> list[str]:
    by_line: dict[int, list[_Mark]] = {}
    for mark in sorted(marks, key=lambda mark: mark.line):
        by_line.setdefault(mark.line, []).append(mark)

    bar = paint("|", "frame")
    lines: list[str] = []
    previous: int | None = None
    for number, here in by_line.items():
        if previous is not None and number == previous + 2:
            # A single line between two others takes no more room than the dots would.
            by_itself = "".join(_crop(_lay_out(source.line_text(number - 1)).cells, 0))
            lines.append(_numbered(number - 1, by_itself, gutter, bar, paint))
        elif previous is not None and number > previous + 2:
            lines.append(paint("...", "frame"))
        row, below = _render_line(_lay_out(source.line_text(number)), here, severity, paint)
        lines.append(_numbered(number, row, gutter, bar, paint))
        lines.extend(f"{gutter} {bar} {text}" for text in below)
        previous = number
    return lines


def _numbered(number: int, text: str, gutter: str, bar: str, paint: Paint) -> str:
    return f"{paint(str(number).rjust(len(gutter)), 'frame')} {bar} {text}".rstrip()


# ---- one line and what is under it -------------------------------------------------------------------------


@frozen
class _Placed:
    """A mark in cells, from `left` up to but not including `right`."""

    left: int
    right: int
    is_main: bool
    text: str


def _render_line(layout: _Layout, marks: Sequence[_Mark], severity: str, paint: Paint) -> tuple[str, list[str]]:
    """The source line, and the rows of carets and words below it."""
    placed = [layout.place(mark) for mark in marks]
    offset = 0
    if max(mark.right for mark in placed) > WIDEST_LINE:
        offset = max(0, min(mark.left for mark in placed) - WIDEST_LINE // 4)
    shown = _crop(layout.cells, offset)
    # A cropped line may be narrower than its marks; what is out of sight is pointed at from the edge.
    edge = max(len(shown), 1) if len(layout.cells) - offset > WIDEST_LINE else WIDEST_LINE + 1
    placed = [_shift(mark, offset, edge) for mark in placed]

    styles: dict[int, tuple[str, str]] = {}
    for mark in sorted(placed, key=lambda mark: mark.is_main):  # the main caret covers the others
        for cell in range(mark.left, mark.right):
            styles[cell] = ("^", severity) if mark.is_main else ("-", "second")
    carets = _paint_cells(styles, paint)

    spoken = [mark for mark in placed if mark.text]
    rows = [carets]
    if spoken:
        # The words of the mark that reaches furthest stand beside it; the others hang below, right to left.
        furthest = max(mark.right for mark in placed)
        beside = max(spoken, key=lambda mark: (mark.right, mark.is_main, mark.left))
        if beside.right == furthest:
            rows[0] += " " + paint(beside.text, _style_of(beside, severity))
            spoken.remove(beside)
        waiting = sorted(spoken, key=lambda mark: mark.left)
        while waiting:
            mark = waiting.pop()
            pipes = {each.left: ("|", _style_of(each, severity)) for each in waiting if each.left < mark.left}
            lead = _paint_cells(pipes, paint)
            room = mark.left - (max(pipes) + 1 if pipes else 0)
            rows.append(lead + " " * room + paint(mark.text, _style_of(mark, severity)))
    return "".join(shown), rows


def _style_of(mark: _Placed, severity: str) -> str:
    return severity if mark.is_main else "second"


def _shift(mark: _Placed, offset: int, edge: int) -> _Placed:
    left = min(max(mark.left - offset, 0), edge - 1)
    right = max(min(mark.right - offset, edge), left + 1)
    return _Placed(left, right, mark.is_main, mark.text)


def _paint_cells(styles: dict[int, tuple[str, str]], paint: Paint) -> str:
    """Characters at their cells, neighbours of one colour painted together."""
    text, run, style, at = "", "", "", 0
    for cell in sorted(styles):
        char, its_style = styles[cell]
        if run and (cell != at or its_style != style):
            text, run = text + paint(run, style), ""
        text += " " * (cell - at)
        run, style, at = run + char, its_style, cell + 1
    return text + paint(run, style) if run else text


# ---- cells -------------------------------------------------------------------------------------------------


@frozen
class _Layout:
    """A line as cells (an empty one follows a wide character), and the cell where each character begins."""

    cells: list[str]
    begins: list[int]

    def place(self, mark: _Mark) -> _Placed:
        last = len(self.begins) - 1
        start, end = min(mark.start, last), min(mark.end, last)
        # An accent has no cell of its own: mark the letter that carries it.
        while 0 < start < last and self.begins[start] == self.begins[start + 1]:
            start -= 1
        left = self.begins[start]
        return _Placed(left, max(self.begins[end], left + 1), mark.is_main, mark.text)


@lru_cache(8)  # many mistakes may stand in one line, and a line may be a whole file
def _lay_out(line: str) -> _Layout:
    cells: list[str] = []
    begins: list[int] = []
    for char in line:
        begins.append(len(cells))
        if char == "\t":
            cells.extend(" " * (TAB_WIDTH - len(cells) % TAB_WIDTH))
        elif _takes_no_cell(char):
            if cells:
                # Behind a wide character the last cell is its empty second half, which joins up just as well.
                cells[-1] += char
            else:
                cells.append("◌" + char)
        else:
            cells.append(_visible(char))
            if unicodedata.east_asian_width(char) in "WF":
                cells.append("")
    begins.append(len(cells))
    return _Layout(cells, begins)


def _crop(cells: list[str], offset: int) -> list[str]:
    shown = cells[offset : offset + WIDEST_LINE]
    if offset and shown:
        shown[0] = "…"
    if offset + WIDEST_LINE < len(cells):
        shown[-1] = "…"
    return shown


def _takes_no_cell(char: str) -> bool:
    return char in "\u200c\u200d" or unicodedata.category(char) in ("Mn", "Me")


def _visible(char: str) -> str:
    """A character as it may be shown: those that would steer the terminal, or hide, become a sign."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return char


def _harmless(text: str) -> str:
    return "".join(" " if char in "\t\n" else char if _takes_no_cell(char) else _visible(char) for char in text)


def _paint_plain(text: str, _style: str) -> str:
    return text


def _paint_ansi(text: str, style: str) -> str:
    return f"{_COLOURS[style]}{text}\x1b[0m"
