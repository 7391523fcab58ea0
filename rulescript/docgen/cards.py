"""Cards, and whatever else carries rules of its own: a gallery, with facts to filter by.

Which kinds are shown so is read off the game: those whose things do something, or have amendments written under
them, or texts, and that are no spaces, players or pieces.
"""

from __future__ import annotations

from attrs import define, field

from rulescript import nodes as n
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.grids import attributes_of, value_words
from rulescript.docgen.lines import Line, walk_lines
from rulescript.docgen.maps import COLOURS
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import Outliner, capital
from rulescript.docgen.positions import Counters
from rulescript.docgen.subject import Subject
from rulescript.model import game as m
from rulescript.model.types import BOOL, INT, TEXT, ListOf, Maybe, SetOf, ThingOf, sure
from rulescript.phrases import kind_noun, plural, readable
from rulescript.wording.proper import Proper

__all__ = ["Card", "Filter", "Gallery", "galleries_of", "is_gallery", "rules_of"]

MOST_CHOICES = 40
MOST_FILTERS = 6


@define
class Card:
    """One card: `copies` of it there are. `rules` are what it does and changes.

    `type` is the value it is sorted by, with a `sign` of its own, `corner` a number or date that stands in a corner of
    the card, `deck` whose it is; these are not among the `facts`."""

    name: str
    title: str
    anchor: str
    copies: int
    facts: list[tuple[str, str]]
    doc: str
    rules: list[Entry]
    cites: tuple[str, ...]
    reconstructed: str
    shade: str
    values: dict[str, list[str]]
    origin: str = ""
    type: str = ""
    sign: int = -1
    corner: str = ""
    deck: str = ""

    @property
    def sentences(self) -> list[str]:
        """What it does, as the program says it."""
        return [line.text for entry in self.rules for line in walk_lines(entry.lines)]

    @property
    def words(self) -> str:
        return self.doc or " ".join(self.sentences)


@define
class Filter:
    """An attribute by which a gallery can be filtered, and the values it has."""

    name: str
    title: str
    choices: list[tuple[str, int]]


@define
class Gallery:
    kind: str
    title: str
    anchor: str
    doc: str
    cards: list[Card]
    filters: list[Filter] = field(factory=list)
    remarks: list[str] = field(factory=list)

    @property
    def noun(self) -> str:
        return capital(kind_noun(self.kind))

    @property
    def total(self) -> int:
        return sum(card.copies for card in self.cards)


def is_gallery(kind: m.Kind, game: m.Game, amended: set[str]) -> bool:
    """Whether the things of a kind are shown as cards."""
    if kind.is_pieces or kind.is_values or kind.links or kind is game.players or not kind.things:
        return False
    if kind.does or kind.in_force is not None:
        return True
    if "card" in kind_noun(kind.name).split():
        return True
    told = sum(1 for t in kind.things if t.doc or t.name in amended)
    return bool(told) and told * 2 >= len(kind.things)


def galleries_of(subject: Subject, proper: Proper, anchors: Anchors, page: str, counters: Counters) -> list[Gallery]:
    """The galleries of a game; cards that an option brings with it are there too, and say so."""
    lines: dict[tuple[str, int], n.ThingDecl] = {
        (line.name.span.source.name, line.name.span.start): line for line in subject.thing_lines
    }
    amended = {line.name.text for line in subject.thing_lines if line.amendments or line.does}
    found: dict[str, Gallery] = {}
    seen: dict[tuple[str, str, int], Card | None] = {}
    for places in subject.compositions:
        game = places.model
        entries = Entries(places, proper)
        fresh: dict[tuple[str, str, int], Card] = {}
        for kind in game.kinds.values():
            if not is_gallery(kind, game, amended):
                continue
            for thing in kind.things:
                key = (kind.name, thing.span.source.name, thing.span.start)
                if key in fresh:
                    fresh[key].copies += 1
                if key in seen:
                    continue
                line = lines.get((thing.span.source.name, thing.span.start))
                gallery = found.get(kind.name)
                if gallery is None:
                    title = capital(plural(kind_noun(kind.name)))
                    anchor = anchors.new(f"gallery-{slug(kind.name)}", page)
                    gallery = found[kind.name] = Gallery(kind.name, title, anchor, kind.doc, [])
                card = Card(
                    thing.name, thing.label, anchors.new(f"card-{slug(thing.copy_of or thing.name)}", page), 1,
                    attributes_of(thing, game, with_usual=False), thing.doc,
                    rules_of(thing, line, entries), thing.cites, thing.reconstructed,
                    _shade(thing, game, counters), _values(thing, game),
                    thing.origin if thing.origin in _options(subject) else "",
                )  # fmt: skip
                gallery.cards.append(card)
                seen[key] = fresh[key] = card
    for places in subject.compositions:
        for kind in places.model.kinds.values():
            if kind.name in found and not found[kind.name].filters:
                found[kind.name].filters = _filters(kind, found[kind.name].cards)
    for places in subject.compositions:
        for kind in places.model.kinds.values():
            if kind.name in found:
                _faces(kind, found[kind.name], places.model)
    for gallery in found.values():
        # A reason that many cards share is told once, above them.
        reasons = [card.reconstructed for card in gallery.cards if card.reconstructed]
        gallery.remarks = [reason for reason in dict.fromkeys(reasons) if reasons.count(reason) > 3]
    return list(found.values())


# Attributes whose value stands at the head of a card, or in its corner.
_TYPES = ("type", "sort", "class", "category", "suit", "colour")
_CORNERS = ("year", "date", "turn", "number", "value", "season")


def _faces(kind: m.Kind, gallery: Gallery, game: m.Game) -> None:
    """What stands where on the cards of a kind."""
    words = {f.name: [value for value, _ in f.choices] for f in gallery.filters}
    things = [a for a in kind.attrs.values() if a.name in words and a.type != INT and a.type != BOOL]
    owners = [a for a in things if isinstance(a.type, ThingOf) and _is_party(a.type.kind, game)]
    sorts = [a for a in things if a not in owners and isinstance(a.type, ThingOf) and len(words[a.name]) <= 16]
    sort = next((a for a in sorts if a.name in _TYPES), sorts[0] if len(sorts) == 1 else None)
    numbers = [a for a in kind.attrs.values() if a is not sort and a not in owners]
    corner = next((a for word in _CORNERS for a in numbers if word in readable(a.name).lower().split()), None)
    for card in gallery.cards:
        facts = dict(card.facts)
        for attr, place in ((sort, "type"), (corner, "corner"), (owners[0] if owners else None, "deck")):
            if attr is None or getattr(card, place):
                continue
            told = card.values.get(attr.name) if place != "corner" else []
            told = told or ([facts[readable(attr.name)]] if readable(attr.name) in facts else [])
            if told:
                # A letter alone says too little: "Invention B".
                is_letter = place == "type" and len(told[0]) < 3
                setattr(card, place, f"{gallery.noun} {told[0]}" if is_letter else told[0])
                card.facts = [(name, value) for name, value in card.facts if name != readable(attr.name)]
                if place == "type" and told[0] in words[attr.name]:
                    card.sign = words[attr.name].index(told[0])


def _is_party(kind: str, game: m.Game) -> bool:
    """Whether a kind is the players, what players belong to, or what belongs to players."""
    players = game.players.name if game.players is not None else ""
    above = game.players.attrs.values() if game.players is not None else ()
    if kind == players or any(isinstance(a.type, ThingOf) and a.type.kind == kind for a in above):
        return True
    found = game.kinds.get(kind)
    return found is not None and any(
        isinstance(a.type, ThingOf) and a.type.kind == players for a in found.attrs.values()
    )


def _options(subject: Subject) -> set[str]:
    return {*subject.model.all_options, *subject.model.all_scenarios}


def _shade(thing: m.Thing, game: m.Game, counters: Counters, depth: int = 0) -> str:
    """The colour of a card: that of its nation as on the counters, or of the player or alliance it belongs to."""
    if thing.kind.name == counters.party and depth:
        return f"c{thing.index % COLOURS}"
    if thing.kind.name in counters.sides and depth:
        return counters.tint_of(thing.kind.name, thing.index)
    for attr in thing.kind.attrs.values():
        value = attr.values[thing.index] if thing.index < len(attr.values) else None
        if isinstance(value, m.ThingRef) and depth < 2:
            shade = _shade(game.kinds[value.kind].things[value.index], game, counters, depth + 1)
            if shade:
                return shade
    return ""


def rules_of(thing: m.Thing, line: n.ThingDecl | None, entries: Entries) -> list[Entry]:
    """What a thing does, and the amendments written under it."""
    out: list[Entry] = []
    for name, procedure in thing.does.items():
        teller = Outliner(procedure.params, procedure.block, result="The result is ")
        steps = teller.block(procedure.block)
        many = len(thing.kind.does) > 1
        entry = Entry("does", name, capital(readable(name)) if many else "", procedure.span, (), lines=steps)
        if not steps:
            entry.lines = [Line("Nothing happens.", form="quiet")]
        out.append(entry)
    if line is not None:
        for amendment in line.amendments:
            made = entries.of(amendment)
            if made is not None:
                out.append(made)
    return out


def _values(thing: m.Thing, game: m.Game) -> dict[str, list[str]]:
    """The values of a thing by which it can be filtered."""
    out: dict[str, list[str]] = {}
    for attr in thing.kind.attrs.values():
        value = attr.values[thing.index] if thing.index < len(attr.values) else None
        plain = sure(attr.type)
        if value is None or attr.type == TEXT:
            continue
        if attr.type == BOOL:
            out[attr.name] = ["yes" if value else "no"]
        elif isinstance(plain, ThingOf) or attr.type == INT:
            out[attr.name] = [value_words(value, plain, game)]
        elif isinstance(plain, SetOf | ListOf) and isinstance(plain.element, ThingOf):
            items = sorted(value, key=lambda v: v.index) if isinstance(value, frozenset) else list(value)
            out[attr.name] = list(dict.fromkeys(value_words(v, plain.element, game) for v in items))
    return out


def _filters(kind: m.Kind, cards: list[Card]) -> list[Filter]:
    out: list[Filter] = []
    for attr in kind.attrs.values():
        counted: dict[str, int] = {}
        for card in cards:
            for value in card.values.get(attr.name, []):
                counted[value] = counted.get(value, 0) + 1
        if not 2 <= len(counted) <= MOST_CHOICES or (attr.type == INT and len(counted) > 12):
            continue
        if attr.type == INT:
            order = sorted(counted, key=int)
        elif isinstance(attr.type, ThingOf | Maybe | SetOf | ListOf):
            order = list(counted)
        else:
            order = sorted(counted, reverse=True)
        out.append(Filter(attr.name, capital(readable(attr.name)), [(value, counted[value]) for value in order]))
    return out[:MOST_FILTERS]
