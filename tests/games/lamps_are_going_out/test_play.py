"""Playing The Lamps Are Going Out through the front door: bad choices, saves, views, whole games."""

from __future__ import annotations

from random import Random

import pytest

import rulescript
from rulescript.errors import BadOption
from rulescript.runtime.game import Game
from tests.games.front_door import FrontDoor
from tests.games.random_play import at, decisions, played_to

ALLIANCES = {("Germany", "Central_Allies"), ("Western_Allies", "Eastern_Allies")}


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("lamps_are_going_out")


class TestFrontDoor(FrontDoor):
    nonsense = ("refit Atlantis", "German_1st attacks London")
    refused_at = ("march", "attack", "refit")
    saved_at = ("march", "put_to_sea", "attack", "defend", "fall_back", "follow", "refit", "patrol")


def test_options_there_are_not() -> None:
    with pytest.raises(BadOption):
        rulescript.load("lamps_are_going_out", options=["fog"])


def test_random_games_end(game: Game) -> None:
    for playout in game.playouts(8, seed=4):
        assert playout.over
        assert set(playout.winners) in [set(alliance) for alliance in ALLIANCES]


@pytest.mark.parametrize("seed", [7, 181, 209])
def test_what_must_hold_holds(game: Game, seed: int) -> None:
    for position in decisions(game.start(seed=seed, journal=False), seed):
        assert game.check_invariants(position, "decision") == []


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_two_to_four_players(game: Game, players: int) -> None:
    """One hand for each alliance, or for a faction; allies win together (12.1, 12.2)."""
    position = game.start(seed=3, players=players)
    assert len(game.seats(players)) == players
    rng = Random(3)
    while position.decision is not None:
        position.choose(rng.randrange(len(position.decision.options)))
    assert position.outcome is not None
    assert set(position.outcome.winners) in [set(alliance) for alliance in ALLIANCES]


def test_five_is_one_too_many(game: Game) -> None:
    with pytest.raises(BadOption):
        game.start(players=5)


def test_nobody_sees_the_decks(game: Game) -> None:
    """The order of a deck and what is in it is hidden; how many cards are left is not (5.1)."""
    position = played_to(game, at("attack"))
    for who in ("Germany", "Western_Allies"):
        places = position.view(who).to_dict()["places"]
        for faction in ("Germany", "Western_Allies", "Eastern_Allies", "Central_Allies"):
            assert isinstance(places[f"{faction}.deck"], int)


def test_a_refusal_names_the_rule(game: Game) -> None:
    position = played_to(game, at("march"))
    assert "6.4" in str(position.why_not("march German_1st to Belgium"))
