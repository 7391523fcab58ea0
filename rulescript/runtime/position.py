"""A position: the flat state of any game, who has to decide and what, and how it came about.

`s` is the whole state (see compiler/layout.py). The decision is derived from it: running block `s[0]` again gives
the same options. So a clone is a copy of one list, a save is that list as JSON, and undo is an older list.

Generated code sees a position as `p` and uses five of its attributes: `d` and `o` (the decision's block and
options), `j` (events of this step, None when no journal is kept), `chance` (None: the position's own generator),
`ask` (also ask when there is only one option) and `watch` (called at ends of scopes by the tests).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript import calls
from rulescript.errors import BadChoice, RulescriptError, StepLimit
from rulescript.machine.support import WORK
from rulescript.runtime.workshop import workshop

if TYPE_CHECKING:
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.chance import ChanceNode, ChanceOption
    from rulescript.runtime.game import Game
    from rulescript.runtime.journal import Journal
    from rulescript.runtime.selections import Item, Selection
    from rulescript.runtime.views import View

__all__ = ["Decision", "Option", "Outcome", "Position"]

STEP_LIMIT = 200_000


@frozen
class Outcome:
    """How a game ended. `winners` are names of things (usually players); empty for a draw or no winner."""

    winners: tuple[str, ...]
    drawn: bool
    how: str
    cites: tuple[str, ...]

    @property
    def winner(self) -> str | None:
        return self.winners[0] if len(self.winners) == 1 else None

    def __str__(self) -> str:
        who = " and ".join(w.replace("_", " ") for w in self.winners)
        text = (
            f"{who} {'win' if len(self.winners) > 1 else 'wins'}"
            if who
            else "a draw"
            if self.drawn
            else "the game is over"
        )
        if self.how:
            text += f": {self.how}"
        return text + "".join(f" §{c}" for c in self.cites)


class Option:
    """One answer to a decision: a value. It knows no position, so any clone takes it.

    `key` is built from the rules' names; `text` is for people and made when first asked for."""

    __slots__ = ("key", "raw", "label", "flagged", "_words")

    def __init__(self, key: str, raw: Any, label: str, flagged: bool, words: Callable[[], str] | str) -> None:
        self.key = key
        self.raw = raw
        self.label = label
        self.flagged = flagged
        self._words: Callable[[], str] | str = words

    @property
    def text(self) -> str:
        if not isinstance(self._words, str):
            self._words = self._words()
        return self._words

    def __reduce__(self) -> tuple[Any, ...]:
        return Option, (self.key, self.raw, self.label, self.flagged, self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Option {self.key}>"


class Decision:
    """Somebody has to decide. `player` is the role, `seat` the number of the person who holds it."""

    def __init__(self, position: Position) -> None:
        game = position.game
        # Texts speak of the position as it is now, whatever becomes of it.
        frozen_state = list(position.s)
        info = game.data["decisions"][position.d]
        self.block = position.d
        self.name: str = info["choice"]
        self.procedure: str = info["procedure"]
        self.stage: int = info["stage"]
        self.sealed: bool = info["sealed"]
        self.phase: str = game.phase_of(frozen_state)
        self.cites: tuple[str, ...] = tuple(info["cites"])
        self.player_index: int = game.code["W"][position.d](position, frozen_state)
        self.player: str = game.player_names[self.player_index]
        self.seat: int = position.seat_of(self.player_index)
        self._position = position
        self._game = game
        self._state = frozen_state
        self._raw = position.o
        # Who asks to see every choice is asked for the rest of this one, too.
        self._whole = not position.ask
        self._options: list[Option] | None = None
        self._selections: tuple[Selection, ...] | None = None

    @property
    def options(self) -> list[Option]:
        if self._options is None:
            self._options = [
                self._game.option(self.block, raw, self._state, self._whole, self._raw) for raw in self._raw
            ]
        return self._options

    @property
    def selections(self) -> tuple[Selection, ...]:
        """The ways to answer that pick several at once, each with what can be picked in any order."""
        if self._selections is None:
            from rulescript.runtime.selections import selections_of

            self._selections = selections_of(self._game, self.block, self._state, self._raw)
        return self._selections

    @property
    def selection(self) -> Selection | None:
        """What can be picked, where the decision is (first of all) a choice of several; else None."""
        return self.selections[0] if self.selections else None

    @property
    def prompt(self) -> str:
        return self._game.prompt(self.block, self._state)

    @property
    def is_chance(self) -> bool:
        return False

    def __len__(self) -> int:
        return len(self._raw)

    def __repr__(self) -> str:
        return f"<Decision {self.player}: {self.procedure}.{self.name}, {len(self._raw)} options>"


class _Step:
    """What was decided before: the state before it, the answer, and what followed."""

    __slots__ = ("parent", "state", "block", "options", "raw", "key", "choice", "player", "events", "chance", "length")

    def __init__(self, position: Position, raw: Any) -> None:
        game, block = position.game, position.d
        self.parent = parent = position._tip
        # Never changed: a step is played in a copy.
        self.state = position.s
        self.block = block
        self.options = position.o
        self.raw = raw
        self.key: str = game.option(block, raw, position.s).key
        self.choice: str = game.data["decisions"][block]["choice"]
        self.player: int = game.code["W"][block](position, position.s)
        self.events: tuple[Any, ...] = ()
        self.chance: tuple[Any, ...] = ()
        self.length: int = parent.length + 1 if parent is not None else 1


class Position:
    """A position of a game. Made by `Game.start` or `Game.from_json`; changed by `choose` and `undo` alone."""

    def __init__(self, game: Game, state: list[Any], players: int, journal: bool) -> None:
        self.game = game
        self.s = state
        self.d = 0
        self.o: list[Any] = []
        self.j: list[Any] | None = game.events(self) if journal else None
        self.chance: Any = None
        self.ask = False
        self.watch: Any = None
        self.players = players
        self._tip: _Step | None = None
        self._opening: tuple[Any, ...] = ()
        self._drawn: tuple[Any, ...] = ()  # what chance settled before the first decision
        self._seed: int | None = None
        self._cached: Decision | ChanceNode | None = None
        self._pending: Any = None

    # -------------------------------------------------------------- running

    def run(self, block: Any) -> None:
        """Go on from a block until somebody has to decide or the game is over."""
        S = self.s
        self._cached = None
        WORK.done = 0
        try:
            for _ in range(STEP_LIMIT):
                block = block(self, S)
                if block is None:
                    if S[0] == 0:
                        self.d, self.o = 0, []
                    return
        except RulescriptError as problem:
            self.game.locate(problem)
            raise
        except Exception as problem:
            raise self.game.play_error(problem) from problem
        raise StepLimit("the rules went on for too long without asking anybody; they may never end")

    def go(self, raw: Any, given: Sequence[Any] = (), is_opening: bool = False) -> None:
        """Take a raw option, or begin: up to the next decision, to a node of chance, or to the end. `given` are
        outcomes of chance that are settled already.

        All of it happens in a copy, which takes this position's place when it is done, in one assignment. So
        whatever goes wrong, and wherever Ctrl-C breaks it off, the position is as it was."""
        work = self._working_copy()
        step = None if is_opening or self.j is None else _Step(self, raw)
        chance = work.chance
        if chance is not None:
            chance.begin(work, given)
        try:
            if is_opening:
                work.run(self.game.code["B"][self.game.data["start"]])
            else:
                work._continue(raw)
            if chance is not None:
                chance.end(work)
        except BaseException as problem:
            if chance is None:
                raise
            work = self._waiting_for(problem, chance, raw, is_opening)
        else:
            if is_opening:
                work._opening, work._drawn = tuple(work.j or ()), chance.outcomes() if chance is not None else ()
            elif step is not None:
                step.events, step.chance = tuple(work.j or ()), chance.outcomes() if chance is not None else ()
            work._done(step)
        self._become(work)

    def _working_copy(self) -> Position:
        """A copy to play a step in."""
        work = self._like(self.s[:])
        if self.j is not None:
            work.j = self.game.events(work)
        if self.chance is not None:
            work.chance = self.chance.fork()
        return work

    def _waiting_for(self, problem: BaseException, chance: Any, raw: Any, is_opening: bool) -> Position:
        """Where a step broke off only because chance has to be asked first: the position before it, asking."""
        from rulescript.runtime.chance import waits

        pending = waits(problem, chance, raw, is_opening)
        if pending is None:
            chance.broke_off(self)
            raise problem
        work = self._like(self.s)
        work._pending = pending
        return work

    def _done(self, step: _Step | None) -> None:
        """A step has come to its end."""
        if self.j is not None:
            self.j = []
        if step is not None:
            self._tip = step

    def _like(self, state: list[Any]) -> Position:
        """The same in all but its state, with nothing worked out or waiting."""
        other = Position.__new__(Position)
        other.__dict__ = self.__dict__.copy()
        other.s = state
        other._cached = other._pending = None
        return other

    def _become(self, other: Position) -> None:
        """Be what another position is: at once or not at all, whatever interrupts."""
        self.__dict__ = other.__dict__

    # -------------------------------------------------------------- looking

    @property
    def decision(self) -> Decision | ChanceNode | None:
        """Who has to decide what; None when the game is over."""
        if self._cached is None:
            if self._pending is not None:
                self._cached = self._pending.node(self)
            elif self.d:
                self._cached = Decision(self)
        return self._cached

    @property
    def is_over(self) -> bool:
        return self.d == 0 and self._pending is None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.s[2] is None:
            return None
        kind, winners, drawn, how, site = self.s[2]
        names = tuple(self.game.data["kinds"][kind]["names"][i] for i in winners) if kind else ()
        cites = tuple(self.game.data["sites"][site][1]) if site >= 0 else ()
        return Outcome(names, drawn, how, cites)

    @property
    def phase(self) -> str:
        return self.game.phase_of(self.s)

    def seat_of(self, player: int) -> int:
        for seat, roles in enumerate(self.game.seats(self.players)):
            if player in roles:
                return seat
        return player

    def value(self, name: str) -> Any:
        """A state by name (`turn`, `Mill.control`), as names; or what lies in a place, as a dict of counts."""
        return self.game.value(self.s, name)

    def state_hash(self) -> str:
        """A fingerprint of the whole state, the same in every process and on every machine."""
        whole = repr(self.s)
        if self._pending is not None:
            whole += repr((self._pending.is_opening, self._pending.raw, self._pending.outcomes))
        return hashlib.blake2b(whole.encode(), digest_size=12).hexdigest()

    def view(self, who: str | int) -> View:
        """What one role (by name) or seat (by number) may see."""
        from rulescript.runtime.views import View

        return View(self, who)

    def standing(self) -> dict[str, int]:
        """How far ahead each player is, as the game's `standing` says: higher is better. Empty if it does not say. All
        may know it, for it is worked out from what everybody sees."""
        return self.game.standing_of(self.s)

    @property
    def journal(self) -> Journal:
        """What happened, as events and as text."""
        from rulescript.runtime.journal import Journal

        return Journal(self)

    def why_not(self, what: str, player: str | None = None) -> Refusal:
        """Why something is not among the options: every failed requirement, with its rule and the values seen."""
        calls.text(what, "what to ask about")
        return workshop().why_not(self, what, player)

    def explain(self, what: str) -> Explanation:
        """How a value comes about: `pos.explain("dice(Mill)")`."""
        return workshop().explain(self, calls.text(what, "what to explain"))

    # -------------------------------------------------------------- choosing

    def choose(self, answer: Option | ChanceOption | Selection | str | int | Sequence[Item | Option | str]) -> Position:
        """Answer the decision: with an option, its index, its key or its text. Returns this position.

        Where several are chosen, a list (of items, options, keys, texts or words, in any order) or a selection with
        what was picked is all of the answer. An answer that is not legal raises BadChoice and changes nothing."""
        if self._pending is not None:
            self._pending.answer(self, answer)
            return self
        if not self.d:
            raise BadChoice("the game is over; there is nothing to choose")
        if isinstance(answer, str):
            from rulescript.runtime.answers import choose_text

            choose_text(self, answer)
            return self
        if not isinstance(answer, Option | int):
            from rulescript.runtime.answers import choose_several

            if choose_several(self, answer):
                return self
        self._take(self._raw_of(answer))  # type: ignore[arg-type]
        return self

    def _raw_of(self, answer: Option | ChanceOption | int) -> Any:
        if isinstance(answer, Option):
            if answer.raw in self.o:
                current = self.game.option(self.d, answer.raw, self.s)
                if current.key == answer.key:
                    return answer.raw
            for raw in self.o:
                if self.game.option(self.d, raw, self.s).key == answer.key:
                    return raw
            from rulescript.runtime.answers import no_such

            raise no_such(self, answer.key)
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise BadChoice(f"{answer!r} is no option; give an option, its index, its key or its text")
        if not 0 <= answer < len(self.o):
            said = answer if abs(answer) < 10**9 else "of that number"
            raise BadChoice(f"there is no option {said}; there are {len(self.o)}, counted from 0")
        return self.o[answer]

    def _take(self, raw: Any) -> None:
        self.go(raw)

    def _continue(self, raw: Any) -> None:
        S = self.s
        WORK.done = 0
        try:
            following = self.game.code["C"][self.d](self, S, raw)
        except RulescriptError as problem:
            self.game.locate(problem)
            raise
        except Exception as problem:
            raise self.game.play_error(problem) from problem
        if following is None:
            self._cached = None
            if S[0] == 0:
                self.d, self.o = 0, []
            return
        self.run(following)

    # -------------------------------------------------------------- back and forth

    def clone(self) -> Position:
        """An independent copy. What happened so far is shared, not copied."""
        other = Position.__new__(Position)
        other.__dict__ = self.__dict__.copy()
        other.s = self.s[:]
        other._cached = None
        if self.j is not None:
            other.j = []
        if self.chance is not None:
            other.chance = self.chance.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: the game, and what a save has."""
        return _unpickled, (self.game, self.to_json())

    def __copy__(self) -> Position:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.clone()

    @property
    def steps(self) -> int:
        """How many decisions were taken."""
        return self._tip.length if self._tip is not None else 0

    def undo(self, count: int = 1) -> Position:
        """Take back the last decision (or several). Whether a player may is another question: `can_undo`.

        A decision that waits for chance is the last one, with all that chance has settled of it."""
        if self.j is None:
            raise BadChoice("this position keeps no history, so nothing can be taken back (start it with journal=True)")
        calls.whole(count, "how many decisions to take back")
        if count < 0:
            raise BadChoice(f"{count} decisions cannot be taken back")
        waiting = self._pending is not None and not self._pending.is_opening
        last, tip = None, self._tip
        came_out: list[Any] = []
        for done in range(count):
            if done or not waiting:
                if tip is None:
                    raise BadChoice(f"only {done} decision{'s' if done != 1 else ''} can be taken back")
                last, tip = tip, tip.parent
                came_out += last.chance
        if count < 1:
            return self
        work = self._like(self.s if last is None else list(last.state))
        if last is not None:
            work.d, work.o = last.block, last.options
        work._tip = tip
        work.j = []
        if work.chance is not None:
            work.chance = work.chance.back(came_out)
        self._become(work)
        return self

    def can_undo(self, player: str | None = None) -> bool:
        """Whether the last decision may be taken back: it was this player's, and no die, draw or reveal followed.

        For a player, what happened out of their sight does not count: the answer would tell that it happened."""
        tip = self._tip
        if self.j is None:
            return False
        if self._pending is not None:
            return self._can_call_off(player)
        if tip is None:
            return False
        from rulescript.runtime.journal import Journal, reveals
        from rulescript.runtime.views import role_of

        role = role_of(self, player) if player is not None else None
        if role is not None and role != tip.player:
            return False
        if not self.is_over and self.game.code["W"][self.d](self, self.s) != tip.player:
            return False
        events = tip.events
        if role is not None and self.game.has_secrets:
            events = Journal(self, role).noticed(events, tip.state)
        elif tip.chance or tip.state[1] != self.s[1]:
            return False
        return not any(reveals(self.game, event) for event in events)

    def _can_call_off(self, player: str | None) -> bool:
        """Whether a decision that waits for chance may be taken back: chance has settled nothing of it yet."""
        from rulescript.runtime.views import role_of

        if self._pending.is_opening or self._pending.outcomes:
            return False
        return player is None or bool(role_of(self, player) == self.game.code["W"][self.d](self, self.s))

    def history(self) -> Iterator[_Step]:
        """The decisions taken, first to last."""
        steps: list[_Step] = []
        here = self._tip
        while here is not None:
            steps.append(here)
            here = here.parent
        return reversed(steps)

    # -------------------------------------------------------------- saving

    def to_json(self) -> str:
        """Everything, hidden things and the seed included: for a server or a save file, not for a client.
        What one player may have is `view(player).to_json()`."""
        from rulescript.runtime.saves import saved_text

        return saved_text(self)

    def __repr__(self) -> str:
        state = f"{self.outcome}" if self.is_over else f"{self.decision!r}"
        return f"<Position of {self.game.ident}: {state}>"


def _unpickled(game: Game, saved: str) -> Position:
    """A position from another process."""
    return game.from_json(saved)
