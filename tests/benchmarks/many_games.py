"""Many games: whether memory and time stay level, what writing them down costs, and what more processes bring."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import rulescript
from rulescript.processes import cores
from rulescript.runtime.game import Game, uncollected
from rulescript.runtime.playouts import play_from_start
from rulescript.simulation import simulate
from rulescript.simulation.job import job_of
from rulescript.simulation.recorder import Recorder

SMALL = str(Path(__file__).resolve().parents[1] / "cli" / "games" / "skirmish.rules")
TENTHS = 10


def resident() -> float:
    """Megabytes that this process takes now; at most so far, where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def play_level(games: int) -> None:
    """In a process of its own: after each tenth of the games, megabytes and microseconds a game."""
    game = rulescript.load(SMALL).prepare()
    game.playouts(200, seed=99)
    for tenth in range(TENTHS):
        began = time.process_time()
        for part in range(games // TENTHS // 500):
            game.playouts(500, seed=tenth * 1_000 + part)
        spent = time.process_time() - began
        print(resident(), spent / (games // TENTHS) * 1e6)


def level(games: int) -> dict[str, Any]:
    """Random games of a small game in one process: what it takes after the first tenth of them, and after the last."""
    code = f"from tests.benchmarks.many_games import play_level; play_level({games})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = [tuple(map(float, line.split())) for line in run.stdout.splitlines()]
    return {
        "playouts in one process": games,
        "megabytes after a tenth": lines[0][0],
        "megabytes at the end": lines[-1][0],
        "grown by megabytes": lines[-1][0] - lines[0][0],
        "µs a game, first tenth": lines[0][1],
        "µs a game, last tenth": lines[-1][1],
    }


def recording(rounds: int) -> dict[str, Any]:
    """How much longer games take when they are written down, against playing them alone; alternately, by the median."""
    out: dict[str, Any] = {}
    for name, games in ((SMALL, 400), ("attrition_of_souls", 24), ("quartermaster_general_1914", 8)):
        game = rulescript.load(name).prepare()
        ways = {
            "results alone": Recorder(game, job_of(game, uses=False)),
            "choices and cards": Recorder(game, job_of(game, follow=0)),
            "as usual, one game of eight followed": Recorder(game, job_of(game)),
            "every game followed": Recorder(game, job_of(game, follow=1)),
        }
        ratios: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(-1, rounds):
            seeds = range(number * games, (number + 1) * games)
            plain = _plain(game, seeds)
            for way, recorder in ways.items():
                began = time.process_time()
                recorder.rows(seeds)
                if number >= 0:  # the first round is to get warm
                    ratios[way].append((time.process_time() - began) / plain)
        for way, found in ratios.items():
            out[f"{game.ident}: {way}"] = sorted(found)[len(found) // 2]
    return out


def _plain(game: Game, seeds: range) -> float:
    began = time.process_time()
    with uncollected():
        for seed in seeds:
            play_from_start(game, seed, 100_000)
    return time.process_time() - began


def speed_up(games: int) -> dict[str, Any]:
    """The same games in one process and in one for each core. By the clock that is worth something on an idle machine
    alone; so also by the processor time of all processes, in which everything counts that sharing costs."""
    game = rulescript.load("attrition_of_souls").prepare()
    simulate(game, 20, jobs=1)
    jobs = cores()
    spent, took = [], []
    for count in (1, jobs):
        before, began = _processor(), time.perf_counter()
        simulate(game, games, jobs=count)
        spent.append(_processor() - before)
        took.append(time.perf_counter() - began)
    return {
        "processes": jobs,
        "games": games,
        "of linear, by processor time": spent[0] / spent[1],
        "of linear, by the clock": took[0] / took[1] / jobs,
    }


def _processor() -> float:
    """Seconds of this process and of those it has ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def many_games(is_quick: bool) -> dict[str, Any]:
    return {
        **level(20_000 if is_quick else 100_000),
        **recording(5 if is_quick else 11),
        **speed_up(600 if is_quick else 3_000),
    }
