"""`+=` and `-=` on a list: one more at the end, one of its like taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import RulescriptError

GAME = """\
rulescript 1
game "Dice on the table"
kind Side
things
    Side North
    Side South
players Side
state active: Side
state shown: list of int
state order: list of Side

phase go
    shown = [3, 5, 3]
    {change}

sequence
    go
    end game, draw "{{shown}} {{order}}"
"""


def played(tmp_path: Path, *changes: str) -> str:
    file = tmp_path / "game.rules"
    file.write_text(GAME.format(change="\n    ".join(changes)), encoding="utf-8")
    position = rulescript.load(file, cache=False).start()
    assert position.outcome is not None
    return position.outcome.how


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("shown += 6", "3, 5, 3, 6"),
        ("shown += [6, 1]", "3, 5, 3, 6, 1"),
        ("shown -= 3", "5, 3"),
        ("shown -= [3, 3]", "5"),
        ("shown -= 4", "3, 5, 3"),
        ("shown -= [3, 4, 5]", "3"),
        ("shown += 2 * 2", "3, 5, 3, 4"),
    ],
)
def test_numbers_come_and_go(tmp_path: Path, change: str, left: str) -> None:
    assert played(tmp_path, change).strip() == left


def test_a_die_is_turned(tmp_path: Path) -> None:
    assert played(tmp_path, "shown -= 5", "shown += 1").strip() == "3, 3, 1"


def test_things_come_and_go_too(tmp_path: Path) -> None:
    assert played(tmp_path, "order += South", "order += [North, South]", "order -= South").endswith("North, South")


def test_a_name_may_be_a_list_too(tmp_path: Path) -> None:
    assert played(tmp_path, "let dice = shown", "dice -= 3", "dice += 1", "shown = dice").strip() == "5, 3, 1"


@pytest.mark.parametrize("change", ["shown += North", "shown += {1}", "order -= 3", "shown += yes"])
def test_only_what_the_list_holds(tmp_path: Path, change: str) -> None:
    with pytest.raises(RulescriptError):
        played(tmp_path, change)
