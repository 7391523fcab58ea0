"""Requirements on several chosen at once: a way is offered only if it leads to a selection that is allowed."""

from __future__ import annotations

from itertools import combinations
from time import process_time

import pytest

from rulescript.errors import PlayError
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.forms import play_alike

GAME = """\
rulescript 1
game "Selections"
kind Side
    holds pile: Card
    holds hand: Card
kind Card: side: Side, price: int, sort: Sort
    home side.pile
values Sort: guns, horse, foot
things
    Side North
    Card One    North, price 1, guns
    Card Two    North, price 2, horse
    Card Three  North, price 3, foot
    Card Four   North, price 4, guns
    Card Five   North, price 5, horse
    Card Gift   North, price -2, foot
    Card Levy   North, price 2, foot, 3
players Side
state active: Side
state budget: int = 5
value price(c: Card) -> int
    c.price
phase buy
    choose buy: AMOUNT from active.pile as got "Buy {got}"
        REQUIRE
        move got to active.hand
        bought += size(got)
state bought: int
sequence
    for active in Side
        buy
    end game, North wins
"""
NAMES = {"One": 1, "Two": 2, "Three": 3, "Four": 4, "Five": 5, "Gift": -2, "Levy_1": 2, "Levy_2": 2, "Levy_3": 2}
SORTS = {"One": "guns", "Two": "horse", "Three": "foot", "Four": "guns", "Five": "horse"}


def game_of(amount: str, require: str) -> Game:
    text = GAME.replace("AMOUNT", amount).replace("REQUIRE", require)
    return compile_text(load_single(text, "selections.rules"))


def selections(position: Position) -> set[tuple[str, ...]]:
    """What every way to answer comes to; each way must come to something."""
    if position.is_over:
        return {tuple(sorted(str(c).split()[0] for c in _hand(position)))}
    assert position.decision is not None and position.decision.options
    out: set[tuple[str, ...]] = set()
    for option in position.decision.options:
        onward = position.clone()
        onward.choose(option)
        out |= selections(onward)
    return out


def _hand(position: Position) -> list[str]:
    found = position.explain("North.hand").value
    return [str(thing) for thing in found]


def price(names: tuple[str, ...]) -> int:
    return sum(NAMES[name] for name in names)


def sort(name: str) -> str:
    return SORTS.get(name, "foot")


def expected(amounts: range, allowed: object) -> set[tuple[str, ...]]:
    assert callable(allowed)
    found = [c for k in amounts for c in combinations(NAMES, k) if allowed(c)]
    # Copies of one card are not told apart: of three levies, the first ones are taken.
    first = [c for c in found if [n for n in c if "Levy" in n] == [f"Levy_{i + 1}" for i in range(_levies(c))]]
    return {tuple(sorted(c)) for c in first}


def _levies(names: tuple[str, ...]) -> int:
    return sum("Levy" in name for name in names)


CASES = [
    ("any number", 'require sum(c.price for c in got) <= budget "enough"', range(10), lambda c: price(c) <= 5),
    ("any number", "require sum(price(c) for c in got) <= budget", range(10), lambda c: price(c) <= 5),
    ("up to 3", "require sum(price(c) for c in got) >= 9", range(4), lambda c: price(c) >= 9),
    ("3", "require sum(price(c) for c in got) == 6", range(3, 4), lambda c: price(c) == 6),
    ("2", "require some got[sort == guns]", range(2, 3), lambda c: any(sort(n) == "guns" for n in c)),
    ("up to 4", "require every c in got: c.sort != foot", range(5), lambda c: all(sort(n) != "foot" for n in c)),
    ("any number", "require size(got.sort) == size(got)", range(10), lambda c: len(set(map(sort, c))) == len(c)),
    ("up to 2", "require budget > 7 or none got", range(3), lambda c: not c),
]


@pytest.mark.parametrize(("amount", "require", "sizes", "allowed"), CASES, ids=[c[0] + " " + c[1] for c in CASES])
def test_every_way_leads_to_an_allowed_selection(amount: str, require: str, sizes: range, allowed: object) -> None:
    assert selections(game_of(amount, require).start(seed=1)) == expected(sizes, allowed)


def test_where_no_selection_is_allowed_the_choice_is_passed_over() -> None:
    position = game_of("2", "require sum(price(c) for c in got) > 100").start(seed=1)
    assert position.is_over and position.explain("bought").value == 0


def test_a_refusal_names_the_requirement() -> None:
    position = game_of("any number", 'require sum(c.price for c in got) <= budget "enough"').start(seed=1)
    refusal = str(position.why_not("buy Two, Four"))
    assert "the total price of chosen cards is more than the budget (enough)" in refusal
    position = game_of("any number", 'require size(got.sort) == size(got) "one of a sort"').start(seed=1)
    position.choose("buy got=Two")
    assert "(one of a sort)" in str(position.why_not("buy got=Five"))


@pytest.mark.parametrize(("amount", "require"), [c[:2] for c in CASES])
def test_many_games_at_once_are_the_same_games(amount: str, require: str) -> None:
    game = game_of(amount, require)
    assert play_alike(game)


NUMBERS = """\
rulescript 1
game "Numbers"
values Side: North, South
players Side
state active: Side
state score: int
phase work
    choose pick: any number from 1..60 as chosen
        REQUIRE
        score = sum(c for c in chosen)
sequence
    for active in Side
        may look "Look"
            work
    end game, draw
"""


@pytest.mark.parametrize(
    "require, asked",
    [
        ("require sum(c for c in chosen) == 1831", False),
        ("require sum(c for c in chosen) == 900", True),
        ("require sum(c for c in chosen) == 100 and size(chosen) == 5", True),
        ("require some c in chosen: c > 58", True),
        ("require count(chosen[it > 30]) == count(chosen[it <= 30]) + 31", False),
    ],
)
def test_sums_over_many_are_worked_out_quickly(require: str, asked: bool) -> None:
    """Two to the power of sixty selections: what can be picked is known from the sums alone."""
    game = compile_text(load_single(NUMBERS.replace("REQUIRE", require), "numbers.rules"))
    position = game.start()
    begun = process_time()
    position.choose("look")
    assert process_time() - begun < 3
    assert position.decision is not None
    assert (position.decision.name == "pick") == asked
    while asked and position.decision is not None and position.decision.name == "pick":
        done = [o for o in position.decision.options if o.label == "done"]
        position.choose(done[0] if done else position.decision.options[-1])


def test_what_cannot_be_worked_out_is_told() -> None:
    """A requirement that reads more than sums, and that no selection meets, is not searched without end."""
    require = "require every n in 1..60: count(chosen[it == n]) * n == 7 or n < 59"
    game = compile_text(load_single(NUMBERS.replace("REQUIRE", require), "numbers.rules"))
    position = game.start()
    before, begun = position.state_hash(), process_time()
    with pytest.raises(PlayError, match="more than 20,000 were looked at"):
        position.choose("look")
    assert process_time() - begun < 30
    assert position.state_hash() == before


AT_LEAST_ONE = """\
rulescript 1
game "At least one"
kind Side
    holds box: Unit
things
    Side Red
players Side
kind Area
    holds units: Unit
things
    Area A
    Area B
pieces Unit: side: Side
    home side.box
things
    Unit Red_foot  Red, 6
state active: Side
phase play "Play"
    choose begin "Begin"
        place COUNT Red_foot in A
    or wait "Wait"
    choose commit: any number from A.units as committed "Commit {committed}"
        require some u in committed: u.side == active "at least one"
        for u in committed
            move u to B
sequence
    for active in Side
        play
    end game, draw
example "A line names them all"
    given setup, at play
    play
        Red: begin
        Red: commit COUNT Red_foot
    expect
        B has COUNT Red_foot
        A is empty
"""


def test_how_many_is_asked_even_if_the_first_is_the_only_one() -> None:
    position = compile_text(load_single(AT_LEAST_ONE.replace("COUNT", "5"), "one.rules")).start()
    position.choose("begin")
    assert position.decision is not None and position.decision.stage == 0
    assert position.clone().choose("commit 3 Red foot").value("B.units") == {"Red_foot": 3}
    assert position.clone().choose(["Red foot"]).value("B.units") == {"Red_foot": 1}


def test_a_single_one_is_still_taken_unasked() -> None:
    position = compile_text(load_single(AT_LEAST_ONE.replace("COUNT", "1"), "one.rules")).start()
    assert position.choose("begin").value("B.units") == {"Red_foot": 1}
