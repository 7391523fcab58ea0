"""Masks and piles, decoded: the members of a set, the items of a pile, what is linked to any of some spaces.

These are immutable integers that come back again and again, so what was made of one is remembered. A whole is often
new where its parts are not: so it is put together from parts that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = [
    "BITL", "BitLists", "BitParts", "Bits", "BITS", "CHUNK", "Codes", "Counts", "Items", "LIMIT", "LIMIT_AT",
    "Near", "PARTS", "Remember", "Sums",
]  # fmt: skip

LIMIT = 1 << 15
LIMIT_AT = 1 << 11
CHUNK = 13


# Sets of so many members are taken apart in three, twelve in each: where these parts are noted.
_THREE_PARTS = 1 << 36
_SECOND, _THIRD = 12 << 12, 24 << 12


class Remember(dict[int, Any]):
    """A dict that works out what it does not know, and forgets everything when it grows too large."""

    __slots__ = ()

    def work_out(self, key: int) -> Any:
        raise NotImplementedError

    def __missing__(self, key: int) -> Any:
        if len(self) > LIMIT:
            self.clear()
        value = self[key] = self.work_out(key)
        return value


class Bits(Remember):
    """A mask -> the numbers of its members, as a tuple. Masks are often new, so there is one call less; of a large set
    with few members each is looked for by itself, others come in parts that are known."""

    __slots__ = ()

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) > LIMIT:
            self.clear()
        out: tuple[int, ...]
        if 0 <= key < _THREE_PARTS:
            out = _LOWEST[key & 0xFFF]
            if key > 0xFFF:
                out += _MIDDLE[key >> 12 & 0xFFF]
                if key > 0xFFF_FFF:
                    out += _HIGHEST[key >> 24]
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
                last = left.bit_length() - 1
                found.append(last)
                left ^= 1 << last
            found.reverse()
            out = tuple(found)
        else:
            while left:
                part = left & 0xFFF
                if part:
                    out += PARTS[at << 12 | part]
                left >>= 12
                at += 12
        return out


class BitParts(Remember):
    """Twelve bits of a mask, with the number of the lowest above them -> the numbers of the members."""

    __slots__ = ()

    def work_out(self, key: int) -> tuple[int, ...]:
        at = key >> 12
        return tuple([at + i for i in range(12) if key >> i & 1])


class BitLists(Remember):
    """A mask -> the numbers of its members, as a list of options. Never changed by anyone. What is listed is seldom
    gone through as well, so nothing is noted in the other table."""

    __slots__ = ()

    def work_out(self, key: int) -> list[int]:
        if 0 <= key < _THREE_PARTS:
            return [*_LOWEST[key & 0xFFF], *_MIDDLE[key >> 12 & 0xFFF], *_HIGHEST[key >> 24]]
        return list(BITS[key])


def _members_from(first: int) -> list[tuple[int, ...]]:
    """The members of each set of twelve, the lowest of which is `first`, by the set."""
    found: list[tuple[int, ...]] = [()]
    for member in range(first, first + 12):
        found += [(*members, member) for members in found]
    return found


# Most sets are of things of a kind that has no more than these; where they are new, nothing has to be looked for.
_LOWEST, _MIDDLE, _HIGHEST = _members_from(0), _members_from(12), _members_from(24)
PARTS = BitParts()
BITS = Bits()
BITL = BitLists()


class _Chunk(Remember):
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


class _Units(Remember):
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
    bit, all its bits, and what is known of it. `units_of`: for piles of so many bits, the chunks that they can have,
    and what is known of the pieces in each."""

    __slots__ = ("high", "low", "parts_of", "units_of")

    def __init__(self, fields: tuple[tuple[int, int], ...]) -> None:
        self.parts_of: list[tuple[int, int, _Chunk]] = []
        self.units_of: list[tuple[tuple[int, _Units], ...]] = [()]
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
        upto = (*self.units_of[-1], (mask, _Units(tuple(chunk))))
        self.units_of += [upto] * (end + 1 - len(self.units_of))

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


class Items(Remember):
    """A pile -> (code, count) pairs, in order of codes. `fields` says where each code's counter lies."""

    __slots__ = ("chunks", "fields")

    def __init__(self, fields: Iterable[Iterable[int]]) -> None:
        super().__init__()
        self.fields = tuple((offset, width) for offset, width in fields)
        self.chunks = _Chunks(self.fields)

    def units(self) -> tuple[int, ...]:
        """One piece of each code, as a pile."""
        return tuple([1 << offset for offset, _ in self.fields])

    def masks(self) -> tuple[int, ...]:
        """The whole counter of each code."""
        return tuple([(1 << offset + width) - (1 << offset) for offset, width in self.fields])

    def __missing__(self, key: int) -> tuple[tuple[int, int], ...]:
        if len(self) > LIMIT:
            self.clear()
        value: tuple[tuple[int, int], ...] = self.chunks.parts(key, 0)
        self[key] = value
        return value


class Codes(Remember):
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


class Counts(Remember):
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


class _Part(Remember):
    """Twelve members of a set, with the number of the lowest above them -> what a table gives for them, put together;
    `how` puts it together."""

    __slots__ = ("how", "table")

    def __init__(self, table: tuple[int, ...], how: Callable[[list[int]], int]) -> None:
        super().__init__()
        self.table = table
        self.how = how

    def work_out(self, key: int) -> int:
        at = key >> 12
        return self.how([self.table[at + i] for i in _LOWEST[key & 0xFFF] if at + i < len(self.table)])


class _Parts(Remember):
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
