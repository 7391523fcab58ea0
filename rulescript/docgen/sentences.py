"""Every sentence that the program makes of a game's rules: for whoever wants to know how they read.

In comes a subject; out come the lines of all outlines, those of options and cards too, each with the place it is made
of. What an author wrote (notes, the texts of choices, words given by `as` and `reword`) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulescript import nodes as n
from rulescript.docgen.cards import rules_of
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.lines import walk_lines
from rulescript.docgen.names import Anchors, Proper
from rulescript.docgen.prose import Prose
from rulescript.docgen.subject import Subject
from rulescript.docgen.weave import Weaver
from rulescript.source import Span

__all__ = ["Sentence", "sentences_of"]

# Lines that are an author's own words, or headings over others.
_NOT_OURS = ("note", "told", "heading", "quiet", "way")


@frozen
class Sentence:
    """A sentence, and where the rule stands that says it. `denied` is one a player reads whose move is refused."""

    text: str
    span: Span
    form: str
    is_denied: bool = False


def sentences_of(subject: Subject) -> list[Sentence]:
    """All sentences made of the rules, each once, in the order of the text."""
    found: dict[tuple[str, str, int], Sentence] = {}
    for entry in _entries(subject):
        for sentence in _of_entry(entry):
            found.setdefault((sentence.text, sentence.span.source.name, sentence.span.line), sentence)
    return list(found.values())


def _of_entry(entry: Entry) -> Iterator[Sentence]:
    if entry.form in ("example",):
        return
    for line in walk_lines(entry.lines):
        if line.form in _NOT_OURS or line.is_authored:
            continue
        span = line.span or entry.span
        yield Sentence(line.text, span, line.form)
        if line.denied:
            yield Sentence(line.denied, span, line.form, True)
    for child in entry.children:
        yield from _of_entry(child)


def _entries(subject: Subject) -> Iterator[Entry]:
    proper = Proper(subject.model)
    weaver = Weaver(subject, proper, Anchors(), Prose(lambda ident: "", lambda path: ""))
    for text in subject.chain:
        for piece in text.pieces:
            yield from weaver.entry(piece)
    lines: dict[tuple[str, int], n.ThingDecl] = {
        (line.name.span.source.name, line.name.span.start): line for line in subject.thing_lines
    }
    told: set[tuple[str, int]] = set()
    for places in subject.compositions:
        entries = Entries(places, proper)
        for kind in places.model.kinds.values():
            for thing in kind.things:
                key = (thing.span.source.name, thing.span.start)
                if key not in told:
                    told.add(key)
                    yield from rules_of(thing, lines.get(key), entries)
