"""States that stand under one thing belong to it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Horns", version "1"
kind Side
    state points: int
kind Card: side: Side, loud: bool = no
    does play
    home deck
    in force when it in table
holds deck: Card
holds table: Card
things
    Side North
    Side South
    Card Horn  North, loud
        state blown: int
        state tired: bool, lasts round
        play
            blown += 1
            tired = yes
        adjust worth(s) add blown when s == North and not this.tired "Horn"
    Card Drum  South, 2
        state tired: bool, lasts round
        play
            tired = yes
        adjust worth(s) add 1 when s == South and not tired "Drum"
players Side
state active: Side
state round: int
value worth(s: Side) -> int
    0
phase day
    may choose play: c in deck + table "Play {c}"
        require c.side == active
        move c to table
        c.play()
sequence
    for round in 1..3
        for active in Side
            day
    end game, draw

example "A number that stays, a mark that goes with the round"
    given empty, round 1, active North, at day
    play
        North: play Horn
    expect
        Horn.blown == 1 and Horn.tired
        worth(North) == 0
    play
        South: decline
    expect
        round == 2
        Horn.blown == 1 and not Horn.tired
        worth(North) == 1

example "Each copy has its own"
    given empty, round 1, active South, at day
        table: Drum_1, Drum_2
        Drum_1: tired
        Horn: blown 3
    expect
        Drum_1.tired and not Drum_2.tired
        worth(South) == 1
        Horn.blown == 3

"""


def test_own_states_are_read_set_given_and_put_back() -> None:
    results = list(run_examples(GameSource.of_text(GAME)))
    assert len(results) == 2
    assert [str(r) for r in results if not r.ok] == []


def said(tmp_path: Path, text: str) -> str:
    """What loading has against a game."""
    file = tmp_path / "horns.rules"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(rulescript.GameInvalid) as problem:
        rulescript.load(file, cache=False)
    return str(problem.value)


def test_what_the_kind_has_cannot_be_declared_again(tmp_path: Path) -> None:
    text = GAME.replace("state blown: int", "state loud: bool")
    assert "`Card` already has `loud`" in said(tmp_path, text)


def test_another_thing_does_not_have_it(tmp_path: Path) -> None:
    text = GAME.replace("add 1 when s == South", "add Drum_1.blown when s == South")
    assert "a Card has no `blown`" in said(tmp_path, text)
