"""Declarations -> the things of the model: kinds, values, things, maps, piece types, states, places, players.

Rules come later (rules.py). Two passes over things: a fact may name a thing declared further down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulescript import nodes as n
from rulescript.analysis.ordering import comes_later
from rulescript.analysis.scope import LARGEST, Base
from rulescript.analysis.static import UNSET, Pending, StaticFacts
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model.game import Attr, Either, Holds, Kind, State, Thing, ThingRef, Track
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    SetOf,
    ThingOf,
    Type,
    kind_carried,
    say,
)
from rulescript.wording.lexicon import Lexicon

__all__ = ["Collector", "words_of"]

MAX_THINGS = 5_000
MOST_FIELDS = 200
BUILTIN_TYPES: dict[str, Type] = {"int": INT, "bool": BOOL, "text": TEXT, "number": INT}


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name or label, as a reader might type them: lower case, underscores as spaces."""
    return tuple(w for w in text.replace("_", " ").replace("-", " ").lower().split() if w)


class Collector(StaticFacts, Base):
    """Builds kinds, things, states and places."""

    # -------------------------------------------------------------- types

    def type_of(self, node: n.TypeNode) -> Type:
        match node.form:
            case "set":
                assert node.inner is not None
                return SetOf(self.type_of(node.inner))
            case "list":
                assert node.inner is not None
                return ListOf(self.type_of(node.inner))
            case "maybe":
                assert node.inner is not None
                return Maybe(self.type_of(node.inner))
            case "bounds":
                self.error(
                    "RS223",
                    "how far a number goes can be said of a state",
                    node.span,
                    "not of this",
                    "write `int` here",
                )
                return INT
        if node.name in BUILTIN_TYPES:
            return BUILTIN_TYPES[node.name]
        kind = self.game.kinds.get(node.name)
        either = self.game.eithers.get(node.name)
        if kind is None and either is not None:
            kinds = " or ".join(either.members)
            self.error(
                "RS230", f"`{either.name}` is {kinds}, and only a parameter can be either of them", node.span,
                "not here", "name one kind; parameters of functions, values, predicates, routes and "
                "procedures may have this type", [Label(either.span, "declared here")],
            )  # fmt: skip
            return ERROR
        if kind is None:
            known = [*BUILTIN_TYPES, *self.game.kinds, *self.game.eithers]
            self.unknown("type or kind", node.name, node.span, known)
            return ERROR
        if node.form == "on" and node.holder not in self.game.kinds:
            self.unknown("kind", node.holder, node.span, self.game.kinds)
            return ERROR
        return PieceOf(kind.name, node.holder) if kind.is_pieces else ThingOf(kind.name, node.holder)

    # -------------------------------------------------------------- kinds

    def declare_kind(self, decl: n.KindDecl | n.ValuesDecl) -> None:
        old = self.game.kinds.get(decl.name.text)
        if old is not None:
            is_same_sort = (
                old.is_values
                if isinstance(decl, n.ValuesDecl)
                else not old.is_values and decl.is_pieces == old.is_pieces
            )
            if is_same_sort and self.origin != old.origin:
                # An option or a variant adds to a kind: what kind_members takes up, or more values.
                if isinstance(decl, n.ValuesDecl):
                    for name, label in decl.values:
                        self.add_thing(old, name, label, name.span)
                return
            self.error(
                "RS102",
                f"`{decl.name}` is declared twice",
                decl.name.span,
                "declared again",
                others=[Label(old.span, "first declared here")],
            )
            return
        if decl.name.text in BUILTIN_TYPES:
            self.error("RS106", f"`{decl.name}` is a word of the language", decl.name.span)
            return
        is_pieces = isinstance(decl, n.KindDecl) and decl.is_pieces
        kind = Kind(decl.name.text, is_pieces, isinstance(decl, n.ValuesDecl), decl.name.span, self.cited(decl.cites))
        kind.origin = self.origin
        self.game.kinds[kind.name] = kind
        if isinstance(decl, n.ValuesDecl):
            for name, label in decl.values:
                self.add_thing(kind, name, label, name.span)
        else:
            kind.doc = decl.doc

    def declare_track(self, decl: n.TrackLine, of: n.MapDecl) -> None:
        """``track turn "The years"``, ``track Side.vp 0..20``"""
        first, *more = decl.target
        kind = self.game.kinds.get(first.text) if more else None
        if more and kind is None:
            self.unknown("kind", first.text, first.span, self.game.kinds)
            return
        states = kind.states if kind is not None else self.game.states
        last = decl.target[-1]
        state = states.get(last.text)
        if state is None:
            self.unknown("state", last.text, last.span, states)
            return
        if state.type == ERROR:
            return
        is_number, has_limits = state.type == INT, decl.low is not None
        if kind is not None and kind.is_pieces or not (is_number or isinstance(state.type, ThingOf)):
            self.error(
                "RS236", "a track shows a number or one of several values, of the game or of each thing of a kind",
                last.span, say(state.type), others=[Label(state.span, "declared here")],
            )  # fmt: skip
            return
        low, high = decl.low or 0, decl.high or 0
        if is_number is not has_limits or (is_number and not low < high <= low + MOST_FIELDS):
            what = (
                f"a number needs its limits, at most {MOST_FIELDS} apart" if is_number else "its values are its limits"
            )
            hint = f"write `track {'.'.join(map(str, decl.target))} 0..20`" if is_number else "leave out the numbers"
            self.error("RS236", f"the track of `{last}` has no clear fields: {what}", last.span, "", hint)
            return
        title = decl.title or last.text.replace("_", " ")
        self.game.tracks.append(Track(state, title, low, high, of.name.text, self.cited(decl.cites), decl.span))

    def declare_either(self, decl: n.EitherDecl) -> None:
        """``either Mover: Army, Unit``"""
        if decl.name.text in BUILTIN_TYPES:
            self.error("RS106", f"`{decl.name}` is a word of the language", decl.name.span)
            return
        if self.name_taken(decl.name):
            return
        members: list[str] = []
        for name in decl.members:
            kind = self.kind_named(name)
            if kind is None:
                self.lost.add(decl.name.text)
            elif kind.name in members:
                self.error("RS102", f"`{name}` is named twice", name.span, "again")
            else:
                members.append(kind.name)
        if len(members) == len(decl.members):
            self.game.eithers[decl.name.text] = Either(
                decl.name.text, tuple(members), self.cited(decl.cites), decl.name.span, self.origin
            )

    def kind_members(self, decl: n.KindDecl) -> None:
        kind = self.game.kinds.get(decl.name.text)
        if kind is None:
            return
        # Declared twice, which was told: what it adds is taken, so that it is not missed elsewhere.
        is_twice = kind.span != decl.name.span and self.origin == kind.origin
        for attribute in decl.attributes:
            if (is_twice and attribute.name.text in kind.attrs) or self.taken(kind, attribute.name):
                continue
            kind.attrs[attribute.name.text] = Attr(
                attribute.name.text,
                self.type_of(attribute.type),
                kind,
                attribute.default,
                attribute.name.span,
                self.origin,
            )
            if attribute.reconstructed:
                self.game.reconstructed.append(
                    (f"{kind.name}.{attribute.name}", attribute.reconstructed, attribute.span)
                )
        for state in decl.states:
            if not self.taken(kind, state.name):
                kind.states[state.name.text] = self.state(state, kind)
        for holds in decl.holds:
            old = kind.holds.get(holds.name.text)
            if not self._seen_anew(old, holds) and not self.taken(kind, holds.name):
                self.declare_holds(holds, kind)
        for does in decl.does:
            if does.name.text in kind.does:
                first = kind.does[does.name.text].name.span
                self.error(
                    "RS102",
                    f"things of {kind.name} already `{does.name}`",
                    does.name.span,
                    "declared again",
                    others=[Label(first, "first declared here")],
                )
                continue
            kind.does[does.name.text] = does
        lines = [(line.cites, line.span) for line in decl.attributes]
        lines += [(line.cites, line.span) for line in decl.does]
        for part, cites in (
            (decl.home, decl.home_cites),
            (decl.text, decl.text_cites),
            (decl.in_force, decl.force_cites),
            (decl.hidden_when, decl.hidden_cites),
        ):
            if part is not None:
                lines.append((cites, part.span))
        kind.line_cites += [(cites, span) for cites, span in lines if cites]
        kind.home = decl.home or kind.home
        kind.text = decl.text or kind.text
        kind.in_force = decl.in_force or kind.in_force
        if decl.hidden_when is not None:
            kind.hidden_when, kind.known_to, kind.shows = decl.hidden_when, decl.known_to, decl.shows

    def taken(self, kind: Kind, name: n.Name) -> bool:
        if name.text in ("it", "place", "this", "name"):
            self.error("RS106", f"`{name}` is a word of the language", name.span)
            return True
        for members in (kind.attrs, kind.states, kind.holds):
            if name.text in members:
                self.error(
                    "RS102",
                    f"`{kind.name}` already has `{name}`",
                    name.span,
                    "declared again",
                    others=[Label(members[name.text].span, "first declared here")],
                )
                return True
        return False

    def state(self, decl: n.StateDecl, kind: Kind | None) -> State:
        has_bounds = decl.type.form == "bounds"
        type_ = INT if has_bounds else self.type_of(decl.type)
        state = self._state(decl, kind, type_)
        if has_bounds:
            low, high = decl.type.low, decl.type.high
            if low > high or max(-low, high) > LARGEST:
                reason = "from its lowest to its highest" if low > high else f"up to {LARGEST}"
                self.error("RS223", f"numbers go {reason}", decl.type.span, "", "write the lower one first")
            else:
                state.bounds = (low, high)
        if kind is not None and kind.is_pieces and not self._counts_by(type_):
            self.error(
                "RS223", f"a piece can be told apart by a number, by yes or no, or by one thing, not by {say(type_)}",
                decl.type.span, f"`{decl.name}` of a piece",
                "declare a `kind` instead of `pieces` if each one is for itself",
            )  # fmt: skip
            state.type = ERROR
        elif kind_carried(type_):
            self.error(
                "RS213", "a state cannot keep a piece: it would not follow when the piece is moved or changed",
                decl.type.span, "pieces have no identity of their own",
                f"keep its place, or mark the piece: `state {decl.name}: bool` under `pieces {kind_carried(type_)}`",
            )  # fmt: skip
            state.type = ERROR
        return state

    @staticmethod
    def _counts_by(type_: Type) -> bool:
        """Whether pieces can be counted by a state of a type."""
        inner = type_.element if isinstance(type_, Maybe) else type_
        return isinstance(inner, ThingOf) or type_ in (INT, BOOL, ERROR)

    def _state(self, decl: n.StateDecl, kind: Kind | None, type_: Type) -> State:
        return State(
            decl.name.text,
            type_,
            kind,
            decl.default,
            decl.lasts,
            self.cited(decl.cites),
            decl.name.span,
            self.origin,
            None,
            decl.reconstructed,
            self._lasts_within(decl, kind),
        )

    def _lasts_within(self, decl: n.StateDecl, kind: Kind | None) -> Kind | None:
        """``lasts in Region``: the kind whose places it lasts in."""
        if decl.within is None:
            return None
        if kind is None:
            self.error("RS201", "only what a thing or piece has can last in a place", decl.within.span)
            return None
        return self.kind_named(decl.within)

    def declare_state(self, decl: n.StateDecl) -> None:
        if self.name_taken(decl.name):
            return
        self.game.states[decl.name.text] = self.state(decl, None)

    def _seen_anew(self, old: Holds | None, decl: n.HoldsDecl) -> bool:
        """A place that an option or a variant declares again: what it says is who may see it from now on."""
        if old is None or old.origin == self.origin or not decl.visibility:
            return False
        if decl.kind.text != old.kind.name or decl.ordered != old.ordered:
            return False
        assert old.declared is not None
        is_option = self.game.levels.get(old.seen_from, (0, False))[1]
        if is_option and old.seen_from != self.origin and self.origin != self.game.scenario:
            if not comes_later(self.game, old.seen_from, self.origin):
                self.error(
                    "RS308",
                    f"who sees `{decl.name}` is said by `{old.seen_from}` and by `{self.origin}`",
                    decl.name.span,
                    "said again",
                    f"let one come later: `option {self.origin}, after {old.seen_from}`",
                    others=[Label(old.declared.name.span, "the other one")],
                )
        old.declared, old.seen_from = decl, self.origin
        old.cites = tuple(dict.fromkeys((*old.cites, *self.cited(decl.cites))))
        return True

    def declare_own_state(self, thing: Thing, decl: n.StateDecl) -> None:
        """``state used: bool`` under a thing belongs to that thing alone: a state of the game, `Raid.used`."""
        if self.taken(thing.kind, decl.name):
            return
        state = self.state(decl, None)
        state.name = f"{thing.name}.{decl.name}"
        old = self.game.states.get(state.name)
        if old is not None:
            others = [Label(old.span, "first declared here")]
            self.error("RS102", f"`{decl.name}` is declared twice", decl.name.span, "declared again", others=others)
            return
        self.game.states[state.name] = state

    def declare_holds(self, decl: n.HoldsDecl, owner: Kind | None) -> None:
        kind = self.kind_named(decl.kind)
        if kind is None:
            self.lost.add(decl.name.text)
            return
        if decl.ordered and kind.is_pieces:
            self.error(
                "RS203",
                f"`{decl.name}` is ordered, but pieces of {kind.name} are interchangeable",
                decl.name.span,
                hint=f"declare {kind.name} as a `kind`, or leave out `ordered`",
            )
        holds = Holds(
            decl.name.text,
            kind,
            owner,
            decl.ordered and not kind.is_pieces,
            decl.name.span,
            self.cited(decl.cites),
            self.origin,
        )
        holds.declared, holds.seen_from = decl, self.origin
        kind.movable = True
        if owner is None:
            if self._seen_anew(self.game.holds.get(decl.name.text), decl) or self.name_taken(decl.name):
                return
            self.game.holds[decl.name.text] = holds
        else:
            owner.holds[decl.name.text] = holds

    def name_taken(self, name: n.Name) -> bool:
        game = self.game
        tables: Iterable[dict[str, Any]] = (
            game.kinds, game.states, game.holds, game.functions, game.routes, game.tables,
            game.procedures, game.signals, game.eithers,
        )  # fmt: skip
        for table in tables:
            if name.text in table:
                old = table[name.text]
                is_rule = table in (game.functions, game.routes, game.tables, game.procedures)
                self.error(
                    "RS102",
                    f"`{name}` is declared twice",
                    name.span,
                    "declared again",
                    "write `replace` before it if it takes the place of the other"
                    if is_rule and getattr(old, "origin", "") != self.origin
                    else None,
                    others=[Label(old.span, "first declared here")],
                )
                return True
        return False

    # -------------------------------------------------------------- things

    def add_thing(self, kind: Kind, name: n.Name, label: str, span: Any) -> Thing | None:
        same = [t for t in self.game.things.get(name.text, []) if t.kind is kind]
        if same:
            self.error(
                "RS102",
                f"there are two {kind.name} called `{name}`",
                name.span,
                "declared again",
                others=[Label(same[0].span, "first declared here")],
            )
            return None
        if name.text in self.game.kinds:
            others = [Label(self.game.kinds[name.text].span, "the kind")]
            self.error("RS102", f"`{name}` is a kind, and no thing can be called so", name.span, others=others)
            return None
        if kind.size >= MAX_THINGS:
            self.error("RS014", f"more than {MAX_THINGS} things of one kind", span)
            return None
        thing = Thing(kind, name.text, label or name.text.replace("_", " "), kind.size, name.span)
        thing.origin = self.origin
        kind.things.append(thing)
        self.game.things.setdefault(name.text, []).append(thing)
        for attr in kind.attrs.values():
            attr.values.append(UNSET)
        return thing

    def declare_copies(self, decl: n.ThingDecl) -> list[Thing]:
        """The thing of a line; for a kind of single things, a number on the line makes that many alike."""
        kind = self.game.kinds.get(decl.kind.text)
        count = next((item.number for item in decl.items if item.form == "count"), 1)
        if kind is None or kind.is_pieces or count == 1:
            made = self.declare_thing(decl, decl.name)
            return [made] if made is not None else []
        out: list[Thing] = []
        for number in range(1, min(count, MAX_THINGS + 1) + 1):
            name = n.Name(f"{decl.name}_{number}", span=decl.name.span)
            thing = self.declare_thing(decl, name, decl.name.text.replace("_", " "))
            if thing is not None:
                thing.copy_of = decl.name.text
                self.game.copies.setdefault(decl.name.text, []).append(thing)
                out.append(thing)
        return out

    def declare_thing(self, decl: n.ThingDecl, name: n.Name, words: str = "") -> Thing | None:
        if decl.kind.text not in self.game.kinds and self._is_link(decl):
            return None
        kind = self.kind_named(decl.kind)
        if kind is None:
            # The word in the place of the kind may be the name, and the kind left out.
            self.lost |= {decl.name.text, decl.kind.text}
            return None
        label = next((item.text for item in decl.items if item.form == "label"), words)
        thing = self.add_thing(kind, name, label, decl.span)
        if thing is None:
            return None
        thing.cites = self.cited(decl.cites)
        thing.reconstructed = decl.reconstructed
        thing.doc = decl.doc
        thing.items = decl.items
        if decl.reconstructed:
            self.game.reconstructed.append((f"{kind.name} {thing.name}", decl.reconstructed, decl.name.span))
        return thing

    def _is_link(self, decl: n.ThingDecl) -> bool:
        """``road Mill Ford``: meant for a link, and read as a thing."""
        sorts = {sort.text for map_ in self.game.maps for sort in map_.sorts}
        if decl.kind.text not in sorts:
            return False
        other = next((item.name.text for item in decl.items if item.name is not None), "...")
        hint = f"write `{decl.kind} {decl.name} - {other}`"
        self.error("RS001", "the spaces of a link are joined with `-`", decl.name.span, "expected `-` after this", hint)
        return True

    def thing_facts(self, thing: Thing, items: tuple[n.ThingItem, ...], again: bool = False) -> None:
        """Give a thing the facts on its line. `again` when an amendment changes them."""
        kind = thing.kind
        for item in items:
            match item.form:
                case "label":
                    thing.label = item.text
                case "at":
                    thing.at = item.text
                case "count":
                    thing.count = item.number
                case "count_in":
                    thing.count = item.number
                    thing.count_in = item.value
                case "no":
                    self._fact_no(thing, item)
                case "word":
                    self._fact_word(thing, item, again)
                case "attr":
                    self._fact_attr(thing, item)
        if not kind.is_pieces and any(i.form == "count_in" or (i.form == "count" and again) for i in items):
            self.error(
                "RS201", f"only pieces are counted by place, and {kind.name} is a kind of single things", thing.span
            )

    def _fact_no(self, thing: Thing, item: n.ThingItem) -> None:
        assert item.name is not None
        attr = thing.kind.attrs.get(item.name.text)
        if attr is None or attr.type != BOOL:
            self._no_such_fact(thing, item.name)
        else:
            attr.values[thing.index] = False

    def _fact_word(self, thing: Thing, item: n.ThingItem, again: bool) -> None:
        assert item.name is not None
        kind, name = thing.kind, item.name.text
        attr = kind.attrs.get(name)
        if attr is not None and attr.type == BOOL:
            attr.values[thing.index] = True
            return
        candidates = self.game.things.get(name, [])
        given = ""
        for attr in kind.attrs.values():
            wanted = attr.type.element if isinstance(attr.type, Maybe) else attr.type
            if not isinstance(wanted, ThingOf):
                continue
            for candidate in candidates:
                if candidate.kind.name == wanted.kind and (again or attr.values[thing.index] is UNSET):
                    attr.values[thing.index] = ThingRef(wanted.kind, candidate.index)
                    return
                if candidate.kind.name == wanted.kind:
                    given = attr.name
        if given:
            self.error("RS201", f"the `{given}` of {thing.name} is given twice", item.name.span, "given again")
            return
        self._no_such_fact(thing, item.name)

    def _fact_attr(self, thing: Thing, item: n.ThingItem) -> None:
        assert item.name is not None and item.value is not None
        attr = thing.kind.attrs.get(item.name.text)
        if attr is None and item.name.text in self.game.things:
            self.unclear.add((thing.kind.name, thing.index))
            message = f"expected `,` between `{item.name}` and `{item.value.span.text}`"
            self.error("RS001", message, item.value.span, "expected `,` before this")
            return
        if attr is None:
            self._no_such_fact(thing, item.name)
            return
        if _is_given(item.value):
            attr.values[thing.index] = self.fact(attr, thing, item, self.static(item.value, None, attr.type))
        else:
            # It may need facts of things further down: worked out when first asked for.
            attr.values[thing.index] = Pending(thing, item, self.origin, self.rule_cites)

    def _no_such_fact(self, thing: Thing, name: n.Name) -> None:
        # Which attribute was meant is not known, so none counts as missing.
        self.unclear.add((thing.kind.name, thing.index))
        if name.text in self.lost or any(attr.type == ERROR for attr in thing.kind.attrs.values()):
            return
        names = [*thing.kind.attrs, *self.game.things]
        hint = spelling_hint(name.text, names)
        if hint is None and thing.kind.attrs:
            hint = f"its attributes are {', '.join(thing.kind.attrs)}"
        self.error(
            "RS107",
            f"`{name}` is no attribute of {thing.kind.name} and no thing one of its attributes could be",
            name.span,
            "unknown",
            hint,
            rests_on=(thing.kind.name,),
        )

    # -------------------------------------------------------------- maps

    def declare_links(self, decl: n.MapDecl) -> None:
        # A map may link with the sorts of another: a variant adds spaces to the board of its base.
        sorts = {s.text for s in decl.sorts} | {sort for kind in self.game.kinds.values() for sort in kind.links}
        for line in decl.links:
            if line.sort.text not in sorts:
                self.unknown("sort of link", line.sort.text, line.sort.span, sorts)
                continue
            ends: list[Thing | None] = []
            for name in line.names:
                spaces = self.game.things.get(name.text, [])
                if not spaces and name.text in self.lost:
                    ends.append(None)
                    continue
                if not spaces:
                    names = [t.name for d in decl.things for t in self.game.things.get(d.name.text, [])]
                    self.error(
                        "RS104",
                        f"there is no space `{name}` to link to",
                        name.span,
                        "unknown",
                        spelling_hint(name.text, names or list(self.game.things)),
                    )
                ends.append(spaces[0] if spaces else None)
            for at, arrow in enumerate(line.arrows):
                a, b = ends[at], ends[at + 1]
                if a is not None and b is not None:
                    self._link(line, a, b, arrow == "-", line.names[at + 1])

    def _link(self, line: n.LinkLine, a: Thing, b: Thing, both: bool, name: n.Name) -> None:
        if a.kind is not b.kind:
            self.error("RS104", f"{a.name} and {b.name} are not of the same kind", name.span)
            return
        if a is b:
            self.error("RS113", f"{a.name} is linked to itself", name.span)
            return
        sort = line.sort.text
        table = a.kind.links.setdefault(sort, [])
        for x, y in ((a.index, b.index), (b.index, a.index)) if both else ((a.index, b.index),):
            while len(table) < a.kind.size:
                table.append(set())
            if y in table[x]:
                old = a.kind.link_info[(sort, x, y)]
                self.error(
                    "RS105",
                    f"the {sort} link {a.name} - {b.name} is given twice",
                    name.span,
                    "given again",
                    others=[Label(old[0], "first given here")],
                )
                return
            table[x].add(y)
            a.kind.link_info[(sort, x, y)] = (name.span, self.cited(line.cites), line.reconstructed)
        if line.reconstructed:
            self.game.reconstructed.append((f"{sort} {a.name} - {b.name}", line.reconstructed, name.span))

    def declare_link_sorts(self, decl: n.MapDecl) -> None:
        for sort in decl.sorts:
            kinds = {self.game.kinds[t.kind.text].name for t in decl.things if t.kind.text in self.game.kinds}
            linked = {
                self.game.things[name.text][0].kind.name
                for line in decl.links
                if line.sort.text == sort.text
                for name in line.names
                if name.text in self.game.things
            }
            for kind_name in sorted(linked or kinds):
                kind = self.game.kinds[kind_name]
                table = kind.links.setdefault(sort.text, [])
                while len(table) < kind.size:
                    table.append(set())

    # -------------------------------------------------------------- pieces

    def is_uneven(self, rows: Sequence[n.Row]) -> bool:
        """Whether the rows of a table differ in length; those that most others differ from are told."""
        widths = Counter(len(row.cells) for row in rows)
        # Of equally many, the head is right: it was written first.
        width = max(widths, key=lambda w: (widths[w], w == len(rows[0].cells)))
        for row in rows:
            cells = len(row.cells)
            if cells == width:
                continue
            differ = abs(cells - width)
            many = f"{differ} {'cell' if differ == 1 else 'cells'} too {'few' if cells < width else 'many'}"
            who = "the head of this table" if row is rows[0] else "this row"
            other = next(each for each in rows if len(each.cells) == width)
            self.error(
                "RS301", f"{who} has {cells} cells, the others {width}", row.span, many,
                others=[Label(other.span, f"{width} cells")],
                hint="every row has a `|` before each cell and one at its end"
                + ("; an empty cell is two of them" if cells < width else ""),
            )  # fmt: skip
        return len(widths) > 1

    def declare_counts(self, decl: n.CountsDecl) -> None:
        """A table of how many pieces of each type there are; makes the types."""
        kind = self.kind_named(decl.kind)
        if kind is None:
            self.counts_unclear = True
            return
        if not kind.is_pieces:
            self.error("RS201", f"{kind.name} is not a kind of pieces", decl.kind.span)
            return
        if not decl.rows:
            return
        header, rows = decl.rows[0], decl.rows[1:]
        if self.is_uneven(decl.rows):
            self.counts_unclear = True
        for row in rows:
            if len(row.cells) != len(header.cells):
                continue
            row_thing = self._cell_thing(row.cells[0], kind)
            for cell, head in zip(row.cells[1:], header.cells[1:], strict=True):
                if not cell.items:
                    continue
                count = cell.items[0]
                if not isinstance(count, n.Number) or count.value < 0:
                    hint = "write how many there are, or leave the cell empty"
                    self.error("RS201", "a count is a number", cell.span, "expected a number", hint)
                    self.counts_unclear = True
                    continue
                if count.value == 0:
                    continue
                column_thing = self._cell_thing(head, kind)
                if row_thing is None or column_thing is None:
                    continue
                name = n.Name(f"{row_thing.name}_{column_thing.name}", span=cell.span)
                thing = self.add_thing(kind, name, "", cell.span)
                if thing is None:
                    continue
                thing.cites = self.cited(row.cites or decl.cites)
                thing.count = count.value
                thing.count_in = decl.where
                thing.span = cell.span
                for fact in (row_thing, column_thing):
                    attr = self._attr_for(kind, fact)
                    if attr is not None:
                        attr.values[thing.index] = ThingRef(fact.kind.name, fact.index)
                if row.reconstructed or decl.reconstructed:
                    reason = row.reconstructed or decl.reconstructed
                    self.game.reconstructed.append((f"{kind.name} {name}", reason, cell.span))

    def _cell_thing(self, cell: n.Cell, kind: Kind) -> Thing | None:
        if len(cell.items) != 1 or not isinstance(cell.items[0], n.NameExpr):
            self.error("RS201", "this cell must name one thing", cell.span)
            return None
        name = cell.items[0].name
        for thing in self.game.things.get(name, []):
            if self._attr_for(kind, thing) is not None:
                return thing
        # Which pieces there are is not known then.
        self.counts_unclear = True
        if name in self.game.things and any(attr.type == ERROR for attr in kind.attrs.values()):
            return None
        self.unknown(f"thing an attribute of {kind.name} could be", name, cell.span, self.game.things)
        self.lost.add(name)
        return None

    @staticmethod
    def _attr_for(kind: Kind, thing: Thing) -> Attr | None:
        for attr in kind.attrs.values():
            if attr.type == ThingOf(thing.kind.name):
                return attr
        return None

    # -------------------------------------------------------------- players

    def declare_players(self, decl: n.PlayersDecl) -> None:
        kind = self.kind_named(decl.kind)
        if kind is None:
            self.players_unclear = True
            return
        self.game.players = kind
        for line in decl.seats:
            seats: list[tuple[int, ...]] = []
            is_clear = True
            for seat in line.seats:
                roles: list[int] = []
                for name in seat:
                    found = [t for t in self.game.things.get(name.text, []) if t.kind is kind]
                    if not found:
                        is_clear = False
                        self.unknown(kind.name, name.text, name.span, [t.name for t in kind.things])
                    else:
                        roles.append(found[0].index)
                seats.append(tuple(roles))
            held = sorted(role for seat_roles in seats for role in seat_roles)
            if is_clear and held != list(range(kind.size)):
                self.error("RS201", f"with {line.count} players, every {kind.name} needs exactly one seat", line.span)
            if len(seats) != line.count:
                self.error("RS201", f"{line.count} players need {line.count} seats", line.span)
            self.game.seats[line.count] = tuple(seats)

    # -------------------------------------------------------------- words for pieces

    def find_words(self) -> None:
        """What each thing may be called in a phrase such as `2 Ruritanian infantry`."""
        for kind in self.game.kinds.values():
            for thing in kind.things:
                words = set(words_of(thing.name)) | set(words_of(thing.label))
                for attr in kind.attrs.values():
                    value = attr.values[thing.index] if thing.index < len(attr.values) else None
                    if isinstance(value, ThingRef) and kind.is_pieces:
                        words |= self._thing_words(value)
                    elif isinstance(value, str):
                        words |= set(words_of(value))
                    elif value is True and kind.is_pieces:
                        words |= set(words_of(attr.name))
                thing.words = frozenset(words)

    def _thing_words(self, ref: ThingRef) -> set[str]:
        thing = self.game.kinds[ref.kind].things[ref.index]
        words = set(words_of(thing.name)) | set(words_of(thing.label))
        for attr in thing.kind.attrs.values():
            value = attr.values[ref.index]
            if isinstance(value, str):
                words |= set(words_of(value))
        return words

    def piece_type(self, kind: Kind, words: tuple[str, ...]) -> list[int]:
        """The types of a kind of pieces that a phrase may mean: of those whose words all fit and that the text
        speaking now can know of, those of which least is left unsaid."""
        wanted = [w for text in words for w in words_of(text)]
        found: list[int] = []
        for thing in kind.things:
            if all(w in thing.words or _singular(w) in thing.words for w in wanted) and self.visible(thing.origin):
                found.append(thing.index)
        exact = [i for i in found if len(kind.things[i].words) == len(set(wanted))]
        if exact or len(found) < 2:
            return exact or found
        lexicon = self._lexicon()
        unsaid = {i: lexicon.unsaid(kind.name, i, {*wanted, *map(_singular, wanted)}) for i in found}
        return [i for i in found if unsaid[i] == min(unsaid.values())]

    def _lexicon(self) -> Lexicon:
        """The words of the game as an example would read them, so that rules mean the same pieces by them."""

        def plain(value: Any) -> Any:
            return value.index if isinstance(value, ThingRef) else value

        return Lexicon(
            {
                "kinds": {
                    kind.name: {
                        "pieces": kind.is_pieces,
                        "names": [t.name for t in kind.things],
                        "labels": [t.label for t in kind.things],
                        "attrs": {a.name: [plain(v) for v in a.values] for a in kind.attrs.values()},
                        "attr_types": {a.name: _sort_of(a.type) for a in kind.attrs.values()},
                    }
                    for kind in self.game.kinds.values()
                }
            }
        )


def _is_given(value: n.Expr) -> bool:
    """Whether a value is what it says; others stand in brackets and are worked out."""
    if isinstance(value, n.Unary):
        return isinstance(value.operand, n.Number)
    return isinstance(value, n.Number | n.TextExpr | n.YesNo | n.NameExpr | n.SetLiteral | n.ListLiteral)


def _sort_of(type_: Type) -> list[Any]:
    """What a lexicon needs to know of a type."""
    match type_:
        case Maybe(element):
            return ["maybe", _sort_of(element)]
        case ThingOf(kind):
            return ["thing", kind]
    return ["bool" if type_ == BOOL else "text" if type_ == TEXT else "other"]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
