"""Fewer blocks: a jump to a block that only jumps goes straight on, and a block that is reached from one place alone,
or is very short, is written where it is reached.

A block stays callable by its number as long as anything refers to it by number (a decision, an entry, a stored place to
go on), so positions never notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulescript.compiler import code as c

__all__ = ["thread_jumps"]

_SHORT = 4
_LONG = 60
_DEPTH = 8
_MOST = 220


def thread_jumps(functions: Sequence[c.Function], keep: set[int], apart: frozenset[int]) -> list[c.Function]:
    """The same functions with fewer jumps; blocks in `keep` stay defined, those in `apart` are always jumped to."""
    return _Threading(functions, keep, apart).threaded()


class _Threading:
    def __init__(self, functions: Sequence[c.Function], keep: set[int], apart: frozenset[int]) -> None:
        self.functions = functions
        self.keep, self.apart = keep, apart
        self.blocks = {int(f.name[1:]): f.body for f in functions if f.sort == "block"}
        self.goes_on: dict[int, int] = {}
        for number, body in self.blocks.items():
            if len(body) == 1 and isinstance(body[0], c.Jump) and number not in apart:
                self.goes_on[number] = body[0].block
        self.sizes = {number: c.size(body) for number, body in self.blocks.items()}
        self.inlined: set[int] = set()
        self.room = 0

    def threaded(self) -> list[c.Function]:
        for function in self.functions:
            for jump in _jumps(function.body):
                jump.block = self._last(jump.block)
        self.sources: dict[int, int] = {}
        for function in self.functions:
            for jump in _jumps(function.body):
                self.sources[jump.block] = self.sources.get(jump.block, 0) + 1
        out = []
        for function in self.functions:
            number = int(function.name[1:]) if function.sort == "block" else -1
            self.room = _MOST
            out.append(attrs.evolve(function, body=self._written(function.body, (number,))))
        needed = self.keep | {block for function in out for block in _mentioned(function)}
        return [f for f in out if f.sort != "block" or int(f.name[1:]) in needed]

    def _last(self, number: int) -> int:
        seen = {number}
        while number in self.goes_on and self.goes_on[number] not in seen:
            number = self.goes_on[number]
            seen.add(number)
        return number

    def _fits(self, goal: int, stack: tuple[int, ...]) -> bool:
        if goal not in self.blocks or goal in self.apart or goal in stack or len(stack) >= _DEPTH:
            return False
        size = self.sizes[goal]
        return size <= self.room and (size <= _SHORT or self.sources.get(goal, 0) == 1 and size <= _LONG)

    def _written(self, body: c.Body, stack: tuple[int, ...]) -> c.Body:
        out: c.Body = []
        for statement in body:
            if isinstance(statement, c.Jump) and self._fits(statement.block, stack):
                goal = statement.block
                self.room -= self.sizes[goal]
                out += self._written(self.blocks[goal], (*stack, goal))
            else:
                inner = [self._written(each, stack) for each in c.bodies(statement)]
                out.append(c.with_bodies(statement, inner) if inner else statement)
        return out


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
