"""Small invented games to try the kit on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulescript
from tests.testing.games import SMALL

GAMES = Path(__file__).parent / "games"


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
