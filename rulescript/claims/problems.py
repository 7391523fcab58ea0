"""What can go wrong with a claim: it fails, or it cannot be understood. Both know the place and read as
diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulescript.diagnostics import Diagnostic, Label, Reporter
from rulescript.errors import RulescriptError
from rulescript.source import Span

__all__ = ["ClaimEmpty", "ClaimFails", "ClaimProblem", "ClaimUnclear", "first_of"]


class ClaimProblem(RulescriptError):
    """Raised while a claim is run; the runner keeps its diagnostics."""

    code = "RS330"

    def __init__(
        self, message: str, span: Span, label: str = "", hint: str | None = None, others: Iterable[Label] = ()
    ) -> None:
        super().__init__(message, hint=hint)
        self.span = span
        self.label = label
        self.others = tuple(others)

    def diagnostics(self, rule: str | None = None) -> list[Diagnostic]:
        label = Label(self.span, self.label)
        return [Diagnostic(self.code, self.message, label, self.others, rule, self.hint)]


class ClaimFails(ClaimProblem):
    """What the claim says is not so."""


class ClaimUnclear(ClaimProblem):
    """The claim names something the game does not have, or cannot be read."""

    code = "RS319"

    def __init__(
        self,
        message: str,
        span: Span,
        label: str = "",
        hint: str | None = None,
        others: Iterable[Label] = (),
        found: Iterable[Diagnostic] = (),
    ) -> None:
        super().__init__(message, span, label, hint, others)
        self.found = tuple(found)

    def diagnostics(self, rule: str | None = None) -> list[Diagnostic]:
        return list(self.found) or super().diagnostics(rule)


class ClaimEmpty(ClaimUnclear):
    """The claim holds whatever the rules do."""

    code = "RS333"


def first_of(reporter: Reporter, span: Span) -> ClaimUnclear:
    """What a stage reported, to be raised."""
    found = reporter.diagnostics
    message = found[0].message if found else "this cannot be read"
    return ClaimUnclear(message, span, found=found)
