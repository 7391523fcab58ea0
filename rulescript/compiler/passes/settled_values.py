"""What is known when the code is written is not worked out when it is played.

Before::

    w3_d = 49; w3_i = 47
    w3_m = S[w3_i] & B10
    if w3_m and w3_i != w3_d: S[w3_d] += w3_m
    v = X37[X38[True]][c]
    y1 = E16[S[37 + A18[0]]]

After::

    w3_m = S[47] & B10
    if w3_m: S[49] += w3_m
    v = K0[c]
    y1 = E16[S[39]]

A name for another name or for a number stands for it as long as neither is bound anew; tables are asked at once where
they are asked for a number; and names that nobody reads any more are gone."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, bound_in

__all__ = ["fewer_names", "settled_values"]

_COMPARING: dict[str, Any] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}


def settled_values(unit: Unit) -> None:
    unit.map(_Settled(unit, True).function)


def fewer_names(unit: Unit) -> None:
    """Only the names: what `reuse_reads` left of them."""
    unit.map(_Settled(unit, False).function)


class _Settled:
    def __init__(self, unit: Unit, is_folding: bool) -> None:
        self.unit = unit
        self.is_folding = is_folding
        self.known: dict[str, c.Code] = {}
        self.bound: set[str] = set()

    def function(self, function: c.Function) -> c.Function:
        self.known = {}
        return evolve(function, body=without_unread(self._body(function.body)))

    def _body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            out += self._statement(statement)
        return out

    def _statement(self, statement: c.Statement) -> c.Body:
        if isinstance(statement, c.For | c.While):
            names = bound_in(statement)
            self.bound |= names
            self._forget(names)
        match statement:
            case c.Store(targets=targets, value=value):
                made = c.Store(
                    tuple([each if isinstance(each, c.Name) else self._code(each) for each in targets]),
                    self._code(value), statement.sign, statement.is_tuple, origin=statement.origin,
                )  # fmt: skip
                bound = targets[0]
                if statement.sign and isinstance(bound, c.Name) and isinstance(self.known.get(bound.text), c.Name):
                    made = evolve(made, value=c.Op(statement.sign, self.known[bound.text], made.value), sign="")
                names = {each.text for each in targets if isinstance(each, c.Name)}
                if names:
                    self.bound |= names
                    self._forget(names)
                if not statement.sign and not statement.is_tuple and len(targets) == 1:
                    self._note(targets[0], made.value)
                return [made]
            case c.Do(value=value) | c.Return(value=value):
                return [evolve(statement, value=self._code(value))]
            case c.If(test=test, then=then, other=other):
                test = self._code(test)
                if isinstance(test, c.Const):
                    return self._body(then if test.value else other)
                branches = self._branches([then, other])
                return [c.If(test, branches[0], branches[1], origin=statement.origin)]
            case c.Case(tests=tests):
                branches = self._branches(c.bodies(statement))
                return [c.with_bodies(evolve(statement, tests=list(map(self._code, tests))), branches)]
            case c.For(source=source):
                made_for = evolve(statement, source=self._code(source))
                return [c.with_bodies(made_for, self._branches(c.bodies(statement)))]
            case c.While(test=test, body=inner):
                (round_,) = self._branches([inner])
                return [evolve(statement, test=self._code(test), body=round_)]
            case c.Alone(tests=several) if several:
                return [evolve(statement, tests=tuple(map(self._code, several)))]
        return [statement]

    def _branches(self, bodies: list[c.Body]) -> list[c.Body]:
        before, around = self.known, self.bound
        made = []
        self.bound = set()
        for body in bodies:
            self.known = dict(before)
            made.append(self._body(body))
        self.known = before
        self._forget(self.bound)
        self.bound |= around
        return made

    def _note(self, target: c.Code, value: c.Code) -> None:
        if isinstance(target, c.Name) and isinstance(value, c.Name | c.Const) and target != value:
            if isinstance(value, c.Name) or value.value.__class__ in (int, bool):
                self.known[target.text] = value

    def _forget(self, names: set[str]) -> None:
        if not self.known:
            return
        self.known = {
            name: value
            for name, value in self.known.items()
            if name not in names and not (isinstance(value, c.Name) and value.text in names)
        }

    def _code(self, code: c.Code) -> c.Code:
        if not self.known and not self.is_folding:
            return code
        match code:
            case c.Name(text=text):
                return self.known.get(text, code)
            case c.Listing() | c.Lambda():
                return code  # they bind names of their own
        code = c.altered(code, self._code)
        return self._folded(code) if self.is_folding else code

    def _folded(self, code: c.Code) -> c.Code:
        match code:
            case c.Slot(base=base, at=c.Const(value=int(at))):
                return c.Slot(base + at)
            case c.Get(of=c.Known(text=text), at=c.Const(value=at)):
                return self._entry(self.unit.values.get(text), at, code)
            case c.Op(sign="+", left=c.Const(value=int(left)), right=c.Const(value=int(right))):
                return c.Const(left + right)
            case c.Compare(sign=sign, left=c.Const(value=int(left)), right=c.Const(value=int(right))) if (
                sign in _COMPARING
            ):
                return c.Const(bool(_COMPARING[sign](left, right)))
            case c.All(parts=parts):
                left_ = tuple(part for part in parts if part != c.Const(True))
                return c.all_of(left_) if len(left_) < len(parts) else code
        return code

    def _entry(self, table: Any, at: Any, code: c.Code) -> c.Code:
        """An entry of a table of the module."""
        if not isinstance(table, tuple | dict) or isinstance(table, tuple) and at.__class__ is not int:
            return code
        try:
            found = table[at]
        except (IndexError, KeyError):
            return code
        if found.__class__ in (int, bool):
            return c.Const(found)
        if found.__class__ is tuple and all(each.__class__ is int for each in found):
            return self.unit.table(c.Const(found), "K")
        return code


# ------------------------------------------------------------------ names that nobody reads any more

_LEAVING = (c.Jump, c.Return, c.Ask, c.Halt)


def without_unread(body: c.Body, after: frozenset[str] = frozenset(), broken: frozenset[str] = frozenset()) -> c.Body:
    """A body without names that are bound and not read; `after` are those that are read when it is done, `broken` when
    the loop around it is left."""
    return _left(body, set(after), broken)


def _left(body: c.Body, live: set[str], broken: frozenset[str]) -> c.Body:
    out: c.Body = []
    for statement in reversed(body):
        if isinstance(statement, _LEAVING):
            live.clear()
        match statement:
            case c.Break():
                live.clear()
                live |= broken
            case c.Store(targets=(c.Name(text=name),), value=value, sign=sign, is_tuple=False):
                if name not in live and not any(isinstance(each, c.Call | c.Method) for each in c.inside(value)):
                    continue
                if not sign:
                    live.discard(name)
                live |= c.names_in(value)
            case c.If(then=then, other=other):
                one, two = set(live), set(live)
                left = _left(then, one, broken), _left(other, two, broken)
                live.clear()
                live |= one | two | c.names_in(statement.test)
                statement = c.If(statement.test, *left, origin=statement.origin)
            case c.For() | c.While() | c.Case():
                inside = {name for each in c.statements([statement]) for code in c.expressions(each)
                          for name in c.names_in(code)}  # fmt: skip
                live |= inside
                around = frozenset(live)
                bodies = [_left(each, set(around), around) for each in c.bodies(statement)]
                statement = c.with_bodies(statement, bodies)
            case _:
                for code in c.expressions(statement):
                    live |= c.names_in(code)
        out.append(statement)
    out.reverse()
    return out
