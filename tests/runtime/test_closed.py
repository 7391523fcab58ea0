"""`closed` goes for all that runs inside: no asides in what a closed rule calls."""

from __future__ import annotations

from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Closed"
kind Side
kind Card
    does play(who: Side)
things
    Side North
    Card Raid
        play
            ask_twice
players Side
state active: Side
state tired: bool
signal struck
when struck
    may by North: cry "Cry"
aside nap: s in Side "Nap" by active during go
    require not tired
    tired = yes
procedure ask_twice
    choose one "One"
    or two "Two"
procedure only_inside
    choose left "Left"
    or right "Right"
procedure fight, closed
    only_inside
    ask_twice
    fence
    ask_twice
    Raid.play(North)
    signal struck
procedure fence, closed
    choose cut "Cut"
    or thrust "Thrust"
    if tired
        return
    ask_twice
phase go
    ask_twice
    fight
    ask_twice
    fence
    signal struck
sequence
    for active in Side
        go
"""


def test_nothing_is_offered_in_what_a_closed_rule_calls() -> None:
    position = compile_text(load_single(GAME, "closed.rules")).start()
    offered = []
    while position.decision is not None:
        texts = [option.text for option in position.decision.options]
        offered.append((position.decision.name, "Nap" in texts))
        position.choose(0)
    assert offered == [
        ("one", True),
        ("left", False),
        ("one", False),
        ("cut", False),
        ("one", False),
        ("one", False),
        ("one", False),
        ("cry", False),
        ("one", True),
        ("cut", False),
        ("one", False),
        ("cry", True),
    ]


def test_it_is_told_which_rule_is_in_the_way() -> None:
    position = compile_text(load_single(GAME, "closed.rules")).start()
    position.choose("one").choose("left")
    refusal = position.why_not("nap")
    assert not refusal.allowed and "fight is running" in str(refusal)


def test_a_rule_that_is_left_early_is_over() -> None:
    position = compile_text(load_single(GAME, "closed.rules")).start()
    for words in ("one", "left", "one", "cut", "one", "one", "one", "decline", "nap"):
        position.choose(words)
    # Tired now, so the second duel ends early.
    assert position.decision is not None and position.decision.name == "one"
    position.choose("one").choose("cut")
    assert position.decision is not None and position.decision.name == "cry"
    assert position.value("tired") == "yes"
