"""Whether a game has changed since it was last read, without parsing it.

It may look at more files than the game includes, never at fewer."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

from rulescript.errors import GameNotFound
from rulescript.loader import limits
from rulescript.loader.finding import entry_of, find_base, find_game
from rulescript.loader.folders import Entry, Refusal, all_in, read_bytes
from rulescript.loader.includes import targets_of

__all__ = ["bases_in", "content_key_of", "entries_of_bases", "feed", "feed_games"]

_INCLUDE = re.compile(r'(?m)^[ \t\f]*include[ \t\f]*"([^"\n]*)"')
_BUILDS_ON = re.compile(rb'(?m)^[ \t\f]+builds[ \t\f]+on[ \t\f]*("[^"\n]*"|[^\s#]+)')


def content_key_of(where: str | Path) -> tuple[str, list[Path]]:
    """A key for the text of a game and of those it builds on, and the files it was computed from.

    For a folder these are all its rules files, included or not; for a single file what it includes.
    """
    digest = hashlib.sha256()
    looked_at: list[Path] = []
    feed_games(digest, [entry_of(find_game(where))], looked_at)
    return digest.hexdigest(), looked_at


def feed_games(digest: hashlib._Hash, entries: list[Entry], looked_at: list[Path]) -> None:
    seen: set[tuple[Path, str]] = set()
    while entries:
        entry = entries.pop(0)
        if (entry.folder, entry.main) in seen or len(seen) > limits.MAX_BASES:
            continue
        seen.add((entry.folder, entry.main))
        feed(digest, entry.ident.encode(errors="replace"), entry.main.encode(errors="replace"))
        bases: list[str] = []
        for relative in all_in(entry.folder) if entry.is_whole_folder else _included_by(entry):
            data = read_bytes(entry, relative)
            if data is None:
                continue
            looked_at.append(entry.shown / relative)
            feed(digest, relative.encode(errors="replace"), data)
            bases += bases_in(data)
        entries += entries_of_bases(bases, entry)


def entries_of_bases(names: Iterable[str], entry: Entry | None) -> list[Entry]:
    found: list[Entry] = []
    for name in dict.fromkeys(names):
        path = find_base(name, entry)
        try:
            if path is not None:
                found.append(entry_of(path))
        except GameNotFound:
            continue  # load_text reports it
    return found


def bases_in(data: bytes) -> list[str]:
    found = _BUILDS_ON.findall(data) if b"builds" in data else []
    return [name.strip(b'"').decode(errors="replace") for name in found]


def feed(digest: hashlib._Hash, *parts: bytes) -> None:
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)


def _included_by(entry: Entry) -> list[str]:
    """The files a single-file game seems to include; a line that only looks like an include does no harm."""
    found, waiting = {entry.main}, [entry.main]
    followed: set[tuple[str, str]] = set()
    while waiting and len(found) <= limits.MAX_FILES:
        including = waiting.pop()
        data = read_bytes(entry, including) or b""
        for path in _INCLUDE.findall(data.decode("utf-8-sig", errors="replace")):
            place = (posixpath.dirname(including), path)
            if place in followed or len(followed) > limits.MAX_INCLUDES:
                continue
            followed.add(place)
            targets = targets_of(entry, including, path)
            new = [] if isinstance(targets, Refusal) else [each for each in targets if each not in found]
            found.update(new)
            waiting += new
    return sorted(found)
