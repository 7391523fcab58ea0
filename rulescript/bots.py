"""Players made of code: a random one, and one that looks at short random playouts. For any game.

A bot is asked with the position it has to decide in and gives back one of the options. It is trusted not to
look at what its seat may not see; the two here do not.

The hard idea is how a bot looks ahead without peeking. It plays on from the position, and the position knows
everything: the order of the deck, the other hand, the dice to come. So before each playout the hidden part
is made up anew (`guess_state`): the randomness gets another seed, and what lies where the bot's seat may not
look, or lies face down, is shuffled. Only like is exchanged for like, things of one kind that have the same
home, and every place keeps its number of each; so a side's cards stay that side's. What this cannot do:

* it knows nothing of what was shown or deduced earlier (a card seen and put back is any card again);
* how many things of each home lie in a hidden place is taken as known;
* a rule that is holding on to a hidden thing while the bot decides may find it elsewhere in the playout: such
  a playout fails and does not count.

Answers that others have given under seal are not looked at either: they are given again, at random. That
needs the history, so without it (`journal=False`) a sealed decision is taken at random.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from rulescript import calls
from rulescript.errors import BadCall, BadChoice, BadOption, PlayError, RulescriptError
from rulescript.game_data import KindInfo, StateInfo, is_aside
from rulescript.machine.support import BITS, WORK
from rulescript.machine.unsettled import Unsettled, members
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Form, Playing, run_on

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Option, Position

__all__ = [
    "BOTS", "Bot", "PlayoutBot", "RandomBot", "bot_named", "guess_state", "hidden_spots", "play_from_start",
    "play_on", "score_of",
]  # fmt: skip

FLAGGED_WEIGHT = 0.1  # an aside, against 1 for an ordinary option


class Bot(Protocol):
    """Anything that can take a seat."""

    name: str

    def choose(self, position: Position) -> Option:
        """One of the options of the position's decision. The position is left as it was."""
        ...


# ---- at random ---------------------------------------------------------------------------------------------


class RandomBot:
    """Any option, all equally likely but asides, which are taken seldom: they could be taken for ever."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(calls.whole(seed, "a seed"))

    def choose(self, position: Position) -> Option:
        decision = _decision_of(position)
        options: Sequence[Any] = decision.options
        at = _pick(self._rng, [_weight(option) for option in options])
        found: Option = options[at]
        return found


def _decision_of(position: Position) -> Any:
    """What there is to decide; BadCall or BadChoice if there is nothing."""
    if not hasattr(position, "decision"):
        raise BadCall(f"a bot chooses in a position, not in {type(position).__name__}")
    if position.decision is None:
        raise BadChoice("the game is over; there is nothing to choose")
    return position.decision


def _weight(option: Any) -> float:
    return FLAGGED_WEIGHT if getattr(option, "flagged", False) else getattr(option, "weight", 1.0)


def _pick(rng: random.Random, weights: Sequence[float]) -> int:
    left = rng.random() * sum(weights)
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    return len(weights) - 1


# ---- by looking at playouts --------------------------------------------------------------------------------


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
        self._hidden: Hidden | None = None  # for the decision at hand

    def choose(self, position: Position) -> Option:
        decision = _decision_of(position)
        options: list[Any] = list(decision.options)
        if len(options) == 1 or decision.is_chance:
            return RandomBot(self._rng.getrandbits(32)).choose(position)
        candidates = options
        if len(candidates) > self.playouts:
            candidates = self._rng.sample(options, self.playouts)
        self._hidden = None
        trials = [0] * len(candidates)
        scores = [0.0] * len(candidates)
        for done in range(self.playouts):
            at = self._next_of(trials, scores, done)
            score = self._try(position, candidates[at].raw)
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

    def _try(self, position: Position, raw: Any) -> float | None:
        """How one random game after this option ends for our seat; None if it could not be played."""
        game = position.game
        decision = position.decision
        assert decision is not None
        roles = game.seats(position.players)[decision.seat]
        form = game.quickest
        try:
            guess, block = self._root(position, roles)
            if block != position.d or guess[0] != position.s[0]:
                return None
            state = form.copied(guess)
            play = Playing()
            play.w = WORK.done = 0
            following = form.take[block](play, state, raw)
            play_on(game, form, play, state, following, self._rng, self.depth)
        except RulescriptError:
            return None
        except Exception:  # whatever a made-up position brings about is no reason to stop playing
            return None
        return score_of(game, state, roles)

    def _root(self, position: Position, roles: Sequence[int]) -> tuple[list[Any], int]:
        """A state that could be the real one as far as our seat knows, at the decision we have to take."""
        game = position.game
        own = set(roles)
        before = []
        if game.data.decisions[position.d].is_sealed:
            step = position._tip
            if position.j is None:
                raise PlayError("a sealed decision cannot be looked ahead of without the history")
            procedure = game.data.decisions[position.d].procedure
            while step is not None:
                info = game.data.decisions[step.block]
                if not info.is_sealed or info.procedure != procedure or step.events:
                    break  # what came before was opened
                before.append(step)
                step = step.parent
        if all(step.player in own for step in before):
            if self._hidden is None:
                self._hidden = hidden_spots(game, position.s, roles)
            return guess_state(game, position.s, roles, self._rng, self._hidden), position.d
        # Others have answered under seal: go back before that, and let them answer again.
        first = before[-1]
        state = guess_state(game, first.state[: game.size], roles, self._rng)
        play = Playing()
        play.d, play.o, play.w = first.block, first.options, 0
        answers = [step.raw for step in reversed(before) if step.player in own]
        for _ in range(1000):
            if play.d == position.d and not answers:
                break
            if game.code["W"][play.d](play, state) in own and answers:
                raw = answers.pop(0)
            else:
                raw = play.o[int(self._rng.random() * len(play.o))]
            following = game.code["C"][play.d](play, state, raw)
            while following is not None:
                following = following(play, state)
            if state[0] == 0:
                break
        return state, play.d


def play_on(game: Game, form: Form, play: Any, state: list[Any], following: Any, rng: random.Random, depth: int) -> int:
    """Play at random from where `following` leads, changing `state`, for at most `depth` decisions.

    Returns how many were taken."""
    take = form.take
    flagged = _flagged_blocks(game)
    pick = rng.random
    for decisions in range(depth):
        if following is not None:
            run_on(following, play, state)
        at = state[0]
        if at == 0:
            return decisions
        options = play.o
        if at in flagged:
            raw = options[_pick(rng, [_raw_weight(raw) for raw in options])]
        else:
            raw = options[int(pick() * len(options))]
        play.w = WORK.done = 0
        following = take[at](play, state, raw)
    return depth


def play_from_start(game: Game, seed: int, depth: int) -> tuple[list[Any], int]:
    """A whole random game, as fast as it goes: its last state and how many decisions it took."""
    from rulescript.runtime.game import seeded

    form = game.quickest
    state = form.begun[:]
    state[1] = seeded(seed)
    play = Playing()
    play.w = WORK.done = 0
    try:
        decisions = play_on(game, form, play, state, form.blocks[game.data.start], random.Random(seed), depth)
    except RulescriptError as problem:
        locate(game, problem)
        raise
    except Exception as problem:
        raise play_error(game, problem) from problem
    game.count_played(decisions)
    return state[: game.size], decisions


_flagged: WeakKeyDictionary[Game, frozenset[int]] = WeakKeyDictionary()


def _flagged_blocks(game: Game) -> frozenset[int]:
    """The decisions that offer asides."""
    found = _flagged.get(game)
    if found is None:
        decisions = game.data.decisions.items()
        found = frozenset(block for block, info in decisions if any(alt.is_flagged for alt in info.alts))
        _flagged[game] = found
    return found


def _raw_weight(raw: Any) -> float:
    return FLAGGED_WEIGHT if is_aside(raw) else 1.0


def score_of(game: Game, state: Sequence[Any], roles: Iterable[int]) -> float:
    """What an ending is worth to a seat: 1 for a win, 0 for a loss, 0.5 for a draw or a game that goes on; where the
    game says who is ahead, a bit more or less than that."""
    outcome = state[2]
    if outcome is None:
        ahead = list(game.standing_of(list(state)).values())
        own_best = max((number for role, number in enumerate(ahead) if role in set(roles)), default=0)
        others = max((number for role, number in enumerate(ahead) if role not in set(roles)), default=own_best)
        lead = own_best - others
        return 0.5 + 0.4 * lead / (abs(lead) + 4)
    kind, winners, drawn, _, _ = outcome
    if drawn or not winners:
        return 0.5
    own = set(roles)
    players = game.data.players
    if kind == players:
        return 1.0 if own & set(winners) else 0.0
    # The winner is something else, say an alliance: ours if one of our roles belongs to it.
    info = game.data.kinds[players]
    for name, type_ in info.attr_types.items():
        if type_ == ["thing", kind]:
            return 1.0 if any(info.attrs[name][role] in winners for role in own) else 0.0
    return 0.5


# ---- what a seat does not know -----------------------------------------------------------------------------

# For each kind, where something lies that the seat does not know: (slot, at). In a place of pieces `at` is a
# code, once for each such piece; in an ordered place it is the index, in any other the thing.
Spot = tuple[int, int]
Hidden = dict[str, list[Spot]]


def guess_state(
    game: Game, state: Sequence[Any], roles: Sequence[int], rng: random.Random, hidden: Hidden | None = None
) -> list[Any]:
    """A copy of a state in which what these roles may not see is made up anew (see above for its limits).

    `hidden` spares the work of finding that out again."""
    guess = list(state)
    guess[1] = rng.getrandbits(64)
    for slot, held in enumerate(guess):
        if isinstance(held, Unsettled):
            guess[slot] = held.sampled(rng)
    for kind, spots in (hidden_spots(game, state, roles) if hidden is None else hidden).items():
        if game.data.kinds[kind].is_pieces:
            _shuffle_pieces(game, guess, kind, spots, rng)
        else:
            _shuffle_things(game, guess, kind, spots, rng)
    return guess


def hidden_spots(game: Game, state: Sequence[Any], roles: Sequence[int]) -> Hidden:
    """What none of these roles knows: all that lies where they may not look, and what lies face down."""
    from rulescript.runtime.views import is_hidden, level_of

    whole, own = list(state), list(roles)
    hidden: Hidden = {}
    for slot, (holds, _) in game.values.places.items():
        kind = holds.kind
        dark = all(level_of(game, whole, slot, role) != "visible" for role in own)
        if not dark and kind not in game.code["HIDE"]:
            continue
        found: list[Spot] = []
        if game.data.kinds[kind].is_pieces:
            for code, count in game.values.pile(kind, whole[slot]):
                if dark or is_hidden(game, whole, kind, slot << game.values.shift | code, own):
                    found += [(slot, code)] * count
        elif holds.is_ordered:
            for at, thing in enumerate(members(whole[slot])):
                if dark or is_hidden(game, whole, kind, thing, own):
                    found.append((slot, at))
        else:
            found = [(slot, i) for i in BITS[whole[slot]] if dark or is_hidden(game, whole, kind, i, own)]
        if found:
            hidden.setdefault(kind, []).extend(found)
    return hidden


def _dealt(items: Sequence[int], homes: Callable[[int], int], rng: random.Random) -> list[int]:
    """The items, those of each home shuffled among their spots."""
    by_home: dict[int, list[int]] = {}
    for at, item in enumerate(items):
        by_home.setdefault(homes(item), []).append(at)
    out = list(items)
    for spots in by_home.values():
        # Sorted first, so that the guess does not depend on how things really lie.
        moved = sorted(items[at] for at in spots)
        rng.shuffle(moved)
        for at, item in zip(spots, moved, strict=True):
            out[at] = item
    return out


def _home(info: KindInfo, index: int) -> int:
    homes = info.homes
    return int(homes[index]) if index < len(homes) else -1


def _shuffle_pieces(game: Game, state: list[Any], kind: str, spots: list[Spot], rng: random.Random) -> None:
    """The types change places; the states (face down, say) stay where they are."""
    info = game.data.kinds[kind]
    types, unit = info.types, game.values.unit
    dealt = _dealt([code % types for _, code in spots], lambda index: _home(info, index), rng)
    for (slot, code), index in zip(spots, dealt, strict=True):
        state[slot] -= unit(kind, code)
        state[slot] += unit(kind, code - code % types + index)


def _shuffle_things(game: Game, state: list[Any], kind: str, spots: list[Spot], rng: random.Random) -> None:
    """The things change places; their states stay with the place, as a card that lies face down stays so."""
    info = game.data.kinds[kind]
    is_ordered = {slot: game.values.places[slot][0].is_ordered for slot, _ in spots}
    before = [state[slot][at] if is_ordered[slot] else at for slot, at in spots]
    after = _dealt(before, lambda thing: _home(info, thing), rng)
    if before == after:
        return
    for slot, ordered in is_ordered.items():
        if ordered:
            state[slot] = list(state[slot])
    for (slot, _), thing in zip(spots, before, strict=True):
        if not is_ordered[slot]:
            state[slot] &= ~(1 << thing)
    for (slot, at), thing in zip(spots, after, strict=True):
        if is_ordered[slot]:
            state[slot][at] = thing
        else:
            state[slot] |= 1 << thing
        if info.loc >= 0:
            state[info.loc + thing] = slot
    for slot, ordered in is_ordered.items():
        if ordered:
            state[slot] = tuple(state[slot])
    for entry in game.data.states:
        if entry.kind == kind:
            _pass_on(game, state, entry, before, after)


def _pass_on(game: Game, state: list[Any], entry: StateInfo, before: list[int], after: list[int]) -> None:
    """Give each thing of `after` the state that the thing of `before` had."""
    slot, masks = entry.slot, entry.masks
    values = [game.values.state(state, entry, thing) for thing in before]
    for thing, value in zip(after, values, strict=True):
        if entry.mode == "mask":
            state[slot] = state[slot] | 1 << thing if value else state[slot] & ~(1 << thing)
            continue
        if entry.mode == "dual":
            state[masks + state[slot + thing]] &= ~(1 << thing)
            state[masks + value] |= 1 << thing
        state[slot + thing] = value


# ---- by name -----------------------------------------------------------------------------------------------

BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "playout": PlayoutBot}


def bot_named(name: str, seed: int = 0) -> Bot:
    """A bot by its name (`random`, `playout`, or `playout:200` for another number of playouts)."""
    base, _, number = calls.text(name, "the name of a bot").partition(":")
    if base == "playout" and number.isdecimal() and len(number) < 10 and int(number):
        return PlayoutBot(seed, playouts=int(number))
    if base not in BOTS or number:
        from rulescript.diagnostics.spelling import spelling_hint

        hint = spelling_hint(base, list(BOTS)) or f"there are {' and '.join(BOTS)}"
        raise BadOption(f"no bot is called `{name}`", hint=hint)
    return BOTS[base](seed)
