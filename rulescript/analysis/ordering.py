"""Which of several amendments of one rule comes first.

Amendments are layered: what the base says, then what its single things (cards, markers) say, then the same
for each game that builds on it, then each option in the order of the options, then the scenario. Within one text
the order is as written. Where two of one layer meet, one may say `after X` or `before X`, X being an option or a
thing; options may also say `after` of each other. Later has the last word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Protocol, TypeVar

from rulescript import nodes as n
from rulescript.model import game as m
from rulescript.source import Span

__all__ = ["Ordered", "comes_later", "is_ordered", "layer_of", "names_of", "order_amendments"]


_OPTIONS, _SCENARIO = 10_000, 10_001


class Ordered(Protocol):
    """A hook, an adjustment, a reaction, or a rule that holds at once."""

    origin: str
    thing: str
    span: Span
    ordering: tuple[n.Ordering, ...]


A = TypeVar("A", bound=Ordered)


def layer_of(game: m.Game, amendment: Ordered) -> int:
    """0 the base, 1 its things, 2 and so on the games that build on it; then options, then the scenario."""
    depth, is_option = game.levels.get(amendment.origin, (0, True))
    if is_option:
        options = game.parts_of.get(amendment.origin, (amendment.origin,))
        return _SCENARIO if game.scenario and game.scenario in options else _OPTIONS
    return 2 * depth + bool(amendment.thing)


def names_of(game: m.Game, amendment: Ordered) -> set[str]:
    """What another amendment may call it: its option, its thing, or the common name of a thing's copies."""
    copied = {thing.copy_of for thing in game.things.get(amendment.thing, ())}
    return {amendment.origin, *game.parts_of.get(amendment.origin, ()), amendment.thing, *copied} - {""}


def _says(game: m.Game, first: Ordered, second: Ordered) -> bool:
    """Whether one of them says that the first comes first."""
    return any(o.word == "before" and o.name.text in names_of(game, second) for o in first.ordering) or any(
        o.word == "after" and o.name.text in names_of(game, first) for o in second.ordering
    )


def comes_later(game: m.Game, first: str, second: str) -> bool:
    """Whether the second option comes after the first, directly or by way of others."""
    both = {**game.all_options, **game.all_scenarios}
    seen, todo = set[str](), [second]
    while todo:
        name = todo.pop()
        # What belongs to several options comes after each of them.
        todo += game.parts_of.get(name, ())
        if name in seen or name not in both:
            continue
        seen.add(name)
        todo += [rule.name.text for rule in both[name].rules if rule.form == "after" and rule.name is not None]
    # And what comes after each of several options comes after what belongs to them together.
    parts = game.parts_of.get(first, (first,))
    return seen.issuperset(parts) and second not in parts


def is_ordered(game: m.Game, a: Ordered, b: Ordered) -> bool:
    """Whether it is settled which of two amendments of one rule comes first."""
    if a.span == b.span:
        return True  # the same line on two copies of a thing
    if layer_of(game, a) != layer_of(game, b) or _says(game, a, b) or _says(game, b, a):
        return True
    if a.origin != b.origin:
        return comes_later(game, a.origin, b.origin) or comes_later(game, b.origin, a.origin)
    return a.thing == b.thing and a.span.source is b.span.source


def in_order(game: m.Game, amendments: Sequence[A]) -> list[A]:
    """The amendments of one rule as they come: by layers, as written, and as they say."""
    left = sorted(amendments, key=lambda a: layer_of(game, a))
    if not any(a.ordering for a in left):
        return left
    names = [names_of(game, a) for a in left]
    after = [{o.name.text for o in a.ordering if o.word == "after"} for a in left]
    before = [{o.name.text for o in a.ordering if o.word == "before"} for a in left]
    # Of those that are left, how many have a name, and how many want to come before it.
    called = Counter(name for own in names for name in own)
    barring = Counter(name for own in before for name in own)
    waiting: dict[str, list[int]] = {}
    for at, own in enumerate(names):
        for name in own | after[at]:
            waiting.setdefault(name, []).append(at)

    def is_free(at: int) -> bool:
        """Whether nothing else that is left comes before it."""
        return all(called[name] == (name in names[at]) for name in after[at]) and all(
            barring[name] == (name in before[at]) for name in names[at]
        )

    free = [at for at in range(len(left)) if is_free(at)]  # a heap, as it is sorted
    known = set(free)
    done: dict[int, A] = {}
    first = 0
    while len(done) < len(left):
        while first in done:
            first += 1
        # A circle of `after`s has no answer; then the first written comes first.
        at = heappop(free) if free else first
        done[at] = left[at]
        known.add(at)
        called.subtract(names[at])
        barring.subtract(before[at])
        # The last one of a name is in everybody's way but its own.
        settled = {name for name in names[at] if called[name] <= 1} | {
            name for name in before[at] if barring[name] <= 1
        }
        for other in (other for name in settled for other in waiting.get(name, ())):
            if other not in known and is_free(other):
                known.add(other)
                heappush(free, other)
    return list(done.values())


def order_amendments(game: m.Game) -> None:
    """Put the amendments of every rule in their order."""
    for function in game.functions.values():
        function.adjustments = in_order(game, function.adjustments)
    for procedure in game.procedures.values():
        procedure.before = in_order(game, procedure.before)
        procedure.after = in_order(game, procedure.after)
    for name, hooks in game.loop_hooks.items():
        game.loop_hooks[name] = in_order(game, hooks)
    for signal in game.signals.values():
        signal.reactions = in_order(game, signal.reactions)
    game.whenevers = in_order(game, game.whenevers)
