"""A position: the flat state of any game, who has to decide and what, and how it came about.

The state is one list (see compiler/layout.py). The decision is derived from it: running block number 0 of it again
gives the same options. Such a list is never changed once a step has been played: a step is played in a copy, which
then takes its place. So a clone shares it, undo is an older one, and a save is one as JSON.

Mostly a step is played in the game's quickest form (runtime/forms.py), with nobody writing down what happens. Whoever
reads the journal has the step played once more, in the plain form: the same state and the same answer lead the same
way. Only where chance is told what to do, or somebody looks on, is it all done at once, with the position as `p`:
generated code then uses its attributes `d` and `o` (the decision's block and options), `j` (events of this step, None
when no journal is kept), `chance` (None: the position's own generator), `ask` (also ask when there is only one option)
and `watch` (called at ends of scopes by the tests).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rulescript import calls
from rulescript.errors import BadChoice, RulescriptError, StepLimit
from rulescript.machine.effort import WORK
from rulescript.phrases import is_plural, listed
from rulescript.runtime.events import reveals
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import STEP_LIMIT, Form, Playing, run_on
from rulescript.runtime.options import Decision, Option, Options, OptionsByName, options_of
from rulescript.runtime.past import Origin, Step
from rulescript.runtime.plain_steps import again_at, run_in_place, step_plainly
from rulescript.runtime.readings import phase_of, standing_of, value_of
from rulescript.runtime.workshop import workshop

if TYPE_CHECKING:
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.chance import ChanceNode, ChanceOption
    from rulescript.runtime.game import Game
    from rulescript.runtime.journal import Journal
    from rulescript.runtime.selections import Item, Selection
    from rulescript.runtime.views import View

__all__ = ["STEP_LIMIT", "Decision", "Option", "Options", "Outcome", "Position"]


@frozen
class Outcome:
    """How a game ended. `winners` are names of things (usually players); empty for a draw or no winner."""

    winners: tuple[str, ...]
    drawn: bool
    how: str
    cites: tuple[str, ...]
    labels: tuple[str, ...] = ()  # what the winners are called

    @property
    def winner(self) -> str | None:
        return self.winners[0] if len(self.winners) == 1 else None

    def __str__(self) -> str:
        return self._said([w.replace("_", " ") for w in self.winners], len(self.winners) > 1) + "".join(
            f" §{c}" for c in self.cites
        )

    @property
    def words(self) -> str:
        """The same as people say it: winners by what they are called, and no rules."""
        return self._said(self.labels, len(self.labels) > 1 or is_plural("".join(self.labels)))

    def _said(self, names: Sequence[str], are_several: bool) -> str:
        if names:
            text = f"{listed(names)} {'win' if are_several else 'wins'}"
        else:
            text = "a draw" if self.drawn else "the game is over"
        return f"{text}: {self.how}" if self.how else text


def _apart_from_the_quick_way(slot: str) -> Any:
    """A property of a position that closes the quick way when it is set."""

    def close(position: Position, value: Any) -> None:
        setattr(position, slot, value)
        position._form = None

    return property(attrgetter(slot), close)


class Position:
    """A position of a game. Made by `Game.start` or `Game.from_json`; changed by `choose` and `undo` alone."""

    __slots__ = (
        "__weakref__", "_ask", "_cached", "_chance", "_form", "_mine", "_origin", "_pending", "_s", "_tip", "_watch",
        "d", "game", "j", "o",
    )  # fmt: skip

    w = 0  # the plain form counts all work elsewhere

    def __init__(self, game: Game, state: list[Any], players: int, journal: bool) -> None:
        self.game = game
        self._s = state
        self._mine: list[Any] | None = state
        # The search form, where the state is known to be one of its own and nobody asks for more than it can do.
        self._form: Form | None = None
        self.d = 0
        self.o: list[Any] = []
        self.j: list[Any] | None = [] if journal else None
        self._chance: Any = None
        self._ask = False
        self._watch: Any = None
        self._origin = Origin(players)
        self._tip: Step | None = None
        self._cached: Decision | ChanceNode | None = None
        self._pending: Any = None

    # -------------------------------------------------------------- its parts

    @property
    def s(self) -> list[Any]:
        """The whole state, in the plain form, as a list that is this position's own."""
        if self._mine is not self._s:
            self._form, self._mine = None, self._s[: self.game.size]
            self._s = self._mine
        return self._s

    @s.setter
    def s(self, state: list[Any]) -> None:
        self._form, self._mine = None, state
        self._s = state

    # What the search form cannot do: a state is played on in the plain form once one of these is set.
    chance = _apart_from_the_quick_way("_chance")
    ask = _apart_from_the_quick_way("_ask")
    watch = _apart_from_the_quick_way("_watch")

    @property
    def players(self) -> int:
        return self._origin.players

    @property
    def _opening(self) -> tuple[Any, ...]:
        """What happened before the first decision."""
        if isinstance(self._origin.opening, list):
            again = again_at(self.game, self._origin.opening, False)
            again.run(self.game.code["B"][self.game.data.start])
            events, again.j = tuple(again.j or ()), None
            self._origin = evolve(self._origin, opening=events)
        return tuple(self._origin.opening)

    # -------------------------------------------------------------- running

    def run(self, block: Any) -> None:
        """Go on from a block, in the position itself, until somebody has to decide or the game is over."""
        run_in_place(self, lambda S: block)

    def _take(self, raw: Any) -> None:
        """Take a raw option of the decision, listed or not: up to the next one, to a node of chance, or to the end."""
        self.choose(options_of(self.game, self.d, self._s, self.o, True).option(raw))

    def begin(self, given: Sequence[Any] = (), plainly: bool = False) -> None:
        """Play to the first decision. `given` are outcomes of chance that are settled already."""
        if self.chance is not None or self.watch is not None or self.ask:
            step_plainly(self, None, given, is_opening=True)
            return
        game = self.game
        form = game.plain if plainly else game.search or game.plain if self.j is not None else game.quickest
        origin = evolve(self._origin, opening=self._s if self.j is not None else ())
        S = form.begun[:]
        if self._s[2:] == S[2 : game.size]:
            S[1] = self._s[1]  # what the form keeps besides was worked out before
        else:
            S = form.copied(self._s)
        p = Playing()
        p.w = WORK.done = 0
        try:
            run_on(form.blocks[game.data.start], p, S)
        except RulescriptError as problem:
            if isinstance(problem, StepLimit) and form is not game.plain:
                self.begin(given, plainly=True)
                return
            locate(game, problem)
            raise
        except Exception as problem:
            raise play_error(game, problem) from problem
        self._form = None if form is game.plain else form
        self._s, self.d, self.o, self._origin, self._cached = S, S[0], p.o if S[0] else [], origin, None

    def waiting(self) -> Any:
        """The answer that waits for chance, as a step that has not been taken; None: there is none."""
        is_waiting = self._pending is not None and not self._pending.is_opening
        return Step(self, self._pending.raw) if is_waiting else None

    def _like(self, state: list[Any]) -> Position:
        """The same in all but its state, with nothing worked out or waiting."""
        other = self._copy()
        other._s = state
        other._cached = other._form = other._pending = None
        return other

    def _copy(self) -> Position:
        self._mine = None
        other = object.__new__(self.__class__)
        other.game = self.game
        other._s = self._s
        other._mine = None
        other._form = self._form
        other.d = self.d
        other.o = self.o
        other.j = self.j
        other._chance = self._chance
        other._ask = self._ask
        other._watch = self._watch
        other._origin = self._origin
        other._tip = self._tip
        other._cached = self._cached
        other._pending = self._pending
        return other

    def _become(self, other: Position) -> None:
        """Be what another position is: at once or not at all, whatever interrupts."""
        (
            self._s, self._mine, self.d, self.o, self.j, self._chance, self._ask, self._watch, self._origin,
            self._tip, self._cached, self._form, self._pending,
        ) = (
            other._s, None, other.d, other.o, other.j, other._chance, other._ask, other._watch, other._origin,
            other._tip, other._cached, other._form, other._pending,
        )  # fmt: skip
        other._mine = None

    # -------------------------------------------------------------- looking

    @property
    def decision(self) -> Decision | ChanceNode | None:
        """Who has to decide what; None when the game is over."""
        found = self._cached
        return self._look() if found is None else found

    def _look(self) -> Decision | ChanceNode | None:
        """Work out the decision, where no step has."""
        if self._pending is not None:
            self._cached = self._pending.node(self)
        elif self.d:
            self._mine = None  # its words speak of the state as it is now
            self._cached = found = Decision()
            # Who asks to see every choice is asked for the rest of this one, too.
            found.options = options_of(self.game, self.d, self._s, self.o, not self.ask)
            found._players = self._origin.players
        return self._cached

    @property
    def is_over(self) -> bool:
        return self.d == 0 and self._pending is None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self._s[2] is None:
            return None
        kind, winners, drawn, how, site = self._s[2]
        names = tuple(self.game.data.kinds[kind].names[i] for i in winners) if kind else ()
        cites = tuple(self.game.data.sites[site][1]) if site >= 0 else ()
        labels = tuple(str(self.game.data.kinds[kind].labels[i]) for i in winners) if kind else ()
        return Outcome(names, drawn, how, cites, labels)

    @property
    def phase(self) -> str:
        return phase_of(self.game, self._s)

    def seat_of(self, player: int) -> int:
        return self.game.seating.seat_of(player, self.players)

    def value(self, name: str) -> Any:
        """A state by name (`turn`, `Mill.control`), as names; or what lies in a place, as a dict of counts."""
        return value_of(self.game, self._s, name)

    def state_hash(self) -> str:
        """A fingerprint of the whole state, the same in every process and on every machine."""
        whole = repr(self.known_state())
        if self._pending is not None:
            whole += repr((self._pending.is_opening, self._pending.raw, self._pending.outcomes))
        return hashlib.blake2b(whole.encode(), digest_size=12).hexdigest()

    def known_state(self) -> list[Any]:
        """All that the position is known by, the same in each form: the state without names that are over."""
        state = self._s[: self.game.size]
        for slot in self.game.passing:
            state[slot] = None
        return state

    def view(self, who: str | int) -> View:
        """What one role (by name) or seat (by number) may see; "spectator" is who holds none."""
        from rulescript.runtime.views import View

        return View(self, who)

    def standing(self) -> dict[str, int]:
        """How far ahead each player is, as the game's `standing` says: higher is better. Empty if it does not say. All
        may know it, for it is worked out from what everybody sees."""
        return standing_of(self.game, self._s)

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
        # Every step of a search comes by here, so what is rare stands apart, and what is made is put together in place.
        S = self._s
        if type(answer) is int:
            if answer < 0:
                return self._choose(answer)
            try:
                raw = self.o[answer]
            except IndexError:
                return self._choose(answer)
        elif type(answer) is Option:
            of = answer._of
            # Out of the very list, in the very state: nothing has to be compared.
            if of is None or of.state is not S or of.o is not self.o:
                return self._choose(answer)
            raw = answer.raw
        else:
            return self._choose(answer)
        form = self._form
        if form is None:
            return self._choose(answer) if self._pending is not None else self._step(raw)
        state = S.copy()
        options = Options()
        options.w = 0
        try:
            block = form.take[self.d](options, state, raw)
            if block is not None:
                block = block(options, state)
                if block is not None:
                    run_on(block, options, state)
        except StepLimit:
            return self._step(raw, plainly=True)  # maybe only with the steps before: here no count was begun anew
        except Exception:
            return self._step(raw)  # it goes wrong there, too, and is told
        at = state[0]
        if at:
            options.game = self.game
            options.d = at
            options.state = state
            decision = Decision()
            decision.options = options
            decision._players = self._origin.players
            # Once the step is made nothing is called, so nothing interrupts: neither a signal nor another thread.
            if self.j is not None:
                self._tip = Step(self, raw)
            self._s = state
            self.d = at
            self.o = options.o
            self._cached = decision
        else:
            if self.j is not None:
                self._tip = Step(self, raw)
            self._s = state
            self.d = 0
            self.o = []
            self._cached = None
        return self

    def _step(self, raw: Any, plainly: bool = False) -> Position:
        """Take a raw option where the short way is closed: the state is one of the plain form, somebody looks on or is
        asked for every choice, or a step is too much for the search form (`plainly`)."""
        if self.chance is not None or self.watch is not None:
            step_plainly(self, raw)
            return self
        game = self.game
        form = game.plain if plainly or self.ask or game.search is None else game.search
        if form is game.plain:
            game.count_played(1)
        step = None if self.j is None else Step(self, raw)
        while True:
            WORK.done = 0
            state = form.copied(self._s)
            options = OptionsByName() if self.ask else Options()
            options.w = 0
            try:
                run_on(form.take[self.d](options, state, raw), options, state)
                break
            except RulescriptError as problem:
                if isinstance(problem, StepLimit) and form is not game.plain:
                    form = game.plain
                    continue
                locate(game, problem)
                raise
            except Exception as problem:
                raise play_error(game, problem) from problem
        work = self._like(state)
        work.d, work.o = state[0], options.o if state[0] else []
        if form is not game.plain:
            work._form = form
        if step is not None:
            work._tip = step
        self._become(work)
        return self

    def _choose(self, answer: Any) -> Position:
        """Any other sort of answer: find the raw option that is meant."""
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
        self._take(_raw_of(self, answer))
        return self

    # -------------------------------------------------------------- back and forth

    def clone(self, journal: bool | None = None) -> Position:
        """An independent copy. State and history are shared, not copied: neither is ever changed.

        `journal=False` is a copy that keeps no history, for a search; `journal=True` one that keeps it from now on."""
        other = self._copy()
        if self.chance is not None:
            other.chance = self.chance.copy()
        if journal is None:
            if self.j is not None:
                other.j = []
        elif not journal:
            other.j, other._tip = None, None
            other._origin = evolve(self._origin, opening=())
        else:
            if self.j is None:
                other._origin = evolve(other._origin, seed=None)  # its history does not lead here from the seed
            other.j = []
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
        work = self._like(self._s if last is None else last.state)
        if last is not None:
            work.d, work.o = last.block, last.options
        work._tip = tip
        work.j = []
        if work.chance is not None:
            work.chance = work.chance.back(came_out)
        self._become(work)
        return self

    def can_undo(self, player: str | None = None) -> bool:
        """Whether the last decision may be taken back: it was this player's, no die, draw or reveal followed, and
        nothing came to light otherwise.

        For a player, what happened out of their sight does not count: the answer would tell that it happened."""
        from rulescript.runtime.event_words import EventTeller
        from rulescript.runtime.views import came_to_light, role_of

        tip = self._tip
        role = role_of(self, player) if player is not None else None
        if self.j is None:
            return False
        if self._pending is not None:
            return _can_call_off(self, player)
        if tip is None:
            return False
        if role is not None and role != tip.player:
            return False
        if not self.is_over and self.game.code["W"][self.d](self, self._s) != tip.player:
            return False
        events = tip.events
        if role is not None and self.game.has_secrets:
            events = EventTeller(self, (role,)).noticed(events)
        elif tip.chance or tip.state[1] != self._s[1]:
            return False
        if any(reveals(self.game, event, role) for event in events):
            return False
        roles = range(len(self.game.player_names)) if role is None else (role,)
        return not any(came_to_light(self.game, tip.state, self._s, each) for each in roles)

    def history(self) -> Iterator[Step]:
        """The decisions taken, first to last."""
        steps: list[Step] = []
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


def _raw_of(position: Position, answer: Option | ChanceOption | int) -> Any:
    if isinstance(answer, Option):
        options = options_of(position.game, position.d, position._s, position.o, False)
        key = answer.key
        if answer.raw in position.o and options.key_of(answer.raw) == key:
            return answer.raw
        for raw in position.o:
            if options.key_of(raw) == key:
                return raw
        from rulescript.runtime.answers import no_such

        raise no_such(position, key)
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise BadChoice(f"{answer!r} is no option; give an option, its index, its key or its text")
    if not 0 <= answer < len(position.o):
        said = answer if abs(answer) < 10**9 else "of that number"
        raise BadChoice(f"there is no option {said}; there are {len(position.o)}, counted from 0")
    return position.o[answer]


def _can_call_off(position: Position, player: str | None) -> bool:
    """Whether a decision that waits for chance may be taken back: chance has settled nothing of it yet."""
    from rulescript.runtime.views import role_of

    if position._pending.is_opening or position._pending.outcomes:
        return False
    asked = position.game.code["W"][position.d](position, position._s)
    return player is None or bool(role_of(position, player) == asked)


def _unpickled(game: Game, saved: str) -> Position:
    """A position from another process."""
    return game.from_json(saved)
