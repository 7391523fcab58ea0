"""Where everything lives: one flat list of immutable values per position.

    0 block to resume at    1 random state    2 outcome    3 saved frames of recursive rules    4 phase
    then the game's states, the places, the whereabouts of single things, and the names bound by rules.

How values are held
-------------------
* yes/no of things: one bit mask over the kind (``mask``).
* a value among few (at most eight) things: one number per thing and, beside it, one bit mask per value, so
  that `Region[control == s]` is a single look-up (``dual``).
* anything else: one entry per thing (``each``) or one for the game (``one``).
* pieces: a place is one integer, a counter of as many bits as it needs for each *code*. A code is a type of pieces
  together
  with a combination of their states; counting, comparing and moving are then arithmetic on whole places, and a
  filter by attribute is one `&` with a mask of counters. Where that would be too many counters, a place is a heap
  of the codes that are there (machine/sparse.py).
* one piece: the slot of its place and its code in one number, the code in the lowest bits (``Layout.shift``).
* single things in places: a bit mask, or a tuple where the place is ordered; and for each thing the slot of the
  place it is in (-1: nowhere).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulescript.machine.sparse import Heap
from rulescript.machine.values import MOST
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import BOOL, Maybe, SetOf, ThingOf, Type, type_data

__all__ = ["Layout", "PieceLayout"]

PC, RNG, OUTCOME, STACK, PHASE = range(5)
DUAL_LIMIT = 8
# A place of counters has at most so many bits; a code in the number of a piece, at least so many.
MOST_COUNTERS = 4_096
LEAST_SHIFT = 16


@define
class PieceLayout:
    """How pieces of one kind are counted."""

    kind: m.Kind
    types: int
    states: list[tuple[m.State, int, Sequence[Any]]]  # state, stride in combinations, values
    combos: int
    fields: tuple[tuple[int, int], ...]  # where each code's counter begins, and how many bits it has
    is_sparse: bool = False  # whether there are no counters, and places are heaps
    masks: tuple[int, ...] = field(init=False, repr=False)  # and all its bits
    _values: dict[int, tuple[Any, ...]] = field(init=False, repr=False, factory=dict)
    _changed: dict[tuple[int, int], tuple[int, ...]] = field(init=False, repr=False, factory=dict)
    _shifts: dict[tuple[int, Any], dict[int, int]] = field(init=False, repr=False, factory=dict)

    @masks.default
    def _masks(self) -> tuple[int, ...]:
        return tuple(((1 << width) - 1) << offset for offset, width in self.fields)

    @property
    def codes(self) -> int:
        return self.types * self.combos

    @property
    def full(self) -> int:
        """The counters of all codes, which lie side by side."""
        offset, width = self.fields[-1]
        return (1 << offset + width) - 1

    def unit(self, code: int) -> Any:
        """One piece, as a pile."""
        return Heap(((code, 1),)) if self.is_sparse else 1 << self.fields[code][0]

    def stride(self, state: m.State) -> tuple[int, Sequence[Any]]:
        """How far apart the codes of neighbouring values of a state lie, and the values."""
        return next((stride * self.types, values) for known, stride, values in self.states if known is state)

    def field(self, code: int) -> int:
        return self.masks[code]

    def default_code(self, type_index: int) -> int:
        combo = 0
        for state, stride, values in self.states:
            combo += stride * values.index(plain(state.initial))
        return combo * self.types + type_index

    def values_of(self, state: m.State) -> tuple[Any, ...]:
        """The value that a state has in each code."""
        known = self._values.get(id(state))
        if known is None:
            stride, values = self.stride(state)
            known = self._values[id(state)] = tuple(values[code // stride % len(values)] for code in range(self.codes))
        return known

    def codes_with(self, state: m.State, value: Any) -> tuple[int, ...]:
        """What each code becomes when a state gets a value."""
        stride, values = self.stride(state)
        at = values.index(value)
        known = self._changed.get((id(state), at))
        if known is None:
            many = len(values)
            known = tuple(code + stride * (at - code // stride % many) for code in range(self.codes))
            self._changed[id(state), at] = known
        return known

    def shifts_with(self, state: m.State, value: Any) -> dict[int, int]:
        """The counters that move when a state gets a value, by how far they do."""
        key = (id(state), value)
        known = self._shifts.get(key)
        if known is None:
            known = self._shifts[key] = {}
            for code, goal in enumerate(self.codes_with(state, value)):
                if goal != code:
                    shift = self.fields[code][0] - self.fields[goal][0]
                    known[shift] = known.get(shift, 0) | self.field(code)
        return known


class Layout:
    """Slots for one game."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self.initial: list[Any] = [0, 0, None, None, -1]
        self.state_slot: dict[int, int] = {}
        self.state_mode: dict[int, str] = {}
        self.mask_slot: dict[int, int] = {}
        self.holds_slot: dict[int, int] = {}
        self.loc_slot: dict[str, int] = {}
        self.var_slot: dict[int, int] = {}
        # What names, and slots of the compiler's own, can stand for, by their slots.
        self.name_types: dict[int, Any] = {}
        self.pieces: dict[str, PieceLayout] = {}
        self.place_of_slot: dict[int, tuple[m.Holds, int]] = {}
        for kind in game.kinds.values():
            if kind.is_pieces:
                self.pieces[kind.name] = self._pieces(kind)
        for state in game.states.values():
            self.state_slot[id(state)] = self.take(plain(state.initial))
            self.state_mode[id(state)] = "one"
        for kind in game.kinds.values():
            if not kind.is_pieces:
                for state in kind.states.values():
                    self._thing_state(kind, state)
        self._places()
        self.locals_start = len(self.initial)
        largest = max([pieces.codes for pieces in self.pieces.values() if pieces.is_sparse], default=0)
        self.shift = max(LEAST_SHIFT, largest.bit_length())

    def take(self, value: Any = 0, count: int = 1) -> int:
        slot = len(self.initial)
        self.initial += [value] * count
        return slot

    # -------------------------------------------------------------- states

    def _thing_state(self, kind: m.Kind, state: m.State) -> None:
        values = [plain(v) for v in state.initial]
        if state.type == BOOL:
            mask = sum(1 << i for i, v in enumerate(values) if v)
            self.state_slot[id(state)] = self.take(mask)
            self.state_mode[id(state)] = "mask"
            return
        slot = len(self.initial)
        self.initial += values
        self.state_slot[id(state)] = slot
        self.state_mode[id(state)] = "each"
        size = self.small_kind(state.type)
        if size and kind.size > 1:
            self.state_mode[id(state)] = "dual"
            masks = [0] * size
            for i, v in enumerate(values):
                masks[v] |= 1 << i
            self.mask_slot[id(state)] = len(self.initial)
            self.initial += masks

    def small_kind(self, type_: Type) -> int:
        """How many values a state can have, if they are few; 0 otherwise."""
        if isinstance(type_, ThingOf) and 0 < self.game.kinds[type_.kind].size <= DUAL_LIMIT:
            return self.game.kinds[type_.kind].size
        return 0

    # -------------------------------------------------------------- pieces and places

    def _pieces(self, kind: m.Kind) -> PieceLayout:
        states: list[tuple[m.State, int, Sequence[Any]]] = []
        stride = 1
        for state in kind.states.values():
            values: Sequence[Any]
            if state.type == BOOL:
                values = [False, True]
            elif isinstance(state.type, ThingOf):
                values = list(range(self.game.kinds[state.type.kind].size))
            elif isinstance(state.type, Maybe) and isinstance(state.type.element, ThingOf):
                values = [None, *range(self.game.kinds[state.type.element.kind].size)]
            else:
                low, high = state.bounds or (1 - MOST, MOST - 1)
                values = range(low, high + 1)
            states.append((state, stride, values))
            stride *= max(1, len(values))
        # A counter never holds more than all pieces of its type, so it needs no more bits than that.
        widths = [max(1, t.count.bit_length()) for t in kind.things] or [1]
        if stride * sum(widths) > MOST_COUNTERS:
            return PieceLayout(kind, max(1, kind.size), states, stride, (), True)
        fields: list[tuple[int, int]] = []
        offset = 0
        for _ in range(stride):
            for width in widths:
                fields.append((offset, width))
                offset += width
        return PieceLayout(kind, max(1, kind.size), states, stride, tuple(fields))

    def _places(self) -> None:
        game = self.game
        for holds in game.holds.values():
            slot = self.take(() if holds.ordered else 0)
            self.holds_slot[id(holds)] = slot
            self.place_of_slot[slot] = (holds, 0)
        for kind in game.kinds.values():
            for holds in kind.holds.values():
                slot = self.take(() if holds.ordered else 0, max(1, kind.size))
                self.holds_slot[id(holds)] = slot
                for i in range(kind.size):
                    self.place_of_slot[slot + i] = (holds, i)
        for kind in game.kinds.values():
            if not kind.movable:
                continue
            if not kind.is_pieces:
                self.loc_slot[kind.name] = self.take(-1, max(1, kind.size))
            for thing, home in zip(kind.things, kind.homes, strict=False):
                if home is not None:
                    self._put(kind, thing, self.slot_of(home[0], home[1]))

    def slot_of(self, holds: m.Holds, owner: int) -> int:
        return self.holds_slot[id(holds)] + owner

    def _put(self, kind: m.Kind, thing: m.Thing, slot: int) -> None:
        holds = self.place_of_slot[slot][0]
        if kind.is_pieces:
            layout = self.pieces[kind.name]
            self.initial[slot] += thing.count * layout.unit(layout.default_code(thing.index))
        else:
            self.initial[self.loc_slot[kind.name] + thing.index] = slot
            if holds.ordered:
                self.initial[slot] += (thing.index,)
            else:
                self.initial[slot] |= 1 << thing.index

    def runs(self) -> list[range]:
        """The slots that are counted through, kind by kind: states of things, places, where single things are."""
        out: list[range] = []
        for kind in self.game.kinds.values():
            size = max(1, kind.size)
            for state in () if kind.is_pieces else kind.states.values():
                first = self.state_slot[id(state)]
                if self.state_mode[id(state)] != "mask":
                    out.append(range(first, first + kind.size))
                if id(state) in self.mask_slot:
                    masks = self.mask_slot[id(state)]
                    out.append(range(masks, masks + self.small_kind(state.type)))
            for holds in kind.holds.values():
                first = self.holds_slot[id(holds)]
                out.append(range(first, first + size))
            if kind.name in self.loc_slot:
                first = self.loc_slot[kind.name]
                out.append(range(first, first + size))
        return out

    @property
    def sets(self) -> dict[int, int]:
        """For states of things with few values, where the sets of those that have each value begin."""
        return {self.state_slot[state]: slot for state, slot in self.mask_slot.items()}

    @property
    def certain(self) -> frozenset[int]:
        """The slots, or the first of each run of them, that never hold nothing."""
        states = [*self.game.states.values(), *(s for k in self.game.kinds.values() for s in k.states.values())]
        found = {self.state_slot[id(s)] for s in states if id(s) in self.state_slot and not isinstance(s.type, Maybe)}
        return frozenset(found | set(self.mask_slot.values()) | set(self.holds_slot.values()))

    @property
    def members(self) -> dict[int, int]:
        """For the slots that hold sets of single things: a mask of all that can be in there."""
        found: dict[int, int] = {}
        for state in self.game.states.values():
            if isinstance(state.type, SetOf) and isinstance(state.type.element, ThingOf):
                found[self.state_slot[id(state)]] = (1 << self.game.kinds[state.type.element.kind].size) - 1
        for kind in self.game.kinds.values():
            every = (1 << kind.size) - 1
            for state in () if kind.is_pieces else kind.states.values():
                if self.state_mode[id(state)] == "mask":
                    found[self.state_slot[id(state)]] = every
                if id(state) in self.mask_slot:
                    masks = self.mask_slot[id(state)]
                    found |= dict.fromkeys(range(masks, masks + self.small_kind(state.type)), every)
        return found

    @property
    def states(self) -> frozenset[int]:
        """The slots of states, of things too, with the sets of those that have each value."""
        found = {self.state_slot[id(state)] for state in self.game.states.values()}
        for kind in self.game.kinds.values():
            for state in () if kind.is_pieces else kind.states.values():
                first = self.state_slot[id(state)]
                found |= {first} if self.state_mode[id(state)] == "mask" else set(range(first, first + kind.size))
                if id(state) in self.mask_slot:
                    masks = self.mask_slot[id(state)]
                    found |= set(range(masks, masks + self.small_kind(state.type)))
        return frozenset(found)

    @property
    def piles(self) -> frozenset[int]:
        """The slots of places of pieces."""
        return frozenset(slot for slot, (holds, _) in self.place_of_slot.items() if holds.kind.is_pieces)

    # -------------------------------------------------------------- names bound by rules

    def slot_for(self, var: ir.Var) -> int:
        slot = self.var_slot.get(var.ident)
        if slot is None:
            slot = self.var_slot[var.ident] = self.take(0)
            self.name_types[slot] = type_data(var.type)
        return slot

    def may_be_nothing(self, var: ir.Var) -> None:
        """A name may stand for nothing while play waits, whatever its type says."""
        slot = self.slot_for(var)
        if self.name_types[slot][0] != "maybe":
            self.name_types[slot] = ["maybe", self.name_types[slot]]
