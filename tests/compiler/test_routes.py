"""Routes with a limit of steps, in every form the compiler writes them, reach what going step by step reaches."""

from __future__ import annotations

import pytest

from rulescript.explain.evaluate import evaluate_text
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Routes"
kind Side
kind Town: dry: bool = yes
    state closed: bool
    holds units: Unit
pieces Unit: pace: int
    home pool
holds pool: Unit
things
    Side North
    Unit Slow  pace 1, 1
    Unit Fast  pace 3, 1
    Unit Lame  pace 0, 1
    Unit Stuck  pace -2, 1
players Side
map Land
    link road, track
    Town Ash
    Town Birch
    Town Cedar  not dry
    Town Dogwood
    Town Elm
    Town Fir
    road Ash - Birch - Cedar - Dogwood - Elm - Fir
    track Ash - Elm
state go_by_track: bool
route plain(t: Town, n: int) from t by road, at most n steps
route dry_way(t: Town, n: int) from t by road, at most n steps
    through b
        require b.dry
route first_by_track(t: Town, n: int) from t by road, track, at most n steps
    step a to b
        require b in a.road or a == t
route chosen(t: Town, n: int) from t by road, track, at most n steps
    step a to b
        require b in a.road or go_by_track
route chosen_far(t: Town) from t by road, track
    step a to b
        require b in a.road or go_by_track
route march(u: Unit on Town) from u.place by road, at most u.pace steps
route pairs(t: Town, n: int) from t by road, track, at most n steps
    step a to b
        require a.dry or b.dry
phase set_out
    for u in pool
        move u to Ash
    choose one "One"
    or two "Two"
sequence
    set_out
"""

TOWNS = ("Birch", "Cedar", "Dogwood", "Elm", "Fir")
NEAR = [
    ("plain(Ash, {n})", {0: "", 1: "Birch", 2: "Birch, Cedar", 5: "Birch, Cedar, Dogwood, Elm, Fir"}),
    ("dry_way(Ash, {n})", {0: "", 1: "Birch", 2: "Birch, Cedar", 5: "Birch, Cedar"}),
    ("first_by_track(Ash, {n})", {0: "", 1: "Birch, Elm", 2: "Birch, Cedar, Dogwood, Elm, Fir"}),
    ("chosen(Ash, {n})", {0: "", 1: "Birch", 2: "Birch, Cedar", 3: "Birch, Cedar, Dogwood"}),
    ("pairs(Ash, {n})", {0: "", 1: "Birch, Elm", 2: "Birch, Cedar, Dogwood, Elm, Fir"}),
]


@pytest.mark.parametrize(("route", "expected"), NEAR, ids=[route for route, _ in NEAR])
def test_what_is_reached_in_so_many_steps(route: str, expected: dict[int, str]) -> None:
    position = compile_text(load_single(GAME, "routes.rules")).start()
    for n, names in expected.items():
        assert ", ".join(position.explain(route.format(n=n)).value) == names, n
        # One by one, asking how many steps it takes.
        asked = [t for t in TOWNS if position.explain(f"steps({route.format(n=n)}, {t}) != nothing").value]
        assert ", ".join(asked) == names


def test_less_than_no_steps_are_none() -> None:
    position = compile_text(load_single(GAME, "routes.rules")).start()
    for route in ("plain", "dry_way", "first_by_track", "chosen", "pairs"):
        assert not evaluate_text(position, f"{route}(Ash, -1)")
    assert evaluate_text(position, "count(chosen_far(Ash))") == 5
