"""`make bench`: how fast it is, as ratios of runs made in the same minute.

Machines are shared and noisy, so processor time is measured, and every figure that matters is compared with
something run alternately with it: the compiled base game with the hand-written one, clone with copying a list of as
many integers. Prints a table; `--json` prints the figures for a program. Nothing here fails: it is measuring, not
testing.

What makes the two engines comparable: they ask the same questions with the same options. Whoever mobilizes, advances
or redeploys picks a tile, or stops, and then a place; tiles that are railed or lost together are picked one after the
other in a fixed order; what leaves no choice is not asked. So random play leads both through the same sort of games,
with as many decisions (about 390), and decisions a second and games a second tell the same. (An engine that asks
"where does this tile go, or does it stay?" of each tile in turn asks more and cheaper questions, and its armies are
larger, because nobody ever stops early: neither its decisions nor its games are worth as much work.) That the
questions are the same, option by option, is what the lockstep of tests/games/attrition_of_souls checks.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import handwritten_attrition as by_hand  # noqa: E402
from bytecodes import bytecodes  # noqa: E402
from many_games import many_games  # noqa: E402
from passes import what_passes_bring  # noqa: E402

import rulescript  # noqa: E402
from rulescript.cli.main import main as command  # noqa: E402
from rulescript.docgen import build_site  # noqa: E402

GAME = "attrition_of_souls"
PARTS = ["playouts", "games", "driving", "bytecodes", "clones", "passes", "growth", "loading", "many"]
OTHER_GAMES = ("imperial_tide", "quartermaster_general_1914", "to_the_last_man", "lamps_are_going_out")


def playouts(rounds: int, games: int) -> dict[str, Any]:
    """Random games of both engines, alternately; decisions and games a second of each."""
    game = rulescript.load(GAME).prepare()
    hand: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    by_hand_rng = Random(1)
    for _ in range(60):
        by_hand.playout(by_hand_rng)
    game.playouts(60, seed=99)
    lengths: list[float] = []
    for number in range(rounds):
        started = time.process_time()
        decisions = sum(by_hand.playout(by_hand_rng) for _ in range(games))
        spent = time.process_time() - started
        hand.append((decisions / spent, games / spent))
        started = time.process_time()
        results = game.playouts(games, seed=number)
        spent = time.process_time() - started
        total = sum(r.decisions for r in results)
        lengths.append(total / games)
        ours.append((total / spent, games / spent))
    ratios = [(o[0] / h[0], o[1] / h[1]) for o, h in zip(ours, hand, strict=True)]
    return {
        "hand-written decisions/s": statistics.median(h[0] for h in hand),
        "hand-written games/s": statistics.median(h[1] for h in hand),
        "compiled decisions/s": statistics.median(o[0] for o in ours),
        "compiled games/s": statistics.median(o[1] for o in ours),
        "decisions per game (hand-written)": statistics.mean(h[0] / h[1] for h in hand),
        "decisions per game (compiled)": statistics.mean(lengths),
        "ratio decisions/s, median": statistics.median(r[0] for r in ratios),
        "ratio games/s, median": statistics.median(r[1] for r in ratios),
        "ratio decisions/s, best": max(r[0] for r in ratios),
        "ratio games/s, best": max(r[1] for r in ratios),
    }


def drive(game: rulescript.Game, games: int, seeds: Random, journal: bool, by_option: bool) -> int:
    """Random games as a program plays them that looks at each decision; how many decisions there were."""
    decisions = 0
    pick = seeds.random
    for _ in range(games):
        position = game.start(seeds.getrandbits(30), journal=journal)
        decision = position.decision
        while decision is not None:
            options = decision.options
            at = int(pick() * len(options))
            position.choose(options[at] if by_option else at)
            decisions += 1
            decision = position.decision
    return decisions


def driving(rounds: int, games: int) -> dict[str, Any]:
    """Decisions a second of positions, against the hand-written engine: by index, by option, with a journal."""
    game = rulescript.load(GAME).prepare()
    ways = {
        "choose(index)": (False, False),
        "choose(option)": (False, True),
        "choose(index), with a journal": (True, False),
        "choose(option), with a journal": (True, True),
    }
    rng = Random(2)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    drive(game, 10, rng, False, True)
    for _ in range(20):
        by_hand.playout(rng)
    for _ in range(rounds):
        for name, (journal, by_option) in ways.items():
            started = time.process_time()
            decisions = sum(by_hand.playout(rng) for _ in range(games))
            hand = decisions / (time.process_time() - started)
            started = time.process_time()
            decisions = drive(game, games, rng, journal, by_option)
            ours = decisions / (time.process_time() - started)
            found[name].append((ours, ours / hand))
    out: dict[str, Any] = {}
    for name, figures in found.items():
        out[f"{name} decisions/s"] = statistics.median(each[0] for each in figures)
        out[f"{name} ratio, median"] = statistics.median(each[1] for each in figures)
        out[f"{name} ratio, best"] = max(each[1] for each in figures)
    return out


def counted(games: int) -> dict[str, Any]:
    """Instructions of Python that a decision takes, once what is remembered has been filled."""
    game = rulescript.load(GAME).prepare()
    rng = Random(3)
    ways: dict[str, Callable[[int], int]] = {
        "hand-written": lambda number: sum(by_hand.playout(rng) for _ in range(number)),
        "playouts": lambda number: sum(r.decisions for r in game.playouts(number, seed=number)),
        "choose(index)": lambda number: drive(game, number, rng, False, False),
        "choose(option)": lambda number: drive(game, number, rng, False, True),
    }
    out: dict[str, Any] = {}
    for name, play in ways.items():
        play(5 * games)
        out[f"{name} bytecodes per decision"] = bytecodes(lambda play=play: play(games))  # type: ignore[misc]
    return out


def growing_game(spaces: int, pieces: int, options: int) -> str:
    """A made-up game of so many spaces and pieces, in which somebody has about so many options."""
    out = ["rulescript 1", "", 'game "Growing"', "", "kind Side", "    holds box: Unit", "things"]
    out += ["    Side North", "    Side South", "", "players Side", "", "values Arm: foot, horse", ""]
    out += ["kind Town: number: int", "    state held: bool", "    holds units: Unit", ""]
    out += ["pieces Unit: side: Side, arm: Arm", "    home side.box", "", "state active: Side", "state score: int", ""]
    out += ["map Land", "    link road"]
    out += [f"    Town T{i}  number {i}" for i in range(spaces)]
    out += [f"    road T{i} - T{(i + 1) % spaces}" for i in range(spaces)]
    each = max(1, pieces // 4)
    out += ["", "counts Unit", "    |       | foot | horse |", f"    | North | {each} | {each} |"]
    out += [f"    | South | {each} | {each} |", ""]
    out += ["phase opening", *(f"    place 1 North foot in T{i}" for i in range(min(20, spaces))), ""]
    out += ["phase action", "    choose go: t in Town", f"        require t.number < {options}"]
    out += ["        t.held = yes", "        score += 1", "", "sequence", "    opening"]
    out += ["    for active in Side", "        action"] * 12 + ["    end game, draw", ""]
    return "\n".join(out) + "\n"


def _per(work: Callable[[], Any], rounds: int = 7) -> float:
    """Microseconds that a piece of work takes when it is done again and again: the best of some rounds."""
    work()
    started = time.process_time()
    work()
    number = max(1, int(0.002 / max(time.process_time() - started, 1e-7)))
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(number):
            work()
        best = min(best, (time.process_time() - started) / number)
    return best * 1e6


def grown(spaces: int, pieces: int, options: int, folder: Path) -> dict[str, float]:
    """What things cost in a game of some size."""
    path = folder / f"growing-{spaces}-{pieces}-{options}.rules"
    path.write_text(growing_game(spaces, pieces, options), encoding="utf-8")
    started = time.process_time()
    game = rulescript.load(path, cache=False)
    loading = time.process_time() - started
    started = time.process_time()
    position = game.start(1)
    opening = time.process_time() - started
    started = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        command(["check", str(path)])
    checking = time.process_time() - started
    started = time.process_time()
    build_site(game, folder / f"{path.stem}-reference")
    printing = time.process_time() - started
    asked = position.decision.options
    fresh = position.clone()

    def text_all() -> None:
        fresh._cached = None
        for option in fresh.decision.options:
            option.text  # noqa: B018

    return {
        "load and check ms": loading * 1e3,
        "set-up ms": opening * 1e3,
        "options": len(asked),
        "decision us": _per(lambda: position.clone(journal=False).choose(0).decision),
        "clone us": _per(position.clone),
        "text of one us": _per(text_all) / len(asked),
        "view us": _per(lambda: position.view("North").to_dict()),
        "check ms": checking * 1e3,
        "reference ms": printing * 1e3,
    }


def growth(is_quick: bool) -> dict[str, Any]:
    """How costs grow with spaces, pieces and options, one at a time."""
    sizes = [(n, 100, 10) for n in ((30, 100, 300) if is_quick else (30, 100, 300, 1_000))]
    sizes += [(30, n, 10) for n in ((100, 1_000) if is_quick else (100, 500, 1_000, 5_000))]
    sizes += [(300 if is_quick else 2_000, 100, n) for n in ((10, 100, 300) if is_quick else (10, 100, 500, 2_000))]
    with tempfile.TemporaryDirectory() as folder:
        rows = {size: grown(*size, Path(folder)) for size in sizes}
    return {
        f"{spaces} spaces, {pieces} pieces, {options} options": row for (spaces, pieces, options), row in rows.items()
    }


def other_games(rounds: int, games: int) -> dict[str, Any]:
    """Random games of the other complete games: the best decisions a second, and how long a game is."""
    out: dict[str, Any] = {}
    for name in OTHER_GAMES:
        started = time.process_time()
        game = rulescript.load(name).prepare()
        out[f"{name} ready after s"] = time.process_time() - started
        game.playouts(10, seed=99)
        speeds, decisions = [], 0
        for number in range(rounds):
            started = time.process_time()
            played = sum(r.decisions for r in game.playouts(games, seed=number))
            speeds.append(played / (time.process_time() - started))
            decisions += played
        out[f"{name} decisions/s"] = max(speeds)
        out[f"{name} decisions per game"] = decisions / (rounds * games)
    return out


def passes(is_quick: bool) -> dict[str, Any]:
    """How much longer play takes without each pass of the search form."""
    out = what_passes_bring(GAME, 20 if is_quick else 60, 10_000)
    for name in OTHER_GAMES:
        out |= what_passes_bring(name, 3 if is_quick else 12, 300)
    return out


def clones(rounds: int) -> dict[str, Any]:
    """Cloning a mid-game position against copying a flat list of as many integers."""
    game = rulescript.load(GAME)
    position = game.start(seed=5, journal=False)
    rng = Random(5)
    for _ in range(150):
        if position.decision is None:
            break
        position.choose(rng.randrange(len(position.decision.options)))
    flat = list(range(len(position.s)))
    number = 20_000
    ratios, microseconds = [], []
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(number):
            flat[:]
        copying = time.process_time() - started
        started = time.process_time()
        for _ in range(number):
            position.clone()
        cloning = time.process_time() - started
        ratios.append(cloning / copying)
        microseconds.append(cloning / number * 1e6)
    return {
        "clone µs": min(microseconds),
        "integers in the state": len(flat),
        "clone / copy of as many integers": statistics.median(ratios),
    }


def large_game(lines: int) -> str:
    """A made-up game of about so many lines: many towns, many cards, many rules."""
    out = ["rulescript 1", "", 'game "Large"', "", "kind Side", "    holds box: Unit", "things"]
    out += ["    Side North", "    Side South", "", "players Side", "", "values Arm: foot, horse, guns", ""]
    out += ["kind Town: worth: int = 1, owner: Side", "    state held: bool", "    holds units: Unit", ""]
    out += ["pieces Unit: side: Side, arm: Arm", "    home side.box", "", "state active: Side", "state score: int", ""]
    towns = lines // 10
    out += ["map Land", "    link road"]
    out += [f"    Town T{i}  {'North' if i % 2 else 'South'}, worth {i % 4}" for i in range(towns)]
    out += [f"    road T{i} - T{i + 1}" for i in range(towns - 1)]
    out += [
        "",
        "counts Unit",
        "    |       | foot | horse | guns |",
        "    | North | 9 | 5 | 3 |",
        "    | South | 9 | 5 | 3 |",
        "",
    ]
    number = 0
    while len(out) < lines - 60:
        number += 1
        out += [
            f"function f{number}(t: Town, s: Side) -> int",
            f'    "Strength in a town, rule {number}."',
            "    let n = count(t.units[side == s and arm == foot])",
            "    if n > 3 and t.worth >= 2",
            f"        return n * 2 + {number}",
            "    count(t.units[side == s]) + t.worth",
            "",
            f"procedure p{number}(t: Town)",
            f'    "Battle, rule {number}."',
            f"    let x = f{number}(t, active)",
            "    roll x at most 9 d6 as dice",
            f"    if count(dice[it >= 5]) > {number % 5} and some t.units[side != active]",
            "        choose lose: 1 from t.units[side != active] as lost",
            "            for u in lost",
            "                move u to u.side.box",
            f"    score += count(dice[it == {number % 6 + 1}])",
            "",
        ]
    out += ["phase opening", "    place 5 North foot, 2 North guns in T1", "    place 5 South foot in T2", ""]
    out += ["phase action", "    choose act: t in Town", "        require some t.units"]
    out += [
        f"        if t.worth == {i % 4} and score mod {number} == {i}\n            p{i + 1}(t)"
        for i in range(min(number, 40))
    ]
    out += ["", "sequence", "    opening", "    for active in Side", "        action", "    end game, draw", ""]
    return "\n".join(out) + "\n"


def loading(rounds: int) -> dict[str, Any]:
    """Cold and warm start of a large game, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.rules"
        text = large_game(5_000)
        path.write_text(text, encoding="utf-8")
        code = (
            "import time; t = time.perf_counter(); import rulescript, sys; "
            f"rulescript.load({str(path)!r}); print(time.perf_counter() - t); print('lark' in sys.modules)"
        )
        cold, warm = [], []
        parser_seen = False
        for number in range(rounds):
            cache = Path(folder) / f"cache{number}"
            environment = {**os.environ, "RULESCRIPT_CACHE": str(cache)}
            for figures in (cold, warm):
                run = subprocess.run(
                    [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
                )
                seconds, lark = run.stdout.split()
                figures.append(float(seconds))
            parser_seen = parser_seen or lark == "True"
        return {
            "lines": text.count("\n"),
            "cold load s": min(cold),
            "warm load s": min(warm),
            "warm load imports the parser": parser_seen,
        }


def print_growth(table: dict[str, dict[str, float]]) -> None:
    """A row for each size."""
    heads = list(next(iter(table.values())))
    print(f"  {'':<42}" + "".join(f"{head:>19}" for head in heads))
    for size, row in table.items():
        print(f"  {size:<42}" + "".join(f"{row[head]:>19,.{0 if row[head] > 1000 else 2}f}" for head in heads))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    parser.add_argument("--only", choices=PARTS)
    options = parser.parse_args()
    rounds = 3 if options.quick else 7
    parts = {
        "playouts": lambda: playouts(rounds, 100 if options.quick else 250),
        "games": lambda: other_games(rounds, 20 if options.quick else 60),
        "driving": lambda: driving(rounds, 20 if options.quick else 60),
        "bytecodes": lambda: counted(10 if options.quick else 40),
        "clones": lambda: clones(rounds),
        "passes": lambda: passes(options.quick),
        "growth": lambda: growth(options.quick),
        "loading": lambda: loading(2 if options.quick else 3),
        "many": lambda: many_games(options.quick),
    }
    wanted = {name: work for name, work in parts.items() if options.only in (None, name)}
    if options.json:
        print(json.dumps({name: work() for name, work in wanted.items()}, indent=2))
        return
    for name, work in wanted.items():
        print(name, flush=True)
        show(name, work())


def show(name: str, table: dict[str, Any]) -> None:
    """The figures of one part, as soon as they are there."""
    if name == "growth":
        print_growth(table)
        return
    for label, value in table.items():
        shown = (
            f"{value:,.0f}"
            if isinstance(value, float) and value > 1000
            else f"{value:.3g}"
            if isinstance(value, float)
            else value
        )
        print(f"  {label:<60} {shown}", flush=True)


if __name__ == "__main__":
    main()
