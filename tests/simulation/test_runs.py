"""Runs come out alike however they are played, stopped and gone on with; what is damaged is told and played again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import rulescript
from rulescript.errors import BadCall, BadOption, BadRun
from rulescript.loader import bundled_games
from rulescript.runtime.game import Game
from rulescript.simulation import driver, open_run, simulate
from rulescript.simulation.crew import Crew
from rulescript.simulation.items import items_of
from rulescript.simulation.parts import FORMATS, decoded, encoded, has_parquet
from rulescript.simulation.run_folder import MANIFEST, RunFolder
from tests.games.sources import game
from tests.simulation.conftest import FAIR

KNOWN = [format for format in FORMATS if format == "jsonl" or has_parquet()]


@pytest.fixture(scope="module")
def whole(fair: Game) -> Any:
    return simulate(fair, 40, jobs=1, seed=5).summary


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game is a part of its own."""
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "PART_SECONDS", 0.0)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)


@pytest.mark.usefixtures("_small_parts")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("format", KNOWN)
def test_the_same_seeds_give_the_same_results(fair: Game, tmp_path: Path, whole: Any, jobs: int, format: str) -> None:
    run = simulate(fair, 40, jobs=jobs, seed=5, out=tmp_path / "run", format=format)
    assert run.summary == whole
    again = open_run(tmp_path / "run")
    assert again.summary == whole and again.is_complete and not again.problems
    assert len(list((tmp_path / "run").glob("games-*"))) == 40
    assert [row["seed"] for row in again.rows()] == list(range(5, 45))


@pytest.mark.usefixtures("_small_parts")
def test_a_run_goes_on_where_it_was_and_further(fair: Game, tmp_path: Path, whole: Any) -> None:
    simulate(fair, 16, jobs=1, seed=5, out=tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("games-*")}
    told: list[int] = []
    run = simulate(fair, 40, jobs=1, seed=5, out=tmp_path / "run", progress=told.append)
    assert run.summary == whole and sum(told) == 40
    assert all((tmp_path / "run" / name).read_bytes() == content for name, content in before.items())
    assert simulate(fair, 9, jobs=1, seed=5, out=tmp_path / "run").summary == whole, "nothing is thrown away"


@pytest.mark.usefixtures("_small_parts")
@pytest.mark.parametrize("format", KNOWN)
@pytest.mark.parametrize("harm", ["cut", "empty", "other", "swapped"])
def test_a_damaged_part_is_told_and_played_again(
    fair: Game, tmp_path: Path, whole: Any, format: str, harm: str
) -> None:
    folder = tmp_path / "run"
    simulate(fair, 40, jobs=1, seed=5, out=folder, format=format)
    parts = sorted(folder.glob("games-*"))
    part, content = parts[1], parts[1].read_bytes()
    bad = {
        "cut": content[: len(content) // 2],
        "empty": b"",
        "other": b"\x89PNG and so on",
        "swapped": parts[0].read_bytes(),
    }
    part.write_bytes(bad[harm])
    found = open_run(folder)
    assert [part.name in problem for problem in found.problems] == [True]
    first, last = map(int, part.name.split(".")[0].split("-")[1:])
    assert found.summary.games == 40 - (last - first + 1) and not found.is_complete
    run = simulate(fair, 40, jobs=1, seed=5, out=folder)
    assert run.summary == whole
    assert open_run(folder).summary == whole and open_run(folder).problems == []
    assert (folder / f"damaged-{part.name}").exists()


@pytest.mark.usefixtures("_small_parts")
def test_games_that_are_there_twice_count_once(fair: Game, tmp_path: Path, whole: Any) -> None:
    folder = tmp_path / "run"
    simulate(fair, 40, jobs=1, seed=5, out=folder, format="jsonl")
    rows = list(open_run(folder).rows())
    (folder / "games-000000000003-000000000009.jsonl.gz").write_bytes(encoded(rows[3:10], "jsonl"))
    found = open_run(folder)
    assert found.summary == whole and len(found.problems) == 7


@pytest.mark.usefixtures("_small_parts")
def test_a_part_that_was_being_written_is_forgotten(fair: Game, tmp_path: Path, whole: Any) -> None:
    folder = tmp_path / "run"
    simulate(fair, 16, jobs=1, seed=5, out=folder)
    (folder / ".games-000000000016-000000000019.jsonl.gz.12ab.tmp").write_bytes(b"half")
    assert open_run(folder).problems == []
    assert simulate(fair, 40, jobs=1, seed=5, out=folder).summary == whole
    assert not list(folder.glob(".*.tmp"))


def test_a_run_that_is_killed_goes_on(fair: Game, tmp_path: Path) -> None:
    """Killed at once, by the system, with its processes at work: what is whole counts."""
    folder = tmp_path / "run"
    code = (
        "import rulescript; from rulescript.simulation import driver, simulate; driver.PART_SECONDS = 0.05; "
        "driver.ALONE_SECONDS = 0.0\n"
        f"if __name__ == '__main__': simulate(rulescript.load({FAIR!r}), 100_000, jobs=2, out={str(folder)!r})"
    )
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    try:
        until = time.monotonic() + 60
        while len(list(folder.glob("games-*"))) < 4 and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    kept = open_run(folder)
    assert kept.summary.games > 3 and not kept.is_complete and kept.problems == []
    games = max(part.last for part in RunFolder.open(folder).parts()) + 40
    run = simulate(fair, games, jobs=1, out=folder)
    assert run.summary == simulate(fair, games, jobs=1, follow=kept.job.follow).summary


@pytest.mark.usefixtures("_small_parts")
@pytest.mark.parametrize("jobs", [1, 2])
def test_who_stops_it_keeps_what_was_played(fair: Game, tmp_path: Path, jobs: int) -> None:
    done = 0

    def stop(games: int) -> None:
        nonlocal done
        done += games
        if done > 12:
            raise KeyboardInterrupt

    run = simulate(fair, 5_000, jobs=jobs, seed=5, out=tmp_path / "run", progress=stop)
    assert not run.is_complete and 12 < run.summary.games < 5_000
    assert open_run(tmp_path / "run").summary == run.summary


def test_another_run_in_the_folder_is_refused(fair: Game, tmp_path: Path) -> None:
    simulate(fair, 3, jobs=1, out=tmp_path / "run", format="jsonl")
    before = sorted(path.name for path in (tmp_path / "run").iterdir())
    for words, change in (
        ("seed", {"seed": 1}), ("bots", {"bots": ("search:3", "random")}), ("what is recorded", {"follow": 3}),
        ("begun as jsonl", {"format": "parquet"}), ("limit", {"limit": 9}),
    ):  # fmt: skip
        with pytest.raises(BadRun, match=words):
            simulate(fair, 3, jobs=1, out=tmp_path / "run", **change)
    with pytest.raises(BadRun, match="the rules of the game, options differ"):
        simulate(rulescript.load(FAIR, options=["rain"]), 3, jobs=1, out=tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == before


def test_a_folder_that_is_no_run_is_left_alone(fair: Game, tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(BadRun, match="is no run"):
        simulate(fair, 3, out=tmp_path)
    with pytest.raises(BadRun, match="is no run"):
        simulate(fair, 3, out=tmp_path / "letters.txt")
    with pytest.raises(BadRun, match="cannot be made"):
        simulate(fair, 3, out=tmp_path / "letters.txt" / "run")
    with pytest.raises(BadRun, match="there is no run in"):
        open_run(tmp_path / "nowhere")


@pytest.mark.parametrize("harm", ["", "{", "[]", '{"format": 9, "rulescript": "7"}', '{"format": 1, "rulescript": 0}'])
def test_a_damaged_manifest_is_told(fair: Game, tmp_path: Path, harm: str) -> None:
    simulate(fair, 3, jobs=1, out=tmp_path / "run", format="jsonl")
    (tmp_path / "run" / MANIFEST).write_text(harm)
    with pytest.raises(BadRun, match="damaged|another version"):
        open_run(tmp_path / "run")
    with pytest.raises(BadRun):
        simulate(fair, 5, jobs=1, out=tmp_path / "run")
    assert len(list((tmp_path / "run").glob("games-*"))) == 1


def test_every_field_of_the_manifest_is_looked_at(fair: Game, tmp_path: Path) -> None:
    simulate(fair, 3, jobs=1, out=tmp_path / "run", format="jsonl")
    path = tmp_path / "run" / MANIFEST
    data = json.loads(path.read_text())
    for key in ("format", "games", "seed", "parts", "job", "about"):
        path.write_text(json.dumps({name: value for name, value in data.items() if name != key}))
        with pytest.raises(BadRun):
            open_run(tmp_path / "run")
    for key in data["job"]:
        path.write_text(json.dumps(data | {"job": {name: v for name, v in data["job"].items() if name != key}}))
        with pytest.raises(BadRun):
            open_run(tmp_path / "run")


def test_two_do_not_write_into_one_folder(fair: Game, tmp_path: Path) -> None:
    simulate(fair, 3, jobs=1, out=tmp_path / "run")
    folder = RunFolder.open(tmp_path / "run")
    with folder.alone(), pytest.raises(BadRun, match="somebody else"):
        simulate(fair, 6, jobs=1, out=tmp_path / "run")
    code = (
        "import sys; from pathlib import Path; from rulescript.simulation.run_folder import RunFolder\n"
        f"with RunFolder.open(Path({str(tmp_path / 'run')!r})).alone(): print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"mine\n"
        with pytest.raises(BadRun, match="somebody else"):
            simulate(fair, 6, jobs=1, out=tmp_path / "run")
        other.kill()
    assert simulate(fair, 6, jobs=1, out=tmp_path / "run").summary.games == 6


def test_what_cannot_be_is_refused_at_once(fair: Game, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no bot is called `chess`"):
        simulate(fair, 3, bots=["chess", "random"], out=tmp_path / "run")
    with pytest.raises(BadOption, match="no budget"):
        simulate(fair, 3, bots=["search:0"], out=tmp_path / "run")
    with pytest.raises(BadOption, match="2 seats"):
        simulate(fair, 3, bots=["random", "random", "random"], out=tmp_path / "run")
    for call in ({"games": 0}, {"games": "many"}, {"limit": 0}, {"jobs": 0}, {"follow": -1}, {"seed": 0.5}):
        with pytest.raises(BadCall):
            simulate(fair, **{"games": 3, "out": tmp_path / "run", **call})
    with pytest.raises(BadCall):
        simulate(FAIR, 3)  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()


def test_parts_are_the_same_bytes_again(fair: Game, tmp_path: Path) -> None:
    for name in ("a", "b"):
        simulate(fair, 20, jobs=1, out=tmp_path / name)
    first, second = (sorted((tmp_path / name).glob("games-*")) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.skipif(not has_parquet(), reason="needs pyarrow")
def test_both_formats_hold_the_same(fair: Game, tmp_path: Path) -> None:
    rows = []
    for format in FORMATS:
        simulate(fair, 20, jobs=1, out=tmp_path / format, format=format)
        rows.append([row for path in sorted((tmp_path / format).glob("games-*")) for row in decoded(path)])
    assert _plain(rows[0]) == _plain(rows[1])


def _plain(rows: Any) -> Any:
    return json.loads(json.dumps(rows))


@frozen
class Dying:
    """Work that ends its process: over one task once, or over all of them."""

    marker: Path
    here: int
    task: int | None = None

    def __call__(self) -> Callable[[int], int]:
        return self.work

    def work(self, task: int) -> int:
        if self.task is None or (task == self.task and not self.marker.exists()):
            assert os.getpid() != self.here
            self.marker.write_text("")
            os._exit(1)
        return task * task


def test_what_a_process_had_begun_that_is_gone_is_given_to_another(tmp_path: Path) -> None:
    crew = Crew(Dying(tmp_path / "died", os.getpid(), 3), 2)
    try:
        assert sorted(crew.do(range(12))) == [(task, task * task) for task in range(12)]
        assert (tmp_path / "died").exists()
    finally:
        crew.end()


def test_processes_that_end_over_the_same_part_again_and_again_are_told(tmp_path: Path) -> None:
    crew = Crew(Dying(tmp_path / "died", os.getpid()), 1)
    try:
        with pytest.raises(BadRun, match="ended 3 times"):
            list(crew.do(range(2)))
    finally:
        crew.end()


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_no_two_ways_to_answer_are_called_alike(name: str) -> None:
    """An aside is one way wherever it is taken; what one does where nothing else is done is not said twice."""
    ways = items_of(game(name))["way"]
    assert len(set(ways.values())) == len(ways)
    for way, called in ways.items():
        where, _, what = called.partition(": ")
        assert where.lower() != what, way
