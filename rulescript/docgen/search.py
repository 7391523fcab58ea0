"""What the search can find: one entry for each section, rule, space, card, decision, example and term."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulescript.docgen.entry import Entry
from rulescript.docgen.lines import Line, walk_lines
from rulescript.docgen.names import clean
from rulescript.docgen.prose import Paragraphs
from rulescript.docgen.terms import OF_RULES
from rulescript.docgen.weave import Block
from rulescript.model.game import Game
from rulescript.model.types import TEXT, ListOf

if TYPE_CHECKING:
    from rulescript.docgen.book import Book
    from rulescript.docgen.site import Page, Writer

__all__ = ["other_names", "search_entries"]

MOST_TEXT = 1600
# Names by which things are also found: of so many things of a kind, and so long.
MOST_NAMED, MOST_LETTERS = 40, 24
# How much more a reader wants one sort of find than another, in tenths: prose, what is in lists, names of things, and
# last what is made of the rules.
PROSE, OPTIONAL, LISTED, INDEXED, EXACT = 40, 24, 14, 4, 3


def search_entries(book: Book, writer: Writer) -> list[list[str | int]]:  # noqa: C901 - one loop for each sort of entry
    """[title, sort, address, text, weight] for everything one may look for."""
    out: list[list[str | int]] = []
    seen: set[tuple[str, str]] = set()

    def add(title: str, sort: str, address: str, text: str = "", weight: int = LISTED) -> None:
        title = clean(" ".join(title.split()))
        if not title or not address or (title, address) in seen:
            return
        seen.add((title, address))
        out.append([title, sort, address, clean(" ".join(text.split()))[:MOST_TEXT], weight])

    chosen = {o.name for o in (*book.options, *book.scenarios) if o.is_chosen}
    weights = {page.name: _weight(page) for page in writer.pages}
    for chapter in book.chapters:
        weight = weights.get(chapter.page, INDEXED)
        if weight == PROSE and any(e.form in ("option", "scenario") and e.name not in chosen for e in chapter.entries):
            weight = OPTIONAL
        for section in chapter.sections:
            words = [_text_of(part.html) for part in section.parts if isinstance(part, Paragraphs)]
            for part in section.parts:
                if isinstance(part, Block):
                    for entry in (e for e in part.entries if e.form != "example"):
                        told = f"{entry.doc} {_lines(entry.lines)}"
                        add(entry.title, chapter.title, writer.href(entry.anchor), told, min(weight, _of_entry(entry)))
            words += [line.whole for b in section.parts if isinstance(b, Block) for line in b.also]
            if section.title:
                number = f"§{section.number} " if section.number else ""
                add(f"{number}{section.title}", chapter.title, writer.href(section.anchor), " ".join(words), weight)
            elif words:
                add(chapter.title, "Chapter", writer.page_href(chapter.page), " ".join(words), weight)
    for page in writer.pages:  # chapters among them that begin with words of their own are found by these already
        is_first = page.name == "index"
        words = [_text_of(part.html) for part in book.lead] if is_first else []
        weight = PROSE if is_first else weights[page.name]
        add(page.title, "Page", writer.page_href(page.name), " ".join(words), weight)
    for name, value in book.glance:
        add(name, "At a glance", f"{writer.page_href('index')}#glance", f"Of the game: {value}", PROSE)
    for rule in book.rules:
        add(f"§{rule.ident} {rule.title}", "Rule", writer.cite(rule.ident), rule.sort, EXACT)
    for of in book.maps:
        for space in of.spaces:
            facts = ", ".join(f"{name} {value}".strip() for name, value in space.facts)
            links = "; ".join(f"{sort}: {', '.join(ends)}" for sort, ends in space.links)
            add(space.label, of.noun.capitalize(), writer.href(space.anchor), f"{facts}. {links}")
    for gallery in book.galleries:
        for card in gallery.cards:
            told = " ".join(_lines(entry.lines) for entry in card.rules)
            facts = ", ".join(f"{name} {value}".strip() for name, value in card.facts)
            add(card.title, gallery.title, writer.href(card.anchor), f"{card.doc} {facts} {told}")
    for decision in book.decisions:
        for way in decision.ways:
            add(way.title, f"Decision: {decision.where}", writer.href(decision.anchor), _lines(way.requires), EXACT)
    for option in (*book.options, *book.scenarios):
        sort = "Scenario" if option.is_scenario else "Optional rule"
        weight = LISTED if option.is_chosen else LISTED // 2
        add(option.title, sort, writer.href(option.anchor), f"{option.doc} {option.summary}", weight)
    for example in book.examples:
        cites = " ".join(f"§{c}" for c in example.cites)
        add(example.title, "Example", writer.href(example.anchor), cites, EXACT)
    for _, terms in book.terms:
        for term in terms:
            weight = EXACT if term.sort in OF_RULES else INDEXED
            add(term.word, term.sort.capitalize(), writer.href(term.places[0][0]), term.definition, weight)
    return out


def other_names(game: Game) -> list[list[str]]:
    """For each thing that has several names, all of them: label, adjective, what it is called for short."""
    out: list[list[str]] = []
    for kind in game.kinds.values():
        texts = [attr for attr in kind.attrs.values() if attr.type in (TEXT, ListOf(TEXT))]
        for thing in kind.things if texts and len(kind.things) <= MOST_NAMED else ():
            names = [thing.label]
            for attr in texts:
                value = attr.values[thing.index] or ()
                names += [str(name) for name in ((value,) if isinstance(value, str) else value)]
            initials = "".join(word[0] for word in thing.label.split() if word[0].isupper())
            if len(initials) > 1:
                # A name of two words is often shortened together with what its people are called.
                names += [initials, *(initials + name[0] for name in names[1:] if name[:1].isupper())]
            told = dict.fromkeys(clean(name) for name in names if 1 < len(name) <= MOST_LETTERS)
            if len(told) > 1:
                out.append(list(told))
    return out


def _weight(page: Page) -> int:
    """Chapters come before what is looked up, and that before what few look for."""
    if page.is_aside:
        return INDEXED
    return PROSE if "chapter" in page.context else LISTED


def _of_entry(entry: Entry) -> int:
    """A table is looked up; what else is made of the rules says what the prose has said already."""
    return LISTED if entry.form == "table" else EXACT


def _lines(lines: list[Line]) -> str:
    return " ".join(line.text for line in walk_lines(lines))


def _text_of(html: str) -> str:
    """Our own HTML without its tags, entities resolved: the index is shown as text."""
    import html as entities

    return entities.unescape(re.sub(r"<[^>]+>", " ", str(html)))
