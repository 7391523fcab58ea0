"""How a value comes about: `explain`.

A value that is adjusted is taken apart layer by layer, in the order the layers apply: what replaces it,
what multiplies it, what is added, then floors and caps. A state is traced to the events that set it, a
condition to the parts that hold, a route to its way, a table to its row. Everything is worked out again
when asked; a position keeps none of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.explain.env import Env, source_text
from rulescript.explain.failed_clauses import Judge
from rulescript.locks import one_at_a_time
from rulescript.machine.tables import BITS
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.traverse import children
from rulescript.model.types import BOOL, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type
from rulescript.phrases import readable
from rulescript.reasons import Cause, Explanation
from rulescript.runtime.failures import play_error
from rulescript.runtime.views import role_of, seen_name

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["LAYERS", "applied", "explain"]

EVENTS = 3
DEPTH = 4
LAYERS = (("set",), ("times",), ("add",), ("floor", "cap"))
_SAID = {"set": "is set to", "times": "times", "add": "plus", "floor": "at least", "cap": "at most"}


@one_at_a_time
def explain(position: Position, what: str, player: str | int | Sequence[int] | None = None) -> Explanation:
    """How the value of an expression comes about, as `player` (or some roles together) may know it; None knows
    everything.

    BadExpression says what is wrong with a text that is no expression of the game."""
    roles: Sequence[int] | None = None
    if player is not None:
        roles = (role_of(position, player),) if isinstance(player, str | int) else player
    judge = Judge(position, roles)
    x = judge.eyes.ev.read_once(what, judge.eyes.ev.names_at(position, roles))
    env = Env.of()
    unseen = (_copy_named(x) if roles is not None else "") or judge.eyes.unseen(x, env)
    if unseen:
        return Explanation(what, None, "hidden", (Cause("part", "hidden", f"{unseen}: hidden from you"),))
    try:
        value = judge.eyes.value(x, env)
        teller = _Teller(judge)
        return Explanation(
            what, plain_value(judge, value, x.type), judge.eyes.words(value, x.type), tuple(teller.causes(x, env, 0))
        )
    except (ArithmeticError, LookupError, TypeError, RecursionError) as problem:
        # What is asked for cannot be worked out: told as if a rule had asked for it.
        raise play_error(position.game, problem) from None


def _copy_named(x: ir.X) -> str:
    """What somebody asks who names one of several copies of a thing: nobody at the table could tell which it is."""
    if isinstance(x, ir.ThingLit):
        copied = x.kind.things[x.index].copy_of
        return f"which {copied} it is" if copied else ""
    if isinstance(x, ir.SetX) and len(x.items) > 1 and all(isinstance(item, ir.ThingLit) for item in x.items):
        things = [item.kind.things[item.index] for item in x.items if isinstance(item, ir.ThingLit)]
        every = [t for t in things[0].kind.things if t.copy_of in {thing.copy_of for thing in things} - {""}]
        return "" if all(t in things for t in every) else "which of several copies it is"
    return next((found for part in children(x) if (found := _copy_named(part))), "")


def plain_value(judge: Judge, value: Any, type_: Type) -> Any:
    """A raw value as plain data, by names."""
    values = judge.eyes.game.values
    match type_:
        case ThingOf(kind):
            if judge.eyes.roles is not None:
                return seen_name(judge.eyes.game, value, ["thing", kind])
            return values.name(value, ["thing", kind])
        case PieceOf(kind):
            return values.name(value, ["piece", kind])
        case Maybe(element):
            return None if value is None else plain_value(judge, value, element)
        case SetOf(element):
            return tuple(plain_value(judge, i, element) for i in BITS[value])
        case ListOf(element):
            return tuple(plain_value(judge, i, element) for i in value)
        case Pile(kind):
            return {values.piece_name(kind, code): count for code, count in values.pile(kind, value)}
    return bool(value) if type_ == BOOL else value


class _Teller:
    """Takes values apart."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.eyes = judge.eyes
        self.game = judge.eyes.game

    def causes(self, x: ir.X, env: Env, depth: int) -> list[Cause]:  # noqa: C901 - one case for each sort of node
        if depth > DEPTH:
            return []
        match x:
            case ir.CallX(function=function, args=args):
                inner = self.eyes.enter(function.params, args, env)
                if function.form == "predicate":
                    return [self.clause(c, inner, depth) for c in function.clauses]
                if function.adjustments or function.form == "value":
                    return self.layers(function, inner, depth)
                found = self.eyes.returned(function.block, inner)
                return [self.part(found[0], found[1], depth, function.cites)] if found is not None else []
            case ir.StateX(state=state, of=of):
                index = self.eyes.value(of, env) if of is not None else None
                return self.set_events(state, index)
            case ir.ContentsX():
                return self.move_events(set(self.eyes.slots(x, env)))
            case ir.AttrX(attr=attr, of=of):
                return [self.fixed(attr, self.eyes.value(of, env), of.type)]
            case ir.RouteX(target=ir.X() as target):
                return self.way(x, self.eyes.value(target, env), env)
            case ir.RouteX():
                return [c for t in BITS[self.eyes.value(x, env)] for c in self.way(x, t, env)]
            case ir.InX(element=element, source=ir.RouteX(target=None) as route):
                return self.way(route, self.eyes.value(element, env), env) or self.refused(x, env)
            case ir.TableX():
                return self.row(x, env, depth)
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                return [self.part(p, env, depth) for p in parts]
            case ir.NotX(of=of):
                return self.causes(of, env, depth)
            case ir.CompareX(left=left, right=right):
                return [self.part(p, env, depth) for p in (left, right) if not _literal(p)]
            case ir.ArithX(args=args):
                return [self.part(p, env, depth) for p in args if not _literal(p)]
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                taken = then if self.eyes.holds(condition, env) else otherwise
                return [self.part(p, env, depth) for p in (condition, taken) if not _literal(p)]
            case ir.BuiltinX(args=args):
                return [self.part(p, env, depth) for p in args if not _literal(p)]
            case ir.AggregateX(picks=((var, source),), value=value, condition=condition, function=function):
                if function in ("sum", "max", "min"):
                    return self.summed(var, source, value, condition, env)
        if x.type == BOOL:
            return self.refused(x, env)
        return []

    def part(self, x: ir.X, env: Env, depth: int, cites: tuple[str, ...] = ()) -> Cause:
        """A part of an expression with its value, and what is behind it."""
        shown = self.eyes.shown(x, env)
        inner: Sequence[Cause] = ()
        if shown not in ("hidden", "cannot be worked out"):
            inner = self.causes(x, env, depth + 1)
        text = source_text(x)
        if x.type == BOOL and shown in ("yes", "no"):
            holds = shown == "yes"
            said = f"{'yes' if holds else 'no'}: {self.eyes.say(x, holds, env)}"
            return Cause("holds" if holds else "fails", shown, said, "", cites, shown, tuple(inner))
        return Cause("part", shown, f"{text} is {shown}", "", cites, shown, tuple(inner))

    def clause(self, clause: ir.Clause, env: Env, depth: int) -> Cause:
        if self.judge.is_secret(clause, env):
            return Cause("part", "hidden", clause.label or "hidden", clause.label, clause.cites, "hidden")
        holds = self.judge.met(clause, env)
        said = self.eyes.say(clause.condition, holds, env) if holds else self.judge.fact(clause.condition, True, env)
        word = "yes" if holds else "no"
        inner = self.causes(clause.condition, env, depth + 1) if not holds else []
        return Cause(
            "holds" if holds else "fails",
            word,
            f"{word}: {said}",
            clause.label,
            clause.cites,
            word,
            tuple(inner),
        )

    def refused(self, x: ir.X, env: Env) -> list[Cause]:
        """What is behind a condition that fails, as requirements tell it."""
        if self.eyes.holds(x, env):
            return [Cause("part", v, f"{t} is {v}", value=v) for t, v in self.eyes.seen(x, env)]
        out = [Cause("part", v, f"{t} is {v}", value=v) for t, v in self.eyes.seen(x, env)]
        for failed in self.judge.through(x, True, env):
            at = f"at {', '.join(failed.at)}: " if failed.at else ""
            out.append(Cause("fails", "no", f"{at}{failed.fact}", failed.label, failed.cites, "no"))
        return out

    # -------------------------------------------------------------- values in layers

    def layers(self, function: m.Function, env: Env, depth: int) -> list[Cause]:
        """The base of a value and each adjustment that applied, in the order of the layers."""
        judge = self.judge
        out: list[Cause] = []
        found = judge.eyes.returned(function.block, env)
        value: Any = None
        if found is not None:
            result, inner = found
            value = judge.eyes.value(result, inner)
            shown = self._shown(value, function.type)
            behind = () if _literal(result) else tuple(self.causes(result, inner, depth + 1))
            text = f"{shown}: {judge.eyes.speaker(result, inner).phrase(result)}"
            out.append(Cause("base", shown, text, readable(function.name), function.cites, shown, behind))
        for operations in LAYERS:
            for adjustment in function.adjustments:
                if adjustment.operation not in operations:
                    continue
                if adjustment.condition is not None and not judge.eyes.holds(adjustment.condition, env):
                    continue
                amount = judge.eyes.value(adjustment.value, env)
                value = _applied(adjustment.operation, value, amount)
                shown, total = self._shown(amount, function.type), self._shown(value, function.type)
                why = (
                    f", since {judge.eyes.say(adjustment.condition, True, env)}"
                    if adjustment.condition is not None
                    else ""
                )
                text = f"{_SAID[adjustment.operation]} {shown}{why}: {total}"
                out.append(Cause(adjustment.operation, shown, text, adjustment.label, adjustment.cites, total))
                if adjustment.operation == "set":
                    break  # the first that applies replaces the base; there is no second
        return out

    def _shown(self, value: Any, type_: Type) -> str:
        return self.eyes.words(value, type_)

    # -------------------------------------------------------------- what happened

    def _events(self) -> Iterator[tuple[Any, ...]]:
        position = self.eyes.position
        yield from position._opening
        for step in position.history():
            yield from step.events

    def set_events(self, state: m.State, index: int | None) -> list[Cause]:
        """The last events that set a state, newest first."""
        position = self.eyes.position
        if position.j is None:
            return [Cause("event", "", "no history is kept, so nobody knows what set it")]
        wanted = (state.kind.name if state.kind is not None else "", state.name)
        found: list[tuple[Any, ...]] = []
        for event in self._events():
            site = self.game.data.sites[event[0]]
            if site[0] != "set" or len(event) == 1:
                continue
            if tuple(site[4]) == wanted and (index is None or event[1] == index):
                found.append(event)
        out: list[Cause] = []
        for event in reversed(found):
            shown, cites = self._set_to(event, state)
            if shown and len(out) < EVENTS:
                out.append(Cause("event", shown, f"set to {shown}", "", cites, shown))
        initial = plain(state.initial[index] if index is not None else state.initial)
        start = self._shown(initial, state.type)
        now = self.eyes.ev.value(_state_x(state, index), self.eyes.S)
        shown = self._shown(now, state.type)
        if out and out[0].value != shown:
            lasts = ", ".join(name.text for name in state.lasts)
            why = f"it lasts only during {readable(lasts)}" if lasts else "the sequence of play moved on"
            out.insert(0, Cause("event", shown, f"back to {shown}: {why}", "", state.cites, shown))
        elif not out:
            why = "it starts so" if shown == start else "the sequence of play brought it there"
            out.append(Cause("base", shown, f"{shown}: {why}", "", state.cites, shown))
        return out

    def _set_to(self, event: tuple[Any, ...], state: m.State) -> tuple[str, tuple[str, ...]]:
        """What an event set a state to, and by which rules, as the viewer could tell it then; nothing if they could
        not."""
        from rulescript.runtime.event_words import EventTeller

        teller = EventTeller(self.eyes.position, self.eyes.roles)
        for told in teller.told(event):
            veiled = str(told["text"]).partition(" is now ")[2]
            return veiled if teller.veils(event) else self._shown(event[2], state.type), tuple(told["cites"])
        return "", ()

    def move_events(self, slots: set[int]) -> list[Cause]:
        """The last moves into or out of places, newest first, as the viewer may know them."""
        from rulescript.runtime.event_words import EventTeller

        position = self.eyes.position
        if position.j is None:
            return [Cause("event", "", "no history is kept")]
        teller = EventTeller(position, self.eyes.roles)
        told: list[dict[str, Any]] = []
        for events in (position._opening, *(step.events for step in position.history())):
            moves = [event for event in events if self.game.data.sites[event[0]][0] in ("move", "draw")]
            told += teller.all_told([event for event in moves if slots & {event[2], event[3]}])
        out = [Cause("event", "", event["text"], "", tuple(event["cites"])) for event in reversed(told[-EVENTS:])]
        return out or [Cause("base", "", "nothing moved there or away since the start")]

    # -------------------------------------------------------------- the rest

    def fixed(self, attr: m.Attr, value: Any, type_: Type) -> Cause:
        kind = attr.kind
        index = value & self.game.values.low if isinstance(type_, PieceOf) else value
        thing = kind.things[index % len(kind.things)]
        shown = self._shown(plain(attr.values[thing.index]), attr.type)
        note = f"; reconstructed: {thing.reconstructed}" if thing.reconstructed else ""
        return Cause("fixed", shown, f"{thing.label} has it from the start: {shown}{note}", "", thing.cites, shown)

    def way(self, x: ir.RouteX, target: int, env: Env) -> list[Cause]:
        found = self.judge.path(x, target, env)
        if found is None:
            return []
        path, steps = found
        names = [x.route.kind.things[s].label for s in path]
        unit = "step" if x.route.cost is None else "point"
        text = f"{' - '.join(names)}, {steps} {unit}{'s' if steps != 1 else ''}"
        return [Cause("way", str(steps), text, readable(x.route.name), x.route.cites, str(steps))]

    def row(self, x: ir.TableX, env: Env, depth: int) -> list[Cause]:
        """The row of a table that was read."""
        table = x.table
        values = [self.eyes.value(a, env) for a in x.args]
        inner = Env.of(list(zip(table.params, values, strict=False)))
        out = [self.part(a, env, depth) for a in x.args if not _literal(a)]
        for row in table.rows:
            if not row.otherwise and not any(_fits(values[0], key) for key in row.key):
                continue
            if row.guard is not None and not self.eyes.holds(row.guard, inner):
                continue
            shown = self._shown(self.eyes.value(x, env), table.type)
            which = "otherwise" if row.otherwise else self._shown(values[0], table.params[0].type)
            note = f"; reconstructed: {row.reconstructed}" if row.reconstructed else ""
            text = f"row {which} of {readable(table.name)}: {shown}{note}"
            out.append(Cause("row", shown, text, "", row.cites, shown))
            break
        return out

    def summed(self, var: ir.Var, source: ir.X, value: ir.X, condition: ir.X | None, env: Env) -> list[Cause]:
        """What each member comes to. Pieces that are alike are told once, with how many they are."""
        out = []
        for item, number in Counter(self.eyes.members(source, env)).items():
            inner = env.also((var, item))
            if condition is not None and not self.eyes.holds(condition, inner):
                continue
            shown = self._shown(self.eyes.value(value, inner), value.type)
            called = self.eyes.words(item, var.type)
            text = f"{called}: {shown}" if number == 1 else f"{number} {called}: {shown} each"
            out.append(Cause("part", shown, text, value=shown))
        return out


def _state_x(state: m.State, index: int | None) -> ir.X:
    if index is None or state.kind is None:
        return ir.StateX(state.type, state.span, state, None)
    of = ir.ThingLit(ThingOf(state.kind.name), state.span, state.kind, index)
    return ir.StateX(state.type, state.span, state, of)


def applied(base: Any, layers: Sequence[tuple[str, Any]]) -> Any:
    """What a value comes to with some adjustments, in the order of the layers."""
    value, is_set = base, False
    for operation, amount in layers:
        # The first that applies replaces the base; there is no second.
        if operation != "set" or not is_set:
            value = _applied(operation, value, amount)
        is_set = is_set or operation == "set"
    return value


def _applied(operation: str, value: Any, amount: Any) -> Any:
    match operation:
        case "times":
            return value * amount
        case "add":
            return value + amount
        case "floor":
            return max(value, amount)
        case "cap":
            return min(value, amount)
    return amount


def _fits(value: Any, key: Any) -> bool:
    if isinstance(key, tuple):
        return bool(key[0] <= value <= key[1])
    return bool(plain(key) == value)


def _literal(x: ir.X) -> bool:
    return isinstance(x, ir.Lit | ir.ThingLit | ir.AllThings | ir.RangeX) or (
        isinstance(x, ir.SetX | ir.ListX) and all(map(_literal, x.items))
    )
