"""Which names of a function are still read after each of its statements (for the passes of `search_form`).

A pass may leave out what sets a name only if nobody reads it. What the code looks like just behind it does not say
that: the reader may stand after the block, or at the beginning of the next round of a loop."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulescript.compiler.quick.trees import walk

__all__ = ["LiveNames"]

Live = frozenset[str]
_NONE: Live = frozenset()


class LiveNames:
    """The names that are read later in a function, as it is when this is first asked for."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        self._found: dict[int, Live] = {}

    def after(self, statement: ast.stmt) -> Live:
        """The names that are read after a statement before they are set."""
        if not self._found:
            _before(self.function.body, _NONE, _NONE, _NONE, self._found)
        return self._found[id(statement)]


def _before(body: Sequence[ast.stmt], after: Live, leaving: Live, again: Live, found: dict[int, Live]) -> Live:
    """The names that are read from the beginning of a block on. `after` are those read after its end, `leaving` after
    a `break`, `again` after a `continue`."""
    live = after
    for statement in reversed(body):
        found[id(statement)] = live
        match statement:
            case ast.Return():
                live = _read(statement)
            case ast.Break():
                live = leaving
            case ast.Continue():
                live = again
            case ast.If(test=test, body=then, orelse=otherwise):
                yes = _before(then, live, leaving, again, found)
                live = _read(test) | yes | _before(otherwise, live, leaving, again, found)
            case ast.For(target=target, iter=source, body=inside, orelse=otherwise):
                left = _before(otherwise, live, leaving, again, found)
                live = _read(source) | _rounds(inside, left, live, _set(target), _read(target), found)
            case ast.While(test=test, body=inside, orelse=otherwise):
                left = _read(test) | _before(otherwise, live, leaving, again, found)
                live = _rounds(inside, left, live, _NONE, _read(test), found)
            case _:
                live = _read(statement) | live - _set(statement)
    return live


def _rounds(
    body: Sequence[ast.stmt], left: Live, broken: Live, names: Live, asked: Live, found: dict[int, Live]
) -> Live:
    """What is read from the head of a loop on. `left`: after its last round; `broken`: after a `break`; `names` are
    set for each round, `asked` is read for it."""
    head = left | asked
    while True:
        more = left | asked | _before(body, head, broken, head, found) - names
        if more <= head:
            return head
        head |= more


def _read(node: ast.AST) -> Live:
    return frozenset(n.id for n in walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)) | (
        frozenset({node.target.id}) if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) else _NONE
    )


def _set(node: ast.AST) -> Live:
    """The names a statement certainly sets; those of a comprehension are its own."""
    targets: Sequence[ast.AST] = ()
    match node:
        case ast.Assign(targets=found):
            targets = found
        case ast.Name() | ast.Tuple() | ast.List():
            targets = [node]
    return frozenset(n.id for t in targets for n in walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
