"""A piece leaves a place: whether it was there and whether it was the last of its sort, in one look (for
compiler/quick/search_form.py).

A rule that moves a piece must find it where it says (`stale`), and what is kept with the position (`presence_masks`,
`option_list_cache`) must know when nothing of its sort is left. Both are told by what its counter was before."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulescript.compiler.quick.trees import placed

__all__ = ["leaving"]


def leaving(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Three statements as two.

    `if not S[i] & FM[c]: stale(...)`, `S[i] -= UN[c]` and `if not S[i] & FM[c]: ...` become `were = S[i] & FM[c]`,
    `S[i] -= UN[c]` and `if were <= UN[c]: ...`. The last may ask for all of a side, `PM_0[c]`: there is none of it
    only if there is none of the sort."""
    out: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If | ast.For | ast.While):
            statement.body = leaving(statement.body)
            statement.orelse = leaving(statement.orelse)
        out.append(statement)
        match out[-3:]:
            case [
                ast.If(
                    test=ast.UnaryOp(op=ast.Not(), operand=ast.BinOp(op=ast.BitAnd()) as there),
                    body=[ast.Expr(value=ast.Call(func=ast.Name(id="stale")))] as stale,
                    orelse=[],
                ),
                ast.AugAssign(
                    target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id=slot)),
                    op=ast.Sub(),
                    value=ast.Subscript(value=ast.Name(id=units), slice=ast.Name(id=code)),
                ) as gone,
                ast.If(
                    test=ast.UnaryOp(op=ast.Not(), operand=ast.BinOp(op=ast.BitAnd()) as left), body=then, orelse=[]
                ),
            ] if ast.unparse(there) == f"S[{slot}] & FM_{units[3:]}[{code}]":
                if ast.unparse(left) == ast.unparse(there):
                    inside = then
                elif ast.unparse(left) == f"S[{slot}] & PM_0[{code}]":
                    inside = [out[-1]]
                else:
                    continue
                text = f"were = 0\nif were <= {units}[{code}]:\n    if not were: pass"
                before, last = ast.parse(text).body
                assert isinstance(before, ast.Assign) and isinstance(last, ast.If) and isinstance(last.body[0], ast.If)
                before.value = there
                last.body[0].body = stale
                last.body += inside
                out[-3:] = [placed(statement, before), gone, placed(statement, last)]
    return out
