"""The bot that searches: fair, repeatable, and not given to blunders."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

import rulescript
from rulescript.bots import Budget, PlayoutBot, RandomBot, SearchBot, bot_named, budget_from
from rulescript.bots.memory import Memory
from rulescript.bots.turns import turn_blocks
from rulescript.bots.unseen import Guesses
from rulescript.bots.worth import Presence, lead_of, score_of
from rulescript.errors import BadCall, BadChoice, BadOption
from rulescript.game_data import is_aside
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from tests.bots.test_bots import _swapped
from tests.cli.conftest import CARDS, SEALED, SKIRMISH

GAMES = ("attrition_of_souls", "imperial_tide", "lamps_are_going_out", "quartermaster_general_1914", "to_the_last_man")


@pytest.fixture(scope="module")
def skirmish() -> Game:
    return rulescript.load(SKIRMISH)


def _keys(game: Game, seed: int, *bots: SearchBot | RandomBot, most: int = 10_000) -> list[str]:
    """The keys of a game between bots."""
    position = game.start(seed)
    while position.decision is not None and position.steps < most:
        position.choose(bots[position.decision.seat].choose(position))  # type: ignore[union-attr]
    return [step.key for step in position.history()]


# ---- fair --------------------------------------------------------------------------------------------------


def test_it_leaves_the_position_as_it_was(skirmish: Game) -> None:
    position = skirmish.start(3)
    before = position.state_hash()
    option = SearchBot(1, playouts=20).choose(position)
    assert position.state_hash() == before
    assert option in position.decision.options  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(6))
def test_it_decides_alike_whatever_lies_hidden(seed: int) -> None:
    cards = rulescript.load(CARDS)
    position = cards.start(seed)
    swapped = _swapped(position, next(iter(position.value("Bob.hand"))), next(iter(position.value("deck"))))
    assert swapped.state_hash() != position.state_hash()
    assert SearchBot(3, playouts=40).choose(swapped).key == SearchBot(3, playouts=40).choose(position).key


MEMORY = """
rulescript 1
game "Closed pile"
kind Player
    holds hand: Card, visible to it, count to others
    holds pile: Card, count to it, count to others
things
    Player Ann
    Player Bob
players Player
kind Card: worth: int
    home deck
holds deck: Card, ordered, count to others
holds table: Card
things
    Card One    worth 1
    Card Two    worth 2
    Card Three  worth 3
    Card Four   worth 4
    Card Five   worth 5
    Card Six    worth 6
phase deal
    shuffle deck
    draw 2 from deck to Ann.hand
    draw 2 from deck to Bob.hand
phase show
    choose by Bob play: c in Bob.hand "Show {c}"
        move c to table
phase away
    choose by Bob hide: c in table "Put {c} away"
        move c to Bob.pile
    or back "Put it under the deck"
        move table to bottom of deck
phase swap
    choose by Bob swap: c in Bob.hand "Change it"
        draw 1 from Bob.pile to Bob.hand
    or leave "Leave it"
phase guess
    choose by Ann guess: c in Card "It is {c}"
        if c in Bob.hand
            end game, Ann wins
    or pass
sequence
    deal
    show
    away
    swap
    guess
    end game, Bob wins
"""


@pytest.mark.parametrize("how", ["Put", "back"])
@pytest.mark.parametrize("then", ["swap", "leave"])
def test_what_was_seen_is_remembered_until_it_may_have_moved(how: str, then: str) -> None:
    game = compile_text(load_single(MEMORY, "memory.rules"))
    position = game.start(3)
    shown = position.decision.options[0].args  # type: ignore[union-attr]
    position.choose(0)
    position.choose(0 if how == "Put" else 1)
    if position.decision is not None and position.decision.name == "swap":
        can_swap = len(position.decision.options) > 1
        position.choose(0 if then == "swap" and can_swap else len(position.decision.options) - 1)
    name = next(iter(shown.values()))
    thing = game.data.kinds["Card"].names.index(name if isinstance(name, str) else name["name"])
    memory = Memory(game, [0])
    memory.follow(position)
    real = position.s[game.data.kinds["Card"].loc + thing]
    has_left = how == "Put" and then == "swap"
    assert memory.places.get(("Card", thing)) == (None if has_left else real)
    guesses = Guesses(position, [0], random.Random(1), memory)
    found = {guesses.next()[0][game.data.kinds["Card"].loc + thing] for _ in range(60)}
    assert found == {real} if not has_left else len(found) > 1
    # In a deck it may lie anywhere.
    if how == "back":
        places = {guesses.next()[0][real].index(thing) for _ in range(60)}
        assert len(places) == len(position.s[real])
    # Those who hold it know it anyway, and nothing is remembered without a history.
    bare = Memory(game, [0])
    bare.follow(position.clone(journal=False))
    assert bare.places == {}


def test_a_guess_does_not_hang_on_how_a_pile_really_lies_in_which_something_is_remembered() -> None:
    """The remembered card lies anywhere in the deck: where it really lies made another guess of the same luck."""
    game = compile_text(load_single(MEMORY, "memory.rules"))
    position = game.start(3)
    position.choose(0)
    position.choose(1)
    memory = Memory(game, [0])
    memory.follow(position)
    assert memory.places
    deck = next(slot for slot, name, _ in game.values.all_places if name == "deck")
    guesses = []
    for turned in range(len(position.s[deck])):
        world = position.clone()
        world.s[deck] = position.s[deck][turned:] + position.s[deck][:turned]
        luck = Guesses(world, [0], random.Random(1), memory)
        guesses.append([luck.next() for _ in range(10)])
    assert len(guesses) > 2 and all(each == guesses[0] for each in guesses)


def test_it_does_not_look_at_sealed_answers() -> None:
    """Bob wins with the number Ann has already shown; a bot that peeked would win every time."""
    game = rulescript.load(SEALED)
    wins = 0
    for seed in range(60):
        position = game.start(seed)
        position.choose(RandomBot(seed).choose(position))
        position.choose(SearchBot(seed, playouts=12).choose(position))
        assert position.outcome is not None
        wins += position.outcome.winner == "Bob"
    assert 15 <= wins <= 45


def test_without_a_history_a_sealed_decision_is_left_to_chance() -> None:
    position = rulescript.load(SEALED).start(1, journal=False)
    position.choose(0)
    assert SearchBot(1, playouts=5).choose(position) in position.decision.options  # type: ignore[union-attr]
    assert PlayoutBot(1, playouts=5).choose(position) in position.decision.options  # type: ignore[union-attr]


# ---- repeatable --------------------------------------------------------------------------------------------


def test_the_same_seed_and_playouts_play_the_same_game(skirmish: Game) -> None:
    def keys(luck: int) -> list[str]:
        return _keys(skirmish, 3, SearchBot(luck, playouts=15), SearchBot(luck + 1, playouts=15))

    assert keys(5) == keys(5)
    assert keys(5) != keys(50)


SCRIPT = """
import sys
import rulescript
from rulescript.bots import SearchBot
for name in sys.argv[1:]:
    position = rulescript.load(name).start(4)
    bot = SearchBot(2, playouts=12)
    while position.decision is not None:
        position.choose(bot.choose(position))
    print([step.key for step in position.history()])
"""


def test_it_plays_alike_in_every_process() -> None:
    """Whatever order Python's sets and hashes have there."""
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, SKIRMISH, CARDS], env={**os.environ, "PYTHONHASHSEED": seed}, text=True,
            capture_output=True, check=True, timeout=600,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1 and said.pop().count("[") == 2


def test_a_time_is_kept(skirmish: Game) -> None:
    position = skirmish.start(3)
    began = time.perf_counter()
    SearchBot(1, seconds=0.3).choose(position)
    assert 0.3 <= time.perf_counter() - began < 5  # others may use the machine, too


def test_it_tells_how_far_it_is(skirmish: Game) -> None:
    for bot in (SearchBot(1, playouts=40), SearchBot(1, seconds=0.2)):
        told: list[float] = []
        bot.on_thinking = told.append
        bot.choose(skirmish.start(3))
        assert len(told) > 2
        assert told == sorted(told)
        assert 0 <= told[0] <= told[-1] < 1


# ---- budgets and names -------------------------------------------------------------------------------------


def test_budgets() -> None:
    assert budget_from("500") == Budget(playouts=500)
    assert budget_from("2s") == budget_from(" 2 S ") == Budget(seconds=2.0)
    assert budget_from("250ms") == Budget(seconds=0.25)
    assert budget_from("1.5m") == Budget(seconds=90.0)
    assert [str(budget) for budget in (Budget(), Budget(7), Budget(seconds=0.25))] == ["", "7", "0.25s"]
    for said in ("", "0", "0s", "-1", "2 weeks", "s", "1e9s", "99999999999", "nan", "infs", "1441m", "½s", "٣"):
        with pytest.raises(BadOption, match="no budget"):
            budget_from(said)


def test_names() -> None:
    assert bot_named("search").name == "search"
    for name, budget in (("search", Budget()), ("search:500", Budget(500)), ("search:2s", Budget(seconds=2.0))):
        bot = bot_named(name)
        assert isinstance(bot, SearchBot) and bot.budget == budget
    thinking = bot_named("search", 1, Budget(7))
    assert isinstance(thinking, SearchBot) and thinking.budget == Budget(7)
    for name in ("serach", "search:", "search:0", "search:0s", "search:x", "playout:2s", "playout:", "random:"):
        with pytest.raises(BadOption):
            bot_named(name)
    with pytest.raises(BadOption, match="no bot is called `serach`") as caught:
        bot_named("serach")
    assert "search" in str(caught.value)


def test_a_budget_of_nothing_is_refused() -> None:
    for bad in (0, -1, 2.5, "7", True, 10**12):
        with pytest.raises(BadCall):
            SearchBot(1, playouts=bad)  # type: ignore[arg-type]
    for bad in (0, -1, float("nan"), float("inf"), "2s", True, 10**9):
        with pytest.raises(BadCall):
            SearchBot(1, seconds=bad)  # type: ignore[arg-type]
    with pytest.raises(BadCall, match="not both"):
        SearchBot(1, playouts=3, seconds=1)
    with pytest.raises(BadCall):
        SearchBot("x")  # type: ignore[arg-type]
    with pytest.raises(BadCall):
        SearchBot(1).choose("a position")  # type: ignore[arg-type]


def test_a_game_that_is_over_has_nothing_to_choose(skirmish: Game) -> None:
    position = skirmish.start(3)
    while position.decision is not None:
        position.choose(0)
    with pytest.raises(BadChoice):
        SearchBot(1).choose(position)


# ---- what it is made of ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_know_every_game(name: str) -> None:
    """A standing, who owns what is on the map, and which decisions are those of a turn."""
    game = rulescript.load(name)
    assert game.data.standing is not None
    position = game.start(1)
    rng = random.Random(1)
    for _ in range(60):
        if position.decision is not None:
            position.choose(rng.randrange(len(position.o)))
    assert set(position.standing()) == set(game.player_names)
    numbers = Presence(game).of(position._s)
    assert sum(number > 0 for number in numbers) >= 2
    asks = turn_blocks(game)
    assert any(asks) and not all(asks[block] for block in game.data.decisions)


def test_partners_in_other_seats_are_no_rivals() -> None:
    assert lead_of([4, -4, 4, -4, -4], [0]) == 4 - (4 - 12) / 4
    assert lead_of([4, -4], [0]) == 8 == -lead_of([4, -4], [1])
    assert lead_of([3], [0]) == 3
    game = rulescript.load("quartermaster_general_1914")
    state = game.start(1, players=5)._s[:]
    slot = next(entry for entry in game.data.states if entry.name == "vp").slot
    state[slot] += 6  # of one of the two teams
    scores = [score_of(game, state, [role]) for role in range(5)]
    assert sorted(score > 0.5 for score in scores) in ([False] * 3 + [True] * 2, [False] * 2 + [True] * 3)


WASTE = """
rulescript 1
game "Waste"
kind Side
    holds box: Guard
things
    Side North
    Side South
players Side
state active: Side
kind Field
    holds guards: Guard
map Fields
    link path
    Field Dale
    Field Fell
    path Dale - Fell
values Arm: foot, horse
pieces Guard: side: Side, arm: Arm
    home side.box
counts Guard
    |       | foot | horse |
    | North |    4 |     2 |
    | South |    4 |     2 |
procedure setup
    for s in Side
        move s.box to Dale
phase watch "Watch"
    repeat
        choose dismiss: g in Field.guards "Send {g} home"
            require g.side == active
            move g home
        or choose walk: g in Field.guards, f in Field "Send {g} to {f}"
            require g.side == active and g.place != f
            move g to f
            stop
        or stop "Stand still"
sequence
    setup
    repeat 60 times
        for active in Side
            watch
    if count(Field.guards[side == North]) > count(Field.guards[side == South])
        end game, North wins
    if count(Field.guards[side == North]) < count(Field.guards[side == South])
        end game, South wins
    end game, draw
"""


@pytest.mark.parametrize("seed", range(4))
def test_nothing_of_its_own_is_given_away_for_nothing(seed: int) -> None:
    """Guards may be sent home as often as one likes; who has more wins, but long after the bot stops looking."""
    game = compile_text(load_single(WASTE, "waste.rules"))
    position = game.start(1)
    bot = SearchBot(seed, playouts=40)
    lost = 0
    while position.decision is not None and position.steps < 60:
        if position.decision.seat:  # type: ignore[union-attr]
            position.choose("Stand still")
            continue
        option = bot.choose(position)
        lost += "home" in option.text
        position.choose(option)
    assert lost == 0


@pytest.mark.parametrize("steps", [30, pytest.param(60, marks=pytest.mark.long)])
def test_what_can_be_done_at_any_time_is_not_done_for_nothing(steps: int) -> None:
    """A piece may be taken off the map at any time; nobody gains anything by it."""
    game = rulescript.load("quartermaster_general_1914")
    position = game.start(2, players=2)
    bots = [SearchBot(1, playouts=16), SearchBot(2, playouts=16)]
    offered = 0
    while position.decision is not None and position.steps < steps:
        offered += any(is_aside(raw) for raw in position.o)
        option = bots[position.decision.seat].choose(position)  # type: ignore[union-attr]
        assert not is_aside(option.raw), option.text
        position.choose(option)
    assert offered > 5


@pytest.mark.long
def test_armies_do_not_die_in_reserve() -> None:
    """At the end of a turn what is still in reserve is lost: the bot brings in what it can."""
    game = rulescript.load("attrition_of_souls")
    kept = could = 0
    for seed in range(4):
        position = game.start(seed, journal=False)
        bot = SearchBot(seed, playouts=60)
        rest = RandomBot(seed)
        mobilized = 0
        while position.decision is not None and mobilized < 2:
            decision = position.decision
            if decision.seat != 0:  # type: ignore[union-attr]
                position.choose(rest.choose(position))
                continue
            option = bot.choose(position)
            if decision.name == "mobilize" and len(position.o) > 1:
                could += 1
                if "reserve" in option.text:
                    kept += len(position.o) - 1
                    mobilized += 1
            elif decision.name == "move":
                mobilized = max(mobilized, 1)
            position.choose(option)
    assert could > 10
    assert kept <= could / 5, (kept, could)
