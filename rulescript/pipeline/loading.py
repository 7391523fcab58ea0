"""The front door's machinery: from a name or path to a compiled game, through the user's cache.

A warm start reads the files' bytes, makes a key of them, and finds the compiled module in the cache; neither the
parser nor the analysis is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.errors import BadOption, GameInvalid
from rulescript.game_data import GameData, read, written
from rulescript.loader import content_key_of
from rulescript.locks import READING, one_at_a_time
from rulescript.pipeline.cache import key_of, read_kept, write_kept
from rulescript.pipeline.composing import look_through, too_deep
from rulescript.resources import cache_folder
from rulescript.runtime.failures import GENERATED, SEARCHED
from rulescript.runtime.game import Game, uncollected

if TYPE_CHECKING:
    from types import CodeType

    from rulescript.compiler.module import Compiled
    from rulescript.diagnostics import Reporter
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model

__all__ = ["compile_text", "game_of", "kept_game", "load", "model_of", "search_code"]


def load(
    where: str | Path,
    *,
    options: Iterable[str] | None = (),
    scenario: str | None = "",
    players: int | None = None,
    cache: bool = True,
    without: Iterable[str] | None = (),
    read: Callable[[GameText], Game | None] | None = None,
    searched: bool = True,
) -> Game:
    """A game by its name (`"two_rivers"`) or path, with optional rules and a scenario chosen. `players` is how many
    people `start` seats when it is not told otherwise. `without` switches off options that are on by default, and
    `without=["*"]` all of them that are not among the `options`. `read` is called with the text where it has to be
    read, before it is compiled; a game that it knows already is not compiled. Who plays only a few games may do without
    the search form: then a game that is not `searched` is ready sooner.

    Raises GameNotFound, GameInvalid (with every mistake of the text) or BadOption."""
    calls.path(where, "what to load")
    left_out = calls.names(without, "the options to leave out")
    chosen = tuple(sorted({*calls.names(options, "the options"), *(f"-{name}" for name in left_out)}))
    scenario = calls.text(scenario, "a scenario") if scenario is not None else ""
    key, _ = content_key_of(where)
    # A compiled game says in which file each rule stands, as its reader calls it.
    full = key_of(f"{key} {where}", chosen, scenario)
    folder = cache_folder() if cache else None
    sorts = ("game",) if searched else ("game", "plain")
    path = None
    for path in [folder / f"{sort}-{full}.bin" for sort in sorts] if folder is not None else ():
        kept = kept_game(path)
        if kept is not None:
            kept.where = (str(where), chosen, scenario)
            return kept.seat(players)
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    reporter = Reporter()
    with READING, uncollected():
        # Everything that is made here is kept until the end; looking for garbage meanwhile only costs time.
        text = load_text(where, reporter)
        known = read(text) if read is not None and not reporter.has_errors else None
        game = known or compile_text(text, chosen, scenario, reporter, path, searched)
    game.where = (str(where), chosen, scenario)
    return game.seat(players)


def _read(path: Path) -> tuple[Any, GameData, dict[int, tuple[str, int]]] | None:
    try:
        code, data, origins = read_kept(path)
        return code, read(GameData, data), origins
    except (ValueError, TypeError, LookupError):
        return None


def kept_game(path: Path) -> Game | None:
    """The game that is kept under a path, if there is one."""
    found = _read(path)
    if found is None:
        return None
    game = Game(*found)
    game.kept = path
    return game


@one_at_a_time
def compile_text(
    text: GameText,
    options: tuple[str, ...] = (),
    scenario: str = "",
    reporter: Any = None,
    path: Path | None = None,
    searched: bool = True,
) -> Game:
    """A game from its text; raises GameInvalid if it has mistakes."""
    from rulescript.compiler.module import compile_game
    from rulescript.diagnostics import Reporter
    from rulescript.pipeline.failing_check import failed_checks

    reporter = reporter if reporter is not None else Reporter()
    model = look_through(text, options, scenario, reporter, only_errors=True)
    if model is None or reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    with compiling(text, reporter):
        compiled = compile_game(model, searched)
        code = compile(compiled.text, GENERATED, "exec", dont_inherit=True, optimize=2)
    game = game_of(model, compiled, code)
    game.text = text
    reporter.extend(failed_checks(game))
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    if path is not None:
        write_kept(path, (code, written(compiled.data), compiled.origins))
        if searched:
            write_kept(path.with_suffix(".text"), compiled.search)
        game.kept = path
    return game


@contextmanager
def compiling(text: GameText, reporter: Reporter) -> Iterator[None]:
    """A game that is too deep or too large to be compiled has a mistake in its text: GameInvalid."""
    from rulescript.compiler.lower.program import MOST_WRITTEN, TooMuchWritten

    try:
        yield
    except (RecursionError, MemoryError):
        too_deep(text, reporter)
    except TooMuchWritten as problem:
        message = f"written out, the rules of this game are more than {MOST_WRITTEN:,} expressions"
        hint = "make procedures of what is there several times"
        reporter.error("RS323", message, problem.span, "this was being written", hint=hint)
    else:
        return
    raise GameInvalid(reporter.diagnostics)


def game_of(model: Model, compiled: Compiled, code: CodeType | Callable[[dict[str, Any]], None]) -> Game:
    """The game that was compiled from a model; `code` is that of its text, whole or in pieces (claims/pieces.py)."""
    game = Game(code, compiled.data, compiled.origins)
    game._model = model
    game.source = compiled.text
    game.search_text = compiled.search
    return game


@one_at_a_time
def search_code(game: Game) -> tuple[CodeType, dict[int, tuple[str, int]]] | None:
    """The code of the search form, and where its lines come from; None if it was not made (a very large game), or is
    gone.

    Its text was made with the game. Python compiles it when it is first asked for, and that is kept, too."""
    path = game.kept
    if path is not None:
        known: tuple[CodeType, dict[int, tuple[str, int]]] | None = read_kept(path.with_suffix(".search"))
        if known is not None:
            return known
    text = game.search_text
    if text is None and path is not None:
        text = read_kept(path.with_suffix(".text"))
    if text is None:
        return None
    with uncollected():
        code = compile(text[0], SEARCHED, "exec", dont_inherit=True, optimize=2)
    if path is not None:
        write_kept(path.with_suffix(".search"), (code, text[1]))
    return code, text[1]


@one_at_a_time
def model_of(game: Game) -> Model:
    """The checked model of a game that came from the cache."""
    from rulescript.analysis.analyse import analyse
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    if game.where is None:
        raise BadOption("this game has no source to read its rules from")
    where, _, _ = game.where
    reporter = Reporter()
    text = load_text(where, reporter)
    model = analyse(text, tuple(game.data.options), game.data.scenario, reporter)
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    return model
