"""Playing Imperial Tide through the front door: bad choices, saves, views, whole games."""

from __future__ import annotations

from typing import Any

import pytest

import rulescript
from rulescript.errors import BadChoice, BadOption, BadSave
from rulescript.runtime.game import Game
from tests.games.random_play import at, decisions, picture, played_to


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("imperial_tide")


@pytest.mark.parametrize(
    "answer",
    ["", "march on the moon", "activate Atlantis", "attack Paris from London", 99, -1, True, None, 1.5],
    ids=repr,
)
@pytest.mark.parametrize("choice", ["activate", "attack_from", "buy"])
def test_a_bad_choice_is_refused_and_changes_nothing(game: Game, choice: str, answer: Any) -> None:
    position = played_to(game, at(choice))
    before = picture(position)
    with pytest.raises(BadChoice) as problem:
        position.choose(answer)
    assert str(problem.value).strip()
    assert picture(position) == before


@pytest.mark.parametrize(
    "choice", ["activate", "move", "attack_from", "commit", "advance", "buy", "exchange", "replenish"]
)
def test_a_save_plays_on_alike(game: Game, choice: str) -> None:
    position = played_to(game, at(choice))
    loaded = game.from_json(position.to_json())
    assert picture(loaded) == picture(position)
    for each in (position, loaded):
        for number, _ in enumerate(decisions(each, 5)):
            if number == 40:
                break
    assert picture(loaded) == picture(position)


def test_what_is_no_save_is_refused(game: Game) -> None:
    for text in ("", "{}", "[]", "17"):
        with pytest.raises(BadSave):
            game.from_json(text)


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
    for playout in rulescript.load("imperial_tide", options=options).playouts(15, seed=4):
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
