"""The fifth slice: eight sketches of games to come. Each was chosen for a rule that was hard to write: moves of an army
or of a single piece, retreats in which all must find a place, many ways to spend, politics, cards with a past.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision

HERE = Path(__file__).parent
EXAMPLES = {
    "battles": 3, "movement": 2, "production": 2, "invasion": 3, "politics": 5, "retreat": 10, "combat": 3,
    "nations": 9,
}  # fmt: skip


@pytest.fixture(scope="module", params=sorted(EXAMPLES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> Game:
    return rulescript.load(HERE / name)


def test_it_loads_without_a_word(name: str) -> None:
    reporter = Reporter()
    compile_text(load_text(HERE / name, reporter), (), "", reporter, None)
    assert [str(d.message) for d in reporter.diagnostics] == []


def test_its_examples_hold(name: str) -> None:
    results = list(run_examples(GameSource.load(HERE / name)))
    assert len(results) >= EXAMPLES[name]
    assert all(result.ok for result in results), "\n".join(str(r) for r in results if not r.ok)


def test_random_games_keep_the_invariants(game: Game) -> None:
    rng = random.Random(8)
    for seed in range(2):
        position = game.start(seed=seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            texts = [option.text for option in decision.options]
            assert len(set(texts)) == len(texts)
            position.choose(rng.choice(decision.options))
            assert not game.check_invariants(position)
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()


def test_many_games_at_once_are_the_same_games(game: Game) -> None:
    def played(code: dict[str, Any]) -> list[Any]:
        rng = random.Random(11)
        return [game._playout(rng, 5_000, code) for _ in range(6)]

    assert played(game.quick) == played(game.code)
