"""A line means the same wherever it is read: lines for forced choices, parts of texts, names that share words."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import render_report
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.position import Position

GAME = """
rulescript 1
game "One reader", version "1"
kind Side: other: Side
    state points: int
    holds cards: Card
    holds pool: Man
things
    Side Red   other Blue
    Side Blue  other Red
players Side
kind Nation: side: Side, adjective: text
    holds camp: Man
things
    Nation Reds   Red, adjective "Red"
    Nation Blues  Blue, adjective "Blue"
kind Card: side: Side
    home side.cards
things
    Card R  Red
    Card B  Blue
kind Area
    holds armies: Army
    holds men: Man
map M
    link road
    Area Mill
    Area Ford    "Kingdom of Ford"
    Area Castle
    road Mill - Ford - Castle
values Arm: foot, horse
kind Army: nation: Nation
    home box
    holds men: Man
holds box: Army
things
    Army Red_1st  Reds
pieces Man: nation: Nation, arm: Arm
    home nation.camp
counts Man
    |       | foot | horse |
    | Reds  |    4 |     2 |
    | Blues |    4 |     2 |
state active: Side
phase play "Play"
    choose begin "Begin"
        active.points += 1
    or wait "Wait"
    choose go: c in active.cards "Go on with {c}"
        tell "on"
    choose by active.other answer: c in active.other.cards "Answer with {c}"
        require active.other.points > 0
        active.points += 1
    or stand "Stand"
    roll d6 as die
    active.points += die
phase more "More"
    may more "Another point in {Mill}"
        active.points += 1
phase riding "Riding"
    choose ride: b in Area.armies, p in b.men, t in Area "{p} leaves {b} for {t}"
        require t in b.place.road "in reach"
    or choose hold: t in Area "Hold {t}"
    or stop_here "Stay where you are"
sequence
    for active in Side
        play
        more
        riding
    end game
"""


SOURCE = GameSource(load_single(GAME, "reader.rules"))


def report_of(text: str) -> str:
    extra = load_single(text, "claims.rules").pieces
    results = list(run_examples(GameSource(SOURCE.base, extra), only_extra=True))
    assert results
    return "\n".join(render_report(r.failures) for r in results if not r.ok)


BEGIN = """
example "x"
    given empty, active Red, at play
    play
        Red: begin
    expect
        Red.points == 1
    play
{lines}
        dice 5
    expect
        Red.points == 6
"""


@pytest.mark.parametrize(
    "lines", [["Red: go on with R", "Blue: stand"], ["Red: go on with R"], ["Blue: stand"]], ids=" ".join
)
def test_lines_for_forced_choices_may_stand_in_the_next_block(lines: list[str]) -> None:
    assert report_of(BEGIN.format(lines="\n".join(f"        {line}" for line in lines))) == ""


def test_a_line_for_a_forced_choice_is_still_read() -> None:
    assert "error" in report_of(BEGIN.format(lines="        Red: go on with R\n        Blue: run"))


@pytest.mark.parametrize("words", ["another point", "point in Mill", "more", "another point in Mill", "point"])
def test_a_part_of_a_plain_text(words: str) -> None:
    text = f'\nexample "x"\n    given empty, active Red, at more\n    play\n        Red: {words}\n    expect\n'
    assert report_of(f"{text}        Red.points == 1\n") == ""


RIDING = """
example "x"
    given empty, active Red, at riding
        Mill: Red_1st
        Red_1st: 2 Reds foot, 1 Reds horse
"""


@pytest.mark.parametrize(
    "line",
    [
        "try ride Reds horse from Red_1st for Castle -> refused because \"in reach\"",
        "try Reds horse leaves Red_1st for Castle -> refused because \"in reach\"",
        "try ride Reds foot from Red_1st for Kingdom of Ford -> allowed",
        "try ride b=Red_1st then ride p=Red_1st.men:Reds_foot then Castle -> refused because \"in reach\"",
        "try ride b=Red_1st then ride p=Red_1st.men:Reds_foot then ride t=Ford -> allowed",
    ],
)  # fmt: skip
def test_a_nation_is_no_place(line: str) -> None:
    assert report_of(f"{RIDING}    {line}\n") == ""


def _riding() -> Position:
    position = compile_text(load_single(GAME, "reader.rules")).start(1)
    position.choose("begin")
    while position.decision is not None and position.decision.name != "ride":
        position.choose(position.decision.options[-1])
    return position


def test_one_way_is_never_taken_for_another() -> None:
    """The choice is called by its first way; a line that says so does not mean the second."""
    position = _riding()
    assert not position.why_not("ride Castle").allowed
    assert position.why_not("hold Castle").allowed and position.why_not("Castle").allowed
