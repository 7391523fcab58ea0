"""Conditions on each thing of a kind are kept as masks and mended: never stale, and only what changed is asked anew."""

from __future__ import annotations

from random import Random
from typing import Any

import rulescript
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from tests.compiler.in_step import forms_of, play_in_step, source_of

GAME = """
rulescript 1
game "Charts"
values Side: North, South
players Side
state active: Side
state thaw: bool
kind Chief: side: Side
    home camp
holds camp: Chief
pieces Unit: side: Side
    home pool
holds pool: Unit
things
    Unit Foot   North, 9
    Unit Horse  South, 9
    Chief Ada   North
    Chief Bo    South
kind Town: lord: maybe Side
    state flag: maybe Side
    state sick: bool
    state sides: set of Side
    state walls: int
    holds units: Unit
    holds chiefs: Chief
map Valley
    link road
    Town A  North
    Town B
    Town C
    Town D  South
    Town E
    Town F
    Town G
    road A - B - C - D - E - F - G

function holder(t: Town) -> maybe Side
    if t.sick and not thaw
        return nothing
    if some t.units[side == North]
        return North
    if some t.units
        return South
    let c = first(t.chiefs)
    if c != nothing
        return c.side
    t.flag

function dear(t: Town) -> bool
    if t.walls > 2
        return yes
    North in t.sides and South in t.sides

route ways(t: Town, s: Side) from t by road
    enter b
        require holder(b) == s or dear(b)

phase play "Play"
    repeat
        choose put: t in Town "Put in {t}"
            require count(t.units) < 3
            move 1 from pool[side == active] to t
        or choose take: t in Town "Take from {t}"
            require some t.units
            move 1 from t.units to pool
        or choose raise: t in Town "Raise in {t}"
            require holder(t) != active
            t.flag = active
        or choose lower: t in Town "Lower in {t}"
            require t.flag != nothing and t.flag == active
            t.flag = nothing
        or choose fall: t in Town "{t} falls sick"
            t.sick = not t.sick
        or choose build: t in Town "Build in {t}"
            require holder(t) == active
            t.walls = (t.walls + 1) mod 4
            t.sides = if active in t.sides then t.sides - {active} else t.sides + active
        or choose lords: t in Town "The lord of {t}"
            require t.lord == active
            thaw = not thaw
        or choose go: t in Town, u in Town "From {t} to {u}"
            require holder(t) == active
            require u in ways(t, active)
            require not thaw
            t.sides = {active}
        or choose meet: c in Chief, t in Town "{c} to {t}"
            require c.side == active
            require none d in Chief: d != c and d in t.chiefs
            move c to t.chiefs
        or stop "Enough"
sequence
    repeat 20 times
        for active in Side
            play
    end game
"""


def holders(pos: rulescript.Position) -> dict[str, str]:
    """Who holds each town, by the rule's own words, in Python."""
    out: dict[str, str] = {}
    for town in "ABCDEFG":
        units = pos.value(f"{town}.units")
        if pos.value(f"{town}.sick") == "yes" and pos.value("thaw") == "no":
            out[town] = "nothing"
        elif units:
            out[town] = "North" if any(u.startswith("Foot") for u in units) else "South"
        elif pos.value(f"{town}.chiefs"):
            out[town] = "North" if "Ada" in pos.value(f"{town}.chiefs") else "South"
        else:
            out[town] = pos.value(f"{town}.flag")
    return out


def charts_of(game: Any) -> dict[str, Any]:
    return {name: value for name, value in game.code.items() if name.startswith("chart") and callable(value)}


def test_options_are_those_that_the_rule_allows() -> None:
    game = compile_text(load_single(GAME, "charts.rules"))
    assert any(name.endswith("_one") for name in charts_of(game))
    for seed in range(3):
        pos, rng = game.start(seed=seed), Random(seed)
        for _ in range(150):
            if pos.outcome is not None:
                break
            keys = [option.key for option in pos.decision.options]
            if "stop" in keys:
                who, active = holders(pos), pos.value("active")
                assert {k[-1] for k in keys if k.startswith("raise")} == {t for t in who if who[t] != active}
                assert {k[-1] for k in keys if k.startswith("build")} == {t for t in who if who[t] == active}
            pos = pos.choose(rng.choice(keys))


def test_only_what_changed_is_asked_again() -> None:
    game = compile_text(load_single(GAME, "charts.rules"))
    asked: list[int] = []
    for name, work in charts_of(game).items():
        if name.endswith("_one"):
            game.code[name] = lambda S, i, key, work=work: asked.append(i) or work(S, i, key)
    pos = game.start(seed=1)
    for _ in range(2):  # until every chart has been asked for both sides
        pos = pos.choose("stop")
    asked.clear()
    pos.choose("fall C")
    assert asked
    assert set(asked) == {2}


def test_all_forms_play_alike(tmp_path: Any) -> None:
    path = tmp_path / "charts.rules"
    path.write_text(GAME, encoding="utf-8")
    forms = forms_of(source_of(path))
    assert sum(play_in_step(forms, seed, 60) for seed in range(6)) > 100
