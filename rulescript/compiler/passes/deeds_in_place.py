"""A rule that changes something and is called in few places, in place of the call.

Before::

    def p4(p, S, v10, v11):
        S[52 + v11] += UN_4[v10]
        v10 = v11 << 16 | v10
        return (None, v10)

    _, S[114] = p4(p, S, S[114], o)

After::

    w1_v10 = S[114]
    S[52 + o] += UN_4[w1_v10]
    w1_v10 = o << 16 | w1_v10
    S[114] = w1_v10

There is nothing to call, no tuple to make, and what was read before need not be read again (`reuse_reads`). Needs rules
that give back what they have at their end, and do not call themselves."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, bound_in, rewritten, with_targets

__all__ = ["deeds_in_place"]

# So many statements may be written instead of the calls of a rule, all together.
_MOST = 36


def deeds_in_place(unit: Unit) -> None:
    deeds = {function.name: function for function in unit.functions if _is_plain(function)}
    calls: dict[str, int] = {}
    for function in unit.functions:
        for statement in c.statements(function.body):
            for code in c.expressions(statement):
                for each in c.inside(code):
                    if isinstance(each, c.Known) and each.text in deeds:
                        calls[each.text] = calls.get(each.text, 0) + 1
    sizes = _Sizes(deeds)
    few = {name: deed for name, deed in deeds.items() if 0 < calls.get(name, 0) * sizes.of(name) <= _MOST}
    if few:
        unit.map(lambda function: _Writing(few).function(function))


class _Sizes:
    """How long rules are once those they call are written in them: rules that call others twice double each time."""

    def __init__(self, deeds: dict[str, c.Function]) -> None:
        self.deeds = deeds
        self.found: dict[str, int] = {}

    def of(self, name: str, depth: int = 0) -> int:
        if depth > _MOST:  # each of those around it has a statement at least
            return _MOST + 1
        known = self.found.get(name)
        if known is None:
            self.found[name] = _MOST + 1  # while it is worked out: one that calls itself in a circle is endless
            body = self.deeds[name].body
            known = c.size(body)
            for statement in c.statements(body):
                for code in c.expressions(statement):
                    for each in c.inside(code):
                        if isinstance(each, c.Known) and each.text in self.deeds and known <= _MOST:
                            known += self.of(each.text, depth + 1)
            self.found[name] = known
        return known


def _is_plain(function: c.Function) -> bool:
    """Whether a rule only ever returns at its end, and its loops bind no names of their own inside expressions."""
    if function.sort != "rule" or function.defaults or function.params[:2] != ("p", "S"):
        return False
    returns = [each for each in c.statements(function.body) if isinstance(each, c.Return)]
    if returns and (len(returns) > 1 or returns[0] is not function.body[-1]):
        return False
    for statement in c.statements(function.body):
        if isinstance(statement, c.Jump | c.Ask | c.Alone | c.Halt):
            return False
        for code in c.expressions(statement):
            for each in c.inside(code):
                if isinstance(each, c.Listing | c.Lambda) or each == c.Known(function.name):
                    return False
    return True


class _Writing:
    def __init__(self, deeds: dict[str, c.Function]) -> None:
        self.deeds = deeds
        self.count = 0

    def function(self, function: c.Function) -> c.Function:
        return evolve(function, body=self._body(function.body, (function.name,)))

    def _body(self, body: c.Body, within: tuple[str, ...]) -> c.Body:
        out: c.Body = []
        for statement in body:
            match statement:
                case c.Store(targets=targets, value=c.Call(function=c.Known(text=text)) as call, sign="") if self._fits(
                    call, text, within
                ):
                    out += self._written(text, call, targets, statement, within)
                case c.Do(value=c.Call(function=c.Known(text=text)) as call) if self._fits(call, text, within):
                    out += self._written(text, call, (), statement, within)
                case _:
                    inner = c.bodies(statement)
                    out.append(
                        c.with_bodies(statement, [self._body(each, within) for each in inner]) if inner else statement
                    )
        return out

    def _fits(self, call: c.Call, text: str, within: tuple[str, ...]) -> bool:
        deed = self.deeds.get(text)
        return deed is not None and text not in within and not call.named and len(call.args) == len(deed.params)

    def _written(
        self, text: str, call: c.Call, targets: tuple[c.Code, ...], near: c.Statement, within: tuple[str, ...]
    ) -> c.Body:
        deed = self.deeds[text]
        self.count += 1
        bound = {name for statement in deed.body for name in bound_in(statement)}
        names: dict[str, c.Code] = {name: c.Name(f"w{self.count}_{name}") for name in bound}
        out: c.Body = []
        for param, arg in zip(deed.params[2:], call.args[2:], strict=True):
            if param not in bound and isinstance(arg, c.Const):
                names[param] = arg
            else:
                names[param] = c.Name(f"w{self.count}_{param}")
                out.append(c.Store((names[param],), arg, origin=near.origin))
        body = _renamed(deed.body, names)
        given = body.pop() if body and isinstance(body[-1], c.Return) else None
        out += self._body(body, (*within, text))
        if targets and targets != (c.Name("_"),):
            value = given.value if isinstance(given, c.Return) else c.Const(None)
            if isinstance(value, c.Tuple) and len(value.items) == len(targets) > 1:
                for target, item in zip(targets, value.items, strict=True):
                    if target != c.Name("_"):
                        out.append(c.Store((target,), item, origin=near.origin))
            else:
                is_tuple = isinstance(near, c.Store) and near.is_tuple
                out.append(c.Store(targets, value, is_tuple=is_tuple, origin=near.origin))
        return out


def _renamed(body: c.Body, names: dict[str, c.Code]) -> c.Body:
    def change(code: c.Code) -> c.Code:
        return c.replaced(code, names)

    return [with_targets(statement, change) for statement in rewritten(body, change)]
