"""Playing the game through the front door: seats for two to five, games that end, and who may see what.

What the rules mean is settled by the examples (test_claims.py); here it is looked at from outside: random games
keep every promise the conformance kit knows, and a player sees exactly what the rulebook lets him see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.testing import run_conformance

NAME = "quartermaster_general_1914"
POWERS = ("AH_OT", "RU", "GE", "FR_IT", "UK_US")
TEAMS = {("AH_OT", "GE"), ("RU", "FR_IT", "UK_US")}
OPTIONS = (
    "mulligan",
    "no_canal",
    "open_canal",
    "steady_battles",
    "attrition_by_power",
    "quiet_counterattacks",
    "wide_tunnels",
)


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load(NAME)


def decisions(position: Position, seed: int) -> Iterator[Position]:
    """Play at random, hardly ever taking pieces back; the position is handed out before each choice."""
    rng = Random(seed)
    while position.decision is not None:
        yield position
        options = [o for o in position.decision.options if not o.flagged or rng.random() < 0.05]
        position.choose(rng.choice(options or position.decision.options))


def cards(position: Position, place: str) -> dict[str, int]:
    return {name: n for name, n in dict(position.value(place)).items() if n}


# --- Seats ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (2, [("AH_OT", "GE"), ("RU", "FR_IT", "UK_US")]),
        (3, [("AH_OT", "GE"), ("RU", "FR_IT"), ("UK_US",)]),
        (4, [("AH_OT", "GE"), ("RU",), ("FR_IT",), ("UK_US",)]),
        (5, [("AH_OT",), ("RU",), ("GE",), ("FR_IT",), ("UK_US",)]),
    ],
)
def test_setup_1_all_five_powers_are_shared_among_the_players(
    game: Game, players: int, seats: list[tuple[str, ...]]
) -> None:
    assert [tuple(POWERS[role] for role in seat) for seat in game.seats(players)] == seats


@pytest.mark.parametrize("players", [1, 6])
def test_setup_1_no_other_number_of_players(game: Game, players: int) -> None:
    with pytest.raises(rulescript.RulescriptError, match="players"):
        game.start(players=players)


def test_see_1_a_person_sees_what_all_his_powers_see(game: Game) -> None:
    """With two players one person holds three Powers, and nothing of the other two."""
    position = game.start(seed=3, players=2)
    for _ in range(15):
        position.choose(0)
    central, entente = (position.view(seat).to_dict()["places"] for seat in (0, 1))
    for power in POWERS:
        own, other = (central, entente) if power in ("AH_OT", "GE") else (entente, central)
        assert sum(own[f"{power}.hand"].values()) == other[f"{power}.hand"] == 7


# --- Games end -----------------------------------------------------------------------------------------------


def test_random_games_end_with_a_team_that_wins(game: Game) -> None:
    played = game.playouts(20, seed=7)
    assert all(p.over for p in played)
    assert {p.winners for p in played} == TEAMS
    assert max(p.decisions for p in played) < 1500


@pytest.mark.long  # the slice of this game is looked at in the same way every time (tests/slices/test_card_exchange.py)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_conformance_kit_finds_nothing(players: int) -> None:
    """Clones, saves, undo, refusals, chance, invariants, and views whose hidden cards are exchanged."""
    report = run_conformance(
        NAME,
        plays=1,
        players=players,
        seed=players,
        closely=25,
        processes=False,
        options=(),
        shrink_seconds=5,
    )
    assert not report.failures, report.text()


@pytest.mark.long  # each is a game to be compiled; test_all_forms.py plays some of them every time
@pytest.mark.parametrize("option", OPTIONS)
def test_every_reading_can_be_played(option: str) -> None:
    played = rulescript.load(NAME, options=[option]).playouts(5, seed=3)
    assert all(p.over and p.winners in TEAMS for p in played)


def test_every_option_is_played_here(game: Game) -> None:
    assert sorted(game.options) == sorted(OPTIONS)


def test_draw_2_a_hand_grows_above_seven_only_by_cards_that_come_back(game: Game) -> None:
    """Nobody draws beyond seven: after a Draw step a larger hand is one that was larger before."""
    for seed in range(4):
        before: dict[str, int] = {}
        for position in decisions(game.start(seed=seed, journal=False), seed):
            decision = position.decision
            assert decision is not None
            if decision.name == "draw" and decision.phase == "draw_step":
                hand = sum(cards(position, f"{decision.player}.hand").values())
                assert hand < 7
                before[decision.player] = hand
                offered = {int(o.key.partition("=")[2]) for o in decision.options if "=" in o.key and not o.flagged}
                deck = sum(cards(position, f"{decision.player}.deck").values())
                assert offered == set(range(1, min(7 - hand, deck) + 1))
        assert before


# --- Who sees what -------------------------------------------------------------------------------------------

SECRET = ("hand", "prepared", "buried")
PLACES = (*SECRET, "deck", "discards", "in_play")


def seen(position: Position, viewer: str) -> dict[str, Any]:
    places = position.view(viewer).to_dict()["places"]
    assert isinstance(places, dict)
    return places


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_see_2_exactly_what_the_rulebook_lets_each_power_see(game: Game, seed: int) -> None:
    """Of one's own cards everything but the deck; of the others' the numbers, the top discard, the table."""
    looked = 0
    for number, position in enumerate(decisions(game.start(seed=seed, players=5, journal=False), seed)):
        if number % 12:
            continue
        looked += 1
        truth = {
            (power, place): sum(cards(position, f"{power}.{place}").values()) for power in POWERS for place in PLACES
        }
        for viewer in POWERS:
            places = seen(position, viewer)
            for power in POWERS:
                assert places[f"{power}.deck"] == truth[power, "deck"]
                assert sum(places[f"{power}.in_play"].values()) == truth[power, "in_play"]
                for place in SECRET:
                    there = places[f"{power}.{place}"]
                    assert (sum(there.values()) if viewer == power else there) == truth[power, place]
                pile = places[f"{power}.discards"]
                assert len(pile) == truth[power, "discards"]
                assert "unknown Card" not in pile[:1]
                unknown = [name for name in pile[1:] if name == "unknown Card"]
                assert len(unknown) == (0 if viewer == power else len(pile[1:]))
    assert looked > 30


def played_to(game: Game, wanted: Callable[[Position], bool]) -> Position:
    for seed in range(40):
        for position in decisions(game.start(seed=seed, players=5), seed):
            if wanted(position):
                return position
    raise AssertionError("random play never came there")


def asked(*names: str) -> Callable[[Position], bool]:
    def is_there(position: Position) -> bool:
        return position.decision is not None and position.decision.name in names

    return is_there


def test_disc_2_what_is_given_up_is_named_to_its_owner_alone(game: Game) -> None:
    """The journal of the others tells that a card went under the pile, not which."""

    def single(position: Position) -> bool:
        decision = position.decision
        if decision is None or decision.name != "pay":
            return False
        return not decision.options[-1].flagged and not decision.options[-1].text.endswith(("Army", "Navy", "Battle"))

    position = played_to(game, single)
    decision = position.decision
    assert decision is not None
    owner, chosen = decision.player, decision.options[-1]
    name = chosen.text.removeprefix("Give up ")
    position.choose(chosen)
    for viewer in POWERS:
        recent = position.view(viewer).journal.text()[-600:]
        assert (name in recent) == (viewer == owner), (viewer, recent)


def test_see_1_a_question_is_not_shown_to_the_others(game: Game) -> None:
    """Who is asked for a card is known to all; which cards are offered, to the one who is asked."""
    position = played_to(game, asked("reinforce"))
    decision = position.decision
    assert decision is not None
    for viewer in POWERS:
        shown = position.view(viewer).to_dict()["decision"]
        text = str(shown)
        assert decision.player in text
        if viewer != decision.player:
            assert not any(o.text in text for o in decision.options if o.text.startswith("Reinforce"))


def test_see_1_why_not_tells_nothing_about_another_hand(game: Game) -> None:
    """Asking why another Power's card cannot be used gives the same answer wherever the card is."""
    answers: dict[str, set[str]] = {}
    for seed in (4, 5):
        for position in decisions(game.start(seed=seed, players=5), seed):
            if position.decision is None or position.decision.name != "play" or position.decision.player != "RU":
                continue
            for name in ("Schlieffen Plan", "Mata Hari", "Paris Taxis"):
                answers.setdefault(name, set()).add(str(position.why_not(f"play {name}", "RU")))
    assert answers
    for name, told in answers.items():
        assert len(told) == 1, (name, told)
