"""The rules that only look (functions, routes, tables): what they work out, and which of them they ask."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.analysis.looking import deep
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["asked_by", "asked_on_the_way", "asked_rule", "bodies_of"]


def bodies_of(rule: m.Function | m.Route | m.Table) -> list[ir.X]:
    """What a rule that only looks works out."""
    if isinstance(rule, m.Table):
        return [row.guard for row in rule.rows if row.guard is not None]
    if isinstance(rule, m.Route):
        return [*rule.expressions(), *(x for part in rule.rules for clause in part.clauses for x in asked_by(clause))]
    out: list[ir.X] = [x for clause in rule.clauses for x in asked_by(clause)]
    todo = list(rule.block)
    while todo:
        statement = todo.pop(0)
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                out.append(condition)
                todo += [*then, *otherwise]
            case ir.ReturnS(value=ir.X() as value) | ir.LetS(value=value):
                out.append(value)
    for layer in rule.adjustments:
        if layer.condition is None:
            out.append(layer.value)
        else:  # the amount is looked at only where the condition holds
            nothing = ir.Lit(layer.value.type, layer.span, 0)
            out.append(ir.IfX(layer.value.type, layer.span, layer.condition, layer.value, nothing))
    return out


def asked_by(clause: ir.Clause) -> list[ir.X]:
    """What a requirement works out: itself, when it is one, and when it is lifted."""
    whens = [clause.when, *(lifted for lifted, _ in clause.lifted)]
    return [clause.condition, *(when for when in whens if when is not None)]


def asked_rule(x: ir.X) -> m.Function | m.Route | m.Table | None:
    """The rule that an expression asks."""
    match x:
        case ir.CallX(function=function):
            return function
        case ir.RouteX(route=route):
            return route
        case ir.TableX(table=table):
            return table
    return None


def asked_on_the_way(rule: m.Function | m.Route | m.Table) -> Iterator[m.Function | m.Route | m.Table]:
    """A rule and all those that it asks, each once."""
    seen, todo = {id(rule)}, [rule]
    while todo:
        yield (now := todo.pop())
        for asked in map(asked_rule, deep(bodies_of(now))):
            if asked is not None and id(asked) not in seen:
                seen.add(id(asked))
                todo.append(asked)
