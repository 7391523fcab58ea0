"""A name or path, as somebody types it -> the folder and main file of a game."""

from __future__ import annotations

import os
from pathlib import Path

from rulescript.errors import GameNotFound
from rulescript.loader.folders import MAIN_FILES, SUFFIXES, Entry, bare_name, is_rules_file, name_of, names_in, stem_of
from rulescript.resources import bundled

__all__ = ["bundled_games", "entry_of", "find_base", "find_game"]


def bundled_games() -> list[str]:
    """The names of the games that come with the program and can be played."""
    folder = bundled("games")
    return [name for name in names_in(folder) if _begins_a_game(folder / name)]


def _begins_a_game(folder: Path) -> bool:
    """Whether a folder has a main file. The index of a rulebook alone is no game yet."""
    try:
        return stem_of(_main_of(folder)) != "rulebook"
    except GameNotFound:
        return False


def find_game(where: str | Path) -> Path:
    """The folder or file of a game, by its name or path.

    What looks like a path is one. A bare word is a game that comes with the program, or else a folder here.
    """
    text = os.fspath(where)
    if "/" in text or os.sep in text or text.endswith(SUFFIXES):
        path = Path(text)
    elif text in bundled_games():
        path = bundled("games") / text
    else:
        path = Path(text)
    if not text.strip() or "\0" in text or not os.path.exists(path):
        is_begun = text in names_in(bundled("games")) and any(map(is_rules_file, names_in(bundled("games") / text)))
        raise _not_yet(text) if is_begun else _not_found(text)
    if os.path.isdir(path):
        _main_of(path)
    elif not is_rules_file(path.name) or not os.path.isfile(path):
        raise GameNotFound(f"`{text}` is not a rules file", hint="its name should end in .rules or .rules.md")
    return path


def _not_yet(name: str) -> GameNotFound:
    """A folder that comes with the program, but holds no game so far."""
    games = ", ".join(bundled_games())
    hint = f"the games that come with the program are {games}" if games else None
    return GameNotFound(f"`{name}` cannot be played yet: its rules are not written so far", hint=hint)


def _not_found(text: str) -> GameNotFound:
    from rulescript.diagnostics.spelling import nearest_names

    hint = None
    if "/" in text or os.sep in text or text.endswith(SUFFIXES):
        message = f"there is no file or folder at `{text}`"
        parent = Path(text.replace("\0", "")).parent
        near = [(parent / name).as_posix() for name in nearest_names(Path(text).name, names_in(parent))]
        near += nearest_names(bare_name(Path(text).name), bundled_games())
    else:
        message = f"no game is called `{text}`, and there is no folder of that name here"
        folders = [name for name in names_in(Path()) if os.path.isdir(name)]
        near = nearest_names(text, [*bundled_games(), *folders])
    if near:
        hint = f"did you mean {' or '.join(f'`{name}`' for name in dict.fromkeys(near))}?"
    elif games := bundled_games():
        hint = f"the games that come with the program are {', '.join(games)}"
    return GameNotFound(message, hint=hint)


def entry_of(path: Path) -> Entry:
    """Of a folder or rules file that exists."""
    if os.path.isdir(path):
        return Entry(name_of(path), path, path.resolve(), _main_of(path), True)
    ident = stem_of(path.name)
    if os.path.islink(path):  # the user named the link, and so trusts where it leads
        path = path.resolve()
    shown = path.parent
    if path.name in MAIN_FILES:
        return Entry(name_of(shown), shown, shown.resolve(), path.name, True)
    return Entry(ident, shown, shown.resolve(), path.name, False)


def _main_of(folder: Path) -> str:
    """The name of the file that a folder's game begins with."""
    names = [name for name in names_in(folder) if is_rules_file(name) and os.path.isfile(folder / name)]
    mains = [name for name in names if name in MAIN_FILES]
    if len(mains) == 2:
        raise GameNotFound(f"`{folder}` has both game.rules and game.rules.md", hint="keep one of them")
    if mains or len(names) == 1:
        return (mains or names)[0]
    if not names:
        raise GameNotFound(f"`{folder}` has no rules file", hint="a game begins with its file game.rules")
    raise GameNotFound(
        f"`{folder}` has {len(names)} rules files and none is called game.rules",
        hint="give that name to the one that includes the others",
    )


def find_base(name: str, entry: Entry | None) -> Path | None:
    """The game that another builds on: one that comes with the program, or one beside it.

    Not one in the current folder: what a game means must not depend on where its reader stands."""
    if name in bundled_games():
        return bundled("games") / name
    if entry is not None:
        there = names_in(entry.beside)
        for candidate in (name, *(name + suffix for suffix in SUFFIXES)):
            path = entry.beside / candidate
            is_there = os.path.isfile if is_rules_file(candidate) else os.path.isdir
            if candidate in there and is_there(path):
                return path
    return None
