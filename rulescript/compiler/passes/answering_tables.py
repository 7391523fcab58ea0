"""A table of answers works out what it is asked for itself, instead of calling a rule that does.

Before::

    def r2_at(S):
        table = new_answers(S[:41], r2_work)
        ...
    def r2_work(S, given):
        ...
        return enter ^ left

After::

    def r2_at(S):
        table = new_table(S[:41], r2_work)
        ...
    def r2_work(table, given):
        S = table.S
        ...
        found = enter ^ left
        table[given] = found
        return found

A table is asked most often for what nobody has asked it before, and each time two functions were called, one out of the
other. Needs that nobody else calls the rule; comes last, for no pass expects a rule without the state."""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["answering_tables"]

_TABLE, _FOUND = c.Name("table"), c.Name("found")


def answering_tables(unit: Unit) -> None:
    works = _works(unit)

    def made(code: c.Code) -> c.Code:
        code = c.altered(code, made)
        name = _work_of(code)
        if name in works and isinstance(code, c.Call):
            return c.call("new_table", *code.args)
        return code

    def changed(function: c.Function) -> c.Function:
        if function.name in works:
            given = function.params[1]
            state = c.Store((c.STATE,), c.Method(_TABLE, "S", None), origin=function.origin)
            return evolve(function, params=("table", given), body=[state, *_noting(function.body, c.Name(given))])
        return evolve(function, body=rewritten(function.body, made))

    if works:
        unit.map(changed)


def _work_of(code: c.Code) -> str:
    """The rule that a table of answers is made with; "" if it is none, or one that shares them."""
    match code:
        case c.Call(function=c.Known(text="new_answers"), args=(_, c.Known(text=work)), named=()):
            return work
    return ""


def _works(unit: Unit) -> frozenset[str]:
    """The rules that nobody calls but the tables they are for."""
    rules = {function.name: function for function in unit.functions if function.name.endswith("_work")}
    made: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for function in unit.functions:
        for statement in c.statements(function.body):
            for code in c.expressions(statement):
                for each in c.inside(code):
                    made[_work_of(each)] += 1
                    if isinstance(each, c.Known):
                        named[each.text] += 1
    return frozenset(
        name
        for name, rule in rules.items()
        if made[name] == named[name] > 0 and len(rule.params) == 2 and not _names(rule) & {"table", "found"}
    )


def _names(rule: c.Function) -> set[str]:
    return {name for each in c.statements(rule.body) for code in c.expressions(each) for name in c.names_in(code)}


def _noting(body: c.Body, given: c.Name) -> c.Body:
    """A body that notes what it gives back."""
    out: c.Body = []
    for statement in body:
        match statement:
            case c.Return(value=value):
                out.append(c.Store((_FOUND,), value, origin=statement.origin))
                out.append(c.Store((_TABLE[given],), _FOUND, origin=statement.origin))
                out.append(c.Return(_FOUND, origin=statement.origin))
            case _:
                inner = c.bodies(statement)
                out.append(c.with_bodies(statement, [_noting(each, given) for each in inner]) if inner else statement)
    return out
