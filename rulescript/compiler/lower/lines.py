"""Statements one after the other, each with the place in the rules it was made from."""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.source import Span

__all__ = ["Lines"]


class Lines:
    """The body of a function, or of a part of it, while it is written."""

    def __init__(self, origin: tuple[str, int] | None = None) -> None:
        self.body: c.Body = []
        self.origin = origin

    def at(self, span: Span | None) -> None:
        """What follows comes from here."""
        self.origin = (span.source.name, span.line) if span is not None else None

    def add(self, *statements: c.Statement) -> None:
        for statement in statements:
            if statement.origin is None:
                statement.origin = self.origin
            self.body.append(statement)

    def inner(self) -> Lines:
        """Lines that come from the same place, for the inside of a statement."""
        return Lines(self.origin)

    def let(self, name: str, value: c.Value) -> None:
        self.store(c.Name(name), value)

    def store(self, target: c.Code, value: c.Value, sign: str = "") -> None:
        """Write a slot or bind a name; `sign`: add to it, take from it ..."""
        self.add(c.Store((target,), c.as_code(value), sign))

    def do(self, value: c.Code) -> None:
        self.add(c.Do(value))

    def when(self, test: c.Code) -> Lines:
        """What is done only if something holds."""
        inside = self.inner()
        self.add(c.If(test, inside.body))
        return inside

    def either(self, test: c.Code) -> tuple[Lines, Lines]:
        """What is done if something holds, and what if not."""
        yes, no = self.inner(), self.inner()
        self.add(c.If(test, yes.body, no.body))
        return yes, no

    def loop(self, names: tuple[str, ...], source: c.Code) -> Lines:
        """What is done in each round of a loop."""
        return self.loop_over(tuple(c.Name(name) for name in names), source)

    def loop_over(self, targets: tuple[c.Code, ...], source: c.Code) -> Lines:
        """The same where a round may write slots of the state."""
        inside = self.inner()
        self.add(c.For(targets, source, inside.body))
        return inside

    def give(self, value: c.Value) -> None:
        """Give back a value and leave the function."""
        self.add(c.Return(c.as_code(value)))

    def jump(self, block: int) -> None:
        self.add(c.Jump(block))

    def tell(self, site: int, *values: c.Value) -> None:
        """Tell the journal, if there is one."""
        self.add(c.Tell(site, tuple(c.as_code(value) for value in values)))
