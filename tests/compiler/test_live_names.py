"""What sets a name is left out only where nobody reads it, whatever the code around it looks like."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource
from rulescript.compiler.quick.live_names import LiveNames
from rulescript.compiler.quick.loops import as_values, draw_unseen, joined_options
from tests.compiler.in_step import forms_of, play_in_step

SETS = "x = 1"


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("x = 1\ny = x", True),
        ("x = 1\nx = 2\ny = x", False),
        ("x = 1\nreturn 3\ny = x", False),
        ("x = 1\nx += 1", True),
        ("x = 1\nif a:\n    x = 2\ny = x", True),
        ("x = 1\nif a:\n    x = 2\nelse:\n    x = 3\ny = x", False),
        ("x = 1\nif a:\n    x = 2\nelse:\n    return 4\ny = x", False),
        ("if a:\n    x = 1\ny = x", True),  # read after the block
        ("if a:\n    x = 1\n    return 2\ny = x", False),
        ("for a in b:\n    y = x\n    x = 1", True),  # read in the next round
        ("for a in b:\n    x = 0\n    y = x\n    x = 1", False),
        ("for a in b:\n    x = 0\n    y = x\n    x = 1\ny = x", True),
        ("for a in b:\n    x = 1\n    break\ny = x", True),
        ("for a in b:\n    x = 1\n    if a: break\n    x = 2\ny = x", True),
        ("for a in b:\n    x = 1\n    if a: continue\n    x = 2\ny = x", True),
        ("x = 1\nfor x in b:\n    y = x", False),
        ("x = 1\nfor x in b:\n    y = x\ny = x", True),  # there may be no round at all
        ("x = 1\nwhile x:\n    x = 2", True),
        ("x = 1\ny = [x for x in b]", True),  # rather too often than too seldom
        ("x = 1\nS[x] = 2", True),
        ("x = 1\ny = lambda: x", True),
    ],
)
def test_who_reads_a_name(text: str, live: bool) -> None:
    function = ast.parse("def f():\n    " + text.replace("\n", "\n    ")).body[0]
    assert isinstance(function, ast.FunctionDef)
    statement = next(s for s in ast.walk(function) if isinstance(s, ast.stmt) and ast.unparse(s) == SETS)
    assert ("x" in LiveNames(function).after(statement)) is live


@pytest.mark.parametrize(
    ("after", "seen"),
    [
        ("S[5] = 1", False),
        ("for i in drawn: S[i] = 0", True),
        ("d = 12\nif S[d] & 48:\n    drawn = tuple([x >> 16 for x in drawn])", True),
    ],
)
def test_a_draw_is_unseen_only_if_nobody_looks(after: str, seen: bool) -> None:
    draw = "drawn = draw_pieces(p, S, 1, 12, -1, 30, UN_2, IT_2, 4)"
    for text in (f"{draw}\n{after}", f"if a:\n    {draw}\n{after}"):
        function = ast.parse("def f():\n    " + text.replace("\n", "\n    ")).body[0]
        assert isinstance(function, ast.FunctionDef)
        function.body = draw_unseen(function.body, LiveNames(function))
        assert ("draw_pieces" in ast.unparse(ast.fix_missing_locations(function))) is seen


def test_what_is_added_to_options_makes_another_list() -> None:
    """A list of options may be in a table: whoever adds to it must not change what is there."""
    text = "o = T[x]\nif a: o.append(-2)\no += [(2, v) for v in b]"
    made = ast.unparse(ast.fix_missing_locations(ast.Module(as_values(joined_options(ast.parse(text).body)), [])))
    assert made == "o = T[x]\nif a:\n    o = [*o, -2]\no = [*o, *[(2, v) for v in b]]"


# ------------------------------------------------------------------ whole games

HEAD = """rulescript 1

game "Who reads it", version "1"

kind Side: other: Side
    holds box: Unit
things
    Side Red   other Blue
    Side Blue  other Red
players Side

kind Area: owner: Side, big: bool = no
    state control: Side = owner
    state marked: bool
    holds units: Unit
map M
    link road
    Area A  Red, big
    Area B  Blue
    Area C  Red
    Area D  Blue, big
    road A - B
    road B - C
    road C - D

pieces Unit: side: Side
    state tired: bool, lasts in Area
    state hurt: bool
    home side.box
things
    Unit Red_foot   Red, 5
    Unit Blue_foot  Blue, 5

holds graves: Unit
state active: Side
state mood: Side
state n: int
"""
TAIL = """
sequence
    place 4 Red_foot in A
    place 4 Blue_foot in B
    for active in Side
        repeat 3 times
            play
    end game, draw
"""
BODIES = {
    "drawn into a place where a state ends": """
phase play "Play"
    for u in Area.units
        u.tired = yes
    draw 2 from A.units to graves
    choose go: u in Area.units "go {u}"
        draw 1 from B.units to u.side.box
        n += count(u.side.box[tired])
    or pass
""",
    "drawn in a branch, read after it": """
phase play "Play"
    for u in Area.units
        u.tired = yes
    choose go: a in Area "go {a}"
        if some a.units
            draw 1 from a.units to graves
        else
            draw 2 from graves to a.units
        draw 1 from graves to active.box as gone
        for u in gone
            u.hurt = yes
    or pass
""",
    "a state that a called rule changes in every round": """
procedure flip
    if mood == Red
        mood = Blue
    else
        mood = Red

procedure sweep
    for a in Area
        if a in Area[control == mood.other and big] + Area[control == mood and not big]
            a.marked = yes
            n += 1
        flip()

phase play "Play"
    sweep()
    choose go: a in Area "go {a}"
        a.control = a.control.other
        sweep()
    or pass
""",
    "several ways beside a list that comes back": """
phase play "Play"
    repeat
        choose go: a in Area "go {a}"
            require a.control == active
            a.control = a.control.other
        or stop "Stop"
        or choose back: u in active.box "back {u}"
            require count(A.units) < 6
            move u to A.units
        or choose away: u in A.units "away {u}"
            require u.side == active
            move u to u.side.box
            n += 1
            if n > 20
                stop
""",
    "moved and changed at once, and looked for again": """
phase play "Play"
    choose go: u in Area.units, a in Area "go {u} {a}"
        move u to a.units
        u.tired = yes
        move u to graves
        u.hurt = yes
        if u.tired
            n += 1
        move u to a.units
        u.tired = yes
        u.hurt = no
    or pass
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_all_forms_play_alike(body: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(HEAD + body + TAIL, encoding="utf-8")
    forms = forms_of(GameSource.load(path))
    assert sum(play_in_step(forms, seed, 60) for seed in range(4)) > 8


def test_fog_of_war_can_be_played_out() -> None:
    assert len(rulescript.load("attrition_of_souls", options=["fog_of_war"]).playouts(60)) == 60
