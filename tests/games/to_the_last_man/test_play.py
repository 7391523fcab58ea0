"""Playing To the Last Man! through the front door: bad choices, saves, views, whole games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.errors import BadOption
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.games.front_door import FrontDoor
from tests.games.random_play import at, played_to

# Each is a game to be compiled; the whole war is played every time.
LATER = ("start_1916", "start_1918", "start_1919")
SCENARIOS = [None, *(pytest.param(name, marks=pytest.mark.long) for name in LATER)]


def loaded(scenario: str | None) -> Game:
    return rulescript.load("to_the_last_man", scenario=scenario)


@pytest.fixture(scope="module")
def game() -> Game:
    return loaded(None)


def found(game: Game, choice: str) -> Position:
    """Random players soon make peace, so that many games have to be looked through."""
    return played_to(game, at(choice), seeds=400, journal=False)


class TestFrontDoor(FrontDoor):
    nonsense = ("go Atlantis", "German 1st Army goes to London")
    refused_at = ("offensive", "go", "build", "lose")
    saved_at = ("offensive", "go", "leave", "enhance", "retreat", "lose", "build", "hand_over")

    def found(self, game: Game, choice: str) -> Position:
        """Random players soon make peace, so that many games have to be looked through."""
        return found(game, choice)


@pytest.mark.parametrize("wrong", [{"options": ["fog"]}, {"scenario": "start_1917"}], ids=str)
def test_options_there_are_not(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        rulescript.load("to_the_last_man", **wrong)


def test_three_are_a_crowd(game: Game) -> None:
    with pytest.raises(BadOption):
        game.start(players=3)


def warlike(position: Position, seed: int) -> Iterator[Position]:
    """Random play by players who never talk of peace; the position is handed out before each decision."""
    rng = Random(seed)
    while position.decision is not None:
        yield position
        position.choose(rng.choice([option.key for option in position.decision.options if option.key != "parley"]))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_end(scenario: str | None) -> None:
    for playout in loaded(scenario).playouts(2, seed=4):
        assert playout.over
        assert set(playout.winners) in [set(), {"Germany"}, {"Entente"}]


def test_a_war_without_peace_talks_ends() -> None:
    position = loaded("start_1919").start(seed=2, journal=False)
    for _ in warlike(position, seed=2):
        pass
    assert position.outcome is not None


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_must_hold_holds(scenario: str | None) -> None:
    """The first 1200 decisions of a war, or all of it if it ends before."""
    game = loaded(scenario)
    for number, position in enumerate(warlike(game.start(seed=11, journal=False), seed=11)):
        assert game.check_invariants(position, "decision") == []
        if number == 1200:
            break


def test_hands_and_the_deck_are_hidden(game: Game) -> None:
    """One knows one's own hand; of the other's, the deck and cards just bought only how many there are (1.3, 7.1c)."""
    position = found(game, "build")
    for who, other in (("Germany", "Entente"), ("Entente", "Germany")):
        places = position.view(who).to_dict()["places"]
        assert isinstance(places["deck"], int)
        assert isinstance(places[f"{other}.hand"], int)
        assert isinstance(places[f"{who}.bought"], int)
        assert not isinstance(places[f"{who}.hand"], int)


def test_a_refusal_names_the_rule(game: Game) -> None:
    position = found(game, "go")
    assert "4.1c" in str(position.why_not("go German_1st to Paris"))
