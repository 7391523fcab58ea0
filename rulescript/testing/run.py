"""A play under observation: `Run` plays, and tells its checks of every decision, step, end of a scope and the
end.

A check that finds something wrong raises `Broken` with a sentence; what is done about it (shrinking,
reporting) is left to others. Which steps get a close look depends on the number of the step alone, so that a
failure comes back when the same choices are made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from attrs import evolve

from rulescript.errors import BadChoice, PlayError, RulescriptError, StepLimit
from rulescript.runtime.plain_steps import step_plainly
from rulescript.testing.walk import Play, Step

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position
    from rulescript.testing.coverage import Reached

__all__ = ["Broken", "Check", "InvariantUse", "Run", "bare", "step_of"]


class Broken(RulescriptError):
    """Something that every game must keep was not kept. `extra` is an option that was only tried, not
    taken."""

    def __init__(self, check: str, message: str, extra: Step | None = None) -> None:
        super().__init__(message)
        self.check = check
        self.extra = extra
        self.play: Play | None = None
        self.closely = 1  # how closely the play was looked at


class InvariantUse:
    """How often an invariant was evaluated, and whether anything it looks at had changed since the start."""

    __slots__ = ("title", "when", "cites", "evaluations", "tested", "broken")

    def __init__(self, title: str, when: str, cites: Iterable[str]) -> None:
        self.title = title
        self.when = when
        self.cites = tuple(cites)
        self.evaluations = 0
        self.tested = 0
        self.broken = 0


class Check:
    """One thing that must hold. Subclasses look where they want to."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""

    def begin(self, run: Run) -> None:
        """The first decision stands (or the game is over at once)."""

    def decision(self, run: Run, decision: Decision) -> None:
        """Somebody is asked; nothing is chosen yet."""

    def step(self, run: Run, before: Position, option: Option) -> None:
        """An option was taken; `before` is a clone from before it."""

    def end(self, run: Run) -> None:
        """The game is over."""

    def scope(self, run: Run, position: Position, scope: str) -> None:
        """A phase or procedure is over whose end an invariant waits for."""

    def fail(self, message: str, extra: Step | None = None) -> NoReturn:
        raise Broken(self.name, message, extra)


class Run:
    """One play under observation."""

    def __init__(
        self,
        game: Game,
        seed: int,
        players: int | None,
        walker: Any,
        checks: Iterable[type[Check]],
        *,
        limit: int = 20_000,
        closely: int = 150,
        invariants: dict[str, InvariantUse] | None = None,
        reached: Reached | None = None,
        counted: Counter[str] | None = None,
        notes: Counter[str] | None = None,
        memory: dict[Any, Any] | None = None,
        is_late: Callable[[], bool] | None = None,
    ) -> None:
        self.game = game
        self.play = Play(seed, players)
        self.walker = walker
        self.checks = [check() for check in checks]
        self.limit = limit
        self.closely = max(1, closely)
        self.invariants = invariants if invariants is not None else {}
        self.reached = reached
        self.counted: Counter[str] = counted if counted is not None else Counter()
        self.notes: Counter[str] = notes if notes is not None else Counter()
        # What checks want to remember from one play of a game to the next.
        self.memory: dict[Any, Any] = memory if memory is not None else {}
        # Asked at every decision whether the time is up: a play is stopped there, and is none that went wrong.
        self.is_late = is_late
        self.number = 0
        self.position: Position

    @property
    def is_close(self) -> bool:
        """Whether this step gets the expensive checks: all at first, then ever fewer."""
        stride = 1 + self.number // self.closely
        return self.number % stride == 0

    @property
    def is_rare(self) -> bool:
        """Whether this step gets the checks that cost as much as the whole play so far."""
        return self.number < 4 or self.number & (self.number - 1) == 0

    def go(self) -> Run:
        """Play to the end of the game, of the walker or of our patience. Raises Broken with the play so
        far."""
        try:
            self._go()
        except Broken as problem:
            problem.play = self.play
            problem.closely = self.closely
            if problem.extra is not None:
                self.play.steps.append(problem.extra)
            raise
        return self

    def _go(self) -> None:
        self._guard(self._start)
        position = self.position
        self._guard(self._at_begin)
        while True:
            decision: Any = position.decision
            if decision is None:
                break
            self.play.hashes.append(position.state_hash())
            if self.number >= self.limit:
                raise Broken("ends", f"the game is not over after {self.limit} decisions (phase {position.phase!r})")
            if self.is_late is not None and self.is_late():
                return
            if not len(decision):
                raise Broken("dead-ends", f"{decision.player} must decide `{decision.name}` but has no option")
            self._guard(lambda decision=decision: self._at_decision(decision))
            index = self.walker.pick(position, decision)
            if index is None:
                return
            option = decision.options[index]
            self._take(decision, option)
            self.number += 1
        self.play.over = True
        self.play.hashes.append(position.state_hash())
        if position.outcome is None:
            raise Broken("ends", "nobody is asked any more, but the game has no outcome")
        self._guard(self._at_end)

    def _guard(self, what: Any) -> None:
        """Run something; what goes wrong in it that is no finding of a check's own becomes one."""
        try:
            what()
        except Broken:
            raise
        except StepLimit as problem:
            raise Broken("ends", str(problem)) from problem
        except PlayError as problem:
            raise Broken("rules", str(problem)) from problem
        except Exception as problem:
            raise Broken("engine", f"{type(problem).__name__}: {problem}") from problem

    def _start(self) -> None:
        position = self.game.empty(self.play.seed, self.play.players)
        position._origin = evolve(position._origin, seed=self.play.seed)
        position.watch = self._watch
        self.position = position
        step_plainly(position, None, is_opening=True)

    def _watch(self, position: Position, scope: str) -> None:
        """Called by the rules at the end of a phase or procedure whose end an invariant waits for."""
        for check in self.checks:
            check.scope(self, position, scope)

    def _at_begin(self) -> None:
        if self.reached is not None:
            self.reached.events(self.game, self.position._opening)
        for check in self.checks:
            check.begin(self)

    def _at_decision(self, decision: Decision) -> None:
        if self.reached is not None:
            self.reached.decision(self.game, decision)
        for check in self.checks:
            check.decision(self, decision)

    def _take(self, decision: Decision, option: Option) -> None:
        position = self.position
        before = position.clone()
        before.watch = None
        step = step_of(decision, option)
        try:
            position.choose(option)
        except Broken as problem:
            problem.extra = problem.extra or step
            raise
        except BadChoice as problem:
            raise Broken("accepted", f"the option `{option.key}` was refused: {problem}", step) from problem
        except StepLimit as problem:
            raise Broken("ends", str(problem), step) from problem
        except PlayError as problem:
            raise Broken("rules", str(problem), step) from problem
        except Exception as problem:
            raise Broken("engine", f"{type(problem).__name__}: {problem}", step) from problem
        self.play.steps.append(step)
        if self.reached is not None and position._tip is not None:
            self.reached.events(self.game, position._tip.events)
            self.reached.taken(self.game, decision, option)
        for check in self.checks:
            self._guard(lambda check=check: check.step(self, before, option))

    def _at_end(self) -> None:
        for check in self.checks:
            check.end(self)


def step_of(decision: Decision, option: Option) -> Step:
    name = f"{decision.procedure}.{decision.name}"
    return Step(decision.player, name, option.key, option.text, decision.stage)


def bare(position: Position) -> Position:
    """A clone that tells nobody about ends of scopes."""
    other = position.clone()
    other.watch = None
    return other
