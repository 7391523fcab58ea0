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
