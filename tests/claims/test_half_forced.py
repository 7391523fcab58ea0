"""Several are to be picked, and the first of them leaves no choice: a line may still name them all."""

from __future__ import annotations

from pathlib import Path

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Half forced", version "1"
kind Side: adjective: text
    holds box: Unit
    holds lost: Unit
things
    Side North  adjective "Northern"
    Side South  adjective "Southern"
players Side
values Arm: foot, guns
pieces Unit: side: Side, arm: Arm
    home side.box
counts Unit
    |       | foot | guns |
    | North |    3 |    1 |
    | South |    3 |    1 |
state active: Side
procedure lose
    choose go "Go"
    or wait "Wait"
    choose lose: 2 from active.box as gone
        move gone to active.lost
sequence
    for active in Side
        lose
    end game, draw
"""
LINES = """\
example "All of them in a block of their own"
    given empty, active North, run lose
        North.box: exactly 2 Northern foot, 1 Northern guns
    play
        North: go
    expect
        asks North lose
        try lose 2 Northern foot -> allowed
        try lose 1 Northern foot, 1 Northern guns -> allowed
        try lose 2 Northern guns -> refused
    play
        North: lose 1 Northern foot, 1 Northern guns
    expect
        North.lost has exactly 1 Northern foot, 1 Northern guns

example "The one that was left to choose"
    given empty, active North, run lose
        North.box: exactly 2 Northern foot, 1 Northern guns
    play
        North: go
        North: lose Northern guns
    expect
        North.lost has exactly 1 Northern foot, 1 Northern guns

example "No choice at all"
    given empty, active North, run lose
        North.box: exactly 1 Northern foot, 1 Northern guns
    play
        North: go
    expect
        asks nobody
        North.lost has exactly 1 Northern foot, 1 Northern guns
"""


def test_a_line_may_name_what_was_forced_and_what_was_not(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME + LINES, encoding="utf-8")
    results = list(run_examples(GameSource.load(tmp_path)))
    assert len(results) == 3
    assert [(r.title, [d.message for d in r.failures]) for r in results if not r.ok] == []


LOSSES = """\
rulescript 1
game "Losses", version "1"
kind Side
    holds box: Unit
    holds lost: Unit
things
    Side North
players Side
pieces Unit: side: Side
    home side.box
    text "foot"
things
    Unit Foot  North, 4
state active: Side
procedure lose
    choose go "Go"
    or wait "Wait"
    repeat 2 times
        choose lose: u in active.box "Lose {u}"
            move u to active.lost
    choose keep: u in active.box "Keep {u}"
        move u to active.lost
    or let_go "Let them go"
sequence
    for active in Side
        lose
    end game, draw

"""


def test_like_lines_for_forced_choices_in_a_row_are_taken_in_turn(tmp_path: Path) -> None:
    """All that is lost is alike: neither loss is a choice, and each may have its line, or one of them."""
    many = "North: lose foot"
    for lines in ([], [many], [many, many]):
        for last, lost in (("North: keep foot", 3), ("North: let them go", 2)):
            play = "".join(f"        {line}\n" for line in ["North: go", *lines, last])
            text = (
                'example "x"\n    given empty, active North, run lose\n    play\n'
                f"{play}    expect\n        North.lost has {lost} foot\n"
            )
            (tmp_path / "game.rules").write_text(LOSSES + text, encoding="utf-8")
            (result,) = run_examples(GameSource.load(tmp_path))
            assert result.ok, (lines, last, [d.message for d in result.failures])
