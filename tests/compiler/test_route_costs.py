"""Routes whose steps cost points: what is reached, what a way costs, why a space is too far."""

from __future__ import annotations

import random

import pytest

from rulescript.claims.run import GameSource, run_examples
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from tests.forms import play_alike

GAME = """\
rulescript 1
game "Costs", version "1"
values Side: North, South
players Side
state active: Side
state points: int = 3
pieces Unit: side: Side, speed: int = 3
    home box
holds box: Unit
things
    Unit Red   North, 6
    Unit Blue  South, speed 1, 6
kind Area: woods: bool = no
    holds units: Unit
map M
    link road, river
    Area A
    Area B  woods
    Area C
    Area D
    Area E
    Area F  woods
    road A - B - C - D - E - A
    road C - F
    river A - B
value price(a: Area, b: Area) -> int
    if b.woods then 2 else 1
adjust price(a, b) add 1 when b in a.river "Across the river"
route march(u: Unit on Area) from u.place by road, at most u.speed points
    "Woods cost two."
    enter b
        require none b.units[side != u.side] "the enemy"
    through b
        require none x in b.road: some x.units[side != u.side] "zone of control"
    cost a to b
        price(a, b)
route free from A by road, at most points points
    cost x to y
        1
route far from {A, C} by road
    cost x to y
        price(x, y) - 5
phase m
    choose go: u in Area.units, b in Area "Go {u} to {b}"
        require u.side == active
        require b in march(u) "in reach"
        move u to b
    or pass
sequence
    place 2 Red in A
    place 1 Blue in D
    for active in Side
        m
    end game, North wins
example "An enemy near by"
    given setup, active North, at m
    legal b exactly {B, E}
    try go Red to C -> refused because "costs at most 3 points"
    try go Red to C -> refused because "reach"
    expect
        free == {B, C, D, E, F}
        price(A, B) == 3
        steps(free, F) == 3
        far == {B, D, E, F}
        steps(far, F) == 0
    case "nobody there": but D: no Blue
        legal b exactly {B, E, D, C}
        try go Red to F -> refused
    case "few points": but points = 1
        expect
            free == {B, E}
            steps(free, C) == nothing
"""


def test_examples() -> None:
    results = list(run_examples(GameSource.of_text(GAME, "costs.rules")))
    assert len(results) == 3 and all(result.ok for result in results), "\n".join(map(str, results))


def test_refusals_and_reasons_speak_of_points() -> None:
    position = compile_text(load_single(GAME, "costs.rules")).start(seed=1)
    assert "the way to C costs 4 points" in str(position.why_not("go Red to C"))
    assert "A - B - C, 2 points" in str(position.explain("steps(free, C)"))
    assert "A - B - C - F, 3 points" in str(position.explain("F in free"))


def test_the_cheapest_way_counts_on_any_map() -> None:
    """Against a plain search over all ways."""
    rng = random.Random(5)
    for _ in range(6):
        size = 7
        names = [f"X{i}" for i in range(size)]
        links = sorted({(rng.randrange(size), rng.randrange(size)) for _ in range(14)})
        links = [(i, j) for i, j in links if i != j] or [(0, 1)]
        links += [(i, (i + 1) % size) for i in range(size) if not any(i in pair for pair in links)]
        prices = [rng.randrange(4) for _ in names]
        text = 'rulescript 1\ngame "Any"\nvalues Side: North\nplayers Side\nstate active: Side\nkind Area: p: int = 0\n'
        text += "map M\n    link road\n" + "".join(f"    Area {n}  p {p}\n" for n, p in zip(names, prices, strict=True))
        text += "".join(f"    road {names[i]} -> {names[j]}\n" for i, j in links)
        text += "route way from X0 by road, at most 5 points\n    through b\n        require b.p != 3\n"
        text += "    cost a to b\n        a.p + b.p\nsequence\n    end game, North wins\n"
        position = compile_text(load_single(text, "any.rules")).start()

        best = {0: 0}
        for _ in range(size):
            for i, j in links:
                if i in best and (i == 0 or prices[i] != 3) and j != 0:
                    best[j] = min(best.get(j, 99), best[i] + prices[i] + prices[j])
        reached = {names[i] for i, cost in best.items() if i and cost <= 5}
        assert {str(x) for x in position.explain("way").value} == reached
        for i, cost in best.items():
            if i and cost <= 5:
                assert position.explain(f"steps(way, {names[i]})").value == cost


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("u.speed points", "u.speed steps", "goes at most so many points"),
        ("    cost x to y\n        1\n", "", "only if its steps have a `cost`"),
        ("        price(a, b)\n", "        price(a, b)\n        2\n", "one number"),
        ("        price(a, b)\n", "        a.woods\n", "a number"),
        ("        price(a, b)\n", "        price(a, b)\n    cost x to y\n        1\n", "says twice"),
    ],
)
def test_mistakes(old: str, new: str, said: str) -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(GAME.replace(old, new, 1), "costs.rules"))
    assert said in str(caught.value)


def test_many_games_at_once_are_the_same_games() -> None:
    game = compile_text(load_single(GAME, "costs.rules"))
    assert play_alike(game)
