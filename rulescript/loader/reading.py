"""A game's files, read one by one, parsed and put in order, with the games it builds on.

Lark, the nodes and the diagnostics are imported where they are needed: a warm start reads nothing here."""

from __future__ import annotations

import hashlib
import posixpath
import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulescript.errors import GameInvalid, GameNotFound
from rulescript.loader import limits
from rulescript.loader.finding import bundled_games, entry_of, find_base, find_game
from rulescript.loader.folders import Entry, Refusal, all_in, leads_out, names_in, read_bytes, stem_of
from rulescript.loader.game_text import GameText, Piece
from rulescript.loader.includes import targets_of
from rulescript.loader.keys import bases_in, entries_of_bases, feed, feed_games
from rulescript.source import LiterateHeading, SourceFile, Span, read_source

if TYPE_CHECKING:
    from rulescript.diagnostics import Reporter
    from rulescript.nodes import Declaration, GameDecl, Include

__all__ = ["LANGUAGE_VERSION", "load_single", "load_text"]

LANGUAGE_VERSION = 1
_WORD = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')


def load_text(where: str | Path, reporter: Reporter) -> GameText:
    """Read a game and those it builds on. Raises GameNotFound; everything else is reported."""
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    return _load(entry_of(find_game(where)), reporter, _Budget(), ())


def load_single(text: str, name: str = "<text>", reporter: Reporter | None = None) -> GameText:
    """A game whose text is given. It includes nothing, and need not begin with the language's version.

    Without a reporter, mistakes raise GameInvalid."""
    from rulescript.diagnostics import Reporter
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    own = Reporter() if reporter is None else reporter
    source, headings = read_source(name, text, name.endswith(".rules.md"))
    ident = stem_of(posixpath.basename(source.name)).strip("<>") or "text"
    reading = _Reading(ident, None, own, _Budget(), ())
    reading.push(source, "", headings, None)
    reading.read()
    digest = hashlib.sha256()
    data = text.encode(errors="replace")
    feed(digest, name.encode(errors="replace"), data)
    feed_games(digest, entries_of_bases(bases_in(data), None), [])
    loaded = reading.finished(digest.hexdigest())
    if reporter is None and own.has_errors:
        raise GameInvalid(own.diagnostics)
    return loaded


@define
class _Budget:
    """What a game and those it builds on may still cost; spent is reported once."""

    includes: int = field(factory=lambda: limits.MAX_INCLUDES)
    files: int = field(factory=lambda: limits.MAX_FILES)
    size: int = field(factory=lambda: limits.MAX_GAME_BYTES)
    words: int = field(factory=lambda: limits.MAX_WORDS)
    is_spent: bool = False


def _load(entry: Entry, reporter: Reporter, budget: _Budget, chain: tuple[Entry, ...]) -> GameText:
    digest = hashlib.sha256()
    feed_games(digest, [entry], [])
    reading = _Reading(entry.ident, entry, reporter, budget, chain)
    nowhere = SourceFile((_shown(entry) / entry.main).as_posix(), "").span(0, 0)
    reading.open(_Target(entry.main, nowhere))
    reading.read()
    return reading.finished(digest.hexdigest())


def _shown(entry: Entry) -> Path:
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
    entry: Entry | None
    reporter: Reporter
    budget: _Budget
    chain: tuple[Entry, ...]
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
            self._stop_reading(f"{limits.MAX_INCLUDES} includes", asked)
            return
        # Escapes are not undone, since the key does not undo them either; a backslash is refused anyway.
        path = asked.text[1:-1]
        targets = targets_of(self.entry, frame.relative, path)
        if isinstance(targets, Refusal):
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
            there = [name for name in all_in(self.entry.folder) if leads_out(self.entry, name, name) is None]
            unread = [name for name in there if (self.entry.folder / name).resolve() not in self.seen]
        self.reporter.lost.is_unknown = self.reporter.lost.is_unknown or not unread
        for name in unread:
            data = read_bytes(self.entry, name) if self.entry is not None else None
            self.reporter.lost.add_words((data or b"").decode("utf-8", errors="replace"))

    def open(self, target: _Target) -> None:
        assert self.entry is not None
        if self.budget.is_spent:
            return
        refusal = leads_out(self.entry, target.relative, target.relative)
        if refusal is not None:  # only a main file comes here unchecked
            self.reporter.error(refusal.code, refusal.message, target.asked, hint=refusal.hint)
            self.reporter.lost.is_unknown = True
            return
        real = (self.entry.folder / target.relative).resolve()
        if real in self.seen:
            self._report_circle(real, target)
            return
        self.seen.add(real)
        data = read_bytes(self.entry, target.relative)
        if data is None:
            self.reporter.error("RS008", f"`{target.relative}` cannot be read", target.asked)
            self.reporter.lost.is_unknown = True
        elif len(data) > limits.MAX_FILE_BYTES:
            said = f"`{target.relative}` is larger than {limits.MAX_FILE_BYTES // 1_000} KB"
            self.reporter.error("RS010", said, target.asked, hint="divide it into several files")
            self.reporter.lost.is_unknown = True
        elif self._is_affordable(len(data), target.asked):
            self._read_file(target.relative, real, data)

    def _is_affordable(self, size: int, asked: Span) -> bool:
        self.budget.files -= 1
        self.budget.size -= size
        if self.budget.files >= 0 and self.budget.size >= 0:
            return True
        megabytes = f"{limits.MAX_GAME_BYTES // 1_000_000} MB of text"
        self._stop_reading(f"{limits.MAX_FILES} files" if self.budget.files < 0 else megabytes, asked)
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
        if self.budget.words < 0 and self.budget.size < limits.MAX_GAME_BYTES - limits.WHOLE_BYTES:
            self.files.append(source)
            self._stop_reading(f"{limits.MAX_WORDS:,} words and signs", source.span(0, 0))
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

        path = find_base(name.text, self.entry)
        if path is None:
            beside = names_in(self.entry.beside) if self.entry is not None else []
            hint = spelling_hint(name.text, [*bundled_games(), *map(stem_of, beside)])
            self.reporter.error("RS112", f"there is no game `{name.text}` to build on", name.span, hint=hint)
            self.reporter.lost.is_unknown = True
            return None
        try:
            entry = entry_of(path)
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
        if len(chain) > limits.MAX_BASES:
            self.reporter.error("RS014", f"more than {limits.MAX_BASES} games build on each other", name.span)
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
