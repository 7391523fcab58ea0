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


UNKNOWN = """\
rulescript 1
game "Unknown"
kind Side
    holds hand: Card, hidden to others
values Sort: army, decoy
kind Card: worth: int = 1
    home North.hand
pieces Block: side: Side, sort: Sort
    state down: bool
    hidden when down, known to side
    home box
kind Spy: side: Side
    state unseen: bool
    hidden when unseen, known to side
    home Mill.spies
holds box: Block
holds pool: Card, count to others
kind Town
    holds blocks: Block
    holds spies: Spy
things
    Side North
    Side South
    Card Drum
    Town Mill
    Spy Ada  North
counts Block
    |       | army | decoy |
    | North |    3 |     2 |
    | South |    3 |     2 |
players Side
state active: Side
procedure go
    LINE
sequence
    go
    end game, North wins
"""


@pytest.mark.parametrize(
    ("line", "hint", "instead"),
    [
        (
            "may choose b in Town.blocks\n        require b.side != active\n        b.down = no",
            "let them choose the Town and draw it there (`draw 1 from TOWN.blocks[...] to TOWN.blocks as found`)",
            "may choose t in Town\n        require some t.blocks[side != active]\n"
            "        draw 1 from t.blocks[side != active] to t.blocks as found\n"
            "        for b in found\n            b.down = no",
        ),
        (
            "may choose s in Town.spies[side != active]\n        s.unseen = no",
            "let them choose the Town and draw it there (`draw 1 from TOWN.spies[...] as found`)",
            "may choose t in Town\n        require some t.spies[side != active]\n"
            "        draw 1 from t.spies[side != active] as found\n"
            "        for s in found\n            s.unseen = no",
        ),
        (
            "may choose b in box\n        b.down = no",
            "that they do not know, draw it there (`draw 1 from box[...] to box as found`)",
            "draw 1 from box to box as found\n    for b in found\n        b.down = no",
        ),
        (
            "may choose c in pool\n        move c to active.hand",
            "draw it (`draw 1 from pool to ...`)",
            "draw 1 from pool to active.hand",
        ),
    ],
)
def test_one_that_its_chooser_does_not_know_is_drawn(line: str, hint: str, instead: str) -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(UNKNOWN.replace("LINE", line), "hints.rules"))
    assert hint in str(caught.value)
    compile_text(load_single(UNKNOWN.replace("LINE", instead), "hints.rules"))
