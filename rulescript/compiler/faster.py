"""The generated code once more, for playing as fast as can be: random games that keep no journal.

The module made by compiler/module.py serves everybody: it writes a journal, can ask even where there is only one
option, and lets tests look on. A playout needs none of that. Here the same functions are taken apart and put together
again without it (`strip`), and then made faster in ways that need no knowledge of the game:

* `Memos`: an expression with a loop in it, which depends on few values of the state, is looked up by these values.
* `join`: a jump to a block becomes the block itself, so that one call leads from an answer to the next question.
* `Reads`: what was read from the state or from a table is not read again until it may have changed.

Block numbers, slots and results are the same, so a position can change from one form to the other at any decision.
Every piece of code keeps the line it had, so errors still lead to the rule they came from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["faster"]

_PLAYED = re.compile(r"(?:[bc]\d+|p\d+_?|f\d+\w*|r\d+\w*|t\d+)")
_CONSTANT = re.compile(r"[A-Z]+_?\d+|BITS|BITL|PL|PLACES|WITHIN|True|False|None")
_PURE = re.compile(
    r"most_set|most_list|sum|any|all|len|min|max|abs|tuple|list|sorted|range|set|frozenset|only|dict|bool|take_pieces"
)
_METHODS = ("bit_count", "get", "join", "count", "index")
_READS_ONLY = re.compile(r"(?:f\d+\w*|r\d+\w*|t\d+|stale|len)")
_KEYS = 3
_SHORT = 16
_ROOM = 160
_DEPTH = 10


def faster(text: str, data: dict[str, Any]) -> ast.Module:
    """A module with the functions that play, to be run in a copy of the first module's names."""
    tree = ast.parse(text)
    functions: dict[str, ast.FunctionDef] = {}
    rest: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if _PLAYED.fullmatch(node.name):
                functions[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id in ("B", "C"):
                rest.append(node)
    memos = Memos(_places(data))
    for function in functions.values():
        kept = strip(function.body) or [ast.Pass(lineno=function.lineno, col_offset=0)]
        function.body = joined_options(kept)
        memos.function(function)
        function.body = refer(spread(function.body), data)
    loose = _loose_slots(functions, data)
    for function in functions.values():
        Loose(loose).visit(function)
    bodies = {name: function.body for name, function in functions.items()}
    counts = _references(bodies)
    for name, function in functions.items():
        if name[0] in "bc":
            function.body = join(name, bodies, counts)
    safe = _lone_slots(data)
    for name, function in functions.items():
        if name[0] in "bc":
            function.body = counted_late(function.body)
        function.body = without_lost_stores(function.body)
        Reads(safe).function(function)
    module = ast.Module([*_refs(data), *memos.tables, *functions.values(), *rest], [])
    return ast.fix_missing_locations(module)


# ------------------------------------------------------------------ without journal


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
                ast.If(test=ast.Compare()),
                ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="o"))),
            ) if any(not isinstance(e, ast.Starred) for e in elts):
                del out[at + 2]
                break
    return out


# ------------------------------------------------------------------ remembering


class Memos:
    """Finds expressions worth remembering, and makes their tables."""

    def __init__(self, places: range) -> None:
        self.places = places
        self.tables: list[ast.stmt] = []
        self._names: dict[str, str] = {}
        self._locals: set[str] = set()
        self._never: set[str] = set()
        self._changed = False

    def function(self, function: ast.FunctionDef) -> None:
        self._never = {"S", "p", "o"}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if called.endswith("_at"):
                    self._never.add(name)  # a table cannot be looked up by
                case ast.Attribute(value=ast.Name(id="o"), attr="append") | ast.AugAssign(target=ast.Name(id="o")):
                    self._changed = True
        self._body(function.body)
        self._changed = False

    def _body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="o")], value=value) if self._changed:
                    for child in ast.iter_child_nodes(value):
                        self._children(child)
                    continue
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

        A loop is remembered with what surrounds it as long as that depends on nothing else: the more values there
        are, the rarer they come back."""
        if any(_is_slow(n) for n in ast.walk(x)):
            atoms = self._atoms(x)
            if atoms is not None and 0 < len(atoms) <= _KEYS and self._belongs(x, atoms) and self._returns(x, atoms):
                return self._table(x, atoms)
            self._children(x)
        return x

    def _returns(self, x: ast.expr, atoms: dict[str, ast.expr]) -> bool:
        """Whether the values are likely to come back. What lies in a place hardly does: only if much work depends
        on it is it worth a try."""
        for atom in atoms.values():
            match atom:
                case ast.Subscript(slice=ast.Constant(value=int(slot)) | ast.BinOp(left=ast.Constant(value=int(slot)))):
                    if slot in self.places:
                        return any(isinstance(n, ast.Lambda) for n in ast.walk(x))
                case ast.Subscript():
                    return False
        return True

    def _belongs(self, x: ast.expr, atoms: dict[str, ast.expr]) -> bool:
        """Whether an expression is a loop, or depends on just what a loop in it depends on."""
        if isinstance(x, ast.Lambda):
            return False
        if _is_slow(x):
            return True
        for child in ast.iter_child_nodes(x):
            if isinstance(child, ast.expr) and any(_is_slow(n) for n in ast.walk(child)):
                inner = self._atoms(child)
                if inner is not None and inner.keys() == atoms.keys() and self._belongs(child, inner):
                    return True
        return False

    def _children(self, x: ast.AST) -> None:
        for name, value in ast.iter_fields(x):
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
        """What an expression depends on, by its text; None if it is more than values that can be looked up by."""
        out: dict[str, ast.expr] = {}

        def visit(node: ast.AST, bound: frozenset[str]) -> bool:
            match node:
                case ast.Subscript(value=ast.Name(id="S"), slice=index):
                    if any(isinstance(n, ast.Name) and (n.id in bound or n.id in ("p", "o")) for n in ast.walk(index)):
                        return False
                    if isinstance(index, ast.Slice) or any(isinstance(n, ast.Call) for n in ast.walk(index)):
                        return False
                    out[ast.unparse(node)] = node
                    return True
                case ast.Name(id=name):
                    if name in bound or _CONSTANT.fullmatch(name):
                        return True
                    if name in self._never:
                        return False
                    out[name] = node
                    return True
                case ast.Call(func=func, args=args, keywords=keywords):
                    if isinstance(func, ast.Name) and not _PURE.fullmatch(func.id):
                        return False
                    if not isinstance(func, ast.Name | ast.Attribute):
                        return False
                    if isinstance(func, ast.Attribute) and not (func.attr in _METHODS and visit(func.value, bound)):
                        return False
                    return all(visit(a, bound) for a in [*args, *(k.value for k in keywords)])
                case ast.Lambda(args=arguments, body=body):
                    return visit(body, bound | {a.arg for a in arguments.args})
                case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                    names = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
                    inner = bound | names
                    return visit(node.elt, inner) and all(
                        visit(g.iter, inner) and all(visit(i, inner) for i in g.ifs) for g in node.generators
                    )
                case ast.NamedExpr() | ast.Attribute() | ast.JoinedStr():
                    return False
            return all(visit(child, bound) for child in ast.iter_child_nodes(node))

        return out if visit(x, frozenset()) else None

    def _table(self, x: ast.expr, atoms: dict[str, ast.expr]) -> ast.expr:
        names = {text: f"k{at}" for at, text in enumerate(atoms)}
        body = _Replaced(names).visit(_copy(x))
        # Numbers of loops would make equal expressions look different.
        text = ast.unparse(body)
        for at, name in enumerate(dict.fromkeys(re.findall(r"\b[a-z]\d+\b", text))):
            if not name.startswith("k"):
                text = re.sub(rf"\b{name}\b", f"e{at}", text)
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = f"E{len(self._names)}"
            arguments = ", ".join(names.values())
            sort = "Known" if len(names) == 1 else "KnownBy"
            self.tables += ast.parse(f"{name} = {sort}(lambda {arguments}: None)").body
            made = self.tables[-1]
            assert isinstance(made, ast.Assign) and isinstance(made.value, ast.Call)
            work = made.value.args[0]
            assert isinstance(work, ast.Lambda)
            work.body = body
            for node in ast.walk(made):
                ast.copy_location(node, x)
        keys = list(atoms.values())
        index = keys[0] if len(keys) == 1 else ast.copy_location(ast.Tuple(keys, ast.Load()), x)
        table = ast.copy_location(ast.Name(name, ast.Load()), x)
        return ast.copy_location(ast.Subscript(table, index, ast.Load()), x)


def _is_slow(node: ast.AST) -> bool:
    """Whether there is a loop in it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("most_set", "most_list")
    return isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp)


class _Replaced(ast.NodeTransformer):
    """Atoms replaced by names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "S":
            return ast.copy_location(ast.Name(self.names[ast.unparse(node)], ast.Load()), node)
        if isinstance(node, ast.Name) and node.id in self.names:
            return ast.copy_location(ast.Name(self.names[node.id], node.ctx), node)
        return self.generic_visit(node)


def _copy(node: Any) -> Any:
    """A copy of a piece of code; copy.deepcopy is ten times slower."""
    made = node.__class__.__new__(node.__class__)
    for name, value in node.__dict__.items():
        if isinstance(value, ast.AST):
            value = _copy(value)
        elif isinstance(value, list):
            value = [_copy(v) if isinstance(v, ast.AST) else v for v in value]
        setattr(made, name, value)
    return made


# ------------------------------------------------------------------ loops


def _at(node: ast.AST, made: Any) -> Any:
    """New code with the line of the old."""
    for inner in ast.walk(made):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return made


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
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[ast.Starred(value=ast.ListComp() as listed), *more])):
                out += _listed(name, listed, more)
                continue
            case ast.For(
                iter=ast.Subscript(
                    value=ast.Name(id="BITS"),
                    slice=ast.Call(func=ast.Name(id="sum"), args=[ast.ListComp(elt=ast.BinOp(op=ast.LShift())) as listed]),
                ) as source
            ):
                # Members of one set: all the bits are different.
                out.append(_at(listed, ast.Assign([ast.Name("bits", ast.Store())], ast.Constant(0))))
                add = ast.AugAssign(ast.Name("bits", ast.Store()), ast.BitOr(), listed.elt)
                out += _loops(listed, [_at(listed, add)])
                source.slice = _at(listed, ast.Name("bits", ast.Load()))
        out.append(statement)
    return out


def _listed(name: str, listed: ast.ListComp, more: list[ast.expr]) -> list[ast.stmt]:
    """`name = [*[...], a, b]` as loops."""
    start = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))

    def add(item: ast.expr) -> ast.stmt:
        method = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        return ast.Expr(ast.Call(method, [item], []))  # type: ignore[no-any-return]

    ends = [_at(listed, add(item)) for item in more]
    return [_at(listed, start), *_loops(listed, [_at(listed, add(listed.elt))]), *ends]


def _rename(made: ast.AST, inner: Iterable[ast.AST]) -> None:
    """In a function, the code of a piece must not have the name of another function."""
    for node in (made, *inner):
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and re.fullmatch(r"c\d+", name.id):
                name.id = f"e{name.id}"


def _loops(made: ast.ListComp | ast.GeneratorExp, inner: list[ast.stmt]) -> list[ast.stmt]:
    """The loops and tests of a comprehension around some statements."""
    _rename(made, inner)
    body = inner
    for generator in reversed(made.generators):
        tests = list(generator.ifs)
        while tests:
            test = tests.pop()
            parts = [*test.values] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            match parts[-1]:
                case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=ast.Constant(value=True)) as some]) if (
                    len(some.generators) == 1
                ):
                    # Found one: that is enough.
                    body = _loops(some, [*body, _at(made, ast.Break())])
                    parts.pop()
            if parts:
                both = parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)
                body = [_at(made, ast.If(both, body, []))]
        match generator:
            case ast.comprehension(
                target=ast.Name() as target, iter=ast.ListComp(elt=ast.Name(id=name), generators=[source])
            ) if isinstance(source.target, ast.Name) and source.target.id == name:
                # A list that is only gone through: go through what it is made from.
                same = ast.Assign([target], ast.Name(name, ast.Load()))
                listed = generator.iter
                assert isinstance(listed, ast.ListComp)
                body = _loops(listed, [_at(made, same), *body])
            case _:
                body = [_at(made, ast.For(generator.target, generator.iter, body, []))]
    return body


def refer(body: Sequence[ast.stmt], data: dict[str, Any]) -> list[ast.stmt]:
    """A loop that only lists the pieces of a place is a look-up; a draw nobody looks at needs no list at all."""
    out: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            statement.body = refer(statement.body, data)
            statement.orelse = refer(statement.orelse, data)
        match statement:
            case ast.For(
                target=ast.Name(id=code),
                iter=ast.Subscript(value=ast.Name(id=table), slice=pile),
                body=[
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                            args=[
                                ast.BinOp(
                                    left=ast.BinOp(left=slot, op=ast.LShift(), right=ast.Constant(value=16)),
                                    op=ast.BitOr(),
                                    right=ast.Name(id=also),
                                )
                            ],
                        )
                    )
                ],
            ) if table.startswith("CD_") and also == code:
                places = ast.Subscript(ast.Name(f"RF_{table[3:]}", ast.Load()), slot, ast.Load())
                found = ast.Subscript(places, pile, ast.Load())
                out.append(_at(statement, ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), found)))
                continue
            case ast.Assign(
                targets=[ast.Name(id="drawn")], value=ast.Call(func=ast.Name(id="draw_pieces"), args=[_, *args])
            ):
                call = ast.Call(ast.Name("draw_unseen", ast.Load()), args[:-1], [])
                out.append(_at(statement, ast.Expr(call)))
                continue
        out.append(statement)
    return out


def _refs(data: dict[str, Any]) -> list[ast.stmt]:
    """The tables of pieces by place and pile."""
    out: list[ast.stmt] = []
    for number, kind in enumerate(data["kinds"].values()):
        if kind["pieces"]:
            text = f"RF_{number} = [Refs(CD_{number}, slot) for slot in range({_places(data).stop})]"
            out += ast.parse(text).body
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


def _loose_slots(functions: dict[str, ast.FunctionDef], data: dict[str, Any]) -> set[int]:
    """Slots of rules' own names that are set by a loop and used nowhere but inside it."""
    uses: dict[int, int] = {}
    inside: dict[int, int] = {}
    for function in functions.values():
        for node in ast.walk(function):
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
                        for n in ast.walk(part)
                    )
    first = data["locals"]
    return {slot for slot, count in inside.items() if slot >= first and uses[slot] == count}


# ------------------------------------------------------------------ counting work


def counted_late(body: list[ast.stmt]) -> list[ast.stmt]:
    """Work is counted between two questions: not where the next thing is a question."""
    out: list[ast.stmt] = []
    for at, statement in enumerate(body):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="step"))) if _asks(body[at + 1 :]):
                for later in body[at + 1 :]:
                    if isinstance(later, ast.If) and later.body and isinstance(later.body[-1], ast.Return):
                        later.body.insert(0, _copy(statement))
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


# ------------------------------------------------------------------ fewer jumps


def _jump(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Return(value=ast.Name(id=name)) if re.fullmatch(r"b\d+", name):
            return name
    return None


def _references(bodies: dict[str, list[ast.stmt]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for body in bodies.values():
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Return):
                    name = _jump(node)
                    if name is not None:
                        out[name] = out.get(name, 0) + 1
    return out


def _size(body: Iterable[ast.stmt]) -> int:
    total = 0
    for statement in body:
        total += 1
        if isinstance(statement, ast.If | ast.For):
            total += _size(statement.body) + _size(statement.orelse)
    return total


def join(name: str, bodies: dict[str, list[ast.stmt]], counts: dict[str, int]) -> list[ast.stmt]:
    """A function with the blocks it jumps to written in place of the jumps."""
    room = _ROOM

    def written(body: Sequence[ast.stmt], stack: tuple[str, ...]) -> list[ast.stmt]:
        nonlocal room
        out: list[ast.stmt] = []
        for statement in body:
            goal = _jump(statement)
            if goal is not None and goal in bodies and goal not in stack and len(stack) < _DEPTH:
                size = _size(bodies[goal])
                if size <= room and (size <= _SHORT or counts.get(goal, 0) == 1):
                    room -= size
                    out += written(bodies[goal], (*stack, goal))
                    continue
            if isinstance(statement, ast.If | ast.For):
                made = _copy_shell(statement)
                made.body = written(statement.body, stack)
                made.orelse = written(statement.orelse, stack)
                out.append(made)
            else:
                out.append(_copy(statement))
        return out

    return written(bodies[name], (name,))


def _copy_shell(statement: ast.If | ast.For) -> Any:
    made: Any = statement.__class__.__new__(statement.__class__)
    for name, value in statement.__dict__.items():
        if isinstance(value, ast.AST):
            value = _copy(value)
        setattr(made, name, value)
    return made


def _stored(statement: ast.stmt) -> int | None:
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot)))], value=ast.Constant()
        ):
            return slot
    return None


def without_lost_stores(body: list[ast.stmt]) -> list[ast.stmt]:
    """Without a store of a fixed value that the next statement overwrites."""
    out: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            statement.body = without_lost_stores(statement.body)
            statement.orelse = without_lost_stores(statement.orelse)
        slot = _stored(statement)
        if out and slot is not None and _stored(out[-1]) == slot:
            out.pop()
        out.append(statement)
    return out


# ------------------------------------------------------------------ reading once


def _places(data: dict[str, Any]) -> range:
    """The slots of all places."""
    slots = [s for h in data["holds"] for s in (h["slot"], h["slot"] + h["size"])]
    return range(min(slots, default=0), max(slots, default=0))


def _lone_slots(data: dict[str, Any]) -> set[int]:
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
                old = _get(parent, field, index)
                target = ast.copy_location(ast.Name(name, ast.Store()), old)
                _set(parent, field, index, ast.copy_location(ast.NamedExpr(target, old), old))
            for parent, field, index in value.again:
                old = _get(parent, field, index)
                _set(parent, field, index, ast.copy_location(ast.Name(name, ast.Load()), old))

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
        return env

    def _note(self, statement: ast.Assign, env: Env) -> None:
        """A slot that was just set is known."""
        match statement.targets:
            case [ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) as target]:
                if slot in self.lone and not isinstance(statement.value, ast.Constant):
                    value = _Value((statement, "targets", None), frozenset({slot}), frozenset(), False)
                    self.values.append(value)
                    env[_text(target) or ""] = value

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
        for inner in ast.walk(node):
            match inner:
                case ast.Name(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                    self._forget_target(inner, env)
                case ast.Call() if not _reads_only(inner):
                    env.clear()

    # ---- expressions

    def _visit(self, parent: Any, field: str, index: int | None, x: ast.expr, env: Env, certain: bool) -> None:
        """Look through an expression in the order it is worked out."""
        text = _text(x)
        if text is not None and isinstance(x, ast.Subscript | ast.BinOp):
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
                # Only the first source is worked out here, where nothing can be named; the rest is a function of its own.
                self._visit(x.generators[0], "iter", None, x.generators[0].iter, env, False)
                return
            case ast.Compare(comparators=[_, _, *_]):
                return
            case ast.Call():
                for name, value in ast.iter_fields(x):
                    self._field(x, name, value, env, certain)
                if not _reads_only(x):
                    env.clear()
                return
        for name, value in ast.iter_fields(x):
            self._field(x, name, value, env, certain)
        if text is not None and certain and _worth(x):
            slots, names, other = _depends(x, self.lone)
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


def _reads_only(call: ast.Call) -> bool:
    """Whether a call changes nothing of the state."""
    if isinstance(call.func, ast.Name):
        if _READS_ONLY.fullmatch(call.func.id) or _PURE.fullmatch(call.func.id):
            return True
        return not any(isinstance(a, ast.Name) and a.id in ("S", "p") for a in call.args)
    return True


def _get(parent: Any, field: str, index: int | None) -> Any:
    value = getattr(parent, field)
    return value if index is None else value[index]


def _set(parent: Any, field: str, index: int | None, value: ast.expr) -> None:
    if index is None:
        setattr(parent, field, value)
    else:
        getattr(parent, field)[index] = value


def _worth(x: ast.expr) -> bool:
    """Whether reading it twice costs more than keeping it: any look-up, and sums of them."""
    if isinstance(x, ast.Subscript):
        return True
    return isinstance(x, ast.BinOp) and any(isinstance(n, ast.Subscript) for n in ast.walk(x))


def _text(x: ast.AST) -> str | None:
    """A name for a value made of look-ups and sums; None for anything else."""
    match x:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=index) if name == "S" or _CONSTANT.fullmatch(name):
            inner = _text(index)
            return f"{name}[{inner}]" if inner is not None else None
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _text(left), _text(right)
            return f"({a} {op.__class__.__name__} {b})" if a is not None and b is not None else None
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            a = _text(operand)
            return f"~{a}" if a is not None else None
        case ast.Tuple(elts=elts):
            parts = [_text(e) for e in elts]
            return f"({', '.join(p for p in parts if p)})" if all(parts) else None
    return None


def _depends(x: ast.expr, lone: set[int]) -> tuple[frozenset[int], frozenset[str], bool]:
    """The slots and names a value depends on, and whether it depends on slots reached by counting."""
    slots: set[int] = set()
    names: set[str] = set()
    other = False
    for node in ast.walk(x):
        match node:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if slot in lone:
                slots.add(slot)
            case ast.Subscript(value=ast.Name(id="S")):
                other = True
            case ast.Name(id=name):
                names.add(name)
    return frozenset(slots), frozenset(names), other
