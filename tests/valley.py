"""What the small games of several tests have in common: two sides, their units, turns; and how a test loads a game."""

from __future__ import annotations

import pytest

import rulescript

TWO_SIDES = """
things
    Side North
    Side South

players Side

values Arm: infantry, guns
values Control: nobody, northern, southern

kind Turn
things
    Turn One
    Turn Two

pieces Unit: side: Side, arm: Arm
    state moved: bool, lasts movement
    home side.box

counts Unit
    |       | infantry | guns |
    | North | 4 | 2 |
    | South | 5 | 1 |

state turn: Turn
state active: Side

function enemy(s: Side) -> Side
    if s == North then South else North
"""


def loaded(name: str, text: str, folders: pytest.TempPathFactory) -> rulescript.Game:
    """A game from its text, with a file of its own to read its rules from."""
    path = folders.mktemp(name) / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return rulescript.load(path, cache=False)
