"""Conditions and numbers in the middle of a sentence read as a sentence does, also behind "until" and with "you"."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.cli.main import main

GAME = """\
rulescript 1
game "Clauses"
kind Side
    state ally: maybe Side
    state morale: -2..6
    holds hand: Card, visible to it, count to others
things
    Side North
    Side South
players Side
kind Area: pace: int = 2
    state pulled: int
map Land
    link road
    Area Mill
    Area Ford
    road Mill - Ford
kind Card
    home box
holds box: Card, hidden to others
things
    Card Raid  3
state active: Side
route far(a: Area) from a by road, at most a.pace steps
    enter b
        require b.pulled < 3
sequence
    draw 1 from box to South.hand
    repeat until active.morale == 3 or none active.hand
        choose offer: p in Side "Offer an alliance to {p}"
            require p != active
            require some x in far(Mill): x.pulled == 0
            choose by p accept "Accept"
                p.ally = active
            or refuse "Refuse"
                tell "{p} refuses {active}."
                p.ally = nothing
        or stop "Enough"
    end game
"""


def test_the_printed_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    assert main(["docs", str(tmp_path), "--format", "markdown", "-o", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((tmp_path / "out").glob("rules*.md")))
    for said in (
        "Morale: a number from -2 to 6, changes in play",
        "An area may be entered only if:",
        "at most as many steps as the area's pace",
        "From now on you have no ally.",
        "“the side refuses the active side.”",
        "Repeat until either the active side's morale is 3 or ",
    ):
        assert said in text, said


def test_a_draw_from_where_nobody_may_look_is_told_without_the_place(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    pos = rulescript.load(tmp_path).start(1)
    told = pos.view("South").journal.story()
    assert "Raid drawn." in str(told) and "drawn from" not in str(told)
