"""Rules that only look -> functions: values with their adjustments, predicates and tables.

A rule whose answers can be kept while nothing it reads changes is wrapped so that they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Known, Name, Slot, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import (
    BOOL,
    INT,
    SetOf,
    ThingOf,
)
from rulescript.source import Span

__all__ = ["Functions"]

MEMO_SLOTS = 14


class Functions(Room):
    """Writes rules that only look."""

    def need_function(self, function: m.Function) -> None:
        with self.scope.as_local(*function.params), self.writing(function.span) as into:
            self._function(function, self.program.function_names[id(function)], into)

    @contextmanager
    def writing(self, span: Span) -> Iterator[list[c.Function]]:
        """The functions of one rule. Those it needs are written after it."""
        made: list[c.Function] = []
        yield made
        origin = (span.source.name, span.line)
        for function in made:
            function.origin = function.origin or origin
            for statement in function.body:
                _set_origins(statement, origin)
        self.program.pure += made

    def _function(self, function: m.Function, name: str, into: list[c.Function]) -> None:
        held = (self.rule.is_plain, self.rule.procedure)
        self.rule.is_plain, self.rule.procedure = True, None
        base = f"{name}_" if function.adjustments else name
        key = self.key_of_answers(function)
        if key is not None:
            self.keep_answers(name, key, into)
            out = self.begin_work(name, function.params, into)
        else:
            out = self.program.begin_rule(into, base, ("S",), function.params, "pure")
        counted = self.work.of_function(function, self.inlining.is_recursive(function))
        if counted:
            out.do(call("step", counted))
        if function.form == "predicate":
            tests = [self.x(clause.in_effect) for clause in function.clauses]
            out.give(call("bool", c.all_of(tests)))
        else:
            for statement in function.block:
                if not isinstance(statement, ir.DocS):
                    out.at(statement.span)
                    self.statements.plain(statement, out)
        if function.adjustments:
            self._adjusted(function, name, into)
        self.rule.is_plain, self.rule.procedure = held

    def _adjusted(self, function: m.Function, name: str, into: list[c.Function]) -> None:
        """A value with its layers: set, times, add, then floors and caps."""
        out = self.program.begin_rule(into, name, ("S",), function.params, "pure")
        replaced = [a for a in function.adjustments if a.operation == "set"]
        ways = out.cases()
        for adjustment in reversed(replaced):  # the later has the last word: analysis/ordering.py
            test = self.x(adjustment.condition) if adjustment.condition is not None else Const(True)
            if test != Const(False):
                ways.when(test).let("value", self.x(adjustment.value))
        given = [self.scope.env[p.ident] for p in function.params]
        ways.otherwise().let("value", call(f"{name}_", STATE, *given))
        value = Name("value")
        for operations in (("times",), ("add",), ("floor", "cap")):
            for adjustment in function.adjustments:
                if adjustment.operation not in operations:
                    continue
                amount = self.x(adjustment.value)
                out.at(adjustment.span)
                test_ = self.x(adjustment.condition) if adjustment.condition is not None else None
                if test_ == Const(False):
                    continue
                where = out.when(test_) if test_ is not None else out
                match adjustment.operation:
                    case "times":
                        where.store(value, amount, "*")
                    case "add":
                        where.store(value, amount, "+")
                    case "floor":
                        where.store(value, call("max", value, amount))
                    case "cap":
                        where.store(value, call("min", value, amount))
        out.give(value)

    def need_reasons(self, function: m.Function, name: str) -> None:
        """The labels of the layers that change a value just now, and what each brings, as a text."""
        base = self.program.function_name(function)
        with self.scope.as_local(*function.params), self.writing(function.span) as into:
            held = (self.rule.is_plain, self.rule.procedure)
            self.rule.is_plain, self.rule.procedure = True, None
            out = self.program.begin_rule(into, name, ("S",), function.params, "pure")
            given = [self.scope.env[p.ident] for p in function.params]
            value, told = Name("value"), Name("told")
            out.let("value", call(f"{base}_" if function.adjustments else base, STATE, *given))
            out.let("told", Const(""))
            layers = function.adjustments
            # As `_adjusted` has it: of those that set it the last one counts, then times, add, floors and caps.
            ordered = [a for a in reversed(layers) if a.operation == "set"]
            for operations in (("times",), ("add",), ("floor", "cap")):
                ordered += [a for a in layers if a.operation in operations]
            out.let("is_set", Const(False))
            for adjustment in ordered:
                test = self.x(adjustment.condition) if adjustment.condition is not None else Const(True)
                if test == Const(False):
                    continue
                if adjustment.operation == "set":
                    test = c.All((c.Not(Name("is_set")), test))
                where = out.when(test) if test != Const(True) else out
                if adjustment.operation == "set":
                    where.let("is_set", Const(True))
                where.let("was", value)
                where.let("value", call("adjusted", value, adjustment.operation, self.x(adjustment.value)))
                where.store(told, call("reason", adjustment.label, adjustment.operation, Name("was"), value), "+")
            out.give(call("reasons", told))
            self.rule.is_plain, self.rule.procedure = held

    def key_of_answers(self, function: m.Function) -> Code | None:
        """By what the answers of a rule are kept; None if they are not."""
        if not isinstance(function.type, SetOf) or function.adjustments:
            return None
        return self.memo_key(self.effects.rule_reads(function))

    def memo_key(self, reads: frozenset[tuple[str, str, str]], most: int = MEMO_SLOTS) -> Code | None:
        """A key of everything in the state a result depends on, if that is little; None otherwise. Where a rule may be
        another's in play, nobody knows what it reads."""
        if self.inlining.whole:
            return None
        slots: list[int] = []
        for what, owner, name in sorted(reads):
            if what != "state":
                found = self._place_slots(what, owner, name) if most > MEMO_SLOTS else None
                if found is None:
                    return None
                slots += found
                continue
            state = self.game.kinds[owner].states[name] if owner else self.game.states[name]
            slot = self.layout.state_slot[id(state)]
            mode = self.layout.state_mode[id(state)]
            if mode in ("one", "mask"):
                slots.append(slot)
            elif mode == "dual":
                first = self.layout.mask_slot[id(state)]
                slots += range(first, first + self.layout.small_kind(state.type))
            else:
                return None
        if len(slots) > most:
            return None
        return c.Tuple(tuple(Slot(s) for s in slots))

    def _place_slots(self, what: str, owner: str, name: str) -> range | None:
        """Where it is written what lies in a place, or where the things of a kind are; None for what has an order."""
        if what == "where":
            # A piece has its place with it, and what lies in a place is read there.
            first = self.layout.loc_slot.get(owner)
            return range(first, first + self.game.kinds[owner].size) if first is not None else range(0)
        holds = self.game.kinds[owner].holds[name] if owner else self.game.holds[name]
        if what != "place" or holds.ordered:
            return None
        first = self.layout.holds_slot[id(holds)]
        return range(first, first + (max(1, holds.owner.size) if holds.owner is not None else 1))

    def keep_answers(self, name: str, key: Code, into: list[c.Function], *sort: Code) -> None:
        """Answers are kept by what the rule reads, then by its arguments."""
        self.program.memos.append(f"{name}_memo")
        memo = Known(f"{name}_memo")
        out = Lines()
        into.append(c.Function(f"{name}_at", ("S",), out.body, "pure"))
        out.let("key", key)
        out.let("table", c.Method(memo, "get", (Name("key"),)))
        work = call("answers", memo, Name("key"), STATE, Known(f"{name}_work"), *sort)
        out.when(Name("table").is_nothing()).give(work)
        out.give(Name("table"))

    def begin_work(self, name: str, params: Sequence[ir.Var], into: list[c.Function]) -> Lines:
        """A function that works out an answer to be kept; several arguments are one key."""
        names = [self.scope.env[p.ident] for p in params]
        out = Lines()
        given = Name("given")
        single = names[0] if len(names) == 1 else given
        assert isinstance(single, Name)
        into.append(c.Function(f"{name}_work", ("S", single.text), out.body, "pure"))
        if len(names) > 1:
            bits = self._bits_of(params)
            if bits is None:
                out.add(c.Store(tuple(names), given))
            else:
                above = sum(bits)
                for at, (target, width) in enumerate(zip(names, bits, strict=True)):
                    above -= width
                    value = given >> above if above else given
                    out.add(c.Store((target,), value & (1 << width) - 1 if at else value))
        return out

    def key_of_arguments(self, params: Sequence[ir.Var], given: Sequence[Code]) -> Code:
        """What the answers of a rule are found by: several arguments are one number where each is one of a few things,
        for a tuple has to be made and compared, part by part, to be found."""
        if len(given) == 1:
            return given[0]
        bits = self._bits_of(params)
        if not given or bits is None:
            return c.Tuple(tuple(given)) if given else Const(None)
        key: Code = Const(0)
        for at, (param, value, width) in enumerate(zip(params, given, bits, strict=True)):
            if param.type == BOOL:  # may be any number that is not 0, if it is so
                one = Const(1) if value == Const(True) else Const(0)
                value = one if isinstance(value, Const) else c.Cond(value, Const(1), Const(0))
            if not at:
                key = value
            else:
                key = key << width
                key = key if value == Const(0) else key | value
        return key

    def _bits_of(self, params: Sequence[ir.Var]) -> list[int] | None:
        """How many bits each of several arguments takes; None if one of them can be anything."""
        bits: list[int] = []
        for param in params:
            if param.type == BOOL:
                bits.append(1)
            elif isinstance(param.type, ThingOf):
                bits.append(max(1, (self.game.kinds[param.type.kind].size - 1).bit_length()))
            else:
                return None
        return bits

    def need_table(self, table: m.Table) -> None:
        with self.scope.as_local(*table.params), self.writing(table.span) as into:
            self._table(table, self.program.table_names[id(table)], into)

    def _table(self, table: m.Table, name: str, into: list[c.Function]) -> None:
        names = [self.scope.env[p.ident] for p in table.params]
        column = Name("column")
        out = Lines()
        params = tuple(n.text for n in names if isinstance(n, Name))
        if table.columns is None:
            into.append(c.Function(name, ("S", *params), out.body, "pure"))
        else:
            into.append(c.Function(name, ("S", *params, "shift"), out.body, "pure", defaults=(("shift", Const(0)),)))
            ways = out.cases()
            for at, key in enumerate(table.columns):
                ways.when(_key_test(names[1], key)).let("column", at)
            if table.params[1].type == INT:
                lows = [low for key in table.columns for low, _ in key]
                ways.when(c.Compare("<", names[1], Const(min(lows)))).let("column", 0)
                ways.otherwise().let("column", len(table.columns) - 1)
            else:
                ways.otherwise().do(call("no_row", table.name, names[1]))
            shifted = call("max", column + Name("shift"), 0)
            out.let("column", call("min", shifted, len(table.columns) - 1))
        for row in table.rows:
            out.at(row.span)
            tests = [] if row.otherwise else [_key_test(names[0], row.key)]
            if row.guard is not None:
                tests.append(self.x(row.guard))
            values = tuple(plain(v) for v in row.values)
            result = Const(values)[column] if table.columns is not None else Const(values[0])
            out.when(c.all_of(tests)).give(result)
        out.do(call("no_row", table.name, names[0]))


def _key_test(name: Code, key: tuple[Any, ...]) -> Code:
    tests: list[Code] = []
    for item in key:
        if isinstance(item, tuple):
            low, high = item
            tests.append(name.equals(low) if low == high else c.Between(Const(low), name, Const(high)))
        else:
            tests.append(name.equals(Const(plain(item))))
    return c.any_of(tests)


def _set_origins(statement: c.Statement, origin: tuple[str, int]) -> None:
    if statement.origin is None:
        statement.origin = origin
    for body in c.bodies(statement):
        for inner in body:
            _set_origins(inner, origin)
