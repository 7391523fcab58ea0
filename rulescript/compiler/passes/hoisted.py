"""What stays the same all through a loop is worked out in front of it.

Before::

    for x1 in BITS[S[41]]:
        if S[52 + x1] & M12[S[6]] & U6[i9[x1] & ~S[37]] != 0:
            o.append(x1)

After::

    g1 = M12[S[6]]
    g2 = ~S[37]
    for x1 in BITS[S[41]]:
        if S[52 + x1] & g1 & U6[i9[x1] & g2] != 0:
            o.append(x1)

Only loops that do nothing but list options; and only what can always be worked out: a loop over nothing, or a test that
comes first, may have kept it from being worked out at all."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.memos import Memos
from rulescript.compiler.passes.unit import Unit, bound_in, rewritten

__all__ = ["hoisted"]


def hoisted(unit: Unit) -> None:
    memos = Memos(unit)
    unit.map(lambda function: _Hoisted(memos).function(function))


class _Hoisted:
    def __init__(self, memos: Memos) -> None:
        self.memos = memos
        self.count = 0

    def function(self, function: c.Function) -> c.Function:
        return evolve(function, body=self._body(function.body))

    def _body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            if isinstance(statement, c.For) and _only_lists(statement):
                out += self._loop(statement)
                continue
            inner = c.bodies(statement)
            out.append(c.with_bodies(statement, [self._body(each) for each in inner]) if inner else statement)
        return out

    def _loop(self, loop: c.For) -> c.Body:
        bound = bound_in(loop) | {"o", "S", "p"}
        found: dict[c.Code, c.Name] = {}

        def same(code: c.Code) -> c.Code:
            if code in found:
                return found[code]
            match code:
                case c.Op(sign="&") if len(joined := self._joined(code, bound)) > 1:
                    code = joined[0]
                    for other in joined[1:]:
                        code = code & other
                    return same(code.left) & same(code.right)  # type: ignore[attr-defined]
                case c.Slot() | c.Op() | c.Get() | c.Minus():
                    if not c.names_in(code) & bound and self._is_certain(code):
                        self.count += 1
                        found[code] = c.Name(f"g{self.count}")
                        return found[code]
                case c.Listing() | c.Lambda():
                    return code
            return c.altered(code, same)

        body = rewritten(loop.body, same)
        before = [c.Store((name,), code, origin=loop.origin) for code, name in found.items()]
        return [*before, evolve(loop, body=body)]

    def _joined(self, code: c.Code, bound: set[str]) -> list[c.Code]:
        """The masks of a test, those that stay the same put together; nothing if there are not several."""
        steady: c.Code | None = None
        others: list[c.Code] = []
        number = 0
        for factor in c.factors(code):
            if c.names_in(factor) & bound or not self._is_certain(factor):
                others.append(factor)
            else:
                steady = factor if steady is None else steady & factor
                number += 1
        return [*others, steady] if steady is not None and number > 1 and others else []

    def _is_certain(self, code: c.Code) -> bool:
        """Whether an expression can always be worked out."""
        match code:
            case c.Const(value=int()) | c.Known():
                return True
            case c.Slot(at=at):
                return self.memos.is_something(code) and (at is None or self.memos.is_something(at))
            case c.Name():
                return False
            case c.Op(sign="&" | "|" | "^", left=left, right=right):
                return self._is_certain(left) and self._is_certain(right)
            case c.Minus(of=of):
                return self._is_certain(of)
            case c.Get(of=c.Name(), at=c.Compare(left=left, right=right)):
                return self._is_certain(left) and self._is_certain(right)  # one of the two tables of a rule
            case c.Get():
                return self.memos.is_something(code)
        return False


def _only_lists(loop: c.For) -> bool:
    for statement in c.statements(loop.body):
        match statement:
            case c.If() | c.For() | c.Break():
                continue
            case c.Store(targets=(c.Name(text="o"),), sign="+"):
                continue
            case c.Do(value=c.Method(of=c.Name(text="o"), method="append" | "extend")):
                continue
        return False
    return not any(
        isinstance(each, c.Call)
        for statement in c.statements(loop.body)
        for code in c.expressions(statement)
        for each in c.inside(code)
    )
