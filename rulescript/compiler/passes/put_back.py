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
    for s in BITS[S[140]]:
        if S[s] & B40: ...
    S[140] = 0

Kept are the places where such pieces came since they were put back last. Whatever else comes to a place may have been
one of them only if there were some somewhere. Needs that every change of a place is a statement of its own, or a call
that is known (`place_changes`)."""

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
    """The counters of pieces that have some state, where they can be, and the slot that says where they may be."""

    places: range
    counters: int
    slot: int


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
                    self.found[key] = _Marked(places, key[1], self.unit.slot(c.Const(everywhere)))

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
        assert isinstance(statement, c.For)
        slot = c.Slot(marked.slot)
        done = c.Store((slot,), c.Const(0), origin=statement.origin)
        return [evolve(statement, source=c.BITS[slot]), done]

    def went(self, at: c.Code, statement: c.Statement) -> c.Body:
        return []

    def came(self, at: c.Code, value: c.Code | None, statement: c.Statement) -> c.Body:
        comes = self.coming(value)
        return [
            self._noted(marked, at, comes != -1, statement)
            for marked in self.found.values()
            if comes & marked.counters and self.may_be_at(at, marked.places)
        ]

    def _noted(self, marked: _Marked, at: c.Code, is_one: bool, statement: c.Statement) -> c.Statement:
        slot = c.Slot(marked.slot)
        note: c.Statement = c.Store((slot,), c.Const(1) << at, "|", origin=statement.origin)
        asked: list[c.Code] = [] if is_one else [slot]
        if not set(marked.places) >= self.unit.places:
            asked.append(c.Between(c.Const(marked.places.start), at, c.Const(marked.places.stop - 1)))
        return c.If(c.all_of(asked), [note], origin=statement.origin) if asked else note
