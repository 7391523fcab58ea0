"""A folder in which a run is written down as it goes on: `run.json` says what is played, each part is a file of games.

A part's name says which games are in it, counted from the run's first seed: `games-000000000500-000000000999.parquet`.
It is written beside its place and moved there when it is whole. So whoever is stopped, in whatever way, leaves whole
parts behind; what is missing is read off the names, and nothing is there twice."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulescript import __version__
from rulescript.errors import BadRun
from rulescript.simulation.job import Job
from rulescript.simulation.parts import FORMATS, SUFFIXES, decoded, has_parquet
from rulescript.simulation.plain_files import read_data
from rulescript.simulation.recorder import Row

__all__ = ["MANIFEST", "Part", "RunFolder"]

MANIFEST = "run.json"
_written: set[str] = set()  # where this process writes
FORMAT = 1
_PART = re.compile(r"games-(\d{12})-(\d{12})(\.parquet|\.jsonl\.gz)")


@frozen
class Part:
    """A file with the games from the first to the last of these numbers."""

    first: int
    last: int
    path: Path

    @property
    def games(self) -> int:
        return self.last - self.first + 1


@define
class RunFolder:
    """What is known of a run without looking into its parts."""

    path: Path
    job: Job
    about: dict[str, Any]
    seed: int
    games: int
    format: str
    problems: list[str] = field(factory=list)

    # -------------------------------------------------------------- begin and go on

    @classmethod
    def begin(
        cls, path: Path, job: Job, about: dict[str, Any], seed: int, games: int, format: str | None = None
    ) -> RunFolder:
        """A new run, or one that is gone on with; BadRun if another one lies there."""
        if (path / MANIFEST).exists():
            found = cls.open(path)
            found._compare(job, seed)
            if format is not None and format != found.format:
                raise BadRun(f"`{path}` was begun as {found.format}, not as {format}")
            if games > found.games:
                found.games = games
                found._write()
            return found
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadRun(f"`{path}` is there already and is no run", hint="name a new folder")
        chosen = format if format is not None else "parquet" if has_parquet() else "jsonl"
        if chosen == "parquet" and not has_parquet():
            raise BadRun("Parquet needs pyarrow, which is not installed", hint="pip install 'rulescript[data]'")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadRun(f"`{path}` cannot be made: {problem.strerror or problem}") from None
        made = cls(path, job, about, seed, games, chosen)
        made._write()
        return made

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A run that is there; BadRun if it is none, or what it says of itself cannot be read."""
        where = path / MANIFEST
        if not where.exists():
            raise BadRun(f"there is no run in `{path}`", hint="`rulescript simulate GAME --out FOLDER` makes one")
        try:
            data = read_data(where)
            if data["format"] != FORMAT:
                raise BadRun(f"`{where}` was written by another version of rulescript ({data['rulescript']})")
            about, parts = data["about"], str(data["parts"])
            if parts not in FORMATS or not _is_about(about):
                raise ValueError("not as we write it")
            return cls(path, Job.of_dict(data["job"]), about, int(data["seed"]), int(data["games"]), parts)
        except BadRun:
            raise
        except (OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError):
            hint = "the parts beside it are as they were; simulate into a new folder and move them there"
            raise BadRun(f"`{where}` is damaged, so nobody knows what was played", hint=hint) from None

    def _compare(self, job: Job, seed: int) -> None:
        ours, theirs = self.job.to_dict() | {"seed": self.seed}, job.to_dict() | {"seed": seed}
        # The same rules may lie somewhere else by now.
        different = [key for key in ours if key != "where" and json.dumps(ours[key]) != json.dumps(theirs[key])]
        if different:
            words = {"hash": "the rules of the game", "uses": "what is recorded", "follow": "what is recorded"}
            said = ", ".join(dict.fromkeys(words.get(key, key) for key in different))
            raise BadRun(f"`{self.path}` holds another run: {said} differ", hint="name another folder")

    def _write(self) -> None:
        data = {
            "format": FORMAT, "rulescript": __version__, "games": self.games, "seed": self.seed, "parts": self.format,
            "job": self.job.to_dict(), "about": self.about,
        }  # fmt: skip
        self._put(MANIFEST, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())

    def _put(self, name: str, content: bytes) -> None:
        """Whoever reads it sees all of it or nothing."""
        temporary = self.path / f".{name}.{secrets.token_hex(4)}.tmp"
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path / name)
        except OSError as problem:
            with suppress(OSError):
                temporary.unlink()
            raise BadRun(f"`{self.path / name}` cannot be written: {problem.strerror or problem}") from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While this goes on nobody else writes here; BadRun if somebody does."""
        refusal = BadRun(f"somebody else is writing into `{self.path}`", hint="wait for them, or end them")
        key = os.path.realpath(self.path)
        if key in _written:
            raise refusal
        handle = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        _written.add(key)
        try:
            with suppress(ImportError):  # not every system has it
                import fcntl

                # This kind of lock belongs to this process alone: those it begins do not hold it when it is gone.
                try:
                    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise refusal from None
            for left in self.path.glob(".*.tmp"):  # of somebody who was stopped in the middle
                with suppress(OSError):
                    left.unlink()
            yield
        finally:
            _written.discard(key)
            os.close(handle)

    # -------------------------------------------------------------- parts

    def write(self, first: int, last: int, content: bytes) -> None:
        self._put(f"games-{first:012}-{last:012}{SUFFIXES[self.format]}", content)

    def parts(self) -> list[Part]:
        """The parts that are there, in order. What another part has too is left out."""
        found = []
        for path in sorted(self.path.iterdir()):
            match = _PART.fullmatch(path.name)
            if match is not None and int(match[1]) <= int(match[2]):
                found.append(Part(int(match[1]), int(match[2]), path))
        out: list[Part] = []
        for part in sorted(found, key=lambda part: (part.first, -part.last)):
            if out and part.first <= out[-1].last:
                self._problem(f"`{part.path.name}` has games that are in `{out[-1].path.name}` too; it is left out")
            else:
                out.append(part)
        return out

    def missing(self, parts: list[Part], games: int) -> list[tuple[int, int]]:
        """From which to which game none of these parts has them."""
        out, at = [], 0
        for part in parts:
            if part.first > at:
                out.append((at, min(part.first, games) - 1))
            at = max(at, part.last + 1)
            if at >= games:
                break
        if at < games:
            out.append((at, games - 1))
        return [(first, last) for first, last in out if first <= last]

    def read(self, part: Part) -> list[Row] | None:
        """The rows of a part; None if it is damaged, which is then among the problems."""
        try:
            rows = decoded(part.path)
        except BadRun as problem:
            if problem.hint is not None:  # not the file's fault
                raise
            self._problem(problem.message)
            return None
        if not all(_fits(row, len(self.about["roles"])) for row in rows):
            self._problem(f"`{part.path.name}` is damaged (a game of other players than those of the run)")
            return None
        seeds = [row["seed"] - self.seed for row in rows]
        if len(seeds) != part.games or seeds != list(range(part.first, part.last + 1)):
            self._problem(f"`{part.path.name}` has other games than its name says; it is left out")
            return None
        return rows

    def rows(self) -> Iterator[Row]:
        """Every game that is there, in order."""
        for part in self.parts():
            yield from self.read(part) or ()

    def set_aside(self, part: Part) -> None:
        """A damaged part makes room for a new one."""
        os.replace(part.path, part.path.with_name(f"damaged-{part.path.name}"))

    def _problem(self, message: str) -> None:
        if message not in self.problems:
            self.problems.append(message)


def _fits(row: Row, roles: int) -> bool:
    """Whether the lists of a game have an entry for each role, where they have any."""
    standings = [row["standing"], *(numbers for _, numbers in row["by_turn"])]
    return len(row["scores"]) == len(row["asked"]) == roles and all(len(each) in (0, roles) for each in standings)


_ABOUT: dict[str, type] = {
    "ident": str, "title": str, "version": str, "scenario": str, "standing": str, "options": list, "chosen": list,
    "roles": list, "labels": list, "seats": list, "items": dict, "turn": dict, "index": int,
}  # fmt: skip


def _is_about(about: Any) -> bool:
    """Whether it is what `describe` makes (job.py)."""
    if not all(isinstance(about[key], sort) for key, sort in _ABOUT.items()):
        return False
    words = [*about["options"], *about["chosen"], *about["roles"], *about["labels"], about["turn"]["name"]]
    for names in (*about["items"].values(), about["turn"]["labels"]):
        words += [*names.keys(), *names.values()]
    count = len(about["roles"])
    return (
        all(isinstance(word, str) for word in words)
        and len(about["labels"]) == count
        and all(isinstance(role, int) and 0 <= role < count for seat in about["seats"] for role in seat)
    )
