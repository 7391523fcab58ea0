"""An expression that cannot be worked out is told as a rule that asks for it would be."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import PlayError

GAME = """\
rulescript 1
game "Circle", version "1"
kind Side
    state points: int
things
    Side Red
    Side Blue
players Side
state active: Side
function deep(n: int) -> int
    if n < 0 then 0 else deep(n + 1)
phase go "Go"
    choose left "Left"
    or right "Right"
sequence
    for active in Side
        go
    end game
"""


@pytest.mark.parametrize("what", ["deep(1)", "1 / Red.points rounded up", "7 mod Blue.points", "only(Side)"])
def test_what_cannot_be_worked_out_is_an_error_of_ours(what: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(GAME, encoding="utf-8")
    position = rulescript.load(path).start(seed=1)
    for explain in (position.explain, position.view("Red").explain):
        with pytest.raises(PlayError):
            explain(what)
