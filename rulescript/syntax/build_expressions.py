"""Expressions and types: the rules of the grammar that share a node, or make one of something else than their parts."""

from __future__ import annotations

from lark import Token

from rulescript import nodes as n
from rulescript.source import Span
from rulescript.syntax.node_fields import LONGEST_NUMBER, Children, Maker, Place, node, word

__all__ = ["EXPRESSION_RULES", "only"]


def only(place: Place, span: Span, c: Children) -> n.Node:
    """A rule that only hands on what it is given."""
    handed: n.Node = c[0]
    return handed


def _number(place: Place, span: Span, c: Children) -> n.Number:
    return n.Number(int(c[0][:LONGEST_NUMBER]), span=span)


def _negative(place: Place, span: Span, c: Children) -> n.Number:
    return n.Number(-int(c[-1][:LONGEST_NUMBER]), span=span)


def _range(place: Place, span: Span, c: Children) -> n.Range:
    return n.Range(int(c[0][:9]), int(c[1][:9]), span=span)


def _from_up(place: Place, span: Span, c: Children) -> n.Range:
    return n.Range(int(c[0][:LONGEST_NUMBER]), 1_000_000, span=span)


def _of_call(place: Place, span: Span, c: Children) -> n.Call:
    return n.Call(n.NameExpr(str(c[0]), span=place.at(c[0])), (c[1],), span=span)


def _bounds(place: Place, span: Span, c: Children) -> n.TypeNode:
    numbers: list[int] = []
    sign = 1
    token: Token
    for token in c:
        if token.type == "MINUS":
            sign = -1
        else:
            numbers.append(sign * int(token[:LONGEST_NUMBER]))
            sign = 1
    return n.TypeNode("bounds", "int", low=numbers[0], high=numbers[1], span=span)


EXPRESSION_RULES: dict[str, Maker] = {
    "expression": only,
    "name": lambda place, span, c: n.NameExpr(str(c[0]), span=span),
    "number": _number,
    "negative": _negative,
    "text": node(n.TextExpr),
    "yes": node(n.YesNo, value=True),
    "no": node(n.YesNo, value=False),
    "range": _range,
    "from_up": _from_up,
    "of_call": _of_call,
    "or_": node(n.Binary, operator="or"),
    "and_": node(n.Binary, operator="and"),
    "in_": node(n.Binary, operator="in"),
    "not_in": node(n.Binary, operator="not in"),
    "at_most": node(n.Binary, operator="at most"),
    "at_least": node(n.Binary, operator="at least"),
    "default": node(n.Binary, operator="otherwise"),
    "common": node(n.Binary, operator="&"),
    "times": node(n.Binary, operator="*"),
    "modulo": node(n.Binary, operator="mod"),
    "compare": node(n.Binary, operator=word("COMPARE")),
    "arithmetic": node(n.Binary, operator=word("PLUS", "MINUS")),
    "divide": node(n.Divide, rounding=word("ROUND")),
    "not_": node(n.Unary, operator="not"),
    "negate": node(n.Unary, operator="-"),
    "is_": node(n.IsKind, negated=False),
    "is_not": node(n.IsKind, negated=True),
    "some": node(n.Some, quantifier="some"),
    "none": node(n.Some, quantifier="none"),
    "some_in": node(n.Quantified, quantifier="some"),
    "none_in": node(n.Quantified, quantifier="none"),
    "every_in": node(n.Quantified, quantifier="every"),
    "most": node(n.Most, direction="most"),
    "most_in": node(n.Most, direction="most"),
    "least": node(n.Most, direction="least"),
    "least_in": node(n.Most, direction="least"),
    "type": node(n.TypeNode, form="name", name=word("NAME")),
    "type_on": node(n.TypeNode, form="on", name=word("NAME"), holder=word("NAME")),
    "set_of": node(n.TypeNode, form="set"),
    "list_of": node(n.TypeNode, form="list"),
    "maybe": node(n.TypeNode, form="maybe"),
    "bounds": _bounds,
}
