"""The same said in fewer steps (for compiler/quick/search_form.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from rulescript.compiler.quick.live_names import LiveNames
from rulescript.compiler.quick.trees import copied, placed, walk

__all__ = ["Chains", "Composed", "Largest", "Whole", "followed", "needs"]


class Whole(ast.NodeTransformer):
    """What lies in a place, without asking whether it is a piece at all; and "all but these" as a table of its own.

    `S[46] & B16` is what lies there if `B16` has the counters of all pieces. `S[46] & ~M12[x]` needs no number below
    nothing, with which Python is slow, if there is a table of what `~M12[x]` leaves of all counters."""

    def __init__(self, constants: dict[str, ast.expr], data: dict[str, Any]) -> None:
        self.every = 0
        places: set[int] = set()
        for holds in data["holds"]:
            kind = data["kinds"][holds["kind"]]
            if kind["pieces"]:
                places.update(range(holds["slot"], holds["slot"] + holds["size"]))
                for offset, width in kind["fields"]:
                    self.every |= ((1 << width) - 1) << offset
        self.places = places
        self.numbers = {name: found for name, value in constants.items() if (found := _numbers_of(value))}
        self.tables: list[str] = []
        self.wholes = {name for name, found in self.numbers.items() if self._covers(found)}

    def function(self, function: ast.FunctionDef) -> None:
        for node in walk(function):
            match node:
                case ast.Name(id=name) if name in self.wholes:
                    break
                case ast.UnaryOp(op=ast.Invert(), operand=ast.Subscript(value=ast.Name(id=name))) if name[0] == "M":
                    break
        else:
            return
        self.visit(function)

    def _covers(self, numbers: tuple[int, ...]) -> bool:
        return len(numbers) == 1 and self.every != 0 and numbers[0] & self.every == self.every

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not isinstance(node.op, ast.BitAnd):
            return self.generic_visit(node)
        parts = [self.visit(part) for part in _factors(node)]
        if any(self._is_pile(part) for part in parts):
            parts = [self._left(part) for part in parts if not self._is_every(part)]
        whole: ast.expr = parts[0]
        for part in parts[1:]:
            whole = placed(node, ast.BinOp(whole, ast.BitAnd(), part))
        return whole

    def _is_every(self, x: ast.expr) -> bool:
        return isinstance(x, ast.Name) and x.id in self.wholes

    def _is_pile(self, x: ast.expr) -> bool:
        match x:
            case ast.Subscript(
                value=ast.Name(id="S"),
                slice=ast.Constant(value=int(slot)) | ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add()),
            ):
                return slot in self.places
        return False

    def _left(self, x: ast.expr) -> ast.expr:
        match x:
            case ast.UnaryOp(op=ast.Invert(), operand=ast.Subscript(value=ast.Name(id=name) as table)) if (
                name in self.numbers and re.fullmatch(r"M\d+", name)
            ):
                other = f"W{name[1:]}"
                line = f"{other} = {tuple(self.every & ~number for number in self.numbers[name])!r}"
                if line not in self.tables:
                    self.tables.append(line)
                table.id = other
                return x.operand
        return x


def _numbers_of(value: ast.expr | None) -> tuple[int, ...]:
    """A constant: one number or a table of them; nothing if it is anything else."""
    elements = value.elts if isinstance(value, ast.Tuple) else [value]
    out = []
    for element in elements:
        if not isinstance(element, ast.Constant) or not isinstance(element.value, int):
            return ()
        out.append(element.value)
    return tuple(out)


class Chains(ast.NodeTransformer):
    """`a & b & (a & c)` without what stands there twice, and with one number in place of several; and what a table
    gives for a number."""

    def __init__(self, constants: dict[str, ast.expr]) -> None:
        self.tables = {name: value for name, value in constants.items() if isinstance(value, ast.Dict)}

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=index)) if name in self.tables:
                for key, value in zip(self.tables[name].keys, self.tables[name].values, strict=True):
                    if isinstance(key, ast.Constant) and key.value is index and isinstance(value, ast.Constant):
                        return ast.copy_location(ast.Constant(value.value), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not isinstance(node.op, ast.BitAnd):
            return self.generic_visit(node)
        parts: dict[str, ast.expr] = {}
        number: int | None = None
        for part in _factors(node):
            made = self.visit(part)
            if isinstance(made, ast.Constant) and isinstance(made.value, int):
                number = made.value if number is None else number & made.value
            elif any(isinstance(n, ast.Call | ast.NamedExpr) for n in walk(made)):
                parts[f"{len(parts)} {ast.unparse(made)}"] = made
            else:
                parts.setdefault(ast.unparse(made), made)
        out = list(parts.values())
        if number is not None:
            out.insert(0, ast.copy_location(ast.Constant(number), node))
        whole = out[0]
        for part in out[1:]:
            whole = placed(node, ast.BinOp(whole, ast.BitAnd(), part))
        return whole


def _factors(x: ast.expr) -> list[ast.expr]:
    match x:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return [*_factors(left), *_factors(right)]
    return [x]


class Composed(ast.NodeTransformer):
    """What one table gives for what another gives: found in one step, from a table of both."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    @property
    def tables(self) -> list[str]:
        """Lines of the module."""
        return [f"{name} = Known(lambda k0: {both})" for both, name in self.names.items()]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(
                value=ast.Name(id=outer), slice=ast.Subscript(value=ast.Name(id=inner), slice=index), ctx=ast.Load()
            ) if _OUTER.fullmatch(outer) and _INNER.fullmatch(inner):
                name = self.names.setdefault(f"{outer}[{inner}[k0]]", f"EC{len(self.names)}")
                return placed(node, ast.Subscript(ast.Name(name, ast.Load()), index, ast.Load()))  # type: ignore[no-any-return]
        return node


_OUTER = re.compile(r"NB\d+|BITS|BITL")
_INNER = re.compile(r"E\d+")


class Largest(ast.NodeTransformer):
    """`most ... by` the number of their own pieces in a place: depends on those pieces only.

    `most_set(those of P & M, lambda v: CN[P & N[v]])` counts in `P & M` too if `M` has all that `N` has for each of
    them. Then the answer is known by these pieces, whatever else lies there."""

    def __init__(self, constants: dict[str, ast.expr], data: dict[str, Any]) -> None:
        self.constants = constants
        self.fields = {
            f"CD_{at}": [((1 << width) - 1) << offset for offset, width in kind["fields"]]
            for at, kind in enumerate(data["kinds"].values())
            if kind["pieces"]
        }

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id="most_set"),
                args=[
                    ast.Call(
                        func=ast.Name(id="sum"),
                        args=[
                            ast.SetComp(
                                elt=ast.BinOp(
                                    left=ast.Constant(value=1),
                                    op=ast.LShift(),
                                    right=ast.Subscript(value=ast.Name(id=owners)),
                                ),
                                generators=[
                                    ast.comprehension(
                                        iter=ast.Subscript(
                                            value=ast.Name(id=codes),
                                            slice=ast.BinOp(left=pile, op=ast.BitAnd(), right=sort) as chosen,
                                        ),
                                        ifs=[],
                                    )
                                ],
                            )
                        ],
                    ),
                    ast.Lambda(
                        body=ast.Subscript(
                            slice=ast.BinOp(
                                left=counted, op=ast.BitAnd(), right=ast.Subscript(value=ast.Name(id=groups))
                            ) as looked
                        )
                    ),
                    _,
                ],
            ) if ast.unparse(pile) == ast.unparse(counted) and self._has_all(codes, owners, groups, sort):
                looked.left = copied(chosen)
        return node

    def _has_all(self, codes: str, owners: str, groups: str, sort: ast.expr) -> bool:
        match sort:
            case ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name):
                sorts = self._numbers(name)
            case _:
                return False
        owner, group, fields = self._numbers(owners), self._numbers(groups), self.fields.get(codes)
        if not sorts or not owner or not group or fields is None:
            return False
        for mask in sorts:
            for code, field in enumerate(fields):
                if field & mask and group[owner[code]] & ~mask:
                    return False
        return True

    def _numbers(self, name: str) -> tuple[int, ...]:
        return _numbers_of(self.constants.get(name))


def followed(body: Sequence[ast.stmt], live: LiveNames) -> list[ast.stmt]:
    """A piece that has just been moved need not be looked for: it is where it was put.

    `x = d << 16 | c` and then `i = x`, `c = i & 65535`, `i >>= 16`, and a test that it is there."""
    out: list[ast.stmt] = []
    waiting = list(body)
    while waiting:
        statement = waiting.pop(0)
        out.append(statement)
        if isinstance(statement, ast.If | ast.For):
            statement.body = followed(statement.body, live)
            statement.orelse = followed(statement.orelse, live)
        match statement, waiting[:4]:
            case (
                ast.Assign(
                    targets=[ast.Subscript() as where],
                    value=ast.BinOp(
                        left=ast.BinOp(left=ast.Name(id="d"), op=ast.LShift(), right=ast.Constant(value=16)),
                        op=ast.BitOr(),
                        right=ast.Name(id="c"),
                    ),
                ),
                [
                    ast.Assign(targets=[ast.Name(id="i")], value=ast.Subscript() as again) as taken,
                    ast.Assign(targets=[ast.Name(id="c")], value=ast.BinOp(left=ast.Name(id="i"), op=ast.BitAnd())),
                    ast.AugAssign(target=ast.Name(id="i"), op=ast.RShift()),
                    *_,
                ],
            ) if ast.unparse(where) == ast.unparse(again):
                taken.value = placed(taken, ast.Name("d", ast.Load()))
                out.append(taken)
                del waiting[:3]
                match waiting[:4]:
                    # Its new state, and where it is then: nobody reads what was set in between.
                    case [
                        ast.Assign(targets=[ast.Name(id="v")]) as chosen,
                        ast.If(body=[ast.Expr(value=ast.Call(func=ast.Name(id="stale")))], orelse=[]) as sought,
                        ast.AugAssign() as changed,
                        ast.Assign(targets=[ast.Subscript() as last]) as noted,
                    ] if (
                        ast.unparse(last) == ast.unparse(where)
                        and re.fullmatch(r"not S\[i\] & FM_\d+\[c\]", ast.unparse(sought.test))
                        and not any(_reads(s, where) for s in (chosen, changed))
                        and not _reads(noted.value, where)
                    ):
                        out.pop(-2)
                        del waiting[1]
                        _put_as_it_becomes(out, waiting, live)
    return out


def _put_as_it_becomes(out: list[ast.stmt], waiting: list[ast.stmt], live: LiveNames) -> None:
    """A piece that changes its state where it has just been put is put there in its new state.

    `S[d] += UN[c]`, `i = d`, `v = X[c]` and `S[i] += UN[v] - UN[c]` become `v = X[c]` and `S[d] += UN[v]`."""
    match out[-2:], waiting[:3]:
        case (
            [
                ast.AugAssign(
                    target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id="d")),
                    op=ast.Add(),
                    value=ast.Subscript(value=ast.Name(id=put), slice=ast.Name(id="c")),
                ) as came,
                ast.Assign(targets=[ast.Name(id="i")], value=ast.Name(id="d")),
            ],
            [
                ast.Assign(value=becomes) as chosen,
                ast.AugAssign(
                    target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id="i")),
                    op=ast.Add(),
                    value=ast.BinOp(
                        left=ast.Subscript(value=ast.Name(id=gained), slice=ast.Name(id="v")) as new,
                        op=ast.Sub(),
                        right=ast.Subscript(value=ast.Name(id=lost), slice=ast.Name(id="c")),
                    ),
                ),
                ast.Assign() as noted,
            ],
        ) if (
            put == gained == lost
            and not _reads_state(becomes)
            and ast.unparse(noted.value) == "i << 16 | v"
            and "i" not in live.after(noted)
        ):
            came.value = new
            noted.value = placed(noted, ast.parse("d << 16 | v", mode="eval").body)
            del out[-2:]
            waiting[:3] = [noted]
            out += [chosen, came]


def _reads_state(x: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "S" for n in walk(x))


def needs(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether statements use a name before they set it."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return _mentions(value, name)
            case (
                ast.If(test=header, body=inside, orelse=otherwise) | ast.For(iter=header, body=inside, orelse=otherwise)
            ):
                if _mentions(header, name) or needs(otherwise, name):
                    return True
                is_set = isinstance(statement, ast.For) and _mentions(statement.target, name)
                if not is_set and needs(inside, name):
                    return True
                continue
        if _mentions(statement, name):
            return True
    return False


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(node))


def _reads(node: ast.AST, slot: ast.expr) -> bool:
    """Whether it reads or sets a slot, or calls something that may."""
    text = ast.unparse(slot)
    return any(isinstance(n, ast.Call) or isinstance(n, ast.Subscript) and ast.unparse(n) == text for n in walk(node))
