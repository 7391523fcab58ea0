"""What is inside an expression, a statement or a rule of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import attrs

from rulescript.model import game as m
from rulescript.model import ir

__all__ = [
    "bound_by", "children", "chooses_in", "conjuncts", "expressions_of", "free_vars", "functions_in", "inner_blocks",
    "own_expressions", "statements_in", "walk",
]  # fmt: skip


# How what is inside is read, by the sort of expression: it is asked for so often that each has a reader of its own.
_READERS: dict[type, Callable[[Any], list[ir.X]]] = {}


def children(x: ir.X | ir.S) -> list[ir.X]:
    """The expressions directly inside an expression."""
    return (_READERS.get(x.__class__) or _reader(x.__class__))(x)


def _reader(cls: type) -> Callable[[Any], list[ir.X]]:
    fields = ir.inner_fields(cls)
    names = [name for name, _ in fields]
    types = [str(each.type) for each in attrs.fields(cls) if each.name in names]
    get: Callable[[Any], Any] = attrgetter(*names) if names else _nothing
    made: Callable[[Any], list[ir.X]]
    if not fields:
        made = _nothing
    elif any(is_many for _, is_many in fields) or any("None" in each for each in types):
        made = partial(_inside, fields)
    elif len(fields) == 1:

        def made(x: Any) -> list[ir.X]:
            return [get(x)]

    else:

        def made(x: Any) -> list[ir.X]:
            return list(get(x))

    _READERS[cls] = made
    return made


def _nothing(x: Any) -> list[ir.X]:
    return []


def _inside(fields: tuple[tuple[str, bool], ...], x: Any) -> list[ir.X]:
    """The same where something may be missing, or be there several times."""
    out: list[ir.X] = []
    for name, is_many in fields:
        value = getattr(x, name)
        if not is_many:
            if value is not None:
                out.append(value)
            continue
        for item in value:
            if isinstance(item, ir.X):
                out.append(item)
            elif item.__class__ is tuple:
                out += [inner for inner in item if isinstance(inner, ir.X)]
    return out


def walk(x: ir.X) -> Iterator[ir.X]:
    """An expression and everything inside it, outermost first and in the order it is written."""
    waiting = [x]
    while waiting:
        x = waiting.pop()
        yield x
        inner = (_READERS.get(x.__class__) or _reader(x.__class__))(x)
        if inner:
            inner.reverse()
            waiting += inner


def conjuncts(x: ir.X) -> list[ir.X]:
    """What an `and` is made of, those inside it too; anything else is one part."""
    return [part for inner in x.parts for part in conjuncts(inner)] if isinstance(x, ir.AndX) else [x]


def free_vars(x: ir.X) -> set[int]:
    """The names an expression uses, by their numbers."""
    found: set[int] = set()
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if x.__class__ is ir.Local:
            found.add(x.var.ident)
        else:
            waiting += (_READERS.get(x.__class__) or _reader(x.__class__))(x)
    return found


def functions_in(function: m.Function) -> list[m.Function]:
    """The functions another one calls."""
    out: list[m.Function] = []
    for x in expressions_of(function):
        out += [node.function for node in walk(x) if isinstance(node, ir.CallX)]
    return out


def expressions_of(rule: m.Function | m.Route | m.Table) -> list[ir.X]:
    """What a rule that only looks is made of."""
    match rule:
        case m.Table(rows=rows):
            return [row.guard for row in rows if row.guard is not None]
        case m.Route(rules=rules):
            return rule.expressions() + [x for each in rules for clause in each.clauses for x in clause.expressions()]
    out = [x for clause in rule.clauses for x in clause.expressions()]
    out += [x for layer in rule.adjustments for x in (layer.value, layer.condition) if x is not None]
    return out + [x for statement in statements_in(rule.block) for x in own_expressions(statement)]


def inner_blocks(statement: ir.S) -> list[ir.Block]:
    """The blocks inside a statement: of its ways to answer, its branches, or what a loop goes through."""
    match statement:
        case ir.ChooseS(alts=alts):
            return [alt.block for alt in alts]
        case ir.TogetherS(branches=branches):
            return [branches]
        case ir.IfS(then=then, otherwise=otherwise):
            return [then, otherwise]
        case ir.ForS(block=block) | ir.RepeatS(block=block) | ir.EachS(block=block):
            return [block]
    return []


def own_expressions(statement: ir.S) -> list[ir.X]:
    """The expressions of a statement itself, without those of the statements inside it."""
    if isinstance(statement, ir.ChooseS):
        return [statement.by, *(x for alt in statement.alts for x in alt.expressions())]
    return [x for x in children(statement) if isinstance(x, ir.X)]


def bound_by(statement: ir.S) -> list[ir.Var]:
    """The names that a statement gives to things."""
    match statement:
        case ir.ChooseS(alts=alts):
            return [var for alt in alts for var, _ in alt.bound]
        case ir.EachS(var=var) | ir.ForS(var=var) | ir.LetS(var=var) | ir.LotS(var=var) | ir.RollS(var=var):
            return [var]
        case ir.DrawS(var=ir.Var() as var) | ir.CallS(result=ir.Var() as var) | ir.DoesS(result=ir.Var() as var):
            return [var]
    return []


def statements_in(block: ir.Block) -> list[ir.S]:
    """All statements of a block, also those inside others, outermost first."""
    out: list[ir.S] = []
    for statement in block:
        out.append(statement)
        for inner in inner_blocks(statement):
            out += statements_in(inner)
    return out


def chooses_in(block: ir.Block) -> list[ir.ChooseS]:
    """All choices in a block, in order, also those inside other statements."""
    return [s for s in statements_in(block) if isinstance(s, ir.ChooseS)]
