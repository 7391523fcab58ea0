"""The sequence of play as a player reads it: numbered as the rulebook is, without bookkeeping."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.docgen.sequence import Step, sequence_of
from rulescript.docgen.subject import Subject

GAME = """\
rulescript 1
game "Rounds"
values Turn: spring, summer, autumn
kind Side
things
    Side Red
    Side Blue
players Side
state turn: Turn
state first: Turn
state active: Side
state passes: int, lasts turn
state points: int
signal dawn as "the day begins"

rulebook "Rounds"
    4.1d rule "Marching"
    4.2A1 rule "Camping"
    9-b rule "At night"

phase march "March"  §4.1d
    points += if active == Red then 2 else 1
    if not (active == Red or points - (passes - 1 at least 0) > 3)
        passes += 1
phase camp "Camp"  §4.2A1
    points += 1
procedure night(limit: int)  §9-b
    if points > limit
        points = limit
when dawn
    points += 1
after active "Tired"
    points = 0

sequence
    for turn in Turn[it >= first]
        passes = 0
        active = Red
        signal dawn
        march
        active = Blue
        camp
        for active in Side
            march
    night(points + 1)
    end game, Red wins "Over"
"""


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    (tmp_path / "rounds.rules").write_text(GAME, encoding="utf-8")
    return Subject.of(rulescript.load(tmp_path / "rounds.rules"))


def told(steps: list[Step]) -> list[str]:
    out: list[str] = []
    for step in steps:
        out.append(f"{step.number} {step.title}".strip())
        out += told(step.steps)
    return out


def test_phases_have_the_numbers_of_their_sections_and_bookkeeping_is_no_step(subject: Subject) -> None:
    """No count set to nothing, no moment, nothing that a rule elsewhere adds to a round, no sum in brackets."""
    lines = told(sequence_of(subject.model, lambda text: text))
    assert lines[:-1] == [
        "For each turn, from the first turn on", "Now it is the turn of Red", "4.1 March", "Now it is the turn of Blue",
        "4.2A Camp", "For each side, first Red, then Blue", "4.1 March", "9 Night",
    ]  # fmt: skip


def test_a_sum_says_which_part_is_meant(subject: Subject) -> None:
    """What is added only sometimes comes last; a bound is with what it bounds."""
    from rulescript.docgen.outline import Outliner

    march = subject.model.procedures["march"]
    lines = [line.text for line in Outliner((), march.block).block(march.block)]
    assert lines[0] == "Add to the points: 2 if the active side is Red, otherwise 1."
    assert "minus (the passes minus 1, but at least 0)" in lines[1]
