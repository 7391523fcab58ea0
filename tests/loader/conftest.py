"""Games written to a folder of their own, and what loading one says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import frozen

from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import GameText, load_text
from rulescript.nodes import KindDecl

Write = Callable[[Mapping[str, str]], Path]


@frozen
class Loaded:
    """A game and what was said about it."""

    game: GameText
    diagnostics: list[Diagnostic]

    @property
    def codes(self) -> list[str]:
        return [each.code for each in self.diagnostics]

    @property
    def kinds(self) -> list[str]:
        """The names of the kinds declared, in order: a test's way to see which files were read."""
        return [str(p.declaration.name) for p in self.game.pieces if isinstance(p.declaration, KindDecl)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the files of a game called `rivers`; `rulescript 1` is put above each plain one."""

    def write_files(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "rivers" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            head = "rulescript 1\n" if name.endswith(".rules") else ""
            path.write_text(head + text, encoding="utf-8")
        return tmp_path / "rivers"

    return write_files


@pytest.fixture
def load() -> Callable[[str | Path], Loaded]:
    def load_game(where: str | Path) -> Loaded:
        reporter = Reporter()
        game = load_text(where, reporter)
        return Loaded(game, reporter.diagnostics)

    return load_game
