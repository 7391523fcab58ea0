"""`rulescript simulate`: the same answer however the work is shared, and what it tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulescript.simulation import driver
from rulescript.simulation.figures import interval
from tests.cli.conftest import CARDS, SKIRMISH, Cli


def _without_time(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "seconds"}


def test_wins_lengths_and_endings_are_told(cli: Cli) -> None:
    result = cli("simulate", SKIRMISH, "-n", "40")
    assert result.code == 0
    for words in ("Skirmish: 40 games from seed 0", "North", "probably between", "decisions in a game"):
        assert words in result.out
    data = cli("simulate", SKIRMISH, "-n", "40", "--json").json
    assert data["wins"]["North"]["games"] + data["wins"]["South"]["games"] + data["draws"] == 40
    assert sum(ending["games"] for ending in data["endings"]) == 40
    assert data["decisions"]["shortest"] <= data["decisions"]["median"] <= data["decisions"]["longest"]
    assert data["failures"] == []


def test_the_result_does_not_depend_on_the_number_of_processes(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", SKIRMISH, "-n", "300", "--seed", "9", "--json")
    alone = cli(*words, "--jobs", "1").json
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    shared = cli(*words, "--jobs", "2").json
    assert _without_time(shared) == _without_time(alone)
    assert _without_time(cli(*words[:5], "10", "--json").json) != _without_time(alone)


def test_options_bots_and_coverage(cli: Cli) -> None:
    words = ("simulate", SKIRMISH, "-n", "4", "-o", "snow", "--bots", "South=playout:10", "--coverage")
    data = cli(*words, "--json").json
    assert data["bots"] == ["random", "playout:10"]
    assert data["options"] == ["snow"]
    assert "3.1" in data["coverage"]["used"]
    assert set(data["coverage"]["never_used"]) <= set(data["coverage"]["cited_by_rules"])
    assert "rules: " in cli(*words).out


def test_a_bot_that_looks_ahead_beats_a_random_one(cli: Cli) -> None:
    data = cli("simulate", SKIRMISH, "-n", "12", "--bots", "playout:40,random", "--json").json
    assert data["wins"]["North"]["games"] > 2 * data["wins"]["South"]["games"]


def test_games_can_be_given_up(cli: Cli) -> None:
    data = cli("simulate", SKIRMISH, "-n", "5", "--limit", "3", "--json").json
    assert data["unfinished"] == 5
    assert "given up" in cli("simulate", SKIRMISH, "-n", "5", "--limit", "3").out


def test_a_rule_that_goes_wrong_is_told_with_the_seed_to_see_it_again(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "wrong.rules"
    text = Path(SKIRMISH).read_text(encoding="utf-8")
    game.write_text(text.replace("    5\n", "    5 / (count(North.box) - 1) rounded down\n"), encoding="utf-8")
    result = cli("simulate", str(game), "-n", "40")
    assert result.code == 1
    assert "divided by zero" in result.out
    assert "wrong.rules:" in result.out
    again = result.out.rstrip().rpartition("--seed ")[2]
    assert cli("simulate", str(game), "-n", "1", "--seed", again).code == 1


def test_wrong_bots_are_told(cli: Cli) -> None:
    assert "no bot is called `human`" in cli("simulate", SKIRMISH, "--bots", "human").err
    assert "only 2 seats" in cli("simulate", SKIRMISH, "--bots", "random,random,random").err


def test_hidden_information_is_no_obstacle(cli: Cli) -> None:
    assert cli("simulate", CARDS, "-n", "5", "--bots", "playout").code == 0


def test_the_interval_holds_the_share() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(0, 50)
    assert low == pytest.approx(0, abs=1e-9) and 0.05 < high < 0.1
    low, high = interval(25, 50)
    assert low < 0.5 < high


def test_a_game_begins_quickly() -> None:
    """The module is small enough to be imported in other processes without the parser."""
    code = "import sys, rulescript.cli.simulate; print('lark' in sys.modules, 'rich' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]


def test_long_games_are_not_added_up(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work that is bounded is that between two decisions, not that of all games together."""
    from rulescript.machine import effort

    monkeypatch.setattr(effort, "WORK_LIMIT", 1_000_000)
    data = cli("simulate", "attrition_of_souls", "-n", "4", "--json").json
    assert data["failures"] == []
    assert sum(ending["games"] for ending in data["endings"]) == 4
