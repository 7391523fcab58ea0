"""The meaning of statements: nodes -> model/ir.py. Effects are allowed here, except in pure rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.arguments import PendingDefault
from rulescript.analysis.collect import words_of
from rulescript.analysis.eithers import grouped, parts_of_sum, plain_name
from rulescript.analysis.expressions import Expressions, path_of
from rulescript.analysis.plans import planned, stands_alone
from rulescript.analysis.scope import Scope, first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import Kind, Procedure, State, Thing
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    TEXT,
    VOID,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
    say,
)  # fmt: skip
from rulescript.source import Span

__all__ = ["Statements"]

MAX_DICE_SIDES = 10_000
# What a procedure asked for in an `if` gave back; no name of a designer's has a blank in it.
_ASKED = "given back"
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")


T = TypeVar("T")


class Statements(Expressions):
    """Reads statements."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.current: Procedure | None = None
        self.choice_names: set[tuple[str, str]] = set()
        # Where names stood at each `return` of the rule being read, and after each move.
        self.returns: list[dict[ir.Var, Type]] = []
        self._moved: list[tuple[ir.Var, Type]] = []

    # -------------------------------------------------------------- where things stand
    #
    # A name for a thing or piece says in which kind of thing it stands, as far as is known. A move through the name
    # changes that. Where ways meet (after an `if`, a choice, a loop) it is known only if all of them agree.

    def whereabouts(self, scope: Scope) -> dict[ir.Var, Type]:
        return {var: var.type for var in scope.names.values() if isinstance(var.type, PieceOf | ThingOf)}

    def merge(self, ends: Sequence[dict[ir.Var, Type]]) -> None:
        """Names are where all ways left them, or nobody knows where."""
        for var in ends[0] if ends else ():
            found = {end[var] for end in ends if var in end}
            if len(found) == 1:
                var.type = found.pop()
            elif isinstance(var.type, PieceOf | ThingOf):
                var.type = evolve(var.type, holder="")

    def branches(self, scope: Scope, ways: Sequence[tuple[Callable[[], T], bool]], or_none: bool = False) -> list[T]:
        """Read several ways play may take from here. `ways` are what reads each, and whether it goes on afterwards;
        `or_none`: perhaps none of them is taken."""
        start = self.whereabouts(scope)
        ends = [start] if or_none else []
        out: list[T] = []
        for read, goes_on in ways:
            for var, type_ in start.items():
                var.type = type_
            out.append(read())
            if goes_on:
                ends.append({var: var.type for var in start})
        self.merge(ends or [start])
        return out

    def rounds(self, scope: Scope, read: Callable[[], T]) -> T:
        """Read a loop's body. If a name is moved elsewhere in it, the next round begins with the name there: then
        the body is read again, with nobody knowing where the name is."""
        start = self.whereabouts(scope)
        here = {var: scope.type_of(var) for var in start}
        moves = {var: var.moves for var in start}
        first, names = len(self._moved), set(self.choice_names)
        told = len(self.game.reconstructed)
        out = read()
        if any(var.moves != moves[var] and var.type != here[var] for var in start):
            ends = {var: var.type for var in start}
            self.choice_names = names
            del self.game.reconstructed[told:]
            self.merge([start, ends])
            out = read()
        # A `stop` may leave in the middle.
        passed = [{**start, var: type_} for var, type_ in self._moved[first:] if var in start]
        self.merge([start, {var: var.type for var in start}, *passed])
        return out

    def not_moved(self, scope: Scope, names: Iterable[ir.Var]) -> None:
        """In what is asked before a rule does anything, names are where they were before its moves."""
        for var in names:
            if isinstance(var.declared, PieceOf | ThingOf):
                scope.on[var.ident] = (var.declared.holder, var.moves)

    # -------------------------------------------------------------- blocks

    def block(self, statements: n.Block, scope: Scope) -> ir.Block:
        out: list[ir.S] = []
        for statement in statements:
            truth = self.kind_truth(statement.condition, scope) if isinstance(statement, n.If) else None
            if isinstance(statement, n.If) and truth is not None:
                way = statement.then if truth else statement.otherwise
                out += self.block(way, _inside(scope))
                if leaves(way):
                    break
                continue
            if isinstance(statement, n.Choose) and any(alt.each is not None for alt in statement.alternatives):
                out += planned(self, statement, scope)
                continue
            if isinstance(statement, n.Repeat) and self._asked_in(statement.condition, scope) is not None:
                statement = _asking_inside(statement)
            asked = self._asked_first(statement, scope) if isinstance(statement, n.If) else None
            if asked is not None:
                call, statement = asked
                out.append(call)
            made = self.statement(statement, scope)
            scope.names.pop(_ASKED, None)
            if made is not None:
                out.append(made)
        return tuple(out)

    def _asked_first(self, node: n.If, scope: Scope) -> tuple[ir.S, n.If] | None:
        """``if battle(a, b) == won``: the procedure is run first, then what it gave back is tested."""
        test = node.condition
        found = self._asked_in(test, scope)
        if found is None:
            return None
        asked, procedure = found
        call = self._procedure_call(asked, scope)
        assert call is not None
        var = self.var(procedure.name, procedure.type, "let")
        call.result = var
        scope.names[_ASKED] = var
        result = n.NameExpr(_ASKED, span=asked.span)
        if isinstance(test, n.Binary) and asked is not test:
            return call, evolve(node, condition=evolve(test, left=result))
        if isinstance(test, n.Unary):
            return call, evolve(node, condition=evolve(test, operand=result))
        return call, evolve(node, condition=result)

    def _asked_in(self, test: n.Expr | None, scope: Scope) -> tuple[n.Expr, Procedure] | None:
        """The call of a procedure that a test is about, if it is: alone, denied, or on the left of a comparison."""
        asked = test
        if isinstance(test, n.Binary) and test.operator in _COMPARISONS:
            asked = test.left
        elif isinstance(test, n.Unary):
            asked = test.operand
        name = asked.function if isinstance(asked, n.Call) else asked
        if asked is None or scope.pure or not isinstance(name, n.NameExpr) or name.name in scope.names:
            return None
        procedure = self.game.procedures.get(name.name)
        return None if procedure is None or procedure.type == VOID else (asked, procedure)

    def statement(self, node: n.Statement, scope: Scope) -> ir.S | None:
        cites = getattr(node, "cites", ())
        before = self.rule_cites
        if cites:
            self.rule_cites = cites
        try:
            if scope.pure and not isinstance(node, n.Doc | n.If | n.Let | n.Return | n.ExprStatement | n.Require):
                self._effect_in_pure_rule(node, scope)
                return None
            return self._statement(node, scope)
        finally:
            self.rule_cites = before

    def _effect_in_pure_rule(self, node: n.Statement, scope: Scope) -> None:
        """Functions, values and predicates only look. The names such a statement would bind stay quiet."""
        span = first_line(node.span)
        word = span.text.split()[0] if span.text.split() else "this"
        what = f"`{word}`" if word.isalpha() else "this"
        self.error(
            "RS207", f"{what} changes something, and functions, values and predicates only look", span,
            "not in a pure rule", "make the rule a `procedure`",
        )  # fmt: skip
        names = [node.name] if isinstance(node, n.Roll | n.Draw) else []
        if isinstance(node, n.Choose):
            names = [pick.name for alt in node.alternatives for pick in alt.picks]
        for name in names:
            if name is not None:
                scope.names[name.text] = self.var(name.text, ERROR, "let")

    def _statement(self, node: n.Statement, scope: Scope) -> ir.S | None:
        match node:
            case n.Doc(text):
                return ir.DocS(node.span, (), text)
            case n.Require():
                self.error(
                    "RS201",
                    "`require` belongs under a `choose`, a predicate or a route",
                    node.span,
                    hint="use `if`, or put it under the `choose` it limits",
                )
                return None
            case n.Choose():
                return self.choose(node, scope)
            case n.Each():
                return self._each(node, scope)
            case n.Together(branches, cites):
                return ir.TogetherS(node.span, cites, tuple(self._branch(branch, scope) for branch in branches))
            case n.If(condition, then, otherwise, cites):
                checked = self.condition(condition, scope)
                a, b = self.branches(
                    scope,
                    [
                        (lambda: self.block(then, _inside(self.knowing(checked, scope))), not leaves(then)),
                        (
                            lambda: self.block(otherwise, _inside(self.knowing(checked, scope, False))),
                            not leaves(otherwise),
                        ),
                    ],
                )
                if then and leaves(then):
                    scope.learn(self.knowing(checked, scope, False))
                return ir.IfS(node.span, cites, checked, a, b)
            case n.For(name, source, block, cites):
                return self._for(node, name, source, block, cites, scope)
            case n.Repeat(mode, condition, block, cites):
                inside = _inside(scope)
                inside.in_loop = True
                test: ir.X | None = None
                if condition is not None:
                    test = self.number(condition, scope) if mode == "times" else self.condition(condition, scope)
                inner = self.rounds(scope, lambda: self.block(block, inside.inner()))
                return ir.RepeatS(node.span, cites, mode, test, inner)
            case n.Let(name, value):
                return self._let(node, name, value, scope)
            case n.Move():
                return self._move(node, scope)
            case n.Place():
                return self._place(node, scope)
            case n.Draw():
                return self._draw(node, scope)
            case n.Roll(amount, sides, name, cites):
                return self._roll(node, amount, sides, name, cites, scope)
            case n.Shuffle(place, cites):
                to = self.place(place, scope, None)
                if to is None:
                    return None
                if not to.holds.ordered:
                    self.error("RS203", "only an ordered place can be shuffled", place.span)
                return ir.ShuffleS(node.span, cites, to)
            case n.Reveal(what, to_whom, cites):
                viewers = self.expr(to_whom, scope) if to_whom is not None else None
                return ir.RevealS(node.span, cites, self.expr(what, scope), viewers)
            case n.SignalStatement(name, args, cites):
                return self._signal(node, name, args, cites, scope)
            case n.Return(value_node, cites):
                return self._return(node, value_node, cites, scope)
            case n.Stop():
                if not scope.in_loop:
                    self.error("RS201", "`stop` leaves a `repeat` or `for`, and there is none here", node.span)
                return ir.StopS(node.span, node.cites)
            case n.EndGame(winner, drawn, how, cites):
                victor = self.expr(winner, scope, self.player_type()) if winner is not None else None
                if victor is not None and not isinstance(element_of(victor.type) or victor.type, ThingOf):
                    self.mismatch("the winner", victor.type, victor.span)
                words = self.template(how.value, how.span, scope) if how is not None else None
                return ir.EndS(node.span, cites, victor, drawn, words)
            case n.Tell(text_node, cites):
                return ir.TellS(node.span, cites, self.template(text_node.value, text_node.span, scope))
            case n.Assign():
                return self._assign(node, scope)
            case n.ExprStatement(value, cites):
                return self._expression_statement(node, value, cites, scope)
        raise AssertionError(node)

    def _branch(self, node: n.TogetherBranch, scope: Scope) -> ir.ChooseS | ir.EachS:
        """``North: choose ...`` or ``each s in Side - North: choose ...`` of a `together`."""
        if node.choose.by is not None:
            self.error(
                "RS201", "who chooses stands before the `:`", node.choose.by.span, "said twice",
                "leave out `by ...` here",
            )  # fmt: skip
        inside = scope.inner()
        if node.name is None:
            choose = self.choose(node.choose, inside, self.player(node.who, scope))
            choose.sealed = True
            return choose
        source = self.typed(node.who, scope, SetOf(self.player_type()))
        var = self.bind(node.name, self.player_type(), "loop", inside)
        choose = self.choose(node.choose, inside, ir.Local(var.type, node.name.span, var))
        choose.sealed = True
        return ir.EachS(node.span, (), var, source, True, (choose,))

    # -------------------------------------------------------------- players

    def player_type(self) -> Type:
        return ThingOf(self.game.players.name) if self.game.players is not None else ERROR

    def player(self, node: n.Expr, scope: Scope) -> ir.X:
        if self.game.players is None:
            return self._nobody(node.span)
        return self.typed(node, scope, self.player_type())

    def default_player(self, span: Span) -> ir.X:
        if self.game.players is None:
            return self._nobody(span)
        state = self.game.states.get("active")
        if state is not None and fits(state.type, self.player_type()):
            return ir.StateX(state.type, span, state, None)
        if self.game.players.size == 1:
            return ir.ThingLit(self.player_type(), span, self.game.players, 0)
        self.error(
            "RS201",
            "nobody is said to make this choice",
            span,
            hint=f"write `choose by ...`, or declare `state active: {self.game.players.name}`",
            rests_on=("active",),
        )
        return self.bad(span)

    def _nobody(self, span: Span) -> ir.X:
        """That nobody plays is told once; not at all if it was told what is wrong with who does."""
        if not self.players_unclear:
            self.error(
                "RS201", "nobody plays this game", span, hint="declare `players Side`", rests_on=("players", "active")
            )
        self.players_unclear = True
        return self.bad(span)

    # -------------------------------------------------------------- choices

    def choose(self, node: n.Choose, scope: Scope, who: ir.X | None = None) -> ir.ChooseS:
        any_of = node.any_of
        if who is None:
            if node.by is None:
                who = self.default_player(node.span)
            elif any_of:
                who = self.typed(node.by, scope, SetOf(self.player_type()))
            else:
                who = self.player(node.by, scope)
        chooser = who
        if any_of:
            var = self.var("chooser", self.player_type(), "pick")
            chooser = ir.Local(var.type, node.span, var)
        inside = scope.inner()
        inside.chooser = chooser
        ways = self._with_shared(node)
        alts = self.branches(
            scope,
            [
                (partial(self.alternative, alt, inside, node.cites, version), not leaves(alt.block))
                for each in ways
                for version, alt in enumerate(self.written_out(each, inside))
            ],
            or_none=True,
        )
        if node.may:
            span = node.span
            text = ir.TemplateX(TEXT, span, ("Decline",))
            alts.append(ir.Alt("pass", (), None, text, node.cites, [], (), span, "pass", self.origin))
        name = next((a.label for a in alts if a.picks or a.many), alts[0].label)
        procedure = scope.procedure
        if not name:
            name = procedure.rsplit(".", 1)[-1] or "choose"
        unique, number = name, 2
        while (procedure, unique) in self.choice_names:
            unique = f"{name}_{number}"
            number += 1
        self.choice_names.add((procedure, unique))
        for alt in alts:
            if not alt.label:
                alt.label = unique
        if len(alts) == 1:
            # The only way out: what it chose stays known to what follows.
            for alt in alts:
                for var, _ in alt.picks:
                    scope.names[var.name] = var
                if alt.many is not None:
                    scope.names[alt.many[2].name] = alt.many[2]
        made = ir.ChooseS(node.span, self.cited(node.cites), unique, who, any_of, alts, if_possible=node.if_possible)
        if any_of:
            assert isinstance(chooser, ir.Local)
            made.chooser_var = chooser.var
        return made

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
        reporter, self.reporter = self.reporter, Reporter()
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
                self.pickings([pick], inside, "pick")
        finally:
            self.reporter = reporter
        return [alt]

    def alternative(self, alt: n.Alternative, scope: Scope, cites: tuple[str, ...], version: int = 0) -> ir.Alt:
        """A way to answer. `version`: of those that were written as one, which."""
        before = self.reading_again
        self.reading_again = before or version > 0
        made = self._alternative(alt, scope, cites)
        made.version = version
        self.reading_again = before
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
            picks = self.pickings(alt.picks, inside, "pick")
        if alt.many is not None:
            many = self._many(alt.many, inside)
        clauses: list[ir.Clause] = []
        rest: list[n.Statement] = []
        told = False
        never = False
        for statement in alt.block:
            if isinstance(statement, n.Require):
                truth = self.kind_truth(statement.condition, inside)
                if truth is not None:
                    if truth:
                        continue
                    never = True
                    clauses.append(self.never(statement, alt.cites or cites, self.kinds_asked(inside)))
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
                inside.learn(self.knowing(clause.condition, inside))
            else:
                rest.append(statement)
        if never:
            # Its text and what it does may be about the other kinds only.
            rest = []
        given = alt.text if not never else None
        text = self.template(given.value, given.span, inside) if given is not None else None
        if alt.text is not None and not alt.text.value.strip():
            self.error("RS201", "this text says nothing to the player who chooses", alt.text.span, "empty")
        effect = label if label in ("stop", "pass") and not picks and many is None else ""
        if effect == "stop" and not scope.in_loop:
            self.error("RS201", "`or stop` leaves a `repeat` or `for`, and there is none here", alt.span)
        block = self.block(tuple(rest), inside)
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
            self.origin,
            text is not None,
        )

    def _many(self, node: n.PickMany, scope: Scope) -> tuple[str, ir.X | None, ir.Var, ir.X]:
        amount = self.number(node.amount, scope) if node.amount is not None else None
        source = self.source(node.source, scope)
        element = element_of(source.type) or ERROR
        type_: Type = SetOf(element) if isinstance(element, ThingOf) else ListOf(element)
        var = self.bind(node.name, type_, "pick", scope)
        return (node.mode, amount, var, source)

    def never(self, node: n.Require, cites: tuple[str, ...], kinds: str) -> ir.Clause:
        """A requirement that this kind of thing never meets."""
        test = ir.Lit(BOOL, node.condition.span, False)
        cites = node.cites or cites or self.default_cites
        wording = ir.Wording(
            (),
            ir.TemplateX(TEXT, node.span, (f"it is not {kinds}",)),
            ir.TemplateX(TEXT, node.span, (f"it is {kinds}",)),
        )
        return ir.Clause(test, node.label, cites, node.peeks, node.span, self.origin, wording=wording)

    def clause(self, node: n.Require, scope: Scope, cites: tuple[str, ...]) -> ir.Clause:
        before = self.rule_cites
        self.rule_cites = node.cites or cites or before
        condition = self.condition(node.condition, scope)
        self.rule_cites = before
        return ir.Clause(
            condition, node.label, node.cites or cites or self.default_cites, node.peeks, node.span, self.origin
        )

    def _each(self, node: n.Each, scope: Scope) -> ir.S | None:
        source = self.source(node.source, scope)
        inside = _inside(scope)
        inside.in_loop = True
        var = self.bind(node.name, element_of(source.type) or ERROR, "loop", inside)
        if node.sealed:
            chooses = [s for s in node.block if not isinstance(s, n.Doc)]
            if len(chooses) != 1 or not isinstance(chooses[0], n.Choose):
                self.error(
                    "RS201",
                    "a sealed `each` holds exactly one `choose`; what follows from it stands under the `choose`",
                    node.span,
                )
                return None
        block = self.rounds(scope, lambda: self.block(node.block, inside.inner()))
        if node.sealed:
            for statement in block:
                if isinstance(statement, ir.ChooseS):
                    statement.sealed = True
        return ir.EachS(node.span, node.cites, var, source, node.sealed, block)

    # -------------------------------------------------------------- loops and names

    def _for(
        self, node: n.For, name: n.Name, source: n.Expr, block: n.Block, cites: tuple[str, ...], scope: Scope
    ) -> ir.S:
        over = self.source(source, scope)
        element = element_of(over.type) or ERROR
        inside = _inside(scope)
        inside.in_loop = True
        state = self.game.states.get(name.text)
        if state is not None and self.visible(state.origin) and name.text not in scope.names:
            if not fits(element, state.type):
                self.error(
                    "RS201",
                    f"`{name}` is {say(state.type)}, but this goes over {say(element)}",
                    name.span,
                    others=[Label(state.span, "declared here")],
                )
            var = self.var(name.text, state.type, "loop")
            var.state = state
            inside.names[name.text] = var
        else:
            var = self.bind(name, element, "loop", inside)
        return ir.ForS(node.span, cites, var, over, self.rounds(scope, lambda: self._round(var, block, inside)))

    def _round(self, var: ir.Var, block: n.Block, scope: Scope) -> ir.Block:
        """One round of a loop; each begins with its name where what is gone through stands."""
        if var.declared is not None:
            var.type = var.declared
        return self.block(block, scope.inner())

    def _let(self, node: n.Let, name: n.Name, value: n.Expr, scope: Scope) -> ir.S | None:
        call = self._procedure_call(value, scope)
        if call is not None:
            type_ = self._result_type(call)
            if type_ == VOID:
                self.error("RS201", "this gives nothing back", value.span)
                type_ = ERROR
            var = self.bind(name, type_, "let", scope)
            call.result = var
            call.cites = node.cites
            return call
        x = self.expr(value, scope)
        if isinstance(x.type, Pile):
            self.error(
                "RS213",
                "pieces cannot be kept in a name, only used where they stand",
                value.span,
                hint="write the place again where you need it, or make it a function",
            )
            x = self.bad(value.span)
        var = self.bind(name, x.type, "let", scope)
        return ir.LetS(node.span, node.cites, var, x)

    def _result_type(self, call: ir.CallS | ir.DoesS) -> Type:
        return call.procedure.type if isinstance(call, ir.CallS) else VOID

    def _procedure_call(self, value: n.Expr, scope: Scope) -> ir.CallS | ir.DoesS | None:
        """A call of a procedure, phase or of what a thing does; None if this is something else."""
        if isinstance(value, n.NameExpr | n.AttributeOf):
            value = n.Call(value, (), span=value.span)
        if not isinstance(value, n.Call):
            return None
        if isinstance(value.function, n.NameExpr) and value.function.name in self.game.procedures:
            name, read = self.version_for(value, value.function.name, self.game.procedures, scope)
            procedure = self.game.procedures[name]
            args = self.arguments(value, procedure.params, scope, f"`{plain_name(name)}`", read)
            if args is None:
                args = tuple(self.bad(value.span) for _ in procedure.params)
            return ir.CallS(value.span, (), procedure, args)
        if isinstance(value.function, n.AttributeOf):
            name = value.function.name.text
            if not any(name in k.does for k in self.game.kinds.values()):
                return None
            thing = self.expr(value.function.object, scope)
            if isinstance(thing.type, ThingOf):
                kind = self.game.kinds[thing.type.kind]
                if name in kind.does:
                    params = self.does_params(kind, name)
                    args = self.arguments(value, params, scope, f"`{name}`")
                    return ir.DoesS(value.span, (), thing, kind, name, args or ())
        return None

    def does_params(self, kind: Kind, name: str) -> tuple[ir.Var, ...]:
        if name not in kind.does_params:
            kind.does_params[name] = self.params(kind.does[name].params)
        return kind.does_params[name]

    def params(self, params: tuple[n.Param, ...]) -> tuple[ir.Var, ...]:
        out: list[ir.Var] = []
        for param in params:
            if param.name.text in [v.name for v in out]:
                self.error("RS102", f"`{param.name}` is declared twice", param.name.span)
            var = self.var(param.name.text, self.type_of(param.type), "param")
            var.changeable = param.changeable
            if param.type.either:
                var.either = self.game.eithers[param.type.either].members
            if param.default is not None:
                var.has_default = True
                self.defaults[var.ident] = PendingDefault(param.default, self.origin, self.rule_cites, tuple(out))
            elif out and out[-1].has_default:
                self.error(
                    "RS202", f"`{param.name}` must be said, so it comes before what may be left out", param.name.span,
                    "", f"put it before `{out[-1].name}`, or give it a value too: `{param.name}: ... = ...`",
                )  # fmt: skip
            out.append(var)
        return tuple(out)

    # -------------------------------------------------------------- effects

    def place(self, node: n.Expr, scope: Scope, kind: Kind | None) -> ir.ContentsX | None:
        """An expression that names a place; a thing with one fitting place stands for that place."""
        x = self.expr(node, scope)
        if isinstance(x, ir.ContentsX):
            if x.of is not None and isinstance(x.of.type, SetOf):
                self.error("RS203", "this names many places, one is needed", node.span)
                return None
            if kind is not None and x.holds.kind is not kind:
                self.error(
                    "RS203",
                    f"`{x.holds.name}` holds {x.holds.kind.name}, not {kind.name}",
                    node.span,
                    others=[Label(x.holds.span, "declared here")],
                )
                return None
            return x
        if isinstance(x.type, ThingOf):
            owner = self.game.kinds[x.type.kind]
            fitting = [h for h in owner.holds.values() if kind in (None, h.kind) and self.visible(h.origin)]
            if len(fitting) == 1:
                made = self.contents(fitting[0], x, node.span)
                assert isinstance(made, ir.ContentsX)
                return made
            what = kind.name if kind is not None else "this"
            if fitting:
                names = " or ".join(f"`.{h.name}`" for h in fitting)
                self.error("RS203", f"{say(x.type)} has several places for {what}", node.span, hint=f"add {names}")
            else:
                named = x.type.kind if isinstance(x.type, ThingOf) else ""
                message = f"{say(x.type)} has no place that holds {what}"
                self.error("RS203", message, node.span, rests_on=(named, what))
            return None
        if x.type != ERROR:
            self.error("RS203", f"this is {say(x.type)}, not a place", node.span, "expected a place")
        return None

    def _moved_kind(self, x: ir.X) -> Kind | None:
        base = element_of(x.type) or x.type
        if isinstance(base, ThingOf | PieceOf):
            return self.game.kinds[base.kind]
        if isinstance(x.type, Pile):
            return self.game.kinds[x.type.kind]
        return None

    def _move(self, node: n.Move, scope: Scope) -> ir.S | None:
        what = self.expr(node.what, scope)
        if what.type == ERROR:
            return None
        if isinstance(what.type, Maybe):
            self.must(what, what.type.element, node.what.span)
            return None
        kind = self._moved_kind(what)
        if kind is None and element_of(what.type) == ERROR:
            return None
        if kind is None or not kind.movable:
            named = what.type.kind if isinstance(what.type, ThingOf | PieceOf) else ""
            self.error("RS203", f"{say(what.type)} cannot be moved", node.what.span, rests_on=(named,))
            return None
        if node.to is None:
            return self._move_home(node, what, kind, scope)
        to = self.place(node.to.place, scope, kind)
        amount = self.number(node.amount, scope) if node.amount is not None else None
        if to is None:
            return None
        if node.to.end and not to.holds.ordered:
            self.error("RS203", f"`{to.holds.name}` has no order, so no {node.to.end}", node.to.span)
        if amount is not None and element_of(what.type) is None:
            self.mismatch("several to move some of", what.type, node.what.span)
        if isinstance(what, ir.Local) and isinstance(what.type, PieceOf | ThingOf):
            self._refresh(what, to, scope)
        return ir.MoveS(node.span, node.cites, what, amount, node.up_to, to, node.to.end)

    def _move_home(self, node: n.Move, what: ir.X, kind: Kind, scope: Scope) -> ir.S | None:
        """``move lost home``: each goes where the `home` line of its kind says. Where that differs, single things go
        one by one, and of a pile those that have the same home go together."""
        if kind.home is None:
            self.error(
                "RS203", f"nobody says where {say(element_of(what.type) or what.type)} is at home", node.what.span,
                hint=f"add `home ...` to `{'pieces' if kind.is_pieces else 'kind'} {kind.name}`",
            )  # fmt: skip
            return None
        element = element_of(what.type) or what.type
        var = self.var("it", element, "element" if isinstance(what.type, Pile) else "loop")
        inside = Scope(elements=[var])
        with self.speaking("(home)"):
            to = self.place(kind.home, inside, kind)
        if to is None:
            return None
        own = ir.substitute(to, {var.ident: what})
        assert isinstance(own, ir.ContentsX)
        if own is not to and element_of(what.type) is not None:
            return self._home_by_home(node, what, to, var)
        if isinstance(what, ir.Local) and isinstance(what.type, PieceOf | ThingOf):
            self._refresh(what, own, scope)
        return ir.MoveS(node.span, node.cites, what, None, False, own, "")

    def _home_by_home(self, node: n.Move, what: ir.X, to: ir.ContentsX, each: ir.Var) -> ir.S:
        """Several things or pieces, `each` of which is at home in another place."""
        span, cites, owner = node.span, node.cites, to.of
        if not isinstance(what.type, Pile) or owner is None or not isinstance(owner.type, ThingOf):
            one = ir.MoveS(span, cites, ir.Local(each.type, node.what.span, each), None, False, to, "")
            return ir.ForS(span, cites, each, what, (one,))
        whose = self.var("whose", owner.type, "loop")
        owners = ir.AggregateX(SetOf(owner.type), span, "set", ((each, what),), owner, None)
        mine = self.var("it", each.type, "element")
        is_mine = ir.CompareX(
            BOOL, span, "==", ir.substitute(owner, {each.ident: ir.Local(mine.type, span, mine)}),
            ir.Local(whose.type, span, whose),
        )  # fmt: skip
        goal = evolve(to, of=ir.Local(whose.type, span, whose))
        move = ir.MoveS(span, cites, ir.FilterX(what.type, span, what, mine, is_mine), None, False, goal, "")
        return ir.ForS(span, cites, whose, owners, (move,))

    def _refresh(self, what: ir.Local, to: ir.ContentsX, scope: Scope) -> None:
        """After a move through a name, the name knows its new kind of place."""
        holder = to.holds.owner.name if to.holds.owner is not None else ""
        if isinstance(what.type, PieceOf | ThingOf) and what.var.role != "element":
            what.var.declared = what.var.declared or what.var.type
            what.var.type = evolve(what.type, holder=holder)
            what.var.moves += 1
            self._moved.append((what.var, what.var.type))

    def _place(self, node: n.Place, scope: Scope) -> ir.S | None:
        by_kind: dict[str, list[tuple[int, int]]] = {}
        for phrase in node.phrases:
            found = self.phrase(tuple(w.text for w in phrase.words), phrase.span)
            if found is not None:
                by_kind.setdefault(found[0].name, []).append((found[1], phrase.count))
                self._enough(found[0].things[found[1]], phrase)
        if len(by_kind) != 1:
            if by_kind:
                self.error("RS214", "these are pieces of several kinds", node.span)
            return None
        name, types = next(iter(by_kind.items()))
        kind = self.game.kinds[name]
        to = self.place(node.where, scope, kind)
        if node.reconstructed:
            self.game.reconstructed.append((node.span.text.strip().split("\n")[0], node.reconstructed, node.span))
        return ir.PlaceS(node.span, node.cites, kind, tuple(types), to) if to is not None else None

    def _enough(self, thing: Thing, phrase: n.Phrase) -> None:
        """More pieces than there are cannot be placed; fewer would be, without a word."""
        if phrase.count > thing.count:
            are = "is" if thing.count == 1 else "are"
            if not thing.count:
                hint = f"write how many there are behind it: `{thing.kind.name} {thing.name}  ..., {phrase.count}`"
                message = f"there are no pieces of `{thing.label}`: nobody says how many"
                self.error("RS214", message, phrase.span, "none", hint, [Label(thing.span, "declared here")])
                return
            message = f"there {are} only {thing.count} of `{thing.label}` in the game, not {phrase.count}"
            self.error("RS214", message, phrase.span, "too many", others=[Label(thing.span, "counted here")])

    def phrase(self, words: tuple[str, ...], span: Span) -> tuple[Kind, int] | None:
        """The one type of pieces that words such as `Ruritanian infantry` mean."""
        found: list[tuple[Kind, int]] = []
        for kind in self.game.kinds.values():
            if kind.is_pieces:
                found += [(kind, i) for i in self.piece_type(kind, words)]
        if len(found) == 1:
            return found[0]
        text = " ".join(words)
        if not found and self._is_lost(words):
            return None
        if not found:
            names = [" ".join(sorted(t.words)) for k in self.game.kinds.values() if k.is_pieces for t in k.things]
            words_known = sorted({w for name in names for w in name.split()})
            unknown = [w for w in words if w.lower() not in words_known]
            hint = spelling_hint(unknown[0], words_known) if unknown else None
            self.error("RS214", f"no pieces are called `{text}`", span, "unknown", hint)
        else:
            options = ", ".join(k.things[i].name for k, i in found[:4])
            self.error("RS214", f"`{text}` could be several types of pieces", span, "which one?", f"one of: {options}")
        return None

    def _lot(self, node: n.Draw, amount: ir.X, source: ir.X, scope: Scope) -> ir.S | None:
        """``draw 1 from a.border as hit``: by lot among things that stay where they are."""
        assert node.name is not None
        if source.type == ERROR:
            return None
        if not isinstance(source.type, SetOf) or not isinstance(source.type.element, ThingOf):
            hint = None
            if isinstance(source.type, Pile | ListOf):
                hint = f"say where they go: `draw ... from {node.source.span.text.strip()} to ... as {node.name}`"
            self.mismatch("a set of things", source.type, node.source.span, hint=hint)
            return None
        if self.game.states.get(node.name.text) is not None and node.name.text not in scope.names:
            self.error("RS201", "a draw is kept in a name of its own, not in a state", node.name.span)
            return None
        var = self.bind(node.name, ListOf(source.type.element), "let", scope)
        return ir.LotS(node.span, node.cites, amount, source, var)

    def _is_lost(self, words: tuple[str, ...]) -> bool:
        """Whether a phrase may mean pieces whose kind, or a thing they are named for, is not known; that was told."""
        gone = {word for name in self.lost for word in words_of(name)}
        return self.counts_unclear or any({word.lower(), word.lower().removesuffix("s")} & gone for word in words)

    def _draw(self, node: n.Draw, scope: Scope) -> ir.S | None:
        amount = self.number(node.amount, scope)
        source_x = self.expr(node.source, scope)
        if node.to is None:
            return self._lot(node, amount, source_x, scope)
        found: ir.FilterX | None = None
        inner: ir.X = source_x
        if isinstance(source_x, ir.FilterX):
            found, inner = source_x, source_x.source
        if not isinstance(inner, ir.ContentsX):
            source = self.place(node.source, scope, None)
            if source is None:
                return None
            inner = source
        if inner.of is not None and isinstance(inner.of.type, SetOf):
            self.error("RS203", "this names many places, one is needed to draw from", node.source.span)
            return None
        to = self.place(node.to.place, scope, inner.holds.kind)
        if to is None:
            return None
        var = None
        if node.name is not None:
            kind = inner.holds.kind
            holder = to.holds.owner.name if to.holds.owner is not None else ""
            element: Type = PieceOf(kind.name, holder) if kind.is_pieces else ThingOf(kind.name, holder)
            state = self.game.states.get(node.name.text)
            if state is not None and node.name.text not in scope.names:
                self.error("RS201", "a draw is kept in a name of its own, not in a state", node.name.span)
                return None
            var = self.bind(node.name, ListOf(element), "let", scope)
        return ir.DrawS(node.span, node.cites, amount, inner, found, to, node.to.end, var)

    def _roll(
        self, node: n.Roll, amount: n.Expr | None, sides: int, name: n.Name | None, cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        count = self.number(amount, scope) if amount is not None else None
        if not 2 <= sides <= MAX_DICE_SIDES:
            self.error("RS201", f"a die has 2 to {MAX_DICE_SIDES} sides", node.span)
            return None
        type_: Type = INT if amount is None else ListOf(INT)
        if name is None:
            self.error("RS201", "the result of a roll needs a name", node.span, hint="add `as rolled`")
            return None
        state = self.game.states.get(name.text)
        if state is not None and self.visible(state.origin) and name.text not in scope.names:
            if not fits(type_, state.type):
                self.error("RS201", f"`{name}` is {say(state.type)}, but the roll is {say(type_)}", name.span)
            var = self.var(name.text, state.type, "let")
            var.state = state
        else:
            var = self.bind(name, type_, "let", scope)
        return ir.RollS(node.span, cites, count, sides, var)

    def _signal(
        self, node: n.Statement, name: n.Name, args: tuple[n.Expr, ...], cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        signal = self.game.signals.get(name.text)
        if signal is None:
            self.unknown("signal", name.text, name.span, self.game.signals)
            return None
        call = n.Call(n.NameExpr(name.text, span=name.span), args, span=node.span)
        bound = self.arguments(call, signal.params, scope, f"signal `{name}`")
        return ir.SignalS(node.span, cites, signal, bound) if bound is not None else None

    def _return(self, node: n.Return, value: n.Expr | None, cites: tuple[str, ...], scope: Scope) -> ir.S | None:
        wanted = scope.returns
        if self.current is not None:
            self.returns.append({var: var.type for var in self.current.params})
        if value is None:
            if wanted not in (None, VOID):
                self.error("RS212", f"this rule gives back {say(wanted or VOID)}", node.span, hint="return a value")
            return ir.ReturnS(node.span, cites, None)
        if wanted in (None, VOID):
            self.error("RS201", "this rule gives nothing back", value.span, hint="add `-> type` to its first line")
            return None
        assert wanted is not None
        return ir.ReturnS(node.span, cites, self.typed(value, scope, wanted))

    def _assign(self, node: n.Assign, scope: Scope) -> ir.S | None:
        target = self.expr(node.target, scope.inner())
        try:
            return self._assigned(node, target, scope)
        finally:
            # What was known to be something may become nothing; a name stays what it is until it is set itself.
            names = {k for k in scope.known if "#" in k and "." not in k}
            scope.known = frozenset(names - {path_of(target)})

    def _assigned(self, node: n.Assign, target: ir.X, scope: Scope) -> ir.S | None:
        if isinstance(target, ir.AttrX):
            self.error(
                "RS208",
                f"`{target.attr.name}` is fixed and cannot change in play",
                node.target.span,
                "fixed",
                "declare it as a `state` if it changes",
                [Label(target.attr.span, "declared here")],
            )
            return None
        wanted = target.type
        if isinstance(target, ir.StateX):
            wanted = target.state.type
        elif isinstance(target, ir.Local):
            if target.var.role not in ("let", "param"):
                self.error("RS208", f"`{target.var.name}` cannot be set here", node.target.span)
                return None
            wanted = target.var.type
        elif isinstance(target, ir.PieceStateX):
            if not isinstance(target.of, ir.Local):
                self.error("RS208", "name the piece whose state changes", node.target.span)
                return None
        elif target.type != ERROR:
            self.error("RS208", "this cannot be set", node.target.span, hint="set a state, or `move` things")
            return None
        if node.operator == "=":
            call = self._procedure_call(node.value, scope)
            if call is not None:
                call.result = target
                self.must(ir.Lit(self._result_type(call), node.value.span, None), wanted, node.value.span)
                return call
        value = self.expr(node.value, scope, wanted)
        if wanted == ERROR:
            return None
        if node.operator != "=":
            if isinstance(wanted, SetOf):
                if isinstance(value.type, ThingOf):
                    value = ir.SetX(wanted, value.span, (value,))
                value = self.must(value, wanted, node.value.span)
            elif isinstance(wanted, ListOf):
                if not isinstance(value.type, ListOf):
                    value = ir.ListX(wanted, value.span, (self.must(value, wanted.element, node.value.span),))
                value = self.must(value, wanted, node.value.span)
            else:
                self.must(target, INT, node.target.span)
                value = self.must(value, INT, node.value.span)
        else:
            why = None
            if isinstance(target, ir.StateX):
                why = Label(target.state.span, f"`{target.state.name}` is declared here")
            value = self.must(value, wanted, node.value.span, "RS201", why)
            if isinstance(target, ir.StateX | ir.PieceStateX):
                self._within(target.state, value)
        return ir.AssignS(node.span, node.cites, target, node.operator, value)

    def _within(self, state: State, value: ir.X) -> None:
        """A number that a state can never be is a mistake already in the text."""
        number = value.value if isinstance(value, ir.Lit) else None
        if isinstance(value, ir.ArithX) and value.operator == "neg" and isinstance(value.args[0], ir.Lit):
            inner = value.args[0].value
            number = -inner if isinstance(inner, int) else None
        if state.bounds is not None and isinstance(number, int) and not state.bounds[0] <= number <= state.bounds[1]:
            low, high = state.bounds
            self.error(
                "RS223", f"`{state.name}` goes from {low} to {high}, so it cannot be {number}", value.span,
                "too low" if number < low else "too high", others=[Label(state.span, "declared here")],
            )  # fmt: skip

    def _expression_statement(
        self, node: n.Statement, value: n.Expr, cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        if not scope.pure:
            call = self._procedure_call(value, scope)
            if call is not None:
                call.cites = cites
                return call
            if isinstance(value, n.NameExpr | n.Call):
                name_node = value.function if isinstance(value, n.Call) else value
                if isinstance(name_node, n.NameExpr):
                    names = [*self.game.procedures]
                    known = self.expr_known(name_node.name, scope)
                    if not known:
                        self.unknown("procedure or phase", name_node.name, name_node.span, names)
                        return None
        if scope.returns in (None, VOID):
            found = self.expr(value, scope)
            if found.type != ERROR:
                hint = "take it away, or `return` it"
                said = node.span.text.strip()
                if re.fullmatch(r"[\w.]+\s*==[^=]+", said) and "\n" not in said:
                    hint = f"to set it, write `{said.replace('==', '=', 1)}`"
                self.error("RS201", "this line has a value but does nothing", node.span, hint=hint)
            return None
        assert scope.returns is not None
        return ir.ReturnS(node.span, cites, self.typed(value, scope, scope.returns))

    def expr_known(self, name: str, scope: Scope) -> bool:
        game = self.game
        return (
            name in scope.names or name in game.things or name in game.states or name in game.functions
            or name in game.routes or name in game.tables or name in game.holds
        )  # fmt: skip


def _inside(scope: Scope) -> Scope:
    return scope.inner()


def _asking_inside(node: n.Repeat) -> n.Repeat:
    """``repeat while battle(r) == won``: each round runs the procedure, and leaves by what it gave back."""
    if node.condition is None or node.mode not in ("while", "until"):
        return node
    stop = n.Stop(span=node.condition.span)
    if node.mode == "while":
        block: n.Block = (n.If(node.condition, node.block, (stop,), span=node.span),)
    else:
        block = (*node.block, n.If(node.condition, (stop,), (), span=node.condition.span))
    return evolve(node, mode="", condition=None, block=block)


def _sum_of(parts: Sequence[n.Expr], whole: n.Expr) -> n.Expr:
    """The parts of a sum that are of one kind, added up again."""
    out = parts[0]
    for part in parts[1:]:
        out = n.Binary("+", out, part, span=whole.span)
    return out


def leaves(block: n.Block) -> bool:
    """Whether a block never reaches its end."""
    return bool(block) and isinstance(block[-1], n.Return | n.Stop | n.EndGame)
