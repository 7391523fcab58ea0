"""Scopes: which names mean what, where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping

from attrs import Factory, define, evolve

from rulescript.model import ir
from rulescript.model.game import Kind
from rulescript.model.types import (
    BOOL,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
)
from rulescript.source import Span

__all__ = ["HIGHEST_MEMBER", "LARGEST", "Scope", "first_line", "instead"]

LARGEST = 10**12
HIGHEST_MEMBER = 4_095


def first_line(span: Span) -> Span:
    """The first line of what may be a long declaration or statement: enough to point at."""
    source = span.source
    end = min(span.end, source.line_end(span.line))
    text = source.text[span.start : end]
    # Comments and the space before them are no part of it.
    return source.span(span.start, span.start + len(_CODE.match(text).group().rstrip()))  # type: ignore[union-attr]


_CODE = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^"#]|"[^"]*$)*')


class NamesInside(MutableMapping[str, ir.Var]):
    """The names of a block, above those around it. They are not copied: a rule may have thousands of both."""

    __slots__ = ("maps",)

    def __init__(self, around: MutableMapping[str, ir.Var]) -> None:
        maps = around.maps if isinstance(around, NamesInside) else [around]
        self.maps: list[MutableMapping[str, ir.Var]] = [{}, *(each for each in maps if each)]

    def __getitem__(self, name: str) -> ir.Var:
        for each in self.maps:
            if name in each:
                return each[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(name in each for each in self.maps)

    def __setitem__(self, name: str, var: ir.Var) -> None:
        self.maps[0][name] = var

    def __delitem__(self, name: str) -> None:
        del self.maps[0][name]

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for each in reversed(self.maps) for name in each})

    def __len__(self) -> int:
        return len({name for each in self.maps for name in each})


@define
class Scope:
    """Names bound so far; `elements` are the filters we are inside of, innermost last.

    `known` are the paths that were seen not to be nothing. `on` says of names (by number) in which kind of thing
    they were seen to stand, and after how many moves: with the next one it is forgotten. `doubted` are paths that were
    known, and since when they are not."""

    names: MutableMapping[str, ir.Var] = Factory(dict)
    elements: list[ir.Var] = Factory(list)
    chooser: ir.X | None = None
    this: tuple[Kind, int] | None = None
    pure: bool = True
    in_loop: bool = False
    returns: Type | None = None
    procedure: str = ""
    known: frozenset[str] = frozenset()
    on: dict[int, tuple[str, int]] = Factory(dict)
    doubted: Mapping[str, str] = Factory(dict)

    def type_of(self, var: ir.Var) -> Type:
        """What a name is known to be here."""
        holder, moves = self.on.get(var.ident, ("", -1))
        if moves == var.moves and isinstance(var.type, PieceOf | ThingOf):
            return evolve(var.type, holder=holder)
        return var.type

    def learn(self, other: Scope) -> None:
        """Take over what was found out in another scope."""
        self.known, self.on = other.known, other.on

    def inner(self) -> Scope:
        return Scope(
            NamesInside(self.names),
            list(self.elements),
            self.chooser,
            self.this,
            self.pure,
            self.in_loop,
            self.returns,
            self.procedure,
            self.known,
            dict(self.on),
            self.doubted,
        )


def instead(wanted: str, given: Type, text: str) -> str | None:
    """What to write where a value is of another sort than is needed, if there is one thing to write."""
    one = text if "\n" not in text and len(text) < 40 else "..."
    if wanted.startswith("a number"):
        if given == BOOL:
            if one in ("yes", "no"):
                return f"write `{1 if one == 'yes' else 0}`"
            return f"write `if {one} then 1 else 0`"
        if isinstance(given, SetOf | ListOf) and given.element == INT:
            return f"write `sum({one})`, or `max({one})` for the highest"
        if isinstance(given, SetOf | ListOf | Pile):
            return f"write `count({one})` for how many they are"
        if given == TEXT and re.fullmatch(r'"\d+"', one):
            return f"write {one[1:-1]} without quotes"
    if wanted in ("yes or no", "a condition"):
        if given == INT and one in ("0", "1"):
            return f"write `{'yes' if one == '1' else 'no'}`"
        if given == INT:
            return f"write a comparison, such as `{one} > 0`"
        if isinstance(given, SetOf | ListOf | Pile):
            return f"write `some {one}` or `none {one}`"
        if isinstance(given, Maybe):
            return f"write `{one} != nothing`"
        if isinstance(given, ThingOf | PieceOf):
            return f"write a comparison, such as `{one} == ...`"
    return None
