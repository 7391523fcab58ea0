"""A house rule on top of the game: it says only what is different."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource, run_example

HOUSE_RULES = """\
rulescript 1

game "An Attrition of Souls: our house rules", version "1"
    builds on attrition_of_souls

rulebook "House rules"
    H1  data        "The Ruhr"
    H2  constraint  "Mud"

amend Rhineland: industry 2  §H1

kind Region: muddy: bool = no
amend Poland: muddy

restrict movement.move when turn.year == 1915  §H2
    require not r.muddy "mud"

remove "Industry at the start"

check "One point more"  §H1
    sum(r.industry for r in Region[control == Central_Powers]) == 8

example "In 1914 one marches to Poland"  §H2
    given empty, turn Fall 1914, active Central_Powers, at movement
        Berlin: 1 German infantry
    try move German infantry to Poland -> allowed

example "In 1915 there is mud"  §H2
    given empty, turn Spring 1915, active Central_Powers, at movement
        Berlin: 1 German infantry
    try move German infantry to Poland -> refused by §H2
    legal r for move excludes {Poland}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "house_rules"
    path.mkdir()
    (path / "game.rules").write_text(HOUSE_RULES, encoding="utf-8")
    return path


def test_it_is_a_game_of_its_own(folder: Path) -> None:
    game = rulescript.load(folder, cache=False)
    assert game.title == "An Attrition of Souls: our house rules"
    chance = random.Random(5)
    position = game.start(seed=5)
    while position.decision:
        position.choose(chance.choice(position.decision.options))
    assert position.outcome is not None


def test_its_own_examples_hold(folder: Path) -> None:
    source = GameSource.load(folder)
    own = [f for f in source.found() if f.example.span.source.name.endswith("house_rules/game.rules")]
    assert len(own) == 2
    results = [result for found in own for result in run_example(source, found)]
    assert [str(r) for r in results if not r.ok] == []


def test_a_saved_game_of_one_is_none_of_the_other(folder: Path) -> None:
    mine = rulescript.load(folder, cache=False)
    theirs = rulescript.load("attrition_of_souls", cache=False)
    assert mine.data.rules_hash != theirs.data.rules_hash
