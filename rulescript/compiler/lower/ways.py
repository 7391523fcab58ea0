"""Predicates about a thing and others -> the mask of the things for which one holds, kept by what it reads.

`way_open(x, y, n)`, asked of every unit for every `y`, is the same for all units of a nation in a place: a function of
x and n gives the mask of all such y, and its answers are kept by what is written in the states it reads. These change
less often than units move.
"""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Known, Name, Slot, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.charts import FEWEST, MOST
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.scope import is_fixed
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import expressions_of, free_vars, walk
from rulescript.model.types import ThingOf

__all__ = ["Ways"]

# A predicate of fewer expressions is quickly asked.
LEAST = 40
# Answers are kept by so many values, at most.
MOST_KEYS = 14


class Ways(Room):
    """Writes such functions."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._is_way: dict[int, bool] = {}
        self._made: dict[tuple[int, int], str | None] = {}

    def is_way(self, function: m.Function) -> bool:
        """Whether masks may be made of a predicate: it asks about several things, and reads only states."""
        found = self._is_way.get(id(function))
        if found is None:
            found = self._is_way[id(function)] = (
                function.form == "predicate"
                and len(function.params) > 1
                and all(isinstance(param.type, ThingOf) for param in function.params)
                and not self.inlining.whole
                and self._size(function) >= LEAST
                and self.inlining.inline_body(function, True) is not None
                and self._key(function) is not None
            )
        return found

    def mask(self, kind: m.Kind, var: ir.Var, x: ir.CallX) -> Code | None:
        """The things for which a predicate holds, if it can be asked of all at once."""
        if not self.is_way(x.function) or not FEWEST <= kind.size <= MOST:
            return None
        own = [at for at, arg in enumerate(x.args) if var.ident in free_vars(arg)]
        if len(own) != 1 or not isinstance(x.args[own[0]], ir.Local):
            return None
        name = self._way(kind, x.function, own[0])
        if name is None:
            return None
        given = [self.x(arg) for at, arg in enumerate(x.args) if at != own[0]]
        made = call(name, STATE, *given)
        return self.scope.kept(made) if all(map(is_fixed, given)) else made

    def look_up(self, x: ir.CallX) -> Code | None:
        """A predicate asked of one thing, as a look at the mask of all; None if there is none."""
        for at in reversed(range(len(x.args))):
            type_ = x.function.params[at].type
            assert isinstance(type_, ThingOf)
            kind = self.game.kinds[type_.kind]
            name = self._way(kind, x.function, at) if FEWEST <= kind.size <= MOST else None
            if name is not None:
                given = [self.x(arg) for other, arg in enumerate(x.args) if other != at]
                return call(name, STATE, *given).has(self.x(x.args[at]))
        return None

    def _size(self, function: m.Function) -> int:
        return sum(1 for x in expressions_of(function) for _ in walk(x))

    def _key(self, function: m.Function) -> list[Code] | None:
        """What is written in the states that a predicate reads; None if it reads more, or too much."""
        key: list[Code] = []
        for what, owner, name in sorted(self.effects.rule_reads(function)):
            if what != "state":
                return None
            kind = self.game.kinds.get(owner)
            if kind is not None and kind.is_pieces:
                continue  # a piece has its states with it
            state = kind.states[name] if kind is not None else self.game.states[name]
            slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
            if mode == "dual":
                first = self.layout.mask_slot[id(state)]
                key += [Slot(at) for at in range(first, first + self.layout.small_kind(state.type))]
            elif mode == "each" and kind is not None:
                key.append(call("tuple", c.Part(STATE, Const(slot), Const(slot + kind.size))))
            else:
                key.append(Slot(slot))
        return key if len(key) <= MOST_KEYS else None

    def _way(self, kind: m.Kind, function: m.Function, at: int) -> str | None:
        """The function that gives the mask; None if it must be asked one by one."""
        known = (id(function), at)
        if known in self._made:
            return self._made[known]
        self._made[known] = None
        body, key = self.inlining.inline_body(function, True), self._key(function)
        assert body is not None and key is not None
        with self.scope.apart(), self.scope.as_local(*function.params):
            mask = self.masks.mask_of(kind, function.params[at], body, "always")
            names = [self.scope.env[p.ident] for p in function.params if p is not function.params[at]]
        if mask is None:
            return None
        name = self._made[known] = f"way{len(self._made)}"
        self.program.memos.append(f"{name}_memo")
        memo, asked, found = Known(f"{name}_memo"), Name("asked"), Name("found")
        params = tuple(each.text for each in names if isinstance(each, Name))
        work, out = Lines(), Lines()
        work.give(mask)
        out.let("asked", c.Tuple((*key, *names)))
        out.let("found", c.Method(memo, "get", (asked,)))
        out.when(found.is_nothing()).store(found, call("remember", memo, asked, call(f"{name}_work", STATE, *names)))
        out.give(found)
        origin = (function.span.source.name, function.span.line)
        for made in (
            c.Function(f"{name}_work", ("S", *params), work.body, "pure", origin=origin),
            c.Function(name, ("S", *params), out.body, "pure", origin=origin),
        ):
            for statement in c.statements(made.body):
                statement.origin = origin
            self.program.pure.append(made)
        return name
