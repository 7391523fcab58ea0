"""Lines of an outline: what a rule says, step by step, as data. Made by `outline.py`, drawn by the templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from rulescript.analysis.eithers import plain_name
from rulescript.model import ir
from rulescript.model.traverse import walk
from rulescript.source import Span
from rulescript.wording.verbs import agreed

__all__ = ["Line", "line_of", "sentence", "uses_of", "walk_lines"]


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


def sentence(text: str) -> str:
    """A phrase as a sentence: a capital first, a full stop last."""
    text = text.strip()
    if not text:
        return ""
    first = text[:1].upper() + text[1:]
    return first if first[-1] in ".:!?…" else f"{first}."


def uses_of(expressions: Iterable[ir.X]) -> tuple[str, ...]:
    """The functions, predicates, routes and tables that expressions speak of, in order."""
    found: dict[str, None] = {}
    for x in expressions:
        for node in walk(x):
            match node:
                case ir.CallX(function=function):
                    found[f"function {plain_name(function.name)}"] = None
                case ir.RouteX(route=route):
                    found[f"route {plain_name(route.name)}"] = None
                case ir.TableX(table=table):
                    found[f"table {table.name}"] = None
    return tuple(found)


def line_of(text: str, statement: ir.S, uses: Iterable[ir.X] = (), children: list[Line] | None = None) -> Line:
    """What a statement says, with its rules and all that its expressions speak of."""
    told = agreed(sentence(text))
    return Line(told, statement.cites, children=children or [], uses=uses_of(uses), span=statement.span)
