"""A game that builds on this one can change a reading, a number, a card, without touching its files."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims import run_file

VARIANT = """\
rulescript 1

game "A shorter war", version "1"
    builds on quartermaster_general_1914

replace function scoring_rounds -> set of int
    {2, 4}

# Either country's cards sustain an attack of the Power.
exception to serves "a card of its own country" when owner.power == c.power

# Difficult terrain costs two cards.
adjust terrain_cost(c, hard) add 1 when hard "Mud"

# No draft at all.
restrict draft_step.draft
    require no "nobody is drafted"

amend Burgundy: not difficult

restrict playable when card == Zeppelins
    require round > 3 "not before the fourth round"
"""

CLAIMS = """\
example "Points in the second round"
    given empty, round 2, active UK_US, at draw_step
        Berlin: 1 German army
    play
        run to turn passing
    expect
        Central.vp == 1

example "An Ottoman card in an Austrian battle"
    given empty, active AH_OT, at play_step
        Vienna and Galicia: 1 Austro-Hungarian army
        Moscow and Ukraine: 1 Russian army
        AH_OT.hand: Austrian_Land_Battle_1
        AH_OT.prepared: Ottoman_Land_Battle_1
        RU.prepared: Russian_Build_Army_1
    play
        AH_OT: play Austrian Land Battle
        AH_OT: battle Ukraine from Galicia
        RU: reinforce with Russian Build Army
        AH_OT: sustain with Ottoman Land Battle
    expect
        Ukraine is empty

example "Mud"
    given empty, active AH_OT, at play_step
        Vienna and Budapest: 1 Austro-Hungarian army
        AH_OT.hand: Austrian_Land_Battle_1, Ottoman_Build_Army_1
    play
        AH_OT: play Austrian Land Battle
    try battle Serbia from Budapest -> refused because "a card for difficult terrain"

example "No Zeppelins yet"
    given empty, round 1, active GE, at play_step
        GE.hand: Zeppelins, Mata_Hari
    try play Zeppelins -> refused because "not before the fourth round"
    try play Mata Hari -> allowed
    case "later": but round 4
        try play Zeppelins -> allowed
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("variant") / "shorter_war"
    where.mkdir()
    (where / "game.rules").write_text(VARIANT, encoding="utf-8")
    return where


def test_the_variant_says_what_it_changes(folder: Path, tmp_path: Path) -> None:
    claims = tmp_path / "claims.rules"
    claims.write_text(CLAIMS, encoding="utf-8")
    results = run_file(folder, claims)
    assert len(results) == 5
    assert [str(r) for r in results if not r.ok] == []


def test_the_variant_can_be_played(folder: Path) -> None:
    game = rulescript.load(folder)
    assert game.title == "A shorter war"
    assert all(p.over for p in game.playouts(5, seed=1))
