"""Conditions on one thing that no arithmetic on masks can say -> masks all the same, kept and mended.

A condition such as `holder(a) == s`, where `holder` is a rule of several lines, often looks at nothing of the state
but what is written for the thing it is asked of: its own states, its own places. Which things of a kind meet it is a
*chart*: a mask that is kept together with all that was looked at. When it is asked for again, what is written now is
compared with that, and only the things for which something differs are tested anew. So a chart cannot be stale, and a
test of every thing becomes a look at a mask (`answers.charted`).

What the condition needs besides (names from around it, states of the game, of others) is the key of a chart.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Known, Name, Slot, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.infos import ChartInfo
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.safety import NEVER_FAIL, rests_on_others
from rulescript.compiler.lower.scope import is_fixed
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import expressions_of, walk
from rulescript.model.types import BOOL, Maybe, SetOf, ThingOf, Type

__all__ = ["FEWEST", "MOST", "Charts"]

# Kinds of fewer things are quickly gone through, and comparing what is written for more takes its time too.
FEWEST, MOST = 6, 512
# A chart may have so many keys by the names around it, and look at so much besides.
MOST_KEYS = 128
MOST_BESIDES = 10
# A rule that is more than so many looks counts itself.
MOST_WORK = 2_000
# Numbers of names of our own.
FIRST_NAME = -1_000


@define
class Looks:
    """What a condition reads: slots with an entry for each thing, masks with a bit for each thing, and others;
    and whether it looks into the places of each thing."""

    own: dict[int, None] = Factory(dict)
    bits: dict[int, None] = Factory(dict)
    besides: dict[int, None] = Factory(dict)
    places: bool = False


class Charts(Room):
    """Writes charts."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._made: dict[tuple[Code, str, tuple[Code, ...]], str] = {}

    def mask(self, kind: m.Kind, var: ir.Var, x: ir.X, charted: str) -> Code | None:
        """The members of a kind for which a condition holds; None if it looks at too much."""
        if self.inlining.whole or not FEWEST <= kind.size <= MOST or self.work.x(x) > MOST_WORK:
            return None
        looks = Looks()
        if rests_on_others(x):
            return None
        is_asking = self._calls(x)
        x, around = _taken_out(x, var, self._is_one_of_two)
        if not self._look(x, frozenset({var.ident}), looks, ()) or len(looks.besides) > MOST_BESIDES:
            return None
        if charted == "often" and looks.places and not is_asking:
            return None  # what lies in places changes with every move, and a look at it is quick
        keys = 1
        for each in around:
            keys *= self._values(each.type)
        if not 0 < keys <= MOST_KEYS:
            return None
        given = tuple(self.x(each) for each in around.values())
        key = (*given, *[Slot(slot) for slot in looks.besides])
        name = self._chart(kind, var, x, list(around), looks)
        made = call(name, STATE, key[0] if len(key) == 1 else c.Tuple(key) if key else None)
        return self.scope.kept(made) if all(is_fixed(each) for each in key) else made

    def _is_one_of_two(self, x: ir.X) -> bool:
        """Whether it is a state of the game that goes to and fro between two things: there is a chart for each."""
        return isinstance(x, ir.StateX) and x.of is None and isinstance(x.type, ThingOf) and self._values(x.type) == 2

    def _calls(self, x: ir.X) -> bool:
        """Whether a condition asks a rule that is not written out in place."""
        return any(isinstance(node, ir.CallX) and self.inlining.inline_body(node.function) is None for node in walk(x))

    def _values(self, type_: Type) -> int:
        """How many values something can have, if they are few; 0 otherwise."""
        match type_:
            case ThingOf(kind):
                return self.game.kinds[kind].size
            case Maybe(element):
                number = self._values(element)
                return number + 1 if number else 0
        return 2 if type_ == BOOL else 0

    # -------------------------------------------------------------- what is looked at

    def _look(self, x: ir.X, own: frozenset[int], looks: Looks, inside: tuple[int, ...]) -> bool:
        """Note what an expression reads; whether a chart can be made of it. `own` are the names that mean the element,
        `inside` the rules that are being looked at."""
        match x:
            case ir.RouteX() | ir.TemplateX() | ir.TableX() | ir.PlaceOfX():
                return False
            case ir.ArithX(operator=operator) if operator not in NEVER_FAIL:
                return False
            case ir.BuiltinX(name=name) if name not in NEVER_FAIL:
                return False
            case ir.StateX(state=state, of=of):
                return self._look_at_state(state, of, own, looks, inside)
            case ir.ContentsX(holds=holds, of=of):
                return self._look_at_place(holds, of, own, looks)
            case ir.CallX(function=function, args=args):
                if id(function) in inside:
                    return False
                same = frozenset(
                    param.ident for param, arg in zip(function.params, args, strict=True) if _is_one_of(arg, own)
                )
                others = [arg for arg in args if not _is_one_of(arg, own)]
                deeper = (*inside, id(function))
                return all(self._look(arg, own, looks, inside) for arg in others) and all(
                    self._look(each, same, looks, deeper) for each in expressions_of(function)
                )
        for name, is_many in ir.inner_fields(x.__class__):
            value = getattr(x, name)
            if not is_many:
                if value is not None and not self._look(value, own, looks, inside):
                    return False
                continue
            for item in value:
                for each in item if item.__class__ is tuple else (item,):
                    if isinstance(each, ir.X) and not self._look(each, own, looks, inside):
                        return False
        return True

    def _look_at_state(
        self, state: m.State, of: ir.X | None, own: frozenset[int], looks: Looks, inside: tuple[int, ...]
    ) -> bool:
        slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
        if of is not None and _is_one_of(of, own):
            (looks.bits if mode == "mask" else looks.own)[slot] = None
            return True
        if of is not None and not self._look(of, own, looks, inside):
            return False
        if mode == "mask":
            looks.besides[slot] = None
            return True
        if mode == "dual":
            first = self.layout.mask_slot[id(state)]
            looks.besides |= dict.fromkeys(range(first, first + self.layout.small_kind(state.type)))
            return True
        if not self._values(state.type) and not isinstance(state.type, SetOf):
            return False
        if of is None:
            looks.besides[slot] = None
            return True
        if isinstance(of, ir.ThingLit):
            looks.besides[slot + of.index] = None
            return True
        return False

    def _look_at_place(self, holds: m.Holds, of: ir.X | None, own: frozenset[int], looks: Looks) -> bool:
        if holds.ordered:
            return False
        slot = self.layout.holds_slot[id(holds)]
        if of is not None and _is_one_of(of, own):
            looks.own[slot] = None
            looks.places = True
            return True
        if of is None or isinstance(of, ir.ThingLit):
            looks.besides[slot + (of.index if of is not None else 0)] = None
            return True
        return False

    # -------------------------------------------------------------- code

    def _chart(self, kind: m.Kind, var: ir.Var, x: ir.X, names: list[ir.Var], looks: Looks) -> str:
        """The function that gives the mask; one for all conditions that are the same."""
        element = ir.Var(var.name, var.type, "element", var.ident)
        with self.scope.apart(), self.scope.as_local(element, *names):
            self.scope.env[var.ident] = Name("i")
            for at, each in enumerate(names):
                self.scope.env[each.ident] = Name(f"k{at}")
            test = self.x(x)
        known = (test, kind.name, tuple(Name(f"k{at}") for at in range(len(names))))
        found = self._made.get(known)
        if found is not None:
            return found
        name = self._made[known] = f"chart{len(self._made)}"
        self.program.memos.append(f"{name}_memo")
        weight = max(1, self.work.x(x))
        given = tuple(0 if isinstance(each.type, Maybe) else self._values(each.type) for each in names)
        self.program.chart_infos[name] = ChartInfo(
            kind.size, given, tuple(looks.own), tuple(looks.bits), tuple(looks.besides), weight
        )
        one = Lines()
        params = [f"k{at}" for at in range(len(names))]
        extra = len(looks.besides)
        key = params[0] if len(params) == 1 and not extra else "key"
        if key == "key":
            for at, param in enumerate(params):
                one.let(param, Name("key")[at])
        one.give(test)
        out = Lines()
        size = kind.size
        slices = [c.Part(STATE, Const(slot), Const(slot + size)) for slot in looks.own]
        whole: Code
        if len(slices) == 1 and not looks.bits:
            whole = slices[0]
        else:
            whole = c.List((*[c.Spread(part) for part in slices], *[Slot(slot) for slot in looks.bits]))
        memo = Known(f"{name}_memo")
        out.let("now", whole)
        out.let("known", c.Method(memo, "get", (Name("key"),)))
        is_same = c.All((Name("known").is_something(), c.Compare("==", Name("known")[0], Name("now"))))
        out.when(is_same).give(Name("known")[1])
        work = [memo, Name("key"), Name("known"), Name("now"), STATE, Known(f"{name}_one")]
        out.give(call("charted", *work, size, len(slices), len(looks.bits), weight))
        origin = (x.span.source.name, x.span.line)
        for function in (
            c.Function(f"{name}_one", ("S", "i", key), one.body, "pure", origin=origin),
            c.Function(name, ("S", "key"), out.body, "pure", origin=origin),
        ):
            for statement in c.statements(function.body):
                statement.origin = origin
            self.program.pure.append(function)
        return name


def _is_one_of(x: ir.X, own: frozenset[int]) -> bool:
    return isinstance(x, ir.Local) and x.var.ident in own


def _taken_out(x: ir.X, var: ir.Var, is_one_of_two: Callable[[ir.X], bool]) -> tuple[ir.X, dict[ir.Var, ir.X]]:
    """A condition in which what comes from around it has names of its own, and what these are. Of `n.side` it is the
    side that is given a name: there are fewer sides than n."""
    bound = {var.ident}
    for node in walk(x):
        match node:
            case ir.FilterX(var=one) | ir.MostX(var=one):
                bound.add(one.ident)
            case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
                bound |= {each.ident for each, _ in picks}
    names: dict[tuple[int, ...], ir.Var] = {}
    around: dict[ir.Var, ir.X] = {}

    def visit(node: ir.X) -> ir.X:
        path = (id(node.state),) if isinstance(node, ir.StateX) and is_one_of_two(node) else _path(node)
        if path is not None and path[0] not in bound:
            if path not in names:
                names[path] = ir.Var("given", node.type, "element", FIRST_NAME - len(names))
                around[names[path]] = node
            return ir.Local(node.type, node.span, names[path])
        changes: dict[str, object] = {}
        for name, is_many in ir.inner_fields(node.__class__):
            value = getattr(node, name)
            if value is not None:
                changes[name] = visited(value) if is_many else visit(value)
        return ir.altered(node, changes) if changes else node

    def visited(items: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(
            visit(item) if isinstance(item, ir.X) else visited(item) if isinstance(item, tuple) else item
            for item in items
        )

    return visit(x), around


def _path(x: ir.X) -> tuple[int, ...] | None:
    """A name, or a fixed attribute of one, as numbers; of what may be nothing, only the name."""
    match x:
        case ir.Local(var=var):
            return (var.ident,)
        case ir.AttrX(attr=attr, of=of) if isinstance(of.type, ThingOf):
            if isinstance(of, ir.Local) and not isinstance(of.var.type, ThingOf):
                return None
            path = _path(of)
            return (*path, id(attr)) if path is not None else None
    return None
