"""Values of a position in words and names: things, pieces, sets, places. Plain data in, text out and back.

A *name* is what keys, saves and examples use (`Mill.tiles:Ruritania_infantry`); a *label* is what people read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rulescript.game_data import GameData, PlaceInfo, StateInfo
from rulescript.machine.sparse import Heap, SparseItems
from rulescript.machine.tables import BITS, Items
from rulescript.machine.unsettled import members

__all__ = ["Values"]

# So many names are remembered.
MOST_NAMES = 20_000


class _Names(dict[Any, str]):
    """Values of one type -> their names: the same few come again and again."""

    __slots__ = ("type", "values_of")

    def __init__(self, values: Values, type_: Any) -> None:
        super().__init__()
        self.values_of = values
        self.type = type_

    def __missing__(self, value: Any) -> str:
        if len(self) > MOST_NAMES:
            self.clear()
        found = self[value] = self.values_of.told(value, self.type)
        return found


class Values:
    """Names and labels for one compiled game's values."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.kinds = data.kinds
        self.places: dict[int, tuple[PlaceInfo, int]] = {}
        self.place_index: dict[int, tuple[int, int]] = {}
        for at, holds in enumerate(data.holds):
            for i in range(holds.size):
                self.places[holds.slot + i] = (holds, i)
                self.place_index[holds.slot + i] = (at, i)
        self.all_places = [(slot, self.place_name(slot), holds) for slot, (holds, _) in self.places.items()]
        self._piece_names: dict[tuple[str, int], str] = {}
        # One piece is the slot of its place and its code, in so many bits.
        self.shift: int = data.shift
        self.low: int = (1 << self.shift) - 1
        self._items: dict[str, Any] = {
            name: SparseItems() if k.is_sparse else Items(k.fields) for name, k in self.kinds.items() if k.is_pieces
        }

    # -------------------------------------------------------------- names

    def place_name(self, slot: int) -> str:
        if slot not in self.places:
            return "nowhere"
        holds, owner = self.places[slot]
        if not holds.owner:
            return str(holds.name)
        return f"{self.kinds[holds.owner].names[owner]}.{holds.name}"

    def place_label(self, slot: int) -> str:
        if slot not in self.places:
            return "nowhere"
        holds, owner = self.places[slot]
        name = holds.name.replace("_", " ")
        if not holds.owner:
            return str(name)
        kind = self.kinds[holds.owner]
        same = [h for h in self.data.holds if h.owner == holds.owner and h.kind == holds.kind]
        label = kind.labels[owner]
        return str(label) if len(same) == 1 else f"{label} ({name})"

    def piece_name(self, kind: str, code: int) -> str:
        """A type of pieces, with the states that are not as they start."""
        found = self._piece_names.get((kind, code))
        if found is None:
            if len(self._piece_names) > MOST_NAMES:
                self._piece_names.clear()
            found = self._piece_names[kind, code] = self._piece_name(kind, code)
        return found

    def _piece_name(self, kind: str, code: int) -> str:
        info = self.kinds[kind]
        combo, type_index = divmod(code, info.types)
        name = str(info.names[type_index])
        notes = []
        for state, stride, values, type_, start in info.states:
            at = combo // stride % len(values)
            if at != start:
                value = values[at]
                if type_ == ["bool"]:
                    notes.append(state if value else f"not {state}")
                else:
                    notes.append(f"{state} {self.name(value, type_)}")
        return f"{name}({', '.join(notes)})" if notes else name

    def code_named(self, kind: str, name: str) -> int | None:
        """The code that `piece_name` tells of; None if there is none."""
        info = self.kinds[kind]
        base, _, notes = name.partition("(")
        if base not in info.names:
            return None
        said = {note.strip() for note in notes.rstrip(")").split(",")} if notes else set()
        combo = 0
        for state, stride, values, type_, start in info.states:
            note = next((n for n in said if n.removeprefix("not ").partition(" ")[0] == state), None)
            at: int | None = start
            if note is not None and type_ == ["bool"]:
                at = values.index(not note.startswith("not "))
            elif note is not None:
                at = self._at(values, type_, note.partition(" ")[2])
            if at is None:
                return None
            combo += stride * at
        code = int(combo * info.types + info.names.index(base))
        return code if self.piece_name(kind, code) == name else None

    def _at(self, values: Sequence[Any], type_: Any, name: str) -> int | None:
        """Which of a state's values has a name."""
        if isinstance(values, range):
            is_number = name.removeprefix("-").isdecimal() and len(name) < 30
            return values.index(int(name)) if is_number and int(name) in values else None
        return next((at for at, value in enumerate(values) if self.name(value, type_) == name), None)

    def piece_label(self, kind: str, code: int) -> str:
        info = self.kinds[kind]
        name = self.piece_name(kind, code)
        label = str(info.labels[code % info.types])
        return label + (" " + name[name.index("(") :] if "(" in name else "")

    @cached_property
    def shown_states(self) -> list[tuple[StateInfo, list[str], _Names | None]]:
        """The states that are no secret of the compiler's, each with the names of its values (`Mill.control`) and what
        they can be; None where not everybody may know that, since they name what can lie hidden."""
        out: list[tuple[StateInfo, list[str], _Names | None]] = []
        for entry in self.data.states:
            if not entry.is_hidden:
                owners = self.kinds[entry.kind].names if entry.kind else []
                names = [f"{owner}.{entry.name}" for owner in owners] if entry.kind else [entry.name]
                out.append((entry, names, _Names(self, entry.type) if self._is_open(entry.type) else None))
        return out

    def _is_open(self, type_: Any) -> bool:
        match type_:
            case ["thing", kind]:
                return bool(self.kinds[kind].loc < 0 and self.kinds[kind].backs is None)
            case ["piece", _]:
                return False
            case ["maybe" | "set" | "list", inner]:
                return self._is_open(inner)
        return True

    def told(self, value: Any, type_: Any) -> str:
        """A value that everybody may know, as views tell it: the members of a set in the order of their names."""
        match type_:
            case ["maybe", inner] if value is not None:
                return self.told(value, inner)
            case ["set", ["thing", _] as inner]:
                return "{" + ", ".join(sorted(self.name(i, inner) for i in BITS[value])) + "}"
            case ["list", [_, _] as inner]:
                return "[" + ", ".join(self.told(i, inner) for i in value) + "]"
        return self.name(value, type_)

    def name(self, value: Any, type_: Any) -> str:
        """A value by its names."""
        match type_:
            case ["thing", kind]:
                return str(self.kinds[kind].names[value])
            case ["piece", kind]:
                return f"{self.place_name(value >> self.shift)}:{self.piece_name(kind, value & self.low)}"
            case ["maybe", inner]:
                return "nothing" if value is None else self.name(value, inner)
            case ["set", inner]:
                return "{" + ", ".join(self.name(i, inner) for i in BITS[value]) + "}"
            case ["list", inner]:
                return "[" + ", ".join(self.name(i, inner) for i in value) + "]"
            case ["bool"]:
                return "yes" if value else "no"
        return str(value)

    def label(self, value: Any, type_: Any) -> str:
        """A value as people read it."""
        match type_:
            case ["thing", kind]:
                return str(self.kinds[kind].labels[value])
            case ["piece", kind]:
                return f"{self.piece_label(kind, value & self.low)} in {self.place_label(value >> self.shift)}"
            case ["maybe", inner]:
                return "nothing" if value is None else self.label(value, inner)
            case ["set", inner]:
                return ", ".join(self.label(i, inner) for i in BITS[value]) or "none"
            case ["list", inner]:
                return ", ".join(self.label(i, inner) for i in value) or "none"
            case ["bool"]:
                return "yes" if value else "no"
        return str(value)

    def data_of(self, value: Any, type_: Any) -> Any:
        """A value as data for a program, with all that it names."""
        match type_:
            case ["thing", kind]:
                return {"kind": kind, "name": str(self.kinds[kind].names[value])}
            case ["piece", kind]:
                slot = value >> self.shift
                holds, owner = self.places.get(slot, (None, 0))
                at = self.kinds[holds.owner].names[owner] if holds is not None and holds.owner else None
                return {
                    "kind": kind,
                    **self._piece_data(kind, value & self.low),
                    "place": self.place_name(slot),
                    "at": at,
                }
            case ["maybe", inner]:
                return None if value is None else self.data_of(value, inner)
            case ["set", inner]:
                return [self.data_of(i, inner) for i in BITS[value]]
            case ["list", inner]:
                return [self.data_of(i, inner) for i in value]
            case ["bool"]:
                return bool(value)
        return value if isinstance(value, int) else str(value)

    def _piece_data(self, kind: str, code: int) -> dict[str, Any]:
        """A type of pieces, and the states of one of them."""
        info = self.kinds[kind]
        combo, type_index = divmod(code, info.types)
        states = {
            state: self.data_of(values[combo // stride % len(values)], type_)
            for state, stride, values, type_, _ in info.states
        }
        return {"name": str(info.names[type_index]), "states": states}

    # -------------------------------------------------------------- places

    def unit(self, kind: str, code: int) -> Any:
        """One piece, as a pile."""
        info = self.kinds[kind]
        return Heap(((code, 1),)) if info.is_sparse else 1 << info.fields[code][0]

    def pile(self, kind: str, value: Any) -> list[tuple[int, int]]:
        """(code, count) of the pieces of a place."""
        return list(self._items[kind][value])

    def contents(self, S: list[Any], slot: int) -> list[tuple[str, int]]:
        """What lies in a place, by name, with counts (1 for single things). What a shuffle left open is told in
        declared order."""
        holds, _ = self.places[slot]
        kind = holds.kind
        if self.kinds[kind].is_pieces:
            return [(self.piece_name(kind, code), count) for code, count in self.pile(kind, S[slot])]
        names = self.kinds[kind].names
        held = members(S[slot]) if holds.is_ordered else BITS[S[slot]]
        return [(names[i], 1) for i in held]

    def count(self, S: list[Any], slot: int) -> int:
        holds, _ = self.places[slot]
        if self.kinds[holds.kind].is_pieces:
            return sum(n for _, n in self.pile(holds.kind, S[slot]))
        return len(S[slot]) if holds.is_ordered else S[slot].bit_count()

    def states_of(self, S: list[Any], state: StateInfo, size: int) -> list[Any]:
        """A state's values for all things of its kind."""
        if state.mode == "mask":
            mask = S[state.slot]
            return [bool(mask >> index & 1) for index in range(size)]
        return S[state.slot : state.slot + size]

    def state(self, S: list[Any], state: StateInfo, index: int) -> Any:
        """A state's value for one thing (index 0 for the game's own)."""
        if state.mode == "one":
            return S[state.slot]
        if state.mode == "mask":
            return bool(S[state.slot] >> index & 1)
        return S[state.slot + index]
