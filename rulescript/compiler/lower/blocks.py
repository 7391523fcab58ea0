"""Rules that can wait -> blocks.

A rule is cut exactly where it can wait: a block is a function `b12(p, S)` that runs until the next stop and returns
the block to go on with, or None when somebody has to decide. What is bound before a stop and used after it lives in
slots of `S`, so a position is nothing but that list: no generators, no frames of Python's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Name, Slot, call
from rulescript.compiler.layout import OUTCOME, Layout
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.rule import Loop
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    ListOf,
    SetOf,
    kind_carried,
    kind_of,
)

__all__ = ["Blocks"]

# So much work in a block goes uncounted: how many blocks follow each other without a decision is counted anyway.
HOP = 100


class Blocks(Room):
    """Cuts rules into blocks."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._loops_of: dict[int, ir.ForS] = {}

    def seq(self, block: Sequence[ir.S], out: Lines, k: int) -> None:
        """Statements one after the other, then go on with block `k`."""
        statements = [s for s in block if not isinstance(s, ir.DocS)]
        for at, statement in enumerate(statements):
            out.at(statement.span)
            if not self.stops.can_wait(statement):
                self.statements.plain(statement, out)
                if isinstance(statement, ir.ReturnS | ir.StopS):
                    return
                continue
            if at + 1 == len(statements):
                self.stopping(statement, out, k)
                return
            number = self.program.new_block()
            self.stopping(statement, out, number)
            out = self.program.begin_block(number)
        out.jump(k)

    def block(self, number: int, statements: Sequence[ir.S], k: int) -> None:
        """A block of its own with these statements."""
        self.seq(statements, self.program.begin_block(number), k)

    def stopping(self, statement: ir.S, out: Lines, k: int) -> None:
        """A statement in which play can wait; afterwards, block `k`."""
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                asked = _asked_for_each(then)
                nobody = self.choices.none_for_each(*asked, condition, k) if asked is not None else None
                if asked is not None and nobody is not None:
                    # Nothing is there, or nothing can be given to all of it: who is not asked would tell it.
                    telling, silent = nobody
                    out.when(c.All((c.Not(self.x(asked[2])), telling))).jump(silent)
                    self.seq(then, out.when(self.x(condition)), k)
                    out.when(telling).jump(silent)
                else:
                    test = self.scope.hoisted(partial(self.x, condition), out)
                    self._way(statement, "then", then, out.when(test), k)
                self._way(statement, "else", otherwise, out, k)
            case ir.ChooseS():
                out.jump(self.choices.choose(statement, k))
            case ir.RepeatS():
                self._repeat(statement, out, k)
            case ir.ForS():
                self._for(statement, out, k)
            case ir.EachS(var=var, source=source, sealed=sealed, block=block):
                if sealed:
                    self.sealed.each_sealed(statement, out, k)
                else:
                    # The same loop each time it is compiled, so that it keeps its slots.
                    loop = ir.ForS(statement.span, statement.cites, var, source, block)
                    loop = self._loops_of.setdefault(id(statement), loop)
                    self.keeping_up.follow(statement, loop)
                    self._for(loop, out, k)
            case ir.TogetherS(branches=branches):
                self.sealed.together(branches, out, k)
            case ir.CallS(procedure=procedure, args=args, result=result):
                self.procedures.call_rule(statement, procedure, args, result, out, k)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                self.procedures.call_rule(statement, signal.procedure, args, None, out, k)
            case ir.DoesS():
                self._does(statement, out, k)
            case ir.EndS():
                self._end(statement, out)
            case _:
                raise AssertionError(statement)

    def _way(self, statement: ir.S, way: str, block: ir.Block, out: Lines, k: int) -> None:
        self.program.note_begun(statement, way, out)
        self.seq(block, out, k)

    def _end(self, statement: ir.EndS, out: Lines) -> None:
        """The game is over."""
        winner, who, name = statement.winner, c.Tuple(()), ""
        won: Code = who
        if winner is not None:
            won = self.x(winner)
            won = c.BITS[won] if isinstance(winner.type, SetOf) else c.Tuple((won,))
            name = kind_of(winner.type)
        words = self.words.text(statement.how) if statement.how is not None else Const("")
        site = self.program.site("end", statement)
        out.store(Slot(OUTCOME), c.Tuple((Const(name), won, Const(statement.drawn), words, Const(site))))
        self.program.journal(out, "end", statement, [Slot(OUTCOME)])
        out.jump(c.OVER)

    def _repeat(self, statement: ir.RepeatS, out: Lines, k: int) -> None:
        head = self.program.new_block()
        inner = self.program.begin_block(head, statement.span)
        weight = self.work.of_round(statement.block)
        if weight > HOP:
            inner.do(call("step", weight))
        match statement.mode:
            case "while":
                assert statement.condition is not None
                inner.when(c.Not(self.x(statement.condition))).jump(k)
            case "times":
                left = Slot(self.program.hidden(statement, "times"))
                assert statement.condition is not None
                out.store(left, self.x(statement.condition))
                inner.when(c.Compare("<=", left, Const(0))).jump(k)
                inner.store(left, 1, "-")
        after = head
        if statement.mode == "until":
            after = self.program.new_block()
        self.rule.loops.append(Loop(False, k))
        self.seq(statement.block, inner, after)
        self.rule.loops.pop()
        if statement.mode == "until":
            assert statement.condition is not None
            tester = self.program.begin_block(after, statement.span)
            yes, no = tester.either(self.x(statement.condition))
            yes.jump(k)
            no.jump(head)
        out.jump(head)

    def _for(self, statement: ir.ForS, out: Lines, k: int) -> None:
        var = self.program.bind(statement.var)
        body, step = self.program.new_block(), self.program.new_block()
        loop = Loop(False, k)
        scope = statement.var.state.name if statement.var.state is not None else ""
        stepper = self.program.begin_block(step, statement.span)
        if scope:
            self.keeping_up.end_of_round(statement, scope, stepper)
        weight = self.work.of_round(statement.block)
        if isinstance(statement.source, ir.AllThings) and statement.var.state is not None:
            # The place in the loop is the state itself, so a position can begin anywhere.
            size = statement.source.kind.size
            out.store(var, 0)
            if size:
                self.telling.round(statement, var, out)
            out.jump(body if size else k)
            if weight > HOP:
                stepper.do(call("step", weight))
            more = stepper.when(c.Compare("<", var + 1, Const(size)))
            more.store(var, 1, "+")
            self.telling.round(statement, var, more)
            more.jump(body)
            stepper.jump(k)
        else:
            left = Slot(self.program.hidden(statement, "left"))
            if scope:
                self.program.loop_entries.append((scope, left.base))
            out.store(left, self.loops.refs(statement.source))
            loop.several, loop.one = self.keeping_up.left_of(statement), statement.var
            if loop.several is not None and loop.several.role == "left":
                kept = Slot(self.program.hidden(statement, "kept"))
                self.scope.env[loop.several.ident] = kept
                out.store(kept, left)
            advance = self.program.new_block()
            out.jump(advance)
            several = self.followed_list(statement)
            if several is not None:
                # What the round made of its piece is noted in the list it goes through.
                noted = self.noted_member(several, left, var)
                stepper.add(noted)
                leave = self.program.new_block()
                leaver = self.program.begin_block(leave, statement.span)
                leaver.add(attrs.evolve(noted, origin=None))
                leaver.jump(k)
                loop = attrs.evolve(loop, after=leave, noted=noted)
            stepper.jump(advance)
            next_one = self.program.begin_block(advance, statement.span)
            next_one.let("left", left)
            next_one.when(c.Not(Name("left"))).jump(k)
            if weight > HOP:
                next_one.do(call("step", weight))
            if loop.several is not None:
                loop.at = self.next_member(loop.several, left, var, next_one)
            else:
                next_one.store(var, self.changes.checked(statement.var.state, Name("left")[0]))
                next_one.store(left, c.Part(Name("left"), Const(1), None))
            self.telling.round(statement, var, next_one)
            next_one.jump(body)
        self.rule.loops.append(loop)
        self._way(statement, "round", self.stops.round_of(statement), self.program.begin_block(body), step)
        self.rule.loops.pop()

    def next_member(self, kept: ir.Var, left: Code, name: Code, out: Lines) -> Code:
        """The next of the pieces that a loop goes through, where these must keep up: they are members of a list. Gives
        which of them it is."""
        several = self.scope.local(kept)
        out.store(left, c.Part(left, Const(1), None))
        if kept.role == "left":
            # Nobody asks again for those that the loop has been through: they keep no piece from the others.
            out.store(several, c.Part(several, Const(-1) - call("len", left), None))
        at = self._member(kept, left)
        out.store(name, several[at])
        return at

    def noted_member(self, several: ir.Var, left: Code, member: Code) -> c.Store:
        """What a round has made of its piece goes into the list that the loop goes through."""
        name = self.scope.local(several)
        return c.Store((name,), call("with_member", name, self._member(several, left), member))

    def _member(self, several: ir.Var, left: Code) -> Code:
        """Which member of a list a loop is at, of which it has so many left."""
        return Const(0) if several.role == "left" else call("len", self.scope.local(several)) - call("len", left) - 1

    def followed_list(self, statement: ir.ForS | ir.EachS) -> ir.Var | None:
        """The name of a list of pieces that a loop goes through and changes one by one."""
        source, var = statement.source, statement.var
        kept = self.keeping_up.left_of(statement)
        if kept is not None:
            return kept if var.ident in self.following.changed_in(statement.block) else None
        if isinstance(source, ir.Local) and isinstance(source.type, ListOf) and kind_carried(source.type):
            if var.ident in self.following.changed_in(statement.block):
                return source.var if self.program.is_used_again(source.var) else None
        return None

    def _does(self, statement: ir.DoesS, out: Lines, k: int) -> None:
        """What a thing does: go to the rule of that thing."""
        thing = Slot(self.program.hidden(statement, "thing"))
        out.store(thing, self.x(statement.thing))
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is None:
                continue
            inside = out.when(thing.equals(candidate.index))
            call_ = ir.CallS(statement.span, statement.cites, procedure, statement.args)
            if procedure.stops:
                self.procedures.call_rule(statement, procedure, statement.args, None, inside, k)
            else:
                self.statements.plain(call_, inside)
                self.lasting.settle(statement, inside)
                inside.jump(k)
        out.jump(k)


def _asked_for_each(block: ir.Block) -> tuple[ir.ChooseS, ir.Var, ir.X] | None:
    """The question for each of several with which a block begins, the name of one of them, and the list of all
    (`analysis/plans.py`)."""
    match block:
        case (ir.ForS(var=one, source=items, block=(ir.ChooseS(each_of=ir.X()) as choose,)), *_):
            return choose, one, items
    return None
