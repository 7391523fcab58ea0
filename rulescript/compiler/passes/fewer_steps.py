"""The same in fewer steps.

Before::

    S[4] = 1
    S[4] = 9
    given = (S[79],)
    S[95], = given
    if not S[i] & QM1[c]: S[QC0[c]] &= QN52[i]
    if not S[i] & FM_4[c]: S[126] = ...

After::

    S[4] = 9
    S[95] = S[79]
    if not S[i] & FM_4[c]:
        if not S[i] & QM1[c]: S[QC0[c]] &= QN52[i]
        S[126] = ...

A fixed value that is overwritten at once is not stored. What is handed over goes where it is wanted. And where nothing
of a wider sort is left, nothing of a narrower one is: so the wider is asked for only then."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["fewer_steps"]


def fewer_steps(unit: Unit) -> None:
    steps = _Steps(unit)
    unit.map(lambda function: evolve(function, body=steps.body(function.body)))


class _Steps:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.narrower: dict[tuple[str, str], bool] = {}

    def body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            inner = c.bodies(statement)
            if inner:
                statement = c.with_bodies(statement, [self.body(each) for each in inner])
            before = out[-1] if out else None
            match before, statement:
                case (
                    c.Store(targets=(c.Slot(at=None) as one,), value=c.Const(), sign=""),
                    c.Store(targets=(other,), value=value, sign=""),
                ) if one == other and not any(isinstance(each, c.Slot | c.Call) for each in c.inside(value)):
                    out.pop()
                case (
                    c.Store(targets=(c.Name(text="given"),), value=c.Tuple(items=items), sign=""),
                    c.Store(targets=targets, value=c.Name(text="given"), sign="", is_tuple=True),
                ) if len(items) == len(targets) == 1:
                    out.pop()
                    statement = c.Store(targets, items[0], origin=statement.origin)
                case c.If(test=wide, other=[]) as first, c.If(test=narrow, then=then, other=[]) if self._is_narrower(
                    narrow, wide
                ):
                    out.pop()
                    statement = evolve(statement, then=[first, *then])
            out.append(statement)
        return out

    def _is_narrower(self, narrow: c.Code, wide: c.Code) -> bool:
        """Whether nothing is left of a narrower sort wherever nothing is left of a wider one, by the piece's code."""
        match narrow, wide:
            case (
                c.Not(of=c.Op(sign="&", left=pile, right=c.Get(of=c.Known(text=less), at=code))),
                c.Not(of=c.Op(sign="&", left=same, right=c.Get(of=c.Known(text=more), at=code_))),
            ) if pile == same and code == code_:
                found = self.narrower.get((less, more))
                if found is None:
                    one, other = self._masks(less), self._masks(more)
                    found = len(one) == len(other) > 0 and all(a & b == a for a, b in zip(one, other, strict=True))
                    self.narrower[less, more] = found
                return found
        return False

    def _masks(self, name: str) -> tuple[int, ...]:
        known = self.unit.tables.get(name)
        value = known.value if isinstance(known, c.Const) else self.unit.values.get(name)
        return value if isinstance(value, tuple) and all(isinstance(each, int) for each in value) else ()
