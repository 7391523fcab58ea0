"""Moving, placing, drawing and putting back."""

from __future__ import annotations

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.lookup import words_of
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics import Label
from rulescript.model import ir
from rulescript.model.game import (
    Kind,
    Thing,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
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

__all__ = ["Moves"]


class Moves(Part):
    """Reads what moves things and pieces."""

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
                    hint=self._holding(kind),
                    others=[Label(x.holds.span, "declared here")],
                )
                return None
            return x
        if isinstance(x.type, ThingOf):
            owner = self.game.kinds[x.type.kind]
            fitting = [h for h in owner.holds.values() if kind in (None, h.kind) and self.visible(h.origin)]
            if len(fitting) == 1:
                made = self.members.contents(fitting[0], x, node.span)
                assert isinstance(made, ir.ContentsX)
                return made
            what = kind.name if kind is not None else "this"
            if fitting:
                names = " or ".join(f"`.{h.name}`" for h in fitting)
                self.error("RS203", f"{say(x.type)} has several places for {what}", node.span, hint=f"add {names}")
            else:
                named = x.type.kind if isinstance(x.type, ThingOf) else ""
                message = f"{say(x.type)} has no place that holds {what}"
                hint = self._holding(kind) if kind is not None else None
                self.error("RS203", message, node.span, f"no place for {what}", hint, rests_on=(named, what))
            return None
        if x.type != ERROR:
            of = element_of(x.type)
            first = self.game.kinds[of.kind].things[:1] if isinstance(of, ThingOf) else ()
            hint = f"name one of them, such as `{first[0].name}`" if first else None
            self.error("RS203", f"this is {say(x.type)}, not a place", node.span, "expected a place", hint)
        return None

    def _holding(self, kind: Kind) -> str | None:
        """A hint: the places in which things of a kind can be."""
        places = [h for h in self.game.every_place() if h.kind is kind]
        names = [f"`{h.owner.name.lower()}.{h.name}`" if h.owner else f"`{h.name}`" for h in places[:4]]
        return f"what holds {kind.name}: {', '.join(names)}" if names else None

    def _moved_kind(self, x: ir.X) -> Kind | None:
        base = element_of(x.type) or x.type
        if isinstance(base, ThingOf | PieceOf):
            return self.game.kinds[base.kind]
        if isinstance(x.type, Pile):
            return self.game.kinds[x.type.kind]
        return None

    def move(self, node: n.Move, scope: Scope) -> ir.S | None:
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
            hint = None
            if node.amount is not None and node.to is not None and kind is not None:
                taken, where = node.amount.span.text.strip(), node.to.span.text.strip()
                hint = f"what is moved is taken from where it stands: write `move {taken} to {where}`"
            self.error("RS203", f"{say(what.type)} cannot be moved", node.what.span, hint=hint, rests_on=(named,))
            return None
        if node.to is None:
            return self._move_home(node, what, kind, scope)
        if isinstance(node.amount, n.NameExpr) and node.amount.name in scope.names:
            moved = scope.type_of(scope.names[node.amount.name])
            if isinstance(moved, ThingOf | PieceOf):
                taken, where = node.amount.name, node.to.span.text.strip()
                self.error(
                    "RS201", f"`{taken}` is {say(moved)}, and before `from` stands how many are moved",
                    node.amount.span, "expected a number",
                    f"what is moved is taken from where it stands: write `move {taken} to {where}`",
                )  # fmt: skip
                return None
        to = self.place(node.to.place, scope, kind)
        amount = self.expressions.number(node.amount, scope) if node.amount is not None else None
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
        with self.desk.speaking("(home)"):
            self.desk.reading_again, before = True, self.desk.reading_again
            to = self.place(kind.home, inside, kind)
            self.desk.reading_again = before
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
            before, what.var.type = what.var.type, evolve(what.type, holder=holder)
            what.var.moves += 1
            self.whereabouts.moved.append((what.var, before, what.var.type))

    def place_pieces(self, node: n.Place, scope: Scope) -> ir.S | None:
        by_kind: dict[str, list[tuple[int, int]]] = {}
        for phrase in node.phrases:
            found = self.statements.phrase(tuple(w.text for w in phrase.words), phrase.span)
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

    def is_lost(self, words: tuple[str, ...]) -> bool:
        """Whether a phrase may mean pieces whose kind, or a thing they are named for, is not known; that was told."""
        gone = {word for name in self.desk.lost for word in (name.lower(), *words_of(name))}
        return self.desk.counts_unclear or any({word.lower(), word.lower().removesuffix("s")} & gone for word in words)

    def draw(self, node: n.Draw, scope: Scope) -> ir.S | None:
        amount = self.expressions.number(node.amount, scope)
        source_x = self.expr(node.source, scope)
        if node.to is None:
            return self.statements.lot(node, amount, source_x, scope)
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
            var = self.collections.bind(node.name, ListOf(element), "let", scope)
        return ir.DrawS(node.span, node.cites, amount, inner, found, to, node.to.end, var)
