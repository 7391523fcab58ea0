"""`make strength` counts what it says: seats swapped, processor time shared fairly, draws half."""

from __future__ import annotations

import pytest

from tests.benchmarks import strength
from tests.benchmarks.strength import Played, Setting, play, row_of, turns
from tests.cli.conftest import SKIRMISH


def test_the_settings_are_of_games_that_there_are() -> None:
    import rulescript

    assert {setting.game for setting in strength.SETTINGS} == set(rulescript.loader.bundled_games())
    for setting in strength.SETTINGS:
        if setting.scenario:
            assert setting.scenario in rulescript.load(setting.game).scenarios


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_with_as_much_time_for_the_other(seat: int) -> None:
    played = play(Setting(SKIRMISH, playouts=20), "playout", seat, 3)
    assert played.score in (0.0, 0.5, 1.0)
    assert played.decisions and played.other_decisions
    mine, others = played.seconds / played.decisions, played.other_seconds / played.other_decisions
    assert others > mine / 4  # a short game: it is told what the other takes only as it goes on


def test_a_table_row(capsys: pytest.CaptureFixture[str]) -> None:
    games = [Played(1.0, 2.0, 10, 1.0, 5), Played(0.5, 2.0, 10, 3.0, 5), Played(1.0, 2.0, 10, 1.0, 10)]
    row = row_of(Setting("valley", "late", playouts=7), "playout", games)
    assert row["share"] == pytest.approx(2.5 / 3) and row["ms"] == 200 and row["other_ms"] == 250
    low, high = row["interval"]
    assert 0 < low < row["share"] < high <= 1
    strength.say(row)
    assert "valley (late)" in (out := capsys.readouterr().out) and "reached" in out and "83.3%" in out


def test_a_turn_is_timed() -> None:
    mean, most = turns(Setting(SKIRMISH), 1)
    assert 0 < mean <= most


@pytest.mark.long
def test_it_ends_when_its_time_is_over() -> None:
    rows = strength.measure(Setting(SKIRMISH, playouts=20, random_pairs=500, playout_pairs=500), 1, 0.02, False)
    assert all(0 < row["games"] < 200 for row in rows[:2])
