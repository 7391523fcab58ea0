"""Things first: kinds, things, their facts, what states begin with, where pieces are at home."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulescript import nodes as n
from rulescript.analysis.active import Active
from rulescript.analysis.desk import Desk
from rulescript.analysis.facts import NOT_FIXED, UNSET
from rulescript.analysis.part import Part
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model.types import (
    ERROR,
    ThingOf,
    say,
)  # fmt: skip  # fmt: skip

__all__ = ["Declaring"]


class Declaring(Part):
    """Declares everything that is no rule."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.lines: list[tuple[m.Thing, n.ThingDecl, Active]] = []

    def read_things(self, active: list[Active]) -> None:
        """In passes, since what is declared may use what is declared later: kinds, then their things, then what is said
        of things, then what can be different for each."""
        for item in active:
            for name in _names_given_by(item.declaration):
                self.desk.is_word(name)
        for kind in self._each(active, n.KindDecl, n.ValuesDecl):
            self.kinds.declare_kind(kind)
        for kind in self._each(active, n.KindDecl):
            self.kinds.kind_members(kind)
        for either in self._each(active, n.EitherDecl):
            self.kinds.declare_either(either)
        self._declare_things(active)
        self._late_attributes()
        for counts in self._each(active, n.CountsDecl):
            self.things.declare_counts(counts)
        for of in self._each(active, n.MapDecl):
            self.links.declare_link_sorts(of)
        for of in self._each(active, n.MapDecl):
            self.links.declare_links(of)
        for thing, line, item in self.lines:
            with self.desk.speaking(item.origin, line.cites or item.cites):
                self.things.thing_facts(thing, line.items)
        for amend in self._each(active, n.Amend):
            self._amend(amend)
        for kind in self.game.kinds.values():
            self.facts.fill_unset(kind)
        for kind in self.game.kinds.values():
            if kind.text is not None:
                self._label_things(kind, kind.text)
        self.lookup.find_words()
        self._declare_states(active)
        self._find_players()
        self._initial_states()
        self._homes()

    def _each(self, active: list[Active], *sorts: type[n.Declaration]) -> Iterator[Any]:
        """The declarations of some sorts, each told of where it stands and what it cites."""
        for item in active:
            if isinstance(item.declaration, sorts):
                cites = item.declaration.cites if isinstance(item.declaration, n.MapDecl) else ()
                with self.desk.speaking(item.origin, cites or item.cites):
                    yield item.declaration

    def _declare_things(self, active: list[Active]) -> None:
        for item in active:
            decl = item.declaration
            if isinstance(decl, n.ThingsDecl | n.MapDecl):
                with self.desk.speaking(item.origin, decl.cites or item.cites):
                    if isinstance(decl, n.MapDecl):
                        self.game.maps.append(decl)
                    for line in decl.things:
                        for thing in self.things.declare_copies(line):
                            thing.is_box = line.is_box
                            if not thing.reconstructed and decl.reconstructed:
                                thing.reconstructed = decl.reconstructed
                            self.lines.append((thing, line, item))

    def _declare_states(self, active: list[Active]) -> None:
        for decl in self._each(active, n.PlayersDecl, n.StateDecl, n.HoldsDecl):
            match decl:
                case n.PlayersDecl():
                    self.kinds.declare_players(decl)
                case n.StateDecl():
                    self.kinds.declare_state(decl)
                case n.HoldsDecl():
                    self.kinds.declare_holds(decl, None)
        for thing, line, item in self.lines:
            with self.desk.speaking(item.origin, line.cites or item.cites):
                for own in line.states:
                    self.kinds.declare_own_state(thing, own)
        for of in self._each(active, n.MapDecl):
            for track in of.tracks:
                self.kinds.declare_track(track, of)

    def _find_players(self) -> None:
        """Whose turn it can be plays the game, unless `players` says who does."""
        turn = self.game.states.get("active")
        if self.game.players is None and turn is not None and isinstance(turn.type, ThingOf):
            self.game.players = self.game.kinds[turn.type.kind]
        if turn is not None and turn.type == ERROR:
            self.desk.players_unclear = True

    def _label_things(self, kind: m.Kind, text: n.Text) -> None:
        """``text "{nation.adjective} {arm}"``: what things without a label of their own are called."""
        parts = self.text_parts(text)
        for thing in kind.things:
            if thing.label == thing.name.replace("_", " ") and not any(item.form == "label" for item in thing.items):
                thing.label = self.said_of(thing, parts, text) or thing.label

    def text_parts(self, text: n.Text) -> list[str | n.Expr]:
        """A text and the expressions in its braces, in turn; nothing if one of them cannot be read."""
        from rulescript.syntax.parser import parse_expression

        source = text.span.source
        parts: list[str | n.Expr] = []
        at = 0
        for match in re.finditer(r"\{([^{}]*)\}", text.value):
            parts.append(text.value[at : match.start()])
            at = match.end()
            place = source.text.find(match.group(0), text.span.start, text.span.end)
            inner = parse_expression(source, place + 1, place + len(match.group(0)) - 1, self.desk.reporter)
            if inner is None:
                return []
            parts.append(inner)
        parts.append(text.value[at:])
        return [] if self.expressions.stray_brace(parts, text.span) else parts

    def said_of(self, thing: m.Thing, parts: list[str | n.Expr], text: n.Text) -> str:
        """What a text comes to for one thing; nothing if that is not fixed, or too long."""
        said = ""
        for part in parts:
            value = part if isinstance(part, str) else self.facts.static(part, m.ThingRef(thing.kind.name, thing.index))
            if value is NOT_FIXED:
                return ""
            if isinstance(value, m.ThingRef):
                value = self.game.kinds[value.kind].things[value.index].label
            said += str(value)
            if self.facts.grown(said, text) is NOT_FIXED:
                return ""
        return said

    def _late_attributes(self) -> None:
        """Values have a row for every thing, also for attributes that came after the thing."""
        for kind in self.game.kinds.values():
            for attr in kind.attrs.values():
                while len(attr.values) < kind.size:
                    attr.values.append(UNSET)

    def _amend(self, decl: n.Amend) -> None:
        things = self.game.things.get(decl.thing.text, [])
        if len(things) != 1:
            self.unknown("thing", decl.thing.text, decl.thing.span, self.game.things, "RS108")
            return
        self.things.thing_facts(things[0], decl.items, again=True)
        if decl.reconstructed:
            self.game.reconstructed.append((decl.thing.text, decl.reconstructed, decl.span))

    def _initial_states(self) -> None:
        for state in self.game.every_state():
            if state.kind is not None and state.default is not None:
                continue  # may differ from thing to thing: worked out per thing
            self._initial(state)
        for kind in self.game.kinds.values():
            for state in kind.states.values():
                if state.default is None:
                    continue
                values: list[Any] = []
                count = 1 if kind.is_pieces else kind.size
                for index in range(count):
                    it = None if kind.is_pieces else m.ThingRef(kind.name, index)
                    with self.desk.speaking(state.origin):
                        value = self.facts.static(state.default, it, state.type)
                    if value is not NOT_FIXED and not self.facts.value_fits(value, state.type):
                        self.error(
                            "RS201", f"`{state.name}` is {say(state.type)}, but it does not start as one",
                            state.default.span, f"expected {say(state.type)}", _start_instead(state, value),
                        )  # fmt: skip
                        value = NOT_FIXED
                    self._starts_within(state, value)
                    if value is NOT_FIXED:
                        break
                    values.append(value)
                state.initial = values if len(values) == count else [self._any_value(state.type)] * count
                if kind.is_pieces:
                    state.initial = state.initial[0]

    def _initial(self, state: m.State) -> None:
        if state.initial is not None:
            return
        value: Any
        if state.default is not None:
            with self.desk.speaking(state.origin):
                value = self.facts.static(state.default, None, state.type)
            if value is not NOT_FIXED and not self.facts.value_fits(value, state.type):
                self.error(
                    "RS201", f"`{state.name}` is {say(state.type)}, but it does not start as one", state.default.span,
                    f"expected {say(state.type)}", _start_instead(state, value),
                )  # fmt: skip
                value = self._any_value(state.type)
            self._starts_within(state, value)
        else:
            value = self._any_value(state.type)
            if state.bounds is not None:
                value = min(max(0, state.bounds[0]), state.bounds[1])
        if value is NOT_FIXED:
            value = 0
        state.initial = value
        if state.kind is not None and not state.kind.is_pieces:
            state.initial = [value] * state.kind.size

    def _starts_within(self, state: m.State, value: Any) -> None:
        if state.bounds is not None and isinstance(value, int) and not state.bounds[0] <= value <= state.bounds[1]:
            assert state.default is not None
            low, high = state.bounds
            message = f"`{state.name}` goes from {low} to {high}, so it cannot start as {value}"
            self.error("RS223", message, state.default.span, "too low" if value < low else "too high")

    def _any_value(self, type_: Any) -> Any:
        """Where nothing is said: no, 0, nothing, empty; of a kind, its first thing."""
        value = self.facts.default_for(type_)
        if value is NOT_FIXED and isinstance(type_, ThingOf) and self.game.kinds[type_.kind].size:
            return m.ThingRef(type_.kind, 0)
        return value

    def _homes(self) -> None:
        for kind in self.game.kinds.values():
            if not kind.movable:
                continue
            homeless: list[m.Thing] = []
            for thing in kind.things:
                where = thing.count_in or kind.home
                it = m.ThingRef(kind.name, thing.index)
                kind.homes.append(self._home(where, it) if where is not None else None)
                if kind.is_pieces and where is None and thing.count:
                    homeless.append(thing)
            if homeless:
                self._homeless(kind, homeless)

    def _homeless(self, kind: m.Kind, things: list[m.Thing]) -> None:
        """Pieces of which nobody says where they are kept: told once for a kind, where its home would be said."""
        number = sum(thing.count for thing in things)
        whose = f"`{kind.name}`" if len(things) > 1 else things[0].name
        kept = "pieces" if number != 1 else "piece"
        where = next((place for holds in self.game.every_place() if (place := _as_home(holds, kind))), "PLACE")
        self.error(
            "RS203", f"nobody says where the {number} {kept} of {whose} are kept", kind.span, "no `home` under it",
            others=[Label(things[0].span, "so many of the first type")],
            hint=f"add `home {where}` under `pieces {kind.name}`", rests_on=(kind.name,),
        )  # fmt: skip

    def _home(self, where: n.Expr, it: m.ThingRef) -> tuple[m.Holds, int] | None:
        if isinstance(where, n.NameExpr) and where.name in self.game.holds:
            return (self.game.holds[where.name], 0)
        if isinstance(where, n.AttributeOf):
            owner = self.facts.static(where.object, it)
            if owner is NOT_FIXED:
                return None
            if isinstance(owner, m.ThingRef):
                holds = self.game.kinds[owner.kind].holds.get(where.name.text)
                if holds is not None and holds.kind.name == it.kind:
                    return (holds, owner.index)
        if isinstance(where, n.AttributeOf) and where.name.text in self.desk.lost:
            return None
        if isinstance(where, n.NameExpr):
            owner = next((kind.name for kind in self.game.kinds.values() if where.name in kind.holds), None)
            of = f"it is something that each {owner} has: write for example `side.{where.name}`" if owner else None
            for thing in self.game.things.get(where.name, ()):
                holding = [h.name for h in thing.kind.holds.values() if h.kind.name == it.kind]
                of = f"write `home {where.name}.{holding[0]}`" if len(holding) == 1 else of
            self.unknown("place", where.name, where.span, self.game.holds, otherwise=of)
            return None
        places = [place for holds in self.game.every_place() if (place := _as_home(holds, self.game.kinds[it.kind]))]
        hint = spelling_hint(where.span.text, places) or (f"write `home {places[0]}`" if places else None)
        self.error("RS203", f"this is no place that holds {it.kind}", where.span, "expected a place", hint)
        return None


def _as_home(holds: m.Holds, kind: m.Kind) -> str:
    """How the home of a kind of pieces would say a place: `box`, or `side.pool` where a side is one of their facts."""
    if holds.kind is not kind:
        return ""
    if holds.owner is None:
        return holds.name
    for attr in kind.attrs.values():
        if attr.type == ThingOf(holds.owner.name):
            return f"{attr.name}.{holds.name}"
    return ""


def _names_given_by(decl: n.Declaration) -> Iterator[n.Name]:
    """The names that a declaration gives to something. Those of members and of what is bound in a rule are looked at
    where they are read."""
    if isinstance(getattr(decl, "name", None), n.Name):
        yield decl.name  # type: ignore[attr-defined]
    for part in ("things", "params", "does"):
        yield from (each.name for each in getattr(decl, part, ()))
    match decl:
        case n.ValuesDecl(values=values):
            yield from (name for name, _ in values)
        case n.MapDecl(sorts=sorts):
            yield from sorts


def _start_instead(state: m.State, value: Any) -> str:
    """What to write where a state starts as something that it cannot be."""
    if value is None:
        type_ = say(state.type).removeprefix("a ").removeprefix("an ")
        return f"write `state {state.name}: maybe {type_}` if it may be nothing, or leave the start away"
    return "leave the start away: it then begins as 0, `no`, empty, or the first of its kind"
