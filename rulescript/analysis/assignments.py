"""States and names set anew."""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics import Label
from rulescript.model import ir
from rulescript.model.game import (
    State,
)
from rulescript.model.types import (
    ERROR,
    INT,
    ListOf,
    SetOf,
    ThingOf,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["Assignments"]


class Assignments(Part):
    """Reads assignments."""

    def assign(self, node: n.Assign, scope: Scope) -> ir.S | None:
        if isinstance(node.target, n.NameExpr) and not self._can_be_set(node.target, scope):
            return None
        self._not_turned_round(node)
        inside = scope.inner()
        self.doubts.doubt(inside, node.value)  # a procedure that gives the value runs before it is put there
        return self._assigned(node, self.expr(node.target, inside), scope)

    def _not_turned_round(self, node: n.Assign) -> None:
        """`vp =- 1` sets vp to minus one, where `vp -= 1` was surely meant."""
        text, at = node.span.source.text, node.value.span.start
        if not (isinstance(node.value, n.Unary) and node.value.operator == "-" and text[at - 1] == "="):
            return
        if text[at - 2].isspace() or text[at + 1].isspace():
            target, amount = node.target.span.text, node.value.operand.span.text
            self.error(
                "RS001", "`=-` could be `-=` or `= -`", node.span.source.span(at - 1, at + 1), "which one?",
                f"write `{target} -= {amount}` to take away, or `{target} = -{amount}` to set it below zero",
            )  # fmt: skip

    def _can_be_set(self, target: n.NameExpr, scope: Scope) -> bool:
        """Whether there is anything of this name. What was to be made with it is missed once."""
        name = target.name
        if name == "active" or name in self.game.procedures or scope.elements:
            return True
        if self.names.outer_name(name, target.span, scope, None) is not None:
            return True
        if any(name in self.members.members_of(ThingOf(kind)) for kind in self.game.kinds):
            return True
        names = [*scope.names, *self.game.states]
        self.unknown("name", name, target.span, names, otherwise=f"to make a name, write `let {name} = ...`")
        self.desk.lost.add(name)
        return False

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
            call = self.statements.procedure_call(node.value, scope)
            if call is not None:
                call.result = target
                self.must(ir.Lit(self.statements.result_type(call), node.value.span, None), wanted, node.value.span)
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
                self.within(target.state, value)
        return ir.AssignS(node.span, node.cites, target, node.operator, value)

    def within(self, state: State, value: ir.X) -> None:
        """A number that a state can never be is a mistake already in the text, also among others that it becomes one
        after the other."""
        match value:
            case ir.SetX(items=items) | ir.ListX(items=items):
                for item in items:
                    self.within(state, item)
            case ir.RangeX(low=low, high=high):
                self.all_within(state, low, high, value.span)
        number = value.value if isinstance(value, ir.Lit) else None
        if isinstance(value, ir.ArithX) and value.operator == "neg" and isinstance(value.args[0], ir.Lit):
            inner = value.args[0].value
            number = -inner if isinstance(inner, int) else None
        if isinstance(number, int):
            self.all_within(state, number, number, value.span)

    def all_within(self, state: State, lowest: int, highest: int, span: Span) -> None:
        """The same for all numbers from the one to the other."""
        if state.bounds is not None and not (state.bounds[0] <= lowest and highest <= state.bounds[1]):
            low, high = state.bounds
            number = lowest if lowest < low else highest
            self.error(
                "RS223", f"`{state.name}` goes from {low} to {high}, so it cannot be {number}", span,
                "too low" if number < low else "too high", others=[Label(state.span, "declared here")],
            )  # fmt: skip
