"""Which states of pieces the words of an option tell: those that tell it from the others, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position

GAME = """\
rulescript 1
game "Steps"
values Arm: foot, horse
kind Side
    holds box: Unit
    holds lost: Unit
kind Town
    holds units: Unit
pieces Unit: side: Side, arm: Arm
    state moved: bool, lasts turn
    state steps: int = 2
    home side.box
    text "{side} {arm}"
things
    Side North
    Side South
    Town Mill
    Town Ford
    Town Peak
players Side
counts Unit
    |       | foot | horse |
    | North |    4 |     2 |
    | South |    4 |     2 |
state active: Side
values Turn: first, second
state turn: Turn
phase set_out
    place 2 North foot, 1 North horse in Mill
    place 1 North foot in Ford
    for u in Ford.units
        u.steps = 1
phase movement
    repeat
        choose march: u in Town.units, t in Town "March {u} to {t}"
            require u.side == active and not u.moved
            require t != u.place
            move u to t
            u.moved = yes
        or stop "Halt"
phase losses
    choose lose: 1 from Town.units[side == North] as lost "Lose {lost}"
        for u in lost
            move u to u.side.lost
sequence
    set_out
    for turn in Turn
        for active in Side
            movement
            losses
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    where: Path = tmp_path_factory.mktemp("steps") / "steps.rules"
    where.write_text(GAME, encoding="utf-8")
    return rulescript.load(where)


def texts(position: Position) -> list[str]:
    assert position.decision is not None
    return [option.text for option in position.decision.options]


def test_a_state_is_told_where_what_can_be_picked_differs_in_it(game: Game) -> None:
    assert texts(game.start()) == [
        "March: North foot in Mill",
        "March: North horse in Mill",
        "March: North foot (steps 1) in Ford",
        "Halt",
    ]


def test_a_state_that_all_have_is_not_told(game: Game) -> None:
    """All that can be lost have moved: that they have says nothing."""
    position = game.start()
    for words in ("march horse to Ford", "march foot from Mill to Ford", "march foot from Mill to Peak", "halt"):
        position.choose(words)
    assert position.phase == "losses"
    assert texts(position) == [
        "Lose: North foot (steps 1) in Ford",
        "Lose: North foot (moved) in Ford",
        "Lose: North horse (moved) in Ford",
        "Lose: North foot (moved) in Peak",
    ]
    moved = position.undo().choose("march foot from Ford to Peak")
    assert moved.phase == "losses"
    assert texts(moved) == [
        "Lose: North foot in Ford",
        "Lose: North horse in Ford",
        "Lose: North foot (steps 1) in Peak",
        "Lose: North foot in Peak",
    ]


def test_a_piece_picked_before_is_told_from_those_beside_it(game: Game) -> None:
    position = game.start()
    position.choose("march foot from Mill to Ford")
    position.choose("march u=Ford.units:North_foot(steps 1)")
    assert position.decision is not None
    assert position.decision.prompt == "March: North foot (steps 1) in Ford"
    assert texts(position) == ["March North foot (steps 1) to Mill", "March North foot (steps 1) to Peak"]
    alone = game.start()
    alone.choose("march u=Ford.units:North_foot(steps 1)")
    assert texts(alone) == ["March North foot to Mill", "March North foot to Peak"]


def test_every_text_still_means_its_own_option(game: Game) -> None:
    for seed in range(4):
        position = game.start(seed)
        for number in range(30):
            decision = position.decision
            if decision is None:
                break
            said = texts(position)
            assert len(set(said)) == len(said)
            for option in decision.options:
                by_text = position.clone().choose(option.text)
                assert by_text.state_hash() == position.clone().choose(option).state_hash()  # type: ignore[arg-type]
            position.choose((seed + number * 7) % len(said))
