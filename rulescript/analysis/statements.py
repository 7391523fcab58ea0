"""The meaning of statements: nodes -> model/ir.py. Effects are allowed here, except in pure rules."""

from __future__ import annotations

import re

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.arguments import PendingDefault
from rulescript.analysis.calls import leaves
from rulescript.analysis.desk import Desk
from rulescript.analysis.eithers import (
    plain_name,
)
from rulescript.analysis.part import Part
from rulescript.analysis.plans import planned
from rulescript.analysis.scope import Scope, first_line
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import (
    Kind,
    Procedure,
)
from rulescript.model.types import (
    ERROR,
    INT,
    VOID,
    ListOf,
    Maybe,
    Pile,
    SetOf,
    ThingOf,
    Type,
    as_written,
    element_of,
    fits,
    say,
)
from rulescript.source import Span, word_in

__all__ = ["Statements"]

MAX_DICE_SIDES = 10_000
# What a procedure asked for in an `if` gave back; no name of a designer's has a blank in it.
_ASKED = "given back"
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")


class Statements(Part):
    """Reads statements; `block` is the way in."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.current: Procedure | None = None
        # Where names stood at each `return` of the rule being read.
        self.returns: list[dict[ir.Var, Type]] = []

    def block(self, statements: n.Block, scope: Scope) -> ir.Block:
        out: list[ir.S] = []
        for statement in statements:
            truth = self.operators.kind_truth(statement.condition, scope) if isinstance(statement, n.If) else None
            if isinstance(statement, n.If) and truth is not None:
                way = statement.then if truth else statement.otherwise
                out += self.block(way, _inside(scope))
                if leaves(way):
                    break
                self.doubts.doubt(scope, *way)
                continue
            if isinstance(statement, n.Choose) and any(alt.each is not None for alt in statement.alternatives):
                self.doubts.doubt(scope, statement)
                out += planned(self, statement, scope)
                continue
            if isinstance(statement, n.Repeat) and self._asked_in(statement.condition, scope) is not None:
                statement = _asking_inside(statement)
            if isinstance(statement, n.Roll) and statement.text is not None and not scope.pure:
                out.append(self._tell(statement, statement.text, statement.cites, scope, "roll"))
            asked = self._asked_first(statement, scope) if isinstance(statement, n.If) else None
            if asked is not None:
                call, statement = asked
                out.append(call)
            made = self.statement(statement, scope)
            if not isinstance(statement, n.If):
                self.doubts.doubt(scope, statement)
            if asked is not None:
                del scope.names[_ASKED]
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
        call = self.procedure_call(asked, scope)
        assert call is not None
        self.doubts.doubt(scope, asked)
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
        before = self.desk.rule_cites
        if cites:
            self.desk.rule_cites = cites
        try:
            if scope.pure and not isinstance(node, n.Doc | n.If | n.Let | n.Return | n.ExprStatement | n.Require):
                self._effect_in_pure_rule(node, scope)
                return None
            return self._statement(node, scope)
        finally:
            self.desk.rule_cites = before

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

    def _statement(self, node: n.Statement, scope: Scope) -> ir.S | None:  # noqa: C901 - one case for each sort of node
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
                return self.choices.choose(node, scope)
            case n.Each():
                return self._each(node, scope)
            case n.Together(branches, cites):
                with self.choices.sealed(node):
                    return ir.TogetherS(node.span, cites, tuple(self._branch(branch, scope) for branch in branches))
            case n.If(condition, then, otherwise, cites):
                checked = self.condition(condition, scope)
                a, b = self.whereabouts.branches(
                    scope,
                    [
                        (lambda: self.block(then, _inside(self.expressions.knowing(checked, scope))), not leaves(then)),
                        (
                            lambda: self.block(otherwise, _inside(self.expressions.knowing(checked, scope, False))),
                            not leaves(otherwise),
                        ),
                    ],
                )
                self.doubts.doubt(scope, *(s for way in (then, otherwise) if not leaves(way) for s in way))
                if then and leaves(then):
                    scope.learn(self.expressions.knowing(checked, scope, False))
                return ir.IfS(node.span, cites, checked, a, b)
            case n.For(name, source, block, cites):
                return self._for(node, name, source, block, cites, scope)
            case n.Repeat(mode, condition, block, cites):
                inside = _inside(scope)
                inside.in_loop = True
                self.doubts.doubt(inside, *block)
                test: ir.X | None = None
                if condition is not None:
                    test = (
                        self.expressions.number(condition, scope)
                        if mode == "times"
                        else self.condition(condition, inside.inner())
                    )
                inner = self.whereabouts.rounds(scope, lambda: self.block(block, inside.inner()))
                return ir.RepeatS(node.span, cites, mode, test, inner)
            case n.Let(name, value):
                return self._let(node, name, value, scope)
            case n.Move():
                return self.moves.move(node, scope)
            case n.Place():
                return self.moves.place_pieces(node, scope)
            case n.Draw():
                return self.moves.draw(node, scope)
            case n.Roll(amount, sides, name, cites):
                return self._roll(node, amount, sides, name, cites, scope)
            case n.Shuffle(place, cites):
                to = self.moves.place(place, scope, None)
                if to is None:
                    return None
                if not to.holds.ordered:
                    others = [Label(to.holds.span, "declared here")]
                    hint = f"write `holds {to.holds.name}: {to.holds.kind.name}, ordered`"
                    message = "only an ordered place can be shuffled"
                    self.error("RS203", message, place.span, "not ordered", hint, others)
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
                if winner is not None and self.game.players is None:
                    self.choices.nobody(winner.span)
                if isinstance(winner, n.Binary) and winner.operator == "and":
                    self._several_winners(winner)
                    return None
                victor = self.expr(winner, scope, self.choices.player_type()) if winner is not None else None
                if victor is not None and not isinstance(element_of(victor.type) or victor.type, ThingOf):
                    self.mismatch("the winner", victor.type, victor.span)
                elif victor is not None:
                    self._must_play(victor)
                words = self.expressions.template(how.value, how.span, scope) if how is not None else None
                return ir.EndS(node.span, cites, victor, drawn, words)
            case n.Tell(text_node, cites):
                return self._tell(node, text_node, cites, scope)
            case n.Headline(text_node, cites):
                return self._headline(node, text_node, cites, scope)
            case n.Assign():
                return self.assignments.assign(node, scope)
            case n.ExprStatement(value, cites):
                return self._expression_statement(node, value, cites, scope)
        raise AssertionError(node)

    def _several_winners(self, winner: n.Binary) -> None:
        """`North and South win`."""
        both = ", ".join(side.span.text.strip() for side in (winner.left, winner.right))
        self.error("RS201", "several that win are a set", winner.span, "a condition", f"write `{{{both}}} win`")

    def _must_play(self, victor: ir.X) -> None:
        """Who wins is a player, or what players belong to: a team, or what they stand for."""
        players = self.game.players
        element = element_of(victor.type) or victor.type
        if players is None or not isinstance(element, ThingOf) or ERROR in (victor.type, element):
            return
        own = [attr.type for attr in players.attrs.values()] + [state.type for state in players.states.values()]
        types = [ThingOf(players.name), *(element_of(each) or each for each in own)]
        types = [each.element if isinstance(each, Maybe) else each for each in types]
        if not any(isinstance(each, ThingOf) and each.kind == element.kind for each in types):
            self.mismatch(say(ThingOf(players.name)), victor.type, victor.span)

    def _branch(self, node: n.TogetherBranch, scope: Scope) -> ir.ChooseS | ir.EachS:
        """``North: choose ...`` or ``each s in Side - North: choose ...`` of a `together`."""
        if node.choose.by is not None:
            self.error(
                "RS201", "who chooses stands before the `:`", node.choose.by.span, "said twice",
                "leave out `by ...` here",
            )  # fmt: skip
        inside = scope.inner()
        if node.name is None:
            choose = self.choices.choose(node.choose, inside, self.choices.player(node.who, scope))
            choose.sealed = True
            return choose
        source = self.expressions.typed(node.who, scope, SetOf(self.choices.player_type()))
        var = self.collections.bind(node.name, self.choices.player_type(), "loop", inside)
        choose = self.choices.choose(node.choose, inside, ir.Local(var.type, node.name.span, var))
        choose.sealed = True
        return ir.EachS(node.span, (), var, source, True, (choose,))

    def _each(self, node: n.Each, scope: Scope) -> ir.S | None:
        source = self.collections.source(node.source, scope)
        inside = _inside(scope)
        inside.in_loop = True
        var = self.collections.bind(node.name, element_of(source.type) or ERROR, "loop", inside)
        if node.sealed:
            chooses = [s for s in node.block if not isinstance(s, n.Doc)]
            if len(chooses) != 1 or not isinstance(chooses[0], n.Choose):
                self.error(
                    "RS201",
                    "a sealed `each` holds exactly one `choose`; what follows from it stands under the `choose`",
                    node.span,
                )
                return None
        if node.sealed:
            with self.choices.sealed(node):
                block = self.whereabouts.rounds(scope, lambda: self.block(node.block, inside.inner()))
        else:
            self.doubts.doubt(inside, *node.block)
            block = self.whereabouts.rounds(scope, lambda: self.block(node.block, inside.inner()))
        if node.sealed:
            for statement in block:
                if isinstance(statement, ir.ChooseS):
                    statement.sealed = True
        return ir.EachS(node.span, node.cites, var, source, node.sealed, block)

    def _for(
        self, node: n.For, name: n.Name, source: n.Expr, block: n.Block, cites: tuple[str, ...], scope: Scope
    ) -> ir.S:
        over = self.collections.source(source, scope)
        element = element_of(over.type) or ERROR
        inside = _inside(scope)
        inside.in_loop = True
        self.doubts.doubt(inside, *block)
        state = self.game.states.get(name.text)
        if state is not None and self.visible(state.origin) and name.text not in scope.names:
            if not fits(element, state.type):
                self.error(
                    "RS201",
                    f"`{name}` is {say(state.type)}, but this goes over {say(element)}",
                    name.span,
                    others=[Label(state.span, "declared here")],
                )
            else:
                self.assignments.within(state, over)
            var = self.var(name.text, state.type, "loop")
            var.state = state
            inside.names[name.text] = var
        else:
            var = self.collections.bind(name, element, "loop", inside)
        return ir.ForS(
            node.span, cites, var, over, self.whereabouts.rounds(scope, lambda: self._round(var, block, inside))
        )

    def _round(self, var: ir.Var, block: n.Block, scope: Scope) -> ir.Block:
        """One round of a loop; each begins with its name where what is gone through stands."""
        if var.declared is not None:
            var.type = var.declared
        return self.block(block, scope.inner())

    def _let(self, node: n.Let, name: n.Name, value: n.Expr, scope: Scope) -> ir.S | None:
        call = self.procedure_call(value, scope)
        if call is not None:
            type_ = self.result_type(call)
            if type_ == VOID:
                rule = call.procedure.name if isinstance(call, ir.CallS) else ""
                if rule not in self.desk.giving_back:
                    self.error("RS201", "this gives nothing back", value.span)
                type_ = ERROR
            var = self.collections.bind(name, type_, "let", scope)
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
        var = self.collections.bind(name, x.type, "let", scope)
        return ir.LetS(node.span, node.cites, var, x)

    def result_type(self, call: ir.CallS | ir.DoesS) -> Type:
        return call.procedure.type if isinstance(call, ir.CallS) else VOID

    def procedure_call(self, value: n.Expr, scope: Scope) -> ir.CallS | ir.DoesS | None:
        """A call of a procedure, phase or of what a thing does; None if this is something else."""
        if isinstance(value, n.NameExpr | n.AttributeOf):
            value = n.Call(value, (), span=value.span)
        if not isinstance(value, n.Call):
            return None
        if isinstance(value.function, n.NameExpr) and value.function.name in self.game.procedures:
            name, read = self.calls.version_for(value, value.function.name, self.game.procedures, scope)
            procedure = self.game.procedures[name]
            args = self.calls.arguments(value, procedure.params, scope, f"`{plain_name(name)}`", read)
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
                    if value.args and not params:
                        return self._given_to_nobody(value, thing, kind, name, scope)
                    args = self.calls.arguments(value, params, scope, f"`{name}`")
                    return ir.DoesS(value.span, (), thing, kind, name, args or ())
        return None

    def _given_to_nobody(self, call: n.Call, thing: ir.X, kind: Kind, name: str, scope: Scope) -> ir.DoesS:
        """What a thing does is given something, and the line of its kind takes nothing: said once, whatever the texts
        of the things call it."""
        # What something of a wrong sort is called, is told where it stands.
        types = [x.type for x in (self.expr(arg, scope) for arg in call.args)]
        if ERROR not in types:
            named = zip(("one", "other", "third", "fourth"), map(as_written, types), strict=False)
            params = ", ".join(f"{param}: {type_}" for param, type_ in named if type_)
            others = [Label(kind.does[name].name.span, "takes nothing")]
            hint = f"write `does {name}({params})`, with names for what it is given" if params else None
            message = f"`{name}` takes nothing, and is given `{call.args[0].span.text.strip()}`"
            self.error("RS202", message, call.args[0].span, "for what?", hint, others=others)
        kind.unnamed_does.add(name)
        return ir.DoesS(call.span, (), thing, kind, name, ())

    def does_params(self, kind: Kind, name: str) -> tuple[ir.Var, ...]:
        if name not in kind.does_params:
            kind.does_params[name] = self.params(kind.does[name].params)
        return kind.does_params[name]

    def params(self, params: tuple[n.Param, ...]) -> tuple[ir.Var, ...]:
        out: list[ir.Var] = []
        names: set[str] = set()
        for param in params:
            if param.name.text in names:
                self.error("RS102", f"`{param.name}` is declared twice", param.name.span)
            elif self.names.names_something(param.name.text):
                self.names.already_a_name(param.name)
            names.add(param.name.text)
            var = self.var(param.name.text, self.kinds.type_of(param.type), "param")
            var.changeable = param.changeable
            if param.type.either:
                var.either = self.game.eithers[param.type.either].members
            if param.default is not None:
                var.has_default = True
                self.calls.defaults[var.ident] = PendingDefault(
                    param.default, self.desk.origin, self.desk.rule_cites, tuple(out)
                )
            elif out and out[-1].has_default:
                self.error(
                    "RS202", f"`{param.name}` must be said, so it comes before what may be left out", param.name.span,
                    "", f"put it before `{out[-1].name}`, or give it a value too: `{param.name}: ... = ...`",
                )  # fmt: skip
            out.append(var)
        return tuple(out)

    def _signal(
        self, node: n.Statement, name: n.Name, args: tuple[n.Expr, ...], cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        signal = self.game.signals.get(name.text)
        if signal is None:
            self.unknown("signal", name.text, name.span, self.game.signals)
            return None
        call = n.Call(n.NameExpr(name.text, span=name.span), args, span=node.span)
        bound = self.calls.arguments(call, signal.params, scope, f"signal `{name}`")
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
        return ir.ReturnS(node.span, cites, self.expressions.typed(value, scope, wanted))

    def _done_by_a_thing(self, value: n.Expr) -> str | None:
        """``play(c, active)`` where cards `play`: a hint."""
        if not isinstance(value, n.Call) or not isinstance(value.function, n.NameExpr) or not value.args:
            return None
        name = value.function.name
        if not any(name in kind.does for kind in self.game.kinds.values()):
            return None
        thing, *rest = [arg.span.text.strip() for arg in value.args]
        return f"what a thing does is written after it: `{thing}.{name}({', '.join(rest)})`"

    def _expression_statement(
        self, node: n.Statement, value: n.Expr, cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        if not scope.pure:
            call = self.procedure_call(value, scope)
            if call is not None:
                call.cites = cites
                return call
            if isinstance(value, n.NameExpr | n.Call):
                name_node = value.function if isinstance(value, n.Call) else value
                if isinstance(name_node, n.NameExpr):
                    names = [*self.game.procedures]
                    known = self.expr_known(name_node.name, scope)
                    if not known:
                        other = self._done_by_a_thing(value)
                        self.unknown("procedure or phase", name_node.name, name_node.span, names, otherwise=other)
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
        return ir.ReturnS(node.span, cites, self.expressions.typed(value, scope, scope.returns))

    def expr_known(self, name: str, scope: Scope) -> bool:
        game = self.game
        return (
            name in scope.names or name in game.things or name in game.states or name in game.functions
            or name in game.routes or name in game.tables or name in game.holds
        )  # fmt: skip

    def phrase(self, words: tuple[str, ...], span: Span) -> tuple[Kind, int] | None:
        """The one type of pieces that words such as `Ruritanian infantry` mean."""
        found: list[tuple[Kind, int]] = []
        for kind in self.game.kinds.values():
            if kind.is_pieces:
                found += [(kind, i) for i in self.lookup.piece_type(kind, words)]
        if len(found) == 1:
            return found[0]
        text = " ".join(words)
        if not found and self.moves.is_lost(words):
            return None
        of_pieces = [kind for kind in self.game.kinds.values() if kind.is_pieces]
        if of_pieces and not any(kind.things for kind in of_pieces):
            way = f"say what there is and how many: `counts {of_pieces[0].name}`, and under it a table"
            self.error("RS214", f"there are no pieces of {of_pieces[0].name} yet", span, "none", way)
            self.desk.counts_unclear = True
            return None
        named = [t for word in words for t in (*self.game.things.get(word, ()), *self.game.copies.get(word, ()))]
        single = next((thing for thing in named if not thing.kind.is_pieces), None)
        if not found and single is not None and len(words) == 1:
            kind = single.kind.name
            message = f"things of kind `{kind}` are single ones, and only pieces are put somewhere by so many"
            way = f"write `move {text} to ...`; for counters of which several are alike, declare `pieces {kind}`"
            self.error("RS214", message, span, "a single thing", way, [Label(single.kind.span, "declared here")])
            return None
        if not found:
            names = [" ".join(sorted(t.words)) for k in self.game.kinds.values() if k.is_pieces for t in k.things]
            words_known = sorted({w for name in names for w in name.split()})
            unknown = [w for w in words if w.lower() not in words_known]
            hint = spelling_hint(unknown[0], words_known) if unknown else None
            # The word may be one that a kind gives, an adjective of a side, if that kind could be read.
            types = [attr.type for kind in of_pieces for attr in kind.attrs.values()]
            named_for = [type_.kind for type_ in types if isinstance(type_, ThingOf)]
            place = word_in(span, unknown[0]) if len(unknown) == 1 else span
            self.error("RS214", f"no pieces are called `{text}`", place, "unknown", hint, rests_on=named_for)
        else:
            options = ", ".join(k.things[i].name for k, i in found[:4])
            self.error("RS214", f"`{text}` could be several types of pieces", span, "which one?", f"one of: {options}")
        return None

    def lot(self, node: n.Draw, amount: ir.X, source: ir.X, scope: Scope) -> ir.S | None:
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
        var = self.collections.bind(node.name, ListOf(source.type.element), "let", scope)
        return ir.LotS(node.span, node.cites, amount, source, var)

    def _tell(self, node: n.Statement, text: n.Text, cites: tuple[str, ...], scope: Scope, role: str = "") -> ir.TellS:
        return ir.TellS(node.span, cites, self.expressions.template(text.value, text.span, scope), role)

    def _headline(self, node: n.Headline, text: n.Text, cites: tuple[str, ...], scope: Scope) -> ir.S | None:
        """What is told under it ends with its procedure, so it stands in one."""
        if self.current is None or self.current.form in ("sequence", "phase"):
            self.error(
                "RS201", "a `headline` stands in a procedure: what happens there is told under it", node.span,
                "not here", "write `tell`, or make what it speaks of a `procedure`",
            )  # fmt: skip
            return None
        return self._tell(node, text, cites, scope, "headline")

    def _roll(
        self, node: n.Roll, amount: n.Expr | None, sides: int, name: n.Name | None, cites: tuple[str, ...], scope: Scope
    ) -> ir.S | None:
        if (
            isinstance(amount, n.NameExpr)
            and amount.name in ("a", "an")
            and not (
                amount.name in scope.names or amount.name in self.game.states or self.names.names_something(amount.name)
            )
        ):
            said = "one die is rolled without a word before it"
            self.error("RS201", said, amount.span, "not needed", f"write `roll d{sides} as {name or 'rolled'}`")
            amount = None
        count = self.expressions.number(amount, scope) if amount is not None else None
        if not 2 <= sides <= MAX_DICE_SIDES:
            self.error("RS201", f"a die has 2 to {MAX_DICE_SIDES} sides", node.span)
            return None
        type_: Type = INT if amount is None else ListOf(INT)
        if name is None:
            self.error("RS201", "the result of a roll needs a name", node.span, hint="add `as rolled`")
            self.collections.bind(n.Name("rolled", span=node.span), ERROR, "let", scope)  # so that it is told once
            self.desk.unnamed_results += 1
            return None
        state = self.game.states.get(name.text)
        if state is not None and self.visible(state.origin) and name.text not in scope.names:
            if not fits(type_, state.type):
                self.error("RS201", f"`{name}` is {say(state.type)}, but the roll is {say(type_)}", name.span)
            elif amount is None:
                self.assignments.all_within(state, 1, sides, name.span)
            var = self.var(name.text, state.type, "let")
            var.state = state
        else:
            var = self.collections.bind(name, type_, "let", scope)
        return ir.RollS(node.span, cites, count, sides, var)


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
