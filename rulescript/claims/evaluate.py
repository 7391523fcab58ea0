"""Expressions in examples: read where they stand, worked out in a position.

`explain/evaluate.py` does the work; here are the two things examples add. An expression is read at its own
place in the file, so that a message points at it; and an `assume` may stand in for a rule, in the
expression and in play alike.

The rule an assumption replaces must not be written out where it is called, as one-line rules are. So the
game of such an example is compiled anew with that rule kept whole, and then its function is exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rulescript import nodes as n
from rulescript.claims.problems import ClaimUnclear, first_of
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.lowering import Lowering, Made
from rulescript.compiler.module import rule_names
from rulescript.diagnostics import Reporter
from rulescript.errors import PlayError
from rulescript.explain.evaluate import Evaluator, evaluate_text
from rulescript.model import ir
from rulescript.model.types import BOOL, ERROR, Type, fits, say
from rulescript.source import Span
from rulescript.syntax.parser import parse_expression
from rulescript.wording.lexicon import Lexicon

if TYPE_CHECKING:
    from rulescript.claims.names import Names
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Assumed", "Assumption", "ExampleEvaluator", "assume_in", "evaluate"]

# Given the rule's own function, the one that stands in for it; both take the state and the arguments.
Assumption = Callable[[Callable[..., Any]], Callable[..., Any]]


@attrs.define
class Assumed:
    """What became of what is assumed: the lines that stood in for a rule, by their identity, and how often a rule was
    asked all the same."""

    used: set[int] = attrs.field(factory=set)
    asked: int = 0


def evaluate(position: Position, expression: str | ir.X) -> Any:
    """The raw value of an expression, given as text or already read, as the position stands."""
    if isinstance(expression, str):
        return evaluate_text(position, expression)
    from rulescript.explain.evaluate import evaluator_of

    return evaluator_of(position.game).value(expression, position.s)


def assume_in(scope: dict[str, Any], names: Mapping[str, str], assumptions: Mapping[str, Assumption]) -> None:
    """Put assumptions in the place of generated functions; each once."""
    for rule, python in names.items():
        own = scope.get(python)
        if rule in assumptions and own is not None and not getattr(own, "is_assumed", False):
            made = assumptions[rule](own)
            made.is_assumed = True  # type: ignore[attr-defined]
            scope[python] = made


def _renamed(node: Any, meant: Callable[[str], str]) -> Any:
    """A node with its bare names changed, also those inside; the very same if none is."""
    if isinstance(node, tuple):
        made = tuple(_renamed(item, meant) for item in node)
        return made if any(a is not b for a, b in zip(made, node, strict=True)) else node
    if not isinstance(node, n.Node):
        return node
    if isinstance(node, n.NameExpr):
        name = meant(node.name)
        return attrs.evolve(node, name=name) if name != node.name else node
    changes: dict[str, Any] = {}
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        new = _renamed(value, meant) if isinstance(value, n.Node | tuple) else value
        if new is not value:
            changes[field.name] = new
    return attrs.evolve(node, **changes) if changes else node


class ExampleEvaluator(Evaluator):
    """Reads and works out the expressions of one example."""

    def __init__(self, game: Game, assumptions: Mapping[str, Assumption] | None = None) -> None:
        self.assumptions = dict(assumptions or {})
        self.assumed = Assumed()
        self._lexicon: Lexicon | None = None
        self.names: Names | None = None
        super().__init__(game)
        self.scope["PLACES"] = game.code.get("PLACES", ())

    def _lowering(self) -> Lowering:
        return Lowering(self.model, Layout(self.model), Made(frozenset(self.assumptions)))

    def _compile(self, x: ir.X, given: Mapping[int, Any], any_order: bool) -> Callable[..., Any]:
        made = super()._compile(x, given, any_order)
        assume_in(self.scope, rule_names(self.lower), self.assumptions)
        return made

    # -------------------------------------------------------------- reading

    def node_at(self, span: Span) -> n.Expr:
        """The expression written at a place."""
        reporter = Reporter()
        node = parse_expression(span.source, span.start, span.end, reporter)
        if node is None or reporter.has_errors:
            problem = first_of(reporter, span)
            hint = self._spaced_name(span.text)
            if hint is not None:
                problem.found = tuple(attrs.evolve(d, hint=d.hint or hint) for d in problem.found)
            raise problem
        return node

    def _spaced_name(self, text: str) -> str | None:
        """What to write where a name of two words stands in an expression as people write it."""
        for kind in self.data.kinds.values():
            for name in () if kind.is_pieces else (*kind.names, *kind.shown):
                if "_" in name and re.search(rf"(?i)\b{re.escape(name.replace('_', ' '))}\b", text):
                    return f"in a condition a name is one word: `{name}`"
        return None

    def read_at(
        self,
        span: Span,
        expected: Type | None = None,
        position: Position | None = None,
        node: n.Expr | None = None,
    ) -> ir.X:
        """The meaning of the expression written at a place; it must be of the expected type, if one is
        given."""
        if node is None:
            node = self.node_at(span)
        names = self.names_at(position) if position is not None else {}
        x, reporter = self._read(node, expected, names)
        if reporter.has_errors or x.type == ERROR:
            # Something may go by another name that the game has for it, as in the other lines of an example.
            meant = self._by_other_names(node)
            if meant is not node:
                x, reporter = self._read(meant, expected, names)
            if reporter.has_errors or x.type == ERROR:
                raise first_of(reporter, span)
        if expected is not None and not fits(x.type, expected):
            raise ClaimUnclear(
                f"`{span.text}` is {say(x.type)}, but {say(expected)} is needed here",
                span,
                f"expected {say(expected)}",
            )
        return x

    def _read(self, node: n.Expr, expected: Type | None, names: Mapping[str, ir.Var]) -> tuple[ir.X, Reporter]:
        reporter = Reporter()
        analysis, scope = self._analysis(reporter, names)
        with analysis.desk.speaking("(example)"):
            read = analysis.expressions
            x = read.condition(node, scope) if expected == BOOL else read.expr(node, scope, expected)
        self._vars = analysis.desk.vars
        return x, reporter

    def _by_other_names(self, node: n.Expr) -> n.Expr:
        """The expression with what things are also called put into their own names."""
        if self._lexicon is None:
            self._lexicon = Lexicon(self.data.kinds)
        lexicon = self._lexicon

        def meant(name: str) -> str:
            own = {lexicon.name(*thing) for thing in lexicon.things(name)}
            return own.pop() if len(own) == 1 else name

        made: n.Expr = _renamed(node, meant)
        return made

    def value_at(self, span: Span, position: Position, expected: Type | None = None) -> Any:
        """The raw value of the expression written at a place."""
        x = self.read_at(span, expected, position)
        return self.worked_out(x, position, span)

    def worked_out(self, x: ir.X, position: Position, span: Span) -> Any:
        try:
            return self.value(x, position.s)
        except PlayError as problem:
            raise ClaimUnclear(f"this cannot be worked out: {problem}", span) from problem
        except (ArithmeticError, TypeError, LookupError, NameError, RecursionError) as problem:
            raise ClaimUnclear(f"this cannot be worked out ({type(problem).__name__}: {problem})", span) from problem

    def sides(self, x: ir.X, position: Position, span: Span) -> str:
        """What the parts of a condition that does not hold are worth: both sides of a comparison."""
        match x:
            case ir.CompareX(left=left, right=right):
                told = [self._side(s, position, span) for s in (left, right)]
                return " and ".join(t for t in told if t)
            case ir.InX(element=element, source=source):
                told = [self._side(s, position, span) for s in (element, source)]
                return " and ".join(t for t in told if t)
            case ir.NotX(of=of):
                return self.sides(of, position, span)
            case ir.SomeX(source=source):
                return self._side(source, position, span)
            case ir.AndX(parts=parts):
                for part in parts:
                    if not self.worked_out(part, position, span):
                        inner = self.sides(part, position, span)
                        return inner or f"`{part.span.text.strip()}` is not so"
            case ir.QuantX(quantifier="every", picks=picks, condition=condition):
                return self._witness(picks, condition, position)
        return ""

    def _side(self, x: ir.X, position: Position, span: Span) -> str:
        if isinstance(x, ir.Lit | ir.ThingLit | ir.SetX | ir.RangeX):
            return ""
        text = " ".join(x.span.text.split())
        try:
            return f"`{text}` is {self.words(self.worked_out(x, position, span), x.type)}"
        except (ClaimUnclear, AssertionError, KeyError):
            return ""

    def _witness(self, picks: Any, condition: ir.X, position: Position) -> str:
        """The first for which an `every` does not hold."""
        try:
            if len(picks) != 1:
                return ""
            var, source = picks[0]
            for value in self.refs(source, position.s):
                if not self.holds(condition, position.s, {var.ident: value}):
                    return f"not so for {self.words(value, var.type)}"
        except Exception:  # only to say more; what went wrong is told already
            return ""
        return ""
