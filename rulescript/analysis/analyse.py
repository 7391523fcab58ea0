"""The whole analysis in order: a game's declarations, the chosen options and scenario -> one checked model.

Composition happens here: what is not chosen is left out before anything is read, so it costs nothing later;
what is replaced or removed never reaches the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.closed import close_asides
from rulescript.analysis.eithers import MOST_VERSIONS, eithers_of, retargeted, versions_of
from rulescript.analysis.ordering import comes_later, order_amendments
from rulescript.analysis.rules import Active, Rules
from rulescript.analysis.scope import Scope, first_line
from rulescript.analysis.static import NOT_FIXED
from rulescript.diagnostics import Label, Reporter
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import chooses_in, statements_in
from rulescript.model.types import BOOL, ERROR, INT, TEXT, ListOf, SetOf, ThingOf, say

if TYPE_CHECKING:
    from rulescript.loader import GameText, Piece

__all__ = ["Analysis", "analyse", "options_of", "parts_of"]

_RULES = (n.FunctionDecl, n.PredicateDecl, n.TableDecl, n.RouteDecl, n.ProcedureDecl, n.SignalDecl)
_AMENDMENTS = (n.Adjust, n.Restrict, n.Extend, n.ExceptionTo, n.Hook, n.Reaction, n.Whenever, n.Reword)


def chain_of(text: GameText) -> list[GameText]:
    """The games that build on each other, the first of them first."""
    chain: list[GameText] = []
    here: GameText | None = text
    while here is not None:
        chain.append(here)
        here = here.base
    return chain[::-1]


def pieces_of(text: GameText) -> list[Piece]:
    """All declarations of a game, those of the games it builds on first."""
    return [piece for game in chain_of(text) for piece in game.pieces]


def options_of(text: GameText) -> tuple[dict[str, n.OptionDecl], dict[str, n.OptionDecl]]:
    """The options and the scenarios a game offers; one declared again takes the place of its base's."""
    options: dict[str, n.OptionDecl] = {}
    scenarios: dict[str, n.OptionDecl] = {}
    for piece in pieces_of(text):
        if isinstance(piece.declaration, n.OptionDecl):
            table = scenarios if piece.declaration.is_scenario else options
            table[piece.declaration.name.text] = piece.declaration
    return options, scenarios


def parts_of(text: GameText) -> list[tuple[str, ...]]:
    """The sets of options that have a text of their own (`with tanks, fog`)."""
    parts = [piece.declaration for piece in pieces_of(text) if isinstance(piece.declaration, n.WithDecl)]
    return [tuple(name.text for name in part.names) for part in parts]


def analyse(text: GameText, options: Iterable[str], scenario: str, reporter: Reporter) -> m.Game:
    """The checked game. Callers look at the reporter before they trust it."""
    decl = text.game
    base = text.base
    while decl is None and base is not None:
        decl, base = base.game, base.base
    game = m.Game(text.ident, text.title, decl.version if decl else "1")
    if decl is not None:
        game.facts, game.doc = decl.facts, decl.doc
    game.options, game.scenario = tuple(sorted(options)), scenario
    game.all_options, game.all_scenarios = options_of(text)
    game.all_parts = [p.declaration for p in pieces_of(text) if isinstance(p.declaration, n.WithDecl)]
    for level, here in enumerate(chain_of(text)):
        game.file_levels.update({piece.declaration.span.source.name: level for piece in here.pieces})
        if here.game is not None:
            game.file_levels[here.game.span.source.name] = level
    Analysis(game, reporter).run(chain_of(text))
    return game


class Analysis(Rules):
    """Runs the stages in order over what is in force."""

    def __init__(self, game: m.Game, reporter: Reporter) -> None:
        super().__init__(game, reporter)
        self._listed_by: dict[str, str] = {}
        # What was taken away, and by a text of which level.
        self._removed: dict[str, tuple[int, bool]] = {}

    def run(self, chain: Sequence[GameText]) -> None:
        """The games that build on each other, the first of them first."""
        self._levels(chain)
        self._option_relations()
        active = self._compose(chain)
        for item in active:
            if isinstance(item.declaration, n.Rulebook):
                self._rulebook(item.declaration, item.origin)
        self._things(active)
        active = self._written_out(active)
        self._rules(active)
        self._amendments(active)
        self._claims(active)
        self._finish()

    # -------------------------------------------------------------- composing

    def _levels(self, chain: Sequence[GameText]) -> None:
        """Who comes before whom: the games that build on each other, and where each option was declared."""
        for depth, game in enumerate(chain):
            self.game.levels[_origin_of(game, depth)] = (depth, False)
            here: dict[str, n.OptionDecl] = {}
            for piece in game.pieces:
                option = piece.declaration
                if not isinstance(option, n.OptionDecl):
                    continue
                old = here.setdefault(option.name.text, option)
                if old is not option:
                    self.error(
                        "RS102", f"`{option.name}` is declared twice", option.name.span, "declared again",
                        others=[Label(old.name.span, "first declared here")],
                    )  # fmt: skip
                self.game.levels[option.name.text] = (depth, True)

    def _option_relations(self) -> None:
        both = {**self.game.all_options, **self.game.all_scenarios}
        for option in both.values():
            for rule in option.rules:
                if rule.name is not None and rule.name.text not in both:
                    self.error(
                        "RS111", f"there is no option `{rule.name}`", rule.name.span, "unknown",
                        spelling_hint(rule.name.text, list(both)) or _listed(both),
                    )  # fmt: skip
                elif rule.name is not None and rule.name.text == option.name.text:
                    self.error("RS309", f"`{option.name}` {rule.form} itself", rule.name.span)
        for part in self.game.all_parts:
            for one in part.names:
                if one.text not in both:
                    self.error(
                        "RS111", f"there is no option `{one}`", one.span, "unknown",
                        spelling_hint(one.text, list(both)) or _listed(both),
                    )  # fmt: skip
                    continue
                for two in part.names:
                    if two.text in _named(both[one.text], "excludes"):
                        self.error(
                            "RS309", f"`{one}` excludes `{two}`, so this is never in force", one.span,
                            others=[Label(both[one.text].name.span, "excluded here")],
                        )  # fmt: skip
        needs = {name: _named(option, "needs") for name, option in both.items()}
        for name, option in both.items():
            reached, todo = set(), list(needs[name])
            while todo:
                other = todo.pop()
                if other in reached or other not in both:
                    continue
                reached.add(other)
                todo += needs[other]
            for other in sorted(reached):
                if other in _named(option, "excludes") or name in _named(both[other], "excludes"):
                    self.error(
                        "RS309", f"`{name}` needs `{other}` and excludes it", option.name.span,
                        others=[Label(both[other].name.span, "the other")],
                    )  # fmt: skip

    def _chosen(self) -> list[n.OptionDecl]:
        """The chosen options in the order they were declared, later where they say so; the scenario last."""
        chosen = [o for name, o in self.game.all_options.items() if name in self.game.options]
        if self.game.scenario in self.game.all_scenarios:
            chosen.append(self.game.all_scenarios[self.game.scenario])
        done: list[n.OptionDecl] = []
        while chosen:
            names = {o.name.text for o in chosen}
            ready = [o for o in chosen if not (set(_named(o, "after")) & names)]
            option = ready[0] if ready else chosen[0]
            chosen.remove(option)
            done.append(option)
        return done

    def _compose(self, chain: Sequence[GameText]) -> list[Active]:
        active: list[Active] = []
        for depth, game in enumerate(chain):
            origin = _origin_of(game, depth)
            for piece in game.pieces:
                if not isinstance(piece.declaration, (n.OptionDecl, n.WithDecl)):
                    active.append(Active(piece.declaration, piece.cites, origin))
        cites = {id(p.declaration): p.cites for game in chain for p in game.pieces}
        parts = self._parts(chain)
        done: set[str] = set()
        for option in self._chosen():
            default = option.cites or cites.get(id(option), ())
            active += [Active(d, default, option.name.text) for d in option.declarations]
            done.add(option.name.text)
            for part, origin in parts:
                wanted = {name.text for name in part.names}
                if option.name.text in wanted and wanted <= done:
                    default = part.cites or cites.get(id(part), ())
                    active += [Active(d, default, origin) for d in part.declarations]
        return self._replaced(active)

    def _parts(self, chain: Sequence[GameText]) -> list[tuple[n.WithDecl, str]]:
        """The further parts of options, and how the text of each is called. One of a single option of the same
        game speaks as the option itself. Where a game declares an option again, its base's parts go with the
        old one."""
        out: list[tuple[n.WithDecl, str]] = []
        for depth, game in enumerate(chain):
            for part in (p.declaration for p in game.pieces if isinstance(p.declaration, n.WithDecl)):
                names = tuple(dict.fromkeys(name.text for name in part.names))
                depths = [self.game.levels[name][0] for name in names if name in self.game.levels]
                if len(depths) < len(names) or max(depths) > depth:
                    continue
                origin = names[0]
                if len(names) > 1 or depths != [depth]:
                    origin = " and ".join([*names, *([_origin_of(game, depth)] if depth else [])])
                    self.game.levels[origin] = (depth, True)
                    self.game.parts_of[origin] = names
                out.append((part, origin))
        return out

    def _replaced(self, active: list[Active]) -> list[Active]:
        named: dict[str, int] = {}
        out: list[Active | None] = []
        for item in active:
            decl = item.declaration
            if isinstance(decl, n.Replace):
                inner = decl.declaration
                name = inner.name.text  # type: ignore[attr-defined]
                if name not in named:
                    names = list(named)
                    self.error(
                        "RS108", f"there is nothing called `{name}` to replace", inner.span, "unknown",
                        spelling_hint(name, names),
                    )  # fmt: skip
                    continue
                old = out[named[name]]
                assert old is not None
                if type(old.declaration) is not type(inner):
                    self.error("RS108", f"`{name}` is something else and cannot be replaced by this", inner.span)
                    continue
                self._replaced_twice(name, old, item)
                self.first_origins.setdefault(name, old.origin)
                out[named[name]] = Active(inner, item.cites, item.origin)
                continue
            if isinstance(decl, n.Remove):
                name = decl.target[0].text
                if name in named and len(decl.target) == 1:
                    out[named.pop(name)] = None
                    self._removed[name] = self.game.levels[item.origin]
                    self.removed[name] = decl.span
                else:
                    self._nothing_to_remove(decl, item, named)
                continue
            if isinstance(decl, (*_RULES, n.AsideDecl, n.StateDecl, n.HoldsDecl)):
                named[decl.name.text] = len(out)
                self._removed.pop(decl.name.text, None)
            elif isinstance(decl, n.Invariant | n.Check | n.Example):
                named[f'"{decl.title}"'] = len(out)
            out.append(item)
        return [item for item in out if item is not None]

    def _nothing_to_remove(self, decl: n.Remove, item: Active, named: Iterable[str]) -> None:
        """What is removed is not there: it may stand in an option."""
        name = decl.target[0].text
        owners: list[tuple[n.OptionDecl | n.WithDecl, n.Declaration]] = []
        parts: list[n.OptionDecl | n.WithDecl] = [*self.game.all_options.values(), *self.game.all_scenarios.values()]
        for owner in (*parts, *self.game.all_parts):
            owners += [(owner, inner) for inner in owner.declarations if _called(inner) == name]
        if owners and all(isinstance(inner, n.Example) for _, inner in owners):
            return  # examples are run with the option they stand in, and left out there
        hint = spelling_hint(name, list(named))
        others: list[Label] = []
        if owners:
            owner, inner = owners[0]
            chosen = owner.name.text if isinstance(owner, n.OptionDecl) else ", ".join(x.text for x in owner.names)
            hint = f"it belongs to an option: write `with {chosen}`, and under it `remove {name}`"
            others.append(Label(first_line(inner.span), f"in `{chosen}`"))
        message = f"there is nothing called `{name}` to remove"
        self.error("RS108", message, decl.span, "unknown" if not owners else "not there without it", hint, others)

    def _replaced_twice(self, name: str, old: Active, item: Active) -> None:
        """Two that replace one rule need an order; one that was there before the other was written has it."""
        depth, is_option = self.game.levels[old.origin]
        later_depth, later_is_option = self.game.levels[item.origin]
        if old.origin == item.origin or (not is_option and depth <= later_depth):
            return
        others = [Label(first_line(old.declaration.span), "the other one")]
        inner = item.declaration
        assert isinstance(inner, n.Replace)
        span = first_line(inner.declaration.span)
        if not is_option:
            what = "scenario" if item.origin == self.game.scenario else "option"
            self.error(
                "RS308", f"`{name}` is replaced by the {old.origin} and by the {what} `{item.origin}`", span,
                others=others,
                hint=f"declare `{what} {item.origin}` again in the {old.origin}: it takes the place of this one",
            )  # fmt: skip
        elif not comes_later(self.game, old.origin, item.origin) and item.origin != self.game.scenario:
            self.error(
                "RS308", f"`{name}` is replaced by `{old.origin}` and by `{item.origin}`", span, others=others,
                hint=f"let one come later: `option {item.origin}, after {old.origin}`",
            )  # fmt: skip

    def _rulebook(self, decl: n.Rulebook, origin: str) -> None:
        """The index of the rules. A game that builds on another may give its rules other titles."""
        self.game.rulebook_title = self.game.rulebook_title or decl.title
        for line in decl.lines:
            old = self.game.rulebook.get(line.ident)
            if old is not None and self._listed_by.get(line.ident) == origin:
                self.error(
                    "RS102", f"rule {line.ident} is listed twice", line.span, others=[Label(old.span, "first here")]
                )
            self.game.rulebook[line.ident] = line
            self._listed_by[line.ident] = origin

    def _written_out(self, active: list[Active]) -> list[Active]:
        """Rules whose parameters may be of several kinds, once for each."""
        if not self.game.eithers:
            return active
        out: list[Active] = []
        for item in active:
            decl = item.declaration
            if not isinstance(decl, n.FunctionDecl | n.PredicateDecl | n.RouteDecl | n.ProcedureDecl):
                out.append(item)
                continue
            many = 1
            for _, either in eithers_of(decl, self.game):
                many *= len(either.members)
            if many > MOST_VERSIONS:
                self.error(
                    "RS231", f"`{decl.name}` would be {many} rules, one for each combination of kinds", decl.name.span,
                    f"at most {MOST_VERSIONS}", "let fewer of its parameters be of several kinds",
                )  # fmt: skip
                self.lost.add(decl.name.text)
                continue
            made = versions_of(decl, self.game)
            if len(made) > 1:
                self.game.versions[decl.name.text] = tuple(each.name.text for each in made)
            out += [evolve(item, declaration=each) for each in made]
        return out

    # -------------------------------------------------------------- things

    def _things(self, active: list[Active]) -> None:
        for item in active:
            with self.speaking(item.origin, item.cites):
                if isinstance(item.declaration, n.KindDecl | n.ValuesDecl):
                    self.declare_kind(item.declaration)
        for item in active:
            with self.speaking(item.origin, item.cites):
                if isinstance(item.declaration, n.KindDecl):
                    self.kind_members(item.declaration)
        for item in active:
            with self.speaking(item.origin, item.cites):
                if isinstance(item.declaration, n.EitherDecl):
                    self.declare_either(item.declaration)
        facts: list[tuple[m.Thing, n.ThingDecl, Active]] = []
        for item in active:
            decl = item.declaration
            if isinstance(decl, n.ThingsDecl | n.MapDecl):
                with self.speaking(item.origin, decl.cites or item.cites):
                    if isinstance(decl, n.MapDecl):
                        self.game.maps.append(decl)
                    for line in decl.things:
                        for thing in self.declare_copies(line):
                            thing.is_box = line.is_box
                            if not thing.reconstructed and decl.reconstructed:
                                thing.reconstructed = decl.reconstructed
                            facts.append((thing, line, item))
        self._late_attributes()
        for item in active:
            if isinstance(item.declaration, n.CountsDecl):
                with self.speaking(item.origin, item.cites):
                    self.declare_counts(item.declaration)
        for item in active:
            if isinstance(item.declaration, n.MapDecl):
                self.declare_link_sorts(item.declaration)
        for item in active:
            if isinstance(item.declaration, n.MapDecl):
                with self.speaking(item.origin, item.declaration.cites or item.cites):
                    self.declare_links(item.declaration)
        for thing, line, item in facts:
            with self.speaking(item.origin, line.cites or item.cites):
                self.thing_facts(thing, line.items)
        for item in active:
            if isinstance(item.declaration, n.Amend):
                with self.speaking(item.origin, item.cites):
                    self._amend(item.declaration)
        for kind in self.game.kinds.values():
            self.fill_unset(kind)
        for kind in self.game.kinds.values():
            if kind.text is not None:
                self._label_things(kind, kind.text)
        self.find_words()
        for item in active:
            with self.speaking(item.origin, item.cites):
                match item.declaration:
                    case n.PlayersDecl():
                        self.declare_players(item.declaration)
                    case n.StateDecl():
                        self.declare_state(item.declaration)
                    case n.HoldsDecl():
                        self.declare_holds(item.declaration, None)
        for thing, line, item in facts:
            with self.speaking(item.origin, line.cites or item.cites):
                for own in line.states:
                    self.declare_own_state(thing, own)
        for item in active:
            if isinstance(item.declaration, n.MapDecl):
                with self.speaking(item.origin, item.declaration.cites or item.cites):
                    for track in item.declaration.tracks:
                        self.declare_track(track, item.declaration)
        turn = self.game.states.get("active")
        if self.game.players is None and turn is not None and isinstance(turn.type, ThingOf):
            # Whose turn it can be plays the game, unless `players` says who does.
            self.game.players = self.game.kinds[turn.type.kind]
        if turn is not None and turn.type == ERROR:
            self.players_unclear = True
        self._initial_states()
        self._homes()
        self._lines = [(thing, line, item) for thing, line, item in facts]

    def _label_things(self, kind: m.Kind, text: n.Text) -> None:
        """``text "{nation.adjective} {arm}"``: what things without a label of their own are called."""
        parts = self._text_parts(text)
        for thing in kind.things:
            if thing.label == thing.name.replace("_", " ") and not any(item.form == "label" for item in thing.items):
                thing.label = self._said_of(thing, parts) or thing.label

    def _text_parts(self, text: n.Text) -> list[str | n.Expr]:
        """A text and the expressions in its braces, in turn; nothing if one of them cannot be read."""
        from rulescript.syntax.parser import parse_expression

        source = text.span.source
        parts: list[str | n.Expr] = []
        at = 0
        for match in re.finditer(r"\{([^{}]*)\}", text.value):
            parts.append(text.value[at : match.start()])
            at = match.end()
            place = source.text.find(match.group(0), text.span.start, text.span.end)
            inner = parse_expression(source, place + 1, place + len(match.group(0)) - 1, self.reporter)
            if inner is None:
                return []
            parts.append(inner)
        return [*parts, text.value[at:]]

    def _said_of(self, thing: m.Thing, parts: list[str | n.Expr]) -> str:
        """What a text comes to for one thing."""
        words: list[str] = []
        for part in parts:
            value = part if isinstance(part, str) else self.static(part, m.ThingRef(thing.kind.name, thing.index))
            if value is NOT_FIXED:
                return ""
            if isinstance(value, m.ThingRef):
                value = self.game.kinds[value.kind].things[value.index].label
            words.append(str(value))
        return "".join(words)

    def _late_attributes(self) -> None:
        """Values have a row for every thing, also for attributes that came after the thing."""
        from rulescript.analysis.static import UNSET

        for kind in self.game.kinds.values():
            for attr in kind.attrs.values():
                while len(attr.values) < kind.size:
                    attr.values.append(UNSET)

    def _amend(self, decl: n.Amend) -> None:
        things = self.game.things.get(decl.thing.text, [])
        if len(things) != 1:
            self.unknown("thing", decl.thing.text, decl.thing.span, self.game.things, "RS108")
            return
        self.thing_facts(things[0], decl.items, again=True)
        if decl.reconstructed:
            self.game.reconstructed.append((decl.thing.text, decl.reconstructed, decl.span))

    def _initial_states(self) -> None:
        states = list(self.game.states.values())
        for kind in self.game.kinds.values():
            states += kind.states.values()
        for state in states:
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
                    with self.speaking(state.origin):
                        value = self.static(state.default, it, state.type)
                    if value is not NOT_FIXED and not self.value_fits(value, state.type):
                        self.error(
                            "RS201", f"`{state.name}` is {say(state.type)}, but it does not start as one",
                            state.default.span,
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
            with self.speaking(state.origin):
                value = self.static(state.default, None, state.type)
            if value is not NOT_FIXED and not self.value_fits(value, state.type):
                self.error(
                    "RS201", f"`{state.name}` is {say(state.type)}, but it does not start as one", state.default.span
                )
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
        value = self.default_for(type_)
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
        where = next((place for holds in self.all_holds() if (place := _as_home(holds, kind))), "PLACE")
        self.error(
            "RS203", f"nobody says where the {number} {kept} of {whose} are kept", kind.span, "no `home` under it",
            others=[Label(things[0].span, "so many of the first type")],
            hint=f"add `home {where}` under `pieces {kind.name}`", rests_on=(kind.name,),
        )  # fmt: skip

    def _home(self, where: n.Expr, it: m.ThingRef) -> tuple[m.Holds, int] | None:
        if isinstance(where, n.NameExpr) and where.name in self.game.holds:
            return (self.game.holds[where.name], 0)
        if isinstance(where, n.AttributeOf):
            owner = self.static(where.object, it)
            if owner is NOT_FIXED:
                return None
            if isinstance(owner, m.ThingRef):
                holds = self.game.kinds[owner.kind].holds.get(where.name.text)
                if holds is not None and holds.kind.name == it.kind:
                    return (holds, owner.index)
        if isinstance(where, n.AttributeOf) and where.name.text in self.lost:
            return None
        if isinstance(where, n.NameExpr):
            self.unknown("place", where.name, where.span, self.game.holds)
            return None
        places = [place for holds in self.all_holds() if (place := _as_home(holds, self.game.kinds[it.kind]))]
        hint = spelling_hint(where.span.text, places) or (f"write `home {places[0]}`" if places else None)
        self.error("RS203", f"this is no place that holds {it.kind}", where.span, "expected a place", hint)
        return None

    # -------------------------------------------------------------- rules

    def _rules(self, active: list[Active]) -> None:
        for item in active:
            with self.speaking(item.origin, item.cites), self.again(item.declaration):
                self.signature(item.declaration)
        for thing, line, item in self._lines:
            thing.is_silent = not (line.does or line.amendments or line.states)
            for does in line.does:
                self._does_signature(thing, line, does, item)
        self._visibility()
        for params in self._all_params():
            for param in params:
                if param.has_default:
                    self.default_of(param)
        for item in active:
            decl = item.declaration
            if isinstance(decl, _RULES):
                with self.speaking(item.origin, getattr(decl, "cites", ()) or item.cites), self.again(decl):
                    self.body(decl)
        for thing, line, item in self._lines:
            for does in line.does:
                procedure = thing.does.get(does.name.text)
                if procedure is not None:
                    with self.speaking(item.origin, thing.cites):
                        self.procedure_body(procedure, does.block, (thing.kind, thing.index))
        if "sequence" not in self.game.procedures:
            self._no_sequence()

    def _all_params(self) -> list[tuple[ir.Var, ...]]:
        game = self.game
        out = [self.does_params(kind, name) for kind in game.kinds.values() for name in kind.does]
        tables: tuple[dict[str, Any], ...] = (game.functions, game.tables, game.routes, game.procedures, game.signals)
        return out + [rule.params for table in tables for rule in table.values()]

    def _no_sequence(self) -> None:
        span = next((k.span for k in self.game.kinds.values()), None)
        for procedure in self.game.procedures.values():
            span = procedure.span
            break
        if span is not None:
            self.error(
                "RS304", "the game has no `sequence`, so nothing is ever played", span,
                hint="write `sequence` and under it the phases in order", rests_on=("sequence",),
            )  # fmt: skip

    def _does_signature(self, thing: m.Thing, line: n.ThingDecl, does: n.ThingDoes, item: Active) -> None:
        kind = thing.kind
        with self.speaking(item.origin, thing.cites):
            if does.name.text not in kind.does:
                hint = spelling_hint(does.name.text, list(kind.does))
                self.error("RS107", f"things of {kind.name} do not `{does.name}`", does.name.span, "unknown", hint)
                return
            wanted = self.does_params(kind, does.name.text)
            params = tuple(self.var(v.name, v.type, "param") for v in wanted)
            if does.params and len(does.params) != len(wanted):
                self.error("RS202", f"`{does.name}` takes {len(wanted)} values", does.span)
            for given, var in zip(does.params, params, strict=False):
                var.name = given.name.text
            thing.does[does.name.text] = m.Procedure(
                f"{thing.name}.{does.name}", "does", params, self.type_of_does(), self.cited(line.cites),
                does.name.span,
                thing.label, False, item.origin, doc=thing.doc,
            )  # fmt: skip

    @staticmethod
    def type_of_does() -> Any:
        from rulescript.model.types import VOID

        return VOID

    def _visibility(self) -> None:
        for holds in self.all_holds():
            if holds.declared is None:
                continue
            owner = holds.owner
            scope = Scope()
            if owner is not None:
                holds.owner_var = self.var("it", ThingOf(owner.name), "element")
                scope.elements.append(holds.owner_var)
            for line in holds.declared.visibility:
                who = None
                if line.who is not None:
                    meant = {"other": "others", "owner": "it", "self": "it", "me": "it", "all": "others"}
                    said = line.who.name if isinstance(line.who, n.NameExpr) else ""
                    known = {*self.game.things, *self.game.states, *self.game.functions}
                    if said in meant and said not in known and meant[said] != ("it" if owner is None else ""):
                        hint = f"write `{line.level} to {meant[said]}`"
                        self.error("RS101", f"there is no player `{said}`", line.who.span, "unknown", hint)
                        continue
                    with self.speaking(holds.seen_from, holds.cites):
                        who = self.expr(line.who, scope)
                    player = self.player_type()
                    from rulescript.model.types import fits

                    if not (fits(who.type, player) or fits(who.type, SetOf(player))):
                        self.mismatch("a player or a set of players", who.type, line.who.span)
                        continue
                holds.visibility.append(m.Visible(line.level, who))

        for kind in self.game.kinds.values():
            if kind.hidden_when is not None:
                self._hidden_rule(kind)

    def _hidden_rule(self, kind: m.Kind) -> None:
        """``hidden when face_down, known to side``: which things or pieces of a kind only some may know."""
        from rulescript.model.types import PieceOf, fits

        assert kind.hidden_when is not None
        scope = Scope()
        var = self.var("it", PieceOf(kind.name) if kind.is_pieces else ThingOf(kind.name), "element")
        scope.elements.append(var)
        # The rule may come from an option that adds to the kind, so it sees everything.
        with self.speaking("(hidden)"):
            condition = self.condition(kind.hidden_when, scope)
            known = self.expr(kind.known_to, scope) if kind.known_to is not None else None
        player = self.player_type()
        if known is not None and not (fits(known.type, player) or fits(known.type, SetOf(player))):
            assert kind.known_to is not None
            self.mismatch("a player or a set of players", known.type, kind.known_to.span)
            known = None
        kind.hidden = (var, condition, known)
        if kind.shows is None:
            return
        parts = self._text_parts(kind.shows)
        for thing in kind.things:
            thing.back = self._said_of(thing, parts)
        with self.speaking("(hidden)"):
            kind.shown = tuple(self.expr(part, scope) for part in parts if not isinstance(part, str))

    # -------------------------------------------------------------- amendments and claims

    def _amendments(self, active: list[Active]) -> None:
        todo = [evolve(item, declaration=made) for item in active for made in _own_words(item.declaration)]
        todo += [item for item in active if isinstance(item.declaration, _AMENDMENTS)]
        for thing, line, item in self._lines:
            this = (thing.kind, thing.index)
            todo += [Active(d, thing.cites, item.origin, this) for d in line.amendments]
        # Alternatives first: what restricts or excepts may name one that an option adds. Words last, for all of it.
        order = {n.Extend: 0, n.Reword: 2}
        for item in sorted(todo, key=lambda a: order.get(type(a.declaration), 1)):
            decl = item.declaration
            if self._goes_with_it(item):
                continue
            with self.speaking(item.origin, getattr(decl, "cites", ()) or item.cites):
                for at, each in enumerate(retargeted(decl, self.game)):
                    self.reading_again = at > 0
                    self.amendment(evolve(item, declaration=each))
                self.reading_again = False
        for item in active:
            if isinstance(item.declaration, n.AsideDecl):
                with self.speaking(item.origin, item.declaration.cites or item.cites):
                    self.aside(item.declaration)

    def _goes_with_it(self, item: Active) -> bool:
        """Whether an amendment speaks of a rule that a later text took away: a card of the base says more about a
        phase that the variant does not have."""
        decl = item.declaration
        target = decl.signal if isinstance(decl, n.Reaction) else getattr(decl, "target", None)
        name = target[0] if isinstance(target, tuple) and target else target
        if not isinstance(name, n.Name) or name.text not in self._removed:
            return False
        return self.game.levels[item.origin] < self._removed[name.text]

    def _claims(self, active: list[Active]) -> None:
        for item in active:
            decl = item.declaration
            with self.speaking(item.origin, getattr(decl, "cites", ()) or item.cites):
                match decl:
                    case n.Invariant():
                        conditions = tuple(self.condition(c, Scope()) for c in decl.conditions)
                        scope = decl.scope.text if decl.scope is not None else ""
                        if scope and scope not in self.game.procedures and scope not in self.game.states:
                            assert decl.scope is not None
                            names = [*self.game.procedures, *self.game.states]
                            self.unknown("phase, procedure or turn", scope, decl.scope.span, names)
                        self.game.invariants.append(
                            m.Invariant(decl.title, decl.when, scope, conditions, self.cited(decl.cites), decl.span)
                        )
                    case n.Check():
                        conditions = tuple(self.condition(c, Scope()) for c in decl.conditions)
                        self.game.checks.append((decl, conditions))
                    case n.Example():
                        self.game.examples.append((decl, item.origin))

    # -------------------------------------------------------------- last things

    def _finish(self) -> None:
        """Answers to signals become procedures; scopes of states are checked; choices are numbered."""
        game = self.game
        order_amendments(game)
        for signal in game.signals.values():
            procedure = m.Procedure(
                f"signal_{signal.name}", "signal", signal.params, self.type_of_does(), signal.cites, signal.span,
                signal.name.replace("_", " "),
            )  # fmt: skip
            procedure.block = self._answers(signal)
            signal.procedure = procedure
            game.procedures[procedure.name] = procedure
        close_asides(game, self.all_procedures())
        states = list(game.states.values())
        for kind in game.kinds.values():
            states += kind.states.values()
        used = [r.once_state for signal in game.signals.values() for r in signal.reactions]
        for state in states:
            state.lasts = tuple(end for name in state.lasts for end in self._ends(name, state in used))
            if state.within is not None and not any(h.kind is state.kind for h in state.within.holds.values()):
                if self.reporter.lost:
                    continue  # it may be among what could not be read
                assert state.kind is not None
                message = f"nothing of {state.within.name} holds {state.kind.name}, so `{state.name}` would never last"
                self.error("RS201", message, state.span)
        for procedure in self.all_procedures():
            for block in (procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))):
                game.chooses += [(procedure, choose) for choose in chooses_in(block)]
        for turn, hooks in game.loop_hooks.items():
            # What comes before and after each round belongs to the rule that goes round.
            around = next((p for p in self.all_procedures() if _goes_through(p, turn)), None)
            if around is not None:
                game.chooses += [(around, choose) for hook in hooks for choose in chooses_in(hook.block)]
        for number, (_, choose) in enumerate(game.chooses):
            choose.number = number

    def _ends(self, name: n.Name, is_use: bool) -> tuple[n.Name, ...]:
        """What a state lasts, as it is called in play: `lasts Card.play` is what every card does. A use (`once a X`)
        may also last the whole game, which never ends."""
        owner, _, does = name.text.partition(".")
        if name.text in self.game.procedures or name.text in self.game.states:
            versions = self.game.versions.get(name.text, (name.text,))
            return tuple(n.Name(version, span=name.span) for version in versions)
        if name.text == "game" and is_use:
            return ()
        things = [t for t in self.game.things.get(owner, ()) if does in t.does]
        if owner in self.game.kinds:
            things = [t for t in self.game.kinds[owner].things if does in t.does]
        if things:
            return tuple(n.Name(f"{thing.name}.{does}", span=name.span) for thing in things)
        if name.text == "game":
            self.error("RS201", "what lasts the whole game need not say so", name.span, "", "leave out `lasts game`")
            return ()
        names = [*self.game.procedures, *self.game.states]
        names += [f"{kind.name}.{what}" for kind in self.game.kinds.values() for what in kind.does]
        self.unknown("phase, procedure or turn", name.text, name.span, names)
        return ()

    def all_procedures(self) -> list[m.Procedure]:
        out = list(self.game.procedures.values())
        for kind in self.game.kinds.values():
            for thing in kind.things:
                out += thing.does.values()
        return out

    def _answers(self, signal: m.Signal) -> ir.Block:
        """Mandatory reactions in their order; then each player in seat order, from the active one, uses one
        reaction or passes, until all pass. A reaction answers one signal at most once, unless it says
        `repeatedly`."""
        free = [r for r in signal.reactions if _optional_choice(r) is not None]
        for reaction in signal.reactions:
            if reaction.repeatedly and reaction not in free:
                self.error(
                    "RS201", "only what a player may do can be done `repeatedly`", reaction.span,
                    hint="put one `may` or `may choose` under it, and nothing else",
                )  # fmt: skip
        if self.game.players is None or (len(free) < 2 and not any(r.repeatedly for r in free)):
            return tuple(self._reaction_statement(r) for r in _mandatory_first(signal.reactions))
        block: list[ir.S] = [self._reaction_statement(r) for r in signal.reactions if r not in free]
        span = signal.span
        numbers = SetOf(INT)
        used, moved = self.var("used", numbers, "let"), self.var("moved", BOOL, "let")
        who = self.var("who", self.player_type(), "loop")
        used_x, moved_x, who_x = (ir.Local(v.type, span, v) for v in (used, moved, who))
        alts: list[ir.Alt] = []
        for number, reaction in enumerate(free):
            choose = _optional_choice(reaction)
            assert choose is not None
            spend: list[ir.S] = [ir.AssignS(span, (), moved_x, "=", ir.Lit(BOOL, span, True))]
            tests: list[ir.X] = [ir.CompareX(BOOL, span, "==", choose.by, who_x)]
            if not reaction.repeatedly:
                this = ir.Lit(INT, span, number)
                spend.insert(0, ir.AssignS(span, (), used_x, "+=", ir.SetX(numbers, span, (this,))))
                tests.insert(0, ir.InX(BOOL, span, this, used_x, True))
            if reaction.once_state is not None:
                state = ir.StateX(BOOL, reaction.span, reaction.once_state, None)
                tests.append(ir.NotX(BOOL, reaction.span, state))
                spend.append(ir.AssignS(reaction.span, (), state, "=", ir.Lit(BOOL, reaction.span, True)))
            if reaction.condition is not None:
                tests.append(reaction.condition)
            for alt in choose.alts:
                if alt.effect == "pass":
                    continue
                guards = [ir.Clause(t, "", reaction.cites, True, reaction.span, reaction.origin) for t in tests]
                alt.clauses = [*guards, *alt.clauses]
                alt.block = (*spend, *alt.block)
                alts.append(alt)
        alts.append(_declining(free, signal))
        cites = tuple(dict.fromkeys([*signal.cites, *(c for reaction in free for c in reaction.cites)]))
        ask = ir.ChooseS(span, cites, signal.name, who_x, False, alts)
        block += [
            ir.LetS(span, (), used, ir.SetX(numbers, span, ())),
            ir.RepeatS(
                span, (), "", None,
                (
                    ir.LetS(span, (), moved, ir.Lit(BOOL, span, False)),
                    ir.ForS(
                        span, (), who, ir.BuiltinX(ListOf(who.type), span, "seats", self._first_seat(span)), (ask,)
                    ),
                    ir.IfS(span, (), ir.NotX(BOOL, span, moved_x), (ir.StopS(span, ()),), ()),
                ),
            ),
        ]  # fmt: skip
        return tuple(block)

    def _first_seat(self, span: Any) -> tuple[ir.X, ...]:
        """Who is asked first: the active player, or the first."""
        state = self.game.states.get("active")
        if state is not None and isinstance(state.type, ThingOf) and state.type == self.player_type():
            return (ir.StateX(state.type, span, state, None),)
        assert self.game.players is not None
        return (ir.ThingLit(self.player_type(), span, self.game.players, 0),)

    @staticmethod
    def _reaction_statement(reaction: m.Reaction) -> ir.S:
        block = reaction.block
        condition = reaction.condition
        if reaction.once_state is not None:
            state = ir.StateX(BOOL, reaction.span, reaction.once_state, None)
            unused = ir.NotX(BOOL, reaction.span, state)
            condition = unused if condition is None else ir.AndX(BOOL, reaction.span, (unused, condition))
            spend = ir.AssignS(reaction.span, (), state, "=", ir.Lit(BOOL, reaction.span, True))
            block = _spend_on_use(block, spend)
        if condition is None:
            condition = ir.Lit(BOOL, reaction.span, True)
        return ir.IfS(reaction.span, reaction.cites, condition, block, ())


def _spend_on_use(block: ir.Block, spend: ir.S) -> ir.Block:
    """`once a turn` is used up when the choice is taken, or at once where there is nothing to choose."""
    for at, statement in enumerate(block):
        if isinstance(statement, ir.ChooseS):
            for alt in statement.alts:
                if not alt.effect:
                    alt.block = (spend, *alt.block)
            return block
        if not isinstance(statement, ir.DocS):
            return (*block[:at], spend, *block[at:])
    return block


def _optional_choice(reaction: m.Reaction) -> ir.ChooseS | None:
    """The choice of a reaction that is nothing but an optional choice by one player."""
    rest = [s for s in reaction.block if not isinstance(s, ir.DocS)]
    if len(rest) != 1 or not isinstance(rest[0], ir.ChooseS):
        return None
    choose = rest[0]
    if choose.any_of or not any(a.effect == "pass" for a in choose.alts):
        return None
    return choose if sum(1 for a in choose.alts if not a.effect) >= 1 else None


def _declining(reactions: Sequence[m.Reaction], signal: m.Signal) -> ir.Alt:
    """How a player says that he uses none of several reactions: in the words of their `or pass "..."`, if those that
    have any have the same."""
    worded: dict[tuple[object, ...], ir.Alt] = {}
    for reaction in reactions:
        choose = _optional_choice(reaction)
        assert choose is not None
        for alt in choose.alts:
            if alt.effect == "pass" and alt.given_text and isinstance(alt.text, ir.TemplateX):
                worded.setdefault(alt.text.parts, alt)
    plain = [alt for parts, alt in worded.items() if all(isinstance(part, str) for part in parts)]
    if len(worded) == 1 and plain:
        return ir.Alt(
            "pass", (), None, plain[0].text, plain[0].cites or signal.cites, [], (), plain[0].span, "pass", ""
        )
    decline = ir.TemplateX(TEXT, signal.span, ("Decline",))
    return ir.Alt("pass", (), None, decline, signal.cites, [], (), signal.span, "pass", "")


def _mandatory_first(reactions: Sequence[m.Reaction]) -> list[m.Reaction]:
    return sorted(reactions, key=lambda reaction: reaction.is_optional)


def _goes_through(procedure: m.Procedure, state: str) -> bool:
    """Whether a rule has a `for` over a state of the game."""
    blocks = (procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after)))
    loops = (s for block in blocks for s in statements_in(block) if isinstance(s, ir.ForS))
    return any(loop.var.state is not None and loop.var.state.name == state for loop in loops)


def _origin_of(game: GameText, depth: int) -> str:
    """How the text of a game that builds on others is called; options have one word, so none is called so."""
    return f"game `{game.ident}`" if depth else ""


def _own_words(decl: n.Declaration) -> list[n.Reword]:
    """What a rule says at its declaration about how people read it, as the amendment that says the same."""
    worded = getattr(decl, "worded", None)
    name = getattr(decl, "name", None)
    if worded is None or not isinstance(name, n.Name) or "@" in name.text:
        return []  # the versions of a rule for several kinds are reworded with the first
    return [n.Reword((name,), (), "", (), worded.text, worded.denied, span=worded.span)]


def _named(option: n.OptionDecl, form: str) -> list[str]:
    return [rule.name.text for rule in option.rules if rule.form == form and rule.name is not None]


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


def _called(declaration: n.Declaration) -> str:
    """What `remove` calls a declaration: its name, or the title of a claim in quotes."""
    if isinstance(declaration, n.Invariant | n.Check | n.Example):
        return f'"{declaration.title}"'
    name = getattr(declaration, "name", None)
    return name.text if isinstance(name, n.Name) else ""


def _listed(options: Iterable[str]) -> str:
    names = list(options)
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"the options and scenarios are {', '.join(names[:12])}{more}"
