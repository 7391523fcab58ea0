"""How long a state lasts: what a thing does, the whole game, with either article."""

from __future__ import annotations

import pytest

from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.position import Position

GAME = """\
rulescript 1
game "Lasting"
kind Side
    holds hand: Card
    holds out: Card
kind Card: side: Side
    home side.hand
    does play(who: Side)
things
    Side North
    Side South
    Card Raid  North
        play
            drunk += 1
            cheered = yes
            by_raid += 1
            toast(who)
            seen = drunk
    Card Feast  North
        play
            drunk += 10
            by_raid += 10
            seen = drunk
players Side
state active: Side
state drunk: int, lasts Card.play
state by_raid: int, lasts Raid.play
state cheered: bool
state seen: int
state bells: int
values Act: first, second, third
state act: Act
signal drunk_to(who: Side)
procedure toast(who: Side)
    signal drunk_to(who)
    signal drunk_to(who)
when drunk_to(who) once a game
    bells += 1
when drunk_to(who) once an act
    bells += 100
phase go
    may choose play_card: c in active.hand "Play {c}"
        move c to active.out
        c.play(active)
    may choose take_back: c in active.out "Take back {c}"
        move c to active.hand
sequence
    for act in Act
        for active in Side
            go
"""


def start() -> Position:
    return compile_text(load_single(GAME, "lasting.rules")).start()


def test_a_state_lasts_what_all_things_of_a_kind_do_or_one_of_them() -> None:
    position = start().choose("play Raid")
    assert position.value("seen") == "1" and position.value("drunk") == "0" and position.value("by_raid") == "0"
    position.choose("decline").choose("play Feast")
    assert position.value("seen") == "10" and position.value("drunk") == "0"
    assert position.value("by_raid") == "10"


def test_once_a_game_and_once_an_act() -> None:
    position = start().choose("play Raid")
    assert position.value("bells") == "101"
    position.choose("take back Raid").choose("play Raid")
    assert position.value("act") == "second" and position.value("bells") == "201"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("state tired: bool, lasts Card.paly", "RS101", "`Card.paly`"),
        ("state tired: bool, lasts go.rest", "RS101", "`go.rest`"),
        ("state tired: bool, lasts game", "RS201", "need not say so"),
    ],
)
def test_what_a_state_cannot_last(line: str, code: str, said: str) -> None:
    reporter = Reporter()
    text = load_single(GAME + line + "\n", "lasting.rules", reporter)
    with pytest.raises(GameInvalid) as problem:
        compile_text(text, (), "", reporter)
    (found,) = [d for d in problem.value.diagnostics if d.severity.value == "error"]
    assert found.code == code and said in found.message
