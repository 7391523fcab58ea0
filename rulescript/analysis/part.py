"""What all parts of the analysis share: the desk, and each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import nodes as n
from rulescript.analysis.desk import Desk
from rulescript.analysis.scope import Scope
from rulescript.diagnostics import Label
from rulescript.model import ir
from rulescript.model.types import Type
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.analysis.amendments import Amendments
    from rulescript.analysis.assignments import Assignments
    from rulescript.analysis.bodies import Bodies
    from rulescript.analysis.calls import Calls
    from rulescript.analysis.choices import Choices
    from rulescript.analysis.collections import Collections
    from rulescript.analysis.composing import Composing
    from rulescript.analysis.declaring import Declaring
    from rulescript.analysis.doubts import Doubts
    from rulescript.analysis.expressions import Expressions
    from rulescript.analysis.facts import Facts
    from rulescript.analysis.finishing import Finishing
    from rulescript.analysis.kinds import Kinds
    from rulescript.analysis.links import Links
    from rulescript.analysis.lookup import Lookup
    from rulescript.analysis.members import Members
    from rulescript.analysis.moves import Moves
    from rulescript.analysis.names import Names
    from rulescript.analysis.operators import Operators
    from rulescript.analysis.reading import Reading
    from rulescript.analysis.signatures import Signatures
    from rulescript.analysis.statements import Statements
    from rulescript.analysis.things import Things
    from rulescript.analysis.whereabouts import Whereabouts

__all__ = ["Part"]


class Part:
    """One part of the analysis. `Analysis` introduces all parts to each other."""

    facts: Facts
    kinds: Kinds
    things: Things
    links: Links
    lookup: Lookup
    expressions: Expressions
    names: Names
    members: Members
    collections: Collections
    operators: Operators
    calls: Calls
    whereabouts: Whereabouts
    doubts: Doubts
    statements: Statements
    assignments: Assignments
    moves: Moves
    choices: Choices
    signatures: Signatures
    bodies: Bodies
    amendments: Amendments
    composing: Composing
    declaring: Declaring
    reading: Reading
    finishing: Finishing

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.game = desk.game
        # Asked for on every line.
        self.error = desk.error
        self.unknown = desk.unknown
        self.mismatch = desk.mismatch
        self.bad = desk.bad
        self.var = desk.var
        self.cited = desk.cited
        self.visible = desk.visible

    def expr(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> ir.X:
        """An expression; `expected` helps to tell things of the same name apart, it does not force."""
        return self.expressions.expr(node, scope, expected)

    def condition(self, node: n.Expr, scope: Scope) -> ir.X:
        """An expression that is yes or no."""
        return self.expressions.condition(node, scope)

    def must(self, x: ir.X, wanted: Type, span: Span, code: str = "RS201", why: Label | None = None) -> ir.X:
        """An expression that has to fit a type."""
        return self.expressions.must(x, wanted, span, code, why)
