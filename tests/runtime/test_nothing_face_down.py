"""What lies face down decides whether somebody is asked only where others cannot see that nothing can be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript import GameInvalid, Position
from rulescript.testing.hiding import doors

GAME = """\
rulescript 1
game "Blocks", version "1"
values Arm: foot, horse, guns
kind Side: other: Side
    holds box: Unit, visible to it, count to others
    holds hand: Card, visible to it, count to others
    state points: int
kind Card: side: Side, worth: int
    home side.hand
kind Town: fort: bool = no
    holds units: Unit
pieces Unit: side: Side, arm: Arm
    state open: bool
    state moved: bool
    home side.box
    hidden when not open, known to side, showing "{side} block"
things
    Side North  other South
    Side South  other North
    Card Drum  North, worth 1
    Card Horn  North, worth 2
    Card Bell  South, worth 1
    Town Mill
    Town Ford  fort
counts Unit
    |       | foot | horse | guns |
    | North |    2 |     1 |    1 |
    | South |    2 |     1 |    1 |
players Side
state active: Side

phase deploy
    for s in Side
        choose by s deploy: u in s.box, t in Town "Deploy {u} in {t}"
            move u to t
        or pass
phase shell
    WAY
        active.points += 1
phase wait
    choose by South wait "Wait"
    or rest "Rest"
sequence
    deploy
    for active in Side[it == North]
        shell
    wait
    end game, draw
"""
GUNS = "u in Town.units[side == active and arm == guns]"
WAYS = {
    "only guns, with a card": f'choose shell: {GUNS}, c in active.hand "Shell"\n        require c.worth > 1\n'
    "        require u.place.fort\n",
    "only guns": f'choose shell: {GUNS} "Shell"\n        require u.place.fort\n',
    "any that are guns": 'choose shell: u in Town.units "Shell"\n        require u.side == active\n'
    "        require u.place.fort\n        require u.arm == guns\n",
    "the fastest": f'choose shell: u in most {GUNS} by number(u.arm) "Shell"\n        require u.place.fort\n',
    "and a town": f'choose shell: {GUNS}, t in {{u.place}} "Shell {{t}}"\n        require t.fort\n',
    "several": f'choose shell: up to 2 from {GUNS.removeprefix("u in ")}[place.fort] as shelled "Shell"\n',
    "who has not moved": 'choose shell: u in Town.units "Shell"\n        require u.side == active and not u.moved\n'
    "        require u.place.fort and u.arm == guns\n",
}
# Of what is in a box others see how many there are, and not whether they are all alike.
SENT = 'choose send: u in active.box, t in Town "Send {u} to {t}"\n        require none t.units[side != active]\n'
SENT += "        require t.fort\n"


def worlds(folder: Path, way: str, south: str, *north: str) -> list[Position]:
    """Games in which North and South deployed so."""
    path = folder / "blocks.rules"
    text = GAME.replace("WAY", way)
    path.write_text(text, encoding="utf-8")
    game = rulescript.load(path)
    found = []
    for answer in north:
        position = game.start(1)
        for line in (*answer.split(" at "), *south.split(" at ")):
            decision = position.decision
            assert decision is not None
            position.choose(next(o for o in decision.options if o.key.endswith(line)))  # type: ignore[union-attr]
        found.append(position)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_whether_there_are_guns_is_not_told_by_asking(tmp_path: Path, way: str) -> None:
    here, there = worlds(tmp_path, WAYS[way], "pass", "North_guns at Ford", "North_foot at Ford")
    assert here.decision is not None and here.decision.player == "North"
    assert doors(here, "South") == doors(there, "South")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("south", ["pass", "South_guns at Ford"])
def test_where_all_see_that_no_block_stands_nobody_is_asked(tmp_path: Path, way: str, south: str) -> None:
    """None in the fort, whatever they are; what lies face down of another does not matter."""
    for position in worlds(tmp_path, WAYS[way], south, "North_guns at Mill", "North_foot at Mill", "pass"):
        assert position.decision is not None and position.decision.player == "South"


def test_pieces_that_may_be_alike_are_asked_about_only_where_they_can_go(tmp_path: Path) -> None:
    (closed,) = worlds(tmp_path, SENT, "South_foot at Ford", "pass")
    assert closed.decision is not None and closed.decision.player == "South"
    (free,) = worlds(tmp_path, SENT, "South_foot at Mill", "pass")
    assert free.decision is not None and free.decision.player == "North"


def test_the_hint_says_what_lies_open(tmp_path: Path) -> None:
    with pytest.raises(GameInvalid) as problem:
        worlds(tmp_path, 'choose by South spy: u in Town.units "Spy {u}"\n', "pass", "pass")
    assert "what lies open (`open`)" in str(problem.value)


BACK = 'choose back: each u in Ford.units[side == active] to t in Town as places "{u} back to {t}"\n'
BACK += "        require t != u.place and none t.units[side != active]\n        require u.arm != guns\n"


@pytest.mark.parametrize(
    ("south", "north"), [("South_foot at Mill", "North_foot at Ford"), ("pass", "North_foot at Mill")]
)
def test_where_all_see_that_none_of_several_has_a_way_nobody_is_asked(tmp_path: Path, south: str, north: str) -> None:
    """The one other town is taken; or there is nobody to go."""
    (closed,) = worlds(tmp_path, BACK, south, north)
    assert closed.decision is not None and closed.decision.player == "South"


def test_whether_any_of_several_has_a_way_is_not_told_by_asking(tmp_path: Path) -> None:
    here, there = worlds(tmp_path, BACK, "pass", "North_foot at Ford", "North_guns at Ford")
    assert here.decision is not None and here.decision.player == "North"
    assert doors(here, "South") == doors(there, "South")


ALL_GO = ["lose: u in Ford.units[side == North]", "1 from Ford.units[side == North] as gone"]


@pytest.mark.parametrize("way", ALL_GO)
def test_the_one_block_that_all_see_is_taken_unasked(tmp_path: Path, way: str) -> None:
    (one,) = worlds(tmp_path, f'choose by North {way} "Lose"\n', "South_foot at Ford", "North_foot at Ford")
    assert one.decision is not None and one.decision.player == "South"
