"""A game's generated module, of which each function is compiled when it is first called.

An example plays a few rules of a game that is compiled for its options alone. Most of the module is never called then,
and compiling all of it would take longer than playing. So a function begins as one that compiles its text, becomes what
came of it, and starts over. Who holds the function notices nothing: it stays the same object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from types import CodeType, FunctionType
from typing import Any

from rulescript.compiler.unwritten import Unwritten
from rulescript.runtime.failures import GENERATED

__all__ = ["LaterPieces", "Pieces"]

# Without values for its parameters: those would have to be worked out at once.
_DEF = re.compile(r"def (\w+)\([\w, *]*\):")


class Pieces:
    """A generated module. Run in a scope, it defines what the whole text would."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        rest = list(lines)
        # The name of each function, how many lines are above it, and its text.
        self.functions: list[tuple[str, int, str]] = []
        at = 0
        while at < len(lines):
            first, found = at, _DEF.match(lines[at])
            at += 1
            if found is None:
                continue
            while at < len(lines) and lines[at].startswith(" "):
                at += 1
            self.functions.append((found.group(1), first, "\n".join(lines[first:at])))
            rest[first:at] = [""] * (at - first)
        self.rest = _compiled("\n".join(rest))

    def __call__(self, scope: dict[str, Any]) -> None:
        for name, above, text in self.functions:
            function = scope[name] = FunctionType(_first_call.__code__, scope, name)
            function.__kwdefaults__ = {"_made": partial(_made, function, above, text)}
        exec(self.rest, scope)


class LaterPieces:
    """The same of a module whose functions have no text yet either (compiler/unwritten.py). What is wrong with one is
    told within `compiling`."""

    def __init__(self, text: str, module: Unwritten, compiling: Callable[[], AbstractContextManager[None]]) -> None:
        self.module = module
        self.rest = _compiled(text)
        self.compiling = compiling

    def __call__(self, scope: dict[str, Any]) -> None:
        _Promised(self, scope)
        exec(self.rest, scope)


class _Promised:
    """The names of such a module in one scope."""

    def __init__(self, pieces: LaterPieces, scope: dict[str, Any]) -> None:
        self.pieces, self.module = pieces, pieces.module
        self.scope = scope
        self.constants = self.names = 0
        self.add()

    def add(self) -> None:
        """Let the scope have all names that the module has by now."""
        constants, names = self.module.constants, self.module.names
        self.scope.update(islice(constants.items(), self.constants, None))
        for name in islice(names, self.names, None):
            function = self.scope[name] = FunctionType(_first_call.__code__, self.scope, name)
            function.__kwdefaults__ = {"_made": partial(self.made, function, name)}
        for name, table in self.module.tables.items():
            if name not in self.scope:
                self.scope[name] = eval(table, self.scope)
        for name in self.module.memos:
            self.scope.setdefault(name, {})
        self.constants, self.names = len(constants), len(names)

    def made(self, function: FunctionType, name: str) -> FunctionType:
        with self.pieces.compiling():
            written = self.module.written(name)
        if written is None:
            raise NameError(f"name '{name}' is not defined")
        self.add()
        function.__defaults__ = written.defaults or None
        return _made(function, written.above, written.text)


def _compiled(text: str) -> CodeType:
    return compile(text, GENERATED, "exec", dont_inherit=True, optimize=2)


def _first_call(*args: Any, _made: Any = None, **named: Any) -> Any:
    return _made()(*args, **named)


def _made(function: FunctionType, above: int, text: str) -> FunctionType:
    # Its own code is taken out of that which would define it: nothing is run here that somebody could be watching.
    code = next(c for c in _compiled(text).co_consts if isinstance(c, CodeType))
    function.__code__ = _below(code, above)
    function.__kwdefaults__ = None
    return function


def _below(code: CodeType, above: int) -> CodeType:
    """Code with so many lines above it: a message about the rules finds its place by the number of the line."""
    inner = tuple(_below(c, above) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + above, co_consts=inner)
