"""`rulescript test`: claims of the game, of other files, and random games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, SKIRMISH, Cli

GOOD = """\
check "Worth of the towns"
    sum(t.worth for t in Town) == 6

example "Troops march along a road"  §3.3
    given empty, turn dawn, active North, at marching
        Mill: 1 North infantry
    try march North infantry in Mill to Castle -> refused by §3.3
    play
        North: march North infantry in Mill to Ford
    expect
        Ford has 1 North infantry
"""
BAD = GOOD.replace("== 6", "== 7").replace("Ford has 1", "Ford has 2")


@pytest.fixture
def good(tmp_path: Path) -> str:
    (tmp_path / "good.rules").write_text(GOOD, encoding="utf-8")
    return str(tmp_path / "good.rules")


@pytest.fixture
def bad(tmp_path: Path) -> str:
    (tmp_path / "bad.rules").write_text(BAD, encoding="utf-8")
    return str(tmp_path / "bad.rules")


def test_a_file_of_claims_is_run_alone(cli: Cli, good: str) -> None:
    result = cli("test", SKIRMISH, good, "-v")
    assert result.code == 0
    assert "ok     example: Troops march along a road" in result.out
    assert "1 example and 1 check: all hold" in result.out
    assert "plays" not in result.out


def test_claims_that_fail_are_shown_with_what_was_seen(cli: Cli, bad: str) -> None:
    result = cli("test", SKIRMISH, bad)
    assert result.code == 1
    assert "FAILED check: Worth of the towns" in result.out
    assert "FAILED example: Troops march" in result.out
    assert "bad.rules:2:5" in result.out
    assert "1 example and 1 check: 2 failed" in result.out


def test_claims_as_json(cli: Cli, good: str, bad: str) -> None:
    data = cli("test", SKIRMISH, good, bad, "--json").json
    assert data["ok"] is False
    assert data["conformance"] is None
    assert [(each["kind"], each["ok"]) for each in data["claims"]["results"]] == [
        ("check", True),
        ("check", False),
        ("example", True),
        ("example", False),
    ]
    failed = data["claims"]["results"][1]
    assert failed["line"] == 1
    assert failed["diagnostics"][0]["label"]["line"] == 2


def test_only_some_claims(cli: Cli, bad: str) -> None:
    assert "1 example and 0 checks" in cli("test", SKIRMISH, bad, "--only", "troops road").out


def test_random_games_are_played_and_reported(cli: Cli) -> None:
    result = cli("test", SKIRMISH, "-n", "2", "-o", "fog", "--seed", "3")
    assert result.code == 0, result.out
    assert "play ends" in result.out
    assert "everything held" in result.out
    data = cli("test", SKIRMISH, "-n", "1", "--scenario", "late", "--json").json
    assert data["ok"] is True
    assert data["conformance"]["plays"] >= 1


def test_a_game_with_mistakes_is_not_tested(cli: Cli) -> None:
    result = cli("test", BROKEN)
    assert result.code == 1
    assert "RS101" in result.err + result.out
