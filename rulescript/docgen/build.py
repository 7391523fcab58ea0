"""From a game to a folder: what `rulescript docs` and `make demo` call."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.docgen.book import Book, collect, parts_of_work
from rulescript.docgen.kept import Kept
from rulescript.docgen.leftovers import take_away_leftovers
from rulescript.docgen.maps import maps_of
from rulescript.docgen.plays import Playing
from rulescript.docgen.subject import Subject
from rulescript.errors import BadCall, BadOption, RulescriptError
from rulescript.pipeline import check_options, load
from rulescript.runtime.game import Game

if TYPE_CHECKING:
    from rulescript.loader import GameText

__all__ = ["FORMATS", "Begun", "build_site", "describe_game"]

FORMATS = (
    "html", "markdown", "json", "print book", "print aid", "print board", "print cards", "print counters",
    "print changes", "print kit",
)  # fmt: skip
# More of them reach next to nothing besides: of 481 rules that twelve games of a large game come to, eight come to 478.
GAMES = 8


def build_site(
    game: Game,
    folder: str | Path,
    *,
    format: str = "html",
    templates: str | Path | None = None,
    games: int = GAMES,
    progress: Callable[[str, int], None] | None = None,
    text: GameText | None = None,
    begun: Begun | None = None,
    paper: str = "a4",
    waits: bool = True,
) -> list[Path]:
    """Print the rules of a game into a folder; the files that were written, the first page first.

    `format` is html, markdown, json, or what is to be printed on `paper`: "print book", "print aid", "print board",
    "print cards", "print counters", "print changes" or all of them, "print kit". `templates` is a folder with
    templates that take the place of ours. `games` random games tell which rules are reached. `progress` is called
    with what is being done and how many steps there are in all. `begun` is what was begun before the game was
    compiled. The same game gives the same bytes; unless nobody `waits`: then only those examples are there that were
    played before."""
    calls.path(folder, "the folder to print into")
    if not isinstance(format, str) or format not in FORMATS:
        raise BadOption(f"there is no format `{format}`", hint=f"one of: {', '.join(FORMATS)}")
    own = Path(templates) if templates is not None else None
    if own is not None and not own.is_dir():
        raise BadOption(f"there is no folder `{own}` to take templates from")
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise BadOption(f"`{target}` is a file, not a folder to write into")
    if format == "html" and begun is not None and begun.has_others:
        from rulescript.docgen.site import compile_templates

        compile_templates(own)  # while others play, for who waits for them
    book, subject = _book(game, games, progress, text, begun, waits)
    files = _written(book, subject, target, format, own, paper)
    if format.startswith("print "):
        from rulescript.docgen.paper import PARTS

        # A part is printed by itself, so only its own files are looked at.
        parts = PARTS[format.removeprefix("print ")]
        sorts = {f"print {book.ident} {part}": [f for f in files if f.stem == f"{book.ident}-{part}"] for part in parts}
    else:
        sorts = {format: files}
    take_away_leftovers(target, sorts)
    return files


def _written(book: Book, subject: Subject, target: Path, format: str, own: Path | None, paper: str) -> list[Path]:
    if format == "json":
        from rulescript.docgen.describe import write_description

        return [write_description(book, subject, target)]
    if format.startswith("print "):
        from rulescript.docgen.paper import print_book

        return print_book(book, target, format.removeprefix("print "), own, paper)
    if format == "markdown":
        from rulescript.docgen.markdown import write_markdown

        return write_markdown(book, target, own)
    from rulescript.docgen.site import write_site

    return write_site(book, target, own, jobs=os.cpu_count() or 1)


def describe_game(
    game: Game, *, games: int = GAMES, text: GameText | None = None, begun: Begun | None = None
) -> dict[str, Any]:
    """The description that the JSON format writes, as data."""
    from rulescript.docgen.describe import describe

    return describe(*_book(game, games, None, text, begun))


class Begun:
    """Printing that begins as soon as a game's text is read, while the game is still being compiled: its examples are
    played by other processes. A large game is compiled once, in the form that its examples are played with, and printed
    from that. `load` the game through it, then give it to `build_site`; at the end of a `with` nothing goes on."""

    def __init__(self, waits: bool = True) -> None:
        self.waits = waits
        self.subject: Subject | None = None
        self.playing: Playing | None = None

    def __enter__(self) -> Begun:
        return self

    def __exit__(self, *problem: object) -> None:
        if self.playing is not None:
            self.playing.stop()

    @property
    def has_others(self) -> bool:
        """Whether other processes play meanwhile."""
        return self.playing is not None and self.playing.has_others

    def load(
        self,
        where: str | Path,
        options: tuple[str, ...] = (),
        scenario: str = "",
        look: Callable[[GameText], None] | None = None,
        games: int = GAMES,
    ) -> Game:
        """The game; errors are those of `rulescript.load`. `look` is shown a text that has to be read first. A game
        that differs from when it was last printed in nothing but prose and examples is not compiled again, if so many
        random `games` were played then."""

        def read(text: GameText) -> Game | None:
            if look is not None:
                look(text)
            with suppress(RulescriptError):  # what is wrong with it is told when it is compiled
                chosen = check_options(text, tuple(sorted(options)), scenario)
                self.subject = Subject.of_text(text, chosen, scenario)
                self.playing = _playing(self.subject, self.waits)
                if self.waits and self.playing.kept.tried(games) is None:
                    self.playing.begin_random(games)
                known = self.playing.kept.game(self.subject, games) or self.playing.compiled()
                self.playing.make_common()
                self.playing.begin()
                return known
            return None

        game = load(where, options=options, scenario=scenario, read=read)
        if self.subject is not None:
            self.subject.compiled = game
        return game


def _playing(subject: Subject, waits: bool = True) -> Playing:
    jobs = (os.cpu_count() or 1) if waits else 1
    return Playing(subject, maps_of(subject.model, subject.folder_of), jobs, Kept.of(subject))


def _book(
    game: Game,
    games: int,
    progress: Callable[[str, int], None] | None,
    text: GameText | None,
    begun: Begun | None = None,
    waits: bool = True,
) -> tuple[Book, Subject]:
    if not isinstance(game, Game):
        raise BadCall(f"the rules of a loaded game can be printed, not those of {type(game).__name__}")
    calls.whole(games, "the number of random games", 0)
    if begun is not None and begun.subject is not None and begun.subject.compiled is game:
        subject, playing = begun.subject, begun.playing
    else:
        subject, playing = Subject.of(game, text), None
    playing = playing if playing is not None else _playing(subject, waits)
    playing.kept.keep_game(game, subject.source)
    total = parts_of_work(subject, games)

    def step(what: str) -> None:
        if progress is not None:
            progress(what, total)

    return collect(subject, games=games, progress=step, playing=playing, waits=waits), subject
