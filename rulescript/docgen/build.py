"""From a game to a folder: what `rulescript docs` and `make demo` call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.docgen.book import Book, collect, parts_of_work
from rulescript.docgen.subject import Subject
from rulescript.errors import BadCall, BadOption
from rulescript.runtime import calls
from rulescript.runtime.game import Game

if TYPE_CHECKING:
    from rulescript.loader import GameText

__all__ = ["FORMATS", "build_site", "describe_game"]

FORMATS = ("html", "markdown", "json")
GAMES = 12


def build_site(
    game: Game,
    folder: str | Path,
    *,
    format: str = "html",
    templates: str | Path | None = None,
    games: int = GAMES,
    progress: Callable[[str, int], None] | None = None,
    text: GameText | None = None,
) -> list[Path]:
    """Print the rules of a game into a folder; the files that were written, the first page first.

    `format` is html, markdown or json. `templates` is a folder with templates that take the place of ours. `games`
    random games tell which rules are reached. `progress` is called with what is being done and how many steps there
    are in all. The same game gives the same bytes."""
    calls.path(folder, "the folder to print into")
    if not isinstance(format, str) or format not in FORMATS:
        raise BadOption(f"there is no format `{format}`", hint=f"one of: {', '.join(FORMATS)}")
    own = Path(templates) if templates is not None else None
    if own is not None and not own.is_dir():
        raise BadOption(f"there is no folder `{own}` to take templates from")
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise BadOption(f"`{target}` is a file, not a folder to write into")
    book, subject = _book(game, games, progress, text)
    if format == "json":
        from rulescript.docgen.describe import write_description

        return [write_description(book, subject, target)]
    if format == "markdown":
        from rulescript.docgen.markdown import write_markdown

        return write_markdown(book, target, own)
    from rulescript.docgen.site import write_site

    return write_site(book, target, own)


def describe_game(game: Game, *, games: int = GAMES, text: GameText | None = None) -> dict[str, Any]:
    """The description that the JSON format writes, as data."""
    from rulescript.docgen.describe import describe

    return describe(*_book(game, games, None, text))


def _book(
    game: Game, games: int, progress: Callable[[str, int], None] | None, text: GameText | None
) -> tuple[Book, Subject]:
    if not isinstance(game, Game):
        raise BadCall(f"the rules of a loaded game can be printed, not those of {type(game).__name__}")
    calls.whole(games, "the number of random games", 0)
    subject = Subject.of(game, text)
    total = parts_of_work(subject, games)

    def step(what: str) -> None:
        if progress is not None:
            progress(what, total)

    return collect(subject, games=games, jobs=os.cpu_count() or 1, progress=step), subject
