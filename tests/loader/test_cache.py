"""What is kept of a compiled game speaks of the files it was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Twins"
kind Side
things
    Side North
players Side
state points: int
phase go
    choose one "One"
    or none_of_it "None"
sequence
    go
"""


def test_two_copies_of_a_game_each_tell_their_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    told = []
    for name in ("first", "second", "first"):
        (tmp_path / name).mkdir(exist_ok=True)
        where = tmp_path / name / "twins.rules"
        where.write_text(GAME, encoding="utf-8")
        game = rulescript.load(where)
        told.append({file for file, _ in (info["line"] for info in game.data["decisions"].values())})
    assert told == [{str(tmp_path / name / "twins.rules")} for name in ("first", "second", "first")]
    assert len(list((tmp_path / "cache").glob("game-*.bin"))) == 2
