"""Names in expressions: what is bound, declared, or a thing."""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import (
    Kind,
    Thing,
)
from rulescript.model.types import (
    ERROR,
    ListOf,
    Maybe,
    PieceOf,
    SetOf,
    ThingOf,
    Type,
    element_of,
    say,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Names"]


class Names(Part):
    """Reads names."""

    def name(self, node: n.NameExpr, scope: Scope, expected: Type | None) -> ir.X:
        name, span = node.name, node.span
        outer = self.outer_name(name, span, scope, expected)
        for var in reversed(scope.elements):
            found = self.members.member(ir.Local(scope.type_of(var), span, var), name, span, scope)
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
                return self.expressions.narrowed(found, scope)
        if outer is not None:
            return self.expressions.narrowed(outer, scope)
        if name in self.game.procedures:
            return self.calls.asks_procedure(name, node)
        names: list[str] = [
            *scope.names, *self.game.things, *self.game.copies, *self.game.states, *self.game.kinds,
            *self.game.functions, *self.game.holds, *self.game.tables, *self.game.routes,
        ]  # fmt: skip
        for var in scope.elements:
            names += self.members.members_of(var.type)
        owners = [k.name for k in self.game.kinds.values() if name in self.members.members_of(ThingOf(k.name))]
        having = [v.name for v in scope.names.values() if name in self.members.members_of(v.type) and v.role != "param"]
        if owners and name != "place" and (having or spelling_hint(name, names) is None):
            of = owners[0]
            self.error(
                "RS101", f"there is no name `{name}`; it is something that each {of} has", span, "of which one?",
                f"write `{having[-1]}.{name}`" if having
                else f"write for example `{of[0].lower()}.{name}` where `{of[0].lower()}` names one",
            )  # fmt: skip
            return self.bad(span)
        if name == "active" and self.game.players is not None:
            self.unknown("name", name, span, (), otherwise=f"declare `state active: {self.game.players.name}`")
            self.desk.lost.add(name)
            return self.bad(span)
        rule = self.game.functions.get(name) or self.game.routes.get(name) or self.game.tables.get(name)
        if rule is not None and self.visible(rule.origin):
            asked = f"{name}({', '.join(p.name for p in rule.params)})"
            message = f"`{name}` is a rule, and gives something only when it is asked"
            self.error("RS101", message, span, "asked for what?", f"write `{asked}`")
            return self.bad(span)
        locals_ = [v.name for v in scope.names.values() if getattr(v.type, "kind", "").lower() == name.lower()]
        if len(locals_) == 1:
            names = locals_
            self.error("RS101", f"there is no name `{name}`", span, "unknown", f"did you mean `{locals_[0]}`?")
            return self.bad(span)
        self.unknown("name", name, span, names, otherwise=self._one_of(expected))
        return self.bad(span)

    def _one_of(self, expected: Type | None) -> str | None:
        """Where a thing of one kind must stand, and there are few of them: which they are."""
        expected = expected.element if isinstance(expected, Maybe) else expected
        kind = self.game.kinds.get(expected.kind) if isinstance(expected, ThingOf) else None
        if kind is None or not 1 < len(kind.things) <= 6:
            return None
        listed = [f"`{thing.name}`" for thing in kind.things if self.visible(thing.origin)]
        return f"{kind.name} is {', '.join(listed[:-1])} or {listed[-1]}" if len(listed) > 1 else None

    def outer_name(self, name: str, span: Span, scope: Scope, expected: Type | None) -> ir.X | None:
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
            own = self.members.own_state(*scope.this, name, span)
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
            return self.copies(copies, span)
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
            return self.members.contents(holds, None, span)
        function = game.functions.get(name)
        if function is not None and not function.params and self.visible(self.expressions.declared_by(function)):
            return ir.CallX(function.type, span, function, ())
        route = game.routes.get(name)
        if route is not None and not route.params and self.visible(self.expressions.declared_by(route)):
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
    def copies(copies: list[Thing], span: Span) -> ir.SetX:
        """The common name of several copies of a thing: all of them."""
        kind = copies[0].kind
        type_ = ThingOf(kind.name)
        return ir.SetX(SetOf(type_), span, tuple(ir.ThingLit(type_, span, kind, t.index) for t in copies))

    def _some_place(self, kind: Kind) -> str:
        """A place where pieces of a kind can be, as one would write it."""
        owned = [h for h in self.game.every_place() if h.kind is kind and h.owner is not None]
        board = [h for h in owned if h.owner is not None and h.owner.links] or owned
        if board and board[0].owner is not None:
            return f"{board[0].owner.name}.{board[0].name}"
        return next((h.name for h in self.game.every_place() if h.kind is kind), "Region.tiles")

    def names_something(self, name: str) -> bool:
        """Whether a name is one of a thing or kind that the text speaking now knows of."""
        known = [t.origin for t in (*self.game.things.get(name, []), *self.game.copies.get(name, []))]
        if name in self.game.kinds:
            known.append(self.game.kinds[name].origin)
        return any(self.visible(origin) for origin in known)

    def already_a_name(self, name: n.Name) -> None:
        """A name of one rule only that would hide a thing or kind."""
        other = name.text[0].lower() if name.text in self.game.kinds else f"the_{name.text.lower()}"
        hint = f"give it a name of its own, for example `{other}`"
        self.error("RS102", f"`{name}` already names something in the game", name.span, "named again", hint)

    def is_unclear(self, type_: Type, name: str) -> bool:
        """Whether a thing has this, but of a type that is not known; that was told."""
        base = element_of(type_) or type_
        kind = self.game.kinds.get(base.kind) if isinstance(base, ThingOf | PieceOf) else None
        if name in self.desk.lost or kind is None:
            return name in self.desk.lost
        members = (kind.attrs.get(name), kind.states.get(name))
        return any(member is not None and member.type == ERROR for member in members)


def path_of(x: ir.X) -> str | None:
    """A name for a value that stays the same while nothing is changed: `x`, `x.y`."""
    match x:
        case ir.Local(var=var):
            return f"{var.name}#{var.ident}"
        case ir.StateX(state=state, of=None):
            return f"state {state.name}"
        case ir.StateX(state=state, of=ir.X() as inner):
            base = path_of(inner)
            return f"{base}.state {state.name}" if base else None
        case ir.AttrX(attr=attr, of=inner):
            base = path_of(inner)
            return f"{base}.{attr.name}" if base else None
        case ir.ThingLit(kind=kind, index=index):
            return f"{kind.name}:{index}"
    return None
