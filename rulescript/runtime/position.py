"""A position: the flat state of any game, who has to decide and what, and how it came about.

`s` is the whole state (see compiler/layout.py). The decision is derived from it: running block `s[0]` again gives
the same options. So a clone is a copy of one list, a save is that list as JSON, and undo is an older list.

Generated code sees a position as `p` and uses five of its attributes: `d` and `o` (the decision's block and
options), `j` (events of this step, None when no journal is kept), `chance` (None: the position's own generator),
`ask` (also ask when there is only one option) and `watch` (called at ends of scopes by the tests).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.errors import BadChoice, RulescriptError, StepLimit
from rulescript.runtime import calls
from rulescript.runtime.support import WORK

if TYPE_CHECKING:
    from rulescript.runtime.chance import ChanceNode, ChanceOption
    from rulescript.runtime.explain import Explanation, Refusal
    from rulescript.runtime.game import Game
    from rulescript.runtime.journal import Journal
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

    def __init__(self, key: str, raw: Any, label: str, flagged: bool, words: Callable[[], str]) -> None:
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

    @property
    def options(self) -> list[Option]:
        if self._options is None:
            self._options = [
                self._game.option(self.block, raw, self._state, self._whole, self._raw) for raw in self._raw
            ]
        return self._options

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

    def __init__(self, parent: _Step | None, position: Position, raw: Any, key: str, choice: str, player: int) -> None:
        self.parent = parent
        self.state = list(position.s)
        self.block = position.d
        self.options = position.o
        self.raw = raw
        self.key = key
        self.choice = choice
        self.player = player
        self.events: tuple[Any, ...] = ()
        self.chance: tuple[Any, ...] = ()
        self.length: int = parent.length + 1 if parent is not None else 1


class Position:
    """A position of a game. Made by `Game.start` or `Game.from_json`; changed by `choose` and `undo` alone."""

    __slots__ = (
        "game", "s", "d", "o", "j", "chance", "ask", "watch", "players", "_tip", "_opening", "_seed", "_root",
        "_cached",
        "_pending",
    )  # fmt: skip

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
        self._seed: int | None = None
        self._root: Any = None
        self._cached: Decision | ChanceNode | None = None
        self._pending: Any = None

    # -------------------------------------------------------------- running

    def run(self, block: Any) -> None:
        """Go on from a block until somebody has to decide or the game is over."""
        S = self.s
        self._cached = None
        WORK[0] = 0
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

    def _begin(self) -> None:
        """Play from the start of the sequence to the first decision."""
        state = list(self.s)
        if self.chance is not None:
            self.chance.begin(self)
        try:
            self.run(self.game.code["B"][self.game.data["start"]])
        except BaseException as problem:
            if self.chance is not None and self._is_waiting(problem, state):
                return
            raise
        self._opening = tuple(self.j or ())
        if self.j is not None:
            self.j = []

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
        return hashlib.blake2b(repr(self.s).encode(), digest_size=12).hexdigest()

    def view(self, who: str | int) -> View:
        """What one role (by name) or seat (by number) may see."""
        from rulescript.runtime.views import View

        return View(self, who)

    @property
    def journal(self) -> Journal:
        """What happened, as events and as text."""
        from rulescript.runtime.journal import Journal

        return Journal(self)

    def why_not(self, what: str, player: str | None = None) -> Refusal:
        """Why something is not among the options: every failed requirement, with its rule and the values seen."""
        from rulescript.runtime.explain import why_not

        calls.text(what, "what to ask about")
        return why_not(self, what, player)

    def explain(self, what: str) -> Explanation:
        """How a value comes about: `pos.explain("dice(Mill)")`."""
        from rulescript.runtime.explain import explain

        return explain(self, calls.text(what, "what to explain"))

    # -------------------------------------------------------------- choosing

    def choose(self, answer: Option | ChanceOption | str | int) -> Position:
        """Answer the decision: with an option, its index, its key or its text. Returns this position.

        An answer that is not legal raises BadChoice and changes nothing."""
        if self._pending is not None:
            self._pending.answer(self, answer)
            return self
        if not self.d:
            raise BadChoice("the game is over; there is nothing to choose")
        if isinstance(answer, str):
            from rulescript.runtime.answers import choose_text

            choose_text(self, answer)
            return self
        self._take(self._raw_of(answer))
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
            raise BadChoice(f"there is no option {answer}; there are {len(self.o)}, counted from 0")
        return self.o[answer]

    def _take(self, raw: Any) -> None:
        """Take a raw option. On any failure the position is as it was."""
        state, block, options = list(self.s), self.d, self.o
        step: _Step | None = None
        if self.j is not None:
            option = self.game.option(self.d, raw, self.s)
            player = self.game.code["W"][self.d](self, self.s)
            step = _Step(self._tip, self, raw, option.key, self.game.data["decisions"][self.d]["choice"], player)
            step.state = state
            self.j = self.game.events(self)
        if self.chance is not None:
            self.chance.begin(self)
        try:
            self._continue(raw)
        except BaseException as problem:
            if self.chance is not None and self._is_waiting(problem, state, block, options, step, raw):
                return
            self.s[:] = state
            self.d, self.o = block, options
            self._cached = None
            if self.j is not None:
                self.j = []
            raise
        self._done(step)

    def _is_waiting(self, problem: BaseException, *before: Any) -> bool:
        """Whether a step broke off only because chance has to be asked first."""
        from rulescript.runtime.chance import Before

        return bool(self.chance.interrupted(self, problem, Before(*before)))

    def _continue(self, raw: Any) -> None:
        S = self.s
        WORK[0] = 0
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

    def _done(self, step: _Step | None) -> None:
        if step is not None:
            step.events = tuple(self.j or ())
            if self.chance is not None:
                step.chance = self.chance.outcomes()
            self.j = []
            self._tip = step

    # -------------------------------------------------------------- back and forth

    def clone(self) -> Position:
        """An independent copy. What happened so far is shared, not copied."""
        other = Position.__new__(Position)
        other.game = self.game
        other.s = self.s[:]
        other.d = self.d
        other.o = self.o
        other.j = None if self.j is None else []
        other.chance = None if self.chance is None else self.chance.copy()
        other.ask = self.ask
        other.watch = self.watch
        other.players = self.players
        other._tip = self._tip
        other._opening = self._opening
        other._seed = self._seed
        other._root = self._root
        other._cached = None
        other._pending = self._pending
        return other

    @property
    def steps(self) -> int:
        """How many decisions were taken."""
        return self._tip.length if self._tip is not None else 0

    def undo(self, count: int = 1) -> Position:
        """Take back the last decision (or several). Whether a player may is another question: `can_undo`."""
        if self.j is None:
            raise BadChoice("this position keeps no history, so nothing can be taken back (start it with journal=True)")
        calls.whole(count, "how many decisions to take back")
        if count < 0:
            raise BadChoice(f"{count} decisions cannot be taken back")
        tip = self._tip
        for done in range(count):
            if tip is None:
                raise BadChoice(f"only {done} decision{'s' if done != 1 else ''} can be taken back")
            last, tip = tip, tip.parent
        if count < 1:
            return self
        self.s[:] = last.state
        self.d, self.o = last.block, last.options
        self._tip = tip
        self._cached = None
        self._pending = None
        self.j = []
        return self

    def can_undo(self, player: str | None = None) -> bool:
        """Whether the last decision may be taken back: it was this player's, and no die, draw or reveal followed."""
        tip = self._tip
        if tip is None or self.j is None:
            return False
        if player is not None:
            from rulescript.runtime.views import role_of

            if role_of(self, player) != tip.player:
                return False
        if not self.is_over and self.game.code["W"][self.d](self, self.s) != tip.player:
            return False
        if tip.state[1] != self.s[1]:
            return False
        from rulescript.runtime.journal import reveals

        return not any(reveals(self.game, event) for event in tip.events)

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
        from rulescript.runtime.saves import save

        return json.dumps(save(self), separators=(",", ":"), sort_keys=True)

    def __repr__(self) -> str:
        state = f"{self.outcome}" if self.is_over else f"{self.decision!r}"
        return f"<Position of {self.game.ident}: {state}>"
