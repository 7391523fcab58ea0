"""`python -m tests.fuzz`: damaged texts, then random games of every bundled game. Exit code 1 if anything
failed.

    --texts N     how many texts (100000)          --games N    random games of each game (2000)
    --seconds S   stop the texts, and each game, after so long
    --seed N      other texts and games            --jobs N     worker processes (2)
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.workers import Outcome, run_texts

if TYPE_CHECKING:
    from rulescript.testing.conformance import Configuration

SAVED = Path(".fuzz")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="throw damaged texts and random play at it"
    )
    parser.add_argument("--texts", type=int, default=100_000, help="how many texts to try")
    parser.add_argument("--games", type=int, default=2_000, help="how many random games of each bundled game")
    parser.add_argument("--seconds", type=float, help="stop the texts, and each game, after so many seconds")
    parser.add_argument("--limit", type=float, default=20.0, help="how long one text may take")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(arguments)
    failed = _texts(args) if args.texts else 0
    if args.games:
        failed += _games(args)
    print("all is well" if not failed else f"{failed} failed; the texts are in {SAVED}/")
    return 1 if failed else 0


def _line(text: str, *, last: bool = False) -> None:
    """A line that is written over, on a terminal; elsewhere only the last one is written."""
    if sys.stdout.isatty():
        print(f"\r{text:<78}", end="\n" if last else "", flush=True)
    elif last:
        print(text, flush=True)


def _texts(args: argparse.Namespace) -> int:
    began = time.monotonic()

    def progress(outcome: Outcome) -> None:
        rate = outcome.done / max(0.1, time.monotonic() - began)
        _line(f"texts: {outcome.done} of {args.texts}, {rate:.0f} a second, {len(outcome.failures)} failed")

    outcome = run_texts(
        args.texts, seed=args.seed, jobs=args.jobs, limit=args.limit, seconds=args.seconds, progress=progress
    )
    _line(f"texts: {outcome.done} of {args.texts} in {time.monotonic() - began:.0f} s", last=True)
    for stage, count in outcome.stages.most_common():
        print(f"  {count:>7}  {stage}")
    seen: set[str] = set()
    for number, (text, why) in enumerate(outcome.failures):
        SAVED.mkdir(exist_ok=True)
        (SAVED / f"{args.seed}-{number}.rules").write_text(text, encoding="utf-8", errors="surrogateescape")
        (SAVED / f"{args.seed}-{number}.txt").write_text(why, encoding="utf-8", errors="replace")
        last = why.strip().splitlines()[-1]
        if last not in seen:
            seen.add(last)
            print(f"  failed: {last[:160]} ({SAVED}/{args.seed}-{number}.rules)")
    return len(outcome.failures)


def _games(args: argparse.Namespace) -> int:
    from rulescript.loader import bundled_games

    return sum(_game(name, args) for name in bundled_games())


def _game(name: str, args: argparse.Namespace) -> int:
    """Many quick games, shared among scenarios, options, pairs of options and numbers of players; one of each such
    set, and every hundredth, under all checks."""
    import rulescript
    from rulescript.testing.conformance import configurations

    began, done, decisions, failures = time.monotonic(), 0, 0, []
    base = rulescript.load(name)
    if not base.data["start"]:
        print(f"{name}: has no sequence of play, so there is nothing to play")
        return 0
    sets = configurations(base, pairs=True)
    for number, chosen in enumerate(sets):
        if args.seconds is not None and time.monotonic() - began > args.seconds:
            break
        # The first set is the game as it is: it gets half of all games.
        share = args.games // 2 if number == 0 else max(1, args.games // (2 * max(1, len(sets) - 1)))
        played, taken, said = _set(name, chosen, share, args.seed * 1_000_000 + 1_000 * number)
        done, decisions = done + played, decisions + taken
        if said:
            failures.append(f"{chosen}: {said}")
        _line(f"{name}: {done} of {args.games} games, {number + 1} of {len(sets)} sets, {len(failures)} failed")
    took = time.monotonic() - began
    _line(f"{name}: {done} games, {decisions} decisions, {len(sets)} sets of options in {took:.0f} s", last=True)
    for said in failures:
        print(f"  failed: {said}")
    return len(failures)


def _set(name: str, chosen: Configuration, games: int, seed: int) -> tuple[int, int, str]:
    """Games with one set of options; how many, with how many decisions, and what went wrong."""
    import rulescript
    from rulescript.testing.conformance import ALL_CHECKS
    from rulescript.testing.run import Broken, Run
    from rulescript.testing.walk import random_walker

    done, decisions, said = 0, 0, ""
    try:
        game = rulescript.load(name, options=chosen.options, scenario=chosen.scenario)
        while done < games:
            Run(game, seed + done, chosen.players, random_walker(Random(seed + done)), ALL_CHECKS, closely=40).go()
            for playout in game.playouts(min(100, games - done), seed + done):
                done += 1
                decisions += playout.decisions
                if not playout.over:
                    said = said or f"a game of {playout.decisions} decisions was not over (seed {seed + done})"
    except Broken as problem:
        play = problem.play
        said = f"{problem.check}: {problem}"
        if play is not None:
            said += f" (seed {play.seed}, {len(play.steps)} choices)"
    except rulescript.RulescriptError as problem:
        said = str(problem)
    except Exception:
        said = traceback.format_exc()
    return done, decisions, said


if __name__ == "__main__":
    sys.exit(main())
