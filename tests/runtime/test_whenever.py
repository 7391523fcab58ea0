"""`whenever` holds at once: also when a state is put back by itself, and inside what comes around a turn."""

from __future__ import annotations

import pytest

from rulescript.loader import load_single
from rulescript.pipeline import compile_text

HEAD = """\
rulescript 1
game "Watch"
kind Side
things
    Side North
players Side
kind Town
    state worn: bool, lasts season
things
    Town Mill
    Town Ford
values Season: spring, fall, winter
state season: Season
state fresh: bool = yes, lasts work
state seen: int
state rounds: int
"""

PHASE = """\
phase work
    fresh = no
    may rest "Rest"
        seen += 0
whenever fresh "Fresh again"
    seen += 1
sequence
    for season in Season
        work
    end game, draw "{seen}"
"""

PROCEDURE = PHASE.replace("phase work", "procedure work")
PURE = PROCEDURE.replace('    may rest "Rest"\n        seen += 0\n', "    seen += 0\n")

TURN = """\
phase work
    Mill.worn = yes
    fresh = no
whenever none Town[worn] "All is new"
    seen += 1
sequence
    for season in Season
        work
    end game, draw "{seen}"
"""

HOOK = """\
phase work
    fresh = no
after season
    rounds += 1
before season
    rounds += 10
whenever rounds == 10 or rounds == 21 or rounds == 33 "Now"
    seen += 1
sequence
    for season in Season
        work
    end game, draw "{seen}"
"""


def _seen(rules: str) -> str:
    position = compile_text(load_single(HEAD + rules, "watch.rules")).start(seed=1)
    while position.decision:
        position.choose(position.decision.options[0])
    assert position.outcome is not None
    return position.outcome.how


@pytest.mark.parametrize("rules", [PHASE, PROCEDURE, PURE])
def test_a_state_that_is_put_back_is_noticed(rules: str) -> None:
    assert _seen(rules) == "3"


def test_a_state_that_lasts_a_turn_is_noticed_when_each_turn_ends() -> None:
    """At the end of every season the mill is new again: twice before the next one, once after the last."""
    assert _seen(TURN) == "3"


def test_what_hooks_around_a_turn_write_is_noticed() -> None:
    """Ten before the first season, twenty-one before the second, thirty-three after the last."""
    assert _seen(HOOK) == "3"


def test_hooks_around_a_turn_run_where_nobody_is_asked_too() -> None:
    rules = HOOK.replace("phase work", "procedure work").replace("        work\n", "        fresh = no\n")
    assert _seen(rules) == "3"
