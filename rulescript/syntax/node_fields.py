"""From a node's fields to how it is made: what a field is called and what it may hold says what is read into it.

A rule of the grammar has children: tokens, and nodes that were made already. A node takes them field by field, in the
order in which the fields stand: a field of type `Name` takes the next name, `Expr` the next expression,
`tuple[Expr, ...]` all expressions that are left, `str` the next text in quotes. What may be missing is empty then. A
few fields have the same meaning wherever they stand (`cites`, `doc`, `always`, ...) and are known by their name.

So `let_stmt: "let" NAME "=" expr _cites _NL` and

    class Let(Statement):
        name: Name
        value: Expr
        cites: tuple[str, ...] = ()

are all there is to say about `let`. What the types cannot say stands beside the class, in `node(...)`: a constant, or
the words that decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import NOTHING, Attribute, fields
from lark import Token

from rulescript import nodes as n
from rulescript.source import SourceFile, Span

__all__ = ["Children", "Clause", "Maker", "Once", "Place", "Reconstructed", "Tagged", "Target", "node", "said", "word"]

Children: TypeAlias = list[Any]

# A number longer than any game needs is cut, so that a hostile file cannot make us count to it.
LONGEST_NUMBER = 18


class Place:
    """Where the text being read lies in its file: a declaration is read on its own, and its offsets are shifted."""

    __slots__ = ("base", "source")

    def __init__(self, source: SourceFile, base: int) -> None:
        self.source, self.base = source, base

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, self.base + start, self.base + end)

    def at(self, token: Token) -> Span:
        start = self.base + (token.start_pos or 0)
        return Span(self.source, start, start + len(token))

    def named(self, token: Token) -> n.Name:
        return n.Name(str(token), span=self.at(token))

    def words(self, token: Token) -> n.Text:
        return n.Text(unescape(token), span=self.at(token))


Maker: TypeAlias = Callable[[Place, Span, Children], Any]
Taker: TypeAlias = Callable[[Place, Children], Any]


# ------------------------------------------------------------------ small parts that are no nodes


class Reconstructed(str):
    """The reason behind `reconstructed`."""


class Target(tuple[n.Name, ...]):
    """``movement.move``"""


class Once(tuple[n.Name]):
    """``once a turn``"""


class Clause(tuple[str, tuple[str, ...]]):
    """The label, or the citations, of one requirement."""


class Tagged(tuple[str, Any]):
    """A word that says how what follows is meant: ``up to 3``."""


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unescape(literal: str) -> str:
    """The characters a quoted literal stands for. Unknown escapes stay as they were written."""
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[0]), literal[1:-1])


def quote(text: str) -> str:
    """A text in quotes, such that `unescape` gives it back."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


# ------------------------------------------------------------------ takers: what is read into a field


def _token(children: Children, *types: str) -> Token | None:
    """The next token of one of these types, taken away."""
    for at, child in enumerate(children):
        if child.__class__ is Token and child.type in types:
            del children[at]
            token: Token = child
            return token
    return None


def take_name(place: Place, children: Children) -> n.Name | None:
    for at, child in enumerate(children):
        if child.__class__ is Token:
            if child.type == "NAME":
                del children[at]
                return place.named(child)
        elif child.__class__ is n.Name:
            del children[at]
            found: n.Name = child
            return found
    return None


def take_names(place: Place, children: Children) -> tuple[n.Name, ...]:
    out: list[n.Name] = []
    rest: list[Any] = []  # a line may have tens of thousands, so none is looked at twice
    for child in children:
        if child.__class__ is n.Name:
            out.append(child)
        elif child.__class__ is Token and child.type == "NAME":
            out.append(place.named(child))
        else:
            rest.append(child)
    children[:] = rest
    return tuple(out)


def take_string(place: Place, children: Children) -> str:
    token = _token(children, "STRING")
    return unescape(token) if token is not None else ""


def take_text(place: Place, children: Children) -> n.Text | None:
    token = _token(children, "STRING")
    return place.words(token) if token is not None else None


def take_number(place: Place, children: Children) -> int | None:
    token = _token(children, "INT")
    return int(token[:LONGEST_NUMBER]) if token is not None else None


def take_count(place: Place, children: Children) -> int:
    return take_number(place, children) or 0


def one(kind: type[Any]) -> Taker:
    def take(place: Place, children: Children) -> Any:
        for at, child in enumerate(children):
            if isinstance(child, kind):
                del children[at]
                return child
        return None

    return take


def every(kind: type[Any]) -> Taker:
    return lambda place, children: tuple([child for child in children if isinstance(child, kind)])


take_expr = one(n.Expr)


def take_pairs(place: Place, children: Children) -> tuple[tuple[Any, ...], ...]:
    return tuple([child for child in children if child.__class__ is tuple])


def take_cites(place: Place, children: Children) -> tuple[str, ...]:
    for child in children:
        if child.__class__ is n.Cites:
            ids: tuple[str, ...] = child.ids
            return ids
    return ()


def take_doc(place: Place, children: Children) -> str:
    return "\n".join([child.text for child in children if child.__class__ is n.Doc])


def _part(kind: type[Any], at: int | None, missing: Any) -> Taker:
    """A small part that is no node, or one item of it."""

    def take(place: Place, children: Children) -> Any:
        for child in children:
            if child.__class__ is kind:
                return child[at] if at is not None else tuple(child)
        return missing

    return take


def take_reason(place: Place, children: Children) -> str:
    return next((str(child) for child in children if child.__class__ is Reconstructed), "")


def word(*types: str) -> Taker:
    """Which of these words was written; "" if none."""
    return lambda place, children: str(_token(children, *types) or "")


def said(*types: str) -> Taker:
    """Whether one of these words was written."""
    return lambda place, children: any(child.__class__ is Token and child.type in types for child in children)


# Of what was read as a pair of a word and something more: the word, or `always`, and the rest.
tag = _part(Tagged, 0, "always")
tagged = _part(Tagged, 1, None)


# ------------------------------------------------------------------ from a class to how it is made

BY_NAME: dict[str, Taker] = {
    "cites": take_cites,
    "reconstructed": take_reason,
    "doc": take_doc,
    "always": said("ALWAYS"),
    "once": _part(Once, 0, None),
    "clause_label": _part(Clause, 0, ""),
    "clause_cites": _part(Clause, 1, ()),
}
BY_TYPE: dict[str, Taker] = {
    "Name": take_name,
    "Name | None": take_name,
    "tuple[Name, ...]": take_names,
    "Text": take_text,
    "Text | None": take_text,
    "str": take_string,
    "int": take_count,
    "int | None": take_number,
    "Block": every(n.Statement),
}


def _taker_of(field: Attribute[Any]) -> Taker | None:
    """How a field is read; None if the rule never says it."""
    written = str(field.type)
    if field.name == "target" and written == "tuple[Name, ...]":
        return _part(Target, None, ())
    known = BY_NAME.get(field.name) or BY_TYPE.get(written)
    if known is not None:
        return known
    if written.startswith("tuple[tuple["):
        return take_pairs
    kind = getattr(n, written.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None"), None)
    if kind is not None:
        return every(kind) if written.startswith("tuple[") else one(kind)
    assert field.default is not NOTHING, f"nothing says what is read into `{field.name}: {written}`"
    return None


def node(made: type[n.Node], **given: Any) -> Maker:
    """How such a node is made of a rule's children. `given`: for a field, a constant or what is read into it."""
    takers: list[tuple[str, Taker]] = []
    constants: dict[str, Any] = {}
    for field in fields(made):
        if field.name == "span":
            continue
        what = given.pop(field.name, None) if field.name in given else _taker_of(field)
        if callable(what):
            takers.append((field.name, what))
        elif what is not None:
            constants[field.name] = what
    assert not given, f"{made.__name__} has no {', '.join(given)}"

    def make(place: Place, span: Span, children: Children) -> n.Node:
        return made(span=span, **constants, **{name: take(place, children) for name, take in takers})

    return make
