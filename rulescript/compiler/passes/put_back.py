"""A state of pieces is put back where there may be pieces that have it, not in every place.

Before::

    S[d] += UN_4[v]                       # in its new state
    ...
    for s in R39:
        if S[s] & B40: ...

After::

    S[d] += UN_4[v]
    S[140] |= 1 << d
    ...
    for s in BITS[S[140] >> 52]:
        s += 52
        if S[s] & B40: ...
    S[140] = 0

Kept are the places where such pieces came since they were put back last. What comes to a place as it was in another may
be one of them only if there were some somewhere, and there were none if they have been put back wherever their kind can
be. Needs that every change of a place is a statement of its own, or a call that is known (`place_changes`)."""

from __future__ import annotations

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.place_changes import PlaceChanges
from rulescript.compiler.passes.unit import Unit

__all__ = ["put_back"]

# More of them would make every move slower.
_MOST = 3
_FEWEST_PLACES = 12


@frozen
class _Marked:
    """The counters of pieces that have some state, where they can be, and the slot that says where they may be. Whether
    they `are_all` the places of their kind."""

    places: range
    counters: int
    slot: int
    are_all: bool


def put_back(unit: Unit) -> None:
    marks = _Marks(unit)
    for function in unit.functions:
        marks.look(function.body)
    if marks.found:
        unit.map(marks.watched)


class _Marks(PlaceChanges):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.found: dict[tuple[str, int], _Marked] = {}

    def look(self, body: c.Body) -> None:
        """Find the loops that put a state back."""
        for statement in c.statements(body):
            key = self._key(statement)
            if key is not None and key not in self.found and len(self.found) < _MOST:
                slots: tuple[int, ...] = self.unit.values[key[0]]
                places = range(min(slots), max(slots) + 1)
                if len(places) == len(set(slots)) >= _FEWEST_PLACES:
                    everywhere = sum(1 << slot for slot in places)
                    slot = self.unit.slot(c.Const(everywhere))
                    self.found[key] = _Marked(places, key[1], slot, self._are_all(places))

    def _are_all(self, places: range) -> bool:
        """Whether no other place can hold pieces of the kind: its counters are those of no place elsewhere."""
        piles = self.unit.piles
        kinds = {full for first, full in piles.items() if first in places}
        return all(first in places for first, full in piles.items() if full in kinds)

    def _key(self, statement: c.Statement) -> tuple[str, int] | None:
        match statement:
            case c.For(
                targets=(c.Name(text=name),),
                source=c.Known(text=slots),
                body=[c.If(test=c.Op(sign="&", left=c.Slot(base=0, at=c.Name(text=at)), right=mask), other=[])],
                other=[],
            ) if name == at and self._are_places(slots):
                counters = mask.value if isinstance(mask, c.Const) else None
                if isinstance(mask, c.Known):
                    counters = self.unit.values.get(mask.text)
                return (slots, counters) if isinstance(counters, int) else None
        return None

    def _are_places(self, name: str) -> bool:
        slots = self.unit.values.get(name)
        return isinstance(slots, tuple) and len(slots) > 0 and all(slot in self.unit.places for slot in slots)

    def instead(self, statement: c.Statement) -> c.Body | None:
        key = self._key(statement)
        marked = self.found.get(key) if key is not None else None
        if marked is None:
            return None
        slot = c.Slot(marked.slot)
        done = c.Store((slot,), c.Const(0), origin=statement.origin)
        # Counted from the first of them, it is mostly a small set, of which the members are known.
        first = marked.places.start
        assert isinstance(statement, c.For)
        place = c.Store(statement.targets, c.Const(first), "+", origin=statement.origin)
        return [evolve(statement, source=c.BITS[slot >> first], body=[place, *statement.body]), done]

    def went(self, at: c.Code, statement: c.Statement) -> c.Body:
        return []

    def came(self, at: c.Code, value: c.Code | None, statement: c.Statement) -> c.Body:
        comes = self.coming(value)
        as_it_was = comes == -1 and self._is_as_it_was(value, statement)
        return [
            self._noted(marked, at, as_it_was and marked.are_all, statement)
            for marked in self.found.values()
            if comes & marked.counters and self.may_be_at(at, marked.places)
        ]

    def _is_as_it_was(self, value: c.Code | None, statement: c.Statement) -> bool:
        """Whether what comes lay in another place before, in the same state: drawn, a whole pile, a part of one, or a
        piece by the code it was chosen by."""
        match value:
            case None:  # a call; or something else is written to the place
                return not (isinstance(statement, c.Store) and any(isinstance(to, c.Slot) for to in statement.targets))
            case c.Slot():
                return True
            case c.Name(text=name) if name in self.where:
                return any(isinstance(part, c.Slot) and self._is_place(part) for part in c.factors(self.where[name]))
            case c.Get(of=c.Known(text=units), at=c.Name(text=name)) if units.startswith("UN_"):
                code = self.where.get(name)
                return isinstance(code, c.Op) and code.sign == "&"
        return False

    def _noted(self, marked: _Marked, at: c.Code, as_it_was: bool, statement: c.Statement) -> c.Statement:
        slot = c.Slot(marked.slot)
        note: c.Statement = c.Store((slot,), c.Const(1) << at, "|", origin=statement.origin)
        asked: list[c.Code] = [slot] if as_it_was else []
        if not set(marked.places) >= self.unit.places:
            asked.append(c.Between(c.Const(marked.places.start), at, c.Const(marked.places.stop - 1)))
        return c.If(c.all_of(asked), [note], origin=statement.origin) if asked else note
