"""Fog of war, variable entry, mulligans, trenches, the Ruhr and the historical set-up: alone and together.

What each of them does is said by examples beside the rules (games/attrition_of_souls/examples). Here it is
checked that no rule of these sections was forgotten, that every one of them is put to the test by an example,
and that random games with them end and keep every invariant.
"""

from __future__ import annotations

from random import Random

import pytest

import rulescript
from rulescript.testing.checks import Invariants, Pieces
from rulescript.testing.coverage import written_in
from rulescript.testing.run import Run
from rulescript.testing.walk import random_walker
from tests.games.sources import Shown, index, plans, source

GAME = "attrition_of_souls"
OPTIONS = ["fog_of_war", "variable_entry", "mulligans", "trenches", "ruhr"]

SECTIONS = {"12", "13", "16", "17", "19", "20"}
# Interactions and readings that concern these sections.
OTHERS = {
    *(f"X-{n}" for n in (1, 2, 3, 4, 5, 8, 9, 10, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 37)),
    *(f"Amb-{n}" for n in (12, 14, 15, 24, 38)),
}
# Advice.
NOTES = {"19.n"}
# What no rule cites because it follows from others, and what no example can say.
FOLLOWS = {"X-29": "from §17.3-a; an invariant says so"}
TESTED_ELSEWHERE = {"12.2": "who sees the reserves: test_fog_of_war.py"}


def wanted() -> set[str]:
    rules = index(GAME)
    return OTHERS | {
        ident
        for ident in rules
        if ident.partition(".")[0] in SECTIONS and ident not in NOTES
        if not any(other.startswith((f"{ident}.", f"{ident}-")) for other in rules)
    }


def test_every_rule_is_written_and_put_to_the_test() -> None:
    written = written_in(source(GAME).text)
    shown = Shown([plan for _, plan in plans(GAME)])
    assert len(wanted()) > 40
    assert sorted(wanted() - written.rules - written.components) == sorted(FOLLOWS)
    assert sorted(wanted() - shown.rules - set(TESTED_ELSEWHERE)) == []


@pytest.mark.parametrize("scenario", ["", pytest.param("historical_1914", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "options", [*(pytest.param([name], marks=pytest.mark.long) for name in OPTIONS), OPTIONS], ids="+".join
)
def test_random_games_keep_every_invariant(options: list[str], scenario: str) -> None:
    game = rulescript.load(GAME, options=options, scenario=scenario)
    for seed in range(2):
        run = Run(game, seed, None, random_walker(Random(seed)), (Invariants, Pieces)).go()
        assert run.position.is_over


@pytest.mark.parametrize("scenario", [pytest.param("", marks=pytest.mark.long), "historical_1914"])
def test_all_optional_rules_go_together(scenario: str) -> None:
    """§7.0: any mix of optional rules may be played."""
    every = list(rulescript.load(GAME).options)
    game = rulescript.load(GAME, options=every, scenario=scenario)
    run = Run(game, 1, None, random_walker(Random(1)), (Invariants, Pieces)).go()
    assert run.position.is_over
