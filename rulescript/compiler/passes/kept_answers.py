"""What rules answer that look for ways is kept with the position while nothing changes that they read.

Before::

    def r3(S, v236, v237):
        return flood(v236, NB39, chart1(S, v237) & ~S[8], 4095, -1)

After::

    def r3(S, v236, v237):
        if S[1900] & 340282366920938463463374607431768211456:
            S[1950] = {}
            S[1900] &= -340282366920938463463374607431768211457
        found = S[1950].get((v236, v237))
        if found is None:
            found = noted(S[1950], (v236, v237), r3_work(S, v236, v237))
        return found

A bit of the slot of changes (`kept_charts`) says whether something was written since that the rule reads, or the charts
and rules that it asks. Copies of a position share a table until something is written in one of them, which has then
another. Needs that a rule reads nothing but states and places: those are written where `note_charted` sees it."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["kept_answers"]

_MOST_PARAMS = 4
# The first slots are written by who plays.
_FIRST_STATE = 4


def kept_answers(unit: Unit) -> None:
    if unit.marks is None:
        return
    reads = _Reads(unit)
    made: list[c.Function] = []
    for function in unit.functions:
        slots = reads.of(function.name) if _may_be_kept(function) and reads.is_worth(function.name) else None
        if not slots:
            made.append(function)
            continue
        bit, unit.marks.bits = 1 << unit.marks.bits, unit.marks.bits + 1
        for slot in slots:
            unit.marks.besides[slot] = unit.marks.besides.get(slot, 0) | bit
        work = evolve(function, name=f"{function.name}_work")
        made += [work, _kept(function, bit, c.Slot(unit.slot(c.Const(0))), unit)]
    unit.functions = made
    unit.kept[unit.marks.slot - unit.size] = c.Const((1 << unit.marks.bits) - 1)


def _may_be_kept(function: c.Function) -> bool:
    return (
        function.sort == "pure"
        and 1 < len(function.params) <= _MOST_PARAMS + 1
        and not function.defaults
        and not function.name.startswith(("chart", "union", "way"))
        and not function.name.endswith(("_steps", "_work", "_at", "_one"))
    )


def _kept(function: c.Function, bit: int, table: c.Slot, unit: Unit) -> c.Function:
    origin = function.origin
    marks, found = c.Slot(unit.marks.slot), c.Name("found")
    names = tuple(c.Name(name) for name in function.params[1:])
    asked = names[0] if len(names) == 1 else c.Tuple(names)
    work = c.call("noted", table, asked, c.call(f"{function.name}_work", c.STATE, *names))
    body: c.Body = [
        c.If(
            marks & bit,
            [
                c.Store((table,), c.call("dict"), origin=origin),
                c.Store((marks,), c.Const(~bit), "&", origin=origin),
            ],
            origin=origin,
        ),
        c.Store((found,), c.Method(table, "get", (asked,)), origin=origin),
        c.If(found.is_nothing(), [c.Store((found,), work, origin=origin)], origin=origin),
        c.Return(found, origin=origin),
    ]
    return evolve(function, body=body)


class _Reads:
    """The slots that rules read, those that they ask included."""

    def __init__(self, unit: Unit) -> None:
        self.functions = {function.name: function for function in unit.functions}
        self.size = unit.size
        self.runs = {run.start: run for run in unit.runs}
        homes = {first for each in unit.homes.values() for first in each}
        self.allowed = frozenset(
            slot for first in homes for slot in self.runs.get(first, range(first, first + 1))
        ) | frozenset(unit.states | unit.places) | frozenset(
            slot for first in unit.places for slot in self.runs.get(first, range(first, first + 1))
        )  # fmt: skip
        self.known: dict[str, frozenset[int] | None] = {}
        self.ways: dict[str, bool] = {}

    def is_worth(self, name: str) -> bool:
        """Whether a rule goes along links, or asks more than once one that does."""
        return self._ways_of(self.functions[name].body, 1) > 1

    def looks_for_ways(self, name: str) -> bool:
        """Whether a rule goes along links, or asks one that does."""
        found = self.ways.get(name)
        if found is None:
            self.ways[name] = False
            found = self.ways[name] = self._ways_of(self.functions[name].body, 1) > 0
        return found

    def _ways_of(self, body: c.Body, times: int) -> int:
        """How often ways are looked for: twice stands for more often, once for another rule that does it once."""
        found = 0
        for statement in body:
            for code in c.expressions(statement):
                found += self._ways_in(code, times)
            inside = 2 if isinstance(statement, c.For | c.While) else times
            for each in c.bodies(statement):
                found += self._ways_of(each, inside)
        return found

    def _ways_in(self, code: c.Code, times: int) -> int:
        found = 0
        match code:
            case c.Listing(value=value, loops=(first, *others)):
                inner = [value, *first.tests, *(part for loop in others for part in c.parts(loop))]
                return self._ways_in(first.source, times) + sum(self._ways_in(each, 2) for each in inner)
            case c.Call(function=c.Known(text="flood")):
                found = 2
            case c.Call(function=c.Known(text=text)) if text in self.functions and self.looks_for_ways(text):
                found = times
        return found + sum(self._ways_in(part, times) for part in c.parts(code))

    def of(self, name: str) -> frozenset[int] | None:
        """What a rule reads; None if there is more to it."""
        if name not in self.known:
            self.known[name] = None  # a rule that asks itself
            self.known[name] = self._read(name)
        return self.known[name]

    def _codes(self, name: str) -> list[c.Code]:
        return [code for each in c.statements(self.functions[name].body) for code in c.expressions(each)]

    def _read(self, name: str) -> frozenset[int] | None:
        if self.functions[name].sort != "pure":
            return None
        is_derived = name.startswith(("chart", "union"))  # what they keep follows from what they read
        found: set[int] = set()
        for code in self._codes(name):
            for part in c.inside(code):
                slots = self._slots(part, is_derived)
                if slots is None:
                    return None
                found |= slots
                if isinstance(part, c.Known) and part.text in self.functions:
                    asked = self.of(part.text)
                    if asked is None:
                        return None
                    found |= asked
        return frozenset(found) if min(found, default=_FIRST_STATE) >= _FIRST_STATE and found <= self.allowed else None

    def _slots(self, part: c.Code, is_derived: bool) -> set[int] | None:
        """The slots that a part of an expression is about by itself; None if nobody knows."""
        match part:
            case c.Slot(base=base) if base >= self.size:
                return set() if is_derived else None
            case c.Slot(base=base, at=None):
                return {base}
            case c.Slot(base=base):
                return set(self.runs[base]) if base in self.runs else None
            case c.Part(of=c.Name(text="S"), first=c.Const(value=int(first)), last=c.Const(value=int(last))):
                return set(range(first, last))
            case c.Part(of=c.Name(text="S")):
                return None
            case c.Call(function=c.Known(text="renew_chart"), args=args):
                pairs = [pair for arg in args[7:9] if isinstance(arg, c.Const) for pair in arg.value]
                return {slot for slot, _ in pairs}
            case c.Call(function=c.Known(text=text), args=args) if c.STATE in args and text not in self.functions:
                return None
            case c.Call(function=function, args=args) if c.STATE in args and not isinstance(function, c.Known):
                return None
        return set()
