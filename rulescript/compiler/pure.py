"""Rules that only look -> Python functions: functions with their adjustments, routes and tables.

A rule whose answers can be kept while nothing it reads changes is wrapped so that they are. A route becomes a flood
over masks of spaces where its tests can be asked of whole masks, and a search from space to space otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.analysis.types import BOOL, INT, SetOf
from rulescript.compiler.blocks import Blocks
from rulescript.compiler.layout import Layout, plain
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["Pure"]

MEMO_SLOTS = 14
# A route is worth more: so many places may be looked at to see whether anything has changed.
ROUTE_SLOTS = 160


class Pure(Blocks):
    """Compiles rules that only look."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.pure = Writer()
        self._own_names = 0

    def need_function(self, function: m.Function) -> None:
        out = Writer()
        out.at(function.span)
        with self.as_local(*function.params):
            self._function(function, self.function_names[id(function)], out)
        self.pure.extend(out)

    def _function(self, function: m.Function, name: str, out: Writer) -> None:
        params = [self.env[p.ident] for p in function.params]
        given = "".join(f", {p}" for p in params)
        held = (self._plain, self._procedure)
        self._plain, self._procedure = True, None
        base = f"{name}_" if function.adjustments else name
        key = self._memo_key(self.effects.function_reads(function)) if isinstance(function.type, SetOf) else None
        if key is not None and not function.adjustments:
            self._answers(name, key, params, out)
            base = f"{name}_work"
        if base == f"{name}_work":
            self._work(name, params, out)
        else:
            out.line(0, f"def {base}(S{self.declared(function.params)}):")
        counted = self.work.of_function(function, self.is_recursive(function))
        if counted:
            out.line(1, f"step({counted})")
        if function.form == "predicate":
            tests = [self.x(self.clause_condition(c)) for c in function.clauses]
            out.line(1, f"return bool({' and '.join(tests) or 'True'})")
        else:
            for statement in function.block:
                if not isinstance(statement, ir.DocS):
                    out.at(statement.span)
                    self.plain(statement, out, 1)
        if function.adjustments:
            self._adjusted(function, name, given, out)
        self._plain, self._procedure = held

    def _adjusted(self, function: m.Function, name: str, given: str, out: Writer) -> None:
        """A value with its layers: set, times, add, then floors and caps."""
        out.line(0, f"def {name}(S{self.declared(function.params)}):")
        replaced = [a for a in function.adjustments if a.operation == "set"]
        word = "if"
        for adjustment in reversed(replaced):  # the later has the last word: analysis/ordering.py
            test = self.x(adjustment.condition) if adjustment.condition is not None else "True"
            out.line(1, f"{word} {test}: value = {self.x(adjustment.value)}")
            word = "elif"
        if replaced:
            out.line(1, f"else: value = {name}_(S{given})")
        else:
            out.line(1, f"value = {name}_(S{given})")
        templates = {
            "times": "value *= {}", "add": "value += {}",
            "floor": "value = max(value, {})", "cap": "value = min(value, {})",
        }  # fmt: skip
        for operations in (("times",), ("add",), ("floor", "cap")):
            for adjustment in function.adjustments:
                if adjustment.operation not in operations:
                    continue
                line = templates[adjustment.operation].format(self.x(adjustment.value))
                out.at(adjustment.span)
                if adjustment.condition is not None:
                    out.line(1, f"if {self.x(adjustment.condition)}: {line}")
                else:
                    out.line(1, line)
        out.line(1, "return value")

    def _memo_key(self, reads: frozenset[tuple[str, str, str]], most: int = MEMO_SLOTS) -> str | None:
        """A key of everything in the state a result depends on, if that is little; None otherwise."""
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
        return "(" + "".join(f"S[{s}], " for s in slots) + ")"

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

    def _answers(self, name: str, key: str, params: Sequence[str], out: Writer, sort: str = "") -> None:
        """Answers are kept by what the rule reads, then by its arguments."""
        self.remembered.add(name)
        out.line(0, f"{name}_memo = {{}}")
        out.line(0, f"def {name}_at(S):")
        out.line(1, f"key = {key}")
        out.line(1, f"table = {name}_memo.get(key)")
        out.line(1, f"if table is None: return answers({name}_memo, key, S, {name}_work{sort})")
        out.line(1, "return table")

    @staticmethod
    def _work(name: str, params: Sequence[str], out: Writer) -> None:
        """The head of a function that works out an answer to be kept; several arguments are one key."""
        out.line(0, f"def {name}_work(S, {params[0] if len(params) == 1 else 'given'}):")
        if len(params) > 1:
            out.line(1, f"{', '.join(params)} = given")

    def need_route(self, route: m.Route) -> None:
        out = Writer()
        out.at(route.span)
        with self.as_local(*route.params):
            self._route(route, self.route_names[id(route)], out)
        self.pure.extend(out)

    def _route(self, route: m.Route, name: str, out: Writer) -> None:
        params = [self.env[p.ident] for p in route.params]
        given = "".join(f", {p}" for p in params)
        start = self.x(route.start)
        if not isinstance(route.start.type, SetOf):
            start = f"1 << {start}"
        steps = self.x(route.steps) if route.steps is not None else "-1"
        if route.steps is not None and not steps.isdigit():
            steps = f"max(0, {steps})"  # less than none is none, not any number
        every = str((1 << route.kind.size) - 1)
        key = self._memo_key(self.effects.route_reads(route), ROUTE_SLOTS)
        if key is not None:
            self._answers(
                name, key, params, out, f", {self._route_mask(route, 'enter')}" if self._goes_both_ways(route) else ""
            )
        if key is not None:
            self._work(name, params, out)
        else:
            out.line(0, f"def {name}(S{self.declared(route.params)}):")
        counted = self.work.of_route(route)
        if counted:
            out.line(1, f"step({counted})")
        self._route_body(route, name, given, start, steps, out)
        tests = {
            "enter": self._route_test(route, "enter", 1),
            "through": self._route_test(route, "through", 1),
            "step": self._route_test(route, "step", 2),
        }
        table = self.links(route.kind, route.sorts)
        out.line(0, f"def {name}_steps(S{self.declared(route.params)}, target):")
        if counted:
            out.line(1, f"step({counted})")
        if route.cost is not None:
            (a, b), cost = route.cost
            with self.as_local(a, b):
                self.env[a.ident], self.env[b.ident] = "a", "b"
                price = f"lambda a, b: {self.x(cost)}"
            out.line(
                1,
                f"return flood_cost({start}, {table}.__getitem__, {tests['enter']}, {tests['through']}, "
                f"{tests['step']}, {price}, {steps}, target)",
            )
        else:
            out.line(
                1,
                f"return flood_steps({start}, {every}, {table}.__getitem__, {tests['enter']}, {tests['through']}, "
                f"{tests['step']}, {steps}, target)",
            )

    def _route_body(self, route: m.Route, name: str, given: str, start: str, steps: str, out: Writer) -> None:
        """The flood of a route, as fast as its rules allow.

        Rules about a single space are masks. Rules about a step are masks too where they only ask for a sort of link
        or for something that does not change on the way; `a == start` is settled by treating the first step apart."""
        enter = self._route_mask(route, "enter")
        through = self._route_mask(route, "through")
        step_parts = [
            (rule.vars, part)
            for rule in route.rules
            if rule.form == "step"
            for clause in rule.clauses
            for part in self.parts_of(self.clause_condition(clause))
        ]
        if enter is None or through is None or route.cost is not None:
            out.line(1, f"return {name}_steps(S{given}, -1)")
            return
        table = self.links(route.kind, route.sorts)
        if not step_parts:
            out.line(1, f"return flood({start}, {self.near(table)}, {enter}, {through}, {steps})")
            return
        single = not isinstance(route.start.type, SetOf)
        later = step_parts
        first = step_parts
        if single:
            later = _open([(vars_, _settled(part, vars_[0], route.start, False)) for vars_, part in step_parts])
            first = _open([(vars_, _settled(part, vars_[0], route.start, True)) for vars_, part in step_parts])
        chosen = self._link_table(route, later)
        masks = self._step_masks(route, first if single and chosen is not None else step_parts)
        if masks is None:
            out.line(1, f"return {name}_steps(S{given}, -1)")
            return
        out.line(1, f"enter = ({enter}) & ~({start})")
        out.line(1, f"through = {through}")
        if single and chosen is not None:
            # What is left to enter shrinks until nothing new is found, or all steps are taken.
            limited = route.steps is not None
            out.line(1, f"a = {self.x(route.start)}")
            out.line(1, f"near = {table}[a] & enter" + (f" & {masks}" if first else ""))
            if limited:
                out.line(1, f"steps = {steps}")
                out.line(1, "if not steps: near = 0")
            out.line(1, "left = enter ^ near")
            out.line(1, "frontier = near & through")
            out.line(1, f"near_to = {chosen}")
            out.line(1, "while frontier and steps > 1:" if limited else "while frontier:")
            out.line(2, "near = near_to[frontier] & left")
            out.line(2, "left ^= near")
            out.line(2, "frontier = near & through")
            if limited:
                out.line(2, "steps -= 1")
            out.line(1, "return enter ^ left")
            return
        out.line(1, f"steps = {steps}")
        masks = self.hoisted(lambda: self._step_masks(route, step_parts) or "", out, 1)
        out.line(1, f"seen = 0; frontier = {start}")
        out.line(1, "while frontier and steps:")
        out.line(2, "near = 0")
        out.line(2, f"for a in BITS[frontier]: near |= {table}[a] & {masks}")
        out.line(2, "near &= enter & ~seen")
        out.line(2, "seen |= near")
        out.line(2, "frontier = near & through")
        out.line(2, "steps -= 1")
        out.line(1, "return seen")

    def _goes_both_ways(self, route: m.Route) -> bool:
        """Whether all spaces that can reach each other reach the same: any number of steps along links that lead
        back, and rules that ask about the spaces entered but not about the start."""
        match route:
            case m.Route(params=(param,), start=ir.Local(var=var), steps=None, cost=None) if var is param:
                pass
            case _:
                return False
        for sort in route.sorts:
            table = route.kind.links.get(sort, [])
            if any(i not in table[j] for i, near in enumerate(table) for j in near):
                return False
        if self._route_mask(route, "enter") is None:
            return False
        for rule in route.rules:
            for clause in rule.clauses:
                condition = self.clause_condition(clause)
                if rule.form == "through" or param.ident in _free(condition):
                    return False
                if (
                    rule.form == "step"
                    and self._link_table(route, [(rule.vars, p) for p in self.parts_of(condition)]) is None
                ):
                    return False
        return True

    def _link_table(self, route: m.Route, parts: Sequence[tuple[tuple[ir.Var, ...], ir.X]]) -> str | None:
        """One table of neighbours that step rules amount to, chosen once before the flood; None if they are more
        than sorts of links and conditions that do not change on the way."""
        allowed: list[tuple[list[ir.X], tuple[str, ...]]] = []
        for (here, there), part in parts:
            conditions: list[ir.X] = []
            sorts: tuple[str, ...] = ()
            pieces = part.parts if isinstance(part, ir.OrX) else (part,)
            for piece in pieces:
                used = _free(piece)
                if here.ident not in used and there.ident not in used:
                    conditions.append(piece)
                    continue
                match piece:
                    case ir.InX(
                        element=ir.Local(var=element), source=ir.LinksX(of=ir.Local(var=of), sorts=named), negated=False
                    ) if element is there and of is here:
                        sorts += named
                    case _:
                        return None
            allowed.append((conditions, sorts))
        if len(allowed) > 4:
            return None
        tables: list[str] = []
        for combination in range(1 << len(allowed)):
            table = [0] * route.kind.size
            for i in range(route.kind.size):
                for sort in route.sorts:
                    for j in route.kind.links.get(sort, [set()] * route.kind.size)[i]:
                        table[i] |= 1 << j
                for at, (_, sorts) in enumerate(allowed):
                    if combination >> at & 1:
                        continue
                    one = 0
                    for sort in sorts:
                        for j in route.kind.links.get(sort, [set()] * route.kind.size)[i]:
                            one |= 1 << j
                    table[i] &= one
            tables.append(self.near(self.const(tuple(table), "L")))
        index = []
        for at, (conditions, _) in enumerate(allowed):
            if conditions:
                tests = " or ".join(self.x(c) for c in conditions)
                index.append(f"({1 << at} if {tests} else 0)")
        if not index:
            return tables[0]
        return f"({', '.join(tables)})[{' | '.join(index)}]"

    def _route_mask(self, route: m.Route, form: str) -> str | None:
        masks: list[str] = []
        every = (1 << route.kind.size) - 1
        for rule in route.rules:
            if rule.form != form:
                continue
            for clause in rule.clauses:
                for part in self.parts_of(self.clause_condition(clause)):
                    one = self.mask_of(route.kind, rule.vars[0], part)
                    if one is None:
                        if rule.vars[0].ident in _free(part):
                            return None
                        one = f"({every} if {self.x(part)} else 0)"
                    masks.append(one)
        return " & ".join(masks) if masks else str(every)

    def _step_masks(self, route: m.Route, parts: Sequence[tuple[tuple[ir.Var, ...], ir.X]]) -> str | None:
        """Where the step rules let one go from a space `a`, as a mask; None if they must be asked step by step."""
        masks: list[str] = []
        every = (1 << route.kind.size) - 1
        self.inner += 1
        try:
            for (here, there), part in parts:
                with self.as_local(here, there):
                    self.env[here.ident] = "a"
                    one = self.mask_of(route.kind, there, part)
                    if one is None:
                        if there.ident in _free(part):
                            return None
                        one = f"({every} if {self.x(part)} else 0)"
                    masks.append(self.invariant(one))
            return self.joined(masks)
        finally:
            self.inner -= 1

    def _route_test(self, route: m.Route, form: str, count: int) -> str:
        names = ["a", "b"][:count]
        tests: list[str] = []
        for rule in route.rules:
            if rule.form != form:
                continue
            with self.as_local(*rule.vars):
                for var, name in zip(rule.vars, names, strict=True):
                    self.env[var.ident] = name
                tests += [self.x(self.clause_condition(c)) for c in rule.clauses]
        return f"lambda {', '.join(names)}: {' and '.join(tests) or 'True'}"

    def need_table(self, table: m.Table) -> None:
        out = Writer()
        out.at(table.span)
        with self.as_local(*table.params):
            self._table(table, self.table_names[id(table)], out)
        self.pure.extend(out)

    def _table(self, table: m.Table, name: str, out: Writer) -> None:
        names = [self.env[p.ident] for p in table.params]
        given = "".join(f", {n}" for n in names)
        shift = ", shift=0" if table.columns is not None else ""
        out.line(0, f"def {name}(S{given}{shift}):")
        if table.columns is not None:
            word = "if"
            for at, key in enumerate(table.columns):
                out.line(1, f"{word} {_key_test(names[1], key)}: column = {at}")
                word = "elif"
            if table.params[1].type == INT:
                lows = [low for key in table.columns for low, _ in key]
                out.line(1, f"elif {names[1]} < {min(lows)}: column = 0")
                out.line(1, f"else: column = {len(table.columns) - 1}")
            else:
                out.line(1, f"else: no_row({table.name!r}, {names[1]})")
            out.line(1, f"column = min(max(column + shift, 0), {len(table.columns) - 1})")
        for row in table.rows:
            out.at(row.span)
            tests = [] if row.otherwise else [_key_test(names[0], row.key)]
            if row.guard is not None:
                tests.append(self.x(row.guard))
            values = tuple(plain(v) for v in row.values)
            result = f"{values!r}[column]" if table.columns is not None else repr(values[0])
            out.line(1, f"if {' and '.join(tests) or 'True'}: return {result}")
        out.line(1, f"no_row({table.name!r}, {names[0]})")


def _key_test(name: str, key: tuple[Any, ...]) -> str:
    tests = []
    for item in key:
        if isinstance(item, tuple):
            low, high = item
            tests.append(f"{name} == {low}" if low == high else f"{low} <= {name} <= {high}")
        else:
            tests.append(f"{name} == {plain(item)!r}")
    return "(" + " or ".join(tests or ["False"]) + ")"


def _open(parts: list[tuple[tuple[ir.Var, ...], ir.X]]) -> list[tuple[tuple[ir.Var, ...], ir.X]]:
    """Without the parts that always hold."""
    return [(vars_, part) for vars_, part in parts if not (isinstance(part, ir.Lit) and part.value is True)]


def _settled(x: ir.X, here: ir.Var, start: ir.X, at_start: bool) -> ir.X:
    """A step rule out of the start, where `a == start` holds, or once the start lies behind, where it never does."""

    def is_start(y: ir.X) -> bool:
        return isinstance(y, ir.Local) and isinstance(start, ir.Local) and y.var is start.var

    def visit(node: ir.X) -> ir.X:
        match node:
            case ir.CompareX(operator=op, left=ir.Local(var=a), right=right) if (
                op in ("==", "!=") and a is here and is_start(right)
            ):
                return ir.Lit(BOOL, node.span, (op == "==") is at_start)
            case ir.CompareX(operator=op, left=left, right=ir.Local(var=b)) if (
                op in ("==", "!=") and b is here and is_start(left)
            ):
                return ir.Lit(BOOL, node.span, (op == "==") is at_start)
            case ir.NotX(of=inner):
                made = visit(inner)
                if isinstance(made, ir.Lit):
                    return ir.Lit(BOOL, node.span, not made.value)
                return ir.NotX(BOOL, node.span, made)
            case ir.OrX(parts=parts):
                visited = [visit(p) for p in parts]
                if any(isinstance(p, ir.Lit) and p.value is True for p in visited):
                    return ir.Lit(BOOL, node.span, True)
                rest = tuple(p for p in visited if not (isinstance(p, ir.Lit) and p.value is False))
                return (
                    rest[0]
                    if len(rest) == 1
                    else ir.OrX(BOOL, node.span, rest)
                    if rest
                    else ir.Lit(BOOL, node.span, False)
                )
            case ir.AndX(parts=parts):
                return ir.AndX(BOOL, node.span, tuple(visit(p) for p in parts))
        return node

    return visit(x)


def _free(x: ir.X) -> set[int]:
    from rulescript.compiler.walking import free_vars

    return free_vars(x)
