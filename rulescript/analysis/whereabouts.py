"""Where things stand, as far as is known.

A name for a thing or piece says in which kind of thing it stands. A move through the name changes that. Where ways
meet (after an `if`, a choice, a loop) it is known only if all of them agree.
"""

from __future__ import annotations

from collections import Counter
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
)  # fmt: skip

__all__ = ["Whereabouts"]

T = TypeVar("T")


class Whereabouts(Part):
    """Follows where names stand. Of all names that are known, only those are looked at that were moved:
    a rule may have thousands of names, and as many ways that meet."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        # The names that things were moved through; where each stood before and after it.
        self.moved: list[tuple[ir.Var, Type, Type]] = []

    def known_places(self, scope: Scope) -> dict[ir.Var, Type]:
        return {var: var.type for var in scope.names.values() if isinstance(var.type, PieceOf | ThingOf)}

    def merge(self, ends: Sequence[dict[ir.Var, Type]]) -> None:
        """Names are where all ways left them, or nobody knows where."""
        for var in ends[0] if ends else ():
            _meet(var, {end[var] for end in ends if var in end})

    def _moved_since(self, scope: Scope, first: int) -> dict[ir.Var, Type]:
        """The names of a scope that were moved since then, with where they stood before."""
        start: dict[ir.Var, Type] = {}
        for var, before, _ in self.moved[first:]:
            if scope.names.get(var.name) is var:
                start.setdefault(var, before)
        return start

    def branches(self, scope: Scope, ways: Sequence[tuple[Callable[[], T], bool]], or_none: bool = False) -> list[T]:
        """Read several ways play may take from here. `ways` are what reads each, and whether it goes on afterwards;
        `or_none`: perhaps none of them is taken."""
        start: dict[ir.Var, Type] = {}
        ends: list[dict[ir.Var, Type]] = [{}] if or_none else []
        out: list[T] = []
        for read, goes_on in ways:
            for var, before in start.items():
                var.type = before
            first = len(self.moved)
            out.append(read())
            here = self._moved_since(scope, first)
            start = here | start
            if goes_on:
                ends.append({var: var.type for var in here})
        for var, before in start.items():
            _meet(var, {end.get(var, before) for end in ends} or {before})
        return out

    def rounds(self, scope: Scope, read: Callable[[], T]) -> T:
        """Read a loop's body. If a name is moved elsewhere in it, the next round begins with the name there: then
        the body is read again, with nobody knowing where the name is."""
        first, named, on = len(self.moved), self.choices.choice_names.count, dict(scope.on)
        told = len(self.game.reconstructed)
        out = read()
        start = self._moved_since(scope, first)
        moves = Counter(var for var, _, _ in self.moved[first:])
        if any(var.type != _seen(before, on.get(var.ident), var.moves - moves[var]) for var, before in start.items()):
            self.choices.choice_names.forget_after(named)
            del self.game.reconstructed[told:]
            for var, before in start.items():
                _meet(var, {before, var.type})
            out = read()
            start = self._moved_since(scope, first)
        # A `stop` may leave in the middle.
        ends = {var: {before, var.type} for var, before in start.items()}
        for var, _, after in self.moved[first:]:
            if var in ends:
                ends[var].add(after)
        for var, found in ends.items():
            _meet(var, found)
        return out

    def not_moved(self, scope: Scope, names: Iterable[ir.Var]) -> None:
        """In what is asked before a rule does anything, names are where they were before its moves."""
        for var in names:
            if isinstance(var.declared, PieceOf | ThingOf):
                scope.on[var.ident] = (var.declared.holder, var.moves)


def _seen(before: Type, on: tuple[str, int] | None, moves: int) -> Type:
    """What a name was known to be after so many moves (see `Scope.on`)."""
    if on is not None and on[1] == moves and isinstance(before, PieceOf | ThingOf):
        return evolve(before, holder=on[0])
    return before


def _meet(var: ir.Var, found: set[Type]) -> None:
    """A name is where it was found, if that is one place."""
    if len(found) == 1:
        (var.type,) = found
    elif isinstance(var.type, PieceOf | ThingOf):
        var.type = evolve(var.type, holder="")
