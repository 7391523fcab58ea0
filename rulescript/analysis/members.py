"""What is asked of a thing, piece or collection: attributes, states, places, links."""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.analysis.desk import asked_before
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import (
    Holds,
    Kind,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
    NOTHING,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    element_of,
    say,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Members"]

# What is asked of several as a whole: `count(units)`.
_OF_SEVERAL = ("count", "size", "first", "last", "top", "bottom", "only")


class Members(Part):
    """Reads what stands behind a dot."""

    def members_of(self, type_: Type) -> list[str]:
        base = element_of(type_) or type_
        if isinstance(base, Maybe):
            base = base.element
        if not isinstance(base, ThingOf | PieceOf):
            return []
        kind = self.game.kinds.get(base.kind)
        return [*kind.attrs, *kind.states, *kind.holds, *kind.links, "place"] if kind else []

    def attribute(self, node: n.AttributeOf, scope: Scope) -> ir.X:
        having = self._having(node)
        of = self.expr(node.object, scope, having)
        if of.type == ERROR:
            if having == ERROR:
                message = f"nothing called `{node.object.span.text}` has `{node.name}`"
                self.error("RS107", message, node.name.span, "unknown")
            return self.bad(node.span)
        found = self.member(of, node.name.text, node.span, scope)
        if found is not None:
            return self.expressions.narrowed(found, scope)
        if isinstance(of.type, Maybe):
            self.expressions.untested(of.type, node.object.span)
            return self.bad(node.span)
        known = self.members_of(of.type)
        if self.names.is_unclear(of.type, node.name.text):
            return self.bad(node.span)
        if element_of(of.type) is not None and node.name.text in known:
            text = node.object.span.text.strip()
            shown = text if "\n" not in text and len(text) < 40 else "..."
            self.error(
                "RS107", f"each of them has its own `{node.name}`", node.name.span, "of which one?",
                f"go through them: `for x in {shown}` and then `x.{node.name}`, "
                f"or `sum(x.{node.name} for x in {shown})`; `set(...)` and `list(...)` have them all",
            )  # fmt: skip
            return self.bad(node.span)
        have = "have" if isinstance(of.type, Pile) else "has"
        hint = spelling_hint(node.name.text, known)
        if hint is None and element_of(of.type) is not None and asked_before(node.name.text) in _OF_SEVERAL:
            hint = f"write `{asked_before(node.name.text)}({node.object.span.text.strip()})`"
        if hint is None and "place" in known and (where := self._where_it_is(of.type, node.name.text)):
            hint = f"{where} has one: write `{node.object.span.text.strip()}.place.{node.name}`"
        elements = getattr(element_of(of.type), "kind", "")
        if any(thing.kind.name == elements for thing in self.game.things.get(node.name.text, ())):
            hint = f"write `{node.name}` alone: each thing has a name of its own"
        if hint is None and known:
            hint = f"there is {', '.join(known)}"
        self.error("RS107", f"{say(of.type)} {have} no `{node.name}`", node.name.span, "unknown", hint)
        return self.bad(node.span)

    def _where_it_is(self, type_: Type, name: str) -> str | None:
        """What a thing or piece may be in that has what it lacks."""
        if not isinstance(type_, ThingOf | PieceOf):
            return None
        owners = (holds.owner for holds in self.game.every_place() if holds.kind.name == type_.kind)
        fitting = (kind for kind in owners if kind and name in (*kind.attrs, *kind.states, *kind.holds, *kind.links))
        return next((f"the {kind.name} it is in" for kind in fitting), None)

    def fitting_of(self, node: n.Expr, type_: Type, wanted: Type) -> str | None:
        """Where one thing stands for another: the one thing about it that would do, `b.terrain` for `b`."""
        if not isinstance(type_, ThingOf | PieceOf) or not isinstance(wanted, ThingOf) or type_.kind == wanted.kind:
            return None
        kind = self.game.kinds[type_.kind]
        for all_of in (kind.attrs, kind.states):
            found = [m.name for m in all_of.values() if m.type in (wanted, Maybe(wanted)) and self.visible(m.origin)]
            if found:
                return f"did you mean `{node.span.text.strip()}.{found[0]}`?" if len(found) == 1 else None
        return None

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

    def own_state(self, kind: Kind, index: int, name: str, span: Span) -> ir.X | None:
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
            return self.own_state(kind, of.index, name, span)
        return None

    def _place_of(self, of: ir.X, kind: Kind, holder: str, span: Span) -> ir.X | None:
        places = [holds for holds in self.game.every_place() if holds.kind is kind]
        owners = {holds.owner.name for holds in places if holds.owner is not None}
        free = [f"`{holds.name}`" for holds in places if holds.owner is None]
        if not holder and len(owners) == 1 and not free:
            holder = next(iter(owners))
        if not holder:
            kinds = " or ".join([*sorted(owners), *free]) or "nothing"
            on = min(
                owners,
                key=lambda name: (name == str(self.game.players and self.game.players.name), name),
                default="Kind",
            )
            hint = f"take it from a known place, or give the parameter the type `{kind.name} on {on}`"
            if isinstance(of, ir.ThingLit):
                where = next((f"{h.owner.name}.{h.name}" for h in places if h.owner is not None), "box")
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
