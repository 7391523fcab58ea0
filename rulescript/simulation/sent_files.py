"""A game's files, sent along to machines that may not have them.

Games that come with rulescript are there already. Of others, the rules files are written into a folder for as long as
it takes to load them: text that is read and compiled like any stranger's."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from attrs import evolve

from rulescript.errors import BadRun
from rulescript.loader import content_key_of, find_game
from rulescript.resources import bundled
from rulescript.simulation.job import Job

__all__ = ["packed", "unpacked"]


def packed(job: Job) -> Job:
    """The job with the files of its game; as it is, if the game comes with rulescript."""
    if not job.where:
        raise BadRun("a game that was made from a text cannot be sent to others; load it from a file")
    ours = bundled("games").resolve()
    start = find_game(job.where).resolve()
    files = [path.resolve() for path in content_key_of(job.where)[1]]
    own = [path for path in files if not path.is_relative_to(ours)]
    if not own:
        return job
    root = Path(os.path.commonpath([start.parent, *(path.parent for path in own)]))
    texts = tuple((path.relative_to(root).as_posix(), path.read_text(encoding="utf-8-sig")) for path in own)
    return evolve(job, where=start.relative_to(root).as_posix(), files=texts)


@contextmanager
def unpacked(job: Job) -> Iterator[str]:
    """Where the game of a job can be loaded from, meanwhile."""
    if not job.files:
        yield job.where
        return
    with tempfile.TemporaryDirectory(prefix="rulescript-") as folder:
        for name, text in job.files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise BadRun(f"`{name}` is no name for a file of a game")
            target = Path(folder, *path.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        yield str(Path(folder, job.where))
