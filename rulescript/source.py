"""Source files and spans: the only code that turns offsets into lines and columns.

In comes the raw text of one file; out goes a `SourceFile`, and for a literate file its headings. Reading
from disk, includes and limits on size belong to `loader/`; finding fault with the text to the parser.

The hard idea is that nothing ever moves. In a literate file the prose is blanked out with spaces rather than
cut away, so an offset into the program is the same offset into what the author wrote, and a caret drawn under
the original line is always right. For the same reason a fence nested in a list keeps its indentation.

Fences follow CommonMark with one exception: a block ends only at a closing fence (or at the end of the file),
never because a list around it ended. Losing rules without a word would be worse than differing from Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from attrs import field, frozen

__all__ = ["LiterateHeading", "SourceFile", "Span", "read_source", "rules_blocks", "word_in", "writable"]


@frozen
class SourceFile:
    """One file of a game. Lines end at ``\\n`` only, and lines and columns count from 1.

    `text` is the program; `original` is what the author wrote, the same length, and what we show back.
    """

    name: str
    # Files are few and their names differ, so the name is hash enough; equality still compares the text.
    text: str = field(hash=False, repr=False)
    original: str = field(eq=False, repr=False)
    _line_starts: tuple[int, ...] = field(init=False, eq=False, repr=False)
    # Expressions inside texts, by where they begin and end: they are read once, however often the text is used.
    expressions: dict[tuple[int, int], Any] = field(init=False, eq=False, repr=False, factory=dict)

    @original.default
    def _default_original(self) -> str:
        return self.text

    @original.validator
    def _check_original(self, _attribute: object, value: str) -> None:
        if len(value) != len(self.text):
            raise ValueError(f"{self.name}: the program and the original must have the same length")

    @_line_starts.default
    def _default_line_starts(self) -> tuple[int, ...]:
        return (0, *(match.end() for match in re.finditer("\n", self.text)))

    @property
    def line_count(self) -> int:
        """How many lines there are; the empty one after a final newline counts."""
        return len(self._line_starts)

    def line_of(self, offset: int) -> int:
        """The line an offset is on. Offsets outside the file count as its first or last place."""
        return bisect_right(self._line_starts, self._clamp(offset))

    def column_of(self, offset: int) -> int:
        """The column of an offset, in characters: a tab or a wide character is one."""
        return self._clamp(offset) - self.line_start(self.line_of(offset)) + 1

    def line_start(self, line: int) -> int:
        """The offset at which a line begins."""
        return self._line_starts[line - 1]

    def line_end(self, line: int) -> int:
        """The offset of the newline that ends a line, or of the end of the file."""
        return self._line_starts[line] - 1 if line < self.line_count else len(self.text)

    def line_text(self, line: int) -> str:
        """A line as the author wrote it, without its newline."""
        return self.original[self.line_start(line) : self.line_end(line)]

    def span(self, start: int, end: int) -> Span:
        """The text from `start` up to but not including `end`."""
        return Span(self, start, end)

    def _clamp(self, offset: int) -> int:
        return max(0, min(offset, len(self.text)))


@frozen
class Span:
    """A stretch of one file, from `start` up to but not including `end`."""

    source: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        return self.source.column_of(self.start)

    @property
    def end_line(self) -> int:
        """The line of the place just after the span."""
        return self.source.line_of(self.end)

    @property
    def end_column(self) -> int:
        """The column of the place just after the span."""
        return self.source.column_of(self.end)

    @property
    def text(self) -> str:
        """The program text covered."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The smallest span that covers both, whichever comes first."""
        if self.source is not other.source and self.source != other.source:
            raise ValueError(f"cannot join a span of {self.source.name} with one of {other.source.name}")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


def word_in(span: Span, said: str) -> Span:
    """Where a word stands in a stretch; all of it if it stands there in another form, or more than once."""
    found = list(re.finditer(rf"(?<![^\W_]){re.escape(said)}(?![^\W_])", span.text, re.IGNORECASE))
    return Span(span.source, span.start + found[0].start(), span.start + found[0].end()) if len(found) == 1 else span


@frozen
class LiterateHeading:
    """``## 4.6.3 Contested capitals``

    The default citation of the code below it; `ident` is None where the heading starts with no rule number.
    """

    level: int
    ident: str | None
    title: str
    line: int


def writable(name: str) -> str:
    """A name that can be written: what is no letter in the name of a file becomes a question mark."""
    return name.encode(errors="replace").decode()


def read_source(name: str, raw_text: str, literate: bool) -> tuple[SourceFile, list[LiterateHeading]]:
    """Make a file's raw text into a source, and if it is literate find its headings.

    A byte order mark is dropped and Windows line ends become plain ones; tabs stay, for the parser to report.
    """
    original = raw_text.removeprefix("\ufeff").replace("\r\n", "\n")
    display_name = writable(name.replace("\\", "/"))
    if not literate:
        return SourceFile(display_name, original, original), []
    text, headings, _ = _blank_prose(original)
    return SourceFile(display_name, text, original), headings


def rules_blocks(source: SourceFile) -> list[tuple[int, int]]:
    """For a literate file, the lines of its fences that hold rules: from the opening to the closing one."""
    return _blank_prose(source.original)[2]


_LIST_ITEM = re.compile(r"(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+")
_FENCE = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_TOKEN = r"[^\W_](?:[^\W_]|[.-](?=[^\W_]))*"
# A rule number has a digit in it; after an explicit § any word will do, as in `§battle`.
_IDENT = re.compile(
    rf"(?:§[ \t]*({_TOKEN})|(?=[\w.-]*\d)({_TOKEN}))"
    r"[.:)]*(?:[ \t]+(?:[-–—:][ \t]+)?|$)"
)


def _blank_prose(original: str) -> tuple[str, list[LiterateHeading], list[tuple[int, int]]]:
    kept: list[str] = []
    headings: list[LiterateHeading] = []
    blocks: list[tuple[int, int]] = []
    opened = 0
    fence: str | None = None  # the characters that opened the block we are in
    is_program = False
    in_comment = False
    margin = 0  # where the text of the list item around us begins; past margin + 3 it is a code sample

    for number, line in enumerate(original.split("\n"), start=1):
        blanked = " " * len(line)
        if fence is not None:
            if _closes(fence, line):
                fence = None
                kept.append(blanked)
                blocks += [(opened, number)] if is_program else []
            else:
                kept.append(line if is_program else blanked)
            continue
        kept.append(blanked)
        if in_comment:
            in_comment = "-->" not in line
            continue
        if not line.strip():
            continue

        rest, indent = line, _width_of_indent(line)
        item = _LIST_ITEM.match(line)
        if item and indent <= margin + 3:
            # "- ```rules" opens a block on the line of the bullet itself.
            margin = len(item.group().expandtabs(4))
            rest, indent = line[item.end() :], margin
        if opening := _FENCE.match(rest):
            if indent <= margin + 3:
                fence = opening[2]
                opened = number
                is_program = opening[3].split()[:1] == ["rules"]
            continue
        if not item:
            margin = min(margin, indent)
        if indent <= 3 and rest.lstrip().startswith("<!--"):
            in_comment = "-->" not in rest
        elif heading := _HEADING.match(line):
            ident, title = _split_ident(_heading_text(line[heading.end() :]))
            headings.append(LiterateHeading(len(heading[1]), ident, title, number))
    if fence is not None and is_program:  # a fence that nobody closed goes on to the end
        blocks.append((opened, original.count("\n") + 1))
    return "\n".join(kept), headings, blocks


def _closes(fence: str, line: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and bare == fence[0] * len(bare)


def _width_of_indent(line: str) -> int:
    shown = line.expandtabs(4)
    return len(shown) - len(shown.lstrip())


def _heading_text(rest: str) -> str:
    """What a heading says, without the ``##`` that may close it."""
    text = rest.strip()
    unclosed = text.rstrip("#")
    return unclosed.rstrip() if not unclosed or unclosed[-1] in " \t" else text


def _split_ident(heading: str) -> tuple[str | None, str]:
    found = _IDENT.match(heading)
    if not found:
        return None, heading
    return found[1] or found[2], heading[found.end() :]
