"""Declarations -> kinds, values, states, places, players."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rulescript import nodes as n
from rulescript.analysis.ordering import comes_later
from rulescript.analysis.part import Part
from rulescript.analysis.scope import LARGEST
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import nearest_names
from rulescript.model.game import (
    Attr,
    Either,
    Holds,
    Kind,
    State,
    Thing,
    Track,
)
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
    sure,
)  # fmt: skip  # fmt: skip

__all__ = ["Kinds"]

MOST_FIELDS = 200
BUILTIN_TYPES: dict[str, Type] = {"int": INT, "bool": BOOL, "text": TEXT, "number": INT}


class Kinds(Part):
    """Declares kinds, and what they have."""

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

    def declare_kind(self, decl: n.KindDecl | n.ValuesDecl) -> None:
        old = self.game.kinds.get(decl.name.text)
        if old is not None:
            is_same_sort = (
                old.is_values
                if isinstance(decl, n.ValuesDecl)
                else not old.is_values and decl.is_pieces == old.is_pieces
            )
            if is_same_sort and self.desk.origin != old.origin:
                # An option or a variant adds to a kind: what kind_members takes up, or more values.
                if isinstance(decl, n.ValuesDecl):
                    for name, label in decl.values:
                        self.things.add_thing(old, name, label, name.span)
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
        kind.origin = self.desk.origin
        self.game.kinds[kind.name] = kind
        if isinstance(decl, n.ValuesDecl):
            for name, label in decl.values:
                self.things.add_thing(kind, name, label, name.span)
        else:
            kind.doc = decl.doc

    def declare_either(self, decl: n.EitherDecl) -> None:
        """``either Mover: Army, Unit``"""
        if decl.name.text in BUILTIN_TYPES:
            self.error("RS106", f"`{decl.name}` is a word of the language", decl.name.span)
            return
        if self.name_taken(decl.name):
            return
        members: list[str] = []
        for name in decl.members:
            kind = self.desk.kind_named(name)
            if kind is None:
                self.desk.lost.add(decl.name.text)
            elif kind.name in members:
                self.error("RS102", f"`{name}` is named twice", name.span, "again")
            else:
                members.append(kind.name)
        if len(members) == len(decl.members):
            self.game.eithers[decl.name.text] = Either(
                decl.name.text, tuple(members), self.cited(decl.cites), decl.name.span, self.desk.origin
            )

    def kind_members(self, decl: n.KindDecl) -> None:
        kind = self.game.kinds.get(decl.name.text)
        if kind is None:
            return
        # Declared twice, which was told: what it adds is taken, so that it is not missed elsewhere.
        is_twice = kind.span != decl.name.span and self.desk.origin == kind.origin
        for attribute in decl.attributes:
            if (is_twice and attribute.name.text in kind.attrs) or self.taken(kind, attribute.name):
                continue
            kind.attrs[attribute.name.text] = Attr(
                attribute.name.text,
                self.type_of(attribute.type),
                kind,
                attribute.default,
                attribute.name.span,
                self.desk.origin,
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
        if self.desk.is_word(name, "name"):
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
        inner = sure(type_)
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
            self.desk.origin,
            None,
            decl.reconstructed,
            self._lasts_within(decl, kind),
            told=self._told(decl, kind),
        )

    def _told(self, decl: n.StateDecl, kind: Kind | None) -> tuple[str, str] | None:
        """How a story tells it: of `it`, whose state it is, and of what it has become. No more is known where a change
        is told, so that nobody reads there what they may not know."""
        if decl.told is None:
            return None
        known = {decl.name.text, *(["it"] if kind is not None else [])}
        named = " and ".join(f"`{{{name}}}`" for name in sorted(known))
        for text in (decl.told.text, decl.told.denied):
            for found in re.finditer(r"\{([^{}]*)\}", text.value if text is not None else ""):
                if found[1] not in known and text is not None:
                    meant = nearest_names(found[1].strip(), known, 1)
                    if kind is not None and found[1].strip().lower() in (kind.name.lower(), "this"):
                        meant = ["it"]
                    hint = "say more with `tell`, where the change is made"
                    hint = f"did you mean `{{{meant[0]}}}`?" if meant else hint
                    message = f"a story of a change knows nothing but {named}"
                    self.error("RS101", message, text.span, f"not `{found[0]}`", hint)
        said, denied = decl.told.text, decl.told.denied
        return said.value if said is not None else "", denied.value if denied is not None else ""

    def _lasts_within(self, decl: n.StateDecl, kind: Kind | None) -> Kind | None:
        """``lasts in Region``: the kind whose places it lasts in."""
        if decl.within is None:
            return None
        if kind is None:
            self.error("RS201", "only what a thing or piece has can last in a place", decl.within.span)
            return None
        return self.desk.kind_named(decl.within)

    def declare_state(self, decl: n.StateDecl) -> None:
        if self.name_taken(decl.name):
            return
        self.game.states[decl.name.text] = self.state(decl, None)

    def _seen_anew(self, old: Holds | None, decl: n.HoldsDecl) -> bool:
        """A place that an option or a variant declares again: what it says is who may see it from now on."""
        if old is None or old.origin == self.desk.origin or not decl.visibility:
            return False
        if decl.kind.text != old.kind.name or decl.ordered != old.ordered:
            return False
        assert old.declared is not None
        is_option = self.game.levels.get(old.seen_from, (0, False))[1]
        if is_option and old.seen_from != self.desk.origin and self.desk.origin != self.game.scenario:
            if not comes_later(self.game, old.seen_from, self.desk.origin):
                self.error(
                    "RS308",
                    f"who sees `{decl.name}` is said by `{old.seen_from}` and by `{self.desk.origin}`",
                    decl.name.span,
                    "said again",
                    f"let one come later: `option {self.desk.origin}, after {old.seen_from}`",
                    others=[Label(old.declared.name.span, "the other one")],
                )
        old.declared, old.seen_from = decl, self.desk.origin
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
        kind = self.desk.kind_named(decl.kind)
        if kind is None:
            self.desk.lost.add(decl.name.text)
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
            self.desk.origin,
        )
        holds.declared, holds.seen_from = decl, self.desk.origin
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
                    if is_rule and getattr(old, "origin", "") != self.desk.origin
                    else None,
                    others=[Label(old.span, "first declared here")],
                )
                return True
        return False

    def declare_players(self, decl: n.PlayersDecl) -> None:
        kind = self.desk.kind_named(decl.kind)
        if kind is None:
            self.desk.players_unclear = True
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
        is_number, limits = state.type == INT, decl.limits
        if kind is not None and kind.is_pieces or not (is_number or isinstance(state.type, ThingOf)):
            self.error(
                "RS236", "a track shows a number or one of several values, of the game or of each thing of a kind",
                last.span, say(state.type), others=[Label(state.span, "declared here")],
            )  # fmt: skip
            return
        low, high = (limits.low or 0, limits.high or 0) if limits is not None else (0, 0)
        if is_number is (limits is None) or (is_number and not low < high <= low + MOST_FIELDS):
            what = (
                f"a number needs its limits, at most {MOST_FIELDS} apart" if is_number else "its values are its limits"
            )
            hint = f"write `track {'.'.join(map(str, decl.target))} 0..20`" if is_number else "leave out the numbers"
            self.error("RS236", f"the track of `{last}` has no clear fields: {what}", last.span, "", hint)
            return
        title = decl.title or last.text.replace("_", " ")
        self.game.tracks.append(Track(state, title, low, high, of.name.text, self.cited(decl.cites), decl.span))
