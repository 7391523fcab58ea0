"""Small invented games to try the kit on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulescript

GAMES = Path(__file__).parent / "games"

SMALL = """\
rulescript 1
game "Small"
kind Side
things
    Side North
    Side South
players Side
kind Turn
things
    Turn One
    Turn Two
    Turn Three
state turn: Turn
state active: Side
state total: int = 0

phase adding
    choose add: t in Turn "Add {t}"
        total += 1
    or pass "Nothing"

sequence
    for turn in Turn
        for active in Side
            adding
    end game, draw
"""


@pytest.fixture
def rivals() -> Path:
    return GAMES / "rivals.rules"


@pytest.fixture
def rivals_game(rivals: Path) -> rulescript.Game:
    """A game nobody else has, so that a test may break it."""
    return rulescript.load(rivals, cache=False)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a game and get its path; with pairs of texts to be replaced in `SMALL`."""

    def write(*changes: tuple[str, str], text: str = SMALL, name: str = "small.rules") -> Path:
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write
