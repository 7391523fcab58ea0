"""What an include means: the files it names, by their paths in the game's folder, or why it is not followed."""

from __future__ import annotations

import os
import posixpath
from pathlib import PureWindowsPath

from rulescript.loader import limits
from rulescript.loader.folders import SUFFIXES, Entry, Refusal, bare_name, leads_out, names_in

__all__ = ["targets_of"]


def targets_of(entry: Entry, including: str, path: str) -> list[str] | Refusal:
    """The files an include means, by their paths in the game's folder. A pattern may mean several or none."""
    if path.startswith(("/", "\\", "~")) or PureWindowsPath(path).drive:
        return Refusal("RS007", f"`{path}` is not a path within the game's folder")
    if "\\" in path:
        return Refusal("RS008", f"`{path}` has a backslash in it", "write paths with forward slashes: a/b.rules")
    relative = posixpath.normpath(posixpath.join(posixpath.dirname(including), path))
    if relative.split("/")[0] == "..":
        return Refusal(
            "RS007", f"`{path}` climbs out of the game's folder", "copy the file into the folder of the game"
        )
    if not path.strip() or not path.isprintable():
        return Refusal("RS008", "an include names a file", 'include "map.rules"')
    if relative != "." and any(name.startswith(".") for name in relative.split("/")):
        return Refusal("RS008", f"`{path}` is hidden, and a game reads no hidden files")
    if "*" in path:
        return _matches_of(entry, relative, path)
    refusal = _why_not(entry, relative, path)
    return [relative] if refusal is None else refusal


def _matches_of(entry: Entry, relative: str, path: str) -> list[str] | Refusal:
    folder, pattern = posixpath.split(relative)
    if "*" in folder or "*" in posixpath.dirname(path) or pattern.count("*") != 1:
        return Refusal("RS008", f"in `{path}` a `*` may stand once, in the name of the file")
    if not pattern.endswith(SUFFIXES):
        return Refusal("RS008", f"`{path}` does not end in .rules or .rules.md", f'include "{path}.rules"')
    if folder and (refusal := _why_not_folder(entry, folder, path)):
        return refusal
    before, after = pattern.split("*")
    found: list[str] = []
    for name in names_in(entry.folder / folder):
        fits = len(name) >= len(before) + len(after) and name.startswith(before) and name.endswith(after)
        if fits and not os.path.isdir(entry.folder / folder / name):
            target = posixpath.join(folder, name)
            if refusal := _why_not(entry, target, target):
                return refusal
            found.append(target)
            if len(found) > limits.MAX_FILES:
                break  # reading them will say so
    return found or Refusal("RS008", f"no file fits `{path}`")


def _why_not(entry: Entry, relative: str, path: str) -> Refusal | None:
    """Why a file may not be included; None if it may."""
    folder, name = posixpath.split(relative)
    if refusal := _why_not_folder(entry, folder, path):
        return refusal
    refusal = leads_out(entry, relative, path)
    if refusal is not None:
        return refusal
    target = entry.folder / relative
    if os.path.isdir(target):
        return Refusal("RS008", f"`{path}` is a folder", f'include "{path.rstrip("/")}/*.rules"')
    if not name.endswith(SUFFIXES):
        return Refusal("RS008", f"`{path}` is not a rules file: its name should end in .rules or .rules.md")
    if name not in names_in(target.parent):  # capitals count, also where the file system thinks otherwise
        return Refusal("RS008", f"there is no file `{path}`", _hint_for(entry, folder, name, path))
    if not os.path.isfile(target):
        return Refusal("RS008", f"`{path}` is not a file that can be read")
    return None


def _why_not_folder(entry: Entry, folder: str, path: str) -> Refusal | None:
    at = ""
    for name in filter(None, folder.split("/")):
        if name not in names_in(entry.folder / at):
            return Refusal("RS008", f"there is no file `{path}`", _hint_for(entry, at, name, path))
        at = posixpath.join(at, name)
        if refusal := leads_out(entry, at, path):
            return refusal
    return None


def _hint_for(entry: Entry, folder: str, name: str, path: str) -> str | None:
    from rulescript.diagnostics.spelling import nearest_names

    # Nearly all names end alike, and a file never means itself.
    stems = {bare_name(other): other for other in names_in(entry.folder / folder) if other != entry.main}
    near = [stems[stem] for stem in nearest_names(bare_name(name), stems, limit=1)]
    start, found, end = path.rpartition(name)
    return f'include "{start}{near[0]}{end}"' if near and found else None
