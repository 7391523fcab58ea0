"""What a seat does not know, made up anew.

The hard idea is how a bot looks ahead without peeking. It plays on from the position, and the position knows
everything: the order of the deck, the other hand, the dice to come. So before each playout the hidden part
is made up anew (`guess_state`): the randomness gets another seed, and what lies where the bot's seat may not
look, or lies face down, is shuffled. Only like is exchanged for like, things of one kind that have the same
home, and every place keeps its number of each; so a side's cards stay that side's. What this cannot do:

* of what was shown earlier it knows what a `Memory` has (a card seen when it was put into a closed pile stays there,
  somewhere in it), and nothing that would have to be deduced;
* how many things of each home lie in a hidden place is taken as known;
* what a rule has worked out of something hidden and holds on to while the bot decides (a number, a yes or no) stays
  what it is. A hidden thing that it holds on to, or that a state names, is another one, which lies there now.

Answers that others have given under seal are not looked at either: they are given again, at random. That
needs the history, so without it (`journal=False`) a sealed decision cannot be looked ahead of.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript.errors import PlayError
from rulescript.game_data import KindInfo, StateInfo
from rulescript.machine.tables import BITS
from rulescript.machine.unsettled import Unsettled, members
from rulescript.runtime.forms import Playing

if TYPE_CHECKING:
    from rulescript.bots.memory import Memory
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Guesses", "Hidden", "guess_state", "hand_on", "hidden_spots"]


class Guesses:
    """States that could be the real one as far as a seat knows, at the decision it has to take."""

    def __init__(
        self, position: Position, roles: Sequence[int], rng: random.Random, memory: Memory | None = None
    ) -> None:
        self.position = position
        self._memory = memory
        self.game = position.game
        self.roles = roles
        self.rng = rng
        self._hidden: Hidden | None = None
        # Ordered places in which something is that the seat remembers: which of their things lie in any order.
        self._mixed: dict[int, list[int]] = {}
        self._before = _sealed_before(position)
        self._is_alone = all(step.player in roles for step in self._before)

    def next(self) -> tuple[list[Any], int]:
        """Such a state, in the plain form, and the block of its decision."""
        position = self.position
        if self._is_alone:
            if self._hidden is None:
                self._hidden = hidden_spots(self.game, position.s, self.roles)
                self._remember(position.s)
            guess = guess_state(self.game, position.s, self.roles, self.rng, self._hidden)
            for slot, spots in self._mixed.items():
                held = list(guess[slot])
                order = sorted(held[at] for at in spots)  # so that it does not hang on how things really lie
                self.rng.shuffle(order)
                for at, thing in zip(spots, order, strict=True):
                    held[at] = thing
                guess[slot] = tuple(held)
            return guess, position.d
        return self._answered_again()

    def _remember(self, state: Sequence[Any]) -> None:
        """Leave what the seat remembers in its place; where places have an order, anywhere in it."""
        if self._memory is None or not self._memory.places:
            return
        assert self._hidden is not None
        known = self._memory.places
        for kind, spots in self._hidden.items():
            if self.game.data.kinds[kind].is_pieces:
                continue
            left = []
            for slot, at in spots:
                is_ordered = self.game.values.places[slot][0].is_ordered
                thing = members(state[slot])[at] if is_ordered else at
                if known.get((kind, thing)) != slot:
                    left.append((slot, at))
                elif is_ordered:
                    self._mixed[slot] = [index for place, index in spots if place == slot]
            self._hidden[kind] = left

    def _answered_again(self) -> tuple[list[Any], int]:
        """Others have answered under seal: go back before that, and let them answer again."""
        game, own, rng = self.game, set(self.roles), self.rng
        first = self._before[-1]
        state = guess_state(game, first.state[: game.size], self.roles, rng)
        play = Playing()
        play.d, play.o, play.w = first.block, first.options, 0
        answers = [step.raw for step in reversed(self._before) if step.player in own]
        for _ in range(1000):
            if play.d == self.position.d and not answers:
                break
            if game.code["W"][play.d](play, state) in own and answers:
                raw = answers.pop(0)
            else:
                raw = play.o[int(rng.random() * len(play.o))]
            following = game.code["C"][play.d](play, state, raw)
            while following is not None:
                following = following(play, state)
            if state[0] == 0:
                break
        return state, play.d


def _sealed_before(position: Position) -> list[Any]:
    """The answers under the seal that the decision is under, the latest first; PlayError without a history."""
    game = position.game
    before: list[Any] = []
    if not game.data.decisions[position.d].is_sealed:
        return before
    if position.j is None:
        raise PlayError("a sealed decision cannot be looked ahead of without the history")
    procedure = game.data.decisions[position.d].procedure
    step = position._tip
    while step is not None:
        info = game.data.decisions[step.block]
        if not info.is_sealed or info.procedure != procedure or step.events:
            break  # what came before was opened
        before.append(step)
        step = step.parent
    return before


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
    found = hidden_spots(game, state, roles) if hidden is None else hidden
    instead: dict[str, dict[int, int]] = {}
    for kind in _inner_first(game, found):
        shuffle = _shuffle_pieces if game.data.kinds[kind].is_pieces else _shuffle_things
        instead[kind] = shuffle(game, guess, kind, found[kind], rng)
    for kind, others in instead.items():
        if others:
            _call_otherwise(game, guess, kind, others)
    return guess


def _inner_first(game: Game, kinds: Iterable[str]) -> list[str]:
    """Kinds in such an order that what lies in places of others comes before these: it moves with them afterwards."""
    order: list[str] = []
    begun: set[str] = set()

    def visit(kind: str) -> None:
        if kind in begun:
            return
        begun.add(kind)
        for holds in game.data.holds:
            if holds.owner == kind:
                visit(holds.kind)
        order.append(kind)

    for kind in kinds:
        visit(kind)
    wanted = set(kinds)
    return [kind for kind in order if kind in wanted]


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


def _shuffle_pieces(game: Game, state: list[Any], kind: str, spots: list[Spot], rng: random.Random) -> dict[int, int]:
    """The types change places; the states (face down, say) stay where they are. Gives back which piece is now where
    another was."""
    info = game.data.kinds[kind]
    types, unit = info.types, game.values.unit
    dealt = _dealt([code % types for _, code in spots], lambda index: _home(info, index), rng)
    instead: dict[int, int] = {}
    for (slot, code), index in zip(spots, dealt, strict=True):
        other = code - code % types + index
        state[slot] -= unit(kind, code)
        state[slot] += unit(kind, other)
        instead.setdefault(slot << game.values.shift | code, slot << game.values.shift | other)
    return instead


def _shuffle_things(game: Game, state: list[Any], kind: str, spots: list[Spot], rng: random.Random) -> dict[int, int]:
    """The things change places; their states stay with the place, as a card that lies face down stays so, and so does
    what lies in places of their own. Gives back which thing is now where another was."""
    info = game.data.kinds[kind]
    is_ordered = {slot: game.values.places[slot][0].is_ordered for slot, _ in spots}
    before = [state[slot][at] if is_ordered[slot] else at for slot, at in spots]
    after = _dealt(before, lambda thing: _home(info, thing), rng)
    if before == after:
        return {}
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
    hand_on(game, state, kind, before, after)
    return dict(zip(before, after, strict=True))


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


def hand_on(game: Game, state: list[Any], kind: str, before: Sequence[int], after: Sequence[int]) -> None:
    """Give each thing of `after` what lay in the places of the thing of `before`."""
    for holds in game.data.holds:
        if holds.owner != kind or holds.kind == kind:
            continue
        held = [state[holds.slot + thing] for thing in before]
        info = game.data.kinds[holds.kind]
        for thing, inside in zip(after, held, strict=True):
            slot = holds.slot + thing
            state[slot] = inside
            for each in () if info.is_pieces else members(inside) if holds.is_ordered else BITS[inside]:
                state[info.loc + each] = slot


# The slots of the states and names that may stand for things of a kind, each with its type and, of a state, itself.
_naming: WeakKeyDictionary[Game, dict[str, list[tuple[StateInfo | None, int, Any]]]] = WeakKeyDictionary()


def _call_otherwise(game: Game, state: list[Any], kind: str, instead: dict[int, int]) -> None:
    """What stands for one of some things or pieces stands for the one that is now in its stead."""
    naming = _naming.setdefault(game, {})
    if kind not in naming:
        naming[kind] = list(_slots_naming(game, kind))
    for entry, slot, type_ in naming[kind]:
        value = state[slot]
        named = _named_otherwise(value, type_, instead)
        if named != value:
            if entry is not None and entry.mode == "dual":
                state[entry.masks + value] &= ~(1 << slot - entry.slot)
                state[entry.masks + named] |= 1 << slot - entry.slot
            state[slot] = named


def _slots_naming(game: Game, kind: str) -> Iterator[tuple[StateInfo | None, int, Any]]:
    for entry in game.data.states:
        if entry.mode != "mask" and _names(entry.type, kind):
            size = 1 if entry.mode == "one" else len(game.data.kinds[entry.kind].names)
            yield from ((entry, entry.slot + at, entry.type) for at in range(size))
    yield from ((None, slot, type_) for slot, type_ in game.data.name_types.items() if _names(type_, kind))


def _names(type_: Any, kind: str) -> bool:
    """Whether a value of a type may stand for things or pieces of a kind."""
    match type_:
        case ["thing" | "piece", named]:
            return bool(named == kind)
        case ["maybe" | "set" | "list", inner]:
            return _names(inner, kind)
    return False


def _named_otherwise(value: Any, type_: Any, instead: dict[int, int]) -> Any:
    match type_:
        case ["thing" | "piece", _] | ["maybe", ["thing" | "piece", _]]:
            return instead.get(value, value)
        case ["set", ["thing", _]] if value:
            return sum(1 << instead.get(thing, thing) for thing in BITS[value])
        case ["list", inner] if value is not None:
            return tuple(_named_otherwise(each, inner, instead) for each in value)
        case ["maybe", inner] if value is not None:
            return _named_otherwise(value, inner, instead)
    return value
