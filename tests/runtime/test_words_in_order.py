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


MARCHES = """\
rulescript 1
game "Marches", version "1"
values Side: red, blue
players Side
state active: Side
kind Town
    holds units: Unit
    holds chiefs: Chief
map M
    link road
    Town Mill
    Town Ford
    Town Upper_Ford
    road Mill - Ford
    road Mill - Upper_Ford
holds box: Unit
pieces Unit: side: Side
    home box
things
    Unit Guard  red, 3
kind Chief
    home Mill.chiefs
things
    Chief Ada
sequence
    place 2 Guard in PLACE
    for active in Side
        repeat
            choose march: u in Town.units, t in Town "TEXT"
                require t in u.place.road
                move u to t
            or choose lead: c in Town.chiefs, t in c.place.road "{c} goes to {t}"
                move c to t
            or stop
    end game, draw
"""


@pytest.mark.parametrize("text", ["March {u} to {t}", "{u}: {t}", "{t} is where {u} goes"])
@pytest.mark.parametrize(
    "line",
    ["march Guard to {0}", "march guards to the {0}", "march 2 Guard to {0}", "guard to {0}", "march Guard into {0}"],
)
def test_what_stands_somewhere_is_not_sent_there_by_going_elsewhere(text: str, line: str) -> None:
    """Where there is one way to go, `to Ford` once sent the guard in Ford to Mill."""
    for place in ("Ford", "Upper Ford"):
        rules = MARCHES.replace("PLACE", place.replace(" ", "_")).replace("TEXT", text)
        position = compile_text(load_single(rules, "marches.rules")).start(1)
        before = position.state_hash()
        with pytest.raises(rulescript.BadChoice):
            position.choose(line.format(place))
        assert position.state_hash() == before
        position.choose(line.format("Mill").replace("2 ", "").replace("guards", "guard"))
        assert position.value("Mill.units") == {"Guard": 1}


def test_more_than_there_are_do_not_march_to_and_fro() -> None:
    rules = MARCHES.replace("PLACE", "Ford").replace("TEXT", "March {u} to {t}")
    position = compile_text(load_single(rules, "marches.rules")).start(1)
    with pytest.raises(rulescript.BadChoice):
        position.clone().choose("march 3 Guard to Mill")
    assert position.choose("march 2 Guard to Mill").value("Mill.units") == {"Guard": 2}
    with pytest.raises(rulescript.BadChoice):
        position.choose("Ada goes to Mill")
