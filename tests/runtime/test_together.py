"""Sealed answers of one player beside those of each of the others."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Sealed"
kind Side
    state score: int
    holds hand: Card, visible to it, count to others
    holds out: Card
kind Card: side: Side
    home side.hand
things
    Side North
    Side South
    Side East
    Card Raid   North
    Card Feint  South
    Card Levy   East
    Card Drill  East
players Side
state active: Side
state told: list of int
phase vote
    together
        active: choose lead: n in 1..3 "Lead with {n}"
            active.score += n
            told += n
        each s in Side - {active}: choose follow: n in 1..3 "Follow with {n}"
            s.score = n * 10 + active.score
            told += n * 10
        or pass
        each t in Side - {active}: may choose show: up to 2 from t.hand as shown "Show {shown}"
            for c in shown
                move c to t.out
                told += 100
sequence
    for active in Side
        vote
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_text(load_single(GAME, "sealed.rules"))


def test_all_answer_first_and_then_everything_happens_in_the_order_of_the_branches(game: Game) -> None:
    position = game.start()
    asked = []
    for words in ("lead with 2", "follow with 1", "follow with 3", "show Feint", "show Levy"):
        assert position.decision is not None
        asked.append((position.decision.player, position.decision.name))
        assert position.value("told") == "[]" and position.value("East.out") == {}
        position.choose(words)
    assert asked == [
        ("North", "lead"),
        ("South", "follow"),
        ("East", "follow"),
        ("South", "show"),
        ("East", "show"),
    ]
    assert position.value("told") == "[2, 10, 30, 100, 100]"
    assert (position.value("North.score"), position.value("South.score"), position.value("East.score")) == (
        "2",
        "12",
        "32",
    )
    assert position.value("East.out") == {"Levy": 1}


def test_nobody_sees_the_answers_before_all_have_answered(game: Game) -> None:
    position = game.start().choose("lead with 2").choose("follow with 1")
    assert (
        "2" not in position.view("South").journal.text()
        and "answers under seal" in position.view("South").journal.text()
    )
    assert "Follow with 1" in position.view("South").journal.text()
    assert "answers under seal" in position.view("North").journal.text()


def test_a_position_in_the_middle_can_be_saved_and_cloned(game: Game) -> None:
    position = game.start().choose("lead with 2").choose("follow with 1")
    copy = position.clone()
    again = game.from_json(position.to_json())
    for one in (position, copy, again):
        one.choose("pass").choose("decline").choose("decline")
    assert position.state_hash() == copy.state_hash() == again.state_hash()
    assert position.value("told") == "[2, 10]"


def test_random_games_end(game: Game) -> None:
    assert all(playout.decisions > 6 for playout in game.playouts(5, 1))


def test_who_chooses_is_said_once() -> None:
    reporter = Reporter()
    text = load_single(GAME.replace("active: choose lead", "active: choose by North lead"), "sealed.rules", reporter)
    with pytest.raises(GameInvalid) as problem:
        compile_text(text, (), "", reporter)
    assert "stands before the `:`" in str(problem.value)
    assert isinstance(problem.value, rulescript.RulescriptError)
