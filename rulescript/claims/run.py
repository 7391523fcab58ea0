"""Running claims: the examples and checks of a game, or of a file beside it.

A `GameSource` is a game's text, read once; from it the game is composed and compiled once for each set of
options that an example asks for: in the form that can be stopped where a phase begins, with whatever some example
assumes kept whole, so that one serves them all. An example that assumes something gets a game of its own, in which that
rule is exchanged, made of the same code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import attrs
from attrs import Factory, define, evolve, frozen

from rulescript import nodes as n
from rulescript.claims import steps as s
from rulescript.claims.beginning import MustStop
from rulescript.claims.chance import Pending
from rulescript.claims.evaluate import Assumed, Assumption, ExampleEvaluator, assume_in
from rulescript.claims.examples import Examples, Found, option_named, scenario_named
from rulescript.claims.expect import Checker
from rulescript.claims.gone_through import Noting
from rulescript.claims.pieces import LaterPieces, Pieces
from rulescript.claims.play import Table
from rulescript.claims.positions import Broken, ImpossiblePosition, broken_invariants, first_line_of
from rulescript.claims.problems import ClaimEmpty, ClaimFails, ClaimProblem, ClaimUnclear
from rulescript.compiler.module import Compiled, compile_for_examples
from rulescript.diagnostics import Diagnostic, Label, Reporter, render_report
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import BadOption, GameInvalid, RulescriptError
from rulescript.explain.evaluate import _evaluators
from rulescript.game_data import GameData, read, written
from rulescript.loader import GameText, Piece, load_single, load_text
from rulescript.model import game as m
from rulescript.model.parts import Parts, parts_of
from rulescript.model.types import fits
from rulescript.pipeline import check_options, compiling, composed, game_of
from rulescript.pipeline.cache import key_of, own_key, read_kept, write_kept
from rulescript.pipeline.shelf import kept_model, kept_parts, put_parts
from rulescript.pipeline.unchanged import rules_of
from rulescript.resources import cache_folder
from rulescript.runtime.game import Game, uncollected
from rulescript.source import Span

__all__ = [
    "CheckResult",
    "ExampleResult",
    "Found",
    "GameSource",
    "impossible_positions",
    "run_checks",
    "run_example",
    "run_examples",
    "run_file",
]


@define
class ExampleResult:
    """What came of an example (or of one of its cases). `exercised` are the rules that played a part."""

    title: str
    span: Span
    cites: tuple[str, ...]
    failures: list[Diagnostic] = Factory(list)
    exercised: set[str] = Factory(set)
    claims: int = 0

    @property
    def ok(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        if self.ok:
            return f"ok    {self.title}"
        return f"FAILS {self.title}\n{render_report(self.failures)}"


@define
class CheckResult:
    """What came of a `check`."""

    title: str
    span: Span
    cites: tuple[str, ...]
    failures: list[Diagnostic] = Factory(list)

    @property
    def ok(self) -> bool:
        return not self.failures


@frozen(eq=False)
class _Code:
    """A compiled game, to be made into as many games as are needed."""

    code: Pieces | LaterPieces
    compiled: Compiled
    model: m.Game
    names: dict[str, str]
    place: Path | None


# What is made of a smaller game is made sooner than looked up.
SOME_TEXT = 50_000
_ASSUMED = re.compile(r"(?m)^\s*assume\s+([^\W\d]\w*)")
_OUTSIDE = (n.FunctionDecl, n.PredicateDecl, n.TableDecl, n.RouteDecl, n.Invariant, n.Check, n.Example)


class GameSource(Examples):
    """A game's text and what was made of it, kept for as long as claims are run against it."""

    def __init__(self, text: GameText, extra: Sequence[Piece] = ()) -> None:
        super().__init__(attrs.evolve(text, pieces=(*text.pieces, *extra)) if extra else text, extra)
        self.base = text
        self._games: dict[tuple[tuple[str, ...], str], Game] = {}
        self._asked: dict[tuple[tuple[str, ...], str], Game] = {}
        self._evaluators: dict[int, ExampleEvaluator] = {}
        self._codes: dict[tuple[Any, ...], _Code] = {}
        # What an example goes through, if somebody wants to know.
        self.noting: Noting | None = None
        # The sets of options in which no mistake was found.
        self._sound: set[tuple[tuple[str, ...], str]] = set()
        # Further sets with which so much is played that all is compiled at once, and kept.
        self._common: set[tuple[tuple[str, ...], str]] = set()
        self._procedures: WeakKeyDictionary[Game, list[str]] = WeakKeyDictionary()
        self._places: WeakKeyDictionary[Game, Path] = WeakKeyDictionary()

    @classmethod
    def load(cls, where: str | Path) -> GameSource:
        """By name or path; GameInvalid if the text cannot be read."""
        reporter = Reporter()
        text = load_text(where, reporter)
        if reporter.has_errors:
            raise GameInvalid(reporter.diagnostics)
        return cls(text)

    @classmethod
    def of_text(cls, text: str, name: str = "<text>") -> GameSource:
        return cls(load_single(text, name))

    def with_file(self, path: str | Path) -> GameSource:
        """The same game with the declarations of an outside file: examples, checks, invariants, helper
        functions."""
        reporter = Reporter()
        text = load_text(path, reporter)
        # A file of examples need not say which language it is in.
        found = [d for d in reporter.diagnostics if d.code != "RS006"]
        for piece in text.pieces:
            if not isinstance(piece.declaration, _OUTSIDE):
                refused = Reporter()
                refused.error(
                    "RS331",
                    "a file of examples adds no rules to the game",
                    piece.declaration.span,
                    "not here",
                    hint="it may have examples, checks, invariants and functions",
                )
                found += refused.diagnostics
        if any(d.severity == "error" for d in found):
            raise GameInvalid(found)
        made = GameSource(self.base, text.pieces)
        return made

    # -------------------------------------------------------------- games

    def game(self, options: Iterable[str] = (), scenario: str = "") -> Game:
        """The game with some options and a scenario, in the form for examples. Raises BadOption or GameInvalid."""
        asked = (tuple(sorted(set(options))), scenario)
        if asked not in self._asked:
            self._asked[asked] = self.composed(check_options(self.text, asked[0], scenario), scenario)
        return self._asked[asked]

    def composed(self, chosen: tuple[str, ...], scenario: str, is_common: bool = False) -> Game:
        """The same for exactly these options, those that are on by default among them. `is_common`: much is played with
        them, here or by others, now or later, or it counts which lines are run."""
        key = (chosen, scenario)
        if is_common and not self._is_common(*key):
            self._common.add(key)
            self._games.pop(key, None)
            self._codes = {made: code for made, code in self._codes.items() if made[:2] != key}
        if key not in self._games:
            self._games[key] = self._compiled(*key, frozenset())[0]
        return self._games[key]

    def _is_common(self, chosen: tuple[str, ...], scenario: str) -> bool:
        """Whether much is played with some options, as with those that are on by default."""
        return (chosen, scenario) in self._common or (chosen, scenario) == (self._by_default, "")

    @cached_property
    def _by_default(self) -> tuple[str, ...] | None:
        """The options that are chosen if nobody chooses; None if they do not go together."""
        try:
            return check_options(self.text, (), "")
        except BadOption:
            return None

    def has_made(self, game: Game) -> bool:
        """Whether a game was compiled here, in the form for examples."""
        return game in self._procedures

    def place_of(self, game: Game) -> Path | None:
        """Where it is kept what a game was compiled to; None if it is kept nowhere, or is not of this source."""
        return self._places.get(game)

    def game_at(self, path: Path, chosen: tuple[str, ...], scenario: str) -> Game | None:
        """The game that is kept at a place: of the same rules, of which some may have stood on other lines."""
        made = _kept(path)
        if made is None:
            return None
        game = game_of(self._model(chosen, scenario), made[0], Pieces(made[0].text))
        self._procedures[game], self._places[game] = made[0].entered, path
        return game

    def evaluator(self, game: Game) -> ExampleEvaluator:
        """What reads expressions for a game; it keeps what it compiled."""
        found = self._evaluators.get(id(game))
        if found is None:
            found = self._evaluators[id(game)] = ExampleEvaluator(game)
            _evaluators[game] = found  # explanations need no other
        return found

    def assumed(self, options: Iterable[str], scenario: str, whole: frozenset[str]) -> tuple[Game, dict[str, str]]:
        """A fresh game in which some rules are kept whole, and the names of their functions."""
        chosen = check_options(self.text, tuple(sorted(set(options))), scenario)
        return self._compiled(chosen, scenario, whole)

    @cached_property
    def assumed_anywhere(self) -> frozenset[str]:
        """What examples may assume something of, by a look at their lines."""
        return frozenset(name for found in self.found() for name in _ASSUMED.findall(found.example.span.text))

    def _compiled(self, chosen: tuple[str, ...], scenario: str, whole: frozenset[str]) -> tuple[Game, dict[str, str]]:
        key = (chosen, scenario, whole | self.assumed_anywhere)
        with uncollected():  # nearly all that is made here is kept
            if key not in self._codes:
                self._codes[key] = self._made(*key)
            made = self._codes[key]
            game = game_of(made.model, made.compiled, made.code)
            self._procedures[game] = made.compiled.entered
            if made.place is not None:
                self._places[game] = made.place
            return game, made.names

    def note(self, game: Game, evaluator: ExampleEvaluator) -> None:
        """A game that is played with, for whoever wants to know what is gone through."""
        if self.noting is not None:
            self.noting.use(game, evaluator, self._procedures[game])

    def parts(self, chosen: tuple[str, ...], scenario: str) -> Parts:
        """What the rules with some options (as they are composed) and a scenario say, part by part."""
        known = kept_parts(self.text, (chosen, scenario))
        if known is None:
            game = self._games.get((chosen, scenario))
            with uncollected():
                known = parts_of(game.model if game is not None else self._model(chosen, scenario))
            put_parts(self.text, (chosen, scenario), known)
        return known

    def _model(self, chosen: tuple[str, ...], scenario: str) -> m.Game:
        known = kept_model(self.text, (chosen, scenario)) if (chosen, scenario) in self._sound else None
        if known is not None:
            return known
        reporter = Reporter()
        model = composed(self.text, chosen, scenario, reporter, only_errors=True)
        if model is None or reporter.has_errors:
            raise GameInvalid(reporter.diagnostics)
        self._sound.add((chosen, scenario))
        return model

    def _made(self, chosen: tuple[str, ...], scenario: str, whole: frozenset[str]) -> _Code:
        reporter = Reporter()
        model = self._model(chosen, scenario)
        # What an outside file adds is compiled for it alone.
        path = _place_kept(self.text, chosen, scenario, whole) if not self.extra else None
        made = _kept(path) if path is not None else None
        if made is None:
            of = "\0".join((self.text.content_key, *chosen, "scenario", scenario))
            digest = hashlib.sha256(of.encode("utf-8", "surrogatepass")).hexdigest()
            with compiling(self.text, reporter):
                made = compile_for_examples(model, whole, digest, self._is_common(chosen, scenario))
            compiled, names = made
            if compiled.unwritten is not None:
                code = LaterPieces(compiled.text, compiled.unwritten, partial(compiling, self.text, Reporter()))
                return _Code(code, compiled, model, names, None)
            if path is not None:
                kept = (compiled.text, written(compiled.data), compiled.origins, names, compiled.entered)
                write_kept(path, kept)
        return _Code(Pieces(made[0].text), made[0], model, made[1], path)


def _place_kept(text: GameText, chosen: tuple[str, ...], scenario: str, whole: frozenset[str]) -> Path | None:
    """Where it is kept what a game is compiled to for examples: whoever changes an example does not wait for it."""
    folder = cache_folder() if sum(len(file.text) for file in text.files) > SOME_TEXT else None
    if folder is None:
        return None
    rules = "\n".join([text.ident, own_key(("claims",)), *rules_of(text, in_place=True), "whole", *sorted(whole)])
    return folder / f"examined-{key_of(rules, chosen, scenario)}.bin"


def _kept(path: Path) -> tuple[Compiled, dict[str, str]] | None:
    try:
        text, data, origins, names, entered = read_kept(path)
        return Compiled(text, read(GameData, data), origins, entered=entered), names
    except (ValueError, TypeError, LookupError):
        return None


# ------------------------------------------------------------------ examples


@define
class _Set:
    """What an example (or case) is played with: options, scenario, players, assumptions, base and changes."""

    options: set[str]
    scenario: str
    players: int | None
    players_span: Span | None
    assumes: list[s.Assume]
    base: str
    # What the example gives, what those it is like give before it, what its case changes after it.
    layers: list[Sequence[s.Change]]

    @property
    def changes(self) -> list[s.Change]:
        return [change for layer in self.layers for change in layer]


# Called while an example is played: with its title, the moment (before, play, after) and the table.
Watch = Callable[[str, str, Table], None]


class _Runner:
    def __init__(
        self, source: GameSource, found: Found, options: Iterable[str], scenario: str, watch: Watch | None = None
    ) -> None:
        self.source = source
        self.watch = watch
        self.found = found
        self.options = set(options)
        self.scenario = scenario
        self.plan, self.unreadable = source.read(found)
        self.assumed = Assumed()

    def run(self) -> list[ExampleResult]:
        plan = self.plan
        if self.unreadable:
            return [ExampleResult(plan.title, plan.span, plan.cites, list(self.unreadable))]
        results: list[ExampleResult] = []
        if plan.body or not plan.cases:
            results.append(self._one(plan.title, plan.span, None))
        for case in plan.cases:
            results.append(self._one(f"{plan.title} / {case.title}", case.span, case))
            self._see_used(case.assumes, results[-1:], results[-1])
        self._see_used(plan.assumes, results, results[0])
        return results

    def _see_used(self, assumes: Iterable[s.Assume], played: Sequence[ExampleResult], told: ExampleResult) -> None:
        """See that what is assumed was asked for, where all that was played with it went well."""
        if any(result.failures for result in played):
            return
        for line in assumes:
            if id(line) not in self.assumed.used:
                message = f"nothing that is played or expected here asks for `{line.name.text}`"
                message += " with these values" if line.args else ""
                unused = ClaimEmpty(message, line.span, "assumed for nothing", "take it away, or play what asks for it")
                told.failures += unused.diagnostics(f"§{told.cites[0]}" if told.cites else None)

    def _one(self, title: str, span: Span, case: s.Case | None, stops: bool = False) -> ExampleResult:
        result = ExampleResult(title, span, self.plan.cites)
        rule = f"§{self.plan.cites[0]}" if self.plan.cites else None
        body = self.plan.body_of(case)
        if not body:
            hint = "write `expect`, and under it what must be so"
            result.failures += ClaimUnclear("this example expects nothing", span, hint=hint).diagnostics(rule)
            return result
        table: Table | None = None
        try:
            table = self._table(case, body, stops)
            self._seen(title, "before", table)
            self._body(table, body, result, rule)
            self._seen(title, "after", table)
        except MustStop:
            return self._one(title, span, case, True)
        except ClaimProblem as problem:
            result.failures += problem.diagnostics(rule)
        except (BadOption, GameInvalid) as problem:
            found = list(problem.diagnostics) if isinstance(problem, GameInvalid) else []
            result.failures += found or ClaimUnclear(str(problem.message), span, hint=problem.hint).diagnostics(rule)
        except RulescriptError as problem:
            result.failures += ClaimUnclear(f"the rules went wrong: {problem}", span).diagnostics(rule)
        except Exception as problem:  # one example must not keep the others from being run
            result.failures += _OurFault(span, problem).diagnostics(rule)
        if result.failures:
            result.failures[0] = self._doubted(result.failures[0], case, body)
        if table is not None:
            result.exercised |= table.cites
            position, data = table.position, table.game.data
            steps = list(position.history())
            for step in steps:
                result.exercised.update(data.decisions[step.block].cites)
            for event in (*position._opening, *(event for step in steps for event in step.events)):
                result.exercised.update(data.sites[event[0]][1])
        return result

    def _doubted(self, failure: Diagnostic, case: s.Case | None, body: Sequence[s.Play | s.Expect]) -> Diagnostic:
        """A failure, and beside it what cannot be in the position: that may be why. A part of a board may break what
        must always hold, so it is no mistake by itself."""
        given = self.plan.given
        if failure.code != "RS330" or given is None:
            return failure
        try:
            broken = next(broken_invariants(self._table(case, body, False), "decision"), None)
        except RulescriptError:
            return failure
        if broken is None:
            return failure
        said = f'this position breaks the invariant "{broken.invariant.title}"'
        said += f": {broken.told}" if broken.told else ""
        place = first_line_of(case.span if case is not None else given.span)
        return evolve(failure, others=(*failure.others, Label(place, said)))

    def _seen(self, title: str, moment: str, table: Table) -> None:
        if self.watch is not None:
            self.watch(title, moment, table)

    def _body(self, table: Table, body: Sequence[s.Play | s.Expect], result: ExampleResult, rule: str | None) -> None:
        checker = Checker(table)
        for at, part in enumerate(body):
            if isinstance(part, s.Play):
                pending = self._first if at == 0 else _pending_of(part)
                table.play(part.entries, pending, part.span)
                self._seen(result.title, "play", table)
                continue
            table.begin((), part.span)
            for claim in part.claims:
                result.claims += 1
                try:
                    checker.check(claim)
                    result.exercised.update(claim.cites)
                except ClaimProblem as problem:
                    if isinstance(problem, ClaimFails) and problem.hint is None:
                        problem.hint = table.waiting_hint()
                    result.failures += problem.diagnostics(rule)

    def _table(self, case: s.Case | None, body: Sequence[s.Play | s.Expect], stops: bool) -> Table:
        made = self._set_of(self.plan, self.found, set())
        if case is not None:
            made.layers.append(case.changes)
            made.assumes += case.assumes
            self._with(made, case.withs)
        first = body[0]
        self._first: dict[int, Pending] = _pending_of(first) if isinstance(first, s.Play) else {}
        stops = stops or _needs_stops(made, body)
        game, evaluator = self._game(made)
        if made.players is not None and made.players_span is not None and game.player_counts:
            try:
                game.seats(made.players)
            except BadOption as problem:
                raise ClaimUnclear(str(problem.message), made.players_span, "not so many") from problem
        table = Table(game, evaluator, made.players, stops)
        leading: list[Pending] = []
        if isinstance(first, s.Play):
            leading = Table.window(first.entries, self._first, 0)
        span = self.plan.given.span if self.plan.given is not None else self.plan.span
        table.lay_out(made.base, made.layers, span, leading)
        if made.base == "setup":
            for broken in broken_invariants(table):
                raise ImpossiblePosition(broken, case.span if case is not None else span)
        return table

    def positions(self) -> Iterator[tuple[str, Span, list[Broken]]]:
        """The title and place of every position that breaks an invariant, and which it breaks."""
        plan = self.plan
        cases: list[s.Case | None] = [*([None] if plan.body or not plan.cases else []), *plan.cases]
        for case in cases if not self.unreadable else ():
            try:
                found = list(broken_invariants(self._table(case, plan.body_of(case), False)))
            except RulescriptError:
                continue  # what is wrong with it is told when it is played
            if found:
                title = plan.title if case is None else f"{plan.title} / {case.title}"
                yield title, case.span if case is not None else plan.span, found

    def _set_of(self, plan: s.Plan, found: Found, seen: set[str]) -> _Set:
        """What an example is played with, after what it is like."""
        given = plan.given
        if given is not None and given.base == "like":
            if given.name in seen or given.name == plan.title:
                raise ClaimUnclear("these examples are like each other in a circle", given.name_span)
            other, where = self.source.plan(given.name, given.name_span)
            made = self._set_of(other, where, seen | {plan.title})
            made.options |= {*found.options}
            made.layers.append(given.changes)
        else:
            made = _Set({*self.options, *found.options}, found.scenario or self.scenario, None, None, [], "empty", [])
            made.base = given.base if given is not None else "setup"
            if given is not None:
                made.layers.append(given.changes)
                if given.base == "scenario":
                    made.base, made.scenario = "setup", given.name
        made.assumes = [*made.assumes, *plan.assumes]
        self._with(made, plan.withs)
        return made

    def _with(self, made: _Set, withs: Iterable[s.With]) -> None:
        known, scenarios = self.source.options
        for line in withs:
            match line.what:
                case "options":
                    for name in line.names:
                        ident = option_named(name, known)
                        made.options |= {ident, *self.source._needs(ident)}
                case "scenario":
                    made.scenario = scenario_named(line.names[0], scenarios)
                case "players":
                    made.players = int(line.names[0].text)
                    made.players_span = line.names[0]

    def _game(self, made: _Set) -> tuple[Game, ExampleEvaluator]:
        scenarios = self.source.options[1]
        if made.scenario and made.scenario not in scenarios:
            span = self.plan.given.name_span if self.plan.given is not None else self.plan.span
            scenario_named(span, scenarios, made.scenario)
        if not made.assumes:
            game = self.source.game(made.options, made.scenario)
            evaluator = self.source.evaluator(game)
            self.source.note(game, evaluator)
            return game, evaluator
        plain = self.source.game(made.options, made.scenario)
        for each in made.assumes:
            self._check_assumed(plain, each)
        # A rule for several kinds is several rules, and what is assumed of it is assumed of all.
        versions = {a.name.text: plain.model.versions.get(a.name.text, (a.name.text,)) for a in made.assumes}
        whole = frozenset(version for several in versions.values() for version in several)
        game, names = self.source.assumed(made.options, made.scenario, whole)
        assumptions: dict[str, Assumption] = {}
        reader = ExampleEvaluator(game, assumptions)
        for name, written_out in versions.items():
            lines = [a for a in made.assumes if a.name.text == name]
            for version in written_out:
                assumptions[version] = self._assumption(reader, game, lines, version, self.assumed)
        evaluator = ExampleEvaluator(game, assumptions)
        evaluator.assumed = self.assumed
        self.source.note(game, evaluator)
        reader.asked = evaluator.asked  # both are asked
        assume_in(game.code, names, assumptions)
        _evaluators[game] = evaluator  # explanations, too, assume what the example does
        return game, evaluator

    @staticmethod
    def _check_assumed(game: Game, line: s.Assume) -> None:
        model = game.model
        known = [name for name in (*model.functions, *model.tables, *model.routes) if "@" not in name]
        if line.name.text not in known:
            raise ClaimUnclear(
                f"there is no function or table `{line.name.text}` to assume",
                line.name,
                "unknown",
                spelling_hint(line.name.text, known),
            )

    @staticmethod
    def _assumption(
        evaluator: ExampleEvaluator, game: Game, lines: Sequence[s.Assume], version: str, assumed: Assumed
    ) -> Assumption:
        """What stands in for a rule: the last line whose arguments fit, else the rule itself."""
        model = game.model
        name = lines[0].name.text
        rule: Any = model.functions.get(version) or model.tables.get(version) or model.routes.get(version)
        result = getattr(rule, "type", None)
        made: list[tuple[list[Any], Any, s.Assume]] = []
        for line in lines:
            value = evaluator.read_at(line.value, result)
            args: list[Any] = []
            if line.args is not None:
                if len(line.args) != len(rule.params):
                    many = f"{len(rule.params)} value{'s' if len(rule.params) != 1 else ''}"
                    hint = f"assume {name}({', '.join('_' for _ in rule.params)}) = ..." if rule.params else None
                    raise ClaimUnclear(f"`{name}` takes {many}", line.span, f"{len(line.args)} given", hint)
                for given, var in zip(line.args, rule.params, strict=True):
                    args.append(evaluator.read_at(given, None if var.either else var.type) if given else None)
                if not all(
                    a is None or fits(a.type, v.type) for a, v in zip(args, rule.params, strict=True) if v.either
                ):
                    continue  # said of the other kind
            made.append((args, value, line))
        reader = evaluator

        def assume(own: Any) -> Any:
            def stand_in(S: list[Any], *args: Any, **more: Any) -> Any:
                for wanted, value, line in reversed(made):
                    if all(w is None or reader.value(w, S) == a for w, a in zip(wanted, args, strict=False)):
                        assumed.used.add(id(line))
                        return reader.value(value, S)
                assumed.asked += 1
                return own(S, *args, **more)

            return stand_in

        return assume


class _OurFault(ClaimProblem):
    """Something in rulescript broke down over an example."""

    code = "RS901"

    def __init__(self, span: Span, problem: Exception) -> None:
        super().__init__(f"rulescript failed on this example ({type(problem).__name__}: {problem})", span)


def _needs_stops(made: _Set, body: Sequence[s.Play | s.Expect]) -> bool:
    """Whether play must be stopped where a phase begins or ends."""
    if made.base == "setup" and any(isinstance(c, s.At) for c in made.changes):
        return True
    lines = [x for part in body for x in (part.entries if isinstance(part, s.Play) else part.claims)]
    return any(isinstance(x, s.RunTo | s.Outcomes) for x in lines)


def _pending_of(play: s.Play) -> dict[int, Pending]:
    return {i: Pending.of(e) for i, e in enumerate(play.entries) if isinstance(e, s.Chance)}


def run_example(
    source: GameSource,
    example: n.Example | Found,
    options: Iterable[str] = (),
    scenario: str = "",
    watch: Watch | None = None,
) -> list[ExampleResult]:
    """An example, and each of its cases: one result for each. `watch` is shown the table as it goes."""
    found = example if isinstance(example, Found) else Found(example)
    return list(_Runner(source, found, options, scenario, watch).run())


def run_examples(
    source: GameSource, *, only_extra: bool = False, options: Iterable[str] = (), scenario: str = ""
) -> Iterator[ExampleResult]:
    """All examples of a game (or only those of its outside file), one after the other."""
    chosen = tuple(options)
    for found in source.found(only_extra):
        yield from _Runner(source, found, chosen, scenario).run()


def impossible_positions(source: GameSource) -> Iterator[tuple[str, Span, list[Broken]]]:
    """The positions of a game's examples that break an `always` invariant: title, place, and which they break."""
    for found in source.found():
        yield from _Runner(source, found, (), "").positions()


def run_file(
    game: str | Path | GameSource, path: str | Path, options: Iterable[str] = (), scenario: str = ""
) -> list[ExampleResult | CheckResult]:
    """The examples and checks of an outside file against a game."""
    source = game if isinstance(game, GameSource) else GameSource.load(game)
    together = source.with_file(path)
    out: list[ExampleResult | CheckResult] = []
    own = {id(p.declaration) for p in together.extra}
    if any(isinstance(p.declaration, n.Check) for p in together.extra):
        out += [r for r in _checked(together.game(options, scenario), own)]
    out += run_examples(together, only_extra=True, options=options, scenario=scenario)
    return out


# ------------------------------------------------------------------ checks


def run_checks(source: GameSource | Game, options: Iterable[str] = (), scenario: str = "") -> list[CheckResult]:
    """Every `check`, at the state before play begins."""
    game = source if isinstance(source, Game) else source.game(options, scenario)
    return list(_checked(game, None))


def _checked(game: Game, only: set[int] | None) -> Iterator[CheckResult]:
    evaluator = ExampleEvaluator(game)
    position = game.empty()
    for decl, conditions in game.model.checks:
        if only is not None and id(decl) not in only:
            continue
        result = CheckResult(decl.title, decl.span, decl.cites)
        rule = f"§{decl.cites[0]}" if decl.cites else None
        for condition in conditions:
            try:
                if not evaluator.worked_out(condition, position, condition.span):
                    told = evaluator.sides(condition, position, condition.span)
                    text = " ".join(condition.span.text.split())
                    result.failures += ClaimCheckFails(decl.title, text, condition.span, told).diagnostics(rule)
            except ClaimProblem as problem:
                result.failures += problem.diagnostics(rule)
        yield result


class ClaimCheckFails(ClaimProblem):
    """A count or total of the game is not what it should be."""

    def __init__(self, title: str, text: str, span: Span, told: str) -> None:
        super().__init__(f'check "{title}" fails: `{text}` is not so', span, told or "not so")
