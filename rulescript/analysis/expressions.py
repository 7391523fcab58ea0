"""The type and meaning of each expression: nodes -> model/ir.py.

Every method either returns an expression with its type, or reports and returns one of the error type, which
fits everywhere and so keeps one mistake from being told twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulescript import nodes as n
from rulescript.analysis.arguments import Misfit, PendingDefault, match_arguments
from rulescript.analysis.collect import Collector
from rulescript.analysis.eithers import plain_name, truth_of
from rulescript.analysis.scope import HIGHEST_MEMBER, Scope, instead
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import Function, Holds, Kind, Procedure, Route, Thing
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    NOTHING,
    TEXT,
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
    say_wanted,
)  # fmt: skip
from rulescript.source import Span

__all__ = ["BUILTINS", "Expressions", "path_of"]

BUILTINS = {
    "count": "how many there are in a set, list or pile",
    "size": "the same as count",
    "sum": "the numbers added up",
    "max": "the highest of some numbers",
    "min": "the lowest of some numbers",
    "abs": "a number without its sign",
    "only": "the one member of a set that has exactly one",
    "first": "the first of a list, or of a set in declared order",
    "last": "the last of a list or set",
    "top": "the first of an ordered place",
    "bottom": "the last of an ordered place",
    "next": "the thing declared after this one, or nothing",
    "previous": "the thing declared before this one, or nothing",
    "number": "the place of a thing in its kind, from 1",
    "sorted": "a list of numbers, highest first",
    "taken": "so many from the front of a list",
    "known": "whether a maybe value is there",
    "steps": "how many steps a route needs to a space, or nothing",
    "matching": "how many dice of a list can be matched with pieces that score on them",
    "label": "what a thing is called",
}
# Parts of expressions that are written into calls for what those leave out, in a whole game.
MOST_LEFT_OUT = 100_000


class Expressions(Collector):
    """Reads expressions."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.defaults: dict[int, PendingDefault] = {}
        self._left_out = 0
        self._extents: dict[int, tuple[int, ir.X]] = {}
        self._reading: list[PendingDefault] = []

    # -------------------------------------------------------------- entry points

    def expr(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> ir.X:
        """An expression; `expected` helps to tell things of the same name apart, it does not force."""
        match node:
            case n.Number(value):
                return ir.Lit(INT, node.span, self.small(value, node.span))
            case n.YesNo(flag):
                return ir.Lit(BOOL, node.span, flag)
            case n.Nothing():
                return ir.Lit(NOTHING, node.span, None)
            case n.TextExpr(text):
                return self.template(text, node.span, scope)
            case n.It():
                if scope.elements:
                    var = scope.elements[-1]
                    return ir.Local(scope.type_of(var), node.span, var)
                self.error("RS101", "`it` has a meaning only inside `[...]` and `by`", node.span)
                return self.bad(node.span)
            case n.NameExpr():
                return self._name(node, scope, expected)
            case n.AttributeOf():
                return self._attribute(node, scope)
            case n.Filtered():
                return self._filtered(node, scope, expected)
            case n.Call():
                return self._call(node, scope, expected)
            case n.ForCall():
                return self._for_call(node, scope)
            case n.SetLiteral() | n.ListLiteral():
                return self._collection(node, scope, expected)
            case n.Range(low, high):
                if high < low or high > 1000:
                    self.error("RS201", "a range goes from a lower to a higher number, at most 1000", node.span)
                    return self.bad(node.span)
                return ir.RangeX(SetOf(INT), node.span, low, high)
            case n.Unary("not", operand):
                return ir.NotX(BOOL, node.span, self.condition(operand, scope))
            case n.Unary(_, operand):
                return ir.ArithX(INT, node.span, "neg", (self.number(operand, scope),))
            case n.Binary():
                return self._binary(node, scope)
            case n.Divide(left, right, rounding):
                a, b = self.number(left, scope), self.number(right, scope)
                if isinstance(b, ir.Lit) and b.value == 0:
                    self.error("RS210", "division by zero", right.span, "this is zero")
                return ir.ArithX(INT, node.span, f"/{rounding}", (a, b))
            case n.IsKind():
                return self._is_kind(node, scope)
            case n.IfExpr(condition, then, otherwise):
                truth = self.kind_truth(condition, scope)
                if truth is not None:
                    return self.expr(then if truth else otherwise, scope, expected)
                test = self.condition(condition, scope)
                a = self.expr(then, self.knowing(test, scope), expected)
                b = self.expr(otherwise, self.knowing(test, scope, False), expected or a.type)
                return ir.IfX(self.join(a, b, node.span), node.span, test, a, b)
            case n.Some(quantifier, source):
                inner = self.expr(source, scope)
                if isinstance(inner.type, Maybe):
                    test = ir.CompareX(BOOL, node.span, "!=", inner, ir.Lit(NOTHING, node.span, None))
                    return test if quantifier == "some" else ir.NotX(BOOL, node.span, test)
                if element_of(inner.type) is None:
                    self.mismatch("a set, list or pile", inner.type, source.span)
                    return self.bad(node.span)
                return ir.SomeX(BOOL, node.span, inner, quantifier == "none")
            case n.Quantified(quantifier, pickings, condition):
                inside = scope.inner()
                picks = self.pickings(pickings, inside)
                return ir.QuantX(BOOL, node.span, quantifier, picks, self.condition(condition, inside))
            case n.Most(direction, source, by, name):
                return self._most(node, direction, source, by, name, scope)
            case n.NamedArg(name, _):
                self.error("RS202", "only rules of the game are given values by name", name.span, "not here")
                return self.bad(node.span)
        raise AssertionError(node)

    def condition(self, node: n.Expr, scope: Scope) -> ir.X:
        x = self.expr(node, scope, BOOL)
        if not fits(x.type, BOOL):
            hint = None
            if element_of(x.type) is not None:
                hint = f"some {node.span.text.strip()}"
                hint = f"write `{hint}`" if "\n" not in hint else None
            self.error(
                "RS201",
                f"a condition is yes or no, but this is {say(x.type)}",
                node.span,
                "expected yes or no",
                hint or instead("yes or no", x.type, node.span.text.strip()),
            )
            return self.bad(node.span)
        return x

    def number(self, node: n.Expr, scope: Scope) -> ir.X:
        return self.typed(node, scope, INT)

    def typed(self, node: n.Expr, scope: Scope, wanted: Type, code: str = "RS201", why: Label | None = None) -> ir.X:
        """An expression that must be of a type."""
        x = self.expr(node, scope, wanted)
        return self.must(x, wanted, node.span, code, why)

    def must(self, x: ir.X, wanted: Type, span: Span, code: str = "RS201", why: Label | None = None) -> ir.X:
        if fits(x.type, wanted):
            return x
        if isinstance(x.type, Maybe) and fits(x.type.element, wanted):
            self.error(
                "RS205",
                "this may be nothing, and nobody has looked",
                span,
                f"maybe {say(x.type.element)}",
                "test it first: `if ... != nothing`",
            )
            return self.bad(span)
        element = element_of(x.type)
        if element is not None and fits(element, wanted):
            self.error(
                "RS206",
                f"this is {say(x.type)}, but one {say(wanted).split(' ', 1)[-1]} is needed here",
                span,
                "a set",
                "let someone `choose`, or write `only(...)` if there is always exactly one",
            )
            return self.bad(span)
        others = [why] if why else []
        text = span.text.strip()
        shown = f"`{text}`" if "\n" not in text and len(text) < 50 else "this"
        if x.type != ERROR:
            self.error(
                code,
                f"{shown} is {say(x.type)}, but {say_wanted(wanted, x.type)} is needed here",
                span,
                f"expected {say_wanted(wanted, x.type)}",
                instead(say(wanted), x.type, text),
                others,
            )
        return self.bad(span)

    def pickings(
        self, pickings: Sequence[n.Picking], scope: Scope, role: str = "element"
    ) -> tuple[tuple[ir.Var, ir.X], ...]:
        """Bind `x in S` one after the other; later sources may use earlier names."""
        out = []
        for picking in pickings:
            source = self.source(picking.source, scope)
            element = element_of(source.type) or ERROR
            var = self.bind(picking.name, element, role, scope)
            var.either = picking.either
            out.append((var, source))
        return tuple(out)

    def source(self, node: n.Expr, scope: Scope) -> ir.X:
        x = self.expr(node, scope)
        if element_of(x.type) is None:
            text = node.span.text.strip()
            hint = f"write `1..{text}`, or `repeat {text} times`" if isinstance(x, ir.Lit) and x.type == INT else None
            if isinstance(x.type, ThingOf):
                holds = next(iter(self.game.kinds[x.type.kind].holds), "")
                hint = f"write `{text}.{holds}` for what stands there" if holds else None
            self.mismatch("a set, list or pile to take from", x.type, node.span, hint=hint)
            return self.bad(node.span)
        return x

    def bind(self, name: n.Name, type_: Type, role: str, scope: Scope) -> ir.Var:
        if name.text in ("it", "this", "chooser"):
            self.error("RS106", f"`{name}` is a word of the language", name.span)
        elif name.text in scope.names and role in ("let", "pick") and scope.names[name.text].role == role:
            pass  # a later `let` or choice may use a name again: it hides the earlier one
        elif self._names_something(name.text):
            self.error("RS102", f"`{name}` already names something in the game", name.span)
        var = self.var(name.text, type_, role)
        scope.names[name.text] = var
        scope.known = frozenset(k for k in scope.known if k != name.text and not k.startswith(name.text + "."))
        return var

    def _names_something(self, name: str) -> bool:
        """Whether a name is one of a thing or kind that the text speaking now knows of."""
        known = [t.origin for t in (*self.game.things.get(name, []), *self.game.copies.get(name, []))]
        if name in self.game.kinds:
            known.append(self.game.kinds[name].origin)
        return any(self.visible(origin) for origin in known)

    def declared_by(self, rule: Function | Route) -> str:
        """Who declared a rule first; what replaces it is seen by all who saw the old one."""
        return self.first_origins.get(plain_name(rule.name), rule.origin)

    def knowing(self, test: ir.X, scope: Scope, truth: bool = True) -> Scope:
        """The scope in which a test is known to have come out so: `x != nothing` makes x known, and with
        `u in Town.units` a unit stands in a town."""
        found: set[str] = set()
        on: dict[int, tuple[str, int]] = {}

        def visit(x: ir.X, holds: bool) -> None:
            match x:
                case ir.AndX(parts=parts) if holds:
                    for part in parts:
                        visit(part, True)
                case ir.OrX(parts=parts) if not holds:
                    for part in parts:
                        visit(part, False)
                case ir.NotX(of=inner):
                    visit(inner, not holds)
                case ir.CompareX(operator=op, left=left, right=ir.Lit(value=None, type=t)) if t == NOTHING:
                    if (op == "!=") == holds:
                        path = path_of(left)
                        if path:
                            found.add(path)
                case ir.InX(element=ir.Local(var=var), source=source, negated=negated) if negated is not holds:
                    element = element_of(source.type)
                    if isinstance(element, PieceOf | ThingOf) and element.holder:
                        on[var.ident] = (element.holder, var.moves)

        visit(test, truth)
        if not found and not on:
            return scope
        inside = scope.inner()
        inside.known = scope.known | found
        inside.on.update(on)
        return inside

    def narrowed(self, x: ir.X, scope: Scope) -> ir.X:
        """The same expression, without `maybe` where it is known to be something."""
        if isinstance(x.type, Maybe) and scope.known and (path_of(x) or "?") in scope.known:
            x.type = x.type.element
        return x

    def join(self, a: ir.X, b: ir.X, span: Span) -> Type:
        """The type of either of two."""
        if fits(a.type, b.type):
            return b.type
        if fits(b.type, a.type):
            return a.type
        if a.type == NOTHING:
            return b.type if isinstance(b.type, Maybe) else Maybe(b.type)
        if b.type == NOTHING:
            return a.type if isinstance(a.type, Maybe) else Maybe(a.type)
        self.error("RS211", f"one is {say(a.type)}, the other {say(b.type)}", span)
        return ERROR

    # -------------------------------------------------------------- texts

    def template(self, text: str, span: Span, scope: Scope) -> ir.TemplateX:
        """``"Move {t} to {r}"``"""
        parts: list[str | ir.X] = []
        at = 0
        source = span.source
        for match in re.finditer(r"\{([^{}]*)\}", text):
            parts.append(text[at : match.start()])
            at = match.end()
            # The braces are found again in the file, so that a message can point into the text.
            place = source.text.find(match.group(0), span.start, span.end)
            if place < 0:
                self.error("RS001", f"cannot read `{match.group(0)}` in this text", span)
                continue
            from rulescript.syntax.parser import parse_expression

            inner = parse_expression(source, place + 1, place + len(match.group(0)) - 1, self.reporter)
            if inner is not None:
                parts.append(self.expr(inner, scope))
        parts.append(text[at:])
        stray = next((p for p in parts if isinstance(p, str) and ("{" in p or "}" in p)), None)
        if stray is not None:
            brace = "{" if "{" in stray else "}"
            place = source.text.find(stray.strip(), span.start, span.end)
            place = source.text.find(brace, max(place, span.start), span.end)
            here = source.span(place, place + 1) if place >= 0 else span
            message = "`{` in this text is never closed" if brace == "{" else "`}` in this text closes nothing"
            self.error("RS003", message, here, "", 'a value in a text is written `"... {value} ..."`')
        return ir.TemplateX(TEXT, span, tuple(p for p in parts if p != ""))

    # -------------------------------------------------------------- names

    def _name(self, node: n.NameExpr, scope: Scope, expected: Type | None) -> ir.X:
        name, span = node.name, node.span
        outer = self._outer_name(name, span, scope, expected)
        for var in reversed(scope.elements):
            found = self.member(ir.Local(scope.type_of(var), span, var), name, span, scope)
            if found is not None:
                if outer is not None:
                    self.error(
                        "RS103",
                        f"`{name}` is both an attribute of {say(var.type)} and a name outside the filter",
                        span,
                        "which one?",
                        f"write `it.{name}` for the element's own",
                    )
                    return self.bad(span)
                return self.narrowed(found, scope)
        if outer is not None:
            return self.narrowed(outer, scope)
        if name in self.game.procedures:
            return self._asks_procedure(name, node)
        names: list[str] = [
            *scope.names, *self.game.things, *self.game.copies, *self.game.states, *self.game.kinds,
            *self.game.functions, *self.game.holds, *self.game.tables, *self.game.routes,
        ]  # fmt: skip
        for var in scope.elements:
            names += self.members_of(var.type)
        owners = [k.name for k in self.game.kinds.values() if name in self.members_of(ThingOf(k.name))]
        if owners and name != "place" and spelling_hint(name, names) is None:
            of = owners[0]
            self.error(
                "RS101", f"there is no name `{name}`; it is something that each {of} has", span, "of which one?",
                f"write for example `{of[0].lower()}.{name}` where `{of[0].lower()}` names one",
            )  # fmt: skip
            return self.bad(span)
        self.unknown("name", name, span, names)
        return self.bad(span)

    def _outer_name(self, name: str, span: Span, scope: Scope, expected: Type | None) -> ir.X | None:
        game = self.game
        if name in scope.names:
            var = scope.names[name]
            if var.state is not None:
                return ir.StateX(var.state.type, span, var.state, None)
            return ir.Local(scope.type_of(var), span, var)
        if name == "chooser" and scope.chooser is not None:
            return scope.chooser
        if name == "this" and scope.this is not None:
            kind, index = scope.this
            return ir.ThingLit(ThingOf(kind.name), span, kind, index)
        if scope.this is not None:
            own = self._own_state(*scope.this, name, span)
            if own is not None:
                return own
        state = game.states.get(name)
        if state is not None and self.visible(state.origin):
            return ir.StateX(state.type, span, state, None)
        things = [t for t in game.things.get(name, []) if not t.kind.is_pieces and self.visible(t.origin)]
        if things:
            return self._thing(name, things, span, expected)
        copies = [t for t in game.copies.get(name, []) if self.visible(t.origin)]
        if copies:
            return self._copies(copies, span)
        if name in game.kinds and self.visible(game.kinds[name].origin):
            kind = game.kinds[name]
            if kind.is_pieces:
                self.error(
                    "RS213",
                    f"all pieces of {name} are nowhere in particular",
                    span,
                    hint=f"name a place: `{self._some_place(kind)}`",
                )
                return self.bad(span)
            return ir.AllThings(SetOf(ThingOf(kind.name)), span, kind)
        holds = game.holds.get(name)
        if holds is not None and self.visible(holds.origin):
            return self.contents(holds, None, span)
        function = game.functions.get(name)
        if function is not None and not function.params and self.visible(self.declared_by(function)):
            return ir.CallX(function.type, span, function, ())
        route = game.routes.get(name)
        if route is not None and not route.params and self.visible(self.declared_by(route)):
            return ir.RouteX(SetOf(ThingOf(route.kind.name)), span, route, ())
        return None

    def _thing(self, name: str, things: list[Thing], span: Span, expected: Type | None) -> ir.X:
        wanted = expected.element if isinstance(expected, Maybe | SetOf | ListOf) else expected
        if len(things) > 1 and isinstance(wanted, ThingOf):
            things = [t for t in things if t.kind.name == wanted.kind] or things
        if len(things) > 1 and wanted == ERROR:
            return self.bad(span)  # which of them it is would follow from what is not known
        if len(things) > 1:
            kinds = ", ".join(t.kind.name for t in things)
            self.error("RS103", f"`{name}` names several things ({kinds})", span, "which one?")
            return self.bad(span)
        thing = things[0]
        return ir.ThingLit(ThingOf(thing.kind.name), span, thing.kind, thing.index)

    @staticmethod
    def _copies(copies: list[Thing], span: Span) -> ir.SetX:
        """The common name of several copies of a thing: all of them."""
        kind = copies[0].kind
        type_ = ThingOf(kind.name)
        return ir.SetX(SetOf(type_), span, tuple(ir.ThingLit(type_, span, kind, t.index) for t in copies))

    # -------------------------------------------------------------- members

    def _some_place(self, kind: Kind) -> str:
        """A place where pieces of a kind can be, as one would write it."""
        owned = [h for h in self.all_holds() if h.kind is kind and h.owner is not None]
        board = [h for h in owned if h.owner is not None and h.owner.links] or owned
        if board and board[0].owner is not None:
            return f"{board[0].owner.name}.{board[0].name}"
        return next((h.name for h in self.all_holds() if h.kind is kind), "Region.tiles")

    def members_of(self, type_: Type) -> list[str]:
        base = element_of(type_) or type_
        if isinstance(base, Maybe):
            base = base.element
        if not isinstance(base, ThingOf | PieceOf):
            return []
        kind = self.game.kinds.get(base.kind)
        return [*kind.attrs, *kind.states, *kind.holds, *kind.links, "place"] if kind else []

    def _attribute(self, node: n.AttributeOf, scope: Scope) -> ir.X:
        having = self._having(node)
        of = self.expr(node.object, scope, having)
        if of.type == ERROR:
            if having == ERROR:
                message = f"nothing called `{node.object.span.text}` has `{node.name}`"
                self.error("RS107", message, node.name.span, "unknown")
            return self.bad(node.span)
        found = self.member(of, node.name.text, node.span, scope)
        if found is not None:
            return self.narrowed(found, scope)
        if isinstance(of.type, Maybe):
            self.error(
                "RS205",
                "this may be nothing, and nobody has looked",
                node.object.span,
                say(of.type),
                f"test it first: `if {node.object.span.text.strip()} != nothing`",
            )
            return self.bad(node.span)
        known = self.members_of(of.type)
        if self._is_unclear(of.type, node.name.text):
            return self.bad(node.span)
        if element_of(of.type) is not None and node.name.text in known:
            text = node.object.span.text.strip()
            shown = text if "\n" not in text and len(text) < 40 else "..."
            self.error(
                "RS107", f"each of them has its own `{node.name}`", node.name.span, "of which one?",
                f"go through them: `for x in {shown}` and then `x.{node.name}`, "
                f"or `sum(x.{node.name} for x in {shown})`",
            )  # fmt: skip
            return self.bad(node.span)
        have = "have" if isinstance(of.type, Pile) else "has"
        hint = spelling_hint(node.name.text, known)
        if hint is None and known:
            hint = f"there is {', '.join(known)}"
        self.error("RS107", f"{say(of.type)} {have} no `{node.name}`", node.name.span, "unknown", hint)
        return self.bad(node.span)

    def _is_unclear(self, type_: Type, name: str) -> bool:
        """Whether a thing has this, but of a type that is not known; that was told."""
        base = element_of(type_) or type_
        kind = self.game.kinds.get(base.kind) if isinstance(base, ThingOf | PieceOf) else None
        if name in self.lost or kind is None:
            return name in self.lost
        members = (kind.attrs.get(name), kind.states.get(name))
        return any(member is not None and member.type == ERROR for member in members)

    def _having(self, node: n.AttributeOf) -> Type | None:
        """Of several things with one name, the kind that has what is asked for: `Blue.hand`. ERROR if none has it."""
        if not isinstance(node.object, n.NameExpr):
            return None
        kinds = [t.kind for t in self.game.things.get(node.object.name, []) if not t.kind.is_pieces]
        fitting = [k for k in kinds if node.name.text in self.members_of(ThingOf(k.name))]
        if len(kinds) > 1 and not fitting:
            return ERROR
        return ThingOf(fitting[0].name) if len(kinds) > 1 and len(fitting) == 1 else None

    def member(self, of: ir.X, name: str, span: Span, scope: Scope) -> ir.X | None:
        """An attribute, state, place or link of one thing, of each of a set, or of the pieces of a pile."""
        match of.type:
            case ThingOf(kind_name, holder):
                kind = self.game.kinds[kind_name]
                return self._thing_member(of, kind, holder, name, span)
            case PieceOf(kind_name, holder):
                kind = self.game.kinds[kind_name]
                attr = kind.attrs.get(name)
                if attr is not None and self.visible(attr.origin):
                    return ir.AttrX(attr.type, span, attr, of)
                state = kind.states.get(name)
                if state is not None and self.visible(state.origin):
                    return ir.PieceStateX(state.type, span, state, of)
                if name == "place":
                    return self._place_of(of, kind, holder, span)
            case SetOf(ThingOf(kind_name)):
                kind = self.game.kinds[kind_name]
                holds = kind.holds.get(name)
                if holds is not None and self.visible(holds.origin):
                    return self.contents(holds, of, span)
                if name in kind.links or name == "links":
                    return self._links(of, kind, name, span)
                return self._mapped(of, name, span, scope)
            case Pile() | ListOf(ThingOf()) | ListOf(PieceOf()):
                return self._mapped(of, name, span, scope)
        return None

    def _own_state(self, kind: Kind, index: int, name: str, span: Span) -> ir.X | None:
        """A state that was declared under one thing, inside it or as `Raid.used`."""
        state = self.game.states.get(f"{kind.things[index].name}.{name}")
        if state is None or not self.visible(state.origin):
            return None
        return ir.StateX(state.type, span, state, None)

    def _thing_member(self, of: ir.X, kind: Kind, holder: str, name: str, span: Span) -> ir.X | None:
        attr = kind.attrs.get(name)
        if attr is not None and self.visible(attr.origin):
            return ir.AttrX(attr.type, span, attr, of)
        state = kind.states.get(name)
        if state is not None and self.visible(state.origin):
            return ir.StateX(state.type, span, state, of)
        holds = kind.holds.get(name)
        if holds is not None and self.visible(holds.origin):
            return self.contents(holds, of, span)
        if name in kind.links or (name == "links" and kind.links):
            return self._links(of, kind, name, span)
        if name == "place" and kind.movable:
            return self._place_of(of, kind, holder, span)
        if isinstance(of, ir.ThingLit):
            return self._own_state(kind, of.index, name, span)
        return None

    def _place_of(self, of: ir.X, kind: Kind, holder: str, span: Span) -> ir.X | None:
        owners = {h.owner.name for h in self.all_holds() if h.kind is kind and h.owner is not None}
        if not holder and len(owners) == 1 and not any(h.kind is kind and h.owner is None for h in self.all_holds()):
            holder = next(iter(owners))
        if not holder:
            free = [f"`{h.name}`" for h in self.all_holds() if h.kind is kind and h.owner is None]
            kinds = " or ".join([*sorted(owners), *free]) or "nothing"
            hint = f"take it from a known place, or give the parameter the type `{kind.name} on Kind`"
            if isinstance(of, ir.ThingLit):
                holds = next((h for h in self.all_holds() if h.kind is kind and h.owner is not None), None)
                where = f"{holds.owner.name}.{holds.name}" if holds is not None and holds.owner is not None else "box"
                hint = f"ask whether it is there: `{of.kind.things[of.index].name} in {where}`"
            self.error(
                "RS203",
                f"{say(of.type)} can stand in several kinds of places ({kinds})",
                span,
                "which kind of place?",
                hint,
            )
            return self.bad(span)
        return ir.PlaceOfX(ThingOf(holder), span, of)

    def _links(self, of: ir.X, kind: Kind, name: str, span: Span) -> ir.X:
        sorts = tuple(kind.links) if name == "links" else (name,)
        return ir.LinksX(SetOf(ThingOf(kind.name)), span, of, kind, sorts)

    def _mapped(self, of: ir.X, name: str, span: Span, scope: Scope) -> ir.X | None:
        """``r.tiles.nation``: the set of what the members have."""
        element = element_of(of.type)
        if not isinstance(element, ThingOf | PieceOf):
            return None
        var = self.var("each", element, "element")
        value = self.member(ir.Local(element, span, var), name, span, scope)
        if value is None:
            return None
        picks: tuple[tuple[ir.Var, ir.X], ...] = ((var, of),)
        known: ir.X | None = None
        if isinstance(value.type, Maybe) and isinstance(value.type.element, ThingOf):
            # Those that have one.
            known = ir.CompareX(BOOL, span, "!=", value, ir.Lit(NOTHING, span, None))
            value = self.member(ir.Local(element, span, var), name, span, scope)
            assert value is not None and isinstance(value.type, Maybe)
            value.type = value.type.element
        elif isinstance(value.type, SetOf) and isinstance(value.type.element, ThingOf):
            # All that any of them has.
            inner = self.var("each", value.type.element, "element")
            picks, value = (*picks, (inner, value)), ir.Local(value.type.element, span, inner)
        if not isinstance(value.type, ThingOf):
            return None
        return ir.AggregateX(SetOf(ThingOf(value.type.kind)), span, "set", picks, value, known)

    def all_holds(self) -> list[Holds]:
        out = list(self.game.holds.values())
        for kind in self.game.kinds.values():
            out += kind.holds.values()
        return out

    def contents(self, holds: Holds, of: ir.X | None, span: Span) -> ir.X:
        holder = holds.owner.name if holds.owner else ""
        type_: Type
        if holds.kind.is_pieces:
            type_ = Pile(holds.kind.name, holder)
        elif holds.ordered and not (of is not None and isinstance(of.type, SetOf)):
            type_ = ListOf(ThingOf(holds.kind.name, holder))
        else:
            type_ = SetOf(ThingOf(holds.kind.name, holder))
        return ir.ContentsX(type_, span, holds, of)

    # -------------------------------------------------------------- filters

    def _filtered(self, node: n.Filtered, scope: Scope, expected: Type | None) -> ir.X:
        source = self.expr(node.source, scope, expected)
        element = element_of(source.type)
        if element is None or element == ERROR:
            if source.type != ERROR and element != ERROR:
                self.mismatch("a set, list or pile to filter", source.type, node.source.span)
            return self.bad(node.span)
        if isinstance(node.condition, n.Number):
            self.error(
                "RS201", "in `[...]` stands a condition, not a number", node.condition.span, "expected a condition",
                "`first(...)` is the first of a list or set, `top(...)` of an ordered place",
            )  # fmt: skip
            return self.bad(node.span)
        inside = scope.inner()
        var = self.var("it", element, "element")
        inside.elements.append(var)
        condition = self.condition(node.condition, inside)
        return ir.FilterX(source.type, node.span, source, var, condition)

    def _most(
        self, node: n.Expr, direction: str, source: n.Expr, by: n.Expr, name: n.Name | None, scope: Scope
    ) -> ir.X:
        of = self.source(source, scope)
        if of.type == ERROR:
            return self.bad(node.span)
        element = element_of(of.type) or ERROR
        inside = scope.inner()
        if name is not None:
            var = self.bind(name, element, "element", inside)
        else:
            var = self.var("it", element, "element")
            inside.elements.append(var)
        value = self.number(by, inside)
        type_ = of.type if isinstance(of.type, SetOf | Pile | ListOf) else ERROR
        return ir.MostX(type_, node.span, direction, of, var, value)

    # -------------------------------------------------------------- operators

    def _binary(self, node: n.Binary, scope: Scope) -> ir.X:
        op = node.operator
        if op in ("and", "or"):
            truths = [self.kind_truth(each, scope) for each in (node.left, node.right)]
            if (op == "or") in truths:
                return ir.Lit(BOOL, node.span, op == "or")
            if None not in truths[:1]:
                return self.condition(node.right, scope)
            if None not in truths[1:]:
                return self.condition(node.left, scope)
            a = self.condition(node.left, scope)
            if self._also_compared(node, a, scope):
                return self.bad(node.span)
            b = self.condition(node.right, self.knowing(a, scope, op == "and"))
            if op == "and":
                left = a.parts if isinstance(a, ir.AndX) else (a,)
                return ir.AndX(BOOL, node.span, (*left, b))
            left = a.parts if isinstance(a, ir.OrX) else (a,)
            return ir.OrX(BOOL, node.span, (*left, b))
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return self._compare(node, scope)
        if op in ("in", "not in"):
            return self._in(node, scope)
        if op == "otherwise":
            return self._otherwise(node, scope)
        a = self.expr(node.left, scope)
        b = self.expr(node.right, scope, a.type)
        if op in ("+", "-", "&") and ERROR in (a.type, b.type):
            return self.bad(node.span)  # numbers or sets: that would follow from what is not known
        if op in ("+", "-", "&") and (element_of(a.type) or element_of(b.type)):
            return self._set_op(node, op, a, b)
        if op == "&":
            self.mismatch("a set", a.type if element_of(a.type) is None else b.type, node.span)
            return self.bad(node.span)
        a, b = self.must(a, INT, node.left.span), self.must(b, INT, node.right.span)
        operator = {"at most": "min", "at least": "max"}.get(op, op)
        return ir.ArithX(INT, node.span, operator, (a, b))

    def _also_compared(self, node: n.Binary, left: ir.X, scope: Scope) -> bool:
        """``x == North or South``: what stands behind is not compared with anything."""
        if not isinstance(left, ir.CompareX) or not isinstance(node.right, n.NameExpr):
            return False
        other = self._outer_name(node.right.name, node.right.span, scope, left.left.type)
        if left.operator not in ("==", "!=") or not isinstance(other, ir.ThingLit):
            return False
        what, one = left.left.span.text.strip(), left.right.span.text.strip()
        word = "in" if left.operator == "==" else "not in"
        self.error(
            "RS201",
            f"a condition is yes or no, but this is {say(other.type)}",
            node.right.span,
            "compared with nothing",
            f"write `{what} {word} {{{one}, {node.right.name}}}`",
        )
        return True

    def _otherwise(self, node: n.Binary, scope: Scope) -> ir.X:
        """``steps(march(u), t) otherwise 99``: something in place of nothing."""
        a = self.expr(node.left, scope)
        if not isinstance(a.type, Maybe):
            if a.type != ERROR:
                self.error("RS211", f"this is {say(a.type)} and never nothing", node.left.span)
            return self.bad(node.span)
        b = self.typed(node.right, scope, a.type.element)
        return ir.BuiltinX(a.type.element, node.span, "default", (a, b))

    def _set_op(self, node: n.Binary, op: str, a: ir.X, b: ir.X) -> ir.X:
        def as_set(x: ir.X, like: Type) -> ir.X:
            if isinstance(x.type, ThingOf):
                return ir.SetX(SetOf(ThingOf(x.type.kind)), x.span, (x,))
            return x

        a, b = as_set(a, b.type), as_set(b, a.type)
        if isinstance(a.type, ListOf) and isinstance(b.type, ListOf) and op == "+":
            return ir.SetOpX(a.type, node.span, "list+", a, b)
        if not isinstance(a.type, SetOf) or not isinstance(b.type, SetOf):
            which = b if isinstance(a.type, SetOf) else a
            hint = None
            if isinstance(a, ir.ContentsX) and isinstance(b, ir.ContentsX) and a.holds is b.holds and op == "+":
                if a.of is not None and b.of is not None:
                    both = f"{a.of.span.text.strip()}, {b.of.span.text.strip()}"
                    hint = f"for the pieces of both, write `{{{both}}}.{a.holds.name}`"
            self.mismatch("a set", which.type, which.span, hint=hint)
            return self.bad(node.span)
        if not (fits(a.type, b.type) or fits(b.type, a.type)):
            self.error("RS211", f"{say(a.type)} and {say(b.type)} have nothing in common", node.span)
            return self.bad(node.span)
        return ir.SetOpX(b.type if fits(a.type, b.type) else a.type, node.span, op, a, b)

    def _compare(self, node: n.Binary, scope: Scope) -> ir.X:
        op = node.operator
        if isinstance(node.left, n.NameExpr) and node.left.name in self.game.things:
            b = self.expr(node.right, scope)
            a = self.expr(node.left, scope, b.type)
        else:
            a = self.expr(node.left, scope)
            b = self.expr(node.right, scope, a.type)
        if ERROR in (a.type, b.type):
            return self.bad(node.span)
        if NOTHING in (a.type, b.type):
            if a.type == NOTHING:
                a, b = b, a
            if not isinstance(a.type, Maybe):
                self.error("RS211", f"this is {say(a.type)} and never nothing", a.span)
                return self.bad(node.span)
            return ir.CompareX(BOOL, node.span, op, a, b)
        plain_a = a.type.element if isinstance(a.type, Maybe) and op in ("==", "!=") else a.type
        plain_b = b.type.element if isinstance(b.type, Maybe) and op in ("==", "!=") else b.type
        same = fits(_bare(plain_a), _bare(plain_b)) and not isinstance(plain_a, Pile)
        if op in ("==", "!="):
            for one, other, written in ((plain_a, b, node.right), (plain_b, a, node.left)):
                is_name = isinstance(other, ir.SetX) and isinstance(written, n.NameExpr)
                if is_name and fits(SetOf(_bare(one)), other.type):
                    # The common name of several copies of a thing: it is one of them.
                    return ir.InX(BOOL, node.span, b if other is a else a, other, op == "!=")
            if not same:
                left = node.left.span.text.strip()
                self.error(
                    "RS211",
                    f"`{left}` is {say(a.type)}, so it cannot equal {say(b.type)}",
                    node.right.span,
                    f"this is {say(b.type)}",
                )
                return self.bad(node.span)
            return ir.CompareX(BOOL, node.span, op, a, b)
        if not same or not (plain_a == INT or isinstance(plain_a, ThingOf)):
            which = a if not (a.type == INT or isinstance(a.type, ThingOf)) else b
            self.mismatch("a number (or a thing in an order)", which.type, which.span, "RS211")
            return self.bad(node.span)
        return ir.CompareX(BOOL, node.span, op, a, b)

    def _in(self, node: n.Binary, scope: Scope) -> ir.X:
        source = self.expr(node.right, scope)
        element = element_of(source.type)
        if element is None:
            self.mismatch("a set, list or pile", source.type, node.right.span)
            return self.bad(node.span)
        a = self.expr(node.left, scope, element)
        if ERROR in (a.type, element):
            return self.bad(node.span)
        plain = a.type.element if isinstance(a.type, Maybe) else a.type
        if not fits(_bare(plain), _bare(element)):
            self.error(
                "RS211",
                f"{say(a.type)} is never in {say(source.type)}",
                node.left.span,
                f"expected {say(element)}",
            )
            return self.bad(node.span)
        return ir.InX(BOOL, node.span, a, source, node.operator == "not in")

    def kind_truth(self, node: n.Expr, scope: Scope) -> bool | None:
        """What a test comes to that only asks of which kind something is; None if it asks anything else."""
        if not self.game.eithers and not any(var.either for var in scope.names.values()):
            return None
        return truth_of(node, scope.names, _kind_named)

    def kinds_asked(self, scope: Scope) -> str:
        """Of which kinds the names are that might be of several."""
        return " and ".join(say(var.declared or var.type) for var in scope.names.values() if var.either)

    def _is_kind(self, node: n.IsKind, scope: Scope) -> ir.X:
        """``t is Tank``: the piece or thing has that value among its attributes, or is that very thing."""
        truth = self.kind_truth(node, scope)
        if truth is not None:
            return ir.Lit(BOOL, node.span, truth)
        of = self.expr(node.operand, scope)
        if of.type == ERROR:
            return of
        test: ir.X | None = None
        name = node.kind.text
        if isinstance(of.type, ThingOf | PieceOf):
            kind = self.game.kinds[of.type.kind]
            for attr in kind.attrs.values():
                if isinstance(attr.type, ThingOf):
                    for thing in self.game.things.get(name, []):
                        if thing.kind.name == attr.type.kind:
                            lit = ir.ThingLit(attr.type, node.kind.span, thing.kind, thing.index)
                            left = ir.AttrX(attr.type, node.span, attr, of)
                            test = ir.CompareX(BOOL, node.span, "==", left, lit)
            own = [t for t in kind.things if t.name == name]
            if own and isinstance(of.type, ThingOf):
                lit = ir.ThingLit(of.type, node.kind.span, kind, own[0].index)
                test = ir.CompareX(BOOL, node.span, "==", of, lit)
            copies = [t for t in self.game.copies.get(name, []) if t.kind is kind]
            if copies and isinstance(of.type, ThingOf):
                test = ir.InX(BOOL, node.span, of, self._copies(copies, node.kind.span), False)
        if test is None:
            self.error("RS101", f"nothing about {say(of.type)} can be `{name}`", node.kind.span, "unknown")
            return self.bad(node.span)
        return ir.NotX(BOOL, node.span, test) if node.negated else test

    def _collection(self, node: n.SetLiteral | n.ListLiteral, scope: Scope, expected: Type | None) -> ir.X:
        wanted = expected.element if isinstance(expected, SetOf | ListOf) else expected
        items: list[ir.X] = []
        for item in node.items:
            x = self.expr(item, scope, wanted)
            if isinstance(x, ir.SetX) and isinstance(item, n.NameExpr) and isinstance(node, n.SetLiteral):
                items += x.items  # the common name of several copies of a thing
                x = x.items[0]
            else:
                items.append(x)
            if x.type != ERROR and wanted is None:
                wanted = x.type
        element = next((_bare(x.type) for x in items if x.type != ERROR), None)
        if element is None:
            element = wanted if wanted is not None else ERROR
        for x in items:
            if not fits(_bare(x.type), element):
                self.error("RS211", f"{say(x.type)} among {say(SetOf(element))[2:]}", x.span)
            elif isinstance(node, n.SetLiteral) and isinstance(x, ir.Lit) and isinstance(x.value, int):
                if x.value > HIGHEST_MEMBER:
                    self.error("RS201", f"the numbers in a set go from 0 to {HIGHEST_MEMBER}", x.span, "too large")
        if isinstance(node, n.SetLiteral):
            return ir.SetX(SetOf(element), node.span, tuple(items))
        return ir.ListX(ListOf(element), node.span, tuple(items))

    # -------------------------------------------------------------- calls

    def _call(self, node: n.Call, scope: Scope, expected: Type | None) -> ir.X:
        if not isinstance(node.function, n.NameExpr):
            hint = None
            if isinstance(node.function, n.AttributeOf) and node.function.name.text in BUILTINS:
                hint = f"write `{node.function.name}({node.function.object.span.text.strip()})`"
            self.error("RS101", "only rules can be asked with `(...)`", node.function.span, "", hint)
            return self.bad(node.span)
        name = node.function.name
        game = self.game
        if name in game.functions:
            version, read = self.version_for(node, name, game.functions, scope)
            function = game.functions[version]
            args = self.arguments(node, function.params, scope, f"`{name}`", read)
            return ir.CallX(function.type, node.span, function, args) if args is not None else self.bad(node.span)
        if name in game.routes:
            version, read = self.version_for(node, name, game.routes, scope)
            route = game.routes[version]
            args = self.arguments(node, route.params, scope, f"`{name}`", read)
            if args is None:
                return self.bad(node.span)
            return ir.RouteX(SetOf(ThingOf(route.kind.name)), node.span, route, args)
        if name in game.tables:
            return self._table_call(node, name, scope)
        if name in BUILTINS:
            return self._builtin(node, name, scope)
        if name in game.procedures:
            return self._asks_procedure(name, node)
        names = [*game.functions, *game.routes, *game.tables, *BUILTINS, *game.procedures]
        self.unknown("rule", name, node.function.span, names)
        return self.bad(node.span)

    def _asks_procedure(self, name: str, node: n.Expr) -> ir.X:
        """A procedure in the middle of an expression: what it does would happen at no known time."""
        text = node.span.text.strip()
        call = text if "\n" not in text and len(text) < 50 else f"{name}(...)"
        place = node.function.span if isinstance(node, n.Call) else node.span
        self.error(
            "RS207",
            f"`{name}` changes the game, so it cannot be asked inside an expression",
            place,
            hint=f"write `let result = {call}` on a line of its own before this, and `result` here",
        )
        return self.bad(node.span)

    def version_for(
        self, node: n.Call, name: str, rules: Mapping[str, Function | Route | Procedure], scope: Scope
    ) -> tuple[str, dict[int, ir.X]]:
        """Of a rule that is written out for several kinds, the one for what it is given, and the values that were
        read to find out."""
        versions = self.game.versions.get(name, ())
        read: dict[int, ir.X] = {}
        if not versions or versions[0] not in rules:
            return name, read
        params = rules[name].params
        given = match_arguments(node.args, params, f"`{name}`", node.span)
        if isinstance(given, Misfit):
            return name, read
        wanted: list[str] = []
        for at, (arg, param) in enumerate(zip(given, params, strict=True)):
            if not param.either:
                continue
            x = self.default_of(param) if arg is None else self.expr(arg, scope)
            if arg is not None:
                read[at] = x
            kind = x.type.kind if isinstance(x.type, ThingOf | PieceOf) else ""
            if kind not in param.either:
                if x.type != ERROR and arg is not None and not isinstance(x.type, Maybe):
                    either = " or ".join(param.either)
                    message = (
                        f"`{name}` takes {either} as `{param.name}`, but `{arg.span.text.strip()}` is {say(x.type)}"
                    )
                    self.error("RS204", message, arg.span, f"expected {either}")
                    read[at] = self.bad(arg.span)
                kind = param.either[0]
            wanted.append(kind)
        for version in versions:
            own = [_kind_named(p) for p in rules[version].params if p.either] if version in rules else []
            if own == wanted:
                return version, read
        return name, read

    def arguments(
        self, node: n.Call, params: Sequence[ir.Var], scope: Scope, what: str, read: Mapping[int, ir.X] | None = None
    ) -> tuple[ir.X, ...] | None:
        """What a call gives to each parameter; `read` are those that were read already."""
        given = match_arguments(node.args, params, what, node.span)
        if isinstance(given, Misfit):
            self.error("RS202", given.message, given.span, given.label, given.hint)
            return None
        out: list[ir.X] = []
        for at, (arg, param) in enumerate(zip(given, params, strict=True)):
            if arg is None:
                said = {p.ident: value for p, value in zip(params, out, strict=False)}
                default = self.default_of(param)
                if not self._can_write_out(default, node.span):
                    return None
                written = ir.substitute(default, said)
                if not self._can_write_out(written, node.span):
                    return None
                out.append(written)
                continue
            wanted = param.declared or param.type  # a callee may have moved it since
            x = read[at] if read and at in read else self.expr(arg, scope, wanted)
            if not fits(x.type, wanted):
                if isinstance(x.type, Maybe) and fits(x.type.element, wanted):
                    self.must(x, wanted, arg.span)
                else:
                    others = [v for v in scope.names.values() if fits(v.type, wanted) and v.type != ERROR]
                    hint = f"did you mean `{others[0].name}`?" if len(others) == 1 else None
                    self.error(
                        "RS204",
                        f"{what} takes {say_wanted(wanted, x.type)} as `{param.name}`, "
                        f"but `{arg.span.text.strip()}` is {say(x.type)}",
                        arg.span,
                        f"expected {say_wanted(wanted, x.type)}",
                        hint,
                    )
                x = self.bad(arg.span)
            out.append(x)
        return tuple(out)

    def _can_write_out(self, default: ir.X, span: Span) -> bool:
        """Whether what a call leaves out may still be written into it: defaults that ask for defaults double at each
        turn. Told once; a game that has come so far is refused as a whole."""
        was_told = self._left_out > MOST_LEFT_OUT
        self._left_out += self._extent(default)
        if self._left_out <= MOST_LEFT_OUT:
            return True
        if not was_told:
            message = "what the calls of this game leave out takes too long to work out"
            hint = "say it in the call, or let what is meant if nobody says ask for less"
            self.error("RS014", message, span, "too long here", hint)
        return False

    def _extent(self, x: ir.X) -> int:
        """How many parts an expression has; what is in it several times counts each time."""
        known = self._extents.get(id(x))
        if known is None:
            total = 1
            todo = [getattr(x, name) for name, _ in ir.inner_fields(x.__class__)]
            while todo:
                inner = todo.pop()
                if isinstance(inner, ir.X):
                    total += self._extent(inner)
                elif isinstance(inner, tuple):
                    todo.extend(inner)
            known = self._extents[id(x)] = (total, x)  # kept, so that its number stays its own
        return known[0]

    def default_of(self, param: ir.Var) -> ir.X:
        """What a parameter is where a call does not say; read when it is first needed."""
        if param.default is not None:
            return param.default
        pending = self.defaults[param.ident]
        if pending in self._reading:
            message = f"what `{param.name}` is if nobody says depends on itself"
            self.error("RS201", message, pending.node.span, "", "give it a value that needs no call of this rule")
            return self.bad(pending.node.span)
        self._reading.append(pending)
        scope = Scope()
        scope.names = {before.name: before for before in pending.before}
        with self.speaking(pending.origin, pending.cites):
            param.default = self.typed(pending.node, scope, param.declared or param.type)
        self._reading.pop()
        return param.default

    def _table_call(self, node: n.Call, name: str, scope: Scope) -> ir.X:
        table = self.game.tables[name]
        args = node.args
        shift: ir.X | None = None
        last = args[-1] if args else None
        is_two = len(table.params) == 2
        if is_two and isinstance(last, n.NamedArg) and last.name.text == "shift" not in [p.name for p in table.params]:
            shift = self.number(last.value, scope)
            args = args[:-1]
        elif is_two and len(args) == 3 and last is not None and not isinstance(last, n.NamedArg):
            shift = self.number(last, scope)
            args = args[:-1]
        bound = self.arguments(n.Call(node.function, args, span=node.span), table.params, scope, f"`{name}`")
        if bound is None:
            return self.bad(node.span)
        return ir.TableX(table.type, node.span, table, bound, shift)

    def _builtin(self, node: n.Call, name: str, scope: Scope) -> ir.X:
        span = node.span
        if not node.args:
            self.error("RS202", f"`{name}` takes at least one value", span)
            return self.bad(span)
        if name == "steps":
            return self._steps(node, scope)
        if name == "matching":
            return self._matching(node, scope)
        args = tuple(self.expr(a, scope) for a in node.args)
        if any(a.type == ERROR for a in args):
            return self.bad(span)
        first = args[0]
        element = element_of(first.type)
        one = len(args) == 1
        match name:
            case "count" | "size" if one and element is not None:
                return ir.BuiltinX(INT, span, "count", args)
            case "sum" if one and element == INT:
                return ir.BuiltinX(INT, span, name, args)
            case "max" | "min":
                if one and element == INT:
                    return ir.BuiltinX(INT, span, name, args)
                if not one:
                    numbers = tuple(self.must(a, INT, a.span) for a in args)
                    return ir.ArithX(INT, span, name, numbers)
            case "abs" if one and first.type == INT:
                return ir.BuiltinX(INT, span, name, args)
            case "only" if one and isinstance(first.type, SetOf | ListOf | Pile) and element is not None:
                return ir.BuiltinX(element, span, name, args)
            case "first" | "last" | "top" | "bottom" if one and isinstance(first.type, SetOf | ListOf):
                assert element is not None
                which = {"top": "first", "bottom": "last"}.get(name, name)
                return ir.BuiltinX(Maybe(element), span, which, args)
            case "next" | "previous" if one and isinstance(first.type, ThingOf):
                return ir.BuiltinX(Maybe(ThingOf(first.type.kind)), span, name, args)
            case "number" if one and isinstance(first.type, ThingOf):
                return ir.BuiltinX(INT, span, name, args)
            case "label" if one and isinstance(first.type, ThingOf | PieceOf):
                return ir.BuiltinX(TEXT, span, name, args)
            case "sorted" if one and first.type == ListOf(INT):
                return ir.BuiltinX(first.type, span, name, args)
            case "taken" if len(args) == 2 and isinstance(args[1].type, ListOf) and first.type == INT:
                return ir.BuiltinX(args[1].type, span, name, args)
            case "known" if one and isinstance(first.type, Maybe):
                return ir.CompareX(BOOL, span, "!=", first, ir.Lit(NOTHING, span, None))
        self.error("RS204", f"`{name}` does not take {say(first.type)} ({BUILTINS[name]})", span)
        return self.bad(span)

    def _steps(self, node: n.Call, scope: Scope) -> ir.X:
        """``steps(march(t), r)``"""
        if len(node.args) == 2:
            route = self.expr(node.args[0], scope)
            if route.type == ERROR:
                return self.bad(node.span)
            if isinstance(route, ir.RouteX):
                target = self.typed(node.args[1], scope, ThingOf(route.route.kind.name))
                return ir.RouteX(Maybe(INT), node.span, route.route, route.args, target)
        self.error("RS204", "`steps` takes a route and a space: `steps(march(t), r)`", node.span)
        return self.bad(node.span)

    def _matching(self, node: n.Call, scope: Scope) -> ir.X:
        """``matching(rolled, r.tiles[side == s], hits_on)``: the last names an attribute of the pieces."""
        if len(node.args) == 3:
            dice = self.typed(node.args[0], scope, ListOf(INT))
            pile = self.expr(node.args[1], scope)
            if pile.type == ERROR:
                return self.bad(node.span)
            element = element_of(pile.type)
            if isinstance(element, PieceOf | ThingOf):
                inside = scope.inner()
                var = self.var("it", element, "element")
                inside.elements.append(var)
                score = self.expr(node.args[2], inside)
                if score.type in (INT, SetOf(INT), ERROR):
                    return ir.AggregateX(INT, node.span, "matching", ((var, pile),), score, dice)
        self.error("RS204", "`matching` takes a list of dice, pieces, and the number (or set) they score on", node.span)
        return self.bad(node.span)

    def _for_call(self, node: n.ForCall, scope: Scope) -> ir.X:
        name = node.function.name if isinstance(node.function, n.NameExpr) else ""
        if name not in ("sum", "count", "max", "min", "set", "list"):
            self.error(
                "RS101",
                "only sum, count, max, min, set and list go over `for`",
                node.function.span,
            )
            return self.bad(node.span)
        inside = scope.inner()
        picks = self.pickings(node.pickings, inside)
        test = self.condition(node.condition, inside) if node.condition is not None else None
        if test is not None:
            inside = self.knowing(test, inside)
        value = self.expr(node.value, inside)
        if name in ("sum", "max", "min"):
            value = self.must(value, INT, node.value.span)
        if name == "count":
            value = self.must(value, BOOL, node.value.span)
        type_: Type = INT
        if name in ("set", "list"):
            if name == "set" and not isinstance(value.type, ThingOf) and value.type not in (INT, ERROR):
                self.mismatch("a thing or number", value.type, node.value.span)
                return self.bad(node.span)
            type_ = SetOf(_bare(value.type)) if name == "set" else ListOf(value.type)
        return ir.AggregateX(type_, node.span, name, picks, value, test)


def _kind_named(var: ir.Var) -> str:
    type_ = var.declared or var.type
    return type_.kind if isinstance(type_, ThingOf | PieceOf) else ""


def _bare(type_: Type) -> Type:
    """A type without what is known about where the thing stands."""
    match type_:
        case ThingOf(kind):
            return ThingOf(kind)
        case PieceOf(kind):
            return PieceOf(kind)
        case SetOf(element):
            return SetOf(_bare(element))
        case ListOf(element):
            return ListOf(_bare(element))
    return type_


def path_of(x: ir.X) -> str | None:
    """A name for a value that stays the same while nothing is changed: `x`, `x.y`."""
    match x:
        case ir.Local(var=var):
            return f"{var.name}#{var.ident}"
        case ir.StateX(state=state, of=None):
            return f"state {state.name}"
        case ir.StateX(state=state, of=ir.X() as inner):
            base = path_of(inner)
            return f"{base}.{state.name}" if base else None
        case ir.AttrX(attr=attr, of=inner):
            base = path_of(inner)
            return f"{base}.{attr.name}" if base else None
        case ir.ThingLit(kind=kind, index=index):
            return f"{kind.name}:{index}"
    return None
