"""Filters, pickings, sets and lists."""

from __future__ import annotations

from collections.abc import Sequence

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.analysis.scope import HIGHEST_MEMBER, Scope
from rulescript.model import ir
from rulescript.model.types import (
    ERROR,
    INT,
    ListOf,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
    say,
)  # fmt: skip  # fmt: skip

__all__ = ["MOST_NAMES", "Collections"]

# Names of one choice, sum or condition: each is looked for with all that come after it.
MOST_NAMES = 100


class Collections(Part):
    """Reads collections."""

    def pickings(
        self, pickings: Sequence[n.Picking], scope: Scope, role: str = "element"
    ) -> tuple[tuple[ir.Var, ir.X], ...]:
        """Bind `x in S` one after the other; later sources may use earlier names."""
        out = []
        if len(pickings) > MOST_NAMES:
            self.error(
                "RS014", f"more than {MOST_NAMES} names are bound here one after the other",
                pickings[MOST_NAMES].name.span, "one too many", "ask for them in a loop",
            )  # fmt: skip
        told: set[str] = set()
        for picking in pickings:
            source = self.source(picking.source, scope)
            if picking.name.text in told:
                # What it should have been called is not known by its name, either.
                self.error(
                    "RS102", f"two things are called `{picking.name}` here", picking.name.span, "called so again"
                )
                self.desk.unnamed_results += 1
                out.append((self.var(picking.name.text, element_of(source.type) or ERROR, role), source))
                continue
            told.add(picking.name.text)
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
        if self.desk.is_word(name, "chooser"):
            pass
        elif name.text in scope.names and role in ("let", "pick") and scope.names[name.text].role == role:
            pass  # a later `let` or choice may use a name again: it hides the earlier one
        elif self.names.names_something(name.text):
            self.names.already_a_name(name)
        var = self.var(name.text, type_, role)
        scope.names[name.text] = var
        scope.known = frozenset(k for k in scope.known if k != name.text and not k.startswith(name.text + "."))
        return var

    def filtered(self, node: n.Filtered, scope: Scope, expected: Type | None) -> ir.X:
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
        if isinstance(source, ir.MostX) and isinstance(source.type, Pile):
            self.error(
                "RS201", f"pieces that are the {source.direction} cannot be filtered once more", node.span, "",
                f"filter what they are the {source.direction} of, or ask of each: "
                f"`count(u.moved for u in {source.direction} ...)`, `some u in {source.direction} ...: u.moved`",
            )  # fmt: skip
            return self.bad(node.span)
        inside = scope.inner()
        var = self.var("it", element, "element")
        inside.elements.append(var)
        condition = self.condition(node.condition, inside)
        return ir.FilterX(source.type, node.span, source, var, condition)

    def most(self, node: n.Expr, direction: str, source: n.Expr, by: n.Expr, name: n.Name | None, scope: Scope) -> ir.X:
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
        value = self.expressions.number(by, inside)
        type_ = of.type if isinstance(of.type, SetOf | Pile | ListOf) else ERROR
        return ir.MostX(type_, node.span, direction, of, var, value)

    def collection(self, node: n.SetLiteral | n.ListLiteral, scope: Scope, expected: Type | None) -> ir.X:
        wanted = expected.element if isinstance(expected, SetOf | ListOf) else expected
        items: list[ir.X] = []
        for item in node.items:
            x = self.expr(item, scope, wanted)
            if isinstance(x, ir.SetX) and isinstance(item, n.NameExpr) and isinstance(node, n.SetLiteral):
                items += x.items  # the common name of several copies of a thing
                x = x.items[0]
            elif isinstance(x.type, SetOf | ListOf | Pile) and isinstance(node, n.SetLiteral):
                self._set_in_a_set(node, item, x)
                return self.bad(node.span)
            else:
                items.append(x)
            if x.type != ERROR and wanted is None:
                wanted = x.type
        element = next((bare(x.type) for x in items if x.type != ERROR), None)
        if element is None:
            element = wanted if wanted is not None else ERROR
        for x in items:
            if not fits(bare(x.type), element):
                self.error("RS211", f"{say(x.type)} among {say(SetOf(element))[2:]}", x.span)
            elif isinstance(node, n.SetLiteral) and isinstance(x, ir.Lit) and isinstance(x.value, int):
                if x.value > HIGHEST_MEMBER:
                    self.error("RS201", f"the numbers in a set go from 0 to {HIGHEST_MEMBER}", x.span, "too large")
        if isinstance(node, n.SetLiteral):
            return ir.SetX(SetOf(element), node.span, tuple(items))
        return ir.ListX(ListOf(element), node.span, tuple(items))

    def _set_in_a_set(self, node: n.SetLiteral, item: n.Expr, x: ir.X) -> None:
        """`{Town}`, `{1..3, 7}`: what stands in the braces is a set already."""
        whole = item.span.text.strip()
        others = ", ".join(other.span.text.strip() for other in node.items if other is not item)
        hint = f"write `{whole} + {{{others}}}`" if others else f"write `{whole}` without the braces"
        is_set = isinstance(x.type, SetOf)
        self.error(
            "RS211", f"what stands in `{{...}}` is one thing each, and `{whole}` is {say(x.type)}", item.span,
            "a set already" if is_set else "several", hint if is_set or not others else None,
        )  # fmt: skip


def bare(type_: Type) -> Type:
    """A type without what is known about where the thing stands."""
    match type_:
        case ThingOf(kind):
            return ThingOf(kind)
        case PieceOf(kind):
            return PieceOf(kind)
        case SetOf(element):
            return SetOf(bare(element))
        case ListOf(element):
            return ListOf(bare(element))
    return type_
