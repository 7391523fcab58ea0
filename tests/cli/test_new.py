"""`rulescript new`: what it makes checks clean, is formatted, and can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_game_is_whole(cli: Cli) -> None:
    result = cli("new", "river_crossing")
    assert result.code == 0
    assert "rulescript play ./river_crossing" in result.out
    checked = cli("check", "river_crossing", "--strict")
    assert checked.code == 0, checked.out
    assert "River crossing: no problems found" in checked.out
    assert cli("fmt", "--check", "river_crossing").code == 0
    played = cli("play", "./river_crossing", "--seat", "all=random", "-o", "steep")
    assert "The game is over" in played.out
    assert "@" not in "".join(path.read_text(encoding="utf-8") for path in Path("river_crossing").iterdir())


def test_a_variant_builds_on_a_game_beside_it(cli: Cli) -> None:
    cli("new", "base")
    result = cli("new", "variant", "--from", "base", "--title", 'The "other" one')
    assert result.code == 0
    text = Path("variant/game.rules").read_text(encoding="utf-8")
    assert "builds on base" in text
    assert "dice(p)" in text
    checked = cli("check", "variant", "--strict")
    assert checked.code == 0, checked.out
    assert cli("fmt", "--check", "variant").code == 0
    assert cli("simulate", "./variant", "-n", "3").code == 0
    with open("variant/game.rules", "a", encoding="utf-8") as file:
        file.write('\nadjust dice(p) add 1 "A house rule"  §4.2\n')
    assert cli("check", "variant").code == 0


@pytest.mark.parametrize("name", ["two words", "3rd", "a-b", "attrition_of_souls"])
def test_names_that_cannot_be_are_refused(cli: Cli, name: str) -> None:
    result = cli("new", name)
    assert result.code == 2
    assert not Path(name).exists()


def test_nothing_that_exists_is_touched(cli: Cli) -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("x")
    result = cli("new", "mine")
    assert result.code == 2
    assert "is already there" in result.err
    assert [p.name for p in Path("mine").iterdir()] == ["notes.txt"]


def test_a_base_that_is_not_there_or_not_beside_is_told(cli: Cli) -> None:
    assert cli("new", "variant", "--from", "no_such").code == 2
    cli("new", "deep/base")
    result = cli("new", "variant", "--from", "deep/base")
    assert result.code == 2
    assert "lies beside it" in result.err
    assert not Path("variant").exists()
    assert cli("new", "deep/variant", "--from", "deep/base").code == 0
    assert cli("check", "deep/variant").code == 0
