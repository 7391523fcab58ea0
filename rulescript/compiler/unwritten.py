"""A module of which each function becomes text when it is first called.

An example that needs options of its own goes through a few rules of a game that is compiled for it alone. So of such a
game only what others are told of it is lowered at once: blocks, decisions, slots. What can be picked, functions, tables
and claims are lowered, and all is written as Python, when somebody calls it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
from attrs import frozen

from rulescript.compiler import code as c
from rulescript.compiler.emit import Page, python
from rulescript.compiler.lower.lowering import Lowering

__all__ = ["Unwritten", "Written", "filled_when_asked"]


@frozen
class Written:
    """The text of a function, how many lines are above it, and the values of its last parameters."""

    text: str
    above: int
    defaults: tuple[Any, ...]


def filled_when_asked(known: c.Code) -> str:
    """A table of the module that is filled when it is asked, as Python."""
    assert isinstance(known, c.Lambda)
    return f"{'KnownBy' if len(known.params) > 1 else 'Known'}({python(known)})"


class Unwritten:
    """The functions of a module. `origins`: where in the rules their lines come from, as far as they are written."""

    def __init__(self, lower: Lowering, functions: Iterable[c.Function], above: int) -> None:
        self._lower = lower
        self._above = above
        self.origins: dict[int, tuple[str, int]] = {}
        self._functions = {function.name: function for function in functions}
        self._written: dict[str, Written] = {}
        # All names that can be called, in the order in which they came.
        self.names: dict[str, None] = dict.fromkeys(self._functions)
        self._add_names()

    @property
    def constants(self) -> dict[str, Any]:
        """The tables that functions use, those of functions that are written; more come with others."""
        return self._lower.constants.values

    @property
    def tables(self) -> dict[str, str]:
        """Tables that are filled when they are asked, by their names, as Python."""
        return {name: filled_when_asked(known) for known, name in self._lower.constants.known.items()}

    @property
    def memos(self) -> list[str]:
        """Where functions keep their answers."""
        return self._lower.program.memos

    def written(self, name: str) -> Written | None:
        """The text of a function; None if there is none of that name."""
        known = self._written.get(name)
        if known is None:
            function = self._functions.get(name) or self._lowered(name)
            if function is None:
                return None
            page = Page()
            page.function(function)
            defaults = tuple(value.value for _, value in function.defaults if isinstance(value, c.Const))
            known = self._written[name] = Written(page.text, self._above, defaults)
            self.origins.update((self._above + line, origin) for line, origin in page.origins.items())
            self._above += len(page.lines)
        return known

    def _lowered(self, name: str) -> c.Function | None:
        """A function that was postponed, with all that was lowered for it."""
        lower, program = self._lower, self._lower.program
        write = program.postponed.take(name) if program.postponed is not None else None
        if write is not None:
            size, sites, rule = len(lower.layout.initial), len(program.sites), attrs.asdict(lower.rule, recurse=False)
            first, first_pure = len(program.written), len(program.pure)
            lower.scope.begin_anew()
            lower.scope.is_counted = True
            write()
            for field, value in rule.items():
                setattr(lower.rule, field, value)
            assert (size, sites) == (len(lower.layout.initial), len(program.sites)), "what only looks needs no place"
            for function in (*program.pure[first_pure:], *program.written[first:]):
                self._functions[function.name] = function
                self.names.setdefault(function.name)
            self._add_names()
        return self._functions.get(name)

    def _add_names(self) -> None:
        postponed = self._lower.program.postponed
        for name in postponed.names if postponed is not None else ():
            self.names.setdefault(name)
