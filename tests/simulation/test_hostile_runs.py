"""Folders of runs that a stranger made: whatever lies in them, a report says what is wrong, soon, and leaves it out."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulescript.errors import BadRun
from rulescript.simulation import open_run, open_sweep, simulate
from rulescript.simulation import plain_files as plain
from rulescript.simulation.page import run_page

PAGE = Path(__file__).parents[2] / "docs" / "cookbook" / "01-first-turn.rules.md"
PART = "games-000000000000-000000000005.jsonl.gz"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import rulescript

    folder = tmp_path_factory.mktemp("run") / "base"
    simulate(rulescript.load(PAGE), 6, out=folder, format="jsonl", jobs=1)
    assert (folder / PART).exists(), list(folder.iterdir())
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def _said(folder: Path) -> str:
    """What is wrong with a run, in our own words; a page about it can be written."""
    try:
        run = open_run(folder)
    except BadRun as problem:
        return str(problem)
    run_page(run)
    return " ".join(run.problems)


# ---- the files themselves ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["run.json", PART])
@pytest.mark.parametrize("sort", ["pipe", "link", "endless link", "folder", "nothing in it", "other bytes"])
def test_only_plain_files_are_read(folder: Path, name: str, sort: str) -> None:
    place = folder / name
    kept = place.read_bytes()
    place.unlink()
    match sort:
        case "pipe":
            os.mkfifo(place)
        case "link":
            (folder / "elsewhere").write_bytes(kept)
            place.symlink_to(folder / "elsewhere")
        case "endless link":
            place.symlink_to("/dev/zero")
        case "folder":
            place.mkdir()
        case "nothing in it":
            place.write_bytes(b"")
        case _:
            place.write_bytes(b"\xff\xfe\x00" * 9)
    assert "damaged" in _said(folder) or "cannot be read" in _said(folder)


def test_a_part_is_not_unpacked_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulescript.simulation.parts.MOST_UNPACKED", 1_000_000)
    for content in (b"0" * 3_000_000, b"\n" * 3_000_000, (folder / PART).read_bytes()[:9] + b"0" * 3_000_000):
        (folder / PART).write_bytes(gzip.compress(content))
        assert "damaged" in _said(folder)


def test_a_file_that_is_too_large_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MOST_SAID", 100)
    assert "damaged" in _said(folder)


def test_a_name_that_promises_a_billion_games_is_cheap(folder: Path) -> None:
    (folder / PART).rename(folder / "games-000000000000-999999999999.jsonl.gz")
    assert "other games than its name says" in _said(folder)


# ---- what they say -----------------------------------------------------------------------------------------

SAYINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "endless seed": lambda said: json.dumps({**said, "seed": 17}).replace('"seed": 17', '"seed": Infinity'),
    "endless number": lambda said: json.dumps({**said, "games": 17}).replace('"games": 17', '"games": 1e999'),
    "no number": lambda said: json.dumps({**said, "games": 17}).replace('"games": 17', '"games": NaN'),
    "too deep": lambda said: "[" * 200_000,
    "too deep within": lambda said: json.dumps(said)[:-1] + ', "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "half a letter": lambda said: json.dumps({**said, "about": {**said["about"], "title": "\ud800"}}),
    "ten thousand digits": lambda said: json.dumps(said)[:-1] + ', "x": ' + "9" * 10_000 + "}",
    "no roles": lambda said: json.dumps({**said, "about": {**said["about"], "roles": [{}]}}),
    "a list": lambda said: "[]",
}


@pytest.mark.parametrize("name", SAYINGS)
def test_what_a_run_says_of_itself_is_looked_at(folder: Path, name: str) -> None:
    said = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(SAYINGS[name](said), encoding="utf-8")
    with pytest.raises(BadRun, match="damaged"):
        open_run(folder)


ROWS: dict[str, Any] = {
    "seed": ["x", [], None, 1.5, True, 2**80],
    "failure": [7, None, []],
    "is_over": [1, "yes", None],
    "winners": [5, None, [[1]], [{}], [7]],
    "how": [{}, None, 3],
    "scores": ["ab", [1], [None, None], ["a", "b"], [1e300, 1.0], [1.0, 0.0, 0.0]],
    "first": [[], None, 3],
    "decisions": ["1", None, 10**400, 2**40],
    "asked": [5, [1], ["a", "b"]],
    "turns": ["1", None, 10**15],
    "standing": ["ab", [1], [None, 1], [2**70, 1]],
    "by_turn": [5, [{"turn": 1}], [{"turn": 10**12, "standing": []}], [{"turn": 1, "standing": [1]}]],
    "uses": [5, [{}], [{"sort": {}, "name": [], "role": 3, "times": "x", "offered": None}]],
}


@pytest.mark.parametrize("key", ROWS)
def test_every_value_of_a_game_is_looked_at(folder: Path, key: str) -> None:
    lines = gzip.decompress((folder / PART).read_bytes()).decode().splitlines()
    for value in ROWS[key]:
        row = json.dumps({**json.loads(lines[1]), key: value})
        (folder / PART).write_bytes(gzip.compress("\n".join([lines[0], row, *lines[2:]]).encode()))
        said = _said(folder)
        assert "damaged" in said or "other games" in said, (key, value)


def test_numbers_that_are_none_and_rows_without_end_are_damage(folder: Path) -> None:
    lines = gzip.decompress((folder / PART).read_bytes()).decode().splitlines()
    for row in (
        lines[1].replace('"decisions":', '"decisions":NaN,"x":', 1),
        lines[1][:-1] + ',"x":' + "[" * 100_000 + "]" * 100_000 + "}",
        "[]",
    ):
        (folder / PART).write_bytes(gzip.compress("\n".join([lines[0], row, *lines[2:]]).encode()))
        assert "damaged" in _said(folder)


@pytest.mark.parametrize("missing", ["winners", "how", "uses", "standing", "seed"])
def test_what_is_missing_from_a_column_is_damage(tmp_path: Path, missing: str) -> None:
    import rulescript

    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "run"
    simulate(rulescript.load(PAGE), 6, out=folder, format="parquet", jobs=1)
    (part,) = folder.glob("games-*.parquet")
    table = pq.read_table(part)
    at = table.schema.get_field_index(missing)
    column = table.schema.field(at)
    pq.write_table(table.set_column(at, column, pa.array([None] * table.num_rows, column.type)), part)
    assert "damaged" in _said(folder)


@pytest.mark.parametrize(
    "text", ['{"name": "x", "runs": []}', '{"name": "x", "runs": [[Infinity, "a"]]}', "[" * 99_999]
)
def test_a_sweep_is_looked_at(tmp_path: Path, text: str) -> None:
    (tmp_path / "sweep.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadRun, match="damaged"):
        open_sweep(tmp_path)


def test_a_sweep_is_no_pipe_and_names_nothing_elsewhere(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sweep.json")
    with pytest.raises(BadRun, match="damaged"):
        open_sweep(tmp_path)
    (tmp_path / "sweep.json").unlink()
    (tmp_path / "sweep.json").write_text('{"name": "x", "runs": [[1, "../other"]]}', encoding="utf-8")
    with pytest.raises(BadRun, match="elsewhere"):
        open_sweep(tmp_path)
