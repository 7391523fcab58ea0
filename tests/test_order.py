"""The order in which several processes run the tests: nothing is lost, and each has as much to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.order import HERE, ordered, read_seconds


class Item(NamedTuple):
    path: Path
    number: int


def items(*files: tuple[str, int]) -> list[Any]:
    return [Item(HERE / name, number) for name, many in files for number in range(many)]


FILES = items(
    ("a/test_quick.py", 50), ("a/test_slow.py", 3), ("b/test_slower.py", 2), ("games/lakes/test_one.py", 2),
    ("games/hills/test_one.py", 1), ("games/lakes/test_two.py", 2), ("games/test_all.py", 40),
)  # fmt: skip
SECONDS = {"a/test_slow.py": 30, "b/test_slower.py": 50, "games/lakes/test_one.py": 15, "games/lakes/test_two.py": 10}


@pytest.mark.parametrize("processes", [1, 2, 3, 7])
def test_every_test_is_run_once_and_those_of_a_file_in_their_order(processes: int) -> None:
    found = ordered(FILES, processes, SECONDS)
    assert sorted(found) == sorted(FILES)  # type: ignore[type-var]
    for path in {item.path for item in found}:
        numbers = [item.number for item in found if item.path == path]  # type: ignore[attr-defined]
        assert numbers == list(range(len(numbers)))


def test_each_process_has_as_much_to_do_and_begins_with_what_is_slow() -> None:
    found = ordered(FILES, 2, SECONDS)
    half = len(found) // 2
    runs = [list(dict.fromkeys(item.path.relative_to(HERE).as_posix() for item in run))
            for run in (found[:half], found[half:])]  # fmt: skip
    assert runs[0][0] == "b/test_slower.py"
    # Those of one printed game together, before what takes no time.
    assert runs[1][:3] == ["a/test_slow.py", "games/lakes/test_one.py", "games/lakes/test_two.py"]
    assert sum(SECONDS.get(file, 0) for file in runs[0]) == 50
    assert sum(SECONDS.get(file, 0) for file in runs[1]) == 55


def test_the_times_are_of_files_that_there_are() -> None:
    assert len(read_seconds()) > 50
    assert [file for file in read_seconds() if not (HERE / file).is_file()] == []
