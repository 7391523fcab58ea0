"""What is inside an expression of the model, or inside a rule that only looks."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["children", "chooses_in", "expressions_of", "free_vars", "functions_in", "statements_in", "walk"]


def children(x: ir.X) -> list[ir.X]:
    """The expressions directly inside an expression."""
    out: list[ir.X] = []
    for name, is_many in ir.inner_fields(x.__class__):
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
        inner = children(x)
        if inner:
            inner.reverse()
            waiting += inner


def free_vars(x: ir.X) -> set[int]:
    """The names an expression uses, by their numbers."""
    found: set[int] = set()
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if x.__class__ is ir.Local:
            found.add(x.var.ident)
        else:
            waiting += children(x)
    return found


def functions_in(function: m.Function) -> list[m.Function]:
    """The functions another one calls."""
    out: list[m.Function] = []
    for x in expressions_of(function):
        out += [node.function for node in walk(x) if isinstance(node, ir.CallX)]
    return out


def expressions_of(function: m.Function) -> list[ir.X]:
    out: list[ir.X] = []
    for clause in function.clauses:
        out.append(clause.condition)
        out += [w for w, _ in clause.lifted if w is not None]
        if clause.when is not None:
            out.append(clause.when)
    for adjustment in function.adjustments:
        out.append(adjustment.value)
        if adjustment.condition is not None:
            out.append(adjustment.condition)

    def visit(block: ir.Block) -> None:
        for statement in block:
            match statement:
                case ir.ReturnS(value=ir.X() as value) | ir.LetS(value=value):
                    out.append(value)
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    out.append(condition)
                    visit(then)
                    visit(otherwise)

    visit(function.block)
    return out


def statements_in(block: ir.Block) -> list[ir.S]:
    """All statements of a block, also those inside others."""
    out: list[ir.S] = []
    for statement in block:
        out.append(statement)
        match statement:
            case ir.ChooseS(alts=alts):
                for alt in alts:
                    out += statements_in(alt.block)
            case ir.TogetherS(branches=branches):
                out += statements_in(branches)
            case ir.IfS(then=then, otherwise=otherwise):
                out += statements_in(then) + statements_in(otherwise)
            case ir.ForS(block=inner) | ir.RepeatS(block=inner) | ir.EachS(block=inner):
                out += statements_in(inner)
    return out


def chooses_in(block: ir.Block) -> list[ir.ChooseS]:
    """All choices in a block, in order, also those inside other statements."""
    return [s for s in statements_in(block) if isinstance(s, ir.ChooseS)]
