"""Rules that hold at once, and answers to a signal, come in the order that layers and `after` give them."""

from __future__ import annotations

from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Order"
kind Side
kind Card
    state out: bool = yes
    in force when out
things
    Side North
    Card Late
        when rung
            told += [3]
    Card Early
        when rung, before Late
            told += [2]
        whenever rings > 0, before Late
            seen += [2]
    Card Latest
        whenever rings > 0, after Early
            seen += [3]
players Side
state rings: int
state told: list of int
state seen: list of int
signal rung
when rung
    told += [1]
whenever rings > 0
    seen += [1]
phase go
    rings = 1
    signal rung
    choose one "One"
    or two "Two"
sequence
    go
option bells "Bells", after drums
    when rung
        told += [5]
    whenever rings > 0
        seen += [5]
option drums "Drums"
    when rung
        told += [4]
    whenever rings > 0
        seen += [4]
"""


def test_the_base_then_things_then_options_each_as_they_say() -> None:
    game = compile_text(load_single(GAME, "order.rules"), ("bells", "drums"))
    position = game.start()
    assert position.value("told") == "[1, 2, 3, 4, 5]"
    assert position.value("seen") == "[1, 2, 3, 4, 5]"
