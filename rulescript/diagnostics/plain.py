"""Diagnostics as plain data and back: for the cache, and from one process to another.

A place is the number of its file among those of the game, and two offsets. What points into another file than these has
no plain form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulescript.diagnostics.report import Diagnostic, Label, Severity
from rulescript.source import SourceFile

__all__ = ["from_plain", "plain"]


def plain(diagnostics: Iterable[Diagnostic], files: Sequence[SourceFile]) -> list[Any] | None:
    """Tuples, texts and numbers that say the same; None if one points into none of the files."""
    numbers = {id(file): number for number, file in enumerate(files)}

    def label(one: Label) -> tuple[int, int, int, str]:
        return numbers[id(one.span.source)], one.span.start, one.span.end, one.text

    try:
        return [
            (
                d.code,
                d.message,
                label(d.label),
                tuple(map(label, d.others)),
                d.rule,
                d.hint,
                str(d.severity),
                d.rests_on,
            )
            for d in diagnostics
        ]
    except KeyError:
        return None


def from_plain(data: Iterable[Any], files: Sequence[SourceFile]) -> list[Diagnostic]:
    """What `plain` was given, if the files are the same."""

    def label(number: int, start: int, end: int, text: str) -> Label:
        return Label(files[number].span(start, end), text)

    return [
        Diagnostic(
            code,
            message,
            label(*at),
            tuple(label(*other) for other in others),
            rule,
            hint,
            Severity(severity),
            rests_on,
        )
        for code, message, at, others, rule, hint, severity, rests_on in data
    ]
