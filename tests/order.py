"""In which order tests are run by several processes: slow files first, so that nobody waits for the last one.

xdist gives each process a run of tests, as many to each, and lets one that has finished take from the end of another's
(`--dist worksteal`). So each run is given as much work as the others, and at its end as many of the tests that take no
time as fill it up. A file's tests stay together, and so do those of a printed game, which is then read by one process
and not by all. `seconds.txt` says what files take, roughly and only where it is more than half a second: one that is
not there is quick. `python -m tests.order` runs all tests in one process and writes it anew."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SECONDS = HERE / "seconds.txt"
# A file whose tests take less on an average has many of them: they fill up the runs.
QUICK = 0.06


def file_of(item: pytest.Item) -> str:
    """`docgen/test_kept.py`"""
    return item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else str(item.path)


def kept_together(file: str) -> str:
    """What one process should run: a file, or the folder of a printed game."""
    room, _, rest = file.partition("/")
    return f"{room}/{rest.partition('/')[0]}" if room == "games" and "/" in rest else file


def read_seconds() -> dict[str, int]:
    lines = [line.split() for line in SECONDS.read_text(encoding="utf-8").splitlines()]
    return {file: int(seconds) for seconds, file in lines}


def ordered(items: Sequence[pytest.Item], processes: int, seconds: Mapping[str, int]) -> list[pytest.Item]:
    """As many runs as processes, with as much work in each, slow files before quick ones."""
    groups: dict[str, list[pytest.Item]] = {}
    work: Counter[str] = Counter()
    for item in items:
        groups.setdefault(kept_together(file_of(item)), []).append(item)
    for file, each in seconds.items():
        work[kept_together(file)] += each
    runs: list[list[pytest.Item]] = [[] for _ in range(processes)]
    load = [0] * processes
    slow = [name for name, group in groups.items() if work[name] > QUICK * len(group)]
    for name in sorted(slow, key=lambda name: (-work[name], name)):
        at = load.index(min(load))
        runs[at] += groups[name]
        load[at] += work[name]
    quick = [item for name, group in groups.items() if name not in slow for item in group]
    for at, run in enumerate(runs):
        missing = max(0, (len(items) - sum(map(len, runs[:at]))) // (processes - at) - len(run))
        run += quick[:missing]
        del quick[:missing]
    return [item for run in runs for item in run] + quick


class Times:
    """How long the tests of each file take: processor time, that of the processes they start included."""

    def __init__(self) -> None:
        self.took: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        began = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            self.took[file_of(item)] += round(1_000 * (sum(os.times()[:4]) - began))

    def text(self) -> str:
        """What takes longest first."""
        seconds = [(round(took / 1_000), file) for file, took in self.took.items()]
        return "".join(f"{took} {file}\n" for took, file in sorted(seconds, key=lambda x: (-x[0], x[1])) if took)


if __name__ == "__main__":
    times = Times()
    pytest.main(["-q", "-p", "no:cacheprovider", str(HERE)], plugins=[times])
    SECONDS.write_text(times.text(), encoding="utf-8")
