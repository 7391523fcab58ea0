"""A bot that looks at random games to their end."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.bots.random_bot import RandomBot
from rulescript.bots.seated import decision_of
from rulescript.bots.unseen import Guesses
from rulescript.bots.worth import score_of
from rulescript.errors import PlayError, RulescriptError
from rulescript.machine.effort import WORK
from rulescript.runtime.forms import Playing, run_on
from rulescript.runtime.playouts import play_on

if TYPE_CHECKING:
    from rulescript.runtime.position import Option, Position

__all__ = ["PlayoutBot"]


class PlayoutBot:
    """Plays each option on at random, several times, and takes the one after which its seat won most often.

    `playouts` is the number of random games looked at for one decision, shared out so that promising options
    get more of them; with more options than that, a random part of them is looked at. `depth` is the number
    of decisions after which a playout is given up and counts as a draw."""

    name = "playout"

    def __init__(self, seed: int = 0, playouts: int = 60, depth: int = 3_000) -> None:
        self._rng = random.Random(calls.whole(seed, "a seed"))
        self.playouts = max(1, calls.whole(playouts, "the number of playouts"))
        self.depth = max(1, calls.whole(depth, "the depth of a playout"))

    def choose(self, position: Position) -> Option:
        decision = decision_of(position)
        options: list[Any] = list(decision.options)
        if len(options) == 1 or decision.is_chance:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        candidates = options
        if len(candidates) > self.playouts:
            candidates = self._rng.sample(options, self.playouts)
        roles = position.game.seats(position.players)[decision.seat]
        try:
            guesses = Guesses(position, roles, self._rng)
        except PlayError:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        trials = [0] * len(candidates)
        scores = [0.0] * len(candidates)
        for done in range(self.playouts):
            at = self._next_of(trials, scores, done)
            score = self._try(position, candidates[at].raw, guesses)
            trials[at] += 1
            scores[at] += 0.5 if score is None else score
        # The one looked at most often is the one that held up best; its average settles ties.
        best = max(range(len(candidates)), key=lambda i: (trials[i], scores[i]))
        found: Option = candidates[best]
        return found

    def _next_of(self, trials: list[int], scores: list[float], done: int) -> int:
        """First each once; then what did well or was hardly tried, by the usual compromise (UCB1)."""
        if done < len(trials):
            return done
        spread = math.log(done)
        return max(range(len(trials)), key=lambda i: scores[i] / trials[i] + math.sqrt(spread / trials[i]))

    def _try(self, position: Position, raw: Any, guesses: Guesses) -> float | None:
        """How one random game after this option ends for our seat; None if it could not be played."""
        game = position.game
        form = game.quickest
        try:
            guess, block = guesses.next()
            if block != position.d or guess[0] != position.s[0]:
                return None
            state = form.copied(guess)
            play = Playing()
            play.w = WORK.done = 0
            following = form.take[block](play, state, raw)
            if following is not None:
                run_on(following, play, state)
            if state[0]:
                play_on(game, form, play, state, self._rng, self.depth)
        except RulescriptError:
            return None
        except Exception:  # whatever a made-up position brings about is no reason to stop playing
            return None
        return score_of(game, state, guesses.roles)
