"""Choices: who decides, between what, under which requirements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.calls import leaves
from rulescript.analysis.desk import Desk
from rulescript.analysis.eithers import (
    grouped,
    parts_of_sum,
)
from rulescript.analysis.part import Part
from rulescript.analysis.plans import stands_alone
from rulescript.analysis.scope import Scope
from rulescript.analysis.statements import _inside
from rulescript.diagnostics import Label, Reporter
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    ERROR,
    TEXT,
    ListOf,
    PieceOf,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Choices"]


class _ChoiceNames:
    """What the choices of each rule are called, each otherwise."""

    def __init__(self) -> None:
        self._given: list[tuple[str, str]] = []
        self._known: set[tuple[str, str]] = set()
        # Where to go on with the numbers behind a name, so that thousands of one name are not all tried.
        self._next: dict[tuple[str, str], int] = {}

    @property
    def count(self) -> int:
        return len(self._given)

    def one_of_its_own(self, procedure: str, name: str) -> str:
        """A name that no other choice of the rule has: the one that is wanted, or with a number."""
        unique, number = name, self._next.get((procedure, name), 2)
        while (procedure, unique) in self._known:
            unique = f"{name}_{number}"
            number += 1
        self._next[procedure, name] = number
        self._known.add((procedure, unique))
        self._given.append((procedure, unique))
        return unique

    def forget_after(self, count: int) -> None:
        """Only so many were given: what came after them is read again."""
        self._known.difference_update(self._given[count:])
        del self._given[count:]
        self._next.clear()


class Choices(Part):
    """Reads choices."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.choice_names = _ChoiceNames()
        # What happens between the answers to sealed choices and what follows from each.
        self._meanwhile: tuple[n.Node, ...] = ()

    @contextmanager
    def sealed(self, *nodes: n.Node) -> Iterator[None]:
        """While sealed choices are read: what follows from one comes after what follows from others."""
        before, self._meanwhile = self._meanwhile, nodes
        try:
            yield
        finally:
            self._meanwhile = before

    def player_type(self) -> Type:
        return ThingOf(self.game.players.name) if self.game.players is not None else ERROR

    def player(self, node: n.Expr, scope: Scope) -> ir.X:
        if self.game.players is None:
            return self.nobody(node.span)
        return self.expressions.typed(node, scope, self.player_type())

    def default_player(self, span: Span) -> ir.X:
        if self.game.players is None:
            return self.nobody(span)
        state = self.game.states.get("active")
        if state is not None and fits(state.type, self.player_type()):
            return ir.StateX(state.type, span, state, None)
        if self.game.players.size == 1:
            return ir.ThingLit(self.player_type(), span, self.game.players, 0)
        if "active" in self.desk.lost:
            return self.bad(span)
        self.desk.lost.add("active")
        self.error(
            "RS201",
            "nobody is said to make this choice",
            span,
            hint=f"write `choose by ...`, or declare `state active: {self.game.players.name}`",
            rests_on=("active",),
        )
        return self.bad(span)

    def nobody(self, span: Span) -> ir.X:
        """That nobody plays is told once; not at all if it was told what is wrong with who does."""
        if not self.desk.players_unclear:
            self.error(
                "RS201", "nobody plays this game", span, hint="declare `players Side`", rests_on=("players", "active")
            )
        self.desk.players_unclear = True
        return self.bad(span)

    def choose(self, node: n.Choose, scope: Scope, who: ir.X | None = None) -> ir.ChooseS:
        any_of = node.any_of
        if who is None:
            if node.by is None:
                who = self.default_player(node.span)
            elif any_of:
                who = self.expressions.typed(node.by, scope, SetOf(self.player_type()))
            else:
                who = self.player(node.by, scope)
        chooser = who
        if any_of:
            var = self.var("chooser", self.player_type(), "pick")
            chooser = ir.Local(var.type, node.span, var)
        inside = scope.inner()
        inside.chooser = chooser
        self.doubts.doubt_asking(inside)
        ways = self._with_shared(node)
        alts = self.whereabouts.branches(
            scope,
            [
                (partial(self.alternative, alt, inside, node.cites, version), not leaves(alt.block))
                for each in ways
                for version, alt in enumerate(self.written_out(each, inside))
            ],
            or_none=True,
        )
        if node.may and all(alt.label != "pass" for alt in alts):
            span = node.span
            text = ir.TemplateX(TEXT, span, ("Decline",))
            alts.append(ir.Alt("pass", (), None, text, node.cites, [], (), span, "pass", self.desk.origin))
        name = next((a.label for a in alts if a.picks or a.many), alts[0].label)
        procedure = scope.procedure
        if not name:
            name = procedure.rsplit(".", 1)[-1] or "choose"
        unique = self.choice_names.one_of_its_own(procedure, name)
        self._tell_apart(node, unique)
        own = unique if all(alt.label != unique for alt in alts) else f"{unique}_2"
        for alt in alts:
            if not alt.label:
                alt.label = own
        if len(alts) == 1:
            # The only way out: what it chose stays known to what follows.
            scope.names.update({var.name: var for var, _ in alts[0].bound})
        made = ir.ChooseS(node.span, self.cited(node.cites), unique, who, any_of, alts, if_possible=node.if_possible)
        if any_of:
            assert isinstance(chooser, ir.Local)
            made.chooser_var = chooser.var
        return made

    def _tell_apart(self, node: n.Choose, unique: str) -> None:
        """Keys, saves and `restrict` know a way by its name: no two of a choice have the same."""
        seen: dict[str, Span] = {}
        for way in node.alternatives:
            name = way.label.text if way.label is not None else unique
            span = way.label.span if way.label is not None else way.span
            if name not in seen:
                seen[name] = span
                continue
            first = [Label(seen[name], "the first")]
            if way.label is None:
                self.error(
                    "RS102", "two ways of this choice would have the same name", span, "no name of its own",
                    hint="write `or choose name: ...`", others=first,
                )  # fmt: skip
            else:
                other = "give one of them another name"
                self.error("RS102", f"two ways of this choice are called `{name}`", span, "again", other, first)

    def _with_shared(self, node: n.Choose) -> list[n.Alternative]:
        """The ways to answer, each with the requirements it shares with others before its own."""
        ways = list(node.alternatives)
        for shared in node.shared:
            for label in shared.labels:
                known = [way.label.text for way in ways if way.label is not None]
                if label.text not in known:
                    self.unknown("way to answer this choice", label.text, label.span, known)
            requires: list[n.Statement] = []
            for statement in shared.block:
                if isinstance(statement, n.Require):
                    requires.append(evolve(statement, cites=statement.cites or shared.cites))
                elif not isinstance(statement, n.Doc):
                    self.error(
                        "RS232", "what several ways have in common are requirements", statement.span,
                        "not a `require`", "put it under each of them, or into a procedure that they call",
                    )  # fmt: skip
            named = {label.text for label in shared.labels}
            meant = [
                at for at, way in enumerate(ways)
                if (way.label is not None and way.label.text in named if named else way.picks or way.many is not None)
            ]  # fmt: skip
            for at in meant:
                ways[at] = evolve(ways[at], block=(*requires, *ways[at].block))
        return ways

    def written_out(self, alt: n.Alternative, scope: Scope) -> list[n.Alternative]:
        """A way to choose that picks from several kinds (`m in Area.armies + Area.units`), once for each of them."""
        if all(len(parts_of_sum(pick.source)) == 1 for pick in alt.picks):
            return [alt]
        inside = _inside(scope)
        reporter, self.desk.reporter = self.desk.reporter, Reporter()
        try:
            for at, pick in enumerate(alt.picks):
                parts = parts_of_sum(pick.source)
                types = [element_of(self.expr(part, inside).type) for part in parts] if len(parts) > 1 else []
                kinds = [type_.kind for type_ in types if isinstance(type_, ThingOf | PieceOf)]
                if len(kinds) == len(parts) and len(set(kinds)) > 1:
                    either = tuple(dict.fromkeys(kinds))
                    sources = [_sum_of([parts[i] for i in group], pick.source) for group in grouped(kinds)]
                    picks = [evolve(pick, source=source, either=either) for source in sources]
                    ways = [evolve(alt, picks=(*alt.picks[:at], now, *alt.picks[at + 1 :])) for now in picks]
                    return [each for way in ways for each in self.written_out(way, scope)]
                self.collections.pickings([pick], inside, "pick")
        finally:
            self.desk.reporter = reporter
        return [alt]

    def alternative(self, alt: n.Alternative, scope: Scope, cites: tuple[str, ...], version: int = 0) -> ir.Alt:
        """A way to answer. `version`: of those that were written as one, which."""
        before = self.desk.reading_again
        self.desk.reading_again = before or version > 0
        made = self._alternative(alt, scope, cites)
        made.version = version
        self.desk.reading_again = before
        return made

    def _alternative(self, alt: n.Alternative, scope: Scope, cites: tuple[str, ...]) -> ir.Alt:
        inside = _inside(scope)
        label = alt.label.text if alt.label is not None else ""
        if alt.each is not None:
            stands_alone(self, alt)
            for name in (alt.each.name, alt.each.target, alt.each.plan):
                inside.names[name.text] = self.var(name.text, ERROR, "let")
        picks: tuple[tuple[ir.Var, ir.X], ...] = ()
        many = None
        if alt.picks:
            picks = self.collections.pickings(alt.picks, inside, "pick")
        if alt.many is not None:
            many = self._many(alt.many, inside)
        clauses: list[ir.Clause] = []
        rest: list[n.Statement] = []
        told = False
        never = False
        for statement in alt.block:
            if isinstance(statement, n.Require):
                truth = self.operators.kind_truth(statement.condition, inside)
                if truth is not None:
                    if truth:
                        continue
                    never = True
                    clauses.append(self.never(statement, alt.cites or cites, self.operators.kinds_asked(inside)))
                    break
                if rest and not told and not all(isinstance(r, n.Doc) for r in rest):
                    told = True
                    self.error(
                        "RS201",
                        "requirements come first, before what the choice does",
                        statement.span,
                        hint="move the `require` up",
                    )
                clause = self.clause(statement, inside, alt.cites or cites)
                clauses.append(clause)
                inside.learn(self.expressions.knowing(clause.condition, inside))
            else:
                rest.append(statement)
        if never:
            # Its text and what it does may be about the other kinds only.
            rest = []
        given = alt.text if not never else None
        text = self.expressions.template(given.value, given.span, inside) if given is not None else None
        if alt.text is not None and not alt.text.value.strip():
            self.error("RS201", "this text says nothing to the player who chooses", alt.text.span, "empty")
        effect = label if label in ("stop", "pass") and not picks and many is None else ""
        if effect == "stop" and not scope.in_loop:
            self.error(
                "RS201", "`or stop` leaves a `repeat` or `for`, and there is none here", alt.span,
                hint="put `repeat` over the choice, or write `or pass` if nothing is repeated",
            )  # fmt: skip
        self.doubts.doubt(inside, *self._meanwhile)
        block = self.statements.block(tuple(rest), inside)
        return ir.Alt(
            label,
            picks,
            many,
            text,
            self.cited(alt.cites or cites),
            clauses,
            block,
            alt.span,
            effect,
            self.desk.origin,
            text is not None,
        )

    def _many(self, node: n.PickMany, scope: Scope) -> tuple[str, ir.X | None, ir.Var, ir.X]:
        amount = self.expressions.number(node.amount, scope) if node.amount is not None else None
        source = self.collections.source(node.source, scope)
        element = element_of(source.type) or ERROR
        type_: Type = SetOf(element) if isinstance(element, ThingOf) else ListOf(element)
        var = self.collections.bind(node.name, type_, "pick", scope)
        return (node.mode, amount, var, source)

    def never(self, node: n.Require, cites: tuple[str, ...], kinds: str) -> ir.Clause:
        """A requirement that this kind of thing never meets."""
        test = ir.Lit(BOOL, node.condition.span, False)
        cites = node.cites or cites or self.desk.default_cites
        wording = ir.Wording(
            (),
            ir.TemplateX(TEXT, node.span, (f"it is not {kinds}",)),
            ir.TemplateX(TEXT, node.span, (f"it is {kinds}",)),
        )
        return ir.Clause(test, node.label, cites, node.peeks, node.span, self.desk.origin, wording=wording)

    def clause(self, node: n.Require, scope: Scope, cites: tuple[str, ...]) -> ir.Clause:
        before = self.desk.rule_cites
        self.desk.rule_cites = node.cites or cites or before
        condition = self.condition(node.condition, scope)
        self.desk.rule_cites = before
        return ir.Clause(
            condition,
            node.label,
            node.cites or cites or self.desk.default_cites,
            node.peeks,
            node.span,
            self.desk.origin,
        )


def _sum_of(parts: Sequence[n.Expr], whole: n.Expr) -> n.Expr:
    """The parts of a sum that are of one kind, added up again."""
    out = parts[0]
    for part in parts[1:]:
        out = n.Binary("+", out, part, span=whole.span)
    return out
