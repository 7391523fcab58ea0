"""Short procedures written where they are called, and work counted without a call (for compiler/quick/search_form.py).

A call takes as long as a dozen simple steps, and what the caller has just read from the state must be read again after
it. Only calls that are not in a loop, of procedures that are called from few places: otherwise the code would grow."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from rulescript.compiler.quick.peephole import needs
from rulescript.compiler.quick.trees import Names, copied, placed, walk
from rulescript.machine.support import WORK_LIMIT

__all__ = ["Inlined", "counted_here"]

_SIZE = 32
_SITES = 8
_TEMPORARY = frozenset({"c", "d", "gone", "i", "listed", "m", "v", "were"})


class Inlined:
    """Writes procedures where they are called."""

    def __init__(self, functions: dict[str, ast.FunctionDef]) -> None:
        self.short = {name: f for name, f in functions.items() if re.fullmatch(r"p\d+", name) and _is_short(f)}
        sites: dict[str, set[str]] = {}
        count: dict[str, int] = {}
        for name, function in functions.items() if self.short else ():
            if name[0] in "bc":
                for node in walk(function):
                    match node:
                        case ast.Expr(value=ast.Call(func=ast.Name(id=called))) if called in self.short:
                            sites.setdefault(called, set()).add(name)
                            count[called] = count.get(called, 0) + 1
        self.short = {name: f for name, f in self.short.items() if 0 < count.get(name, 0) <= _SITES}
        self.callers = {caller for name in self.short for caller in sites[name]}

    def function(self, function: ast.FunctionDef) -> None:
        if function.name in self.callers:
            own = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {a.arg for a in function.args.args}
            function.body = self._body(function.body, own)

    def _body(self, body: Sequence[ast.stmt], own: set[str]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for at, statement in enumerate(body):
            match statement:
                case ast.If():
                    statement.body = self._body(statement.body, own)
                    statement.orelse = self._body(statement.orelse, own)
                case ast.Expr(value=ast.Call(func=ast.Name(id=called), args=args)) if called in self.short:
                    made = self._written(self.short[called], args, own, body[at + 1 :])
                    if made is not None:
                        out += [placed(statement, line) for line in made]
                        continue
            out.append(statement)
        return out

    def _written(
        self, procedure: ast.FunctionDef, args: Sequence[ast.expr], own: set[str], after: Sequence[ast.stmt]
    ) -> list[ast.stmt] | None:
        """The statements of a procedure with what it is called with; None if names would get mixed up. What stands
        around the call comes to its end: it must not need the names either, so the call must be followed by a
        return."""
        names = [a.arg for a in procedure.args.args]
        body: list[ast.stmt] = [copied(statement) for statement in procedure.body]
        match body[-1]:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names and not _calls(value):
                body.pop()  # nobody can read it any more
        stored = {n.id for s in body for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if (stored | {*names[2:]}) - _TEMPORARY & own or (stored & _TEMPORARY) & {*names}:
            return None
        if any(needs(after, name) for name in stored) or not any(isinstance(s, ast.Return) for s in after):
            return None
        given: dict[str, ast.expr] = {}
        first: list[ast.stmt] = []
        for name, value in zip(names[2:], args[2:], strict=True):
            if name not in stored and _is_read_first(body, name) and _is_plain(value):
                given[name] = value
            else:
                first.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return first + [Names(given).visit(statement) for statement in body]


def _is_short(function: ast.FunctionDef) -> bool:
    """Whether a procedure is nothing but a few steps."""
    steps = 0
    for node in walk(function):
        if isinstance(node, ast.stmt):
            steps += 1
            if not isinstance(node, ast.FunctionDef | ast.Assign | ast.AugAssign | ast.If | ast.Expr):
                return False
        match node:
            case ast.Call(func=ast.Name(id=name)) if re.fullmatch(r"[bcp]\d+_?", name):
                return False
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.NamedExpr():
                return False
    return steps <= _SIZE


def _calls(x: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) for n in walk(x))


def _is_plain(x: ast.expr) -> bool:
    match x:
        case ast.Name() | ast.Constant() | ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant()):
            return True
    return False


def _is_read_first(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is read once, before anything of the state is changed."""
    uses = sum(isinstance(n, ast.Name) and n.id == name for s in body for n in walk(s))
    for statement in body:
        if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
            return False
        if _calls(statement.value):
            return False
        if any(isinstance(n, ast.Name) and n.id == name for n in walk(statement.value)):
            return uses == 1
    return False


def counted_here(body: Sequence[ast.stmt], held: str = "WORK.done") -> list[ast.stmt]:
    """`step(n)` without a call, as long as it is not too much. `held` is what the work is added to: who plays has its
    own (`p.w`), which is at hand where WORK would have to be looked up for the thread."""
    out: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If() | ast.For() | ast.While():
                statement.body = counted_here(statement.body, held)
                statement.orelse = counted_here(statement.orelse, held)
            case ast.Expr(value=ast.Call(func=ast.Name(id="step"), args=[ast.Constant(value=int(weight))])):
                lines = ast.parse(f"{held} += {weight}\nif {held} > {WORK_LIMIT}: step({WORK_LIMIT + 1})").body
                out += [placed(statement, line) for line in lines]
                continue
        out.append(statement)
    return out
