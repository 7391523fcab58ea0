"""What a choice names, where it was passed over: nothing, and never what was picked the last time."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Passed over", version "1"
values Side: North, South
players Side
state active: Side
state turns: int
kind Area
    state visits: int
    state rests: int
    holds units: Unit
pieces Unit: side: Side
    state tired: int
    home box
holds box: Unit
things
    Area Mill
    Area Ford
    Unit Foot North, 3
procedure ask
    {choice}
        require turns == 1
{effect}
    choose wait: n in 1..2 "Wait {{n}}"
        turns += 0
{after}
phase lay "Lay"
    turns += 1
    ask
sequence
    place 2 Foot in Mill
    for active in Side
        lay
    end game, draw "done"
"""

PICKS = {
    "a thing": ('choose go: a in Area "Go {a}"', "a.visits += 1", "a.rests += 1"),
    "a piece": ('choose rest: u in Mill.units "Rest {u}"', "u.tired += 1", "u.tired += 10"),
    "two": ('choose go: a in Area, b in Area "{a} {b}"', "a.visits += 1", "b.rests += 1"),
}


def _game(tmp_path: Path, choice: str, effect: str, after: str) -> rulescript.Game:
    path = tmp_path / "game.rules"
    lines = [f"        {effect}", f"    {after}"]
    path.write_text(GAME.format(choice=choice, effect=lines[0], after=lines[1]), encoding="utf-8")
    return rulescript.load(path, cache=False)


@pytest.mark.parametrize("picks", PICKS)
@pytest.mark.parametrize("journal", [True, False])
def test_what_was_picked_the_last_time_is_over(tmp_path: Path, picks: str, journal: bool) -> None:
    game = _game(tmp_path, *PICKS[picks])
    position = game.start(1, journal=journal)
    while position.decision is not None and position.decision.player == "North":
        position.choose(0)
    again = game.from_json(position.to_json())
    assert again.state_hash() == position.state_hash()
    before = position.state_hash()
    with pytest.raises(rulescript.PlayError, match="a choice that was passed over"):
        position.choose(0)
    assert position.state_hash() == before
    with pytest.raises(rulescript.PlayError, match="a choice that was passed over"):
        game.playouts(1)


def test_a_selection_that_cannot_be_made_is_empty(tmp_path: Path) -> None:
    choice = 'choose any number from Area as seen "See {seen}"\n        require count(seen) > 1'
    game = _game(tmp_path, choice, "turns += 0", "for a in seen\n        a.visits += 1")
    position = game.start(1)
    while position.decision is not None:
        position.choose(0)
    assert (position.value("Mill.visits"), position.value("Ford.visits")) == ("1", "1")


WHO = """\
rulescript 1
game "Nobody"
kind Side
    state seen: int
    holds hand: Card, visible to it, count to others
    holds shown: Card
kind Card: worth: int
    home pile
holds pile: Card
things
    Side North
    Side South
    Card One  worth 1
    Card Two  worth 2
players Side
state active: Side
state turns: int
procedure ask
    turns += 1
    choose {choice}
        require turns == 1
        move c to North.shown
    North.seen += c.worth
phase lay "Lay"
    ask
sequence
    move One to North.hand
    move Two to North.hand
    active = North
    lay
    lay
    end game, draw "done"
"""


@pytest.mark.parametrize(
    ("choice", "test"),
    [
        ('c in active.hand "Show {c}"', "c.worth == 1"),
        ('by any of Side show: c in chooser.hand "Show {c}"', "turns == 1"),
        ('by any of Side show: c in chooser.hand "Show {c}"', "c.worth == 1"),
    ],
)
def test_so_it_is_where_none_of_them_is_answered(tmp_path: Path, choice: str, test: str) -> None:
    """What others may not know is asked for, though nothing can be chosen."""
    path = tmp_path / "game.rules"
    path.write_text(WHO.replace("{choice}", choice).replace("turns == 1", test), encoding="utf-8")
    position = rulescript.load(path, cache=False).start(1)
    asked: list[str] = []
    with pytest.raises(rulescript.PlayError, match="a choice that was passed over"):
        while position.decision is not None:
            asked.append(position.decision.options[0].text)
            position.choose(0)
    assert ("None of them" in asked) is (test == "c.worth == 1"), asked
