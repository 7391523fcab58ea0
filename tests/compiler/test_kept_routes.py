"""Routes are worked out once until something they read changes: never more often, and never too seldom."""

from __future__ import annotations

from typing import Any

from rulescript.claims.run import GameSource, run_examples
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from tests.compiler.in_step import forms_of, play_in_step, source_of

GAME = """
rulescript 1
game "Supply"
values Side: North, South
players Side
state active: Side
state frost: int
kind Leader: side: Side
    home A.leaders
pieces Unit: side: Side
    state fed: bool
    home pool
holds pool: Unit
things
    Unit Foot   North, 12
    Unit Horse  South, 12
    Leader Ada  North
kind Town
    state besieged: bool
    holds units: Unit
    holds leaders: Leader
map Valley
    link road
    Town A
    Town B
    Town C
    Town D
    Town E
    Town F
    road A - B - C - D - E - F

function open_to(t: Town, s: Side, depth: int) -> bool
    if depth == 0
        return not t.besieged
    closed_to(t, s, depth - 1) == no

function closed_to(t: Town, s: Side, depth: int) -> bool
    if depth == 0
        return frost > 3 or t.besieged
    open_to(t, s, depth - 1) == no

route line(s: Side) from {A} by road
    enter t
        require none t.units[side != s] "free of enemies"
        require open_to(t, s, 3)

route near(l: Leader) from l.place by road, at most 2 steps

function supplied(t: Town, s: Side) -> bool
    t == A or t in line(s)

procedure feed
    for t in Town
        for s in Side
            if supplied(t, s)
                tell "{t} {s}"

phase play "Play"
    repeat
        choose put: t in Town - {A} "Put in {t}"
            move 1 from pool[side == active] to t
            feed
        or choose siege: t in Town - {A} "Besiege {t}"
            t.besieged = not t.besieged
        or choose freeze: n in 1..5 "Freeze {n}"
            frost = n
        or choose lead: t in near(Ada) "Ada to {t}"
            move Ada to t
        or choose spread: s in Side "Spread {s}"
            for t in Town
                if t in line(s)
                    move 1 from pool[side != s] to t
                if t in line(if s == North then South else North)
                    move t.units[side == s] home
            move up to 2 from B.units to C
            feed
        or choose travel: t in Town "Travel to {t}"
            for x in Town
                if x in near(Ada) and x != t
                    move Ada to x
            feed
        or stop "Enough"

phase setup
    move Ada to B
sequence
    setup
    repeat 3 times
        for active in Side
            play
    end game

example "Whatever they read"
    given empty, active North, at play
    expect
        count(line(North)) == 5
        near(Ada) == {B, C}
    play
        North: siege D
    expect
        line(North) == {B, C}
    play
        North: siege D
        North: freeze 5
    expect
        count(line(North)) == 0
    play
        North: freeze 1
        North: put B
    expect
        count(line(South)) == 0
        count(line(North)) == 5
    play
        North: lead C
    expect
        near(Ada) == {A, B, D, E}

example "Assumed from something else"
    given empty, active North, at play
    assume open_to(_, _, _) = frost < 2
    expect
        count(line(North)) == 5
    play
        North: freeze 3
    expect
        count(line(North)) == 0
    play
        North: freeze 1
    expect
        count(line(North)) == 5
"""


def game() -> Game:
    return compile_text(load_single(GAME, "supply.rules"))


def test_no_answer_is_stale() -> None:
    source = GameSource(load_single(GAME, "supply.rules"))
    assert [str(result) for result in run_examples(source) if not result.ok] == []


def test_a_route_is_worked_out_once_for_what_it_is_asked_about() -> None:
    made = game()
    worked: list[Any] = []
    for name, function in list(made.code.items()):
        if name.startswith("r") and name.endswith("_work"):
            made.code[name] = lambda S, *given, own=function: worked.append(given) or own(S, *given)
    position = made.start(seed=1)
    worked.clear()
    position.choose("Put in C")
    assert 0 < len([given for given in worked if given]) <= 4  # two sides, before and after, not once for each town


def test_all_forms_play_alike(tmp_path: Any) -> None:
    path = tmp_path / "supply.rules"
    path.write_text(GAME, encoding="utf-8")
    forms = forms_of(source_of(path))
    assert sum(play_in_step(forms, seed, 60) for seed in range(10)) > 100


SEVERAL = """
rulescript 1
game "Sailing"
values Side: North, South
players Side
state active: Side
pieces Unit: side: Side
    home pool
holds pool: Unit
things
    Unit Foot   North, 9
    Unit Horse  South, 9
kind Town
    holds units: Unit
map Coast
    link road, ferry
    Town A
    Town B
    Town C
    Town D
    Town E
    road A - B
    road D - E
    ferry B - C - D

route way(t: Town, s: Side, by_sea: bool, at_night: bool) from t by road, ferry
    enter x
        require at_night or none x.units[side != s]
    step x to y
        require by_sea or y in x.road

phase setup
    place 3 South Horse in D
    place 2 North Foot in A

phase play "Play"
    choose go: t in Town "Go to {t}"
        for x in Town
            for s in Side
                tell "{x} {s} {way(x, s, some A.units[side == s], x == t)}"
        move 1 from pool[side == active] to t

sequence
    setup
    for active in Side
        play
    end game

example "Yes is yes, however it comes about"
    given empty, at play
        A: 3 North Foot
        D: 2 South Horse
    expect
        way(A, North, no, no) == {B}
        way(A, North, some A.units, no) == {B, C}
        way(A, North, some A.units, some D.units) == {B, C, D, E}
        way(E, South, some A.units[side == South], no) == {D}
        way(E, South, some D.units, A == A) == {A, B, C, D}
"""


def test_what_is_asked_with_several_arguments_is_kept_by_all_of_them(tmp_path: Any) -> None:
    """Yes and no are one bit of the key, also where the rules come to them by counting."""
    source = GameSource(load_single(SEVERAL, "sailing.rules"))
    results = list(run_examples(source))
    assert results and [str(result) for result in results if not result.ok] == []
    path = tmp_path / "sailing.rules"
    path.write_text(SEVERAL, encoding="utf-8")
    forms = forms_of(source_of(path))
    assert sum(play_in_step(forms, seed, 60) for seed in range(3)) > 3
