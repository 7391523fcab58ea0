"""Things and pieces moved -> code."""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Const, Each, Known, Name, Slot, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    ListOf,
    PieceOf,
    ThingOf,
    kind_of,
)

__all__ = ["Moves"]


class Moves(Room):
    """Writes moves."""

    def taken_apart(self, out: Lines) -> None:
        """The piece `i` becomes its place `i` and its code `c`."""
        out.let("c", Name("i") & self.constants.low)
        out.store(Name("i"), Const(self.constants.shift), ">>")

    def check_found(self, kind: m.Kind, out: Lines) -> None:
        """That a piece of code `c` is in the place `i`."""
        there = Slot(0, Name("i")) & Known(f"FM_{self.constants.ident(kind.name)}")[Name("c")]
        out.when(c.Not(there)).do(call("stale", kind.name))

    def _taken_over(self, kind: m.Kind, out: Lines) -> None:
        """One piece of code `c` goes from the place `i` to `d`."""
        unit = Known(f"UN_{self.constants.ident(kind.name)}")[Name("c")]
        out.store(Slot(0, Name("i")), unit, "-")
        out.store(Slot(0, Name("d")), unit, "+")

    def move(self, statement: ir.MoveS, out: Lines) -> None:
        what, to = statement.what, statement.to
        kind = to.holds.kind
        site = self.program.site("move", statement, (kind.name, kind.is_pieces, statement.end))
        target = self.places.slot(to)
        out.let("d", target)
        if kind.is_pieces:
            self._move_pieces(statement, what, site, out)
            for state in self.lasting.ended(to.holds):
                self.lasting.reset_pile(state, Slot(0, Name("d")), out)
            return
        if isinstance(what.type, ThingOf):
            out.let("i", self.x(what))
        else:
            items = self.expressions.listed(what) if isinstance(what.type, ListOf) else self.loops.refs(what)
            if statement.amount is not None:
                items = c.Part(items, None, call("max", 0, self.x(statement.amount)))
            out = out.loop(("i",), items)
        i, d = Name("i"), Name("d")
        out.tell(site, c.Tuple((i,)), Slot(self.layout.loc_slot[kind.name], i), d)
        out.do(call("move_thing", STATE, Known(f"TI_{self.constants.ident(kind.name)}"), i, d, statement.end))
        self.lasting.end_of_thing(to.holds, out)

    def _move_pieces(self, statement: ir.MoveS, what: ir.X, site: int, out: Lines) -> None:
        kind = self.game.kinds[kind_of(what.type)]
        match what.type:
            case PieceOf():
                out.let("i", self.x(what))
                self._move_one(kind, site, statement, out)
                if isinstance(what, ir.Local):
                    code = self.lasting.without_ended(statement.to.holds, Name("c"))
                    out.store(self.scope.local(what.var), self.places.piece(Name("d"), code))
            case ListOf():
                self._move_listed(statement, what, kind, site, out)
            case _:
                self._move_pile(statement, what, kind, site, out)

    def _move_one(self, kind: m.Kind, site: int, statement: ir.MoveS, out: Lines, is_certain: bool = False) -> None:
        """The piece `i` goes to the place `d`."""
        self.taken_apart(out)
        if not is_certain:
            self.check_found(kind, out)
        i, code, d = Name("i"), Name("c"), Name("d")
        out.tell(site, c.Tuple((self.places.piece(i, code),)), i, d)
        self._taken_over(kind, out)
        new = self.places.piece(d, self.lasting.without_ended(statement.to.holds, code))
        self.keeping_up.note(statement, kind, i, code, new, out)

    def _move_listed(self, statement: ir.MoveS, what: ir.X, kind: m.Kind, site: int, out: Lines) -> None:
        items = self.x(what)
        taken = items
        if statement.amount is not None:
            out.let("m", call("max", 0, self.x(statement.amount)))
            taken = c.Part(items, None, Name("m"))
        self._move_one(kind, site, statement, out.loop(("i",), taken))
        if isinstance(what, ir.Local) and self.program.is_used_again(what.var):
            # The list goes on to mean the same pieces.
            code = self.lasting.without_ended(statement.to.holds, Name("x") & self.constants.low)
            moved = call("tuple", c.Listing("list", self.places.piece(Name("d"), code), (Each(("x",), taken),)))
            out.store(items, moved + c.Part(items, Name("m"), None) if statement.amount is not None else moved)

    def _move_pile(self, statement: ir.MoveS, what: ir.X, kind: m.Kind, site: int, out: Lines) -> None:
        base, _ = self.loops.split_source(what)
        left: list[ir.X] = [what]
        holder, codes = None, None
        if isinstance(base, ir.ContentsX):
            base, holder, codes, left = self.loops.pile_parts(what, None, ())
        if left or statement.amount is not None:
            refs = self.loops.refs(what)
            if statement.amount is not None:
                refs = c.Part(refs, None, call("max", 0, self.x(statement.amount)))
            self._move_one(kind, site, statement, out.loop(("i",), refs), is_certain=True)
            return
        assert isinstance(base, ir.ContentsX)
        slot = self.layout.holds_slot[id(base.holds)]
        if holder is not None:
            h = self.scope.fresh("h")
            out = out.loop((h,), holder)
            out.let("i", Const(slot) + Name(h))
        else:
            out.let("i", self.places.slot(base))
        i, d, moved = Name("i"), Name("d"), Name("m")
        out.let("m", c.joined_masks(Slot(0, i), codes))
        inside = out.when(c.All((moved, i.differs(d))))
        items = Each(("c", "n"), Known(f"IT_{self.constants.ident(kind.name)}")[moved])
        alike = Each(("_",), call("range", Name("n")))
        pile = call("tuple", c.Listing("list", self.places.piece(i, Name("c")), (items, alike)))
        inside.tell(site, pile, i, d)
        inside.store(Slot(0, i), moved, "-")
        inside.store(Slot(0, d), moved, "+")
        self.keeping_up.note_pile(statement, kind, moved, i, inside)
