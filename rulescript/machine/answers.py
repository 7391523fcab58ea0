"""What rules answered, kept for as long as nothing they read changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count as counter
from typing import Any

from rulescript.machine.effort import step
from rulescript.machine.tables import BITS, LIMIT, LIMIT_AT, Remember

__all__ = [
    "answers", "Answers", "BESIDE", "charted", "find_present", "Gathered", "GATHERED", "gathered", "Known",
    "KnownBy", "KnownPart", "mend_present", "MOST_CHARTS", "MOST_NESTED", "MOST_NUMBERS", "MOST_REMEMBERED",
    "MOST_TABLES", "Nested", "new_answers", "new_table", "NO_WAYS", "noted", "number", "NUMBERS", "Present",
    "remember", "renew_chart", "Shared", "table_of", "Ways",
]  # fmt: skip

MOST_NESTED = 256
MOST_TABLES = 64  # more of them are seldom asked again, and would drive everything else out of the cache


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
            # A loop takes half the time of `update` with what `map` gives: each operator would be called.
            whole = value | 1 << key
            for member in BITS[value]:
                self[member] = whole ^ 1 << member
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


def new_table(S: list[Any], work: Any) -> Answers:
    """The same where the rule notes in the table itself what it has worked out: there is a class for each such rule,
    kept with it, so that nothing is called between them."""
    try:
        table: Answers = work.table()
    except AttributeError:
        work.table = type("Answering", (Answers,), {"__slots__": (), "__missing__": work})
        table = work.table()
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


class _Sorts(Remember):
    """A pile -> which sorts there are any of, as a set of their numbers."""

    __slots__ = ("masks",)

    def __init__(self, masks: tuple[int, ...]) -> None:
        super().__init__()
        self.masks = masks

    def work_out(self, key: int) -> int:
        return sum([1 << at for at, mask in enumerate(self.masks) if key & mask])


class _Slots(Remember):
    """Some sorts, as a set of their numbers -> the slots of their sets."""

    __slots__ = ("slots",)

    def __init__(self, slots: tuple[int, ...]) -> None:
        super().__init__()
        self.slots = slots

    def work_out(self, key: int) -> tuple[int, ...]:
        return tuple([self.slots[at] for at in BITS[key]])


class Present:
    """The sorts of pieces that places are asked for, in so many places: `sorts` as `find_present` has it."""

    __slots__ = ("every", "size", "slots", "sorts")

    def __init__(self, sorts: tuple[tuple[int, int], ...], size: int) -> None:
        self.every = (1 << len(sorts)) - 1
        self.size = size
        self.sorts = _Sorts(tuple([mask for _, mask in sorts]))
        self.slots = _Slots(tuple([slot for slot, _ in sorts]))


def mend_present(S: list[Any], changed: int, first: int, present: Present, copy: int) -> None:
    """What `find_present` does where nobody else writes to these sets: what lay there when that was done last is in the
    slot `copy`, and only sorts that came or went since are looked at."""
    places = BITS[S[changed]]
    S[changed] = 0
    was = S[copy]
    now = S[copy] = tuple(S[first : first + present.size])
    sorts, slots = present.sorts, present.slots
    for at in places:
        here = sorts[now[at]]
        other = present.every if was is None else here ^ sorts[was[at]]
        if other:
            bit = 1 << at
            for slot in slots[other & here]:
                S[slot] |= bit
            for slot in slots[other & ~here]:
                S[slot] &= ~bit
