"""One look ahead: from a guessed state through the tree, on at random, to where it is cut and judged.

A playout ends with the game, or when the turn comes back to the bot's seat after `least` decisions; then everybody
has had the same number of turns, and no side looks better because the other could not answer yet.

The random part is not blind. What was worth more to whoever did it, in this game lately, is done more often: of a few
answers that chance picks, the one with the better habit is taken.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.bots.tree import Edge, Habits, Node, Selecting
from rulescript.bots.turns import turn_blocks
from rulescript.bots.worth import Presence, Worth
from rulescript.game_data import FIRST_ASIDE
from rulescript.machine.chance import MASK64
from rulescript.machine.effort import WORK
from rulescript.runtime.forms import Form, Playing, run_on

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Lookahead", "Tuning"]

# How often something that may be done at any time is done, where it is drawn.
ASIDE_SHARE = 0.02
# After so many times the least number of decisions nobody waits for the turn to come back.
LATE = 8
# The habits of the last so many playouts count as much as all before them.
FADING = 200


@frozen
class Tuning:
    """What could be tuned; only `soon` was measured, the rest is judgement.

    A playout has at least and at most so many decisions; `picks` more answers are compared by habit; `weight` is that
    of what is on the map, against the standing; `soon` is how much the end of the bot's own turn counts, against the
    end of the round; `explore` and `widen` say how broadly the tree is looked at."""

    least: int = 24
    most: int = 600
    picks: int = 1
    weight: float = 0.3
    soon: float = 0.5
    explore: float = 1.0
    widen: float = 2.0


class Lookahead:
    """What is known about one game as long as it is played: habits, and how much states differ."""

    def __init__(self, game: Game, players: int, rng: random.Random, tuning: Tuning) -> None:
        self.game = game
        self.players = players
        self.rng = rng
        self.tuning = tuning
        self.habits: Habits = {}
        self.selecting = Selecting(rng, self.habits, tuning.explore, tuning.widen)
        self._turn = turn_blocks(game)
        self._seat = {role: seat for seat, roles in enumerate(game.seats(players)) for role in roles}
        presence = Presence(game)
        self.worths = [Worth(game, roles, presence, tuning.weight) for roles in game.seats(players)]
        self._since = 0
        # Of the playouts so far: how many, their values and squares, decisions, and those of the seat's own turn.
        self.played = 0
        self.total = 0.0
        self.squares = 0.0
        self.steps = 0
        self.own_steps = 0
        self.all_steps = 0
        self.failed = 0

    def asks_for_turn(self, block: int) -> bool:
        """Whether a decision is one of the seat whose turn it is."""
        return self._turn[block]

    def begin(self) -> None:
        """Before a decision is looked at: older habits fade."""
        if self._since >= FADING:
            self._since = 0
            for key, table in self.habits.items():
                self.habits[key] = {raw: [times / 2, total / 2] for raw, (times, total) in table.items() if times > 0.5}
        if self.played > 400:
            self.played //= 2
            self.total /= 2
            self.squares /= 2
            self.steps //= 2
            self.own_steps //= 2
        self._spread()

    def _spread(self) -> None:
        if self.played >= 8:
            mean = self.total / self.played
            self.selecting.spread = max(0.01, (max(0.0, self.squares / self.played - mean * mean)) ** 0.5)

    def playout(self, form: Form, root: Node, states: list[list[Any]], options: list[Any], role: int) -> None:
        """Look once; the tree and the habits remember what came of it."""
        path: list[Edge] = []
        try:
            self._play(form, root, states, options, role, path)
        except Exception:  # whatever a made-up state brings about is no reason to stop playing
            self.failed += 1
            mean = self.total / self.played if self.played else 0.5
            for edge in path:
                edge.count += 1
                edge.total += mean if edge.is_mine else 1.0 - mean

    def _play(  # noqa: C901 - the inner loop: what it calls for each decision would cost as much as the decision
        self, form: Form, root: Node, states: list[list[Any]], options: list[Any], role: int, path: list[Edge]
    ) -> None:
        pick, take, who = self.rng.random, form.take, form.code["W"]
        turn, seats, habits, selecting = self._turn, self._seat, self.habits, self.selecting
        least, most, picks = self.tuning.least, self.tuning.most, self.tuning.picks
        soon, late = self.tuning.soon, LATE * least
        seat = seats[role]
        worth = self.worths[seat]
        allies = worth.allies
        average = self.total / self.played if self.played else 0.5
        mine: list[list[float]] = []
        others: list[list[float]] = []
        edge = selecting.select(root, options, True, (role, states[0][0]))
        path.append(edge)
        # The same luck for each answer: what is compared is then the answers, not the dice.
        number = edge.count
        S = states[number % len(states)][:]
        S[1] = (S[1] + number * 0x9E3779B97F4A7C15) & MASK64
        play = Playing()
        raw = edge.raw
        at = S[0]
        current = seat
        in_tree = number > 0
        steps = own = 0
        early = -1.0
        while True:
            play.w = WORK.done = 0
            following = take[at](play, S, raw)
            if following is not None:
                run_on(following, play, S)
            at = S[0]
            if not at:
                break
            steps += 1
            if steps >= most:
                break
            role = who[at](play, S)
            if turn[at]:
                if steps >= late:
                    break
                now = seats[role]
                if now != current:
                    if not own:
                        own = steps
                        early = worth.of(S)
                    current = now
                    if now == seat and steps >= least:
                        break
            options = play.o
            count = len(options)
            if count == 1:
                raw = options[0]
                continue
            if in_tree:
                node = edge.following.get((role, at))
                if node is None:
                    node = edge.following[role, at] = Node()
                edge = selecting.select(node, options, role in allies, (role, at))
                path.append(edge)
                raw = edge.raw
                in_tree = edge.count > 0
                continue
            raw = options[int(pick() * count)]
            while raw.__class__ is tuple and raw[0] <= FIRST_ASIDE and pick() > ASIDE_SHARE:
                raw = options[int(pick() * count)]
            table = habits.get((role, at))
            if table is None:
                table = habits[role, at] = {}
            entry = table.get(raw)
            if entry is None:
                entry = table[raw] = [0.0, 0.0]
            for _ in range(picks):
                other = options[int(pick() * count)]
                if other.__class__ is tuple and other[0] <= FIRST_ASIDE:
                    continue
                second = table.get(other)
                if second is None:
                    second = table[other] = [0.0, 0.0]
                if (second[1] + average) * (entry[0] + 1.0) > (entry[1] + average) * (second[0] + 1.0):
                    raw, entry = other, second
            (mine if role in allies else others).append(entry)
        value = worth.of(S)
        if early >= 0.0:
            value = soon * early + (1.0 - soon) * value
        self._remember(value, path, mine, others)
        self.steps += steps
        self.all_steps += steps
        self.own_steps += own or steps

    def _remember(self, value: float, path: list[Edge], mine: list[list[float]], others: list[list[float]]) -> None:
        rest = 1.0 - value
        for edge in path:
            edge.count += 1
            edge.total += value if edge.is_mine else rest
        for entry in mine:
            entry[0] += 1.0
            entry[1] += value
        for entry in others:
            entry[0] += 1.0
            entry[1] += rest
        self.played += 1
        self._since += 1
        self.total += value
        self.squares += value * value
