"""Fewer blocks: a jump to a block that only jumps goes straight on, and a block that is reached from one place alone,
or is very short, is written where it is reached.

Before::

    def b8(p, S): S[4] = 1; return b9
    def b9(p, S): S[6] = 0; return b10

After::

    def b8(p, S): S[4] = 1; S[6] = 0; return b10

A block stays callable by its number as long as anything refers to it by number (a decision, an entry, a stored place to
go on), so positions never notice. Such a block is there in any case, so it is written a second time only if it is very
short. Where play is long and code may be, longer blocks are written in place, too.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["join_blocks", "thread_jumps"]


@frozen
class _Limits:
    """How many statements a block may have to be written in several places, and in one; in one, if it is there all the
    same; how deep, and how much of it in one function."""

    short: int
    long: int
    again: int
    depth: int
    most: int


def thread_jumps(unit: Unit) -> None:
    """Little code, fewer jumps."""
    unit.functions = _Threading(unit, _Limits(4, 60, 4, 8, 220)).threaded()


def join_blocks(unit: Unit) -> None:
    """As few jumps as can be: mostly one call leads from an answer to the next question."""
    unit.functions = _Threading(unit, _Limits(20, 160, 160, 10, 220)).threaded()


class _Threading:
    def __init__(self, unit: Unit, limits: _Limits) -> None:
        self.functions = unit.functions
        self.keep, self.apart = unit.keep, unit.apart
        self.limits = limits
        self.blocks = {int(f.name[1:]): f.body for f in self.functions if f.sort == "block"}
        self.goes_on: dict[int, int] = {}
        for number, body in self.blocks.items():
            if len(body) == 1 and isinstance(body[0], c.Jump) and number not in self.apart:
                self.goes_on[number] = body[0].block
        self.sizes = {number: c.size(body) for number, body in self.blocks.items()}
        self.room = 0

    def threaded(self) -> list[c.Function]:
        self.sources: dict[int, int] = {}
        for function in self.functions:
            for jump in _jumps(function.body):
                goal = self._last(jump.block)
                self.sources[goal] = self.sources.get(goal, 0) + 1
        out = []
        for function in self.functions:
            number = int(function.name[1:]) if function.sort == "block" else -1
            self.room = self.limits.most
            body = self._written(function.body, (number,))
            out.append(evolve(function, body=body) if body is not function.body else function)
        needed = self.keep | {block for function in out for block in _mentioned(function)}
        return [f for f in out if f.sort != "block" or int(f.name[1:]) in needed]

    def _last(self, number: int) -> int:
        seen = {number}
        while number in self.goes_on and self.goes_on[number] not in seen:
            number = self.goes_on[number]
            seen.add(number)
        return number

    def _fits(self, goal: int, stack: tuple[int, ...]) -> bool:
        if goal not in self.blocks or goal in self.apart or goal in stack or len(stack) >= self.limits.depth:
            return False
        if goal == c.OVER:
            return False  # who plays many games knows by it that one is over
        size = self.sizes[goal]
        limits = self.limits
        alone = limits.again if goal in self.keep else limits.long
        is_short = size <= limits.short or self.sources.get(goal, 0) == 1 and size <= alone
        return is_short and size <= self.room

    def _written(self, body: c.Body, stack: tuple[int, ...]) -> c.Body:
        """A body with the blocks it jumps to in it; the very same if there are none."""
        out: c.Body = []
        is_same = True
        for statement in body:
            if isinstance(statement, c.Jump):
                goal = self._last(statement.block)
                if self._fits(goal, stack):
                    self.room -= self.sizes[goal]
                    out += self._written(self.blocks[goal], (*stack, goal))
                    is_same = False
                elif goal == statement.block:
                    out.append(statement)
                else:
                    out.append(c.Jump(goal, origin=statement.origin))
                    is_same = False
            else:
                before = c.bodies(statement)
                inner = [self._written(each, stack) for each in before]
                if all(map(operator.is_, before, inner)):
                    out.append(statement)
                else:
                    out.append(c.with_bodies(statement, inner))
                    is_same = False
        return body if is_same else out


def _jumps(body: c.Body) -> Iterator[c.Jump]:
    return (statement for statement in c.statements(body) if isinstance(statement, c.Jump))


def _mentioned(function: c.Function) -> Iterator[int]:
    """The blocks that a function goes to, or notes to come back to."""
    for statement in c.statements(function.body):
        match statement:
            case c.Jump(block=block):
                yield block
            case c.Store(value=c.Address(block=block)):
                yield block
