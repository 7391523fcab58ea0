"""A failure of generated code, told by the line of the rules that it came from."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from rulescript.errors import PlayError, RulescriptError, StepLimit

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["GENERATED", "SEARCHED", "locate", "play_error"]

# What Python calls the code of the plain form, and that of the search form.
GENERATED = "<rules>"
SEARCHED = "<rules, to be played only>"


def play_error(game: Game, problem: BaseException) -> PlayError:
    """An error of Python in generated code as one of the rules."""
    place = _line_of(game, problem)
    if isinstance(problem, RecursionError):
        return StepLimit("rules call each other too deep, or one of them calls itself without end", place=place)
    if isinstance(problem, ZeroDivisionError):
        return PlayError("a rule divided by zero", place=place)
    if isinstance(problem, TypeError) and "NoneType" in str(problem):
        return PlayError(
            "a rule used something that is nothing, such as what is picked in a choice that was passed over",
            place=place,
        )
    # What it says beyond that may tell of something hidden.
    return PlayError(f"a rule went wrong ({type(problem).__name__})", place=place)


def locate(game: Game, problem: RulescriptError) -> None:
    """Let a failure of the rules say where it came from, if it does not yet."""
    if isinstance(problem, PlayError) and not problem.place:
        problem.place = _line_of(game, problem)


def _line_of(game: Game, problem: BaseException) -> str:
    file, number = "", 0
    for frame in traceback.extract_tb(problem.__traceback__):
        origins = {GENERATED: game.origins, SEARCHED: game.search_origins}.get(frame.filename)
        if origins is not None:
            file, number = origins.get(frame.lineno or 0, ("", 0))
    return f"{file}:{number}" if file else ""
