"""What is written down of a game is what happened in it, and the same whoever plays it."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from typing import Any

import pytest

import rulescript
from rulescript.runtime.game import Game
from rulescript.runtime.playouts import play_from_start
from rulescript.simulation.items import items_of
from rulescript.simulation.job import job_of
from rulescript.simulation.recorder import Recorder


def _rows(game: Game, count: int, **settings: Any) -> list[dict[str, Any]]:
    return Recorder(game, job_of(game, **settings)).rows(range(count))


def _without_following(row: dict[str, Any]) -> dict[str, Any]:
    uses = [use for use in row["uses"] if use[0] not in ("rule", "text")]
    return {**row, "uses": sorted(uses), "is_followed": None, "by_turn": None}


def test_a_row_tells_what_a_position_of_the_same_game_tells(fair: Game) -> None:
    """Played again with the same answers, a decision at a time, by the ordinary way to play."""
    for seed in range(12):
        row = _rows(fair, seed + 1, follow=1)[seed]
        position, rng = fair.start(seed), random.Random(seed)
        taken: Counter[tuple[str, str]] = Counter()
        asked: Counter[str] = Counter()
        texts: Counter[tuple[str, str]] = Counter()
        turns = []
        while position.decision is not None:
            decision = position.decision
            if position.value("day") not in [day for day, _ in turns]:
                turns.append((position.value("day"), list(position.standing().values())))
            options: Any = decision.options
            option = options[int(rng.random() * len(options))]
            taken[option.label, decision.player] += 1
            asked[decision.player] += 1
            before = position.value(f"{decision.player}.coins")
            position.choose(option)
            if option.label == "act" and position.value(f"{decision.player}.coins") != before:
                texts[option.args["c"]["name"].rpartition("_")[0], decision.player] += 1
        assert position.outcome is not None
        assert row["winners"] == list(position.outcome.winners)
        assert row["how"] == position.outcome.how
        assert row["standing"] == list(position.standing().values())
        assert row["asked"] == [asked["Ada"], asked["Bert"]]
        assert [numbers for _, numbers in row["by_turn"]] == [numbers for _, numbers in turns]
        assert row["turns"] == 4 and row["first"] == "Ada"
        ways = {(name.rpartition(".")[2], role): times for s, name, role, times, _ in row["uses"] if s == "way"}
        assert ways == dict(taken)
        told = {(name.split()[1], role): times for s, name, role, times, _ in row["uses"] if s == "text"}
        assert told == dict(texts)


@pytest.mark.parametrize(
    "where", ["fair", "docs/cookbook/30-sealed-choices.rules.md", "docs/cookbook/36-asides.rules.md"]
)
def test_following_and_the_quick_form_change_nothing(where: str, fair: Game) -> None:
    game = fair if where == "fair" else rulescript.load(where)
    plain = _rows(game, 30, follow=0)
    game.prepare()
    quick, followed = _rows(game, 30, follow=0), _rows(game, 30, follow=1)
    assert [_without_following(row) for row in quick] == [_without_following(row) for row in plain]
    assert [_without_following(row) for row in followed] == [_without_following(row) for row in plain]
    assert [row["decisions"] for row in plain] == [play_from_start(game, seed, 100_000)[1] for seed in range(30)]


def test_which_games_are_followed_is_said_by_their_seeds(fair: Game) -> None:
    recorder = Recorder(fair, job_of(fair, follow=4))
    assert [row["is_followed"] for row in recorder.rows(range(6, 14))] == [False, False, True, False] * 2
    assert recorder.row(8) == recorder.rows(range(9))[8]


def test_everything_used_is_in_the_list_of_what_could_be(fair: Game) -> None:
    known = items_of(fair)
    for row in _rows(fair, 40, follow=1):
        for sort, name, *_ in row["uses"]:
            assert name in known[sort], (sort, name)
    assert set(known["card"]) == {"Card Silk", "Card Clay", "Card Dust"}
    assert set(known["way"]) == {"market.act", "market.act.work", "market.act.sleep"}


def test_of_those_who_think_it_is_told_what_they_could_have_done(fair: Game) -> None:
    row = _rows(fair, 1, bots=("search:4", "random"), follow=1)[0]
    offered = {(sort, name, role): (times, of) for sort, name, role, times, of in row["uses"]}
    assert offered["way", "market.act.work", "Ada"][1] == 4
    assert all(times <= of for (sort, _, role), (times, of) in offered.items() if sort == "answer" and role == "Ada")
    assert not any(of for (_, _, role), (_, of) in offered.items() if role == "Bert")
    assert row["is_followed"] and any(sort == "rule" for sort, _, _ in offered)
    assert _rows(fair, 1, bots=("search:4", "random"), follow=1)[0] == row


def test_bare_rows_have_results_alone(fair: Game) -> None:
    bare, full = _rows(fair, 5, uses=False), _rows(fair, 5, follow=0)
    assert all(row["uses"] == [] for row in bare)
    assert [{**row, "uses": []} for row in full] == bare


def test_many_games_take_no_more_memory_than_some(fair: Game) -> None:
    """What is remembered for later is bounded. (For a hundred thousand games `make bench` measures it.)"""
    recorder = Recorder(fair.prepare(), job_of(fair))
    recorder.rows(range(600))
    tracemalloc.start()
    try:
        recorder.rows(range(600, 700))
        before, _ = tracemalloc.get_traced_memory()
        for first in range(700, 1_900, 100):
            recorder.rows(range(first, first + 100))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 60_000, "the games themselves would be more than half a megabyte"


def test_what_answers_mean_is_forgotten_in_time(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(fair, job_of(fair, follow=1))
    known = recorder.rows(range(40))
    monkeypatch.setattr("rulescript.simulation.recorder.MOST_KNOWN", 3)
    again = Recorder(fair, job_of(fair, follow=1))
    assert again.rows(range(40)) == known
    assert len(again._meanings) < len(recorder._meanings) and len(again._behind) <= 5
