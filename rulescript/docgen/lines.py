"""Lines of an outline: what a rule says, step by step, as data. Made by `outline.py`, drawn by the templates."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulescript.source import Span

__all__ = ["Line", "walk_lines"]


@define
class Line:
    """A sentence, the rules it follows from, and what stands under it.

    `form` tells the templates how to draw it: step, note, choice, way, pick, require, except, then, heading.
    `denied` is the opposite of a requirement, what a player is told whose move it refuses. `label` is the
    author's short name for it. `uses` are the rules of the game it speaks of, to be linked. `origin` names the
    option, variant or card that added it. `anchor` is filled in where a rule's number first appears. `span` is where it
    is written in the rules, `is_authored` says that its words are the author's own, `is_on_card` that a card with
    words on its face says it."""

    text: str
    cites: tuple[str, ...] = ()
    form: str = "step"
    children: list[Line] = field(factory=list)
    label: str = ""
    denied: str = ""
    uses: tuple[str, ...] = ()
    origin: str = ""
    anchors: tuple[str, ...] = ()
    span: Span | None = field(default=None, eq=False, repr=False)
    is_authored: bool = False
    is_on_card: bool = False

    @property
    def exceptions(self) -> list[Line]:
        return [child for child in self.children if child.form == "except"]

    @property
    def said(self) -> str:
        """A requirement with the conditions it lists, and without its exceptions."""
        under = [child.whole.rstrip(".") for child in self.children if child.form == "condition"]
        return f"{self.text} {'; '.join(under)}." if under else self.text

    @property
    def whole(self) -> str:
        """The sentence; one that ends with a colon says nothing without what stands under it."""
        if not self.text.endswith(":") or not self.children:
            return self.text
        under = [child.whole.rstrip(".") for child in self.children]
        return f"{self.text} {'; '.join(under)}."


def walk_lines(lines: list[Line]) -> Iterator[Line]:
    """Lines and everything under them, as they are read."""
    for line in lines:
        yield line
        yield from walk_lines(line.children)
