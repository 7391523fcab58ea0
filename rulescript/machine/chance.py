"""Dice, draws and shuffles out of the one integer of randomness in a position; docs/semantics.md tells them by bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from struct import Struct
from typing import Any

from rulescript.errors import StepLimit
from rulescript.machine.effort import step
from rulescript.machine.moving import move_thing
from rulescript.machine.sparse import SparseItems, heap
from rulescript.machine.tables import BITS, Counts, Items, Remember
from rulescript.machine.unsettled import members

__all__ = [
    "AT_ONCE", "draw_lot", "draw_pieces", "draw_sparse", "draw_things", "draw_unseen", "hits", "hits_on",
    "INCREMENT", "JUMPS", "MASK64", "MULTIPLIER", "next_random", "next_randoms", "roll", "rolled", "shuffle",
]  # fmt: skip

AT_ONCE = 64
MASK64 = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


def next_random(S: list[Any]) -> int:
    """The next 32 random bits: a 64-bit linear congruential generator, high half."""
    state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
    return int(state >> 32)


class _Jumps(Remember):
    """How many random numbers -> what to multiply a state with and to add, so that all the states that follow come
    out at once, each in 128 bits of its own (a state times a factor plus a summand never needs more), and what finds
    the high halves in the bytes."""

    __slots__ = ()

    def work_out(self, key: int) -> tuple[int, int, Callable[[bytes], tuple[int, ...]]]:
        factor, summand = 1, 0
        factors = summands = 0
        for at in range(key):
            factor = factor * MULTIPLIER & MASK64
            summand = (summand * MULTIPLIER + INCREMENT) & MASK64
            factors |= factor << 128 * at
            summands |= summand << 128 * at
        return factors, summands, Struct("<" + "4xI8x" * key).unpack


JUMPS = _Jumps()


def next_randoms(S: list[Any], count: int) -> tuple[int, ...]:
    """What so many calls of `next_random` would give. From two on it is quicker to multiply large numbers once."""
    if count == 1:
        state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
        return (state >> 32,)
    if not 0 < count <= AT_ONCE:
        out: tuple[int, ...] = ()
        while count > 0:
            out += next_randoms(S, min(count, AT_ONCE))
            count -= AT_ONCE
        return out
    factors, summands, high_halves = JUMPS[count]
    states = S[1] * factors + summands
    S[1] = states >> (count - 1 << 7) & MASK64
    numbers: tuple[int, ...] = high_halves(states.to_bytes(count << 4, "little"))
    return numbers


def roll(p: Any, S: list[Any], count: int, sides: int, site: int) -> tuple[int, ...]:
    """So many dice. Each is `1 + (32 random bits * sides >> 32)`."""
    if p.chance is None:
        return rolled(S, count, sides)
    _count_dice(count)
    return tuple([_die(p.chance, S, sides, site) for _ in range(count)])


def rolled(S: list[Any], count: int, sides: int) -> tuple[int, ...]:
    """So many dice where nobody decides chance."""
    if count == 1:
        state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
        return (1 + ((state >> 32) * sides >> 32),)
    if count == 2:
        first = (S[1] * MULTIPLIER + INCREMENT) & MASK64
        state = S[1] = (first * MULTIPLIER + INCREMENT) & MASK64
        return (1 + ((first >> 32) * sides >> 32), 1 + ((state >> 32) * sides >> 32))
    if count > 8:
        _count_dice(count)
    return tuple([1 + (number * sides >> 32) for number in next_randoms(S, count)])


def _count_dice(count: int) -> None:
    if count > 1000:
        raise StepLimit("a rule rolled more than 1000 dice at once")
    if count > 8:
        step(16 * count)


def _die(chance: Any, S: list[Any], sides: int, site: int) -> int:
    """One die as chance gives it; from the generator where that is left to the seed."""
    given = chance.die(sides, site)
    return 1 + (next_random(S) * sides >> 32) if given is None else int(given)


def draw_pieces(
    p: Any, S: list[Any], count: int, source: int, mask: int, target: int, units: tuple[int, ...], items: Items,
    site: int, shift: int = 16,
) -> tuple[int, ...]:  # fmt: skip
    """Take pieces at random out of a place, one after the other; fewer if there are not so many."""
    if count <= 0:
        return ()
    out: list[int] = []
    pile = S[source] & mask
    chance = p.chance
    # Decoded once, not remembered: a place that is drawn from is hardly ever the same twice.
    # What is drawn changes place with the last, so every draw takes one step.
    codes = list(items.chunks.parts(pile, 3))
    total = len(codes)
    moved = 0
    state = S[1]
    if count > total:
        count = total
    base = target << shift
    for _ in range(count):
        given = None if chance is None else chance.piece(pile - moved, items, source, site)
        if given is None:
            state = (state * MULTIPLIER + INCREMENT) & MASK64
            at = (state >> 32) * total >> 32
        else:
            at = codes.index(given)
        code = codes[at]
        total -= 1
        codes[at] = codes[total]
        moved += units[code]
        out.append(base | code)
    S[1] = state
    S[source] -= moved
    S[target] += moved
    return tuple(out)


def draw_sparse(
    p: Any, S: list[Any], count: int, source: int, which: Any, target: int, items: SparseItems, site: int, shift: int
) -> tuple[int, ...]:
    """The same from a heap."""
    if count <= 0:
        return ()
    pile = S[source] & which
    codes = [code for code, number in items[pile] for _ in range(number)]
    drawn: list[int] = []
    for _ in range(min(count, len(codes))):
        given = None if p.chance is None else p.chance.piece(heap([(code, 1) for code in codes]), items, source, site)
        at = next_random(S) * len(codes) >> 32 if given is None else codes.index(given)
        drawn.append(codes[at])
        codes[at] = codes[-1]
        codes.pop()
    moved = heap([(code, 1) for code in drawn])
    S[source] -= moved
    S[target] += moved
    return tuple([target << shift | code for code in drawn])


def draw_unseen(S: list[Any], count: int, source: int, mask: int, target: int, items: Items) -> None:
    """What draw_pieces does where nobody wants to know which were drawn."""
    pile = S[source] & mask
    if count <= 0 or not pile:
        return
    pieces: list[int] = []
    for chunk, units in items.chunks.units_of[pile.bit_length()]:
        pieces += units[pile & chunk]
    left = len(pieces)
    if count == 1:
        state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
        moved = pieces[(state >> 32) * left >> 32]
    else:
        moved = 0
        for number in next_randoms(S, count if count < left else left):
            at = number * left >> 32
            left -= 1
            moved += pieces[at]
            pieces[at] = pieces[left]  # the last of them takes the place of what is drawn
    S[source] -= moved
    S[target] += moved


def draw_things(
    p: Any, S: list[Any], count: int, source: int, mask: int, target: int, info: Any, end: str, site: int
) -> tuple[int, ...]:
    """Take single things: from the top of an ordered place, at random out of another."""
    out: list[int] = []
    while count > 0:
        held = S[source]
        if info.ordered[source]:
            is_known = held.__class__ is tuple
            found = next((i for i in held if mask >> i & 1), -1) if is_known else held.first(mask, site)
            if found < 0:
                break
        else:
            inside = BITS[held & mask]
            if not inside:
                break
            given = None if p.chance is None else p.chance.thing(inside, source, info, site)
            found = inside[next_random(S) * len(inside) >> 32] if given is None else given
        move_thing(S, info, found, target, end)
        out.append(found)
        count -= 1
    return tuple(out)


def draw_lot(p: Any, S: list[Any], count: int, mask: int, kind: str, site: int) -> tuple[int, ...]:
    """So many members of a set at random, one after the other; they stay where they are."""
    out: list[int] = []
    while count > 0 and mask:
        inside = BITS[mask]
        given = None if p.chance is None else p.chance.lot(inside, kind, site)
        found = inside[next_random(S) * len(inside) >> 32] if given is None else given
        mask ^= 1 << found
        out.append(found)
        count -= 1
    if p.chance is not None and count > 0:
        p.chance.none_left(count, len(out), kind, site)
    return tuple(out)


def shuffle(p: Any, S: list[Any], slot: int, site: int) -> None:
    """Fisher-Yates from the end, with the generator's own reduction."""
    items = list(members(S[slot]))
    given = None if p.chance is None else p.chance.order(items, slot, site)
    if given is not None:
        S[slot] = given
        return
    last = len(items) - 1
    for i, number in zip(range(last, 0, -1), next_randoms(S, last), strict=True):
        j = number * (i + 1) >> 32
        items[i], items[j] = items[j], items[i]
    S[slot] = tuple(items)


def hits(dice: tuple[int, ...], scorers: Iterable[tuple[Any, int]]) -> int:
    """How many dice can be matched with pieces, each die and each piece once.

    A scorer is (the face or mask of faces it scores on, how many such pieces)."""
    single: dict[int, int] = {}
    several: list[tuple[int, int]] = []
    for score, count in scorers:
        if score.__class__ is frozenset:
            several.append((sum(1 << f for f in score), count))
        elif score in single:
            single[score] += count
        else:
            single[score] = count
    if not several:
        total = 0
        for face in single:
            number = dice.count(face)
            if number:
                count = single[face]
                total += number if number < count else count
        return total
    # Pieces that score on several faces: a small maximum flow by augmenting paths over units.
    units: list[int] = [1 << face for face, count in single.items() for _ in range(min(count, len(dice)))]
    units += [mask for mask, count in several for _ in range(min(count, len(dice)))]
    owner: list[int] = [-1] * len(units)
    return sum([_matched(die, dice, units, owner) for die in range(len(dice))])


def hits_on(dice: tuple[int, ...], pile: int, faces: tuple[tuple[int, int], ...], counts: Counts) -> int:
    """The hits of a pile whose pieces score on one face each: `faces` has the counters of those that score on it."""
    total = 0
    for face, mask in faces:
        number = dice.count(face)
        if number:
            count = counts[pile & mask]
            total += number if number < count else count
    return total


def _matched(first: int, dice: tuple[int, ...], units: list[int], owner: list[int]) -> bool:
    """Whether one more die finds a piece, if others may move to other pieces; `owner` says who has which."""
    came: dict[int, int] = {}
    waiting = [first]
    for die in waiting:
        step(len(units))
        for at, mask in enumerate(units):
            if at in came or not mask >> dice[die] & 1:
                continue
            came[at] = die
            if owner[at] >= 0:
                waiting.append(owner[at])
                continue
            # Back along the way: each takes the piece, and leaves its own to the one before.
            while True:
                mover = came[at]
                left = owner.index(mover) if mover != first else -1
                owner[at] = mover
                if left < 0:
                    return True
                at = left
    return False
