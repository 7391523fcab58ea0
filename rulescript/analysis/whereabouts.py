"""Where things stand, as far as is known.

A name for a thing or piece says in which kind of thing it stands. A move through the name changes that. Where ways
meet (after an `if`, a choice, a loop) it is known only if all of them agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from attrs import evolve

from rulescript.analysis.desk import Desk
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.model import ir
from rulescript.model.types import (
    PieceOf,
    ThingOf,
    Type,
)  # fmt: skip  # fmt: skip

__all__ = ["Whereabouts"]

T = TypeVar("T")


class Whereabouts(Part):
    """Follows where names stand."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        # Where names stood after each move.
        self.moved: list[tuple[ir.Var, Type]] = []

    def known_places(self, scope: Scope) -> dict[ir.Var, Type]:
        return {var: var.type for var in scope.names.values() if isinstance(var.type, PieceOf | ThingOf)}

    def merge(self, ends: Sequence[dict[ir.Var, Type]]) -> None:
        """Names are where all ways left them, or nobody knows where."""
        for var in ends[0] if ends else ():
            found = {end[var] for end in ends if var in end}
            if len(found) == 1:
                var.type = found.pop()
            elif isinstance(var.type, PieceOf | ThingOf):
                var.type = evolve(var.type, holder="")

    def branches(self, scope: Scope, ways: Sequence[tuple[Callable[[], T], bool]], or_none: bool = False) -> list[T]:
        """Read several ways play may take from here. `ways` are what reads each, and whether it goes on afterwards;
        `or_none`: perhaps none of them is taken."""
        start = self.known_places(scope)
        ends = [start] if or_none else []
        out: list[T] = []
        for read, goes_on in ways:
            for var, type_ in start.items():
                var.type = type_
            out.append(read())
            if goes_on:
                ends.append({var: var.type for var in start})
        self.merge(ends or [start])
        return out

    def rounds(self, scope: Scope, read: Callable[[], T]) -> T:
        """Read a loop's body. If a name is moved elsewhere in it, the next round begins with the name there: then
        the body is read again, with nobody knowing where the name is."""
        start = self.known_places(scope)
        here = {var: scope.type_of(var) for var in start}
        moves = {var: var.moves for var in start}
        first, names = len(self.moved), set(self.choices.choice_names)
        told = len(self.game.reconstructed)
        out = read()
        if any(var.moves != moves[var] and var.type != here[var] for var in start):
            ends = {var: var.type for var in start}
            self.choices.choice_names = names
            del self.game.reconstructed[told:]
            self.merge([start, ends])
            out = read()
        # A `stop` may leave in the middle.
        passed = [{**start, var: type_} for var, type_ in self.moved[first:] if var in start]
        self.merge([start, {var: var.type for var in start}, *passed])
        return out

    def not_moved(self, scope: Scope, names: Iterable[ir.Var]) -> None:
        """In what is asked before a rule does anything, names are where they were before its moves."""
        for var in names:
            if isinstance(var.declared, PieceOf | ThingOf):
                scope.on[var.ident] = (var.declared.holder, var.moves)
