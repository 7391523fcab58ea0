"""`python -m rulescript.cli.demo`: the same story every time, and a log that can be replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.cli.demo import demo
from rulescript.cli.screen import Screen
from tests.cli.conftest import SKIRMISH, Cli


def test_a_whole_game_is_told(cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo(Screen("never"), tmp_path / "out", SKIRMISH) == 0
    first = capsys.readouterr().out
    assert "dawn, North" in first
    assert "dusk, North" in first
    assert "wins" in first or "draw" in first
    assert str(tmp_path / "out" / "log.txt") in first
    assert demo(Screen("never"), tmp_path / "out", SKIRMISH) == 0
    assert capsys.readouterr().out == first
    assert cli("replay", str(tmp_path / "out" / "game.json"), "--game", SKIRMISH).code == 0


def test_without_a_playable_game_a_small_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rulescript.loader import finding

    monkeypatch.setattr(finding, "bundled", lambda _: tmp_path / "empty")
    monkeypatch.chdir(tmp_path)
    assert demo(Screen("never"), Path(".demo")) == 0
    assert "small_game" in capsys.readouterr().out
