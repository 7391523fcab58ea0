"""Statements in which play cannot wait -> code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs

from rulescript.analysis.secrets import is_public
from rulescript.compiler import code as c
from rulescript.compiler.code import POSITION, STATE, Code, Const, Name, Slot, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.procedures import beside
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.rule import Loop
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    SetOf,
    kind_of,
)

__all__ = ["Statements"]

LOOP_LIMIT = 100_000


class Statements(Room):
    """Writes statements that never wait."""

    def plain(self, statement: ir.S, out: Lines) -> None:  # noqa: C901 - one case for each sort of node
        """A statement in which play cannot wait."""
        match statement:
            case ir.DocS():
                pass
            case ir.KeepUpS():
                self.keeping_up.look(statement, out)
            case ir.LetS(var=var, value=value):
                code = self.scope.hoisted(partial(self.x, value), out)
                out.store(self.program.bind(var), code)
            case ir.AssignS():
                self.changes.assign_to(statement, out)
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                yes, no = out.either(self.scope.hoisted(partial(self.x, condition), out))
                self.program.note_begun(statement, "then", yes)
                self._plain_block(then, yes)
                self.program.note_begun(statement, "else", no)
                self._plain_block(otherwise, no)
            case ir.ForS() | ir.EachS():
                self._plain_for(statement, out)
            case ir.RepeatS():
                self._plain_repeat(statement, out)
            case ir.CallS(procedure=procedure, args=args, result=result):
                self._plain_called(statement, procedure, args, result, out)
                self.lasting.settle(statement, out)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                if signal.procedure.block:
                    self._plain_called(statement, signal.procedure, args, None, out)
                    self.lasting.settle(statement, out)
            case ir.DoesS():
                self._plain_does(statement, out)
                self.lasting.settle(statement, out)
            case ir.ReturnS(value=value):
                self._return(value, out)
            case ir.StopS():
                loop = self.rule.loops[-1]
                if loop.is_inside and loop.noted is not None:
                    out.add(attrs.evolve(loop.noted, origin=None))
                out.add(c.Break() if loop.is_inside else c.Jump(loop.after))
            case ir.MoveS():
                self.moves.move(statement, out)
            case ir.PlaceS():
                self.changes.place_pieces(statement, out)
            case ir.DrawS():
                self.changes.draw(statement, out)
            case ir.LotS() | ir.RollS() | ir.ShuffleS():
                self._by_chance(statement, out)
            case ir.RevealS(what=what, to=to):
                viewers: Code = Const(None)
                if to is not None:
                    viewers = self.x(to) if isinstance(to.type, SetOf) else Const(1) << self.x(to)
                self.program.journal(
                    out, "reveal", statement, [self.changes.items_code(what), viewers], self.changes.type_note(what)
                )
            case ir.TellS():
                self.telling.tell(statement, out)
            case _:
                raise AssertionError(statement)

    def _plain_for(self, statement: ir.ForS | ir.EachS, out: Lines) -> None:
        var, source = statement.var, statement.source
        self.scope.round = self.work.of_loop(statement)
        items = self.loops.counted(self.scope.hoisted(partial(self.loops.refs, source), out))
        self.scope.round = 0
        name = self.program.bind(var)
        several = self.blocks.followed_list(statement)
        noted: c.Store | None = None
        at: Code | None = None
        kept = self.keeping_up.left_of(statement)
        if kept is not None:
            left: Code = Name(self.scope.fresh("l"))
            out.store(left, call("tuple", items))
            if kept.role == "left":
                self.scope.env[kept.ident] = Name(self.scope.fresh("l"))
                out.store(self.scope.local(kept), left)
            inside = out.loop(("_",), call("range", call("len", left)))
            at = self.blocks.next_member(kept, left, name, inside)
            if several is not None:
                noted = self.blocks.noted_member(several, left, name)
        elif several is None:
            inside = out.loop_over((name,), items)
        else:
            number = Name(self.scope.fresh("number"))
            inside = out.loop_over((number, name), call("enumerate", items))
            listed = self.scope.local(several)
            noted = c.Store((listed,), call("with_member", listed, number, name))
        if var.state is not None and var.state.bounds is not None:
            inside.do(self.changes.checked(var.state, name))
        if isinstance(statement, ir.ForS):
            self.telling.round(statement, name, inside)
        self.program.note_begun(statement, "round", inside)
        self.rule.loops.append(Loop(True, 0, noted, kept, at, var))
        self._plain_block(self.stops.round_of(statement) if isinstance(statement, ir.ForS) else statement.block, inside)
        if var.state is not None:
            self.keeping_up.end_of_round(statement, var.state.name, inside)
        if noted is not None:
            inside.add(attrs.evolve(noted, origin=None))
        self.rule.loops.pop()

    def _by_chance(self, statement: ir.LotS | ir.RollS | ir.ShuffleS, out: Lines) -> None:
        match statement:
            case ir.LotS(amount=amount, source=source, var=var):
                kind = kind_of(source.type)
                # Whether others can work out how many there are to draw.
                is_open = is_public(source, True) and is_public(amount, True)
                site = self.program.site("lot", statement, (kind, is_open))
                given = (self.x(amount), self.x(source))
                name = self.program.bind(var)
                out.store(name, call("draw_lot", POSITION, STATE, *given, kind, site))
                out.tell(site, name)
            case ir.RollS(amount=number, sides=sides, var=var):
                count = self.x(number) if number is not None else Const(1)
                site = self.program.site("roll", statement, var.name)
                name = self.program.bind(var)
                rolled = call("roll", POSITION, STATE, count, sides, site)
                out.store(name, self.changes.checked(var.state, rolled[0] if number is None else rolled))
                out.tell(site, name)
            case ir.ShuffleS(place=place):
                site = self.program.site("shuffle", statement)
                slot = self.places.slot(place)
                out.do(call("shuffle", POSITION, STATE, slot, site))
                out.tell(site, slot)

    def _plain_block(self, block: ir.Block, out: Lines) -> None:
        for statement in block:
            if not isinstance(statement, ir.DocS):
                out.at(statement.span)
                self.plain(statement, out)

    def _plain_repeat(self, statement: ir.RepeatS, out: Lines) -> None:
        self.rule.loops.append(Loop(True, 0))
        weight = self.work.of_round(statement.block)
        condition = statement.condition
        if statement.mode == "times":
            assert condition is not None
            inside = out.loop(("_",), call("range", self.x(condition)))
            inside.do(call("step", weight))
            self._plain_block(statement.block, inside)
        else:
            inside = out.loop(("_",), call("range", LOOP_LIMIT))
            inside.do(call("step", weight))
            if statement.mode == "while":
                assert condition is not None
                inside.when(c.Not(self.x(condition))).add(c.Break())
            self._plain_block(statement.block, inside)
            if statement.mode == "until":
                assert condition is not None
                inside.when(self.x(condition)).add(c.Break())
            name = self.rule.procedure.name if self.rule.procedure is not None else "repeat"
            endless = out.inner()
            endless.do(call("too_long", name))
            loop = out.body[-1]
            assert isinstance(loop, c.For)
            loop.other = endless.body
        self.rule.loops.pop()

    def _plain_does(self, statement: ir.DoesS, out: Lines) -> None:
        out.let("thing", self.x(statement.thing))
        ways = out.cases()
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is not None:
                inside = ways.when(Name("thing").equals(candidate.index))
                self._plain_called(statement, procedure, statement.args, None, inside)

    def _plain_called(
        self, statement: ir.S, procedure: m.Procedure, args: Sequence[ir.X], result: ir.X | ir.Var | None, out: Lines
    ) -> None:
        """A call of a rule that does not wait, and what becomes of what it gives back."""
        given = [self.x(a) for a in args]
        called_ = call(self.procedures.info(procedure).plain, POSITION, STATE, *given)
        names = dict(self.procedures.taken_back(procedure, args))
        taken = [
            self.scope.local(names[at]) if at in names else Name("_") for at in self.procedures.handed_back(procedure)
        ]
        if taken:
            self.procedures.take_back(Name("_" if result is None else "value"), taken, called_, out)
            called_ = Name("value")
        if isinstance(result, ir.Var):
            out.store(self.program.bind(result), called_)
        elif result is not None:
            self.changes.assign(result, called_, out, statement)
        elif not taken:
            out.do(called_)

    def _return(self, value: ir.X | None, out: Lines) -> None:
        for loop in reversed(self.rule.loops):
            for looking in reversed(loop.looking):
                self.keeping_up.tell(looking.names, out, looking.handed, looking.given)
            if loop.noted is not None:
                out.add(attrs.evolve(loop.noted, origin=None))
        if self.rule.is_plain:
            given = self.scope.hoisted(partial(self.x, value), out) if value is not None else Const(None)
            out.give(beside(given, self.rule.handed))
            return
        if value is not None:
            out.store(Slot(self.rule.value_slot), self.x(value))
        if self.rule.exit is None:
            raise AssertionError("return outside a rule")
        out.jump(self.rule.exit)
