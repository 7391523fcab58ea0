"""A number right before a piece says how many: it is no number of the piece, and none of what is read in its name."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import BadChoice
from rulescript.runtime.position import Position

GAME = """rulescript 1
game "Blocks"

kind Side
    holds camp: Block
things
    Side Red
players Side
state active: Side = Red

pieces Block: side: Side, pace: int
    state steps: int
    state moved: bool
    home side.camp
    text "{side} {pace}-pace block"
things
    Block Red_Line   Red, pace 2, 3
    Block Red_Horse  Red, pace 4, 1

kind Town
    holds blocks: Block
map Land
    link road
    Town Mill
    Town Ford
    Town Moor
    road Mill - Ford - Moor

phase march
    repeat
        choose go: b in Town.blocks, t in Town "March {b} to {t}"
            require not b.moved
            require t in b.place.road
            move b to t
            b.moved = yes
        or stop

phase set_out
    place 2 Red_Line, 1 Red_Horse in Mill
    place 1 Red_Line in Ford
    for b in Mill.blocks
        b.steps = 3

sequence
    set_out
    march
    end game, Red wins
"""


def start() -> Position:
    return GameSource.of_text(GAME, "blocks.rules").game().start(1)


@pytest.mark.parametrize("line", ["go 2 Red_Line to Ford", "2 Red_Line to Ford", "go 2 Red_Line (steps 3) to Ford"])
def test_so_many_go(line: str) -> None:
    position = start()
    position.choose(line)
    assert position.value("Ford.blocks") == {"Red_Line(steps 3, moved)": 2, "Red_Line": 1}


@pytest.mark.parametrize(
    "line",
    [
        "go 3 Red_Line to Ford",  # three steps, and two of them
        "go 4 Red_Horse to Ford",  # four paces, and one of them
        "go 2 Red_Horse to Ford",
        "go 3 Red_Horse to Ford",
        "go 4 Red_Line to Ford",
    ],
)
def test_what_there_is_not_is_refused(line: str) -> None:
    position = start()
    with pytest.raises(BadChoice):
        position.choose(line)
    assert position.value("Ford.blocks") == {"Red_Line": 1}


@pytest.mark.parametrize(
    "line",
    [
        "go 4-pace block to Ford",
        "go 4 pace block to Ford",
        "go Red 4-pace block in Mill to Ford",
        "go Red_Horse steps 3 to Ford",
        "go Red_Horse (3) to Ford",
        "go Red_Horse (steps 3) to Ford",
    ],
)
def test_numbers_of_a_piece_are_said_beside_their_words(line: str) -> None:
    position = start()
    position.choose(line)
    assert position.value("Ford.blocks") == {"Red_Horse(steps 3, moved)": 1, "Red_Line": 1}
