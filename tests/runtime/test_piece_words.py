"""What pieces are called: the plain type is meant unless more is said, and labels are kept as written."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource, run_example, run_examples
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Names"
kind Side
kind Nation: side: Side, adjective: text
kind Corps: nation: Nation
kind Town
    holds units: Unit
values Arm: foot, guns
pieces Unit: nation: Nation, arm: Arm, corps: maybe Corps = nothing, regular: bool = yes, heavy: bool = no
    text "{nation.adjective} {arm}"
    home box
holds box: Unit
things
    Side Blue
    Nation Ruritania  Blue, adjective "Ruritanian"
    Nation Vespria    Blue, adjective "Vesprian"
    Corps Ruritanian_Guard  Ruritania
    Town Mill
    Unit Ruritania_guard  "Ruritanian Guard" Ruritania, foot, Ruritanian_Guard, not regular, 2
    Unit Ruritanian_mortar  "Ruritanian mortar" Ruritania, guns, heavy, 1
counts Unit
    |           | foot | guns |
    | Ruritania |    3 |    2 |
    | Vespria   |    3 |    2 |
players Side
state active: Side

sequence
    go
    end game, draw

phase go "Go"
    place 1 Vesprian foot, 1 Ruritanian guns, 1 regular Vesprian guns in Mill
    choose lose: 1 from Mill.units as lost
        move lost to box

example "The plain ones are meant"
    given empty, at go
        Mill: 1 Ruritanian foot, 1 Ruritanian guard, 1 Ruritanian guns, 1 Ruritanian mortar, 1 regular Vesprian foot
    expect
        count(Mill.units[regular and arm == foot and nation == Ruritania]) == 1
        Mill has exactly 1 Ruritania foot, 1 guard, 2 Ruritanian guns, 1 mortar, 2 Vesprian foot, 1 Vesprian guns
        Mill has 1 Vesprian guns
    play
        Blue: lose Ruritanian foot
    expect
        Mill has 1 Ruritanian guard
        Mill has no regular Ruritanian foot
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    return tmp_path


@pytest.fixture
def game(folder: Path) -> Game:
    return rulescript.load(folder, cache=False)


def test_the_plain_type_is_meant(folder: Path) -> None:
    results = list(run_examples(GameSource.load(folder)))
    assert len(results) == 1
    assert [str(r) for r in results if not r.ok] == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ruritanian foot", ["Ruritania_foot"]),
        ("ruritania foot", ["Ruritania_foot"]),
        ("regular ruritanian foot", ["Ruritania_foot"]),
        ("ruritanian guard", ["Ruritania_guard"]),
        ("guard", ["Ruritania_guard"]),
        ("guard foot", ["Ruritania_guard"]),
        ("ruritanian guns", ["Ruritania_guns"]),
        ("heavy guns", ["Ruritanian_mortar"]),
        ("foot", ["Ruritania_foot", "Vespria_foot"]),
    ],
)
def test_words_for_types(game: Game, said: str, meant: list[str]) -> None:
    found = game.lexicon.piece_types("Unit", said.split())
    assert sorted(game.lexicon.name("Unit", index) for index in found) == meant


def test_an_option_adds_pieces_but_takes_no_words(folder: Path) -> None:
    """What the base calls Vesprian foot stays what it was, however the new pieces are called."""
    file = folder / "game.rules"
    more = """
option levy "Levy"
    things
        Unit Vesprian_foot  Vespria, foot, not regular, 5
    example "Still the regular foot"
        given setup
        expect
            count(Mill.units[nation == Vespria and arm == foot]) == 1
            none Mill.units[nation == Vespria and not regular]
"""
    file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
    source = GameSource.load(folder)
    results = [r for found in source.found() if "Still" in found.example.title for r in run_example(source, found)]
    assert [r.ok for r in results] == [True]


def test_a_label_that_says_the_name_again_is_kept(game: Game) -> None:
    """`text` is for types without a label of their own."""
    info = game.data.kinds["Unit"]
    labels = dict(zip(info.names, info.labels, strict=True))
    assert labels["Ruritanian_mortar"] == "Ruritanian mortar"
    assert labels["Ruritania_guns"] == "Ruritanian guns"
