"""Statements that change the position -> code: states set, pieces moved, placed and drawn, states that have lasted.

What is changed is told to the journal if there is one. Nothing here waits for a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import POSITION, STATE, Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.layout import PieceLayout
from rulescript.compiler.slots import Slots
from rulescript.compiler.writer import Lines
from rulescript.machine.sparse import Recoded
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import INT, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type

__all__ = ["Changing"]


class Changing(Slots):
    """Compiles effects."""

    # -------------------------------------------------------------- scopes

    def lasting(self, names: set[str]) -> list[m.State]:
        out = [s for s in self.game.states.values() if any(n.text in names for n in s.lasts)]
        for kind in self.game.kinds.values():
            out += [s for s in kind.states.values() if any(n.text in names for n in s.lasts)]
        return out

    def has_scope(self, name: str) -> bool:
        watched = any(i.when == "end" and i.scope == name for i in self.game.invariants)
        return watched or bool(self.lasting({name}))

    def end_of_scope(self, name: str, out: Lines) -> None:
        if any(i.when == "end" and i.scope == name for i in self.game.invariants):
            out.add(c.Watch(name))
        self.reset_scope(name, out)

    def reset_scope(self, name: str, out: Lines) -> None:
        for state in self.lasting({name}):
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
            out.store(c.Part(STATE, Const(slot), Const(slot + size)), self.const(values, "R"))

    def _reset_pieces(self, state: m.State, out: Lines) -> None:
        """Every piece back to the state it starts with: counters move to the codes that have it."""
        kind = state.kind
        assert kind is not None
        slots = tuple(s for s, (holds, _) in self.layout.place_of_slot.items() if holds.kind is kind)
        self._reset_pile(state, Slot(0, Name("s")), out.loop(("s",), self.const(slots, "R")))

    def _reset_pile(self, state: m.State, place: Code, out: Lines) -> None:
        """The pieces in one place back to the state they start with."""
        assert state.kind is not None
        pieces = self.layout.pieces[state.kind.name]
        if pieces.is_sparse:
            out.store(place, call("recoded", place, self._first_codes(state.kind, [state])))
            return
        start = plain(state.initial)
        shifts: dict[int, int] = {}
        for code in range(pieces.codes):
            goal = pieces.with_state(code, state, start)
            if goal != code:
                shift = pieces.fields[code][0] - pieces.fields[goal][0]
                shifts[shift] = shifts.get(shift, 0) | pieces.field(code)
        inside = out.when(place & self.big(sum(shifts.values())))
        moved = Name("m")
        for shift, mask in shifts.items():
            inside.let("m", place & self.big(mask))
            inside.store(place, (moved >> shift if shift > 0 else moved << -shift) - moved, "+")

    def _ended(self, holds: m.Holds) -> list[m.State]:
        """The states that what comes to a place loses."""
        return [state for state in holds.kind.states.values() if state.ends_in(holds)]

    def _without_ended(self, holds: m.Holds, code: Code) -> Code:
        """The code of a piece once it is in a place."""
        ended = self._ended(holds)
        return self._first_codes(holds.kind, ended)[code] if ended else code

    def _first_codes(self, kind: m.Kind, states: Sequence[m.State]) -> Code:
        """A table: the code of a piece once some of its states are as they start."""
        pieces = self.layout.pieces[kind.name]
        if pieces.is_sparse:
            found = [(pieces.stride(state), plain(state.initial)) for state in states]
            return self.const(Recoded(tuple((n, len(values), values.index(x)) for (n, values), x in found)), "X")
        table = list(range(pieces.codes))
        for state in states:
            table = [pieces.with_state(code, state, plain(state.initial)) for code in table]
        return self.const(tuple(table), "X")

    def settle(self, statement: ir.S, out: Lines) -> None:
        """After a call in which states of pieces may have ended: a name whose piece is no longer there in its state
        means the one that is there without it."""
        x = Name("x")
        for var, states in self.following.settled_after(self._procedure, statement):
            name, kind = self.local(var), states[0].kind
            assert kind is not None
            first = self.piece(x >> self.shift, self._first_codes(kind, states)[x & self.low])
            there = Slot(0, x >> self.shift) & Known(f"FM_{self.ident(kind.name)}")[x & self.low]
            if isinstance(var.type, ListOf):
                each = Each(("x",), c.Any_((name, c.Tuple(()))))
                out.store(name, call("tuple", c.Listing("list", c.Cond(there, x, first), (each,))))
            else:
                out.let("x", name)
                out.when(c.All((x.is_something(), c.Not(there)))).store(name, first)

    def piece(self, place: Code, code: Code) -> Code:
        """One piece: the number of its place's slot and its code in one number."""
        return place << self.shift | code

    def put_back(self, kind: m.Kind, states: Sequence[m.State], name: Code, type_: Type) -> Code:
        """What a name says of its piece, or of each of its pieces, once some states are as they start."""
        table = self._first_codes(kind, states)
        if isinstance(type_, ListOf):
            x = Name("x")
            first = self.piece(x >> self.shift, table[x & self.low])
            return call("tuple", c.Listing("list", first, (Each(("x",), name),)))
        code = self.piece(name >> self.shift, table[name & self.low])
        return c.Cond(name.is_nothing(), Const(None), code) if isinstance(type_, Maybe) else code

    def _end_of_thing(self, holds: m.Holds, out: Lines) -> None:
        """What the thing `i` loses when it comes to a place."""
        i = Name("i")
        one = Const(1) << i
        for state in self._ended(holds):
            slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
            if mode == "mask":
                out.store(Slot(slot), Slot(slot) & ~one | Const(self.layout.initial[slot]) & one)
                continue
            assert state.kind is not None
            values = self.const(tuple(self.layout.initial[slot : slot + state.kind.size]), "R")
            if mode == "dual":
                masks = self.layout.mask_slot[id(state)]
                out.store(Slot(masks, Slot(slot, i)), ~one, "&")
                out.store(Slot(masks, values[i]), one, "|")
            out.store(Slot(slot, i), values[i])

    # -------------------------------------------------------------- effects

    def _assign(self, statement: ir.AssignS, out: Lines) -> None:
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
        self.assign(target, value, out)
        match target:
            case ir.StateX(state=state, of=of):
                owner = self.x(of) if of is not None else Const(None)
                site = self.site("set", statement, (state.kind.name if state.kind else "", state.name))
            case ir.PieceStateX(state=state, of=of):
                owner = self.x(of)
                site = self.site("piece", statement, (self.kind_of(of.type), state.name))
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

    def assign(self, target: ir.X, value: Code, out: Lines) -> None:
        match target:
            case ir.StateX(state=state) if state.bounds is not None:
                value = self.checked(state, value)
            case ir.PieceStateX(state=state) if state.type == INT:
                value = self.checked(state, value) if state.bounds is not None else call("bounded", value)
        match target:
            case ir.Local(var=var):
                out.store(self.bind(var), value)
            case ir.StateX(state=state, of=None):
                out.store(Slot(self.layout.state_slot[id(state)]), value)
            case ir.StateX(state=state, of=ir.X() as of):
                self._assign_to_thing(state, of, value, out)
            case ir.PieceStateX(state=state, of=ir.Local(var=var)):
                pieces = self.layout.pieces[self.kind_of(var.type)]
                kind = self.ident(pieces.kind.name)
                name = self.local(var)
                out.let("i", name)
                changed = self._changed_code(pieces, state, value)
                self._taken_apart(out)
                out.let("v", changed)
                self._found(pieces.kind, out)
                units = Known(f"UN_{kind}")
                out.store(Slot(0, Name("i")), units[Name("v")] - units[Name("c")], "+")
                out.store(name, self.piece(Name("i"), Name("v")))
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
            out.store(self.slot_at(slot, of), value)

    def _taken_apart(self, out: Lines) -> None:
        """The piece `i` becomes its place `i` and its code `c`."""
        out.let("c", Name("i") & self.low)
        out.store(Name("i"), Const(self.shift), ">>")

    def _found(self, kind: m.Kind, out: Lines) -> None:
        """That a piece of code `c` is in the place `i`."""
        there = Slot(0, Name("i")) & Known(f"FM_{self.ident(kind.name)}")[Name("c")]
        out.when(c.Not(there)).do(call("stale", kind.name))

    def _taken_over(self, kind: m.Kind, out: Lines) -> None:
        """One piece of code `c` goes from the place `i` to `d`."""
        unit = Known(f"UN_{self.ident(kind.name)}")[Name("c")]
        out.store(Slot(0, Name("i")), unit, "-")
        out.store(Slot(0, Name("d")), unit, "+")

    def _changed_code(self, pieces: PieceLayout, state: m.State, value: Code) -> Code:
        """The code of the piece `c` once a state has a value."""
        stride, values = pieces.stride(state)
        code = Name("c")
        if pieces.is_sparse:
            at = value - values.start if isinstance(values, range) else self.const(_index(values), "X")[value]
            return code + (at - code // stride % len(values)) * stride
        table = tuple(tuple(pieces.with_state(each, state, v) for each in range(pieces.codes)) for v in values)
        return self.const(table, "X")[self.const(_index(values), "X")[value]][code]

    def items_code(self, what: ir.X) -> Code:
        """Things or pieces as a tuple, for the journal."""
        if isinstance(what.type, ThingOf | PieceOf):
            return c.Tuple((self.x(what),))
        return self.refs(what)

    def type_note(self, what: ir.X) -> tuple[str, bool]:
        kind = self.kind_of(what.type)
        return (kind, self.game.kinds[kind].is_pieces)

    def _move(self, statement: ir.MoveS, out: Lines) -> None:
        what, to = statement.what, statement.to
        kind = to.holds.kind
        site = self.site("move", statement, (kind.name, kind.is_pieces, statement.end))
        target = self.slot(to)
        out.let("d", target)
        if kind.is_pieces:
            self._move_pieces(statement, what, site, out)
            for state in self._ended(to.holds):
                self._reset_pile(state, Slot(0, Name("d")), out)
            return
        if isinstance(what.type, ThingOf):
            out.let("i", self.x(what))
        else:
            items = self.listed(what) if isinstance(what.type, ListOf) else self.refs(what)
            if statement.amount is not None:
                items = c.Part(items, None, call("max", 0, self.x(statement.amount)))
            out = out.loop(("i",), items)
        i, d = Name("i"), Name("d")
        out.tell(site, c.Tuple((i,)), Slot(self.layout.loc_slot[kind.name], i), d)
        out.do(call("move_thing", STATE, Known(f"TI_{self.ident(kind.name)}"), i, d, statement.end))
        self._end_of_thing(to.holds, out)

    def _move_pieces(self, statement: ir.MoveS, what: ir.X, site: int, out: Lines) -> None:
        kind = self.game.kinds[self.kind_of(what.type)]
        match what.type:
            case PieceOf():
                out.let("i", self.x(what))
                self._move_one(kind, site, out)
                if isinstance(what, ir.Local):
                    code = self._without_ended(statement.to.holds, Name("c"))
                    out.store(self.local(what.var), self.piece(Name("d"), code))
            case ListOf():
                self._move_listed(statement, what, kind, site, out)
            case _:
                self._move_pile(statement, what, kind, site, out)

    def _move_one(self, kind: m.Kind, site: int, out: Lines, is_certain: bool = False) -> None:
        """The piece `i` goes to the place `d`."""
        self._taken_apart(out)
        if not is_certain:
            self._found(kind, out)
        i, code, d = Name("i"), Name("c"), Name("d")
        out.tell(site, c.Tuple((self.piece(i, code),)), i, d)
        self._taken_over(kind, out)

    def _move_listed(self, statement: ir.MoveS, what: ir.X, kind: m.Kind, site: int, out: Lines) -> None:
        items = self.x(what)
        taken = items
        if statement.amount is not None:
            out.let("m", call("max", 0, self.x(statement.amount)))
            taken = c.Part(items, None, Name("m"))
        self._move_one(kind, site, out.loop(("i",), taken))
        if isinstance(what, ir.Local) and self.is_used_again(what.var):
            # The list goes on to mean the same pieces.
            code = self._without_ended(statement.to.holds, Name("x") & self.low)
            moved = call("tuple", c.Listing("list", self.piece(Name("d"), code), (Each(("x",), taken),)))
            out.store(items, moved + c.Part(items, Name("m"), None) if statement.amount is not None else moved)

    def _move_pile(self, statement: ir.MoveS, what: ir.X, kind: m.Kind, site: int, out: Lines) -> None:
        base, _ = self.split_source(what)
        left: list[ir.X] = [what]
        holder, codes = None, None
        if isinstance(base, ir.ContentsX):
            base, holder, codes, left = self.pile_parts(what, None, ())
        if left or statement.amount is not None:
            refs = self.refs(what)
            if statement.amount is not None:
                refs = c.Part(refs, None, call("max", 0, self.x(statement.amount)))
            self._move_one(kind, site, out.loop(("i",), refs), is_certain=True)
            return
        assert isinstance(base, ir.ContentsX)
        slot = self.layout.holds_slot[id(base.holds)]
        if holder is not None:
            h = self.fresh("h")
            out = out.loop((h,), holder)
            out.let("i", Const(slot) + Name(h))
        else:
            out.let("i", self.slot(base))
        i, d, moved = Name("i"), Name("d"), Name("m")
        out.let("m", c.joined_masks(Slot(0, i), codes))
        inside = out.when(c.All((moved, i.differs(d))))
        items = Each(("c", "n"), Known(f"IT_{self.ident(kind.name)}")[moved])
        alike = Each(("_",), call("range", Name("n")))
        pile = call("tuple", c.Listing("list", self.piece(i, Name("c")), (items, alike)))
        inside.tell(site, pile, i, d)
        inside.store(Slot(0, i), moved, "-")
        inside.store(Slot(0, d), moved, "+")

    def _place(self, statement: ir.PlaceS, out: Lines) -> None:
        pieces = self.layout.pieces[statement.kind.name]
        n = self.ident(statement.kind.name)
        site = self.site("move", statement, (statement.kind.name, True, ""))
        out.let("d", self.slot(statement.to))
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
            out.tell(site, c.Tuple((Const(source << self.shift | code),)) * number, source, d)
            out.store(Slot(source), number * unit, "-")
            out.store(Slot(0, d), number * unit, "+")

    def _draw(self, statement: ir.DrawS, out: Lines) -> None:
        kind = statement.source.holds.kind
        site = self.site("draw", statement, (kind.name, kind.is_pieces))
        source, target = self.slot(statement.source), self.slot(statement.to)
        name = self.bind(statement.var) if statement.var is not None else Name("drawn")
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
            info = Known(f"TI_{self.ident(kind.name)}")
            drawn = call("draw_things", POSITION, STATE, amount, source, mask, target, info, statement.end, site)
        out.store(name, drawn)
        out.tell(site, name, source, target)
        self._end_of_drawn(statement.to.holds, name, target, out)

    def _mask_of_list(self, listed: ir.X) -> Code:
        each = Each(("i",), self.listed(listed, any_order=True))
        return call("sum", c.Listing("list", Const(1) << Name("i"), (each,)))

    def _drawn_pieces(self, statement: ir.DrawS, amount: Code, source: Code, target: Code, site: int) -> Code:
        kind = statement.source.holds.kind
        n, is_sparse = self.ident(kind.name), self.layout.pieces[kind.name].is_sparse
        mask: Code = Const(-1)
        if statement.filter is not None:
            _, _, codes, left = self.pile_parts(statement.filter, None, ())
            if left:
                each = Each(("i",), self.refs(statement.filter))
                code = Name("i") & self.low
                if is_sparse:
                    mask = call("one_of", c.Listing("list", code, (each,)))
                else:
                    mask = call("sum", call("set", c.Listing("list", Known(f"FM_{n}")[code], (each,))))
            else:
                mask = codes if codes is not None else Const(-1)
        given = (POSITION, STATE, amount, source, mask, target)
        if is_sparse:
            return call("draw_sparse", *given, Known(f"IT_{n}"), site, self.shift)
        wide = (self.shift,) if self.shift != 16 else ()
        return call("draw_pieces", *given, Known(f"UN_{n}"), Known(f"IT_{n}"), site, *wide)

    def _end_of_drawn(self, holds: m.Holds, name: Code, target: Code, out: Lines) -> None:
        """What was drawn loses the states that do not last where it comes to."""
        ended = self._ended(holds)
        if not ended:
            return
        if not holds.kind.is_pieces:
            self._end_of_thing(holds, out.loop(("i",), name))
            return
        out.let("d", target)
        for state in ended:
            self._reset_pile(state, Slot(0, Name("d")), out)
        x = Name("x")
        code = self.piece(x >> self.shift, self._without_ended(holds, x & self.low))
        out.store(name, call("tuple", c.Listing("list", code, (Each(("x",), name),))))


def _may_grow(statement: ir.AssignS) -> bool:
    """Whether what is set may be a larger number than any there was. Steps of a fixed size cannot grow far."""
    if statement.operator != "=":
        return not isinstance(statement.value, ir.Lit)
    return isinstance(statement.value, ir.ArithX | ir.CallX | ir.IfX | ir.AggregateX)


class _Values(dict[Any, int]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(map(repr, self)))


def _index(values: Sequence[Any]) -> _Values:
    """Which of a state's values a value is; 0 and 1 serve for no and yes."""
    return _Values({v: i for i, v in enumerate(values)})
