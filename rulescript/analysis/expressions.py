"""The type and meaning of each expression: nodes -> model/ir.py. `expr` is the way in.

Every method either returns an expression with its type, or reports and returns one of the error type, which
fits everywhere and so keeps one mistake from being told twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulescript import nodes as n
from rulescript.analysis.eithers import (
    plain_name,
)
from rulescript.analysis.names import path_of
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope, instead
from rulescript.diagnostics import Label
from rulescript.model import ir
from rulescript.model.game import (
    Function,
    Route,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    NOTHING,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
    say,
    say_wanted,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Expressions"]

# A range is a set of numbers, with a bit for each up to the highest: years fit, and a save stays small.
MOST_IN_RANGE = 4_000


class Expressions(Part):
    """Reads expressions."""

    def expr(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> ir.X:  # noqa: C901 - one case for each sort of node
        """An expression; `expected` helps to tell things of the same name apart, it does not force."""
        self.desk.reporter.expressions += 1
        match node:
            case n.Number(value):
                return ir.Lit(INT, node.span, self.desk.small(value, node.span))
            case n.YesNo(flag):
                return ir.Lit(BOOL, node.span, flag)
            case n.Nothing():
                return ir.Lit(NOTHING, node.span, None)
            case n.TextExpr(text):
                return self.template(text, node.span, scope)
            case n.It():
                if scope.elements:
                    var = scope.elements[-1]
                    return ir.Local(scope.type_of(var), node.span, var)
                self.error("RS101", "`it` has a meaning only inside `[...]` and `by`", node.span)
                return self.bad(node.span)
            case n.NameExpr():
                return self.names.name(node, scope, expected)
            case n.AttributeOf():
                return self.members.attribute(node, scope)
            case n.Filtered():
                return self.collections.filtered(node, scope, expected)
            case n.Call():
                return self.calls.call(node, scope, expected)
            case n.ForCall():
                return self.calls.for_call(node, scope)
            case n.SetLiteral() | n.ListLiteral():
                return self.collections.collection(node, scope, expected)
            case n.Range(low, high):
                if high < low or high > MOST_IN_RANGE:
                    if high < low:
                        said, hint = "a range goes from the lower to the higher number", f"write `{high}..{low}`"
                    else:
                        said = f"a range goes up to {MOST_IN_RANGE:,} at most"
                        hint = f"compare instead: `x >= {low} and x <= {high}`"
                    self.error("RS201", said, node.span, "this range", hint)
                    return self.bad(node.span)
                return ir.RangeX(SetOf(INT), node.span, low, high)
            case n.Unary("not", operand):
                return ir.NotX(BOOL, node.span, self.condition(operand, scope))
            case n.Unary(_, operand):
                return ir.ArithX(INT, node.span, "neg", (self.number(operand, scope),))
            case n.Binary():
                return self.operators.binary(node, scope)
            case n.Divide(left, right, rounding):
                a, b = self.number(left, scope), self.number(right, scope)
                if isinstance(b, ir.Lit) and b.value == 0:
                    self.error("RS210", "division by zero", right.span, "this is zero")
                return ir.ArithX(INT, node.span, f"/{rounding}", (a, b))
            case n.IsKind():
                return self.operators.is_kind(node, scope)
            case n.IfExpr(condition, then, otherwise):
                truth = self.operators.kind_truth(condition, scope)
                if truth is not None:
                    return self.expr(then if truth else otherwise, scope, expected)
                test = self.condition(condition, scope)
                a = self.expr(then, self.knowing(test, scope), expected)
                b = self.expr(otherwise, self.knowing(test, scope, False), expected or a.type)
                return ir.IfX(self.join(a, b, node.span), node.span, test, a, b)
            case n.Some(quantifier, source):
                inner = self.expr(source, scope)
                if isinstance(inner.type, Maybe):
                    test = ir.CompareX(BOOL, node.span, "!=", inner, ir.Lit(NOTHING, node.span, None))
                    return test if quantifier == "some" else ir.NotX(BOOL, node.span, test)
                if element_of(inner.type) is None:
                    self.mismatch("a set, list or pile", inner.type, source.span)
                    return self.bad(node.span)
                return ir.SomeX(BOOL, node.span, inner, quantifier == "none")
            case n.Quantified(quantifier, pickings, condition):
                inside = scope.inner()
                picks = self.collections.pickings(pickings, inside)
                return ir.QuantX(BOOL, node.span, quantifier, picks, self.condition(condition, inside))
            case n.Most(direction, source, by, name):
                return self.collections.most(node, direction, source, by, name, scope)
            case n.NamedArg(name, _):
                self.error("RS202", "only rules of the game are given values by name", name.span, "not here")
                return self.bad(node.span)
        raise AssertionError(node)

    def condition(self, node: n.Expr, scope: Scope) -> ir.X:
        x = self.expr(node, scope, BOOL)
        if not fits(x.type, BOOL):
            hint = None
            if element_of(x.type) is not None:
                hint = f"some {node.span.text.strip()}"
                hint = f"write `{hint}`" if "\n" not in hint else None
            self.error(
                "RS201",
                f"a condition is yes or no, but this is {say(x.type)}",
                node.span,
                "expected yes or no",
                hint or instead("yes or no", x.type, node.span.text.strip()),
            )
            return self.bad(node.span)
        return x

    def number(self, node: n.Expr, scope: Scope) -> ir.X:
        return self.typed(node, scope, INT)

    def typed(self, node: n.Expr, scope: Scope, wanted: Type, code: str = "RS201", why: Label | None = None) -> ir.X:
        """An expression that must be of a type."""
        x = self.expr(node, scope, wanted)
        return self.must(x, wanted, node.span, code, why)

    def must(self, x: ir.X, wanted: Type, span: Span, code: str = "RS201", why: Label | None = None) -> ir.X:
        if fits(x.type, wanted):
            return x
        if isinstance(x.type, Maybe) and fits(x.type.element, wanted):
            return self.untested(x.type, span)
        element = element_of(x.type)
        if element is not None and fits(element, wanted):
            self.error(
                "RS206",
                f"this is {say(x.type)}, but one {say(wanted).split(' ', 1)[-1]} is needed here",
                span,
                "a list" if isinstance(x.type, ListOf) else "a set",
                (instead("a number", x.type, span.text.strip()) if wanted == INT else None)
                or "let someone `choose`, or write `only(...)` if there is always exactly one",
            )
            return self.bad(span)
        others = [why] if why else []
        text = span.text.strip()
        shown = f"`{text}`" if "\n" not in text and len(text) < 50 else "this"
        if x.type != ERROR:
            self.error(
                code,
                f"{shown} is {say(x.type)}, but {say_wanted(wanted, x.type)} is needed here",
                span,
                f"expected {say_wanted(wanted, x.type)}",
                instead(say(wanted), x.type, text),
                others,
            )
        return self.bad(span)

    def untested(self, type_: Maybe, span: Span) -> ir.X:
        """What may be nothing is used as if it were something."""
        text = span.text.strip()
        shown = text if "\n" not in text and len(text) < 50 else "..."
        message, hint = "this may be nothing, and nobody has looked", f"test it first: `if {shown} != nothing`"
        if span in self.desk.doubted:
            message = f"this may have become nothing: {self.desk.doubted[span]} since it was tested"
            hint = f"keep it under a name right after the test: `let kept = {shown}`"
        self.error("RS205", message, span, f"maybe {say(type_.element)}", hint)
        return self.bad(span)

    def template(self, text: str, span: Span, scope: Scope) -> ir.TemplateX:
        """``"Move {t} to {r}"``"""
        parts: list[str | ir.X] = []
        at = 0
        source = span.source
        for match in re.finditer(r"\{([^{}]*)\}", text):
            parts.append(text[at : match.start()])
            at = match.end()
            # The braces are found again in the file, so that a message can point into the text.
            place = source.text.find(match.group(0), span.start, span.end)
            if place < 0:
                self.error("RS001", f"cannot read `{match.group(0)}` in this text", span)
                continue
            from rulescript.syntax.parser import parse_expression

            inner = parse_expression(source, place + 1, place + len(match.group(0)) - 1, self.desk.reporter)
            if inner is not None:
                parts.append(self.expr(inner, scope))
        parts.append(text[at:])
        self.stray_brace(parts, span)
        return ir.TemplateX(TEXT, span, tuple(p for p in parts if p != ""))

    def stray_brace(self, parts: Sequence[object], span: Span) -> bool:
        """Whether a brace is left over in what a text says between its values."""
        stray = next((p for p in parts if isinstance(p, str) and ("{" in p or "}" in p)), None)
        if stray is None:
            return False
        source = span.source
        brace = "{" if "{" in stray else "}"
        place = source.text.find(stray.strip(), span.start, span.end)
        place = source.text.find(brace, max(place, span.start), span.end)
        here = source.span(place, place + 1) if place >= 0 else span
        message = "`{` in this text is never closed" if brace == "{" else "`}` in this text closes nothing"
        self.error("RS003", message, here, "", 'a value in a text is written `"... {value} ..."`')
        return True

    def knowing(self, test: ir.X, scope: Scope, truth: bool = True) -> Scope:
        """The scope in which a test is known to have come out so: `x != nothing` makes x known, and with
        `u in Town.units` a unit stands in a town."""
        found: set[str] = set()
        on: dict[int, tuple[str, int]] = {}

        def visit(x: ir.X, holds: bool) -> None:
            match x:
                case ir.AndX(parts=parts) if holds:
                    for part in parts:
                        visit(part, True)
                case ir.OrX(parts=parts) if not holds:
                    for part in parts:
                        visit(part, False)
                case ir.NotX(of=inner):
                    visit(inner, not holds)
                case ir.CompareX(operator=op, left=left, right=ir.Lit(value=None, type=t)) if t == NOTHING:
                    if (op == "!=") == holds:
                        path = path_of(left)
                        if path:
                            found.add(path)
                case ir.InX(element=ir.Local(var=var), source=source, negated=negated) if negated is not holds:
                    element = element_of(source.type)
                    if isinstance(element, PieceOf | ThingOf) and element.holder:
                        on[var.ident] = (element.holder, var.moves)

        visit(test, truth)
        if not found and not on:
            return scope
        inside = scope.inner()
        inside.known = scope.known | found
        inside.on.update(on)
        return inside

    def narrowed(self, x: ir.X, scope: Scope) -> ir.X:
        """The same expression, without `maybe` where it is known to be something."""
        if isinstance(x.type, Maybe) and (scope.known or scope.doubted):
            path = path_of(x) or "?"
            if path in scope.known:
                x.type = x.type.element
            elif path in scope.doubted:
                self.desk.doubted[x.span] = scope.doubted[path]
        return x

    def join(self, a: ir.X, b: ir.X, span: Span) -> Type:
        """The type of either of two."""
        if fits(a.type, b.type):
            return b.type
        if fits(b.type, a.type):
            return a.type
        if a.type == NOTHING:
            return b.type if isinstance(b.type, Maybe) else Maybe(b.type)
        if b.type == NOTHING:
            return a.type if isinstance(a.type, Maybe) else Maybe(a.type)
        self.error("RS211", f"one is {say(a.type)}, the other {say(b.type)}", span)
        return ERROR

    def declared_by(self, rule: Function | Route) -> str:
        """Who declared a rule first; what replaces it is seen by all who saw the old one."""
        return self.desk.first_origins.get(plain_name(rule.name), rule.origin)
