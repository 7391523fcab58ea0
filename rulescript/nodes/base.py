"""The root of everything a designer can write."""

from __future__ import annotations

from attrs import field, frozen

from rulescript.source import Span


@frozen
class Node:
    """Anything a designer can write. Two nodes are equal wherever they were written."""

    span: Span = field(kw_only=True, eq=False, repr=False)


@frozen
class Name(Node):
    """A name where it was written, so that a message can point at it."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen
class Text(Node):
    """``"Move {t} to {r}"``: the characters between the quotes, escapes undone, braces kept."""

    value: str


@frozen
class Cites(Node):
    """``§4.6.3, §4.6.4``"""

    ids: tuple[str, ...]
