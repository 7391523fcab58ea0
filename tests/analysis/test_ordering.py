"""The order of amendments is found quickly, and is the one that their words describe."""

from __future__ import annotations

import time
from random import Random
from types import SimpleNamespace
from typing import Any

from rulescript.analysis.ordering import _says, in_order, layer_of

GAME: Any = SimpleNamespace(levels={"": (0, False)}, parts_of={"D": ("A", "B")}, things={}, scenario="")


def amendment(number: int, origin: str, thing: str, *words: tuple[str, str]) -> Any:
    ordering = tuple(SimpleNamespace(word=word, name=SimpleNamespace(text=name)) for word, name in words)
    return SimpleNamespace(span=number, origin=origin, thing=thing, ordering=ordering)


def described(amendments: list[Any]) -> list[int]:
    """The first that nothing else comes before, again and again; of a circle the first."""
    left = sorted(amendments, key=lambda a: layer_of(GAME, a))
    out: list[int] = []
    while left:
        ready = next((a for a in left if not any(_says(GAME, b, a) for b in left if b is not a)), left[0])
        left.remove(ready)
        out.append(ready.span)
    return out


def test_the_order_is_the_described_one() -> None:
    rng = Random(1)
    orders = set()
    for _ in range(1500):
        some = [
            amendment(
                number, rng.choice(["", "A", "B", "C", "D"]), rng.choice(["", "x", "y"]),
                *((rng.choice(["after", "before"]), rng.choice("ABCDxyz")) for _ in range(rng.choice([0, 0, 1, 2]))),
            )
            for number in range(rng.randrange(9))
        ]  # fmt: skip
        found = [a.span for a in in_order(GAME, some)]
        assert found == described(some)
        orders.add(tuple(found))
    assert len(orders) > 500


def test_many_are_ordered_soon() -> None:
    many = [amendment(number, "A", f"t{number}", ("after", f"t{number + 1}")) for number in range(5_000)]
    many += [amendment(number, "A", "late", ("after", "t0"), ("before", "t7")) for number in range(5_000, 9_000)]
    started = time.process_time()
    assert len(in_order(GAME, many)) == len(many)
    assert time.process_time() - started < 5
