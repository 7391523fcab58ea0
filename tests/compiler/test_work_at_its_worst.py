"""The search form counts lists of options at their worst. What it takes for too much is done again in the plain form,
which counts what is done: so no form stops where another goes on."""

from __future__ import annotations

import pytest

from rulescript import Game
from rulescript.diagnostics import Reporter
from rulescript.errors import StepLimit
from rulescript.loader import load_single
from rulescript.machine import effort
from rulescript.pipeline import compile_text
from rulescript.runtime import forms
from tests.fuzz.large import HEAD, SEQUENCE

# Many lists that could be long, and are empty: nobody is asked.
TOWNS = "\nthings\n" + "".join(f"    Town Place_{number}\n" for number in range(70))
PASSED_OVER = """
state open: set of Town

phase work
    repeat 20 times
        choose go: a in Town & open, b in Town & open "Go {a} {b}"
            require sum(t.worth for t in Town if t != a) > b.worth
            score += 1
    score += 1
"""
COUNTED = """
state open: set of Town

phase work
    open = set(t for t in Town)
    repeat 30 times
        choose go: a in Town "Go {a}"
            for t in open
                for u in open
                    score += 1
            score = 0
"""
ENDLESS = """
phase work
    repeat while score >= 0
        score += 1
"""


def compiled(rules: str) -> Game:
    reporter = Reporter()
    return compile_text(load_single(f"{HEAD}{TOWNS}{rules}{SEQUENCE}", "work.rules", reporter), (), "", reporter)


def test_what_could_be_done_is_no_reason_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(PASSED_OVER)
    plain, played = game.start(1).choose(0), game.playouts(3, seed=1)
    game.prepare()
    again = []

    def stopped(noted: int) -> None:
        again.append(noted)
        raise StepLimit("what could be done is too much")

    # `w` counts in the search form alone, and there is always some.
    monkeypatch.setattr(forms, "WORK_LIMIT", 0)
    monkeypatch.setattr(forms, "look_at_work", stopped)
    assert game.start(1).choose(0).to_json() == plain.to_json()
    assert len(again) == 1
    assert game.playouts(3, seed=1) == played
    assert len(again) == 2  # when one game is too much, those around it are played again with it


def test_what_never_ends_is_stopped_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "WORK_LIMIT", 500_000)  # soon
    monkeypatch.setattr(forms, "WORK_LIMIT", 500_000)
    game = compiled(ENDLESS).prepare()
    position = game.start(1)
    before = position.to_json()
    with pytest.raises(StepLimit):
        position.choose(0)
    assert position.to_json() == before
    with pytest.raises(StepLimit):
        game.playouts(1)


def test_work_of_many_decisions_is_not_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A playout counts on from one decision to the next, and knows when another has begun."""
    game = compiled(COUNTED)
    position = game.start(1)
    done = []
    while position.decision is not None:
        position.choose(0)
        done.append(effort.WORK.done)
    most = max(done)
    assert sum(done) > 20 * most > 20 * 4_000
    game.prepare()
    monkeypatch.setattr(effort, "WORK_LIMIT", 2 * most)
    (played,) = game.playouts(1, seed=1)
    assert (played.over, played.decisions) == (True, len(done))
