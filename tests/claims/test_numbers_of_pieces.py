"""`foot (steps 2)`: a line may say the number that a piece has, also of one that is refused."""

from __future__ import annotations

from pathlib import Path

import rulescript
from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import render_report

GAME = """\
rulescript 1
game "Tired"
rulebook "Tired"
    1  constraint  "Who is tired stays"
    2  constraint  "By road"
kind Side
    holds camp: Unit
things
    Side North
    Side South
players Side
kind Town
    holds units: Unit
map Land
    link road
    Town Mill
    Town Ford
    Town Weir
    road Mill - Ford - Weir
pieces Unit: side: Side
    state fatigue: 0..3
    state steps: 0..4
    state masked: bool
    hidden when masked, known to side, showing "{side} unit"
    home side.camp
things
    Unit Foot   North, 4
    Unit Lancer  South, 2
state active: Side

sequence
    place 1 Foot in Mill
    place 2 Lancer in Weir
    for u in Weir.units
        u.masked = yes
        u.steps = 2
    marching
    end game, draw

phase marching "Marching"  §2
    repeat
        choose march: u in Town.units, t in Town "March {u} to {t}"
            require u.side == active "your own"
            require u.fatigue < 3 "tired"   §1
            require t in u.place.road "by road"  §2
            move u to t
            u.fatigue += 1
        or stop "Enough"

example "The number says which is meant"  §1
    given empty, active North, at marching
        Mill: 1 Foot (steps 3, fatigue 3), 1 Foot (steps 2)
    try march Foot (fatigue 3) to Ford -> refused by §1
    try march Foot with fatigue 3 in Mill to Ford -> refused by §1
    try march Foot (steps 3, fatigue 3) from Mill to Weir -> refused by §1, §2
    try march Foot (steps 2) to Ford -> allowed
    try march Foot (steps 2) to Weir -> refused by §2
    try march Foot (fatigue 1) to Ford -> refused
    legal t for u = Foot (steps 2) exactly {Ford}
    legal t for u = Foot (fatigue 3) exactly none
"""


def test_a_refused_piece_may_be_called_by_its_numbers(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    (result,) = run_examples(GameSource.load(tmp_path))
    assert result.ok, render_report(result.failures)


def test_the_refusal_says_which_piece_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    pos = rulescript.load(tmp_path).start(1)
    assert "Foot (fatigue 2) in Mill" in str(pos.why_not("march Foot (fatigue 2) in Mill to Ford"))


def test_nobody_finds_out_so_what_lies_face_down(tmp_path: Path) -> None:
    """South's pieces lie face down: whichever number North asks for, the answer is the same."""
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    pos = rulescript.load(tmp_path).start(1)
    told = {
        str(pos.view("North").why_not(f"march Lancer (steps {n}) to Ford")).replace(f"steps {n}", "steps")
        for n in range(5)
    }
    assert len(told) == 1


def test_a_billion_numbers_are_not_written_out(tmp_path: Path) -> None:
    text = GAME.replace("state steps: 0..4", "state steps: 0..1000000000")
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    (result,) = run_examples(GameSource.load(tmp_path))
    assert result.ok, render_report(result.failures)
