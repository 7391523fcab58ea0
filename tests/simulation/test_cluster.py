"""On a Dask cluster of separate processes: the same results, whatever becomes of a worker."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import rulescript
from rulescript.errors import BadRun
from rulescript.runtime.game import Game
from rulescript.simulation import cluster, driver, open_run, simulate
from rulescript.simulation.job import Job, job_of, load_job
from rulescript.simulation.sent_files import packed
from tests.simulation.conftest import FAIR

GAMES = 60


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made


@pytest.mark.long
def test_a_worker_killed_in_the_middle_loses_nothing_and_nothing_counts_twice(
    fair: Game, workers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "PART_SECONDS", 0.0)
    victim = next(iter(workers.workers.values())).process.pid
    told: list[int] = []

    def progress(games: int) -> None:
        told.append(games)
        if len(told) == 4:
            os.kill(victim, signal.SIGKILL)

    run = simulate(fair, GAMES, dask=workers.scheduler_address, out=tmp_path / "run", progress=progress)
    alone = simulate(fair, GAMES, jobs=1)
    assert len(told) > 6 and sum(told) == GAMES
    assert run.summary == alone.summary
    assert open_run(tmp_path / "run").summary == alone.summary


@pytest.mark.long
def test_a_rule_that_goes_wrong_there_is_told_here(workers: Any, tmp_path: Path) -> None:
    text = (
        Path(FAIR).read_text().replace("who.coins += this.worth", "who.coins += 1 / (who.coins - who.coins) rounded up")
    )
    (tmp_path / "wrong.rules").write_text(text)
    run = simulate(rulescript.load(tmp_path / "wrong.rules"), 40, dask=workers.scheduler_address)
    assert run.summary.failed == simulate(rulescript.load(tmp_path / "wrong.rules"), 40, jobs=1).summary.failed > 0


def test_a_scheduler_that_does_not_answer_is_told(fair: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "WAIT", 0.4)
    simulate(fair, 5, jobs=1, out=tmp_path / "run")
    for address in ("tcp://127.0.0.1:1", "ftp://x:1", ""):
        with pytest.raises(BadRun, match="no Dask scheduler answers"):
            simulate(fair, 50, dask=address, out=tmp_path / "run")
    assert open_run(tmp_path / "run").summary.games == 5, "what was computed is kept"


def test_an_error_of_dasks_own_is_told_too(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def no_loop(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(distributed, "Client", no_loop)
    with pytest.raises(BadRun, match=r"no Dask scheduler answers at `tcp://x:1` \(AssertionError\)"):
        simulate(fair, 5, dask="tcp://x:1")


def test_a_scheduler_without_workers_is_told(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "WAIT", 0.4)
    empty = distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50)
    with empty, pytest.raises(BadRun, match="has no workers"):
        simulate(fair, 50, dask=empty.scheduler_address)


def test_without_dask_it_is_told_what_to_install(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadRun, match="not installed") as problem:
        simulate(fair, 5, dask="tcp://127.0.0.1:1")
    assert "rulescript[cluster]" in str(problem.value.hint)


# ---- a game that others do not have ------------------------------------------------------------------------


def test_a_game_goes_along_with_its_files_and_its_base(tmp_path: Path) -> None:
    (tmp_path / "fair.rules").write_text(Path(FAIR).read_text())
    folder = tmp_path / "night_fair"
    (folder / "more").mkdir(parents=True)
    (folder / "game.rules").write_text(
        'rulescript 1\n\ngame "Night fair"\n    builds on fair\n\ninclude "more/wages.rules"\n'
    )
    (folder / "more" / "wages.rules").write_text("rulescript 1\n\nadjust wages() add 3\n")
    game = rulescript.load(folder)
    job = packed(job_of(game))
    assert len(job.files) == 3
    here = simulate(game, 10, jobs=1).summary
    shutil.move(tmp_path / "fair.rules", tmp_path / "gone")
    shutil.move(folder, tmp_path / "gone_too")
    there = load_job(job)
    assert there.rules_hash == game.rules_hash
    assert simulate(there, 10, jobs=1).summary == here


def test_bundled_games_stay_where_they_are() -> None:
    job = Job("attrition_of_souls", "any")
    assert packed(job) is job


def test_other_rules_there_are_refused(fair: Game, tmp_path: Path) -> None:
    job = packed(job_of(fair))
    ((name, text),) = job.files
    with pytest.raises(rulescript.BadOption, match="not those that the run was begun with"):
        load_job(evolve(job, files=((name, text.replace("worth 3", "worth 4")),)))
    with pytest.raises(BadRun, match="no name for a file"):
        load_job(evolve(job, files=((f"../{name}", text),)))
