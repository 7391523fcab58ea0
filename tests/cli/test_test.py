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


def test_examples_of_the_base_that_fail_are_told_apart_and_can_be_left_out(cli: Cli, tmp_path: Path) -> None:
    base = (
        'rulescript 1\ngame "Base", version "1"\nkind Side\n    state vp: int = 0\nthings\n    Side North\n'
        "players Side\nfunction worth -> int\n    1\n"
        'phase turn "Turn"\n    choose add "Add"\n        North.vp += worth()\n    or pass\n'
        "sequence\n    turn\n    end game, draw\n"
        'example "Worth"\n    given setup\n    play\n        North: add\n    expect\n        North.vp == 1\n'
    )
    variant = (
        'rulescript 1\ngame "More", version "1"\n    builds on base\nreplace function worth -> int\n    2\n'
        'example "Worth more"\n    given setup\n    play\n        North: add\n    expect\n        North.vp == 2\n'
    )
    for name, text in (("base", base), ("more", variant)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.rules").write_text(text, encoding="utf-8")
    result = cli("test", str(tmp_path / "more"), "-n", "0")
    assert result.code == 0
    assert "2 examples and 0 checks: 1 of the game that this one builds on no longer hold here" in result.out
    assert 'no longer holds: "Worth"' in result.out
    assert 'remove "TITLE"' in result.out
    result = cli("test", str(tmp_path / "more"), "-n", "0", "--own")
    assert result.code == 0
    assert "1 example and 0 checks: all hold" in result.out


def test_failures_are_told_at_once(cli: Cli, bad: str) -> None:
    result = cli("test", SKIRMISH, bad)
    assert "failed: example: Troops march along a road" in result.err
    assert "failed:" not in cli("test", SKIRMISH, bad, "--json").err


def test_time_is_shared_out(cli: Cli) -> None:
    """What is not played for want of time is told."""
    short = cli("test", SKIRMISH, "--seconds", "0.001", "-n", "3")
    assert short.code == 0 and "not played for want of time" in short.out
    wrong = cli("test", SKIRMISH, "--seconds", "soon")
    assert wrong.code == 2 and "`soon` is not a number of seconds" in wrong.err


@pytest.mark.long
def test_all_games_are_played_if_somebody_has_the_time(cli: Cli) -> None:
    assert "want of time" not in cli("test", SKIRMISH, "--thorough", "--seconds", "0.001", "-n", "1").out


CHAPTERS = """\
rulescript 1
game "Ferry"

include "ferry.rules.md"
include "toll.rules"
include "examples.rules"

kind Side
things
    Side North
players Side
state crossed: int = 0
state paid: int = 0
sequence
    go
phase go
    choose cross: n in 1..2 "Cross {n}"
        ferry(n)
        toll(n)
    end game, draw
"""
FERRY = """\
# 2 The ferry

## 2.1 Crossing

```rules
procedure ferry(n: int)
    crossed += n

check "Nobody has crossed"
    crossed == 0
```
"""
TOLL = """\
procedure toll(n: int)  §3.1
    paid += n

example "Each pays"  §3.1
    given setup
    play
        North: cross 2
    expect
        paid == 2
"""
RULES = """\
rulebook "Ferry"
    2.1 procedure "Crossing"
    3.1 procedure "Toll"

"""


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    example = TOLL[TOLL.index("example") :].replace("3.1", "2.1").replace("paid", "crossed")
    many = [example.replace("Each pays", f"Cross {number}") for number in range(20)]
    many[13] = many[13].replace("crossed == 2", "crossed == 3")
    (tmp_path / "game.rules").write_text(CHAPTERS)
    (tmp_path / "ferry.rules.md").write_text(FERRY)
    (tmp_path / "toll.rules").write_text(RULES + TOLL)
    (tmp_path / "examples.rules").write_text("\n".join(many))
    return tmp_path


def test_the_claims_about_a_chapter_are_those_in_it_and_those_that_cite_its_rules(cli: Cli, ferry: Path) -> None:
    toll = cli("test", str(ferry), str(ferry / "toll.rules"), "-v")
    assert "1 example and 0 checks: all hold" in toll.out and "Each pays" in toll.out
    chapter = cli("test", str(ferry), "ferry.rules.md", "-v")  # as it is called in the game's folder
    assert "20 examples and 1 check: 1 failed" in chapter.out
    assert "plays" not in chapter.out


def test_examples_played_by_several_processes_come_out_as_by_one(
    cli: Cli, ferry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulescript.claims import together

    monkeypatch.setattr(together, "TOGETHER", 3)
    monkeypatch.setattr(together, "cores", lambda: 3)
    several = cli("test", str(ferry), "-n", "0", "-v")
    monkeypatch.setattr(together, "cores", lambda: 1)
    alone = cli("test", str(ferry), "-n", "0", "-v")
    assert several.out == alone.out and several.code == alone.code == 1
    assert several.err.count("failed: example: Cross 13") == 1
    assert "examples.rules:" in several.out
