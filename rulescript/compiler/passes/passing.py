"""Names that are over before anybody is asked (see `passing_slots`), and the pass that keeps them out of the state.

A rule's own names have slots in the state, because play may wait while they are bound. Some never outlive the function
that binds them: the name of a loop in which nobody is asked, or what was answered last and is done at once. What such a
name held stays in its slot. Nothing reads it: it says nothing about the position, and another form of the code need not
leave the same behind. So it is no part of what a position is known by (`Position.state_hash`), nor of a save.

Before::

    S[117] = o
    S[52 + S[117]] += UN_4[c]

After::

    n117 = o
    S[52 + n117] += UN_4[c]"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten, with_targets

__all__ = ["passing_names", "passing_slots"]

_LEAVING = (c.Jump, c.Return, c.Ask, c.Halt)


def passing_names(unit: Unit) -> None:
    slots = unit.passing.intersection(passing_slots(unit.functions, min(unit.passing, default=0)))
    if not slots:
        return

    def change(code: c.Code) -> c.Code:
        if isinstance(code, c.Slot) and code.at is None:
            return c.Name(f"n{code.base}") if code.base in slots else code
        return c.altered(code, change)

    unit.map(
        lambda function: evolve(
            function, body=[with_targets(each, change) for each in rewritten(function.body, change)]
        )
    )


def passing_slots(functions: Iterable[c.Function], first: int) -> list[int]:
    """The slots, from the `first` of a rule's own names on, that every function sets before it reads them."""
    looking = _Looking(first)
    for function in functions:
        looking.through(function.body)
    return sorted(looking.written - looking.needed)


class _Looking:
    """Finds the slots that are written, and those that somebody reads who has not written them."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.written: set[int] = set()
        self.needed: set[int] = set()
        # What is certainly written where we are.
        self.done: set[int] = set()

    def through(self, body: c.Body) -> set[int]:
        """The slots that are certainly written in a body and were not before it. (Afterwards they are not `done` any
        more: whether play comes to the end of the body is for others to say.)"""
        added: set[int] = set()
        for statement in body:
            match statement:
                case c.Store(targets=targets, value=value, sign=sign):
                    self._read(value)
                    for target in targets:
                        if sign or not self._is_own(target):
                            self._read(target)
                    added |= self._write(targets)
                    continue
            for code in c.expressions(statement):
                self._read(code)
            match statement:
                case c.For(targets=targets, body=inner, other=other):
                    new = self._write(targets)
                    self.through(inner)
                    self.done -= new
                    self.through(other)
                case c.While(body=inner) | c.Told(body=inner):
                    self.through(inner)
                case c.If() | c.Case():
                    ends = [
                        end
                        for inner in c.bodies(statement)
                        for end in [self.through(inner)]
                        if not inner or not isinstance(inner[-1], _LEAVING)
                    ]
                    new = set.intersection(*ends) if ends else set()
                    self.done |= new
                    added |= new
        self.done -= added
        return added

    def _is_own(self, code: c.Code) -> bool:
        return isinstance(code, c.Slot) and code.at is None and code.base >= self.first

    def _write(self, targets: Iterable[c.Code]) -> set[int]:
        """Note what is written; what was not before."""
        slots = {each.base for each in targets if isinstance(each, c.Slot) and self._is_own(each)}
        self.written |= slots
        slots -= self.done
        self.done |= slots
        return slots

    def _read(self, code: c.Code) -> None:
        for each in c.inside(code):
            match each:
                case c.Slot(base=base) if base not in self.done:
                    self.needed.add(base)
                case c.Call(args=args) if c.STATE in args:
                    # A function of the machine that is told the number of a slot.
                    self.needed.update(arg.value for arg in args if isinstance(arg, c.Const) and type(arg.value) is int)
