"""Who is asked although nothing can be chosen, and what may be done beside a question put to several."""

from __future__ import annotations

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Watchers", version "1"
kind Side
    state points: int
    state coins: int = 2
    holds hand: Card, visible to it, count to others
    holds laid: Card, visible to it, count to others
kind Card: side: Side, sharp: bool = no
    home side.hand
things
    Side North
    Side South
    Card Horn  North, sharp
    Card Bell  North
    Card Drum  South
players Side
state active: Side
state open_road: bool
signal entering

when entering if open_road and some North.laid[sharp]
    may by North: spring "Spring it"
        North.points += 1
when entering if open_road and none North.laid
    may by South: hurry "Hurry"
        South.points += 1

aside pay: s in Side "Pay for {s}" by active during day
    require s == active and s.coins > 0
    s.coins -= 1

phase day "Day"
    signal entering
    choose by any of Side sound: c in chooser.hand "Sound {c}"
        require c.sharp
        chooser.points += 5
    or silence "Silence"

sequence
    for active in Side
        day
    end game, draw

"""


def failed(example: str) -> list[str]:
    return [str(r) for r in run_examples(GameSource.of_text(GAME + example)) if not r.ok]


def test_a_part_of_a_condition_that_all_see_to_fail_is_enough_not_to_ask() -> None:
    """`open_road` is known to all, so without it nobody is asked about the hidden cards."""
    assert (
        failed("""\
example "Closed"
    given empty, active North, at day
        North: laid: Bell
    expect
        asks North sound
""")
        == []
    )


def test_the_hidden_part_is_asked_about() -> None:
    assert (
        failed("""\
example "Open"
    given empty, active North, open_road yes, at day
        North: laid: Bell
    expect
        asks North entering
    try spring -> refused
""")
        == []
    )


def test_asides_stand_beside_a_question_to_several() -> None:
    """Only for the one whose aside it is, and the same one is asked again afterwards."""
    assert (
        failed("""\
example "Beside"
    given empty, active South, at day
    expect
        asks North sound
    try South: pay for South -> refused
    play
        North: silence
        South: pay for South
        South: pay for South
        South: silence
    expect
        South.coins == 0
        North.coins == 2
""")
        == []
    )
