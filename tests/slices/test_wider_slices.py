"""The fourth slice: player turns and supply, seasons of production, years of cards. Each is a part of a large game
that goes round its whole sequence, so that what follows from what is tried as well as each rule alone.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_checks, run_examples
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision
from tests.forms import play_alike

HERE = Path(__file__).parent
EXAMPLES = {
    "player_turns": 23, "seasons": 18, "years": 16,
    # Sketches, each of a rule that was hard to write: moves of an army or of a single piece, retreats in which all must
    # find a place, many ways to spend, politics, cards with a past.
    "battles": 3, "movement": 2, "production": 2, "invasion": 3, "politics": 5, "retreat": 10, "combat": 3,
    "nations": 9,
}  # fmt: skip


@pytest.fixture(scope="module", params=sorted(EXAMPLES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> Game:
    """It loads without a word."""
    reporter = Reporter()
    game = compile_text(load_text(HERE / name, reporter), (), "", reporter, None)
    assert [str(d.message) for d in reporter.diagnostics] == []
    return game


def test_its_examples_and_checks_hold(name: str) -> None:
    source = GameSource.load(HERE / name)
    results = [*run_examples(source), *run_checks(source)]
    assert len(results) >= EXAMPLES[name]
    assert all(result.ok for result in results), "\n".join(str(r) for r in results if not r.ok)


def test_random_games_end(game: Game) -> None:
    assert all(played.over for played in game.playouts(2, seed=3))


def test_random_games_keep_the_invariants(game: Game) -> None:
    rng = random.Random(8)
    for seed in range(1):
        position = game.start(seed=seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            texts = [option.text for option in decision.options]
            assert len(set(texts)) == len(texts)
            position.choose(rng.choice(decision.options))
            assert not game.check_invariants(position)
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()


@pytest.mark.long  # some are played in all forms every time (compiler/test_all_forms.py)
def test_many_games_at_once_are_the_same_games(game: Game) -> None:
    assert play_alike(game, 3, 5_000)


def test_seats_for_one_to_four() -> None:
    """Lamps 12.2: three play two factions of one side alone, four a faction each; a side wins together."""
    seasons = rulescript.load(HERE / "seasons")
    for seats in (1, 2, 3, 4):
        position = seasons.start(seed=2, players=seats)
        rng = random.Random(seats)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            position.choose(rng.choice(decision.options))
        assert position.outcome is not None
        assert set(position.outcome.winners) in ({"Germany", "Central"}, {"West", "East"})


def test_bought_cards_are_hidden_from_their_owner_too() -> None:
    """TTLM 7.1c: what was bought is not looked at until all is spent."""
    turns = rulescript.load(HERE / "player_turns")
    rng = random.Random(3)
    position = turns.start(seed=5)
    while not position.is_over:
        decision = position.decision
        assert isinstance(decision, Decision)
        if position.explain("count(Germany.bought)").value:
            break
        buy = [option for option in decision.options if option.label == "buy"]
        position.choose(rng.choice(buy or [option for option in decision.options if not option.flagged]))
    assert not position.is_over
    places = position.view("Germany").to_dict()["places"]
    assert places["Germany.bought"] == position.explain("count(Germany.bought)").value


def test_a_secret_purchase_shows_nothing_before_all_have_chosen() -> None:
    """Imperial Tide 6.14b."""
    years = rulescript.load(HERE / "years")
    rng = random.Random(1)
    position = years.start(seed=1)
    seen = False
    while not position.is_over and not seen:
        decision = position.decision
        assert isinstance(decision, Decision)
        if decision.name == "rebuy" and decision.player == "CP" and decision.stage == 0 and len(decision.options) > 1:
            before = position.view("AP").to_dict()
            position.choose(decision.options[0])
            while isinstance(position.decision, Decision) and position.decision.player == "CP":
                position.choose(position.decision.options[-1])
            after = position.view("AP").to_dict()
            assert before["places"] == after["places"] and before["states"] == after["states"]
            seen = True
            continue
        position.choose(rng.choice(decision.options))
    assert seen
