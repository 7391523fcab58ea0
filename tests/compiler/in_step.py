"""All forms of a compiled game, played with the same answers.

The plain form keeps a journal or none, can ask even where there is one answer, can be saved and opened again, and can
be told its dice and draws instead of drawing them; the quick one is for playouts; examples have one that can be stopped
where phases begin, and one in which rules are called that are otherwise written out where they are used. Whichever it
is: the same decisions, with the same options, in the same state.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from rulescript.claims import GameSource
from rulescript.errors import BadOption, RulescriptError
from rulescript.machine import effort
from rulescript.pipeline import compile_text
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Playing, run_on
from rulescript.runtime.game import Game
from rulescript.runtime.plain_steps import step_plainly
from rulescript.runtime.position import Position
from rulescript.testing.checks import Recorder
from rulescript.testing.checks import _Told as Told
from tests.forms import quick_code

MOST = 100_000


def decisions_of(
    game: Game, code: dict[str, Any], seed: int, games: int = 1, most: int = MOST, chance: int | None = None
) -> list[tuple[list[Any], list[Any]]]:
    """The state and the options at every decision of some random games; `most` decisions of each. `chance` is the
    seed of the dice."""
    rng = Random(seed)
    found = []
    for _ in range(games):
        form = Bare("", game, code)
        form.begin(game.data.initial[1] if chance is None else chance)
        for _ in range(most):
            if not form.block or form.failure:
                break
            found.append((form.state, list(form.options)))
            form.answer(form.options[int(rng.random() * len(form.options))])
        assert not form.failure, form.failure
    return found


class Form:
    """A form of a game that is being played."""

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        self.failure = ""
        self.play: Any = None
        self.own: list[Any] = []

    def begin(self, chance: int) -> None:
        """Play to the first decision; `chance` is the first state of the generator."""
        self.failure = ""
        self.own = list(self.game.data.initial)
        self.own[1] = chance
        self._try(self._begin)

    def answer(self, raw: Any) -> None:
        self._try(self._answer, raw)

    def _try(self, step: Any, *given: Any) -> None:
        effort.WORK.done = 0
        try:
            step(*given)
        except RulescriptError as problem:
            locate(self.game, problem)
            self.failure = f"{type(problem).__name__}: {problem}"
        except Exception as problem:
            self.failure = f"PlayError: {play_error(self.game, problem)}"

    @property
    def block(self) -> int:
        return int(self.own[0])

    @property
    def options(self) -> list[Any]:
        return list(self.play.o)

    @property
    def state(self) -> list[Any]:
        """All but the names of rules: those of loops that are over differ."""
        return self.own[: self.game.data.locals_start]

    def _begin(self) -> None:
        raise NotImplementedError

    def _answer(self, raw: Any) -> None:
        raise NotImplementedError


class Bare(Form):
    """Generated code with nothing around it, as playouts run it."""

    def __init__(self, name: str, game: Game, code: dict[str, Any]) -> None:
        super().__init__(name, game)
        self.code = code

    def _begin(self) -> None:
        self.play = Playing()
        self.play.w = 0
        if "begin" in self.code:
            self.code["begin"](self.own)
        run_on(self.code["B"][self.game.data.start], self.play, self.own)

    def _answer(self, raw: Any) -> None:
        self.play.w = 0
        block = self.code["C"][self.own[0]](self.play, self.own, raw)
        if block is not None:
            run_on(block, self.play, self.own)


class Whole(Form):
    """A position with all that belongs to it."""

    def __init__(
        self, name: str, game: Game, ask: bool = False, journal: bool = True, players: int | None = None
    ) -> None:
        super().__init__(name, game)
        self.ask = ask
        self.journal = journal
        self.players = players if players is not None else game.seating.default

    def _begin(self) -> None:
        self.play = Position(self.game, self.own, self.players, self.journal)
        self.play.ask = self.ask
        self._go(None, is_opening=True)
        self._settle()

    def _answer(self, raw: Any) -> None:
        self._go(raw)
        self._settle()

    def _go(self, raw: Any, is_opening: bool = False) -> None:
        step_plainly(self.play, raw, is_opening=is_opening)
        self.own = self.play.s

    def _settle(self) -> None:
        """Give the answers nobody else is asked for."""
        while self.ask and self.block:
            real = [raw for raw in self.options if not (isinstance(raw, tuple) and raw[0] <= -100)]
            other = Position(self.game, list(self.own), self.game.seating.default, False)
            other.run(self.game.code["B"][self.block])
            if len(real) != 1 or (other.d == self.block and other.s == self.own):
                return
            self._go(real[0])

    @property
    def keys(self) -> list[str]:
        return [self.game.option(self.block, raw, self.own).key for raw in self.options]


class Played(Whole):
    """A position as everybody plays it: in the search form, what happens written down when somebody asks for it."""

    def _go(self, raw: Any, is_opening: bool = False) -> None:
        if is_opening:
            self.play.begin()
        else:
            self.play._take(raw)
        self.own = self.play._s

    def same_journal(self, other: Whole) -> bool:
        mine, theirs = ([p.play._opening, *(step.events for step in p.play.history())] for p in (self, other))
        return mine == theirs


class Reopened(Whole):
    """A position that is saved and opened again from time to time."""

    def __init__(self, name: str, game: Game, every: int = 12) -> None:
        super().__init__(name, game)
        self.every = every
        self.answers = 0

    def _answer(self, raw: Any) -> None:
        self.answers += 1
        if self.answers % self.every == 0:
            self.play = self.game.from_json(self.play.to_json())
        super()._answer(raw)


class Fed(Whole):
    """A position with explicit chance that is given what the seed would give. Beside it the seeded one is played, which
    says what that is."""

    def __init__(self, name: str, game: Game) -> None:
        super().__init__(name, game)
        self.seeded: Any = None

    def _begin(self) -> None:
        recorder = Recorder(self.game)
        self.seeded = Position(self.game, list(self.own), self.players, False)
        with recorder.recording():
            step_plainly(self.seeded, None, is_opening=True)
        self.play = Position(self.game, self.own, self.players, True)
        self.play.chance = Told(recorder.orders)
        step_plainly(self.play, None, is_opening=True)
        self._feed(recorder)

    def _answer(self, raw: Any) -> None:
        recorder = Recorder(self.game)
        with recorder.recording():
            self.seeded._take(raw)
        self.play.chance = Told(recorder.orders)
        self.play._take(raw)
        self._feed(recorder)

    def _feed(self, recorder: Recorder) -> None:
        while (pending := self.play._pending) is not None:
            # What left no choice was not asked, but counts.
            assert len(pending.outcomes) < len(recorder.dice), "explicit chance asks for more than the seed gave"
            outcome = recorder.dice[len(pending.outcomes)]
            node = self.play.decision
            self.play.choose(next(option for option in node.options if option.raw == outcome))
        self.own = self.play.s

    @property
    def state(self) -> list[Any]:
        found = super().state
        found[1] = self.seeded.s[1]  # explicit chance leaves the generator alone
        return found


def forms_of(
    source: GameSource, options: tuple[str, ...] = (), scenario: str = "", for_examples: bool = True
) -> list[Form]:
    """Every form there is of a game with some options; those `for_examples` are compiled apart."""
    plain = source.game(options, scenario)
    # As `load` compiles it: that of a source notes which rules an example enters, and other code can stand there.
    loaded = compile_text(source.text, options, scenario)
    forms: list[Form] = [
        Whole("plain, with a journal", plain),
        Bare("plain", plain, plain.code),
        Bare("quick", plain, quick_code(plain)),
        Whole("asking always", plain, ask=True),
        Whole("without a journal", plain, journal=False),
        Bare("plain, as loaded", loaded, loaded.code),
        Bare("quick, as loaded", loaded, quick_code(loaded)),
        Played("as it is played", plain),
        Played("as a search plays it", plain, journal=False),
        *(Whole(f"with {many} players", plain, players=many) for many in plain.player_counts),
        Reopened("saved and opened again", plain),
        Fed("chance told", plain),
    ]
    if for_examples:
        model = source_model(source)
        rules = frozenset(name for table in ("functions", "tables", "routes") for name in getattr(model, table))
        forms += [
            Whole("for examples", source.game(options, scenario)),
            Whole("for examples that assume something", source.assumed(options, scenario, rules)[0]),
        ]
    return forms


def source_model(source: GameSource) -> Any:
    return source.game().model


def play_in_step(forms: list[Form], seed: int, most: int = MOST, every: int = 10) -> int:
    """Play one random game in all forms; how many decisions there were. The keys of all options are compared at
    `every` so many decisions."""
    rng = Random(seed)
    chance = rng.getrandbits(64)
    for form in forms:
        form.begin(chance)
    first = forms[0]
    assert isinstance(first, Whole)
    for number in range(most):
        for form in forms[1:]:
            at = f"{form.name}, decision {number} of seed {seed}"
            assert form.failure == first.failure, at
            if first.failure:
                continue
            assert form.block == first.block, at
            assert form.state == first.state, at
            if first.block:
                assert form.options == first.options, at
            if first.block and number % every == 0 and isinstance(form, Whole):
                assert form.keys == first.keys, at
            if isinstance(form, Played) and (number % every == 0 or not first.block):
                assert form.play.state_hash() == first.play.state_hash(), at
                assert not form.journal or form.same_journal(first), at
        if first.failure or not first.block:
            return number
        raw = first.options[int(rng.random() * len(first.options))]
        for form in forms:
            form.answer(raw)
    return most


def choices_of_options(source: GameSource, at_once: int = 2) -> Iterator[tuple[tuple[str, ...], str]]:
    """No option, each one, each pair (with what they need), in every scenario."""
    options, scenarios = source.options
    seen = set()
    for scenario in ("", *scenarios):
        for many in range(at_once + 1):
            for chosen in combinations(options, many):
                wanted = {name for option in chosen for name in source._needs(option)}
                try:
                    game = frozenset(check_options_of(source, wanted, scenario))
                except BadOption:
                    continue
                if (game, scenario) not in seen:
                    seen.add((game, scenario))
                    yield tuple(sorted(game)), scenario


def check_options_of(source: GameSource, wanted: set[str], scenario: str) -> tuple[str, ...]:
    from rulescript.claims.run import check_options

    return check_options(source.text, tuple(sorted(wanted)), scenario)


def source_of(where: str | Path) -> GameSource:
    return GameSource.load(where)
