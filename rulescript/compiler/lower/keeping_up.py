"""Names that keep up with their pieces where something is done to these without them.

Around a statement that may do so (`analysis/unseen_moves.py`) the names are put on a stack, in one slot of the state;
whatever moves or alters pieces looks there, and afterwards the names are told what they have become:

    S[90] += (v7, S[31])
    p4(p, S)                     # S[52] -= unit; S[60] += unit; if S[90]: S[90] = kept_up(S[90], old, new, left)
    f = S[90]
    v7 = f[-2]; S[31] = f[-1]; S[90] = f[:-2]

Mostly there is nobody on it. A name goes along with the last of those that are alike; of a list as many as there is no
room for among those that are left (`machine/moving.py`). Where a loop hands the name of a round to a rule and its list
must keep up, the list lies there with the parameters that are that member; and which of its own parameters a rule hands
on as which others lies there, too:

    S[90] += (((v7[:i] + (v8,) + v7[i + 1:]), i, (31,)),)
    p4(p, S)                     # S[90] += ((None, (31, (40,))),); p9(p, S) ... kept_up(S[90], old, new, left, 40)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from rulescript.analysis.unseen_moves import Touched, UnseenMoves
from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Known, Name, Slot, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.whenever import OWN_NAMES
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import inner_blocks, statements_in
from rulescript.model.types import ListOf, kind_carried

__all__ = ["KeepingUp", "kept_up_in"]

_Given = tuple[tuple[int, tuple[int, ...]], ...]


class KeepingUp(Room):
    """Writes what names need to keep up."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._touched = Touched({}, {}, {})
        self._stack: int | None = None
        self._before: list[tuple[Any, str, ir.Block]] = []

    def look_after(self, procedures: Sequence[m.Procedure]) -> None:
        """Put the keeping up around the statements that need it."""
        self._touched = UnseenMoves(self.game, self.following, procedures, 2 * OWN_NAMES).touched()
        # What becomes of the piece of a round goes into the list of the loop.
        self.following.always_asked |= self._touched.rounds
        for procedure in procedures:
            self._wrap(procedure, "block")
            for hook in procedure.hooks:
                self._wrap(hook, "block")
        for hooks in self.game.loop_hooks.values():
            for hook in hooks:
                self._wrap(hook, "block")

    def _wrap(self, part: Any, field: str) -> None:
        out: list[ir.S] = []
        for statement in getattr(part, field):
            match statement:
                case ir.ChooseS(alts=alts):
                    for alt in alts:
                        self._wrap(alt, "block")
                case ir.TogetherS(branches=branches):
                    for branch in branches:
                        self._wrap_one(branch)
                case _:
                    self._wrap_one(statement)
            names = tuple(self._touched.around.get(id(statement), ()))
            given = self._given(statement)
            if names or given is not None:
                handed = tuple(self.following.handed_names(statement))
                first, last = (ir.KeepUpS(statement.span, (), names, handed, given, ends) for ends in (False, True))
                out += [first, statement, last]
            else:
                out.append(statement)
        if len(out) > len(getattr(part, field)):
            self._before.append((part, field, getattr(part, field)))
            setattr(part, field, tuple(out))

    def _given(self, statement: ir.S) -> _Given | None:
        """Which parameters the names that are handed to a rule are there, if members of lists may be among them."""
        members = self._touched.members
        if not members or not isinstance(statement, ir.CallS | ir.DoesS | ir.SignalS):
            return None
        rules = called(statement)
        if not any(param.ident in members for rule in rules for param in rule.params):
            return None
        out: dict[int, tuple[int, ...]] = {}
        for at, arg in enumerate(statement.args):
            if isinstance(arg, ir.Local):
                becomes = (rule.params[at].ident for rule in rules if rule.params[at].ident in members)
                out[arg.var.ident] = (*out.get(arg.var.ident, ()), *becomes)
        return tuple((one, becomes) for one, becomes in out.items() if becomes)

    def _wrap_one(self, statement: ir.S) -> None:
        """What is inside a statement."""
        match statement:
            case ir.ChooseS(alts=alts):
                for alt in alts:
                    self._wrap(alt, "block")
            case ir.IfS():
                self._wrap(statement, "then")
                self._wrap(statement, "otherwise")
            case _ if inner_blocks(statement):
                self._wrap(statement, "block")

    def put_back(self) -> None:
        """Leave the rules as they were."""
        for part, field, block in reversed(self._before):
            setattr(part, field, block)
        self._before.clear()

    # -------------------------------------------------------------- code

    @property
    def stack(self) -> Slot:
        """The names that somebody looks after."""
        if self._stack is None:
            self._stack = self.layout.take(())
            self.layout.name_types[self._stack] = ["list", ["any"]]
        return Slot(self._stack)

    def look(self, statement: ir.KeepUpS, out: Lines) -> None:
        """What follows may do something to names, or it is over."""
        looking = self.rule.loops[-1].looking if self.rule.loops else []
        if statement.ends:
            self.tell(statement.names, out, statement.handed, statement.given)
            if looking:
                looking.pop()
        else:
            self.keep(statement.names, out, statement.handed, statement.given)
            looking.append(statement)

    def keep(
        self, names: Sequence[ir.Var], out: Lines, handed: Sequence[ir.Var] = (), given: _Given | None = None
    ) -> None:
        """From here on it is noted what becomes of the pieces of some names."""
        kept: list[Code] = []
        if given is not None:
            mine = ((one, becomes) for one, becomes in given if one in self._touched.members)
            kept.append(Const((None, *mine)))
        for var in names:
            if var.role == "answers":
                kept.append(call("through", call("picked", *self._answers(var))))
                continue
            name = self.scope.local(var)
            own: tuple[Code, ...] = ()
            for one, at, noted in self._rounds(var):
                if one in handed:
                    name = c.Part(name, None, at) + c.Tuple((self.scope.local(one),)) + c.Part(name, at + 1, None)
                    own = (at, Const(dict(given or ()).get(one.ident, ())))
                elif noted is not None:
                    out.add(attrs.evolve(noted, origin=None))
            several = call("through", name) if isinstance(var.type, ListOf) else name
            kept.append(c.Tuple((several, *own)) if own else several)
        out.store(self.stack, self.stack + c.Tuple(tuple(kept)))

    def tell(
        self, names: Sequence[ir.Var], out: Lines, handed: Sequence[ir.Var] = (), given: _Given | None = None
    ) -> None:
        """The names are told what their pieces have become."""
        kept, many = Name("f"), len(names)
        out.let("f", self.stack)
        out.store(self.stack, c.Part(kept, None, Const(-many - (given is not None))))
        for number, var in enumerate(names):
            now = kept[number - many]
            if var.role == "answers":
                answers, columns = self._answers(var)
                out.store(answers, call("repicked", answers, columns, now))
                continue
            name = self.scope.local(var)
            for one, at, _ in self._rounds(var):
                if one in handed:
                    out.let("g", at)
                    piece, now = c.Tuple((self.scope.local(one),)), now[0]
                    now = c.Part(now, None, Name("g")) + piece + c.Part(now, Name("g") + 1, None)
            out.store(name, now)
        for var in names:
            for one, at, _ in self._rounds(var):
                if one not in handed:
                    out.store(self.scope.local(one), self.scope.local(var)[at])

    def _rounds(self, several: ir.Var) -> list[tuple[ir.Var, Code, c.Store | None]]:
        """Of the loop around that goes through a list: the name of its rounds, which member of the list that is, and
        how the list takes it over."""
        loops = [x for x in self.rule.loops if x.several is several]
        return [(x.one, x.at, x.noted) for x in loops[-1:] if x.one is not None and x.at is not None]

    def _answers(self, var: ir.Var) -> tuple[Slot, Code]:
        """Where the answers to a sealed choice wait, and which parts of them are pieces of a kind."""
        each = self._touched.answers[var.ident]
        choose = next(statement for statement in each.block if isinstance(statement, ir.ChooseS))
        kinds = [kind_carried(kept.type) for kept in self.sealed.kept_of(choose)]
        mine = [at for at, kind in enumerate(kinds, 2) if kind == kind_carried(var.type)]
        return Slot(self.program.hidden(each, "answers")), self.constants.const(tuple(mine), "R")

    def beside(self, choose: ir.ChooseS) -> list[ir.Var]:
        """The names that something may be done to while a choice is asked, by what may be done at any time."""
        return self._touched.beside.get(id(choose), [])

    def end_of_round(self, loop: ir.S, scope: str, out: Lines) -> None:
        """A round of a loop over a state is over."""
        names = self._touched.ends.get(id(loop), ())
        if names:
            self.keep(names, out)
        self.lasting.end_of_scope(scope, out)
        if names:
            self.tell(names, out)

    def around_hooks(self, loop: ir.ForS, hooks: list[ir.S]) -> list[ir.S]:
        """What comes before or after a round of a loop over a state."""
        names = tuple(self._touched.hooks.get(id(loop), ()))
        if not names or not hooks:
            return hooks
        first, last = (ir.KeepUpS(hooks[0].span, (), names, (), None, ends) for ends in (False, True))
        return [first, *hooks, last]

    def left_of(self, loop: ir.S) -> ir.Var | None:
        """The name of what a loop has still to go through, if that must keep up."""
        return self._touched.left.get(id(loop))

    def follow(self, loop: ir.S, same: ir.S) -> None:
        """A loop is written as another one."""
        if id(loop) in self._touched.left:
            self._touched.left[id(same)] = self._touched.left[id(loop)]

    def note(self, statement: ir.S, kind: m.Kind, place: Code, code: Code, new: Code, out: Lines) -> None:
        """A piece that stood in a place and had a code has become another."""
        if id(statement) not in self._touched.noted:
            return
        n = self.constants.ident(kind.name)
        there = Slot(0, place) & Known(f"FM_{n}")[code]
        is_sparse = self.layout.pieces[kind.name].is_sparse
        left = Known(f"CN_{n}")[there] if is_sparse else there // Known(f"UN_{n}")[code]
        by = tuple(Const(at) for at in (self._done_through(statement),) if at in self._touched.members)
        inside = out.when(self.stack)
        inside.store(self.stack, call("kept_up", self.stack, self.places.piece(place, code), new, left, *by))

    @staticmethod
    def _done_through(statement: ir.S) -> int | None:
        """The name, by number, through which something is done to its piece."""
        match statement:
            case (
                ir.MoveS(what=ir.Local(var=var))
                | ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.CallS(result=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.DoesS(result=ir.PieceStateX(of=ir.Local(var=var)))
            ):
                return var.ident
        return None

    def note_pile(self, statement: ir.MoveS, kind: m.Kind, pile: Code, place: Code, out: Lines) -> None:
        """The pieces of a pile have gone from a place to the place `d`."""
        if id(statement) in self._touched.noted:
            n, code = self.constants.ident(kind.name), Name("c")
            each = out.when(self.stack).loop(("c", "n"), Known(f"IT_{n}")[pile])
            new = self.places.piece(Name("d"), self.lasting.without_ended(statement.to.holds, code))
            self.note(statement, kind, place, code, new, each)

    def note_drawn(self, statement: ir.DrawS, drawn: Code, source: Code, out: Lines) -> None:
        """What lies where it was drawn to has come from another place."""
        if id(statement) in self._touched.noted:
            each, to = out.when(self.stack).loop(("x",), drawn), statement.to.holds
            place, code = Name("x") >> self.constants.shift, Name("x") & self.constants.low
            new = self.places.piece(place, self.lasting.without_ended(to, code))
            self.note(statement, to.kind, source, code, new, each)

    def note_reset(self, kind: m.Kind, table: Code, out: Lines) -> None:
        """All pieces of a kind have other codes now."""
        if kind.name in self._touched.kinds:
            slots = [slot for slot, (holds, _) in self.layout.place_of_slot.items() if holds.kind is kind]
            places = self.constants.const(tuple(slots), "R")
            inside = out.when(self.stack)
            inside.store(self.stack, call("reset_up", self.stack, places, table, self.constants.shift))


def kept_up_in(block: ir.Block) -> set[int]:
    """The names, by number, that a block is told what their pieces have become."""
    told = [statement for statement in statements_in(block) if isinstance(statement, ir.KeepUpS)]
    return {var.ident for statement in told for var in statement.names}
