"""What rules say: blocks, clauses, routes and tables."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from rulescript import nodes as n
from rulescript.analysis.calls import leaves
from rulescript.analysis.desk import Desk
from rulescript.analysis.facts import NOT_FIXED
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics import Label
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    TEXT,
    Maybe,
    SetOf,
    ThingOf,
    Type,
    say,
)  # fmt: skip  # fmt: skip

__all__ = ["Bodies"]

W = TypeVar("W")


class Bodies(Part):
    """Reads the bodies of rules."""

    def scope_for(self, params: tuple[ir.Var, ...], this: tuple[m.Kind, int] | None = None, pure: bool = True) -> Scope:
        scope = Scope(pure=pure, this=this)
        for var in params:
            if var.name in scope.names:
                self.desk.unnamed_results += 1  # that there are two of one name was told
                continue
            scope.names[var.name] = var
        return scope

    def body(self, decl: n.Declaration, this: tuple[m.Kind, int] | None = None) -> None:
        game = self.game
        match decl:
            case n.FunctionDecl():
                function = game.functions.get(decl.name.text)
                if function is not None and function.span == decl.name.span:
                    scope = self.scope_for(function.params, this)
                    scope.returns = function.type
                    function.block = self.statements.block(decl.block, scope)
                    function.doc = _doc(function.block)
                    if function.type != ERROR and not _always_returns(function.block):
                        self.error(
                            "RS212", f"`{function.name}` does not always give a value back", decl.name.span,
                            f"promises {say(function.type)}",
                            'write `return "..."`: a text alone describes the rule'
                            if function.doc and function.type == TEXT
                            else "end it with a line that is the value in all other cases",
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
        self.statements.current, self.statements.returns = procedure, []
        procedure.block = self.statements.block(block, scope)
        procedure.doc = _doc(procedure.block)
        # What comes after sees the parameters as they are wherever the rule ends.
        self.whereabouts.merge(
            [*self.statements.returns, *([] if leaves(block) else [self.whereabouts.known_places(scope)])]
        )
        self.statements.current = None

    def again(self, decl: n.Declaration) -> _Again:
        """While a rule is read for another kind than the first, what was said of it is not said again."""
        name = getattr(decl, "name", None)
        return _Again(self.desk, isinstance(name, n.Name) and "@" in name.text)

    def clauses(self, block: n.Block, scope: Scope, cites: tuple[str, ...]) -> list[ir.Clause]:
        out: list[ir.Clause] = []
        for statement in block:
            truth = self.operators.kind_truth(statement.condition, scope) if isinstance(statement, n.Require) else None
            if isinstance(statement, n.Require) and truth is not None:
                if not truth:
                    return [*out, self.choices.never(statement, cites, self.operators.kinds_asked(scope))]
            elif isinstance(statement, n.Require):
                clause = self.choices.clause(statement, scope, cites)
                out.append(clause)
                scope.learn(self.expressions.knowing(clause.condition, scope))
            elif not isinstance(statement, n.Doc):
                text = statement.span.text.strip().removeprefix("return ")
                if isinstance(statement, n.Assign):
                    text = text.replace(" = ", " == ")
                is_meant = isinstance(statement, n.ExprStatement | n.Return | n.Assign)
                hint = f"write `require {text}`" if is_meant and "\n" not in text and len(text) < 60 else None
                self.error("RS207", "only `require` lines can stand here", statement.span, hint=hint)
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
        route.steps = self.expressions.number(decl.steps, scope) if decl.steps is not None else None
        for rule in decl.rules:
            inside = scope.inner()
            names = tuple(self.collections.bind(name, space, "element", inside) for name in rule.names)
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
            route.cost = ((names[0], names[1]), self.expressions.number(lines[0].value, scope))

    def _table_body(self, decl: n.TableDecl, this: tuple[m.Kind, int] | None) -> None:
        table = self.game.tables.get(decl.name.text)
        if table is None or table.span != decl.name.span or not decl.rows:
            return
        if not 1 <= len(table.params) <= 2:
            self.error("RS202", "a table is read by one value, or by two (row and column)", decl.name.span)
            return
        rows = list(decl.rows)
        width = len(rows[0].cells)
        if len(table.params) == 2 and self.links.is_uneven(rows):
            return
        if len(table.params) == 2:
            if self._is_headless(table, rows[0]):
                return
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

    def _is_headless(self, table: m.Table, first: n.Row) -> bool:
        """Whether a table read by two values begins with a row for a value, so that nothing names its columns."""
        kind = table.params[0].type
        for item in first.cells[0].items:
            is_key = (
                isinstance(item, n.Number | n.Range)
                if kind == INT
                else isinstance(item, n.NameExpr)
                and any(ThingOf(thing.kind.name) == kind for thing in self.game.things.get(item.name, ()))
            )
            if is_key:
                column = table.params[1].name
                self.error(
                    "RS301", f"`{table.name}` is read by two values, and its first row does not name the columns",
                    first.span, "expected the columns",
                    f"put a row above it: an empty cell, and then the values of `{column}`",
                )  # fmt: skip
                return True
        return False

    def _cell_key(self, cell: n.Cell, type_: Type) -> tuple[Any, ...]:
        """The values a key cell stands for: numbers, (low, high) ranges, or things."""
        out: list[Any] = []
        for item in cell.items:
            if isinstance(item, n.Range):
                out.append((item.low, item.high))
                continue
            value = self.facts.static(item, None, type_)
            if value is NOT_FIXED:
                continue
            if not self.facts.value_fits(value, type_):
                self.error("RS201", f"a key of this table is {say(type_)}", item.span, f"expected {say(type_)}")
                continue
            out.append((value, value) if isinstance(value, int) and not isinstance(value, bool) else value)
        return tuple(out)

    def _cell_value(self, cell: n.Cell, type_: Type) -> Any:
        if isinstance(type_, SetOf):
            values = [self.facts.static(item, None, type_.element) for item in cell.items]
            return frozenset(v for v in values if v is not NOT_FIXED)
        if not cell.items and isinstance(type_, Maybe):
            return None
        if len(cell.items) != 1:
            self.error("RS201", f"a result of this table is {say(type_)}", cell.span)
            return NOT_FIXED
        value = self.facts.static(cell.items[0], None, type_)
        if value is not NOT_FIXED and not self.facts.value_fits(value, type_):
            self.error("RS201", f"a result of this table is {say(type_)}", cell.span, f"expected {say(type_)}")
            return NOT_FIXED
        return value

    def _check_columns(self, table: m.Table, header: n.Row) -> None:
        assert table.columns is not None
        seen: list[tuple[Any, n.Cell]] = []
        taken: _Taken[n.Cell] = _Taken()
        for key, cell in zip(table.columns, header.cells[1:], strict=True):
            for item in key:
                found = taken.first(item)
                if found is not None:
                    self.error(
                        "RS302", "two columns stand for the same value", cell.span, "again",
                        others=[Label(found[1].span, "first here")],
                    )  # fmt: skip
                taken.add(item, cell)
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
        taken: _Taken[m.TableRow] = _Taken()
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
                found = taken.first(item)
                if found is not None:
                    same = _covers(found[0], item)
                    self.error(
                        "RS303" if same else "RS302",
                        "this row is never reached" if same else "two rows stand for the same value",
                        row.span,
                        "unreachable" if same else "again",
                        others=[Label(found[1].span, "first here")],
                    )
                if row.guard is None:
                    taken.add(item, row)
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
            missing = [t for t in things if t.index not in covered]
            if missing:
                names = ", ".join(t.name for t in missing[:5])
                hint, others = "add `| otherwise | ... |`", []
                if not any(self.visible(t.origin) for t in missing):
                    # The table stands in a game that others build on, or that has options.
                    hint = f"where it is added, give it a row: `replace table {table.name}(...)`"
                    others = [Label(missing[0].span, "added here")]
                self.error("RS301", f"no row for {names}", decl.name.span, "gap in this table", hint, others)
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


class _Again:
    """For a while, perhaps, a text is read again."""

    def __init__(self, base: Desk, is_so: bool) -> None:
        self.base = base
        self.is_so = is_so

    def __enter__(self) -> None:
        self.base.reading_again = self.is_so

    def __exit__(self, *problem: object) -> None:
        self.base.reading_again = False


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


class _Taken(Generic[W]):
    """The values that rows or columns stand for, each with the first of them. Numbers are kept as stretches that do not
    overlap, in order, so that none has to be compared with all others."""

    def __init__(self) -> None:
        self._values: dict[Any, tuple[Any, W]] = {}
        self._lows: list[int] = []
        # The last number of each stretch, when it was added, and with what.
        self._stretches: list[tuple[int, int, tuple[Any, W]]] = []
        self._added = 0

    def first(self, item: Any) -> tuple[Any, W] | None:
        """What was first to stand for something of an item."""
        if not isinstance(item, tuple):
            return self._values.get(item)
        found = self._stretches[slice(*self._between(*item))]
        return min(found, key=lambda stretch: stretch[1])[2] if found else None

    def add(self, item: Any, where: W) -> None:
        if not isinstance(item, tuple):
            self._values.setdefault(item, (item, where))
            return
        low, high = item
        begin, end = self._between(low, high)
        self._added += 1
        lows: list[int] = []
        made: list[tuple[int, int, tuple[Any, W]]] = []
        for known, stretch in zip(self._lows[begin:end], self._stretches[begin:end], strict=True):
            if low < known:
                lows.append(low)
                made.append((known - 1, self._added, (item, where)))
            lows.append(known)
            made.append(stretch)
            low = stretch[0] + 1
        if low <= high:
            lows.append(low)
            made.append((high, self._added, (item, where)))
        self._lows[begin:end], self._stretches[begin:end] = lows, made

    def _between(self, low: int, high: int) -> tuple[int, int]:
        """Which stretches have a number in common with this one."""
        begin = bisect_right(self._lows, low)
        if begin and self._stretches[begin - 1][0] >= low:
            begin -= 1
        return begin, bisect_right(self._lows, high)


def _covers(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return bool(a[0] <= b[0] and b[1] <= a[1])
    return bool(a == b)
