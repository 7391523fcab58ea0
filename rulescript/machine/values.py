"""What rules do with numbers, lists and texts, which may not grow beyond all measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from rulescript.errors import PlayError
from rulescript.machine.effort import step
from rulescript.machine.tables import BITS
from rulescript.phrases import counted

__all__ = [
    "adjusted", "bit", "bounded", "default", "HIGHEST_MEMBER", "in_order", "joined", "listed", "LONGEST",
    "LONGEST_TEXT", "MOST", "most_list", "most_set", "only", "pile_words", "product", "reason", "reasons", "short",
    "taken", "with_member", "within", "without",
]  # fmt: skip

# A game from a stranger must not fill the machine: these bounds are far beyond what any game needs.
MOST = 1 << 62
LONGEST = 10_000
LONGEST_TEXT = 4_000
HIGHEST_MEMBER = 4_095


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


def listed(items: Iterator[Any]) -> tuple[Any, ...]:
    """A list of what comes, unless that is more than lists may have."""
    found = tuple(islice(items, LONGEST + 1))
    if len(found) > LONGEST:
        raise PlayError(f"a list grew beyond {LONGEST} entries")
    return found


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
    if len(b) == 1:
        if b[0] not in a:
            return a
        at = a.index(b[0])
        return a[:at] + a[at + 1 :]
    away = dict(Counter(b))
    left: list[Any] = []
    for item in a:
        if away.get(item):
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


def with_member(items: tuple[int, ...], at: int, item: int) -> tuple[int, ...]:
    """A list with another member at one place."""
    return items if items[at] == item else (*items[:at], item, *items[at + 1 :])
