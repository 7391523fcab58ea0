"""Several of a hand at once: copies of a card are one option, and each that is chosen is another copy."""

from __future__ import annotations

import pytest

from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.forms import play_alike

GAME = """\
rulescript 1
game "Copies"
kind Side
    holds hand: Card
    holds gone: Card
kind Card: side: Side
    state marked: bool
    home side.hand
things
    Side North
    Card Levy   North, 3
    Card Drill  North
    Card Feint  North, 2
players Side
state active: Side
phase go
    choose mark: up to 1 from active.hand as seen "Mark {seen}"
        for c in seen
            c.marked = yes
    choose give: 3 from active.hand as given "Give {given}"
        for c in given
            move c to active.gone
    choose keep: any number from active.hand as kept "Keep {kept}"
        for c in active.hand - kept
            move c to active.gone
sequence
    for active in Side
        go
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_text(load_single(GAME, "copies.rules"))


def texts(position: Position) -> list[str]:
    assert position.decision is not None
    return [option.text for option in position.decision.options]


def selections(position: Position, name: str) -> list[tuple[str, ...]]:
    """All ways to answer a choice of several, as what was picked."""
    if position.decision is None or position.decision.name != name:
        return [()]
    out = []
    for option in position.decision.options:
        picked = () if option.text in ("That is all", "None of them") else (option.text.partition(": ")[2],)
        out += [(*picked, *rest) for rest in selections(position.clone().choose(option), name)]  # type: ignore[arg-type]
    return out


def test_copies_are_one_option(game: Game) -> None:
    assert texts(game.start()) == ["Mark: Levy", "Mark: Drill", "Mark: Feint", "None of them"]
    position = game.start().choose("none of them")
    # Feints come last, and there are only two of them.
    assert texts(position) == ["Give: Levy", "Give: Drill"]


def test_every_selection_is_offered_once(game: Game) -> None:
    position = game.start().choose("none of them")
    # Where only one way is left to complete the three, nobody is asked for the rest.
    assert selections(position, "give") == [
        ("Levy", "Levy", "Levy"),
        ("Levy", "Levy", "Drill"),
        ("Levy", "Levy", "Feint"),
        ("Levy", "Drill"),
        ("Levy", "Feint"),
        ("Drill",),
    ]


def test_each_one_chosen_is_another_copy(game: Game) -> None:
    position = game.start().choose("none of them").choose("give 2 Levy, 1 Feint")
    assert position.value("North.gone") == {"Levy_1": 1, "Levy_2": 1, "Feint_1": 1}
    position.choose("keep Levy, Feint")
    assert position.value("North.hand") == {"Levy_3": 1, "Feint_2": 1}


def test_copies_in_another_state_are_told_apart(game: Game) -> None:
    position = game.start().choose("mark Levy")
    assert position.decision is not None
    keys = [option.key for option in position.decision.options]
    assert keys == ["give given=Levy_1", "give given=Levy_2", "give given=Drill"]
    assert texts(position) == ["Give: Levy (marked)", "Give: Levy (not marked)", "Give: Drill"]


ROW = """\
rulescript 1
game "Row"
values Side: North, South
players Side
state active: Side
kind Card
    home row
holds row: Card, ordered
holds gone: Card
things
    Card Levy   2
    Card Drill
phase go
    choose buy: c in row "Buy {c}"
        move c to gone
sequence
    for active in Side
        go
    end game, North wins
"""


def test_copies_side_by_side_in_a_row_are_told_apart_by_their_number() -> None:
    position = compile_text(load_single(ROW.replace('    Card Levy_Horse  "Levy"\n', ""), "row.rules")).start()
    assert texts(position) == ["Buy Levy (number 1 in row)", "Buy Levy (number 2 in row)", "Buy Drill"]
    position.choose("buy c=Levy_1")
    assert texts(position) == ["Buy Levy", "Buy Drill"]


def test_many_games_at_once_are_the_same_games() -> None:
    game = compile_text(load_single(GAME, "copies.rules"))
    assert play_alike(game)
