"""The few functions generated code leans on: decoding masks and piles, dice and draws, moving single things.

Everything here is pure or works on the flat list `S` of a position (see compiler/layout.py). Decoded masks and
piles are remembered: they are immutable integers that come back again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import count as counter
from itertools import islice, repeat
from operator import lshift, xor
from struct import Struct
from threading import local
from typing import Any

from rulescript.errors import PlayError, StepLimit
from rulescript.machine.sparse import (
    EVERY,
    PieceLabels,
    Recoded,
    SparseCodes,
    SparseCounts,
    SparseFields,
    SparseItems,
    SparseUnits,
    Which,
    WhichBy,
    WhichIn,
    heap,
    one_of,
    recoded,
)
from rulescript.machine.unsettled import members
from rulescript.phrases import counted

__all__ = [
    "adjusted", "alike_in", "Answers", "answers", "BITL", "BITS", "charted", "Codes", "completable", "completes",
    "Counts", "Demand", "draw_lot", "draw_pieces", "draw_sparse", "draw_things", "draw_unseen", "each_copy", "EVERY",
    "find_present", "first_picks", "flood", "flood_cost", "flood_steps", "gathered", "heap", "hits", "hits_on",
    "how_many_of_each", "Items",
    "Known", "KnownBy", "links_of", "many_first", "many_options", "many_start", "meets", "members", "most_list",
    "most_set", "move_thing", "Near", "Nested", "new_answers", "next_picks", "NO_WAYS", "noted", "number", "one_of",
    "only", "PieceLabels",
    "pile_words", "reason", "reasons", "Recoded", "recoded", "remember", "renew_chart", "roll", "rolled", "settled",
    "Shared", "shuffle", "so_many", "SparseCodes", "SparseCounts", "SparseFields", "SparseItems", "SparseUnits",
    "stale", "Sums", "table_of", "take_pieces", "too_long", "unlike", "usable_items", "Which", "WhichBy", "WhichIn",
    "with_member", "within", "without_option",
]  # fmt: skip

LIMIT = 1 << 15
LIMIT_AT = 1 << 11
CHUNK = 13
AT_ONCE = 64
MOST_NESTED = 256
MOST_TABLES = 64  # more of them are seldom asked again, and would drive everything else out of the cache
MASK64 = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


# Sets of so many members are taken apart in three, twelve in each: where these parts are noted.
_THREE_PARTS = 1 << 36
_SECOND, _THIRD = 12 << 12, 24 << 12
_ONE = repeat(1)


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
    """A mask -> the numbers of its members, as a tuple. Masks are often new, so there is one call less; of a large set
    with few members each is looked for by itself, others come in parts that are known."""

    __slots__ = ()

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) > LIMIT:
            self.clear()
        out: tuple[int, ...]
        if 0 <= key < _THREE_PARTS:
            out = PARTS[key & 0xFFF]
            if key > 0xFFF:
                out += PARTS[_SECOND | key >> 12 & 0xFFF]
                if key > 0xFFF_FFF:
                    out += PARTS[_THIRD | key >> 24]
            self[key] = out
            return out
        out = self[key] = self._of_many(key)
        return out

    @staticmethod
    def _of_many(key: int) -> tuple[int, ...]:
        if key < 0:
            raise ValueError("a set cannot have endlessly many members")  # only a damaged save has one
        # Slots of places, say, have nothing below; what is there is mostly no more than three parts.
        at = ((key & -key).bit_length() - 1) // 12 * 12
        left = key >> at
        out: tuple[int, ...] = ()
        if left < _THREE_PARTS:
            at <<= 12
            out = PARTS[at | left & 0xFFF] + PARTS[at + _SECOND | left >> 12 & 0xFFF] + PARTS[at + _THIRD | left >> 24]
        elif key.bit_count() << 3 < key.bit_length():
            left = key
            found = []
            while left:
                lowest = left & -left
                found.append(lowest.bit_length() - 1)
                left ^= lowest
            out = tuple(found)
        else:
            while left:
                part = left & 0xFFF
                if part:
                    out += PARTS[at << 12 | part]
                left >>= 12
                at += 12
        return out


class BitParts(_Remember):
    """Twelve bits of a mask, with the number of the lowest above them -> the numbers of the members."""

    __slots__ = ()

    def work_out(self, key: int) -> tuple[int, ...]:
        at = key >> 12
        return tuple([at + i for i in range(12) if key >> i & 1])


class BitLists(_Remember):
    """A mask -> the numbers of its members, as a list of options. Never changed by anyone."""

    __slots__ = ()

    def work_out(self, key: int) -> list[int]:
        return list(BITS[key])


PARTS = BitParts()
BITS = Bits()
BITL = BitLists()


class _Chunk(_Remember):
    """Some counters of a pile, decoded: what `Items`, `Codes` and `Counts` are put together from.

    Whole piles are often new, but their parts come back again and again."""

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[tuple[int, int, int], ...]) -> None:
        super().__init__()
        self.fields = fields

    def work_out(self, key: int) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], int, tuple[int, ...]]:
        items = []
        every: list[int] = []
        for code, offset, mask in self.fields:
            number = key >> offset & mask
            if number:
                items.append((code, number))
                every += [code] * number
        return tuple(items), tuple([c for c, _ in items]), len(every), tuple(every)


class _Units(_Remember):
    """Some counters of a pile -> the pieces one by one, each as a pile of one.

    These piles are the same numbers in all entries, not equal ones: so few are soon at hand."""

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[tuple[int, int, int], ...]) -> None:
        super().__init__()
        self.fields = [(1 << offset, offset, mask) for _, offset, mask in fields]

    def work_out(self, key: int) -> tuple[int, ...]:
        out: list[int] = []
        for one, offset, mask in self.fields:
            out += [one] * (key >> offset & mask)
        return tuple(out)


class _Chunks:
    """The counters of one kind of pieces, in chunks of so few bits that each is soon known. Of each chunk: its lowest
    bit, all its bits, and what is known of it."""

    __slots__ = ("high", "low", "parts_of", "units_of")

    def __init__(self, fields: tuple[tuple[int, int], ...]) -> None:
        self.parts_of: list[tuple[int, int, _Chunk]] = []
        self.units_of: list[tuple[int, int, _Units]] = []
        self.high = sum([1 << offset + width - 1 for offset, width in fields if width])
        self.low = sum([(1 << offset + width - 1) - (1 << offset) for offset, width in fields if width])
        chunk: list[tuple[int, int, int]] = []
        start = 0
        for code, (offset, width) in enumerate(fields):
            if chunk and offset + width - start > CHUNK:
                self._add(chunk, start, offset)
                chunk, start = [], offset
            chunk.append((code, offset, (1 << width) - 1))
        if chunk:
            end = fields[-1][0] + fields[-1][1]
            self._add(chunk, start, end)

    def _add(self, chunk: list[tuple[int, int, int]], start: int, end: int) -> None:
        first, mask = 1 << start, (1 << end) - (1 << start)
        self.parts_of.append((first, mask, _Chunk(tuple(chunk))))
        self.units_of.append((first, mask, _Units(tuple(chunk))))

    def parts(self, key: int, which: int) -> Any:
        """The items (0), codes (1), number (2) or pieces one by one (3) of a pile, from its chunks."""
        out: Any = 0 if which == 2 else ()
        for first, mask, table in self.parts_of:
            if first > key:
                break
            part = key & mask
            if part:
                out += table[part][which]
        return out


class Items(_Remember):
    """A pile -> (code, count) pairs, in order of codes. `fields` says where each code's counter lies."""

    __slots__ = ("chunks",)

    def __init__(self, fields: Iterable[Iterable[int]]) -> None:
        super().__init__()
        self.chunks = _Chunks(tuple((offset, width) for offset, width in fields))

    def __missing__(self, key: int) -> tuple[tuple[int, int], ...]:
        if len(self) > LIMIT:
            self.clear()
        value: tuple[tuple[int, int], ...] = self.chunks.parts(key, 0)
        self[key] = value
        return value


class Codes(_Remember):
    """A pile -> its distinct codes.

    How many there are of each does not matter, so a new pile is looked up as one that has the highest bit of each
    counter that is not empty: such piles come back again and again. (All ones added below the highest bit carry into
    it, unless there is nothing.)"""

    __slots__ = ("chunks", "high", "low")

    def __init__(self, items: Items) -> None:
        super().__init__()
        self.chunks = items.chunks
        self.high, self.low = items.chunks.high, items.chunks.low

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) > LIMIT:
            self.clear()
        present = ((key & self.low) + self.low | key) & self.high
        value: tuple[int, ...] = self.chunks.parts(key, 1) if present == key else self[present]
        self[key] = value
        return value


class Counts(_Remember):
    """A pile -> how many pieces it has."""

    __slots__ = ("chunks",)

    def __init__(self, items: Items) -> None:
        super().__init__()
        self.chunks = items.chunks

    def __missing__(self, key: int) -> int:
        if len(self) > LIMIT:
            self.clear()
        value: int = self.chunks.parts(key, 2)
        self[key] = value
        return value


class _Part(_Remember):
    """Twelve members of a set, with the number of the lowest above them -> what a table gives for them, put together;
    `how` puts it together."""

    __slots__ = ("how", "table")

    def __init__(self, table: tuple[int, ...], how: Callable[[list[int]], int]) -> None:
        super().__init__()
        self.table = table
        self.how = how

    def work_out(self, key: int) -> int:
        at = key >> 12
        return self.how([self.table[at + i] for i in BITS[key & 0xFFF] if at + i < len(self.table)])


class _Parts(_Remember):
    """A set of things -> what a table gives for its members, put together. Whole sets are often new, but parts of
    twelve come back again and again."""

    __slots__ = ("parts",)


def _union(masks: list[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


class Near(_Parts):
    """A set of spaces -> all that is linked to any of them; and what was found by going on along these links (`flood`),
    which depends on nothing but the sets it is given."""

    __slots__ = ("floods",)

    def __init__(self, table: tuple[int, ...]) -> None:
        super().__init__()
        self.parts = _Part(table, _union)
        self.floods: dict[tuple[int, int, int, int], int] = {}

    def __missing__(self, key: int) -> int:
        if len(self) > LIMIT:
            self.clear()
        parts = self.parts
        out: int
        if key < _THREE_PARTS:
            out = self[key] = parts[key & 0xFFF] | parts[_SECOND | key >> 12 & 0xFFF] | parts[_THIRD | key >> 24]
            return out
        out = at = 0
        left = key
        while left:
            out |= parts[at << 12 | left & 0xFFF]
            left >>= 12
            at += 12
        self[key] = out
        return out


class Sums(_Parts):
    """A set of things -> what a table gives for its members, added up."""

    __slots__ = ()

    def __init__(self, table: tuple[int, ...]) -> None:
        super().__init__()
        self.parts = _Part(table, sum)

    def __missing__(self, key: int) -> int:
        if len(self) > LIMIT:
            self.clear()
        parts = self.parts
        total: int
        if key < _THREE_PARTS:
            total = self[key] = parts[key & 0xFFF] + parts[_SECOND | key >> 12 & 0xFFF] + parts[_THIRD | key >> 24]
            return total
        total = at = 0
        left = key
        while left:
            total += parts[at << 12 | left & 0xFFF]
            left >>= 12
            at += 12
        self[key] = total
        return total


class Known(dict[Any, Any]):
    """What a pure expression comes to, by the one value it depends on."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[..., Any]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, key: Any) -> Any:
        if len(self) > LIMIT:
            self.clear()
        value = self[key] = self.work(key)
        return value


class KnownBy(Known):
    """What a pure expression comes to, by the several values it depends on."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        if len(self) > LIMIT:
            self.clear()
        value = self[key] = self.work(*key)
        return value


class Nested(dict[Any, Known]):
    """What a pure expression comes to, by the two values it depends on, one after the other: there is no pair to make
    and to look up by."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, key: Any) -> Known:
        if len(self) > MOST_NESTED:
            self.clear()
        value = self[key] = KnownPart(partial(self.work, key))
        return value


class KnownPart(Known):
    """One of many tables, each of which is small."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        if len(self) > LIMIT_AT:
            self.clear()
        value = self[key] = self.work(key)
        return value


class Answers(dict[Any, Any]):
    """What a pure rule answers while nothing it reads changes: by argument, worked out when first asked for.

    `S` is a copy of the state that asked first: all that share this table agree on everything the rule reads, and
    nobody changes it, in whichever thread."""

    __slots__ = ("S", "work")

    S: list[Any]
    work: Any

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.work(self.S, key)
        return value


class Shared(Answers):
    """Answers of a route that leads back as well as there: all that can be entered and reached from each other
    reach the same, except themselves."""

    __slots__ = ("enter",)

    enter: int

    def __missing__(self, key: int) -> int:
        value: int = self.work(self.S, key)
        if self.enter >> key & 1:
            members = BITS[value]
            self.update(zip(members, map(xor, repeat(value | 1 << key), map(lshift, _ONE, members)), strict=False))
        self[key] = value
        return value


def answers(memo: dict[Any, Answers], key: Any, S: list[Any], work: Any, enter: int | None = None) -> Answers:
    """The table of answers for what a rule reads now, kept by a key of that."""
    if len(memo) > MOST_TABLES:
        memo.clear()
    table = memo[key] = new_answers(S[:], work, enter)
    return table


def new_answers(S: list[Any], work: Any, enter: int | None = None) -> Answers:
    """A table of answers for what a rule reads now; `S` is a copy of all that it reads. `enter`: of a route that leads
    back, all it may enter."""
    table: Answers
    if enter is None:
        table = Answers()
    else:
        table = Shared()
        table.enter = enter
    table.work = work
    table.S = S
    return table


# What is written in a run of slots -> its number. Numbers are never used twice, so those of what was forgotten are not
# mistaken for others.
NUMBERS: dict[tuple[Any, ...], int] = {}
_next_number = counter(1).__next__
MOST_NUMBERS = 1 << 12
MOST_REMEMBERED = 1 << 12


def number(S: list[Any], slot: int, first: int, last: int) -> int:
    """A number for all that is written from `first` up to `last`: where it is the same, that is the same. It is kept in
    a slot of its own."""
    content = tuple(S[first:last])
    known = NUMBERS.get(content)
    if known is None:
        if len(NUMBERS) > MOST_NUMBERS:
            NUMBERS.clear()
        known = NUMBERS[content] = _next_number()
    S[slot] = known
    return known


def remember(memo: dict[Any, Any], key: Any, value: Any) -> Any:
    """Keep what a rule answered."""
    if len(memo) > MOST_REMEMBERED:
        memo.clear()
    memo[key] = value
    return value


def noted(table: dict[Any, Any], key: Any, value: Any) -> Any:
    """Keep what a rule answered in a table of the position."""
    if len(table) > MOST_NESTED:
        table.clear()
    table[key] = value
    return value


class Ways(dict[Any, int]):
    """The masks that a rule gives, by what it is asked of, as far as they were asked for; 0 where they were not."""

    __slots__ = ()

    def __missing__(self, key: Any) -> int:
        return 0


# Where nothing is known of what a rule gives. Nobody ever adds to it.
NO_WAYS = Ways()


def table_of(memo: dict[Any, Ways], key: Any) -> Ways:
    """The table of what a rule answers, by all that it reads."""
    found = memo.get(key)
    if found is None:
        if len(memo) > MOST_CHARTS:
            memo.clear()
        found = memo[key] = Ways()
    return found


class Gathered(dict[int, int]):
    """Some places of a run -> all that lies there. Masks, so no two places have the same."""

    __slots__ = ("run",)

    run: list[int]

    def __missing__(self, key: int) -> int:
        if len(self) > LIMIT_AT:
            self.clear()
        run = self.run
        value = self[key] = sum([run[at] for at in BITS[key]])
        return value


GATHERED: dict[tuple[int, ...], Gathered] = {}


def gathered(S: list[Any], slot: int, first: int, last: int) -> Gathered:
    """All that lies in some of the places from `first` up to `last`, by which they are. It is kept in a slot of its
    own."""
    content = tuple(S[first:last])
    found = GATHERED.get(content)
    if found is None:
        if len(GATHERED) > MOST_NUMBERS:
            GATHERED.clear()
        found = GATHERED[content] = Gathered()
        found.run = list(content)
    S[slot] = found
    return found


MOST_CHARTS = 512
BESIDE = 16


def charted(
    memo: dict[Any, tuple[list[Any], int]],
    key: Any,
    known: tuple[list[Any], int] | None,
    now: list[Any],
    S: list[Any],
    test: Callable[[list[Any], int, Any], Any],
    size: int,
    own: int,
    bits: int,
    weight: int,
) -> int:
    """The things of a kind for which a test holds, as a mask, kept with what the test looked at: `now` has, `own`
    times, an entry for each of the `size` things, then masks. Only those are tested for which that differs from what
    is known."""
    if known is None:
        if len(memo) > MOST_CHARTS:
            memo.clear()
        mask = sum([1 << i for i in range(size) if test(S, i, key)])
        step(size * weight)
    else:
        was, mask = known
        end = own * size
        changed = 0
        for at in range(end, end + bits):
            changed |= was[at] ^ now[at]
        for first in range(0, end, BESIDE):
            if was[first : first + BESIDE] != now[first : first + BESIDE]:
                for at in range(first, min(first + BESIDE, end)):
                    if was[at] != now[at]:
                        changed |= 1 << at % size
        for i in BITS[changed]:
            mask = mask | 1 << i if test(S, i, key) else mask & ~(1 << i)
        step(changed.bit_count() * weight)
    memo[key] = (now, mask)
    return mask


def renew_chart(
    S: list[Any], marks: int, first: int, size: int, sets: int, test: Callable[[list[Any], int, Any], Any],
    keys: tuple[Any, ...], bits: tuple[tuple[int, int], ...], besides: tuple[tuple[int, int], ...], weight: int,
) -> None:  # fmt: skip
    """Bring a chart that is kept in the state up to date: a set for each key, from slot `sets` on. The things for which
    something was written since are marked in the slot `marks`, from bit `first` on; masks and slots that were looked at
    besides are compared with copies. Until all is done the marks stay: who looks in between, in another thread, does
    the same once more."""
    field = (1 << size) - 1 << first
    changed = (S[marks] & field) >> first
    for slot, copy in bits:
        changed |= S[slot] ^ S[copy]
    for slot, copy in besides:
        if S[slot] != S[copy]:
            changed = (1 << size) - 1
    step(changed.bit_count() * len(keys) * weight)
    members = BITS[changed]
    for slot, key in enumerate(keys, sets):
        mask = S[slot] & ~changed
        for i in members:
            if test(S, i, key):
                mask |= 1 << i
        S[slot] = mask
    for slot, copy in (*bits, *besides):
        S[copy] = S[slot]
    S[marks] &= ~field


# ------------------------------------------------------------------ sets


def find_present(S: list[Any], changed: int, first: int, sorts: tuple[tuple[int, int], ...]) -> None:
    """Bring the sets of places that have pieces of some sorts up to date: those that changed since. The places begin at
    slot `first`; `sorts` has the slot of each set, with the counters of its pieces."""
    places = BITS[S[changed]]
    S[changed] = 0
    for at in places:
        pile = S[first + at]
        bit = 1 << at
        for slot, mask in sorts:
            if pile & mask:
                S[slot] |= bit
            elif S[slot] & bit:
                S[slot] ^= bit


def links_of(table: tuple[int, ...], mask: int) -> int:
    """All that is linked to any member of a set."""
    out = 0
    for i in BITS[mask]:
        out |= table[i]
    return out


def flood(start: int, table: Near, enter: int, through: int, steps: int) -> int:
    """What can be reached from `start` in at most `steps` (-1: any number), entering only `enter` and going on
    only from `through`. The start itself is never counted."""
    key = (start, enter, through, steps)
    found = table.floods.get(key)
    if found is not None:
        return found
    seen = 0
    frontier = start
    enter &= ~start
    while frontier and steps:
        near = table[frontier] & enter & ~seen
        seen |= near
        frontier = near & through
        steps -= 1
    if len(table.floods) > LIMIT_AT:
        table.floods.clear()
    table.floods[key] = seen
    return seen


def flood_steps(
    start: int,
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
            for b in BITS[near(a) & ~seen & ~start]:
                if may_enter(b) and may_step(a, b):
                    seen |= 1 << b
                    if b == target:
                        return count
                    if may_pass(b):
                        fresh.append(b)
        frontier = fresh
        steps -= 1
    return seen if target < 0 else None


def flood_cost(
    start: int,
    near: Callable[[int], int],
    may_enter: Callable[[int], bool],
    may_pass: Callable[[int], bool],
    may_step: Callable[[int, int], bool],
    cost: Callable[[int, int], int],
    points: int,
    target: int,
) -> Any:
    """Like flood_steps where each step costs points, the cheapest ways first; with a target, what it costs."""
    if target >= 0 and start >> target & 1:
        return 0
    seen = 0
    left = [(0, a) for a in BITS[start]]
    settled = start
    while left:
        spent, a = heappop(left)
        if not start >> a & 1:
            if settled >> a & 1:
                continue
            settled |= 1 << a
            seen |= 1 << a
            if a == target:
                return spent
            if not may_pass(a):
                continue
        for b in BITS[near(a) & ~settled]:
            if may_enter(b) and may_step(a, b):
                total = spent + max(0, cost(a, b))
                if points < 0 or total <= points:
                    heappush(left, (total, b))
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


def default(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value


def only(items: tuple[Any, ...]) -> Any:
    if len(items) != 1:
        raise PlayError("`only` was asked for the one member of something that has not exactly one")
    return items[0]


# ------------------------------------------------------------------ failures


def stale(place: str) -> None:
    raise PlayError(f"a rule used a piece that is no longer where it was ({place})")


def too_long(rule: str) -> None:
    raise StepLimit(f"`{rule}` went on for too long; it may never end")


# ------------------------------------------------------------------ bounds
#
# A game from a stranger must end, and must not fill the machine: numbers, lists, texts and the work between two
# decisions are bounded, far beyond what any game needs.

MOST = 1 << 62
LONGEST = 10_000
LONGEST_TEXT = 4_000
HIGHEST_MEMBER = 4_095
WORK_LIMIT = 100_000_000
DEEPEST = 150
_NOTED = 1 << 60


class _Work(local):
    """The work done since the last decision. Each thread has its own. `play`: who plays many decisions without
    beginning to count anew at each, and sets its own `w` to 0 instead, which is quicker."""

    done = 0
    play: Any = None


WORK = _Work()


def step(weight: int) -> None:
    """Count work: what compiler/lower/cost.py makes of it, in looks at one thing."""
    done = WORK.done = WORK.done + weight
    if done > WORK_LIMIT:
        _too_much(weight)


def many(items: Any, weight: int) -> Any:
    """Count what a loop goes over, before it does."""
    done = WORK.done = WORK.done + weight * len(items)
    if done > WORK_LIMIT:
        _too_much(weight * len(items))
    return items


def _too_much(last: int) -> None:
    WORK.done = 0
    play = WORK.play
    if play is not None and play.w < _NOTED and last <= WORK_LIMIT:
        play.w += _NOTED  # it may all have been done before the last decision; next time it was not
        return
    raise _endless()


def look_at_work(noted: int) -> None:
    """Where who plays counts the work: end it if it is too much."""
    if noted & _NOTED - 1 > WORK_LIMIT:
        raise _endless()


def _endless() -> StepLimit:
    return StepLimit("a rule went on for too long without asking anybody; it may never end")


def through(items: Any) -> Any:
    """Count what is looked through at once: a list in which something is sought, say, or which is compared."""
    long = len(items)
    if long > 32:
        first = items[0]
        if first.__class__ is tuple:
            long = sum(map(len, items))
        elif first.__class__ is str:
            long *= 6  # they may be long, and alike but for their ends
        step(long >> 1)
    return items


def listed(items: Iterator[Any]) -> tuple[Any, ...]:
    """A list of what comes, unless that is more than lists may have."""
    found = tuple(islice(items, LONGEST + 1))
    if len(found) > LONGEST:
        raise PlayError(f"a list grew beyond {LONGEST} entries")
    return found


def deeper(frame: Any, saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a rule that waits keeps while it calls itself: what the caller kept, its own, and how deep it is."""
    depth = 1 if frame is None else frame[2] + 1
    if depth > DEEPEST:
        raise StepLimit(f"a rule called itself more than {DEEPEST} times, one within the other; it may never end")
    return (frame, saved, depth)


def product(a: int, b: int) -> int:
    return bounded(a * b)


def bounded(number: int) -> int:
    """A number, unless it has grown beyond all measure."""
    if -MOST < number < MOST:
        return number
    raise PlayError("a number grew beyond all measure (2**62)")


def within(number: int, low: int, high: int, name: str) -> int:
    """A number, unless it is one that a state may not have."""
    if low <= number <= high:
        return number
    raise PlayError(f"`{name}` goes from {low} to {high}, and a rule makes it {number}")


def short(text: str) -> str:
    """A text, unless it has grown beyond all measure."""
    step(len(text) >> 3)
    if len(text) <= LONGEST_TEXT:
        return text
    raise PlayError(f"a text grew beyond {LONGEST_TEXT} letters")


def pile_words(pile: Iterable[tuple[int, int]], labels: tuple[str, ...]) -> str:
    """The pieces of a pile by their types: ``2 Northern foot, 1 Northern gun``."""
    totals: dict[int, int] = {}
    for code, number in pile:
        totals[code % len(labels)] = totals.get(code % len(labels), 0) + number
    return ", ".join([counted(number, labels[at]) for at, number in totals.items()]) or "nothing"


def adjusted(value: Any, operation: str, amount: Any) -> Any:
    """A value after one more layer."""
    match operation:
        case "set":
            return amount
        case "times":
            return value * amount
        case "add":
            return value + amount
    return max(value, amount) if operation == "floor" else min(value, amount)


def reason(label: str, operation: str, was: Any, value: Any) -> str:
    """What a layer brought to a value: ``; Rough ground -1``. Nothing, if it is as it was."""
    if was == value:
        return ""
    if isinstance(value, bool) or not isinstance(value, int):
        return f"; {label}" if label else ""
    brought = f"{value - was:+d}" if operation == "add" else f"{value}"
    return f"; {label} {brought}" if label else f"; {brought}"


def reasons(told: str) -> str:
    """All of them, to stand behind the value: `` (Rough ground -1, Guns +2)``."""
    return f" ({told[2:].replace('; ', ', ')})" if told else ""


def bit(number: int) -> int:
    """A set with one number in it."""
    if 0 <= number <= HIGHEST_MEMBER:
        return 1 << number
    raise PlayError(f"the numbers in a set go from 0 to {HIGHEST_MEMBER}")


def without(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list from which others are taken away, each once and the first of its like."""
    step(len(a) + len(b))
    away = Counter(b)
    left: list[Any] = []
    for item in a:
        if away[item] > 0:
            away[item] -= 1
        else:
            left.append(item)
    return tuple(left)


def joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    whole = len(a) + len(b)
    step(whole >> 1)
    if whole > LONGEST:
        raise PlayError(f"a list grew beyond {LONGEST} entries")
    return a + b


def in_order(items: Any) -> tuple[Any, ...]:
    """A list in order, the highest first."""
    step(4 * len(items))
    return tuple(sorted(items, reverse=True))


def taken(items: Any, count: int) -> Any:
    """The first so many of a list."""
    made = items[: max(0, count)]
    step(len(made) >> 1)
    return made


# ------------------------------------------------------------------ chance


def next_random(S: list[Any]) -> int:
    """The next 32 random bits: a 64-bit linear congruential generator, high half."""
    state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
    return int(state >> 32)


class _Jumps(_Remember):
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
    for first, chunk, units in items.chunks.units_of:
        if first > pile:
            break
        part = pile & chunk
        if part:
            pieces += units[part]
    total = len(pieces)
    if count == 1:
        state = S[1] = (S[1] * MULTIPLIER + INCREMENT) & MASK64
        moved = pieces[(state >> 32) * total >> 32]
    else:
        moved = 0
        numbers = next_randoms(S, count if count < total else total)
        # As many are left at each draw; the last of them takes the place of what is drawn.
        for number, left in zip(numbers, range(total, 0, -1), strict=False):
            at = number * left >> 32
            moved += pieces[at]
            pieces[at] = pieces[left - 1]
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
            if held.__class__ is tuple:
                place = held.index(thing)
                S[source] = held[:place] + held[place + 1 :]
            else:
                S[source] = held.without(thing)
        else:
            S[source] &= ~(1 << thing)
    S[at] = target
    if target >= 0:
        if info.ordered[target]:
            held = S[target]
            if held.__class__ is tuple:
                S[target] = (thing, *held) if end == "top" else (*held, thing)
            else:
                S[target] = held.on_top(thing) if end == "top" else held.below(thing)
        else:
            S[target] |= 1 << thing


def with_member(items: tuple[int, ...], at: int, item: int) -> tuple[int, ...]:
    """A list with another member at one place."""
    return items if items[at] == item else (*items[:at], item, *items[at + 1 :])


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


class _Picks:
    """What was worked out before for one list of what there is: the first picks by the number that is wanted, and
    further ones by what was picked and how many are needed."""

    __slots__ = ("available", "first", "further")

    def __init__(self, available: tuple[tuple[int, int], ...]) -> None:
        self.available = available
        self.first: dict[int, tuple[list[int], int]] = {}
        self.further: dict[tuple[tuple[int, ...], int], list[int]] = {}


# Lists come out of tables, so it is mostly the very same one that comes back: looking for it takes less time than to
# work out a hash of all that is in it.
_PICKS: dict[int, _Picks] = {}
_MOST_PICKS = 1 << 12


def _picks_of(available: tuple[tuple[int, int], ...]) -> _Picks:
    if len(_PICKS) > _MOST_PICKS:
        _PICKS.clear()
    known = _PICKS[id(available)] = _Picks(available)
    return known


def next_picks(available: tuple[tuple[int, int], ...], chosen: tuple[int, ...], needed: int) -> list[int]:
    """What `many_options` lists, for those who add nothing to it: the same list again for the same."""
    known = _PICKS.get(id(available))
    if known is None or known.available is not available:
        known = _picks_of(available)
    key = (chosen, needed)
    options = known.further.get(key)
    if options is None:
        options = known.further[key] = many_options(available, chosen, needed)
    return options


def first_picks(
    S: list[Any], items: int, wanted: int, available: tuple[tuple[int, int], ...], exactly: bool
) -> list[int]:
    """What `many_first` does, likewise."""
    S[items] = available
    known = _PICKS.get(id(available))
    if known is None or known.available is not available:
        known = _picks_of(available)
    key = S[wanted] if exactly else ~S[wanted]
    found = known.first.get(key)
    if found is None:
        options = many_first(S, items, wanted, available, exactly)
        found = known.first[key] = (options, S[wanted])
    options, S[wanted] = found
    return options


def without_option(options: list[int], gone: int) -> list[int]:
    """A list of options without one, if it is there; nobody changes the list itself."""
    left = options[:]
    try:
        left.remove(gone)
    except ValueError:
        return options
    return left


class _Split(_Remember):
    """The states of copies -> the slots of those that are masks, and of the others."""

    __slots__ = ()

    def work_out(self, key: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple([s for s, is_mask in key if is_mask]), tuple([s for s, is_mask in key if not is_mask])


SPLIT = _Split()


def _coarse(options: list[int], alike: tuple[int, ...], S: list[Any], loc: int) -> list[int]:
    """For each of some things a number: where it is another, they are no copies, or lie somewhere else."""
    if loc < 0:
        return [alike[i] for i in options]
    kinds = len(alike)
    return [S[loc + i] * kinds + alike[i] for i in options]


def alike_in(options: Iterable[int], alike: tuple[int, ...], S: list[Any], loc: int, states: Any) -> list[list[int]]:
    """Things in groups of copies that lie in the same place and are in the same state: `states` has for each its slot,
    and whether it is a mask."""
    options = list(options)
    coarse = _coarse(options, alike, S, loc)
    number = dict.fromkeys(coarse, 0)
    if len(number) == len(coarse):
        return [[i] for i in options]
    for key in coarse:
        number[key] += 1
    # Mostly a copy is alone where it lies, and of the masks it is in none: only otherwise all are looked at.
    masks, others = SPLIT[states]
    some = 0
    for s in masks:
        some |= S[s]
    found: dict[Any, list[int]] = {}
    for i, key in zip(options, coarse, strict=True):
        if number[key] == 1:
            found[key] = [i]
            continue
        own = tuple([S[s] >> i & 1 for s in masks]) if some >> i & 1 else ()
        here = (key, own, *[S[s + i] for s in others])
        if here in found:
            found[here].append(i)
        else:
            found[here] = [i]
    return list(found.values())


def unlike(options: Iterable[int], alike: tuple[int, ...], S: list[Any], loc: int, states: Any) -> list[int]:
    """Of copies that lie in the same place and are in the same state, only the first."""
    options = list(options)
    if len(options) < 2 or len(set(_coarse(options, alike, S, loc))) == len(options):
        return options
    return [group[0] for group in alike_in(options, alike, S, loc, states)]


def so_many(options: Iterable[int], *copies: Any) -> tuple[tuple[int, int], ...]:
    """The first of each group of copies, with how many there are."""
    return tuple([(group[0], len(group)) for group in alike_in(options, *copies)])


def how_many_of_each(items: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """What is the same once, ascending, with how often it comes."""
    return tuple(sorted(Counter(items).items()))


def each_copy(chosen: tuple[int, ...], options: Iterable[int], *copies: Any) -> tuple[int, ...]:
    """Things that were chosen by the first of their copies, each by itself."""
    groups = {group[0]: group for group in alike_in(options, *copies)}
    return tuple([groups[first][at] for first in dict.fromkeys(chosen) for at in range(chosen.count(first))])


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


# So many selections, or cases of what they add up to, are looked at before it is said that there are too many.
MOST_SELECTIONS = 20_000
MOST_SUMS = 250_000


class Demand:
    """What a selection as a whole must meet, as functions of it.

    `made` writes what was picked as the value that the rules know it by; `whole` tests it; `lasting` is the part of
    that test which, once broken, no further item mends. Where the test reads nothing of a selection but sums,
    counts, and whether some, every or none of it is something, `parts` works those out, and `folds` says how each is
    put together from the single items: "sum", "or", "and". `parted` and `lasting_parts` are then the tests of them:
    selections that agree in their parts need be looked at only once, however many they are."""

    __slots__ = ("made", "whole", "lasting", "folds", "parts", "parted", "lasting_parts")

    def __init__(
        self,
        made: Callable[[tuple[int, ...]], Any],
        whole: Callable[[Any], bool],
        lasting: Callable[[Any], bool],
        folds: tuple[str, ...] = (),
        parts: Callable[[Any], tuple[Any, ...]] | None = None,
        parted: Callable[[tuple[Any, ...]], bool] | None = None,
        lasting_parts: Callable[[tuple[Any, ...]], bool] | None = None,
    ) -> None:
        self.made = made
        self.whole = whole
        self.lasting = lasting
        self.folds = folds
        self.parts = parts
        self.parted = parted
        self.lasting_parts = lasting_parts

    def folded(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
        """The parts of two selections together."""
        return tuple(
            [a + b if fold == "sum" else a | b if fold == "or" else a & b
             for fold, a, b in zip(self.folds, one, other, strict=True)]
        )  # fmt: skip


def meets(have: tuple[int, ...], demand: Demand) -> bool:
    """Whether a selection is what the rules ask of it as a whole."""
    return bool(demand.whole(demand.made(have)))


def completable(
    options: list[int],
    have: tuple[int, ...],
    available: tuple[tuple[int, int], ...],
    wanted: int,
    exactly: bool,
    demand: Demand,
) -> list[int]:
    """Those of the options, to be picked next in ascending order, with which a selection can be made that is allowed
    as a whole."""
    if not options:
        return []
    last = have[-1] if have else options[0]
    rest = [(item, n - have.count(item)) for item, n in available if item >= last]
    usable = usable_items(have, [(item, n) for item, n in rest if n > 0], wanted, exactly, demand, True)
    return [option for option in options if option in usable]


def usable_items(
    have: tuple[int, ...],
    rest: list[tuple[int, int]],
    wanted: int,
    exactly: bool,
    demand: Demand,
    ascending: bool = False,
) -> set[int]:
    """Those of some (item, how many) that belong, with what is picked already, to a selection that is allowed as a
    whole; with `ascending`, to one in which they come first of what is added."""
    if demand.parts is None:
        return _usable_one_by_one(have, rest, wanted, exactly, demand, ascending)
    most = wanted - len(have)
    is_bounded = exactly or most < sum([n for _, n in rest])
    nothing = demand.parts(demand.made(()))
    begun = nothing
    for item in have:
        begun = demand.folded(begun, demand.parts(demand.made((item,))))
    if not exactly and most > 0:
        # Mostly an item is enough with what is picked already, or already too much.
        with_one = [(item, demand.folded(begun, demand.parts(demand.made((item,))))) for item, _ in rest]
        enough = {item for item, parts in with_one if demand.parted(parts)}  # type: ignore[misc]
        if not any([i not in enough and demand.lasting_parts(parts) for i, parts in with_one]):  # type: ignore[misc]
            step(4 * len(rest))
            return enough
    # The parts of all that can be picked from the first items, and then from the last one backwards what can be
    # completed. How many are picked is told apart only where it matters.
    layers: list[set[tuple[int, tuple[Any, ...]]]] = [{(0, begun)}]
    steps: list[list[tuple[int, tuple[Any, ...]]]] = []
    looked = 0
    for item, n in rest:
        one = demand.parts(demand.made((item,)))
        added = nothing
        ways = [(0, nothing)]
        for count in range(1, min(n, most) + 1):
            added = demand.folded(added, one)
            ways.append((count if is_bounded else 0, added))
        steps.append(ways)
        following: set[tuple[int, tuple[Any, ...]]] = set()
        for number, parts in layers[-1]:
            looked += len(ways)
            if looked > MOST_SUMS:
                raise too_many_selections(MOST_SUMS)
            for count, more in ways:
                if number + count > most:
                    break
                new = (number + count, demand.folded(parts, more) if more is not nothing else parts)
                if new not in following and demand.lasting_parts(new[1]):  # type: ignore[misc]
                    following.add(new)
        layers.append(following)
    step(4 * looked)
    good = {state for state in layers[-1] if (not exactly or state[0] == most) and demand.parted(state[1])}  # type: ignore[misc]
    out: set[int] = set()
    for at in reversed(range(len(rest))):
        before: set[tuple[int, tuple[Any, ...]]] = set()
        for state in layers[at]:
            number, parts = state
            for way, (count, more) in enumerate(steps[at]):
                new = (number + count, demand.folded(parts, more) if more is not nothing else parts)
                if new in good:
                    before.add(state)
                    if way and (not ascending or state == (0, begun)):
                        out.add(rest[at][0])
                        break
        good = before
    return out


def _usable_one_by_one(
    have: tuple[int, ...],
    rest: list[tuple[int, int]],
    wanted: int,
    exactly: bool,
    demand: Demand,
    ascending: bool,
) -> set[int]:
    """The same where a selection has to be looked at as a whole: selections are tried one after the other."""
    made, whole, lasting = demand.made, demand.whole, demand.lasting
    looked = 0
    base = have

    def ends(chosen: tuple[int, ...], at: int, used: int) -> tuple[int, ...] | None:
        """The first selection found with these, and more from a place in the list on."""
        nonlocal looked
        looked += 1
        if looked > MOST_SELECTIONS:
            raise too_many_selections(MOST_SELECTIONS)
        value = made(tuple(sorted((*base, *chosen))))
        if not lasting(value):
            return None
        left = wanted - len(base) - len(chosen)
        if (not exactly or left <= 0) and whole(value):
            return chosen
        if left <= 0:
            return None
        remaining = sum([n for _, n in rest[at:]]) - used
        for further in range(at, len(rest)):
            item, n = rest[further]
            if exactly and remaining < left:
                return None
            if n > used:
                found = ends((*chosen, item), further, used + 1)
                if found is not None:
                    return found
            remaining -= n - used
            used = 0
        return None

    out: set[int] = set()
    whole_rest = list(rest)
    for at, (item, _) in enumerate(whole_rest):
        if item in out:
            continue
        if ascending:
            rest = whole_rest
            found = ends((item,), at, 1)
            if found is not None:
                out.add(item)
            continue
        rest = [(other, m - (other == item)) for other, m in whole_rest if m > (other == item)]
        base = (*have, item)
        found = ends((), 0, 0)
        base = have
        if found is not None:
            out.update((item, *found))
    step(20 * looked)
    return out


def too_many_selections(most: int) -> PlayError:
    return PlayError(f"which selections meet the requirement cannot be worked out: more than {most:,} were looked at")


def settled(first: int, available: tuple[tuple[int, int], ...], wanted: int, demand: Demand | None = None) -> bool:
    """Whether the only item that `up to` or `any number` can begin with leaves nothing else to decide either."""
    have: tuple[int, ...] = (first,)
    while len(have) < wanted:
        options = many_options(available, have, 1)
        if demand is not None:
            options = completable(options, have, available, wanted, False, demand)
        if not options:
            return True
        if len(options) > 1 or demand is None or meets(have, demand):
            return False
        have += (options[0],)
    return True


def completes(
    domains: tuple[int, ...], items: tuple[int, ...], done: tuple[int, ...], whole: Callable[[Any], Any]
) -> bool:
    """Whether everything can still be given something so that the whole is allowed: `domains` are what each of the
    `items` can be given, as masks, and `done` what the first of them were. Of those that are alike a later one is never
    given something that comes before what an earlier one has: that would be the same again."""
    looked = 0
    if any(items[at] == items[at - 1] and done[at] < done[at - 1] for at in range(1, len(done))):
        return False

    def ends(plan: tuple[int, ...]) -> bool:
        nonlocal looked
        looked += 1
        if looked > MOST_SELECTIONS:
            raise StepLimit(f"more than {MOST_SELECTIONS} ways to give everything its place had to be looked at")
        at = len(plan)
        if at == len(domains):
            return bool(whole(plan))
        low = plan[-1] if at and items[at] == items[at - 1] else 0
        return any(ends((*plan, each)) for each in BITS[domains[at]] if each >= low)

    return ends(done)


# ------------------------------------------------------------------ matching dice


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


def no_row(table: str, value: Any) -> None:
    raise PlayError(f"table `{table}` has no row for what it was asked for")
