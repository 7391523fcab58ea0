"""Rules that wait for a player and call each other in a circle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulescript
from rulescript.runtime.game import Game

RULES = """rulescript 1

game "Circles"

kind Side
things
    Side North

players Side

state total: int
state depth: int, lasts outer

procedure outer(n: int)
    depth += n
    inner(n)
    after(n)
    total = (total * 7 + depth) mod 1000003

procedure inner(n: int)
    may step "Go on"
        total = (total * 7 + 1) mod 1000003
    if n > 0
        outer(n - 1)
    total = (total * 7 + 2 + n) mod 1000003

procedure after(n: int)
    may step "Go on"
        total = (total * 7 + 3) mod 1000003
    if n > 0
        outer(n - 1)
    each s in Side
        may last "The last word"
            total = (total * 7 + 4) mod 1000003
    total = (total * 7 + 5 + n) mod 1000003

sequence
    outer(3)
    end game, North wins "{total}"
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path: Path = tmp_path_factory.mktemp("circles") / "circles.rules"
    path.write_text(RULES, encoding="utf-8")
    return rulescript.load(path, cache=False)


def by_hand(answers: Iterator[bool]) -> int:
    """The same in Python."""
    total = 0

    def outer(n: int) -> None:
        nonlocal total
        inner(n)
        after(n)
        total = (total * 7 + n) % 1000003

    def inner(n: int) -> None:
        nonlocal total
        if next(answers):
            total = (total * 7 + 1) % 1000003
        if n > 0:
            outer(n - 1)
        total = (total * 7 + 2 + n) % 1000003

    def after(n: int) -> None:
        nonlocal total
        if next(answers):
            total = (total * 7 + 3) % 1000003
        if n > 0:
            outer(n - 1)
        if next(answers):
            total = (total * 7 + 4) % 1000003
        total = (total * 7 + 5 + n) % 1000003

    outer(3)
    return total


@pytest.mark.parametrize("seed", range(10))
def test_each_call_has_names_and_lasting_states_of_its_own(game: Game, seed: int) -> None:
    """Every activation goes on where it was left, with its own parameters and its own `lasts outer`."""
    rng = random.Random(seed)
    position = game.start()
    answers: list[bool] = []
    while not position.is_over:
        answers.append(rng.random() < 0.5)
        position.choose(0 if answers[-1] else 1)
    assert position.outcome is not None
    assert position.outcome.how == str(by_hand(iter(answers)))
