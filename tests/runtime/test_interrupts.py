"""Ctrl-C at any moment: a position is as it was before a choice, or as it is after it, and its save says the same."""

from __future__ import annotations

import gc
import signal
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType

import pytest

import rulescript
from rulescript import Position

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers"),
    # A generator that is left behind is closed by Python, which swallows an interruption there.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def _no_garbage_is_looked_for() -> Iterator[None]:
    """An interruption of what others have hung on Python's search for garbage (hypothesis measures it) is swallowed and
    warned of, and says nothing about a position."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
        while time.process_time() < ends and hits < 60:
            if position.decision is None:
                position = game.start(rng.randrange(1000), chance=chance)
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
        if position.decision is not None:
            position.choose(0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def answered_until(position: Position, answer: Callable[[Position], object], call: int) -> bool:
    """Answer, interrupted at the call with this number: Python looks for signals where something is called or has come
    back. Whether there was such a call."""
    seen = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal seen
        if frame.f_code is not answered_until.__code__ and event in ("call", "c_return"):
            seen += 1
            if seen == call:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        answer(position)
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return seen >= call


ANSWERS: list[Callable[[Position], object]] = [
    lambda position: position.choose(0),
    lambda position: position.choose(position.decision.options[-1].text),
    lambda position: position.undo(),
]


@pytest.mark.parametrize("chance", [None, "explicit"])
@pytest.mark.parametrize("answer", ANSWERS, ids=["number", "words", "undo"])
def test_interrupted_at_each_call_of_an_answer(answer: Callable[[Position], object], chance: str | None) -> None:
    game = rulescript.load("attrition_of_souls")
    rng = Random(2)
    begun = game.start(3, chance=chance)
    while begun.steps < 6:
        begun.choose(rng.randrange(len(begun.decision.options)))
    done = begun.clone()
    answer(done)
    allowed = {begun.to_json(), done.to_json()}
    call = 1
    while answered_until(position := begun.clone(), answer, call):
        assert position.to_json() in allowed
        again = game.from_json(position.to_json())
        assert again.to_json() == position.to_json() and again.decision.options
        call += max(1, call // 40)  # each of the first, then fewer and fewer
    assert call > 5 and position.to_json() == done.to_json()
