"""`rulescript report`, and `simulate` into a folder: what is told, and what is told when something is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulescript.simulation import open_run
from tests.cli.conftest import SKIRMISH, Cli


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def base(folder: Path) -> str:
    return _simulated(folder / "base")


@pytest.fixture(scope="module")
def snow(folder: Path) -> str:
    return _simulated(folder / "snow", "-o", "snow")


def _simulated(target: Path, *more: str) -> str:
    from rulescript.cli.main import main

    assert main(["simulate", SKIRMISH, "-n", "60", "-j", "1", "--follow", "2", "--out", str(target), *more]) == 0
    return str(target)


def test_a_report_tells_wins_lengths_and_uses(cli: Cli, base: str) -> None:
    result = cli("report", base)
    assert result.code == 0
    for words in (
        "Skirmish: 60 games",
        "probably between",
        "turns in a game",
        "What smells",
        "Marching: march",
        "§4.1",
    ):
        assert words in result.out
    data = cli("report", base, "--json").json
    assert data["games"] == 60 and data["first_player"]["games"] == 60
    march = next(use for use in data["uses"] if use["name"] == "marching.march" and use["role"] == "North")
    assert march["known"] == 60 and 0 < march["games"] <= 60
    assert sum(1 for use in data["uses"] if use["sort"] == "rule" and use["known"] == 30) > 3


def test_a_page_is_written(cli: Cli, base: str, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert cli("report", base, "-o", str(target)).code == 0
    assert "<svg" in target.read_text() and "Skirmish" in target.read_text()
    assert cli("report", base, "-o", str(tmp_path / "no" / "such" / "folder.html")).code == 2


def test_two_runs_are_told_side_by_side(cli: Cli, base: str, snow: str, tmp_path: Path) -> None:
    result = cli("report", base, snow)
    assert result.code == 0 and "60 pairs of games" in result.out and "North wins" in result.out
    data = cli("report", base, snow, "--json").json
    assert data["pairs"] == 60 and data["measures"][0]["change"]["games"] == 60
    assert cli("report", base, snow, "-o", str(tmp_path / "both.html")).code == 0
    assert "one run, or about two" in cli("report", base, snow, base).err


def test_one_number_is_swept(cli: Cli, tmp_path: Path) -> None:
    words = ("simulate", SKIRMISH, "-n", "40", "-j", "1", "--vary", "Mill.worth=1,4", "--out", str(tmp_path / "sweep"))
    result = cli(*words)
    assert result.code == 0 and "Against Mill.worth = 1" in result.out
    data = cli(*words, "--json").json
    assert [run["number"] for run in data["runs"]] == [1, 4] and data["runs"][0]["games"] == 40
    assert cli("report", str(tmp_path / "sweep")).out.count("North wins") == 1
    assert cli("report", str(tmp_path / "sweep"), "-o", str(tmp_path / "sweep.html")).code == 0
    assert "Mill.worth" in (tmp_path / "sweep.html").read_text()


@pytest.mark.parametrize(
    "words, said",
    [
        (("--bots", "chess"), "no bot is called `chess`"),
        (("--bots", "search:0"), "no budget"),
        (("--bots", "search:0s"), "no budget"),
        (("--vary", "Mill.wort=1..3"), "did you mean `Mill.worth`?"),
        (("--vary", "Mill.worth"), "NAME=3..7"),
        (("--follow", "-1"), "no number of games"),
        (("--bare", "--coverage"), "not both"),
        (("--format", "xlsx"), "invalid choice"),
        (("-n", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_written(
    cli: Cli, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    result = cli("simulate", SKIRMISH, "-j", "1", "--out", str(tmp_path / "run"), *words)
    assert result.code == 2 and said in result.err
    assert not (tmp_path / "run").exists()


def test_what_is_no_run_is_told(cli: Cli, tmp_path: Path) -> None:
    assert "there is no run in" in cli("report", str(tmp_path)).err
    assert cli("report", str(tmp_path)).code == 2
    (tmp_path / "run.json").write_text('{"format": 1, "games"')
    result = cli("report", str(tmp_path))
    assert result.code == 2 and "damaged" in result.err and "Traceback" not in result.err


def test_a_half_written_part_is_told_left_out_and_played_again(cli: Cli, tmp_path: Path) -> None:
    words = ("simulate", SKIRMISH, "-n", "30", "-j", "1", "--out", str(tmp_path / "run"))
    whole = cli(*words, "--json").json
    (part,) = (tmp_path / "run").glob("games-*")
    part.write_bytes(part.read_bytes()[:-40])
    result = cli("report", str(tmp_path / "run"))
    assert result.code == 1 and "damaged or not written to its end" in result.err and "0 games" in result.out
    again = cli(*words, "--json")
    assert "played again" in again.err
    assert {**again.json, "seconds": 0} == {**whole, "seconds": 0}


def test_rate_and_remaining_time_are_told_where_there_is_no_bar(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulescript.cli import simulate
    from rulescript.simulation import driver

    monkeypatch.setattr(simulate, "TOLD_SECONDS", 0.0)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.001)
    told = cli("simulate", SKIRMISH, "-n", "300", "-j", "1").err
    assert "of 300 games, " in told and " a second, about 0:00:" in told


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [
        sys.executable,
        "-m",
        "rulescript",
        "simulate",
        SKIRMISH,
        "-n",
        "10_000_000",
        "-j",
        "2",
        "--out",
        str(folder),
    ]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not list(folder.glob("games-*")) and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "the same command goes on" in err and "Traceback" not in err
    kept = open_run(folder)
    assert kept.summary.games > 0 and f"Skirmish: {kept.summary.games} game" in out
