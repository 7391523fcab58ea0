"""States that last for a while: put back at the end of a phase, a rule or a round, or where their thing comes to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.machine.sparse import Recoded
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import (
    ListOf,
    Maybe,
    Type,
)

__all__ = ["Lasting"]


class Lasting(Room):
    """Puts states back."""

    @cached_property
    def _by_end(self) -> dict[str, list[tuple[int, m.State]]]:
        """The states that last until a scope ends, with their places in the order of all."""
        found: dict[str, list[tuple[int, m.State]]] = {}
        for at, state in enumerate(self.game.every_state()):
            for name in dict.fromkeys(each.text for each in state.lasts):
                found.setdefault(name, []).append((at, state))
        return found

    def states_of(self, names: set[str]) -> list[m.State]:
        found = {at: state for name in names for at, state in self._by_end.get(name, ())}
        return [found[at] for at in sorted(found)]

    def has_scope(self, name: str) -> bool:
        watched = any(i.when == "end" and i.scope == name for i in self.game.invariants)
        return watched or bool(self.states_of({name}))

    def end_of_scope(self, name: str, out: Lines) -> None:
        if any(i.when == "end" and i.scope == name for i in self.game.invariants):
            out.add(c.Watch(name))
        self.reset_scope(name, out)

    def reset_scope(self, name: str, out: Lines, is_end: bool = True) -> None:
        """Put back what lasts a scope: where it ends, or for a time while it begins anew within itself."""
        for state in self.states_of({name}):
            if state.is_depth:
                if is_end:
                    out.store(Slot(self.layout.state_slot[id(state)]), 1, "-")
                continue
            if state.kind is not None and state.kind.is_pieces:
                self._reset_pieces(state, out)
                continue
            slot = self.layout.state_slot[id(state)]
            if self.layout.state_mode[id(state)] in ("one", "mask"):
                out.store(Slot(slot), Const(self.layout.initial[slot]))
                continue
            assert state.kind is not None
            size = state.kind.size
            if self.layout.state_mode[id(state)] == "dual":
                size = self.layout.mask_slot[id(state)] + self.layout.small_kind(state.type) - slot
            values = tuple(self.layout.initial[slot : slot + size])
            out.store(c.Part(STATE, Const(slot), Const(slot + size)), self.constants.const(values, "R"))

    def _reset_pieces(self, state: m.State, out: Lines) -> None:
        """Every piece back to the state it starts with: counters move to the codes that have it."""
        kind = state.kind
        assert kind is not None
        slots = tuple(s for s, (holds, _) in self.layout.place_of_slot.items() if holds.kind is kind)
        self.reset_pile(state, Slot(0, Name("s")), out.loop(("s",), self.constants.const(slots, "R")))
        self.keeping_up.note_reset(kind, self._first_codes(kind, [state]), out)

    def reset_pile(self, state: m.State, place: Code, out: Lines) -> None:
        """The pieces in one place back to the state they start with."""
        assert state.kind is not None
        pieces = self.layout.pieces[state.kind.name]
        if pieces.is_sparse:
            out.store(place, call("recoded", place, self._first_codes(state.kind, [state])))
            return
        shifts = pieces.shifts_with(state, plain(state.initial))
        inside = out.when(place & self.constants.big(sum(shifts.values())))
        moved = Name("m")
        for shift, mask in shifts.items():
            inside.let("m", place & self.constants.big(mask))
            inside.store(place, (moved >> shift if shift > 0 else moved << -shift) - moved, "+")

    def ended(self, holds: m.Holds) -> list[m.State]:
        """The states that what comes to a place loses."""
        return [state for state in holds.kind.states.values() if state.ends_in(holds)]

    def without_ended(self, holds: m.Holds, code: Code) -> Code:
        """The code of a piece once it is in a place."""
        ended = self.ended(holds)
        return self._first_codes(holds.kind, ended)[code] if ended else code

    def _first_codes(self, kind: m.Kind, states: Sequence[m.State]) -> Code:
        """A table: the code of a piece once some of its states are as they start."""
        pieces = self.layout.pieces[kind.name]
        if pieces.is_sparse:
            found = [(pieces.stride(state), plain(state.initial)) for state in states]
            return self.constants.const(
                Recoded(tuple((n, len(values), values.index(x)) for (n, values), x in found)), "X"
            )
        table = list(range(pieces.codes))
        for state in states:
            changed = pieces.codes_with(state, plain(state.initial))
            table = [changed[code] for code in table]
        return self.constants.const(tuple(table), "X")

    def settle(self, statement: ir.S, out: Lines) -> None:
        """After a call in which states of pieces may have ended: a name whose piece is no longer there in its state
        means the one that is there without it."""
        x = Name("x")
        for var, states in self.following.settled_after(self.rule.procedure, statement):
            name, kind = self.scope.local(var), states[0].kind
            assert kind is not None
            first = self.places.piece(
                x >> self.constants.shift, self._first_codes(kind, states)[x & self.constants.low]
            )
            there = (
                Slot(0, x >> self.constants.shift)
                & Known(f"FM_{self.constants.ident(kind.name)}")[x & self.constants.low]
            )
            if isinstance(var.type, ListOf):
                each = Each(("x",), c.Any_((name, c.Tuple(()))))
                out.store(name, call("tuple", c.Listing("list", c.Cond(there, x, first), (each,))))
            else:
                out.let("x", name)
                out.when(c.All((x.is_something(), c.Not(there)))).store(name, first)

    def put_back(self, kind: m.Kind, states: Sequence[m.State], name: Code, type_: Type) -> Code:
        """What a name says of its piece, or of each of its pieces, once some states are as they start."""
        table = self._first_codes(kind, states)
        if isinstance(type_, ListOf):
            x = Name("x")
            first = self.places.piece(x >> self.constants.shift, table[x & self.constants.low])
            return call("tuple", c.Listing("list", first, (Each(("x",), name),)))
        code = self.places.piece(name >> self.constants.shift, table[name & self.constants.low])
        return c.Cond(name.is_nothing(), Const(None), code) if isinstance(type_, Maybe) else code

    def end_of_thing(self, holds: m.Holds, out: Lines) -> None:
        """What the thing `i` loses when it comes to a place."""
        i = Name("i")
        one = Const(1) << i
        for state in self.ended(holds):
            slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
            if mode == "mask":
                out.store(Slot(slot), Slot(slot) & ~one | Const(self.layout.initial[slot]) & one)
                continue
            assert state.kind is not None
            values = self.constants.const(tuple(self.layout.initial[slot : slot + state.kind.size]), "R")
            if mode == "dual":
                masks = self.layout.mask_slot[id(state)]
                out.store(Slot(masks, Slot(slot, i)), ~one, "&")
                out.store(Slot(masks, values[i]), one, "|")
            out.store(Slot(slot, i), values[i])

    def end_of_drawn(self, holds: m.Holds, name: Code, target: Code, out: Lines) -> None:
        """What was drawn loses the states that do not last where it comes to."""
        ended = self.ended(holds)
        if not ended:
            return
        if not holds.kind.is_pieces:
            self.end_of_thing(holds, out.loop(("i",), name))
            return
        out.let("d", target)
        for state in ended:
            self.reset_pile(state, Slot(0, Name("d")), out)
        x = Name("x")
        code = self.places.piece(x >> self.constants.shift, self.without_ended(holds, x & self.constants.low))
        out.store(name, call("tuple", c.Listing("list", code, (Each(("x",), name),))))

    def state_slots(self, circle: Sequence[m.Procedure]) -> set[int]:
        names = {p.name for p in circle}
        out: set[int] = set()
        for state in self.states_of(names):
            slot = self.layout.state_slot.get(id(state))
            if slot is None or state.is_depth:
                continue  # a state of pieces is counted where they stand, and how often a rule runs by all of them
            if state.kind is None or self.layout.state_mode[id(state)] == "mask":
                out.add(slot)
                continue
            out |= set(range(slot, slot + state.kind.size))
            masks = self.layout.mask_slot.get(id(state))
            if masks is not None:
                out |= set(range(masks, masks + self.layout.small_kind(state.type)))
        return out
