"""A try of several steps goes on past forced choices of others to where its last step is asked."""

from __future__ import annotations

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Tolls", version "1"
values Side: North, South
players Side
state active: Side
state paid: int

phase trade "Trade"
    choose sell "Sell"
        choose by South toll: n in 1..3 "Toll {n}"
            require n == 1 "the lowest"
            paid += n
        choose add: k in 1..3 "Add {k}"
            require k < 3 "not three"
            paid += k
        or pass "Add nothing"
    or pass "Rest"

sequence
    trade
    end game, draw

"""


def failed(example: str) -> list[str]:
    return [str(r) for r in run_examples(GameSource.of_text(GAME + example)) if not r.ok]


def test_the_refusal_is_that_of_the_choice_it_is_about() -> None:
    example = """\
example "Selling"
    given empty, at trade
    try sell then add 3 -> refused because "not three"
    try sell then toll 2 -> refused because "the lowest"
    try sell then add 2 -> allowed
"""
    assert failed(example) == []


PARTING = """\
rulescript 1
game "Parting", version "1"
values Side: North, South
players Side
state active: Side

phase parting "Parting"
    for s in Side
        choose by s leave: n in 1..3 "Leave with {n}"
            require s == South "the South alone"
            require n < 3 "not all three"
        or stay "Stay"

sequence
    parting
    end game, draw

example "Who leaves"
    given empty, at parting
    try South: leave with 3 -> refused because "not all three"
    try South: leave with 2 -> allowed
    try North: leave with 2 -> refused because "the South alone"
    try leave with 2 -> refused because "the South alone"
"""


def test_a_forced_choice_of_another_refuses_nothing_to_the_player_who_is_named() -> None:
    assert [str(r) for r in run_examples(GameSource.of_text(PARTING)) if not r.ok] == []
