"""Declarations as entries: a title, where it belongs, and what it says, as an outline or a grid.

In come a declaration as it was written and the model it is part of; out comes an `Entry` that the templates draw. The
same entries stand in the chapters, under their option, on the page of differences and on a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve

from rulescript import nodes as n
from rulescript.docgen.amendments import Amendments
from rulescript.docgen.entry import Entry
from rulescript.docgen.grids import counts_grid, table_grid
from rulescript.docgen.lines import Line, sentence, uses_of
from rulescript.docgen.long_sentences import is_long
from rulescript.docgen.outline import (
    Outliner,
    capital,
    expressions_of_clauses,
    forceless,
    kinds_of_rule,
    merged,
    taker_of,
    type_words,
    while_in_force,
)
from rulescript.docgen.subject import Places
from rulescript.docgen.thing_entries import ThingEntries
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import BOOL, ThingOf, Type
from rulescript.phrases import article, kind_noun, listed, plural, readable
from rulescript.source import Span
from rulescript.wording.english import say
from rulescript.wording.proper import Proper

__all__ = ["Entries", "Entry", "reaction_lines", "without_engine"]

T = TypeVar("T", m.Function, m.Route, m.Procedure)

_OPERATIONS = {
    "set": "It is instead {}",
    "times": "It is multiplied by {}",
    "add": "Add {}",
    "floor": "It is at least {}",
    "cap": "It is at most {}",
}


class Entries:
    """Makes entries of the declarations of one composed game."""

    def __init__(self, places: Places, proper: Proper) -> None:
        self.places = places
        self.model = places.model
        self.proper = proper
        self.forces = tuple(k for k in self.model.kinds.values() if k.in_force is not None)
        self.things = ThingEntries(places, proper)
        self.amendments = Amendments(self)

    def of(self, node: n.Declaration, cites: tuple[str, ...] = (), origin: str = "") -> Entry | None:
        """A declaration; None where there is nothing to print."""
        entry = self._of(node)
        if entry is None:
            return None
        entry.cites = entry.cites or cites
        entry.origin = origin
        return entry

    def _of(self, node: n.Declaration) -> Entry | None:  # noqa: C901 - one case for each sort of node
        match node:
            case n.ValuesDecl():
                return self.things.values(node)
            case n.KindDecl():
                return self.things.kind(node)
            case n.EitherDecl():
                said = sentence(listed([article(kind_noun(member.text)) for member in node.members], "or"))
                title = capital(readable(node.name.text))
                return Entry("either", node.name.text, title, node.span, node.cites, lines=[Line(said)])
            case n.ThingsDecl() | n.MapDecl():
                return self.things.things(node)
            case n.CountsDecl():
                grid = counts_grid(node, self.model)
                title = f"How many {plural(kind_noun(node.kind.text))} there are"
                return Entry(
                    "counts",
                    node.kind.text,
                    title,
                    node.span,
                    node.cites,
                    grids=[grid],
                    reconstructed=node.reconstructed,
                )
            case n.PlayersDecl():
                return self.things.players(node)
            case n.StateDecl():
                return self.things.state(node)
            case n.HoldsDecl():
                return self.things.holds(node)
            case n.FunctionDecl() | n.PredicateDecl():
                return self._function(node)
            case n.RouteDecl():
                return self._route(node)
            case n.TableDecl():
                return self._table(node)
            case n.ProcedureDecl():
                return self._procedure(node)
            case n.SignalDecl():
                return self._signal(node)
            case n.AsideDecl():
                return self._aside(node)
            case n.Replace(declaration):
                return self._replace(declaration)
            case n.Invariant() | n.Check():
                return self._claim(node)
            case n.Example():
                return Entry("example", node.title, node.title, node.span, node.cites, example=node.title)
            case n.OptionDecl() | n.WithDecl() | n.Rulebook() | n.Include() | n.GameDecl() | n.LanguageLine():
                return None
        return self.amendments.of(node)

    def is_worded(self, name: str) -> bool:
        """Whether a card, or another thing that rules are written on, has its author's words on its face."""
        return any(thing.doc for thing in self.model.things.get(name, ()))

    # -------------------------------------------------------------- rules that only look

    def _function(self, node: n.FunctionDecl | n.PredicateDecl) -> Entry | None:
        function = self.model.functions.get(node.name.text)
        if function is None or function.span != node.name.span:
            return self._overridden(
                node, node.name.text, "predicate" if isinstance(node, n.PredicateDecl) else "function"
            )
        return self._as_one(node.name.text, self.model.functions, lambda each: self._function_entry(each, node))

    def _as_one(self, name: str, rules: Mapping[str, T], made: Callable[[T], Entry]) -> Entry:
        """The entry of a rule; of one for several kinds, what its versions say together."""
        versions = [rules[version] for version in self.model.versions.get(name, (name,)) if version in rules]
        entries = [made(rule) for rule in versions]
        if len(entries) > 1:
            kinds = [kinds_of_rule(rule.params) for rule in versions]
            entries[0].lines = merged([entry.lines for entry in entries], kinds)
        return entries[0]

    def _function_entry(self, function: m.Function, node: n.FunctionDecl | n.PredicateDecl) -> Entry:
        entry = Entry(
            function.form, function.name, self.called(function.name, function.params, function.type), node.span,
            function.cites, function.doc, reconstructed=function.reconstructed, key=f"function {function.name}",
        )  # fmt: skip
        values = [a.value for a in function.adjustments]
        values += [a.condition for a in function.adjustments if a.condition is not None]
        teller = Outliner(function.params, function.block, [*values, *expressions_of_clauses(function.clauses)])
        teller.forces = self.forces
        steps = [s for s in function.block if not isinstance(s, ir.DocS)]
        teller.result = "" if len(steps) <= 1 else "The result is "
        if function.type == BOOL:
            teller.so = teller.told_of(function)
            entry.is_truth = True
        entry.lines = teller.block(function.block, docs=False)
        if function.clauses:
            entry.lines += [
                Line(
                    sentence(f"{teller.so[0]} if all of these are true:"),
                    form="heading",
                    children=teller.clauses(function.clauses),
                )
            ]
        if function.adjustments:
            changes = self.adjustments(teller, function.adjustments)
            entry.lines = [_bare(line, "Normally") for line in entry.lines]
            entry.lines.append(Line("Changed by:", form="heading", children=changes))
        elif len(entry.lines) == 1:
            entry.lines = [_bare(entry.lines[0], "Always")]
        return entry

    def called(self, name: str, params: Sequence[ir.Var], type_: Type | None = None) -> str:
        """A rule's name and what it is asked about: "Strength (a nation and a region)"."""
        title = capital(self.proper(readable(name).lower()))
        if not params:
            return title
        return f"{title} ({', '.join(self._param(p) for p in params)})"

    @classmethod
    def _param(cls, var: ir.Var) -> str:
        default = f" ({say(var.default)} unless said)" if var.default is not None else ""
        return cls._asked_about(var) + default

    @staticmethod
    def _asked_about(var: ir.Var) -> str:
        words = readable(var.name).lower()
        declared = var.declared or var.type
        if isinstance(declared, ThingOf) or hasattr(declared, "kind"):
            kind = " or ".join(map(kind_noun, var.either)) or kind_noun(getattr(declared, "kind", ""))
            return kind if len(words) <= 2 or words == kind else f"{words}: {article(kind)}"
        return f"{words}: {type_words(declared)}" if len(words) > 1 else type_words(declared)

    def adjustments(self, teller: Outliner, adjustments: Sequence[m.Adjustment]) -> list[Line]:
        """Layers on a value; those that were written on one line are one sentence."""
        lines: list[Line] = []
        before: Span | None = None
        for a in adjustments:
            value = teller.speaker.phrase(a.value)
            if lines and a.span == before and a.operation in ("floor", "cap"):
                limit = f", but not {'below' if a.operation == 'floor' else 'above'} {value},"
                head, word, rest = lines[-1].text.partition(" if ")
                lines[-1].text = (
                    f"{head.rstrip('.')}{limit}{word}{rest}" if word else f"{head.rstrip('.')}{limit[:-1]}."
                )
                continue
            before = a.span
            said = self._adjusted(teller, a, value)
            condition, in_force = forceless(a.condition, self.forces)
            under: list[Line] = []
            if condition is not None:
                given = teller.speaker.sentence(condition, True)
                parts = teller.long.parts(condition) if is_long(given) else None
                said += f" if {given if parts is None else parts[0]}"
                under = parts[1] if parts is not None else []
            if in_force:
                said = while_in_force(said)
            uses = uses_of([a.value, *([a.condition] if a.condition is not None else [])])
            label = a.label or (self.things.label_of(a.thing) if a.thing else "")
            text = sentence(f"{said}:" if under else said)
            made = Line(text, a.cites, "step", under, label, uses=uses, origin=a.origin, span=a.span)
            lines.append(evolve(made, is_on_card=self.is_worded(a.thing)))
        return lines

    @staticmethod
    def _adjusted(teller: Outliner, a: m.Adjustment, value: str) -> str:
        match a.operation, a.value:
            case "add", ir.ArithX(operator="neg", args=(of, *_)):
                return f"Subtract {teller.speaker.phrase(of)}"
            case "add", ir.Lit(value=int() as number) if number < 0:
                return f"Subtract {-number}"
            case "set", ir.Lit(value=bool() as is_so):
                return teller.so[0] if is_so else teller.so[1]
            case "set", _ if a.value.type == BOOL:
                return f"{teller.so[0]} only if {teller.speaker.clause(a.value)}"
        return _OPERATIONS[a.operation].format(value)

    def _route(self, node: n.RouteDecl) -> Entry | None:
        route = self.model.routes.get(node.name.text)
        if route is None or route.span != node.name.span:
            return self._overridden(node, node.name.text, "route")
        return self._as_one(node.name.text, self.model.routes, lambda each: self._route_entry(each, node))

    def _route_entry(self, route: m.Route, node: n.RouteDecl) -> Entry:
        clauses = [c for rule in route.rules for c in rule.clauses]
        more = [*route.expressions(), *expressions_of_clauses(clauses)]
        teller = Outliner(route.params, (), more)
        space = kind_noun(route.kind.name)
        unit = "steps" if route.cost is None else "points"
        steps = ""
        if route.steps is not None:
            amount = teller.amount(route.steps)
            steps = f", at most {amount} {unit}"
            if amount.startswith(("the ", "your ")):
                steps = f", at most as many {unit} as {amount}"  # not "the movement points of the unit points"
        sorts = listed([readable(s).lower() for s in route.sorts], "or")
        lines = [Line(sentence(f"from {teller.say(route.start)}, step by step along links by {sorts}{steps}"))]
        for rule in route.rules:
            names = {
                "enter": [f"the {space} entered"],
                "through": [f"the {space} passed through"],
                "step": [f"the {space} left", f"the {space} entered"],
            }[rule.form]
            for var, name in zip(rule.vars, names, strict=True):
                teller.speaker.names[var.ident] = name
            head = {
                "enter": f"{capital(article(space))} may be entered only if:",
                "through": f"One may go on from {article(space)} only if:",
                "step": f"A step from one {space} to the next is allowed only if:",
            }[rule.form]
            lines.append(Line(head, form="heading", children=teller.clauses(rule.clauses)))
        if route.cost is not None:
            names = [f"the {space} left", f"the {space} entered"]
            for var, name in zip(route.cost[0], names, strict=True):
                teller.speaker.names[var.ident] = name
            lines.append(Line(sentence(f"what a step costs: {teller.say(route.cost[1])}")))
        return Entry(
            "route", route.name, self.called(route.name, route.params), node.span, route.cites, route.doc, lines,
            key=f"route {route.name}",
        )  # fmt: skip

    def _table(self, node: n.TableDecl) -> Entry | None:
        table = self.model.tables.get(node.name.text)
        if table is None or table.span != node.name.span:
            return self._overridden(node, node.name.text, "table")
        return Entry(
            "table", table.name, capital(self.proper(readable(table.name).lower())), node.span, table.cites, table.doc,
            grids=[table_grid(table, self.model)], reconstructed=table.reconstructed, key=f"table {table.name}",
        )  # fmt: skip

    def _overridden(self, node: Any, name: str, form: str) -> Entry:
        """A rule that something in force has replaced or taken away."""
        title = capital(self.proper(readable(name).lower()))
        note = "not in force here: an option, a scenario or this variant puts another rule in its place or removes it"
        return Entry(form, name, title, node.span, getattr(node, "cites", ()), note=note)

    # -------------------------------------------------------------- rules that do something

    def _procedure(self, node: n.ProcedureDecl) -> Entry | None:
        procedure = self.model.procedures.get(node.name.text)
        if procedure is None or procedure.span != node.name.span:
            return self._overridden(node, node.name.text, node.form)
        return self._as_one(node.name.text, self.model.procedures, lambda each: self.procedure(each, node.span))

    def procedure(self, procedure: m.Procedure, span: Span) -> Entry:
        title = self.proper(procedure.title or readable(procedure.name))
        if procedure.params:
            title += f" ({', '.join(self._param(p) for p in procedure.params)})"
        entry = Entry(
            procedure.form, procedure.name, "The sequence of play" if procedure.form == "sequence" else title, span,
            procedure.cites, procedure.doc, key=f"procedure {procedure.name}",
        )  # fmt: skip
        if procedure.doc:
            entry.doc = "\n".join(s.text for s in procedure.block if isinstance(s, ir.DocS))
        teller = Outliner(procedure.params, procedure.block, result="The result is ")
        teller.forces = self.forces
        for hook in procedure.before:
            entry.lines.append(self.hook_line(hook, procedure, "Before it"))
        entry.lines += teller.block(procedure.block, docs=False)
        for hook in procedure.after:
            entry.lines.append(self.hook_line(hook, procedure, "After it"))
        return entry

    def hook_line(self, hook: m.Hook, procedure: m.Procedure | None, word: str) -> Line:
        params = procedure.params if procedure is not None else ()
        more = [hook.condition] if hook.condition is not None else []
        teller = Outliner(params, hook.block, more, "The result is ")
        condition, in_force = forceless(hook.condition, self.forces)
        said, children = teller.long.on_condition(word, condition, teller.block(hook.block))
        said = f"{while_in_force(said) if in_force else said}:"
        label = hook.label or (self.things.label_of(hook.thing) if hook.thing else "")
        made = Line(sentence(said), hook.cites, "hook", children, label, uses=uses_of(more), origin=hook.origin)
        return evolve(made, is_on_card=self.is_worded(hook.thing))

    def _signal(self, node: n.SignalDecl) -> Entry | None:
        signal = self.model.signals.get(node.name.text)
        if signal is None:
            return None
        lines = [self.reaction_line(signal, r) for r in signal.reactions]
        title = f"When: {self.called(signal.name, signal.params)}"
        note = "" if lines else "nothing in this game waits for it so far"
        return Entry(
            "signal", signal.name, title, node.span, signal.cites, lines=lines, note=note, key=f"signal {signal.name}"
        )

    def reaction_line(self, signal: m.Signal, reaction: m.Reaction) -> Line:
        said, children, uses = reaction_lines(signal, reaction, self.forces)
        return Line(
            said, reaction.cites, "hook", children, self.reaction_label(reaction), uses=uses, origin=reaction.origin,
            is_on_card=self.is_worded(reaction.thing),
        )  # fmt: skip

    def reaction_label(self, reaction: m.Reaction) -> str:
        """What a reaction is called: its own label, or the card it stands on."""
        if reaction.label:
            return reaction.label
        thing = self.thing_at(reaction.span)
        return thing.label if thing is not None else ""

    def thing_at(self, span: Span) -> m.Thing | None:
        """The thing under which something is written."""
        return self.places.thing_around(span)

    def _aside(self, node: n.AsideDecl) -> Entry | None:
        aside = next((a for a in self.model.asides if a.span == node.span), None)
        if aside is None:
            return self._overridden(node, node.name.text, "aside")
        lines = [self.aside_line(aside)]
        title = f"At any time: {self.proper(readable(aside.name).lower())}"
        return Entry("aside", aside.name, title, node.span, aside.cites, lines=lines, key=f"aside {aside.name}")

    def aside_line(self, aside: m.Aside) -> Line:
        alt = aside.alt
        more = [aside.by, *expressions_of_clauses(alt.clauses), *(x for _, x in alt.picks)]
        teller = Outliner([v for v, _ in alt.picks], alt.block, more)
        teller.forces = self.forces
        taker = taker_of(aside, teller)
        way = teller.way(alt)
        said = f"{taker} may, at any time during {self.things.scope(aside.during)}: {way.text}"
        return Line(sentence(said), aside.cites, "choice", way.children)

    # -------------------------------------------------------------- amendments

    def _replace(self, node: n.Declaration) -> Entry | None:
        entry = self._of(node)
        if entry is not None and not entry.note:
            entry.note = "takes the place of the rule of that name"
        return entry

    def whenever_line(self, rule: m.Whenever) -> Line:
        more = [rule.condition, *([rule.source] if rule.source is not None else [])]
        teller = Outliner((rule.var,) if rule.var is not None else (), rule.procedure.block, more)
        condition, in_force = forceless(rule.condition, self.forces)
        said = teller.speaker.clause(condition if condition is not None else rule.condition)
        if rule.var is not None and rule.source is not None:
            noun = teller.speaker.noun(rule.source, False)
            own = said.removeprefix(f"the {noun} ")
            kind = noun.split(" in ")[0]
            if own != said:
                said = f"{article(noun)} {own}"
            elif said.startswith(f"the {kind}'s "):
                said = article(said[4:])  # "a town's walls are down and nobody is in the town"
            else:
                said = f"for any {noun}, {said}"
        children = teller.block(rule.procedure.block)
        said = f"as soon as {said}:"
        if in_force and condition is not None:
            said = while_in_force(said)
        return Line(sentence(said), form="hook", children=children, uses=uses_of(more), origin=rule.origin)

    # -------------------------------------------------------------- claims

    def _claim(self, node: n.Invariant | n.Check) -> Entry:
        conditions: Sequence[ir.X] = ()
        if isinstance(node, n.Invariant):
            found = next((i for i in self.model.invariants if i.span == node.span), None)
            conditions = found.conditions if found is not None else ()
            when = {
                "end": f"at the end of {self.things.scope(node.scope.text)}" if node.scope else "",
                "always": "always",
            }
            note = f"must hold {when.get(node.when, 'at every decision')}"
        else:
            conditions = next((c for check, c in self.model.checks if check is node), ())
            note = "is counted before play begins"
        lines = [Outliner((), (), [x]).long.claimed(x) for x in conditions]
        form = "invariant" if isinstance(node, n.Invariant) else "check"
        return Entry(form, node.title, node.title, node.span, node.cites, lines=lines, note=note)


# ------------------------------------------------------------------ parts


def reaction_lines(
    signal: m.Signal, reaction: m.Reaction, forces: Sequence[m.Kind] = ()
) -> tuple[str, list[Line], tuple[str, ...]]:
    """A reaction without what the engine adds to keep count of who has answered."""
    own = without_engine(reaction.block, (signal.span, reaction.span))
    more = [reaction.condition] if reaction.condition is not None else []
    teller = Outliner(reaction.params, own, more, "The result is ")
    about = f" ({', '.join(teller.speaker.names.get(p.ident, p.name) for p in signal.params)})" if signal.params else ""
    said = f"When “{readable(signal.name)}”{about}"
    if signal.wording is not None:
        said = f"When {teller.speaker.worded(signal.wording, ())}"
    condition, in_force = forceless(reaction.condition, forces)
    said, children = teller.long.on_condition(said, condition, teller.block(own))
    if reaction.once:
        said += f", once {article(readable(reaction.once))}"
    elif reaction.repeatedly:
        said += ", as often as wanted"
    if in_force:
        said = while_in_force(said)
    return f"{capital(said)}:", children, uses_of(more)


def _bare(line: Line, when: str) -> Line:
    """A number by itself is no sentence: one that other rules change is what it is as long as they do not."""
    return evolve(line, text=f"{when} {line.text}") if line.text.rstrip(".").lstrip("-").isdigit() else line


def without_engine(block: ir.Block, spans: tuple[Span, ...]) -> ir.Block:
    out: list[ir.S] = []
    for statement in block:
        if isinstance(statement, ir.AssignS) and statement.span in spans:
            continue
        if isinstance(statement, ir.ChooseS):
            alts = [
                evolve(
                    alt,
                    clauses=[c for c in alt.clauses if c.span not in spans],
                    block=without_engine(alt.block, spans),
                )
                for alt in statement.alts
            ]
            statement = evolve(statement, alts=alts)
        out.append(statement)
    return tuple(out)
