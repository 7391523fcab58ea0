"""``rulescript simulate``: many games between bots, and what comes out of them.

In come a game, a number and bots; out go win rates with their uncertainty, lengths, endings and, if asked for, a folder
with every game in it, for `rulescript report` and for other programs. The playing is done in `rulescript/simulation/`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import add_choices, add_json, add_seed, count, load_game
from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.simulation import Run

__all__ = ["add_arguments", "run"]

TITLE = "play many games between bots"

ABOUT = """\
Play a game many times between bots, and show who wins, how the games end and how long they are."""

EXAMPLES = """\
examples:
  rulescript simulate attrition_of_souls -n 1000
  rulescript simulate my_game -n 200 --bots search:50,random   the first seat looks ahead
  rulescript simulate my_game --bots South=search:50           the others play at random
  rulescript simulate my_game -n 100000 --out runs/base        write the games down; again: go on
  rulescript report runs/base -o base.html                     and a page about them
  rulescript simulate my_game -n 2000 --vary hand_size=3..7    one number of the rules, set to each of these
  rulescript simulate my_game -n 100000 --out runs/base --dask tcp://10.0.0.5:8786
  rulescript simulate my_game -n 500 --coverage                which rules were used
  rulescript simulate my_game -n 1 --seed 4711                 one game again

exit code: 0 all games were played, 1 a rule went wrong in some of them."""

TOLD_SECONDS = 30.0  # where there is no bar: so often is it told how far it is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("-n", "--games", type=count, default=100, metavar="N", help="how many games (default: 100)")
    parser.add_argument(
        "--bots", action="append", default=[], metavar="BOTS",
        help="random, playout or search, for each seat in order, or NAME=BOT (default: all random)",
    )  # fmt: skip
    parser.add_argument("--players", type=int, metavar="N", help="how many seats the roles are shared among")
    add_choices(parser)
    add_seed(parser)
    parser.add_argument("--coverage", action="store_true", help="also say which rules were used (slower)")
    parser.add_argument(
        "--limit", type=count, default=100_000, metavar="N",
        help="give a game up after so many decisions (default: 100000)",
    )  # fmt: skip
    parser.add_argument("-j", "--jobs", type=count, metavar="N", help="processes (default: one for each core)")
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="let the workers of this Dask scheduler play (pip install 'rulescript[cluster]')",
    )
    parser.add_argument(
        "--out", metavar="RUN", help="write every game into this folder as it is played; the same command goes on there"
    )
    parser.add_argument(
        "--format", choices=("parquet", "jsonl"),
        help="how games are written (default: parquet where pyarrow is installed, with 'rulescript[data]')",
    )  # fmt: skip
    parser.add_argument(
        "--follow", type=_follow, metavar="N",
        help="see which rules take effect and who is ahead each turn in one game of N (1: all, slower; 0: none; "
        "default: 16, of up to 200 games all)",
    )  # fmt: skip
    parser.add_argument(
        "--bare", action="store_true", help="only results and lengths, no choices, cards and rules (faster)"
    )
    parser.add_argument(
        "--vary",
        metavar="NAME=A..B",
        help="set one number of the rules to each of these, and compare: hand_size=3..7, Mill.worth=1,2,4",
    )
    add_json(parser)


def _follow(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of games")
    return number


def run(args: argparse.Namespace, screen: Screen) -> int:
    if args.coverage and args.bare:
        raise BadOption("--coverage tells of rules and --bare leaves them out; not both")
    game = load_game(args)
    settings = settings_of(args, game)
    if args.vary is not None:
        from rulescript.cli.vary import run_sweep

        return run_sweep(args, game, settings, screen)
    with told_progress(screen, game.title, args.games) as advance:
        from rulescript.simulation import simulate

        done = simulate(game, args.games, out=args.out, progress=advance, **settings)
    return tell(args, done, screen)


def settings_of(args: argparse.Namespace, game: Game) -> dict[str, Any]:
    """What the arguments say about how to simulate."""
    from rulescript.cli.seats import seats_from

    players = args.players if args.players is not None else max(game.player_counts, default=1)
    words = args.bots if args.bots != [] else ["all=random"]
    if len(words) == 1 and "=" not in words[0] and "," not in words[0]:
        words = [f"all={words[0]}"]
    return {
        "seed": args.seed,
        "bots": seats_from(game, players, words, "random", people=False),
        "players": players,
        "limit": args.limit,
        "follow": 1 if args.coverage else args.follow,
        "uses": not args.bare,
        "format": args.format,
        "jobs": args.jobs,
        "dask": args.dask,
    }


@contextmanager
def told_progress(screen: Screen, what: str, games: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and remaining time; where there is no terminal, a line now and then."""
    began = said = time.monotonic()
    done = 0
    with screen.progress(what, games, "games") as bar:

        def advance(more: int) -> None:
            nonlocal done, said
            done += more
            bar.advance(more)
            now = time.monotonic()
            if now - said >= TOLD_SECONDS and not screen.has_bar and done < games:
                said = now
                rate = done / (now - began)
                left = (games - done) / rate
                screen.tell(f"{done:,} of {games:,} games, {rate:,.1f} a second, about {_clock(left)} left")

        yield advance


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def tell(args: argparse.Namespace, done: Run, screen: Screen) -> int:
    """What came out, and the exit code for it."""
    from rulescript.cli.run_words import coverage, tell_coverage, tell_run

    for problem in done.problems:
        screen.tell(f"{problem}; its games were played again")
    if args.json:
        data = done.to_dict() | {"seconds": round(done.seconds, 3)}
        if args.coverage:
            data["coverage"] = coverage(done)
        screen.json(data)
    else:
        tell_run(done, screen)
        if args.coverage:
            tell_coverage(done, screen)
        pace = done.summary.games / done.seconds if done.seconds > 0.001 else 0.0  # all of them may be there already
        said = f"{done.seconds:.1f} s, {pace:,.0f} games a second" if pace >= 10 else f"{done.seconds:.1f} s"
        screen.say(screen.paint(said, "dim"))
        if args.out is not None:
            screen.say(f"written into {args.out}; a page about it: rulescript report {args.out} -o report.html")
    if not args.json and done.summary.failed:
        screen.say(f"  again: rulescript simulate {args.game} -n 1 --seed {done.summary.failures[0][0]}")
    if not done.is_complete:
        screen.tell("stopped; these are the games played so far" + ("; the same command goes on" if args.out else ""))
        return 130
    return 1 if done.summary.failed else 0
