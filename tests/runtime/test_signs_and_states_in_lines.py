"""A number in a line has its sign, and a state may be said in which a piece is from the start: in play, in examples and
in what `why_not` answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript import BadChoice, Game
from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import render_report

TEXT = """rulescript 1
game "Signs", version "1"
kind Side
    holds box: Unit
things
    Side Red
    Side Blue
players Side
kind Area
    holds units: Unit
things
    Area Mill
    Area Ford
pieces Unit: side: Side
    state worn: -3..3
    state steps: 0..1000000000 = 2
    state moved: bool
    home side.box
things
    Unit Red_foot   Red, 6
    Unit Blue_foot  Blue, 6
state active: Side
state sum: int
phase turn "Turn"
    choose shift: t in Area, n in [-2, -1, 1, 2] "Shift {t} by {n}"
        require n > 0
        sum = n
    or choose twist: n in [-2, -1] "Twist by {n}"
        sum = n
    or choose march: u in Area.units, t in Area "March {u} to {t}"
        require t != u.place
        u.moved = yes
        move u to t
    or pass
sequence
    place 2 Red_foot in Mill
    place 1 Red_foot in Ford
    for u in Ford.units
        u.worn = -2
        u.steps = 1000000000
    for active in Side
        turn
    end game
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "signs.rules").write_text(TEXT, encoding="utf-8")
    return rulescript.load(tmp_path / "signs.rules", cache=False)


@pytest.mark.parametrize(
    "line, keys",
    [
        ("shift Mill by 1", ["shift t=Mill", "shift n=1"]),
        ("twist by -1", ["twist n=-1"]),
        ("Red: twist -2", ["twist n=-2"]),
        ("twist \N{MINUS SIGN}2", ["twist n=-2"]),
        ("twist n=-2", ["twist n=-2"]),
        ("march Red foot (worn -2) to Mill", ["march u=Ford.units:Red_foot(worn -2, steps 1000000000)"]),
        ("march Red foot (steps 1000000000) to Mill", ["march u=Ford.units:Red_foot(worn -2, steps 1000000000)"]),
        ("march Red foot (steps 2) to Ford", ["march u=Mill.units:Red_foot"]),
        ("march Red foot (worn 0, steps 2, not moved) to Ford", ["march u=Mill.units:Red_foot"]),
    ],
)
def test_what_a_line_says_is_taken(game: Game, line: str, keys: list[str]) -> None:
    position = game.start(1)
    assert position.why_not(line).allowed
    position.choose(line)
    assert [step.key for step in position.history()][: len(keys)] == keys


@pytest.mark.parametrize(
    "line, told",
    [
        ("shift Mill by -1", "-1 is 0 or less"),
        ("shift Mill -2", "-2 is 0 or less"),
        ("shift Mill \N{EN DASH}2", "-2 is 0 or less"),
        ("twist by 1", "1 is not one of the numbers"),
        ("twist 2", "2 is not one of the numbers"),
        ("march Red foot (worn 2) to Mill", "there is no Red foot (worn 2)"),
        ("march Red foot (worn -1) to Mill", "there is no Red foot (worn -1)"),
        ("march Red foot (steps 3) to Ford", "there is no Red foot (steps 3)"),
        ("march Red foot (moved) to Ford", "moved"),
    ],
)
def test_another_number_is_another_answer(game: Game, line: str, told: str) -> None:
    position = game.start(1)
    with pytest.raises(BadChoice):
        position.choose(line)
    refusal = position.why_not(line)
    assert not refusal.allowed and told in str(refusal)


def test_examples_read_them_too(tmp_path: Path) -> None:
    text = (
        TEXT
        + """
example "signs"
    given setup, at turn
        Mill: 1 Red_foot (worn -1, steps 77)
    try shift Mill by -1 -> refused
    try shift Mill by 1 -> allowed
    try twist by 1 -> refused
    try march Red_foot (worn -1) to Ford -> allowed
    try march Red_foot (worn 1) to Ford -> refused
    legal u for march includes {Red_foot (worn -1) in Mill}
    play
        Red: march Red_foot (worn 0, steps 2) to Ford
    expect
        Mill has 1 Red_foot (worn -1)
        Mill has 1 Red_foot (worn 0)
        Ford has 1 Red_foot (worn 0, steps 2, moved)
"""
    )
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    (result,) = run_examples(GameSource.load(tmp_path))
    assert result.ok, render_report(result.failures)
