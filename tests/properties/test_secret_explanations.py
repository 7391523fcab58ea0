"""What a seat has explained to it tells no more than its view: neither the names of the rule that waits, nor what lies
behind a value, nor by which rule it came about.

Each case plays worlds that South may not tell apart, and asks in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript import Position
from rulescript.testing.hiding import doors

GAME = """rulescript 1
game "Explained", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds vault: Card, visible to it, count to others
    state points: int
kind Card: side: Side, rank: int, red: bool = no
    home side.hand
    state down: bool
    hidden when down, known to side
    does play(s: Side)
kind Town
    state heat: int
things
    Side North
    Side South
    Card A1  North, rank 1, red
        play
            s.points = 1  §1
            raid(s, 3)
    Card A2  North, rank 2
        play
            s.points = 1  §2
            trade(s, 4)
    Card A3  North, rank 3
        play nothing
    Card B1  South, rank 1
        play nothing
map Shore
    link road
    Town Mill
    Town Ford
    road Mill - Ford
players Side
holds board: Card
state active: Side
procedure raid(raider: Side, men: int)
    may by raider: strike "Strike"
        Mill.heat = men
procedure trade(trader: Side, goods: int)
    may by trader: swap "Swap"
        Mill.heat = goods
procedure weigh(who: Side, weight: int, is_red: bool, goal: Town, goals: set of Town, lowest: list of Card)
    choose by who go "Go"
        Mill.heat = 1
    or stay "Stay"
procedure heed(who: Side, weight: int)
    choose by who go "Go"
        require weight > 0
    or stay "Stay"
phase turn "Turn"
TURN
sequence
    for active in Side
        turn
    end game, draw
"""
WEIGHED = (
    "sum(c.rank for c in North.vault), some North.vault[red], if some North.vault[red] then Mill else Ford, "
    "if some North.vault[red] then Town else {Mill}, list(c for c in Card if c in North.vault or c in North.hand)"
)
BURY = '    choose by North bury: c in North.hand "Bury"\n        move c to North.vault\n'
PLAY = '    choose by North use: c in North.hand "Use"\n        c.play(North)\n        move c to North.vault\n'
LAY = '    choose by North lie: c in North.hand "Lay"\n        c.down = yes\n        move c to board\n'
WAIT = '    choose by South go "Go"\n    or stay "Stay"\n'


def worlds(folder: Path, turn: str, *answers: str) -> list[Position]:
    path = folder / "explained.rules"
    path.write_text(GAME.replace("TURN\n", turn), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    return [game.start(1).choose(answer) for answer in answers]


def are_alike(positions: list[Position], asked: list[str]) -> None:
    told = [doors(position, "South", (), asked) for position in positions]
    assert all(one == told[0] for one in told)


NAMES = ["weight", "weight > 1", "is_red", "goal", "goals", "count(goals)", "Mill in goals", "first(lowest)", "who"]


@pytest.mark.parametrize("who", ["North", "South"])
def test_a_name_of_the_rule_does_not_tell_what_it_was_worked_out_from(tmp_path: Path, who: str) -> None:
    found = worlds(tmp_path, f"{BURY}    weigh({who}, {WEIGHED})\n", "bury c=A1", "bury c=A2", "bury c=A3")
    are_alike(found, NAMES)
    view = found[0].view("South")
    assert view.explain("weight").said == "hidden" and view.explain("who").said == who
    assert found[0].explain("weight").value == 1


def test_who_is_asked_about_a_name_has_it_explained(tmp_path: Path) -> None:
    found = worlds(tmp_path, f"{BURY}    heed(North, sum(c.rank for c in North.vault))\n", "bury c=A1", "bury c=A2")
    are_alike(found, ["weight", "weight > 1"])
    assert [each.view("North").explain("weight").value for each in found] == [1, 2]


def test_names_do_not_tell_which_hidden_thing_asks(tmp_path: Path) -> None:
    found = worlds(tmp_path, PLAY, "use c=A1", "use c=A2")
    asked = [(each.decision.procedure, each.decision.player) for each in found if each.decision is not None]
    assert asked == [("raid", "North"), ("trade", "North")]
    are_alike(found, ["raider", "men", "man", "trader", "goods", "s"])
    assert found[0].view("North").explain("men").value == 3


def test_the_rule_that_set_something_is_no_rule_of_a_hidden_thing(tmp_path: Path) -> None:
    found = [each.choose("decline") for each in worlds(tmp_path, PLAY + WAIT, "use c=A1", "use c=A2")]
    are_alike(found, ["North.points", "North.points > 0", "sum(s.points for s in Side)", "Mill.heat"])
    assert found[0].explain("North.points").causes[0].cites == ("1",)


NOWHERE = [
    "A1 in board[side == South]", "A1 not in board[side == South]", "A1 in set(c for c in board if c.side == South)",
    "A1 in (if Mill.heat > 3 then board else board[side == South])", "A2 in board[side == South] + South.hand",
    "A1 in (most c in board[side == South] by c.rank)", "A3 in board[side == South] & South.hand",
]  # fmt: skip


@pytest.mark.parametrize("question", NOWHERE)
def test_why_something_is_not_among_others_does_not_tell_where_it_lies(tmp_path: Path, question: str) -> None:
    found = worlds(tmp_path, LAY + WAIT, "lie c=A1", "lie c=A2", "lie c=A3")
    are_alike(found, [question])
    assert found[0].view("South").explain("B1 in board[side == South]").said == "no"
    assert "hidden" not in found[0].view("South").explain(question).said
