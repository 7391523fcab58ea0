"""What is forced is skipped only where that tells others nothing they may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Discards", version "1"
kind Side
    holds hand: Card{seen}
    holds spent: Card, hidden to others
kind Card: side: Side
    home side.hand
things
    Side North
    Side South
    Card First   North
    Card Second  North
    Card Third   North
    Card Other   South
players Side
state active: Side
phase discard
    choose {amount} from active.hand as thrown
    move thrown to active.spent
sequence
    active = North
    discard
    end game, draw
"""


def asked(tmp_path: Path, seen: str, amount: int, picks: list[str]) -> int:
    """How many questions are put to North, who answers with these as long as they are there."""
    path = tmp_path / "discards.rules"
    path.write_text(GAME.format(seen=seen, amount=amount), encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    number = 0
    while position.decision is not None:
        number += 1
        fitting = [o for o in position.decision.options if any(pick in o.key for pick in picks)]
        position.choose(fitting[0])
    return number


HIDDEN = ", visible to it, count to others"


@pytest.mark.parametrize("picks", [["First", "Second"], ["First", "Third"], ["Second", "Third"]])
def test_of_hidden_cards_each_is_asked_for(tmp_path: Path, picks: list[str]) -> None:
    """Otherwise one question instead of two would tell that the second card went, and the third."""
    assert asked(tmp_path, HIDDEN, 2, picks) == 2


def test_of_open_cards_the_last_is_taken_when_it_is_forced(tmp_path: Path) -> None:
    assert asked(tmp_path, "", 2, ["First", "Second"]) == 2
    assert asked(tmp_path, "", 2, ["Second", "Third"]) == 1


def test_nobody_is_asked_when_all_go(tmp_path: Path) -> None:
    """How many there are, all can see."""
    assert asked(tmp_path, HIDDEN, 3, []) == 0
    assert asked(tmp_path, HIDDEN, 5, []) == 0


PIECES = """\
rulescript 1
game "Blocks", version "1"
kind Side
    holds box: Block
kind Area
    holds blocks: Block
pieces Block: side: Side, arm: Arm
    state face_down: bool
    home side.box
    hidden when face_down, known to side, showing "{{side}} block"
values Arm: foot, horse, guns
things
    Side North
    Side South
    Area Mill
    Area Ford
    Area Dale
    Block North_foot   North, foot, 3
    Block North_horse  North, horse, 2
    Block South_foot   South, foot, 1
players Side
state active: Side
phase muster
    choose march: b in Mill.blocks[side == active], a in Area "March {{b}} to {{a}}"
        require a != Mill
        require a == Ford or b.arm == horse
        move b to a
sequence
    place 2 North_foot, 1 North_horse in Mill
{down}
    active = North
    muster
    end game, draw
"""


@pytest.mark.parametrize(("down", "expected"), [("", 1), ("    for b in Mill.blocks\n        b.face_down = yes", 2)])
def test_what_lies_face_down_counts_as_hidden_for_the_later_names(tmp_path: Path, down: str, expected: int) -> None:
    """The foot can only go to the ford: where all see that it is foot it goes there by itself, and where it lies face
    down that would tell what it is."""
    path = tmp_path / "blocks.rules"
    path.write_text(PIECES.format(down=down), encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    number = 0
    while position.decision is not None:
        number += 1
        position.choose(next(o for o in position.decision.options if "foot" in o.key or "Ford" in o.key))
    assert number == expected
