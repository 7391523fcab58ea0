"""A single thing that another rule moved away: its place is never taken for one of another kind."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Elsewhere"
kind Side
    holds tent: Leader
kind Area
    state raided: bool
    holds leaders: Leader
kind Leader: side: Side
kind Marker
things
    Side North
    Area Mill
    Area Ford
    Leader Ada   North
    Leader Bela  North
    Marker Flag
players Side
state active: Side
state found: bool
phase set_out
    move Ada to Ford
phase go
    choose lead: l in Area.leaders "Lead {l}"
        send_home()
        found = l.place == Ford
        l.place.raided = yes
    or pass
procedure send_home
    move Ada to North.tent
sequence
    set_out
    for active in Side
        go
"""


def test_the_place_of_a_thing_that_was_moved_away_is_no_other_place() -> None:
    position = compile_text(load_single(GAME, "elsewhere.rules")).start()
    before = position.state_hash()
    with pytest.raises(rulescript.PlayError, match="nothing"):
        position.choose("lead Ada")
    assert position.state_hash() == before


NOWHERE = """\
rulescript 1
game "Nowhere"
kind Side
kind Area
    holds leaders: Leader
kind Leader
things
    Side North
    Area Mill
    Area Ford
    Leader Ada
players Side
state found: bool
phase go
    found = Ada.place == Mill
    may rest "Rest"
        move Ada to Mill
sequence
    repeat 2 times
        go
"""


def test_a_thing_that_is_nowhere_stands_in_no_place() -> None:
    position = compile_text(load_single(NOWHERE, "nowhere.rules")).start()
    assert position.value("found") == "no"
    assert position.choose("rest").value("found") == "yes"
