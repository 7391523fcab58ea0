"""``reword``: what people read for a rule, in its author's own words.

In comes an amendment that words something; the wording is put where the sentence would otherwise be made from the code:
on a function, table, route, state, attribute or procedure, or on one requirement or step. It changes no rule, only what
refusals, explanations and the printed reference say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript import nodes as n
from rulescript.analysis.scope import Scope
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import bound_by, chooses_in, statements_in
from rulescript.model.types import BOOL, ERROR, PieceOf, ThingOf, Type

if TYPE_CHECKING:
    from rulescript.analysis.active import Active
    from rulescript.analysis.part import Part

__all__ = ["reword"]


def reword(rules: Part, decl: n.Reword, active: Active) -> None:
    """Give a rule its words."""
    _Rewording(rules, decl, active).run()


class _Rewording:
    def __init__(self, rules: Part, decl: n.Reword, active: Active) -> None:
        self.rules = rules
        self.game = rules.game
        self.decl = decl
        self.active = active
        self.first = decl.target[0].text
        self.has_clause = bool(decl.clause_label or decl.clause_cites)

    def run(self) -> None:
        target = self.decl.target
        if len(target) > 1 and self.first in self.game.kinds:
            self._member(self.game.kinds[self.first], target[1])
            return
        if self.has_clause:
            self._clause()
            return
        named: Any = None
        if len(target) == 1:
            tables: tuple[dict[str, Any], ...] = (
                self.game.functions, self.game.routes, self.game.tables, self.game.procedures, self.game.signals,
                self.game.states,
            )  # fmt: skip
            named = next((table[self.first] for table in tables if self.first in table), None)
        elif len(target) == 2:  # a state of one thing
            named = self.game.states.get(f"{self.first}.{target[1].text}")
        if named is None:
            self._unknown()
            return
        if isinstance(named, m.State):
            named.wording = self._wording((), Scope(this=self.active.this), named.type)
            return
        params = tuple(named.params)
        scope = Scope(this=self.active.this)
        scope.names = self.rules.amendments.rename(self.decl.names, params, f"`{named.name}`", target[0].span)
        type_ = named.type if isinstance(named, m.Function) else ERROR
        named.wording = self._wording(params, scope, type_)

    def _unknown(self) -> None:
        game = self.game
        known = [
            *game.functions, *game.routes, *game.tables, *game.procedures, *game.signals, *game.states, *game.kinds,
        ]  # fmt: skip
        last = self.decl.target[-1]
        if len(self.decl.target) > 1 and self.first in game.procedures:
            self.rules.error(
                "RS110", "a choice is worded by its own text; say which requirement is meant", last.span, "which one?",
                "write its citation or its label before `as`",
            )  # fmt: skip
            return
        said = ".".join(name.text for name in self.decl.target)
        hint = spelling_hint(said, [*known, *(name for name in game.states if "." in name)])
        self.rules.error("RS108", f"there is nothing called `{said}` to reword", last.span, "unknown", hint)

    def _wording(self, params: Sequence[ir.Var], scope: Scope, type_: Type) -> ir.Wording:
        text = self.rules.expressions.template(self.decl.text.value, self.decl.text.span, scope)
        denied = None
        if self.decl.denied is not None:
            if type_ not in (BOOL, ERROR):
                self.rules.error(
                    "RS201", "only what is yes or no has an opposite", self.decl.denied.span, hint="leave out `not ...`"
                )
            denied = self.rules.expressions.template(self.decl.denied.value, self.decl.denied.span, scope)
        return ir.Wording(tuple(params), text, denied)

    def _member(self, kind: m.Kind, name: n.Name) -> None:
        """An attribute or a state of a kind; its thing goes by the name in brackets, or `it`."""
        found: m.Attr | m.State | None = kind.attrs.get(name.text) or kind.states.get(name.text)
        if found is None:
            hint = spelling_hint(name.text, [*kind.attrs, *kind.states])
            self.rules.error("RS107", f"{kind.name} has no attribute or state `{name}`", name.span, "unknown", hint)
            return
        if len(self.decl.names) > 1:
            self.rules.error("RS202", f"one name stands for the {kind.name}", self.decl.names[1].span, "one too many")
        type_: Type = PieceOf(kind.name) if kind.is_pieces else ThingOf(kind.name)
        given = self.decl.names[0].text if self.decl.names else "it"
        var = self.rules.var(given, type_, "element")
        scope = Scope(this=self.active.this)
        scope.elements.append(var)
        scope.names[given] = var
        found.wording = self._wording((var,), scope, found.type)

    def _clause(self) -> None:
        """One requirement of a choice, predicate or route, or the steps of a procedure that cite a rule."""
        places: list[tuple[list[ir.Clause], Scope]] = []
        rules, target = self.rules, self.decl.target
        if len(target) == 1 and self.first in self.game.functions:
            function = self.game.functions[self.first]
            places.append((function.clauses, rules.bodies.scope_for(function.params, self.active.this)))
        elif len(target) == 1 and self.first in self.game.routes:
            route = self.game.routes[self.first]
            for rule in route.rules:
                scope = rules.bodies.scope_for(route.params, self.active.this)
                scope.names.update({var.name: var for var in rule.vars})
                places.append((rule.clauses, scope))
        elif len(target) == 1 and self.first in self.game.procedures:
            if self._steps(self.game.procedures[self.first]):
                return
            places += self._choices(self.game.procedures[self.first], "")
        elif self.first in self.game.procedures:
            places += self._choices(self.game.procedures[self.first], target[1].text)
        else:
            self._unknown()
            return
        found = [(c, scope) for clauses, scope in places for c in clauses if self._is_meant(c.label, c.cites)]
        if not found:
            name = self.decl.clause_label or ", ".join(f"§{c}" for c in self.decl.clause_cites)
            self.rules.error(
                "RS108", f"`{'.'.join(map(str, target))}` has no requirement or step {name}", target[-1].span, "unknown"
            )
        for clause, scope in found:
            clause.wording = self._wording((), scope, BOOL)

    def _is_meant(self, label: str, cites: Sequence[str]) -> bool:
        from rulescript.analysis.active import under

        if self.decl.clause_label:
            return label == self.decl.clause_label
        return any(under(c, wanted) for c in cites for wanted in self.decl.clause_cites)

    def _choices(self, procedure: m.Procedure, name: str) -> list[tuple[list[ir.Clause], Scope]]:
        out: list[tuple[list[ir.Clause], Scope]] = []
        for choose in chooses_in(procedure.block):
            for alt in choose.alts:
                if not name or name in (alt.label, choose.name):
                    scope = self.rules.amendments.scope_of_alt(procedure, choose, alt, self.active.this)
                    out.append((alt.clauses, scope))
        return out

    def _steps(self, procedure: m.Procedure) -> bool:
        """Word the statements that cite a rule; whether there were any."""
        if self.decl.clause_label:
            return False
        found = [
            s
            for s in statements_in(procedure.block)
            if not isinstance(s, ir.ChooseS) and self._is_meant("", s.cites)
        ]  # fmt: skip
        if not found:
            return False
        scope = self.rules.bodies.scope_for(procedure.params, self.active.this)
        for statement in statements_in(procedure.block):
            scope.names.update({var.name: var for var in bound_by(statement)})
        for statement in found:
            statement.wording = self._wording((), scope, ERROR)
        return True
