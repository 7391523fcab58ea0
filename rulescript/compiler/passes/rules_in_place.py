"""A rule that is one short expression, in place of the call.

Before::

    def f0_(S, v1):
        return E8[S[37 + A18[v1]]]

    value = f0_(S, S[6])

After::

    value = E8[S[37 + A18[S[6]]]]

Needs that no argument is worked out twice, unless it costs nothing."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["rules_in_place"]

_MOST_PARTS = 16
_PLAIN = (c.Slot, c.Get, c.Op, c.Minus, c.Not, c.Compare, c.Const, c.Known, c.Name, c.Cond, c.All, c.Any_, c.Between)


def rules_in_place(unit: Unit) -> None:
    short = {function.name: function for function in unit.functions if _is_short(function)}

    def placed(code: c.Code) -> c.Code:
        code = c.altered(code, placed)
        match code:
            case c.Call(function=c.Known(text=text), args=(c.Name(text="S"), *args), named=()) if text in short:
                function = short[text]
                returned = function.body[0]
                assert isinstance(returned, c.Return)
                names = dict(zip(function.params[1:], args, strict=False))
                if len(args) == len(function.params) - 1 and all(
                    _is_free(arg) or _uses(returned.value, name) == 1 and isinstance(arg, _PLAIN)
                    for name, arg in names.items()
                ):
                    return c.replaced(returned.value, names)
        return code

    if short:
        unit.map(lambda function: evolve(function, body=rewritten(function.body, placed)))


def _is_short(function: c.Function) -> bool:
    if function.sort != "pure" or function.defaults or function.params[:1] != ("S",):
        return False
    match function.body:
        case [c.Return(value=value)]:
            parts = list(c.inside(value))
            return len(parts) <= _MOST_PARTS and all(isinstance(each, _PLAIN) for each in parts)
    return False


def _is_free(code: c.Code) -> bool:
    return isinstance(code, c.Name | c.Const) or isinstance(code, c.Slot) and code.at is None


def _uses(code: c.Code, name: str) -> int:
    return sum(1 for each in c.inside(code) if each == c.Name(name))
