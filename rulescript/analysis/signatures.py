"""Declarations -> what rules are called with and give back.

First every signature, so that rules may use each other in any order; then the bodies (bodies.py); then the
amendments (amendments.py), each read in the names of the rule it changes.
"""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    ERROR,
    VOID,
)  # fmt: skip  # fmt: skip

__all__ = ["Signatures"]


class Signatures(Part):
    """Reads signatures."""

    def signature(self, decl: n.Declaration) -> None:
        game = self.game
        match decl:
            case n.FunctionDecl() if not self.kinds.name_taken(decl.name):
                form = "value" if decl.is_value else "function"
                game.functions[decl.name.text] = m.Function(
                    decl.name.text, form, self.statements.params(decl.params), self.kinds.type_of(decl.type),
                    self.cited(decl.cites), decl.name.span, self.desk.origin, reconstructed=decl.reconstructed,
                )  # fmt: skip
                if decl.standing is not None:
                    game.standing, game.standing_counts = game.functions[decl.name.text], decl.standing.value
                    self._standing(decl)
            case n.PredicateDecl() if not self.kinds.name_taken(decl.name):
                game.functions[decl.name.text] = m.Function(
                    decl.name.text, "predicate", self.statements.params(decl.params), BOOL,
                    self.cited(decl.cites), decl.name.span, self.desk.origin,
                )  # fmt: skip
            case n.TableDecl() if not self.kinds.name_taken(decl.name):
                game.tables[decl.name.text] = m.Table(
                    decl.name.text, self.statements.params(decl.params), self.kinds.type_of(decl.type), None, [],
                    self.cited(decl.cites), decl.name.span, self.desk.origin, decl.doc, decl.reconstructed,
                )  # fmt: skip
                if decl.reconstructed:
                    game.reconstructed.append((f"table {decl.name}", decl.reconstructed, decl.name.span))
            case n.RouteDecl() if not self.kinds.name_taken(decl.name):
                self._route_signature(decl)
            case n.ProcedureDecl() if not self.kinds.name_taken(decl.name):
                type_ = self.kinds.type_of(decl.type) if decl.type is not None else VOID
                game.procedures[decl.name.text] = m.Procedure(
                    decl.name.text, decl.form, self.statements.params(decl.params), type_, self.cited(decl.cites),
                    decl.name.span, decl.title or decl.name.text.replace("_", " ").capitalize(), decl.closed,
                    self.desk.origin,
                )  # fmt: skip
            case n.SignalDecl() if not self.kinds.name_taken(decl.name):
                game.signals[decl.name.text] = m.Signal(
                    decl.name.text, self.statements.params(decl.params), self.cited(decl.cites), decl.name.span
                )

    def _standing(self, decl: n.FunctionDecl) -> None:
        """Who is ahead is asked of each player."""
        assert self.game.standing is not None
        types = [var.type for var in self.game.standing.params]
        if self.game.players is None:
            self.choices.nobody(decl.name.span)
        elif types != [self.choices.player_type()] and ERROR not in types:
            kind = self.game.players.name
            self.error(
                "RS233", f"the standing is asked of each {kind}, and of nothing else", decl.name.span, "",
                f'write `standing({kind[0].lower()}: {kind}) "..."`',
            )  # fmt: skip

    def _route_signature(self, decl: n.RouteDecl) -> None:
        kinds = [k for k in self.game.kinds.values() if any(s.text in k.links for s in decl.sorts)]
        for sort in decl.sorts:
            if not any(sort.text in k.links for k in self.game.kinds.values()):
                known = [s for k in self.game.kinds.values() for s in k.links]
                self.unknown("sort of link", sort.text, sort.span, known)
        if not kinds:
            self.desk.lost.add(decl.name.text)
            return
        placeholder = ir.Lit(ERROR, decl.span, None)
        self.game.routes[decl.name.text] = m.Route(
            decl.name.text, self.statements.params(decl.params), kinds[0], placeholder,
            tuple(s.text for s in decl.sorts), None, [], self.cited(decl.cites), decl.name.span, self.desk.origin,
            decl.doc,
        )  # fmt: skip
