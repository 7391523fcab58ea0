"""Procedures, their calls, and phases -> functions and blocks.

Every call of a waiting rule stores where to go on in the slot of the called rule. A rule that may be called again
before it has ended (directly or in a circle) saves its own slots on a stack before such a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import attrs

from rulescript.analysis.following import ends_states
from rulescript.compiler import code as c
from rulescript.compiler.code import POSITION, STATE, Code, Const, Known, Name, Slot, call
from rulescript.compiler.layout import PHASE, STACK
from rulescript.compiler.lower.infos import ProcedureInfo
from rulescript.compiler.lower.keeping_up import kept_up_in
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.model.types import (
    kind_carried,
    type_data,
)

__all__ = ["Procedures", "beside"]


class Procedures(Room):
    """Writes procedures and their calls."""

    def info(self, procedure: m.Procedure) -> ProcedureInfo:
        """Where a procedure is, compiling it if nobody did yet."""
        key = procedure.name if procedure.form != "does" else f"does {id(procedure)}"
        found = self.program.infos.get(key)
        if found is None and self.rule.is_learning:
            params = [self.layout.slot_for(v) for v in procedure.params]
            return ProcedureInfo(
                procedure.name, procedure.form, "p0", 0, params, 0, 0, [p.type for p in procedure.params]
            )
        if found is None:
            found = self._procedure_info(key, procedure)
        return found

    def _procedure_info(self, key: str, procedure: m.Procedure) -> ProcedureInfo:
        number = len(self.program.infos)
        types = [p.type for p in procedure.params]
        if not procedure.stops:
            made = ProcedureInfo(procedure.name, procedure.form, f"p{number}", -1, [], -1, -1, types)
            self.program.infos[key] = made
            self._plain_procedure(procedure, made)
            return made
        params = [self.layout.slot_for(v) for v in procedure.params]
        made = ProcedureInfo(
            procedure.name,
            procedure.form,
            "",
            self.program.new_block(),
            params,
            self.layout.take(0),
            self.layout.take(None),
            types,
        )
        self.program.infos[key] = made
        self.layout.name_types[made.value] = ["maybe", type_data(procedure.type)]
        if id(procedure) in self.stops.circles:
            # Twice: the first time only to learn which slots it uses; what it calls is left alone then.
            functions, count, sites = self.program.written, self.program.block_count, len(self.program.sites)
            before = dict(self.program.decisions)
            self.program.written, self.rule.is_learning = [], True
            self._waiting_procedure(procedure, made)
            self.program.written, self.rule.is_learning, self.program.block_count, self.program.decisions = (
                functions,
                False,
                count,
                before,
            )
            del self.program.sites[sites:]
        self._waiting_procedure(procedure, made)
        return made

    def _waiting_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, False):
            for var in procedure.params:
                self.program.bind(var)
            self.program.own(info.ret)
            leave = self.program.new_block()
            self.rule.exit, self.rule.value_slot, self.rule.ret = leave, info.value, info.ret
            statements = [*self.stops.hook_statements(procedure.before), *procedure.block]
            entry = info.entry
            if self.telling.has_headline(procedure):
                begun = self.program.begin_block(entry, procedure.span)
                self.telling.scene(procedure, "enter", begun)
                entry = self.program.new_block()
                begun.jump(entry)
            self.blocks.block(entry, statements, leave)
            self.rule.exit = None
            end = self.program.new_block()
            self.blocks.block(leave, self.stops.hook_statements(procedure.after), end)
            out = self.program.begin_block(end, procedure.span)
            self.telling.scene(procedure, "leave", out)
            self.lasting.end_of_scope(procedure.name, out)
            self._put_back(procedure, Slot(info.value), out)
            out.give(Known("B")[Slot(info.ret)])

    def _put_back(self, procedure: m.Procedure, value: Code, out: Lines) -> None:
        """Names that are handed back see the states that have ended with the rule."""
        names = [
            (self.scope.local(procedure.params[at]), procedure.params[at].type) for at in self.handed_back(procedure)
        ]
        for name, type_ in [*names, (value, procedure.type)]:
            kind = self.game.kinds.get(kind_carried(type_))
            ended = ends_states(kind, procedure.name) if kind is not None else []
            if kind is not None and ended:
                out.store(name, self.lasting.put_back(kind, ended, name, type_))

    def handed_back(self, procedure: m.Procedure) -> list[int]:
        """The parameters that a rule gives back to its caller's names."""
        return sorted(self.following.handed(procedure))

    def _plain_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, True):
            names = [self.program.bind(v) for v in procedure.params]
            out = self._begin_plain(info.plain, procedure)
            counted = self.work.of_procedure(procedure, self.stops.comes_back(procedure))
            if counted:
                out.do(call("step", counted))
            self.telling.scene(procedure, "enter", out)
            for hook in self.stops.hook_statements(procedure.before):
                self.statements.plain(hook, out)
            # What comes after sees a piece where the rule has moved it, and a parameter as the rule has set it.
            back = [names[at] for at in self.handed_back(procedure)]
            handed = back
            if procedure.after or self.lasting.has_scope(procedure.name) or self.telling.has_headline(procedure):
                inside = self.following.changed_in(procedure.block) | kept_up_in(procedure.block)
                handed = [
                    n
                    for n, v in zip(names, procedure.params, strict=True)
                    if v.ident in inside or _is_set(v, procedure.block)
                ]
                self.take_back(Name("value"), handed, call(f"{info.plain}_", POSITION, STATE, *names), out)
                for hook in self.stops.hook_statements(procedure.after):
                    self.statements.plain(hook, out)
                self.telling.scene(procedure, "leave", out)
                self.lasting.end_of_scope(procedure.name, out)
                self._put_back(procedure, Name("value"), out)
                out.give(beside(Name("value"), back))
                out = self._begin_plain(f"{info.plain}_", procedure)
            self.rule.handed = handed
            for statement in procedure.block:
                if not isinstance(statement, ir.DocS):
                    out.at(statement.span)
                    self.statements.plain(statement, out)
            self.rule.handed = []
            if handed:
                out.give(beside(Const(None), handed))

    def _begin_plain(self, name: str, procedure: m.Procedure) -> Lines:
        out = self.program.begin_rule(self.program.written, name, ("p", "S"), procedure.params, "rule")
        out.at(procedure.span)
        self.program.written[-1].origin = out.origin
        return out

    def take_back(self, value: Code, names: Sequence[Code], given: Code, out: Lines) -> None:
        """What a rule gives back, and the names it hands back beside it."""
        if names:
            out.add(c.Store((value, *names), given))
        else:
            out.store(value, given)

    @contextmanager
    def inside(self, procedure: m.Procedure, plain_: bool) -> Iterator[None]:
        rule, before = self.rule, attrs.asdict(self.rule, recurse=False)
        rule.is_plain, rule.exit, rule.returns, rule.procedure = plain_, None, procedure.type, procedure
        rule.handed, rule.loops = [], []
        if procedure.form != "sequence":
            rule.phase_stack = []
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(rule, name, value)

    def call_rule(
        self, statement: ir.S, procedure: m.Procedure, args: tuple[ir.X, ...], result: ir.X | ir.Var | None,
        out: Lines, k: int,
    ) -> None:  # fmt: skip
        if (
            procedure.form == "phase"
            and self.rule.procedure is not None
            and self.rule.procedure.form in ("sequence", "phase")
        ):
            if procedure.name not in self.rule.phase_stack:
                self._phase(procedure, out, k)
                return
        info = self.info(procedure)
        circle = self.stops.circles.get(id(self.rule.procedure), []) if self.rule.procedure is not None else []
        recursive = procedure in circle
        settled = bool(self.following.settled_after(self.rule.procedure, statement))
        handed = self.taken_back(procedure, args)
        after = k
        saved: tuple[Slot, ...] = ()
        if recursive:
            # Its own slots are enough: whoever called it has saved theirs.
            slots = sorted(self.program.owned.get(id(self.rule.procedure), set()) | self.lasting.state_slots(circle))
            self.program.spend(statement.span, len(slots))
            saved = tuple(_own_slot(s) for s in slots)
        if recursive or result is not None or handed or settled:
            after = self.program.new_block()
            back = self.program.begin_block(after, statement.span)
            self._come_back(info, saved, handed, recursive, back)
            if isinstance(result, ir.Var):
                back.store(self.program.bind(result), Slot(info.value))
            elif result is not None:
                self.changes.assign(result, Slot(info.value), back, statement)
            self.lasting.settle(statement, back)
            back.jump(k)
        self.program.note_call(statement, info.ret, after, [slot.base for slot in saved])
        if args:
            out.let("given", c.Tuple(tuple(self.x(a) for a in args)))
        if saved:
            out.store(Slot(STACK), call("deeper", Slot(STACK), c.Tuple(saved)))
            for p in circle:
                self.lasting.reset_scope(p.name, out, is_end=False)
        if args:
            out.add(c.Store(tuple(Slot(s) for s in info.params), Name("given"), is_tuple=True))
        out.store(Slot(info.ret), c.Address(after))
        out.jump(info.entry)

    def _come_back(
        self, info: ProcedureInfo, saved: tuple[Slot, ...], handed: Sequence[tuple[int, ir.Var]], recursive: bool,
        back: Lines,
    ) -> None:  # fmt: skip
        """After a call: the caller's own slots as they were, and its names for the pieces it has handed over."""
        if recursive and handed:
            back.let("given", c.Tuple(tuple(Slot(info.params[at]) for at, _ in handed)))
        if saved:
            back.let("frame", Slot(STACK))
            back.store(Slot(STACK), Name("frame")[0])
            back.add(c.Store(saved, Name("frame")[1], is_tuple=True))
        if handed and recursive:
            back.add(c.Store(tuple(self.scope.local(var) for _, var in handed), Name("given"), is_tuple=True))
        elif handed:
            for at, var in handed:
                back.store(self.scope.local(var), Slot(info.params[at]))

    def taken_back(self, procedure: m.Procedure, args: Sequence[ir.X]) -> list[tuple[int, ir.Var]]:
        """Which of the caller's names a rule moves or alters the pieces of, and by which parameters."""
        back = [(at, args[at]) for at in self.handed_back(procedure)]
        return [(at, arg.var) for at, arg in back if isinstance(arg, ir.Local) and self.program.is_used_again(arg.var)]

    def _phase(self, phase: m.Procedure, out: Lines, k: int) -> None:
        """A phase of the sequence, written where it stands in it."""
        entry = self.program.new_block()
        leave, end = self.program.new_block(), self.program.new_block()
        self.program.phase_entries.setdefault(phase.name, entry)
        number = len(self.program.phases)
        around = self.rule.phase_number
        self.program.phases.append(phase.name)
        self.program.phase_within.append((*self.rule.phase_stack, phase.name))
        self.program.phase_blocks.append((entry, end))
        out.jump(entry)
        outer = (self.rule.exit, self.rule.procedure, self.rule.returns, self.rule.loops)
        self.rule.exit, self.rule.procedure, self.rule.returns, self.rule.loops = leave, phase, phase.type, []
        self.rule.phase_stack.append(phase.name)
        self.rule.phase_number = number
        inner = self.program.begin_block(entry, phase.span)
        inner.store(Slot(PHASE), number)
        inner.tell(self.program.site("phase", ir.DocS(phase.span, phase.cites, ""), phase.name), number)
        self.blocks.seq([*self.stops.hook_statements(phase.before), *phase.block], inner, leave)
        self.rule.exit = None
        self.blocks.block(leave, self.stops.hook_statements(phase.after), end)
        self.rule.phase_stack.pop()
        self.rule.phase_number = around
        self.rule.exit, self.rule.procedure, self.rule.returns, self.rule.loops = outer
        last = self.program.begin_block(end, phase.span)
        self.lasting.end_of_scope(phase.name, last)
        last.store(Slot(PHASE), around)
        last.jump(k)


@lru_cache(1 << 14)
def _own_slot(number: int) -> Slot:
    """The same each time: a rule that calls itself saves all of them at each call."""
    return Slot(number)


def beside(value: Code, handed: Sequence[Code]) -> Code:
    """What a rule gives back, with the names it hands back beside it."""
    return c.Tuple((value, *handed)) if handed else value


def _is_set(var: ir.Var, block: ir.Block) -> bool:
    """Whether a rule sets a name anew."""
    for statement in statements_in(block):
        match statement:
            case ir.AssignS(target=ir.Local(var=set_)) | ir.CallS(result=ir.Local(var=set_)) if set_ is var:
                return True
    return False
