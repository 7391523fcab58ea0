"""Playing an example: laying out its position, then its lines one after the other.

Every choice is asked for, also one with a single option; the player of the script takes those itself, as
the engine would have, unless the next line names it. So `dice` after a forced choice belong to that choice,
and a script may mention what was forced or leave it out.

How play begins is in `beginning.py`, how it goes on to a phase in `run_to.py`, what is asked in `asks.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulescript.claims import steps as s
from rulescript.claims.asks import check_asks, is_asked, known_choice
from rulescript.claims.beginning import call_procedure, enter_phase, park
from rulescript.claims.chance import Missing, Pending, Script
from rulescript.claims.evaluate import ExampleEvaluator
from rulescript.claims.given import Layouter
from rulescript.claims.names import Names
from rulescript.claims.objections import Objections, options_hint
from rulescript.claims.positions import keep_invariants, scope_ended
from rulescript.claims.problems import ClaimFails, ClaimProblem, ClaimUnclear
from rulescript.claims.run_to import LONGEST, blocks_of, run_to
from rulescript.errors import BadChoice, RulescriptError
from rulescript.runtime.answers import find_answer, unsaid_by
from rulescript.runtime.choice_words import choice_called
from rulescript.runtime.game import seeded
from rulescript.runtime.line_sense import Path
from rulescript.runtime.one_choice import after_part
from rulescript.runtime.position import Position
from rulescript.runtime.value_words import Unclear
from rulescript.source import Span
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option

__all__ = ["Table"]

# So many beginnings of a game are remembered.
MOST_SET_UPS = 16


@frozen
class _SetUp:
    """What playing up to the first decision, or to a phase, came to; without the game, which it must not keep alive."""

    state: list[Any]
    decision: int
    options: Any
    origin: Any
    parked: int
    passed: set[int]
    entered: set[int]


# By game; then the number of players, the dice to come, whether invariants were looked at, and the phase.
_set_ups: WeakKeyDictionary[Game, dict[tuple[Any, ...], _SetUp]] = WeakKeyDictionary()


class Table:
    """The table an example is played at: the position and what has happened so far."""

    def __init__(
        self, game: Game, evaluator: ExampleEvaluator, players: int | None = None, can_stop: bool = True
    ) -> None:
        self.can_stop = can_stop
        self.game = game
        self.evaluator = evaluator
        self.names = Names.of(game, evaluator)
        self.script = Script(self.names)
        self.position = self._empty(players)
        self.parked = 0
        self.has_arrived = False
        self.asked: list[tuple[str, set[str]]] = []
        self.cites: set[str] = set()
        self.has_run = False
        self._never: list[Span] = []
        self._settles = True
        self.has_arrived = False
        self._start: s.At | s.Run | None = None
        # Whether the game's invariants must hold in what is played: the position is the game's own.
        self._keeps = False
        # Decisions that were passed over for lack of options since the last line that somebody decided.
        self.passed: set[int] = set()
        # Where the table stood before each forced choice that was taken after the last line of a block, and where it
        # stands since: a line of the next block may still name one of them.
        self._taken: list[tuple[Any, ...]] = []
        self._stands: list[Any] = []
        self.objections = Objections(self)

    def _empty(self, players: int | None) -> Position:
        position = self.game.empty(0, players)
        position.s[0] = 0
        return position

    # -------------------------------------------------------------- laying out

    def lay_out(self, base: str, layers: Sequence[Sequence[s.Change]], span: Span, first: Sequence[Pending]) -> None:
        """The position of a `given`: each layer changes what the one before it gives. `first` are lines of chance a
        set-up may use."""
        changes = [change for layer in layers for change in layer]
        starts = [c for c in changes if isinstance(c, s.At | s.Run)]
        start = starts[-1] if starts else None
        seed = next((c.number for c in reversed(changes) if isinstance(c, s.Seed)), 0)
        position = self.position
        position.s[1] = seeded(seed)
        if base == "setup" and all(isinstance(c, s.At | s.Run | s.Seed) for c in changes):
            self._keeps = True
            position.watch = partial(scope_ended, self)
        if base == "setup":
            self._set_up(start, span, first)
        layouter = Layouter(self.names, position, base)
        for layer in layers:
            layouter.apply(layer)
        self._note_what_holds()
        position.ask = True
        position.chance = self.script
        self._start = start
        if start is None and base == "setup" and position.s[0]:
            self._again(position.s[0])

    def _set_up(self, start: s.At | s.Run | None, span: Span, first: Sequence[Pending]) -> None:
        """Play from the beginning to the first decision, or to where the phase begins that play is to start
        with."""
        position = self.position
        position.chance = self.script
        position.s[0] = self.game.data.start
        self.script.load(first, span, is_open=True)
        blocks = [self.names.phase_entry(start.phase)] if isinstance(start, s.At) else []
        # Many examples begin alike. What an example's own dice decide is played; the rest only once.
        known = _set_ups.setdefault(self.game, {})
        key = (position.players, position.s[1], self._keeps, *blocks)
        found = known.get(key) if not first else None
        entered = self.game.code["ENTERED"]
        if found is None:
            before = set(entered)
            entered.clear()
            try:
                with park(self.game, blocks):
                    self.run(self.game.code["B"][self.game.data.start], span)
                if not first and len(known) < MOST_SET_UPS:
                    known[key] = _SetUp(
                        list(position.s), position.d, position.o, position._origin, self.parked, set(self.passed),
                        set(entered),
                    )  # fmt: skip
            finally:
                entered |= before
            return
        position.s[:] = found.state
        position.d, position.o, position._origin = found.decision, found.options, found.origin
        self.parked, self.has_run = found.parked, True
        self.passed |= found.passed
        entered |= found.entered

    def _again(self, block: int) -> None:
        """Ask again what was being asked, as the position is now."""
        self.position._cached = None
        self.position.run(self.game.code["B"][block])

    def _note_what_holds(self) -> None:
        """What a `whenever` waits for and is so already does not happen again."""
        model = self.evaluator.model
        first = self.game.data.locals_start
        for number, rule in enumerate(model.whenevers):
            try:
                if rule.var is not None and rule.source is not None:
                    mask = 0
                    for value in self.evaluator.refs(rule.source, self.position.s):
                        if self.evaluator.holds(rule.condition, self.position.s, {rule.var.ident: value}):
                            mask |= 1 << value
                    self.position.s[first + number] = mask
                else:
                    self.position.s[first + number] = self.evaluator.holds(rule.condition, self.position.s)
            except (RulescriptError, ArithmeticError, TypeError, LookupError):
                continue  # a rule that cannot be worked out will say so when it is played

    def begin(self, pending: Sequence[Pending], span: Span, entries: Sequence[s.Entry] = ()) -> None:
        """Let the phase or procedure begin that the example starts with."""
        start, self._start = self._start, None
        if start is None:
            return
        self.script.load(pending, start.span)
        if isinstance(start, s.At):
            enter_phase(self, self.names.phase_entry(start.phase), start.span, entries)
        else:
            call_procedure(self, start.call)

    def run(self, block: Any, span: Span) -> None:
        """Go on from a block; what happens is added to the story."""
        position = self.position
        before = list(position.s)
        self.script.begin(position)
        self.has_run = True
        self.game.code["PASSED"].clear()
        try:
            position.run(block)
        except ClaimProblem:
            position.s[:] = before
            raise
        except RulescriptError as problem:
            raise ClaimFails(f"the rules went wrong: {problem}", span) from problem
        events = tuple(position.j or ())
        position.j = []
        if position._tip is None:
            position._origin = evolve(position._origin, opening=(*position._opening, *events))
        else:
            position._tip.events = (*position._tip.events, *events)
        self.note_park()

    def note_park(self) -> None:
        """After every step: whether play is parked, and what was passed over in it."""
        position = self.position
        self.passed |= self.game.code["PASSED"]
        if self._keeps:
            keep_invariants(self)
        self.parked = position.s[0] if not position.d and position.s[0] and position.s[2] is None else 0

    # -------------------------------------------------------------- where we are

    def decision(self) -> Decision | None:
        found = self.position.decision
        return found if found is None or not found.is_chance else None  # type: ignore[return-value]

    def is_forced(self) -> bool:
        decision = self.decision()
        if decision is None or len(self.real_options(decision)) != 1:
            return False
        # Of several, the first may leave no choice where how many there will be is open.
        selection = decision.selection
        return selection is None or selection.is_exact or bool(selection.before) or selection.is_settled

    def is_asked_anyway(self) -> bool:
        """Whether a choice with one option is asked all the same, so as not to tell what is hidden."""
        trial = self.position.clone()
        trial.j, trial.ask = None, False
        block = trial.d
        try:
            trial.run(self.game.code["B"][block])
        except (RulescriptError, ClaimProblem):
            return False  # it went on without asking
        return trial.d == block and trial.s == self.position.s

    def waiting_hint(self) -> str | None:
        """Who is asked where a claim failed: what was expected may only be so after the answer. A choice that is
        asked although one answer is left surprises most."""
        decision = self.decision()
        if decision is None or self.parked:
            return None
        if not self.is_forced():
            return f"{self.told(decision)} here"
        only = self.real_options(decision)[0].text
        return f"{self.told(decision)}, and only `{only}` is left: a line for it goes on from here"

    @staticmethod
    def real_options(decision: Decision) -> list[Option]:
        return [o for o in decision.options if not o.flagged]

    def choice_words(self, decision: Decision) -> set[str]:
        """The names a decision goes by: of the choice, its alternatives, its rule."""
        info = self.game.data.decisions[decision.block]
        names = {decision.name, decision.procedure, f"{decision.procedure}.{decision.name}"}
        names |= {a.label for a in info.alts}
        return {" ".join(words(x)) for x in names}

    def told(self, decision: Decision | None) -> str:
        """Who is asked what, for messages."""
        if decision is None:
            if self.position.outcome is not None and self.position.outcome.how != "":
                return f"the game is over ({self.position.outcome})"
            return "nobody is asked anything"
        return f"{decision.player} is asked `{choice_called(self.game, decision.block)}`"

    def no_play(self, span: Span) -> ClaimProblem:
        if not self.has_run:
            return ClaimUnclear(
                "the example does not say where play is",
                span,
                "nobody is asked anything yet",
                "add `at` and a phase to its `given`, or `run` and a procedure",
            )
        return ClaimFails(f"{self.told(None)} here", span)

    # -------------------------------------------------------------- going back

    def save(self) -> tuple[Any, ...]:
        return (
            self.position.clone(),
            self.parked,
            list(self.asked),
            set(self.passed),
            [list(p.left) for p in self.script.pending],
            list(self.script.pending),
        )

    def restore(self, saved: tuple[Any, ...]) -> None:
        position, self.parked, self.asked, self.passed, lefts, pending = saved
        self.position = position.clone()
        self.position.chance = self.script
        self.script.pending = pending
        for entry, left in zip(pending, lefts, strict=True):
            entry.left = list(left)

    # -------------------------------------------------------------- playing lines

    def play(self, entries: Sequence[s.Entry], pending: dict[int, Pending], span: Span, settle: bool = True) -> None:
        """The lines of a play block. `pending` has what is left of its lines of chance, by their number.

        With `settle`, what leaves no choice after the last line is taken too."""
        self._never = []
        self._settles = settle
        entries = list(entries)  # sealed answers may change places
        self._go_back_for(entries)
        self.begin(self.window(entries, pending, 0), span, entries)
        at = 0
        while True:
            at = self._skip_used(entries, pending, at)
            if at >= len(entries):
                break
            at = self._entry(entries, pending, at)
        self.script.load((), span)
        self._taken = []
        if settle and not self.parked:
            self.settle(entries, pending, at, span)
        self._stands = list(self.position.s)
        self._never = []
        self._settles = True

    def _go_back_for(self, entries: Sequence[s.Entry]) -> None:
        """A line for a forced choice may be written or left out. Where a block begins with one that was taken when the
        block before it ended, play goes on from there."""
        first = next((entry for entry in entries if not isinstance(entry, s.NeverAsks)), None)
        before, self._taken = self._taken, []
        if not isinstance(first, s.Say) or not before or self.position.s != self._stands:
            return
        decision = self.decision()
        if decision is not None and self.names_it(first, decision):
            return
        saved = self.save()
        for earlier in before:
            self.restore(earlier)
            decision = self.decision()
            if decision is not None and self.names_it(first, decision):
                return
        self.restore(saved)

    @staticmethod
    def window(entries: Sequence[s.Entry], pending: dict[int, Pending], at: int) -> list[Pending]:
        """The lines of chance that follow at once."""
        out: list[Pending] = []
        while at < len(entries) and isinstance(entries[at], s.Chance | s.NeverAsks):
            if at in pending:
                out.append(pending[at])
            at += 1
        return out

    @staticmethod
    def _skip_used(entries: Sequence[s.Entry], pending: dict[int, Pending], at: int) -> int:
        while at < len(entries) and at in pending and pending[at].is_used:
            at += 1
        return at

    @contextmanager
    def up_to(self, entries: Sequence[s.Entry], at: int) -> Iterator[None]:
        """While this lasts, play stops where the phase begins that the next line runs to, if that is what it says:
        what a line brings about must not go past it."""
        while at < len(entries) and isinstance(entries[at], s.Chance | s.NeverAsks):
            at += 1
        entry = entries[at] if at < len(entries) else None
        blocks = blocks_of(self, entry) if isinstance(entry, s.RunTo) else []
        with park(self.game, blocks):
            yield
        self.has_arrived = self.parked in blocks

    def _take_line(self, path: Path, entries: Sequence[s.Entry], pending: dict[int, Pending], at: int) -> None:
        """Take what line `at` says, with the chance that stands below it."""
        self.passed = set()
        with self.up_to(entries, at + 1):
            self.take(path, self.window(entries, pending, at + 1), entries[at].span)

    def _sealed_first(self, entries: list[s.Entry], at: int) -> None:
        """Sealed answers are given at once, so their lines may stand in any order: the line of whoever happens to
        be asked first is brought forward."""
        decision = self.decision()
        if decision is None or not decision.sealed:
            return
        for later in range(at, len(entries)):
            said = entries[later]
            if not isinstance(said, s.Say) or said.player is None:
                return
            if self.names.player(said.player) == decision.player_index:
                entries.insert(at, entries.pop(later))
                return

    def _entry(self, entries: list[s.Entry], pending: dict[int, Pending], at: int) -> int:
        entry = entries[at]
        match entry:
            case s.NeverAsks(name=name):
                known_choice(self, name)
                self._never.append(name)
                self.look()
                return at + 1
            case s.RunTo():
                run_to(self, entry, entries, pending, at)
                return at + 1
        self._resume(self.window(entries, pending, at), entry.span)
        at = self.settle(entries, pending, at, entry.span)
        at = self._skip_used(entries, pending, at)
        if at >= len(entries) or entries[at] is not entry:
            return at
        match entry:
            case s.Asks():
                check_asks(self, entry)
                return at + 1
            case s.Say():
                self._take_line(self._answer(entry), entries, pending, at)
                return at + 1
            case s.Chance() if pending[at].used:
                raise pending[at].too_many()
            case s.Chance():
                used, verb = pending[at].told(), "are" if isinstance(entry, s.Dice) else "is"
                raise ClaimFails(
                    f"{used} {verb} not used: {self.told(self.decision())}",
                    entry.span,
                    "not used",
                    self._draw_hint(entry),
                )
        raise AssertionError(entry)

    def _draw_hint(self, entry: s.Entry) -> str | None:
        ordered = any(h.is_ordered for h in self.game.data.holds)
        if isinstance(entry, s.Draw) and ordered:
            return "an ordered place is drawn from the top: lay its order down in `given`"
        return None

    def resume(self, span: Span) -> None:
        """Go on to the next decision, with no dice."""
        self.begin((), span)
        self._resume((), span)

    def _resume(self, window: Sequence[Pending], span: Span) -> None:
        if self.parked:
            block, self.parked = self.parked, 0
            self.script.load(window, span)
            self.run(self.game.code["B"][block], span)

    def settle(self, entries: Sequence[s.Entry], pending: dict[int, Pending], at: int, span: Span) -> int:
        """Take what leaves no choice, up to the next real decision. A line that names it is used up by it."""
        for _ in range(LONGEST):
            at = self._skip_used(entries, pending, at)
            if isinstance(entries, list):
                self._sealed_first(entries, at)
            decision = self.decision()
            if decision is None or not self.is_forced():
                break
            entry = entries[at] if at < len(entries) else None
            if isinstance(entry, s.RunTo):
                break
            if (entry is None or (isinstance(entry, s.Asks) and not entry.negated)) and self.is_asked_anyway():
                break
            only = self.real_options(decision)[0]
            forced: Path = ((decision.block, only.raw),)
            if not isinstance(entry, s.Say) and self._is_half_forced(decision, only.raw):
                break
            if isinstance(entry, s.Say) and self.names_it(entry, decision):
                if self._is_about_later(entry, entries, pending, at, forced):
                    self.take(forced, (), span)
                    continue
                self._take_line(self._answer(entry), entries, pending, at)
                at += 1
                if self.has_arrived:
                    return at
                if at >= len(entries) and not self._settles:
                    break
                continue
            if at >= len(entries):
                self._taken.append(self.save())
            try:
                self.take(forced, self.window(entries, pending, at), span)
            except Missing:
                if at < len(entries):
                    raise
                break  # dice that the lines of this block have nothing to do with: they wait for a line
        self.look()
        return at

    def _is_half_forced(self, decision: Decision, raw: Any) -> bool:
        """Whether several are picked, and the first of them leaves no choice but the others do: the lines that
        follow may name them all."""
        info = self.game.data.decisions[decision.block]
        onward = after_part(self.position, raw, info) if info.is_many and not info.stage else None
        while onward is not None and len(onward.o) == 1:
            onward = after_part(onward, onward.o[0], self.game.data.decisions[onward.d])
        return onward is not None

    def names_it(self, entry: s.Say, decision: Decision) -> bool:
        if entry.player is not None and self.names.player(entry.player) != decision.player_index:
            return False
        try:
            found = find_answer(self.position, entry.words.text)
        except BadChoice:
            return False
        if not found:
            return False
        # Beside a choice that play does not stop at, nothing else can be done either.
        is_aside = any(option.flagged and option.raw == found[0][1] for option in decision.options)
        return not (is_aside and self.is_forced() and not self.is_asked_anyway())

    def _is_about_later(
        self, entry: s.Say, entries: Sequence[s.Entry], pending: dict[int, Pending], at: int, forced: Path
    ) -> bool:
        """Whether a line that names a forced choice is meant for the real one that follows it: it must name
        that one no worse (`stop` is another word for declining, but first of all it is `stop`)."""
        saved = self.save()
        here = unsaid_by(self.position, entry.words.text)
        never, self._never = self._never, []
        try:
            self.take(forced, (), entry.span)
            for _ in range(LONGEST):
                decision = self.decision()
                if decision is None:
                    return False
                if not self.is_forced():
                    later = unsaid_by(self.position, entry.words.text)
                    fits = here is None or (later is not None and later <= here)
                    return fits and self.names_it(entry, decision)
                if self.names_it(entry, decision) is False:
                    self.take(((decision.block, self.real_options(decision)[0].raw),), (), entry.span)
                    continue
                # A later forced choice: look at it again when it comes, unless the next line is for that one.
                following = next((each for each in entries[at + 1 :] if isinstance(each, s.Say)), None)
                return following is None or not self.names_it(following, decision)
            return False
        except ClaimProblem:
            return False
        finally:
            self._never = never
            self.restore(saved)

    def look(self) -> None:
        """Note the decision that is asked, and see whether it was never to be asked."""
        decision = self.decision()
        if decision is None or self.is_forced():
            return
        names = self.choice_words(decision)
        self.asked.append((decision.player, names))
        for span in self._never:
            if is_asked(self, span, decision):
                raise ClaimFails(f"{self.told(decision)}, which was never to be asked", span, "asked here")

    def take(self, path: Path, window: Sequence[Pending], span: Span) -> None:
        self.script.load(window, span)
        self.has_run = True
        self.game.code["PASSED"].clear()
        for block, raw in path:
            decision = self.decision()
            if decision is not None:
                self.cites.update(decision.cites)
            if self.position.d != block:
                continue
            try:
                self.position._take(raw)
            except ClaimProblem:
                raise
            except RulescriptError as problem:
                raise ClaimFails(f"the rules went wrong: {problem}", span) from problem
        self.note_park()

    # -------------------------------------------------------------- what a line means

    def _answer(self, entry: s.Say) -> Path:
        """The answers that a player's line gives; ClaimFails if it gives none."""
        decision = self.decision()
        if decision is None:
            raise self.no_play(entry.span)
        if entry.player is not None and self.names.player(entry.player) != decision.player_index:
            raise ClaimFails(
                f"{self.told(decision)} here, not {entry.player.text}",
                entry.player,
                f"{decision.player} has to decide",
                options_hint(decision, entry.words.text),
            )
        try:
            found = find_answer(self.position, entry.words.text)
        except Unclear as problem:
            raise ClaimFails(str(problem.message), entry.words, "which one?", "say more") from problem
        if found is None:
            raise self.objections.cannot(decision, entry.words)
        return found
