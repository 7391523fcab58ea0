"""A bot that searches what its seat knows: an information set Monte Carlo tree search, for any game.

Before each playout what the seat cannot see is made up anew (`unseen.py`); the playout goes through a tree that all
these guesses share (`tree.py`) and on at random to the end of a round, where the game's own standing says what it is
worth (`looking_ahead.py`, `worth.py`). The answer is taken that held up best.

A turn is many small decisions. As long as nothing is drawn or rolled after the bot's answer, the part of the tree under
it is kept for the next one: what was thought about the rest of the turn is not thought again.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.bots.budget import Budget, budget_of
from rulescript.bots.looking_ahead import Lookahead, Tuning
from rulescript.bots.memory import Memory
from rulescript.bots.random_bot import RandomBot
from rulescript.bots.seated import decision_of
from rulescript.bots.tree import Edge, Node
from rulescript.bots.unseen import Guesses
from rulescript.errors import PlayError
from rulescript.game_data import is_aside

if TYPE_CHECKING:
    from rulescript.runtime.forms import Form
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Option, Position

__all__ = ["SearchBot"]

# So many guesses of what is hidden are made for one decision.
GUESSES = 32
# Playouts before the first decision, to see how much states differ.
PROBES = 12
# Without a budget: so many decisions are played in all for a turn, with at least and at most so many playouts for one
# decision. A state of few slots is played on faster: up to four times as many. In a turn that has taken far more than
# usual already, as few as can be.
TURN_WORK = 45_000
USUAL_SIZE = 1_000
FEWEST, MOST = 24, 400
HURRIED = 8
# How much better than it looks something may be that would be given up for an aside.
ASIDE_DOUBT = 2.0


class SearchBot:
    """Looks ahead from what its seat knows, `playouts` times or for so many `seconds`, and takes what held up best.

    With neither it thinks as long as suits the game. The same seed and number of playouts give the same game; a time
    does not. `on_thinking` is told now and then how much of it is done, from 0 to 1."""

    name = "search"

    def __init__(
        self,
        seed: int = 0,
        playouts: int | None = None,
        seconds: float | None = None,
        *,
        on_thinking: Callable[[float], None] | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        self._rng = random.Random(calls.whole(seed, "a seed"))
        self.budget: Budget = budget_of(playouts, seconds)
        self.on_thinking = calls.function(on_thinking, "what is told of thinking")
        self._ahead: Lookahead | None = None
        self._memories: dict[int, Memory] = {}
        # The last answer, and what the randomness was like then: the tree under it may serve again.
        self._last: tuple[Edge, int] | None = None
        # How many decisions were taken when we decided last, and how many were played in this turn's playouts.
        self._steps = 0
        self._spent = 0
        self._tuning = tuning if tuning is not None else Tuning()

    def choose(self, position: Position) -> Option:
        decision = decision_of(position)
        options: Sequence[Any] = decision.options
        if decision.is_chance:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        found: Option = options[0]
        if len(options) == 1:
            return found
        ahead = self._at_the_table(position.game, position.players)
        roles = position.game.seats(position.players)[decision.seat]
        memory = self._memories.setdefault(decision.seat, Memory(position.game, roles))
        try:
            memory.follow(position)
            guesses = Guesses(position, roles, self._rng, memory)
        except PlayError:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        root = self._kept(position, decision.player_index)
        self._think(position, ahead, root, guesses, decision.player_index)
        edge = self._best(root, ahead)
        if edge is None:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        self._last = (edge, position._s[1])
        found = options[position.o.index(edge.raw)]
        return found

    def _at_the_table(self, game: Game, players: int) -> Lookahead:
        ahead = self._ahead
        if ahead is None or ahead.game is not game or ahead.players != players:
            ahead = self._ahead = Lookahead(game, players, self._rng, self._tuning)
            self._memories = {}
            self._last = None
        return ahead

    def _kept(self, position: Position, role: int) -> Node:
        """The part of the last tree that is about this decision, if nothing was left to chance since; or a new one."""
        last, self._last = self._last, None
        if last is not None and last[1] == position._s[1]:
            found = last[0].following.get((role, position.d))
            offered = position.o
            if found is not None and all(raw in offered for raw in found.edges):
                return found
        return Node()

    def _think(self, position: Position, ahead: Lookahead, root: Node, guesses: Guesses, role: int) -> None:
        form = position.game.quickest
        states: list[list[Any]] = []
        worth = ahead.worths[position.seat_of(role)]
        ahead.begin()
        kept = sum(edge.count for edge in root.edges.values())
        before = ahead.all_steps
        if worth.seen < PROBES:
            self._guess(position, guesses, form, states)
            if states:
                worth.look_from(states[0])
                for _ in range(PROBES):
                    ahead.playout(form, Node(), states, position.o, role)
                ahead.begin()
        budget = self.budget
        until = None if budget.seconds is None else time.perf_counter() + budget.seconds
        wanted = (
            budget.playouts if budget.playouts is not None else self._suiting(position, ahead, position.seat_of(role))
        )
        wanted = max(wanted - kept, wanted // 4, 1)
        done = 0
        while True:
            if until is None:
                if done >= wanted:
                    break
                share = done / wanted
            else:
                share = 1 - (until - time.perf_counter()) / budget.seconds  # type: ignore[operator]
                if share >= 1 and done:
                    break
            if self.on_thinking is not None and done % 8 == 0:
                self.on_thinking(share)
            if len(states) < GUESSES and (done < GUESSES or not states):
                self._guess(position, guesses, form, states)
                if len(states) == 1:
                    worth.look_from(states[0])
            done += 1
            if states:
                ahead.playout(form, root, states, position.o, role)
            elif done >= 50:
                break
        self._spent += ahead.all_steps - before
        position.game.count_played(ahead.all_steps - before)

    def _guess(self, position: Position, guesses: Guesses, form: Form, states: list[list[Any]]) -> None:
        """One more state that could be the real one, if it can be made up."""
        try:
            guess, block = guesses.next()
        except Exception:  # what was held on to lies elsewhere now
            return
        if block == position.d and guess[0] == block:
            states.append(form.copied(guess))

    def _suiting(self, position: Position, ahead: Lookahead, seat: int) -> int:
        """How many playouts, so that a turn is about the same work in every game."""
        work = TURN_WORK * max(1.0, min(4.0, USUAL_SIZE / position.game.size))
        if self._is_new_turn(position, ahead, seat):
            self._spent = 0
        if self._spent > 2 * work:
            return HURRIED
        if not ahead.played:
            return FEWEST
        length, rest = ahead.steps / ahead.played, ahead.own_steps / ahead.played
        return max(FEWEST, min(MOST, round(work / max(1.0, 2 * rest) / max(1.0, length))))

    def _is_new_turn(self, position: Position, ahead: Lookahead, seat: int) -> bool:
        """Whether another seat had its turn since we decided last; yes if there is no history to tell."""
        here, before = position._tip, self._steps
        self._steps = position.steps
        if position.j is None or before > position.steps:
            return True
        while here is not None and here.length > before:
            if ahead.asks_for_turn(here.block) and position.seat_of(here.player) != seat:
                return True
            here = here.parent
        return False

    def _best(self, root: Node, ahead: Lookahead) -> Edge | None:
        """What is worth most even if it was lucky: less is expected of what was hardly looked at. Something that can be
        done at any time is done only if it is worth more even if it was lucky and the other was not."""
        spread = ahead.selecting.spread

        def at_least(edge: Edge) -> float:
            return edge.mean - spread / math.sqrt(edge.count)

        edges = [edge for edge in root.edges.values() if edge.count]
        best = max(edges, key=at_least, default=None)
        if best is not None and is_aside(best.raw):
            other = max((edge for edge in edges if not is_aside(edge.raw)), key=at_least, default=None)
            if other is not None and at_least(best) < other.mean + ASIDE_DOUBT * spread / math.sqrt(other.count):
                return other
        return best
