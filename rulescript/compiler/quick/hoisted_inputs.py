"""What all answers of a rule's table have in common, worked out once for the table (for compiler/quick/search_form.py).

A table of kept answers belongs to one state of all that the rule reads. Yet every answer began by reading it again:
which spaces are open, whose they are. `Prepared` moves such expressions out of `r2_work` into `r2_ready`, which is
called when the table is made.

If the last argument is only ever yes or no, there is a table for yes and one for no, and the rest is looked up there:
a loop over all spaces finds the right one before it begins, and needs no pairs to look up.
"""

from __future__ import annotations

import ast
from typing import Any

from rulescript.compiler.quick.reuse_reads import Invariants
from rulescript.compiler.quick.slot_cache import Extent, all_of, factors
from rulescript.compiler.quick.trees import CONSTANT, placed, walk

__all__ = ["Prepared"]


class Prepared:
    """Prepares the tables of the rules that have a slot."""

    def __init__(
        self, functions: dict[str, ast.FunctionDef], tables: list[str], extent: Extent, invariants: Invariants
    ) -> None:
        self.functions = functions
        self.extent = extent
        self.invariants = invariants
        self.split: set[str] = set()
        for name in tables:
            if f"{name[:-3]}_work" in functions:
                self._rule(name)

    def _rule(self, name: str) -> None:
        work = self.functions[f"{name[:-3]}_work"]
        made = next((n for n in walk(self.functions[name]) if _is_made(n)), None)
        if not isinstance(made, ast.Call) or [a.arg for a in work.args.args[:1]] != ["S"] or len(work.args.args) != 2:
            return
        end = _end_of_state(work, self.extent)
        if end is None:
            return
        answer = ""
        match work.body:
            case [
                ast.Assign(targets=[ast.Tuple(elts=[*rest, ast.Name(id=last)])], value=ast.Name(id=given)),
                *body,
            ] if given == work.args.args[1].arg and rest and len(made.args) == 4 and self._is_answer(name):
                answer = last
                if len(rest) > 1:
                    more = ast.Assign([ast.Tuple(rest, ast.Store())], ast.Name(given, ast.Load()))
                    body = [placed(work, more), *body]
                else:
                    assert isinstance(rest[0], ast.Name)
                    work.args.args[1].arg = rest[0].id
                self._asked_by_answer(name)
                self.split.add(name)
            case body:
                pass
        common = _Common(self.invariants, answer)
        work.body = [common.visit(statement) for statement in body]
        self._write(name, work, made, common, answer, f"S[:{end}]")

    def _write(
        self, name: str, work: ast.FunctionDef, made: ast.Call, common: _Common, answer: str, state: str
    ) -> None:
        names, values = list(common.found.values()), [ast.parse(text, mode="eval").body for text in common.found]
        for own in (answer, "S"):
            if own and any(isinstance(n, ast.Name) and n.id == own for s in work.body for n in walk(s)):
                names.insert(0, own)
                # A pair of tables has a copy of the state already.
                values.insert(0, ast.parse(state if own == "S" and not answer else own, mode="eval").body)
        ready = f"{name[:-3]}_ready"
        work.args.args[0].arg = "ready"
        if names:
            targets = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
            work.body.insert(0, placed(work, ast.Assign([targets], ast.Name("ready", ast.Load()))))
        function: Any = ast.parse(f"def {ready}(S{', ' * bool(answer)}{answer}):\n    return ()").body[0]
        function.body[0].value.elts = values
        self.functions[ready] = placed(work, function)
        if answer:
            made.func = ast.Name("split_answers", ast.Load())
            made.args[2] = ast.parse(state, mode="eval").body
            made.args.append(ast.Name(ready, ast.Load()))
        else:
            made.args[2] = ast.parse(f"{ready}(S)", mode="eval").body
        placed(work, made)

    def _is_answer(self, name: str) -> bool:
        """Whether the last argument is yes or no wherever the table is asked, and it is used for nothing else."""
        for function in self.functions.values():
            if function.name == name:
                continue
            tables = _names_of(function, name)
            found = sum(isinstance(n, ast.Name) and n.id == name for n in walk(function))
            if tables is None:
                return False
            for node in walk(function):
                match node:
                    case ast.Assign(targets=[ast.Name(id=own)], value=value) if own in tables and _is_table(
                        value, name
                    ):
                        found -= 1
                    case ast.Subscript(value=value, slice=ast.Tuple(elts=[_, *_, last])) if _is_table(value, name) or (
                        isinstance(value, ast.Name) and value.id in tables
                    ):
                        if not _is_yes_or_no(last):
                            return False
                        if not isinstance(value, ast.Name):
                            found -= 1
            if found:
                return False
        return True

    def _asked_by_answer(self, name: str) -> None:
        """`table[a, yes]` -> `table[yes][a]`."""
        for function in self.functions.values():
            if function.name == name:
                continue
            tables = _names_of(function, name) or set()
            for node in walk(function):
                match node:
                    case ast.Subscript(value=value, slice=ast.Tuple(elts=[first, *rest, last])) if _is_table(
                        value, name
                    ) or (isinstance(value, ast.Name) and value.id in tables):
                        node.value = placed(node, ast.Subscript(value, last, ast.Load()))
                        node.slice = placed(node, ast.Tuple([first, *rest], ast.Load())) if rest else first


class _Common(ast.NodeTransformer):
    """Takes out what is the same for all answers."""

    def __init__(self, invariants: Invariants, answer: str) -> None:
        self.invariants = invariants
        self.invariants.numbers = {answer} if answer else set()
        self.own = {"S", answer}
        self.found: dict[str, str] = {}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), ast.Load | None):
            if self._is_common(node):
                return self._taken(node)
            match node:
                case ast.BinOp(op=ast.BitAnd()):
                    parts = factors(node)
                    same = [p for p in parts if self._is_certain(p)]
                    if len(same) > 1 and self._is_common(all_of(node, same)):
                        rest = [self.visit(p) for p in parts if not self._is_certain(p)]
                        return all_of(node, [*rest, self._taken(all_of(node, same))])
        return self.generic_visit(node)

    def _is_certain(self, x: ast.expr) -> bool:
        match x:
            case ast.Subscript(value=ast.Tuple(elts=elts), slice=index):
                # One of several tables.
                return all(isinstance(e, ast.Name) and CONSTANT.fullmatch(e.id) for e in elts) and self._is_certain(
                    index
                )
        return self.invariants.is_certain(x)

    def _is_common(self, x: ast.expr) -> bool:
        """Whether it can always be worked out, from the state alone, and is more than one value."""
        return (
            not isinstance(x, ast.Name | ast.Constant)
            and self._is_certain(x)
            and any(isinstance(n, ast.Name) and n.id in self.own for n in walk(x))
        )

    def _taken(self, x: ast.expr) -> ast.expr:
        text = ast.unparse(x)
        name = self.found.setdefault(text, f"h{len(self.found)}")
        return ast.copy_location(ast.Name(name, ast.Load()), x)


def _is_made(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "answers"


def _is_table(x: ast.expr, name: str) -> bool:
    """Whether an expression is the table in its slot, or the one that is found if there is none."""
    match x:
        case ast.IfExp(orelse=ast.Call(func=ast.Name(id=found))):
            return found == name
    return False


def _is_yes_or_no(x: ast.expr) -> bool:
    match x:
        case ast.Constant(value=bool()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(_is_yes_or_no(v) for v in values)
    return False


def _names_of(function: ast.FunctionDef, name: str) -> set[str] | None:
    """The names a function has for a table; None if it does more with one than ask it."""
    out: set[str] = set()
    stored: dict[str, int] = {}
    asked: dict[str, int] = {}
    for node in walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if _is_table(value, name):
                out.add(own)
                stored[own] = stored.get(own, 0) - 1
            case ast.Subscript(value=ast.Name(id=own), slice=ast.Tuple()):
                asked[own] = asked.get(own, 0) - 1
    for node in walk(function):
        if isinstance(node, ast.Name) and node.id in out:
            count = asked if isinstance(node.ctx, ast.Load) else stored
            count[node.id] = count.get(node.id, 0) + 1
    return None if any(stored.get(own) or asked.get(own) for own in out) else out


def _end_of_state(work: ast.FunctionDef, extent: Extent) -> int | None:
    """How much of the state an answer reads; None if it asks other rules."""
    end = 0
    for node in walk(work):
        match node:
            case ast.Subscript(value=ast.Name(id="S"), slice=index):
                if isinstance(index, ast.Slice):
                    return None
                end = max(end, extent.of(index).stop)
            case ast.Call(args=args) if any(isinstance(a, ast.Name) and a.id == "S" for a in args):
                return None
    return end
