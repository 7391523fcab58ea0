"""Answers that are all given before any of them takes effect."""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Name, Slot
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import ir

__all__ = ["Sealed"]


class Sealed(Room):
    """Writes answers that are given together."""

    def together(self, branches: Sequence[ir.ChooseS | ir.EachS], out: Lines, k: int) -> None:
        """All answer first, then all that follows from the answers."""
        slots = [self.program.hidden(b, "answer") for b in branches]
        # For each branch that several answer: where they are asked, where answers are noted, where they are played.
        places = [
            tuple(self.program.new_block() for _ in range(4)) if isinstance(b, ir.EachS) else () for b in branches
        ]
        after = k
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                self._each_plays(branch, blocks, after)
                after = blocks[3]
                continue
            number = self.program.new_block()
            effects = self.program.begin_block(number, branch.span)
            for alt in branch.alts:
                for var, _ in alt.picks:
                    self.program.bind(var)
                if alt.many is not None:
                    self.program.bind(alt.many[2])
            for at, alt in enumerate(branch.alts):
                if alt.block:
                    self.blocks.seq(alt.block, effects.when(Slot(slot).equals(at)), self.choices.after(alt, after))
            effects.jump(after)
            after = number
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                number = self.program.new_block()
                self._each_asks(branch, blocks, self.program.begin_block(number, branch.span), after)
                after = number
            else:
                after = self.choices.choose(branch, after, slot)
        out.jump(after)

    def each_sealed(self, statement: ir.EachS, out: Lines, k: int) -> None:
        blocks = tuple(self.program.new_block() for _ in range(4))
        self._each_asks(statement, blocks, out, blocks[3])
        self._each_plays(statement, blocks, k)

    def _each_noted(self, statement: ir.EachS) -> tuple[ir.ChooseS, Code, tuple[Code, ...], Slot, Slot, Slot]:
        """The choice of a sealed `each`, who makes it, what is kept of an answer, and the slots it needs."""
        choose = next(s for s in statement.block if isinstance(s, ir.ChooseS))
        who = self.program.bind(statement.var)
        left, answers, answer = (Slot(self.program.hidden(statement, tag)) for tag in ("left", "answers", "answer"))
        kept = tuple(self.program.bind(var) for var in self.kept_of(choose))
        return choose, who, (who, answer, *kept), left, answers, answer

    @staticmethod
    def kept_of(choose: ir.ChooseS) -> list[ir.Var]:
        """The names that are kept of an answer, after who gave it and which way it went."""
        return [v for alt in choose.alts for v, _ in alt.picks] + [alt.many[2] for alt in choose.alts if alt.many]

    def _each_asks(self, statement: ir.EachS, blocks: tuple[int, ...], out: Lines, k: int) -> None:
        """Ask all of them, one after the other; then block `k`."""
        ask, note, _, _ = blocks
        choose, who, kept, left, answers, answer = self._each_noted(statement)
        asked = self.choices.choose(choose, note, answer.base)
        out.store(left, self.loops.refs(statement.source))
        out.store(answers, c.Tuple(()))
        out.jump(ask)
        each = self.program.begin_block(ask, statement.span)
        self.choices.next_of(left, "rest", who, k, each)
        each.jump(asked)
        noted = self.program.begin_block(note, statement.span)
        noted.store(answers, c.Tuple((c.Tuple(kept),)), "+")
        noted.jump(ask)

    def _each_plays(self, statement: ir.EachS, blocks: tuple[int, ...], k: int) -> None:
        """What follows from each answer; then block `k`."""
        _, _, play, step = blocks
        choose, _, kept, _, answers, answer = self._each_noted(statement)
        each = self.program.begin_block(step, statement.span)
        rest = Name("rest")
        each.let("rest", answers)
        each.when(c.Not(rest)).jump(k)
        each.add(c.Store(kept, rest[0], is_tuple=True))
        each.store(answers, c.Part(rest, Const(1), None))
        each.jump(play)
        played = self.program.begin_block(play, statement.span)
        for at, alt in enumerate(choose.alts):
            if alt.block:
                self.blocks.seq(alt.block, played.when(answer.equals(at)), step)
        played.jump(step)
