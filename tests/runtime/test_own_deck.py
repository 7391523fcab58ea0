"""Of a card that lies open nowhere one is told where it can only be, as far as one may know that oneself."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Decks", version "1"
kind Side
    holds deck: Card, ordered, count to it, count to others
    holds hand: Card, visible to it, count to others
    holds spent: Card
{more}
kind Card: side: Side
    home side.deck
things
    Side North
    Side South
    Card North_1  "Raid" North
    Card North_2  "Siege" North
    Card North_3  "Truce" North
    Card South_1  "Storm" South
    Card South_2  "Flood" South
players Side
state active: Side
phase play
    may choose play: c in active.hand "Play {{c}}"
        move c to active.spent
sequence
    for s in Side
        shuffle s.deck
        draw 1 from s.deck to s.hand
{deal}
    repeat 4 times
        for active in Side
            play
    end game, draw
"""


def said(tmp_path: Path, seed: int, more: str = "", deal: str = "") -> dict[str, str]:
    """What North is told of each of its cards that it has not in hand."""
    path = tmp_path / "decks.rules"
    path.write_text(GAME.format(more=more, deal=deal), encoding="utf-8")
    position = rulescript.load(path, cache=False).start(seed)
    hand = position.view("North").places()["North.hand"]
    names = {"North_1": "Raid", "North_2": "Siege", "North_3": "Truce", "South_1": "Storm", "South_2": "Flood"}
    return {name: position.why_not(f"play {label}").text for name, label in names.items() if name not in hand}


@pytest.mark.parametrize("seed", range(4))
def test_a_card_of_ones_own_is_said_to_be_in_the_deck(tmp_path: Path, seed: int) -> None:
    told = said(tmp_path, seed)
    for name, text in told.items():
        assert ("of your own places it can only lie in your deck" in text) == name.startswith("North"), text


def test_where_several_places_are_hidden_all_are_named(tmp_path: Path) -> None:
    told = said(
        tmp_path, 1, "    holds bag: Card, count to it, count to others", "    draw 1 from North.deck to North.bag"
    )
    for name, text in told.items():
        if name.startswith("North"):
            assert "of your own places it can lie in your deck or your bag" in text


def test_the_same_is_said_wherever_the_card_is(tmp_path: Path) -> None:
    """Which of the hidden places has it is not told: the words are alike for a card in the bag and one in the deck,
    and for one that another player took."""
    more = "    holds bag: Card, count to it, count to others"
    for deal in ("    draw 1 from North.deck to North.bag", "    draw 1 from North.deck to South.hand"):
        for seed in range(3):
            told = {name: text for name, text in said(tmp_path, seed, more, deal).items() if name.startswith("North")}
            endings = {text.partition(" is not one of ")[2] for text in told.values()}
            assert len(told) == 2 and len(endings) == 1, told


def test_an_empty_place_is_none_of_them(tmp_path: Path) -> None:
    told = said(tmp_path, 1, "    holds bag: Card, count to it, count to others")
    assert all("bag" not in text for text in told.values())
