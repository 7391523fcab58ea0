"""What all members of a set come to together, put together from what each of them adds.

Before::

    sum([1 << v for v in BITS[8191] if A30[v] & S[37] != 0])
    any(True for v in BITS[M42[S[6]]] if S[46] & M14[v] != 0)
    chart0(S, x)                           # asks nothing of the state

After::

    U0 = Near((1, 0, 2, ...))              # for each member of the set: which v have it in A30[v]
    U1 = Near(M14)
    U2 = Known(lambda k: sum([1 << i for i in range(13) if A30[i] >> k & 1]))

    U0[S[37]]
    S[46] & U1[M42[S[6]]] != 0
    U2[x]

Sets as a whole are often new; their parts come back (machine/tables.py, `Near`). What one such table gives for what
another gives is found in one step, from a table of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.emit import python
from rulescript.compiler.passes.unit import Unit, rewritten
from rulescript.machine import routes, tables
from rulescript.machine.names import machine_names

__all__ = ["join_unions", "unions"]

# A table for each member of a set has so many entries at most.
_MOST = 4_096


def unions(unit: Unit) -> None:
    made = _Unions(unit)
    unit.map(lambda function: evolve(function, body=rewritten(function.body, made.code)))


def join_unions(unit: Unit) -> None:
    """What one table of unions gives for what another gives, once rules stand in place."""
    made = _Unions(unit)

    def joined(code: c.Code) -> c.Code:
        return made.composed(c.altered(code, joined))

    unit.map(lambda function: evolve(function, body=rewritten(function.body, joined)))


class _Unions:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.tables: dict[str, tuple[int, ...]] = {}
        for name, table in unit.tables.items():
            match table:
                case c.Call(function=c.Known(text="Near"), args=(c.Const(value=tuple() as values),)):
                    self.tables[name] = values
        functions = {function.name: function for function in unit.functions}
        self.charts = {
            name: chart
            for name, function in functions.items()
            if (chart := _fixed_chart(function, functions)) is not None
        }

    def code(self, code: c.Code) -> c.Code:
        code = c.altered(code, self.code)
        match code:
            case c.Get(of=c.Known(text=text), at=key) if text in self.unit.known:
                known = self.unit.known[text]
                inner = c.replaced(known.body, {known.params[0]: key}) if len(known.params) == 1 else known
                made = self._union(inner)
                return code if made is None else self.composed(made)
            case c.Get():
                return self.composed(code)
            case c.Call(function=c.Known(text="sum")):
                made = self._union(code)
                return code if made is None else made
            case c.Call(function=c.Known(text="any")):
                return self._any(code)
            case c.Call(function=c.Known(text=text), args=(c.Name(text="S"), key)) if text in self.charts:
                return self.unit.table(c.call("Known", self.charts[text]), "U")[key]
        return code

    def _union(self, code: c.Code) -> c.Code | None:
        """The table of a union, looked up by the set it depends on."""
        match code:
            case c.Call(
                function=c.Known(text="sum"),
                args=(c.Listing(value=value, loops=(c.Each(names=(name,), source=source, tests=tests),)) as listing,),
            ) if not _others(value, name):
                pass
            case _:
                return None
        match source, tests:
            case c.Get(of=c.Known(text="BITS"), at=over), () if listing.form == "set" and _is_bit(value):
                given = self._values([value], name, range(self._size_of(value, name)))
                return None if given is None else self._near([v for (v,) in given])[over]
            case _, (c.Compare(sign="!=", left=c.Op(sign="&", left=left, right=right), right=c.Const(value=0)),):
                own, other = (left, right) if name in c.names_in(left) else (right, left)
                if _others(own, name) or name in c.names_in(other) or _others(source, ""):
                    return None
                domain = self._worked_out(source)
                items = self._values([value, own], name, domain) if domain is not None else None
                if items is None or not _are_apart(each for each, _ in items):
                    return None
                table = [0] * max((mask.bit_length() for _, mask in items), default=0)
                for each, mask in items:
                    for at in tables.BITS[mask]:
                        table[at] |= each
                return self._near(table)[other]
        return None

    def _any(self, code: c.Call) -> c.Code:
        match code.args:
            case (
                c.Listing(
                    value=c.Const(value=True),
                    loops=(
                        c.Each(
                            names=(name,),
                            source=c.Get(of=c.Known(text="BITS"), at=over),
                            tests=(c.Compare(sign="!=", left=mask, right=c.Const(value=0)),),
                        ),
                    ),
                ),
            ):
                pass
            case _:
                return code
        own = [factor for factor in c.factors(mask) if name in c.names_in(factor)]
        match own:
            case [c.Get(of=c.Known(text=text), at=c.Name(text=member))] if member == name and self._is_masks(text):
                near = self.unit.table(c.call("Near", c.Known(text)), "U")
                self.tables[near.text] = self.unit.values[text]
                out: c.Code = self.composed(near[over])
                for factor in c.factors(mask):
                    if factor not in own:
                        out = factor & out
                return c.Compare("!=", out, c.Const(0))
        return code

    def composed(self, code: c.Code) -> c.Code:
        match code:
            case c.Get(of=c.Known(text=outer), at=c.Get(of=c.Known(text=inner), at=key)) if inner in self.tables:
                table = self._table_of(outer)
                if table is not None and all(each >= 0 for each in self.tables[inner]):
                    joined = [routes.links_of(table, each) for each in self.tables[inner]]
                    return self._near(joined)[key]
        return code

    def _table_of(self, name: str) -> tuple[int, ...] | None:
        if name in self.tables:
            return self.tables[name]
        known = self.unit.values.get(name)
        return known.parts.table if isinstance(known, tables.Near) else None

    def _near(self, table: Iterable[int]) -> c.Known:
        values = tuple(table)
        made = self.unit.table(c.call("Near", c.Const(values)), "U")
        self.tables[made.text] = values
        return made

    def _is_masks(self, name: str) -> bool:
        table = self.unit.values.get(name)
        return isinstance(table, tuple) and bool(table) and all(isinstance(v, int) for v in table)

    def _size_of(self, value: c.Code, name: str) -> int:
        """How many members a set can have, by a table that is looked up by one of them."""
        for each in c.inside(value):
            if isinstance(each, c.Get) and each.at == c.Name(name) and isinstance(each.of, c.Known):
                table = self.unit.values.get(each.of.text)
                if isinstance(table, tuple):
                    return len(table)
        return 0

    def _values(self, codes: list[c.Code], name: str, domain: Iterable[Any]) -> list[tuple[int, ...]] | None:
        """What some expressions come to for each value of a name; None if not always numbers."""
        work = self._worked_out(c.Lambda((name,), c.Tuple(tuple(codes))))
        members = list(domain)
        if work is None or not members or len(members) > _MOST:
            return None
        try:
            found = [work(member) for member in members]
        except (TypeError, IndexError, ValueError):
            return None
        return found if all(isinstance(v, int) and v >= 0 for each in found for v in each) else None

    def _worked_out(self, code: c.Code) -> Any:
        """The value of code that needs nothing but the machine and constants; None if it needs more."""
        scope: dict[str, Any] = {}
        for each in c.inside(code):
            match each:
                case c.Known(text=text):
                    found = self.unit.values.get(text, _GIVEN.get(text))
                    if found is None:
                        return None
                    scope[text] = found
                case c.Slot():
                    return None
        return eval(python(code), scope)


_GIVEN = {**machine_names(), "range": range, "len": len, "sum": sum}


def _others(code: c.Code, name: str) -> bool:
    """Whether an expression depends on anything but one name and constants."""
    return any(isinstance(each, c.Slot) for each in c.inside(code)) or bool(c.names_in(code) - {name})


def _is_bit(value: c.Code) -> bool:
    return isinstance(value, c.Op) and value.sign == "<<" and value.left == c.Const(1)


def _are_apart(masks: Iterable[int]) -> bool:
    seen = 0
    for mask in masks:
        if seen & mask:
            return False
        seen |= mask
    return True


def _fixed_chart(function: c.Function, functions: dict[str, c.Function]) -> c.Lambda | None:
    """What a chart has for a key, if it asks nothing of the state."""
    match function.body:
        case [
            c.Store(targets=(c.Name(text="now"),), value=c.List(items=())),
            _,
            _,
            c.Return(value=c.Call(function=c.Known(text="charted"), args=args)),
        ]:
            pass
        case _:
            return None
    test, size = args[5], args[6]
    match functions.get(test.text) if isinstance(test, c.Known) else None:
        case c.Function(params=("S", member, key), body=[c.Return(value=value)]) if not any(
            isinstance(each, c.Slot | c.Call) or each == c.STATE for each in c.inside(value)
        ):
            loop = c.Each((member,), c.call("range", size), (value,))
            return c.Lambda((key,), c.call("sum", c.Listing("list", 1 << c.Name(member), (loop,))))
    return None
