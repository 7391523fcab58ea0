"""`all` at the end of a choice: requirements that several of its ways share."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.runtime.position import Position
from tests.compiler.in_step import forms_of, play_in_step, source_of

GAME = """
rulescript 1
game "Shared"
values Side: North, South
players Side
state active: Side
rulebook "Shared"
    1    section     "Play"
    2.1  constraint  "Your own"
    2.2  constraint  "Once"
    3    exception   "Ada rests twice"
kind Leader: side: Side
    state used: bool, lasts turns
    home camp
holds camp: Leader
kind Town
    holds leaders: Leader
things
    Leader Ada    North
    Leader Bob    North
    Leader Cleo   South
map Valley  §1
    link road
    Town Mill
    Town Ford
    road Mill - Ford
phase turns "Turns"  §1
    repeat
        choose walk: l in Town.leaders, t in l.place.road "{l} goes to {t}"
            l.used = yes
            move l to t
        or choose rest: l in Town.leaders "{l} rests"
            l.used = yes
        or choose count_all: t in Town "Count in {t}"
            require some t.leaders[used]
            stop
        or stop "Enough"
        all of walk, rest
            require l.side == active "your own"  §2.1
        all of walk, rest  §2.2
            require not l.used "once"

exception to turns.rest "once" when l == Ada  §3
reword turns §2.1 as "{l} is yours" not "{l} belongs to the other side"

phase setup  §1
    move Ada to Mill
    move Bob to Mill
    move Cleo to Ford
sequence  §1
    setup
    for active in Side
        turns
    end game

example "Whose they are"
    given setup, at turns
    try walk Cleo to Mill -> refused by §2.1
    try rest Cleo -> refused by §2.1
    try rest Cleo -> refused because "your own"
    legal l for walk exactly {Ada, Bob}
    play
        North: Ada goes to Ford
        North: rest Ada
        North: Bob rests
    try rest Bob -> refused by §2.2
    legal l for rest exactly {Ada}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shared") / "shared.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture
def position(path: Path) -> Position:
    return rulescript.load(path).start(seed=1)


def test_the_example_holds(path: Path) -> None:
    results = list(run_examples(GameSource.load(path)))
    assert [str(r) for r in results if not r.ok] == []


def test_a_refusal_tells_it_in_its_own_words(position: Position) -> None:
    for line in ("walk Cleo to Mill", "rest Cleo"):
        told = str(position.why_not(line))
        assert told.count("Cleo belongs to the other side") == 1 and "§2.1" in told


def test_ways_that_are_not_meant_do_not_have_it(position: Position) -> None:
    position.choose("Ada rests")
    assert "count_all t=Mill" in [o.key for o in position.decision.options]


def test_the_reference_tells_it_once(path: Path, tmp_path: Path) -> None:
    from rulescript.cli.main import main

    assert main(["docs", str(path), "--format", "markdown", "--output", str(tmp_path / "book")]) == 0
    page = (tmp_path / "book" / "rules-shared.md").read_text(encoding="utf-8")
    told = page.split("<details>")[0]
    assert told.count("The leader is yours.") == 1
    assert "For “walk” and “rest”, only if:" in told


def test_all_forms_play_alike(path: Path) -> None:
    assert sum(play_in_step(forms_of(source_of(path)), seed) for seed in range(3)) > 5
