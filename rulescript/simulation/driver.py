"""Many games between bots: here, in all processes of this machine, or on a cluster.

Each game has its own seed (the first one's plus its number), so what comes out does not depend on who plays it, in
which order, or whether it was stopped meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulescript import calls
from rulescript.errors import BadCall, BadOption
from rulescript.processes import cores
from rulescript.simulation.crew import Crew
from rulescript.simulation.job import FOLLOW, SHORT, Job, describe, job_of, load_job
from rulescript.simulation.parts import encoded
from rulescript.simulation.recorder import Recorder, Row
from rulescript.simulation.run_folder import MANIFEST, RunFolder
from rulescript.simulation.runs import Brief, Run, brief_of
from rulescript.simulation.summary import Summary

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["simulate"]

ALONE_SECONDS = 0.6  # work that takes no longer is not worth starting other processes for
CHUNK_SECONDS = 0.5  # how long a process is at a part
PART_SECONDS = 5.0  # the same where parts are written, and
MOST_PARTS = 1_000  # longer where there would be more parts than this
MOST_SECONDS = 60.0

Progress = Callable[[int], None]


@frozen
class Played:
    """A part: what came of it, and itself as a file and in brief, where that is wanted."""

    summary: Summary
    content: bytes | None
    briefs: list[Brief]


@define
class Player:
    """Plays parts; can be sent to other processes, where the game is loaded once."""

    job: Job
    seed: int
    format: str | None
    keeps_briefs: bool
    recorder: Recorder | None = field(default=None, eq=False)

    def __call__(self) -> Callable[[tuple[int, int]], Played]:
        """Ready to play, in this process and thread."""
        if self.recorder is None:
            self.recorder = _recorder(self.job)
        return self.play

    def play(self, part: tuple[int, int]) -> Played:
        assert self.recorder is not None
        first, last = part
        return self.told(self.recorder.rows(range(self.seed + first, self.seed + last + 1)))

    def told(self, rows: Sequence[Row]) -> Played:
        assert self.recorder is not None
        content = encoded(rows, self.format) if self.format is not None else None
        briefs = [brief_of(row) for row in rows] if self.keeps_briefs else []
        return Played(Summary.of(self.recorder.game.player_names, rows), content, briefs)

    @property
    def seconds(self) -> float:
        """For how long games make a part."""
        return PART_SECONDS if self.format is not None else CHUNK_SECONDS

    def __getstate__(self) -> tuple[Job, int, str | None, bool]:
        return self.job, self.seed, self.format, self.keeps_briefs

    def __setstate__(self, state: tuple[Job, int, str | None, bool]) -> None:
        self.job, self.seed, self.format, self.keeps_briefs = state
        self.recorder = None


_ready = threading.local()  # what the last job was, in each thread of a process that plays for others


def _recorder(job: Job) -> Recorder:
    if getattr(_ready, "job", None) != job:
        _ready.recorder = Recorder(load_job(job), job)
        _ready.job = job
    found: Recorder = _ready.recorder
    return found


def simulate(
    game: Game,
    games: int = 100,
    *,
    seed: int = 0,
    bots: Sequence[str] = (),
    players: int | None = None,
    limit: int = 100_000,
    follow: int | None = None,
    uses: bool = True,
    out: str | Path | None = None,
    format: str | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    pairs: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Play a game many times between bots.

    `bots` are named as in `bot_named`, one for each seat, or one for all. A game is given up after `limit` decisions.
    Which rules took effect, and the standing at each turn, is found out in one game of `follow` (in each one of a short
    run, else in one of eight; 0: in none); with `uses=False` neither that nor choices and cards.
    `out` is a folder to write the games into as they are played; a run that was stopped goes on there, and one with
    more `games` goes further. `format` is "parquet" or "jsonl". `jobs` is how many processes play; `dask` the address
    of a scheduler whose workers do. `pairs` keeps what a comparison with another run needs, where nothing is written.
    `progress` is called with how many games were added."""
    from rulescript.runtime.game import Game

    if not isinstance(game, Game):
        raise BadCall(f"a loaded game can be simulated, not {type(game).__name__}")
    calls.whole(games, "the number of games", 1)
    calls.whole(seed, "a seed")
    calls.whole(limit, "the most decisions of a game", 1)
    if follow is not None:
        calls.whole(follow, "one game of how many is followed", 0)
    count = calls.whole(jobs, "the number of processes", 1) if jobs is not None else cores()
    if not game.data.start:
        raise BadOption(f"{game.title} has no sequence of play, so it cannot be played")
    often = follow if follow is not None else _usual_follow(games, out)
    job = job_of(game, calls.names(bots, "the bots"), players, limit, often, uses)
    about = describe(game, job)
    run = Run(job, about, seed, Summary(game.player_names))
    player = Player(job, seed, None, pairs, Recorder(game, job))
    tell = progress if progress is not None else _nobody
    if out is None:
        _play(run, player, [(0, games - 1)], count, dask, tell)
        return run
    folder = RunFolder.begin(Path(calls.path(out, "the folder of a run")), job, about, seed, games, format)
    run.folder = folder
    player.format = folder.format
    with folder.alone():
        _play(run, player, _left(run, folder, games, tell), count, dask, tell)
    return run


def _usual_follow(games: int, out: str | Path | None) -> int:
    """As the run in the folder has it, if there is one; else as its length suggests."""
    if out is not None and (Path(out) / MANIFEST).exists():
        return RunFolder.open(Path(out)).job.follow
    return 1 if games <= SHORT else FOLLOW


def _nobody(games: int) -> None:
    pass


def _left(run: Run, folder: RunFolder, games: int, tell: Progress) -> list[tuple[int, int]]:
    """What is still to be played, after what is there was read and added up. Damaged parts are played again."""
    whole = []
    for part in folder.parts():
        rows = folder.read(part)
        if rows is None:
            folder.set_aside(part)
            continue
        whole.append(part)
        run.summary.add(Summary.of(run.summary.roles, rows))
        tell(len(rows))
    return folder.missing(whole, games)


# ---- sharing it out ----------------------------------------------------------------------------------------


def _play(run: Run, player: Player, ranges: list[tuple[int, int]], jobs: int, dask: str | None, tell: Progress) -> None:
    """Play what is left. Ctrl-C ends it early; what is whole by then counts."""
    began = time.monotonic()

    def take(part: tuple[int, int], played: Played) -> None:
        if run.folder is not None and played.content is not None:
            run.folder.write(*part, played.content)
        run.summary.add(played.summary)
        run.briefs.update(zip(range(part[0], part[1] + 1), played.briefs, strict=False))
        tell(part[1] - part[0] + 1)

    try:
        if dask is not None:
            for part, played in _on_cluster(player, ranges, dask):
                take(part, played)
        else:
            for part, played in _here(player, ranges, jobs):
                take(part, played)
    except KeyboardInterrupt:
        run.is_complete = False
    finally:
        run.seconds = time.monotonic() - began


Parts = Iterator[tuple[tuple[int, int], Played]]


def _here(player: Player, ranges: list[tuple[int, int]], jobs: int) -> Parts:
    """Begin alone; when that would take long, share out the rest."""
    left = [range(first, last + 1) for first, last in ranges]
    total = sum(map(len, left))
    began = time.monotonic()
    done = 0
    while left:
        is_first = not done and jobs > 1
        numbers = left.pop(0)
        rows, stopped = _alone(player, numbers, ALONE_SECONDS if is_first else player.seconds)
        done += len(rows)
        if len(rows) < len(numbers):
            left.insert(0, numbers[len(rows) :])
        spent = time.monotonic() - began
        crew = None
        if is_first and not stopped and left and (total - done) * spent > 2 * ALONE_SECONDS * done:
            # They begin before the first part is written: what writes it may have threads, and cannot be copied then.
            pace = done / max(1e-6, spent)
            size = _size(player, total - done, jobs, pace)
            player.recorder.game.prepare()  # type: ignore[union-attr]
            crew = Crew(player, min(jobs, -(-(total - done) // size)))
        try:
            if rows:
                yield (numbers[0], numbers[len(rows) - 1]), player.told(rows)
            if stopped:
                raise KeyboardInterrupt
            if crew is not None:
                yield from crew.do(_cut(left, size))
                return
        finally:
            if crew is not None:
                crew.end()


def _alone(player: Player, numbers: range, seconds: float) -> tuple[list[Row], bool]:
    """Games from the first of some on, for so long; and whether somebody stopped it, which keeps what is played."""
    assert player.recorder is not None
    rows: list[Row] = []
    began = time.monotonic()
    size = 1
    try:
        while len(rows) < len(numbers) and (not rows or time.monotonic() - began < seconds):
            some = numbers[len(rows) : len(rows) + size]
            rows += player.recorder.rows(range(player.seed + some.start, player.seed + some.stop))
            spent = time.monotonic() - began
            # Few at a time while we do not know how long one takes.
            size = max(1, min(len(rows), int(len(rows) * seconds / 8 / spent) if spent else 1))
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def _cut(ranges: Sequence[range], size: int) -> Iterator[tuple[int, int]]:
    for numbers in ranges:
        for first in range(numbers.start, numbers.stop, size):
            yield first, min(first + size, numbers.stop) - 1


def _size(player: Player, games: int, workers: int, pace: float) -> int:
    """How many games make a part, for so many that one process plays so many of a second."""
    seconds = player.seconds
    if player.format is not None:
        seconds = min(MOST_SECONDS, max(seconds, games / pace / MOST_PARTS))
    # Towards the end nobody should wait long for the last one.
    return max(1, min(int(pace * seconds), games // (4 * workers)))


def _on_cluster(player: Player, ranges: list[tuple[int, int]], address: str) -> Parts:
    from rulescript.simulation.cluster import Cluster
    from rulescript.simulation.sent_files import packed

    there = Player(packed(player.job), player.seed, player.format, player.keeps_briefs)
    cluster = Cluster.at(calls.text(address, "the address of a scheduler"), there)
    try:
        # A few games here tell how long one takes.
        began = time.monotonic()
        left = [range(first, last + 1) for first, last in ranges]
        rows, stopped = _alone(player, left[0], ALONE_SECONDS) if left else ([], False)
        if rows:
            pace = len(rows) / max(1e-6, time.monotonic() - began)
            yield (left[0][0], left[0][len(rows) - 1]), player.told(rows)
            left[0] = left[0][len(rows) :]
            if stopped:
                raise KeyboardInterrupt
            size = _size(player, sum(map(len, left)), cluster.threads, pace)
            yield from cluster.do(_cut(left, size))
    finally:
        cluster.end()
