"""Statements that change the position -> code: states set, pieces placed and drawn.

What is changed is told to the journal if there is one. Nothing here waits for a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import POSITION, STATE, Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.layout import PieceLayout
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    INT,
    ListOf,
    PieceOf,
    SetOf,
    ThingOf,
    kind_of,
)

__all__ = ["Changes"]


class Changes(Room):
    """Writes effects."""

    def assign_to(self, statement: ir.AssignS, out: Lines) -> None:
        value = self.x(statement.value)
        target = statement.target
        if statement.operator != "=":
            current = self.x(target)
            if isinstance(target.type, SetOf):
                value = current | value if statement.operator == "+=" else current & ~value
            elif isinstance(target.type, ListOf):
                value = call("joined" if statement.operator == "+=" else "without", current, value)
            else:
                value = c.Op(statement.operator[0], current, value)
        if target.type == INT and _may_grow(statement) and not isinstance(target, ir.PieceStateX):
            value = call("bounded", value)
        is_state = isinstance(target, ir.StateX | ir.PieceStateX)
        was = out.inner()
        if is_state:
            was.let("was", self.x(target))
            out.add(c.Told(was.body))
        self.assign(target, value, out, statement)
        match target:
            case ir.StateX(state=state, of=of):
                owner = self.x(of) if of is not None else Const(None)
                site = self.program.site("set", statement, (state.kind.name if state.kind else "", state.name))
            case ir.PieceStateX(state=state, of=of):
                owner = self.x(of)
                site = self.program.site("piece", statement, (kind_of(of.type), state.name))
        if is_state:
            # What changes nothing is only noted as reached, not told.
            now = self.x(target)
            out.add(c.TellChange(site, owner, now, Name("was")))

    def checked(self, state: m.State | None, value: Code) -> Code:
        """A value that a state is given, if it may have it."""
        if state is None or state.bounds is None:
            return value
        low, high = state.bounds
        name = f"{state.kind.name}.{state.name}" if state.kind is not None else state.name
        return call("within", value, low, high, name)

    def assign(self, target: ir.X, value: Code, out: Lines, statement: ir.S) -> None:
        match target:
            case ir.StateX(state=state) if state.bounds is not None:
                value = self.checked(state, value)
            case ir.PieceStateX(state=state) if state.type == INT:
                value = self.checked(state, value) if state.bounds is not None else call("bounded", value)
        match target:
            case ir.Local(var=var):
                out.store(self.program.bind(var), value)
            case ir.StateX(state=state, of=None):
                out.store(Slot(self.layout.state_slot[id(state)]), value)
            case ir.StateX(state=state, of=ir.X() as of):
                self._assign_to_thing(state, of, value, out)
            case ir.PieceStateX(state=state, of=ir.Local(var=var)):
                pieces = self.layout.pieces[kind_of(var.type)]
                kind = self.constants.ident(pieces.kind.name)
                name = self.scope.local(var)
                out.let("i", name)
                changed = self._changed_code(pieces, state, value)
                self.moves.taken_apart(out)
                out.let("v", changed)
                self.moves.check_found(pieces.kind, out)
                units = Known(f"UN_{kind}")
                out.store(Slot(0, Name("i")), units[Name("v")] - units[Name("c")], "+")
                out.store(name, self.places.piece(Name("i"), Name("v")))
                self.keeping_up.note(statement, pieces.kind, Name("i"), Name("c"), name, out)
            case _:
                raise AssertionError(target)

    def _assign_to_thing(self, state: m.State, of: ir.X, value: Code, out: Lines) -> None:
        slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
        if mode == "mask":
            one, mask = Const(1) << self.x(of), Slot(slot)
            if value == Const(True):
                out.store(mask, one, "|")
            elif value == Const(False):
                out.store(mask, ~one, "&")
            else:
                out.store(mask, c.Cond(value, mask | one, mask & ~one))
        elif mode == "dual":
            masks = self.layout.mask_slot[id(state)]
            i, v = Name("i"), Name("v")
            out.let("i", self.x(of))
            out.let("v", value)
            # Rules that update everything mostly change nothing.
            inside = out.when(Slot(slot, i).differs(v))
            inside.store(Slot(masks, Slot(slot, i)), ~(Const(1) << i), "&")
            inside.store(Slot(masks, v), Const(1) << i, "|")
            inside.store(Slot(slot, i), v)
        else:
            out.store(self.places.slot_at(slot, of), value)

    def _changed_code(self, pieces: PieceLayout, state: m.State, value: Code) -> Code:
        """The code of the piece `c` once a state has a value."""
        stride, values = pieces.stride(state)
        code = Name("c")
        if pieces.is_sparse:
            at = value - values.start if isinstance(values, range) else self.constants.const(_index(values), "X")[value]
            return code + (at - code // stride % len(values)) * stride
        table = tuple(pieces.codes_with(state, v) for v in values)
        return self.constants.const(table, "X")[self.constants.const(_index(values), "X")[value]][code]

    def place_pieces(self, statement: ir.PlaceS, out: Lines) -> None:
        pieces = self.layout.pieces[statement.kind.name]
        n = self.constants.ident(statement.kind.name)
        site = self.program.site("move", statement, (statement.kind.name, True, ""))
        out.let("d", self.places.slot(statement.to))
        d, number = Name("d"), Name("c")
        for index, count in statement.types:
            home = statement.kind.homes[index]
            if home is None:
                continue
            source = self.layout.slot_of(home[0], home[1])
            code = pieces.default_code(index)
            unit = Known(f"UN_{n}")[code]
            there = Slot(source) & Known(f"FM_{n}")[code]
            there = Known(f"CN_{n}")[there] if pieces.is_sparse else there >> pieces.fields[code][0]
            out.let("c", call("min", count, there))
            out.tell(site, c.Tuple((Const(source << self.constants.shift | code),)) * number, source, d)
            out.store(Slot(source), number * unit, "-")
            out.store(Slot(0, d), number * unit, "+")
            placed = self.places.piece(d, Const(code))
            self.keeping_up.note(statement, statement.kind, Const(source), Const(code), placed, out)

    def draw(self, statement: ir.DrawS, out: Lines) -> None:
        kind = statement.source.holds.kind
        site = self.program.site("draw", statement, (kind.name, kind.is_pieces))
        source, target = self.places.slot(statement.source), self.places.slot(statement.to)
        name = self.program.bind(statement.var) if statement.var is not None else Name("drawn")
        amount = self.x(statement.amount)
        if kind.is_pieces:
            drawn = self._drawn_pieces(statement, amount, source, target, site)
        else:
            mask: Code = Const(-1)
            if statement.filter is not None:
                mask = (
                    self.x(statement.filter)
                    if isinstance(statement.filter.type, SetOf)
                    else self._mask_of_list(statement.filter)
                )
            info = Known(f"TI_{self.constants.ident(kind.name)}")
            drawn = call("draw_things", POSITION, STATE, amount, source, mask, target, info, statement.end, site)
        out.store(name, drawn)
        out.tell(site, name, source, target)
        if kind.is_pieces:
            self.keeping_up.note_drawn(statement, name, source, out)
        self.lasting.end_of_drawn(statement.to.holds, name, target, out)

    def _mask_of_list(self, listed: ir.X) -> Code:
        each = Each(("i",), self.expressions.listed(listed, any_order=True))
        return call("sum", c.Listing("list", Const(1) << Name("i"), (each,)))

    def _drawn_pieces(self, statement: ir.DrawS, amount: Code, source: Code, target: Code, site: int) -> Code:
        kind = statement.source.holds.kind
        n, is_sparse = self.constants.ident(kind.name), self.layout.pieces[kind.name].is_sparse
        mask: Code = Const(-1)
        if statement.filter is not None:
            _, _, codes, left = self.loops.pile_parts(statement.filter, None, ())
            if left:
                each = Each(("i",), self.loops.refs(statement.filter))
                code = Name("i") & self.constants.low
                if is_sparse:
                    mask = call("one_of", c.Listing("list", code, (each,)))
                else:
                    mask = call("sum", call("set", c.Listing("list", Known(f"FM_{n}")[code], (each,))))
            else:
                mask = codes if codes is not None else Const(-1)
        given = (POSITION, STATE, amount, source, mask, target)
        if is_sparse:
            return call("draw_sparse", *given, Known(f"IT_{n}"), site, self.constants.shift)
        wide = (self.constants.shift,) if self.constants.shift != 16 else ()
        return call("draw_pieces", *given, Known(f"UN_{n}"), Known(f"IT_{n}"), site, *wide)

    def items_code(self, what: ir.X) -> Code:
        """Things or pieces as a tuple, for the journal."""
        if isinstance(what.type, ThingOf | PieceOf):
            return c.Tuple((self.x(what),))
        return self.loops.refs(what)

    def type_note(self, what: ir.X) -> tuple[str, bool]:
        kind = kind_of(what.type)
        return (kind, self.game.kinds[kind].is_pieces)


def _may_grow(statement: ir.AssignS) -> bool:
    """Whether what is set may be a larger number than any there was. Steps of a fixed size cannot grow far."""
    if statement.operator != "=":
        return not isinstance(statement.value, ir.Lit)
    return isinstance(statement.value, ir.ArithX | ir.CallX | ir.IfX | ir.AggregateX)


def _index(values: Sequence[Any]) -> _Values:
    """Which of a state's values a value is; 0 and 1 serve for no and yes."""
    return _Values({v: i for i, v in enumerate(values)})


class _Values(dict[Any, int]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(map(repr, self)))
