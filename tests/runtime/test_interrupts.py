"""Ctrl-C at any moment: a position is as it was before a choice, or as it is after it, and its save says the same."""

from __future__ import annotations

import signal
import time
from random import Random
from types import FrameType

import pytest

import rulescript

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")


def ring(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("chance", [None, "explicit", "secure"])
def test_an_interrupted_choice_has_happened_or_not(chance: str | None) -> None:
    game = rulescript.load("attrition_of_souls")
    position = game.start(3, chance=chance)
    rng = Random(5)
    before = signal.signal(signal.SIGALRM, ring)
    hits = 0
    ends = time.process_time() + 1.5
    try:
        while time.process_time() < ends and hits < 60 and position.decision is not None:
            old, steps = position.to_json(), position.steps
            expected = position.clone()
            pick = rng.randrange(len(expected.decision.options))
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 8e-4))
                position.choose(pick)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                hits += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if chance != "secure":
                expected.choose(pick)
                assert position.to_json() in (old, expected.to_json())
            elif position.steps == steps:
                assert position.to_json() == old
        assert hits > 5
        assert game.from_json(position.to_json()).to_json() == position.to_json()
        position.choose(0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
