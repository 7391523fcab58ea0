"""Expressions with loops in them, looked up by the values they depend on (for compiler/quick/search_form.py)."""

from __future__ import annotations

import ast
import re
from typing import Any

from rulescript.compiler.quick.trees import (
    CONSTANT,
    PURE,
    Names,
    Nodes,
    copied,
    fields,
    has_loop,
    placed,
    walk,
)

__all__ = ["Answered", "Memos", "by_member", "cheap_answers"]

_METHODS = ("bit_count", "get", "join", "count", "index")
_KEYS = 3


class Memos:
    """Finds expressions worth remembering, and makes their tables."""

    def __init__(self, places: range) -> None:
        self.places = places
        self.tables: list[ast.stmt] = []
        self._names: dict[str, str] = {}
        self._locals: set[str] = set()
        self._never: set[str] = set()
        self._slow: set[int] = set()

    def function(self, function: ast.FunctionDef) -> None:
        self._never = {"S", "p", "o"}
        for node in walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if (
                    called.endswith("_at")
                ):
                    self._never.add(name)  # a table cannot be looked up by
        self._slow = set()
        self._mark(function)
        if self._slow:
            self._body(function.body)

    def _mark(self, node: ast.AST) -> bool:
        """Note everything that has a loop in it."""
        found = has_loop(node)
        for _, value in fields(node):
            if isinstance(value, ast.AST):
                found = self._mark(value) or found
            elif value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        found = self._mark(item) or found
        if found:
            self._slow.add(id(node))
        return found

    def _body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.If(test=test):
                    statement.test = self.expression(test)
                case ast.For(iter=source):
                    statement.iter = self.expression(source)
                case ast.Assign(value=value) | ast.Expr(value=value) | ast.AugAssign(value=value):
                    statement.value = self.expression(value)
                case ast.Return(value=ast.expr() as value):
                    statement.value = self.expression(value)
            if isinstance(statement, ast.If | ast.For):
                self._body(statement.body)
                self._body(statement.orelse)

    def expression(self, x: ast.expr) -> ast.expr:
        """The expression, or a look-up in its table.

        A loop is remembered with what surrounds it as long as that depends on nothing else: the more values
        there are, the rarer they come back."""
        if id(x) in self._slow:
            atoms = self._atoms(x)
            if atoms is not None and 0 < len(atoms) <= _KEYS and self._belongs(x, atoms) and self._returns(x, atoms):
                return self._table(x, atoms)
            self._children(x)
        return x

    def _returns(self, x: ast.expr, atoms: dict[str, ast.expr]) -> bool:
        """Whether the values are likely to come back. What lies in a place hardly does: only if much work
        depends on it is it worth a try."""
        for atom in atoms.values():
            match atom.left if isinstance(atom, ast.BinOp) else atom:
                case ast.Subscript(slice=ast.Constant(value=int(slot)) | ast.BinOp(left=ast.Constant(value=int(slot)))):
                    if slot in self.places:
                        return any(isinstance(n, ast.Lambda) for n in walk(x))
                case ast.Subscript():
                    return False
        return True

    def _belongs(self, x: ast.expr, atoms: dict[str, ast.expr]) -> bool:
        """Whether an expression is a loop, or depends on just what a loop in it depends on."""
        if isinstance(x, ast.Lambda | ast.Starred):
            return False
        if has_loop(x):
            return True
        for child in ast.iter_child_nodes(x):
            if isinstance(child, ast.expr) and id(child) in self._slow:
                inner = self._atoms(child)
                if inner is not None and inner.keys() == atoms.keys() and self._belongs(child, inner):
                    return True
        return False

    def _children(self, x: ast.AST) -> None:
        for name, value in fields(x):
            if isinstance(value, ast.expr):
                if not isinstance(x, ast.Lambda | ast.comprehension) or name == "iter":
                    setattr(x, name, self.expression(value))
            elif isinstance(value, list):
                for at, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        value[at] = self.expression(item)
                    elif isinstance(item, ast.comprehension) and at == 0:
                        item.iter = self.expression(item.iter)

    def _atoms(self, x: ast.expr) -> dict[str, ast.expr] | None:
        """What an expression depends on, by its text; None if that is more than values that can be keys."""
        out: dict[str, ast.expr] = {}

        def visit(node: ast.AST, bound: frozenset[str]) -> bool:
            match node:
                case ast.BinOp(
                    left=ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant() | ast.BinOp()) as place,
                    op=ast.BitAnd(),
                    right=ast.Subscript() | ast.Name() as sort,
                ) if self._is_place(place) and not _names_in(node) & (bound | self._never - {"S"}):
                    # The pieces of a sort come back more often than all that lies there.
                    if not any(isinstance(n, ast.Call) for n in walk(sort)):
                        out[ast.unparse(node)] = node
                        return True
                    return visit(place, bound) and visit(sort, bound)
                case ast.Subscript(value=ast.Name(id="S"), slice=index):
                    if any(isinstance(n, ast.Name) and (n.id in bound or n.id in ("p", "o")) for n in walk(index)):
                        return False
                    if isinstance(index, ast.Slice) or any(isinstance(n, ast.Call) for n in walk(index)):
                        return False
                    out[ast.unparse(node)] = node
                    return True
                case ast.Name(id=name):
                    if name in bound or CONSTANT.fullmatch(name):
                        return True
                    if name in self._never:
                        return False
                    out[name] = node
                    return True
                case ast.Call(func=func, args=args, keywords=keywords):
                    if isinstance(func, ast.Name) and not PURE.fullmatch(func.id):
                        return False
                    if not isinstance(func, ast.Name | ast.Attribute):
                        return False
                    if isinstance(func, ast.Attribute) and not (func.attr in _METHODS and visit(func.value, bound)):
                        return False
                    return all(visit(a, bound) for a in [*args, *(k.value for k in keywords)])
                case ast.Lambda(args=arguments, body=body):
                    return visit(body, bound | {a.arg for a in arguments.args})
                case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                    names = {n.id for g in node.generators for n in walk(g.target) if isinstance(n, ast.Name)}
                    inner = bound | names
                    return visit(node.elt, inner) and all(
                        visit(g.iter, inner) and all(visit(i, inner) for i in g.ifs) for g in node.generators
                    )
                case ast.NamedExpr() | ast.Attribute() | ast.JoinedStr():
                    return False
            return all(visit(child, bound) for child in ast.iter_child_nodes(node))

        return out if visit(x, frozenset()) else None

    def _is_place(self, x: ast.Subscript) -> bool:
        match x.slice:
            case ast.Constant(value=int(slot)) | ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add()):
                return slot in self.places
        return False

    def _table(self, x: ast.expr, atoms: dict[str, ast.expr]) -> ast.expr:
        names = {text: f"k{at}" for at, text in enumerate(atoms)}
        body = _Replaced(names).visit(copied(x))
        if _added(body) is None:
            # What is added up on the way is known by itself.
            for node in walk(body):
                for field, value in fields(node):
                    if isinstance(value, ast.expr) and _added(value) is not None:
                        setattr(node, field, self._table(value, {"k0": placed(x, ast.Name("k0", ast.Load()))}))
        # Numbers of loops would make equal expressions look different.
        text = ast.unparse(body)
        for at, name in enumerate(dict.fromkeys(re.findall(r"\b[a-z]\d+\b", text))):
            if not name.startswith("k"):
                text = re.sub(rf"\b{name}\b", f"e{at}", text)
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = f"E{len(self._names)}"
            arguments = ", ".join(names.values())
            table = _added(body)
            if table is not None:
                made = ast.parse(f"{name} = Sums({table})").body[0]
                self.tables.append(placed(x, made))
                return self._found(x, name, atoms)
            sort = "Known" if len(names) == 1 else "KnownBy"
            self.tables += ast.parse(f"{name} = {sort}(lambda {arguments}: None)").body
            made = self.tables[-1]
            assert isinstance(made, ast.Assign) and isinstance(made.value, ast.Call)
            work = made.value.args[0]
            assert isinstance(work, ast.Lambda)
            work.body = body
            for node in walk(made):
                ast.copy_location(node, x)
        return self._found(x, name, atoms)

    @staticmethod
    def _found(x: ast.expr, name: str, atoms: dict[str, ast.expr]) -> ast.expr:
        keys = list(atoms.values())
        index = keys[0] if len(keys) == 1 else ast.copy_location(ast.Tuple(keys, ast.Load()), x)
        table = ast.copy_location(ast.Name(name, ast.Load()), x)
        return ast.copy_location(ast.Subscript(table, index, ast.Load()), x)


def by_member(constants: dict[str, ast.expr], most: int) -> list[str]:
    """Tables of counters that depend on a set, put together from what each member of the set adds.

    `sum([FM_4[k1] for k1 in ... if A31[k1] & k0 != 0])` is what all members of `k0` have, each by itself.
    `most`: no kind has more members."""
    out: list[str] = []
    for name, value in constants.items():
        match value:
            case ast.Call(
                func=ast.Name(id="Known"),
                args=[
                    ast.Lambda(
                        body=ast.Call(
                            func=ast.Name(id="sum"),
                            args=[
                                ast.ListComp(
                                    generators=[
                                        ast.comprehension(
                                            ifs=[
                                                ast.Compare(
                                                    left=ast.BinOp(
                                                        left=ast.Subscript() as fact,
                                                        op=ast.BitAnd(),
                                                        right=ast.Name(id="k0"),
                                                    ),
                                                    ops=[ast.NotEq()],
                                                    comparators=[ast.Constant(value=0)],
                                                )
                                            ]
                                        )
                                    ]
                                ) as listed
                            ],
                        ) as whole
                    )
                ],
            ) if name.startswith("KN") and _is_counter(listed.elt) and not _uses(fact, "k0"):
                one = ast.unparse(Names({"k0": ast.parse("1 << member", mode="eval").body}).visit(copied(whole)))
                out.append(f"{name} = Near(tuple([{one} for member in range({most})]))")
    return out


def _is_counter(x: ast.expr) -> bool:
    return isinstance(x, ast.Subscript) and isinstance(x.value, ast.Name) and x.value.id.startswith("FM_")


def _uses(x: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(x))


def _added(x: ast.expr) -> str | None:
    """The table that is added up for all members of the one set an expression depends on."""
    match x:
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[
                ast.ListComp(
                    elt=ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=member)),
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=name),
                            iter=ast.Subscript(value=ast.Name(id="BITS"), slice=ast.Name(id="k0")),
                            ifs=[],
                        )
                    ],
                )
            ],
        ) if member == name and re.fullmatch(r"A\d+", table):
            return table
    return None


def _names_in(x: ast.AST) -> set[str]:
    return {n.id for n in walk(x) if isinstance(n, ast.Name)}


class _Replaced(ast.NodeTransformer):
    """Atoms replaced by names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.BinOp) and ast.unparse(node) in self.names:
            return ast.copy_location(ast.Name(self.names[ast.unparse(node)], ast.Load()), node)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "S":
            return ast.copy_location(ast.Name(self.names[ast.unparse(node)], ast.Load()), node)
        if isinstance(node, ast.Name) and node.id in self.names:
            return ast.copy_location(ast.Name(self.names[node.id], node.ctx), node)
        return self.generic_visit(node)


class Cheap:
    """A rule whose answers are kept, though working them out takes no more than a look at another rule's."""

    def __init__(self, table: str, param: str, value: ast.expr) -> None:
        self.table = table  # the other rule's function
        self.param = param
        self.value = value  # with the other rule's table as `T`


def cheap_answers(functions: dict[str, ast.FunctionDef]) -> dict[str, Cheap]:
    out: dict[str, Cheap] = {}
    for name, function in functions.items():
        if not name.endswith("_work") or f"{name[:-5]}_at" not in functions or len(function.args.args) != 2:
            continue
        value: ast.expr
        match function.body:
            case [ast.Return(value=ast.expr() as value)]:
                pass
            case [ast.Assign(targets=[ast.Name(id=let)], value=inner), ast.Return(value=ast.expr() as value)]:
                uses = [n for n in walk(value) if isinstance(n, ast.Name) and n.id == let]
                if len(uses) != 1:
                    continue
                value = Names({let: inner}).visit(copied(value))
            case _:
                continue
        calls = [n for n in walk(value) if isinstance(n, ast.Call)]
        match calls:
            case [ast.Call(func=ast.Name(id=table), args=[ast.Name(id="S")]) as call] if table.endswith("_at"):
                if any(has_loop(n) or isinstance(n, ast.Lambda) for n in walk(value)):
                    continue
                value = Nodes({id(call): "T"}).visit(value)
                out[f"{name[:-5]}_at"] = Cheap(table, function.args.args[1].arg, value)
    return out


class Answered(ast.NodeTransformer):
    """Uses of cheap rules, written out."""

    def __init__(self, cheap: dict[str, Cheap]) -> None:
        self.cheap = cheap
        self.tables: dict[str, Cheap] = {}

    def function(self, function: ast.FunctionDef) -> None:
        if not self.cheap or (function.name.endswith("_at") and function.name in self.cheap):
            return
        used: dict[str, int] = {}
        asked: dict[str, int] = {}
        for node in walk(function):
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    used[name] = used.get(name, 0) + 1
                case ast.Subscript(value=ast.Name(id=name), slice=index) if _simple(index):
                    asked[name] = asked.get(name, 0) + 1
        for node in walk(function):
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Name(id=called) as func, args=[ast.Name(id="S")]),
                ) if called in self.cheap and re.fullmatch(r"i\d+", name) and used.get(name) == asked.get(name):
                    self.tables[name] = self.cheap[called]
                    func.id = self.cheap[called].table
        self.visit(function)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node.value:
            case ast.Name(id=name) if name in self.tables:
                cheap = self.tables[name]
                return Names({"T": node.value, cheap.param: node.slice}).visit(copied(cheap.value))  # type: ignore[no-any-return]
            case ast.Call(func=ast.Name(id=called) as func) if called in self.cheap and _simple(node.slice):
                cheap = self.cheap[called]
                func.id = cheap.table
                return Names({"T": node.value, cheap.param: node.slice}).visit(copied(cheap.value))  # type: ignore[no-any-return]
        return node


def _simple(x: ast.expr) -> bool:
    match x:
        case ast.Name() | ast.Constant() | ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant()):
            return True
    return False
