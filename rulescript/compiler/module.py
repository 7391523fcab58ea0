"""A checked game -> the text of one Python module, and the plain data a driver needs beside it.

The text holds everything: constants, pure rules, blocks, decisions. It imports nothing; the runtime gives it the
functions of runtime/support.py as its globals. Names of the game never become names of Python, only numbers do, so
no text of an author's can reach the generated code except as a quoted literal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define

from rulescript.analysis.types import BOOL, INT, VOID, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type
from rulescript.compiler.blocks import Blocks
from rulescript.compiler.effects import Key, called, state_key
from rulescript.compiler.expressions import walk
from rulescript.compiler.layout import Layout, plain
from rulescript.compiler.threading import thread_blocks
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime import support

__all__ = ["Compiled", "compile_game"]

MEMO_SLOTS = 14
# Names the compiler makes up are numbered from here, above all names of the rules.
OWN_NAMES = 1_000_000


@define
class Compiled:
    """The text and the data of a compiled game. Both are plain: they can be kept in a cache."""

    text: str
    data: dict[str, Any]
    origins: dict[int, tuple[str, int]]


def compile_game(game: m.Game, rules_hash: str = "") -> Compiled:
    """Compile a game that has no errors."""
    return Module(game, Layout(game)).compile(rules_hash)


class Module(Blocks):
    """Puts the module together."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.pure = Writer()
        self._own_names = 0

    # -------------------------------------------------------------- pure rules

    def need_function(self, function: m.Function) -> None:
        name = self.function_names[id(function)]
        out = Writer()
        out.at(function.span)
        params = [f"v{p.ident}" for p in function.params]
        before = {p.ident: self.env.get(p.ident) for p in function.params}
        for var, text in zip(function.params, params, strict=True):
            self.env[var.ident] = text
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
            out.line(0, f"def {base}(S{given}):")
        if self.is_recursive(function):
            out.line(1, f"step({self.work.weight(function.block, 300)})")
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
        for ident, old in before.items():
            if old is None:
                self.env.pop(ident, None)
            else:
                self.env[ident] = old
        self.pure.extend(out)

    def _adjusted(self, function: m.Function, name: str, given: str, out: Writer) -> None:
        """A value with its layers: set, times, add, then floors and caps."""
        out.line(0, f"def {name}(S{given}):")
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

    def _memo_key(self, reads: frozenset[tuple[str, str, str]]) -> str | None:
        """A key of everything in the state a result depends on, if that is little; None otherwise."""
        slots: list[int] = []
        for what, owner, name in sorted(reads):
            if what != "state":
                return None
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
        if len(slots) > MEMO_SLOTS:
            return None
        return "(" + "".join(f"S[{s}], " for s in slots) + ")"

    def _answers(self, name: str, key: str, params: Sequence[str], out: Writer, sort: str = "") -> None:
        """Answers are kept by what the rule reads, then by its arguments."""
        self.remembered.add(name)
        out.line(0, f"{name}_memo = {{}}")
        out.line(0, f"def {name}_at(S):")
        out.line(1, f"key = {key}")
        out.line(1, f"table = {name}_memo.get(key)")
        out.line(1, f"if table is None: return answers({name}_memo, key, S, {name}_work{sort})")
        out.line(1, "table.S = S")
        out.line(1, "return table")

    @staticmethod
    def _work(name: str, params: Sequence[str], out: Writer) -> None:
        """The head of a function that works out an answer to be kept; several arguments are one key."""
        out.line(0, f"def {name}_work(S, {params[0] if len(params) == 1 else 'given'}):")
        if len(params) > 1:
            out.line(1, f"{', '.join(params)} = given")

    def need_route(self, route: m.Route) -> None:
        name = self.route_names[id(route)]
        out = Writer()
        out.at(route.span)
        params = [f"v{p.ident}" for p in route.params]
        before = {p.ident: self.env.get(p.ident) for p in route.params}
        for var, text in zip(route.params, params, strict=True):
            self.env[var.ident] = text
        given = "".join(f", {p}" for p in params)
        start = self.x(route.start)
        if not isinstance(route.start.type, SetOf):
            start = f"1 << {start}"
        steps = self.x(route.steps) if route.steps is not None else "-1"
        if route.steps is not None and not steps.isdigit():
            steps = f"max(0, {steps})"  # less than none is none, not any number
        every = str((1 << route.kind.size) - 1)
        key = self._memo_key(self.effects.route_reads(route))
        if key is not None:
            self._answers(
                name, key, params, out, f", {self._route_mask(route, 'enter')}" if self._goes_both_ways(route) else ""
            )
        if key is not None:
            self._work(name, params, out)
        else:
            out.line(0, f"def {name}(S{given}):")
        self._route_body(route, name, given, start, steps, out)
        tests = {
            "enter": self._route_test(route, "enter", 1),
            "through": self._route_test(route, "through", 1),
            "step": self._route_test(route, "step", 2),
        }
        table = self.links(route.kind, route.sorts)
        out.line(0, f"def {name}_steps(S{given}, target):")
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
        for ident, old in before.items():
            if old is None:
                self.env.pop(ident, None)
            else:
                self.env[ident] = old
        self.pure.extend(out)

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
        name = self.table_names[id(table)]
        out = Writer()
        out.at(table.span)
        names = [f"v{p.ident}" for p in table.params]
        before = {p.ident: self.env.get(p.ident) for p in table.params}
        for var, text in zip(table.params, names, strict=True):
            self.env[var.ident] = text
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
        for ident, old in before.items():
            if old is None:
                self.env.pop(ident, None)
            else:
                self.env[ident] = old
        self.pure.extend(out)

    # -------------------------------------------------------------- rules that hold at once

    def watch_whenevers(self, procedures: Sequence[m.Procedure]) -> list[m.Procedure]:
        """After every effect that touches what a `whenever` reads, a look whether it holds now."""
        checks: list[tuple[m.Procedure, frozenset[tuple[str, str, str]]]] = []
        span = self.game.procedures["sequence"].span if "sequence" in self.game.procedures else None
        for number, rule in enumerate(self.game.whenevers):
            span = rule.span
            held_type: Type = SetOf(ThingOf(self.kind_of(rule.var.type))) if rule.var is not None else BOOL
            held = m.State(f"held {number}", held_type, None, None, (), (), span, "", 0 if rule.var else False)
            self.layout.state_slot[id(held)] = self.layout.take(0 if rule.var is not None else False)
            self.layout.state_mode[id(held)] = "one"
            held_x = ir.StateX(held_type, span, held, None)
            block: list[ir.S] = []
            if rule.var is not None and rule.source is not None:
                now = ir.Var("now", held_type, "let", OWN_NAMES + 0 + 4 * number)
                fresh = ir.Var("fresh", held_type, "let", OWN_NAMES + 1 + 4 * number)
                element = ir.Var("each", rule.var.type, "loop", OWN_NAMES + 2 + 4 * number)
                now_x, fresh_x = ir.Local(held_type, span, now), ir.Local(held_type, span, fresh)
                found = ir.FilterX(held_type, span, rule.source, rule.var, rule.condition)
                block = [
                    ir.LetS(span, (), now, found),
                    ir.LetS(span, (), fresh, ir.SetOpX(held_type, span, "-", now_x, held_x)),
                    ir.AssignS(span, (), held_x, "=", now_x),
                    ir.IfS(span, (), ir.SomeX(BOOL, span, fresh_x, True), (ir.StopS(span, ()),), ()),
                    ir.ForS(
                        span, (), element, fresh_x,
                        (ir.CallS(span, rule.cites, rule.procedure, (ir.Local(rule.var.type, span, element),)),),
                    ),
                ]  # fmt: skip
            else:
                flag = ir.Var("now", BOOL, "let", OWN_NAMES + 0 + 4 * number)
                now_b = ir.Local(BOOL, span, flag)
                was = ir.Var("was", BOOL, "let", OWN_NAMES + 1 + 4 * number)
                block = [
                    ir.LetS(span, (), flag, rule.condition),
                    ir.LetS(span, (), was, held_x),
                    ir.AssignS(span, (), held_x, "=", now_b),
                    ir.IfS(
                        span, (),
                        ir.OrX(BOOL, span, (ir.Local(BOOL, span, was), ir.NotX(BOOL, span, now_b))),
                        (ir.StopS(span, ()),), (),
                    ),
                    ir.CallS(span, rule.cites, rule.procedure, ()),
                ]  # fmt: skip
            check = m.Procedure(f"check {number}", "check", (), VOID, rule.cites, span)
            check.block = (ir.RepeatS(span, (), "", None, tuple(block)),)
            reads = self.effects.reads(rule.condition)
            if rule.source is not None:
                reads |= self.effects.reads(rule.source)
            checks.append((check, reads))
        if not checks:
            return []

        def watched(block: ir.Block, own: m.Procedure | None) -> ir.Block:
            out: list[ir.S] = []
            for statement in block:
                match statement:
                    case ir.ChooseS(alts=alts):
                        for alt in alts:
                            alt.block = watched(alt.block, own)
                    case ir.TogetherS(branches=branches):
                        watched(branches, own)
                    case ir.IfS():
                        statement.then = watched(statement.then, own)
                        statement.otherwise = watched(statement.otherwise, own)
                    case ir.ForS() | ir.RepeatS() | ir.EachS():
                        statement.block = watched(statement.block, own)
                written, reset = self.effects.own_writes(statement), self._reset_by(statement)
                if not isinstance(statement, ir.ForS):
                    out += [statement, *looking(written | reset, statement, own)]
                    continue
                # A loop over a state changes it at the start of every round, not at the end.
                statement.block = (*looking(written, statement, own), *statement.block)
                again = looking(reset, statement, own)
                if again:
                    # What lasts a round is put back after each: looked at before the next one and after the last.
                    first = ir.Var("first", BOOL, "let", self._own_name())
                    first_x = ir.Local(BOOL, statement.span, first)
                    yes, no = (ir.Lit(BOOL, statement.span, value) for value in (True, False))
                    out.append(ir.LetS(statement.span, (), first, yes))
                    statement.block = (
                        ir.IfS(statement.span, (), first_x, (), tuple(again)),
                        ir.AssignS(statement.span, (), first_x, "=", no),
                        *statement.block,
                    )
                out += [statement, *again]
            return tuple(out)

        def looking(writes: frozenset[Key], statement: ir.S, own: m.Procedure | None) -> list[ir.S]:
            return [
                ir.CallS(statement.span, rule.cites, check, ())
                for (check, reads), rule in zip(checks, self.game.whenevers, strict=True)
                if writes & reads and rule.procedure is not own
            ]

        for procedure in procedures:
            procedure.block = watched(procedure.block, procedure)
            for hook in (*procedure.before, *procedure.after):
                hook.block = watched(hook.block, procedure)
        for hooks in self.game.loop_hooks.values():
            for hook in hooks:
                hook.block = watched(hook.block, None)
        return [check for check, _ in checks]

    def _own_name(self) -> int:
        """A number for a name of our own, above those of the rules that hold at once."""
        self._own_names += 1
        return OWN_NAMES + 4 * len(self.game.whenevers) + self._own_names

    def _reset_by(self, statement: ir.S) -> frozenset[Key]:
        """The states that are put back to their first value at the end of what a statement calls or goes through."""
        names = {procedure.name for procedure in called(statement)}
        if isinstance(statement, ir.ForS) and statement.var.state is not None:
            names.add(statement.var.state.name)
        if not names:
            return frozenset()
        return frozenset(
            ("where", state.kind.name, "") if state.kind is not None and state.kind.is_pieces else state_key(state)
            for state in self.lasting(names)
        )

    # -------------------------------------------------------------- putting it together

    def compile(self, rules_hash: str) -> Compiled:
        game, layout = self.game, self.layout
        procedures = list(game.procedures.values())
        for kind in game.kinds.values():
            for thing in kind.things:
                procedures += thing.does.values()
        checks = self.watch_whenevers(procedures)
        procedures += checks
        for procedure in checks:
            game.procedures[procedure.name] = procedure
        self.find_stops(procedures)
        for procedure in procedures:
            if procedure.form not in ("phase", "sequence", "does"):
                self.info(procedure)
        sequence = game.procedures.get("sequence")
        start = 0
        if sequence is not None:
            info = self.info(sequence)
            layout.initial[info.ret] = self.new_block()
            self.out.line(0, f"def b{layout.initial[info.ret]}(p, S):")
            self.out.line(1, "if S[2] is None: S[2] = ('', (), False, 'the sequence of play is over', -1)")
            self.out.line(1, "S[0] = 0")
            self.out.line(1, "return None")
            start = info.entry
        layout.initial[0] = start
        for procedure in procedures:
            if procedure.form == "phase" and procedure.name not in self.phase_entries:
                self.info(procedure)
        self._claims()
        self._views()
        self.out.line(0, "def b0(p, S):")
        self.out.line(1, "p.d = 0; p.o = []; S[0] = 0")
        self.out.line(1, "return None")
        return self._assemble(start, rules_hash)

    def _claims(self) -> None:
        out = self.out
        self._plain = True
        for at, invariant in enumerate(self.game.invariants):
            out.at(invariant.span)
            tests = " and ".join(f"({self.x(c)})" for c in invariant.conditions)
            out.line(0, f"def inv{at}(S): return bool({tests})")
        for at, (check, conditions) in enumerate(self.game.checks):
            out.at(check.span)
            for number, condition in enumerate(conditions):
                out.line(0, f"def chk{at}_{number}(S): return bool({self.x(condition)})")
                if isinstance(condition, ir.CompareX):
                    sides = f"{self.x(condition.left)}, {self.x(condition.right)}"
                    out.line(0, f"def sides{at}_{number}(S): return ({sides})")
        self._plain = False

    def _views(self) -> None:
        """Who sees what in a place: a function from the viewer's number and the owner to a level."""
        self._plain = True
        self.holds_list: list[m.Holds] = [*self.game.holds.values()]
        for kind in self.game.kinds.values():
            self.holds_list += kind.holds.values()
        for at, holds in enumerate(self.holds_list):
            out = self.out
            out.at(holds.span)
            out.line(0, f"def see{at}(S, viewer, owner):")
            if holds.owner_var is not None:
                self.env[holds.owner_var.ident] = "owner"
            default = "visible"
            for line in holds.visibility:
                if line.who is None:
                    default = line.level
                    continue
                who = self.x(line.who)
                test = f"{who} >> viewer & 1" if isinstance(line.who.type, SetOf) else f"{who} == viewer"
                out.line(1, f"if {test}: return {line.level!r}")
            if holds.visibility and all(v.who is not None for v in holds.visibility):
                default = "hidden" if any(v.level == "visible" for v in holds.visibility) else "visible"
            out.line(1, f"return {default!r}")
        self.hidden_kinds: list[str] = []
        for kind in self.game.kinds.values():
            if kind.hidden is None:
                continue
            var, condition, known = kind.hidden
            self.env[var.ident] = "x"
            test = self.x(condition)
            knows = "False"
            if known is not None:
                code = self.x(known)
                knows = f"{code} >> viewer & 1" if isinstance(known.type, SetOf) else f"{code} == viewer"
            self.out.at(kind.span)
            self.out.line(0, f"def hide{len(self.hidden_kinds)}(S, x, viewer): return bool({test}) and not ({knows})")
            self.hidden_kinds.append(kind.name)
        self._plain = False

    def _assemble(self, start: int, rules_hash: str) -> Compiled:
        layout, game = self.layout, self.game
        places = [""] * len(layout.initial)
        for slot, (holds, owner) in layout.place_of_slot.items():
            if holds.owner is not None and holds.owner.things:
                label = holds.owner.things[owner].label
                only = sum(1 for h in holds.owner.holds.values() if h.kind is holds.kind) == 1
                places[slot] = f" in {label}" if only else f" in {label} ({holds.name.replace('_', ' ')})"
            else:
                places[slot] = f" in {holds.name.replace('_', ' ')}"
        owners = [0] * len(layout.initial)
        for slot, (_, owner) in layout.place_of_slot.items():
            owners[slot] = owner
        self.constants["PL"] = tuple(owners)
        self.constants["PLACES"] = tuple(places)
        within = {
            n: tuple(i for i, names in enumerate(self.phase_within) if n in names) for n in dict.fromkeys(self.phases)
        }
        self.constants["WITHIN"] = {a.during: within.get(a.during, ()) for a in self.game.asides}
        head = Writer()
        for name, value in self.constants.items():
            if not isinstance(value, support._Remember):
                head.line(0, f"{name} = {_literal(value)}")
        for name, pieces in layout.pieces.items():
            n = self.ident(name)
            head.line(0, f"IT_{n} = Items({pieces.fields!r})")
            head.line(0, f"CD_{n} = Codes(IT_{n})")
            head.line(0, f"CN_{n} = Counts(IT_{n})")
        for name, table in self.nears.items():
            head.line(0, f"{name} = Near({table})")
        for work, name in self.known.items():
            sort = "KnownBy" if "," in work[: work.index(":")] else "Known"
            head.line(0, f"{name} = {sort}({work})")
        ordered = {slot: holds.ordered for slot, (holds, _) in layout.place_of_slot.items()}
        head.line(0, f"ORDERED = {ordered!r}")
        for name, loc in layout.loc_slot.items():
            head.line(0, f"TI_{self.ident(name)} = ThingInfo({name!r}, {loc}, ORDERED)")
        head.extend(self.pure)
        keep = {0, start, *self.decisions, *(entry for entry, _ in self.phase_blocks)}
        keep |= {info.entry for info in self.procedures.values()}
        keep |= {v for v in layout.initial[layout.locals_start :] if isinstance(v, int)}
        apart = self.blocks_apart()
        self.out = thread_blocks(self.out, keep | apart, apart)
        head.extend(self.out)
        blocks = ", ".join(f"b{i}" if self._has_block(i) else "None" for i in range(self.block_count))
        head.at(None)
        head.line(0, f"B = [{blocks}]")
        head.line(0, "C = {" + ", ".join(f"{d}: c{d}" for d in self.decisions) + "}")
        head.line(0, "W = {" + ", ".join(f"{d}: w{d}" for d in self.decisions) + "}")
        texts = ", ".join(f"{d}: ({', '.join(a.text for a in i.alts)},)" for d, i in self.decisions.items())
        head.line(0, "X = {" + texts + "}")
        head.line(0, "INV = [" + ", ".join(f"inv{i}" for i in range(len(game.invariants))) + "]")
        checks = ", ".join(
            "[" + ", ".join(f"chk{i}_{j}" for j in range(len(conditions))) + "]"
            for i, (_, conditions) in enumerate(game.checks)
        )
        head.line(0, f"CHK = [{checks}]")
        sides = ", ".join(
            f"({i}, {j}): sides{i}_{j}"
            for i, (_, conditions) in enumerate(game.checks)
            for j, condition in enumerate(conditions)
            if isinstance(condition, ir.CompareX)
        )
        head.line(0, "SIDES = {" + sides + "}")
        hides = ", ".join(f"{name!r}: hide{i}" for i, name in enumerate(self.hidden_kinds))
        head.line(0, f"HIDE = {{{hides}}}")
        head.line(0, "SEE = [" + ", ".join(f"see{i}" for i in range(len(self.holds_list))) + "]")
        return Compiled(head.text, self._data(start, rules_hash), head.origins)

    def blocks_apart(self) -> frozenset[int]:
        """Blocks that are always jumped to, never written where they are reached; examples stop at phases."""
        return frozenset()

    def _has_block(self, number: int) -> bool:
        if not hasattr(self, "_defined"):
            self._defined = {line[4 : line.index("(")] for line in self.out.lines if line.startswith("def b")}
        return f"b{number}" in self._defined

    # -------------------------------------------------------------- the data beside it

    def _data(self, start: int, rules_hash: str) -> dict[str, Any]:
        game, layout = self.game, self.layout
        kinds: dict[str, Any] = {}
        for kind in game.kinds.values():
            entry: dict[str, Any] = {
                "pieces": kind.is_pieces,
                "values": kind.is_values,
                "names": [t.name for t in kind.things],
                "shown": [t.copy_of or t.name for t in kind.things],
                "labels": [t.label for t in kind.things],
                "attrs": {a.name: [_jsonable(v) for v in a.values] for a in kind.attrs.values()},
                "attr_types": {a.name: type_data(a.type) for a in kind.attrs.values()},
                "links": {s: [sorted(x) for x in table] for s, table in kind.links.items()},
                "at": [t.at for t in kind.things],
                "docs": [t.doc for t in kind.things],
                "cites": [list(t.cites) for t in kind.things],
                "loc": layout.loc_slot.get(kind.name, -1),
                "homes": [layout.slot_of(h[0], h[1]) if h is not None else -1 for h in kind.homes]
                if kind.movable
                else [],
                "counts": [t.count for t in kind.things] if kind.is_pieces else [],
                "words": [sorted(t.words) for t in kind.things],
            }
            if kind.hidden is not None:
                if kind.shows is not None:
                    entry["backs"] = [t.back for t in kind.things]
                lasting = {s.name: s.within.name for s in kind.states.values() if s.within is not None}
                if lasting:
                    entry["lasts_in"] = lasting
                entry["turned_by"] = sorted(
                    node.state.name
                    for node in walk(kind.hidden[1])
                    if isinstance(node, ir.StateX | ir.PieceStateX) and node.state.kind is kind
                )
            if kind.is_pieces:
                pieces = layout.pieces[kind.name]
                entry["fields"], entry["types"], entry["codes"] = list(pieces.fields), pieces.types, pieces.codes
                entry["states"] = [
                    (s.name, stride, values, type_data(s.type), values.index(plain(s.initial)))
                    for s, stride, values in pieces.states
                ]
            kinds[kind.name] = entry
        states: list[dict[str, Any]] = []
        all_states: list[m.State] = [*game.states.values()]
        for kind in game.kinds.values():
            if not kind.is_pieces:
                all_states += kind.states.values()
        for state in all_states:
            states.append(
                {
                    "name": state.name,
                    "kind": state.kind.name if state.kind else "",
                    "slot": layout.state_slot[id(state)],
                    "mode": layout.state_mode[id(state)],
                    "masks": layout.mask_slot.get(id(state), -1),
                    "type": type_data(state.type),
                    "lasts": [x.text for x in state.lasts],
                    "hidden": " " in state.name,
                }
            )
        holds = [
            {
                "name": h.name,
                "kind": h.kind.name,
                "owner": h.owner.name if h.owner else "",
                "slot": layout.holds_slot[id(h)],
                "ordered": h.ordered,
                "size": max(1, h.owner.size) if h.owner else 1,
                "restricted": bool(h.visibility),
            }
            for h in self.holds_list
        ]
        decisions = {
            number: {
                "choice": info.choice,
                "procedure": info.procedure,
                "number": info.choose.number if info.choose is not None else -1,
                "stage": info.stage,
                "sealed": info.sealed,
                "many": info.many,
                "cites": list(info.cites),
                "line": (info.span.source.name, info.span.line),
                "var": (info.var.name, type_data(info.var.type)) if info.var is not None else None,
                "previous": [(name, slot, type_data(t)) for name, slot, t in info.previous],
                "alts": [
                    {
                        "label": a.label,
                        "form": a.form,
                        "cites": list(a.cites),
                        "vars": list(a.vars),
                        "types": [type_data(v.type) for v, _ in a.alt.picks] if a.alt is not None else [],
                        "many": type_data(a.alt.many[2].type) if a.alt is not None and a.alt.many else None,
                        "said": _plain_words(a.alt) if a.alt is not None and a.alt.many else "",
                        "flagged": a.flagged,
                        "effect": a.alt.effect if a.alt is not None else "",
                    }
                    for a in info.alts
                ],
            }
            for number, info in self.decisions.items()
        }
        procedures = {
            info.name: {
                "form": info.form, "plain": info.plain, "entry": info.entry, "params": info.params, "ret": info.ret,
                "types": [type_data(t) for t in info.types],
            }
            for info in self.procedures.values()
        }  # fmt: skip
        players = game.players
        seats = {count: [list(s) for s in groups] for count, groups in game.seats.items()}
        if players is not None and not seats:
            seats = {players.size: [[i] for i in range(players.size)]}
        return {
            "ident": game.ident,
            "title": game.title,
            "version": game.version,
            "hash": rules_hash,
            "options": list(game.options),
            "scenario": game.scenario,
            "all_options": {name: _option_data(option) for name, option in game.all_options.items()},
            "all_scenarios": {name: _option_data(option) for name, option in game.all_scenarios.items()},
            "initial": list(layout.initial),
            "locals": layout.locals_start,
            "vars": dict(layout.var_slot),
            "start": start,
            "kinds": kinds,
            "states": states,
            "holds": holds,
            "decisions": decisions,
            "procedures": procedures,
            "phases": list(self.phases),
            "phase_blocks": list(self.phase_blocks),
            "phase_entries": dict(self.phase_entries),
            "phase_titles": {p.name: p.title for p in game.procedures.values()},
            "phase_cites": {p.name: list(p.cites) for p in game.procedures.values()},
            "loops": list(self.loop_entries),
            "sites": [list(s[:4]) + [s[4]] for s in self.sites],
            "players": players.name if players is not None else "",
            "seats": seats,
            "rulebook": {k: (line.sort, line.title) for k, line in game.rulebook.items()},
            "invariants": [
                {"title": i.title, "when": i.when, "scope": i.scope, "cites": list(i.cites)} for i in game.invariants
            ],
            "checks": [{"title": c.title, "cites": list(c.cites)} for c, _ in game.checks],
        }  # fmt: skip


def type_data(type_: Type) -> Any:
    """A type as plain data: ["thing", kind], ["set", inner] ..."""
    match type_:
        case ThingOf(kind):
            return ["thing", kind]
        case PieceOf(kind):
            return ["piece", kind]
        case SetOf(element):
            return ["set", type_data(element)]
        case ListOf(element):
            return ["list", type_data(element)]
        case Maybe(element):
            return ["maybe", type_data(element)]
    return [getattr(type_, "name", "error")]


def _option_data(option: Any) -> dict[str, Any]:
    """An option or scenario for the driver: what it is called and what it goes with."""
    return {
        "title": option.title,
        "doc": option.doc,
        "needs": _named(option, "needs"),
        "excludes": _named(option, "excludes"),
        "on": any(rule.form == "on" for rule in option.rules),
    }


def _named(option: Any, form: str) -> list[str]:
    return [r.name.text for r in option.rules if r.form == form and r.name is not None]


def _jsonable(value: Any) -> Any:
    value = plain(value)
    return list(value) if isinstance(value, tuple) else value


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return repr(dict(value))
    return repr(value)


def _plain_words(alt: ir.Alt) -> str:
    """What the text of a choice says besides what is picked."""
    parts = alt.text.parts if isinstance(alt.text, ir.TemplateX) else ()
    return " ".join(part for part in parts if isinstance(part, str))


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
    from rulescript.compiler.expressions import free_vars

    return free_vars(x)
