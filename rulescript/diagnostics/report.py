"""What there is to say about a game's source: diagnostics as plain data, and a collector for them.

In come codes, sentences and spans from every stage; out goes a sorted list without repeats. Nothing here
prints: `render.py` does, and `catalogue.py` explains the codes at length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from attrs import evolve, frozen

from rulescript.diagnostics.lost import Lost
from rulescript.source import Span

__all__ = ["Diagnostic", "Label", "Reporter", "Severity", "gathered", "without_consequences"]


class Severity(StrEnum):
    """How bad it is. Only errors keep a game from being played."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@frozen
class Label:
    """A place in the source and the few words written under it."""

    span: Span
    text: str = ""


@frozen
class Diagnostic:
    """One mistake, one report.

    `message` makes sense alone and names the offending value; `label` is the smallest text at fault, `others`
    show where the expectation came from; `rule` is the nearest citation with its title; `hint` is something
    to type.
    """

    code: str
    message: str
    label: Label
    others: tuple[Label, ...] = ()
    rule: str | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR
    rests_on: tuple[str, ...] = ()
    """Names of declarations it is about without pointing at them."""

    @property
    def span(self) -> Span:
        return self.label.span


class Reporter:
    """Collects what the stages find. Saying the same thing twice counts once."""

    def __init__(self, lost: Lost | None = None) -> None:
        # A dict for its order: reports at one place stay in the order they were made.
        self._found: dict[Diagnostic, None] = {}
        self._said: set[tuple[str, Span]] = set()
        self._errors = 0
        self.lost = lost if lost is not None else Lost()
        self.expressions = 0  # how many were read for it: how much work it was

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything reported that does not follow from something else, by file and then by place."""
        return gathered(sorted(without_consequences(self._found, self.lost), key=_place_of))

    @property
    def everything(self) -> list[Diagnostic]:
        """All that was reported, in the order it was; also what follows from something else."""
        return list(self._found)

    @property
    def count(self) -> int:
        """How much was reported, also what follows from something else."""
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        return self._errors > 0

    @property
    def errors(self) -> int:
        """How many errors were reported, also those that follow from others."""
        return self._errors

    def has_said(self, code: str, span: Span) -> bool:
        """Whether this sort of mistake was reported at a place."""
        return (code, span) in self._said

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        label_text: str = "",
        others: Iterable[Label] = (),
        hint: str | None = None,
        rule: str | None = None,
        rests_on: Iterable[str] = (),
    ) -> None:
        """Report something that must be put right before the game can be played."""
        label = Label(span, label_text)
        self.add(Diagnostic(code, message, label, tuple(others), rule, hint, Severity.ERROR, tuple(rests_on)))

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        label_text: str = "",
        others: Iterable[Label] = (),
        hint: str | None = None,
        rule: str | None = None,
    ) -> None:
        """Report something that is probably not meant, but can be played."""
        label = Label(span, label_text)
        self.add(Diagnostic(code, message, label, tuple(others), rule, hint, Severity.WARNING))

    def note(
        self,
        code: str,
        message: str,
        span: Span,
        label_text: str = "",
        others: Iterable[Label] = (),
        hint: str | None = None,
        rule: str | None = None,
    ) -> None:
        """Report something worth knowing."""
        label = Label(span, label_text)
        self.add(Diagnostic(code, message, label, tuple(others), rule, hint, Severity.NOTE))

    def add(self, diagnostic: Diagnostic) -> None:
        if "@" in diagnostic.message:
            # A rule that is written out for several kinds has one name for its author (analysis/eithers.py).
            diagnostic = evolve(diagnostic, message=_VERSION.sub(r"\1", diagnostic.message))
        if diagnostic not in self._found:
            self._found[diagnostic] = None
            self._said.add((diagnostic.code, diagnostic.span))
            self._errors += diagnostic.severity is Severity.ERROR

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)


_VERSION = re.compile(r"(`[^\W\d]\w*)(?:@[^\W\d]\w*)+(?=`)")
_UNREAD = frozenset({"RS001", "RS003", "RS004", "RS005", "RS011"})


def without_consequences(diagnostics: Iterable[Diagnostic], lost: Lost) -> list[Diagnostic]:
    """One mistake, one report: what may only follow from text that could not be read is held back (`lost.py` says
    what that is), and where a tab leaves open what belongs under what, nothing of a file has a sure meaning."""
    found = list(_one_a_line(diagnostics))
    unread = {_line_of(d) for d in found if d.code in _UNREAD}
    tabbed = {d.span.source.name for d in found if d.code == "RS012"}
    return [
        d
        for d in found
        if d.code.startswith("RS0")
        or not (_line_of(d) in unread or d.span.source.name in tabbed or lost.may_explain(d))
    ]


def _one_a_line(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Of a line that cannot be read only the first thing is told; what else is wrong shows when it is mended."""
    told: set[tuple[str, int]] = set()
    for each in diagnostics:
        if each.code.startswith("RS0") and each.code != "RS006":
            if _line_of(each) in told:
                continue
            told.add(_line_of(each))
        yield each


_MOST_SHOWN = 3
# "There is no such name": said of one name, these all come from one mistake.
_UNKNOWN = frozenset({"RS101", "RS104", "RS107", "RS108", "RS111"})
_ONE_CAUSE = frozenset({*_UNKNOWN, "RS103", "RS109", "RS214"})


def gathered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """One mistake, one report: a name that is not known in several places was most likely not declared, or under
    another name. The first place is told, with two of the others and how many there are."""
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    out: list[Diagnostic] = []
    for each in diagnostics:
        if each.code not in _ONE_CAUSE and not each.rests_on:
            out.append(each)
            continue
        names = "`".join(re.findall(r"`([^`]*)`", each.message)) if each.code in _UNKNOWN else ""
        alike.setdefault(("name", names) if names else (each.code, each.message), []).append(each)
    for group in alike.values():
        places = list(dict.fromkeys(each.span for each in group))
        more = len(places) - _MOST_SHOWN
        texts = ["here too", f"here too, and in {more} more place{'s' if more > 1 else ''}" if more > 0 else "here too"]
        labels = [Label(place, text) for place, text in zip(places[1:], texts, strict=False)]
        out.append(evolve(group[0], others=(*group[0].others, *labels)))
    return sorted(out, key=_place_of)


def _line_of(diagnostic: Diagnostic) -> tuple[str, int]:
    return diagnostic.span.source.name, diagnostic.span.line


def _place_of(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return span.source.name, span.start, span.end
