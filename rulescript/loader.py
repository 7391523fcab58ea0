"""A game's name or path -> its text: the files it is made of, read, parsed and put in order.

In comes what a user typed, ``two_rivers`` or ``./two_rivers.rules``; out goes a `GameText`, with the text of
the game it builds on, and diagnostics for what could not be read. What the declarations mean is left to
others.

The hard idea is that a game may come from a stranger. It reads nothing outside its own folder, except the
game it builds on, which it can only name: an include is first followed on paper, so that ``..`` cannot climb
out, and then on disk, so that a link cannot lead out; hidden files, folders and anything that is no regular
file are refused. Numbers and sizes are bounded, and nothing here recurses as deep as a file can ask for.

`content_key_of` says whether a game has changed without parsing it. A warm start calls nothing else here, so
Lark, the nodes and the diagnostics are imported only inside the functions that need them. It may look at more
files than the game includes, never at fewer.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulescript.errors import GameInvalid, GameNotFound
from rulescript.resources import bundled
from rulescript.source import LiterateHeading, SourceFile, Span, read_source, writable

if TYPE_CHECKING:
    from rulescript.diagnostics import Reporter
    from rulescript.nodes import Declaration, GameDecl, Include

__all__ = [
    "GameText",
    "Piece",
    "bundled_games",
    "content_key_of",
    "find_game",
    "load_single",
    "load_text",
]

LANGUAGE_VERSION = 1
MAX_FILES = 500
MAX_INCLUDES = 2_000
MAX_FILE_BYTES = 600_000
MAX_GAME_BYTES = 2_000_000
# A game of more than so many bytes may have so many words and signs; a smaller one is read whole, whatever it has.
WHOLE_BYTES = 500_000
MAX_WORDS = 160_000
MAX_BASES = 20

_SUFFIXES = (".rules", ".rules.md")
_MAIN_FILES = ("game.rules", "game.rules.md")
_INCLUDE = re.compile(r'(?m)^[ \t\f]*include[ \t\f]*"([^"\n]*)"')
_WORD = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
_BUILDS_ON = re.compile(rb'(?m)^[ \t\f]+builds[ \t\f]+on[ \t\f]*("[^"\n]*"|[^\s#]+)')


# ---- what comes out ----------------------------------------------------------------------------------------


@frozen
class Piece:
    """A declaration, the rule its heading names, and the game whose text it stands in."""

    declaration: Declaration
    cites: tuple[str, ...]
    origin: str


@frozen(eq=False)
class GameText:
    """A game as it was written. What it builds on is kept apart, in `base`.

    `folder` is where the main file lies, and None for text that came from no file. `content_key` changes
    whenever the text of the game or of a game below it does.
    """

    ident: str
    title: str
    folder: Path | None
    base: GameText | None
    pieces: tuple[Piece, ...] = field(repr=False)
    files: tuple[SourceFile, ...] = field(repr=False)
    content_key: str
    game: GameDecl | None = field(repr=False)


# ---- finding games -----------------------------------------------------------------------------------------


def bundled_games() -> list[str]:
    """The names of the games that come with the program and can be played."""
    folder = bundled("games")
    return [name for name in _names_in(folder) if _begins_a_game(folder / name)]


def _begins_a_game(folder: Path) -> bool:
    """Whether a folder has a main file. The index of a rulebook alone is no game yet."""
    try:
        return _stem_of(_main_of(folder)) != "rulebook"
    except GameNotFound:
        return False


def find_game(where: str | Path) -> Path:
    """The folder or file of a game, by its name or path.

    What looks like a path is one. A bare word is a game that comes with the program, or else a folder here.
    """
    text = os.fspath(where)
    if "/" in text or os.sep in text or text.endswith(_SUFFIXES):
        path = Path(text)
    elif text in bundled_games():
        path = bundled("games") / text
    else:
        path = Path(text)
    if not text.strip() or "\0" in text or not os.path.exists(path):
        is_begun = text in _names_in(bundled("games")) and any(map(_is_rules_file, _names_in(bundled("games") / text)))
        raise _not_yet(text) if is_begun else _not_found(text)
    if os.path.isdir(path):
        _main_of(path)
    elif not _is_rules_file(path.name) or not os.path.isfile(path):
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
    if "/" in text or os.sep in text or text.endswith(_SUFFIXES):
        message = f"there is no file or folder at `{text}`"
        parent = Path(text.replace("\0", "")).parent
        near = [(parent / name).as_posix() for name in nearest_names(Path(text).name, _names_in(parent))]
        near += nearest_names(_bare_name(Path(text).name), bundled_games())
    else:
        message = f"no game is called `{text}`, and there is no folder of that name here"
        folders = [name for name in _names_in(Path()) if os.path.isdir(name)]
        near = nearest_names(text, [*bundled_games(), *folders])
    if near:
        hint = f"did you mean {' or '.join(f'`{name}`' for name in dict.fromkeys(near))}?"
    elif games := bundled_games():
        hint = f"the games that come with the program are {', '.join(games)}"
    return GameNotFound(message, hint=hint)


@frozen
class _Entry:
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


def _entry_of(path: Path) -> _Entry:
    """Of a folder or rules file that exists."""
    if os.path.isdir(path):
        return _Entry(_name_of(path), path, path.resolve(), _main_of(path), True)
    ident = _stem_of(path.name)
    if os.path.islink(path):  # the user named the link, and so trusts where it leads
        path = path.resolve()
    shown = path.parent
    if path.name in _MAIN_FILES:
        return _Entry(_name_of(shown), shown, shown.resolve(), path.name, True)
    return _Entry(ident, shown, shown.resolve(), path.name, False)


def _main_of(folder: Path) -> str:
    """The name of the file that a folder's game begins with."""
    names = [name for name in _names_in(folder) if _is_rules_file(name) and os.path.isfile(folder / name)]
    mains = [name for name in names if name in _MAIN_FILES]
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


def _find_base(name: str, entry: _Entry | None) -> Path | None:
    """The game that another builds on: one that comes with the program, or one beside it.

    Not one in the current folder: what a game means must not depend on where its reader stands."""
    if name in bundled_games():
        return bundled("games") / name
    if entry is not None:
        there = _names_in(entry.beside)
        for candidate in (name, *(name + suffix for suffix in _SUFFIXES)):
            path = entry.beside / candidate
            is_there = os.path.isfile if _is_rules_file(candidate) else os.path.isdir
            if candidate in there and is_there(path):
                return path
    return None


# ---- the key -----------------------------------------------------------------------------------------------


def content_key_of(where: str | Path) -> tuple[str, list[Path]]:
    """A key for the text of a game and of those it builds on, and the files it was computed from.

    For a folder these are all its rules files, included or not; for a single file what it includes.
    """
    digest = hashlib.sha256()
    looked_at: list[Path] = []
    _feed_games(digest, [_entry_of(find_game(where))], looked_at)
    return digest.hexdigest(), looked_at


def _feed_games(digest: hashlib._Hash, entries: list[_Entry], looked_at: list[Path]) -> None:
    seen: set[tuple[Path, str]] = set()
    while entries:
        entry = entries.pop(0)
        if (entry.folder, entry.main) in seen or len(seen) > MAX_BASES:
            continue
        seen.add((entry.folder, entry.main))
        _feed(digest, entry.ident.encode(errors="replace"), entry.main.encode(errors="replace"))
        bases: list[str] = []
        for relative in _all_in(entry.folder) if entry.is_whole_folder else _included_by(entry):
            data = _read_bytes(entry, relative)
            if data is None:
                continue
            looked_at.append(entry.shown / relative)
            _feed(digest, relative.encode(errors="replace"), data)
            bases += _bases_in(data)
        entries += _entries_of_bases(bases, entry)


def _entries_of_bases(names: Iterable[str], entry: _Entry | None) -> list[_Entry]:
    found: list[_Entry] = []
    for name in dict.fromkeys(names):
        path = _find_base(name, entry)
        try:
            if path is not None:
                found.append(_entry_of(path))
        except GameNotFound:
            continue  # load_text reports it
    return found


def _bases_in(data: bytes) -> list[str]:
    found = _BUILDS_ON.findall(data) if b"builds" in data else []
    return [name.strip(b'"').decode(errors="replace") for name in found]


def _feed(digest: hashlib._Hash, *parts: bytes) -> None:
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)


def _all_in(folder: Path) -> list[str]:
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name).relative_to(folder).as_posix() for name in names if _is_rules_file(name)]
    return sorted(found)


def _included_by(entry: _Entry) -> list[str]:
    """The files a single-file game seems to include; a line that only looks like an include does no harm."""
    found, waiting = {entry.main}, [entry.main]
    followed: set[tuple[str, str]] = set()
    while waiting and len(found) <= MAX_FILES:
        including = waiting.pop()
        data = _read_bytes(entry, including) or b""
        for path in _INCLUDE.findall(data.decode("utf-8-sig", errors="replace")):
            place = (posixpath.dirname(including), path)
            if place in followed or len(followed) > MAX_INCLUDES:
                continue
            followed.add(place)
            targets = _targets_of(entry, including, path)
            new = [] if isinstance(targets, _Refusal) else [each for each in targets if each not in found]
            found.update(new)
            waiting += new
    return sorted(found)


# ---- includes ----------------------------------------------------------------------------------------------


@frozen
class _Refusal:
    """Why an include is not followed."""

    code: str
    message: str
    hint: str | None = None


def _targets_of(entry: _Entry, including: str, path: str) -> list[str] | _Refusal:
    """The files an include means, by their paths in the game's folder. A pattern may mean several or none."""
    if path.startswith(("/", "\\", "~")) or PureWindowsPath(path).drive:
        return _Refusal("RS007", f"`{path}` is not a path within the game's folder")
    if "\\" in path:
        return _Refusal("RS008", f"`{path}` has a backslash in it", "write paths with forward slashes: a/b.rules")
    relative = posixpath.normpath(posixpath.join(posixpath.dirname(including), path))
    if relative.split("/")[0] == "..":
        return _Refusal(
            "RS007", f"`{path}` climbs out of the game's folder", "copy the file into the folder of the game"
        )
    if not path.strip() or not path.isprintable():
        return _Refusal("RS008", "an include names a file", 'include "map.rules"')
    if relative != "." and any(name.startswith(".") for name in relative.split("/")):
        return _Refusal("RS008", f"`{path}` is hidden, and a game reads no hidden files")
    if "*" in path:
        return _matches_of(entry, relative, path)
    refusal = _why_not(entry, relative, path)
    return [relative] if refusal is None else refusal


def _matches_of(entry: _Entry, relative: str, path: str) -> list[str] | _Refusal:
    folder, pattern = posixpath.split(relative)
    if "*" in folder or "*" in posixpath.dirname(path) or pattern.count("*") != 1:
        return _Refusal("RS008", f"in `{path}` a `*` may stand once, in the name of the file")
    if not pattern.endswith(_SUFFIXES):
        return _Refusal("RS008", f"`{path}` does not end in .rules or .rules.md", f'include "{path}.rules"')
    if folder and (refusal := _why_not_folder(entry, folder, path)):
        return refusal
    before, after = pattern.split("*")
    found: list[str] = []
    for name in _names_in(entry.folder / folder):
        fits = len(name) >= len(before) + len(after) and name.startswith(before) and name.endswith(after)
        if fits and not os.path.isdir(entry.folder / folder / name):
            target = posixpath.join(folder, name)
            if refusal := _why_not(entry, target, target):
                return refusal
            found.append(target)
            if len(found) > MAX_FILES:
                break  # reading them will say so
    return found or _Refusal("RS008", f"no file fits `{path}`")


def _why_not(entry: _Entry, relative: str, path: str) -> _Refusal | None:
    """Why a file may not be included; None if it may."""
    folder, name = posixpath.split(relative)
    if refusal := _why_not_folder(entry, folder, path):
        return refusal
    refusal = _leads_out(entry, relative, path)
    if refusal is not None:
        return refusal
    target = entry.folder / relative
    if os.path.isdir(target):
        return _Refusal("RS008", f"`{path}` is a folder", f'include "{path.rstrip("/")}/*.rules"')
    if not name.endswith(_SUFFIXES):
        return _Refusal("RS008", f"`{path}` is not a rules file: its name should end in .rules or .rules.md")
    if name not in _names_in(target.parent):  # capitals count, also where the file system thinks otherwise
        return _Refusal("RS008", f"there is no file `{path}`", _hint_for(entry, folder, name, path))
    if not os.path.isfile(target):
        return _Refusal("RS008", f"`{path}` is not a file that can be read")
    return None


def _why_not_folder(entry: _Entry, folder: str, path: str) -> _Refusal | None:
    at = ""
    for name in filter(None, folder.split("/")):
        if name not in _names_in(entry.folder / at):
            return _Refusal("RS008", f"there is no file `{path}`", _hint_for(entry, at, name, path))
        at = posixpath.join(at, name)
        if refusal := _leads_out(entry, at, path):
            return refusal
    return None


def _leads_out(entry: _Entry, relative: str, path: str) -> _Refusal | None:
    try:
        real = (entry.folder / relative).resolve()
    except (OSError, RuntimeError, ValueError):
        return _Refusal("RS008", f"`{path}` is a link that leads nowhere")
    if not real.is_relative_to(entry.folder):
        return _Refusal("RS007", f"`{path}` is a link that leads out of the game's folder")
    if any(name.startswith(".") for name in real.relative_to(entry.folder).parts):
        return _Refusal("RS008", f"`{path}` is a link to a hidden file, and a game reads none")
    return None


def _bare_name(name: str) -> str:
    """The name of a file without its ending."""
    return name.removesuffix(".md").removesuffix(".rules")


def _hint_for(entry: _Entry, folder: str, name: str, path: str) -> str | None:
    from rulescript.diagnostics.spelling import nearest_names

    # Nearly all names end alike, and a file never means itself.
    stems = {_bare_name(other): other for other in _names_in(entry.folder / folder) if other != entry.main}
    near = [stems[stem] for stem in nearest_names(_bare_name(name), stems, limit=1)]
    start, found, end = path.rpartition(name)
    return f'include "{start}{near[0]}{end}"' if near and found else None


def _names_in(folder: Path) -> list[str]:
    """The names in a folder that are not hidden, in order; none if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except (OSError, ValueError):
        return []


def _is_rules_file(name: str) -> bool:
    return name.endswith(_SUFFIXES) and not name.startswith(".")


def _stem_of(name: str) -> str:
    return writable(_bare_name(name))


def _name_of(folder: Path) -> str:
    return writable(os.path.basename(os.path.abspath(folder))) or "game"


def _read_bytes(entry: _Entry, relative: str) -> bytes | None:
    """At most one byte more than a file may have; None for what must not or cannot be read."""
    if _leads_out(entry, relative, relative) is not None:
        return None
    path = entry.folder / relative
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError):
        return None


def read_beside(folder: Path, relative: str, most: int) -> bytes | str:
    """A file of a game's folder that is not one of its rules; what is wrong with it, as text, if it cannot be read.

    It must lie in the folder itself, also after its links are followed, be no hidden file, and have at most so many
    bytes."""
    if not relative or relative.startswith("/") or any(part.startswith(".") for part in relative.split("/")):
        return f"`{relative}` is not a path within the game's folder"
    entry = _Entry("", folder, folder.resolve(), "", True)
    refusal = _leads_out(entry, relative, relative)
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


# ---- reading -----------------------------------------------------------------------------------------------


def load_text(where: str | Path, reporter: Reporter) -> GameText:
    """Read a game and those it builds on. Raises GameNotFound; everything else is reported."""
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    return _load(_entry_of(find_game(where)), reporter, _Budget(), ())


def load_single(text: str, name: str = "<text>", reporter: Reporter | None = None) -> GameText:
    """A game whose text is given. It includes nothing, and need not begin with the language's version.

    Without a reporter, mistakes raise GameInvalid."""
    from rulescript.diagnostics import Reporter
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    own = Reporter() if reporter is None else reporter
    source, headings = read_source(name, text, name.endswith(".rules.md"))
    ident = _stem_of(posixpath.basename(source.name)).strip("<>") or "text"
    reading = _Reading(ident, None, own, _Budget(), ())
    reading.push(source, "", headings, None)
    reading.read()
    digest = hashlib.sha256()
    data = text.encode(errors="replace")
    _feed(digest, name.encode(errors="replace"), data)
    _feed_games(digest, _entries_of_bases(_bases_in(data), None), [])
    loaded = reading.finished(digest.hexdigest())
    if reporter is None and own.has_errors:
        raise GameInvalid(own.diagnostics)
    return loaded


@define
class _Budget:
    """What a game and those it builds on may still cost; spent is reported once."""

    includes: int = field(factory=lambda: MAX_INCLUDES)
    files: int = field(factory=lambda: MAX_FILES)
    size: int = field(factory=lambda: MAX_GAME_BYTES)
    words: int = field(factory=lambda: MAX_WORDS)
    is_spent: bool = False


def _load(entry: _Entry, reporter: Reporter, budget: _Budget, chain: tuple[_Entry, ...]) -> GameText:
    digest = hashlib.sha256()
    _feed_games(digest, [entry], [])
    reading = _Reading(entry.ident, entry, reporter, budget, chain)
    nowhere = SourceFile((_shown(entry) / entry.main).as_posix(), "").span(0, 0)
    reading.open(_Target(entry.main, nowhere))
    reading.read()
    return reading.finished(digest.hexdigest())


def _shown(entry: _Entry) -> Path:
    """The game's folder as messages name it: as it was given, or from here if it lies below."""
    if entry.shown.is_absolute() and entry.shown.is_relative_to(Path.cwd()):
        return entry.shown.relative_to(Path.cwd())
    return entry.shown


@frozen
class _Target:
    """A file still to be read, and the include that asks for it."""

    relative: str
    asked: Span
    by_pattern: bool = False


@define
class _Frame:
    """A file being read: what of it is still to be taken, last first."""

    source: SourceFile
    relative: str
    real: Path | None
    headings: _Headings
    waiting: list[Declaration | _Target]


@define(eq=False)
class _Reading:
    """The reading of one game, file by file. A stack of our own, since includes may go 500 deep."""

    ident: str
    entry: _Entry | None
    reporter: Reporter
    budget: _Budget
    chain: tuple[_Entry, ...]
    pieces: list[Piece] = field(factory=list)
    files: list[SourceFile] = field(factory=list)
    game: GameDecl | None = None
    stack: list[_Frame] = field(factory=list)
    seen: set[Path] = field(factory=set)
    is_missing_files: bool = False

    def read(self) -> None:
        """Take everything from the files on the stack and those they include."""
        from rulescript.nodes import GameDecl, Include, LanguageLine

        while self.stack:
            frame = self.stack[-1]
            if not frame.waiting:
                self.stack.pop()
                continue
            match frame.waiting.pop():
                case _Target() as target:
                    self.open(target)
                case LanguageLine():
                    pass
                case GameDecl() as game:
                    self._take_game(game)
                case Include() as include:
                    self._follow(include, frame)
                case declaration:
                    cites = frame.headings.cites_at(declaration.span.line)
                    self.pieces.append(Piece(declaration, cites, self.ident))

    def finished(self, content_key: str) -> GameText:
        base = self._load_base()
        self._lose_files()
        title = self.game.title if self.game is not None else self.ident
        folder = self.entry.folder if self.entry is not None else None
        pieces, files = tuple(self.pieces), tuple(self.files)
        return GameText(self.ident, title, folder, base, pieces, files, content_key, self.game)

    # -------------------------------------------------------------- files

    def _follow(self, include: Include, frame: _Frame) -> None:
        asked = include.path.span
        if self.entry is None:
            self.reporter.error("RS008", "a text that lies in no folder can include nothing", asked)
            self.is_missing_files = True
            return
        self.budget.includes -= 1
        if self.budget.includes < 0:
            self._stop_reading(f"{MAX_INCLUDES} includes", asked)
            return
        # Escapes are not undone, since the key does not undo them either; a backslash is refused anyway.
        path = asked.text[1:-1]
        targets = _targets_of(self.entry, frame.relative, path)
        if isinstance(targets, _Refusal):
            self.reporter.error(targets.code, targets.message, asked, hint=targets.hint)
            self.is_missing_files = True
            return
        frame.waiting.extend(_Target(each, asked, "*" in path) for each in reversed(targets))

    def _lose_files(self) -> None:
        """Where an include leads nowhere or cannot be read, a file may be missing: most likely one that lies in the
        folder and that nothing else asks for. Where there is none, nobody knows what it says."""
        lost = [part for part in self.reporter.lost.parts if part.source in self.files]
        heads = [part.source.line_text(part.first) for part in lost if part.first_is_lost]
        if any("builds" in part.words for part in lost) and (self.game is None or self.game.builds_on is None):
            self.reporter.lost.is_unknown = True
        if not self.is_missing_files and not any("include" in head or ".rules" in head for head in heads):
            return
        unread: list[str] = []
        if self.entry is not None and self.entry.is_whole_folder:
            there = [name for name in _all_in(self.entry.folder) if _leads_out(self.entry, name, name) is None]
            unread = [name for name in there if (self.entry.folder / name).resolve() not in self.seen]
        self.reporter.lost.is_unknown = self.reporter.lost.is_unknown or not unread
        for name in unread:
            data = _read_bytes(self.entry, name) if self.entry is not None else None
            self.reporter.lost.add_words((data or b"").decode("utf-8", errors="replace"))

    def open(self, target: _Target) -> None:
        assert self.entry is not None
        if self.budget.is_spent:
            return
        refusal = _leads_out(self.entry, target.relative, target.relative)
        if refusal is not None:  # only a main file comes here unchecked
            self.reporter.error(refusal.code, refusal.message, target.asked, hint=refusal.hint)
            self.reporter.lost.is_unknown = True
            return
        real = (self.entry.folder / target.relative).resolve()
        if real in self.seen:
            self._report_circle(real, target)
            return
        self.seen.add(real)
        data = _read_bytes(self.entry, target.relative)
        if data is None:
            self.reporter.error("RS008", f"`{target.relative}` cannot be read", target.asked)
            self.reporter.lost.is_unknown = True
        elif len(data) > MAX_FILE_BYTES:
            said = f"`{target.relative}` is larger than {MAX_FILE_BYTES // 1_000} KB"
            self.reporter.error("RS010", said, target.asked, hint="divide it into several files")
            self.reporter.lost.is_unknown = True
        elif self._is_affordable(len(data), target.asked):
            self._read_file(target.relative, real, data)

    def _is_affordable(self, size: int, asked: Span) -> bool:
        self.budget.files -= 1
        self.budget.size -= size
        if self.budget.files >= 0 and self.budget.size >= 0:
            return True
        megabytes = f"{MAX_GAME_BYTES // 1_000_000} MB of text"
        self._stop_reading(f"{MAX_FILES} files" if self.budget.files < 0 else megabytes, asked)
        return False

    def _stop_reading(self, limit: str, asked: Span) -> None:
        if not self.budget.is_spent:
            self.budget.is_spent = True
            self.reporter.lost.is_unknown = True
            self.reporter.error("RS014", f"the game has more than {limit}", asked, "reading stops here")

    def _read_file(self, relative: str, real: Path, data: bytes) -> None:
        assert self.entry is not None
        name = (_shown(self.entry) / relative).as_posix()
        source, headings = read_source(name, data.decode("utf-8", errors="replace"), relative.endswith(".rules.md"))
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as problem:
            before, _ = read_source(name, data[: problem.start].decode("utf-8"), False)
            place = len(before.text)
            said = f"the byte {data[problem.start]:#04x} is not part of any character"
            span = source.span(place, place + 1)
            self.reporter.error("RS004", said, span, hint="save the file as UTF-8")
            self.reporter.lost.add_words(source.text)
            self.files.append(source)
            return
        self.budget.words -= len(_WORD.findall(source.text))
        if self.budget.words < 0 and self.budget.size < MAX_GAME_BYTES - WHOLE_BYTES:
            self.files.append(source)
            self._stop_reading(f"{MAX_WORDS:,} words and signs", source.span(0, 0))
            return
        self.push(source, relative, headings, real)

    def push(self, source: SourceFile, relative: str, headings: list[LiterateHeading], real: Path | None) -> None:
        self.files.append(source)
        declarations = _declarations_in(source, self.reporter, is_file=real is not None)
        is_main = self.entry is not None and relative == self.entry.main
        _check_language(source, declarations, self.reporter, is_main)
        waiting: list[Declaration | _Target] = [*reversed(declarations)]
        self.stack.append(_Frame(source, relative, real, _headings_of(headings), waiting))

    def _report_circle(self, real: Path, target: _Target) -> None:
        if target.by_pattern or all(frame.real != real for frame in self.stack):
            return  # read before, which is enough; and a pattern may well fit the file it stands in
        itself = self.stack[-1].real == real
        said = "itself" if itself else f"`{target.relative}`, which includes this file"
        hint = "drop this include: each file is read once"
        self.reporter.error("RS009", f"this file includes {said}", target.asked, hint=hint)

    # -------------------------------------------------------------- games

    def _take_game(self, game: GameDecl) -> None:
        from rulescript.diagnostics import Label

        if self.game is None:
            self.game = game
            return
        first = [Label(_first_line(self.game.span), "named here first")]
        self.reporter.error("RS102", "the game is named twice", _first_line(game.span), others=first)

    def _load_base(self) -> GameText | None:
        name = self.game.builds_on if self.game is not None else None
        if name is None:
            return None
        from rulescript.diagnostics import spelling_hint

        path = _find_base(name.text, self.entry)
        if path is None:
            beside = _names_in(self.entry.beside) if self.entry is not None else []
            hint = spelling_hint(name.text, [*bundled_games(), *map(_stem_of, beside)])
            self.reporter.error("RS112", f"there is no game `{name.text}` to build on", name.span, hint=hint)
            self.reporter.lost.is_unknown = True
            return None
        try:
            entry = _entry_of(path)
        except GameNotFound as problem:
            self.reporter.error("RS112", problem.message, name.span, hint=problem.hint)
            self.reporter.lost.is_unknown = True
            return None
        chain = self.chain if self.entry is None else (*self.chain, self.entry)
        if any((each.folder, each.main) == (entry.folder, entry.main) for each in chain):
            itself = (chain[-1].folder, chain[-1].main) == (entry.folder, entry.main)
            said = "itself" if itself else f"`{name.text}`, which builds on this game"
            self.reporter.error("RS009", f"this game builds on {said}", name.span)
            return None
        if len(chain) > MAX_BASES:
            self.reporter.error("RS014", f"more than {MAX_BASES} games build on each other", name.span)
            return None
        return _load(entry, self.reporter, self.budget, chain)


def _declarations_in(source: SourceFile, reporter: Reporter, is_file: bool) -> tuple[Declaration, ...]:
    """What a file says: as it is kept, if it was read before. What is only a text is read anew."""
    if is_file:
        from rulescript.syntax.parsed_files import declarations_in

        return declarations_in(source, reporter)
    from rulescript.syntax.parser import parse_file

    return parse_file(source, reporter)


def _check_language(source: SourceFile, declarations: Sequence[Declaration], reporter: Reporter, is_main: bool) -> None:
    """A game's main file says which language it is written in; what it includes may repeat it."""
    from rulescript.nodes import LanguageLine
    from rulescript.syntax.parser import is_no_program

    for line in declarations:
        if isinstance(line, LanguageLine) and line.version != LANGUAGE_VERSION:
            said = f"version {line.version} of the language is not known here"
            hint = f"rulescript {LANGUAGE_VERSION}"
            reporter.error("RS006", said, _first_line(line.span), hint=hint)
    first = re.search(r"(?m)^[^\S\n]*(?P<line>[^\s#].*)", source.text)
    if (first is None and not source.original.strip()) or (not declarations and is_no_program(source)):
        return  # that there is nothing in it, or nothing of a program, has been reported
    start, end = first.span("line") if first is not None else (0, 0)
    # A first line that is badly written, or misspelt, has been reported by the parser.
    if is_main and not re.match(r"rulescript", source.text[start:end]):
        said = "the file does not begin with the version of the language"
        hint = f"put `rulescript {LANGUAGE_VERSION}` above everything else"
        if source.name.endswith(".md"):
            hint = f"put `rulescript {LANGUAGE_VERSION}` first in its first block of rules"
        if first is None and source.name.endswith(".md"):
            said = "there is no block of rules in this file"
            hint = f"begin one with a line that says ```rules, and put `rulescript {LANGUAGE_VERSION}` first in it"
        reporter.error("RS006", said, source.span(start, end), hint=hint)


def _first_line(span: Span) -> Span:
    end = min(span.end, span.source.line_end(span.line))
    return Span(span.source, span.start, max(end, span.start))


@frozen
class _Headings:
    """The lines of a file's headings, and for each the rule that what stands under it belongs to."""

    lines: list[int]
    cites: list[tuple[str, ...]]

    def cites_at(self, line: int) -> tuple[str, ...]:
        above = bisect_right(self.lines, line)
        return self.cites[above - 1] if above else ()


def _headings_of(headings: Sequence[LiterateHeading]) -> _Headings:
    """Of the headings around a place, the innermost with a number says which rule it belongs to."""
    around: list[tuple[int, tuple[str, ...]]] = []
    cites: list[tuple[str, ...]] = []
    for heading in headings:
        while around and around[-1][0] >= heading.level:
            around.pop()
        inherited = around[-1][1] if around else ()
        own = (heading.ident,) if heading.ident is not None else inherited
        around.append((heading.level, own))
        cites.append(own)
    return _Headings([heading.line for heading in headings], cites)
