"""Setting what is so already is no event: nobody is told, though the rule counts as reached."""

from __future__ import annotations

from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.testing.coverage import Reached

GAME = """\
rulescript 1
game "Unchanged"
rulebook "Unchanged"
    1  section  "Weather"
    2  section  "Tired"
    3  section  "Score"
kind Side
    state score: int
    holds box: Unit
kind Town
    state muddy: bool
    holds units: Unit
pieces Unit: side: Side
    state tired: bool
    home side.box
things
    Side North
    Town Mill
    Town Ford
    Unit Northern  North, 2
players Side
values Sky: fair, rain
state sky: Sky
phase go
    place 1 Northern in Mill
    for u in Mill.units
        u.tired = yes
    choose rest "Rest"
        sky = fair                §1
        sky = rain                §1
        for t in Town
            t.muddy = t == Mill   §1
        for u in Mill.units
            u.tired = yes         §2
        North.score += 0          §3
    or march "March"
        for u in Mill.units
            u.tired = no          §2
sequence
    go
"""


def test_only_what_changes_is_told() -> None:
    position = compile_text(load_single(GAME, "unchanged.rules")).start()
    position.choose("rest")
    told = [event["text"] for event in position.journal if event["kind"] in ("set", "piece")]
    assert told == ["Northern (tired) in Mill: tired is now yes", "sky is now rain", "Mill: muddy is now yes"]


def test_what_changes_nothing_is_reached_all_the_same() -> None:
    position = compile_text(load_single(GAME, "unchanged.rules")).start().choose("rest")
    reached = Reached()
    for step in position.history():
        reached.events(position.game, step.events)
    assert set(reached.rules) == {"1", "2", "3"}


def test_what_set_a_state_is_what_changed_it() -> None:
    position = compile_text(load_single(GAME, "unchanged.rules")).start().choose("rest")
    assert [cause.text for cause in position.explain("sky").causes] == ["set to rain"]
