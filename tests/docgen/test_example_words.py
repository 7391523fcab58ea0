"""Examples are told as one player would tell another, and not in the words of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.example_words import pretty
from rulescript.docgen.plays import Example, Playing
from rulescript.docgen.subject import Subject

GAME = """rulescript 1
game "Fords", version "1"
kind Side: adjective: text, also: list of text = []
    state vp: int
    holds reserves: Unit
    holds destroyed: Unit
reword Side.vp(s) as "the tally of {s}"
reword Town.seen_by(t) as "the sides that have seen {t}"
things
    Side Northern_Powers  "Northern Powers" adjective "Northern", also ["NP"]
    Side South  adjective "Southern"
players Side
kind Town: old: bool = no
    holds units: Unit
    state held: bool = no
    state seen_by: set of Side
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.reserves
counts Unit
    |                 | foot | horse |
    | Northern_Powers |    4 |     1 |
    | South           |    4 |     1 |
map Country
    link road
    Town Mill
    Town Ford
    road Mill - Ford
state active: Side
state bridge_is_down: bool = no
state ford_is_open: bool = no
state gate_shut: bool = no
reword gate_shut as "the gate is shut"
phase movement "Moving about"
    choose march: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active
        require t in u.place.road
        move u to t
        active.vp += 1
    or pass "Done"
sequence
    for active in Side
        movement
    end game, draw
example "On the road"
    given empty, active NP, ford_is_open yes, not gate_shut, at movement
        Mill: 2 Northern foot
        Ford: 1 Southern foot, not held
        South: vp 3
        NP.reserves: exactly 1 Northern foot
        bridge_is_down = yes
        Ford.held = no
        NP.vp = 2
        Mill.seen_by = {NP, South}
    play
        NP: march Northern foot to Ford
    expect
        Mill has exactly 1 Northern foot
        NP.reserves has exactly 1 Northern foot
        NP.destroyed is empty
        Ford is not empty
        asks South march
    case "nobody": but Mill: empty
        legal u count 0
"""


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    path = tmp_path_factory.mktemp("fords") / "fords.rules"
    path.write_text(GAME, encoding="utf-8")
    return Playing(Subject.of(rulescript.load(path)), []).finish()[0]


def said(example: Example, case: int = 0) -> list[str]:
    telling = example.tellings[case]
    return [word.text for passage in telling.passages for word in passage.words]


def test_what_is_given_begins_with_where_and_goes_on_with_what(example: Example) -> None:
    assert [(word.form, word.text) for word in example.tellings[0].given] == [
        (
            "given",
            "An empty board, Northern Powers to act, ford is open, the gate is not shut, "
            "at the start of “Moving about”",
        ),
        ("given", "Mill: 2 Northern foot"),
        ("given", "Ford: 1 Southern foot, not held"),
        ("given", "The tally of South: 3"),
        ("given", "Northern Powers' reserves: exactly 1 Northern foot"),
        ("given", "Bridge is down"),
        ("given", "Ford is not held"),
        ("given", "The tally of the Northern Powers: 2"),
        ("given", "The sides that have seen Mill: the Northern Powers and South"),
    ]


def test_letters_that_are_no_word_are_capitals_in_what_has_changed(example: Example) -> None:
    assert ("Northern Powers: VP", "2", "3") in example.tellings[0].changed


def test_a_case_says_what_is_otherwise(example: Example) -> None:
    case = example.tellings[1]
    assert [word.text for word in case.given if word.form == "but"] == ["Mill: empty"]
    assert [word for word in case.given if word.form == "given"] == example.tellings[0].given


def test_what_must_be_so_is_a_sentence(example: Example) -> None:
    assert example.ok, [telling.why for telling in example.tellings]
    assert said(example)[1:] == [
        "Mill has exactly 1 Northern foot.",
        "The reserves of the Northern Powers: exactly 1 Northern foot.",
        "The destroyed units of the Northern Powers: nothing.",
        "Ford is not empty.",
        "Next to decide: South, march.",
    ]
    assert said(example, 1) == ["Possible units: 0."]


def test_who_plays_is_called_by_name(example: Example) -> None:
    assert example.tellings[0].passages[0].words[0].player == "Northern Powers"


def test_the_set_up_says_who_decides_first(tmp_path: Path) -> None:
    rules = GAME.partition("example ")[0].replace("sequence\n", "sequence\n    place 1 Northern foot in Mill\n")
    (tmp_path / "fords.rules").write_text(rules, encoding="utf-8")
    build_site(rulescript.load(tmp_path / "fords.rules"), tmp_path / "out", games=1)
    page = (tmp_path / "out" / "setup.html").read_text(encoding="utf-8")
    assert "The Northern Powers decide first: march (Moving about)." in page


def test_a_word_that_is_written_twice_is_read_once() -> None:
    assert pretty("2 heavy_artillery artillery in Mill") == "2 heavy artillery in Mill"
    assert pretty("see the_Ford") == "see the Ford"
