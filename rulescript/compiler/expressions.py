"""Expressions of the model -> Python expressions.

The hard idea: a condition on the members of a set is turned into arithmetic on whole masks where that can be done
(`mask_of`), and a condition on pieces into a mask of counters (`code_mask`). What remains is tested member by
member. So `Region[control == s and capital]` becomes one `&` of two integers, as an expert would write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from rulescript.analysis.rules import substitute
from rulescript.analysis.types import BOOL, INT, NOTHING, TEXT, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type
from rulescript.compiler.layout import Layout, plain
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime import support

__all__ = ["Compiler", "free_vars"]

# Comparisons of a count that only ask whether it is none.
_EMPTINESS = {(">=", 1): False, (">", 0): False, ("!=", 0): False, ("==", 0): True, ("<", 1): True, ("<=", 0): True}
# Names that mean the same all through a function: the state, constants, and what was named before a loop.
_NAMES = re.compile(r"[A-Za-z_]\w*")
_TEXTS = (TEXT, Maybe(TEXT), ListOf(TEXT), SetOf(TEXT))
_FIXED = re.compile(r"S|PL|BITS|True|False|None|if|else|not|and|or|is|[A-Z]{1,2}_?\d+|i\d+")


def children(x: ir.X) -> list[ir.X]:
    """The expressions directly inside an expression."""
    out: list[ir.X] = []
    for name, is_many in ir.inner_fields(x.__class__):
        value = getattr(x, name)
        if not is_many:
            if value is not None:
                out.append(value)
            continue
        for item in value:
            if isinstance(item, ir.X):
                out.append(item)
            elif item.__class__ is tuple:
                out += [inner for inner in item if isinstance(inner, ir.X)]
    return out


def walk(x: ir.X) -> Iterator[ir.X]:
    """An expression and everything inside it, outermost first and in the order it is written."""
    waiting = [x]
    while waiting:
        x = waiting.pop()
        yield x
        inner = children(x)
        if inner:
            inner.reverse()
            waiting += inner


def free_vars(x: ir.X) -> set[int]:
    """The names an expression uses, by their numbers."""
    found: set[int] = set()
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if x.__class__ is ir.Local:
            found.add(x.var.ident)
        else:
            waiting += children(x)
    return found


class Compiler:
    """Makes Python text; collects the constants it needs."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.constants: dict[str, Any] = {}
        self._known: dict[Any, str] = {}
        self._plain_values: dict[int, tuple[Any, ...]] = {}
        self._labels: dict[str, str] = {}
        self._tables: dict[int, str] = {}
        self._piece_tables: dict[int, str] = {}
        self._static: dict[tuple[str, int], list[Any]] = {}
        self.env: dict[int, str] = {}
        # Whether the text of an option is made, in which pieces are told apart (see runtime/telling.py).
        self.telling = False
        self.function_names: dict[int, str] = {}
        self.route_names: dict[int, str] = {}
        self.table_names: dict[int, str] = {}
        self.heavy = False
        # Pieces a loop goes over: the names of their code and of the thing they stand in.
        self.codes: dict[int, tuple[str, str]] = {}
        self._fresh = 0
        self.remembered: set[str] = set()
        self.nears: dict[str, str] = {}
        self.known: dict[str, str] = {}
        self.hoists: dict[str, str] | None = None
        self.inner = 0
        self._hoisted = 0
        self.base: dict[str, Any] = {name: getattr(support, name) for name in dir(support) if not name.startswith("_")}
        for name, pieces in layout.pieces.items():
            self.constants[f"IT_{self.ident(name)}"] = items = support.Items(pieces.fields)
            self.constants[f"CD_{self.ident(name)}"] = support.Codes(items)
            self.constants[f"CN_{self.ident(name)}"] = support.Counts(items)
            self.constants[f"UN_{self.ident(name)}"] = tuple(pieces.unit(c) for c in range(pieces.codes))
            self.constants[f"FM_{self.ident(name)}"] = tuple(pieces.field(c) for c in range(pieces.codes))
        owners = [0] * len(layout.initial)
        for slot, (_, owner) in layout.place_of_slot.items():
            owners[slot] = owner
        self.constants["PL"] = tuple(owners)

    # -------------------------------------------------------------- small things

    def owners(self, type_: Type) -> str:
        """For every place, the thing of a kind that it belongs to. Another rule may have moved a single thing to a
        place of another kind, or out of the game: then it stands in none, and a rule that goes on with it fails."""
        assert isinstance(type_, ThingOf)
        table: list[int | None] = [None] * (max(self.layout.place_of_slot, default=0) + 2)
        for slot, (holds, owner) in self.layout.place_of_slot.items():
            if holds.owner is not None and holds.owner.name == type_.kind:
                table[slot] = owner
        return self.const(tuple(table), "R")

    def ident(self, kind: str) -> int:
        """A number for a kind: names of the game never reach the generated text."""
        return list(self.game.kinds).index(kind)

    def const(self, value: Any, prefix: str = "K") -> str:
        """The name of a constant."""
        key = (prefix, type(value).__name__, value)
        try:
            if key in self._known:
                return self._known[key]
        except TypeError:
            key = (prefix, "id", id(value))
        name = f"{prefix}{len(self.constants)}"
        self.constants[name] = value
        self._known[key] = name
        return name

    def near(self, table: str) -> str:
        """What a table gives for a whole set, joined and remembered: neighbours, or counters of pieces."""
        name = f"NB{table[1:]}"
        if name not in self.nears:
            self.nears[name] = table
            self.constants[name] = support.Near(self.constants[table])
        return name

    def local(self, var: ir.Var) -> str:
        found = self.env.get(var.ident)
        if found is None:
            found = self.env[var.ident] = f"v{var.ident}"
        return found

    def is_set_of_things(self, type_: Type) -> bool:
        return isinstance(type_, SetOf)

    # -------------------------------------------------------------- inlining

    def expand(self, x: ir.X) -> ir.X:
        """A call of a one-line rule becomes its line, so that masks can be made of it."""
        while isinstance(x, ir.CallX):
            body = self.inline_body(x.function)
            if body is None or not all(_is_simple(a) for a in x.args):
                return x
            x = substitute(body, {p.ident: a for p, a in zip(x.function.params, x.args, strict=True)})
        return self.emptiness(x)

    def emptiness(self, x: ir.X) -> ir.X:
        """A comparison of a count that only asks whether there is any at all: that needs no counting."""
        match x:
            case ir.CompareX(operator=op, left=ir.BuiltinX(name="count", args=(counted,)), right=right):
                limit = self.expand(right)
                if (
                    isinstance(limit, ir.Lit)
                    and isinstance(limit.value, int)
                    and isinstance(counted.type, SetOf | Pile)
                ):
                    if (op, limit.value) in _EMPTINESS:
                        return ir.SomeX(BOOL, x.span, counted, _EMPTINESS[op, limit.value])
        return x

    def inline_body(self, function: m.Function) -> ir.X | None:
        if function.adjustments or self.is_recursive(function):
            return None
        if function.form == "predicate":
            parts = tuple(self.clause_condition(c) for c in function.clauses)
            if len(parts) == 1:
                return parts[0]
            return ir.AndX(BOOL, function.span, parts) if parts else ir.Lit(BOOL, function.span, True)
        block = [s for s in function.block if not isinstance(s, ir.DocS)]
        if len(block) == 1 and isinstance(block[0], ir.ReturnS) and block[0].value is not None:
            return block[0].value
        return None

    def is_recursive(self, function: m.Function) -> bool:
        known: bool | None = getattr(self, "_recursive", {}).get(function.name)
        if known is None:
            table: dict[str, bool] = self.__dict__.setdefault("_recursive", {})
            table[function.name] = True  # while we look
            table[function.name] = known = self._reaches(function, function, set())
        return known

    def _reaches(self, at: m.Function, goal: m.Function, seen: set[str]) -> bool:
        for called in functions_in(at):
            if called is goal:
                return True
            if called.name not in seen:
                seen.add(called.name)
                if self._reaches(called, goal, seen):
                    return True
        return False

    def clause_condition(self, clause: ir.Clause) -> ir.X:
        """A requirement with what limits it and what lifts it."""
        x = clause.condition
        parts: list[ir.X] = []
        if clause.when is not None:
            parts.append(ir.NotX(BOOL, clause.span, clause.when))
        for when, _ in clause.lifted:
            parts.append(when if when is not None else ir.Lit(BOOL, clause.span, True))
        return ir.OrX(BOOL, clause.span, (*parts, x)) if parts else x

    # -------------------------------------------------------------- expressions

    def x(self, x: ir.X) -> str:
        """Python for an expression."""
        code = self._x(x)
        return self.invariant(code) if self.inner and self.hoists is not None else code

    def each(self, x: ir.X) -> str:
        """Python for an expression that is worked out for every element of a loop."""
        self.inner += 1
        try:
            return self.x(x)
        finally:
            self.inner -= 1

    def invariant(self, code: str) -> str:
        """What does not change inside a loop gets a name, set before the loop."""
        if self.hoists is None or code.count("[") < 2 and " & " not in code:
            return code
        if code in self.hoists:
            return self.hoists[code]
        if not all(_FIXED.fullmatch(name) for name in _NAMES.findall(code)):
            return code
        self._hoisted += 1
        name = self.hoists[code] = f"i{self._hoisted}"
        return name

    def hoisted(self, make: Callable[[], str], out: Writer, indent: int) -> str:
        """Make an expression; write what it can use again in front of it."""
        before, self.hoists = self.hoists, {}
        inner, self.inner = self.inner, 0
        try:
            code = make()
            for value, name in self.hoists.items():
                out.line(indent, f"{name} = {value}")
        finally:
            self.hoists, self.inner = before, inner
        return code

    def _x(self, x: ir.X) -> str:
        match x:
            case ir.Lit(value=value):
                return repr(value)
            case ir.ThingLit(index=index):
                return str(index)
            case ir.AllThings(kind=kind):
                return str((1 << kind.size) - 1)
            case ir.Local(var=var):
                return self.local(var)
            case ir.StateX():
                return self.state(x)
            case ir.AttrX(attr=attr, of=of):
                return self.attribute(attr, of)
            case ir.PieceStateX(state=state, of=of):
                pieces = self.layout.pieces[self.kind_of(of.type)]
                table = tuple(pieces.state_of(c, state) for c in range(pieces.codes))
                return f"{self.const(table, 'A')}[{self.code_of(of)}]"
            case ir.PlaceOfX(of=of):
                if isinstance(of.type, PieceOf):
                    if isinstance(of, ir.Local) and of.var.ident in self.codes:
                        return self.codes[of.var.ident][1]
                    return f"PL[{self.x(of)} >> 16]"
                return f"{self.owners(x.type)}[S[{self.plus(self.layout.loc_slot[self.kind_of(of.type)], of)}]]"
            case ir.ContentsX():
                return self.contents(x)
            case ir.LinksX(of=of, kind=kind, sorts=sorts):
                table_name = self.links(kind, sorts)
                if isinstance(of.type, SetOf):
                    return f"{self.near(table_name)}[{self.x(of)}]"
                return f"{table_name}[{self.x(of)}]"
            case ir.FilterX():
                return self.filtered(x)
            case ir.SomeX(source=source, negated=negated):
                return self.some(source, negated)
            case ir.QuantX():
                return self.quantified(x)
            case ir.AggregateX():
                return self.aggregate(x)
            case ir.MostX():
                return self.most(x)
            case ir.AndX(parts=parts):
                return "(" + " and ".join(self.x(p) for p in parts) + ")"
            case ir.OrX(parts=parts):
                return "(" + " or ".join(self.x(p) for p in parts) + ")"
            case ir.NotX(of=of):
                return f"(not {self.x(of)})"
            case ir.ArithX():
                return self.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                a, b = self.x(left), self.x(right)
                match operator:
                    case "+":
                        return f"({a} | {b})"
                    case "-":
                        return f"({a} & ~{b})"
                    case "&":
                        return f"({a} & {b})"
                return f"joined({a}, {b})"
            case ir.CompareX():
                return self.compare(x)
            case ir.InX():
                return self.contained(x)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                return f"({self.x(then)} if {self.x(condition)} else {self.x(otherwise)})"
            case ir.CallX(function=function, args=args):
                expanded = self.expand(x)
                if expanded is not x:
                    return self.x(expanded)
                name = self.function_name(function)
                if name in self.remembered:
                    return self.remembered_call(name, args)
                given = "".join(f", {self.x(a)}" for a in args)
                return f"{name}(S{given})"
            case ir.RouteX(route=route, args=args, target=target):
                name = self.route_name(route)
                if target is None and name in self.remembered:
                    return self.remembered_call(name, args)
                given = "".join(f", {self.x(a)}" for a in args)
                if target is not None:
                    return f"{name}_steps(S{given}, {self.x(target)})"
                return f"{name}(S{given})"
            case ir.TableX(table=table, args=args, shift=shift):
                given = "".join(f", {self.x(a)}" for a in args)
                extra = f", {self.x(shift)}" if shift is not None else ""
                return f"{self.table_name(table)}(S{given}{extra})"
            case ir.BuiltinX():
                return self.builtin(x)
            case ir.SetX(items=items):
                return self.set_of(items)
            case ir.ListX(items=items):
                inner = ", ".join(self.x(i) for i in items)
                return f"({inner}{',' if items else ''})"
            case ir.RangeX(low=low, high=high):
                return str(sum(1 << i for i in range(low, high + 1)))
            case ir.TemplateX():
                return self.text(x)
        raise AssertionError(x)

    def remembered_call(self, name: str, args: Sequence[ir.X]) -> str:
        """A rule whose answers are kept while nothing it reads changes; inside a loop the table is found once."""
        table = f"{name}_at(S)"
        if self.inner and self.hoists is not None:
            if table not in self.hoists:
                self._hoisted += 1
                self.hoists[table] = f"i{self._hoisted}"
            table = self.hoists[table]
        given = ", ".join(self.x(a) for a in args)
        return f"{table}[{given if args else 'None'}]"

    def kind_of(self, type_: Type) -> str:
        match type_:
            case ThingOf(kind) | PieceOf(kind) | Pile(kind):
                return kind
            case SetOf(element) | ListOf(element) | Maybe(element):
                return self.kind_of(element)
        raise AssertionError(type_)

    def plus(self, base: int, of: ir.X) -> str:
        """An index `base + x`, folded where x is fixed."""
        if isinstance(of, ir.ThingLit):
            return str(base + of.index)
        return f"{base} + {self.x(of)}"

    def state(self, x: ir.StateX) -> str:
        slot = self.layout.state_slot[id(x.state)]
        if x.of is None:
            return f"S[{slot}]"
        if self.layout.state_mode[id(x.state)] == "mask":
            return f"(S[{slot}] >> {self.x(x.of)} & 1)"
        return f"S[{self.plus(slot, x.of)}]"

    def attribute(self, attr: m.Attr, of: ir.X) -> str:
        values = self._plain_values.get(id(attr))
        if values is None:
            values = self._plain_values[id(attr)] = tuple(plain(v) for v in attr.values)
        if isinstance(of, ir.ThingLit):
            return repr(values[of.index])
        if isinstance(of.type, PieceOf):
            name = self._piece_tables.get(id(attr))
            if name is None:
                pieces = self.layout.pieces[attr.kind.name]
                # A kind of pieces without any types still has one code, which no piece ever has.
                table = values[: pieces.types] * pieces.combos if values else (0,) * pieces.codes
                name = self._piece_tables[id(attr)] = self.const(table, "A")
            return f"{name}[{self.code_of(of)}]"
        name = self._tables.get(id(attr))
        if name is None:
            name = self._tables[id(attr)] = self.const(values, "A")
        return f"{name}[{self.x(of)}]"

    def code_of(self, piece: ir.X) -> str:
        """The code of a piece: its type and states."""
        if isinstance(piece, ir.Local) and piece.var.ident in self.codes:
            return self.codes[piece.var.ident][0]
        return f"{self.x(piece)} & 65535"

    def fresh(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    def slot(self, x: ir.ContentsX) -> str:
        """The slot of one place."""
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is None:
            return str(base)
        return self.plus(base, x.of)

    def contents(self, x: ir.ContentsX) -> str:
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is not None and isinstance(x.of.type, SetOf):
            # Piles of several places add up; sets of single things are disjoint, so adding joins them too.
            if x.holds.ordered:
                h, i = self.fresh("h"), self.fresh("j")
                return f"sum(1 << {i} for {h} in BITS[{self.x(x.of)}] for {i} in S[{base} + {h}])"
            h = self.fresh("h")
            return f"sum([S[{base} + {h}] for {h} in BITS[{self.x(x.of)}]])"
        return f"S[{self.slot(x)}]"

    def links(self, kind: m.Kind, sorts: tuple[str, ...]) -> str:
        table = [0] * kind.size
        for sort in sorts:
            for i, near in enumerate(kind.links.get(sort, [])):
                for j in near:
                    table[i] |= 1 << j
        return self.const(tuple(table), "L")

    def set_of(self, items: Sequence[ir.X]) -> str:
        fixed = 0
        parts: list[str] = []
        for item in items:
            if isinstance(item, ir.ThingLit):
                fixed |= 1 << item.index
            elif isinstance(item, ir.Lit) and isinstance(item.value, int):
                fixed |= 1 << item.value
            else:
                parts.append(f"bit({self.x(item)})" if item.type == INT else f"1 << {self.x(item)}")
        if fixed or not parts:
            parts.insert(0, str(fixed))
        return "(" + " | ".join(parts) + ")" if len(parts) > 1 else f"({parts[0]})"

    # -------------------------------------------------------------- masks

    def is_static(self, x: ir.X, var: ir.Var) -> bool:
        """Whether a value depends on nothing but fixed facts of one element."""
        for node in walk(x):
            match node:
                case ir.Local(var=other):
                    if other is not var:
                        return False
                case ir.Lit() | ir.ThingLit() | ir.AllThings() | ir.AttrX() | ir.AndX() | ir.OrX() | ir.NotX():
                    pass
                case ir.ArithX() | ir.CompareX() | ir.SetX() | ir.RangeX() | ir.IfX() | ir.LinksX() | ir.PieceStateX():
                    pass
                case ir.InX(source=source) if isinstance(source.type, SetOf):
                    pass
                case ir.SomeX(source=source) if isinstance(source.type, SetOf):
                    pass
                case _:
                    return False
        return True

    def static_values(self, x: ir.X, var: ir.Var, count: int) -> list[Any] | None:
        """The value of a fixed expression for each element, worked out now."""
        before = self.env.get(var.ident)
        self.env[var.ident] = "_i"
        hoists, self.hoists = self.hoists, None
        try:
            code = self.x(x)
            found = self._static.get((code, count))
            if found is None:
                used = set(_NAMES.findall(code))
                scope = {name: known[name] for known in (self.base, self.constants) for name in used if name in known}
                made = eval(f"lambda _i: {code}", scope)
                found = self._static[code, count] = [made(i) for i in range(count)]
            return found
        except Exception:
            return None
        finally:
            self.hoists = hoists
            if before is None:
                self.env.pop(var.ident, None)
            else:
                self.env[var.ident] = before

    def parts_of(self, condition: ir.X | None) -> list[ir.X]:
        """A condition as a list that must all hold."""
        if condition is None:
            return []
        condition = self.expand(condition)
        if isinstance(condition, ir.AndX):
            return [p for part in condition.parts for p in self.parts_of(part)]
        return [condition]

    def mask_of(self, kind: m.Kind, var: ir.Var, x: ir.X) -> str | None:
        """A mask of all members of a kind for which a condition holds; None if it must be tested one by one."""
        x = self.expand(x)
        if var.ident not in free_vars(x):
            return None
        every = (1 << kind.size) - 1
        if self.is_static(x, var):
            values = self.static_values(x, var, kind.size)
            if values is not None:
                return str(sum(1 << i for i, v in enumerate(values) if v))
        match x:
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                made: list[str] = []
                for part in parts:
                    if var.ident not in free_vars(part):
                        made.append(f"({every} if {self.x(part)} else 0)")
                        continue
                    one = self.mask_of(kind, var, part)
                    if one is None:
                        return None
                    made.append(one)
                return "(" + (" & " if isinstance(x, ir.AndX) else " | ").join(made) + ")"
            case ir.NotX(of=of):
                one = self.mask_of(kind, var, of)
                return f"({every} & ~{one})" if one is not None else None
            case ir.StateX(state=state, of=ir.Local(var=v)) if v is var:
                if self.layout.state_mode[id(state)] == "mask":
                    return f"S[{self.layout.state_slot[id(state)]}]"
            case ir.CompareX(operator=op, left=left, right=right) if op in ("==", "!="):
                one = self.equal_mask(kind, var, left, right) or self.equal_mask(kind, var, right, left)
                if one is None:
                    return None
                return one if op == "==" else f"({every} & ~{one})"
            case ir.InX(element=ir.Local(var=v), source=source, negated=negated) if v is var:
                if isinstance(source.type, SetOf) and var.ident not in free_vars(source):
                    inside = self.x(source)
                    return f"({every} & ~{inside})" if negated else inside
        return None

    def equal_mask(self, kind: m.Kind, var: ir.Var, left: ir.X, right: ir.X) -> str | None:
        """``left == right`` where only the left depends on the element."""
        if var.ident in free_vars(right):
            return None
        match left:
            case ir.Local(var=v) if v is var:
                return f"(1 << {self.x(right)})" if not isinstance(right.type, Maybe) else None
            case ir.StateX(state=state, of=ir.Local(var=v)) if v is var:
                if self.layout.state_mode[id(state)] == "dual" and not isinstance(right.type, Maybe):
                    return f"S[{self.plus(self.layout.mask_slot[id(state)], right)}]"
                return None
        if self.is_static(left, var) and var.ident in free_vars(left) and isinstance(left.type, ThingOf):
            if isinstance(right.type, Maybe):
                return None
            values = self.static_values(left, var, kind.size)
            if values is None:
                return None
            size = self.game.kinds[left.type.kind].size
            table = [0] * size
            for i, value in enumerate(values):
                if value is not None:
                    table[value] |= 1 << i
            if isinstance(right, ir.ThingLit):
                return str(table[right.index])
            return f"{self.const(tuple(table), 'M')}[{self.x(right)}]"
        return None

    def code_mask(self, kind: m.Kind, var: ir.Var, x: ir.X) -> str | None:
        """A mask of counters: the codes of pieces for which a condition holds; None if it depends on more."""
        x = self.expand(x)
        pieces = self.layout.pieces[kind.name]
        full = pieces.full
        if var.ident not in free_vars(x):
            return None
        if self.is_static(x, var):
            values = self.static_values(x, var, pieces.codes)
            if values is not None:
                return self.big(sum([mask for mask, v in zip(pieces.masks, values, strict=True) if v]))
        match x:
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                made = []
                for part in parts:
                    if var.ident not in free_vars(part):
                        made.append(f"({self.big(full)} if {self.x(part)} else 0)")
                        continue
                    one = self.code_mask(kind, var, part)
                    if one is None:
                        return None
                    made.append(one)
                return "(" + (" & " if isinstance(x, ir.AndX) else " | ").join(made) + ")"
            case ir.NotX(of=of):
                one = self.code_mask(kind, var, of)
                return f"({self.big(full)} & ~{one})" if one is not None else None
            case ir.CompareX(operator=op, left=left, right=right) if op in ("==", "!="):
                one = self.equal_codes(pieces, full, var, left, right) or self.equal_codes(
                    pieces, full, var, right, left
                )
                if one is None:
                    return None
                return one if op == "==" else f"({self.big(full)} & ~{one})"
            case ir.InX(element=element, source=source, negated=negated) if isinstance(source.type, SetOf):
                if var.ident in free_vars(source) or not self.is_static(element, var):
                    return None
                table = self.codes_by_value(pieces, var, element)
                if table is None:
                    return None
                name = self.const(tuple(table), "M")
                one = f"{self.near(name)}[{self.x(source)}]"
                return f"({self.big(full)} & ~{one})" if negated else one
        return None

    def big(self, value: int) -> str:
        """A large fixed mask by name, a small one in place."""
        return str(value) if value < 1 << 62 else self.const(value, "B")

    def codes_by_value(self, pieces: Any, var: ir.Var, x: ir.X) -> list[int] | None:
        if not isinstance(x.type, ThingOf):
            return None
        values = self.static_values(x, var, pieces.codes)
        if values is None:
            return None
        table = [0] * self.game.kinds[x.type.kind].size
        masks = pieces.masks
        for code, value in enumerate(values):
            if value is not None:
                table[value] |= masks[code]
        return table

    def equal_codes(self, pieces: Any, full: int, var: ir.Var, left: ir.X, right: ir.X) -> str | None:
        if var.ident in free_vars(right) or var.ident not in free_vars(left):
            return None
        if not self.is_static(left, var) or isinstance(right.type, Maybe):
            return None
        table = self.codes_by_value(pieces, var, left)
        if table is not None:
            if isinstance(right, ir.ThingLit):
                return self.big(table[right.index])
            return f"{self.const(tuple(table), 'M')}[{self.x(right)}]"
        values = self.static_values(left, var, pieces.codes)
        if values is None:
            return None
        by: dict[Any, int] = {}
        for code, value in enumerate(values):
            by[value] = by.get(value, 0) | pieces.field(code)
        return f"{self.const(_Fixed(by), 'M')}.get({self.x(right)}, 0)"

    # -------------------------------------------------------------- sources

    def split_source(self, source: ir.X) -> tuple[ir.X, list[tuple[ir.Var, ir.X]]]:
        """What lies under the filters, and the filters."""
        filters: list[tuple[ir.Var, ir.X]] = []
        while isinstance(source, ir.FilterX):
            filters += [(source.var, part) for part in self.parts_of(source.condition)]
            source = source.source
        return source, filters

    def thing_mask(self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]) -> tuple[str, list[ir.X]]:
        """A mask for a set of things under conditions on its element, and the conditions left to test."""
        base, filters = self.split_source(source)
        kind = self.game.kinds.get(self.kind_of(source.type)) if isinstance(_element(source.type), ThingOf) else None
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        masks = [] if isinstance(base, ir.AllThings) and wanted else [self.x(base)]
        left: list[ir.X] = []
        for element, condition in wanted:
            one = self.mask_of(kind, element, condition) if kind is not None else None
            if one is not None:
                masks.append(one)
            else:
                if var is not None and element is not var:
                    condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
                left.append(condition)
        if not masks:
            masks = [self.x(base)]
        return self.joined(masks), left

    def joined(self, masks: list[str]) -> str:
        """Masks that must all hold; inside a loop, those that do not change are joined before it."""
        if self.inner and self.hoists is not None and len(masks) > 1:
            fixed = [k for k in masks if all(_FIXED.fullmatch(name) for name in _NAMES.findall(k))]
            rest = [k for k in masks if k not in fixed]
            if fixed:
                one = fixed[0] if len(fixed) == 1 else "(" + " & ".join(fixed) + ")"
                masks = [*rest, self.invariant(one)]
        return masks[0] if len(masks) == 1 else "(" + " & ".join(masks) + ")"

    def loop(
        self, var: ir.Var, source: ir.X, conditions: Sequence[ir.X], weight: str | None = None
    ) -> tuple[str, list[ir.X]]:
        """``for v in ...`` over a source, and the conditions left to test inside it.

        With `weight`, pieces that are alike come once and that name counts them."""
        self.codes.pop(var.ident, None)
        name = self.local(var)
        match source.type:
            case Pile():
                return self.pile_loop(var, name, source, conditions, weight)
            case SetOf():
                mask, left = self.thing_mask(source, var, conditions)
                return f"for {name} in {self.counted(f'BITS[{mask}]')}", left
        base, filters = self.split_source(source)
        left = [substitute(c, {e.ident: ir.Local(e.type, c.span, var)}) for e, c in filters]
        return f"for {name} in {self.counted(self.x(base))}", [*left, *conditions]

    def counted(self, items: str) -> str:
        """What a loop goes over; counted in play where the rules could go over very much (compiler/work.py)."""
        return f"many({items})" if self.heavy else items

    def pile_parts(
        self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]
    ) -> tuple[ir.ContentsX, str, str | None, list[ir.X]]:
        """A pile's places, the mask of its holders ("" for one place), its mask of counters, and what is left."""
        base, filters = self.split_source(source)
        if not isinstance(base, ir.ContentsX):
            raise AssertionError(base)
        kind = base.holds.kind
        owner = base.holds.owner
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        codes: list[str] = []
        holders: list[str] = []
        tests: list[str] = []
        left: list[ir.X] = []
        many = base.of is not None and isinstance(base.of.type, SetOf)
        place = ir.Var("place", ThingOf(owner.name) if owner else INT, "element", -1)
        h = self.fresh("h")
        for element, condition in wanted:
            one = self.code_mask(kind, element, condition)
            if one is not None:
                codes.append(one)
                continue
            if many and owner is not None:
                moved = _place_only(condition, element, place)
                if moved is not None:
                    mask = self.mask_of(owner, place, moved)
                    if mask is not None:
                        holders.append(mask)
                    else:
                        self.env[place.ident] = h
                        tests.append(self.each(moved))
                    continue
            if var is not None and element is not var:
                condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
            left.append(condition)
        holder = ""
        if many:
            assert base.of is not None
            masks = [*([] if isinstance(base.of, ir.AllThings) and holders else [self.x(base.of)]), *holders]
            holder = f"BITS[{' & '.join(masks)}]"
        codes.sort(key=_cost)
        if holder and codes:
            # The same for every place.
            self.inner += 1
            codes = [self.joined(codes)] if len(codes) > 1 else [self.invariant(codes[0])]
            self.inner -= 1
        if tests:
            # A place is tested only if somebody stands in it who matters.
            inside = f"S[{self.layout.holds_slot[id(base.holds)]} + {h}]" + (f" & {codes[0]}" if codes else "")
            holder = f"[{h} for {h} in {holder} if {inside} and {' and '.join(tests)}]"
        return base, holder, (" & ".join(codes) if codes else None), left

    def pile_loop(
        self, var: ir.Var, name: str, source: ir.X, conditions: Sequence[ir.X], weight: str | None
    ) -> tuple[str, list[ir.X]]:
        if isinstance(self.split_source(source)[0], ir.MostX):
            return f"for {name} in {self.refs(source)}", list(conditions)
        base, holder, codes, left = self.pile_parts(source, var, conditions)
        kind = self.ident(base.holds.kind.name)
        slot = self.layout.holds_slot[id(base.holds)]
        mask = f" & {codes}" if codes else ""
        c = self.fresh("c")
        pair = f"{c}, {weight} in IT_{kind}" if weight else f"{c} in CD_{kind}"
        if holder:
            h = self.fresh("h")
            self.codes[var.ident] = (c, h)
            self.env[var.ident] = f"(({slot} + {h}) << 16 | {c})"
            return f"for {h} in {holder} for {pair}[S[{slot} + {h}]{mask}]", left
        at = self.slot(base)
        self.codes[var.ident] = (c, self.x(base.of) if base.of is not None else "0")
        shifted = str(int(at) << 16) if at.isdigit() else f"({at}) << 16"
        self.env[var.ident] = f"({shifted} | {c})"
        rest: list[ir.X] = []
        for condition in left:
            test = self.known_codes(kind, c, condition)
            if test is None:
                rest.append(condition)
            else:
                mask += f" & {test}"
        return f"for {pair}[S[{at}]{mask}]", rest

    def known_codes(self, kind: int, code: str, condition: ir.X) -> str | None:
        """A mask of the codes for which a condition holds, remembered by the values it is tested against.

        Only for a condition that looks at a piece's code, constants and what does not change inside the loop."""
        if self.hoists is None:
            return None
        before = dict(self.hoists)
        test = self.each(condition)
        names = set(_NAMES.findall(test))
        given = sorted(name for name in names if re.fullmatch(r"i\d+", name))
        tables = [name for value, name in self.hoists.items() if value.endswith("_at(S)")]
        fixed = all(_FIXED.fullmatch(name) or name == code for name in names - {"S"})
        if "S" in names or code not in names or not fixed or not 0 < len(given) <= 2 or any(g in tables for g in given):
            self.hoists = before
            return None
        worked = f"lambda {', '.join(given)}: sum([FM_{kind}[{code}] for {code} in range(len(FM_{kind})) if {test}])"
        # Names of this loop would make equal tables look different.
        for at, name in enumerate([*given, code]):
            worked = re.sub(rf"\b{name}\b", f"k{at}", worked)
        table = self.known.get(worked)
        if table is None:
            table = self.known[worked] = f"KN{len(self.known)}"
        return f"{table}[{', '.join(given)}]"

    def refs(self, source: ir.X) -> str:
        """A tuple of piece references for a pile, alike ones repeated; or the members of a list or set."""
        base, filters = self.split_source(source)
        if isinstance(base, ir.MostX):
            inner = base
            loop, left = self.loop(inner.var, inner.source, ())
            test = "".join(f" if {self.each(c)}" for c in left)
            listed = f"[{self.local(inner.var)} {loop}{test}]"
            name = self.as_name(inner.var)
            sign = 1 if inner.direction == "most" else -1
            return f"most_list({listed}, lambda {name}: {self.each(inner.by)}, {sign})"
        if isinstance(source.type, SetOf):
            return f"BITS[{self.x(source)}]"
        if isinstance(source.type, ListOf):
            return self.x(source)
        var = ir.Var("each", PieceOf(self.kind_of(source.type)), "element", -2)
        loop, left = self.loop(var, source, (), "n_")
        test = "".join(f" if {self.each(c)}" for c in left)
        return f"tuple([{self.local(var)} {loop}{test} for _ in range(n_)])"

    def as_name(self, var: ir.Var) -> str:
        """A plain name for an element, no longer the code and place of a loop."""
        self.codes.pop(var.ident, None)
        name = self.env[var.ident] = f"v{var.ident}"
        return name

    def loops(self, picks: Sequence[tuple[ir.Var, ir.X]], condition: ir.X | None, weight: str | None = None) -> str:
        """``for a in A for b in B if ...`` with every condition tested as early as it can be."""
        parts = self.parts_of(condition)
        out: list[str] = []
        names = [var.ident for var, _ in picks]
        for at, (var, source) in enumerate(picks):
            later = set(names[at + 1 :])
            ready = [c for c in parts if not (free_vars(c) & later)]
            parts = [c for c in parts if free_vars(c) & later]
            self.inner += 1 if at else 0
            text, left = self.loop(var, source, ready, weight if at == len(picks) - 1 else None)
            self.inner -= 1 if at else 0
            out.append(text + "".join(f" if {self.each(c)}" for c in left))
        return " ".join(out)

    # -------------------------------------------------------------- the larger forms

    def filtered(self, x: ir.FilterX) -> str:
        match x.type:
            case SetOf():
                mask, left = self.thing_mask(x, None, ())
                if not left:
                    return mask
                var = x.var
                mask, left = self.thing_mask(x, var, ())
                name = self.local(var)
                test = " and ".join(self.each(c) for c in left)
                return f"sum([1 << {name} for {name} in BITS[{mask}] if {test}])"
            case Pile():
                base, holder, codes, left = self.pile_parts(x, None, ())
                if left:
                    return self.slow_pile(x)
                mask = f" & {codes}" if codes else ""
                slot = self.layout.holds_slot[id(base.holds)]
                if holder:
                    h = self.fresh("h")
                    return f"sum([S[{slot} + {h}]{mask} for {h} in {holder}])"
                return f"(S[{self.slot(base)}]{mask})"
        loop, left = self.loop(x.var, x, ())
        test = "".join(f" if {self.each(c)}" for c in left)
        return f"tuple([{self.local(x.var)} {loop}{test}])"

    def slow_pile(self, x: ir.FilterX) -> str:
        """A pile whose condition must be tested piece by piece."""
        var = x.var
        loop, left = self.loop(var, x, (), "n_")
        kind = self.ident(self.kind_of(x.type))
        test = "".join(f" if {self.each(c)}" for c in left)
        code = self.code_of(ir.Local(var.type, x.span, var))
        return f"sum([n_ * UN_{kind}[{code}] {loop}{test}])"

    def some(self, source: ir.X, negated: bool) -> str:
        match source.type:
            case SetOf():
                mask, left = self.thing_mask(source, None, ())
                if not left:
                    return f"({mask} {'==' if negated else '!='} 0)"
            case Pile():
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.pile_parts(source, None, ())
                    if not left:
                        mask = f" & {codes}" if codes else ""
                        slot = self.layout.holds_slot[id(base.holds)]
                        if holder:
                            h = self.fresh("h")
                            test = f"any([S[{slot} + {h}]{mask} for {h} in {holder}])"
                            return f"(not {test})" if negated else test
                        place = f"S[{self.slot(base)}]"
                        cheap = _cheap(codes)
                        if cheap is not None:
                            found = f"({place}{cheap} and {place}{mask})"
                            return f"(not {found})" if negated else found
                        return f"({place}{mask} {'==' if negated else '!='} 0)"
            case ListOf():
                return f"({self.x(source)} {'==' if negated else '!='} ())"
        if isinstance(source, ir.FilterX):
            loop, left = self.loop(source.var, source, ())
            test = " and ".join(self.each(c) for c in left) or "True"
            found = f"any([{test} {loop}])"
            return f"(not {found})" if negated else found
        return f"({self.x(source)} {'==' if negated else '!='} 0)"

    def quantified(self, x: ir.QuantX) -> str:
        if x.quantifier in ("some", "none"):
            if len(x.picks) == 1 and isinstance(x.picks[0][1].type, SetOf):
                var, source = x.picks[0]
                mask, left = self.thing_mask(source, var, self.parts_of(x.condition))
                if not left:
                    return f"({mask} {'!=' if x.quantifier == 'some' else '=='} 0)"
            found = f"any(True {self.loops(x.picks, x.condition)})"
            return found if x.quantifier == "some" else f"(not {found})"
        return f"(not any(True {self.loops(x.picks, ir.NotX(BOOL, x.span, x.condition))}))"

    def aggregate(self, x: ir.AggregateX) -> str:
        pieces = isinstance(x.picks[-1][1].type, Pile)
        match x.function:
            case "matching":
                (var, source), dice = x.picks[0], x.condition
                assert dice is not None
                if pieces:
                    loop, left = self.loop(var, source, (), "n_")
                    weight = "n_"
                else:
                    loop, left = self.loop(var, source, ())
                    weight = "1"
                test = "".join(f" if {self.each(c)}" for c in left)
                score = self.each(x.value)
                if isinstance(x.value.type, SetOf):
                    score = f"frozenset(BITS[{score}])"
                return f"hits({self.x(dice)}, [({score}, {weight}) {loop}{test}])"
            case "set":
                if isinstance(x.value.type, ThingOf) or x.value.type == INT:
                    loops = self.loops(x.picks, x.condition)
                    member = self.each(x.value)
                    one = f"bit({member})" if x.value.type == INT else f"1 << {member}"
                    return f"sum({{{one} {loops}}})"
            case "list":
                if pieces:
                    loops = self.loops(x.picks, x.condition, "n_")
                    return f"tuple([{self.each(x.value)} {loops} for _ in range(n_)])"
                loops = self.loops(x.picks, x.condition)
                return f"tuple([{self.each(x.value)} {loops}])"
            case "sum":
                if pieces:
                    loops = self.loops(x.picks, x.condition, "n_")
                    return f"sum([n_ * ({self.each(x.value)}) {loops}])"
                loops = self.loops(x.picks, x.condition)
                return f"sum([{self.each(x.value)} {loops}])"
            case "count":
                both = x.value if x.condition is None else ir.AndX(BOOL, x.span, (x.condition, x.value))
                if pieces:
                    return f"sum([n_ {self.loops(x.picks, both, 'n_')}])"
                return f"sum([1 {self.loops(x.picks, both)}])"
            case "max" | "min":
                loops = self.loops(x.picks, x.condition)
                return f"{x.function}([{self.each(x.value)} {loops}], default=0)"
        raise AssertionError(x.function)

    def most(self, x: ir.MostX) -> str:
        sign = 1 if x.direction == "most" else -1
        listed = self.refs(x.source) if not isinstance(x.type, SetOf) else ""
        name = self.as_name(x.var)
        by = f"lambda {name}: {self.each(x.by)}"
        if isinstance(x.type, SetOf):
            return f"most_set({self.x(x.source)}, {by}, {sign})"
        if isinstance(x.type, Pile):
            kind = self.ident(self.kind_of(x.type))
            refs = f"most_list({listed}, {by}, {sign})"
            return f"sum([UN_{kind}[e & 65535] for e in {refs}])"
        return f"most_list({listed}, {by}, {sign})"

    def arithmetic(self, x: ir.ArithX) -> str:
        args = [self.x(a) for a in x.args]
        match x.operator:
            case "neg":
                return f"(-{args[0]})"
            case "min" | "max":
                if len(args) == 2 and all(_is_atom(a) for a in args):
                    sign = "<" if x.operator == "min" else ">"
                    return f"({args[0]} if {args[0]} {sign} {args[1]} else {args[1]})"
                return f"{x.operator}({', '.join(args)})"
            case "mod":
                return f"({args[0]} % {args[1]})"
            case "/down":
                return f"({args[0]} // {args[1]})"
            case "/up":
                return f"(-(-{args[0]} // {args[1]}))"
            case "*":
                return f"product({args[0]}, {args[1]})"
        return f"({args[0]} {x.operator} {args[1]})"

    def compare(self, x: ir.CompareX) -> str:
        asked = self.emptiness(x)
        if isinstance(asked, ir.SomeX):
            return self.some(asked.source, asked.negated)
        a, b = self.x(x.left), self.x(x.right)
        if x.right.type == NOTHING:
            if a.isdigit():  # an attribute that is fixed: something, and Python would wonder about `0 is None`
                return str(x.operator == "!=")
            return f"({a} is None)" if x.operator == "==" else f"({a} is not None)"
        return f"({a} {x.operator} {b})"

    def contained(self, x: ir.InX) -> str:
        element, source = x.element, self.expand(x.source)
        sign = "not " if x.negated else ""
        match source.type:
            case SetOf(ThingOf()):
                one = self.x(element)
                if isinstance(source, ir.ContentsX) and not (
                    source.of is not None and isinstance(source.of.type, SetOf)
                ):
                    loc = self.layout.loc_slot[self.kind_of(element.type)]
                    return f"(S[{self.plus(loc, element)}] {'!=' if x.negated else '=='} {self.slot(source)})"
                if isinstance(element.type, Maybe):
                    return f"({sign}({one} is not None and {self.x(source)} >> {one} & 1))"
                found = f"({self.x(source)} >> {one} & 1)"
                return f"(not {found})" if x.negated else found
            case SetOf():
                if isinstance(source, ir.RangeX):
                    found = f"({source.low} <= {self.x(element)} <= {source.high})"
                else:
                    one = self.x(element)
                    found = f"({one} >= 0 and {self.x(source)} >> {one} & 1)"
                return f"(not {found})" if x.negated else found
            case Pile(kind):
                number = self.ident(kind)
                one = self.x(element)
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.pile_parts(source, None, ())
                    if not left:
                        mask = f" & {codes}" if codes else ""
                        slot = self.layout.holds_slot[id(base.holds)]
                        inside = f"(S[{one} >> 16]{mask} & FM_{number}[{one} & 65535] != 0)"
                        if holder:
                            at = f"({one} >> 16) - {slot}"
                            found = f"({at} in {holder} and {inside})"
                        else:
                            found = f"({one} >> 16 == {self.slot(base)} and {inside})"
                        return f"(not {found})" if x.negated else found
                return f"({one} {sign}in {self.refs(source)})"
        return f"({self.x(element)} {sign}in {self.x(source)})"

    def builtin(self, x: ir.BuiltinX) -> str:
        first = x.args[0]
        a = self.x(first)
        match x.name:
            case "count":
                if isinstance(first.type, SetOf):
                    return f"({a}).bit_count()"
                if isinstance(first.type, Pile):
                    return f"CN_{self.ident(self.kind_of(first.type))}[{a}]"
                return f"len({a})"
            case "sum":
                return f"sum({self.refs(first)})"
            case "max" | "min":
                return f"{x.name}({self.refs(first)}, default=0)"
            case "abs":
                return f"abs({a})"
            case "default" if a.isdigit():
                return a
            case "default":
                return (
                    f"({a} if {a} is not None else {self.x(x.args[1])})"
                    if _is_atom(a)
                    else (f"default({a}, {self.x(x.args[1])})")
                )
            case "only":
                return f"only({self.refs(first)})"
            case "first":
                return f"({self.refs(first)} or (None,))[0]"
            case "last":
                return f"({self.refs(first)} or (None,))[-1]"
            case "next" | "previous":
                size = self.game.kinds[self.kind_of(first.type)].size
                table = tuple(
                    (i + 1 if i + 1 < size else None) if x.name == "next" else (i - 1 if i else None)
                    for i in range(size)
                )
                return f"{self.const(table, 'N')}[{a}]"
            case "number":
                return f"({a} + 1)"
            case "label":
                return self.say(first)
            case "seats":
                size = self.game.players.size if self.game.players is not None else 1
                return f"{self.const(tuple(tuple((a + i) % size for i in range(size)) for a in range(size)), 'Q')}[{a}]"
            case "sorted":
                return f"tuple(sorted({a}, reverse=True))"
            case "taken":
                return f"{self.x(x.args[1])}[:max(0, {a})]"
        raise AssertionError(x.name)

    # -------------------------------------------------------------- words

    def labels(self, kind: m.Kind) -> str:
        if kind.name not in self._labels:
            texts = tuple(t.label for t in kind.things)
            if kind.is_pieces:
                codes = range(self.layout.pieces[kind.name].codes) if kind.things else range(0)
                texts = tuple(self.piece_label(kind, c) for c in codes)
            self._labels[kind.name] = self.const(texts, "W")
        return self._labels[kind.name]

    def piece_label(self, kind: m.Kind, code: int) -> str:
        """What pieces of a code are called, with the states that are not as they start: "foot (spent)"."""
        pieces = self.layout.pieces[kind.name]
        notes = []
        for state, _, _ in pieces.states:
            value = pieces.state_of(code, state)
            if value == plain(state.initial):
                continue
            name = state.name.replace("_", " ")
            if state.type == BOOL:
                notes.append(name if value else f"not {name}")
            elif isinstance(state.type, ThingOf):
                notes.append(self.game.kinds[state.type.kind].things[value].label)
            else:
                notes.append(f"{name} {value}")
        label = kind.things[code % pieces.types].label
        return f"{label} ({', '.join(notes)})" if notes else label

    def say(self, x: ir.X) -> str:
        """Python that puts a value into words."""
        code = self.x(x)
        return self.say_code(code, x.type)

    def say_code(self, code: str, type_: Type) -> str:
        match type_:
            case ThingOf(kind):
                return f"{self.labels(self.game.kinds[kind])}[{code}]"
            case PieceOf(kind) if self.telling:
                return f"p({self.labels(self.game.kinds[kind])}, {kind!r}, {code})"
            case PieceOf(kind):
                return f"{self.labels(self.game.kinds[kind])}[{code} & 65535]"
            case Maybe(element):
                return f"('nothing' if {code} is None else {self.say_code(code, element)})"
            case SetOf(ThingOf(kind)):
                return f"', '.join([{self.labels(self.game.kinds[kind])}[i] for i in BITS[{code}]])"
            case SetOf():
                return f"', '.join([str(i) for i in BITS[{code}]])"
            case ListOf(element):
                return f"', '.join([{self.say_code('i', element)} for i in {code}])"
            case Pile(kind):
                labels = self.labels(self.game.kinds[kind])
                return f"', '.join([f'{{n}} {{{labels}[c]}}' for c, n in IT_{self.ident(kind)}[{code}]])"
        if type_ == BOOL:
            return f"('yes' if {code} else 'no')"
        if type_ == TEXT:
            return code
        return f"str({code})"

    def text(self, x: ir.TemplateX) -> str:
        parts = [repr(p) if isinstance(p, str) else self.say(p) for p in x.parts]
        if not parts:
            return "''"
        made = "(" + " + ".join(parts) + ")"
        # A text made of texts that play made can grow with every round; one made of names and numbers cannot.
        grows = any(isinstance(p, ir.X) and p.type in _TEXTS and not isinstance(p, ir.Lit | ir.AttrX) for p in x.parts)
        return f"short{made}" if grows else made

    # -------------------------------------------------------------- names of rules

    def function_name(self, function: m.Function) -> str:
        name = self.function_names.get(id(function))
        if name is None:
            name = self.function_names[id(function)] = f"f{len(self.function_names)}"
            with self.apart():
                self.need_function(function)
        return name

    def route_name(self, route: m.Route) -> str:
        name = self.route_names.get(id(route))
        if name is None:
            name = self.route_names[id(route)] = f"r{len(self.route_names)}"
            with self.apart():
                self.need_route(route)
        return name

    def table_name(self, table: m.Table) -> str:
        name = self.table_names.get(id(table))
        if name is None:
            name = self.table_names[id(table)] = f"t{len(self.table_names)}"
            with self.apart():
                self.need_table(table)
        return name

    @contextmanager
    def apart(self) -> Iterator[None]:
        """While another function is written, nothing is shared with the one being written."""
        before, self.hoists = self.hoists, None
        inner, self.inner = self.inner, 0
        try:
            yield
        finally:
            self.hoists, self.inner = before, inner

    def need_function(self, function: m.Function) -> None:
        raise NotImplementedError

    def need_route(self, route: m.Route) -> None:
        raise NotImplementedError

    def need_table(self, table: m.Table) -> None:
        raise NotImplementedError


class _Fixed(dict[Any, int]):
    """A dict that never changes, so that it can stand among the constants."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items(), key=repr)))


def _element(type_: Type) -> Type | None:
    return type_.element if isinstance(type_, SetOf | ListOf) else None


def _is_simple(x: ir.X) -> bool:
    """Whether an argument may be written more than once."""
    match x:
        case ir.Local() | ir.Lit() | ir.ThingLit() | ir.AllThings():
            return True
        case ir.StateX(of=None):
            return True
        case ir.AttrX(of=of) | ir.PlaceOfX(of=of):
            return _is_simple(of)
    return False


def _is_atom(code: str) -> bool:
    return code.isidentifier() or code.lstrip("-").isdigit() or (code.startswith("S[") and code[2:-1].isdigit())


def _cost(code: str) -> int:
    """Roughly what a mask costs: a call more than a look-up."""
    return code.count("(S") * 2 + code.count("links_of(") * 2 + (1 if "[" in code else 0)


def _cheap(codes: str | None) -> str | None:
    """The part of a mask worth testing first when the rest is expensive; None if it is all alike."""
    if codes is None:
        return None
    parts = codes.split(" & ")
    if any(part.count("(") != part.count(")") for part in parts):
        return None
    easy = [part for part in parts if _cost(part) < 2]
    if len(easy) == len(parts):
        return None
    return "".join(f" & {part}" for part in easy)


def _place_only(x: ir.X, element: ir.Var, place: ir.Var) -> ir.X | None:
    """The condition on the place alone, if a condition on a piece asks for nothing else."""
    found = False

    def visit(node: ir.X) -> ir.X | None:
        nonlocal found
        if isinstance(node, ir.PlaceOfX) and isinstance(node.of, ir.Local) and node.of.var is element:
            found = True
            return ir.Local(node.type, node.span, place)
        if isinstance(node, ir.Local) and node.var is element:
            return None
        changes: dict[str, Any] = {}
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if isinstance(value, ir.X):
                new = visit(value)
                if new is None:
                    return None
                changes[field.name] = new
            elif isinstance(value, tuple) and value and all(isinstance(v, ir.X) for v in value):
                items = [visit(v) for v in value]
                if any(i is None for i in items):
                    return None
                changes[field.name] = tuple(items)
            elif isinstance(value, tuple) and any(isinstance(v, tuple) for v in value):
                pairs: list[Any] = []
                for pair in value:
                    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], ir.X)):
                        return None if element.ident in free_vars(node) else node
                    source = visit(pair[1])
                    if source is None:
                        return None
                    pairs.append((pair[0], source))
                changes[field.name] = tuple(pairs)
        return ir.altered(node, changes) if changes else node

    made = visit(x)
    return made if found else None


def functions_in(function: m.Function) -> list[m.Function]:
    """The functions another one calls."""
    out: list[m.Function] = []
    for x in expressions_of(function):
        out += [node.function for node in walk(x) if isinstance(node, ir.CallX)]
    return out


def expressions_of(function: m.Function) -> list[ir.X]:
    out: list[ir.X] = []
    for clause in function.clauses:
        out.append(clause.condition)
        out += [w for w, _ in clause.lifted if w is not None]
        if clause.when is not None:
            out.append(clause.when)
    for adjustment in function.adjustments:
        out.append(adjustment.value)
        if adjustment.condition is not None:
            out.append(adjustment.condition)

    def visit(block: ir.Block) -> None:
        for statement in block:
            match statement:
                case ir.ReturnS(value=ir.X() as value) | ir.LetS(value=value):
                    out.append(value)
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    out.append(condition)
                    visit(then)
                    visit(otherwise)

    visit(function.block)
    return out
