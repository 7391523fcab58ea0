"""``rulescript simulate``: many games between bots, and what comes out of them.

In come a game, a number and bots; out go win rates with their uncertainty, lengths, endings and, if asked
for, which rules were used. Each game has its own seed (the first one's plus its number), so the result does
not depend on how many processes shared the work, and a game that went wrong can be played again by itself.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulescript.cli.arguments import add_choices, add_json, add_seed, count, load_game, options_of
from rulescript.errors import RulescriptError

if TYPE_CHECKING:
    from rulescript.cli.screen import Progress, Screen
    from rulescript.runtime.game import Game

__all__ = ["Job", "Tally", "add_to", "play_games", "run"]

ABOUT = """\
Play a game many times between bots, and show who wins, how the games end and how long they are."""

EXAMPLES = """\
examples:
  rulescript simulate attrition_of_souls -n 1000
  rulescript simulate my_game -n 200 --bots search:50,random   the first seat looks ahead
  rulescript simulate my_game --bots South=search:50           the others play at random
  rulescript simulate my_game -n 500 --coverage                which rules were used
  rulescript simulate my_game -n 1 --seed 4711                 one game again

exit code: 0 all games were played, 1 a rule went wrong in some of them."""

ALONE_SECONDS = 0.6  # work that takes no longer is not worth starting other processes for
CHUNK_SECONDS = 0.4


def add_to(commands: Any, shared: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "simulate", help="play many games between bots", description=ABOUT, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter, parents=[shared],
    )  # fmt: skip
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
    add_json(parser)
    parser.set_defaults(run=run)


@frozen
class Job:
    """What to play; plain data, so that another process can be told."""

    where: str
    options: tuple[str, ...]
    scenario: str
    players: int
    bots: tuple[str, ...]
    limit: int
    coverage: bool


@define
class Tally:
    """What came out of some games."""

    games: int = 0
    wins: Counter[str] = field(factory=Counter)
    draws: int = 0
    unfinished: int = 0
    endings: Counter[tuple[tuple[str, ...], str]] = field(factory=Counter)
    lengths: list[int] = field(factory=list)
    cites: Counter[str] = field(factory=Counter)
    failures: list[tuple[int, str]] = field(factory=list)
    standings: Counter[str] = field(factory=Counter)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.wins += other.wins
        self.draws += other.draws
        self.unfinished += other.unfinished
        self.endings += other.endings
        self.lengths += other.lengths
        self.cites += other.cites
        self.failures += other.failures
        self.standings.update(other.standings)

    def by_frequency(self) -> list[tuple[tuple[tuple[str, ...], str], int]]:
        """Endings, the most frequent first; equally frequent ones by their words, in whatever order they came."""
        return sorted(self.endings.items(), key=lambda pair: (-pair[1], pair[0]))

    def take(self, game: Game, state: Sequence[Any], decisions: int) -> None:
        """One game that was played to its end or given up."""
        self.lengths.append(decisions)
        self.standings.update(game.standing_of(list(state)))
        outcome = state[2]
        if outcome is None:
            self.unfinished += 1
            return
        kind, winners, drawn, how, _ = outcome
        names = tuple(game.data.kinds[kind].names[i] for i in winners) if kind else ()
        self.wins.update(names)
        self.draws += not names
        self.endings[names, how if not drawn or how else "drawn"] += 1


# ---- playing -----------------------------------------------------------------------------------------------


def play_games(game: Game, job: Job, seeds: Sequence[int]) -> Tally:
    """One game for each seed."""
    tally = Tally()
    plain = set(job.bots) == {"random"} and not job.coverage
    for seed in seeds:
        tally.games += 1
        try:
            if plain:
                _play_plain(game, job, seed, tally)
            else:
                _play_with_bots(game, job, seed, tally)
        except RulescriptError as problem:
            tally.failures.append((seed, str(problem)))
    return tally


def _play_plain(game: Game, job: Job, seed: int, tally: Tally) -> None:
    """At random, without decisions or history: as fast as it goes."""
    from rulescript.runtime.playouts import play_from_start

    state, decisions = play_from_start(game, seed, job.limit)
    tally.take(game, state, decisions)


def _play_with_bots(game: Game, job: Job, seed: int, tally: Tally) -> None:
    from rulescript.bots import bot_named

    # The history is needed for coverage, and by bots that look ahead where answers are sealed.
    position = game.start(seed, players=job.players)
    bots = [bot_named(name, random.Random(f"{seed} {at}").getrandbits(32)) for at, name in enumerate(job.bots)]
    decisions = 0
    while decisions < job.limit:
        decision = position.decision
        if decision is None:
            break
        position.choose(bots[decision.seat].choose(position))
        decisions += 1
    tally.take(game, position.s, decisions)
    if job.coverage:
        sites, asked = game.data.sites, game.data.decisions
        used = {cite for event in position._opening for cite in sites[event[0]][1]}
        for step in position.history():
            used.update(asked[step.block].cites)
            used.update(cite for event in step.events for cite in sites[event[0]][1])
        outcome = position.outcome
        used.update(outcome.cites if outcome is not None else ())
        tally.cites.update(used)


# ---- in several processes ----------------------------------------------------------------------------------

_game: Game | None = None


def _begin(job: Job) -> None:
    """In a new process: the game, once for all the work it will get."""
    import rulescript

    global _game
    _game = rulescript.load(job.where, options=job.options, scenario=job.scenario)


def _work(job: Job, seeds: list[int]) -> Tally:
    assert _game is not None
    return play_games(_game, job, seeds)


def _simulate(game: Game, job: Job, seeds: list[int], jobs: int, bar: Progress) -> Iterator[Tally]:
    """Begin alone; when that would take long, share out the rest."""
    began = time.monotonic()
    done = 0
    while done < len(seeds):
        spent = time.monotonic() - began
        if jobs > 1 and done and spent > ALONE_SECONDS and (len(seeds) - done) * spent / done > 2 * ALONE_SECONDS:
            break
        # Few at a time while we do not know how long one takes.
        size = max(1, min(done, int(done * CHUNK_SECONDS / spent) if spent else 1))
        chunk = seeds[done : done + size]
        yield play_games(game, job, chunk)
        done += len(chunk)
        bar.advance(len(chunk))
    if done < len(seeds):
        pace = done / (time.monotonic() - began)
        size = max(1, min(int(pace * CHUNK_SECONDS), (len(seeds) - done) // jobs))
        yield from _share_out(job, [seeds[i : i + size] for i in range(done, len(seeds), size)], jobs, bar)


def _share_out(job: Job, chunks: list[list[int]], jobs: int, bar: Progress) -> Iterator[Tally]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    from rulescript.processes import end, uninterrupted

    # A fresh process, not a copy of this one: copies of a process with threads can hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), context, _begin, (job,))
    try:
        with uninterrupted():
            waiting = {pool.submit(_work, job, chunk): len(chunk) for chunk in chunks}
        for future in as_completed(waiting):
            yield future.result()
            bar.advance(waiting[future])
    except BaseException:
        end(pool)
        raise
    pool.shutdown()


# ---- the command -------------------------------------------------------------------------------------------


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.cli.seats import seats_from

    game = load_game(args)
    players = args.players if args.players is not None else max(game.player_counts, default=1)
    words = args.bots if args.bots != [] else ["all=random"]
    if len(words) == 1 and "=" not in words[0] and "," not in words[0]:
        words = [f"all={words[0]}"]
    bots = seats_from(game, players, words, "random", people=False)
    job = Job(args.game, options_of(args), args.scenario, players, tuple(bots), args.limit, args.coverage)
    jobs = args.jobs or _cores()
    seeds = list(range(args.seed, args.seed + args.games))
    total = Tally()
    began = time.monotonic()
    is_stopped = False
    with screen.progress(f"{game.title}", len(seeds)) as bar:
        try:
            for tally in _simulate(game, job, seeds, jobs, bar):
                total.add(tally)
        except KeyboardInterrupt:
            is_stopped = True
    total.failures.sort()
    seconds = time.monotonic() - began
    if args.json:
        screen.json(_json(game, job, args, total, seconds, is_stopped))
    else:
        _tell(game, job, args, total, seconds, screen)
    if is_stopped:
        screen.tell("stopped; these are the games played so far")
        return 130
    return 1 if total.failures else 0


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


# ---- telling it --------------------------------------------------------------------------------------------


def interval(wins: int, games: int) -> tuple[float, float]:
    """Between which shares the true one lies, nineteen times out of twenty (Wilson's interval)."""
    if not games:
        return 0.0, 1.0
    z = 1.96
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def _writable(game: Game) -> set[str]:
    """The rules that an event or a choice of this game cites."""
    out = {cite for site in game.data.sites for cite in site[1]}
    for info in game.data.decisions.values():
        out.update(info.cites)
    return out


def _winners(game: Game, total: Tally) -> list[str]:
    """Everybody who can win, or did."""
    return list(dict.fromkeys([*game.player_names, *sorted(total.wins)]))


def _json(
    game: Game, job: Job, args: argparse.Namespace, total: Tally, seconds: float, is_stopped: bool
) -> dict[str, Any]:
    played = total.games - len(total.failures)
    wins = {}
    for name in _winners(game, total):
        low, high = interval(total.wins[name], played)
        share = total.wins[name] / played if played else 0.0
        wins[name] = {
            "games": total.wins[name],
            "share": round(share, 4),
            "interval": [round(low, 4), round(high, 4)],
        }
    out: dict[str, Any] = {
        "game": game.ident,
        "version": game.version,
        "hash": game.rules_hash,
        "options": game.data.options,
        "scenario": game.data.scenario,
        "players": job.players,
        "bots": list(job.bots),
        "seed": args.seed,
        "games": total.games,
        "complete": not is_stopped,
        "wins": wins,
        "draws": total.draws,
        "unfinished": total.unfinished,
        "endings": [
            {"winners": list(names), "how": how, "games": number} for (names, how), number in total.by_frequency()
        ],
        "decisions": _lengths(total.lengths),
        "standing": {name: round(number / played, 2) for name, number in total.standings.items()} if played else {},
        "failures": [{"seed": seed, "message": message} for seed, message in total.failures],
        "seconds": round(seconds, 3),
    }
    if job.coverage:
        written = _writable(game)
        out["coverage"] = {
            "index": len(game.rules),
            "cited_by_rules": sorted(written),
            "used": {cite: total.cites[cite] for cite in sorted(total.cites)},
            "never_used": sorted(written - set(total.cites)),
        }
    return out


def _lengths(lengths: list[int]) -> dict[str, float]:
    if not lengths:
        return {}
    return {
        "mean": round(statistics.fmean(lengths), 1),
        "median": statistics.median(lengths),
        "shortest": min(lengths),
        "longest": max(lengths),
    }


def _tell(game: Game, job: Job, args: argparse.Namespace, total: Tally, seconds: float, screen: Screen) -> None:
    from rulescript.cli.seats import seat_title

    played = total.games - len(total.failures)
    say, paint = screen.say, screen.paint
    games = f"{total.games} game{'s' if total.games != 1 else ''}"
    say(f"{paint(game.title, 'bold')}: {games} from seed {args.seed}")
    who = [f"{seat_title(game, job.players, seat)} {name}" for seat, name in enumerate(job.bots)]
    chosen = [
        *game.data.options,
        *([f"scenario {game.data.scenario}"] if game.data.scenario else []),
    ]
    say(paint(f"  {', '.join(who)}; {', '.join(chosen) or 'no options'}", "dim"))
    rows = []
    for name in _winners(game, total):
        low, high = interval(total.wins[name], played)
        share = total.wins[name] / played if played else 0.0
        spread = paint(f"{low:.1%} to {high:.1%}", "dim")
        rows.append((f"  {name.replace('_', ' ')}", str(total.wins[name]), f"{share:.1%}", spread))
    for word, number in (("drawn", total.draws), ("given up", total.unfinished)):
        if number:
            rows.append((f"  {word}", str(number), f"{number / played:.1%}" if played else "", ""))
    say()
    screen.table(rows, head=("  wins", "games", "share", "probably between"), right=(1, 2))
    if total.endings:
        say()
        listed = [
            (f"  {' and '.join(names).replace('_', ' ') or 'nobody'}", str(number), how)
            for (names, how), number in total.by_frequency()[:10]
        ]
        screen.table(listed, head=("  ending", "games", ""), right=(1,))
    lengths = _lengths(total.lengths)
    if total.standings and played:
        say()
        ahead = [f"{name.replace('_', ' ')} {number / played:+.1f}" for name, number in total.standings.items()]
        say(f"{game.standing_counts} at the end, on average: {', '.join(ahead)}")
    if lengths:
        say()
        say(
            f"decisions in a game: {lengths['mean']} on average, median {lengths['median']:g}, "
            f"from {lengths['shortest']} to {lengths['longest']}"
        )
    if job.coverage:
        _tell_coverage(game, total, screen)
    pace = total.games / seconds if seconds else 0.0
    say(paint(f"{seconds:.1f} s, {pace:,.0f} games a second" if pace >= 10 else f"{seconds:.1f} s", "dim"))
    if total.failures:
        say()
        say(paint(f"a rule went wrong in {len(total.failures)} games:", "error"))
        for seed, message in total.failures[:5]:
            say(f"  seed {seed}: {message}")
        say(f"  again: rulescript simulate {args.game} -n 1 --seed {total.failures[0][0]}")


def _tell_coverage(game: Game, total: Tally, screen: Screen) -> None:
    from rulescript.cli.story import cited

    written = _writable(game)
    never = sorted(written - set(total.cites))
    screen.say(
        f"rules: {len(written & set(total.cites))} of the {len(written)} that choices and events cite were "
        f"used; {len(game.rules)} are in the rulebook's index"
    )
    if never:
        screen.say("never used:")
        for rule in cited(game, never[:15]):
            screen.say(f"  {rule}")
        if len(never) > 15:
            screen.say(screen.paint(f"  ... and {len(never) - 15} more (--json lists all)", "dim"))
