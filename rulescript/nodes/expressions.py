"""Expressions: what can be asked of a position. They never change it."""

from __future__ import annotations

from attrs import frozen

from rulescript.nodes.base import Name, Node


@frozen
class Expr(Node):
    """Something with a value."""


@frozen
class NameExpr(Expr):
    """``active``"""

    name: str


@frozen
class Number(Expr):
    """``3``"""

    value: int


@frozen
class TextExpr(Expr):
    """``"words with {x} in them"``"""

    value: str


@frozen
class YesNo(Expr):
    """``yes``"""

    value: bool


@frozen
class Nothing(Expr):
    """``nothing``: the absence a `maybe` value can have."""


@frozen
class It(Expr):
    """``it``: the element a filter looks at."""


@frozen
class AttributeOf(Expr):
    """``r.control``"""

    object: Expr
    name: Name


@frozen
class Filtered(Expr):
    """``r.tiles[side == active]``: inside, bare names are the element's own attributes."""

    source: Expr
    condition: Expr


@frozen
class NamedArg(Expr):
    """``far = 2`` among the values of a call"""

    name: Name
    value: Expr


@frozen
class Call(Expr):
    """``strength(a, s)``, ``retreat(u, far = 2)`` or ``enemy of s``"""

    function: Expr
    args: tuple[Expr, ...]


@frozen
class Picking(Node):
    """``r in Region``, in a quantifier, a sum or a choice. `either` are the kinds that may be picked, where the choice
    is written out for each of several."""

    name: Name
    source: Expr
    either: tuple[str, ...] = ()


@frozen
class ForCall(Expr):
    """``sum(r.industry for r in Region if r.capital)``"""

    function: Expr
    value: Expr
    pickings: tuple[Picking, ...]
    condition: Expr | None


@frozen
class SetLiteral(Expr):
    """``{Mill, Castle}``"""

    items: tuple[Expr, ...]


@frozen
class ListLiteral(Expr):
    """``[Mill, Castle]``: in this order."""

    items: tuple[Expr, ...]


@frozen
class Range(Expr):
    """``4..6``"""

    low: int
    high: int


@frozen
class Unary(Expr):
    """``not x`` or ``-x``: operator is "not" or "-"."""

    operator: str
    operand: Expr


@frozen
class Binary(Expr):
    """``a + b``: operator is one of + - & * mod and or == != < <= > >= in, not in, at most, at least, otherwise."""

    operator: str
    left: Expr
    right: Expr


@frozen
class Divide(Expr):
    """``a / b rounded up``"""

    left: Expr
    right: Expr
    rounding: str


@frozen
class IsKind(Expr):
    """``u is Army`` or ``u is not Army``"""

    operand: Expr
    kind: Name
    negated: bool


@frozen
class IfExpr(Expr):
    """``if c then a else b``"""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Some(Expr):
    """``some r.tiles[side == s]`` or ``none ...``"""

    quantifier: str
    source: Expr


@frozen
class Quantified(Expr):
    """``every a in Area, s in Side: stacking(a, s) <= 3``; quantifier is some, none or every."""

    quantifier: str
    pickings: tuple[Picking, ...]
    condition: Expr


@frozen
class Most(Expr):
    """``most nations by count(tiles[nation == it])``: all that share the highest (or lowest) value."""

    direction: str
    source: Expr
    by: Expr
    name: Name | None = None


# ------------------------------------------------------------------ types


@frozen
class TypeNode(Node):
    """``set of Region``: form is name, on, set, list, maybe or bounds (``0..3``: a number from `low` to `high`).
    `either` is the name of several kinds that the type was written as, where a rule is written out for each of
    them."""

    form: str
    name: str
    inner: TypeNode | None = None
    holder: str = ""
    either: str = ""
    low: int = 0
    high: int = 0
