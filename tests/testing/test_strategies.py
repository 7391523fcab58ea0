"""Hypothesis strategies for games: what they give, and that they shrink."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import rulescript
from rulescript.testing import options, plays, positions
from rulescript.testing.walk import FLAGGED_WEIGHT, Walker, follow, random_walker

RIVALS = rulescript.load(Path(__file__).parent / "games" / "rivals.rules", cache=False)


@given(plays(RIVALS))
def test_a_play_can_be_played_again(found: tuple[Any, rulescript.Position]) -> None:
    play, position = found
    assert play.over
    again = RIVALS.start(play.seed, players=play.players)
    for key, mark in zip(play.keys, play.hashes, strict=False):
        assert again.state_hash() == mark
        again.choose(key)
    assert again.state_hash() == position.state_hash() == play.hashes[-1]


@given(st.data())
def test_positions_have_options_that_can_be_chosen(data: st.DataObject) -> None:
    position = data.draw(positions(RIVALS, max_steps=12))
    assert position.steps <= 12
    if position.decision is not None:
        before = position.steps
        position.choose(data.draw(options(position)))
        assert position.steps == before + 1
    else:
        with pytest.raises(rulescript.RulescriptError):
            options(position)


def test_a_failing_play_shrinks_to_few_choices() -> None:
    position = find(
        positions(RIVALS, max_steps=30),
        lambda p: p.steps >= 3,
        settings=settings(max_examples=200, database=None, suppress_health_check=list(HealthCheck), deadline=None),
    )
    assert position.steps == 3


def test_a_follower_leaves_out_what_cannot_be_taken() -> None:
    position = RIVALS.start(1)
    decision: Any = position.decision
    key = decision.options[-1].key
    follower = follow(["no such key", key, "neither"])
    assert follower.pick(position, decision) == len(decision) - 1
    assert follower.pick(position, decision) is None


class _Asked:
    """A decision made up for a walker."""

    block, name, procedure = 7, "act", "turn"

    def __init__(self, *options: tuple[str, bool]) -> None:
        from rulescript.runtime.position import Option

        self.options = [
            Option.told(f"{label} x={i}", i, label, flag, "", {}) for i, (label, flag) in enumerate(options)
        ]

    def __len__(self) -> int:
        return len(self.options)


@pytest.mark.parametrize(
    ("weights", "share"),
    [
        ({}, FLAGGED_WEIGHT / (1 + FLAGGED_WEIGHT)),
        ({"aside": 1}, 0.5),
        ({"act.aside": 3}, 0.75),
        ({"go": 0}, 1.0),
    ],
)
def test_flagged_options_are_rare_unless_a_weight_says_otherwise(weights: dict[str, float], share: float) -> None:
    asked: Any = _Asked(("go", False), ("aside", True))

    ways = [SimpleNamespace(label="go", is_flagged=False), SimpleNamespace(label="aside", is_flagged=True)]
    data = SimpleNamespace(decisions={7: SimpleNamespace(alts=ways)})
    position: Any = SimpleNamespace(game=SimpleNamespace(data=data))

    walker: Walker = random_walker(Random(1), weights)
    picked = [walker.pick(position, asked) for _ in range(2000)]
    assert abs(sum(1 for p in picked if p == 1) / 2000 - share) < 0.05
