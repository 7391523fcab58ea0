"""A game's text with its options chosen -> the checked model, with all that can be told about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript.errors import BadOption
from rulescript.locks import one_at_a_time
from rulescript.pipeline.options import check_options
from rulescript.pipeline.shelf import kept_model, put_model

if TYPE_CHECKING:
    from rulescript.diagnostics import Reporter
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model

__all__ = ["composed", "look_through", "note_sound", "too_deep"]

# The options and scenarios with which a text was looked through, and no mistake found.
_sound: WeakKeyDictionary[GameText, set[tuple[tuple[str, ...], str]]] = WeakKeyDictionary()


def note_sound(text: GameText, options: tuple[str, ...], scenario: str) -> None:
    """Whoever has had it looked through, perhaps by another process, says that there is no mistake."""
    _sound.setdefault(text, set()).add((check_options(text, options, scenario), scenario))


@one_at_a_time
def look_through(
    text: GameText, options: tuple[str, ...], scenario: str, reporter: Reporter, *, only_errors: bool = False
) -> Model | None:
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
    return composed(text, options, scenario, reporter, only_errors=only_errors)


def composed(
    text: GameText, options: tuple[str, ...], scenario: str, reporter: Reporter, *, only_errors: bool = False
) -> Model | None:
    """The same for exactly these options, those that are on by default among them. Who wants to hear of nothing but
    errors (`only_errors`) need not wait for a search where there are known to be none, nor for a model that somebody
    else has had made."""
    from rulescript.analysis.analyse import analyse
    from rulescript.analysis.checks import check_game, check_places
    from rulescript.diagnostics.spelling import begin_guessing

    begin_guessing()
    before = reporter.errors
    try:
        known = kept_model(text, (options, scenario)) if only_errors else None
        model = known if known is not None else analyse(text, options, scenario, reporter)
        if only_errors and known is None and not reporter.lost and reporter.errors == before:
            put_model(text, (options, scenario), model)
        if only_errors and (options, scenario) in _sound.get(text, ()):
            return model
        if not reporter.lost and reporter.errors == before:
            check_game(model, reporter)
        else:
            check_places(model, reporter)
    except (RecursionError, MemoryError):
        too_deep(text, reporter)
        return None
    except Exception:
        if not reporter.lost:
            raise
        # What was said so far is the reason; the rest shows when it is mended.
        return None
    return model


def too_deep(text: GameText, reporter: Any) -> None:
    """A chain so long that following it exhausts Python: no rulebook has one."""
    from rulescript.analysis.scope import first_line

    longest = max((piece.declaration for piece in text.pieces), key=lambda d: d.span.end - d.span.start)
    reporter.error(
        "RS005", "a rule goes too deep, or runs on for too long, to be followed", first_line(longest.span),
        "probably here: this is the longest", hint="give its parts names of their own",
    )  # fmt: skip
