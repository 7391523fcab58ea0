"""Pieces of Python code as trees: going through them, copying them, and telling what they depend on.

Used by the passes behind compiler/quick/search_form.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

__all__ = [
    "CONSTANT",
    "PURE",
    "Names",
    "Nodes",
    "codes_given",
    "copied",
    "depends",
    "fields",
    "get_at",
    "has_loop",
    "placed",
    "places_of",
    "set_at",
    "text_of",
    "walk",
]

CONSTANT = re.compile(r"[A-Z]+_?\d+|BITS|BITL|PLACES|WITHIN|True|False|None")
PURE = re.compile(
    r"most_set|most_list|through|limited|sum|any|all|len|min|max|abs|tuple|list|sorted|range|set|frozenset|only|dict|bool"
    r"|take_pieces|hits|hits_in"
)


def fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name in node._fields:
        yield name, getattr(node, name, None)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a piece of code, in no particular order; ast.walk takes twice as long."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif value.__class__ is list:
                waiting += [v for v in value if isinstance(v, ast.AST)]


def has_loop(node: ast.AST) -> bool:
    """Whether there is a loop in it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("most_set", "most_list")
    return isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp)


def copied(node: Any) -> Any:
    """A copy of a piece of code; copy.deepcopy is ten times slower."""
    made = node.__class__.__new__(node.__class__)
    for name, value in node.__dict__.items():
        if isinstance(value, ast.AST):
            value = copied(value)
        elif isinstance(value, list):
            value = [copied(v) if isinstance(v, ast.AST) else v for v in value]
        setattr(made, name, value)
    return made


class Names(ast.NodeTransformer):
    """Names replaced by expressions."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copied(self.values[node.id]) if node.id in self.values else node


class Nodes(ast.NodeTransformer):
    """Some nodes replaced by names."""

    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        if id(node) in self.names:
            return ast.copy_location(ast.Name(self.names[id(node)], ast.Load()), node)
        return self.generic_visit(node)


def placed(node: ast.AST, made: Any) -> Any:
    """New code with the line of the old."""
    for inner in walk(made):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return made


def places_of(data: dict[str, Any]) -> range:
    """The slots of all places."""
    slots = [s for h in data["holds"] for s in (h["slot"], h["slot"] + h["size"])]
    return range(min(slots, default=0), max(slots, default=0))


def get_at(parent: Any, field: str, index: int | None) -> Any:
    value = getattr(parent, field)
    return value if index is None else value[index]


def set_at(parent: Any, field: str, index: int | None, value: ast.expr) -> None:
    if index is None:
        setattr(parent, field, value)
    else:
        getattr(parent, field)[index] = value


def text_of(x: ast.AST) -> str | None:
    """A name for a value made of look-ups and sums; None for anything else."""
    match x:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=index) if name == "S" or CONSTANT.fullmatch(name):
            inner = text_of(index)
            return f"{name}[{inner}]" if inner is not None else None
        case ast.BinOp(left=left, op=op, right=right):
            a, b = text_of(left), text_of(right)
            return f"({a} {op.__class__.__name__} {b})" if a is not None and b is not None else None
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            a = text_of(operand)
            return f"~{a}" if a is not None else None
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            a, b = text_of(left), text_of(right)
            return f"({a} {op.__class__.__name__} {b})" if a is not None and b is not None else None
        case ast.Tuple(elts=elts):
            parts = [text_of(e) for e in elts]
            return f"({', '.join(p for p in parts if p)})" if all(parts) else None
    return None


def depends(x: ast.expr, lone: set[int]) -> tuple[frozenset[int], frozenset[str], bool]:
    """The slots and names a value depends on, and whether it depends on slots reached by counting."""
    slots: set[int] = set()
    names: set[str] = set()
    other = False
    for node in walk(x):
        match node:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if slot in lone:
                slots.add(slot)
            case ast.Subscript(value=ast.Name(id="S")):
                other = True
            case ast.Name(id=name):
                names.add(name)
    return frozenset(slots), frozenset(names), other


def codes_given(x: ast.expr, constants: dict[str, ast.expr]) -> list[int] | None:
    """All the codes of pieces that a row of a table of new states can give; None if it is anything else.

    `X2[1][c]` or `X2[X1[True]][c]`: the codes in row 1, whatever `c` is."""
    match x:
        case ast.Subscript(value=ast.Subscript(value=ast.Name(id=table), slice=key)):
            match key:
                case ast.Subscript(value=ast.Name(id=values), slice=ast.Constant(value=value)):
                    which = _given(constants.get(values), value)
                case _:
                    which = key
            row = _given(constants.get(table), which.value) if isinstance(which, ast.Constant) else None
            if isinstance(row, ast.Tuple):
                codes = [e.value for e in row.elts if isinstance(e, ast.Constant) and isinstance(e.value, int)]
                return codes if len(codes) == len(row.elts) else None
    return None


def _given(table: ast.expr | None, key: Any) -> ast.expr | None:
    """What a table of constants gives."""
    match table:
        case ast.Dict(keys=keys, values=values):
            for found, value in zip(keys, values, strict=True):
                if isinstance(found, ast.Constant) and found.value is key:
                    return value
        case ast.Tuple(elts=elts) if isinstance(key, int) and 0 <= key < len(elts):
            return elts[key]
    return None
