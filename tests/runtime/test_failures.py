"""A rule that goes wrong in play says where it stands, whatever went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.playouts import play_from_start
from rulescript.testing import run_conformance

GAME = """\
rulescript 1
game "Failures"
kind Side
    holds box: Unit
kind Town
    holds units: Unit
pieces Unit: side: Side
    state tired: bool
    home side.box
things
    Side North
    Unit Northern  North, 4
    Town Mill
    Town Ford
players Side
state x: int
state numbers: list of int
procedure again(n: int)
    if n > 0
        again(n + 1)
phase go
    choose fail "Fail"
        {body}
    or rest "Rest"
sequence
    go
    end game, draw
"""

FAILURES = {
    "x = 1 / x rounded up": "divided by zero",
    "x = 7 mod x": "divided by zero",
    "move only(Town[some it.units]).units to Ford": "`only` was asked",
    "x = 10000000000 * 10000000000": "beyond all measure",
    "roll 5000 d6 as numbers": "1000 dice",
    "again(1)": "calls itself without end",
    "repeat until x > 5\n            x = 0": "too long",
}


def game_of(body: str) -> Game:
    return compile_text(load_single(GAME.replace("{body}", body), "failures.rules"))


@pytest.mark.parametrize(("body", "said"), FAILURES.items(), ids=FAILURES)
def test_a_failure_names_its_line(body: str, said: str) -> None:
    position = game_of(body).start()
    before = position.state_hash()
    with pytest.raises(rulescript.PlayError) as problem:
        position.choose("fail")
    assert said in str(problem.value)
    if said != "too long":
        assert problem.value.place in ("failures.rules:23", "failures.rules:20", "failures.rules:18")
    assert position.state_hash() == before


def test_bots_and_playouts_name_it_too() -> None:
    game = game_of("roll 5000 d6 as numbers")
    with pytest.raises(rulescript.StepLimit) as problem:
        for seed in range(20):
            play_from_start(game, seed, 10)
    assert problem.value.place == "failures.rules:23"
    with pytest.raises(rulescript.StepLimit) as problem:
        game.playouts(20, 1)
    assert problem.value.place == "failures.rules:23"


def test_a_game_that_never_begins_is_not_tried_again_and_again(tmp_path: Path) -> None:
    text = GAME.replace("{body}", "x = 1").replace("phase go\n", "phase go\n    roll 5000 d6 as numbers\n")
    where = tmp_path / "never.rules"
    where.write_text(text, encoding="utf-8")
    report = run_conformance(where, plays=5)
    (failure,) = [f for f in report.failures if f.check == "ends"]
    assert "1000 dice" in failure.message and "never.rules:22" in failure.message
