"""What may be read of a game's folder: nothing outside it, nothing hidden, nothing too large."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import frozen

from rulescript.loader import limits
from rulescript.source import writable

__all__ = [
    "MAIN_FILES", "SUFFIXES", "all_in", "bare_name", "Entry", "is_rules_file", "leads_out", "name_of", "names_in",
    "read_beside", "read_bytes", "Refusal", "stem_of",
]  # fmt: skip

SUFFIXES = (".rules", ".rules.md")
MAIN_FILES = ("game.rules", "game.rules.md")


@frozen
class Entry:
    """Where a game begins. `shown` is its folder as the user would write it, `folder` where it really is."""

    ident: str
    shown: Path
    folder: Path
    main: str
    is_whole_folder: bool

    @property
    def beside(self) -> Path:
        """The folder in which a game to build on may lie."""
        return Path(os.path.abspath(self.shown)).parent if self.is_whole_folder else self.folder


@frozen
class Refusal:
    """Why an include is not followed."""

    code: str
    message: str
    hint: str | None = None


def names_in(folder: Path) -> list[str]:
    """The names in a folder that are not hidden, in order; none if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except (OSError, ValueError):
        return []


def is_rules_file(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.startswith(".")


def bare_name(name: str) -> str:
    """The name of a file without its ending."""
    return name.removesuffix(".md").removesuffix(".rules")


def stem_of(name: str) -> str:
    return writable(bare_name(name))


def name_of(folder: Path) -> str:
    return writable(os.path.basename(os.path.abspath(folder))) or "game"


def all_in(folder: Path) -> list[str]:
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name).relative_to(folder).as_posix() for name in names if is_rules_file(name)]
    return sorted(found)


def leads_out(entry: Entry, relative: str, path: str) -> Refusal | None:
    try:
        real = (entry.folder / relative).resolve()
    except (OSError, RuntimeError, ValueError):
        return Refusal("RS008", f"`{path}` is a link that leads nowhere")
    if not real.is_relative_to(entry.folder):
        return Refusal("RS007", f"`{path}` is a link that leads out of the game's folder")
    if any(name.startswith(".") for name in real.relative_to(entry.folder).parts):
        return Refusal("RS008", f"`{path}` is a link to a hidden file, and a game reads none")
    return None


def read_bytes(entry: Entry, relative: str) -> bytes | None:
    """At most one byte more than a file may have; None for what must not or cannot be read."""
    if leads_out(entry, relative, relative) is not None:
        return None
    path = entry.folder / relative
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read(limits.MAX_FILE_BYTES + 1)
    except (OSError, ValueError):
        return None


def read_beside(folder: Path, relative: str, most: int) -> bytes | str:
    """A file of a game's folder that is not one of its rules; what is wrong with it, as text, if it cannot be read.

    It must lie in the folder itself, also after its links are followed, be no hidden file, and have at most so many
    bytes."""
    if not relative or relative.startswith("/") or any(part.startswith(".") for part in relative.split("/")):
        return f"`{relative}` is not a path within the game's folder"
    entry = Entry("", folder, folder.resolve(), "", True)
    refusal = leads_out(entry, relative, relative)
    if refusal is not None:
        return refusal.message
    try:
        path = entry.folder / relative
        if not os.path.isfile(path):
            return f"there is no file `{relative}`"
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError):
        return f"`{relative}` cannot be read"
    return data if len(data) <= most else f"`{relative}` is larger than {most // 1_000_000} MB"
