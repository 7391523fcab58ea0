"""What a seat may work out: whether the value of an expression depends on something hidden from it.

The hard idea: an expression is gone through as it would be worked out, and every read is asked about before anything
is made of it. So what is not looked at (the branch that is not taken, what follows a part that is false already) does
not matter, and everything the way depends on is in sight itself: that something is hidden tells nothing about it.

The reads that are allowed are those the checker allows a requirement (analysis/checks/hidden_information.py): of a
place as much as its level shows; of what lies face down that it is there, that it lies face down, whose it is and
what its back shows. Of a state whose value is a thing that the seat may not know: that there is one, or how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.analysis.anywhere import is_open
from rulescript.explain.open_expressions import is_private
from rulescript.machine.unsettled import top_of
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children, expressions_of
from rulescript.model.types import BOOL, NOTHING, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type, type_data
from rulescript.runtime.views import is_hidden, items_in, knows

if TYPE_CHECKING:
    from rulescript.explain.env import Env
    from rulescript.explain.onlooker import Onlooker

__all__ = ["Sight"]

MOST_LOOKS = 50_000
MOST_CALLS = 40
TOO_MUCH = "more than can be looked through"
FACE_DOWN = "what lies face down"

# What is needed of a pile or set, besides the levels of places: "lying" is each of its members, as it lies there.
_COUNTED = ("nonempty", "count")


class Sight:
    """Looks at one expression for an onlooker. `unseen` is what is hidden in it; nothing if all is seen."""

    def __init__(self, eyes: Onlooker) -> None:
        self.eyes = eyes
        self.game = eyes.game
        self.is_open = eyes.ev.is_open
        self.left = MOST_LOOKS
        self.calls = 0
        # Names that stand for something face down, of which only what all can see may be asked.
        self.veiled: dict[int, m.Kind] = {}

    # -------------------------------------------------------------- any expression

    def unseen(self, x: ir.X, env: Env, need: str = "visible") -> str:  # noqa: C901 - one case for each sort of node
        if not self.veiled and self.is_open(x):
            return ""
        self.left -= 1
        if self.left < 0:
            return TOO_MUCH
        match x:
            case ir.Lit() | ir.ThingLit() | ir.AllThings() | ir.RangeX():
                return ""
            case ir.Local(var=var):
                return self._local(x, var, env, need)
            case ir.StateX(of=of):
                return self._state(x, of, env, need)
            case ir.AttrX(of=of) | ir.PieceStateX(of=of) | ir.PlaceOfX(of=of):
                return self._fact(x, of, env)
            case ir.ContentsX():
                return self._contents(x, env, need)
            case ir.FilterX(source=source, var=var, condition=condition):
                return self._filtered(source, var, condition, env, need)
            case ir.SomeX(source=source):
                return self.unseen(source, env, "nonempty")
            case ir.BuiltinX(name="count", args=(source,)):
                return self.unseen(source, env, "count")
            case ir.BuiltinX(name="known", args=(source,)):
                return self.unseen(source, env, "nonempty")
            case ir.BuiltinX(name="top", args=(ir.ContentsX() as source,)):
                return self.unseen(source, env, "top")
            case ir.InX(element=element, source=source):
                return self._inside(element, source, env)
            case ir.CompareX(left=left, right=right) if right.type == NOTHING:
                return self.unseen(left, env, "nonempty")
            case ir.AndX(parts=parts):
                return self._until(parts, False, env)
            case ir.OrX(parts=parts):
                return self._until(parts, True, env)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                return self.unseen(condition, env) or self._branch(condition, then, otherwise, env, need)
            case ir.QuantX(picks=picks, condition=condition):
                return self._each(picks, (condition,), None, env)
            case ir.AggregateX(function=function, picks=picks, value=value, condition=condition):
                # Of those that are counted it matters whether something is so, not which they are.
                is_asked = function != "count" or value.type == BOOL
                return self._each(picks, (value,) if is_asked else (), condition, env)
            case ir.MostX(source=source, var=var, by=by):
                return self._each(((var, source),), (by,), None, env) or self.unseen(source, env, need)
            case ir.CallX(function=function, args=args):
                return self._call(function, args, env)
            case ir.RouteX(route=route, args=args, target=target):
                return self._route(route, args, target, env)
            case ir.TableX(table=table, args=args, shift=shift):
                found = self._all((*args, *([shift] if shift is not None else [])), env)
                inner = self.eyes.enter(table.params, args, env)
                return found or self._all([row.guard for row in table.rows if row.guard is not None], inner)
        return self._all(children(x), env)

    def _all(self, parts: Sequence[ir.X], env: Env) -> str:
        return next((found for part in parts if (found := self.unseen(part, env))), "")

    def _until(self, parts: Sequence[ir.X], decides: bool, env: Env) -> str:
        """Parts of `and` and `or`: what comes after the one that settles it is not looked at."""
        for part in parts:
            found = self.unseen(part, env)
            if found:
                return found
            if self._holds(part, env) is decides:
                return ""
        return ""

    def _holds(self, x: ir.X, env: Env) -> bool | None:
        """Whether a condition that is in sight holds; None if that cannot be worked out here."""
        try:
            return self.eyes.holds(x, env)
        except Exception:  # a name that has no value here, or a rule that goes wrong
            return None

    def _branch(self, condition: ir.X, then: ir.X, otherwise: ir.X, env: Env, need: str) -> str:
        holds = self._holds(condition, env)
        taken = [x for x, is_taken in ((then, holds is not False), (otherwise, holds is not True)) if is_taken]
        return next((found for x in taken if (found := self.unseen(x, env, need))), "")

    # -------------------------------------------------------------- names and their facts

    def _local(self, x: ir.Local, var: ir.Var, env: Env, need: str) -> str:
        if var.ident in self.veiled:
            return "" if need in _COUNTED else FACE_DOWN
        if var.ident in env.values:
            return ""  # whoever asks has named it, or it was taken from what they see
        slot = self.game.data.var_slots.get(var.ident)
        if slot is None or var.role == "element":
            return ""
        if is_private(var) and not self.eyes.is_asked_about(var):
            return f"what {var.name.replace('_', ' ')} is"
        return self._value(self.eyes.S[slot], x.type, need, var.name)

    def _value(self, value: Any, type_: Type, need: str, name: str) -> str:
        """What a value names that is not known."""
        if need in _COUNTED or not self.is_open.can_hide(type_):
            return ""
        try:
            items = items_in(value, type_data(type_))
        except (TypeError, ValueError):
            return ""  # a name that nobody has given a value yet
        unknown = any(not self._knows(kind, item) for kind, item in items)
        return f"what {name.replace('_', ' ')} is" if unknown else ""

    def _knows(self, kind: str, item: int) -> bool:
        roles = self.eyes.roles
        if self.game.data.kinds[kind].is_pieces and item >> self.game.values.shift not in self.game.values.places:
            return True  # a name that nobody has picked yet
        return roles is None or knows(self.game, self.eyes.S, kind, item, roles)

    def _state(self, x: ir.StateX, of: ir.X | None, env: Env, need: str) -> str:
        if of is not None:
            if isinstance(of, ir.Local) and of.var.ident in self.veiled:
                if not is_open(x, self.veiled[of.var.ident]):
                    return FACE_DOWN
            else:
                found = self.unseen(of, env) or self._known_things(of, env)
                if found:
                    return found
        if not self.is_open.can_hide(x.type):
            return ""
        try:
            return self._value(self.eyes.value(x, env), x.type, need, x.state.name)
        except Exception:  # of a name that has no value here: it might be any of them
            return f"what {x.state.name.replace('_', ' ')} is" if need not in _COUNTED else ""

    def _known_things(self, of: ir.X, env: Env) -> str:
        """What is hidden of things whose state is asked for: which they are by where they lie."""
        type_ = of.type.element if isinstance(of.type, Maybe | SetOf | ListOf) else of.type
        if not isinstance(type_, ThingOf) or not self.is_open.can_hide(type_):
            return ""
        try:
            items = items_in(self.eyes.value(of, env), type_data(of.type))
        except Exception:
            names = range(len(self.game.data.kinds[type_.kind].names))
            items = [(type_.kind, i) for i in names]
        return self._first_unknown(items)

    def _first_unknown(self, items: Sequence[tuple[str, int]]) -> str:
        from rulescript.phrases import kind_noun, plural

        kind = next((kind for kind, item in items if not self._knows(kind, item)), None)
        return f"which {plural(kind_noun(kind))} there are" if kind is not None else ""

    def _fact(self, x: ir.AttrX | ir.PieceStateX | ir.PlaceOfX, of: ir.X, env: Env) -> str:
        if isinstance(of, ir.Local) and of.var.ident in self.veiled:
            is_seen = isinstance(x, ir.PlaceOfX) or is_open(x, self.veiled[of.var.ident])
            return "" if is_seen else FACE_DOWN
        found = self.unseen(of, env)
        if found or (isinstance(x, ir.AttrX) and not isinstance(of.type, PieceOf)):
            return found
        if isinstance(of.type, PieceOf):
            try:
                value = self.eyes.value(of, env)
            except Exception:
                return ""  # one of a pile that was looked at by itself
            return "" if value is None or self._knows(of.type.kind, value) else FACE_DOWN
        return self._known_things(of, env)

    # -------------------------------------------------------------- places

    def _contents(self, x: ir.ContentsX, env: Env, need: str) -> str:
        found = self.unseen(x.of, env) if x.of is not None else ""
        if found:
            return found
        level = "visible" if need == "lying" else need
        slots = self.eyes.slots(x, env)
        closed = next((slot for slot in slots if not self.eyes.sees(slot, level)), None)
        if closed is not None:
            return self.game.values.place_label(closed)
        if need == "visible" and self.eyes.face_down(x.holds.kind.name, slots):
            return FACE_DOWN
        if need == "top" and self.eyes.roles is not None:
            tops = [top_of(self.eyes.S[slot]) for slot in slots if self.eyes.S[slot]]
            kind = x.holds.kind.name
            if any(is_hidden(self.game, self.eyes.S, kind, i, self.eyes.roles) for i in tops if i is not None):
                return FACE_DOWN
        return ""

    def _inside(self, element: ir.X, source: ir.X, env: Env) -> str:
        if isinstance(source, ir.ContentsX) and isinstance(element.type, ThingOf):
            found = self.unseen(element, env)
            if found:
                return found
            try:
                item = self.eyes.value(element, env)
            except Exception:
                item = None
            if item is not None and self._knows(element.type.kind, item):
                # Where it lies is seen, so also where it does not.
                return self.unseen(source.of, env) if source.of is not None else ""
        return self._all((element, source), env)

    def _members(self, var: ir.Var, source: ir.X, env: Env) -> list[tuple[Env, m.Kind | None]] | None:
        """The members of something that was looked at, each with its kind if it lies face down; None if they cannot be
        worked out here."""
        try:
            refs = self.eyes.refs(source, env)
        except Exception:
            return None
        kind = getattr(var.type, "kind", "")
        roles = self.eyes.roles or ()
        hides = self.game.code["HIDE"].get(kind) if self.eyes.roles is not None else None
        out: list[tuple[Env, m.Kind | None]] = []
        for ref in refs:
            is_veiled = hides is not None and ref is not None and is_hidden(self.game, self.eyes.S, kind, ref, roles)
            veil = self.game.model.kinds[kind] if is_veiled and _lies(source) else None
            out.append((env.also((var, ref)), veil))
        return out

    def _filtered(self, source: ir.X, var: ir.Var, condition: ir.X, env: Env, need: str) -> str:
        found = self.unseen(source, env, "lying" if _lies(source) else "visible")
        if found:
            return found
        members = self._members(var, source, env)
        if members is None:
            return self._of_any(var, source, condition, env, need)
        for inner, veil in members:
            found = self._with(var, veil, condition, inner)
            if found:
                return found
            if veil is not None and need in ("visible", "top") and self._holds(condition, inner) is not False:
                return FACE_DOWN
        return ""

    def _of_any(self, var: ir.Var, source: ir.X, condition: ir.X, env: Env, need: str) -> str:
        """A filter over what cannot be worked out here (a space on the way, which may be any): each member may lie face
        down, and only what all can see of it is asked."""
        kind = getattr(var.type, "kind", "")
        if need not in _COUNTED or not _lies(source) or kind not in self.game.code["HIDE"]:
            return self.unseen(source, env, "visible") or self.unseen(condition, env)
        return self._with(var, self.game.model.kinds[kind], condition, env)

    def _with(self, var: ir.Var, veil: m.Kind | None, x: ir.X, env: Env) -> str:
        """An expression with a name for what may lie face down."""
        before = self.veiled
        self.veiled = {ident: kind for ident, kind in before.items() if ident != var.ident}
        if veil is not None:
            self.veiled[var.ident] = veil
        try:
            return self.unseen(x, env)
        finally:
            self.veiled = before

    def _each(
        self, picks: Sequence[tuple[ir.Var, ir.X]], parts: Sequence[ir.X], condition: ir.X | None, env: Env
    ) -> str:
        """Parts that are worked out for each of what is picked, as far as a condition holds."""
        if not picks:
            found = self.unseen(condition, env) if condition is not None else ""
            if found or (condition is not None and self._holds(condition, env) is False):
                return found
            return self._all(parts, env)
        (var, source), rest = picks[0], picks[1:]
        found = self.unseen(source, env, "lying" if _lies(source) else "visible")
        if found:
            return found
        members = self._members(var, source, env)
        if members is None:
            return self.unseen(source, env, "visible") or self._each(rest, parts, condition, env)
        before = self.veiled
        for inner, veil in members:
            self.veiled = {ident: kind for ident, kind in before.items() if ident != var.ident}
            if veil is not None:
                self.veiled[var.ident] = veil
            found = self._each(rest, parts, condition, inner)
            if found:
                break
        self.veiled = before
        return found

    # -------------------------------------------------------------- rules

    def _call(self, function: m.Function, args: Sequence[ir.X], env: Env) -> str:
        given: dict[int, m.Kind] = {}
        for param, arg in zip(function.params, args, strict=False):
            if isinstance(arg, ir.Local) and arg.var.ident in self.veiled:
                given[param.ident] = self.veiled[arg.var.ident]  # what is asked of it is seen inside
                continue
            found = self.unseen(arg, env)
            if found:
                return found
        if self.calls >= MOST_CALLS:
            return TOO_MUCH
        self.calls += 1
        before, self.veiled = self.veiled, given
        try:
            return self._body(function, self.eyes.enter(function.params, args, env))
        finally:
            self.calls -= 1
            self.veiled = before

    def _body(self, function: m.Function, env: Env) -> str:
        for clause in function.clauses:
            found = self._clause(clause, env)
            if found:
                return found
        found, _ = self._block(function.block, env)
        if found:
            return found
        for layer in function.adjustments:
            if layer.condition is not None:
                found = self.unseen(layer.condition, env)
                if found:
                    return found
                if self._holds(layer.condition, env) is False:
                    continue
            found = self.unseen(layer.value, env)
            if found:
                return found
        return ""

    def _clause(self, clause: ir.Clause, env: Env) -> str:
        for when, _ in clause.lifted:
            found = self.unseen(when, env) if when is not None else ""
            if found:
                return found
        if clause.when is not None:
            found = self.unseen(clause.when, env)
            if found or self._holds(clause.when, env) is False:
                return found
        return self.unseen(clause.condition, env)

    def _block(self, block: ir.Block, env: Env) -> tuple[str, bool]:
        """What is hidden of what a function works out, and whether it has given its answer."""
        for statement in block:
            match statement:
                case ir.ReturnS(value=ir.X() as value):
                    return self.unseen(value, env), True
                case ir.LetS(var=var, value=value):
                    found = self.unseen(value, env)
                    if found:
                        return found, True
                    try:
                        env = env.also((var, self.eyes.value(value, env)))
                    except Exception:
                        continue  # what depends on it will say so
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    found = self.unseen(condition, env)
                    if found:
                        return found, True
                    holds = self._holds(condition, env)
                    for inner, is_taken in ((then, holds is not False), (otherwise, holds is not True)):
                        found, is_done = self._block(inner, env) if is_taken else ("", False)
                        if found or (is_done and holds is not None):
                            return found, True
        return "", False

    def _route(self, route: m.Route, args: Sequence[ir.X], target: ir.X | None, env: Env) -> str:
        found = self._all((*args, *([target] if target is not None else [])), env)
        if found or self.calls >= MOST_CALLS:
            return found or TOO_MUCH
        self.calls += 1
        before, self.veiled = self.veiled, {}
        inner = self.eyes.enter(route.params, args, env)
        try:
            # Which spaces it passes is not known here: it may be any of them.
            return self._all(expressions_of(route), inner)
        finally:
            self.calls -= 1
            self.veiled = before


def _lies(source: ir.X) -> bool:
    """Whether the members of something are looked at where they lie, so that each may lie face down."""
    while isinstance(source, ir.FilterX):
        source = source.source
    return isinstance(source, ir.ContentsX)
