"""`run_conformance`: play a game at random in all its configurations, check what every game must keep, and
report.

In comes a game by name or path; out goes a `Report`. Hypothesis makes the plays; when one breaks something,
it is cut down to few choices (`shorten`) and told as an example. Plays that went well are played again in
another process.

Shrinking is our own rather than Hypothesis's: it knows that a choice which is not legal any more can simply
be left out, and it stops when its time is up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.alarm import TimeUp, stopped_after
from rulescript.errors import BadOption, GameInvalid, GameNotFound, PlayError, RulescriptError, StepLimit
from rulescript.pipeline import load
from rulescript.testing import checks as c
from rulescript.testing.coverage import Reached, coverage_of
from rulescript.testing.hiding import Views
from rulescript.testing.report import SHOWN, Configuration, Failure, Played, Report, example_of
from rulescript.testing.run import Broken, Check, InvariantUse, Run
from rulescript.testing.walk import Play, Walker, follow

if TYPE_CHECKING:
    from rulescript.runtime.game import Game, OptionInfo

__all__ = ["ALL_CHECKS", "check_titles", "configurations", "run_conformance", "shorten"]

ALL_CHECKS: tuple[type[Check], ...] = (
    c.Unique, c.Pieces, c.States, c.Invariants, c.Clones, c.Saves, c.Undo, c.Accepted, c.Refused, c.Chance,
    Views,
)  # fmt: skip

# Found while loading and playing, or for a whole game at once.
_ELSEWHERE = {
    "loads": "the game loads with these options",
    "compile": "compiling twice gives the same text",
    "ends": "play ends",
    "rules": "no rule goes wrong in play",
    "engine": "the engine itself does not fail",
    "dead-ends": "whoever is asked has an option",
    "asked": "somebody has something to decide",
    "replays": "replays agree across processes",
}

Progress = Callable[[str, int, int], None]

# So many plays of each configuration are looked at closely.
CLOSE_PLAYS = 1
# So many seconds other processes have to end what they have begun.
PATIENCE = 10.0
# So many seconds after its time a run is stopped, whatever it is doing.
STOP = 20.0


def check_titles() -> dict[str, str]:
    """Every check by name, with what it is about."""
    return {**_ELSEWHERE, **{check.name: check.title for check in ALL_CHECKS}}


# ------------------------------------------------------------------ configurations

# A game with more options and scenarios than these is played with some of them (the most of ours is 25).
MANY = 200
SOME = 8


def configurations(game: Game, *, pairs: bool = False) -> list[Configuration]:
    """What to play: as it is for each number of players, each scenario, each option alone (without it, if it
    is on by default), pairs if asked for, and all options that go together. An option brings those it
    needs."""
    counts: Sequence[int | None] = game.player_counts or (None,)
    out = [Configuration(players=count) for count in counts]
    if _has_too_many(game):
        # Each has to be compiled: with so many it would take hours, so only the first are played.
        out += [Configuration(_with_needs(game, (), name), name, None) for name in list(game.scenarios)[:SOME]]
        return list(dict.fromkeys([*out, *(Configuration(_with_needs(game, (n,))) for n in list(game.options)[:SOME])]))
    out += [Configuration(_with_needs(game, (), name), name, None) for name in game.scenarios]
    out += [Configuration(_with_needs(game, (name,))) for name in game.options]
    on = {name for name, info in game.data.all_options.items() if info.is_on}
    out += [Configuration((f"-{name}",)) for name in sorted(on) if _can_do_without(game, on, name)]
    if pairs:
        for one, two in combinations(game.options, 2):
            both = _with_needs(game, (one, two))
            if _go_together(game, both):
                out.append(Configuration(both))
    for scenario in ("", *game.scenarios):
        everything: tuple[str, ...] = ()
        for name in game.options:
            more = _with_needs(game, (*everything, name))
            if _go_together(game, more, scenario):
                everything = more
        if len(everything) > 1:
            out.append(Configuration(everything, scenario))
    return list(dict.fromkeys(out))


def _has_too_many(game: Game) -> bool:
    return len(game.options) + len(game.scenarios) > MANY


def _with_needs(game: Game, names: tuple[str, ...], scenario: str = "") -> tuple[str, ...]:
    chosen = set(names)
    if scenario:
        chosen |= {n for n in game.scenarios[scenario].needs if n in game.options}
    while True:
        more = {n for name in chosen for n in game.options[name].needs if n in game.options} - chosen
        if not more:
            return tuple(sorted(chosen))
        chosen |= more


def _can_do_without(game: Game, on: set[str], name: str) -> bool:
    return not any(name in game.options[other].needs for other in on - {name})


def _go_together(game: Game, names: tuple[str, ...], scenario: str = "") -> bool:
    table: dict[str, OptionInfo] = {**game.options, **game.scenarios}
    chosen = {*names, *([scenario] if scenario else [])}
    chosen |= {name for name, info in game.data.all_options.items() if info.is_on}
    for name in chosen:
        info = table[name]
        if chosen & set(info.excludes):
            return False
        if any(need not in chosen for need in info.needs):
            return False
    return True


# ------------------------------------------------------------------ the run


class _Kit:
    """One run over a game."""

    def __init__(
        self, where: str, checks: Sequence[type[Check]], limit: int, closely: int,
        weights: Mapping[str, float], shrink_seconds: float, deadline: float | None,
        progress: Progress | None, failed: Callable[[Failure], None] | None,
    ) -> None:  # fmt: skip
        self.where = where
        self.checks = checks
        self.limit = limit
        self.closely = closely
        self.weights = weights
        self.shrink_seconds = shrink_seconds
        self.deadline = deadline
        self.progress = progress
        self.failed = failed
        self.report = Report(where)
        self.reached = Reached()
        # Until when the configuration at hand may be played.
        self.until = deadline
        # How long the slowest set of options took to compile: one more is begun only if there is as much time left.
        self.loading = 0.0
        # What is being done.
        self.at = "reading the game"
        self.others: ThreadPoolExecutor | None = None
        self.asked: list[tuple[Configuration, str, list[Play], Future[Any]]] = []
        self.memory: dict[Any, Any] = {}

    @property
    def is_late(self) -> bool:
        return self.until is not None and time.monotonic() > self.until

    @property
    def is_nearly_late(self) -> bool:
        """Whether another set of options would not be compiled in time."""
        return self.deadline is not None and time.monotonic() + self.loading > self.deadline

    def share(self, left: int) -> None:
        """Give the next configuration its part of the time, `left` of them to be played."""
        if self.deadline is not None:
            now = time.monotonic()
            self.until = now + max(0.0, self.deadline - now) / left

    def fail(self, check: str, message: str, configuration: Configuration, play: Play | None = None) -> None:
        try:
            example = self._example(check, message, configuration, play) if play is not None else ""
        except TimeUp:
            self._failed(check, message, configuration, play)
            raise
        self._failed(check, message, configuration, play, example)

    def _failed(
        self, check: str, message: str, configuration: Configuration, play: Play | None, example: str = ""
    ) -> None:
        failure = Failure(check, check_titles()[check], message, configuration, play, example)
        self.report.failures.append(failure)
        if self.failed is not None:
            self.failed(failure)

    def _example(self, check: str, message: str, configuration: Configuration, play: Play) -> str:
        """The play as an example: in words, or if these do not lead there, by keys."""
        told = [
            example_of(check, message, configuration, play, self.where, by_keys=by_keys) for by_keys in (False, True)
        ]
        return next((text for text in told if shows(self.where, check, message, text)), told[0])

    def load(self, configuration: Configuration) -> Game | None:
        began = time.monotonic()
        self.at = f"compiling ({configuration})"
        try:
            return self._loaded(configuration)
        finally:
            self.loading = max(self.loading, time.monotonic() - began)

    def _loaded(self, configuration: Configuration) -> Game | None:
        try:
            return load(self.where, options=configuration.options, scenario=configuration.scenario)
        except BadOption as problem:
            self.report.notes[f"not played: {configuration} ({problem})"] += 1
        except RulescriptError as problem:
            self.fail("loads", str(problem), configuration)
        except Exception as problem:
            self.fail("engine", f"loading: {type(problem).__name__}: {problem}", configuration)
        return None

    def one(self, game: Game, seed: int, players: int | None, walker: Any, closely: int) -> Run:
        """One play under all checks."""
        return Run(
            game, seed, players, walker, self.checks, limit=self.limit, closely=closely,
            invariants=self.report.invariants, reached=self.reached, counted=self.report.checks,
            notes=self.report.notes, memory=self.memory, is_late=self._is_over,
        ).go()  # fmt: skip

    def _is_over(self) -> bool:
        """Whether the time of the whole run is up: a play that is begun goes on after its configuration's share."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def configuration(self, configuration: Configuration, plays: int, seed: int, keep: int) -> None:
        game = self.load(configuration)
        if game is None:
            return
        if not game.data.start:
            self.report.notes["there is no sequence of play, so there is nothing to play"] += 1
            return
        self.at = f"playing ({configuration})"
        played = Played(configuration)
        self.report.played.append(played)
        kept: list[Play] = []
        self.memory = {}
        self.reached.options.update(game.data.options, [game.data.scenario])
        if not self._begins(game, configuration, seed):
            return
        self._traced(game, configuration, seed)
        try:
            if self.is_late:
                self.report.is_late = True
            else:
                _generate(plays, seed, lambda draw: self._play(game, configuration, played, kept, keep, draw, plays))
        except Broken as problem:
            self._broken(game, configuration, problem)
        else:
            self._asked(game, configuration, played)
        if kept and self.others is not None:
            from rulescript.testing.replay import fingerprint

            asked = self.others.submit(self._ask_other, configuration, kept)
            self.asked.append((configuration, fingerprint(game), kept, asked))

    def _asked(self, game: Game, configuration: Configuration, played: Played) -> None:
        """A game with choices in which nobody is ever asked is no game; nothing in it was put to the test."""
        if not played.decisions and not played.over:
            return  # the time was up before anybody could be asked
        if not game.data.decisions:
            self.report.notes["the rules have no choice, so nobody is ever asked anything"] += 1
        elif played.decisions:
            self.report.checks["asked"] += 1
        else:
            ends = [f" ({how})" for how in played.outcomes]
            how = ends[0] if len(ends) == 1 else ""
            plays = f"{played.plays} random plays" if played.plays > 1 else "a random play"
            message = f"in {plays} nobody had anything to decide: the game is over before the first choice{how}"
            play = Play(0, configuration.players or game.seating.default)
            self.fail("asked", message, configuration, play)

    def _begins(self, game: Game, configuration: Configuration, seed: int) -> bool:
        """Whether a game gets to its first decision: if not, no other play has to be tried."""
        try:
            game.start(seed, players=configuration.players, journal=False)
        except (StepLimit, PlayError) as problem:
            check = "ends" if isinstance(problem, StepLimit) else "rules"
            self.fail(check, str(problem), configuration, Play(seed, configuration.players))
            return False
        return True

    def _traced(self, game: Game, configuration: Configuration, seed: int) -> None:
        """One quick play with the lines it runs noted, for coverage."""
        from random import Random

        from rulescript.testing.walk import random_walker

        try:
            with self.reached.traced(game):
                run = Run(
                    game,
                    seed,
                    configuration.players,
                    random_walker(Random(seed), self.weights),
                    (),
                    limit=2_000,
                    is_late=self._is_over,
                )
                run.go()
        except Broken:
            pass  # What is wrong is found again, and told, by the plays that are checked.

    def _play(
        self,
        game: Game,
        configuration: Configuration,
        played: Played,
        kept: list[Play],
        keep: int,
        draw: Any,
        plays: int,
    ) -> None:
        from rulescript.testing.strategies import drawing, players_of, seeds

        players = configuration.players if configuration.players is not None else draw(players_of(game))
        # The first play of a configuration is looked at closely; that many are played tells more after that.
        closely = self.closely if played.plays < CLOSE_PLAYS else max(1, self.closely // 8)
        run = self.one(game, draw(seeds()), players, Walker(drawing(draw), self.weights), closely)
        played.plays += 1
        played.decisions += len(run.play.steps)
        played.over += run.play.over
        self.report.checks["ends"] += run.play.over
        for name in ("rules", "engine", "dead-ends"):
            self.report.checks[name] += len(run.play.steps)
        if run.play.over:
            played.outcomes[str(run.position.outcome)] += 1
        if len(kept) < keep and run.play.steps:
            kept.append(run.play)
        if self.progress is not None:
            self.progress(str(configuration), min(played.plays, plays), plays)
        if self.is_late:
            # Only after a play: Hypothesis calls a play flaky that stops before it draws what an earlier one drew.
            raise _Stop

    def _broken(self, game: Game, configuration: Configuration, problem: Broken) -> None:
        play, message = problem.play, str(problem)
        # A play that is too long is not made shorter, and is told only in part.
        if play is not None and len(play.steps) < self.limit:
            players = play.players

            def again(seed: int, keys: Sequence[str]) -> Broken | None:
                return self._again(game, seed, players, keys, problem.closely)

            self.at = f"shortening a play that went wrong ({configuration})"
            try:
                play, message = shorten(play, problem.check, again, self._patience) or (play, message)
                play = c.with_chance(game, play)
            except TimeUp:
                self._failed(problem.check, message, configuration, play)
                raise
        self.fail(problem.check, message, configuration, play)

    @property
    def _patience(self) -> float:
        """So long a play that went wrong may be shortened."""
        if self.deadline is None:
            return self.shrink_seconds
        return min(self.shrink_seconds, max(1.0, self.deadline + PATIENCE - time.monotonic()))

    def _again(self, game: Game, seed: int, players: int | None, keys: Sequence[str], closely: int) -> Broken | None:
        """Play some keys again; what breaks, if anything."""
        try:
            Run(
                game, seed, players, follow(keys), self.checks, limit=self.limit, closely=closely,
                memory=self.memory,
            ).go()  # fmt: skip
        except Broken as problem:
            return problem
        return None

    # -------------------------------------------------------------- in another process

    def _ask_other(self, configuration: Configuration, plays: Sequence[Play]) -> Any:
        """Have some plays played again; TimeoutError if there is no time for it."""
        from rulescript.testing.replay import ask_other_process

        job = {
            "where": self.where,
            "options": list(configuration.options),
            "scenario": configuration.scenario,
            "plays": [{"seed": p.seed, "players": p.players, "keys": p.keys} for p in plays],
        }
        if self.deadline is None:
            return ask_other_process([job])
        end = self.deadline + PATIENCE
        if time.monotonic() > end - 1:
            raise TimeoutError
        try:
            return ask_other_process([job], end - time.monotonic())
        except RuntimeError:
            if time.monotonic() >= end:
                raise TimeoutError from None
            raise

    def replays(self) -> None:
        """What other processes saw: they play the same again meanwhile, one after the other."""
        for configuration, mark, plays, asked in self.asked:
            left = None if self.deadline is None else max(0.0, self.deadline + PATIENCE - time.monotonic())
            try:
                answer = asked.result(left)[0]
            except TimeoutError:
                self.report.notes[f"not played again in another process for want of time: {configuration}"] += 1
                continue
            except (RuntimeError, ValueError, OSError) as problem:
                self.fail("replays", f"the other process failed: {problem}", Configuration())
                return
            self.report.checks["compile"] += 1
            if answer["fingerprint"] != mark:
                self.fail("compile", "another process compiles the same rules to another text", configuration)
            for play, seen in zip(plays, answer["plays"], strict=True):
                self.report.checks["replays"] += 1
                told = compare_hashes(play, seen["hashes"], seen["trouble"])
                if told:
                    self.fail("replays", told[0], configuration, told[1])
                    break

    # -------------------------------------------------------------- the whole

    def run(
        self, first: Configuration, is_alone: bool, plays: int, seed: int, pairs: bool, keep: int, processes: bool,
        exercised: Iterable[str], begun: Callable[[Game, int], None] | None,
    ) -> None:  # fmt: skip
        """One configuration, or all there are; then what other processes saw of them, and what was reached."""
        report = self.report
        game = self._first(first)
        if game is None:
            return
        report.title = game.title
        todo = [first] if is_alone else configurations(game, pairs=pairs)
        if begun is not None:
            begun(game, len(todo))
        if len(todo) > 1 and _has_too_many(game):
            many = len(game.options) + len(game.scenarios)
            report.notes[f"of {many} options and scenarios only the first {SOME} of each are played; name others"] += 1
        self.others = ThreadPoolExecutor(1) if processes else None
        left_out: list[str] = []
        for number, configuration in enumerate(todo):
            self.until = self.deadline
            if self.is_late or number and self.is_nearly_late:
                left_out.append(str(configuration))
                continue
            self.share(len(todo) - number)
            report.checks["loads"] += 1
            self.configuration(configuration, plays, seed + number, keep)
        for name in left_out[:SOME]:
            report.notes[f"not played for want of time: {name}"] += 1
        if left_out[SOME:]:
            more = len(left_out) - SOME
            report.notes[f"not played for want of time: {more} more sets of options and scenarios"] += 1
        if self.others is not None and not report.failures:
            self.at = "waiting for another process"
            self.replays()
        self.at = "seeing what was reached"
        for use in _never_begun(game, report):
            report.invariants[use.title] = use
        report.coverage = coverage_of(game, _text_of(self.where), self.reached, exercised)

    def _first(self, configuration: Configuration) -> Game | None:
        """The game as it is asked for; what cannot be asked for is the caller's mistake."""
        began = time.monotonic()
        self.at = f"compiling ({configuration})"
        try:
            return load(self.where, options=configuration.options, scenario=configuration.scenario)
        except (GameNotFound, BadOption):
            raise
        except GameInvalid as problem:
            self.fail("loads", str(problem), configuration)
        except Exception as problem:
            self.fail("engine", f"loading: {type(problem).__name__}: {problem}", configuration)
        finally:
            self.loading = time.monotonic() - began
        return None


def shows(where: str, check: str, message: str, example: str) -> bool:
    """Whether an example, put beside a game, fails with the words of a failure; where an example has none for it,
    whether it can be played."""
    from rulescript.claims import GameSource, run_examples
    from rulescript.loader import load_single

    try:
        source = GameSource(GameSource.load(where).base, load_single(f"rulescript 1\n{example}", "example").pieces)
        failures = [d for result in run_examples(source, only_extra=True) for d in result.failures]
    except Exception:  # it is a fault of the game, of which there may be others, that is to be told
        return False
    if check not in SHOWN:
        return not failures
    if check == "asked":
        return bool(failures)
    said = message.partition(" (")[0].partition("\n")[0]
    return any(said in failure.message for failure in failures)


def compare_hashes(play: Play, hashes: Sequence[str], trouble: str = "") -> tuple[str, Play] | None:
    """Where a play went another way elsewhere, as a sentence and the play up to there."""
    for number, (here, there) in enumerate(zip(play.hashes, hashes, strict=False)):
        if here != there:
            short = Play(play.seed, play.players, play.steps[:number], play.hashes[: number + 1])
            return f"another process has another position after {number} choices", short
    if trouble or len(hashes) != len(play.hashes):
        return f"another process cannot play the same choices: {trouble}", play
    return None


def _generate(plays: int, seed: int, one: Callable[[Any], None]) -> None:
    """Let Hypothesis make plays. The same seed makes the same ones."""
    import hypothesis
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    @hypothesis.seed(seed)
    @settings(
        max_examples=plays, deadline=None, database=None, phases=(Phase.generate,), print_blob=False,
        suppress_health_check=list(HealthCheck), derandomize=False, report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
    )  # fmt: skip
    @given(st.data())
    def test(data: Any) -> None:
        try:
            one(data.draw)
        except Broken as problem:
            # Past Hypothesis, straight to us: it would play a failure again to see whether it is flaky.
            raise _Stop(problem) from problem

    try:
        test()
    except _Stop as stop:
        if stop.problem is not None:
            raise stop.problem from None


class _Stop(BaseException):
    """No more plays: something broke, or the time is up."""

    def __init__(self, problem: Broken | None = None) -> None:
        super().__init__()
        self.problem = problem


def shorten(
    play: Play, check: str, again: Callable[[int, Sequence[str]], Broken | None], seconds: float = 20.0
) -> tuple[Play, str] | None:
    """A short play that breaks the same check, with what is said about it; None if it does not break again.

    Ever smaller parts are left out (a choice that is not possible without them is left out too), then a small
    seed is tried. Whatever was found when the time is up is given back."""
    until = time.monotonic() + seconds
    best: tuple[Play, str] | None = None

    def breaks(seed: int, keys: Sequence[str]) -> bool:
        nonlocal best
        problem = again(seed, keys)
        if problem is None or problem.check != check or problem.play is None:
            return False
        if (
            best is None
            or len(problem.play.steps) < len(best[0].steps)
            or (len(problem.play.steps) == len(best[0].steps) and seed < best[0].seed)
        ):
            best = problem.play, str(problem)
            return True
        return False

    if not breaks(play.seed, play.keys) or best is None:
        return None
    size = max(1, len(best[0].steps) // 2)
    while time.monotonic() < until:
        at, shorter = 0, False
        while at < len(best[0].steps) and time.monotonic() < until:
            keys = best[0].keys
            if breaks(best[0].seed, keys[:at] + keys[at + size :]):
                shorter = True
            else:
                at += size
        if size == 1 and not shorter:
            break
        if not shorter or size > len(best[0].steps):
            size = max(1, size // 2)
    for seed in range(8):
        if seed < best[0].seed and time.monotonic() < until:
            breaks(seed, best[0].keys)
    return best


def run_conformance(
    where: str | Path,
    *,
    plays: int = 20,
    seed: int = 0,
    pairs: bool = False,
    options: Iterable[str] | None = None,
    scenario: str | None = None,
    players: int | None = None,
    weights: Mapping[str, float] | None = None,
    limit: int = 20_000,
    closely: int = 100,
    seconds: float | None = None,
    shrink_seconds: float = 20.0,
    checks: Sequence[type[Check]] = ALL_CHECKS,
    processes: bool = True,
    keep: int = 2,
    exercised: Iterable[str] = (),
    begun: Callable[[Game, int], None] | None = None,
    progress: Progress | None = None,
    failed: Callable[[Failure], None] | None = None,
) -> Report:
    """Play a game at random and check it; never raises for what is wrong with the game.

    `plays` are made for each configuration; `options` and `scenario` play that one alone. `weights` steer the
    play by labels (`{"surrender": 0.02}`). A game longer than `limit` decisions counts as one that does not
    end. About the first `closely` decisions of the first play of a configuration get every check, later ones and
    those of other plays ever fewer. After `seconds` no new play is begun, a play that goes on is stopped, and no set of
    options is compiled for which there would not be enough of them; each configuration has its share. Twenty seconds
    later the run is stopped, whatever it is doing, if it is in the main thread and nobody else uses the system's alarm.
    `keep` plays of each configuration are played again in another process. `exercised` are the rules that examples put
    to the test, for the coverage. `begun` is told the game and how many configurations are to be played, `failed` every
    failure at once."""
    calls.path(where, "what to play")
    calls.whole(plays, "the number of plays", 1)
    calls.whole(seed, "a seed")
    calls.whole(limit, "the most decisions of a play", 1)
    seconds = calls.seconds(seconds, "the time to play") if seconds is not None else None
    options = calls.names(options, "the options") if options is not None else None
    scenario = calls.text(scenario, "a scenario") if scenario is not None else None
    began = time.monotonic()
    kit = _Kit(
        str(where), checks, limit, closely, dict(weights or {}), shrink_seconds,
        None if seconds is None else began + seconds, progress, failed,
    )  # fmt: skip
    report = kit.report
    chosen = options is not None or scenario is not None
    first = Configuration(tuple(sorted(set(options or ()))), scenario or "", players)
    try:
        with stopped_after(None if seconds is None else seconds + STOP):
            kit.run(first, chosen or players is not None, plays, seed, pairs, keep, processes, exercised, begun)
    except TimeUp:
        report.is_late = True
        report.notes[f"stopped when the time was up, while {kit.at}"] += 1
    finally:
        if kit.others is not None:
            kit.others.shutdown(wait=False, cancel_futures=True)
    report.failures = _once_each(report.failures)
    report.seconds = time.monotonic() - began
    return report


def _never_begun(game: Game, report: Report) -> list[InvariantUse]:
    return [
        InvariantUse(info.title, info.when, info.cites)
        for info in game.data.invariants
        if info.title not in report.invariants
    ]


def _text_of(where: str | Path) -> Any:
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    try:
        return load_text(where, Reporter())
    except RulescriptError:
        return None


def _once_each(failures: list[Failure]) -> list[Failure]:
    """The same failure in several configurations is told once, with the shortest play."""
    seen: dict[tuple[str, str], Failure] = {}
    for failure in failures:
        place = (failure.check, failure.message)
        known = seen.get(place)
        if known is None or len(failure.play.steps if failure.play else ()) < len(
            known.play.steps if known.play else ()
        ):
            seen[place] = failure
    return list(seen.values())
