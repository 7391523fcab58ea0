"""Places that belong to something hidden, and places of which not everybody may know which is meant.

What lies on a card in a hand, or under a counter that lies face down, is known to who knows that card. And whether
there is anything to pick in a place tells which place is meant."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript import Game, GameInvalid, Position
from rulescript.bots import SearchBot
from rulescript.bots.unseen import guess_state
from rulescript.runtime.readings import value_of
from rulescript.testing.conformance import ALL_CHECKS
from rulescript.testing.hiding import doors
from rulescript.testing.run import Run
from rulescript.testing.walk import random_walker

GAME = """rulescript 1
game "Carried", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds vault: Card, visible to it, count to others
    holds bag: Unit
    holds purse: Chip, visible to it, count to others
    state points: int
kind Card: side: Side, red: bool = no
    home side.hand
    holds load: Unit
    holds chips: Chip, visible to it.side, count to others
    holds cards: Card
    state down: bool
    hidden when down, known to side
kind Chip: side: Side
    home side.purse
kind Town
    holds units: Unit
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.bag
things
    Side North
    Side South
    Card A1  North, red
    Card A2  North
    Card A3  North
    Card B1  South
    Chip C1  North
    Chip C2  North
map Shore
    link road
    Town Mill
    Town Ford
    road Mill - Ford
counts Unit
    |       | foot | horse |
    | North |    3 |     2 |
    | South |    1 |     1 |
players Side
holds board: Card
state active: Side
phase garrison "Garrison"
    place 1 North foot, 1 North horse in Mill
phase turn "Turn"
TURN
phase wait "Wait"
    choose by South go "Go"
    or stay "Stay"
sequence
    garrison
    turn
    wait
    end game, draw
"""
HIDE = {
    "face down": ("board[side == North]", "        c.down = yes\n        move c to board\n"),
    "in a vault": ("North.vault[side == North]", "        move c to North.vault\n"),
}
LAID = '    choose by North lie: c in North.hand "Lie"\n{}    choose by North lie: c in North.hand "Lie"\n{}'
LOADED = (
    '    for u in North.bag[arm == foot]\n        choose by North fill: c in {} "Fill"\n            move u to c.load\n'
    '    choose by North spend: c in {} "Spend"\n        for each_one in North.purse\n'
    "            move each_one to c.chips\n"
)


def game_of(folder: Path, turn: str) -> Game:
    path = folder / "carried.rules"
    path.write_text(GAME.replace("TURN\n", turn), encoding="utf-8")
    return rulescript.load(path, cache=False)


def loaded(how: str, turn: str = "") -> str:
    place, lying = HIDE[how]
    return LAID.format(lying, lying) + LOADED.format(place, place) + turn.replace("PLACE", place)


def played(game: Game, keys: str) -> Position:
    position = game.start(1)
    for key in keys.split():
        decision = position.decision
        assert decision is not None
        position.choose(next(o for o in decision.options if o.key.endswith(key)))  # type: ignore[arg-type]
    return position


def are_alike(worlds: list[Position], asked: list[str]) -> None:
    for who in ("South", "spectator"):
        for one, two in pairwise([doors(each, who, (), asked) for each in worlds]):
            assert one == two


ASKED = [
    "A1.load", "some A1.load", "count(A1.load)", "Card[some it.load]", "Card.load", "count(Card.load)", "C1.place",
    "A1.chips", "count(A1.chips)", "C1 in A1.chips", "some c in Card: count(c.load) > 1", "board.load",
    "count(board.load)", "North.vault.chips", "max(count(c.load) for c in Card)",
]  # fmt: skip


@pytest.mark.parametrize("how", HIDE)
def test_what_lies_on_something_hidden_is_hidden_with_it(tmp_path: Path, how: str) -> None:
    game = game_of(tmp_path, loaded(how))
    worlds = [played(game, keys) for keys in ("c=A1 c=A2 c=A1 c=A1 c=A1", "c=A1 c=A2 c=A2 c=A1 c=A2")]
    are_alike(worlds, ASKED)
    assert worlds[0].view("North").places()["A1.load"] == {"North_foot": 2}
    assert worlds[0].view("North").places()["A1.chips"] == {"C1": 1, "C2": 1}
    assert "A1.load" not in worlds[0].view("South").places()
    assert worlds[0].view("South").places()["B1.load"] == {}


def test_what_lies_on_something_hidden_in_something_hidden_is_hidden_too(tmp_path: Path) -> None:
    inside = LAID.format("        move c to A3.cards\n", "        move c to A3.cards\n")
    turn = inside + LOADED.format("A3.cards[side == North]", "A3.cards[side == North]")
    game = game_of(tmp_path, turn)
    worlds = [played(game, keys) for keys in ("c=A1 c=A2 c=A1 c=A1 c=A1", "c=A1 c=A2 c=A2 c=A1 c=A2")]
    are_alike(worlds, [*ASKED, "A3.cards", "count(A3.cards)"])
    assert worlds[0].view("North").places()["A1.load"] == {"North_foot": 2}


def test_things_that_lie_in_each_other_end_nothing(tmp_path: Path) -> None:
    game = game_of(tmp_path, "    move A1 to A2.cards\n    move A2 to A1.cards\n")
    assert game.start(1).view("South").places()["A1.cards"] == {"A2": 1}


def test_what_comes_to_light_brings_with_it_what_lies_on_it(tmp_path: Path) -> None:
    turn = loaded("in a vault") + '    choose by North show: c in North.vault "Show"\n        move c to board\n'
    worlds = [played(game_of(tmp_path, turn), f"c=A1 c=A2 c=A1 c=A1 c=A1 c={card}") for card in ("A1", "A2")]
    assert [each.view("South").places().get("A1.load") for each in worlds] == [{"North_foot": 2}, None]


QUESTIONS = {
    "a piece": '    for c in PLACE\n        choose by North drop: u in c.load "Drop"\n            North.points += 0\n',
    "a piece, or pass": '    for c in PLACE\n        choose by North drop: u in c.load "Drop"\n'
    "            North.points += 0\n        or pass\n",
    "up to": '    for c in PLACE\n        choose by North drop: up to 1 from c.load as x "Drop"\n'
    "            North.points += 0\n",
    "each": '    for c in PLACE\n        choose by North drop: each u in c.load to t in Town as x "Drop"\n'
    "            North.points += 0\n",
    "a thing that is counted": '    for c in PLACE\n        choose by North drop: k in c.chips "Drop"\n'
    "            North.points += 0\n",
    "two names": '    choose by North drop: c in PLACE, u in c.load "Drop"\n        North.points += 0\n',
}


@pytest.mark.parametrize("how", HIDE)
@pytest.mark.parametrize("question", QUESTIONS)
def test_whether_there_is_something_on_it_is_not_told_by_asking(tmp_path: Path, how: str, question: str) -> None:
    game = game_of(tmp_path, loaded(how, QUESTIONS[question]))
    worlds = [played(game, keys) for keys in ("c=A1 c=A2 c=A1 c=A1 c=A1", "c=A1 c=A2 c=A2 c=A2 c=A2")]
    while not any(each.is_over for each in worlds):
        are_alike(worlds, [])
        for each in worlds:
            each.choose(-1 + len(each.decision.options))  # type: ignore[union-attr]


COPIES = """    move {0} to board
    move {1} to North.vault
    move 1 from North.bag[arm == foot] to {0}.load
    move {2} to board
    choose by South go "Go"
    or stay "Stay"
"""


def test_which_copy_it_is_is_not_told_by_what_lies_on_it(tmp_path: Path) -> None:
    """Of three copies one lies there with a load, one without, and one nobody sees: which of them is which number?"""
    orders = [(f"D_{one}", f"D_{two}", f"D_{three}") for one, two, three in permutations((1, 2, 3))]
    rules = GAME.replace("    Card B1  South\n", "    Card B1  South\n    Card D 3, North\n")
    path = tmp_path / "carried.rules"
    told = []
    for order in orders:
        path.write_text(rules.replace("TURN\n", COPIES.format(*order)), encoding="utf-8")
        told.append(doors(rulescript.load(path, cache=False).start(1), "South", (), ["board", "board.load"]))
    assert "D_1.load" in told[0]["view"] and "D_3" not in told[0]["view"]
    assert all(each == told[0] for each in told)


REFUSED = {
    "a requirement": '    may by South: see "See"\n        require some A1.load\n        South.points += 1\n',
    "candidates": '    choose by South see: c in Card[some it.load] "See"\n        South.points += 1\n',
    "a function": '    may by South: see "See"\n        require full() > 0\n        South.points += 1\n',
}


@pytest.mark.parametrize("how", HIDE)
@pytest.mark.parametrize("name", REFUSED)
def test_what_lies_on_any_is_asked_of_nobody(tmp_path: Path, how: str, name: str) -> None:
    with pytest.raises(GameInvalid) as problem:
        game_of(tmp_path, loaded(how, REFUSED[name]) + "function full -> int\n    count(A1.load)\n")
    assert {d.code for d in problem.value.diagnostics if d.severity == "error"} == {"RS311"}


def test_a_guess_leaves_the_load_with_what_is_hidden(tmp_path: Path) -> None:
    """A bot does not know by what lies on a card which card it is."""
    turn = loaded("in a vault", '    choose by South go_on "Go on"\n    or halt "Halt"\n')
    game = game_of(tmp_path, turn)
    worlds = [played(game, keys) for keys in ("c=A1 c=A2 c=A1 c=A1 c=A1", "c=A1 c=A2 c=A2 c=A2 c=A2")]
    assert len({SearchBot(3, playouts=4).choose(each).key for each in worlds}) == 1
    guesses = [[guess_state(game, each.s, [1], Random(seed)) for seed in range(40)] for each in worlds]
    full = [
        {card for guess in found for card in ("A1", "A2", "A3") if value_of(game, guess, f"{card}.load")}
        for found in guesses
    ]
    assert full[0] == full[1] == {"A1", "A2", "A3"}
    for guess in guesses[0]:
        for chip in ("C1", "C2"):
            assert sum(chip in value_of(game, guess, f"{card}.chips") for card in ("A1", "A2", "A3", "B1")) == 1


WHICH = "    let t = if some North.vault[red] then Mill else Ford\n"
BURY = '    choose by North bury: c in North.hand "Bury"\n        move c to North.vault\n'
MEANT = {
    "a piece": f'{WHICH}    choose by North drop: u in t.units "Drop"\n        tell "So."\n',
    "of one sort": f'{WHICH}    choose by North drop: u in t.units[arm == foot] "Drop"\n        tell "So."\n',
    "exactly": f'{WHICH}    choose by North drop: 1 from t.units as x "Drop"\n        tell "So."\n',
    "up to": f'{WHICH}    choose by North drop: up to 1 from t.units as x "Drop"\n        tell "So."\n',
    "each": f'{WHICH}    choose by North drop: each u in t.units to v in Town as x "Drop"\n        tell "So."\n',
    "in a loop": "    for t in Town[some North.vault[red] or it == Ford]\n"
    '        choose by North drop: u in t.units "Drop"\n            tell "So."\n',
    "handed over": "    st(if some North.vault[red] then Mill else Ford)\n",
    "so many": '    let n = count(North.vault[red])\n    choose by North drop: n from Mill.units as x "Drop"\n'
    '        tell "So."\n',
    "up to so many": "    let n = count(North.vault[red])\n"
    '    choose by North drop: up to n from Mill.units as x "Drop"\n'
    '        tell "So."\n',
    "as many as there are": '    choose by North drop: up to count(North.vault[red]) from Mill.units as x "Drop"\n'
    '        tell "So."\n',
}
STEP = 'procedure st(t: Town)\n    choose by North drop: u in t.units "Drop"\n        tell "So."\n'


@pytest.mark.parametrize("name", MEANT)
def test_which_place_is_meant_and_how_many_is_not_told_by_asking(tmp_path: Path, name: str) -> None:
    game = game_of(tmp_path, BURY + MEANT[name] + STEP)
    worlds = [played(game, keys) for keys in ("c=A1", "c=A2", "c=A3")]
    assert [each.decision is not None and each.decision.player for each in worlds] == ["North"] * 3
    are_alike(worlds, ["t", "n"])


def test_the_kit_exchanges_hidden_things_with_what_lies_on_them(tmp_path: Path) -> None:
    """Things and copies that are exchanged take along what lies on them: the view must not notice, and does not."""
    rules = GAME.replace("    Card B1  South\n", "    Card B1  South\n    Card D 3, North\n")
    turn = COPIES.format("D_1", "D_2", "D_3").replace(
        '    or stay "Stay"\n', '    or stay "Stay"\n' + loaded("in a vault")
    )
    path = tmp_path / "carried.rules"
    path.write_text(rules.replace("TURN\n", turn), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    views = [check for check in ALL_CHECKS if check.name == "views"]
    runs = [Run(game, seed, None, random_walker(Random(seed)), views, closely=8).go() for seed in range(8)]
    assert sum(run.counted["views"] for run in runs) > 40
