"""Every sentence that the program makes of a game's rules, and the rules that only such a sentence states.

In comes a subject; out come the lines of all outlines, those of options and cards too, each with the place it is made
of. What an author wrote (notes, the texts of choices, words given by `as` and `reword`) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import evolve, frozen

from rulescript import nodes as n
from rulescript.docgen.cards import rules_of
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.lines import walk_lines
from rulescript.docgen.names import Anchors, rule_anchor
from rulescript.docgen.prose import Prose
from rulescript.docgen.subject import Subject
from rulescript.docgen.told import Told, told_elsewhere, told_in
from rulescript.docgen.weave import Chapter, Weaver
from rulescript.source import Span
from rulescript.wording.proper import Proper

__all__ = ["Sentence", "Sentences", "Untold"]

# Lines that are an author's own words, or headings over others.
_NOT_OURS = ("note", "told", "heading", "quiet", "way")


@frozen
class Sentence:
    """A sentence, and where the rule stands that says it. `is_denied` is one a player reads whose move is refused."""

    text: str
    span: Span
    form: str
    is_denied: bool = False

    @property
    def place(self) -> str:
        return f"{self.span.source.name}:{self.span.line}"


@frozen
class Untold:
    """A rule of the rulebook that the game cites and no sentence of its author's states; what the program says."""

    ident: str
    title: str
    said: Sentence


class Sentences:
    """What the program says of one game."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.proper = Proper(subject.model)

    @cached_property
    def all(self) -> list[Sentence]:
        """All sentences made of the rules, each once, in the order of the text."""
        found: dict[tuple[str, str, int], Sentence] = {}
        for entry in self._entries:
            for sentence, _ in self._said_by(entry):
                found.setdefault((sentence.text, sentence.span.source.name, sentence.span.line), sentence)
        return list(found.values())

    @cached_property
    def untold(self) -> list[Untold]:
        """Cited rules without a sentence in the prose, in the order of the rulebook. A card that has its words on its
        face needs no others."""
        rules = self.subject.model.rulebook
        told = self._told
        found: dict[str, Sentence] = {}
        for entry in self._entries:
            if entry.doc:
                continue
            for sentence, cites in self._said_by(entry):
                for ident in cites:
                    if ident in rules and rules[ident].sort != "example" and not told.has(ident):
                        found.setdefault(ident, sentence)
        return [Untold(ident, rules[ident].title, found[ident]) for ident in rules if ident in found]

    def _said_by(self, entry: Entry) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
        """The sentences of an entry with the capitals they are printed with, each with the rules it follows from."""
        for sentence, cites in _said_by(entry):
            yield evolve(sentence, text=self.proper(sentence.text)), cites

    @cached_property
    def _chapters(self) -> list[Chapter]:
        prose = Prose(lambda ident: f"@{rule_anchor(ident)}", lambda path: "")
        weaver = Weaver(self.subject, self.proper, Anchors(), prose)
        weaver.plan()
        return weaver.weave()

    @property
    def _told(self) -> Told:
        return told_in(self._chapters, told_elsewhere(self.subject.model))

    @cached_property
    def _entries(self) -> list[Entry]:
        """The entries of all declarations, and what stands on cards and other things."""
        out = [entry for chapter in self._chapters for entry in chapter.entries]
        lines: dict[tuple[str, int], n.ThingDecl] = {
            (line.name.span.source.name, line.name.span.start): line for line in self.subject.thing_lines
        }
        seen: set[tuple[str, int]] = set()
        for places in self.subject.compositions:
            entries = Entries(places, self.proper)
            for kind in places.model.kinds.values():
                for thing in kind.things:
                    key = (thing.span.source.name, thing.span.start)
                    if key in seen:
                        continue
                    seen.add(key)
                    made = rules_of(thing, lines.get(key), entries)
                    for entry in made:
                        entry.doc = entry.doc or thing.doc
                    out += made
        return out


def _said_by(entry: Entry) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
    """The sentences of an entry, each with the rules it follows from."""
    if entry.form == "example":
        return
    for line in walk_lines(entry.lines):
        if line.form in _NOT_OURS or line.is_authored:
            continue
        span = line.span or entry.span
        yield Sentence(line.text, span, line.form), line.cites or entry.cites
        if line.denied:
            yield Sentence(line.denied, span, line.form, True), ()
    for child in entry.children:
        yield from _said_by(child)
