"""A line that is written like a key means the option of that key or none: its words are not read for another name."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import BadChoice
from rulescript.runtime.position import Position

GAME = """rulescript 1
game "Boxes"

kind Side
things
    Side Red
players Side
state active: Side = Red

kind Box
things
    Box Ash
    Box Birch

kind Toy: also: list of text = []
    state lies: Box = Birch
things
    Toy Ball  also ["B"]
    Toy Drum  also ["D"]

phase tidy
    repeat 2 times
        choose hand: b in Box, t in Toy, c in Box "{t} goes from {b} to {c}"
            require t.lies == b "it lies there"
            require c != b "elsewhere"
            require t == Ball "only the ball"
            t.lies = c
        or stop_it "Enough"

sequence
    tidy
    end game, {Red} win
"""


def start() -> Position:
    return GameSource.of_text(GAME, "boxes.rules").game().start(1)


@pytest.mark.parametrize("key", ["hand b=Ash", "hand c=Ash", "hand t=Drum", "hand t=Ball", "hand b=Elm"])
def test_a_key_of_no_option_is_refused_and_changes_nothing(key: str) -> None:
    """`hand b=Ash` is not the ball, which is called B, handed to Ash."""
    position = start()
    assert position.decision is not None
    assert key not in [option.key for option in position.decision.options]
    before = position.to_json()
    with pytest.raises(BadChoice):
        position.choose(key)
    assert position.to_json() == before
    assert not position.why_not(key).allowed


def test_words_and_keys_that_fit_are_still_taken() -> None:
    for line in ("hand B Ash", "ball from Birch to Ash", "hand ball", "hand b=Birch"):
        position = start()
        position.choose(line)
        assert position.value("Ball.lies") == "Ash"


EITHER = """rulescript 1
game "Either"

kind Side
things
    Side Red
players Side
state active: Side = Red

kind Box
    holds crews: Crew
    holds men: Man
things
    Box Ash
    Box Birch

kind Crew
    home Ash.crews
things
    Crew First

pieces Man: side: Side
    state tired: bool
    home Ash.men
things
    Man Digger  Red, 1

either Mover: Crew, Man

sequence
    for m in Ash.men
        m.tired = yes
    choose go: u in Box.crews + Box.men, b in Box "{u} goes to {b}"
        require b != u.place "elsewhere"
        move u to b
    end game, {Red} win
"""


def test_a_key_is_that_of_the_kind_it_names_something_of() -> None:
    """The first way goes over crews; the key names a piece, and one that is not in that state is not the other."""
    position = GameSource.of_text(EITHER, "either.rules").game().start(1)
    assert position.decision is not None
    assert [option.key for option in position.decision.options] == ["go u=First", "go u=Ash.men:Digger(tired)"]
    refusal = position.why_not("go u=Ash.men:Digger")
    assert not refusal.allowed and "there is no Digger in Ash" in str(refusal)
