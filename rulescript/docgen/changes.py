"""What options change, and how a variant differs from the game it builds on: both are derived from the amendments.

A variant's own text says nothing but what is different, so its declarations, sorted by what they do to the game below,
are the page of differences. An option's page is made the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from rulescript import nodes as n
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.grids import attributes_of
from rulescript.docgen.lines import Line
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import capital
from rulescript.docgen.subject import Places, Subject, inside
from rulescript.docgen.weave import Block, Chapter, Weaver
from rulescript.model.types import BOOL
from rulescript.phrases import listed, readable

if TYPE_CHECKING:
    from rulescript.loader import GameText

__all__ = ["Differences", "Group", "Option", "differences_of", "mark_prose", "options_of"]

# What a declaration does to the game below it, in the order people want to know.
_GROUPS = (
    ("replaced", "Rules that are replaced", ("replace",)),
    ("removed", "No longer there", ("remove",)),
    ("limits", "New limits", ("restrict",)),
    ("exceptions", "New exceptions", ("exception",)),
    ("ways", "New ways to choose", ("extend", "aside")),
    ("values", "Values that change", ("adjust",)),
    ("around", "Added steps: before, after or in answer to something", ("hook", "reaction", "whenever")),
    ("facts", "Facts that change", ("amend",)),
    (
        "things", "New things, spaces and counts",
        ("kind", "pieces", "values", "either", "things", "map", "counts", "state", "holds", "players"),
    ),
    (
        "rules", "New rules",
        ("function", "value", "predicate", "route", "table", "procedure", "phase", "sequence", "signal"),
    ),
    ("claims", "What must now be true", ("invariant", "check")),
    ("examples", "Examples", ("example",)),
)  # fmt: skip


@define
class Group:
    ident: str
    title: str
    entries: list[Entry]


@define
class Option:
    """An optional rule or scenario, and what it changes."""

    name: str
    title: str
    doc: str
    anchor: str
    cites: tuple[str, ...]
    is_scenario: bool
    is_chosen: bool
    is_default: bool
    needs: list[str]
    excludes: list[str]
    groups: list[Group]
    level: int
    summary: str = ""
    position: object = None


@define
class Differences:
    """What a variant does to the game it builds on."""

    base: str
    base_title: str
    title: str
    groups: list[Group] = field(factory=list)
    options: list[str] = field(factory=list)


def grouped(pairs: list[tuple[n.Declaration, Entry]], only_for_claims: Collection[str]) -> list[Group]:
    """Entries by what they do, each group in the order it was written."""
    found: dict[str, list[Entry]] = {}
    for node, entry in pairs:
        form = "replace" if isinstance(node, n.Replace) else entry.form
        form = "check" if form == "adjust" and entry.name in only_for_claims else form
        ident = next((i for i, _, forms in _GROUPS if form in forms), "rules")
        found.setdefault(ident, []).append(entry)
    return [Group(ident, title, found[ident]) for ident, title, _ in _GROUPS if ident in found]


def _summary(groups: list[Group]) -> str:
    """``2 rules replaced, 1 new limit``"""
    words = {
        "replaced": ("rule replaced", "rules replaced"), "removed": ("thing removed", "things removed"),
        "limits": ("new limit", "new limits"), "exceptions": ("exception", "exceptions"),
        "ways": ("new way to choose", "new ways to choose"), "values": ("value changed", "values changed"),
        "around": ("added step", "added steps"),
        "facts": ("fact changed", "facts changed"), "rules": ("new rule", "new rules"),
        "things": ("addition to the components", "additions to the components"),
    }  # fmt: skip
    told = [f"{len(g.entries)} {words[g.ident][0 if len(g.entries) == 1 else 1]}" for g in groups if g.ident in words]
    return ", ".join(told)


def _name_what_is_new(node: n.Declaration, entry: Entry, entries: Entries) -> None:
    """A list of things or a map is known by what is in it: cards and spaces are told by name, for what they are stands
    on other pages."""
    if not isinstance(node, n.ThingsDecl | n.MapDecl | n.CountsDecl):
        return
    if isinstance(node, n.CountsDecl):
        things = [t for kind in entries.model.kinds.values() for t in kind.things if inside(t.span, node.span)]
    else:
        things = [t for line in node.things for t in entries.places.things_at(line.name.span)]
    numbers: dict[str, int] = {}
    for thing in things:
        numbers[thing.label] = numbers.get(thing.label, 0) + (thing.count if thing.kind.is_pieces else 1)
    told = [f"{label} ({number})" if number != 1 else label for label, number in numbers.items()]
    if told:
        entry.note = f"{entry.note}: {listed(told)}" if entry.note else f"new: {listed(told)}"
    # What stands on a card is what a player wants to know of it.
    worded = {thing.label: thing for thing in things if thing.doc and thing.kind.does}
    entry.lines += [Line(f"{label}: {thing.doc}", thing.cites, is_authored=True) for label, thing in worded.items()]


class Before:
    """The game as it is without an option or a variant: what each amendment finds there."""

    def __init__(self, entries: Entries, texts: list[GameText], options: Iterable[str] = ()) -> None:
        self.entries = entries
        self._declared: dict[str, n.Declaration] = {}
        for text in texts:
            for piece in text.pieces:
                self._declare(piece.declaration, set(options))

    def _declare(self, node: n.Declaration, options: set[str]) -> None:
        """What a declaration is called; those of options that are in force have their names too."""
        match node:
            case n.OptionDecl() | n.WithDecl():
                names = {node.name.text} if isinstance(node, n.OptionDecl) else {name.text for name in node.names}
                for inner in node.declarations if names <= options else ():
                    self._declare(inner, options)
            case n.Invariant() | n.Check():
                self._declared[f'"{node.title}"'] = node
            case _:
                name = getattr(node, "name", None)
                if isinstance(name, n.Name):
                    self._declared[name.text] = node

    def of(self, node: n.Declaration) -> Entry | None:
        """What an amendment changes, as it was; None where it brings something new."""
        match node:
            case n.Replace(declaration=declaration):
                name = getattr(declaration, "name", None)
                return self._named(name.text) if isinstance(name, n.Name) else None
            case n.Remove(target=target) if len(target) == 1:
                return self._named(target[0].text)
            case n.Adjust(target=target):
                return self._named(target.text)
            case n.Amend(thing=thing):
                return self._thing(thing.text, node)
            case n.ExceptionTo():
                return self._clause(node)
        return None

    def _named(self, name: str) -> Entry | None:
        node = self._declared.get(name) or self._declared.get(f'"{name}"')
        return self.entries.of(node) if node is not None else None

    def _clause(self, node: n.ExceptionTo) -> Entry | None:
        """The requirement that an exception lifts."""
        rule = self._named(node.target[0].text)
        wanted = set(node.clause_cites)

        def found(lines: Iterable[Line]) -> Iterator[Line]:
            for line in lines:
                if line.label == node.clause_label if node.clause_label else wanted and wanted <= set(line.cites):
                    yield line
                else:
                    yield from found(line.children)

        lines = list(found(rule.lines)) if rule is not None else []
        return Entry("exception", node.target[0].text, "", node.span, lines=lines[:1]) if lines else None

    def _thing(self, name: str, node: n.Amend) -> Entry | None:
        things = self.entries.model.things.get(name, [])
        if not things:
            return None
        # Only what changes: all else stays as it was, and a reader would think it gone.
        values = dict(attributes_of(things[0], self.entries.model))
        told: list[str] = []
        for item in node.items:
            if item.form == "label":
                told.append(f"called “{things[0].label}”")
            elif item.form == "count":
                told.append(f"{things[0].count} of them")
            elif item.name is not None:
                key = readable(item.name.text)
                kept = values.get(key)
                attr = things[0].kind.attrs.get(item.name.text)
                is_plain = attr is not None and attr.type == BOOL
                told.append(f"{key} {kept}".strip() if kept is not None else f"not {key}" if is_plain else f"no {key}")
        if not told:
            return None
        line = Line(f"{things[0].label}: {listed(told)}.")
        return Entry("amend", name, things[0].label, node.span, lines=[line])


# Entries that say how the game is played; beside them a section tells what there is.
_RULES = ("phase", "procedure", "function", "value", "predicate", "route", "table", "sequence", "signal", "aside")


_AMENDMENTS = ("adjust", "exception", "extend", "hook", "reaction", "restrict")


def changed_names(nodes: Iterable[n.Declaration]) -> dict[str, str]:
    """The rules that amendments are about, by name: `gone` if they no longer hold as written, else `changed`."""
    out: dict[str, str] = {}
    for node in nodes:
        match node:
            case n.Replace(declaration=declaration):
                name = getattr(declaration, "name", None)
                if isinstance(name, n.Name):
                    out[name.text] = "gone"
            case n.Remove(target=target):
                out.setdefault(target[0].text, "gone" if len(target) == 1 else "changed")
            case n.Restrict(target=target) | n.Extend(target=target) | n.ExceptionTo(target=target):
                out.setdefault(target[0].text, "changed")
            case n.Adjust(target=named):
                out.setdefault(named.text, "changed")
    return out


def mark_prose(subject: Subject, chapters: list[Chapter], anchors: Anchors) -> None:
    """Say of prose that an option in force or a variant has changed what it tells."""
    top = len(subject.chain) - 1
    sources: list[tuple[int, str, str, dict[str, str]]] = []
    if top:
        nodes = [piece.declaration for piece in subject.chain[-1].pieces]
        sources.append((top, subject.chain[-1].title, "page-differences", changed_names(nodes)))
    both = {**subject.model.all_options, **subject.model.all_scenarios}
    for name in (*subject.model.options, *([subject.model.scenario] if subject.model.scenario else [])):
        node = both[name]
        title = node.title or capital(readable(name))
        sources.append((top + 1, title, f"option-{slug(name)}", changed_names(node.declarations)))
    for chapter in chapters:
        for section in chapter.sections:
            entries = [e for part in section.parts if isinstance(part, Block) for e in part.entries]
            for level, title, anchor, changed in sources:
                # An amendment goes by the name of what it amends, and stays as it is: "after play" where another takes
                # the place of play.
                found = {changed[e.name] for e in entries if e.name in changed and e.form not in _AMENDMENTS}
                if not found or chapter.level >= level:
                    continue
                is_gone = all(changed.get(e.name) == "gone" for e in entries if e.form in _RULES)
                how = "No longer so" if is_gone else "In part no longer so" if "gone" in found else "Changed"
                section.changed.append((title, anchor if anchor in anchors.pages else "", how))
                section.is_gone = section.is_gone or is_gone


def options_of(subject: Subject, weaver: Weaver, anchors: Anchors, page: str) -> list[Option]:
    """All options and scenarios; what `with` adds to one counts as its own."""
    out: list[Option] = []
    pieces = [(level, p) for level, text in enumerate(subject.chain) for p in text.pieces]
    declared = {**subject.model.all_options, **subject.model.all_scenarios}
    before = Before(weaver.entries, subject.chain)
    for level, piece in pieces:
        node = piece.declaration
        if not isinstance(node, n.OptionDecl) or declared.get(node.name.text) is not node:
            continue
        name = node.name.text
        inner = Entries(subject.places_with(name), weaver.proper)
        found = before
        if (places := subject.places_without(name)) is not None:
            found = Before(Entries(places, weaver.proper), subject.chain, subject.needed(name))
        parts = [(d, node.cites or piece.cites) for d in node.declarations]
        for _, other in pieces:
            part = other.declaration
            if isinstance(part, n.WithDecl) and [x.text for x in part.names] == [name]:
                parts += [(d, part.cites or other.cites) for d in part.declarations]
        pairs = [(d, e) for d, cites in parts if (e := inner.of(d, cites, name)) is not None]
        for _, other in pieces:
            part = other.declaration
            if isinstance(part, n.WithDecl) and len(part.names) > 1 and part.names[0].text == name:
                both = Entries(subject.places_with(*(x.text for x in part.names)), weaver.proper)
                others = " and ".join(
                    declared[x.text].title or readable(x.text) for x in part.names[1:] if x.text in declared
                )
                for d in part.declarations:
                    entry = both.of(d, part.cites or other.cites, name)
                    if entry is not None:
                        entry.note = f"only together with {others}"
                        pairs.append((d, entry))
        for node_, entry in pairs:
            _name_what_is_new(node_, entry, inner)
            entry.was = found.of(node_) if name not in subject.model.options else None
        groups = grouped([(d, e) for d, e in pairs if e.form != "example"], weaver.only_for_claims)
        out.append(
            Option(
                name, node.title or capital(readable(name)), node.doc, anchors.new(f"option-{slug(name)}", page),
                node.cites or piece.cites, node.is_scenario,
                name in subject.model.options or name == subject.model.scenario,
                any(r.form == "on" for r in node.rules),
                [r.name.text for r in node.rules if r.form == "needs" and r.name is not None],
                [r.name.text for r in node.rules if r.form == "excludes" and r.name is not None],
                groups, level, _summary(groups),
            )
        )  # fmt: skip
    return out


def differences_of(subject: Subject, weaver: Weaver) -> Differences | None:
    """What the last game of a chain does to the one it builds on; None for a game that builds on nothing."""
    if len(subject.chain) < 2:
        return None
    base, variant = subject.chain[-2], subject.chain[-1]
    pairs: list[tuple[n.Declaration, Entry]] = []
    options: list[str] = []
    model = subject.base_model
    before = Before(Entries(Places(model), weaver.proper), subject.chain[:-1]) if model is not None else None
    for piece in variant.pieces:
        node = piece.declaration
        if isinstance(node, n.OptionDecl | n.WithDecl):
            names = [node.name.text] if isinstance(node, n.OptionDecl) else [x.text for x in node.names]
            options += [name for name in names if name not in options]
            continue
        entry = weaver.entries.of(node, piece.cites)
        if entry is not None:
            _name_what_is_new(node, entry, weaver.entries)
            entry.was = before.of(node) if before is not None else None
            pairs.append((node, entry))
    return Differences(base.ident, base.title, variant.title, grouped(pairs, weaver.only_for_claims), options)
