"""`python -m tests.fuzz`: damaged texts, then random games of every bundled game. Exit code 1 if anything
failed.

    --texts N     how many texts (100000)          --games N    random games of each game (2000)
    --seconds S   stop the texts, and each game, after so long
    --seed N      other texts and games            --jobs N     worker processes (2)
    --game NAME   only this game (several: once each)
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from attrs import frozen

from tests.fuzz.workers import Outcome, run_texts

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
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
    parser.add_argument("--game", action="append", default=[], metavar="NAME", help="random games of this game only")
    args = parser.parse_args(arguments)
    failed = _texts(args) if args.texts else 0
    if args.games:
        failed += _games(args)
    print("all is well" if not failed else f"{failed} failed; the texts are in {SAVED}/")
    return 1 if failed else 0


_told = 0.0
SILENCE = 20.0


def _line(text: str, *, last: bool = False) -> None:
    """A line that is written over, on a terminal; elsewhere one now and then, and the last one."""
    global _told
    if sys.stdout.isatty():
        print(f"\r{text:<78}", end="\n" if last else "", flush=True)
    elif last or time.monotonic() - _told > SILENCE:
        _told = time.monotonic()
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

    return sum(_game(name, args) for name in args.game or bundled_games())


# So many games are played before another process may take the next; the first of them under all checks.
CHUNK = 100
# Nobody decides so often in a game that ends.
MOST_DECISIONS = 50_000


@frozen
class Chunk:
    """Some games with one set of options."""

    chosen: Configuration
    games: int
    seed: int


def _game(name: str, args: argparse.Namespace) -> int:
    """Many games, shared among scenarios, options, pairs of options and numbers of players. The invariants are
    looked at in each, at every decision; one of each such set, and every hundredth, is played under all checks."""
    import rulescript
    from rulescript.processes import shared
    from rulescript.testing.conformance import configurations

    began, done, decisions, failures = time.monotonic(), 0, 0, []
    base = rulescript.load(name)
    if not base.data.start:
        print(f"{name}: has no sequence of play, so there is nothing to play")
        return 0
    sets = configurations(base, pairs=True)
    chunks = []
    for number, chosen in enumerate(sets):
        # The first set is the game as it is: it gets half of all games.
        share = args.games // 2 if number == 0 else max(1, args.games // (2 * max(1, len(sets) - 1)))
        for first in range(0, share, CHUNK):
            seed = args.seed * 1_000_000 + 1_000 * number + first
            chunks.append(Chunk(chosen, min(CHUNK, share - first), seed))
    for number, (played, taken, said) in shared(lambda number: _played(name, chunks[number]), len(chunks), args.jobs):
        done, decisions = done + played, decisions + taken
        if said:
            failures.append(f"{chunks[number].chosen}: {said}")
            print(f"  failed: {failures[-1]}", flush=True)
        took = time.monotonic() - began
        each = f"{1000 * args.jobs * took / max(1, done):.0f} ms each"
        _line(f"{name}: {done} of {args.games} games, {took:.0f} s, {each}, {len(failures)} failed")
        if args.seconds is not None and took > args.seconds:
            break
    took = time.monotonic() - began
    _line(f"{name}: {done} games, {decisions} decisions, {len(sets)} sets of options in {took:.0f} s", last=True)
    return len(failures)


@lru_cache(maxsize=4)
def _loaded(name: str, options: tuple[str, ...], scenario: str) -> Game:
    import rulescript

    return rulescript.load(name, options=options, scenario=scenario)


def _played(name: str, chunk: Chunk) -> tuple[int, int, str]:
    """Some games; how many, with how many decisions, and what went wrong."""
    from rulescript.errors import RulescriptError
    from rulescript.testing.conformance import ALL_CHECKS
    from rulescript.testing.run import Broken, Run
    from rulescript.testing.walk import random_walker

    done, decisions, said = 0, 0, ""
    chosen, seed = chunk.chosen, chunk.seed
    try:
        game = _loaded(name, tuple(chosen.options), chosen.scenario)
        Run(game, seed, chosen.players, random_walker(Random(seed)), ALL_CHECKS, closely=40).go()
        for number in range(chunk.games):
            taken, wrong = _plain_game(game, seed + number, chosen.players)
            done, decisions = done + 1, decisions + taken
            said = said or wrong
    except Broken as problem:
        play = problem.play
        said = f"{problem.check}: {problem}"
        if play is not None:
            said += f" (seed {play.seed}, {len(play.steps)} choices)"
    except RulescriptError as problem:
        said = f"{problem} (seed {seed + done})"
    except Exception:
        said = traceback.format_exc()
    return done, decisions, said


def _plain_game(game: Game, seed: int, players: int | None) -> tuple[int, str]:
    """One game, and whether its invariants held at every decision and at its end. In every fourth game nobody takes
    an aside: where one can resign or agree on peace at any time, the others end before much has happened."""
    position, rng = game.start(seed, players=players, journal=False), Random(seed)
    decisions, broken = 0, game.check_invariants(position, "decision")
    while not broken and (decision := position.decision) is not None and decisions < MOST_DECISIONS:
        chosen = rng.randrange(len(decision))
        if seed % 4 == 3 and decision.options[chosen].flagged:
            chosen = rng.choice([n for n, o in enumerate(decision.options) if not o.flagged] or [chosen])
        position.choose(chosen)
        decisions += 1
        broken = game.check_invariants(position, "decision" if position.decision is not None else "always")
    if broken:
        title = game.data.invariants[broken[0]].title
        return decisions, f'invariant "{title}" does not hold (seed {seed}, after {decisions} decisions)'
    if position.decision is not None:
        return decisions, f"a game of {decisions} decisions was not over (seed {seed})"
    return decisions, ""


if __name__ == "__main__":
    sys.exit(main())
