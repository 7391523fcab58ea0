"""Routes -> floods over masks of spaces where their tests can be asked of whole masks, and a search from space to space
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Name, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars
from rulescript.model.types import (
    BOOL,
    SetOf,
)

__all__ = ["Routes"]

# A route is worth more: so many places may be looked at to see whether anything has changed.
ROUTE_SLOTS = 160


class Routes(Room):
    """Writes searches along routes."""

    def need_route(self, route: m.Route) -> None:
        with self.scope.as_local(*route.params), self.functions.writing(route.span) as into:
            self._route(route, self.program.route_names[id(route)], into)

    def key_of_answers(self, route: m.Route) -> Code | None:
        """By what the answers of a route are kept; None if they are not."""
        return self.functions.memo_key(self.effects.rule_reads(route), ROUTE_SLOTS)

    def _route(self, route: m.Route, name: str, into: list[c.Function]) -> None:
        given = [self.scope.env[p.ident] for p in route.params]
        start = self.x(route.start)
        if not isinstance(route.start.type, SetOf):
            start = Const(1) << start
        steps = self.x(route.steps) if route.steps is not None else Const(-1)
        if route.steps is not None and not isinstance(steps, Const):
            steps = call("max", 0, steps)  # less than none is none, not any number
        key = self.key_of_answers(route)
        if key is not None:
            both_ways = self._goes_both_ways(route)
            enter = self._route_mask(route, "enter") if both_ways else None
            self.functions.keep_answers(name, key, into, *([enter] if enter is not None else []))
            out = self.functions.begin_work(name, route.params, into)
        else:
            out = self.program.begin_rule(into, name, ("S",), route.params, "pure")
        counted = self.work.of_route(route)
        if counted:
            out.do(call("step", counted))
        self._route_body(route, call(f"{name}_steps", STATE, *given, -1), start, steps, out)
        tests = [self._route_test(route, "enter", 1), self._route_test(route, "through", 1)]
        tests.append(self._route_test(route, "step", 2))
        near = c.Method(self.constants.links(route.kind, route.sorts), "__getitem__", None)
        out = self.program.begin_rule(into, f"{name}_steps", ("S",), route.params, "pure", ("target",))
        target = Name("target")
        weight = self.work.of_a_step(route)
        if route.cost is not None:
            (a, b), cost = route.cost
            with self.scope.as_local(a, b):
                self.scope.env[a.ident], self.scope.env[b.ident] = Name("a"), Name("b")
                price = c.Lambda(("a", "b"), self.x(cost))
            out.give(call("flood_cost", start, near, *tests, price, steps, target, weight))
        else:
            out.give(call("flood_steps", start, near, *tests, steps, target, weight))

    def _route_body(self, route: m.Route, by_steps: Code, start: Code, steps: Code, out: Lines) -> None:
        """The flood of a route, as fast as its rules allow.

        Rules about a single space are masks. Rules about a step are masks too where they only ask for a sort of link
        or for something that does not change on the way; `a == start` is settled by treating the first step apart.
        `by_steps` asks step by step."""
        enter = self._route_mask(route, "enter")
        through = self._route_mask(route, "through")
        step_parts = [
            (rule.vars, part)
            for rule in route.rules
            if rule.form == "step"
            for clause in rule.clauses
            for part in self.inlining.parts_of(clause.in_effect)
        ]
        if enter is None or through is None or route.cost is not None:
            out.give(by_steps)
            return
        table = self.constants.links(route.kind, route.sorts)
        if not step_parts:
            out.give(call("flood", start, self.constants.near(table), enter, through, steps))
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
            out.give(by_steps)
            return
        out.let("enter", enter & ~start)
        out.let("through", through)
        if single and chosen is not None:
            self._flood_from_one(route, table, chosen, masks if first else None, steps, out)
            return
        near, seen, frontier = Name("near"), Name("seen"), Name("frontier")
        out.let("steps", steps)
        masks = self.scope.hoisted(lambda: self._step_masks(route, step_parts) or Const(0), out)
        out.let("seen", 0)
        out.let("frontier", start)
        inside = out.inner()
        out.add(c.While(c.All((frontier, Name("steps"))), inside.body))
        inside.let("near", 0)
        inside.loop(("a",), c.BITS[frontier]).store(near, c.joined_masks(table[Name("a")], masks), "|")
        inside.store(near, Name("enter") & ~seen, "&")
        inside.store(seen, near, "|")
        inside.let("frontier", near & Name("through"))
        inside.store(Name("steps"), 1, "-")
        out.give(seen)

    def _flood_from_one(
        self, route: m.Route, table: Code, chosen: Code, masks: Code | None, steps: Code, out: Lines
    ) -> None:
        """What is left to enter shrinks until nothing new is found, or all steps are taken."""
        limited = route.steps is not None
        enter, near, left, frontier = Name("enter"), Name("near"), Name("left"), Name("frontier")
        out.let("a", self.x(route.start))
        out.let("near", c.joined_masks(table[Name("a")] & enter, masks))
        if limited:
            out.let("steps", steps)
            out.when(c.Not(Name("steps"))).let("near", 0)
        out.let("left", enter ^ near)
        out.let("frontier", near & Name("through"))
        out.let("near_to", chosen)
        inside = out.inner()
        more = c.Compare(">", Name("steps"), Const(1))
        out.add(c.While(c.All((frontier, more)) if limited else frontier, inside.body))
        inside.let("near", Name("near_to")[frontier] & left)
        inside.store(left, near, "^")
        inside.let("frontier", near & Name("through"))
        if limited:
            inside.store(Name("steps"), 1, "-")
        out.give(enter ^ left)

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
                condition = clause.in_effect
                if rule.form == "through" or param.ident in free_vars(condition):
                    return False
                if (
                    rule.form == "step"
                    and self._link_table(route, [(rule.vars, p) for p in self.inlining.parts_of(condition)]) is None
                ):
                    return False
        return True

    def _link_table(self, route: m.Route, parts: Sequence[tuple[tuple[ir.Var, ...], ir.X]]) -> Code | None:
        """One table of neighbours that step rules amount to, chosen once before the flood; None if they are more
        than sorts of links and conditions that do not change on the way."""
        allowed: list[tuple[list[ir.X], tuple[str, ...]]] = []
        for (here, there), part in parts:
            conditions: list[ir.X] = []
            sorts: tuple[str, ...] = ()
            pieces = part.parts if isinstance(part, ir.OrX) else (part,)
            for piece in pieces:
                used = free_vars(piece)
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
        tables: list[Code] = []
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
            tables.append(self.constants.near(self.constants.const(tuple(table), "L")))
        index: list[Code] = []
        for at, (conditions, _) in enumerate(allowed):
            if conditions:
                index.append(c.Cond(c.any_of([self.x(test) for test in conditions]), Const(1 << at), Const(0)))
        can_hold = sum(1 << at for at, (conditions, _) in enumerate(allowed) if conditions)
        if all(table == tables[0] for at, table in enumerate(tables) if at & ~can_hold == 0):
            return tables[0]
        return c.Tuple(tuple(tables))[reduce(or_, index)]

    def _route_mask(self, route: m.Route, form: str) -> Code | None:
        masks: list[Code] = []
        every = (1 << route.kind.size) - 1
        for rule in route.rules:
            if rule.form != form:
                continue
            for clause in rule.clauses:
                for part in self.inlining.parts_of(clause.in_effect):
                    one = self.masks.mask_of(route.kind, rule.vars[0], part, "always")
                    if one is None:
                        if rule.vars[0].ident in free_vars(part):
                            return None
                        one = c.Cond(self.x(part), Const(every), Const(0))
                    masks.append(one)
        return reduce(and_, masks) if masks else Const(every)

    def _step_masks(self, route: m.Route, parts: Sequence[tuple[tuple[ir.Var, ...], ir.X]]) -> Code | None:
        """Where the step rules let one go from a space `a`, as a mask; None if they must be asked step by step."""
        masks: list[Code] = []
        every = (1 << route.kind.size) - 1
        self.scope.inner += 1
        try:
            for (here, there), part in parts:
                with self.scope.as_local(here, there):
                    self.scope.env[here.ident] = Name("a")
                    one = self.masks.mask_of(route.kind, there, part)
                    if one is None:
                        if there.ident in free_vars(part):
                            return None
                        one = c.Cond(self.x(part), Const(every), Const(0))
                    masks.append(self.scope.invariant(one))
            return self.scope.joined(masks) if masks else Const(every)
        finally:
            self.scope.inner -= 1

    def _route_test(self, route: m.Route, form: str, count: int) -> Code:
        names = ("a", "b")[:count]
        tests: list[Code] = []
        for rule in route.rules:
            if rule.form != form:
                continue
            with self.scope.as_local(*rule.vars):
                for var, name in zip(rule.vars, names, strict=True):
                    self.scope.env[var.ident] = Name(name)
                tests += [self.x(clause.in_effect) for clause in rule.clauses]
        return c.Lambda(names, c.all_of(tests))


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
