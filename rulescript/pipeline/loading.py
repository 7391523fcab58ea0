"""The front door's machinery: from a name or path to a compiled game, through the user's cache.

A warm start reads the files' bytes, makes a key of them, and finds the compiled module in the cache; neither the
parser nor the analysis is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize

from rulescript import calls
from rulescript.errors import BadOption, GameInvalid, RulescriptError
from rulescript.game_data import GameData, read, written
from rulescript.loader import content_key_of
from rulescript.locks import READING, one_at_a_time
from rulescript.pipeline.cache import key_of, read_kept, write_kept
from rulescript.pipeline.composing import look_through, too_deep
from rulescript.resources import cache_folder
from rulescript.runtime.failures import GENERATED, SEARCHED
from rulescript.runtime.game import Code, Game, uncollected

if TYPE_CHECKING:
    from subprocess import Popen
    from types import CodeType

    from rulescript.compiler.module import Compiled
    from rulescript.diagnostics import Reporter
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model

__all__ = ["compile_text", "game_of", "kept_game", "load", "made_beside", "model_of", "search_code"]

# So many lines of Python are compiled together (printed games have up to 8,400).
LINES_AT_ONCE = 10_000

# Whether a process still makes the search form of a game while it is played.
_beside: WeakKeyDictionary[Game, Callable[[], bool]] = WeakKeyDictionary()
# What such a process runs that is no copy of this one.
_MAKING = """
import json, sys
from rulescript.pipeline.workshop import loaded_again
where, chosen, *rest = json.loads(sys.argv[1])
loaded_again(where, tuple(chosen), *rest).prepare()
"""


def load(
    where: str | Path,
    *,
    options: Iterable[str] | None = (),
    scenario: str | None = "",
    players: int | None = None,
    cache: bool = True,
    without: Iterable[str] | None = (),
    read: Callable[[GameText], Game | None] | None = None,
) -> Game:
    """A game by its name (`"two_rivers"`) or path, with optional rules and a scenario chosen. `players` is how many
    people `start` seats when it is not told otherwise. `without` switches off options that are on by default, and
    `without=["*"]` all of them that are not among the `options`. `read` is called with the text where it has to be
    read, before it is compiled; a game that it knows already is not compiled.

    Raises GameNotFound, GameInvalid (with every mistake of the text) or BadOption."""
    calls.path(where, "what to load")
    left_out = calls.names(without, "the options to leave out")
    chosen = tuple(sorted({*calls.names(options, "the options"), *(f"-{name}" for name in left_out)}))
    scenario = calls.text(scenario, "a scenario") if scenario is not None else ""
    key, _ = content_key_of(where)
    # A compiled game says in which file each rule stands, as its reader calls it.
    full = key_of(f"{key} {where}", chosen, scenario)
    folder = cache_folder() if cache else None
    path = folder / f"game-{full}.bin" if folder is not None else None
    kept = kept_game(path) if path is not None else None
    if kept is not None:
        kept.where = (str(where), chosen, scenario)
        kept.seating.choose(players)
        return kept
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    reporter = Reporter()
    with READING, uncollected():
        # Everything that is made here is kept until the end; looking for garbage meanwhile only costs time.
        text = load_text(where, reporter)
        known = read(text) if read is not None and not reporter.has_errors else None
        game = known or compile_text(text, chosen, scenario, reporter, path)
    game.where = (str(where), chosen, scenario)
    game.seating.choose(players)
    return game


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
        compiled = compile_game(model, searched=False)
        code = _python_of(compiled.text)
    game = game_of(model, compiled, code)
    game.text = text
    reporter.extend(failed_checks(game))
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    if path is not None:
        write_kept(path, (code, written(compiled.data), compiled.origins))
        game.kept = path
    return game


@contextmanager
def compiling(text: GameText, reporter: Reporter) -> Iterator[None]:
    """A game that is too deep or too large to be compiled has a mistake in its text: GameInvalid."""
    from rulescript.analysis.unseen_moves import MOST_KEPT, TooManyNames
    from rulescript.compiler.lower.program import MOST_WRITTEN, TooMuchWritten

    try:
        yield
    except (RecursionError, MemoryError):
        too_deep(text, reporter)
    except TooMuchWritten as problem:
        message = f"written out, the rules of this game are more than {MOST_WRITTEN:,} expressions"
        hint = "make procedures of what is there several times"
        reporter.error("RS323", message, problem.span, "this was being written", hint=hint)
    except TooManyNames as problem:
        message = f"names for pieces would have to be told more than {MOST_KEPT:,} times what becomes of their pieces"
        hint = "make procedures of parts of this rule, so that fewer names are in use at once"
        reporter.error("RS323", message, problem.span, "too many names are in use here", hint=hint)
    else:
        return
    raise GameInvalid(reporter.diagnostics)


def _python_of(text: str) -> CodeType | tuple[CodeType, ...]:
    """The code of a module. Python compares the functions of one text with all that are alike but for their lines, so
    one of tens of thousands of functions is compiled in parts: each is as far down as it stands in the whole."""
    lines = text.split("\n")
    if len(lines) <= LINES_AT_ONCE:
        return compile(text, GENERATED, "exec", dont_inherit=True, optimize=2)
    parts: list[CodeType] = []
    first = 0
    while first < len(lines):
        end = min(first + LINES_AT_ONCE, len(lines))
        while end < len(lines) and not lines[end].startswith("def "):
            end += 1
        part = "\n" * first + "\n".join(lines[first:end])
        parts.append(compile(part, GENERATED, "exec", dont_inherit=True, optimize=2))
        first = end
    return tuple(parts)


def game_of(model: Model, compiled: Compiled, code: Code) -> Game:
    """The game that was compiled from a model; `code` is that of its text, whole or in pieces (claims/pieces.py)."""
    game = Game(code, compiled.data, compiled.origins)
    game._model = model
    game.source = compiled.text
    return game


@one_at_a_time
def search_code(game: Game) -> tuple[CodeType, dict[int, tuple[str, int]]] | None:
    """The code of the search form, and where its lines come from; None if none was made (of a very large game), or the
    rules are no longer what they were.

    It takes longer to make than everything else, and who plays a game or two has nothing of it. So it is made of the
    rules again when it is first asked for, and kept."""
    path = game.kept.with_suffix(".search") if game.kept is not None else None
    known: tuple[CodeType, dict[int, tuple[str, int]]] | None = read_kept(path) if path is not None else None
    if known is not None:
        return known
    with uncollected():
        text = _search_text(game)
        if text is None:
            return None
        made = compile(text[0], SEARCHED, "exec", dont_inherit=True, optimize=2), text[1]
    if path is not None:
        write_kept(path, made)
    return made


def made_beside(game: Game) -> bool:
    """Whether another process makes the search form now, so that nobody waits for it; the first question begins it.
    False when it is done, or where it has to be made here: without a cache there is no place to put it, and with one
    core, or in a process that is a helper itself, nothing is gained."""
    import multiprocessing

    from rulescript.processes import cores

    is_busy = _beside.get(game)
    if is_busy is None:
        if game.kept is None or game.kept.with_suffix(".search").exists():
            return False
        if multiprocessing.current_process().daemon or cores() < 2:
            return False
        is_busy = _beside[game] = _begun_beside(game)
    return is_busy()


def _begun_beside(game: Game) -> Callable[[], bool]:
    """Begin a process that makes the search form of a game: a copy of this one, which has all of it at hand; one from
    the beginning where this one has threads, or none can be copied. What is given back says whether it is at it."""
    import json
    import multiprocessing
    import subprocess
    import threading

    from rulescript.processes import can_fork, fresh_python, uninterrupted

    if can_fork() and threading.active_count() == 1:
        with uninterrupted():
            process = multiprocessing.get_context("fork").Process(target=search_code, args=(game,), daemon=True)
            process.start()
        return process.is_alive
    asked = json.dumps([*game.where, None, game.rules_hash]) if game.where is not None else ""
    command, environment = fresh_python(_MAKING, asked)
    silent = subprocess.DEVNULL
    try:
        with uninterrupted():
            other = subprocess.Popen(command, env=environment, stdin=silent, stdout=silent, stderr=silent)
    except OSError:
        return lambda: False
    finalize(game, _end, other)  # nobody wants it any more
    return lambda: other.poll() is None


def _end(process: Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _search_text(game: Game) -> tuple[str, dict[int, tuple[str, int]]] | None:
    from rulescript.compiler.module import compile_game
    from rulescript.diagnostics import Reporter

    try:
        compiled = compile_game(_read_again(game, Reporter()))
    except (RulescriptError, OSError, RecursionError, MemoryError):
        return None
    is_same = (compiled.data.rules_hash, compiled.data.layout) == (game.data.rules_hash, game.data.layout)
    return compiled.search if is_same else None


def _read_again(game: Game, reporter: Reporter) -> Model:
    """The model of a game, made once more of its text."""
    from rulescript.analysis.analyse import analyse
    from rulescript.loader import load_text

    text = game.text
    if text is None:
        if game.where is None:
            raise BadOption("this game has no source to read its rules from")
        text = load_text(game.where[0], reporter)
    return analyse(text, tuple(game.data.options), game.data.scenario, reporter)


@one_at_a_time
def model_of(game: Game) -> Model:
    """The checked model of a game that came from the cache."""
    from rulescript.diagnostics import Reporter

    reporter = Reporter()
    model = _read_again(game, reporter)
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    return model
