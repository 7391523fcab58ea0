"""Declarations -> rules of the model: functions, tables, routes, procedures, and what amends them.

First every signature, so that rules may use each other in any order; then the bodies; then the amendments,
each read in the names of the rule it changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define

from rulescript import nodes as n
from rulescript.analysis.scope import Base, Scope
from rulescript.analysis.statements import Statements, leaves
from rulescript.analysis.static import NOT_FIXED
from rulescript.analysis.wordings import reword
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import chooses_in, statements_in
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    VOID,
    Maybe,
    SetOf,
    ThingOf,
    Type,
    element_of,
    say,
)  # fmt: skip
from rulescript.source import Span

__all__ = ["Active", "Rules"]


@define
class Active:
    """A declaration that is in force, with its default citation, who wrote it, and the thing it is part of."""

    declaration: n.Declaration
    cites: tuple[str, ...]
    origin: str
    this: tuple[m.Kind, int] | None = None

    @property
    def thing(self) -> str:
        """The name of the thing (a card, a marker) it is part of."""
        return self.this[0].things[self.this[1]].name if self.this is not None else ""


class _Again:
    """For a while, perhaps, a text is read again."""

    def __init__(self, base: Base, is_so: bool) -> None:
        self.base = base
        self.is_so = is_so

    def __enter__(self) -> None:
        self.base.reading_again = self.is_so

    def __exit__(self, *problem: object) -> None:
        self.base.reading_again = False


class Rules(Statements):
    """Reads rules and their amendments."""

    # -------------------------------------------------------------- signatures

    def signature(self, decl: n.Declaration, replacing: bool = False) -> None:
        game = self.game
        match decl:
            case n.FunctionDecl() if replacing or not self.name_taken(decl.name):
                form = "value" if decl.is_value else "function"
                game.functions[decl.name.text] = m.Function(
                    decl.name.text, form, self.params(decl.params), self.type_of(decl.type),
                    self.cited(decl.cites), decl.name.span, self.origin, reconstructed=decl.reconstructed,
                )  # fmt: skip
                if decl.standing is not None:
                    game.standing, game.standing_counts = game.functions[decl.name.text], decl.standing.value
                    self._standing(decl)
            case n.PredicateDecl() if replacing or not self.name_taken(decl.name):
                game.functions[decl.name.text] = m.Function(
                    decl.name.text, "predicate", self.params(decl.params), BOOL,
                    self.cited(decl.cites), decl.name.span, self.origin,
                )  # fmt: skip
            case n.TableDecl() if replacing or not self.name_taken(decl.name):
                game.tables[decl.name.text] = m.Table(
                    decl.name.text, self.params(decl.params), self.type_of(decl.type), None, [],
                    self.cited(decl.cites), decl.name.span, self.origin, decl.doc, decl.reconstructed,
                )  # fmt: skip
                if decl.reconstructed:
                    game.reconstructed.append((f"table {decl.name}", decl.reconstructed, decl.name.span))
            case n.RouteDecl() if replacing or not self.name_taken(decl.name):
                self._route_signature(decl)
            case n.ProcedureDecl() if replacing or not self.name_taken(decl.name):
                type_ = self.type_of(decl.type) if decl.type is not None else VOID
                game.procedures[decl.name.text] = m.Procedure(
                    decl.name.text, decl.form, self.params(decl.params), type_, self.cited(decl.cites),
                    decl.name.span, decl.title or decl.name.text.replace("_", " ").capitalize(), decl.closed,
                    self.origin,
                )  # fmt: skip
            case n.SignalDecl() if not self.name_taken(decl.name):
                game.signals[decl.name.text] = m.Signal(
                    decl.name.text, self.params(decl.params), self.cited(decl.cites), decl.name.span
                )

    def _standing(self, decl: n.FunctionDecl) -> None:
        """Who is ahead is asked of each player."""
        assert self.game.standing is not None
        types = [var.type for var in self.game.standing.params]
        if self.game.players is not None and types != [self.player_type()] and ERROR not in types:
            kind = self.game.players.name
            self.error(
                "RS233", f"the standing is asked of each {kind}, and of nothing else", decl.name.span, "",
                f'write `standing({kind[0].lower()}: {kind}) "..."`',
            )  # fmt: skip

    def _route_signature(self, decl: n.RouteDecl) -> None:
        kinds = [k for k in self.game.kinds.values() if any(s.text in k.links for s in decl.sorts)]
        for sort in decl.sorts:
            if not any(sort.text in k.links for k in self.game.kinds.values()):
                known = [s for k in self.game.kinds.values() for s in k.links]
                self.unknown("sort of link", sort.text, sort.span, known)
        if not kinds:
            self.lost.add(decl.name.text)
            return
        placeholder = ir.Lit(ERROR, decl.span, None)
        self.game.routes[decl.name.text] = m.Route(
            decl.name.text, self.params(decl.params), kinds[0], placeholder, tuple(s.text for s in decl.sorts),
            None, [], self.cited(decl.cites), decl.name.span, self.origin, decl.doc,
        )  # fmt: skip

    def scope_for(self, params: tuple[ir.Var, ...], this: tuple[m.Kind, int] | None = None, pure: bool = True) -> Scope:
        scope = Scope(pure=pure, this=this)
        for var in params:
            scope.names[var.name] = var
        return scope

    # -------------------------------------------------------------- bodies

    def body(self, decl: n.Declaration, this: tuple[m.Kind, int] | None = None) -> None:
        game = self.game
        match decl:
            case n.FunctionDecl():
                function = game.functions.get(decl.name.text)
                if function is not None and function.span == decl.name.span:
                    scope = self.scope_for(function.params, this)
                    scope.returns = function.type
                    function.block = self.block(decl.block, scope)
                    function.doc = _doc(function.block)
                    if function.type != ERROR and not _always_returns(function.block):
                        self.error(
                            "RS212", f"`{function.name}` does not always give a value back", decl.name.span,
                            f"promises {say(function.type)}",
                        )  # fmt: skip
            case n.PredicateDecl():
                function = game.functions.get(decl.name.text)
                if function is not None and function.span == decl.name.span:
                    scope = self.scope_for(function.params, this)
                    function.clauses = self.clauses(decl.block, scope, function.cites)
                    function.doc = "\n".join(s.text for s in decl.block if isinstance(s, n.Doc))
            case n.RouteDecl():
                self._route_body(decl, this)
            case n.TableDecl():
                self._table_body(decl, this)
            case n.ProcedureDecl():
                procedure = game.procedures.get(decl.name.text)
                if procedure is not None and procedure.span == decl.name.span:
                    self.procedure_body(procedure, decl.block, this)

    def procedure_body(self, procedure: m.Procedure, block: n.Block, this: tuple[m.Kind, int] | None) -> None:
        scope = self.scope_for(procedure.params, this, pure=False)
        scope.returns = procedure.type
        scope.procedure = procedure.name
        self.current, self.returns = procedure, []
        procedure.block = self.block(block, scope)
        procedure.doc = _doc(procedure.block)
        # What comes after sees the parameters as they are wherever the rule ends.
        self.merge([*self.returns, *([] if leaves(block) else [self.whereabouts(scope)])])
        self.current = None

    def again(self, decl: n.Declaration) -> _Again:
        """While a rule is read for another kind than the first, what was said of it is not said again."""
        name = getattr(decl, "name", None)
        return _Again(self, isinstance(name, n.Name) and "@" in name.text)

    def clauses(self, block: n.Block, scope: Scope, cites: tuple[str, ...]) -> list[ir.Clause]:
        out: list[ir.Clause] = []
        for statement in block:
            truth = self.kind_truth(statement.condition, scope) if isinstance(statement, n.Require) else None
            if isinstance(statement, n.Require) and truth is not None:
                if not truth:
                    return [*out, self.never(statement, cites, self.kinds_asked(scope))]
            elif isinstance(statement, n.Require):
                clause = self.clause(statement, scope, cites)
                out.append(clause)
                scope.learn(self.knowing(clause.condition, scope))
            elif not isinstance(statement, n.Doc):
                self.error("RS207", "only `require` lines can stand here", statement.span)
        return out

    def _route_body(self, decl: n.RouteDecl, this: tuple[m.Kind, int] | None) -> None:
        route = self.game.routes.get(decl.name.text)
        if route is None or route.span != decl.name.span:
            return
        scope = self.scope_for(route.params, this)
        space = ThingOf(route.kind.name)
        start = self.expr(decl.start, scope)
        if isinstance(start.type, ThingOf):
            route.start = self.must(start, space, decl.start.span)
        else:
            route.start = self.must(start, SetOf(space), decl.start.span)
        route.steps = self.number(decl.steps, scope) if decl.steps is not None else None
        for rule in decl.rules:
            inside = scope.inner()
            names = tuple(self.bind(name, space, "element", inside) for name in rule.names)
            if rule.form == "cost":
                self._step_cost(route, rule, names, inside)
                continue
            route.rules.append(
                m.RouteRule(rule.form, names, self.clauses(rule.block, inside, rule.cites or route.cites))
            )
        if decl.steps is not None and decl.in_points is not (route.cost is not None):
            said = decl.steps.span.text.strip()
            self.error(
                "RS207",
                "a route whose steps have a `cost` goes at most so many points"
                if route.cost is not None
                else "a route goes at most so many points only if its steps have a `cost`",
                decl.steps.span,
                "so many of what?",
                f"write `at most {said} points`"
                if route.cost is not None
                else f"write `at most {said} steps`, or say under `cost a to b` what a step costs",
            )

    def _step_cost(self, route: m.Route, rule: n.RouteRule, names: tuple[ir.Var, ...], scope: Scope) -> None:
        """``cost a to b``, and under it a number."""
        lines = [s for s in rule.block if not isinstance(s, n.Doc)]
        if len(lines) != 1 or not isinstance(lines[0], n.ExprStatement):
            self.error(
                "RS207", "what a step costs is one number", lines[-1].span if lines else rule.span, "expected a number",
                "work it out in a `value` and write that here",
            )  # fmt: skip
        elif route.cost is not None:
            self.error("RS207", "this route says twice what a step costs", rule.span, "said before")
        else:
            route.cost = ((names[0], names[1]), self.number(lines[0].value, scope))

    # -------------------------------------------------------------- tables

    def _table_body(self, decl: n.TableDecl, this: tuple[m.Kind, int] | None) -> None:
        table = self.game.tables.get(decl.name.text)
        if table is None or table.span != decl.name.span or not decl.rows:
            return
        if not 1 <= len(table.params) <= 2:
            self.error("RS202", "a table is read by one value, or by two (row and column)", decl.name.span)
            return
        rows = list(decl.rows)
        width = len(rows[0].cells)
        if len(table.params) == 2 and self.is_uneven(rows):
            return
        if len(table.params) == 2:
            header = rows.pop(0)
            table.columns = tuple(self._cell_key(cell, table.params[1].type) for cell in header.cells[1:])
            self._check_columns(table, header)
        elif width != 2:
            self.error("RS202", "a table read by one value has two columns: the value and the result", rows[0].span)
            return
        scope = self.scope_for(table.params, this)
        for row in rows:
            if len(row.cells) != width:
                self.error(
                    "RS301", f"this row has {len(row.cells)} cells, the others {width}", row.span,
                    "the value and the result", hint="a table read by two values has two of them in its brackets",
                )  # fmt: skip
                return
            guard = self.condition(row.condition, scope) if row.condition is not None else None
            if guard is not None and row.guard == "unless":
                guard = ir.NotX(BOOL, guard.span, guard)
            if not row.cells[0].items and not row.cells[0].otherwise:
                self.error("RS301", "this row does not say what it stands for", row.span, "its first cell is empty")
            key = () if row.cells[0].otherwise else self._cell_key(row.cells[0], table.params[0].type)
            values = tuple(self._cell_value(cell, table.type) for cell in row.cells[1:])
            if row.reconstructed:
                self.game.reconstructed.append((f"table {decl.name}", row.reconstructed, row.span))
            table.rows.append(
                m.TableRow(
                    key, row.cells[0].otherwise, values, guard, row.cites or table.cites, row.span, row.reconstructed
                )
            )
        self._check_rows(table, decl)

    def _cell_key(self, cell: n.Cell, type_: Type) -> tuple[Any, ...]:
        """The values a key cell stands for: numbers, (low, high) ranges, or things."""
        out: list[Any] = []
        for item in cell.items:
            if isinstance(item, n.Range):
                out.append((item.low, item.high))
                continue
            value = self.static(item, None, type_)
            if value is NOT_FIXED:
                continue
            if not self.value_fits(value, type_):
                self.error("RS201", f"a key of this table is {say(type_)}", item.span, f"expected {say(type_)}")
                continue
            out.append((value, value) if isinstance(value, int) and not isinstance(value, bool) else value)
        return tuple(out)

    def _cell_value(self, cell: n.Cell, type_: Type) -> Any:
        if isinstance(type_, SetOf):
            values = [self.static(item, None, type_.element) for item in cell.items]
            return frozenset(v for v in values if v is not NOT_FIXED)
        if not cell.items and isinstance(type_, Maybe):
            return None
        if len(cell.items) != 1:
            self.error("RS201", f"a result of this table is {say(type_)}", cell.span)
            return NOT_FIXED
        value = self.static(cell.items[0], None, type_)
        if value is not NOT_FIXED and not self.value_fits(value, type_):
            self.error("RS201", f"a result of this table is {say(type_)}", cell.span, f"expected {say(type_)}")
            return NOT_FIXED
        return value

    def _check_columns(self, table: m.Table, header: n.Row) -> None:
        assert table.columns is not None
        seen: list[tuple[Any, n.Cell]] = []
        for key, cell in zip(table.columns, header.cells[1:], strict=True):
            for item in key:
                for old, where in seen:
                    if _overlap(item, old):
                        self.error(
                            "RS302", "two columns stand for the same value", cell.span, "again",
                            others=[Label(where.span, "first here")],
                        )  # fmt: skip
                seen.append((item, cell))
        kind = table.params[1].type
        if isinstance(kind, ThingOf):
            covered = {i.index for i, _ in seen if isinstance(i, m.ThingRef)}
            missing = [t.name for t in self.game.kinds[kind.kind].things if t.index not in covered]
            if missing:
                self.error("RS301", f"no column for {', '.join(missing[:5])}", table.span, "gap in this table")
        elif kind == INT:
            for gap in _gaps(i for i, _ in seen):
                self.error("RS301", f"no column for {gap}", table.span, "gap in this table")

    def _check_rows(self, table: m.Table, decl: n.TableDecl) -> None:
        """Gaps, overlaps, rows that can never be reached."""
        seen: list[tuple[Any, m.TableRow]] = []
        last: m.TableRow | None = None
        for row in table.rows:
            if last is not None:
                self.error(
                    "RS303", "this row is never reached", row.span, "unreachable",
                    others=[Label(last.span, "this row takes everything")],
                )  # fmt: skip
                break
            if row.otherwise and row.guard is None:
                last = row
            for item in row.key:
                for old, where in seen:
                    if where.guard is None and _overlap(item, old):
                        same = _covers(old, item)
                        self.error(
                            "RS303" if same else "RS302",
                            "this row is never reached" if same else "two rows stand for the same value",
                            row.span,
                            "unreachable" if same else "again",
                            others=[Label(where.span, "first here")],
                        )  # fmt: skip
                        break
                seen.append((item, row))
        if last is not None:
            return
        if any(row.guard is not None for row in table.rows):
            self.error(
                "RS316", "a table with conditions on its rows needs a last row `otherwise`", decl.name.span,
                hint="add `| otherwise | ... |`",
            )  # fmt: skip
            return
        kind = table.params[0].type
        if isinstance(kind, ThingOf):
            things = self.game.kinds[kind.kind].things
            covered = {i.index for i, _ in seen if isinstance(i, m.ThingRef)}
            missing = [t.name for t in things if t.index not in covered]
            if missing:
                self.error(
                    "RS301", f"no row for {', '.join(missing[:5])}", decl.name.span, hint="add `| otherwise | ... |`"
                )
        elif kind == BOOL and len({i for i, _ in seen}) == 1:
            missing_word = "no" if any(i is True for i, _ in seen) else "yes"
            self.error(
                "RS301",
                f"no row for {missing_word}",
                decl.name.span,
                "gap in this table",
                "add the row, or `| otherwise | ... |`",
            )
        elif kind == INT and seen:
            for gap in _gaps(i for i, _ in seen):
                self.error(
                    "RS301",
                    f"no row for {gap}",
                    decl.name.span,
                    "gap in this table",
                    "add the row, or `| otherwise | ... |`",
                )

    # -------------------------------------------------------------- targets of amendments

    def rename(self, names: tuple[n.Name, ...], params: tuple[ir.Var, ...], what: str, span: Span) -> dict[str, ir.Var]:
        """The parameters of an amended rule, under the names the amendment uses."""
        if names and len(names) != len(params):
            self.error("RS202", f"{what} takes {len(params)} values, not {len(names)}", span)
        if not names:
            return {p.name: p for p in params}
        return {name.text: param for name, param in zip(names, params, strict=False)}

    def find_choice(self, target: tuple[n.Name, ...]) -> list[tuple[m.Procedure, ir.ChooseS, ir.Alt]]:
        """The alternatives an amendment's target names: `movement`, `movement.move`."""
        procedure = self.game.procedures.get(target[0].text)
        if procedure is None:
            self.error(
                "RS108", f"there is no phase or procedure `{target[0]}`", target[0].span, "unknown",
                spelling_hint(target[0].text, list(self.game.procedures)),
            )  # fmt: skip
            return []
        chooses = list(chooses_in(procedure.block))
        out: list[tuple[m.Procedure, ir.ChooseS, ir.Alt]] = []
        for choose in chooses:
            for alt in choose.alts:
                if len(target) == 1:
                    if alt.picks or alt.many:
                        out.append((procedure, choose, alt))
                elif target[1].text in (alt.label, choose.name) and (
                    alt.label == target[1].text or alt.picks or alt.many
                ):
                    out.append((procedure, choose, alt))
        if len(target) > 1 and any(alt.label == target[1].text for _, _, alt in out):
            # A choice goes by the name of its first alternative; that name means the alternative itself.
            out = [found for found in out if found[2].label == target[1].text]
        if not out or (len(target) == 1 and len({id(c) for _, c, _ in out}) > 1):
            names = sorted({a.label for c in chooses for a in c.alts if a.label})
            if out:
                self.error(
                    "RS110", f"`{target[0]}` has several choices", target[0].span, "which one?",
                    f"one of: {', '.join(f'{target[0]}.{x}' for x in names)}",
                )  # fmt: skip
            else:
                last = target[-1]
                hint = spelling_hint(last.text, names) or (f"its choices: {', '.join(names)}" if names else None)
                self.error("RS108", f"`{target[0]}` has no choice `{last}`", last.span, "unknown", hint)
            return []
        return out

    def scope_of_alt(
        self, procedure: m.Procedure, choose: ir.ChooseS, alt: ir.Alt, this: tuple[m.Kind, int] | None
    ) -> Scope:
        scope = self.scope_for(procedure.params, this)
        scope.chooser = (
            choose.by
            if not choose.any_of or choose.chooser_var is None
            else ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        )
        for var, _ in alt.picks:
            scope.names[var.name] = var
        if alt.many is not None:
            scope.names[alt.many[2].name] = alt.many[2]
        self.not_moved(scope, [var for var, _ in alt.picks])
        return scope

    # -------------------------------------------------------------- amendments

    def in_force(self, active: Active) -> ir.X | None:
        """For an amendment on a thing (a card, a marker): when the thing is in force."""
        if active.this is None:
            return None
        kind, index = active.this
        if kind.in_force is None:
            return None
        scope = Scope(this=active.this)
        var = self.var("it", ThingOf(kind.name), "element")
        scope.elements.append(var)
        condition = self.condition(kind.in_force, scope)
        return substitute(condition, {var.ident: ir.ThingLit(var.type, condition.span, kind, index)})

    def guarded(self, condition: ir.X | None, active: Active) -> ir.X | None:
        """A condition that also asks, for an amendment on a thing that does not hold `always`, for its force."""
        is_always = bool(getattr(active.declaration, "always", False))
        force = None if is_always else self.in_force(active)
        if force is None:
            return condition
        if condition is None:
            return force
        return ir.AndX(BOOL, condition.span, (force, condition))

    def amendment(self, active: Active) -> None:
        decl = active.declaration
        if getattr(decl, "always", False) and (active.this is None or active.this[0].in_force is None):
            what = "a thing whose kind says `in force when`"
            self.error(
                "RS201", f"`always` belongs to amendments under {what}", decl.span, "this holds always anyway",
                "leave out `always`",
            )  # fmt: skip
        for order in getattr(decl, "ordering", ()):
            known = [*self.game.all_options, *self.game.all_scenarios, *self.game.things]
            copies = {thing.copy_of for things in self.game.things.values() for thing in things}
            if order.name.text not in known and order.name.text not in copies:
                self.unknown("option, scenario or thing", order.name.text, order.name.span, known, "RS111")
        match decl:
            case n.Adjust():
                self._adjust(decl, active)
            case n.Restrict():
                self._restrict(decl, active)
            case n.Extend():
                self._extend(decl, active)
            case n.ExceptionTo():
                self._exception(decl, active)
            case n.Hook():
                self._hook(decl, active)
            case n.Reaction():
                self._reaction(decl, active)
            case n.Whenever():
                self._whenever(decl, active)
            case n.Reword():
                reword(self, decl, active)

    def _adjust(self, decl: n.Adjust, active: Active) -> None:
        function = self.game.functions.get(decl.target.text)
        if function is None or function.form == "predicate":
            names = [f.name for f in self.game.functions.values() if f.form == "value"]
            self.unknown("value", decl.target.text, decl.target.span, names, "RS108")
            return
        if function.form != "value":
            self.error(
                "RS108", f"`{function.name}` is a function; only a `value` can be adjusted", decl.target.span,
                hint="declare it with `value` instead of `function`", others=[Label(function.span, "declared here")],
            )  # fmt: skip
            return
        scope = self.scope_for((), active.this)
        scope.names = self.rename(decl.names, function.params, f"`{function.name}`", decl.target.span)
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        for adjustment in decl.adjustments:
            value = self.typed(adjustment.value, scope, function.type)
            if adjustment.operation != "set" and function.type != INT:
                self.error("RS201", f"only numbers can be adjusted by `{adjustment.operation}`", adjustment.span)
                continue
            made = m.Adjustment(
                adjustment.operation, value, condition, decl.label, self.cited(decl.cites), decl.span, active.origin,
                ordering=decl.ordering, thing=active.thing,
            )  # fmt: skip
            if adjustment.operation == "set" and condition is None:
                for old in function.adjustments:
                    if old.operation == "set" and old.condition is None:
                        self.error(
                            "RS317", f"`{function.name}` is replaced twice", decl.span, "again",
                            others=[Label(old.span, "first here")],
                        )  # fmt: skip
            function.adjustments.append(made)

    def _restrict(self, decl: n.Restrict, active: Active) -> None:
        if len(decl.target) == 1 and decl.target[0].text in self.game.functions:
            function = self.game.functions[decl.target[0].text]
            if function.form == "predicate":
                scope = self.scope_for(function.params, active.this)
                self._add_clauses(decl, active, function.clauses, scope, function.cites)
                return
        if len(decl.target) == 1 and decl.target[0].text in self.game.routes:
            self.error(
                "RS108", "a route is restricted by its own rules: use `restrict` on the choice", decl.target[0].span
            )
            return
        for procedure, choose, alt in self.find_choice(decl.target):
            self._add_clauses(
                decl, active, alt.clauses, self.scope_of_alt(procedure, choose, alt, active.this), alt.cites
            )

    def _add_clauses(
        self, decl: n.Restrict, active: Active, to: list[ir.Clause], scope: Scope, cites: tuple[str, ...]
    ) -> None:
        when = self.condition(decl.condition, scope) if decl.condition is not None else None
        when = self.guarded(when, active)
        for clause in self.clauses(decl.block, scope, decl.cites or active.cites or cites):
            clause.when = when
            to.append(clause)

    def _extend(self, decl: n.Extend, active: Active) -> None:
        targets = self.find_choice(decl.target)
        for procedure, choose, _ in targets[:1]:
            scope = self.scope_for(procedure.params, active.this, pure=False)
            scope.chooser = choose.by
            scope.in_loop = True
            scope.returns = procedure.type
            scope.procedure = procedure.name
            when = self.condition(decl.condition, scope) if decl.condition is not None else None
            when = self.guarded(when, active)
            for node in decl.alternatives:
                ways = [
                    self.alternative(each, scope, decl.cites, version)
                    for version, each in enumerate(self.written_out(node, scope))
                ]
                if not ways[0].label:
                    self.error(
                        "RS201", "an added alternative needs a name", node.span, hint="write `or choose name: ...`"
                    )
                if any(a.label == ways[0].label for a in choose.alts):
                    self.error("RS102", f"`{choose.name}` already has an alternative `{ways[0].label}`", node.span)
                    continue
                for alt in ways:
                    if when is not None:
                        alt.clauses.insert(0, ir.Clause(when, "", decl.cites, True, decl.span, active.origin))
                    choose.alts.append(alt)

    def _exception(self, decl: n.ExceptionTo, active: Active) -> None:
        places: list[tuple[list[ir.Clause], Scope]] = []
        if len(decl.target) == 1 and decl.target[0].text in self.game.functions:
            function = self.game.functions[decl.target[0].text]
            places.append((function.clauses, self.scope_for(function.params, active.this)))
        elif len(decl.target) == 1 and decl.target[0].text in self.game.routes:
            route = self.game.routes[decl.target[0].text]
            for rule in route.rules:
                scope = self.scope_for(route.params, active.this)
                for var in rule.vars:
                    scope.names[var.name] = var
                places.append((rule.clauses, scope))
        else:
            for procedure, choose, alt in self.find_choice(decl.target):
                places.append((alt.clauses, self.scope_of_alt(procedure, choose, alt, active.this)))
            if not places:
                return
        found: list[tuple[ir.Clause, Scope]] = []
        for clauses, scope in places:
            for clause in clauses:
                by_label = decl.clause_label and clause.label == decl.clause_label
                by_cite = any(under(c, wanted) for c in clause.cites for wanted in decl.clause_cites)
                if by_label or by_cite:
                    found.append((clause, scope))
        name = f"`{decl.clause_label}`" if decl.clause_label else ", ".join(f"§{c}" for c in decl.clause_cites)
        if not found:
            labels = [c.label or " ".join(f"§{i}" for i in c.cites) for clauses, _ in places for c in clauses]
            self.error(
                "RS108", f"`{'.'.join(map(str, decl.target))}` has no requirement {name}", decl.span, "unknown",
                f"it has: {', '.join(x for x in labels if x)}" if labels else None,
            )  # fmt: skip
            return
        if len({clause.span for clause, _ in found}) > 1:
            self.error(
                "RS110", f"{name} names several requirements", decl.span, "which one?",
                others=[Label(c.span, "one of them") for c, _ in found[:3]],
            )  # fmt: skip
            return
        for clause, scope in found:
            condition = self.condition(decl.condition, scope) if decl.condition is not None else None
            clause.lifted.append((self.guarded(condition, active), self.cited(decl.cites)))

    def _hook(self, decl: n.Hook, active: Active) -> None:
        procedure = self.game.procedures.get(decl.target.text)
        if procedure is None and decl.target.text in self.game.states and not decl.names:
            # The end (or beginning) of every turn of a loop over a state.
            procedure = m.Procedure(decl.target.text, "loop", (), VOID, (), decl.target.span)
        if procedure is None:
            self.unknown("phase or procedure", decl.target.text, decl.target.span, self.game.procedures, "RS108")
            return
        scope = self.scope_for((), active.this, pure=False)
        scope.names = self.rename(decl.names, procedure.params, f"`{procedure.name}`", decl.target.span)
        scope.procedure = f"{procedure.name}.{decl.when}"
        if decl.when == "before":
            self.not_moved(scope, procedure.params)
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        scope = self.knowing(condition, scope) if condition is not None else scope
        hook = m.Hook(
            decl.when, condition, self.block(decl.block, scope), self.cited(decl.cites), decl.span, decl.label,
            active.origin, decl.ordering, thing=active.thing,
        )  # fmt: skip
        self._changes(hook, procedure, decl)
        if procedure.form == "loop":
            self.game.loop_hooks.setdefault(procedure.name, []).append(hook)
        else:
            (procedure.before if decl.when == "before" else procedure.after).append(hook)

    def _changes(self, hook: m.Hook, procedure: m.Procedure, decl: n.Hook) -> None:
        """A `before` may set a parameter anew only if the rule it belongs to says so."""
        fixed = [p for p in procedure.params if not p.changeable]
        for statement in statements_in(hook.block):
            target = statement.target if isinstance(statement, ir.AssignS) else None
            if isinstance(target, ir.Local) and target.var in fixed:
                self.error(
                    "RS208", f"`{target.var.name}` of `{procedure.name}` is not for others to change", target.span,
                    "set here", f"declare it `{target.var.name}: ... changeable`",
                    [Label(procedure.span, "declared here")],
                )  # fmt: skip

    def _reaction(self, decl: n.Reaction, active: Active) -> None:
        signal = self.game.signals.get(decl.signal.text)
        if signal is None:
            self.unknown("signal", decl.signal.text, decl.signal.span, self.game.signals, "RS108")
            return
        scope = self.scope_for((), active.this, pure=False)
        scope.names = self.rename(decl.names, signal.params, f"signal `{signal.name}`", decl.signal.span)
        scope.procedure = f"when_{signal.name}"
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        scope = self.knowing(condition, scope) if condition is not None else scope
        state = None
        if decl.once is not None:
            # Numbered, not named after its file: the same rules are the same wherever they lie.
            name = f"used {signal.name} {len(signal.reactions) + 1}"
            if active.thing:
                name += f" {active.thing}"
            state = m.State(name, BOOL, None, None, (decl.once,), (), decl.span, active.origin, False)
            self.game.states[name] = state
        block = self.block(decl.block, scope)
        signal.reactions.append(
            m.Reaction(
                condition, decl.once.text if decl.once else "", state, block, signal.params, self.cited(decl.cites),
                decl.span, decl.label, active.origin, decl.repeatedly, decl.ordering, active.thing,
            )
        )  # fmt: skip

    def _whenever(self, decl: n.Whenever, active: Active) -> None:
        scope = self.scope_for((), active.this, pure=False)
        number = len(self.game.whenevers) + 1
        var: ir.Var | None = None
        source: ir.X | None = None
        if (
            isinstance(decl.condition, n.Quantified)
            and decl.condition.quantifier == "some"
            and len(decl.condition.pickings) == 1
        ):
            picking = decl.condition.pickings[0]
            source = self.source(picking.source, scope)
            element = element_of(source.type) or ERROR
            if not isinstance(element, ThingOf) and element != ERROR:
                self.error("RS201", "`whenever some` goes over things", picking.span)
            var = self.bind(picking.name, element, "param", scope)
            condition = self.condition(decl.condition.condition, scope)
        else:
            condition = self.condition(decl.condition, scope)
        guarded = self.guarded(condition, active)
        assert guarded is not None
        name = f"whenever_{number}"
        procedure = m.Procedure(
            name, "whenever", (var,) if var is not None else (), VOID, self.cited(decl.cites), decl.span,
            decl.label or "Whenever", False, active.origin,
        )  # fmt: skip
        inside = self.knowing(condition, scope)
        inside.procedure = name
        procedure.block = self.block(decl.block, inside)
        self.game.procedures[name] = procedure
        self.game.whenevers.append(
            m.Whenever(
                var, source, guarded, procedure, self.cited(decl.cites), decl.span, decl.label, active.origin,
                decl.ordering, active.thing,
            )
        )  # fmt: skip

    def aside(self, decl: n.AsideDecl, this: tuple[m.Kind, int] | None = None) -> None:
        scope = self.scope_for((), this, pure=False)
        chooser: ir.Var | None = None
        if decl.any_of:
            by = self.typed(decl.by, scope, SetOf(self.player_type()))
            chooser = self.var("chooser", self.player_type(), "pick")
            scope.chooser = ir.Local(chooser.type, decl.by.span, chooser)
        else:
            by = self.player(decl.by, scope)
            scope.chooser = by
        name = f"aside_{decl.name.text}"
        scope.procedure = name
        node = n.Alternative(decl.name, decl.picks, None, decl.text, decl.cites, decl.block, span=decl.span)
        alt = self.alternative(node, scope, decl.cites)
        if len(alt.picks) > 1:
            self.error(
                "RS201", "an aside picks one thing", decl.picks[1].span, "one too many",
                "let a `choose` inside it ask for the rest",
            )  # fmt: skip
        during = decl.during.text
        if during not in self.game.procedures and during not in self.game.states:
            self.unknown(
                "phase, procedure or turn", during, decl.during.span, [*self.game.procedures, *self.game.states]
            )
        params = (*(var for var, _ in alt.picks), *([chooser] if chooser is not None else []))
        procedure = m.Procedure(
            name,
            "aside",
            params,
            VOID,
            self.cited(decl.cites),
            decl.span,
            decl.name.text,
            False,
            self.origin,
            alt.block,
        )
        self.game.procedures[name] = procedure
        self.game.asides.append(
            m.Aside(decl.name.text, alt, by, during, self.cited(decl.cites), decl.span, procedure, chooser)
        )


# ------------------------------------------------------------------ helpers


def under(ident: str, wanted: str) -> bool:
    """Whether a rule number is another or lies below it: 4.6.4-b is under 4.6.4, 4.6 and 4."""
    return ident == wanted or ident.startswith((wanted + ".", wanted + "-"))


def _doc(block: ir.Block) -> str:
    return "\n".join(s.text for s in block if isinstance(s, ir.DocS))


def _always_returns(block: ir.Block) -> bool:
    for statement in block:
        if isinstance(statement, ir.ReturnS):
            return True
        if isinstance(statement, ir.IfS) and _always_returns(statement.then) and _always_returns(statement.otherwise):
            return True
    return False


def _gaps(keys: Iterable[Any]) -> list[str]:
    """The numbers between the keys of a table that no key covers, in words."""
    out: list[str] = []
    spans = sorted(key for key in keys if isinstance(key, tuple))
    top: int | None = None
    for low, high in spans:
        if top is not None and low > top + 1:
            out.append(f"{top + 1}" if low == top + 2 else f"{top + 1} to {low - 1}")
        top = high if top is None else max(top, high)
    return out


def _overlap(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return bool(a[0] <= b[1] and b[0] <= a[1])
    return bool(a == b)


def _covers(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return bool(a[0] <= b[0] and b[1] <= a[1])
    return bool(a == b)
