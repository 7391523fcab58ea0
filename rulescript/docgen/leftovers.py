"""What an earlier print left in a folder that this one no longer writes: the page of a chapter that is gone, the cards
of a game that has none any more.

A file of ours is known by the list of what was printed (`.printed.json`, beside the pages) and by its bytes: only what
still is exactly as it was printed goes. What somebody else put there, or changed since, stays, whatever the list says:
a list that came with a stranger's folder can name nothing but files that lie beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["LIST", "take_away_leftovers"]

LIST = ".printed.json"
MOST = 8_000_000


def take_away_leftovers(folder: Path, printed: Mapping[str, Sequence[Path]]) -> list[Path]:
    """Take away what earlier prints of the same sorts wrote into a folder and this one did not; what has gone.

    `printed` are the files that were written now, by the sort of print they belong to. Other sorts in the same folder
    are left alone: printing the cards takes no site away."""
    sorts = {path.name: sort for sort, files in printed.items() for path in files if path.parent == folder}
    before = _read(folder / LIST)
    gone: list[Path] = []
    kept: dict[str, list[str]] = {}
    for name, (sort, digest) in before.items():
        if name in sorts:
            continue
        path = folder / name
        if not _is_as_printed(path, digest):
            continue
        if sort in printed:
            with suppress(OSError):
                path.unlink()
                gone.append(path)
                continue
        kept[name] = [sort, digest]
    for name, sort in sorts.items():
        kept[name] = [sort, _digest(folder / name)]
    _write(folder / LIST, kept)
    return gone


def _read(path: Path) -> dict[str, tuple[str, str]]:
    """The list of an earlier print: file, sort, digest. Whatever is no such list is as good as none."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST:
            return {}
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    return {
        name: (told[0], told[1])
        for name, told in read.items()
        if _is_plain(name) and isinstance(told, list) and len(told) == 2 and all(isinstance(t, str) for t in told)
    }


def _is_plain(name: str) -> bool:
    """Whether it names a file beside the list, and nothing that leads elsewhere."""
    return bool(name) and name not in (".", "..", LIST) and not any(char in name for char in "/\\:\0")


def _is_as_printed(path: Path, digest: str) -> bool:
    with suppress(OSError, ValueError):
        return not path.is_symlink() and path.is_file() and _digest(path) == digest
    return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, kept: dict[str, list[str]]) -> None:
    text = json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=0) + "\n"
    beside = path.with_name(f"{LIST}.new")
    with suppress(OSError):  # the pages are there; without the list the next print takes nothing away
        beside.unlink(missing_ok=True)
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
