"""What changes other rules: adjustments, restrictions, exceptions, hooks, reactions, asides."""

from __future__ import annotations

import re

from rulescript import nodes as n
from rulescript.analysis.active import Active, under
from rulescript.analysis.desk import Desk
from rulescript.analysis.named_choices import NamedChoices
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.analysis.wordings import reword
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import statements_in
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    VOID,
    SetOf,
    ThingOf,
    element_of,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Amendments"]


class Amendments(Part):
    """Reads amendments."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._choices: dict[m.Procedure, NamedChoices] = {}

    def rename(self, names: tuple[n.Name, ...], params: tuple[ir.Var, ...], what: str, span: Span) -> dict[str, ir.Var]:
        """The parameters of an amended rule, under the names the amendment uses."""
        if names and len(names) != len(params):
            self.error(
                "RS202", f"{what} takes {len(params)} value{'s' if len(params) != 1 else ''}, not {len(names)}", span
            )
        if not names:
            return {p.name: p for p in params}
        for name, param in zip(names, params, strict=False):
            if name.text != param.name and self.names.names_something(name.text):
                self.error(
                    "RS102", f"`{name}` is something in the game, and here stand names for what {what} is given",
                    name.span, "only a name for it",
                    f"write `{param.name}`, and `{param.name} == {name}` in a condition if only that is meant",
                )  # fmt: skip
        return {name.text: param for name, param in zip(names, params, strict=False)}

    def _rule_of_that_name(self, name: str) -> str | None:
        """A hint, where something that only gives a value is amended as if it were done."""
        function = self.game.functions.get(name)
        if function is None or not self.visible(function.origin):
            return None
        if function.form == "value":
            return f"`{name}` is a value: write `adjust {name} ...` to change what it gives"
        return f"`{name}` is a {function.form}, and choices stand in a phase or procedure"

    def find_choice(self, target: tuple[n.Name, ...]) -> list[tuple[m.Procedure, ir.ChooseS, ir.Alt]]:
        """The alternatives an amendment's target names: `movement`, `movement.move`."""
        procedure = self.game.procedures.get(target[0].text)
        if procedure is None:
            self.error(
                "RS108", f"there is no phase or procedure `{target[0]}`", target[0].span, "unknown",
                self._rule_of_that_name(target[0].text) or spelling_hint(target[0].text, list(self.game.procedures)),
            )  # fmt: skip
            return []
        choices = self._choices_of(procedure)
        out = [(procedure, *way) for way in choices.ways(target[1].text if len(target) > 1 else None)]
        if not out or (len(target) == 1 and len({id(c) for _, c, _ in out}) > 1):
            names = sorted({a.label for c in choices.chooses for a in c.alts if a.label})
            if out:
                self.error(
                    "RS110", f"`{target[0]}` has several choices", target[0].span, "which one?",
                    f"one of: {', '.join(f'{target[0]}.{x}' for x in names)}",
                )  # fmt: skip
            else:
                last = target[-1]
                message, others = f"`{target[0]}` has no choice `{last}`", []
                hint = spelling_hint(last.text, names) or (f"its choices: {', '.join(names)}" if names else None)
                if not names:
                    message = f"nobody is asked anything in `{target[0]}` itself"
                    hint = "`rulescript games GAME --choices` lists every choice with the phase it stands in"
                if target[0].text in self.desk.first_origins:
                    others = [Label(procedure.span, "replaced here")]
                    hint = f"keep a choice `{last}`; to forbid it, `restrict {target[0]}.{last}` with `require no`"
                self.error("RS108", message, last.span, "unknown", hint, others)
            return []
        return out

    def _choices_of(self, procedure: m.Procedure) -> NamedChoices:
        known = self._choices.get(procedure)
        if known is None or known.block is not procedure.block:
            known = self._choices[procedure] = NamedChoices(procedure)
        return known

    def scope_of_alt(
        self, procedure: m.Procedure, choose: ir.ChooseS, alt: ir.Alt, this: tuple[m.Kind, int] | None
    ) -> Scope:
        scope = self.bodies.scope_for(procedure.params, this)
        scope.chooser = _chooser_of(choose)
        scope.names.update({var.name: var for var, _ in alt.bound})
        self.whereabouts.not_moved(scope, [var for var, _ in alt.picks])
        return scope

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
            known = (self.game.all_options, self.game.all_scenarios, self.game.things)
            if not any(order.name.text in names for names in (*known, self.game.copies)):
                listed = [name for names in known for name in names]
                self.unknown("option, scenario or thing", order.name.text, order.name.span, listed, "RS111")
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
        scope = self.bodies.scope_for((), active.this)
        scope.names = self.rename(decl.names, function.params, f"`{function.name}`", decl.target.span)
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        for adjustment in decl.adjustments:
            value = self.expressions.typed(adjustment.value, scope, function.type)
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
                scope = self.bodies.scope_for(function.params, active.this)
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
        for clause in self.bodies.clauses(decl.block, scope, decl.cites or active.cites or cites):
            clause.when = when
            to.append(clause)

    def _extend(self, decl: n.Extend, active: Active) -> None:
        procedure = self.game.procedures.get(decl.target[0].text)
        choices = self._choices_of(procedure) if procedure is not None else None
        choose = choices.choose(decl.target[1].text if len(decl.target) > 1 else None) if choices is not None else None
        if procedure is None or choices is None or choose is None:
            self.find_choice(decl.target)  # which says what is wrong with the name
            return
        scope = self.bodies.scope_for(procedure.params, active.this, pure=False)
        scope.chooser = _chooser_of(choose)
        scope.in_loop = True
        scope.returns = procedure.type
        scope.procedure = procedure.name
        when = self.condition(decl.condition, scope) if decl.condition is not None else None
        when = self.guarded(when, active)
        others = (decl, n.NameExpr(procedure.name, span=decl.span)) if choose.sealed else ()
        for node in decl.alternatives:
            with self.choices.sealed(*others):
                ways = [
                    self.choices.alternative(each, scope, decl.cites, version)
                    for version, each in enumerate(self.choices.written_out(node, scope))
                ]
            if not ways[0].label:
                self.error("RS201", "an added alternative needs a name", node.span, hint="write `or choose name: ...`")
            if choices.has_way(choose, ways[0].label):
                self.error("RS102", f"`{choose.name}` already has an alternative `{ways[0].label}`", node.span)
                continue
            for alt in ways:
                if when is not None:
                    guard = ir.Clause(when, "", decl.cites, True, decl.span, active.origin, is_guard=True)
                    alt.clauses.insert(0, guard)
                choices.add(choose, alt)

    def _exception(self, decl: n.ExceptionTo, active: Active) -> None:
        places: list[tuple[list[ir.Clause], Scope]] = []
        if len(decl.target) == 1 and decl.target[0].text in self.game.functions:
            function = self.game.functions[decl.target[0].text]
            places.append((function.clauses, self.bodies.scope_for(function.params, active.this)))
        elif len(decl.target) == 1 and decl.target[0].text in self.game.routes:
            route = self.game.routes[decl.target[0].text]
            for rule in route.rules:
                scope = self.bodies.scope_for(route.params, active.this)
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
            said = [c.label or " ".join(f"§{i}" for i in c.cites) for clauses, _ in places for c in clauses]
            labels = [label for label in said if label]
            message = f"`{'.'.join(map(str, decl.target))}` has no requirement {name}"
            self.error(
                "RS108", message, _clause_named(decl), "unknown",
                f"it has: {', '.join(labels)}" if labels else None,
            )  # fmt: skip
            return
        if len({clause.span for clause, _ in found}) > 1:
            self.error(
                "RS110", f"{name} names several requirements", _clause_named(decl), "which one?",
                " or ".join(f'`"{c.label}"`' for c, _ in found if c.label and not decl.clause_label) or None,
                [Label(c.span, "one of them") for c, _ in found[:3]],
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
        scope = self.bodies.scope_for((), active.this, pure=False)
        scope.names = self.rename(decl.names, procedure.params, f"`{procedure.name}`", decl.target.span)
        scope.procedure = f"{procedure.name}.{decl.when}"
        if decl.when == "before":
            self.whereabouts.not_moved(scope, procedure.params)
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        scope = self.expressions.knowing(condition, scope) if condition is not None else scope
        hook = m.Hook(
            decl.when, condition, self.statements.block(decl.block, scope), self.cited(decl.cites), decl.span,
            decl.label, active.origin, decl.ordering, thing=active.thing,
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
        scope = self.bodies.scope_for((), active.this, pure=False)
        scope.names = self.rename(decl.names, signal.params, f"signal `{signal.name}`", decl.signal.span)
        scope.procedure = f"when_{signal.name}"
        condition = self.condition(decl.condition, scope) if decl.condition is not None else None
        condition = self.guarded(condition, active)
        scope = self.expressions.knowing(condition, scope) if condition is not None else scope
        state = None
        if decl.once is not None:
            # Numbered, not named after its file: the same rules are the same wherever they lie.
            name = f"used {signal.name} {len(signal.reactions) + 1}"
            if active.thing:
                name += f" {active.thing}"
            state = m.State(name, BOOL, None, None, (decl.once,), (), decl.span, active.origin, False)
            self.game.states[name] = state
        block = self.statements.block(decl.block, scope)
        signal.reactions.append(
            m.Reaction(
                condition, decl.once.text if decl.once else "", state, block, signal.params, self.cited(decl.cites),
                decl.span, decl.label, active.origin, decl.repeatedly, decl.ordering, active.thing,
            )
        )  # fmt: skip

    def _whenever(self, decl: n.Whenever, active: Active) -> None:
        scope = self.bodies.scope_for((), active.this, pure=False)
        number = len(self.game.whenevers) + 1
        var: ir.Var | None = None
        source: ir.X | None = None
        if (
            isinstance(decl.condition, n.Quantified)
            and decl.condition.quantifier == "some"
            and len(decl.condition.pickings) == 1
        ):
            picking = decl.condition.pickings[0]
            source = self.collections.source(picking.source, scope)
            element = element_of(source.type) or ERROR
            if not isinstance(element, ThingOf) and element != ERROR:
                self.error("RS201", "`whenever some` goes over things", picking.span)
            var = self.collections.bind(picking.name, element, "param", scope)
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
        inside = self.expressions.knowing(condition, scope)
        inside.procedure = name
        if var is not None:
            self.doubts.doubt(inside, *decl.block)  # it is asked once for all, then runs for one after the other
        procedure.block = self.statements.block(decl.block, inside)
        self.game.procedures[name] = procedure
        self.game.whenevers.append(
            m.Whenever(
                var, source, guarded, procedure, self.cited(decl.cites), decl.span, decl.label, active.origin,
                decl.ordering, active.thing,
            )
        )  # fmt: skip

    def aside(self, decl: n.AsideDecl) -> None:
        scope = self.bodies.scope_for((), None, pure=False)
        chooser: ir.Var | None = None
        if decl.any_of:
            by = self.expressions.typed(decl.by, scope, SetOf(self.choices.player_type()))
            chooser = self.var("chooser", self.choices.player_type(), "pick")
            scope.chooser = ir.Local(chooser.type, decl.by.span, chooser)
        else:
            by = self.choices.player(decl.by, scope)
            scope.chooser = by
        name = f"aside_{decl.name.text}"
        scope.procedure = name
        node = n.Alternative(decl.name, decl.picks, None, decl.text, decl.cites, decl.block, span=decl.span)
        alt = self.choices.alternative(node, scope, decl.cites)
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
            self.desk.origin,
            alt.block,
        )
        self.game.procedures[name] = procedure
        self.game.asides.append(
            m.Aside(decl.name.text, alt, by, during, self.cited(decl.cites), decl.span, procedure, chooser)
        )


def _chooser_of(choose: ir.ChooseS) -> ir.X:
    """Who makes a choice; where any of several may, the one who does."""
    if not choose.any_of or choose.chooser_var is None:
        return choose.by
    return ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)


def _clause_named(decl: n.ExceptionTo) -> Span:
    """Where an exception says which requirement it lifts."""
    source, begin = decl.span.source, decl.target[-1].span.end
    found = re.compile(r'\s*("[^"\n]*"|[§@]\s?[\w.\-]+)').match(source.text, begin)
    return source.span(*found.span(1)) if found is not None else decl.span
