"""`rulescript fmt`: in place, only looking, or to standard output."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

UGLY = 'rulescript 1\ngame   "X"\n# words\nstate  n : int=3   @4.1\n'
NEAT = 'rulescript 1\ngame "X"\n# words\nstate n: int = 3  §4.1\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.rules").write_text(UGLY, encoding="utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "more.rules").write_text(NEAT, encoding="utf-8")
    (tmp_path / ".hidden.rules").write_text(UGLY, encoding="utf-8")
    return tmp_path


def test_files_are_rewritten_in_place(cli: Cli, folder: Path) -> None:
    os.chmod(folder / "game.rules", 0o640)
    result = cli("fmt", str(folder))
    assert result.code == 0
    assert "formatted" in result.out and "more.rules" not in result.out
    assert (folder / "game.rules").read_text(encoding="utf-8") == NEAT
    assert (folder / "game.rules").stat().st_mode & 0o777 == 0o640
    assert (folder / ".hidden.rules").read_text(encoding="utf-8") == UGLY
    assert sorted(p.name for p in folder.iterdir()) == [".hidden.rules", "deep", "game.rules"]
    assert "2 files already in order" in cli("fmt", str(folder)).out


def test_check_only_looks(cli: Cli, folder: Path) -> None:
    result = cli("fmt", "--check", str(folder))
    assert result.code == 1
    assert "would change" in result.out
    assert (folder / "game.rules").read_text(encoding="utf-8") == UGLY
    assert cli("fmt", "--check", str(folder / "deep" / "more.rules")).code == 0
    assert cli("fmt", "--check", "--json", str(folder)).json["changed"] == [(folder / "game.rules").as_posix()]


def test_stdout_prints_and_writes_nothing(cli: Cli, folder: Path) -> None:
    result = cli("fmt", "--stdout", str(folder / "game.rules"))
    assert result.out == NEAT
    assert (folder / "game.rules").read_text(encoding="utf-8") == UGLY


def test_standard_input_is_formatted_too(cli: Cli) -> None:
    assert cli("fmt", "-", typed=UGLY).out == NEAT


def test_a_file_with_mistakes_is_reported_and_left_alone(cli: Cli, folder: Path) -> None:
    bad = folder / "bad.rules"
    bad.write_text("rulescript 1\nphase p\n    choose t Tile\n", encoding="utf-8")
    result = cli("fmt", str(folder))
    assert result.code == 1
    assert "RS001" in result.err
    assert "choose t Tile" in bad.read_text(encoding="utf-8")
    assert (folder / "game.rules").read_text(encoding="utf-8") == NEAT


@pytest.mark.parametrize("name", ["nothing_there", "notes.txt"])
def test_what_is_no_rules_file_is_told(cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("x")
    assert cli("fmt", str(tmp_path / name)).code == 2


def test_text_that_is_not_utf8_is_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(b"rulescript 1\n# \xff\n")
    result = cli("fmt", str(tmp_path))
    assert result.code == 2
    assert "not UTF-8" in result.err
