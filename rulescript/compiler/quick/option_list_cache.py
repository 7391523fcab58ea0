"""Lists of pieces to choose from, kept from one choice to the next (for compiler/quick/search_form.py).

Whoever moves pieces one after the other is asked again and again, and each time the list of all that can still be
moved is nearly the one before. So it is kept with the position, in a slot of its own:

* When the last piece of its sort leaves a place, the one option that named it is taken out of the list.
* When a piece comes to a place the list looks at, and when anything else changes that the list depends on, the slot
  is emptied, and the list is made anew when it is asked for.

That a piece leaves means nothing more only if the list is made in a simple way: for each of some places the sorts of
pieces there (`CA_4[52 + h][S[52 + h] & mask]`), with conditions that do not ask about pieces. A list is kept only if
some answer takes pieces away without emptying the slot.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulescript.compiler.quick.presence_masks import Presence
from rulescript.compiler.quick.slot_cache import Extent, factors, is_simple, stores
from rulescript.compiler.quick.trees import CONSTANT, PURE, Names, codes_given, copied, fields, placed, walk

__all__ = ["Listing"]

# Calls that change nothing a list depends on: dice, and picks of several pieces (but see `_noted`).
_HARMLESS = re.compile(r"[bcpfrt]\d+\w*|roll|many_\w+|stale|step|too_long|bounded|no_row|len|str|hits\w*")


class _List:
    """A list that is kept."""

    def __init__(self, slot: int, hard: frozenset[int], piles: range, fixed: int) -> None:
        self.slot = slot
        self.hard = hard  # what it depends on besides pieces
        self.piles = piles  # the places it looks at
        self.fixed = fixed  # the counters that can matter, whatever the state


class _Unknown(Exception):
    """Not a list that can be kept."""


class Listing:
    """Finds the lists, keeps them and empties their slots."""

    def __init__(
        self,
        functions: dict[str, ast.FunctionDef],
        constants: dict[str, ast.expr],
        data: dict[str, Any],
        extent: Extent,
        presence: Presence,
        first: int,
    ) -> None:
        self.functions = functions
        self.extent = extent
        self.presence = presence
        self.first = first
        self.constants = constants
        self.fields = {
            f"UN_{at}": [((1 << width) - 1) << offset for offset, width in kind["fields"]]
            for at, kind in enumerate(data["kinds"].values())
            if kind["pieces"]
        }
        self.lists: dict[str, _List] = {}
        self._found: list[tuple[list[ast.stmt], ast.Assign, _List]] = []
        for name, function in functions.items():
            if name[0] in "bc":
                self._look(function.body)
        self._choose()

    @property
    def slots(self) -> range:
        return range(self.first, self.first + len(self.lists))

    def begun(self) -> list[str]:
        """Lines of `begin`."""
        return [f"    S += [None] * {len(self.lists)}"] if self.lists else []

    def keep(self) -> None:
        """Use the slots, and empty them wherever a list may have become wrong."""
        if not self.lists:
            return
        for body, statement, listed in self._found:
            _kept(body, statement, listed.slot)
        for name, function in self.functions.items():
            if name[0] in "bcp":
                function.body = self._body(function.body, {}, {})

    # ---- which lists

    def _look(self, body: list[ast.stmt]) -> None:
        known: dict[str, ast.expr] = {}
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if re.fullmatch(r"i\d+", name):
                    known[name] = Names(known).visit(copied(value))
                case ast.Assign(targets=[ast.Name(id="o")], value=value) if _lists_pieces(value):
                    self._candidate(body, statement, Names(known).visit(copied(value)))
                case ast.If() | ast.For() | ast.While():
                    for node in walk(statement) if known else ():
                        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                            known.pop(node.id, None)
                    self._look(statement.body)
                    self._look(statement.orelse)

    def _candidate(self, body: list[ast.stmt], statement: ast.Assign, whole: ast.expr) -> None:
        text = ast.unparse(whole)
        listed = self.lists.get(text)
        if listed is None:
            try:
                hard, piles, fixed = _Made(self, whole).depends()
            except _Unknown:
                return
            listed = self.lists[text] = _List(0, hard, piles, fixed)
        self._found.append((body, statement, listed))

    def _choose(self) -> None:
        """Keep the lists that an answer can leave in use, each in a slot of its own."""
        safe = bool(self.lists) and all(self._is_safe(f) for name, f in self.functions.items() if name[0] in "bcp")
        useful = {id(listed) for listed in self.lists.values() if safe and self._is_useful(listed)}
        self.lists = {text: listed for text, listed in self.lists.items() if id(listed) in useful}
        self._found = [found for found in self._found if id(found[2]) in useful]
        for at, listed in enumerate(self.lists.values()):
            listed.slot = self.first + at

    def _is_safe(self, function: ast.FunctionDef) -> bool:
        """Whether calls that change the state are statements of their own."""
        for statement in walk(function):
            match statement:
                case ast.If(test=header) | ast.For(iter=header) | ast.While(test=header):
                    if _unknown_calls(header) or _noted(header):
                        return False
        return True

    def _is_useful(self, listed: _List) -> bool:
        for name, function in self.functions.items():
            if name[0] == "c":
                seen: set[str] = set()
                leaves = False
                for happens in self._happens(function, listed, seen):
                    if happens == "empty":
                        break
                    leaves = leaves or happens == "left"
                else:
                    if leaves:
                        return True
        return False

    def _happens(self, function: ast.FunctionDef, listed: _List, seen: set[str]) -> Iterator[str]:
        """What an answer does to a list, with the procedures it calls."""
        seen.add(function.name)
        for statement, where, codes, always in self._statements(function.body, {}, {}, True):
            if self._empties(statement, listed, where, codes):
                if always:
                    yield "empty"
            elif self._leaves(statement, listed, where) is not None:
                yield "left"
            for node in walk(statement) if always and not isinstance(statement, ast.If | ast.For | ast.While) else ():
                match node:
                    case ast.Call(func=ast.Name(id=called)) if called[0] == "p" and called not in seen:
                        if called in self.functions:
                            yield from self._happens(self.functions[called], listed, seen)

    def _statements(
        self, body: Sequence[ast.stmt], where: dict[str, range], codes: dict[str, int], always: bool
    ) -> Iterator[tuple[ast.stmt, dict[str, range], dict[str, int], bool]]:
        """All statements, with what is known there and whether they are always come to. "No more" is another matter:
        it does not lead to the list again."""
        for statement in body:
            yield statement, where, codes, always
            if isinstance(statement, ast.If | ast.For | ast.While):
                last = isinstance(statement, ast.If) and ast.unparse(statement.test) == "o < 0"
                if not last:
                    yield from self._statements(statement.body, *_inside(statement, where, codes), False)
                yield from self._statements(statement.orelse, *_inside(statement, where, codes), last and always)
            self._after(statement, where, codes)

    # ---- what changes them

    def _body(self, body: Sequence[ast.stmt], where: dict[str, range], codes: dict[str, int]) -> list[ast.stmt]:
        """Statements with what they mean for the lists. `where`: the slots a name may stand for; `codes`: the
        counters a name may stand for."""
        out: list[ast.stmt] = []
        waiting = list(body)
        while waiting:
            statement = waiting.pop(0)
            out.append(statement)
            wrong = [x.slot for x in self.lists.values() if self._empties(statement, x, where, codes)]
            left = [x for x in self.lists.values() if self._leaves(statement, x, where) is not None]
            if isinstance(statement, ast.If | ast.For | ast.While):
                statement.body = self._body(statement.body, *_inside(statement, where, codes))
                statement.orelse = self._body(statement.orelse, *_inside(statement, where, codes))
                if wrong:
                    statement.body.insert(0, _emptied(statement, wrong))
            elif wrong and not (waiting and self._empty_again(waiting[0], wrong, where, codes)):
                out.append(_emptied(statement, wrong))
            if left:
                slot, units, code = self._leaves(statement, left[0], where) or ("", "", "")
                lines = [f"if not S[{slot}] & FM_{units[3:]}[{code}]:", f"    gone = {slot} << 16 | {code}"]
                for x in left:
                    # Somebody else may have the list as it was.
                    lines += [f"    listed = S[{x.slot}]", "    if listed is not None and gone in listed:"]
                    lines += [f"        listed = S[{x.slot}] = listed[:]", "        listed.remove(gone)"]
                test = placed(statement, ast.parse("\n".join(lines)).body[0])
                out.append(test)
                if waiting and _is_presence(waiting[0], slot, code):
                    # Nothing of its sort is left: only then can there be none of its side.
                    test.body.append(waiting.pop(0))
            self._after(statement, where, codes)
        return out

    def _empty_again(
        self, statement: ast.stmt, wrong: list[int], where: dict[str, range], codes: dict[str, int]
    ) -> bool:
        """Whether the next statement empties the same slots anyway."""
        if not is_simple(statement):
            return False
        return all(self._empties(statement, x, where, codes) for x in self.lists.values() if x.slot in wrong)

    def _after(self, statement: ast.stmt, where: dict[str, range], codes: dict[str, int]) -> None:
        """Note what names stand for after a statement."""
        for node in walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                where.pop(node.id, None)
                codes.pop(node.id, None)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.BinOp() as value):
                found = self._range(value, {})
                if found is not None:
                    where[name] = found
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                counters = self._counters(codes_given(value, self.constants))
                if counters is not None:
                    codes[name] = counters

    def _counters(self, codes: list[int] | None) -> int | None:
        """The counters of some codes, where there is but one kind of pieces."""
        if codes is None or len(self.fields) != 1:
            return None
        kind = next(iter(self.fields.values()))
        out = 0
        for code in codes:
            if not 0 <= code < len(kind):
                return None
            out |= kind[code]
        return out

    def _range(self, index: ast.expr, where: dict[str, range]) -> range | None:
        match index:
            case ast.Constant(value=int(slot)):
                return range(slot, slot + 1)
            case ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add()) if slot in self.extent.group:
                return self.extent.group[slot]
            case ast.Name(id=name):
                return where.get(name, self.extent.places)
        return None

    def _touched(self, index: ast.expr, where: dict[str, range]) -> range:
        found = self._range(index, where)
        return self.extent.of(index) if found is None else found

    def _leaves(self, statement: ast.stmt, listed: _List, where: dict[str, range]) -> tuple[str, str, str] | None:
        """`S[i] -= UN_4[c]`: the names, if it may take a piece from a list."""
        match statement:
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id=slot) as index),
                op=ast.Sub(),
                value=ast.Subscript(value=ast.Name(id=units), slice=ast.Name(id=code)),
            ) if units in self.fields and _meet(self._touched(index, where), listed.piles):
                return slot, units, code
        return None

    def _empties(self, statement: ast.stmt, listed: _List, where: dict[str, range], codes: dict[str, int]) -> bool:
        """Whether a list may be wrong after a statement."""
        if self._leaves(statement, listed, where) is not None:
            return False
        if not isinstance(statement, ast.If | ast.For | ast.While):
            for call in _unknown_calls(statement):
                match call:
                    case ast.Call(func=ast.Name(id="draw_pieces"), args=[_, _, _, source, _, target, *_]):
                        if any(_meet(self._touched(x, where), listed.piles) for x in (source, target)):
                            return True
                    case _:
                        return True
            if _noted(statement) & listed.hard:
                return True
        match statement:
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id="S")),
                op=ast.Add(),
                value=ast.Subscript(value=ast.Name(id=units), slice=ast.Name(id=code)),
            ) if units in self.fields and code in codes and not codes[code] & listed.fixed:
                return False
        for index in stores(statement):
            slots = self._touched(index, where)
            if _meet(slots, listed.piles) or any(slot in slots for slot in listed.hard):
                return True
        return False


class _Made:
    """How a list is made, and what it depends on."""

    def __init__(self, listing: Listing, whole: ast.expr) -> None:
        self.listing = listing
        self.whole = whole
        self.hard: set[int] = set()
        self.pile = ""  # the pieces of a place that are listed
        self.sorts: set[str] = set()  # by which sorts

    def depends(self) -> tuple[frozenset[int], range, int]:
        match self.whole:
            case ast.ListComp() as listed:
                pass
            case ast.List(elts=[ast.Starred(value=ast.ListComp() as listed), *more]):
                for item in more:
                    self._visit(item, frozenset())
            case _:
                raise _Unknown
        *outer, last = listed.generators
        match listed.elt, last:
            case (ast.Name(id=elt), ast.comprehension(target=ast.Name(id=target), iter=source, ifs=[])) if (
                elt == target
            ):
                pass
            case _:
                raise _Unknown
        if isinstance(source, ast.IfExp) and isinstance(source.orelse, ast.Tuple) and not source.orelse.elts:
            self._visit(source.test, frozenset(_targets(outer)))
            source = source.body
        match source:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id=table), slice=place), slice=ast.BinOp(op=ast.BitAnd()) as pile
            ) if table.startswith("CA_"):
                pass
            case _:
                raise _Unknown
        here, *masks = factors(pile)
        match here:
            case ast.Subscript(value=ast.Name(id="S"), slice=index) if ast.unparse(index) == ast.unparse(place):
                piles = self.listing.extent.of(index)
            case _:
                raise _Unknown
        if len(piles) == len(self.listing.extent.every):
            raise _Unknown
        self.pile = ast.unparse(pile)
        self.sorts = {ast.unparse(mask) for mask in masks}
        bound: frozenset[str] = frozenset()
        for generator in outer:
            bound = self._generator(generator, bound, {}, index)
        assert isinstance(index, ast.BinOp | ast.Constant)
        if isinstance(index, ast.BinOp):
            self._visit(index.right, bound)
        for mask in masks:
            self._visit(mask, bound)
        fixed = -1
        for mask in masks:
            value = self.listing.constants.get(mask.id) if isinstance(mask, ast.Name) else mask
            if isinstance(value, ast.Constant) and isinstance(value.value, int):
                fixed &= value.value
        return frozenset(self.hard), piles, fixed

    def _generator(
        self, generator: ast.comprehension, bound: frozenset[str], alias: dict[str, ast.expr], index: ast.expr
    ) -> frozenset[str]:
        if not isinstance(generator.target, ast.Name):
            raise _Unknown
        target = generator.target
        match generator.iter:
            case ast.ListComp(elt=ast.Name(id=name), generators=[inner]) if (
                isinstance(inner.target, ast.Name) and inner.target.id == name
            ):
                self._generator(inner, bound, {**alias, name: alias.get(target.id, target)}, index)
            case ast.Subscript(value=ast.Name(id="BITS"), slice=members):
                name = ast.unparse(alias.get(target.id, target))
                for part in factors(members):
                    if not self._is_present(part, name, index):
                        self._visit(part, bound)
            case source:
                self._visit(source, bound)
        inside = bound | {target.id}
        for test in generator.ifs:
            for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
                asked = part
                match part:
                    case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]):
                        asked = left
                # Whether there is anything to list at all: says nothing new.
                if ast.unparse(Names(alias).visit(copied(asked))) != self.pile:
                    self._visit(part, inside)
        return inside

    def _is_present(self, part: ast.expr, name: str, index: ast.expr) -> bool:
        """Whether a mask says in which places there is anything of a sort that is listed: it says nothing new."""
        presence = self.listing.presence
        if presence.holder is None or ast.unparse(index) != f"{presence.holder.slots.start} + {name}":
            return False
        match part:
            case ast.Subscript(
                value=ast.Name(id="S"), slice=ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add(), right=which)
            ) if slot == presence.first:
                tables = [table for table, masks in presence.masks.items() if masks == presence.sorts]
                return any(f"{table}[{ast.unparse(which)}]" in self.sorts for table in tables)
        return False

    def _visit(self, node: ast.AST, bound: frozenset[str]) -> None:
        """Note what an expression depends on."""
        extent = self.listing.extent
        match node:
            case ast.Name(id=name):
                if name not in bound and not CONSTANT.fullmatch(name):
                    raise _Unknown
                return
            case ast.Subscript(value=ast.Name(id="S"), slice=index):
                match index:
                    case ast.Constant():
                        pass
                    case ast.BinOp(left=ast.Constant(), op=ast.Add(), right=right):
                        self._visit(right, bound)
                    case _:
                        raise _Unknown
                slots = extent.of(index)
                if len(slots) == len(extent.every) or _meet(slots, extent.places):
                    raise _Unknown
                self.hard.update(slots)
                return
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="S")]) if name in self.listing.functions:
                self.hard.update(_key_of(self.listing.functions[name]))
                return
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if PURE.fullmatch(name):
                for argument in args:
                    self._visit(argument, bound)
                return
            case ast.Call() | ast.Lambda() | ast.NamedExpr() | ast.Attribute() | ast.JoinedStr() | ast.comprehension():
                raise _Unknown
        for _, value in fields(node):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST):
                    self._visit(item, bound)


def _lists_pieces(x: ast.expr) -> bool:
    return isinstance(x, ast.List | ast.ListComp) and any(
        isinstance(n, ast.Name) and n.id.startswith("CA_") for n in walk(x)
    )


def _key_of(function: ast.FunctionDef) -> set[int]:
    """All that a rule whose answers are kept depends on."""
    match function.body[0]:
        case ast.Assign(targets=[ast.Name(id="key")], value=ast.Tuple(elts=elts)) if function.name.endswith("_at"):
            out = set()
            for element in elts:
                match element:
                    case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                        out.add(slot)
                    case _:
                        raise _Unknown
            return out
    raise _Unknown


def _targets(generators: Sequence[ast.comprehension]) -> set[str]:
    return {n.id for g in generators for n in walk(g.target) if isinstance(n, ast.Name)}


def _meet(a: range, b: range) -> bool:
    return a.start < b.stop and b.start < a.stop


def _inside(
    statement: ast.If | ast.For | ast.While, where: dict[str, range], codes: dict[str, int]
) -> tuple[dict[str, range], dict[str, int]]:
    """What is known inside a statement: nothing of what a loop sets."""
    where, codes = dict(where), dict(codes)
    if isinstance(statement, ast.For | ast.While):
        for node in walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                where.pop(node.id, None)
                codes.pop(node.id, None)
    return where, codes


def _unknown_calls(node: ast.AST) -> list[ast.Call]:
    """Calls that get the state and may change anything in it."""
    out = []
    for inner in walk(node):
        match inner:
            case ast.Call(func=func, args=args) if any(isinstance(a, ast.Name) and a.id == "S" for a in args):
                if not (isinstance(func, ast.Name) and _HARMLESS.fullmatch(func.id)):
                    out.append(inner)
    return out


def _noted(node: ast.AST) -> set[int]:
    """The slots in which picks of several pieces are noted."""
    out: set[int] = set()
    for inner in walk(node):
        match inner:
            case ast.Call(func=ast.Name(id=name), args=args) if name.startswith("many_"):
                out.update(a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, int))
    return out


def _is_presence(statement: ast.stmt, slot: str, code: str) -> bool:
    match statement:
        case ast.If(test=test):
            return ast.unparse(test) == f"not S[{slot}] & PM_0[{code}]"
    return False


def _emptied(statement: ast.stmt, slots: Sequence[int]) -> ast.stmt:
    targets = " = ".join(f"S[{slot}]" for slot in slots)
    return placed(statement, ast.parse(f"{targets} = None").body[0])  # type: ignore[no-any-return]


def _kept(body: list[ast.stmt], statement: ast.Assign, slot: int) -> None:
    """`o = X` -> `o = S[slot]`, and if there is nothing, `o = X` and `S[slot] = o`."""
    at = body.index(statement)
    first, asked = ast.parse(f"o = S[{slot}]\nif o is None:\n    S[{slot}] = o").body
    assert isinstance(asked, ast.If)
    # Names that only the list uses belong to it.
    inside: list[ast.stmt] = [statement]
    rest = [*body[at + 1 :]]
    begin = at
    while begin > 0:
        match body[begin - 1]:
            case ast.Assign(targets=[ast.Name(id=name)]) if re.fullmatch(r"i\d+", name) and not any(
                isinstance(n, ast.Name) and n.id == name for s in rest for n in walk(s)
            ):
                begin -= 1
                inside.insert(0, body[begin])
            case _:
                break
    asked.body = [*inside, *asked.body]
    body[begin : at + 1] = [placed(statement, first), placed(statement, asked)]
