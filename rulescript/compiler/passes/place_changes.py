"""Every change of a place of pieces, with what a pass adds to it (for the passes that keep something about places).

A piece leaves with ``S[i] -= UN_4[c]``; whatever else changes a place counts as something that came there. Needs that
every such change is a statement of its own, or a call that the table below knows."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, bound_in, is_kept

__all__ = ["CHANGING", "PlaceChanges", "address"]

# Functions of the machine that change places of pieces: which arguments are the slots.
CHANGING = {"draw_pieces": (3, 5), "draw_unseen": (2, 4), "draw_sparse": (3, 5)}


class PlaceChanges:
    """Goes through functions; `left` and `came` say what is added."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.runs = {run.start: run for run in unit.runs}
        self.where: dict[str, c.Code] = {}  # what names stand for
        self.function = ""

    def left(self, place: c.Code, units: str, code: c.Code, statement: c.Statement) -> c.Body:
        """A piece left a place: its kind, by number, and its code."""
        return []

    def came(self, at: c.Code, value: c.Code | None, statement: c.Statement) -> c.Body:
        """A pile came to a place; None: something changed there."""
        return []

    def went(self, at: c.Code, statement: c.Statement) -> c.Body:
        """A pile left a place."""
        return self.came(at, None, statement)

    def instead(self, statement: c.Statement) -> c.Body | None:
        """What stands in the place of a statement whose changes need no watching; None if it stays."""
        return None

    def watched(self, function: c.Function) -> c.Function:
        self.where, self.function = {}, function.name
        return function if function.sort == "pure" else evolve(function, body=self._watched(function.body))

    def _watched(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            other = self.instead(statement)
            if other is not None:
                out += other
                for name in bound_in(statement):
                    self.where.pop(name, None)
                continue
            inner = c.bodies(statement)
            if inner:
                where, made, bound = self.where, [], bound_in(statement)
                after = {name: code for name, code in where.items() if name not in bound}
                for each in inner:
                    self.where = dict(after if isinstance(statement, c.For | c.While) else where)
                    made.append(self._watched(each))
                self.where = after
                statement = c.with_bodies(statement, made)
            out.append(statement)
            out += self._after(statement)
            match statement:
                case c.Store(targets=(c.Name(text=name),), value=value, sign=""):
                    self.where[name] = value
                case c.Store(targets=(c.Name(text=name),), value=c.Const(value=by), sign=">>") if (
                    by == self.unit.shift and name in self.where
                ):
                    self.where[name] = self.where[name] >> by
                case c.Store(targets=targets):
                    for target in targets:
                        self.where.pop(target.text if isinstance(target, c.Name) else "", None)
        return out

    def _after(self, statement: c.Statement) -> c.Body:
        match statement:
            case c.Store(
                targets=(c.Slot(base=0, at=c.Name() as place),),
                value=c.Get(of=c.Known(text=units), at=c.Name() as code),
                sign="-",
            ) if units.startswith("UN_"):
                return self.left(place, units[3:], code, statement)
            case c.Store(targets=targets, value=value, sign=sign):
                out: c.Body = []
                for target in targets:
                    if isinstance(target, c.Slot) and self._is_place(target) and sign == "-":
                        out += self.went(address(target), statement)
                    elif isinstance(target, c.Slot) and self._is_place(target):
                        out += self.came(address(target), value if sign == "+" else None, statement)
                return out + self._called(value, statement)
            case c.Do(value=value) | c.Return(value=value):
                return self._called(value, statement)
        return []

    def _called(self, value: c.Code, statement: c.Statement) -> c.Body:
        return [
            added
            for each in c.inside(value)
            if isinstance(each, c.Call) and isinstance(each.function, c.Known)
            for at in CHANGING.get(each.function.text, ())
            for added in self.came(each.args[at], None, statement)
        ]

    def _is_place(self, slot: c.Slot) -> bool:
        if slot.at is not None and not slot.base:
            return not is_kept(slot.at)
        return slot.base in self.unit.places or slot.at is not None and slot.base not in self.runs

    def may_be_at(self, at: c.Code, places: range) -> bool:
        """Whether a slot may be one of some places."""
        firsts = self._lies_from(at)
        return firsts is None or any(first in places for first in firsts)

    def is_always_at(self, at: c.Code, places: range) -> bool:
        """Whether a slot can be no other than one of some places."""
        firsts = self._lies_from(at)
        return firsts is not None and all(first in places for first in firsts)

    def _lies_from(self, at: c.Code) -> Iterable[int] | None:
        """The places that a slot may be, or the first of the runs that it may be one of: such a run lies in others
        whole, or not at all. None if nobody knows."""
        match self.where.get(at.text) if isinstance(at, c.Name) else at:
            case c.Const(value=int(slot)):
                return (slot,)
            case c.Op(sign="+", left=c.Const(value=int(first))) if first in self.runs:
                return (first,)
            case c.Op(sign=">>", left=piece, right=c.Const(value=by)) if by == self.unit.shift:
                return self._lies(piece)
        return None

    def _lies(self, piece: c.Code) -> frozenset[int] | None:
        """The runs in which a piece may lie."""
        match piece:
            case c.Slot(base=slot, at=None):
                return self.unit.lies.get(slot)
            case c.Name(text=name) if name in self.where:
                return self._lies(self.where[name])
            case c.Name(text=name):
                return self.unit.lies.get((self.function, name))
        return None

    def coming(self, value: c.Code | None) -> int:
        """The counters of the pieces that may have come; all, if nobody knows."""
        match value:
            case c.Get(of=c.Known(text=units), at=c.Name(text=name)) if units.startswith("UN_") and name in self.where:
                codes = self._codes(self.where[name])
                fields = self.unit.values.get(f"FM_{units[3:]}")
                if codes is not None and isinstance(fields, tuple):
                    found = 0
                    for code in codes:
                        found |= fields[code]
                    return found
        return -1

    def _codes(self, code: c.Code) -> tuple[int, ...] | None:
        """All codes in a row of a table of new states: ``X2[1][c]``."""
        match code:
            case c.Get(of=c.Get(of=c.Known(text=text), at=row), at=c.Name()):
                table, at = self.unit.values.get(text), self._fixed(row)
                try:
                    found = table[at] if table is not None and at is not None else None
                except (KeyError, IndexError, TypeError):
                    return None
                if isinstance(found, tuple) and all(isinstance(each, int) for each in found):
                    return found
        return None

    def _fixed(self, code: c.Code) -> object:
        match code:
            case c.Const(value=value):
                return value
            case c.Get(of=c.Known(text=text), at=c.Const(value=value)):
                table = self.unit.values.get(text)
                return table.get(value) if isinstance(table, dict) else None
        return None


def address(slot: c.Slot) -> c.Code:
    if slot.at is None:
        return c.Const(slot.base)
    return slot.base + slot.at if slot.base else slot.at
