"""What to write instead: hints that name the very line."""

from __future__ import annotations

import pytest

from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Hints"
kind Side
    holds hand: Card, hidden to others
kind Card: side: Side
    home side.hand
kind Leader
    home box
holds box: Leader
pieces Unit: side: Side, power: int = 1
    state tired: bool
    home reserve
holds reserve: Unit
kind Area
    state owner: maybe Side
    holds units: Unit
    holds leaders: Leader
things
    Side North
    Side South
    Card Drum  North
    Leader Ada
    Area A
    Area B
    Unit Red  North, 4
players Side
state active: Side
state n: int
procedure go
    LINE
sequence
    go
    end game, North wins
"""


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("if A.owner == North or South\n        n = 1", "write `A.owner in {North, South}`"),
        ("if A.owner != North and South\n        n = 1", "write `A.owner not in {North, South}`"),
        ("move A.units + B.units to reserve", "write `{A, B}.units`"),
        ("A.units.tired = yes", "`for x in A.units` and then `x.tired`"),
        ("n = sum(A.units.power)", "`sum(x.power for x in A.units)`"),
        ("if Ada.place == A\n        n = 1", "`Ada in Area.leaders`"),
        ("choose c in active.hand\n        n = 1", "`holds hand: Card, visible to it, ...`"),
    ],
)
def test_a_hint_names_the_line(line: str, hint: str) -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(GAME.replace("LINE", line), "hints.rules"))
    assert hint in str(caught.value)
