"""Fog of war, variable entry, mulligans, trenches, the Ruhr and the historical set-up: alone and together.

What each of them does is said by examples beside the rules (games/attrition_of_souls/examples). Here it is
checked that no rule of these sections was forgotten, that every one of them is put to the test by an example,
and that random games with them end and keep every invariant.
"""

from __future__ import annotations

from random import Random

import pytest

import rulescript
from rulescript.claims import GameSource, parse_example
from rulescript.claims import steps as s
from rulescript.diagnostics import Reporter
from rulescript.testing.checks import Invariants, Pieces
from rulescript.testing.run import Run
from rulescript.testing.walk import random_walker
from tests.inside import inside

SOURCE = GameSource.load("attrition_of_souls")
RULES = SOURCE.game().rules
OPTIONS = ["fog_of_war", "variable_entry", "mulligans", "trenches", "ruhr"]

SECTIONS = {"12", "13", "16", "17", "19", "20"}
# Interactions and readings that concern these sections.
OTHERS = {
    *(f"X-{n}" for n in (1, 2, 3, 4, 5, 8, 9, 10, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 37)),
    *(f"Amb-{n}" for n in (12, 14, 15, 24, 38)),
}
# Advice.
NOTES = {"19.n"}
# What no example can say.
TESTED_ELSEWHERE = {"12.2": "who sees the reserves: test_fog_of_war.py"}
WANTED = sorted(
    {
        ident
        for ident, rule in RULES.items()
        if ident.partition(".")[0] in SECTIONS and ident not in NOTES
        if not any(other.startswith((f"{ident}.", f"{ident}-")) for other in RULES)
    }
    | OTHERS
)

PLANS = [parse_example(found.example, Reporter(), found.cites) for found in SOURCE.found()]
PINNED = {rule for plan in PLANS for each in inside(plan, s.Try) for rule in each.by} | {
    rule for plan in PLANS for cites in [plan.cites, *(c.cites for c in inside(plan, s.Claim))] for rule in cites
}


def _written() -> set[str]:
    """The rules that the rules themselves (not only examples) cite."""
    from rulescript import nodes as n

    out: set[str] = set()
    for piece in SOURCE.text.pieces:
        if isinstance(piece.declaration, n.Example | n.Rulebook):
            continue
        out.update(piece.cites)
        stack: list[object] = [piece.declaration]
        while stack:
            here = stack.pop()
            if isinstance(here, tuple | list):
                stack += here
            elif hasattr(here, "__attrs_attrs__"):
                for field in here.__attrs_attrs__:
                    value = getattr(here, field.name)
                    if field.name.endswith("cites"):
                        out.update(value)
                    elif field.name != "span":
                        stack.append(value)
    return out


WRITTEN = _written()


@pytest.mark.parametrize("rule", WANTED)
def test_a_rule_is_written_and_put_to_the_test(rule: str) -> None:
    assert rule in WRITTEN, f"no rule cites §{rule} ({RULES[rule].title})"
    assert rule in PINNED or rule in TESTED_ELSEWHERE, f"no example is about §{rule} ({RULES[rule].title})"


@pytest.mark.parametrize("scenario", ["", "historical_1914"])
@pytest.mark.parametrize("options", [*([name] for name in OPTIONS), OPTIONS], ids="+".join)
def test_random_games_keep_every_invariant(options: list[str], scenario: str) -> None:
    game = rulescript.load("attrition_of_souls", options=options, scenario=scenario)
    for seed in range(2):
        run = Run(game, seed, None, random_walker(Random(seed)), (Invariants, Pieces)).go()
        assert run.position.is_over


@pytest.mark.parametrize("scenario", ["", "historical_1914"])
def test_all_optional_rules_go_together(scenario: str) -> None:
    """§7.0: any mix of optional rules may be played."""
    every = list(SOURCE.game().options)
    game = rulescript.load("attrition_of_souls", options=every, scenario=scenario)
    run = Run(game, 1, None, random_walker(Random(1)), (Invariants, Pieces)).go()
    assert run.position.is_over
