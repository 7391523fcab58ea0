"""A file as `rulescript fmt` would have it: one function, format_source.

In comes a source file; out comes its text with indentation, spacing, citations and tables put in order.
Comments, the order of things and the author's blank lines stay. A file that cannot be read is reported and
given back as it was; any fault but one of syntax is left to others, and so is writing to disk.

The hard idea is that nothing is printed from nodes. The parser's own tokens are laid out again line by line,
so whatever the nodes do not remember survives. Where a token alone does not say how it is spaced (is this `-`
a sign, does this `[` filter or list?), the tree of the same parse does: `_Marks` collects those places.
Columns are measured on the new text only, never on the old, which is why formatting twice changes nothing.
And because a formatter that changes a game is worse than none, the result is parsed and compared before it is
handed out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from attrs import Factory, define, frozen
from lark import Token, Tree
from lark.exceptions import LarkError

from rulescript.diagnostics import Reporter
from rulescript.source import SourceFile, Span, read_source
from rulescript.syntax.parser import _pieces, _reader, parse_file

__all__ = ["format_source"]

INDENT = 4
LAST_COLUMN = 100  # a citation begins no further right than this, unless its own line is longer
MAX_BLANK = 2

_LAYOUT = ("_NL", "_INDENT", "_DEDENT")
_OPENING, _CLOSING = ("LPAR", "LSQB", "LBRACE"), ("RPAR", "RSQB", "RBRACE")


def format_source(source: SourceFile, reporter: Reporter | None = None) -> str:
    """The text in its proper form. With mistakes in the syntax, they are reported and it stays as it is."""
    reporter = reporter if reporter is not None else Reporter()
    faults = Reporter()
    before = parse_file(source, faults)
    if faults.has_errors:
        reporter.extend(faults.diagnostics)
        return source.original
    is_literate = source.text != source.original
    try:
        sheet = _read_sheet(source)
        text = _layout(source, sheet, is_literate)
        after, _ = read_source(source.name, text, is_literate)
        is_same = parse_file(after, faults) == before and not faults.has_errors
        if is_same and _comments(after, _read_sheet(after)) == _comments(source, sheet):
            return text
    except LarkError:
        # The parser reads around things the formatter does not know of: as much a fault of ours.
        pass
    reporter.error(
        "RS901",
        "formatting would have changed what this file says, so it was left as it is",
        Span(source, 0, 0),
    )
    return source.original


# ------------------------------------------------------------------ reading


@frozen
class _Marks:
    """Places, as offsets into the file, that a token alone cannot tell apart."""

    signs: set[int] = Factory(set)  # `-` before its only operand
    literals: set[int] = Factory(set)  # `[` of a list
    called: set[int] = Factory(set)  # where that ends which arguments or parameters follow
    attributes: set[int] = Factory(set)  # the name before a fact, `limits (...)`
    upward: set[int] = Factory(set)  # `+` of `6+`
    tails: set[int] = Factory(set)  # citations that end a line
    tables: dict[int, int] = Factory(dict)  # where a row begins -> where its table does
    things: set[int] = Factory(set)  # lines of things with facts
    index: set[int] = Factory(set)  # lines of a rulebook's index

    def read(self, root: Tree[Any], base: int) -> None:
        stack: list[tuple[Tree[Any], Tree[Any] | None]] = [(root, None)]
        while stack:
            tree, parent = stack.pop()
            stack.extend((child, tree) for child in tree.children if isinstance(child, Tree))
            if tree.meta.empty:
                continue
            start, end = base + tree.meta.start_pos, base + tree.meta.end_pos
            match tree.data:
                case "negate" | "negative":
                    self.signs.add(start)
                case "bounds":
                    minus = [token for token in tree.children if isinstance(token, Token) and token.type == "MINUS"]
                    self.signs.update(base + (token.start_pos or 0) for token in minus)
                case "list_literal":
                    self.literals.add(start)
                case "call" | "for_call":
                    function: Any = tree.children[0]
                    self.called.add(base + function.meta.outer_end)
                case "standing_decl":
                    self.called.add(start + len("standing"))
                case "item_attr":
                    self.attributes.add(start)
                case "from_up":
                    self.upward.add(end - 1)
                case "cites" if parent is None or parent.data != "clause_ref":
                    self.tails.add(start)
                case "table_row" if parent is not None:
                    self.tables[start] = parent.meta.start_pos + base
                case "thing_line":
                    parts = [child.data for child in tree.children if isinstance(child, Tree)]
                    if any(part.startswith("item_") and part != "item_label" for part in parts):
                        self.things.add(start)
                case "rulebook_line":
                    self.index.add(start)


@frozen
class _Word:
    """A token and where it lies in the file."""

    type: str
    text: str
    start: int
    end: int


@define
class _Line:
    """A line of code. `extra` counts the lines above that opened a bracket still open here."""

    piece: int
    number: int
    last: int
    level: int
    extra: int
    depth: int
    words: list[_Word]
    comment: str = ""
    body: str = ""
    tail: str = ""

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def margin(self) -> str:
        return " " * (INDENT * (self.level + self.extra))


@frozen
class _Sheet:
    """Everything in a file that is code, in order."""

    lines: list[_Line]
    marks: _Marks


def _read_sheet(source: SourceFile) -> _Sheet:
    sheet = _Sheet([], _Marks())
    # Blanks of any sort on an empty line are nothing to the parser; a tab would be something to its lexer.
    program = re.sub(r"(?m)^[^\S\n]+$", lambda blanks: " " * len(blanks[0]), source.text)
    reader = _reader()
    for start, end in _pieces(program):
        text = program[start:end].rstrip() + "\n"
        parse = reader.parse_interactive(text, start="declaration")
        tokens = list(parse.iter_parse())
        sheet.marks.read(parse.feed_eof(), start)  # type: ignore[no-untyped-call]
        sheet.lines.extend(_lines_of(source, start, tokens))
    for line in sheet.lines:
        rest = source.text[line.words[-1].end : source.line_end(line.last)].strip()
        line.comment = rest if rest.startswith("#") else ""
    return sheet


def _lines_of(source: SourceFile, base: int, tokens: Iterable[Token]) -> Iterator[_Line]:
    level = 0
    opened: list[int] = []  # the lines of the brackets that are open
    line: _Line | None = None
    for token in tokens:
        if token.type in _LAYOUT:
            level += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)
            continue
        start = base + (token.start_pos or 0)
        word = _Word(token.type, str(token), start, start + len(token))
        number = source.line_of(start)
        if line is None or number > line.last:
            if line is not None:
                yield line
            line = _Line(base, number, number, level, len(set(opened)), len(opened), [])
        line.words.append(word)
        # A citation may run on into the next line; what follows it there belongs to this one.
        line.last = source.line_of(word.end)
        if word.type in _OPENING:
            opened.append(line.number)
        elif word.type in _CLOSING and opened:
            opened.pop()
            if all(other.type in _CLOSING for other in line.words):
                line.extra = len(set(opened))
    if line is not None:
        yield line


def _comments(source: SourceFile, sheet: _Sheet) -> list[str]:
    """What the comments of a file say, in order."""
    taken = {number for line in sheet.lines for number in range(line.number, line.last + 1)}
    found = [(line.last, line.comment) for line in sheet.lines if line.comment]
    for number, text in enumerate(source.text.split("\n"), start=1):
        if number not in taken and text.strip():
            found.append((number, text.strip()))
    return [comment for _, comment in sorted(found)]


# ------------------------------------------------------------------ spacing


def _shown(word: _Word) -> str:
    match word.type:
        case "CITES":
            return ", ".join("§" + part.strip(" ,\t\n") for part in re.split("[§@]", word.text) if part.strip(" ,\t\n"))
        case "END":
            return " ".join(word.text.split())
        case "RAW_LINE":
            return word.text.rstrip()
    return word.text


def _spaced(words: Iterable[_Word], marks: _Marks) -> str:
    """Words on one line, with blanks where they belong."""
    text, before = "", None
    for word in words:
        if before is not None and not _touches(before, word, marks):
            text += " "
        text += _shown(word)
        before = word
    return text


def _touches(left: _Word, right: _Word, marks: _Marks) -> bool:
    if right.text in (",", ":", ".", "..") or right.type in _CLOSING:
        return True
    if left.text in (".", "..") or left.type in _OPENING or left.start in marks.signs:
        return True
    if right.text == "(" and left.start in marks.attributes:
        return False
    if right.text == "(":
        return left.type == "NAME" or left.end in marks.called
    if right.text == "[":
        return right.start not in marks.literals
    return right.start in marks.upward


# ------------------------------------------------------------------ columns


def _fill(sheet: _Sheet) -> None:
    """Give every line its body and tail; in tables, indexes and lists of things the bodies line up."""
    marks = sheet.marks
    rows: dict[int, list[_Line]] = {}
    for line in sheet.lines:
        body, tail = _split_tail(line, marks)
        line.body, line.tail = _spaced(body, marks), _spaced(tail, marks)
        if line.start in marks.tables:
            rows.setdefault(marks.tables[line.start], []).append(line)
    for table in rows.values():
        _align_rows(table, marks)
    for index in _runs(sheet.lines, lambda line: line.start in marks.index, lambda a, b: a.piece == b.piece):
        parts = [[_spaced([word], marks) for word in line.words] for line in index]
        for line, cells in zip(index, parts, strict=True):
            padded = [cell.ljust(max(len(row[at]) for row in parts)) for at, cell in enumerate(cells)]
            line.body = "  ".join(padded).rstrip()
    for things in _runs(
        sheet.lines,
        lambda line: line.start in marks.things,
        lambda a, b: b.number - a.last == 1 and a.level == b.level,
    ):
        heads = [f"{_spaced(line.words[:2], marks)}  " for line in things]
        for line, head in zip(things, heads, strict=True):
            line.body = head.ljust(max(map(len, heads))) + line.body[len(head) - 1 :]


def _split_tail(line: _Line, marks: _Marks) -> tuple[list[_Word], list[_Word]]:
    """A line up to its citation, and from there."""
    at = next((at for at, word in enumerate(line.words) if word.start in marks.tails), len(line.words))
    return line.words[:at], line.words[at:]


def _runs(
    lines: list[_Line], belongs: Callable[[_Line], bool], joins: Callable[[_Line, _Line], bool]
) -> Iterator[list[_Line]]:
    """Lines of a sort that follow one another."""
    run: list[_Line] = []
    for line in lines:
        if run and not (belongs(line) and joins(run[-1], line)):
            yield run
            run = []
        if belongs(line):
            run.append(line)
    if run:
        yield run


def _align_rows(table: list[_Line], marks: _Marks) -> None:
    split = [_cells(line, marks) for line in table]
    widths: list[int] = []
    numeric: list[bool] = []
    for column in range(max(len(cells) for cells, _ in split)):
        texts = [cells[column] for cells, _ in split if column < len(cells)]
        widths.append(max(map(len, texts)))
        below = [text for text in texts[1:] if text]
        numeric.append(bool(below) and all(re.fullmatch(r"-?\d+(\.\.\d+|\+)?", text) for text in below))
    for line, (cells, rest) in zip(table, split, strict=True):
        shown = (
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(cells, widths, numeric, strict=False)
        )
        line.body = f"| {' | '.join(shown)} | {rest}".rstrip()


def _cells(line: _Line, marks: _Marks) -> tuple[list[str], str]:
    """The texts between the bars, and what stands behind the last bar."""
    words, _ = _split_tail(line, marks)
    bars = [at for at, word in enumerate(words) if word.type == "BAR"]
    cells = [_spaced(words[left + 1 : right], marks) for left, right in pairwise(bars)]
    return cells, _spaced(words[bars[-1] + 1 :], marks)


def _paragraphs(source: SourceFile, lines: list[_Line]) -> Iterator[list[_Line]]:
    """The lines of one declaration with no blank line (or prose) between them."""
    blank = {at for at, text in enumerate(source.text.split("\n"), start=1) if not text.strip()}
    paragraph: list[_Line] = []
    for line in lines:
        if paragraph:
            above = paragraph[-1]
            if above.piece != line.piece or any(at in blank for at in range(above.last + 1, line.number)):
                yield paragraph
                paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _finish(source: SourceFile, sheet: _Sheet) -> dict[int, str]:
    """The new text of each line of code, by the number of the line it began on."""
    texts: dict[int, str] = {}
    for paragraph in _paragraphs(source, sheet.lines):
        cited = [len(line.margin + line.body) for line in paragraph if line.tail]
        column = min(max(cited, default=0) + 2, LAST_COLUMN - 1)
        for line in paragraph:
            text = line.margin + line.body
            if line.tail:
                text = (text + "  ").ljust(column) + line.tail
            texts[line.number] = text
    for run in _runs(sheet.lines, lambda line: line.comment != "", lambda a, b: b.number - a.last == 1):
        column = min(max(len(texts[line.number]) for line in run) + 2, LAST_COLUMN - 1)
        for line in run:
            texts[line.number] = (texts[line.number] + "  ").ljust(column) + line.comment
    return texts


# ------------------------------------------------------------------ the whole file


def _layout(source: SourceFile, sheet: _Sheet, is_literate: bool) -> str:
    _fill(sheet)
    texts = _finish(source, sheet)
    swallowed = {at for line in sheet.lines for at in range(line.number + 1, line.last + 1)}
    margins = _comment_margins(source, sheet.lines)
    program, original = source.text.split("\n"), source.original.split("\n")
    is_code = _code_lines(program, original) if is_literate else [True] * len(program)
    out: list[str] = []
    blanks, in_code = 0, False
    for number, line in enumerate(program, start=1):
        if not is_code[number - 1]:
            out.append(original[number - 1])
            blanks, in_code = 0, False
        elif number in swallowed:
            continue
        elif not line.strip():
            blanks += 1
        else:
            # Blank lines wait for the next line of code, so those at either end of a stretch are dropped.
            out.extend([""] * (min(blanks, MAX_BLANK) if in_code else 0))
            out.append(texts.get(number) or margins[number] + line.strip())
            blanks, in_code = 0, True
    if not is_literate:
        return "\n".join(out) + "\n" if out else ""
    if source.original.endswith("\n") and out and out[-1]:
        out.append("")
    return "\n".join(out)


def _code_lines(program: list[str], original: list[str]) -> list[bool]:
    """Which lines of a literate file lie inside a fence of rules.

    Prose and the fences themselves are blanked in the program, so a stretch of lines that are the same in
    both is either the inside of a fence or blank lines between paragraphs."""
    same = [ours == theirs for ours, theirs in zip(program, original, strict=True)]
    result = [False] * len(same)
    at = 0
    while at < len(same):
        end = at + 1
        while end < len(same) and same[end] == same[at]:
            end += 1
        if same[at] and any(line.strip() for line in program[at:end]):
            result[at:end] = [True] * (end - at)
        at = end
    return result


def _comment_margins(source: SourceFile, lines: list[_Line]) -> dict[int, str]:
    """How far in each comment that has a line of its own stands.

    It goes with the line below, or, where a block ends, with the innermost block it was not left of."""
    margins: dict[int, str] = {}
    columns: dict[int, int] = {}  # where the lines of each level begin, in the old text
    above: _Line | None = None
    upcoming = iter(lines)
    below = next(upcoming, None)
    for number, text in enumerate(source.text.split("\n"), start=1):
        while below is not None and below.number <= number:
            if not below.depth:
                columns[below.level] = source.column_of(below.start)
            above, below = below, next(upcoming, None)
        if not text.lstrip().startswith("#") or (above is not None and number <= above.last):
            continue
        if below is not None and below.depth:
            inside = below.extra + (1 if below.words[0].type in _CLOSING else 0)
            margins[number] = " " * (INDENT * (below.level + inside))
            continue
        lowest = below.level if below is not None else 0
        highest = above.level if above is not None else 0
        column = len(text) - len(text.lstrip()) + 1
        fitting = [level for level in range(lowest, highest + 1) if columns.get(level, 1) <= column]
        margins[number] = " " * (INDENT * max(fitting, default=lowest))
    return margins
