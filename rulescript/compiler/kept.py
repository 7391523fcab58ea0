"""Answers that are kept with a position while what they depend on stays the same (for compiler/faster.py).

A rule whose answers are kept (`Module._answers`) finds its table by a key of all it reads from the state. Most of
the time the key is the one it was a moment ago. So a position that is played out carries a few slots more, behind
all others: one for each such rule, with the table found last. Wherever the state changes in a way the rule would
notice, the slot is emptied.

`begin` adds the slots to a state, whichever game or position it belongs to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from rulescript.compiler.trees import placed, walk

__all__ = ["Extent", "Kept", "stores"]


class Extent:
    """Which slots belong together: an index that counts on from a slot stays among them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.group: dict[int, range] = {}
        self.tables: dict[str, range] = {}  # tables of slots
        places: list[int] = []
        for state in data["states"]:
            if state["mode"] in ("each", "dual"):
                self._add(state["slot"], len(data["kinds"][state["kind"]]["names"]))
            if state["mode"] == "dual":
                self._add(state["masks"], len(data["kinds"][state["type"][1]]["names"]))
        for holds in data["holds"]:
            self._add(holds["slot"], holds["size"])
            places += self.group[holds["slot"]]
        for kind in data["kinds"].values():
            if kind["loc"] >= 0:
                self._add(kind["loc"], len(kind["names"]))
        self.places = range(min(places, default=0), max(places, default=-1) + 1)

    def _add(self, slot: int, size: int) -> None:
        slots = range(slot, slot + max(1, size))
        self.group.update(dict.fromkeys(slots, slots))

    def of(self, index: ast.expr) -> range:
        """The slots an index of the state can mean."""
        match index:
            case ast.Constant(value=int(slot)):
                return range(slot, slot + 1)
            case ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add()):
                return self.group[slot]
            case ast.Slice(lower=ast.Constant(value=int(first)), upper=ast.Constant(value=int(end))):
                return range(first, end)
            case ast.Name():
                # Places alone are reached by a number that was worked out before.
                return self.places
            case ast.Subscript(value=ast.Name(id=name)) if name in self.tables:
                return self.tables[name]
        raise AssertionError(ast.unparse(index))


def stores(statement: ast.stmt) -> Iterator[ast.expr]:
    """The indexes of the state a statement sets itself, without the statements inside it."""
    targets: Sequence[ast.expr] = ()
    match statement:
        case ast.Assign(targets=found):
            targets = found
        case ast.AugAssign(target=target) | ast.For(target=target):
            targets = [target]
    for target in targets:
        for node in walk(target):
            match node:
                case ast.Subscript(value=ast.Name(id="S"), slice=index, ctx=ast.Store()):
                    yield index


class Kept:
    """Gives each rule with kept answers its slot."""

    def __init__(self, functions: dict[str, ast.FunctionDef], extent: Extent, first: int) -> None:
        self.functions = functions
        self.extent = extent
        self.first = first
        self.slots: dict[str, int] = {}
        self.reads: dict[int, frozenset[int]] = {}
        self.memos: list[str] = []
        for name, function in functions.items():
            if name.endswith("_at"):
                self._rule(name, function)

    def _rule(self, name: str, function: ast.FunctionDef) -> None:
        match function.body:
            case [ast.Assign(value=ast.Tuple(elts=elts)), find, ast.If(body=[ast.Return(value=ast.Call() as made)]), _, _]:
                pass
            case _:
                return
        read = []
        for element in elts:
            match element:
                case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                    read.append(slot)
                case _:
                    return
        slot = self.first + len(self.slots)
        self.slots[name] = slot
        self.reads[slot] = frozenset(read)
        self.memos.append(f"{name[:-3]}_memo")
        # The table works with a copy of the state: of what it reads nothing changes there.
        made.args[2] = placed(made, ast.parse("S[:]", mode="eval").body)
        lines = ast.parse(f"if table is None: table = 0\nS[{slot}] = table\nreturn table").body
        assert isinstance(lines[0], ast.If) and isinstance(lines[0].body[0], ast.Assign)
        lines[0].body[0].value = made
        function.body = [function.body[0], find, *(placed(function, line) for line in lines)]

    def work(self) -> None:
        """Use the slots, and empty them wherever they may have become wrong."""
        if not self.slots:
            return
        uses = _Uses(self.slots)
        for name, function in self.functions.items():
            if name not in self.slots:
                uses.visit(function)
                function.body = self._body(function.body)

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for at, statement in enumerate(body):
            out.append(statement)
            wrong = self._wrong(statement)
            if isinstance(statement, ast.If | ast.For | ast.While):
                statement.body = self._body(statement.body)
                statement.orelse = self._body(statement.orelse)
                if wrong:
                    statement.body.insert(0, _emptied(statement, wrong))
            elif wrong and not (at + 1 < len(body) and _is_simple(body[at + 1]) and wrong <= self._wrong(body[at + 1])):
                out.append(_emptied(statement, wrong))
        return out

    def _wrong(self, statement: ast.stmt) -> set[int]:
        """The slots that may be wrong after a statement."""
        changed = {slot for index in stores(statement) for slot in self.extent.of(index)}
        return {slot for slot, read in self.reads.items() if not read.isdisjoint(changed)}

    def begin(self) -> list[str]:
        """Lines of the module: tables of the quick form's own."""
        return [f"{name} = {{}}" for name in self.memos]

    def begun(self) -> list[str]:
        """Lines of `begin`."""
        return [f"    S += [None] * {len(self.slots)}"]

    @property
    def extra(self) -> range:
        return range(self.first, self.first + len(self.slots))


def _is_simple(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AugAssign) and not any(
        isinstance(n, ast.Call | ast.IfExp) for n in walk(statement)
    )


def _emptied(statement: ast.stmt, slots: set[int]) -> ast.stmt:
    targets = " = ".join(f"S[{slot}]" for slot in sorted(slots))
    return placed(statement, ast.parse(f"{targets} = None").body[0])  # type: ignore[no-any-return]


class _Uses(ast.NodeTransformer):
    """`r2_at(S)` -> the table in its slot, or else that."""

    def __init__(self, slots: dict[str, int]) -> None:
        self.slots = slots

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="S")]) if name in self.slots:
                slot = f"S[{self.slots[name]}]"
                made = ast.parse(f"{slot} if {slot} is not None else 0", mode="eval").body
                assert isinstance(made, ast.IfExp)
                made.orelse = node
                return placed(node, made)  # type: ignore[no-any-return]
        return node
