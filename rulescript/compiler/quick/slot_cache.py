"""What is kept with a position while all it depends on stays the same (for compiler/quick/search_form.py).

A position that is played out carries a few slots more, behind all others. Wherever the state changes in a way that
makes what a slot holds wrong, the slot is emptied. There are two sorts:

* A rule whose answers are kept (`Module._answers`) finds its table by a key of all it reads from the state. Most of
  the time the key is the one it was a moment ago, so the table found last is in a slot.
* Much of what a list of options is made from depends on whose turn it is and on who controls what, and stays the
  same from one option to the next. Such an expression is worked out when it is first needed and then in a slot.

`begin` adds the slots to a state, whichever game or position it belongs to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulescript.compiler.quick.reuse_reads import reads_only
from rulescript.compiler.quick.trees import CONSTANT, Names, copied, fields, placed, walk

__all__ = ["Extent", "Kept", "all_of", "factors", "is_simple", "stores"]


class Extent:
    """Which slots belong together: an index that counts on from a slot stays among them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.group: dict[int, range] = {}
        self.tables: dict[str, range] = {}  # tables of slots
        self.every = range(len(data["initial"]))
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
                return self.group.get(slot, self.every)
            case ast.Slice(lower=ast.Constant(value=int(first)), upper=ast.Constant(value=int(end))):
                return range(first, end)
            case ast.Name():
                # Places alone are reached by a number that was worked out before.
                return self.places
            case ast.Subscript(value=ast.Name(id=name)) if name in self.tables:
                return self.tables[name]
        return self.every


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

    def __init__(
        self,
        functions: dict[str, ast.FunctionDef],
        extent: Extent,
        first: int,
        data: dict[str, Any],
        is_certain: Callable[[ast.expr], bool],
    ) -> None:
        self.functions = functions
        self.is_certain = is_certain
        self.extent = extent
        self.first = first
        self.data = data
        self.slots: dict[str, int] = {}
        self.values: dict[str, int] = {}
        self.made: list[ast.stmt] = []
        self.reads: dict[int, frozenset[int]] = {}
        self.memos: list[str] = []
        for name, function in functions.items():
            if name.endswith("_at"):
                self._rule(name, function)

    def _rule(self, name: str, function: ast.FunctionDef) -> None:
        match function.body:
            case [
                ast.Assign(value=ast.Tuple(elts=elts)),
                find,
                ast.If(body=[ast.Return(value=ast.Call() as made)]),
                _,
                _,
            ]:
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
        if not self._are_states(read):
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

    def _are_states(self, slots: Sequence[int]) -> bool:
        """Whether all that a rule reads is set by statements that can be seen to set it. What moves things and pieces
        does not show what it writes: such a rule looks each time whether its answers still hold."""
        known: set[int] = set()
        for state in self.data["states"]:
            for slot in (state["slot"], state["masks"]):
                if slot >= 0:
                    known.update(self.extent.group.get(slot, range(slot, slot + 1)))
        return known.issuperset(slots)

    def work(self) -> None:
        """Use the slots, and empty them wherever they may have become wrong."""
        values = _Values(self)
        for name, function in self.functions.items():
            if name[0] in "bcp":
                values.function(function)
        uses = _Uses(self.slots)
        for name, function in self.functions.items():
            if name not in self.slots:
                uses.visit(function)
                function.body = self._body(function.body)

    def value(self, x: ast.expr, read: frozenset[int]) -> int:
        """The slot of an expression that depends on these slots."""
        x = _Flat().visit(copied(x))
        text = ast.unparse(x)
        if text not in self.values:
            slot = self.values[text] = self.extra.stop
            self.reads[slot] = read
            made = ast.parse(f"def f{slot}_kept(S):\n    value = S[{slot}] = 0\n    return value").body[0]
            assert isinstance(made, ast.FunctionDef) and isinstance(made.body[0], ast.Assign)
            made.body[0].value = x
            self.made.append(placed(x, made))
        return self.values[text]

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
            elif wrong and not (at + 1 < len(body) and is_simple(body[at + 1]) and wrong <= self._wrong(body[at + 1])):
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
        return [f"    S += [None] * {len(self.extra)}"]

    @property
    def extra(self) -> range:
        return range(self.first, self.first + len(self.slots) + len(self.values))


def is_simple(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AugAssign) and not any(
        isinstance(n, ast.Call | ast.IfExp) for n in walk(statement)
    )


def _emptied(statement: ast.stmt, slots: set[int]) -> ast.stmt:
    targets = " = ".join(f"S[{slot}]" for slot in sorted(slots))
    return placed(statement, ast.parse(f"{targets} = None").body[0])  # type: ignore[no-any-return]


class _Flat(ast.NodeTransformer):
    """`a & (b & c)` as `a & b & c`: the same values are then written alike."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return all_of(node, factors(node)) if isinstance(node.op, ast.BitAnd) else node


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


_ENOUGH = 6


class _Values:
    """Finds the expressions to keep in a function."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.group: dict[int, range] = {}
        for state in kept.data["states"]:
            for slot in (state["slot"], state["masks"]):
                if slot >= 0:
                    self.group[slot] = kept.extent.group.get(slot, range(slot, slot + 1))
        self.group = {slot: slots for slots in self.group.values() for slot in slots}
        self.names: dict[str, ast.expr] = {}
        self.outside: dict[int, ast.stmt] | None = None  # what is read before a loop, by its slot
        self.unsteady: set[int] = set()

    def function(self, function: ast.FunctionDef) -> None:
        self.unsteady = {
            slot
            for statement in walk(function)
            if isinstance(statement, ast.stmt)
            for index in stores(statement)
            for slot in self.kept.extent.of(index)
        }
        self.names = {}
        self._body(function.body)
        _without_unused(function)

    def _body(self, body: list[ast.stmt]) -> None:
        before: list[tuple[int, dict[int, ast.stmt]]] = []
        for at, statement in enumerate(body):
            defined = copied(statement.value) if isinstance(statement, ast.Assign) else None
            for name, value in fields(statement):
                if name in ("body", "orelse", "targets", "target"):
                    continue
                if isinstance(value, ast.expr):
                    setattr(statement, name, self._visited(value))
            for node in walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    self.names.pop(node.id, None)
            if isinstance(statement, ast.If | ast.For | ast.While):
                # What is read before a loop must be the same in every round of it.
                is_outermost = isinstance(statement, ast.For) and self.outside is None and not _acts(statement)
                if is_outermost:
                    self.outside = {}
                names = dict(self.names)
                self._body(statement.body)
                self.names = dict(names)
                self._body(statement.orelse)
                self.names = names
                if is_outermost:
                    assert self.outside is not None
                    before.append((at, self.outside))
                    self.outside = None
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)]) if re.fullmatch(r"i\d+", name):
                    if defined is not None and self._reads(defined) is not None:
                        self.names[name] = self._whole(defined)
        for at, found in reversed(before):
            body[at:at] = found.values()

    def _visited(self, x: ast.expr) -> ast.expr:
        """An expression with the parts that are kept read from their slots."""
        read = self._reads(x)
        if read is not None:
            return self._kept(x, read) if read and _work(self._whole(x)) >= _ENOUGH else x
        match x:
            case ast.BinOp(op=ast.BitAnd()):
                # In whatever order they stand: what can be kept of a chain is kept together.
                parts = factors(x)
                steady = [f for f in parts if self._reads(f) is not None]
                if len(steady) > 1:
                    rest = [self._visited(f) for f in parts if self._reads(f) is None]
                    return all_of(x, [*rest, self._visited(all_of(x, steady))])
            case ast.Subscript(value=ast.Name(id="S")):
                return x
        for name, value in fields(x):
            if isinstance(value, ast.expr):
                setattr(x, name, self._visited(value))
            elif isinstance(value, list):
                for at, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        value[at] = self._visited(item)
                    elif isinstance(item, ast.keyword):
                        item.value = self._visited(item.value)
                    elif isinstance(item, ast.comprehension):
                        item.iter = self._visited(item.iter)
                        item.ifs = [self._visited(test) for test in item.ifs]
        return x

    def _whole(self, x: ast.expr) -> ast.expr:
        """The expression with the names it uses written out."""
        return Names(self.names).visit(copied(x)) if self.names else x

    def _kept(self, x: ast.expr, read: frozenset[int]) -> ast.expr:
        if isinstance(x, ast.Name):
            return x
        whole = self._whole(x)
        slot = self.kept.value(whole, read)
        text = f"S[{slot}] if S[{slot}] is not None else f{slot}_kept(S)"
        if self.outside is not None and self.kept.is_certain(whole):
            self.outside[slot] = placed(x, ast.parse(f"y{slot} = {text}").body[0])
            text = f"y{slot}"
        return placed(x, ast.parse(text, mode="eval").body)  # type: ignore[no-any-return]

    def _reads(self, x: ast.expr) -> frozenset[int] | None:
        """The slots of states an expression depends on; None if it depends on more, or on what changes here."""
        match x:
            case ast.Constant():
                return frozenset()
            case ast.Name(id=name):
                if name in self.names:
                    return self._reads(self.names[name])
                return frozenset() if CONSTANT.fullmatch(name) else None
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if slot in self.group:
                return None if slot in self.unsteady else frozenset({slot})
            case ast.Subscript(
                value=ast.Name(id="S"), slice=ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add(), right=index)
            ) if slot in self.group:
                inner = self._reads(index)
                if inner is None or not self.unsteady.isdisjoint(self.group[slot]):
                    return None
                return inner | frozenset(self.group[slot])
            case ast.Subscript(value=ast.Name(id=name), slice=index) if CONSTANT.fullmatch(name):
                return self._reads(index)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.IfExp():
                found: frozenset[int] = frozenset()
                for child in ast.iter_child_nodes(x):
                    if isinstance(child, ast.expr):
                        part = self._reads(child)
                        if part is None:
                            return None
                        found |= part
                return found
        return None


def factors(x: ast.expr) -> list[ast.expr]:
    match x:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return [*factors(left), *factors(right)]
    return [x]


def all_of(x: ast.expr, parts: Sequence[ast.expr]) -> ast.expr:
    made = parts[0]
    for part in parts[1:]:
        made = placed(x, ast.BinOp(made, ast.BitAnd(), part))
    return made


def _work(x: ast.expr) -> int:
    """How much there is to do in an expression."""
    return sum(isinstance(n, ast.Subscript | ast.BinOp | ast.IfExp | ast.Compare | ast.UnaryOp) for n in walk(x)) - sum(
        isinstance(n, ast.Subscript) and isinstance(n.slice, ast.BinOp) for n in walk(x)
    )


def _is_call(x: ast.AST) -> bool:
    return isinstance(x, ast.Call) and not (isinstance(x.func, ast.Name) and x.func.id.endswith("_kept"))


def _acts(statement: ast.stmt) -> bool:
    """Whether something is called in a statement that may change the state."""
    return any(isinstance(n, ast.Call) and not reads_only(n) for n in walk(statement))


def _without_unused(function: ast.FunctionDef) -> None:
    """Without names for parts of expressions that are no longer used."""
    used = {n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}

    def kept(body: list[ast.stmt]) -> list[ast.stmt]:
        out = []
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    re.fullmatch(r"i\d+", name) and name not in used and not any(_is_call(n) for n in walk(value))
                ):
                    continue
                case ast.If() | ast.For() | ast.While():
                    statement.body = kept(statement.body)
                    statement.orelse = kept(statement.orelse)
            out.append(statement)
        return out

    function.body = kept(function.body)
