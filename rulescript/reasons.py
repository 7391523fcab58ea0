"""Answers to "why?": refusals with the requirements that fail, explanations with their causes.

Plain data that can be shown, kept and sent; `rulescript/explain/` works them out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from rulescript.phrases import cite_text, listed

__all__ = ["FAILED", "NOT_REACHED", "Cause", "Explanation", "FailedClause", "Refusal"]

FAILED, NOT_REACHED = "failed", "not reached"


@frozen
class FailedClause:
    """A requirement that is not met.

    `condition` is what it asks for, `fact` what is the case instead, both in English; `source` is the condition as it
    is written; `values` are parts of it with what they came to, and `spoken` says in words those that `fact` leaves
    open. `through` says what lies behind it: requirements of a predicate, of the steps of a route (with the spaces
    they block, `at`), exceptions that do not apply."""

    condition: str
    fact: str
    cites: tuple[str, ...] = ()
    label: str = ""
    source: str = ""
    values: tuple[tuple[str, str], ...] = ()
    status: str = FAILED
    at: tuple[str, ...] = ()
    through: tuple[FailedClause, ...] = ()
    spoken: tuple[str, ...] = ()
    file: str = field(default="", eq=False)
    line: int = field(default=0, eq=False)

    def lines(self, indent: int = 0, cites: bool = True) -> Iterator[str]:
        """The clause as an indented list, for people."""
        said = self.fact if self.status == FAILED else f"not reached: {self.condition}"
        if self.at and self.status == FAILED:
            said = f"at {listed(self.at)}: {said}"
        if self.label:
            said += f" ({self.label})"
        if cites and self.cites:
            said += f" {cite_text(self.cites)}"
        if self.spoken and self.status == FAILED:
            said += f" [{'; '.join(self.spoken)}]"
        yield f"{'  ' * indent}- {said}"
        for clause in self.through:
            yield from clause.lines(indent + 1, cites)

    def to_dict(self) -> dict[str, Any]:
        return {
            "cites": list(self.cites),
            "label": self.label,
            "condition": self.condition,
            "fact": self.fact,
            "source": self.source,
            "values": [list(pair) for pair in self.values],
            "spoken": list(self.spoken),
            "status": self.status,
            "at": list(self.at),
            "through": [clause.to_dict() for clause in self.through],
            "file": self.file,
            "line": self.line,
        }

    def all_cites(self) -> Iterator[str]:
        """Its citations and those of what lies behind it."""
        yield from self.cites
        for clause in self.through:
            yield from clause.all_cites()


@frozen
class Refusal:
    """The answer to `why_not`. `clauses` are the requirements that fail, in the order of the rules."""

    what: str
    allowed: bool
    summary: str
    clauses: tuple[FailedClause, ...] = ()
    unknown: tuple[str, ...] = ()
    """Words that name nothing, where that is all there is to say, and in `hint` what may have been meant."""
    hint: str = ""

    @property
    def text(self) -> str:
        """The refusal in sentences, without citations."""
        return self._told(False)

    @property
    def cites(self) -> tuple[str, ...]:
        """Every rule that refuses it, also those behind a predicate or a route."""
        failed = [c for c in self.clauses if c.status == "failed"]
        return tuple(dict.fromkeys(cite for clause in failed for cite in clause.all_cites()))

    def _told(self, cites: bool) -> str:
        lines = [self.summary]
        for clause in self.clauses:
            lines += clause.lines(0, cites)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self._told(True)

    def to_dict(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "allowed": self.allowed,
            "text": self.text,
            "cites": list(self.cites),
            "clauses": [clause.to_dict() for clause in self.clauses],
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False)


@frozen
class Cause:
    """One thing that made a value what it is.

    `operation` is base, set, times, add, floor or cap for the layers of a value; event for what happened;
    holds or fails for a condition; part, row, way and fixed for the rest. `amount` is what it brought, in
    words; `value` what the whole came to after it."""

    operation: str
    amount: str
    text: str
    label: str = ""
    cites: tuple[str, ...] = ()
    value: str = ""
    causes: tuple[Cause, ...] = ()

    def lines(self, indent: int = 0) -> Iterator[str]:
        said = self.text
        if self.label:
            said += f" ({self.label})"
        if self.cites:
            said += f" {cite_text(self.cites)}"
        yield f"{'  ' * indent}- {said}"
        for cause in self.causes:
            yield from cause.lines(indent + 1)

    def to_dict(self) -> dict[str, Any]:
        return {
            "operation": self.operation,
            "amount": self.amount,
            "label": self.label,
            "cites": list(self.cites),
            "value": self.value,
            "text": self.text,
            "causes": [c.to_dict() for c in self.causes],
        }


@frozen
class Explanation:
    """A value with its causes. `value` is a number, yes or no, a name, names, or counts by name."""

    what: str
    value: Any
    said: str
    causes: tuple[Cause, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.what} is {self.said}."

    def __str__(self) -> str:
        lines = [f"{self.what} = {self.said}"]
        for cause in self.causes:
            lines += cause.lines(1)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "what": self.what,
            "value": value,
            "said": self.said,
            "causes": [c.to_dict() for c in self.causes],
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False)
