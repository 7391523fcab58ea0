"""The search form of a kept game, made in a process of its own: `python -m rulescript.pipeline.searching PATH`.

Making it takes seconds. In a thread beside play it would take turns with it, and Python's own trees of code (`ast`)
cannot be worked on in two threads at once. So another process makes it and puts it in the cache, where play finds it
(`Game.count_played`). Whatever goes wrong there, play goes on in the plain form."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["main", "start_making"]

# Processes that are under way: somebody has to remember them until they end.
_under_way: list[subprocess.Popen[bytes]] = []


def start_making(path: Path) -> subprocess.Popen[bytes] | None:
    """Have the search form of the game that is kept under a path made; None if there is no way to."""
    if not sys.executable:
        return None
    _under_way[:] = [process for process in _under_way if process.poll() is None]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or os.getcwd() for p in sys.path)}
    with suppress(OSError, ValueError):
        process = subprocess.Popen(
            [sys.executable, "-m", "rulescript.pipeline.searching", str(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        _under_way.append(process)
        return process
    return None


def main(path: Path) -> int:
    from rulescript.pipeline.loading import kept_game, quick_code

    with suppress(OSError, AttributeError):
        os.nice(10)  # who plays comes first
    game = kept_game(path)
    return 1 if game is None or quick_code(game) is None else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
