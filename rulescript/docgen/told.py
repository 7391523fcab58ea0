"""What the author's own words state: which rules have a sentence in the prose, and where it stands.

The prose of a chapter is what a player reads. What the program makes of the rules is folded away under it, except for
a rule that the prose does not state: its generated sentence stays in the open. A rule is stated by prose that cites it
(`§4.6.2`), or by prose under a heading that has its number; a heading `6.3` also speaks for `6.3a` and `6.3-b`, which
are sentences of that section, but not for `6.3.1`, which is a section of its own.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Collection, Iterable, Iterator

from attrs import define, evolve, field
from markupsafe import Markup

from rulescript.docgen.entries import Entry
from rulescript.docgen.lines import Line
from rulescript.docgen.names import Anchors
from rulescript.docgen.prose import Paragraphs
from rulescript.docgen.weave import Block, Chapter
from rulescript.model import game as m

__all__ = ["Told", "anchor_prose", "sort_blocks", "told_elsewhere", "told_in"]

# Lists and charts are as good as prose; claims stand in the part for designers.
OPEN = ("table", "counts", "things", "map", "option", "scenario", "players")
_SMALL = ("state", "holds", "values", "kind", "pieces", "either")
_WEAK = ("call", "choice", "way", "pick")
CLAIMS = ("invariant", "check")
_CITED = re.compile(r'<a href="@r-([^"]*)" class="cite">')
# "See the map, or §2.1" speaks of a rule; it does not state it.
_SEE = re.compile(r"\b[Ss]ee\b[^.;:!?]*\Z")
_PARAGRAPH = re.compile(r"<(p|li|td)>((?:(?!<(?:p|li|td)>).)*?)</\1>", re.DOTALL)
_ROW = re.compile(r"(.+?)(?:[a-z]|-[A-Za-z0-9]+)")


@define
class Told:
    """The rules that the prose states."""

    cited: set[str] = field(factory=set)
    headed: set[str] = field(factory=set)
    # What is said on another page, or on the face of a card.
    elsewhere: frozenset[str] = frozenset()
    # The paragraphs that cite a rule, as HTML with links still to be filled in.
    passages: dict[str, list[str]] = field(factory=dict)

    def has(self, ident: str) -> bool:
        """Whether a rule has a sentence of the author's."""
        if ident in self.cited or ident in self.headed or ident in self.elsewhere:
            return True
        row = _ROW.fullmatch(ident)
        return row is not None and (row[1] in self.headed or row[1] in self.cited)

    def open_lines(self, entry: Entry) -> list[Line]:
        """The sentences of an entry that nobody says but the program."""
        known = set(entry.cites)
        lines = _of_chapter(entry.lines)
        out = [line for line in lines if any(c not in known and not self.has(c) for c in line.cites)]
        for child in entry.children:
            out += self.open_lines(child)
        return out


def _of_chapter(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines and what stands under them, without those that a card says on its face."""
    for line in lines:
        if not line.is_on_card:
            yield line
            yield from _of_chapter(line.children)


def told_elsewhere(game: m.Game) -> Iterator[str]:
    """Rules that no chapter needs to state: readings and examples of the rulebook have pages of their own, and a card
    that has its words on its face says them there."""
    yield from (ident for ident, entry in game.rulebook.items() if entry.sort in ("reading", "example"))
    for kind in (k for k in game.kinds.values() if k.does):
        for thing in kind.things:
            yield from thing.cites if thing.doc else ()


def told_in(chapters: Iterable[Chapter], elsewhere: Iterable[str] = ()) -> Told:
    told = Told(elsewhere=frozenset(elsewhere))
    for chapter in chapters:
        numbers = [chapter.number]
        for section in chapter.sections:
            if section.title:
                numbers = [section.number]
            prose = [part for part in section.parts if isinstance(part, Paragraphs)]
            if prose:
                told.headed.update(n for n in numbers if n)
            for part in prose:
                _read(part, told)
    return told


def _read(part: Paragraphs, told: Told) -> None:
    html = str(part.html)
    told.cited.update(entities.unescape(found[1]) for found in _stated(html))
    for paragraph in _PARAGRAPH.finditer(html):
        for ident in dict.fromkeys(found[1] for found in _stated(paragraph[2])):
            told.passages.setdefault(ident, []).append(paragraph[2].strip())


def _stated(html: str) -> Iterator[re.Match[str]]:
    """Citations of rules that a passage states."""
    return (found for found in _CITED.finditer(html) if not _is_reference(found))


def _is_reference(found: re.Match[str]) -> bool:
    before = re.sub(r"<[^>]*>", "", found.string[max(0, found.start() - 300) : found.start()])
    return _SEE.search(before) is not None


def anchor_prose(chapters: Iterable[Chapter], anchors: Anchors, places: dict[str, list[tuple[str, str]]]) -> None:
    """A rule's number is an anchor where the prose first cites it, unless a heading has it already: who follows a
    citation wants to read the author's sentence."""
    for chapter in chapters:
        for section in chapter.sections:
            title = section.title or chapter.title
            for at, part in enumerate(section.parts):
                if isinstance(part, Paragraphs):
                    section.parts[at] = _marked(part, chapter.page, title, anchors, places)


def _marked(
    part: Paragraphs, page: str, title: str, anchors: Anchors, places: dict[str, list[tuple[str, str]]]
) -> Paragraphs:
    taken: list[str] = []

    def mark(found: re.Match[str]) -> str:
        ident = found[1]
        wish = f"r-{ident}"
        if _is_reference(found) or not anchors.take(wish, page):
            return found[0]
        taken.append(wish)
        places.setdefault(ident, []).append((wish, title))
        return f'<a href="@{wish}" class="cite" id="{wish}">'

    return evolve(part, html=Markup(_CITED.sub(mark, str(part.html))), anchors=tuple(taken))


def sort_blocks(chapters: Iterable[Chapter], told: Told, only_for_claims: Collection[str] = ()) -> None:
    """Decide for every block of rules what stands in the open and what is folded away.

    A state is told only if no rule tells the same, and a line that only names another rule, or a choice, only if
    nothing else says it."""
    shown: set[str] = set()
    chapters = list(chapters)
    blocks = [(block, chapter.is_literate and _has_prose(chapter)) for chapter in chapters for block in chapter.blocks]
    for is_small in (False, True):
        for block, has_prose in blocks:
            for entry in block.entries:
                if entry.form == "adjust" and entry.name in only_for_claims:
                    block.exact += [] if is_small else [entry]
                elif (entry.form in _SMALL) is is_small:
                    _sort(block, entry, told, shown, has_prose)
    for is_weak in (False, True):
        for block, _ in blocks:
            for entry in block.exact:
                if entry.form != "adjust" or entry.name not in only_for_claims:
                    _say_also(block, entry, told, shown, is_weak)
    for block, _ in blocks:
        block.open.sort(key=lambda e: e.span.start)
        block.exact.sort(key=lambda e: e.span.start)


def _has_prose(chapter: Chapter) -> bool:
    return any(isinstance(part, Paragraphs) for section in chapter.sections for part in section.parts)


def _sort(block: Block, entry: Entry, told: Told, shown: set[str], has_prose: bool) -> None:
    if entry.form in CLAIMS or entry.form == "example":
        return
    if not has_prose or entry.form in OPEN or (entry.grids and not entry.lines):
        block.open.append(entry)
        return
    fresh = [c for c in entry.cites if not told.has(c) and c not in shown]
    if fresh and len(fresh) == len(entry.cites) and (entry.lines or entry.doc):
        shown.update(entry.cites)
        block.open.append(entry)
        return
    block.exact.append(entry)


def _say_also(block: Block, entry: Entry, told: Told, shown: set[str], is_weak: bool) -> None:
    for line in told.open_lines(entry):
        if (line.form in _WEAK) is is_weak and any(not told.has(c) and c not in shown for c in line.cites):
            shown.update(line.cites)
            block.also.append(line)
