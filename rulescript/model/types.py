"""Types as values.

How each is held at play (see compiler/layout.py): a thing is its number within its kind, a set of things is a
bit mask over those numbers, a piece is a packed reference (place and code), a list is a tuple, `nothing` is None.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

__all__ = [
    "BOOL", "ERROR", "INT", "NOTHING", "TEXT", "VOID",
    "ListOf", "Maybe", "PieceOf", "Pile", "SetOf", "Simple", "ThingOf", "Type", "as_written", "element_of", "fits",
    "kind_carried", "kind_of", "say", "say_wanted", "sure", "type_data",
]  # fmt: skip


@frozen
class Type:
    """What a value can be."""


@frozen
class Simple(Type):
    """int, bool, text, nothing, void, or the error type that silences what follows from it."""

    name: str


INT = Simple("int")
BOOL = Simple("bool")
TEXT = Simple("text")
NOTHING = Simple("nothing")
VOID = Simple("void")
ERROR = Simple("error")


@frozen
class ThingOf(Type):
    """A thing of a kind; `holder` is the kind of thing it is known to stand in, if known."""

    kind: str
    holder: str = ""


@frozen
class PieceOf(Type):
    """One interchangeable piece; `holder` as for things."""

    kind: str
    holder: str = ""


@frozen
class Pile(Type):
    """The pieces of one or many places. Used where it stands, never kept."""

    kind: str
    holder: str = ""


@frozen
class SetOf(Type):
    element: Type


@frozen
class ListOf(Type):
    element: Type


@frozen
class Maybe(Type):
    element: Type


def element_of(type_: Type) -> Type | None:
    """What one gets by taking one out, or None if nothing can be taken out."""
    match type_:
        case SetOf(element) | ListOf(element):
            return element
        case Pile(kind, holder):
            return PieceOf(kind, holder)
        case _ if type_ == ERROR:
            return ERROR
    return None


def sure(type_: Type) -> Type:
    """A type without `maybe`."""
    return type_.element if isinstance(type_, Maybe) else type_


def kind_carried(type_: Type) -> str:
    """The kind of pieces that a name of a type stands for, one or several; "" for any other name."""
    match type_:
        case PieceOf(kind):
            return kind
        case ListOf(element) | Maybe(element) | SetOf(element):
            return kind_carried(element)
    return ""


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is expected."""
    if given == wanted or ERROR in (given, wanted):
        return True
    match given, wanted:
        case ThingOf(a, ha), ThingOf(b, hb):
            return a == b and (not hb or ha == hb)
        case PieceOf(a, ha), PieceOf(b, hb):
            return a == b and (not hb or ha == hb)
        case _, Maybe(inner):
            return given == NOTHING or fits(sure(given), inner)
        case SetOf(a), SetOf(b):
            return fits(a, b)
        case ListOf(a), ListOf(b):
            return fits(a, b)
    return False


def say(type_: Type) -> str:
    """A type in a designer's words."""
    match type_:
        case Simple("int"):
            return "a number"
        case Simple("bool"):
            return "yes or no"
        case Simple("text"):
            return "a text"
        case Simple("nothing"):
            return "nothing"
        case Simple("void"):
            return "no value"
        case ThingOf(kind) | PieceOf(kind):
            return f"{_article(kind)} {kind}"
        case Pile(kind):
            return f"pieces of {kind}"
        case SetOf(element):
            return f"a set of {_plain(element)}"
        case ListOf(element):
            return f"a list of {_plain(element)}"
        case Maybe(element):
            return f"maybe {_plain(element)}"
    return "an unknown type"


def say_wanted(wanted: Type, given: Type) -> str:
    """What is expected, told apart from what is given: two types can differ only in where a thing stands."""
    words = say(wanted)
    holder = wanted.holder if isinstance(wanted, ThingOf | PieceOf) else ""
    return f"{words} on {_article(holder)} {holder}" if holder and say(given) == words else words


def as_written(type_: Type) -> str:
    """A type as it stands in the rules; nothing for what no name can have."""
    match type_:
        case ThingOf(kind) | PieceOf(kind):
            return kind
        case Simple("int" | "bool" | "text" as name):
            return name
        case SetOf(element) | ListOf(element) | Maybe(element):
            inner = as_written(element)
            word = {SetOf: "set of", ListOf: "list of", Maybe: "maybe"}[type(type_)]
            return f"{word} {inner}" if inner else ""
    return ""


def _plain(type_: Type) -> str:
    match type_:
        case ThingOf(kind) | PieceOf(kind):
            return kind
        case Simple(name):
            return name
    return say(type_)


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" and word[:3].lower() != "uni" else "a"


def type_data(type_: Type) -> Any:
    """A type as plain data: ["thing", kind], ["set", inner] ..."""
    match type_:
        case ThingOf(kind):
            return ["thing", kind]
        case PieceOf(kind):
            return ["piece", kind]
        case SetOf(element):
            return ["set", type_data(element)]
        case ListOf(element):
            return ["list", type_data(element)]
        case Maybe(element):
            return ["maybe", type_data(element)]
    return [getattr(type_, "name", "error")]


def kind_of(type_: Type) -> str:
    """The name of the kind that a value, or what is in it, belongs to."""
    match type_:
        case ThingOf(kind) | PieceOf(kind) | Pile(kind):
            return kind
        case SetOf(element) | ListOf(element) | Maybe(element):
            return kind_of(element)
    raise AssertionError(type_)
