"""What was compiled is kept in the user's cache folder: the names of its files, and reading and writing them."""

from __future__ import annotations

import hashlib
import marshal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from rulescript.resources import make_room, modules_key, read_cached, write_cached

__all__ = ["ENGINE", "MOST_KEPT", "key_of", "own_key", "read_kept", "write_kept"]

ENGINE = 2

# The rooms that decide what a compiled game is.
MAKING = (
    "analysis",
    "analysis/checks",
    "compiler",
    "compiler/lower",
    "compiler/passes",
    "diagnostics",
    "loader",
    "machine",
    "model",
    "nodes",
    "pipeline",
    "runtime",
    "syntax",
    "wording",
)
# So many compiled games are kept, and so many printed ones.
MOST_KEPT = 200


def key_of(content: str, options: tuple[str, ...], scenario: str) -> str:
    engine = f"{ENGINE} {sys.version} {own_key()}"
    whole = "\0".join([content, engine, *options, "scenario", scenario])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def own_key(more: tuple[str, ...] = ()) -> str:
    """Changes when rulescript itself does: the modules that make a game, and those in `more`. A process goes on with
    those that it found when it first asked."""
    return modules_key(("", *MAKING, *more))


def read_kept(path: Path) -> Any:
    """A part of a compiled game, or plain data, from the cache; None if this user has not put it there."""
    found = read_cached(path)
    try:
        return marshal.loads(found) if found is not None else None
    except (ValueError, EOFError, TypeError):
        return None


def write_kept(path: Path, content: Any) -> None:
    """Put a part of a compiled game, or plain data, in the cache; whoever reads it sees all of it or nothing."""
    with suppress(OSError, ValueError):
        if write_cached(path, marshal.dumps(content)) and path.suffix == ".bin":
            make_room(path, MOST_KEPT, (".search",))
