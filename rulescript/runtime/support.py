"""The few functions generated code leans on: decoding masks and piles, dice and draws, moving single things.

Everything here is pure or works on the flat list `S` of a position (see compiler/layout.py). Decoded masks and
piles are remembered: they are immutable integers that come back again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulescript.errors import PlayError, StepLimit

__all__ = [
    "BITL", "BITS", "Codes", "Counts", "Items", "draw_pieces", "draw_things", "flood", "flood_steps", "hits",
    "links_of", "many_first", "many_options", "many_start", "most_list", "most_set", "move_thing", "only", "roll", "shuffle", "stale",
    "take_pieces", "too_long",
]  # fmt: skip

LIMIT = 1 << 17
MASK64 = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


class _Remember(dict[int, Any]):
    """A dict that works out what it does not know, and forgets everything when it grows too large."""

    __slots__ = ()

    def work_out(self, key: int) -> Any:
        raise NotImplementedError

    def __missing__(self, key: int) -> Any:
        if len(self) > LIMIT:
            self.clear()
        value = self[key] = self.work_out(key)
        return value


class Bits(_Remember):
    """A mask -> the numbers of its members, as a tuple."""

    __slots__ = ()

    def work_out(self, key: int) -> tuple[int, ...]:
        out = []
        while key:
            low = key & -key
            out.append(low.bit_length() - 1)
            key ^= low
        return tuple(out)


class BitLists(_Remember):
    """A mask -> the numbers of its members, as a list of options. Never changed by anyone."""

    __slots__ = ()

    def work_out(self, key: int) -> list[int]:
        return list(BITS[key])


BITS = Bits()
BITL = BitLists()


class Items(_Remember):
    """A pile -> (code, count) pairs, in order of codes."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def work_out(self, key: int) -> tuple[tuple[int, int], ...]:
        width, field = self.width, (1 << self.width) - 1
        if width == 8:
            data = key.to_bytes((key.bit_length() + 7) >> 3, "little")
            return tuple([pair for pair in enumerate(data) if pair[1]])
        out = []
        code = 0
        while key:
            # Jump over empty counters.
            skip = ((key & -key).bit_length() - 1) // width
            code += skip
            key >>= skip * width
            out.append((code, key & field))
            key >>= width
            code += 1
        return tuple(out)


class Codes(_Remember):
    """A pile -> its distinct codes."""

    __slots__ = ("items_of",)

    def __init__(self, items: Items) -> None:
        super().__init__()
        self.items_of = items

    def work_out(self, key: int) -> tuple[int, ...]:
        return tuple(code for code, _ in self.items_of[key])


class Counts(_Remember):
    """A pile -> how many pieces it has."""

    __slots__ = ("items_of",)

    def __init__(self, items: Items) -> None:
        super().__init__()
        self.items_of = items

    def work_out(self, key: int) -> int:
        return sum(count for _, count in self.items_of[key])


# ------------------------------------------------------------------ sets


def links_of(table: tuple[int, ...], mask: int) -> int:
    """All that is linked to any member of a set."""
    out = 0
    for i in BITS[mask]:
        out |= table[i]
    return out


def flood(start: int, table: tuple[int, ...], enter: int, through: int, steps: int) -> int:
    """What can be reached from `start` in at most `steps` (-1: any number), entering only `enter` and going on
    only from `through`. The start itself is not counted unless reached again."""
    seen = 0
    frontier = start
    while frontier and steps:
        near = 0
        for i in BITS[frontier]:
            near |= table[i]
        near &= enter & ~seen
        seen |= near
        frontier = near & through
        steps -= 1
    return seen


def flood_steps(
    start: int,
    kind_size: int,
    near: Callable[[int], int],
    may_enter: Callable[[int], bool],
    may_pass: Callable[[int], bool],
    may_step: Callable[[int, int], bool],
    steps: int,
    target: int,
) -> Any:
    """Like flood, asking about every step; with a target, the number of steps to it (None if out of reach)."""
    seen = 0
    frontier = list(BITS[start])
    count = 0
    if target >= 0 and start >> target & 1:
        return 0
    while frontier and steps:
        count += 1
        fresh: list[int] = []
        for a in frontier:
            for b in BITS[near(a) & ~seen]:
                if may_enter(b) and may_step(a, b):
                    seen |= 1 << b
                    if b == target:
                        return count
                    if may_pass(b):
                        fresh.append(b)
        frontier = fresh
        steps -= 1
    return seen if target < 0 else None


def most_set(mask: int, by: Callable[[int], int], sign: int) -> int:
    """Those members of a set for which a number is highest (sign 1) or lowest (sign -1)."""
    best: int | None = None
    out = 0
    for i in BITS[mask]:
        value = by(i) * sign
        if best is None or value > best:
            best, out = value, 1 << i
        elif value == best:
            out |= 1 << i
    return out


def most_list(items: Iterable[Any], by: Callable[[Any], int], sign: int) -> tuple[Any, ...]:
    best: int | None = None
    out: list[Any] = []
    for item in items:
        value = by(item) * sign
        if best is None or value > best:
            best, out = value, [item]
        elif value == best:
            out.append(item)
    return tuple(out)


def only(items: tuple[Any, ...]) -> Any:
    if len(items) != 1:
        raise PlayError(f"`only` was asked for the one member of something that has {len(items)}")
    return items[0]


# ------------------------------------------------------------------ failures


def stale(place: str) -> None:
    raise PlayError(f"a rule used a piece that is no longer where it was ({place})")


def too_long(rule: str) -> None:
    raise StepLimit(f"`{rule}` went on for too long; it may never end")


# ------------------------------------------------------------------ chance


def next_random(S: list[Any]) -> int:
    """The next 32 random bits: a 64-bit linear congruential generator, high half."""
    state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
    return int(state >> 32)


def roll(p: Any, S: list[Any], count: int, sides: int, site: int) -> tuple[int, ...]:
    """So many dice. Each is `1 + (32 random bits * sides >> 32)`."""
    if count > 1000:
        raise StepLimit(f"a rule rolled {count} dice at once")
    if p.chance is not None:
        return tuple(p.chance.die(sides, site) for _ in range(count))
    out = []
    state = S[1]
    for _ in range(count):
        state = (state * MULTIPLIER + INCREMENT) & MASK64
        out.append(1 + ((state >> 32) * sides >> 32))
    S[1] = state
    return tuple(out)


def draw_pieces(
    p: Any, S: list[Any], count: int, source: int, mask: int, target: int, units: tuple[int, ...], items: Items,
    site: int,
) -> tuple[int, ...]:  # fmt: skip
    """Take pieces at random out of a place, one after the other; fewer if there are not so many."""
    if count <= 0:
        return ()
    out: list[int] = []
    pile = S[source] & mask
    if p.chance is not None:
        while count > 0 and pile:
            code = p.chance.piece(pile, items, source, site)
            pile -= units[code]
            S[source] -= units[code]
            S[target] += units[code]
            count -= 1
            out.append(target << 16 | code)
        return tuple(out)
    # Decoded once, not remembered: a place that is drawn from is hardly ever the same twice.
    # What is drawn changes place with the last, so every draw takes one step.
    codes = [code for code, number in items.work_out(pile) for _ in range(number)]
    total = len(codes)
    moved = 0
    state = S[1]
    if count > total:
        count = total
    base = target << 16
    for _ in range(count):
        state = (state * MULTIPLIER + INCREMENT) & MASK64
        at = (state >> 32) * total >> 32
        code = codes[at]
        total -= 1
        codes[at] = codes[total]
        moved += units[code]
        out.append(base | code)
    S[1] = state
    S[source] -= moved
    S[target] += moved
    return tuple(out)


def draw_things(
    p: Any, S: list[Any], count: int, source: int, mask: int, target: int, info: Any, end: str, site: int
) -> tuple[int, ...]:
    """Take single things: from the top of an ordered place, at random out of another."""
    out: list[int] = []
    while count > 0:
        held = S[source]
        if info.ordered[source]:
            found = next((i for i in held if mask >> i & 1), -1)
            if found < 0:
                break
        else:
            inside = BITS[held & mask]
            if not inside:
                break
            if p.chance is not None:
                found = p.chance.thing(inside, source, info, site)
            else:
                found = inside[next_random(S) * len(inside) >> 32]
        move_thing(S, info, found, target, end)
        out.append(found)
        count -= 1
    return tuple(out)


def shuffle(p: Any, S: list[Any], slot: int, site: int) -> None:
    """Fisher-Yates from the end, with the generator's own reduction."""
    items = list(S[slot])
    if p.chance is not None:
        S[slot] = tuple(p.chance.order(items, slot, site, S))
        return
    for i in range(len(items) - 1, 0, -1):
        j = next_random(S) * (i + 1) >> 32
        items[i], items[j] = items[j], items[i]
    S[slot] = tuple(items)


# ------------------------------------------------------------------ moving


class ThingInfo:
    """What moving single things of one kind needs to know."""

    __slots__ = ("loc", "ordered", "name")

    def __init__(self, name: str, loc: int, ordered: dict[int, bool]) -> None:
        self.name = name
        self.loc = loc
        self.ordered = ordered


def move_thing(S: list[Any], info: ThingInfo, thing: int, target: int, end: str) -> None:
    """Put a single thing in another place; the bottom of an ordered one unless it says top."""
    at = info.loc + thing
    source = S[at]
    if source >= 0:
        if info.ordered[source]:
            held = S[source]
            place = held.index(thing)
            S[source] = held[:place] + held[place + 1 :]
        else:
            S[source] &= ~(1 << thing)
    S[at] = target
    if target >= 0:
        if info.ordered[target]:
            S[target] = (thing, *S[target]) if end == "top" else (*S[target], thing)
        else:
            S[target] |= 1 << thing


def take_pieces(pile: int, count: int, items: Items, units: tuple[int, ...]) -> int:
    """So many pieces of a pile, lowest codes first, as a pile."""
    out = 0
    for code, number in items[pile]:
        if count <= 0:
            break
        taken = min(number, count)
        out += taken * units[code]
        count -= taken
    return out


def many_start(S: list[Any], wanted: int, count: int) -> bool:
    """Note how many are wanted; whether there is anything to choose at all."""
    S[wanted] = count
    return count > 0


def many_first(
    S: list[Any], items: int, wanted: int, available: tuple[tuple[int, int], ...], exactly: bool
) -> list[int]:
    """The options of the first pick; notes what there is."""
    S[items] = available
    if not exactly:
        return [item for item, _ in available]
    total = 0
    for _, count in available:
        total += count
    if S[wanted] > total:
        S[wanted] = total
    if len(available) == 1 or S[wanted] == total:
        # All of them, or all alike: there is nothing to ask.
        return [available[0][0]] if available else []
    return many_options(available, (), S[wanted])


def many_options(available: tuple[tuple[int, int], ...], chosen: tuple[int, ...], needed: int) -> list[int]:
    """What can be picked next when several are chosen one after the other in ascending order.

    `available` has (item, how many) in ascending order; `needed` more must still be found, so an item is offered
    only if enough remain from it upwards. Picking in order makes every selection one path, not many."""
    last = chosen[-1] if chosen else -1
    left: list[tuple[int, int]] = []
    for item, count in available:
        if item < last:
            continue
        if item == last:
            count -= chosen.count(item)
        if count > 0:
            left.append((item, count))
    out: list[int] = []
    remaining = sum(count for _, count in left)
    for item, count in left:
        if remaining >= needed:
            out.append(item)
        remaining -= count
    return out


# ------------------------------------------------------------------ matching dice


def hits(dice: tuple[int, ...], scorers: Iterable[tuple[Any, int]]) -> int:
    """How many dice can be matched with pieces, each die and each piece once.

    A scorer is (the face or mask of faces it scores on, how many such pieces)."""
    faces: dict[int, int] = {}
    for die in dice:
        faces[die] = faces.get(die, 0) + 1
    single: dict[int, int] = {}
    several: list[tuple[int, int]] = []
    for score, count in scorers:
        if isinstance(score, frozenset):
            several.append((sum(1 << f for f in score), count))
        else:
            single[score] = single.get(score, 0) + count
    if not several:
        return sum(min(number, single.get(face, 0)) for face, number in faces.items())
    # Pieces that score on several faces: a small maximum flow by augmenting paths over units.
    units: list[int] = [1 << face for face, count in single.items() for _ in range(min(count, len(dice)))]
    units += [mask for mask, count in several for _ in range(min(count, len(dice)))]
    owner: list[int] = [-1] * len(units)
    total = 0

    def assign(die: int, seen: set[int]) -> bool:
        for u, mask in enumerate(units):
            if u not in seen and mask >> dice[die] & 1:
                seen.add(u)
                if owner[u] < 0 or assign(owner[u], seen):
                    owner[u] = die
                    return True
        return False

    for die in range(len(dice)):
        total += assign(die, set())
    return total


def no_row(table: str, value: Any) -> None:
    raise PlayError(f"table `{table}` has no row for {value}")
