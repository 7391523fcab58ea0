"""The files of the games are as `rulescript fmt` would write them, so that what changes in one is what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.source import SourceFile
from rulescript.syntax.fmt import format_source

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize("game", sorted(folder.name for folder in GAMES.iterdir() if folder.is_dir()))
def test_files_are_in_their_proper_form(game: str) -> None:
    files = [file for file in sorted((GAMES / game).rglob("*")) if file.name.endswith((".rules", ".rules.md"))]
    assert files
    texts = [SourceFile(file.name, file.read_text(encoding="utf-8")) for file in files]
    assert [text.name for text in texts if format_source(text) != text.text] == []
