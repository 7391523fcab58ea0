"""Whether a mask is empty is asked of the mask itself.

Before::

    if S[52 + v] & M12[s] != 0 and not S[41] & 7 == 0: ...

After::

    if S[52 + v] & M12[s] and S[41] & 7: ...

Comparing large numbers takes longer than looking whether they are nothing. Only where nothing but yes or no is wanted,
and only for what is certainly a number."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, bound_in

__all__ = ["plain_tests"]

_ZERO = c.Const(0)


def plain_tests(unit: Unit) -> None:
    unit.map(lambda function: _Tests(function).function())
    tables = _Tests(c.Function("", (), [], "pure"))
    unit.tables |= {name: tables.value(code) for name, code in unit.tables.items()}


class _Tests:
    """`masks` are the names that are only ever bound to masks."""

    def __init__(self, made: c.Function) -> None:
        self.made = made
        others: set[str] = set()
        masks: set[str] = set()
        for statement in c.statements(made.body):
            match statement:
                case c.Store(targets=(c.Name(text=name),), value=c.Op(sign="&" | "|" | "^"), sign=""):
                    masks.add(name)
                case c.Store() | c.For():
                    others |= bound_in(evolve(statement, body=[]) if isinstance(statement, c.For) else statement)
        self.masks = masks - others - set(made.params)

    def function(self) -> c.Function:
        return evolve(self.made, body=self._body(self.made.body))

    def _body(self, body: c.Body) -> c.Body:
        return [self._statement(statement) for statement in body]

    def _statement(self, statement: c.Statement) -> c.Statement:
        inner = c.bodies(statement)
        if inner:
            statement = c.with_bodies(statement, [self._body(each) for each in inner])
        match statement:
            case c.If(test=test) | c.While(test=test):
                return evolve(statement, test=self._test(test))
            case c.Case(tests=tests):
                return evolve(statement, tests=[self._test(test) for test in tests])
            case c.Alone(tests=several) if several:
                return evolve(statement, tests=tuple(map(self._test, several)))
            case c.Store(value=value) | c.Do(value=value) | c.Return(value=value):
                new = self.value(value)
                return statement if new is value else evolve(statement, value=new)
            case c.For(source=source):
                new = self.value(source)
                return statement if new is source else evolve(statement, source=new)
        return statement

    def value(self, code: c.Code) -> c.Code:
        """An expression whose value is wanted: the tests inside it."""
        match code:
            case c.Cond(test=test, then=then, other=other):
                return c.Cond(self._test(test), self.value(then), self.value(other))
            case c.Listing(form=form, value=value, loops=loops):
                made = tuple(
                    c.Each(each.names, self.value(each.source), tuple(map(self._test, each.tests))) for each in loops
                )
                return c.Listing(form, self.value(value), made)
        return c.altered(code, self.value)

    def _test(self, code: c.Code) -> c.Code:
        """An expression of which only yes or no is wanted."""
        match code:
            case c.Compare(sign="!=", left=left, right=right) if right == _ZERO and self._is_mask(left):
                return self.value(left)
            case c.Compare(sign="==", left=left, right=right) if right == _ZERO and self._is_mask(left):
                return c.Not(self.value(left))
            case c.Not(of=of):
                inner = self._test(of)
                return inner.of if isinstance(inner, c.Not) else c.Not(inner)
            case c.All(parts=parts):
                return c.All(tuple(map(self._test, parts)))
            case c.Any_(parts=parts):
                return c.Any_(tuple(map(self._test, parts)))
        return self.value(code)

    def _is_mask(self, code: c.Code) -> bool:
        return isinstance(code, c.Op) and code.sign in "&|^" or isinstance(code, c.Name) and code.text in self.masks
