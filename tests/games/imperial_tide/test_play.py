"""Playing Imperial Tide through the front door: bad choices, saves, views, whole games."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.errors import BadOption
from rulescript.runtime.game import Game
from tests.games.front_door import FrontDoor
from tests.games.random_play import at, played_to


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("imperial_tide")


class TestFrontDoor(FrontDoor):
    nonsense = ("activate Atlantis", "attack Paris from London")
    refused_at = ("activate", "attack_from", "buy")
    saved_at = ("activate", "move", "attack_from", "commit", "advance", "buy", "exchange", "replenish")


@pytest.mark.parametrize("options", [["tanks"], ["handicap", "nothing"]])
def test_options_there_are_not(options: list[str]) -> None:
    with pytest.raises(BadOption):
        rulescript.load("imperial_tide", options=options)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["bidding", "solitaire", "handicap"],
        *(pytest.param(o, marks=pytest.mark.long) for o in (["bidding"], ["solitaire"], ["solitaire", "handicap"])),
    ],
    ids=str,
)
def test_random_games_end(options: list[str]) -> None:
    for playout in rulescript.load("imperial_tide", options=options).playouts(8, seed=4):
        assert playout.over
        assert playout.winners in {("Central_Powers",), ("Allied_Powers",)}


def test_a_seat_sees_its_own_cards_alone(game: Game) -> None:
    """Hands, second stacks, bought cards and discards: 6.1b, 6.14b, 6.14e."""
    position = played_to(game, lambda p: at("play")(p) and p.value("year") == "y1916")
    for who, other in (("Central_Powers", "Allied_Powers"), ("Allied_Powers", "Central_Powers")):
        places = position.view(who).to_dict()["places"]
        assert isinstance(places[f"{who}.hand"], dict)
        assert isinstance(places[f"{who}.second_stack"], int)
        assert isinstance(places[f"{other}.hand"], int)
        assert f"{other}.discards" not in places
        assert f"{other}.bought" not in places


def test_a_refusal_names_the_rule(game: Game) -> None:
    position = game.start(seed=1)
    said = str(position.why_not("play Tannenberg"))
    assert "6.1.1a" in said
