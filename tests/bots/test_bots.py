"""Bots: fair to asides, better than chance, and blind to what their seat may not see."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import rulescript
from rulescript.bots import PlayoutBot, RandomBot, bot_named, guess_state, hidden_spots
from rulescript.errors import BadOption
from rulescript.runtime.game import Game
from rulescript.runtime.playouts import play_from_start
from rulescript.runtime.position import Option, Position
from rulescript.runtime.readings import value_of
from tests.cli.conftest import CARDS, SEALED, SKIRMISH


@pytest.fixture(scope="module")
def skirmish() -> Game:
    return rulescript.load(SKIRMISH)


@pytest.fixture(scope="module")
def cards() -> Game:
    return rulescript.load(CARDS)


def _swapped(position: Position, mine: str, other: str) -> Position:
    """The same position, with two cards exchanged."""
    game = position.game
    names = game.data.kinds["Card"].names
    one, two = names.index(mine), names.index(other)
    loc = game.data.kinds["Card"].loc
    clone = position.clone()
    S = clone.s
    slots = S[loc + one], S[loc + two]
    for slot, old, new in ((slots[0], one, two), (slots[1], two, one)):
        if game.values.places[slot][0].is_ordered:
            S[slot] = tuple(new if thing == old else thing for thing in S[slot])
        else:
            S[slot] = S[slot] & ~(1 << old) | 1 << new
        S[loc + new] = slot
    return clone


def test_a_bot_leaves_the_position_as_it_was(skirmish: Game) -> None:
    for bot in (RandomBot(1), PlayoutBot(1, playouts=10)):
        position = skirmish.start(3)
        before = position.state_hash()
        option = bot.choose(position)
        assert position.state_hash() == before
        assert option in position.decision.options  # type: ignore[union-attr]


def test_the_same_seed_plays_the_same_game(skirmish: Game) -> None:
    def keys() -> list[str]:
        position, bot = skirmish.start(3), PlayoutBot(5, playouts=8)
        while position.decision is not None:
            position.choose(bot.choose(position))
        return [step.key for step in position.history()]

    assert keys() == keys()


def test_a_random_game_from_the_start_ends_like_one_played_slowly(skirmish: Game) -> None:
    state, decisions = play_from_start(skirmish, 7, 10_000)
    assert state[2] is not None
    assert decisions > 5
    assert play_from_start(skirmish, 7, 10_000)[0] == state


def test_asides_are_taken_seldom(skirmish: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    position = skirmish.start(3)
    options = position.decision.options  # type: ignore[union-attr]
    aside = options[0].key
    monkeypatch.setattr(Option, "flagged", property(lambda option: option.key == aside))
    bot = RandomBot(1)
    taken = Counter(bot.choose(position).key for _ in range(600))
    assert taken[options[0].key] < 80
    assert min(taken[option.key] for option in options[1:]) > 200


def test_a_guess_keeps_what_is_seen_and_what_is_counted(cards: Game) -> None:
    position = cards.start(4)
    rng = random.Random(1)
    hands = Counter()  # type: ignore[var-annotated]
    for _ in range(200):
        guess = guess_state(cards, position.s, [0], rng)
        assert value_of(cards, guess, "Ann.hand") == position.value("Ann.hand")
        assert len(value_of(cards, guess, "Bob.hand")) == 3
        assert len(value_of(cards, guess, "deck")) == 2
        everything = [
            *value_of(cards, guess, "Ann.hand"),
            *value_of(cards, guess, "Bob.hand"),
            *value_of(cards, guess, "deck"),
        ]
        assert len(set(everything)) == 8
        loc = cards.data.kinds["Card"].loc
        for slot in cards.values.places:
            for name, _ in cards.values.contents(guess, slot):
                assert guess[loc + cards.data.kinds["Card"].names.index(name)] == slot
        hands.update(value_of(cards, guess, "Bob.hand"))
        assert guess[1] != position.s[1]
    # Each of the five unseen cards is in Bob's hand three times out of five.
    assert set(hands) == set(cards.data.kinds["Card"].names) - set(position.value("Ann.hand"))
    assert all(90 < number < 150 for number in hands.values())


def test_nothing_is_hidden_in_an_open_game(skirmish: Game) -> None:
    assert hidden_spots(skirmish, skirmish.start(1).s, [0]) == {}


@pytest.mark.parametrize("seed", range(6))
def test_a_bot_decides_alike_whatever_lies_hidden(cards: Game, seed: int) -> None:
    """Exchange a card of Bob's hand with one of the deck: Ann's bot, with the same luck, must not notice."""
    position = cards.start(seed)
    swapped = _swapped(position, next(iter(position.value("Bob.hand"))), next(iter(position.value("deck"))))
    assert swapped.state_hash() != position.state_hash()
    assert PlayoutBot(3, playouts=30).choose(swapped) == PlayoutBot(3, playouts=30).choose(position)


def test_bots_have_names() -> None:
    assert bot_named("random").name == "random"
    bot = bot_named("playout:7")
    assert isinstance(bot, PlayoutBot) and bot.playouts == 7
    for name in ("playuot", "random:3", "playout:0", "human"):
        with pytest.raises(BadOption):
            bot_named(name)


def test_a_sealed_answer_is_not_looked_at() -> None:
    """Bob wins with the number Ann has already shown; a bot that peeked would win every time."""
    game = rulescript.load(SEALED)
    wins = 0
    for seed in range(60):
        position = game.start(seed)
        position.choose(RandomBot(seed).choose(position))
        assert position.decision is not None and position.decision.player == "Bob"
        position.choose(PlayoutBot(seed, playouts=12).choose(position))
        assert position.outcome is not None
        wins += position.outcome.winner == "Bob"
    assert 15 <= wins <= 45
