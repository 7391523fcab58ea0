"""Arithmetic, comparisons, membership, and whether something is of a kind."""

from __future__ import annotations

import re

from rulescript import nodes as n
from rulescript.analysis.collections import bare
from rulescript.analysis.eithers import (
    truth_of,
)
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    NOTHING,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
    say,
    sure,
)  # fmt: skip  # fmt: skip

__all__ = ["Operators"]


class Operators(Part):
    """Reads operators."""

    def binary(self, node: n.Binary, scope: Scope) -> ir.X:
        op = node.operator
        if op in ("and", "or"):
            truths = [self.kind_truth(each, scope) for each in (node.left, node.right)]
            if (op == "or") in truths:
                return ir.Lit(BOOL, node.span, op == "or")
            if None not in truths[:1]:
                return self.condition(node.right, scope)
            if None not in truths[1:]:
                return self.condition(node.left, scope)
            a = self.condition(node.left, scope)
            if self._also_compared(node, a, scope):
                return self.bad(node.span)
            if a.type == ERROR and self._is_a_thing(node.right, scope):
                return self.bad(node.span)  # `x == North and South or West` is one slip
            b = self.condition(node.right, self.expressions.knowing(a, scope, op == "and"))
            if op == "and":
                left = a.parts if isinstance(a, ir.AndX) else (a,)
                return ir.AndX(BOOL, node.span, (*left, b))
            left = a.parts if isinstance(a, ir.OrX) else (a,)
            return ir.OrX(BOOL, node.span, (*left, b))
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return self._compare(node, scope)
        if op in ("in", "not in"):
            return self._in(node, scope)
        if op == "otherwise":
            return self._otherwise(node, scope)
        a = self.expr(node.left, scope)
        if self._left_out_of_most(node, scope):
            return self.bad(node.span)
        b = self.expr(node.right, scope, a.type)
        if op in ("+", "-", "&") and ERROR in (a.type, b.type):
            return self.bad(node.span)  # numbers or sets: that would follow from what is not known
        if op in ("+", "-", "&") and (element_of(a.type) or element_of(b.type)):
            return self._set_op(node, op, a, b)
        if op == "&":
            self.mismatch("a set", a.type if element_of(a.type) is None else b.type, node.span)
            return self.bad(node.span)
        a, b = self.must(a, INT, node.left.span), self.must(b, INT, node.right.span)
        operator = {"at most": "min", "at least": "max"}.get(op, op)
        return ir.ArithX(INT, node.span, operator, (a, b))

    def _left_out_of_most(self, node: n.Binary, scope: Scope) -> bool:
        """``least w in Wall by w.strength - w.damage``: without brackets the `by` ends before the sign."""
        most = node.left
        while isinstance(most, n.Binary):
            most = most.left
        if not isinstance(most, n.Most) or most.name is None:
            return False
        name, source = most.name.text, node.span.source
        if name in scope.names or not re.search(rf"\b{re.escape(name)}\b", node.right.span.text):
            return False
        by = source.span(most.by.span.start, node.right.span.end).text.strip()
        self.error(
            "RS101", f"`{name}` means one of them up to the sign only: what is worked out after `by` needs brackets",
            node.right.span, "outside of `by`", f"write `by ({by})`" if "\n" not in by else "write `by (...)`",
        )  # fmt: skip
        return True

    def _is_a_thing(self, node: n.Expr, scope: Scope) -> bool:
        return isinstance(node, n.NameExpr) and node.name not in scope.names and node.name in self.game.things

    def _also_compared(self, node: n.Binary, left: ir.X, scope: Scope) -> bool:
        """``x == North or South``: what stands behind is not compared with anything."""
        if not isinstance(left, ir.CompareX) or not isinstance(node.right, n.NameExpr):
            return False
        other = self.names.outer_name(node.right.name, node.right.span, scope, left.left.type)
        if left.operator not in ("==", "!=") or not isinstance(other, ir.ThingLit):
            return False
        what, one = left.left.span.text.strip(), left.right.span.text.strip()
        word = "in" if left.operator == "==" else "not in"
        self.error(
            "RS201",
            f"a condition is yes or no, but this is {say(other.type)}",
            node.right.span,
            "compared with nothing",
            f"write `{what} {word} {{{one}, {node.right.name}}}`",
        )
        return True

    def _otherwise(self, node: n.Binary, scope: Scope) -> ir.X:
        """``steps(march(u), t) otherwise 99``: something in place of nothing."""
        a = self.expr(node.left, scope)
        if not isinstance(a.type, Maybe):
            if a.type != ERROR:
                hint = "leave `otherwise` and what follows it out"
                self.error("RS211", f"this is {say(a.type)} and never nothing", node.left.span, "never nothing", hint)
            return self.bad(node.span)
        b = self.expressions.typed(node.right, scope, a.type.element)
        return ir.BuiltinX(a.type.element, node.span, "default", (a, b))

    def _without_quotes(self, node: n.Expr) -> str | None:
        """Where a thing is written as a text."""
        name = node.span.text.strip().strip('"')
        return f"write `{name}` without quotes" if isinstance(node, n.TextExpr) and name in self.game.things else None

    def _set_op(self, node: n.Binary, op: str, a: ir.X, b: ir.X) -> ir.X:
        def as_set(x: ir.X) -> ir.X:
            if isinstance(x.type, ThingOf):
                return ir.SetX(SetOf(ThingOf(x.type.kind)), x.span, (x,))
            return x

        a, b = as_set(a), as_set(b)
        if isinstance(a.type, ListOf) and isinstance(b.type, ListOf) and op == "+":
            return ir.SetOpX(a.type, node.span, "list+", a, b)
        if not isinstance(a.type, SetOf) or not isinstance(b.type, SetOf):
            which = b if isinstance(a.type, SetOf) else a
            hint = None
            if isinstance(a, ir.ContentsX) and isinstance(b, ir.ContentsX) and a.holds is b.holds and op == "+":
                if a.of is not None and b.of is not None:
                    both = f"{a.of.span.text.strip()}, {b.of.span.text.strip()}"
                    hint = f"for the pieces of both, write `{{{both}}}.{a.holds.name}`"
            self.mismatch("a set", which.type, which.span, hint=hint)
            return self.bad(node.span)
        if not (fits(a.type, b.type) or fits(b.type, a.type)):
            self.error("RS211", f"{say(a.type)} and {say(b.type)} have nothing in common", node.span)
            return self.bad(node.span)
        return ir.SetOpX(b.type if fits(a.type, b.type) else a.type, node.span, op, a, b)

    def _compare(self, node: n.Binary, scope: Scope) -> ir.X:
        op = node.operator
        if isinstance(node.left, n.NameExpr) and node.left.name in self.game.things:
            b = self.expr(node.right, scope)
            a = self.expr(node.left, scope, b.type)
        else:
            a = self.expr(node.left, scope)
            b = self.expr(node.right, scope, a.type)
        if ERROR in (a.type, b.type):
            return self.bad(node.span)
        if NOTHING in (a.type, b.type):
            if a.type == NOTHING:
                a, b = b, a
            if not isinstance(a.type, Maybe):
                hint = "leave this test out: it always comes out the same"
                self.error("RS211", f"this is {say(a.type)} and never nothing", a.span, "never nothing", hint)
                return self.bad(node.span)
            return ir.CompareX(BOOL, node.span, op, a, b)
        plain_a = a.type.element if isinstance(a.type, Maybe) and op in ("==", "!=") else a.type
        plain_b = b.type.element if isinstance(b.type, Maybe) and op in ("==", "!=") else b.type
        same = fits(bare(plain_a), bare(plain_b)) and not isinstance(plain_a, Pile)
        if op in ("==", "!="):
            for one, other, written in ((plain_a, b, node.right), (plain_b, a, node.left)):
                is_name = isinstance(other, ir.SetX) and isinstance(written, n.NameExpr)
                if is_name and fits(SetOf(bare(one)), other.type):
                    # The common name of several copies of a thing: it is one of them.
                    return ir.InX(BOOL, node.span, b if other is a else a, other, op == "!=")
            if not same:
                left = node.left.span.text.strip()
                self.error(
                    "RS211",
                    f"`{left}` is {say(a.type)}, so it cannot equal {say(b.type)}",
                    node.right.span,
                    f"this is {say(b.type)}",
                    _counted(node, a.type, b.type)
                    or self.members.fitting_of(node.left, a.type, bare(plain_b))
                    or self.members.fitting_of(node.right, b.type, bare(plain_a))
                    or self._without_quotes(node.right),
                )
                return self.bad(node.span)
            return ir.CompareX(BOOL, node.span, op, a, b)
        if not same or not (plain_a == INT or isinstance(plain_a, ThingOf)):
            which = a if not (a.type == INT or isinstance(a.type, ThingOf)) else b
            self.mismatch("a number (or a thing in an order)", which.type, which.span, "RS211")
            return self.bad(node.span)
        return ir.CompareX(BOOL, node.span, op, a, b)

    def _in(self, node: n.Binary, scope: Scope) -> ir.X:
        source = self.expr(node.right, scope)
        element = element_of(source.type)
        if element is None:
            self.mismatch("a set, list or pile", source.type, node.right.span)
            return self.bad(node.span)
        a = self.expr(node.left, scope, element)
        if ERROR in (a.type, element):
            return self.bad(node.span)
        plain = sure(a.type)
        if not fits(bare(plain), bare(element)):
            self.error(
                "RS211",
                f"{say(a.type)} is never in {say(source.type)}",
                node.left.span,
                f"expected {say(element)}",
            )
            return self.bad(node.span)
        return ir.InX(BOOL, node.span, a, source, node.operator == "not in")

    def kind_truth(self, node: n.Expr, scope: Scope) -> bool | None:
        """What a test comes to that only asks of which kind something is; None if it asks anything else."""
        return truth_of(node, scope.names, _kind_named)

    def kinds_asked(self, scope: Scope) -> str:
        """Of which kinds the names are that might be of several."""
        return " and ".join(say(var.declared or var.type) for var in scope.names.values() if var.either)

    def is_kind(self, node: n.IsKind, scope: Scope) -> ir.X:
        """``t is Tank``: the piece or thing has that value among its attributes, or is that very thing."""
        truth = self.kind_truth(node, scope)
        if truth is not None:
            return ir.Lit(BOOL, node.span, truth)
        of = self.expr(node.operand, scope)
        if of.type == ERROR:
            return of
        test: ir.X | None = None
        name = node.kind.text
        if isinstance(of.type, ThingOf | PieceOf):
            kind = self.game.kinds[of.type.kind]
            for attr in kind.attrs.values():
                if isinstance(attr.type, ThingOf):
                    for thing in self.game.things.get(name, []):
                        if thing.kind.name == attr.type.kind:
                            lit = ir.ThingLit(attr.type, node.kind.span, thing.kind, thing.index)
                            left = ir.AttrX(attr.type, node.span, attr, of)
                            test = ir.CompareX(BOOL, node.span, "==", left, lit)
            own = [t for t in kind.things if t.name == name]
            if own and isinstance(of.type, ThingOf):
                lit = ir.ThingLit(of.type, node.kind.span, kind, own[0].index)
                test = ir.CompareX(BOOL, node.span, "==", of, lit)
            copies = [t for t in self.game.copies.get(name, []) if t.kind is kind]
            if copies and isinstance(of.type, ThingOf):
                test = ir.InX(BOOL, node.span, of, self.names.copies(copies, node.kind.span), False)
        if test is None:
            word = "!=" if node.negated else "=="
            known = self.names.outer_name(name, node.kind.span, scope, of.type) is not None
            hint = f"to compare it with what `{name}` is just now, write `{word} {name}`" if known else None
            if isinstance(of.type, ThingOf | PieceOf) and _is_yes_or_no(self.game.kinds[of.type.kind], name):
                hint = f"write `{'not ' if node.negated else ''}{of.span.text.strip()}.{name}`"
            if name in ("yes", "no") and of.type == BOOL:
                hint = f"write `{'not ' if (name == 'no') is not node.negated else ''}{of.span.text.strip()}`"
            if name == "empty" and (element_of(of.type) is not None or isinstance(of.type, Pile)):
                hint = f"write `{'some' if node.negated else 'none'} {of.span.text.strip()}`"
            message = f"nothing about {say(of.type)} can be `{name}`"
            self.error("RS101", message, node.kind.span, "unknown", hint)
            return self.bad(node.span)
        return ir.NotX(BOOL, node.span, test) if node.negated else test


def _counted(node: n.Binary, left: Type, right: Type) -> str | None:
    """Several things compared with a number: how many there are is meant."""
    is_several = element_of(left) is not None or isinstance(left, Pile)
    if not is_several or right != INT or fits(element_of(left) or left, INT):
        return None
    return f"write `count({node.left.span.text.strip()}) {node.operator} {node.right.span.text.strip()}`"


def _is_yes_or_no(kind: m.Kind, name: str) -> bool:
    """Whether something of a kind is so or not so by an attribute or state of this name."""
    known = kind.attrs.get(name) or kind.states.get(name)
    return known is not None and known.type == BOOL


def _kind_named(var: ir.Var) -> str:
    type_ = var.declared or var.type
    return type_.kind if isinstance(type_, ThingOf | PieceOf) else ""
