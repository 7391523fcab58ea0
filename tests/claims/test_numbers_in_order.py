"""`turn a 4 into a 1`: of two numbers the first is meant first, and the words of the whole option are known."""

from __future__ import annotations

from pathlib import Path

from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import render_report

GAME = """\
rulescript 1
game "Dice"
rulebook "Dice"
    1  constraint  "What was rolled"
    2  constraint  "Another face"
kind Side
things
    Side North
players Side
state active: Side
state shown: list of int = [4, 1, 5]

sequence
    go
    end game, draw

phase go "Go"  §1
    may choose flip: d in 1..6, face in 1..6 "Turn a {d} into a {face}"
        require d in shown "was rolled"  §1
        require face != d "another"      §2
        shown -= d
        shown += face

example "First comes first"  §1
    given empty, at go
    play
        North: turn a 4 into a 1
    expect
        shown == [1, 5, 1]
    case "the other way round"
        play
            North: turn 1 to 4
        expect
            shown == [4, 5, 4]
    case "as an option would be read"
        try turn a 3 into a 1 -> refused by §1
        try turn a 4 into a 4 -> refused by §2
        try turn a 5 into a 1 -> allowed
"""


def test_numbers_in_the_order_of_the_line(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    results = list(run_examples(GameSource.load(tmp_path)))
    assert len(results) == 3
    assert all(r.ok for r in results), render_report(d for r in results for d in r.failures)
