"""What was read from the state or from a table is not read again until it may have changed (for
compiler/quick/search_form.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from rulescript.compiler.quick.trees import PURE, depends, fields, get_at, placed, set_at, text_of, walk

__all__ = ["Invariants", "Reads", "lone_slots", "reads_only"]

_READS_ONLY = re.compile(r"(?:f\d+\w*|r\d+\w*|t\d+|stale|len)")


class Invariants:
    """Moves what stays the same all through a loop in front of it.

    Only what can always be worked out: a loop that goes over nothing, or a test that comes first, may have
    kept it from being worked out at all."""

    def __init__(self, constants: dict[str, ast.expr], data: dict[str, Any], lone: set[int]) -> None:
        self.lone = lone
        self.things = {s["slot"] for s in data["states"] if s["mode"] == "one" and s["type"][0] == "thing"}
        self.tables = {
            name
            for name, value in constants.items()
            if isinstance(value, ast.Tuple)
            and all(isinstance(e, ast.Constant) and isinstance(e.value, int | str | bool) for e in value.elts)
        }
        self.made = 0
        self.numbers: set[str] = set()
        self.split: set[str] = set()  # rules with a table for yes and one for no
        self.halved: set[str] = set()  # names of such pairs of tables

    def function(self, function: ast.FunctionDef) -> None:
        # What a loop over members or codes goes through is a number.
        self.numbers = set()
        self.halved = set()
        for node in walk(function):
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.IfExp(orelse=ast.Call(func=ast.Name(id=table)))
                ) if table in self.split:
                    self.halved.add(name)
                case ast.For(target=ast.Name(id=name), iter=ast.Subscript(value=ast.Name(id=table))) if (
                    table == "BITS" or table.startswith("CD_")
                ):
                    self.numbers.add(name)
        function.body = self.body(function.body)

    def body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            if isinstance(statement, ast.If | ast.For):
                statement.body = self.body(statement.body)
                statement.orelse = self.body(statement.orelse)
            if isinstance(statement, ast.For):
                out += self._before(statement)
            out.append(statement)
        return out

    def _before(self, loop: ast.For) -> list[ast.stmt]:
        reads = Reads(self.lone)
        found: dict[str, list[tuple[Any, str, int | None]]] = {}
        numbers = self.numbers
        self.numbers = numbers - {n.id for n in walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for statement in loop.body:
            self._collect(statement, found)
        self.numbers = numbers
        env: Env = {}
        for text, places in found.items():
            x = get_at(*places[0])
            env[text] = _Value(None, *depends(x, self.lone))
        for inner in [loop.target, *loop.body]:
            reads._forget_all(inner, env)
        out: list[ast.stmt] = []
        for text, places in found.items():
            if text not in env:
                continue
            name = f"u{self.made}"
            self.made += 1
            x = get_at(*places[0])
            out.append(placed(x, ast.Assign([ast.Name(name, ast.Store())], x)))
            for place in places:
                set_at(*place, placed(x, ast.Name(name, ast.Load())))
        return out

    def _collect(self, node: ast.AST, found: dict[str, list[tuple[Any, str, int | None]]]) -> None:
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.Lambda):
            return
        for field, value in fields(node):
            items = value if isinstance(value, list) else [value]
            for at, item in enumerate(items):
                if not isinstance(item, ast.AST):
                    continue
                place = (node, field, at if isinstance(value, list) else None)
                if isinstance(item, ast.expr) and isinstance(getattr(item, "ctx", None), ast.Load | None):
                    text = self._text_of(item)
                    if text is not None and self.is_certain(item) and _worth(item) and not _is_slot(item):
                        found.setdefault(text, []).append(place)
                        continue
                self._collect(item, found)

    def _text_of(self, x: ast.expr) -> str | None:
        match x:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.halved:
                inner = text_of(index)
                return f"{name}[{inner}]" if inner is not None else None
        return text_of(x)

    def is_certain(self, x: ast.AST) -> bool:
        """Whether an expression can always be worked out."""
        match x:
            case ast.Constant(value=int()):
                return True
            case ast.Name(id=name):
                return name in self.numbers
            case ast.BinOp(left=left, op=ast.LShift(), right=ast.Constant(value=int())):
                return self.is_certain(left)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Add(), right=right):
                return self.is_certain(left) and self.is_certain(right)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.is_certain(operand)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._is_answer(test) and self.is_certain(body) and self.is_certain(orelse)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                return self.is_certain(left) and self.is_certain(right)
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                return slot in self.things or slot not in self.lone
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.BinOp(left=ast.Constant(), op=ast.Add(), right=right)):
                return self._member(right)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.tables:
                return self._member(index)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.halved:
                return self.is_certain(index)
        return False

    def _is_answer(self, x: ast.AST) -> bool:
        """Whether a condition can always be worked out: any slot may be asked whether it is so."""
        match x:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._is_answer(operand)
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant()):
                return True
        return self.is_certain(x)

    def _member(self, x: ast.AST) -> bool:
        """Whether a value is certainly a thing's number: a state that always has one, or a fact of one."""
        match x:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                return slot in self.things
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.tables:
                return self._member(index)
        return False


def _is_slot(x: ast.expr) -> bool:
    match x:
        case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant()):
            return True
    return False


def lone_slots(data: dict[str, Any]) -> set[int]:
    """Slots that are only ever reached by their number, never by counting on from another slot."""
    out = set(range(5)) | set(range(data["locals"], len(data["initial"])))
    out |= {s["slot"] for s in data["states"] if s["mode"] in ("one", "mask")}
    return out


class _Value:
    """Something read before: where first, and where again."""

    __slots__ = ("first", "again", "slots", "names", "other")

    def __init__(self, first: Any, slots: frozenset[int], names: frozenset[str], other: bool) -> None:
        self.first = first  # (parent, field, index) of the expression, or the assignment that set it
        self.again: list[Any] = []
        self.slots = slots
        self.names = names
        self.other = other  # depends on slots that are reached by counting


Env = dict[str, _Value]


class Reads:
    """Gives names to what is read more than once in a function."""

    def __init__(self, lone: set[int]) -> None:
        self.lone = lone
        self.values: list[_Value] = []

    def function(self, function: ast.FunctionDef) -> None:
        self.values = []
        self._body(function.body, {})
        for at, value in enumerate(v for v in self.values if v.again):
            name = f"s{at}"
            parent, field, index = value.first
            if isinstance(parent, ast.Assign) and field == "targets":
                target = ast.copy_location(ast.Name(name, ast.Store()), parent)
                parent.targets.insert(0, target)
            else:
                old = get_at(parent, field, index)
                target = ast.copy_location(ast.Name(name, ast.Store()), old)
                set_at(parent, field, index, ast.copy_location(ast.NamedExpr(target, old), old))
            for parent, field, index in value.again:
                old = get_at(parent, field, index)
                set_at(parent, field, index, ast.copy_location(ast.Name(name, ast.Load()), old))

    # ---- statements

    def _body(self, body: Sequence[ast.stmt], env: Env) -> Env | None:
        """What is known afterwards; None if nothing comes after."""
        for statement in body:
            after = self._statement(statement, env)
            if after is None:
                return None
            env = after
        return env

    def _statement(self, statement: ast.stmt, env: Env) -> Env | None:
        match statement:
            case ast.Return():
                if statement.value is not None:
                    self._visit(statement, "value", None, statement.value, env, True)
                return None
            case ast.If():
                self._visit(statement, "test", None, statement.test, env, True)
                first = self._body(statement.body, dict(env))
                second = self._body(statement.orelse, dict(env))
                if first is None or second is None:
                    return first if second is None else second
                return {k: v for k, v in first.items() if second.get(k) is v}
            case ast.For():
                self._visit(statement, "iter", None, statement.iter, env, True)
                for inner in [statement.target, *statement.body, *statement.orelse]:
                    self._forget_all(inner, env)
                self._body(statement.body, dict(env))
                self._body(statement.orelse, dict(env))
                return env
            case ast.Assign(targets=targets):
                self._visit(statement, "value", None, statement.value, env, True)
                for target in targets:
                    self._index(target, env)
                for target in targets:
                    self._forget_target(target, env)
                self._note(statement, env)
            case ast.AugAssign():
                self._index(statement.target, env)
                self._visit(statement, "value", None, statement.value, env, True)
                self._forget_target(statement.target, env)
            case ast.Expr():
                self._visit(statement, "value", None, statement.value, env, True)
            case ast.Break():
                return None
            case _:
                self._forget_all(statement, env)
        return env

    def _note(self, statement: ast.Assign, env: Env) -> None:
        """A slot that was just set is known."""
        match statement.targets:
            case [ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) as target]:
                if slot in self.lone and not isinstance(statement.value, ast.Constant):
                    value = _Value((statement, "targets", None), frozenset({slot}), frozenset(), False)
                    self.values.append(value)
                    env[text_of(target) or ""] = value

    def _index(self, target: ast.expr, env: Env) -> None:
        if isinstance(target, ast.Subscript):
            self._visit(target, "slice", None, target.slice, env, True)

    # ---- forgetting

    def _forget_target(self, target: ast.expr, env: Env) -> None:
        match target:
            case ast.Name(id=name):
                for key in [k for k, v in env.items() if name in v.names]:
                    del env[key]
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if slot in self.lone:
                for key in [k for k, v in env.items() if slot in v.slots]:
                    del env[key]
            case ast.Subscript(value=ast.Name(id="S")):
                for key in [k for k, v in env.items() if v.other]:
                    del env[key]
            case ast.Tuple(elts=elts):
                for element in elts:
                    self._forget_target(element, env)
            case ast.Attribute():
                pass
            case _:
                env.clear()

    def _forget_all(self, node: ast.AST, env: Env) -> None:
        """Forget all that a statement may change, wherever in it."""
        for inner in walk(node):
            match inner:
                case ast.Name(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                    self._forget_target(inner, env)
                case ast.Call() if not reads_only(inner):
                    env.clear()

    # ---- expressions

    def _visit(self, parent: Any, field: str, index: int | None, x: ast.expr, env: Env, certain: bool) -> None:
        """Look through an expression in the order it is worked out."""
        text = text_of(x)
        if text is not None and isinstance(x, ast.Subscript | ast.BinOp | ast.Compare):
            known = env.get(text)
            if known is not None:
                known.again.append((parent, field, index))
                return
        match x:
            case ast.BoolOp(values=values):
                for at, value in enumerate(values):
                    self._visit(x, "values", at, value, env, certain and at == 0)
                return
            case ast.IfExp():
                self._visit(x, "test", None, x.test, env, certain)
                self._visit(x, "body", None, x.body, env, False)
                self._visit(x, "orelse", None, x.orelse, env, False)
                return
            case ast.Lambda():
                return
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                # Only the first source is worked out here, where nothing can be named; the
                # rest is a function of its own.
                self._visit(x.generators[0], "iter", None, x.generators[0].iter, env, False)
                return
            case ast.Compare(comparators=[_, _, *_]):
                return
            case ast.Call():
                for name, value in fields(x):
                    self._field(x, name, value, env, certain)
                if not reads_only(x):
                    env.clear()
                return
        for name, value in fields(x):
            self._field(x, name, value, env, certain)
        if text is not None and certain and _worth(x):
            slots, names, other = depends(x, self.lone)
            made = _Value((parent, field, index), slots, names, other)
            self.values.append(made)
            env[text] = made

    def _field(self, x: ast.AST, name: str, value: Any, env: Env, certain: bool) -> None:
        if isinstance(value, ast.expr):
            self._visit(x, name, None, value, env, certain)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.expr):
                    self._visit(x, name, at, item, env, certain)
                elif isinstance(item, ast.keyword):
                    self._visit(item, "value", None, item.value, env, certain)


def reads_only(call: ast.Call) -> bool:
    """Whether a call changes nothing of the state."""
    if isinstance(call.func, ast.Name):
        if _READS_ONLY.fullmatch(call.func.id) or PURE.fullmatch(call.func.id):
            return True
        return not any(isinstance(a, ast.Name) and a.id in ("S", "p") for a in call.args)
    return True


def _worth(x: ast.expr) -> bool:
    """Whether reading it twice costs more than keeping it: any look-up, and sums of them."""
    if isinstance(x, ast.Subscript):
        return True
    if isinstance(x, ast.BinOp) and isinstance(x.op, ast.LShift):
        return isinstance(x.left, ast.BinOp)
    return isinstance(x, ast.BinOp | ast.Compare) and any(isinstance(n, ast.Subscript) for n in walk(x))
