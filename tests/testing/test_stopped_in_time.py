"""`rulescript test` ends when its time is up, whatever a game is doing just then, and says what was not done."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import rulescript.claims.run as claims_run
import rulescript.testing.conformance as kit
from rulescript.alarm import TimeUp, stopped_after
from rulescript.testing import run_conformance
from tests.cli.conftest import Cli, cli
from tests.fuzz.large import HEAD

__all__ = ["cli"]

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")

PLAYED = "\nsequence\n    active = North\n    choose add: n in 1..3\n        score += n\n    end game, draw\n"
EXAMPLES = "".join(
    f'\nexample "{title}"\n    given setup\n    expect\n        score == {number}\n'
    for title, number in (("Holds", 0), ("Fails", 1), ("Long", 0), ("Last", 0))
)


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.rules"
    path.write_text(HEAD + PLAYED + EXAMPLES, encoding="utf-8")
    return str(path)


def _too_long(*_: object, **__: object) -> Any:
    """Something of ours in which the time is up."""
    signal.raise_signal(signal.SIGALRM)
    raise AssertionError("nobody set the alarm")


def test_work_is_stopped_wherever_it_is() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), stopped_after(0.05):
        while True:
            pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_of_somebody_else_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        with stopped_after(0.001):
            time.sleep(0.05)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 50
        assert signal.getsignal(signal.SIGALRM) is before
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_elsewhere_than_in_the_main_thread_nothing_is_stopped() -> None:
    done: list[bool] = []

    def work() -> None:
        with stopped_after(0.001):
            time.sleep(0.05)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


@pytest.mark.parametrize("where", ["load", "coverage_of"])
def test_a_run_of_the_kit_is_stopped_whatever_it_does(game: str, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setattr(kit, where, _too_long)
    report = run_conformance(game, plays=1, seconds=60, processes=False)
    what = {"load": "compiling", "coverage_of": "seeing what was reached"}[where]
    assert [note for note in report.notes if note.startswith(f"stopped when the time was up, while {what}")]


def test_a_step_of_a_play_that_does_not_end_is_stopped(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit.c.Saves, "decision", _too_long)
    report = run_conformance(game, plays=1, seconds=60, processes=False)
    assert [note for note in report.notes if "while playing" in note]
    assert report.ok


@pytest.mark.parametrize("where", ["shorten", "shows"])
def test_what_failed_is_told_though_there_is_no_time_to_make_it_short(
    game: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def wrong(self: Any, run: Any, decision: Any) -> None:
        self.fail("this is wrong")

    monkeypatch.setattr(kit.c.Saves, "decision", wrong)
    monkeypatch.setattr(kit, where, _too_long)
    told: list[str] = []
    report = run_conformance(
        game, plays=1, seconds=60, processes=False, failed=lambda failure: told.append(failure.message)
    )
    assert [failure.message for failure in report.failures] == told == ["this is wrong"]


def test_claims_that_are_not_run_in_time_are_named_and_do_not_count_as_held(
    cli: Cli, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = claims_run._Runner.run

    def slow(self: Any) -> Any:
        return _too_long() if self.found.example.title == "Long" else run(self)

    monkeypatch.setattr(claims_run._Runner, "run", slow)
    result = cli("test", game, "-n", "0")
    assert result.code == 1
    assert "failed: example: Fails" in result.err
    assert "2 examples and 0 checks: 1 failed, 2 not run for want of time" in result.out
    assert 'not run for want of time: "Long"' in result.out
    assert result.out.rstrip().endswith("not everything held")
    data = cli("test", game, "-n", "0", "--only", "l", "--json").json
    assert (data["ok"], data["claims"]["left_out"]) == (False, ['"Long"', '"Last"'])


@pytest.mark.parametrize("where", ["_traced", "_begins", "one"])
def test_a_game_of_which_no_play_ended_in_time_has_not_held(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    path = tmp_path / "game.rules"
    path.write_text(HEAD + PLAYED, encoding="utf-8")
    monkeypatch.setattr(kit._Kit, where, _too_long)
    result = cli("test", str(path), "-n", "1")
    assert result.code == 1
    assert "0 plays" in result.out and "while playing" in result.out
    assert result.out.rstrip().endswith("not everything could be tried in time")
    assert cli("test", str(path), "-n", "1", "--json").json["ok"] is False


def test_a_game_that_cannot_be_compiled_in_time_has_not_held(
    cli: Cli, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kit, "load", _too_long)
    result = cli("test", game, "-n", "1", "--all")
    assert result.code == 1
    assert "stopped when the time was up, while compiling (as it is)" in result.out
