"""Dice matched with pieces, and several picked at once, with less in between (for compiler/quick/search_form.py)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from rulescript.compiler.quick.trees import placed

__all__ = ["Matching", "many_at_once"]


class Matching(ast.NodeTransformer):
    """`hits` of a whole place: how many pieces score on a face is read off the counters, and only for faces that
    were rolled."""

    def __init__(self, constants: dict[str, ast.expr], data: dict[str, Any]) -> None:
        self.constants = constants
        self.fields = {
            f"IT_{at}": [((1 << width) - 1) << offset for offset, width in kind["fields"]]
            for at, kind in enumerate(data["kinds"].values())
            if kind["pieces"]
        }
        self.tables: list[str] = []
        self._names: dict[tuple[str, str], str | None] = {}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id="hits"),
                args=[
                    dice,
                    ast.ListComp(
                        elt=ast.Tuple(
                            elts=[
                                ast.Subscript(value=ast.Name(id=faces), slice=ast.Name(id=code)),
                                ast.Name(id=number),
                            ]
                        ),
                        generators=[
                            ast.comprehension(
                                target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]),
                                iter=ast.Subscript(value=ast.Name(id=items), slice=pile),
                                ifs=[],
                            )
                        ],
                    ),
                ],
            ) if code == first and number == second and items in self.fields:
                table = self._table(faces, items)
                if table is not None:
                    counts = ast.Name(f"CN_{items[3:]}", ast.Load())
                    call = ast.Call(
                        ast.Name("hits_in", ast.Load()), [dice, pile, ast.Name(table, ast.Load()), counts], []
                    )
                    return placed(node, call)  # type: ignore[no-any-return]
        return node

    def _table(self, faces: str, items: str) -> str | None:
        """(face, counters of the pieces that score on it), if each piece scores on one face."""
        if (faces, items) not in self._names:
            self._names[faces, items] = self._made(faces, items)
        return self._names[faces, items]

    def _made(self, faces: str, items: str) -> str | None:
        value = self.constants.get(faces)
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(self.fields[items]):
            return None
        masks: dict[int, int] = {}
        for element, field in zip(value.elts, self.fields[items], strict=True):
            match element:
                case ast.Constant(value=int(face)) if not isinstance(face, bool):
                    masks[face] = masks.get(face, 0) | field
                case _:
                    return None
        name = f"EH{len(self.tables)}"
        self.tables.append(f"{name} = {tuple(masks.items())!r}")
        return name


def many_at_once(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """`o = many_first(...) if many_start(S, w, X) else []` as statements."""
    out: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If() | ast.For():
                statement.body = many_at_once(statement.body)
                statement.orelse = many_at_once(statement.orelse)
            case ast.Assign(
                targets=[ast.Name(id="o")],
                value=ast.IfExp(
                    test=ast.Call(func=ast.Name(id="many_start"), args=[_, ast.Constant(value=int(slot)), wanted]),
                    body=first,
                    orelse=ast.List(elts=[]) as nothing,
                ),
            ):
                lines = _counted(wanted)
                lines += ast.parse(f"S[{slot}] = w\nif w > 0: o = 0\nelse: o = 0").body
                asked = lines[-1]
                assert isinstance(asked, ast.If)
                for branch, value in ((asked.body[0], first), (asked.orelse[0], nothing)):
                    assert isinstance(branch, ast.Assign)
                    branch.value = value
                out += [placed(statement, line) for line in lines]
                continue
        out.append(statement)
    return out


def _counted(wanted: ast.expr) -> list[ast.stmt]:
    """`w = wanted`; of two numbers that are never negative the second is not needed when the first is none."""
    match wanted:
        case ast.Call(func=ast.Name(id="min"), args=[ast.Call(func=ast.Name(id="hits" | "hits_in")) as hits, most]):
            if isinstance(most, ast.Subscript) and isinstance(most.value, ast.Name) and most.value.id.startswith("CN_"):
                lines = ast.parse("w = 0\nif w:\n    n = 0\n    if w > n: w = n").body
                assert isinstance(lines[0], ast.Assign) and isinstance(lines[1], ast.If)
                inner = lines[1].body[0]
                assert isinstance(inner, ast.Assign)
                lines[0].value, inner.value = hits, most
                return lines
    made = ast.parse("w = 0").body
    assert isinstance(made[0], ast.Assign)
    made[0].value = wanted
    return list(made)
