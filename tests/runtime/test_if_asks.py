"""An `if` may run a procedure and test what it gives back."""

from __future__ import annotations

import random

import pytest

import rulescript
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "If"
kind Side
things
    Side North
players Side
values Result: won, lost
state points: int
state asked: int
procedure battle(n: int) -> Result
    asked += 1
    choose fight "Fight"
        return won
    or flee "Flee"
        return lost
procedure rest -> bool
    may rest "Rest"
        return yes
    return no
procedure count_up(n: int) -> int
    return n + 1
phase go
    if battle(2) == won
        points += 1
    else if battle(3) == won
        points += 10
    else
        points += 100
    if rest
        points += 1000
    if not rest
        points += 10000
    if count_up(3) > 3 and points > 0
        points += 0
sequence
    go
    end game, draw "{points} {asked}"
"""


def _game(text: str) -> rulescript.Game:
    return compile_text(load_single(text, "if.rules"))


@pytest.mark.parametrize(
    ("choices", "how"),
    [
        (["Fight", "Rest", "Rest"], "1001 1"),
        (["Fight", "Decline", "Decline"], "10001 1"),
        (["Flee", "Fight", "Rest", "Decline"], "11010 2"),
        (["Flee", "Flee", "Rest", "Rest"], "1100 2"),
    ],
)
def test_the_procedure_is_run_when_its_turn_comes(choices: list[str], how: str) -> None:
    text = GAME.replace("    if count_up(3) > 3 and points > 0\n        points += 0\n", "")
    position = _game(text).start(seed=1)
    for choice in choices:
        position.choose(choice)
    assert position.outcome is not None
    assert position.outcome.how == how


def test_saves_and_clones_know_what_was_given_back() -> None:
    text = GAME.replace("    if count_up(3) > 3 and points > 0\n        points += 0\n", "")
    game = _game(text)
    chance = random.Random(1)
    position = game.start(seed=1)
    while position.decision:
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()
        position.choose(chance.choice(position.decision.options))


def test_deeper_in_a_condition_it_is_a_mistake_with_a_way_out() -> None:
    with pytest.raises(GameInvalid) as caught:
        _game(GAME)
    (problem,) = caught.value.diagnostics
    assert problem.code == "RS207"
    assert problem.hint == ("write `let result = count_up(3)` on a line of its own before this, and `result` here")


def test_a_name_of_the_rule_itself_comes_first() -> None:
    text = GAME.replace("phase go\n", "phase go\n    let rest = yes\n")
    text = text.replace("    if count_up(3) > 3 and points > 0\n        points += 0\n", "")
    position = _game(text).start(seed=1)
    position.choose("Fight")
    assert position.outcome is not None and position.outcome.how == "1001 1"


LOOPS = """\
rulescript 1
game "Loops"
kind Side
things
    Side North
players Side
values Result: won, lost
state points: int
procedure battle(n: int) -> Result
    points += n
    choose fight "Fight"
        return won
    or flee "Flee"
        return lost
procedure tired -> bool
    may sleep "Sleep"
        return yes
    return no
phase go
    repeat while battle(1) == won
        points += 10
    repeat until tired
        points += 100
    repeat while not tired
        points += 1000
        if points > 5000
            stop
sequence
    go
    end game, draw "{points}"
"""


@pytest.mark.parametrize(
    ("choices", "how"),
    [
        ("flee, sleep, sleep", "101"),
        ("fight, fight, flee, decline, decline, sleep, decline, sleep", "1323"),
        ("flee, sleep, decline, decline, decline, decline, decline", "5101"),
    ],
)
def test_a_repeat_runs_a_procedure_every_round_and_tests_what_it_gives_back(choices: str, how: str) -> None:
    position = _game(LOOPS).start()
    for words in choices.split(", "):
        position.choose(words)
    assert position.outcome is not None and position.outcome.how == how
