"""`make strength`: how well the bots play, for every game.

The searching bot plays each game against the random one and against the playout bot, from the same seeds in every
seat. Small budgets, stated in the table: what is measured is the method, and a stronger bot is one that thinks longer.
The playout bot gets at least the processor time that the searching bot takes: as many playouts for each decision as
make up what the other has spent on its own so far. Games that take long are played from a late scenario.

A win counts 1, a draw or a game given up 1/2. The interval is Wilson's, nineteen times out of twenty. Last comes how
long a whole turn takes at default strength, in seconds of processor time: on average, and at most.

    make strength                       all games, up to an hour each on two cores
    make strength ARGS=--quick          a few games each
    make strength ARGS="imperial_tide --minutes 10"
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from attrs import asdict, frozen

import rulescript
from rulescript.bots import Bot, PlayoutBot, RandomBot, SearchBot
from rulescript.bots.turns import turn_blocks
from rulescript.bots.worth import ending_of
from rulescript.runtime.position import Option, Position
from rulescript.simulation.figures import interval

GOALS = {"random": 0.95, "playout": 0.75}
TURN_GOAL = 20.0


@frozen
class Setting:
    """How a game is played here: from which scenario, with how many playouts for the searching bot, and how many pairs
    of games against each opponent, at most; and the same in a hurry."""

    game: str
    scenario: str = ""
    playouts: int = 60
    random_pairs: int = 40
    playout_pairs: int = 40
    quick: tuple[str, int, int] = ("", 30, 2)

    @property
    def hurried(self) -> Setting:
        scenario, playouts, pairs = self.quick
        return Setting(self.game, scenario, playouts, pairs, pairs)


SETTINGS = [
    Setting("attrition_of_souls", random_pairs=50, playout_pairs=50),
    Setting("quartermaster_general_1914"),
    Setting("imperial_tide", playouts=80, random_pairs=20, playout_pairs=20, quick=("", 40, 1)),
    Setting("lamps_are_going_out", playouts=32, random_pairs=12, playout_pairs=10, quick=("", 10, 1)),
    Setting("to_the_last_man", "start_1918", 16, random_pairs=8, playout_pairs=4, quick=("start_1919", 6, 1)),
]


class TimedPlayoutBot(PlayoutBot):
    """The playout bot, with the processor time for each decision that another bot takes on average."""

    def __init__(self, seed: int, other: Clock) -> None:
        super().__init__(seed, playouts=4)
        self._other = other
        self._own = Clock()
        self._looked = 0

    def choose(self, position: Position) -> Option:
        if self._looked:
            # A little more than the other has, since a playout cannot be shared out.
            left = 1.1 * self._other.mean * (self._own.decisions + 1) - self._own.seconds
            self.playouts = max(2, min(10_000, round(left * self._looked / self._own.seconds)))
        with self._own:
            found = super().choose(position)
        if position.decision is not None and len(position.decision.options) > 1:
            self._looked += self.playouts
        return found


class Clock:
    """Processor time of decisions."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.decisions = 0
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self._began
        self.decisions += 1

    @property
    def mean(self) -> float:
        return self.seconds / self.decisions if self.decisions else 0.0


@frozen
class Played:
    """One game: what it was worth to the searching bot, and the processor time of both."""

    score: float
    seconds: float
    decisions: int
    other_seconds: float
    other_decisions: int


def play(setting: Setting, opponent: str, seat: int, seed: int) -> Played:
    """One game of the searching bot in a seat against an opponent in all others."""
    game = rulescript.load(setting.game, scenario=setting.scenario).prepare()
    players = min(count for count in game.player_counts if count > 1)
    clock, other = Clock(), Clock()
    bots: list[Bot] = []
    for at in range(players):
        luck = seed * 1000 + at
        if at == seat:
            bots.append(SearchBot(luck, playouts=setting.playouts))
        else:
            bots.append(RandomBot(luck) if opponent == "random" else TimedPlayoutBot(luck, clock))
    position = game.start(seed, players=players)
    decisions = 0
    while position.decision is not None and decisions < 50_000:
        at = position.decision.seat  # type: ignore[union-attr]
        with clock if at == seat else other:
            option = bots[at].choose(position)
        position.choose(option)
        decisions += 1
    score = ending_of(game, position._s[2], set(game.seats(players)[seat]))
    return Played(0.5 if score is None else score, clock.seconds, clock.decisions, other.seconds, other.decisions)


def turns(setting: Setting, count: int) -> tuple[float, float]:
    """Seconds of processor time for whole turns at default strength, against a random opponent: mean and most."""
    game = rulescript.load(setting.game).prepare()
    players = min(number for number in game.player_counts if number > 1)
    bots: list[Bot] = [SearchBot(7), *[RandomBot(at) for at in range(1, players)]]
    position = game.start(7, players=players)
    asks = turn_blocks(game)
    current, spent = -1, [0.0]
    while position.decision is not None and len(spent) <= count:
        seat = position.decision.seat  # type: ignore[union-attr]
        if asks[position.d] and seat != current:
            if current == 0:
                spent.append(0.0)
            current = seat
        began = time.process_time()
        option = bots[seat].choose(position)
        if seat == 0:
            spent[-1] += time.process_time() - began
        position.choose(option)
    whole = [each for each in spent[:-1] or spent if each]
    return sum(whole) / max(1, len(whole)), max(whole, default=0.0)


def row_of(setting: Setting, opponent: str, games: list[Played]) -> dict[str, Any]:
    score = sum(each.score for each in games)
    low, high = interval(score, len(games))
    spent, decisions = sum(each.seconds for each in games), sum(each.decisions for each in games)
    others, answers = sum(each.other_seconds for each in games), sum(each.other_decisions for each in games)
    return {
        "game": setting.game,
        "scenario": setting.scenario,
        "opponent": opponent,
        "playouts": setting.playouts,
        "games": len(games),
        "share": score / len(games) if games else 0.0,
        "interval": [low, high],
        "goal": GOALS[opponent],
        "ms": 1000 * spent / max(1, decisions),
        "other_ms": 1000 * others / max(1, answers),
    }


def say(row: dict[str, Any]) -> None:
    low, high = row["interval"]
    name = row["game"] + (f" ({row['scenario']})" if row["scenario"] else "")
    verdict = "reached" if row["share"] >= row["goal"] else "not reached"
    print(
        f"{name:38} {row['opponent']:8} {row['playouts']:>8} {row['games']:>6} {row['share']:>7.1%} "
        f"{low:>6.1%} to {high:>6.1%}  {row['goal']:.0%} {verdict:12} {row['ms']:>8.1f} {row['other_ms']:>8.1f}",
        flush=True,
    )


def measure(setting: Setting, jobs: int, minutes: float, quick: bool) -> list[dict[str, Any]]:
    rows = []
    if quick:
        setting = setting.hurried
    context = multiprocessing.get_context("spawn")
    for opponent, pairs in (("random", setting.random_pairs), ("playout", setting.playout_pairs)):
        until = time.monotonic() + minutes * 60 / 2
        played: list[Played] = []
        with ProcessPoolExecutor(jobs, context) as pool:
            waiting = [
                pool.submit(play, setting, opponent, seat, seed) for seed in range(1, pairs + 1) for seat in range(2)
            ]
            for at, future in enumerate(waiting):
                if time.monotonic() > until:
                    # All at once: while one is waited for, the pool takes up the next.
                    for later in waiting[at:]:
                        later.cancel()
                if not future.cancelled():
                    played.append(future.result())
        rows.append(row_of(setting, opponent, played))
        say(rows[-1])
    mean, most = turns(setting, 3 if quick else 12)
    rows.append({"game": setting.game, "turn": mean, "longest_turn": most, "goal": TURN_GOAL})
    took = f"{mean:.1f} s on average, at most {most:.1f} s"
    print(f"{setting.game:38} a whole turn at default strength: {took}", flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="only these games")
    parser.add_argument("--quick", action="store_true", help="a few games each")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most for one game (default: 60)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--json", action="store_true", help="the figures for a program, at the end")
    args = parser.parse_args()
    known = {setting.game: setting for setting in SETTINGS}
    chosen = [known[name] for name in args.games if name in known] if args.games else SETTINGS
    unknown = set(args.games) - {setting.game for setting in SETTINGS}
    if unknown:
        print(f"no such game: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    print(
        f"{'game':38} {'against':8} {'playouts':>8} {'games':>6} {'share':>7} {'probably':>17}  {'goal':16} "
        f"{'ms each':>8} {'other':>8}"
    )
    rows = [row for setting in chosen for row in measure(setting, args.jobs, args.minutes, args.quick)]
    if args.json:
        print(json.dumps({"settings": [asdict(setting) for setting in chosen], "rows": rows}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
