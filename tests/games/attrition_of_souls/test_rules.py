"""Conformance by rule: what the base game forbids or forces is pinned by an example of its own.

The examples stand with the game (games/attrition_of_souls/examples) and are what a reader should look at;
here it is only checked that they hold and that none is missing. A rule is pinned when an example names it: in
its heading, behind a line, or as what refuses something.
"""

from __future__ import annotations

from functools import cache

import pytest

import rulescript
from rulescript import nodes as n
from tests.games.claims import all_hold, some_hold
from tests.games.sources import Shown, index, plans, source
from tests.inside import inside

GAME = "attrition_of_souls"

# Rules of the base game that are no constraints by name, but forbid or force something all the same.
FORBIDDING = [
    "4.1.2-a", "4.2-a", "4.3-a", "4.3-c", "4.3-e", "4.3-k", "4.4-a", "4.6.2-a", "4.7.2-a", "4.8.1", "4.8.2-a",
    "4.8.2-e", "4.8.2-f", "4.8.3-a", "4.8.4-a", "4.8.4-c", "4.8.4-e", "4.9-a", "4.9-b", "4.9-c", "4.9-e",
    "4.10.1-a", "4.10.1-b", "4.10.1.1-a", "4.11.1", "5.1", "5.2", "6.2",
]  # fmt: skip
# Requirements whose refusal is told by the requirement in front of them.
NOT_TOLD_APART = {
    "4.4-c": "the set of nations a railway line serves is counted first (§4.4-b); the line is behind it",
}


@cache
def shown() -> Shown:
    """By the examples of the base game."""
    return Shown([plan for found, plan in plans(GAME) if not found.options])


def test_some_examples_hold() -> None:
    some_hold(GAME)


@pytest.mark.long
def test_all_examples_hold() -> None:
    all_hold(GAME, 200)


def test_every_example_is_about_a_rule_of_the_rulebook() -> None:
    assert {rule for plan in shown().plans for rule in plan.cites} <= set(index(GAME))
    assert [plan.title for plan in shown().plans if not plan.cites] == []


def test_every_rule_is_pinned_by_an_example() -> None:
    base = {"2", "3", "4", "5", "6"}
    constraints = {
        row.ident for row in index(GAME).values() if row.sort == "constraint" and row.ident.partition(".")[0] in base
    }
    assert len(constraints) > 20
    assert sorted((constraints | set(FORBIDDING)) - shown().rules) == []


def test_every_requirement_refuses_something_in_an_example() -> None:
    """A `require` that no example runs into could be dropped unnoticed."""
    missing = []
    for piece in source(GAME).text.pieces:
        if isinstance(piece.declaration, n.OptionDecl | n.WithDecl):
            continue
        around = getattr(piece.declaration, "cites", ())
        for clause in inside(piece.declaration, n.Require):
            for rule in clause.cites or (around if isinstance(piece.declaration, n.Restrict) else ()):
                is_reading = index(GAME)[rule].sort == "reading"
                if rule not in shown().refused_by and rule not in NOT_TOLD_APART and not is_reading:
                    missing.append(f"§{rule}: {clause.span.text}")
    assert missing == []


def test_a_refusal_says_why_and_cites() -> None:
    """What a player reads is made of the same requirements."""
    position = rulescript.load(GAME).start(seed=3)
    while position.decision is not None and position.decision.name != "mobilize":
        position.choose(0)
    refusal = position.why_not("mobilize German infantry in Vienna")
    assert "4.5-b" in refusal.cites
    assert "its own entry region" in refusal.text
