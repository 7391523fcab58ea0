"""What is printed: a game, its text, its checked rules, and the same with other options where a page needs them.

In comes a loaded game; out goes a `Subject` that every other module reads. Rules are looked up by where they are
written: a declaration of the text and the part of the model that was made from it lie at the same place, and that is
the only thing the two are sure to share. An option that is not chosen is not in the model at all, so for its page the
game is composed once more with as many options as go together.
"""

from __future__ import annotations

import itertools
import posixpath
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field, frozen

from rulescript import nodes as n
from rulescript.analysis.analyse import analyse, chain_of, options_of
from rulescript.diagnostics import Reporter
from rulescript.errors import BadOption, GameInvalid
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.model.types import TEXT, VOID, ListOf
from rulescript.pipeline import check_options
from rulescript.pipeline.shelf import kept_model, put_model
from rulescript.source import SourceFile, Span

if TYPE_CHECKING:
    from rulescript.claims.run import GameSource
    from rulescript.loader import GameText
    from rulescript.runtime.game import Game

T = TypeVar("T")

__all__ = ["File", "Places", "Subject", "inside"]

# So many letters are read again for all sets of options and scenarios that a game is composed with; an option or
# example that is not in force is about so many. In any case there are as many sets as this.
MOST_LETTERS = 6_000_000
LETTERS_OF_A_PIECE = 40
FEWEST_COMPOSITIONS = 8


def inside(inner: Span, outer: Span) -> bool:
    """Whether a stretch of text lies within another."""
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


@frozen(eq=False)
class File:
    """A file of the game: `name` is its path within the game's folder, `level` which game of a chain it belongs to."""

    source: SourceFile
    name: str
    level: int
    game: str

    @property
    def is_literate(self) -> bool:
        return self.name.endswith(".md")


class _Lying(Generic[T]):
    """Things by where they are written, so that of thousands those at one place are found without looking at all."""

    def __init__(self, found: Iterable[tuple[Span, T]]) -> None:
        self._found = list(found)
        self._sorted: dict[int, list[tuple[int, int]]] = {}
        for number, (span, _) in enumerate(self._found):
            self._sorted.setdefault(id(span.source), []).append((span.start, number))
        for those in self._sorted.values():
            those.sort()

    def inside(self, outer: Span) -> list[T]:
        """Those that lie within a stretch of text, in the order in which they were given."""
        those = self._sorted.get(id(outer.source), [])
        first, last = bisect_left(those, (outer.start, 0)), bisect_left(those, (outer.end + 1, 0))
        numbers = sorted(number for _, number in those[first:last])
        return [self._found[n][1] for n in numbers if self._found[n][0].end <= outer.end]

    def at(self, place: Span) -> list[T]:
        """Those that are written exactly there."""
        those = self._sorted.get(id(place.source), [])
        first, last = bisect_left(those, (place.start, 0)), bisect_left(those, (place.start + 1, 0))
        return [self._found[n][1] for _, n in those[first:last] if self._found[n][0].end == place.end]


class Places:
    """The parts of a model by where they are written."""

    def __init__(self, model: m.Game, lines: Iterable[n.ThingDecl] = ()) -> None:
        self.model = model
        self.lines = tuple(lines)
        self.procedures = model.every_procedure()

    @cached_property
    def _things(self) -> dict[tuple[str, int], list[m.Thing]]:
        found: dict[tuple[str, int], list[m.Thing]] = {}
        for kind in self.model.kinds.values():
            for thing in kind.things:
                found.setdefault((thing.span.source.name, thing.span.start), []).append(thing)
        return found

    def things_at(self, name: Span) -> list[m.Thing]:
        """The thing whose name is written at a place; all its copies, if there are several."""
        return self._things.get((name.source.name, name.start), [])

    def thing_around(self, span: Span) -> m.Thing | None:
        """The thing (a card, a marker) under which something is written."""
        those = self._lines.get(id(span.source), [])
        # Lines do not lie in each other: the one around it is the last that begins before it.
        at = bisect_right(those, span.start, key=lambda line: line.span.start) - 1
        if at >= 0 and inside(span, those[at].span):
            return next(iter(self.things_at(those[at].name.span)), None)
        return None

    @cached_property
    def _lines(self) -> dict[int, list[n.ThingDecl]]:
        out: dict[int, list[n.ThingDecl]] = {}
        for line in sorted(self.lines, key=lambda line: line.span.start):
            out.setdefault(id(line.span.source), []).append(line)
        return out

    @cached_property
    def alts(self) -> list[tuple[m.Procedure, ir.ChooseS | None, ir.Alt]]:
        """Every way to answer a choice, with the choice and the procedure it stands in."""
        out: list[tuple[m.Procedure, ir.ChooseS | None, ir.Alt]] = []
        seen: set[int] = set()
        for procedure, block in self.blocks():
            for statement in statements_in(block):
                if isinstance(statement, ir.ChooseS):
                    for alt in statement.alts:
                        if id(alt) not in seen:
                            seen.add(id(alt))
                            out.append((procedure, statement, alt))
        for aside in self.model.asides:
            if aside.procedure is not None:
                out.append((aside.procedure, None, aside.alt))
        return out

    def blocks(self) -> Iterator[tuple[m.Procedure, ir.Block]]:
        """Every block of statements: bodies, hooks, reactions."""
        for signal in self.model.signals.values():
            for reaction in signal.reactions:
                assert signal.procedure is not None
                yield signal.procedure, reaction.block
        for procedure in self.procedures:
            if procedure.form != "signal":
                yield procedure, procedure.block
            for hook in procedure.hooks:
                yield procedure, hook.block
        for hooks in self.model.loop_hooks.values():
            for hook in hooks:
                yield m.Procedure(hook.when, "loop", (), VOID, (), hook.span), hook.block

    @cached_property
    def clauses(self) -> list[tuple[str, ir.Clause]]:
        """Every requirement, with the name of the rule it belongs to."""
        out = [(f"procedure {p.name}", c) for p, _, alt in self.alts for c in alt.clauses]
        for function in self.model.functions.values():
            out += [(f"function {function.name}", c) for c in function.clauses]
        for route in self.model.routes.values():
            out += [(f"route {route.name}", c) for rule in route.rules for c in rule.clauses]
        return out

    def clauses_in(self, span: Span) -> list[tuple[str, ir.Clause]]:
        return self._clauses.inside(span)

    @cached_property
    def _clauses(self) -> _Lying[tuple[str, ir.Clause]]:
        return _Lying((each[1].span, each) for each in self.clauses)

    def alts_in(self, span: Span) -> list[tuple[m.Procedure, ir.ChooseS | None, ir.Alt]]:
        return self._alts.inside(span)

    @cached_property
    def _alts(self) -> _Lying[tuple[m.Procedure, ir.ChooseS | None, ir.Alt]]:
        return _Lying((each[2].span, each) for each in self.alts)

    def hooks_at(self, span: Span) -> list[tuple[str, m.Hook]]:
        """The hooks written at a place, with what they belong to."""
        return self._hooks.at(span)

    @cached_property
    def _hooks(self) -> _Lying[tuple[str, m.Hook]]:
        out = [(f"procedure {procedure.name}", hook) for procedure in self.procedures for hook in procedure.hooks]
        out += [(f"state {name}", hook) for name, loops in self.model.loop_hooks.items() for hook in loops]
        return _Lying((each[1].span, each) for each in out)

    def reaction_at(self, span: Span) -> tuple[m.Signal, m.Reaction] | None:
        return next(iter(self._reactions.at(span)), None)

    @cached_property
    def _reactions(self) -> _Lying[tuple[m.Signal, m.Reaction]]:
        signals = self.model.signals.values()
        return _Lying((reaction.span, (signal, reaction)) for signal in signals for reaction in signal.reactions)

    def whenever_at(self, span: Span) -> m.Whenever | None:
        return next(iter(self._whenevers.at(span)), None)

    @cached_property
    def _whenevers(self) -> _Lying[m.Whenever]:
        return _Lying((each.span, each) for each in self.model.whenevers)

    def lifted_in(self, span: Span) -> list[ir.X]:
        """The conditions of exceptions written at a place."""
        return list({id(x): x for x in self._lifted.inside(span)}.values())

    @cached_property
    def _lifted(self) -> _Lying[ir.X]:
        found = [x for _, c in self.clauses for x, _ in c.lifted if x is not None]
        return _Lying((part.span, x) for x in found for part in (x, *(x.parts if isinstance(x, ir.AndX) else ())))


@define(eq=False, slots=False)
class Subject:
    """A game as the printer sees it."""

    text: GameText
    source: GameSource
    model: m.Game
    _models: dict[tuple[tuple[str, ...], str], tuple[frozenset[str], m.Game]] = field(factory=dict)
    _refused: set[tuple[tuple[str, ...], str]] = field(factory=set)
    _places: dict[int, Places] = field(factory=dict)
    _before: dict[tuple[str, ...], Places | None] = field(factory=dict)
    compiled: Game | None = None

    @classmethod
    def of(cls, game: Game, text: GameText | None = None) -> Subject:
        """The game with its text, read again unless it is given or was read just now."""
        from rulescript.loader import load_text

        text = text or game.text
        if text is None:
            if game.where is None:
                raise BadOption("this game has no source to print its rules from")
            reporter = Reporter()
            text = load_text(game.where[0], reporter)
            if reporter.has_errors:
                raise GameInvalid(reporter.diagnostics)
        return cls.of_text(text, tuple(game.data.options), str(game.data.scenario), game)

    @classmethod
    def of_text(cls, text: GameText, options: tuple[str, ...], scenario: str, game: Game | None = None) -> Subject:
        """A game from its text; it may be compiled later."""
        from rulescript.claims.run import GameSource

        model = _analysed(text, options, scenario)
        return cls(text, GameSource(text), model, {(options, scenario): (frozenset(options), model)}, compiled=game)

    @property
    def game(self) -> Game:
        assert self.compiled is not None
        return self.compiled

    # -------------------------------------------------------------- files

    def folder_of(self, source: SourceFile) -> Path | None:
        """The folder of the game, of those in the chain, that a file belongs to."""
        return next((text.folder for text in chain_of(self.text) if source in text.files), None)

    @cached_property
    def chain(self) -> list[GameText]:
        """The games that build on each other, the first of them first."""
        return chain_of(self.text)

    @cached_property
    def files(self) -> list[File]:
        """All files, those of the games below first, in the order they are read."""
        out: list[File] = []
        for level, text in enumerate(self.chain):
            root = posixpath.dirname(text.files[0].name) if text.files else ""
            for source in text.files:
                name = posixpath.relpath(source.name, root) if root else source.name
                if name.startswith(".."):
                    name = posixpath.basename(name)
                out.append(File(source, name, level, text.ident))
        return out

    @cached_property
    def places(self) -> Places:
        return Places(self.model, self.thing_lines)

    @cached_property
    def labels(self) -> dict[str, str]:
        """What people call things, by their names."""
        out: dict[str, str] = {}
        for places in self.compositions:
            for kind in places.model.kinds.values():
                for thing in kind.things:
                    out.setdefault(thing.name, thing.label)
        for places in self.compositions:
            for kind in places.model.kinds.values():
                short = [attr for attr in kind.attrs.values() if attr.type == ListOf(TEXT)]
                for attr, thing in itertools.product(short, kind.things):
                    # What a thing is called for short, as far as it cannot be another word.
                    for name in attr.values[thing.index] or ():
                        if str(name).isupper():
                            out.setdefault(str(name), thing.label)
        return out

    @cached_property
    def declarations(self) -> list[n.Declaration]:
        """Everything at a left margin, also under options, in the order it is read."""
        out: list[n.Declaration] = []
        for text in self.chain:
            for piece in text.pieces:
                out.append(piece.declaration)
                if isinstance(piece.declaration, n.OptionDecl | n.WithDecl):
                    out += piece.declaration.declarations
        return out

    @cached_property
    def thing_lines(self) -> list[n.ThingDecl]:
        """The lines of all things, those with something written under them first to be found."""
        return [line for d in self.declarations if isinstance(d, n.ThingsDecl | n.MapDecl) for line in d.things]

    # -------------------------------------------------------------- options

    @cached_property
    def _options(self) -> tuple[dict[str, n.OptionDecl], dict[str, n.OptionDecl]]:
        return options_of(self.text)

    def places_with(self, *names: str) -> Places:
        """The model's parts where some options or a scenario are in force; this game's own where they cannot be."""
        if all(name in self.model.options or name == self.model.scenario for name in names):
            return self.places
        found = self._model_with(names)  # None too if too many were composed already
        if found is None or found is self.model:
            return self.places
        if id(found) not in self._places:
            self._places[id(found)] = Places(found, self.thing_lines)
        return self._places[id(found)]

    def places_without(self, name: str) -> Places | None:
        """The model's parts as an option finds them that needs others: with those in force, and without it. None for
        one that needs none."""
        needed = tuple(sorted(other for other in self.needed(name) if other != name))
        if needed and needed not in self._before and len(self._before) < self.most_compositions:
            try:
                self._before[needed] = Places(_analysed(self.text, needed, ""), self.thing_lines)
            except GameInvalid:
                self._before[needed] = None
        return self._before.get(needed)

    @cached_property
    def compositions(self) -> list[Places]:
        """This game, and the same with options that are not chosen here; together they have everything in them."""
        out = [self.places]
        for name in (*self.model.all_options, *self.model.all_scenarios):
            places = self.places_with(name)
            if all(places is not other for other in out):
                out.append(places)
        return out

    @cached_property
    def everything(self) -> tuple[str, ...]:
        """As many options as can be chosen together, this game's own first."""
        return tuple(self._together(self.model.options, self.model.all_options))

    def _model_with(self, names: tuple[str, ...]) -> m.Game | None:
        options, scenarios = self._options
        wanted = dict.fromkeys(need for name in names for need in self.needed(name))
        scenario = next((name for name in names if name in scenarios), "")
        # The first set of options that go together and has them; most games need only one such set.
        for (_, played), (chosen, model) in self._models.items():
            if played == scenario and wanted.keys() <= chosen:
                return model
        if len(self._models) + len(self._refused) >= self.most_compositions:
            return None
        if scenario:
            return self._composed(wanted, scenario)
        together = self._together(wanted, options)
        return self._composed(together, "") or self._composed(wanted, "")

    def _together(self, first: Iterable[str], others: Iterable[str]) -> list[str]:
        """As many options as can be chosen together: these, and of the others each that may join them with all that it
        needs. Each relation is looked at once, however many options there are."""
        options, _ = self._options
        together = dict.fromkeys(first)
        excluded = {e for name in together for e in self._excluded.get(name, ())}
        for other in others:
            if other in together:
                continue
            # What it needs that is not there yet; those that are there have brought all that they need.
            joining: dict[str, None] = {}
            todo = deque([other])
            while todo:
                here = todo.popleft()
                if here in joining or here in together or here not in options:
                    continue
                joining[here] = None
                todo += self._needs.get(here, ())
            theirs = {e for name in joining for e in self._excluded.get(name, ())}
            if excluded.isdisjoint(joining) and theirs.isdisjoint(together) and theirs.isdisjoint(joining):
                together.update(joining)
                excluded |= theirs
        return list(together)

    @cached_property
    def _needs(self) -> dict[str, list[str]]:
        return self._related("needs")

    @cached_property
    def _excluded(self) -> dict[str, list[str]]:
        """By option, those that it says it excludes."""
        return self._related("excludes")

    def _related(self, form: str) -> dict[str, list[str]]:
        options, scenarios = self._options
        return {
            name: found
            for name, node in {**options, **scenarios}.items()
            if (found := [r.name.text for r in node.rules if r.form == form and r.name is not None])
        }

    @cached_property
    def most_compositions(self) -> int:
        """With so many sets of options and scenarios the game is composed, set up and told; of further ones no more
        is said than what this game itself says of them. A game of usual size with dozens of them has fewer."""
        letters = 0
        for piece in (piece for text in self.chain for piece in text.pieces):
            span = piece.declaration.span
            is_always = not isinstance(piece.declaration, n.OptionDecl | n.Example)
            letters += span.end - span.start if is_always else LETTERS_OF_A_PIECE
        return max(FEWEST_COMPOSITIONS, MOST_LETTERS // max(1, letters))

    @cached_property
    def laid_out(self) -> tuple[str, ...]:
        """The scenarios of which the set-up is shown beside that of the game itself: all that are not too many."""
        return () if self.model.scenario else tuple(self.model.all_scenarios)[: self.most_compositions]

    def needed(self, name: str) -> tuple[str, ...]:
        """An option (or scenario) and the options it needs, without the scenario itself."""
        options, scenarios = self._options
        found: dict[str, None] = {}
        todo = deque([name])
        while todo:
            here = todo.popleft()
            if here in found or (here not in options and here not in scenarios):
                continue
            found[here] = None
            todo += self._needs.get(here, ())
        return tuple(x for x in found if x in options)

    def allowed(self, names: Iterable[str]) -> bool:
        """Whether some options may be chosen together."""
        options, _ = self._options
        chosen = set(names)
        return not any(
            r.form == "excludes" and r.name is not None and r.name.text in chosen
            for name in chosen
            if name in options
            for r in options[name].rules
        )

    @cached_property
    def played(self) -> Game:
        """The game as its examples are played with it, for playing it at random. Which lines are run depends on what is
        written out where, so it is always that form, whichever was compiled to be printed."""
        if self.compiled is not None and self.source.has_made(self.compiled):
            return self.compiled
        return self.source.composed(self.model.options, self.model.scenario, is_common=True)

    def game_of(self, options: Iterable[str]) -> Game:
        """The same with some options."""
        return self.source.composed(check_options(self.text, tuple(sorted(options)), ""), "", is_common=True)

    @cached_property
    def base_model(self) -> m.Game | None:
        """The game that this one builds on, by itself; None if it builds on nothing."""
        if len(self.chain) < 2:
            return None
        try:
            return _analysed(self.chain[-2], (), "")
        except GameInvalid:
            return None

    def model_with(self, name: str) -> m.Game | None:
        """The rules with one option (or scenario) and what it needs beside what is chosen here; None if they do not go
        together."""
        scenario = name if name in self._options[1] else self.model.scenario
        if len(self._models) + len(self._refused) >= self.most_compositions:
            return None
        wanted = (*self.model.options, *self.needed(name))
        return self._composed(dict.fromkeys(wanted), scenario) if self.allowed(wanted) else None

    def _composed(self, options: Iterable[str], scenario: str) -> m.Game | None:
        key = (tuple(sorted(options)), scenario)
        if key in self._refused:
            return None
        if key not in self._models:
            try:
                self._models[key] = frozenset(key[0]), _analysed(self.text, *key)
            except GameInvalid:
                self._refused.add(key)
                return None
        return self._models[key][1]


def _analysed(text: GameText, options: tuple[str, ...], scenario: str) -> m.Game:
    known = kept_model(text, (options, scenario))
    if known is not None:
        return known
    reporter = Reporter()
    model = analyse(text, options, scenario, reporter)
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    put_model(text, (options, scenario), model)
    return model
