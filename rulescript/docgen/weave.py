"""The literate source woven into chapters: prose and rules together, in the order they were written.

In come the files of a game; out go chapters of sections. A chapter is a file, or the part of one under a heading of
the first level. In a section stand paragraphs, and blocks of rules: each declaration as an entry that can be read,
with the code it was made from beside it. A plain file is a chapter too if it has rules or data; its comments at the
left margin are its prose.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any

from attrs import define, field

from rulescript import nodes as n
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.lines import Line
from rulescript.docgen.names import Anchors, rule_anchor, slug
from rulescript.docgen.prose import Heading, Paragraphs, Prose
from rulescript.docgen.subject import File, Subject
from rulescript.loader import Piece
from rulescript.phrases import readable
from rulescript.source import rules_blocks
from rulescript.wording.proper import Proper

__all__ = ["Block", "Chapter", "Section", "Weaver"]

_CLAIMS = (n.Example, n.Check, n.Invariant)
_INCLUDE = re.compile(r'(?m)^\s*include\s*"([^"\n]*)"')


@define
class Block:
    """A stretch of rules: its entries, and the code they were made from. `includes` are files taken in here.

    `told.py` says which entries stand in the `open` and which are folded away under "exactly"; `also` are sentences of
    those whose rule the prose does not state."""

    entries: list[Entry]
    code: str
    line: int
    includes: list[str] = field(factory=list)
    open: list[Entry] = field(factory=list)
    exact: list[Entry] = field(factory=list)
    also: list[Line] = field(factory=list)

    @property
    def examples(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.form == "example"]


@define
class Section:
    """What stands under a heading. `depth` counts from 2, the first below the chapter's own title."""

    number: str
    title: str
    depth: int
    anchor: str
    parts: list[Paragraphs | Block] = field(factory=list)
    rules: tuple[str, ...] = ()
    # What has changed the rules that are told here: (title, anchor, how far they still hold).
    changed: list[tuple[str, str, str]] = field(factory=list)
    # Whether all of them are gone.
    is_gone: bool = False

    @property
    def has_words(self) -> bool:
        """Whether a player has something to read here."""
        return any(not isinstance(part, Block) or part.open or part.also for part in self.parts)

    @property
    def is_for_designers(self) -> bool:
        """Whether it has nothing but claims and what they count with, and no word about them."""
        forms = {e.form for part in self.parts if isinstance(part, Block) for e in part.entries}
        return not self.has_words and bool(forms & {"check", "invariant"}) and forms <= {*_CLAIMED, *_COUNTED, "adjust"}


@define
class Chapter:
    """A chapter: `page` is the name of its page without the suffix."""

    number: str
    title: str
    file: str
    level: int
    page: str
    anchor: str
    sections: list[Section] = field(factory=list)
    is_main: bool = False
    is_literate: bool = True

    @property
    def blocks(self) -> list[Block]:
        return [p for s in self.sections for p in s.parts if isinstance(p, Block)]

    @property
    def entries(self) -> list[Entry]:
        return [e for b in self.blocks for e in b.entries]

    @property
    def is_claims(self) -> bool:
        """Whether it has nothing but claims, which have a page of their own."""
        entries = self.entries
        return bool(entries) and all(e.form in ("example", "check", "invariant") for e in entries)

    @property
    def is_for_designers(self) -> bool:
        return bool(self.sections) and all(section.is_for_designers for section in self.sections)


# What a file of claims has beside them: values that they count with.
_COUNTED = ("value", "function", "predicate", "state")
_CLAIMED = ("invariant", "check", "example")


def _line_of(placed: tuple[int, Piece]) -> int:
    return placed[0]


class Weaver:
    """Weaves all files of a subject."""

    def __init__(self, subject: Subject, proper: Proper, anchors: Anchors, prose: Prose) -> None:
        self.subject = subject
        self.proper = proper
        self.anchors = anchors
        self.prose = prose
        self.entries = Entries(subject.places, proper)
        self._pages: dict[str, int] = {}
        self.page_of_file: dict[tuple[int, str], str] = {}
        self.chapters: list[Chapter] = []
        self._page_names: set[str] = set()
        # Of each file the lines, and what is declared in it by where it begins. A file of thousands of short blocks is
        # asked for each of them.
        self._lines: dict[str, list[str]] = {}
        self._pieces: dict[str, list[tuple[int, Piece]]] = {}
        for text in subject.chain:
            for piece in text.pieces:
                span = piece.declaration.span
                self._pieces.setdefault(span.source.name, []).append((span.line, piece))
        for pieces in self._pieces.values():
            pieces.sort(key=_line_of)

    @cached_property
    def only_for_claims(self) -> frozenset[str]:
        """Values that stand in a file of claims, for them to count with: what changes one is no rule of play."""
        found: set[str] = set()
        for chapter in self.chapters:
            forms = {entry.form for entry in chapter.entries}
            if forms & {"invariant", "check"} and forms <= {*_COUNTED, *_CLAIMED}:
                found.update(entry.name for entry in chapter.entries if entry.form in _COUNTED)
        return frozenset(found)

    # -------------------------------------------------------------- pages first

    def plan(self) -> None:
        """Give every file a page, before prose that links to it is read."""
        for file in self.subject.files:
            self.page_of_file[(file.level, file.name)] = self._page(file)

    def _page(self, file: File) -> str:
        stem = posixpath.basename(file.name).removesuffix(".md").removesuffix(".rules")
        if stem == "game":
            stem = file.game if file.level < len(self.subject.chain) - 1 else "introduction"
        wish = f"rules-{slug(stem)}"
        number = self._pages.get(wish, 0) + 1
        self._pages[wish] = number
        return wish if number == 1 else f"{wish}-{number}"

    # -------------------------------------------------------------- chapters

    def weave(self) -> list[Chapter]:
        for file in self.subject.files:
            parts = self._literate(file) if file.is_literate else self._plain(file)
            self._chapters(file, parts)
        return self.chapters

    def _literate(self, file: File) -> list[Heading | Paragraphs | Block]:
        from rulescript.source import read_source

        source = file.source
        _, headings = read_source(source.name, source.original, True)
        lines = source.original.split("\n")
        folder = posixpath.dirname(file.name)
        parts: list[Heading | Paragraphs | Block] = []
        at = 1

        def prose(until: int) -> list[Any]:
            begun, end = (bisect_left(headings, number, key=attrgetter("line")) for number in (at, until))
            text = "\n".join(lines[at - 1 : until - 1])
            return self.prose.read(text, at, headings[begun:end], f"{file.level}/{folder}")

        for opened, closed in rules_blocks(source):
            parts += prose(opened)
            last = closed if lines[closed - 1].strip().strip("`~") else closed - 1
            code = _dedent(lines[opened : max(opened, last)])
            parts.append(self._block(file, opened + 1, closed, code))
            at = closed + 1
        return parts + prose(len(lines) + 1)

    def _plain(self, file: File) -> list[Heading | Paragraphs | Block]:
        """Declarations of a plain file; comments at the margin between them are read as prose."""
        lines = file.source.original.split("\n")
        parts: list[Heading | Paragraphs | Block] = []
        held: list[tuple[int, str]] = []
        first: int | None = None

        def flush(until: int) -> None:
            nonlocal first
            if first is not None:
                code = "\n".join(lines[first - 1 : until]).rstrip()
                if code.strip():
                    parts.append(self._block(file, first, until, code))
            first = None

        for number, line in enumerate(lines, start=1):
            if line.startswith("#"):
                flush(number - 1)
                held.append((number, re.sub(r"^#+ ?|[-=]{4,}", "", line).strip()))
                continue
            if held:
                text = "\n".join(words for _, words in held)
                parts += self.prose.read(text, held[0][0], (), f"{file.level}/{posixpath.dirname(file.name)}")
                held = []
            if first is None and line.strip():
                first = number
        flush(len(lines))
        return parts

    def _block(self, file: File, first: int, last: int, code: str) -> Block:
        entries: list[Entry] = []
        pieces = self._pieces.get(file.source.name, [])
        for _, piece in pieces[bisect_left(pieces, first, key=_line_of) : bisect_right(pieces, last, key=_line_of)]:
            entries += self.entry(piece)
        includes: list[str] = []
        lines = self._lines.get(file.source.name)
        if lines is None:
            lines = self._lines[file.source.name] = file.source.text.split("\n")
        for path in _INCLUDE.findall("\n".join(lines[first - 1 : last])):
            includes += self._included(file, path)
        return Block(entries, code.strip("\n"), first, includes)

    def _included(self, file: File, path: str) -> list[str]:
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(file.name), path))
        pattern = re.compile("[^/]*".join(map(re.escape, wanted.split("*"))) + r"\Z")
        return [f.name for f in self.subject.files if f.level == file.level and pattern.match(f.name)]

    def entry(self, piece: Piece) -> list[Entry]:
        node = piece.declaration
        if isinstance(node, n.OptionDecl):
            return [self.option(node, piece.cites)]
        if isinstance(node, n.WithDecl):
            return self.part(node, piece.cites)
        made = self.entries.of(node, piece.cites)
        return [made] if made is not None else []

    def option(self, node: n.OptionDecl, cites: tuple[str, ...] = ()) -> Entry:
        """An option or scenario with what it changes, told from a game in which it is in force."""
        inner = Entries(self.subject.places_with(node.name.text), self.proper)
        default = node.cites or cites
        children = [e for d in node.declarations if (e := inner.of(d, default, node.name.text)) is not None]
        form = "scenario" if node.is_scenario else "option"
        title = node.title or readable(node.name.text)
        entry = Entry(form, node.name.text, title, node.span, default, node.doc, children=children)
        entry.key = f"{form} {node.name.text}"
        return entry

    def part(self, node: n.WithDecl, cites: tuple[str, ...] = ()) -> list[Entry]:
        """More of an option, or what holds where several are chosen."""
        names = [name.text for name in node.names]
        inner = Entries(self.subject.places_with(*names), self.proper)
        origin = " and ".join(names)
        made = [inner.of(d, node.cites or cites, origin) for d in node.declarations]
        return [entry for entry in made if entry is not None]

    # -------------------------------------------------------------- putting them together

    def _chapters(self, file: File, parts: Sequence[Heading | Paragraphs | Block]) -> None:
        page = self.page_of_file[(file.level, file.name)]
        is_main = file is next((f for f in self.subject.files if f.level == file.level), None)
        tops = [p for p in parts if isinstance(p, Heading)]
        top = min((h.level for h in tops), default=1)
        many = sum(1 for h in tops if h.level == top) > 1 and top == 1
        chapter: Chapter | None = None
        section: Section | None = None
        depths: list[int] = []
        for part in parts:
            if isinstance(part, Heading) and (part.level == top) and (chapter is None or many) and top == 1:
                name = page if chapter is None else f"{page}-{slug(part.ident or part.title)}"
                chapter = self._begin(file, part.ident, part.title, name, is_main)
                section, depths = None, []
                continue
            if chapter is None:
                chapter = self._begin(file, "", _title_of(file, parts), page, is_main)
            if isinstance(part, Heading):
                while depths and depths[-1] >= part.level:
                    depths.pop()
                depths.append(part.level)
                anchor = self._anchor(part.ident, part.title, chapter.page)
                section = Section(part.ident, part.title, len(depths) + 1, anchor)
                chapter.sections.append(section)
                continue
            if section is None:
                section = Section("", "", 2, "")
                chapter.sections.append(section)
            section.parts.append(part)

    def _begin(self, file: File, ident: str, title: str, page: str, is_main: bool) -> Chapter:
        name, number = page, 2
        while name in self._page_names:
            name, number = f"{page}-{number}", number + 1
        self._page_names.add(name)
        if is_main and not ident and title == self.subject.chain[file.level].title:
            title = "Introduction" if file.level == len(self.subject.chain) - 1 else title
        chapter = Chapter(ident, title or _stem(file), file.name, file.level, name, "", is_main=is_main)
        chapter.is_literate = file.is_literate
        chapter.anchor = self._anchor(ident, title, name)
        self.chapters.append(chapter)
        return chapter

    def _anchor(self, ident: str, title: str, page: str) -> str:
        """A rule's number is its anchor where it is a heading; the first one has it."""
        if ident and self.anchors.take(rule_anchor(ident), page):
            return rule_anchor(ident)
        return self.anchors.new(f"s-{slug(ident + ' ' + title)}", page)


def _dedent(lines: Sequence[str]) -> str:
    """A fence in a list keeps its indentation in the source, but not on the page."""
    filled = [line for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    return "\n".join(line[margin:] for line in lines)


def _stem(file: File) -> str:
    stem = posixpath.basename(file.name).removesuffix(".md").removesuffix(".rules")
    return readable(stem).replace("-", " ").capitalize()


def _title_of(file: File, parts: Sequence[object]) -> str:
    """A plain file goes by the first words of its first comment, if they are few; else by its name."""
    first = parts[0] if parts else None
    if not file.is_literate and isinstance(first, Paragraphs):
        words = re.split(r"[:.;]", first.markdown.split("\n")[0], maxsplit=1)[0].strip()
        if 3 <= len(words) <= 60:
            return words[:1].upper() + words[1:]
    return _stem(file)
