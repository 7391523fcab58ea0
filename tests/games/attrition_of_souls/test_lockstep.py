"""The compiled game and the hand-written one play the same game, and a wrong rule would be noticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulescript
from rulescript.runtime.game import Game
from tests.benchmarks import handwritten_attrition as hw
from tests.games.attrition_of_souls.lockstep import Disagreement, follow, play_in_lockstep, record

FOLDER = Path(__file__).resolve().parents[3] / "games" / "attrition_of_souls"

# A chapter, what stands in it, and what a careless author might have written instead.
WRONG_RULES = {
    "4.4-c rail by sea for both": ("mobilization", "require b in a.land or active == Entente", "require yes"),
    "4.6.3 no limit out of a contested capital": (
        "movement",
        "a.control != contested or b.control",
        "a.control == contested or b.control",
    ),
    "4.7.1-b own regions never must": ("battles", "(foreign(r) or only_landings(r))", "foreign(r)"),
    "4.8.2-a all nations roll": (
        "battles",
        "count(r.tiles[side == active and nation == n])",
        "count(r.tiles[side == n.side])",
    ),
    "4.9-e an empty contested region": (
        "status",
        "r.control = r.nation.side.marker",
        "r.control = active.marker",
    ),
    "4.11.1 neutral reserves are lost": ("war", "regular and nation not in neutral_nations", "regular"),
    "5.1 early victory": ("victory", "industry(active) >= 17", "industry(active) >= 16"),
}


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("attrition_of_souls")


@pytest.mark.parametrize("seed", range(6))
def test_games_in_which_russia_may_surrender(game: Game, seed: int) -> None:
    play_in_lockstep(game, seed, keep_russia=False)


@pytest.mark.parametrize("seed", range(6))
def test_games_in_which_russia_stays_in_the_war(game: Game, seed: int) -> None:
    play_in_lockstep(game, 100 + seed, keep_russia=True)


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=[pytest.mark.long] * (at > 0)) for at, rule in enumerate(WRONG_RULES)]
)
def test_a_wrong_rule_is_noticed(rule: str, tmp_path: Path) -> None:
    """Otherwise the agreement above would mean little."""
    chapter, right, wrong = WRONG_RULES[rule]
    copy = tmp_path / "attrition_of_souls"
    shutil.copytree(FOLDER, copy)
    file = copy / "chapters" / f"{chapter}.rules.md"
    text = file.read_text(encoding="utf-8")
    assert right in text, "the chapter was reworded: adapt this test"
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    changed = rulescript.load(copy, cache=False)
    with pytest.raises(Disagreement):
        for seed in range(40):
            follow(changed, record(seed, keep_russia=seed % 2 == 1))


def test_the_yardstick_is_left_as_it_was() -> None:
    """A recorder exchanges functions of a module that other tests use too."""
    before = dict(vars(hw))
    record(1)
    assert dict(vars(hw)) == before
