"""The front door's machinery: from a name or path to a compiled game, through the user's cache.

A warm start reads the files' bytes, makes a key of them, and finds the compiled module in the cache; neither the
parser nor the analysis is imported.
"""

from __future__ import annotations

import hashlib
import marshal
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadOption, GameInvalid
from rulescript.loader import content_key_of
from rulescript.locks import READING, one_at_a_time
from rulescript.resources import bundled, cache_folder, read_cached, write_cached
from rulescript.runtime import calls
from rulescript.runtime.game import GENERATED, Game, uncollected

if TYPE_CHECKING:
    from types import CodeType

    from rulescript.compiler.module import Compiled
    from rulescript.diagnostics import Reporter
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model

__all__ = ["ENGINE", "compile_text", "load", "model_of"]

ENGINE = 1
# Letters of a compiled game of which a quick form is made; making it takes longer than the game itself did.
MOST_QUICK = 2_500_000
# So many compiled games are kept, and so many printed ones.
MOST_KEPT = 200
# Functions that word options or say who is ahead, tables of labels, names of places: changing them changes no rule.
_WORDS = re.compile(r"def x\d+_\d+\(|def standing\(|W\d+ = |PLACES = ")


def load(
    where: str | Path,
    *,
    options: Iterable[str] | None = (),
    scenario: str | None = "",
    players: int | None = None,
    cache: bool = True,
    without: Iterable[str] | None = (),
    read: Callable[[GameText], None] | None = None,
) -> Game:
    """A game by its name (`"two_rivers"`) or path, with optional rules and a scenario chosen. `players` is how many
    people `start` seats when it is not told otherwise. `without` switches off options that are on by default, and
    `without=["*"]` all of them that are not among the `options`. `read` is called with the text where it has to be
    read, before it is compiled.

    Raises GameNotFound, GameInvalid (with every mistake of the text) or BadOption."""
    calls.path(where, "what to load")
    left_out = calls.names(without, "the options to leave out")
    chosen = tuple(sorted({*calls.names(options, "the options"), *(f"-{name}" for name in left_out)}))
    scenario = calls.text(scenario, "a scenario") if scenario is not None else ""
    key, _ = content_key_of(where)
    # A compiled game says in which file each rule stands, as its reader calls it.
    full = _key(f"{key} {where}", chosen, scenario)
    folder = cache_folder() if cache else None
    path = folder / f"game-{full}.bin" if folder is not None else None
    if path is not None:
        found = _read(path)
        if found is not None:
            code, data, origins = found
            game = Game(code, data, origins, (str(where), chosen, scenario))
            game.kept = path
            return game.seat(players)
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    reporter = Reporter()
    with READING, uncollected():
        # Everything that is made here is kept until the end; looking for garbage meanwhile only costs time.
        text = load_text(where, reporter)
        if read is not None and not reporter.has_errors:
            read(text)
        game = compile_text(text, chosen, scenario, reporter, path)
    game.where = (str(where), chosen, scenario)
    return game.seat(players)


def _key(content: str, options: tuple[str, ...], scenario: str) -> str:
    engine = f"{ENGINE} {sys.version} {own_key()}"
    whole = "\0".join([content, engine, *options, "scenario", scenario])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def own_key(more: tuple[str, ...] = ()) -> str:
    """Changes when rulescript itself does: sizes and times of the modules that make a game, and those in `more`."""
    package = Path(__file__).resolve().parent
    parts = []
    folders = ("", "analysis", "analysis/checks", "compiler", "model", "syntax", "nodes", "runtime", *more)
    files = [file for folder in folders for file in sorted((package / folder).glob("*.py"))]
    for file in (*files, *sorted(bundled("grammar").glob("*.lark"))):
        status = file.stat()
        parts.append(f"{file.name}{status.st_size}{status.st_mtime_ns}")
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def _read(path: Path) -> tuple[Any, dict[str, Any], dict[int, tuple[str, int]]] | None:
    try:
        code, data, origins = read_kept(path)
        return code, data, origins
    except (ValueError, TypeError):
        return None


def read_kept(path: Path) -> Any:
    """A part of a compiled game, or plain data, from the cache; None if this user has not put it there."""
    found = read_cached(path)
    try:
        return marshal.loads(found) if found is not None else None
    except (ValueError, EOFError, TypeError):
        return None


def write_kept(path: Path, content: Any) -> None:
    """Put a part of a compiled game, or plain data, in the cache; whoever reads it sees all of it or nothing."""
    with suppress(OSError, ValueError):
        if write_cached(path, marshal.dumps(content)):
            _make_room(path)


def _make_room(path: Path) -> None:
    """Leave the newest of a sort of files in the cache, so that it never grows without end."""
    if path.suffix != ".bin":
        return
    sort = path.name.partition("-")[0]
    files = sorted(path.parent.glob(f"{sort}-*.bin"), key=lambda file: file.stat().st_mtime_ns)
    for file in files[:-MOST_KEPT]:
        for suffix in (".bin", ".text", ".quick"):
            file.with_suffix(suffix).unlink(missing_ok=True)


def check_options(text: GameText, options: tuple[str, ...], scenario: str) -> tuple[str, ...]:
    """The options with those that are on by default; BadOption if they cannot go together.

    `-fog` leaves the option `fog` out if it is on by default, `-*` all that are and are not named."""
    from rulescript.analysis.analyse import options_of
    from rulescript.diagnostics.spelling import spelling_hint

    known, scenarios = options_of(text)
    without = {name[1:] for name in options if name.startswith("-")}
    wanted = {name for name in options if not name.startswith("-")}
    for name in sorted(wanted | without - {"*"}):
        if name not in known:
            listed = f"the options are {', '.join(known)}" if 0 < len(known) <= 20 else None
            raise BadOption(f"there is no option `{name}`", hint=spelling_hint(name, list(known)) or listed)
        if name in wanted and name in without:
            raise BadOption(f"option `{name}` is both asked for and left out")
    if scenario and scenario not in scenarios:
        raise BadOption(f"there is no scenario `{scenario}`", hint=spelling_hint(scenario, list(scenarios)))
    by_default = {name for name, o in known.items() if any(r.form == "on" for r in o.rules)}
    chosen = wanted | (set() if "*" in without else by_default - without)
    everything = {**known, **scenarios}
    if scenario:
        # A scenario brings the options it needs with it.
        chosen |= {r.name.text for r in scenarios[scenario].rules if r.form == "needs" and r.name is not None} & set(
            known
        )
    for name in sorted(chosen | ({scenario} if scenario else set())):
        for rule in everything[name].rules:
            if rule.name is None:
                continue
            other = rule.name.text
            if rule.form == "needs" and other not in chosen and other != scenario:
                cure = f"leave out `{name}` too" if other in without else f"choose `{other}` too"
                raise BadOption(f"option `{name}` needs `{other}`", hint=cure)
            if rule.form == "excludes" and (other in chosen or other == scenario):
                unasked = sorted({name, other} & by_default - wanted)
                hint = f"leave out `{unasked[0]}`, which is on by default" if unasked else None
                raise BadOption(f"options `{name}` and `{other}` exclude each other", hint=hint)
    return tuple(sorted(chosen))


@one_at_a_time
def look_through(text: GameText, options: tuple[str, ...], scenario: str, reporter: Reporter) -> Model | None:
    """The checked model of a game, with all that can be told about it reported: also about a text of which some
    could not be read, as far as that does not follow from what is missing (`diagnostics/lost.py`).

    None where too little was understood to make one; then there are errors. BadOption if the options of a game that
    has none cannot go together."""
    from rulescript.analysis.analyse import options_of
    from rulescript.analysis.checks import check_default_options

    known, scenarios = options_of(text)
    # First: default options that cannot go together are the author's mistake, not the caller's.
    check_default_options(known, reporter)
    try:
        options = check_options(text, options, scenario)
    except BadOption:
        if not reporter.has_errors and not reporter.lost:
            raise
        # The option may be among what could not be read.
        options = tuple(name for name in options if name in known)
        scenario = scenario if scenario in scenarios else ""
    return composed(text, options, scenario, reporter)


def composed(text: GameText, options: tuple[str, ...], scenario: str, reporter: Reporter) -> Model | None:
    """The same for exactly these options, those that are on by default among them."""
    from rulescript.analysis.analyse import analyse
    from rulescript.analysis.checks import check_game, check_places
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    before = reporter.errors
    try:
        model = analyse(text, options, scenario, reporter)
        if not reporter.lost and reporter.errors == before:
            check_game(model, reporter)
        else:
            check_places(model, reporter)
    except (RecursionError, MemoryError):
        _too_deep(text, reporter)
        return None
    except Exception:
        if not reporter.lost:
            raise
        # What was said so far is the reason; the rest shows when it is mended.
        return None
    return model


@one_at_a_time
def compile_text(
    text: GameText, options: tuple[str, ...] = (), scenario: str = "", reporter: Any = None, path: Path | None = None
) -> Game:
    """A game from its text; raises GameInvalid if it has mistakes."""
    from rulescript.analysis.checks import failed_checks
    from rulescript.compiler.module import compile_game
    from rulescript.diagnostics import Reporter

    reporter = reporter if reporter is not None else Reporter()
    model = look_through(text, options, scenario, reporter)
    if model is None or reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    with compiling(text, reporter):
        compiled = with_hash(compile_game(model))
        code = compile(compiled.text, GENERATED, "exec", dont_inherit=True, optimize=2)
    game = game_of(model, compiled, code)
    game.text = text
    reporter.extend(failed_checks(game))
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    if path is not None:
        write_kept(path, (code, compiled.data, compiled.origins))
        write_kept(path.with_suffix(".text"), compiled.text)
        game.kept = path
    return game


@contextmanager
def compiling(text: GameText, reporter: Reporter) -> Iterator[None]:
    """A game that is too deep or too large to be compiled has a mistake in its text: GameInvalid."""
    from rulescript.compiler.writer import MOST_WRITTEN, TooMuchWritten

    try:
        yield
    except (RecursionError, MemoryError):
        _too_deep(text, reporter)
    except TooMuchWritten as problem:
        span = problem.span if problem.span is not None else text.pieces[0].declaration.span
        message = f"written out, the rules of this game are more than {MOST_WRITTEN:,} letters of Python"
        hint = "make procedures of what is there several times"
        reporter.error("RS323", message, span, "this was being written", hint=hint)
    else:
        return
    raise GameInvalid(reporter.diagnostics)


def with_hash(compiled: Compiled) -> Compiled:
    """A compiled game that knows what its rules amount to."""
    compiled.data["hash"] = rules_hash(compiled.text)
    return compiled


def game_of(model: Model, compiled: Compiled, code: CodeType | Callable[[dict[str, Any]], None]) -> Game:
    """The game that was compiled from a model; `code` is that of its text, whole or in pieces (claims/pieces.py)."""
    game = Game(code, compiled.data, compiled.origins)
    game._model = model
    game.source = compiled.text
    return game


@one_at_a_time
def quick_code(game: Game) -> Any:
    """The code for playing many games without a journal; None if the text it is made from is gone, or very long.

    It is made when first asked for and then kept, so that loading a game costs nothing more."""
    path = game.kept
    if path is not None:
        known = read_kept(path.with_suffix(".quick"))
        if known is not None:
            return known
    text = game.source
    if not text and path is not None:
        text = read_kept(path.with_suffix(".text"))
    if not text or len(text) > MOST_QUICK:
        return None
    from rulescript.compiler.faster import faster

    with uncollected():
        code = compile(faster(text, game.data), GENERATED, "exec", dont_inherit=True, optimize=2)
    if path is not None:
        write_kept(path.with_suffix(".quick"), code)
    return code


def _too_deep(text: GameText, reporter: Any) -> None:
    """A chain so long that following it exhausts Python: no rulebook has one."""
    from rulescript.analysis.scope import first_line

    longest = max((piece.declaration for piece in text.pieces), key=lambda d: d.span.end - d.span.start)
    reporter.error(
        "RS005", "a rule goes too deep, or runs on for too long, to be followed", first_line(longest.span),
        "probably here: this is the longest", hint="give its parts names of their own",
    )  # fmt: skip


def rules_hash(text: str) -> str:
    """What the composed rules amount to: the generated text without the lines that only hold words."""
    lines = (line for line in text.splitlines() if not _WORDS.match(line))
    return hashlib.sha256("\n".join((str(ENGINE), *lines)).encode()).hexdigest()[:24]


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
    model = analyse(text, tuple(game.data["options"]), game.data["scenario"], reporter)
    if reporter.has_errors:
        raise GameInvalid(reporter.diagnostics)
    return model
