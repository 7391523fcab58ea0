"""What options change, and how a variant differs from the game it builds on: both are derived from the amendments.

A variant's own text says nothing but what is different, so its declarations, sorted by what they do to the game below,
are the page of differences. An option's page is made the same way.
"""

from __future__ import annotations

from attrs import define, field

from rulescript import nodes as n
from rulescript.docgen.entries import Entries, Entry
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import capital
from rulescript.docgen.subject import Subject, inside
from rulescript.docgen.weave import Weaver
from rulescript.phrases import listed, readable

__all__ = ["Differences", "Group", "Option", "differences_of", "options_of"]

# What a declaration does to the game below it, in the order people want to know.
_GROUPS = (
    ("replaced", "Rules that are replaced", ("replace",)),
    ("removed", "No longer there", ("remove",)),
    ("limits", "New limits", ("restrict",)),
    ("exceptions", "New exceptions", ("exception",)),
    ("ways", "New ways to choose", ("extend", "aside")),
    ("values", "Values that change", ("adjust",)),
    ("around", "What happens before, after or in answer to something", ("hook", "reaction", "whenever")),
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


def grouped(pairs: list[tuple[n.Declaration, Entry]]) -> list[Group]:
    """Entries by what they do, each group in the order it was written."""
    found: dict[str, list[Entry]] = {}
    for node, entry in pairs:
        form = "replace" if isinstance(node, n.Replace) else entry.form
        ident = next((i for i, _, forms in _GROUPS if form in forms), "rules")
        found.setdefault(ident, []).append(entry)
    return [Group(ident, title, found[ident]) for ident, title, _ in _GROUPS if ident in found]


def _summary(groups: list[Group]) -> str:
    """``2 rules replaced, 1 new limit``"""
    words = {
        "replaced": ("rule replaced", "rules replaced"), "removed": ("thing removed", "things removed"),
        "limits": ("new limit", "new limits"), "exceptions": ("exception", "exceptions"),
        "ways": ("new way to choose", "new ways to choose"), "values": ("value changed", "values changed"),
        "around": ("rule before, after or in answer", "rules before, after or in answer"),
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


def options_of(subject: Subject, weaver: Weaver, anchors: Anchors, page: str) -> list[Option]:
    """All options and scenarios; what `with` adds to one counts as its own."""
    out: list[Option] = []
    pieces = [(level, p) for level, text in enumerate(subject.chain) for p in text.pieces]
    declared = {**subject.model.all_options, **subject.model.all_scenarios}
    for level, piece in pieces:
        node = piece.declaration
        if not isinstance(node, n.OptionDecl) or declared.get(node.name.text) is not node:
            continue
        name = node.name.text
        inner = Entries(subject.places_with(name), weaver.proper)
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
        groups = grouped([(d, e) for d, e in pairs if e.form != "example"])
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
    for piece in variant.pieces:
        node = piece.declaration
        if isinstance(node, n.OptionDecl | n.WithDecl):
            names = [node.name.text] if isinstance(node, n.OptionDecl) else [x.text for x in node.names]
            options += [name for name in names if name not in options]
            continue
        entry = weaver.entries.of(node, piece.cites)
        if entry is not None:
            _name_what_is_new(node, entry, weaver.entries)
            pairs.append((node, entry))
    return Differences(base.ident, base.title, variant.title, grouped(pairs), options)
