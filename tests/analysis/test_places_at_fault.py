"""A mistake is told where it was made, once, with what to write: not where its consequences show."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single, load_text
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Faulty", version "1"
kind Side
    state vp: int
    holds pool: Unit
things
    Side North
    Side South
players Side
values Arm: foot, horse, guns
state active: Side
kind Town
    holds units: Unit
things
    Town Mill
    Town Ford
pieces Unit: side: Side, arm: Arm
    home side.pool
counts Unit
    |       | foot | horse | guns |
    | North |    3 |     1 |    1 |
    | South |    3 |     1 |    1 |
table losses(roll: int, strength: int) -> int
    |      | 0..1 | 2..3 | 4+ |
    | 1..2 |    0 |    0 |  1 |
    | 3..4 |    0 |    1 |  1 |
    | 5..6 |    1 |    1 |  2 |
phase movement
    repeat
        choose send: u in Side.pool, t in Town "Send {u} to {t}"
            require u.side == active
            require count(t.units) < 4
            move u to t
            active.vp += 1
        or choose fetch: u in Town.units "Fetch {u}"
            require u.side == active
            move u to active.pool
        or stop
    roll d6 as rolled
    if rolled > 3
        active.vp += losses(rolled, active.vp)
        active.vp -= 1
    else
        active.vp = 0
sequence
    for active in Side
        movement
    end game, draw
"""


def told(text: str) -> list[Diagnostic]:
    reporter = Reporter()
    game = load_single(text, "faulty.rules", reporter)
    try:
        compile_text(game, (), "", reporter)
    except GameInvalid as problem:
        return list(problem.diagnostics)
    return reporter.diagnostics


def test_the_game_is_sound() -> None:
    assert told(GAME) == []


# A line as it is, as it is written wrongly, and the line that is told with what it is told.
FAULTS = [
    (
        "            move u to t\n            active.vp += 1\n",
        "        move u to t\n        active.vp += 1\n",
        "        move u to t",
        "belongs under `choose send`",
        "indent it by 12 spaces",
    ),
    (
        "            active.vp += 1\n        or choose",
        "        active.vp += 1\n        or choose",
        "        active.vp += 1",
        "belongs under `choose send`",
        "indent it by 12 spaces",
    ),
    (
        "            move u to active.pool\n",
        "        move u to active.pool\n",
        "        move u to active.pool",
        "belongs under `or choose`",
        "indent it by 12 spaces",
    ),
    (
        "        active.vp -= 1\n",
        "    active.vp -= 1\n",
        "    active.vp -= 1",
        "belongs under `if rolled`",
        "indent it by 8 spaces",
    ),
    (
        "    home side.pool\n",
        "",
        "pieces Unit: side: Side, arm: Arm",
        "where the 10 pieces of `Unit` are kept",
        "`home side.pool`",
    ),
    (
        "    | 3..4 |    0 |    1 |  1 |\n",
        "    | 3..4 |    0 |    1 |\n",
        "    | 3..4 |    0 |    1 |",
        "this row has 3 cells, the others 4",
        "`|`",
    ),
    (
        "    |      | 0..1 | 2..3 | 4+ |\n",
        "    |      | 0..3 | 4+ |\n",
        "    |      | 0..3 | 4+ |",
        "the head of this table has 3 cells, the others 4",
        "`|`",
    ),
    (
        "    | South |    3 |     1 |    1 |\n",
        "    | South |    3 |     1 |\n",
        "    | South |    3 |     1 |",
        "this row has 4 cells, the others 5".replace("4", "3").replace("5", "4"),
        "`|`",
    ),
    (
        "        choose send: u in Side.pool, t in Town \"Send {u} to {t}\"\n            require u.side == active\n"
        "            require count(t.units) < 4\n            move u to t\n            active.vp += 1\n"
        "        or choose fetch: u in Town.units \"Fetch {u}\"\n            require u.side == active\n"
        "            move u to active.pool\n        or stop\n",
        '        may rest "Rest"\n            active.vp += 1\n        or stop\n',
        "        or stop",
        "an `or` belongs to `choose`",
        "`choose rest",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "line", "message", "hint"), FAULTS)
def test_one_report_at_the_line_at_fault(right: str, wrong: str, line: str, message: str, hint: str) -> None:
    assert GAME.count(right) == 1
    found = told(GAME.replace(right, wrong))
    assert len(found) == 1, [str(d.message) for d in found]
    diagnostic = found[0]
    assert diagnostic.span.source.line_text(diagnostic.span.line).rstrip() == line
    assert message in diagnostic.message
    assert hint in (diagnostic.hint or "")


BASE = """\
rulescript 1
game "Base", version "1"
values Side: Red, Blue
players Side
state active: Side
value pay -> int
    1
option rich "Rich"
    adjust pay add 1
    function double(n: int) -> int
        2 * n
    adjust pay add double(0)
    invariant "Pay is two", always
        pay() == 2
    example "Rich is two"
        given empty
        expect
            pay() == 2
scenario late "Late"
    state hour: int = 3
    example "It is late"
        given setup
        expect
            hour == 3
example "Poor is one"
    given empty
    expect
        pay() == 1
sequence
    for active in Side
        choose go "Go"
            tell "{pay()}"
        or pass
    end game, draw
"""


def titles_with(variant: str, folder: Path) -> tuple[list[str], list[Diagnostic]]:
    (folder / "base.rules").write_text(BASE, encoding="utf-8")
    text = f'rulescript 1\ngame "Variant", version "1"\n    builds on base\n{variant}'
    (folder / "variant.rules").write_text(text, encoding="utf-8")
    reporter = Reporter()
    loaded = load_text(folder / "variant.rules", reporter)
    try:
        compile_text(loaded, (), "", reporter)
    except GameInvalid as problem:
        return [], list(problem.diagnostics)
    source = GameSource(loaded)
    return [result.title for result in run_examples(source)], reporter.diagnostics


@pytest.mark.parametrize(
    ("variant", "left"),
    [
        ("", ["Rich is two", "It is late", "Poor is one"]),
        ('remove "Rich is two"\n', ["It is late", "Poor is one"]),
        ('with rich\n    remove "Rich is two"\n', ["It is late", "Poor is one"]),
        ('remove "It is late"\n', ["Rich is two", "Poor is one"]),
        ('with late\n    remove "It is late"\n', ["Rich is two", "Poor is one"]),
        ('remove "Poor is one"\n', ["Rich is two", "It is late"]),
        # What is said of an option is said of what is played with it.
        ('with rich\n    remove "Poor is one"\n', ["Rich is two", "It is late", "Poor is one"]),
    ],
)
def test_an_example_of_an_option_can_be_removed(variant: str, left: list[str], tmp_path: Path) -> None:
    assert titles_with(variant, tmp_path) == (left, [])


@pytest.mark.parametrize("name", ['"Pay is two"', "double"])
def test_what_belongs_to_an_option_is_removed_with_it(name: str, tmp_path: Path) -> None:
    _, (diagnostic,) = titles_with(f"remove {name}\n", tmp_path)
    assert diagnostic.code == "RS108"
    assert f"`with rich`, and under it `remove {name}`" in (diagnostic.hint or "")
