"""The sets of places where pieces of a sort stand, kept true at every change of a place (a part of `presence`).

Before::

    S[i] -= UN_4[c]
    S[j] = m

After::

    S[i] -= UN_4[c]
    if not S[i] & QM_1[c]: S[QC_1[c]] &= QN52[i]
    S[j] = m
    S[125] |= QB52[j]

A piece that comes or goes by its code changes its set at once; any other change of a place is noted, and the sets are
brought up to date when they are asked for. Needs that every change of a place is a statement of its own, or a call that
`place_changes` knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.place_changes import CHANGING, PlaceChanges, address
from rulescript.compiler.passes.unit import Unit, rewritten

if TYPE_CHECKING:
    from rulescript.compiler.passes.presence import Presence

__all__ = ["SortsKept", "values_of"]

# So many families of sorts are changed at once with each piece; more are brought up to date together.
_MOST_AT_ONCE = 2


class SortsKept(PlaceChanges):
    """Adds what keeps the sets of one run of places true."""

    def __init__(self, presence: Presence) -> None:
        super().__init__(presence.unit)
        self.run, self.sorts, self.changed, self.starts = (
            presence.run,
            presence.sorts,
            presence.changed,
            presence.starts,
        )
        self.renewed = presence.renewed()
        self.by_code: dict[str, list[tuple[c.Code, c.Code]]] = {}

    def keep(self) -> None:
        """Note every change of a place."""
        unit = self.unit
        unit.map(self.watched)
        places = unit.tables
        places[f"QB{self.run.start}"] = c.Const(
            tuple(1 << at - self.run.start if at in self.run else 0 for at in range(unit.size))
        )
        places[f"QN{self.run.start}"] = c.Const(
            tuple(~(1 << at - self.run.start) if at in self.run else -1 for at in range(unit.size))
        )
        sorts = []
        for key, first in self.sorts.items():
            assert isinstance(key, c.Const) and isinstance(first, c.Const)
            sorts += [(first.value + at, mask) for at, mask in enumerate(key.value)]
        places[f"QS{self.run.start}"] = c.Const(tuple(sorts))
        places[f"QD{self.run.start}"] = c.Const(self.changed)
        if not any(self.by_code.values()):
            self._compare()

    def _compare(self) -> None:
        """Where no set is changed at once, what lies in a place is compared with what lay there."""
        unit, old = self.unit, self.renewed
        unit.tables[f"QP{self.run.start}"] = c.call("Present", c.Known(f"QS{self.run.start}"), len(self.run))
        args = (
            c.STATE,
            self.changed,
            self.run.start,
            c.Known(f"QP{self.run.start}"),
            unit.slot(c.Const(None)),
        )
        new = c.call("mend_present", *args)

        def mended(code: c.Code) -> c.Code:
            return new if code == old else code

        unit.map(lambda function: evolve(function, body=rewritten(function.body, mended)))

    def _after(self, statement: c.Statement) -> c.Body:
        moved = self._moved(statement)
        if moved is not None or self._is_of_the_same_sorts(statement):
            return moved or []
        bits = [bit for at in _changed(statement) if (bit := self._bit(at)) is not None]
        return [c.Store((c.Slot(self.changed),), bit, "|", origin=statement.origin) for bit in dict.fromkeys(bits)]

    def _is_of_the_same_sorts(self, statement: c.Statement) -> bool:
        """Whether pieces only change their state, and belong to the same sorts in the new one: ``m = S[s] & B40`` and
        ``S[s] += (m >> 66) - m``."""
        match statement:
            case c.Store(
                targets=(c.Slot(base=0, at=at),),
                value=c.Op(
                    sign="-",
                    left=c.Op(sign=">>", left=c.Name(text=moved), right=c.Const(value=int(by))),
                    right=c.Name(text=same),
                ),
                sign="+",
            ) if moved == same:
                pass
            case _:
                return False
        match self.where.get(moved):
            case c.Op(sign="&", left=c.Slot(base=0, at=place), right=mask) if place == at:
                before, _ = values_of(mask, self.unit, {})
                if len(before) != 1:
                    return False
            case _:
                return False
        for key in self.sorts:
            assert isinstance(key, c.Const)
            for sort in key.value:
                if (before[0] & sort) >> by & ~sort or (before[0] & ~sort) >> by & sort:
                    return False
        return True

    def _moved(self, statement: c.Statement) -> c.Body | None:
        """What a piece that comes or goes, by its code, changes in the sets at once; None for anything else."""
        match statement:
            case c.Store(targets=(c.Slot(base=0, at=c.Code() as at),), value=value, sign="+" | "-" as sign):
                pass
            case _:
                return None
        comes: list[c.Get] = []
        goes: list[c.Get] = []
        match value:
            case c.Get(of=c.Known()):
                (comes if sign == "+" else goes).append(value)
            case c.Op(sign="-", left=c.Get(of=c.Known()) as new, right=c.Get(of=c.Known()) as old) if sign == "+":
                comes, goes = [new], [old]
            case _:
                return None
        out: c.Body = []
        if not self.may_be_at(at, self.run):
            return out
        for unit, is_coming in [*((each, True) for each in comes), *((each, False) for each in goes)]:
            tables = self._by_code(unit.of)
            if tables is None:
                return None
            for slots, masks in tables:
                there = c.Slot(0, slots[unit.at])
                if is_coming:
                    out.append(c.Store((there,), c.Known(f"QB{self.run.start}")[at], "|", origin=statement.origin))
                else:
                    without = c.Store((there,), c.Known(f"QN{self.run.start}")[at], "&", origin=statement.origin)
                    none_left = c.Not(c.Slot(0, at) & masks[unit.at])
                    out.append(c.If(none_left, [without], origin=statement.origin))
        return out

    def _by_code(self, units: c.Code) -> list[tuple[c.Code, c.Code]] | None:
        """For each family of sorts: for every code of a piece, the slot of the set of its sort and the sort's counters;
        None if a piece can be of several sorts."""
        assert isinstance(units, c.Known)
        if not units.text.startswith("UN_") or len(self.sorts) > _MOST_AT_ONCE:
            return None
        found = self.by_code.get(units.text)
        if found is None:
            fields = self.unit.values[f"FM_{units.text[3:]}"]
            found = []
            for key, first in self.sorts.items():
                assert isinstance(key, c.Const) and isinstance(first, c.Const)
                owners = [[at for at, mask in enumerate(key.value) if mask & field] for field in fields]
                if any(len(each) > 1 for each in owners):
                    return None
                slots = tuple(first.value + each[0] if each else self.changed + 1 for each in owners)
                masks = tuple(key.value[each[0]] if each else -1 for each in owners)
                found.append((self.unit.table(c.Const(slots), "QC"), self.unit.table(c.Const(masks), "QM")))
            self.by_code[units.text] = found
        return found

    def _bit(self, at: c.Code) -> c.Code | None:
        """The place that a slot is, as a set; None if it is another sort of slot."""
        match self.where.get(at.text) if isinstance(at, c.Name) else at:
            case c.Const(value=int(slot)):
                return c.Const(1 << slot - self.run.start) if slot in self.run else None
            case c.Get(of=c.Known(text=table)) if table.startswith("QC"):
                return None  # one of the sets of another run
            case c.Op(sign="+", left=c.Const(value=int(first)), right=inner):
                if first == self.run.start and not isinstance(at, c.Name):
                    return 1 << inner
                if first not in self.run and (first in self.unit.places or first in self.starts):
                    return None
        return c.Known(f"QB{self.run.start}")[at]


def _changed(statement: c.Statement) -> list[c.Code]:
    """The slots of places that a statement changes."""
    found: list[c.Code] = []
    value: c.Code | None = None
    match statement:
        case c.Store(targets=targets, value=value):
            for target in targets:
                if isinstance(target, c.Slot):
                    found.append(address(target))
        case c.Do(value=value) | c.Return(value=value):
            pass
    if isinstance(value, c.Call) and isinstance(value.function, c.Known) and value.function.text in CHANGING:
        found += [value.args[at] for at in CHANGING[value.function.text]]
    return found


def values_of(mask: c.Code, unit: Unit, names: Mapping[str, c.Code]) -> tuple[tuple[int, ...], c.Code | None]:
    """The masks that a mask can be, and which of them it is; nothing if they are not known."""
    match mask:
        case c.Const(value=int(value)):
            return (value,), None
        case c.Known(text=text):
            known = unit.values.get(text)
            return ((known,), None) if isinstance(known, int) else ((), None)
        case c.Get(of=c.Known(text=text), at=at):
            table = unit.values.get(text)
            if isinstance(table, tuple) and table and all(isinstance(v, int) for v in table):
                return table, at
        case c.Name(text=text) if text in names:
            return values_of(names[text], unit, names)
        case c.Op(sign="&", left=left, right=right):
            one, at_one = values_of(left, unit, names)
            other, at_other = values_of(right, unit, names)
            if one and other and at_other is None:
                return tuple(value & other[0] for value in one), at_one
            if one and other and at_one is None:
                return tuple(value & one[0] for value in other), at_other
    return (), None
