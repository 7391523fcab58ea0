"""What rulescript raises when a caller, a file or a rule in play goes wrong.

A designer's mistake in a game's text is data (see `diagnostics`); it becomes an exception only at the front
door, as `GameInvalid`, for callers who asked for a game and cannot have one. Every error can be shown to a
user as it is: its `str` is a sentence, with something to type behind it where there is a good guess. All of
them survive pickling, since simulations report theirs from other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # so that a warm start need not load what only a failure shows
    from rulescript.diagnostics import Diagnostic
    from rulescript.reasons import Refusal
    from rulescript.source import Span

__all__ = [
    "BadCall",
    "BadChoice",
    "BadExpression",
    "BadOption",
    "BadRun",
    "BadSave",
    "GameInvalid",
    "GameNotFound",
    "NoSuchName",
    "PlayError",
    "RulescriptError",
    "StepLimit",
]


class RulescriptError(Exception):
    """Anything that went wrong and is not our own fault. `hint` is something to type or try."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        message = _writable(message)
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


def _writable(text: str) -> str:
    """A text that can be printed: a name that somebody gave us may have half a letter in it, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


class GameNotFound(RulescriptError):
    """There is no game of this name, nothing at this path, or no main file in this folder."""


class GameInvalid(RulescriptError):
    """The game's text has mistakes; its `str` is the report, carets and all."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("the game has mistakes")
        self.args = (self.diagnostics,)

    def __str__(self) -> str:
        from rulescript.diagnostics import render_report

        return f"{self.message}\n\n{render_report(self.diagnostics)}"


class BadChoice(RulescriptError):
    """What was chosen is not among the options of the decision.

    Where it could have been an option at another time, `refusal` says why it is not one now, as `why_not` does and
    as far as the player who decides may know; `str` has it below the message. It is worked out when first looked
    at, since most who try an answer do not look."""

    def __init__(
        self, message: str, *, hint: str | None = None, why: Callable[[], Refusal | None] | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self._why = why
        self._refusal: Refusal | None = None

    @property
    def refusal(self) -> Refusal | None:
        if self._why is not None:
            why, self._why = self._why, None
            try:
                self._refusal = why()
            except Exception:
                # A refusal stands, whatever becomes of its explanation.
                self._refusal = None
        return self._refusal

    def __str__(self) -> str:
        refusal = self.refusal
        reasons = [line for clause in refusal.clauses for line in clause.lines()] if refusal is not None else []
        return "\n".join([super().__str__(), *reasons])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message,), {"hint": self.hint, "_refusal": self.refusal})


class BadSave(RulescriptError):
    """A saved game cannot be read, or belongs to another game. `field` is the entry of the save that is at fault, where
    it is one entry."""

    def __init__(self, message: str, *, hint: str | None = None, field: str = "") -> None:
        super().__init__(message, hint=hint)
        self.field = field


class BadCall(RulescriptError, TypeError):
    """A function was given something of the wrong sort: a number where a text is needed, for example."""


class BadExpression(RulescriptError):
    """A text that is no expression of this game. `diagnostics` say what is wrong with it."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = (), *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)


class NoSuchName(RulescriptError, KeyError):
    """There is no state or place of this name."""

    __str__ = RulescriptError.__str__


class BadOption(RulescriptError):
    """No option, scenario or number of players like that, or not together."""


class BadRun(RulescriptError):
    """A folder of simulated games cannot be read or gone on with, or there is nobody to play them."""


class PlayError(RulescriptError):
    """A rule went wrong in play: it divided by nothing, or used what is not there.

    `place` says where the rule stands (``rivers/battle.rules:12``); it is read off `span` if that is given.
    """

    def __init__(self, message: str, *, span: Span | None = None, place: str = "", hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.span = span
        self.place = place or (f"{span.source.name}:{span.line}" if span is not None else "")

    def __str__(self) -> str:
        said = super().__str__()
        return f"{self.place}: {said}" if self.place else said


class StepLimit(PlayError):
    """A rule went on for so long that it would probably never have ended."""
