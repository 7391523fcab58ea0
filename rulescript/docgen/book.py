"""The whole reference as data: everything the templates draw, collected once and in one order.

In comes a subject, out goes a `Book`. HTML, Markdown and JSON are three ways to write down the same book; none of them
looks at the model again.
"""

from __future__ import annotations

import html as entities
import re
import statistics
from collections.abc import Callable, Iterable
from functools import cached_property

from attrs import define, field

from rulescript.docgen.cards import Gallery, galleries_of
from rulescript.docgen.changes import Differences, Option, differences_of, mark_prose, options_of
from rulescript.docgen.components import Component, components_of, dice_of, needs_of
from rulescript.docgen.counters import Piece, pieces_of
from rulescript.docgen.decisions import Decision, decisions_of
from rulescript.docgen.definitions import Definitions
from rulescript.docgen.entries import Entry
from rulescript.docgen.grids import Grid, things_grid
from rulescript.docgen.lines import Line, walk_lines
from rulescript.docgen.maps import Map, More, Scene, maps_of, with_option
from rulescript.docgen.markers import markers_of, with_backs
from rulescript.docgen.names import Anchors, rule_anchor, slug
from rulescript.docgen.outline import capital
from rulescript.docgen.plays import Example, Playing
from rulescript.docgen.positions import Counters
from rulescript.docgen.prose import Paragraphs, Prose
from rulescript.docgen.provenance import (
    Reading,
    Reconstruction,
    Rule,
    Tried,
    play_some,
    readings_of,
    reconstructed_in,
    rules_of,
)
from rulescript.docgen.search import other_names
from rulescript.docgen.sequence import Step, sequence_of
from rulescript.docgen.setups import Setup, setups_of
from rulescript.docgen.subject import Subject
from rulescript.docgen.terms import Term, index_of
from rulescript.docgen.told import anchor_prose, sort_blocks, told_elsewhere, told_in
from rulescript.docgen.weave import Block, Chapter, Section, Weaver
from rulescript.model import ir
from rulescript.model.digest import rules_digest
from rulescript.model.traverse import statements_in
from rulescript.phrases import kind_noun, plural, readable
from rulescript.testing.coverage import Coverage, Reached
from rulescript.wording.proper import Proper

__all__ = ["Book", "Progress", "collect", "parts_of_work"]

Progress = Callable[[str], None]
# Facts of a game that say how long it takes, or who it is for.
_LENGTH = ("length", "time", "duration", "playing time", "takes")
_PEOPLE = ("players", "ages", "age")
# So many examples, with their pictures, stand on one page.
MOST_ON_A_PAGE = 40


@define(slots=False)
class Book:
    """A game's reference. Anchors are unique in the whole book; `anchors.pages` says on which page each lies."""

    title: str
    ident: str
    version: str
    hash: str
    language: str
    credits: list[tuple[str, str]]
    doc: str
    lead: list[Paragraphs]
    glance: list[tuple[str, str]]
    chosen: list[str]
    chapters: list[Chapter]
    sequence: list[Step]
    maps: list[Map]
    components: list[Component]
    dice: list[tuple[int, int]]
    tables: list[Entry]
    tracks: list[tuple[str, Grid]]
    galleries: list[Gallery]
    decisions: list[Decision]
    options: list[Option]
    scenarios: list[Option]
    setups: list[Setup]
    examples: list[Example]
    claims: list[Entry]
    terms: list[tuple[str, list[Term]]]
    rules: list[Rule]
    coverage: Coverage
    tried: Tried
    reconstructed: list[Reconstruction]
    readings: list[Reading]
    differences: Differences | None
    legend: Counters
    anchors: Anchors
    where: dict[str, str]
    titles: dict[str, str]
    places: dict[str, list[tuple[str, str]]]
    by_rule: dict[str, list[str]] = field(factory=dict)
    marks: dict[str, list[str]] = field(factory=dict)
    rulebook_title: str = ""
    bases: list[tuple[str, str]] = field(factory=list)
    pieces: list[Piece] = field(factory=list)
    definitions: Definitions | None = None
    # What things are called otherwise, for the search.
    names: list[list[str]] = field(factory=list)
    # How many examples are still to be played; 0 unless somebody could not wait.
    pending: int = 0
    # How many scenarios have no set-up here because setting up all would be too much work.
    not_set_up: int = 0

    @cached_property
    def setup_anchors(self) -> dict[str, str]:
        """Where the set-up of each scenario stands, by its name."""
        return {setup.name: setup.anchor for setup in self.setups}

    @cached_property
    def chapters_of_options(self) -> dict[str, list[Chapter]]:
        """The chapters that tell of an option or scenario in words, by its name."""
        out: dict[str, list[Chapter]] = {}
        for chapter in self.chapters:
            if chapter.is_literate and not chapter.is_main:
                for entry in chapter.entries:
                    if entry.form in ("option", "scenario"):
                        out.setdefault(entry.name, []).append(chapter)
        return out

    @property
    def are_options_in_chapters(self) -> bool:
        """Whether a reader of the chapters meets every option and scenario there."""
        told = {e.name for c in self.chapters if c.is_literate for e in c.entries if e.form in ("option", "scenario")}
        return all(option.name in told for option in (*self.options, *self.scenarios))

    @cached_property
    def pages_of_examples(self) -> dict[str, tuple[str, list[tuple[str, list[Example]]]]]:
        """The pages on which a large game's examples stand, by their names: what each is called, and the chapters on it
        with their examples. Short chapters share a page; of a long one each part has one. Few examples have none."""
        if len(self.examples) <= MOST_ON_A_PAGE:
            return {}
        filled: list[list[tuple[str, list[Example]]]] = []
        for title, some in self.examples_by_chapter:
            parts = [some[at : at + MOST_ON_A_PAGE] for at in range(0, len(some), MOST_ON_A_PAGE)]
            for number, part in enumerate(parts, 1):
                of = f"{title} ({number} of {len(parts)})" if len(parts) > 1 else title
                if not filled or sum(len(all_) for _, all_ in filled[-1]) + len(part) > MOST_ON_A_PAGE:
                    filled.append([])
                filled[-1].append((of, part))
        out: dict[str, tuple[str, list[tuple[str, list[Example]]]]] = {}
        for number, chapters in enumerate(filled, 1):
            first, last = chapters[0][0], chapters[-1][0]
            out[f"examples-{number}"] = (f"Examples: {first}" + (f" to {last}" if first != last else ""), chapters)
        return out

    @cached_property
    def examples_by_chapter(self) -> list[tuple[str, list[Example]]]:
        """Examples under the chapter in which the first of their rules is written, in the order of the chapters."""
        titles = {chapter.page: chapter.title for chapter in self.chapters}
        found: dict[str, list[Example]] = {}
        for example in self.examples:
            anchors = (anchor for ident in example.cites for anchor, _ in self.places.get(ident, []))
            page = next((p for a in anchors if (p := self.anchors.pages.get(a, "")) in titles), "")
            found.setdefault(page, []).append(example)
        order = [*titles, ""]
        return [(titles.get(page, "Other examples"), found[page]) for page in sorted(found, key=order.index)]


def parts_of_work(subject: Subject, games: int) -> int:
    """How many steps of work a book takes, for a progress bar."""
    return (
        6 + len(subject.source.found()) + games + 1 + min(len(subject.model.all_scenarios), subject.most_compositions)
    )


def collect(
    subject: Subject,
    *,
    games: int = 8,
    jobs: int = 1,
    progress: Progress | None = None,
    playing: Playing | None = None,
    waits: bool = True,
) -> Book:
    """Read everything there is to print. `games` random games are played for the coverage, and the examples by so
    many processes; `playing` if somebody has begun with them already. Nothing is played if nobody `waits` for it."""
    playing = playing if playing is not None else Playing(subject, maps_of(subject.model, subject.folder_of), jobs)
    playing.begin()
    try:
        return _collected(subject, playing, games, progress if progress is not None else lambda what: None, waits)
    finally:
        playing.stop()


def _collected(subject: Subject, playing: Playing, games: int, say: Progress, waits: bool) -> Book:
    maps = playing.maps
    proper = Proper(subject.model)
    anchors = Anchors()
    prose = Prose(lambda ident: f"@{rule_anchor(ident)}", lambda path: "")
    weaver = Weaver(subject, proper, anchors, prose)
    weaver.plan()
    prose.page = _pages(subject, weaver)
    tried = playing.kept.tried(games)
    if tried is None and waits:
        playing.begin_random(games)
    say("reading the chapters")
    chapters = weaver.weave()
    counters = Counters(subject.game)
    say("drawing the maps")
    for of in maps:
        of.anchor = anchors.new(of.anchor, "map")
        for space in of.spaces:
            anchors.take(space.anchor, "map")
        of.picture = of.draw(Scene(f"Map: {of.title}", of.anchor))
        of.more = _more_of(of, subject)
        for more in of.more:
            for space in more.spaces:
                anchors.take(space.anchor, "map")
    say("laying out cards and components")
    galleries = galleries_of(subject, proper, anchors, "cards", counters)
    components = components_of(subject.model, anchors, "components", {g.kind for g in galleries})
    decisions = decisions_of(subject, proper, anchors, "decisions")
    both = options_of(subject, weaver, anchors, "options")
    setups = setups_of(subject, maps, anchors, "setup", playing.kept, lambda: say("setting up"), waits)
    say("playing the examples")

    def played() -> None:
        say("playing the examples")

    def at_random() -> None:
        say("playing at random")
        playing.tell(played)

    # Others may be playing the examples meanwhile.
    if not waits:
        tried = tried if tried is not None else Tried(Reached())
        examples = playing.known()
    else:
        is_new = tried is None
        tried = tried or playing.random_games()
        for _ in range(games if tried is not None else 0):
            at_random()
        tried = tried or play_some(subject, games, at_random)
        if is_new:
            playing.kept.keep_tried(games, tried)
        examples = playing.finish(played)
    for example in examples:
        example.anchor = anchors.new(example.anchor, "examples")
        for telling in example.tellings:
            telling.changed = [(proper(what), was, is_now) for what, was, is_now in telling.changed]
            for word in telling.given:
                word.text = proper(word.text)
    for setup in setups:
        setup.states = [(proper(name), value) for name, value in setup.states]
    exercised: dict[str, list[str]] = {}
    by_rule: dict[str, list[str]] = {}
    for example in examples:
        for ident in sorted({*example.cites, *(c for t in example.tellings for c in t.exercised)}):
            exercised.setdefault(ident, []).append(example.anchor)
        for ident in example.cites:
            by_rule.setdefault(ident, []).append(example.anchor)
    if waits:
        playing.kept.write()
    rules, coverage = rules_of(subject, tried, exercised)
    say("making the index")
    book = _Binder(subject, proper, anchors, weaver).bind(
        chapters, maps, galleries, components, decisions, both, examples, setups, tried, rules, coverage, counters
    )
    book.by_rule = by_rule
    if not subject.model.scenario:
        book.not_set_up = max(0, len(subject.model.all_scenarios) - subject.most_compositions)
    book.pending = len(playing.found) - len(examples)
    return book


def _more_of(of: Map, subject: Subject) -> list[More]:
    """The map with each option or scenario that is not chosen here and adds spaces to it."""
    out: list[More] = []
    for name, node in {**subject.model.all_options, **subject.model.all_scenarios}.items():
        inside = list(node.declarations)
        for part in subject.model.all_parts:
            inside += part.declarations if [each.text for each in part.names] == [name] else ()
        lines = [line for each in inside for line in getattr(each, "things", ())]
        if name in (*subject.model.options, subject.model.scenario) or all(
            line.kind.text != of.kind.name for line in lines
        ):
            continue
        model = subject.model_with(name)
        if model is not None:
            more = with_option(of, model, name, node.title or capital(readable(name)), subject.folder_of)
            out += [more] if more is not None else []
    return out


def _pages(subject: Subject, weaver: Weaver) -> Callable[[str], str]:
    def page(path: str) -> str:
        level, _, name = path.partition("/")
        found = weaver.page_of_file.get((int(level), name)) if level.isdigit() else None
        if found is None:  # a link from a variant to the game it builds on
            base = name.rpartition("/")[2]
            for file in subject.files:
                if file.name.rpartition("/")[2] == base and str(file.level) != level:
                    found = weaver.page_of_file[(file.level, file.name)]
        return f"@p:{found}" if found else ""

    return page


class _Binder:
    """Gives everything its anchor, finds where each rule is written, and binds the book."""

    def __init__(self, subject: Subject, proper: Proper, anchors: Anchors, weaver: Weaver) -> None:
        self.subject = subject
        self.model = subject.model
        self.proper = proper
        self.anchors = anchors
        self.weaver = weaver
        self.where: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.places: dict[str, list[tuple[str, str]]] = {}
        # Anchors of rules that first appear on a card or in a space, by the anchor of that card or space.
        self.marks: dict[str, list[str]] = {}
        self.galleries: set[str] = set()
        self.definitions = Definitions(subject.model)

    def bind(
        self, chapters: list[Chapter], maps: list[Map], galleries: list[Gallery], components: list[Component],
        decisions: list[Decision], options: list[Option], examples: list[Example], setups: list[Setup], tried: Tried,
        rules: list[Rule], coverage: Coverage, counters: Counters,
    ) -> Book:  # fmt: skip
        kept = [c for c in chapters if self._is_worth_a_page(c)]
        self.galleries = {gallery.kind for gallery in galleries}
        claims = [e for c in chapters for e in c.entries if e.form in ("invariant", "check")]
        told = told_in(kept, told_elsewhere(self.model))
        lead = self._lead(chapters)
        anchor_prose(kept, self.anchors, self.places)
        for chapter in kept:
            for entry in chapter.entries:
                if entry.form not in ("invariant", "check"):
                    self._anchor(entry, chapter.page)
        for gallery in galleries:
            for card in gallery.cards:
                self._key(f"card {card.name}", card.anchor, card.title)
                for entry in card.rules:
                    self._claim(entry, "cards")
                self._cited(card.cites, card.anchor, card.title, "cards")
        for of in maps:
            for space in of.spaces:
                self._cited(space.cites, space.anchor, space.label, "map")
        for option in options:
            self._key(f"option {option.name}", option.anchor, option.title)
            for group in option.groups:
                for entry in group.entries:
                    self._proper([entry])
        for component in components:
            self._key(f"kind {component.kind}", component.anchor, component.title)
        differences = differences_of(self.subject, self.weaver)
        if differences is not None:
            for group in differences.groups:
                self._proper(group.entries)
        for entry in claims:
            if not entry.anchor:
                entry.anchor = self.anchors.new(f"claim-{slug(entry.title)}", "claims")
            self._claim(entry, "claims")
        for decision in decisions:
            for way in decision.ways:
                way.title = self.proper(way.title)
                self._lines(way.picks)
                self._lines(way.requires)
            decision.who = self.proper(decision.who)
        for rule in rules:
            anchor = rule_anchor(rule.ident)
            rule.anchor = anchor if anchor in self.anchors.pages else ""
            self.anchors.take(f"i-{anchor}", "rules")
        tables = [e for c in chapters for e in c.entries if e.form == "table"]
        tables += [e for c in chapters for e in c.entries for x in e.children if x.form == "table" for e in [x]]
        sequence = sequence_of(self.model, self.proper)
        book = Book(
            self.model.title, self.model.ident, self.model.version, rules_digest(self.model), self._language(),
            self._credits(), self.model.doc, lead, [], self._chosen(), kept, sequence, maps, components,
            dice_of(self.subject.places), tables, self._tracks(), galleries, decisions,
            [o for o in options if not o.is_scenario], [o for o in options if o.is_scenario], setups, examples, claims,
            [], rules, coverage, tried, reconstructed_in(self.subject),
            readings_of(rules, self.places, told, chapters, options), differences, counters,
            self.anchors, self.where, self.titles, self.places,
            rulebook_title=self.model.rulebook_title, marks=self.marks,
            bases=[(t.ident, t.title) for t in self.subject.chain[:-1]],
            pieces=self._cut_out(counters), definitions=self.definitions,
            names=other_names(self.model),
        )  # fmt: skip
        sort_blocks(kept, told, self.weaver.only_for_claims)
        self.anchors.take("page-differences", "differences")
        mark_prose(self.subject, kept, self.anchors)
        book.glance = self._glance(book)
        book.terms = index_of(self._terms(book))
        return book

    def _cut_out(self, counters: Counters) -> list[Piece]:
        """Counters with their backs, and behind them the markers."""
        pieces = with_backs(pieces_of(self.model, counters, self.galleries), self.model)
        return [*pieces, *markers_of(self.model, counters, self.galleries)]

    # -------------------------------------------------------------- chapters

    @staticmethod
    def _is_worth_a_page(chapter: Chapter) -> bool:
        """A file of nothing but claims or the rulebook's index has its page elsewhere."""
        if any(isinstance(p, Paragraphs) for s in chapter.sections for p in s.parts) and not chapter.is_claims:
            return True
        return any(e.form not in ("example", "check", "invariant") for e in chapter.entries) or any(
            b.includes for b in chapter.blocks
        )

    def _anchor(self, entry: Entry, page: str) -> None:
        if not entry.anchor:
            entry.anchor = self.anchors.new(f"d-{slug(entry.form)}-{slug(entry.name)}", page)
        if entry.key:
            self._key(entry.key, entry.anchor, entry.title)
        self._claim(entry, page)
        for child in entry.children:
            self._anchor(child, page)

    def _key(self, key: str, anchor: str, title: str) -> None:
        self.where.setdefault(key, anchor)
        self.titles.setdefault(key, title)

    def _claim(self, entry: Entry, page: str) -> None:
        """Rules' numbers become anchors where they first appear; headings came before."""
        self._proper([entry])
        anchor = entry.anchor
        for ident in entry.cites:
            wish = rule_anchor(ident)
            if self.anchors.take(wish, page):
                entry.anchors = (*entry.anchors, wish)
            self.places.setdefault(ident, []).append((anchor or wish, entry.title))
        for line in walk_lines(entry.lines):
            for ident in line.cites:
                if ident in entry.cites:
                    continue
                wish = rule_anchor(ident)
                if self.anchors.take(wish, page):
                    line.anchors = (*line.anchors, wish)
                self.places.setdefault(ident, []).append((wish if wish in line.anchors else anchor, _short(line.text)))
        is_elsewhere = entry.form == "map" or entry.kind in self.galleries
        for grid in entry.grids if not is_elsewhere else ():
            for row in grid.rows:
                for ident in row.cites:
                    wish = rule_anchor(ident)
                    if self.anchors.take(wish, page):
                        row.anchors = (*row.anchors, wish)
                    self.places.setdefault(ident, []).append((wish if wish in row.anchors else anchor, entry.title))

    def _cited(self, cites: Iterable[str], anchor: str, title: str, page: str) -> None:
        for ident in cites:
            if self.anchors.take(rule_anchor(ident), page):
                self.marks.setdefault(anchor, []).append(rule_anchor(ident))
            self.places.setdefault(ident, []).append((anchor, title))

    def _proper(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._lines(entry.lines)
            self._proper(entry.children)
            if entry.was is not None:
                self._proper([entry.was])

    def _lines(self, lines: list[Line]) -> None:
        for line in walk_lines(lines):
            line.text = self.proper(line.text)
            line.denied = self.proper(line.denied)
            self.definitions.share_out(line)

    # -------------------------------------------------------------- the first page

    def _language(self) -> str:
        told = dict(self.model.facts).get("language", "en")
        return told if told.replace("-", "").isalnum() and len(told) < 12 else "en"

    def _credits(self) -> list[tuple[str, str]]:
        skipped = ("language", *_LENGTH, *_PEOPLE)
        return [(readable(k), v) for k, v in self.model.facts if readable(k).lower() not in skipped]

    def _chosen(self) -> list[str]:
        both = {**self.model.all_options, **self.model.all_scenarios}
        names = [*self.model.options, *([self.model.scenario] if self.model.scenario else [])]
        return [both[name].title or readable(name) for name in names]

    def _lead(self, chapters: list[Chapter]) -> list[Paragraphs]:
        """The first words of the main file: what the game is about."""
        main = next((c for c in chapters if c.is_main and c.level == len(self.subject.chain) - 1), None)
        if main is None or not main.sections:
            return []
        out: list[Paragraphs] = []
        for part in main.sections[0].parts:
            if isinstance(part, Block):
                break
            out.append(part)
        return out

    def _glance(self, book: Book) -> list[tuple[str, str]]:
        game = self.subject.game
        facts = [(readable(k), v) for k, v in self.model.facts]
        counts = game.player_counts
        roles = [str(x) for x in game.data.kinds[game.data.players].labels] if game.data.players else []
        people = _numbers(counts) if counts else ""
        out: list[tuple[str, str]] = []
        told = next((v for k, v in facts if k.lower() == "players"), "")
        if people or told:
            out.append(("Players", told or f"{people}: {', '.join(roles)}"))
        length = [v for k, v in facts if k.lower() in _LENGTH]
        rounds = self._rounds()
        if rounds:
            length.append(rounds)
        if not length and book.tried.decisions and book.tried.finished:
            middle = int(statistics.median(book.tried.decisions.values()))
            length.append(f"about {middle} decisions in a random game")
        if length:
            out.append(("Length", "; ".join(length)))
        ages = [v for k, v in facts if k.lower() in ("ages", "age")]
        if ages:
            out.append(("Ages", ages[0]))
        needs = needs_of(book.components, book.dice, len(book.maps))
        if needs:
            out.append(("What you need", "; ".join(needs)))
        if book.options:
            out.append(("Optional rules", "; ".join(o.title for o in book.options)))
        if book.scenarios:
            out.append(("Scenarios", "; ".join(o.title for o in book.scenarios)))
        hidden = game.has_secrets
        out.append(("Secrets", "some things are hidden from other players" if hidden else "nothing is hidden"))
        return out

    def _rounds(self) -> str:
        """``10 turns, Spring 1914 to Fall 1918``: the loops of the sequence over states of the game."""
        sequence = self.model.procedures.get("sequence")
        if sequence is None:
            return ""
        told: list[str] = []
        for statement in statements_in(sequence.block):
            if isinstance(statement, ir.ForS) and statement.var.state is not None:
                source = statement.source
                if (
                    isinstance(source, ir.AllThings)
                    and source.kind is not self.model.players
                    and len(source.kind.things) > 1
                ):
                    things = source.kind.things
                    noun = plural(kind_noun(source.kind.name))
                    told.append(f"{len(things)} {noun}, {things[0].label} to {things[-1].label}")
                elif isinstance(source, ir.RangeX):
                    told.append(f"{source.high - source.low + 1} {plural(readable(statement.var.name))}")
            elif (
                isinstance(statement, ir.RepeatS)
                and statement.mode == "times"
                and isinstance(statement.condition, ir.Lit)
            ):
                told.append(f"{statement.condition.value} rounds")
        return ", each with ".join(told[:2])

    def _tracks(self) -> list[tuple[str, Grid]]:
        """Kinds that the sequence walks through, drawn as the tracks they are on the board."""
        sequence = self.model.procedures.get("sequence")
        out: list[tuple[str, Grid]] = []
        for statement in statements_in(sequence.block) if sequence is not None else []:
            if isinstance(statement, ir.ForS) and isinstance(statement.source, ir.AllThings):
                kind = statement.source.kind
                if kind is not self.model.players and kind.things and all(kind.name != name for name, _ in out):
                    grid = things_grid(kind.things, self.model)
                    grid.title = f"{readable(kind.name)} track"
                    out.append((kind.name, grid))
        return out

    # -------------------------------------------------------------- terms

    def _terms(self, book: Book) -> list[Term]:
        out: list[Term] = []
        add = out.append
        for chapter in book.chapters:
            for section in chapter.sections:
                if section.title and section.anchor:
                    place = (section.anchor, f"§{section.number}" if section.number else chapter.title)
                    add(Term(section.title, "section", [place], _first_sentence(section)))
            for entry in chapter.entries:
                for each in (entry, *entry.children):
                    if each.form in _TERMS and each.anchor:
                        word = each.title.partition(" (")[0] if each.form not in ("state", "holds") else each.title
                        made = each.lines[0].whole.removeprefix(f"{word}: ") if len(each.lines) == 1 else ""
                        # What was made of the rules is a definition if it is short; the beginning of it is none.
                        said = each.doc or (made if len(made) <= 160 else "")
                        add(Term(word, _TERMS[each.form], [(each.anchor, chapter.title)], _short(said, 160)))
        for of in book.maps:
            for space in of.spaces:
                facts = ", ".join(f"{name} {value}".strip() for name, value in space.facts)
                add(Term(space.label, of.noun, [(space.anchor, of.title)], space.doc or facts))
        for gallery in book.galleries:
            for card in gallery.cards:
                place = (card.anchor, gallery.title)
                add(Term(card.title, kind_noun(gallery.kind), [place], _short(card.words, 160)))
        for component in book.components:
            add(Term(component.title, "component", [(component.anchor, "Components")], component.doc))
            if component.form in ("players", "things", "values"):
                for thing in self.model.kinds[component.kind].things:
                    place = (component.anchor, component.title)
                    add(Term(thing.label, kind_noun(component.kind), [place], thing.doc))
        for option in (*book.options, *book.scenarios):
            sort = "scenario" if option.is_scenario else "optional rule"
            add(Term(option.title, sort, [(option.anchor, "Options")], _short(option.doc, 160)))
        for decision in book.decisions:
            for way in decision.ways:
                if not way.effect and way.name:
                    word = self.proper(readable(way.name)).capitalize()
                    add(Term(word, "choice", [(decision.anchor, decision.where)], way.title))
        return out


def _first_sentence(section: Section) -> str:
    """What a section says first: as good a definition of its title as there is."""
    first = next((part for part in section.parts if isinstance(part, Paragraphs)), None)
    if first is None:
        return ""
    text = " ".join(entities.unescape(re.sub(r"<[^>]+>", "", str(first.html))).split())
    return _short(re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0], 200)


_TERMS = {
    "phase": "phase", "procedure": "procedure", "function": "rule", "value": "value", "predicate": "condition",
    "route": "route", "table": "table", "state": "state", "holds": "place", "signal": "event", "aside": "choice",
}  # fmt: skip


def _numbers(counts: Iterable[int]) -> str:
    told = sorted(counts)
    if len(told) > 2 and told == list(range(told[0], told[-1] + 1)):
        return f"{told[0]} to {told[-1]}"
    return " or ".join(map(str, told))


def _short(text: str, most: int = 90) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
