"""Without journal, and with loops in place of comprehensions (for compiler/quick/search_form.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any

from rulescript.compiler.quick.live_names import LiveNames
from rulescript.compiler.quick.trees import copied, placed, walk

__all__ = [
    "Loose",
    "Placed",
    "Present",
    "as_values",
    "counted_late",
    "draw_unseen",
    "joined_options",
    "loose_slots",
    "spread",
    "strip",
]


def strip(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements without those that only serve the journal or somebody who looks on."""
    out: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If(test=ast.Compare(left=ast.Attribute(value=ast.Name(id="p"), attr="j" | "watch"))):
                continue
            case ast.If():
                statement.test = _unasked(statement.test)
                statement.body = strip(statement.body) or [ast.Pass(lineno=statement.lineno, col_offset=0)]
                statement.orelse = strip(statement.orelse)
            case ast.For():
                statement.body = strip(statement.body) or [ast.Pass(lineno=statement.lineno, col_offset=0)]
                statement.orelse = strip(statement.orelse)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="p"), attr="d")]):
                # The slot of the decision says the same.
                continue
        out.append(statement)
    return out


def _unasked(test: ast.expr) -> ast.expr:
    """A condition where nobody wants to be asked about single options."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            kept = [v for v in values if not _is_ask(v)]
            if len(kept) == 1:
                return kept[0]
            test.values = kept
    return test


def _is_ask(x: ast.expr) -> bool:
    match x:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute(value=ast.Name(id="p"), attr="ask")):
            return True
    return False


def joined_options(body: list[ast.stmt]) -> list[ast.stmt]:
    """`o = X` and `o.append(-2)` as one list, which then can be remembered as a whole."""
    out: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            statement.body = joined_options(statement.body)
            statement.orelse = joined_options(statement.orelse)
        if out:
            match out[-1], statement:
                case (
                    ast.Assign(targets=[ast.Name(id="o")], value=listed) as before,
                    ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="o"), attr="append"), args=[added])),
                ):
                    if isinstance(listed, ast.List):
                        listed.elts.append(added)
                    else:
                        star = ast.copy_location(ast.Starred(listed, ast.Load()), listed)
                        before.value = ast.copy_location(ast.List([star, added], ast.Load()), listed)
                    continue
                case (
                    ast.Assign(targets=[ast.Name(id="o")], value=ast.List(elts=elts)),
                    ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="o"))),
                ) if any(not isinstance(e, ast.Starred) for e in elts):
                    continue  # a list with something in it is never empty
        out.append(statement)
    # The same, when the question whether there is only one stands between.
    for at in range(len(out) - 2):
        match out[at], out[at + 1], out[at + 2]:
            case (
                ast.Assign(targets=[ast.Name(id="o")], value=ast.List(elts=elts)),
                ast.If(test=ast.Compare(), body=[ast.Return()], orelse=[]),
                ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="o"))),
            ) if any(not isinstance(e, ast.Starred) for e in elts):
                del out[at + 2]
                break
    return out


def as_values(body: list[ast.stmt]) -> list[ast.stmt]:
    """Lists of options as values: what is added to one makes another. The first may be in a table or a slot, too."""
    out: list[ast.stmt] = []
    for statement in body:
        made: list[ast.expr] = []
        match statement:
            case ast.If() | ast.For():
                statement.body = as_values(statement.body)
                statement.orelse = as_values(statement.orelse)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="o") as listed, attr="append"), args=[added])
            ):
                made = [ast.Starred(listed, ast.Load()), added]
            case ast.AugAssign(target=ast.Name(id="o"), op=ast.Add(), value=added):
                made = [ast.Starred(ast.Name("o", ast.Load()), ast.Load()), ast.Starred(added, ast.Load())]
        if made:
            statement = placed(statement, ast.Assign([ast.Name("o", ast.Store())], ast.List(made, ast.Load())))
        out.append(statement)
    return out


class Placed(ast.NodeTransformer):
    """The pieces of a pile as options name them (place and code), from a table of the place."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.tables: list[str] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id="tuple"),
                args=[
                    ast.ListComp(
                        elt=ast.Tuple(
                            elts=[
                                ast.BinOp(
                                    left=ast.BinOp(op=ast.LShift(), right=ast.Constant(value=16), left=place),
                                    op=ast.BitOr(),
                                    right=ast.Name(id=code),
                                ),
                                ast.Name(id=number),
                            ]
                        ),
                        generators=[
                            ast.comprehension(
                                target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]), iter=source, ifs=[]
                            )
                        ],
                    )
                ],
            ) if (code, number) == (first, second) and code != number:
                return self._table("IT_", "ItemsAt", source, place, {first, second}) or node
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.ListComp(
                elt=ast.BinOp(
                    left=ast.BinOp(op=ast.LShift(), right=ast.Constant(value=16), left=place),
                    op=ast.BitOr(),
                    right=ast.Name(id=code) as piece,
                ),
                generators=[*before, ast.comprehension(target=ast.Name(id=name), iter=source, ifs=ifs) as last],
            ) if code == name and all(_is_comparison(test, {name}) for test in ifs):
                made = self._table("CD_", "CodesAt", source, place, {name})
                if made is not None:
                    # What does not depend on the piece is asked once.
                    for test in ifs if not before else ():
                        made = placed(node, ast.IfExp(test, made, ast.Tuple([], ast.Load())))
                    if before:
                        before[-1].ifs += ifs
                    last.iter, last.ifs, node.elt = made, [], piece
        return node

    def _table(self, table: str, sort: str, source: ast.expr, place: ast.expr, own: set[str]) -> ast.expr | None:
        match source:
            case ast.Subscript(value=ast.Name(id=known), slice=pile) if known.startswith(table):
                if own & {n.id for n in walk(place) if isinstance(n, ast.Name)}:
                    return None
                name = f"{sort[0]}A_{known[len(table) :]}"
                line = f"{name} = tuple([{sort}({known}, slot) for slot in range({self.slots})])"
                if line not in self.tables:
                    self.tables.append(line)
                here = ast.Subscript(ast.Name(name, ast.Load()), place, ast.Load())
                return placed(source, ast.Subscript(here, pile, ast.Load()))  # type: ignore[no-any-return]
        return None


class Present(ast.NodeTransformer):
    """Pieces of a place looked up by which sorts there are, not by how many of each.

    Whole piles are often new, and would fill a table that is hardly ever of use. (All ones added below the highest bit
    of a counter carry into it, unless there is nothing.)"""

    def __init__(self, constants: dict[str, ast.expr], data: dict[str, Any]) -> None:
        self.masks = {
            name: value.value
            for name, value in constants.items()
            if isinstance(value, ast.Constant) and isinstance(value.value, int)
        }
        self.highest = {
            f"CA_{at}": [(offset, offset + width - 1) for offset, width in kind["fields"] if width]
            for at, kind in enumerate(data["kinds"].values())
            if kind["pieces"]
        }
        self.names: dict[str, ast.expr] = {}

    def function(self, function: ast.FunctionDef) -> None:
        self.names = {}
        asked = False
        for node in walk(function):
            match node:
                case ast.Name(id=name):
                    asked = asked or name in self.highest
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if re.fullmatch(r"i\d+", name):
                    self.names[name] = ast.Constant(-1) if name in self.names else value
        if asked:
            self.visit(function)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node.value:
            case ast.Subscript(value=ast.Name(id=table)) if table in self.highest:
                fixed = self._fixed(node.slice)
                fields = [(first, last) for first, last in self.highest[table] if fixed >> last & 1]
                high = sum(1 << last for _, last in fields)
                low = sum((1 << last) - (1 << first) for first, last in fields)
                key = ast.parse(f"(((pile := 0) & {low}) + {low} | pile) & {high}", mode="eval").body
                for inner in walk(key):
                    if isinstance(inner, ast.NamedExpr):
                        inner.value = node.slice
                node.slice = placed(node, key)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return node  # a function of its own, where no name can be set

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def _fixed(self, x: ast.expr) -> int:
        """Counters outside of which a pile has nothing."""
        match x:
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                return self._fixed(left) & self._fixed(right)
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return self._fixed(self.names[name]) if name in self.names else self.masks.get(name, -1)
        return -1


def _is_comparison(test: ast.expr, own: set[str]) -> bool:
    """Whether a test only compares names, none of them its own, with numbers: it can be asked at any time."""
    match test:
        case ast.Compare(left=ast.Name(id=name), comparators=[ast.Constant()]):
            return name not in own
    return False


def spread(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Lists of options, and sets that are gone through, as loops of the function itself.

    A comprehension is a function of its own: it has to be made and called every time, and what it uses of the
    function around it becomes slower everywhere."""
    out: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If() | ast.For():
                statement.body = spread(statement.body)
                statement.orelse = spread(statement.orelse)
        match statement:  # what it goes through or sets
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.ListComp() as listed):
                out += _listed(name, listed, [])
                continue
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.List(elts=[ast.Starred(value=ast.ListComp() as listed), *more]),
            ):
                out += _listed(name, listed, more)
                continue
            case ast.For(
                iter=ast.Subscript(
                    value=ast.Name(id="BITS"),
                    slice=ast.Call(
                        func=ast.Name(id="sum"), args=[ast.ListComp(elt=ast.BinOp(op=ast.LShift())) as listed]
                    ),
                ) as source
            ):
                # Members of one set: all the bits are different.
                out.append(placed(listed, ast.Assign([ast.Name("bits", ast.Store())], ast.Constant(0))))
                add = ast.AugAssign(ast.Name("bits", ast.Store()), ast.BitOr(), listed.elt)
                out += _loops(listed, [placed(listed, add)])
                source.slice = placed(listed, ast.Name("bits", ast.Load()))
        out.append(statement)
    return out


def _listed(name: str, listed: ast.ListComp, more: list[ast.expr]) -> list[ast.stmt]:
    """`name = [*[...], a, b]` as loops."""
    match listed:
        case ast.ListComp(
            elt=ast.Name(id=item), generators=[ast.comprehension(target=ast.Name(id=target), iter=source, ifs=[])]
        ) if item == target:
            whole = ast.List([ast.Starred(source, ast.Load()), *more], ast.Load())
            return [placed(listed, ast.Assign([ast.Name(name, ast.Store())], whole))]
    start = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))

    def add(item: ast.expr) -> ast.stmt:
        method = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        return ast.Expr(ast.Call(method, [item], []))

    ends = [placed(listed, add(item)) for item in more]
    return [placed(listed, start), *_loops(listed, [placed(listed, add(listed.elt))]), *ends]


def _rename(made: ast.AST, inner: Iterable[ast.AST]) -> None:
    """In a function, the code of a piece must not have the name of another function."""
    for node in (made, *inner):
        for name in walk(node):
            if isinstance(name, ast.Name) and re.fullmatch(r"c\d+", name.id):
                name.id = f"e{name.id}"


def _extended(made: ast.AST, inner: list[ast.stmt], last: ast.comprehension) -> ast.stmt | None:
    """`for x in list: o.append(x)`: all of them as they are, at once."""
    match inner, last:
        case (
            [
                ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[ast.Name(id=item)])
                )
            ],
            ast.comprehension(target=ast.Name(id=target), iter=source, ifs=[]),
        ) if item == target:
            return placed(made, ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), source))  # type: ignore[no-any-return]
    return None


def _loops(made: ast.ListComp | ast.GeneratorExp, inner: list[ast.stmt]) -> list[ast.stmt]:
    """The loops and tests of a comprehension around some statements."""
    _rename(made, inner)
    body = inner
    generators = [*made.generators]
    whole = _extended(made, inner, generators[-1])
    if whole is not None:
        body = [whole]
        generators.pop()
    for generator in reversed(generators):
        tests = list(generator.ifs)
        while tests:
            test = tests.pop()
            parts = [*test.values] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            match parts[-1]:
                case ast.Call(
                    func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=ast.Constant(value=True)) as some]
                ) if len(some.generators) == 1:
                    # Found one: that is enough.
                    body = _loops(some, [*body, placed(made, ast.Break())])
                    parts.pop()
            if parts:
                both = parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)
                body = [placed(made, ast.If(both, body, []))]
        match generator:
            case ast.comprehension(
                target=ast.Name() as target, iter=ast.ListComp(elt=ast.Name(id=name), generators=[source])
            ) if isinstance(source.target, ast.Name) and source.target.id == name:
                # A list that is only gone through: go through what it is made from.
                listed = generator.iter
                assert isinstance(listed, ast.ListComp)
                for statement in body:
                    for inside in walk(statement):
                        if isinstance(inside, ast.Name) and inside.id == target.id:
                            inside.id = name
                body = _loops(listed, body)
            case _:
                body = [placed(made, ast.For(generator.target, generator.iter, body, []))]
    return body


def draw_unseen(body: Sequence[ast.stmt], live: LiveNames) -> list[ast.stmt]:
    """A draw nobody looks at needs no list of what was drawn."""
    out: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If() | ast.For():
                statement.body = draw_unseen(statement.body, live)
                statement.orelse = draw_unseen(statement.orelse, live)
            case ast.Assign(
                targets=[ast.Name(id=drawn)],
                value=ast.Call(func=ast.Name(id="draw_pieces"), args=[_, *args, _, items, _]),
            ) if drawn not in live.after(statement):
                call = ast.Call(ast.Name("draw_unseen", ast.Load()), [*args, items], [])
                out.append(placed(statement, ast.Expr(call)))
                continue
        out.append(statement)
    return out


class Loose(ast.NodeTransformer):
    """Names that live only inside one loop are names of Python's, not slots of the state."""

    def __init__(self, slots: set[int]) -> None:
        self.slots = slots

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if slot in self.slots:
                return ast.copy_location(ast.Name(f"n{slot}", node.ctx), node)
        return self.generic_visit(node)


def loose_slots(functions: dict[str, ast.FunctionDef], data: dict[str, Any]) -> set[int]:
    """Slots of rules' own names that are set by a loop and used nowhere but inside it."""
    uses: dict[int, int] = {}
    inside: dict[int, int] = {}
    for function in functions.values():
        for node in walk(function):
            match node:
                case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                    uses[slot] = uses.get(slot, 0) + 1
                case ast.For(target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot)))):
                    inside[slot] = inside.get(slot, 0) + sum(
                        isinstance(n, ast.Subscript)
                        and isinstance(n.value, ast.Name)
                        and n.value.id == "S"
                        and isinstance(n.slice, ast.Constant)
                        and n.slice.value == slot
                        for part in (node.target, *node.body)
                        for n in walk(part)
                    )
    first = data["locals"]
    return {slot for slot, count in inside.items() if slot >= first and uses[slot] == count}


def counted_late(body: list[ast.stmt]) -> list[ast.stmt]:
    """Work is counted between two questions: not where the next thing is a question."""
    out: list[ast.stmt] = []
    for at, statement in enumerate(body):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="step"))) if _asks(body[at + 1 :]):
                for later in body[at + 1 :]:
                    if isinstance(later, ast.If) and later.body and isinstance(later.body[-1], ast.Return):
                        later.body.insert(0, copied(statement))
                continue
            case ast.If() | ast.For():
                statement.body = counted_late(statement.body)
                statement.orelse = counted_late(statement.orelse)
        out.append(statement)
    return out


def _asks(body: Sequence[ast.stmt]) -> bool:
    """Whether statements come to a question, if they come to their end."""
    return any(
        isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Attribute) and s.targets[0].attr == "o" for s in body
    )
