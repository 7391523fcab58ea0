"""Invariants, checks, the standing, and who sees what -> functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Name, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    SetOf,
    ThingOf,
)
from rulescript.source import Span

__all__ = ["Claims"]


class Claims(Room):
    """Writes what is asked of a position."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.hidden_kinds: list[str] = []

    def write_claims(self) -> None:
        self.rule.is_plain = True
        for at, invariant in enumerate(self.game.invariants):
            self._asked(f"inv{at}", partial(self._all, invariant.conditions), invariant.span)
        standing, players = self.game.standing, self.game.players
        if standing is not None and players is not None:
            who = [ir.ThingLit(ThingOf(players.name), standing.span, players, i) for i in range(players.size)]
            asked = [ir.CallX(standing.type, standing.span, standing, (each,)) for each in who]
            self._asked("standing", lambda: c.List(tuple(map(self.x, asked))), standing.span)
        for at, (check, conditions) in enumerate(self.game.checks):
            for number, condition in enumerate(conditions):
                self._asked(f"chk{at}_{number}", partial(self._all, (condition,)), check.span)
                if isinstance(condition, ir.CompareX):
                    self._asked(f"sides{at}_{number}", partial(self._sides, condition), check.span)
        self.rule.is_plain = False

    def _asked(self, name: str, make: Callable[[], Code], span: Span) -> None:
        """A function of the state alone."""
        self.program.asked(name, ("S",), span, make)

    def _all(self, conditions: Iterable[ir.X]) -> Code:
        return call("bool", c.all_of([self.x(condition) for condition in conditions]))

    def _sides(self, compared: ir.CompareX) -> Code:
        return c.Tuple((self.x(compared.left), self.x(compared.right)))

    def write_views(self) -> None:
        """Who sees what in a place: a function from the viewer's number and the owner to a level."""
        self.rule.is_plain = True
        for at, holds in enumerate(self.data.holds_list):
            out = self.program.begin(f"see{at}", ("S", "viewer", "owner"), "claim", holds.span)
            if holds.owner_var is not None:
                self.scope.env[holds.owner_var.ident] = Name("owner")
            default = "visible"
            for line in holds.visibility:
                if line.who is None:
                    default = line.level
                else:
                    out.when(self._is_viewer(line.who)).give(Const(line.level))
            if holds.visibility and all(v.who is not None for v in holds.visibility):
                default = "hidden" if any(v.level == "visible" for v in holds.visibility) else "visible"
            out.give(Const(default))
        for kind in self.game.kinds.values():
            if kind.hidden is None:
                continue
            var, condition, known = kind.hidden
            self.scope.env[var.ident] = Name("x")
            test = self.x(condition)
            knows = self._is_viewer(known) if known is not None else Const(False)
            out = self.program.begin(f"hide{len(self.hidden_kinds)}", ("S", "x", "viewer"), "claim", kind.span)
            out.give(c.All((call("bool", test), c.Not(knows))))
            self.hidden_kinds.append(kind.name)
        self.rule.is_plain = False

    def _is_viewer(self, who: ir.X) -> Code:
        """Whether somebody, or one of several, is the viewer."""
        code, viewer = self.x(who), Name("viewer")
        return code.has(viewer) if isinstance(who.type, SetOf) else code.equals(viewer)
