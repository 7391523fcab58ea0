"""Amendments under a thing hold while it is in force; with `always`, whether or not it is."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Cards"
kind Side
things
    Side North
players Side
kind Card
    state played: bool
    in force when played
state points: int
state round: int
value worth(c: Card) -> int
    1
things
    Card Drum
        restrict turn.play always
            require c != this or points > 0 "not first"  §7
        adjust worth(c) add 10
    Card Fife
        restrict turn.play
            require c != this "never in force, so never refused"
        adjust worth(c) add 100 always when c == this
        after turn always
            round += 1
    Card Horn
procedure turn
    may choose play: c in Card[not played] "Play {c}"
        c.played = yes
        points += worth(c)
sequence
    repeat 3 times
        turn
    end game, draw
"""


def _game(text: str) -> rulescript.Game:
    return compile_text(load_single(text, "cards.rules"))


def _texts(position: rulescript.Position) -> list[str]:
    assert position.decision is not None
    return [option.text for option in position.decision.options]


def test_always_holds_before_the_thing_is_in_force() -> None:
    position = _game(GAME).start(seed=1)
    assert _texts(position) == ["Play Fife", "Play Horn", "Decline"]
    assert "not first" in str(position.why_not("Play Drum"))
    position.choose("Play Horn")
    assert "Play Drum" in _texts(position)
    position.choose("Play Fife")
    assert position.value("points") == "102"
    assert position.value("round") == "2"


def test_without_always_it_waits_for_its_thing() -> None:
    position = _game(GAME.replace("turn.play always", "turn.play")).start(seed=1)
    assert "Play Drum" in _texts(position)


@pytest.mark.parametrize(
    "line",
    [
        "restrict turn.play always\n    require points < 9\n",
        "after turn always\n    points += 1\n",
        "adjust worth(c) add 1 always\n",
        "whenever points > 5 always\n    points = 0\n",
    ],
)
def test_elsewhere_always_says_nothing(line: str) -> None:
    with pytest.raises(GameInvalid) as caught:
        _game(GAME + line)
    assert [d.code for d in caught.value.diagnostics] == ["RS201"]
    assert caught.value.diagnostics[0].hint == "leave out `always`"
