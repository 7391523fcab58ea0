"""A line says where something goes and where it comes from; and it names as many as are due."""

from __future__ import annotations

import pytest

import rulescript
from rulescript import Game, Position
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Raids", version "1"
values Side: red, blue
players Side
state active: Side
state a: int
values Arm: horse, foot, guns
kind Port
    holds ships: Ship
kind Area
    holds units: Unit
map M
    link road
    Area Mill
    Area Ford
    Area Heath
    road Mill - Ford - Heath - Mill
values Size: small
pieces Ship: arm: Arm, size: Size
    home dock
holds dock: Ship
holds lost: Ship
counts Ship
    |      | small |
    | horse | 2 |
    | foot  | 2 |
    | guns  | 1 |
kind Unit: side: Side
    home Mill.units
things
    Port P
    Unit U red
phase setup_it
    draw 4 from dock to P.ships
phase go
    choose lose: u in P.ships "Lose {u}"
        move u to lost
    choose any number from P.ships as s "Take {s}"
        a += count(s)
    choose attack: f in Area, t in f.road "Attack {t} from {f}"
        a += 1
sequence
    setup_it
    for active in Side
        go
    end game, draw
"""
ONE_WAY = GAME.replace(
    "        a += 1\nsequence", '        require f == Mill\n        a += 1\n    or stay "Stay"\nsequence'
)


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_text(load_single(GAME, "raids.rules"))


def attacking(text: str) -> Position:
    position = compile_text(load_single(text, "raids.rules")).start(1)
    return position.choose(0).choose("none of them")


LINES = [
    "attack {t} from {f}", "Attack {t} from {f}", "attack from {f} to {t}", "from {f} attack {t}",
    "attack from {f} {t}",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_what_stands_after_a_preposition_counts(line: str) -> None:
    for f, t in (("Mill", "Ford"), ("Ford", "Mill"), ("Heath", "Ford")):
        position = attacking(GAME).choose(line.format(f=f, t=t))
        assert [step.key for step in position.history()][-2:] == [f"attack f={f}", f"attack t={t}"]


@pytest.mark.parametrize("line", LINES[:4])
def test_the_other_way_round_is_another_attack(line: str) -> None:
    position = attacking(ONE_WAY)
    with pytest.raises(rulescript.BadChoice, match="is not among the options"):
        position.choose(line.format(f="Ford", t="Mill"))
    position.choose(line.format(f="Mill", t="Ford"))


@pytest.mark.parametrize(
    "line", ["lose horse, foot", "lose horse and foot", "lose horse, horse", "lose 2 horse", "lose horse; foot"]
)
def test_one_is_due_and_two_are_named(game: Game, line: str) -> None:
    """What is named too much is not handed on to the next choice."""
    position = game.start(1)
    before = position.state_hash()
    with pytest.raises(rulescript.BadChoice, match="one is due at `lose`, and two are named"):
        position.choose(line)
    assert position.state_hash() == before
    assert position.choose("lose horse").steps == 1


ARMIES = """\
rulescript 1
game "Armies", version "1"
values Side: red, blue
players Side
state active: Side
state last: int
kind Army
things
    Army Red_1st  "Red 1st Army"
    Army Red_2nd  "Red 2nd Army"
    Army Blue_1st "Blue 1st Army"
phase hand_over
    choose hand_over: a in Army, b in Army "Men go from {a} to {b}"
        require a != b
        last = 1
sequence
    for active in Side
        hand_over
    end game, draw
"""


@pytest.mark.parametrize("way", ["{} to {}", "from {} to {}", "men go from {} to {}", "hand over from {} to {}"])
@pytest.mark.parametrize(("first", "second"), [("Red_1st", "Red_2nd"), ("Red_2nd", "Red_1st"), ("Blue_1st", "Red_1st")])
@pytest.mark.parametrize("blanks", [False, True])
def test_a_part_of_a_long_name_says_where_it_stands(way: str, first: str, second: str, blanks: bool) -> None:
    game = compile_text(load_single(ARMIES))
    position = game.start(1)
    line = way.format(first, second)
    position.choose(line.replace("_", " ") if blanks and "_" in line else line)
    keys = [step.key for step in position.history()]
    assert keys == [f"hand_over a={first}", f"hand_over b={second}"]
