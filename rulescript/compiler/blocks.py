"""Rules with effects -> Python functions.

A rule that never waits becomes a plain function. A rule that can wait for a player is cut into *blocks* exactly where
it can wait: a block is a function `b12(p, S)` that runs until the next stop and returns the block to go on with, or
None when somebody has to decide. What is bound before a stop and used after it lives in slots of `S`, so a
position is nothing but that list: no generators, no frames of Python's own.

A decision is a block too: it works out the options, and running it again after loading a position gives the same
decision. `c12(p, S, o)` takes the answer. A choice over several names is asked one name at a time; an option of the
first is offered only if the rest can be completed.

Every call of a waiting rule stores where to go on in the slot of the called rule. A rule that may be called again
before it has ended (directly or in a circle) saves its own slots on a stack before such a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import attrs

from rulescript.analysis.following import ends_states
from rulescript.compiler import code as c
from rulescript.compiler.choosing import Choosing
from rulescript.compiler.code import POSITION, STATE, Code, Const, Known, Name, Slot, call
from rulescript.compiler.layout import OUTCOME, PC, PHASE, STACK
from rulescript.compiler.slots import Loop, ProcedureInfo
from rulescript.compiler.writer import Lines
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in, walk
from rulescript.model.types import ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type, kind_carried, type_data

LOOP_LIMIT = 100_000
# So much work in a block goes uncounted: how many blocks follow each other without a decision is counted anyway.
HOP = 100

__all__ = ["Blocks"]


class Blocks(Choosing):
    """Compiles rules with effects."""

    # -------------------------------------------------------------- which rules wait

    def find_stops(self, procedures: Sequence[m.Procedure]) -> None:
        changed = True
        while changed:
            changed = False
            for procedure in procedures:
                if not procedure.stops and self._procedure_stops(procedure):
                    procedure.stops = True
                    changed = True
        graph = {id(p): [c for b in blocks_of(p) for s in statements_in(b) for c in called(s)] for p in procedures}
        reached: dict[int, dict[int, m.Procedure]] = {}
        for procedure in procedures:
            reach = _reachable(procedure, graph, reached)
            if id(procedure) in reach:
                circle = [p for p in reach.values() if id(procedure) in _reachable(p, graph, reached)]
                self._circles[id(procedure)] = circle

    def _procedure_stops(self, procedure: m.Procedure) -> bool:
        if procedure.form in ("sequence", "phase", "aside"):
            return True
        return any(self.stops(s) for block in blocks_of(procedure) for s in block)

    def stops(self, statement: ir.S) -> bool:
        """Whether play can wait (or end) inside a statement."""
        match statement:
            case ir.ChooseS() | ir.TogetherS() | ir.EndS():
                return True
            case ir.IfS(then=then, otherwise=otherwise):
                return any(map(self.stops, then)) or any(map(self.stops, otherwise))
            case ir.ForS():
                return any(map(self.stops, self.round_of(statement)))
            case ir.RepeatS(block=block) | ir.EachS(block=block):
                return any(map(self.stops, block))
        return any(p.stops for p in called(statement))

    def round_of(self, statement: ir.ForS) -> ir.Block:
        """One round of a loop, with what comes before and after each round of a loop over a state."""
        state = statement.var.state
        hooks = self.game.loop_hooks.get(state.name, []) if state is not None else []
        before = self.hook_statements([h for h in hooks if h.when == "before"])
        after = self.hook_statements([h for h in hooks if h.when == "after"])
        return (*before, *statement.block, *after)

    # -------------------------------------------------------------- statements in a row

    def seq(self, block: Sequence[ir.S], out: Lines, k: int) -> None:
        """Statements one after the other, then go on with block `k`."""
        statements = [s for s in block if not isinstance(s, ir.DocS)]
        for at, statement in enumerate(statements):
            out.at(statement.span)
            if not self.stops(statement):
                self.plain(statement, out)
                if isinstance(statement, ir.ReturnS | ir.StopS):
                    return
                continue
            rest = statements[at + 1 :]
            if rest:
                number = self.new_block()
                self.stopping(statement, out, number)
                self.block(number, rest, k)
            else:
                self.stopping(statement, out, k)
            return
        out.jump(k)

    def block(self, number: int, statements: Sequence[ir.S], k: int) -> None:
        """A block of its own with these statements."""
        self.seq(statements, self.begin_block(number), k)

    def stopping(self, statement: ir.S, out: Lines, k: int) -> None:
        """A statement in which play can wait; afterwards, block `k`."""
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                test = self.hoisted(partial(self.x, condition), out)
                self.seq(then, out.when(test), k)
                self.seq(otherwise, out, k)
            case ir.ChooseS():
                out.jump(self.choose(statement, k))
            case ir.RepeatS():
                self._repeat(statement, out, k)
            case ir.ForS():
                self._for(statement, out, k)
            case ir.EachS(var=var, source=source, sealed=sealed, block=block):
                if sealed:
                    self._each_sealed(statement, out, k)
                else:
                    # The same loop each time it is compiled, so that it keeps its slots.
                    loop = ir.ForS(statement.span, statement.cites, var, source, block)
                    self._for(self._loops_of.setdefault(id(statement), loop), out, k)
            case ir.TogetherS(branches=branches):
                self._together(branches, out, k)
            case ir.CallS(procedure=procedure, args=args, result=result):
                self._call(statement, procedure, args, result, out, k)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                self._call(statement, signal.procedure, args, None, out, k)
            case ir.DoesS():
                self._does(statement, out, k)
            case ir.EndS():
                self._end(statement, out)
            case _:
                raise AssertionError(statement)

    def _end(self, statement: ir.EndS, out: Lines) -> None:
        """The game is over."""
        winner, who, name = statement.winner, c.Tuple(()), ""
        won: Code = who
        if winner is not None:
            won = self.x(winner)
            won = c.BITS[won] if isinstance(winner.type, SetOf) else c.Tuple((won,))
            name = self.kind_of(winner.type)
        words = self.text(statement.how) if statement.how is not None else Const("")
        site = self.site("end", statement)
        out.store(Slot(OUTCOME), c.Tuple((Const(name), won, Const(statement.drawn), words, Const(site))))
        self.journal(out, "end", statement, [Slot(OUTCOME)])
        out.store(Slot(PC), 0)
        out.give(None)

    # -------------------------------------------------------------- loops

    def _repeat(self, statement: ir.RepeatS, out: Lines, k: int) -> None:
        head = self.new_block()
        inner = self.begin_block(head, statement.span)
        weight = self.work.of_round(statement.block)
        if weight > HOP:
            inner.do(call("step", weight))
        match statement.mode:
            case "while":
                assert statement.condition is not None
                inner.when(c.Not(self.x(statement.condition))).jump(k)
            case "times":
                left = Slot(self.hidden(statement, "times"))
                assert statement.condition is not None
                out.store(left, self.x(statement.condition))
                inner.when(c.Compare("<=", left, Const(0))).jump(k)
                inner.store(left, 1, "-")
        after = head
        if statement.mode == "until":
            after = self.new_block()
        self._loops.append(Loop(False, k))
        self.seq(statement.block, inner, after)
        self._loops.pop()
        if statement.mode == "until":
            assert statement.condition is not None
            tester = self.begin_block(after, statement.span)
            yes, no = tester.either(self.x(statement.condition))
            yes.jump(k)
            no.jump(head)
        out.jump(head)

    def _for(self, statement: ir.ForS, out: Lines, k: int) -> None:
        var = self.bind(statement.var)
        body, step = self.new_block(), self.new_block()
        loop = Loop(False, k)
        scope = statement.var.state.name if statement.var.state is not None else ""
        stepper = self.begin_block(step, statement.span)
        if scope:
            self.end_of_scope(scope, stepper)
        weight = self.work.of_round(statement.block)
        if isinstance(statement.source, ir.AllThings) and statement.var.state is not None:
            # The place in the loop is the state itself, so a position can begin anywhere.
            size = statement.source.kind.size
            out.store(var, 0)
            out.jump(body if size else k)
            if weight > HOP:
                stepper.do(call("step", weight))
            more = stepper.when(c.Compare("<", var + 1, Const(size)))
            more.store(var, 1, "+")
            more.jump(body)
            stepper.jump(k)
        else:
            left = Slot(self.hidden(statement, "left"))
            if scope:
                self.loop_entries.append((scope, left.base))
            out.store(left, self.refs(statement.source))
            advance = self.new_block()
            out.jump(advance)
            several = self._followed_list(statement)
            if several is not None:
                # What the round made of its piece is noted in the list it goes through.
                name = self.local(several)
                at = call("len", name) - call("len", left) - 1
                noted = c.Store((name,), call("with_member", name, at, var))
                stepper.add(noted)
                leave = self.new_block()
                leaver = self.begin_block(leave, statement.span)
                leaver.add(attrs.evolve(noted, origin=None))
                leaver.jump(k)
                loop = Loop(False, leave, noted)
            stepper.jump(advance)
            next_one = self.begin_block(advance, statement.span)
            next_one.let("left", left)
            next_one.when(c.Not(Name("left"))).jump(k)
            if weight > HOP:
                next_one.do(call("step", weight))
            next_one.store(var, self.checked(statement.var.state, Name("left")[0]))
            next_one.store(left, c.Part(Name("left"), Const(1), None))
            next_one.jump(body)
        self._loops.append(loop)
        self.block(body, self.round_of(statement), step)
        self._loops.pop()

    def _followed_list(self, statement: ir.ForS | ir.EachS) -> ir.Var | None:
        """The name of a list of pieces that a loop goes through and changes one by one."""
        source, var = statement.source, statement.var
        if isinstance(source, ir.Local) and isinstance(source.type, ListOf) and kind_carried(source.type):
            if var.ident in self.following.changed_in(statement.block):
                return source.var if self.is_used_again(source.var) else None
        return None

    # -------------------------------------------------------------- calls

    def info(self, procedure: m.Procedure) -> ProcedureInfo:
        """Where a procedure is, compiling it if nobody did yet."""
        key = procedure.name if procedure.form != "does" else f"does {id(procedure)}"
        found = self.procedures.get(key)
        if found is None and self._learning:
            params = [self.layout.slot_for(v) for v in procedure.params]
            return ProcedureInfo(
                procedure.name, procedure.form, "p0", 0, params, 0, 0, [p.type for p in procedure.params]
            )
        if found is None:
            found = self._procedure_info(key, procedure)
        return found

    def _procedure_info(self, key: str, procedure: m.Procedure) -> ProcedureInfo:
        number = len(self.procedures)
        types = [p.type for p in procedure.params]
        if not procedure.stops:
            made = ProcedureInfo(procedure.name, procedure.form, f"p{number}", -1, [], -1, -1, types)
            self.procedures[key] = made
            self._plain_procedure(procedure, made)
            return made
        params = [self.layout.slot_for(v) for v in procedure.params]
        made = ProcedureInfo(
            procedure.name,
            procedure.form,
            "",
            self.new_block(),
            params,
            self.layout.take(0),
            self.layout.take(None),
            types,
        )
        self.procedures[key] = made
        if id(procedure) in self._circles:
            # Twice: the first time only to learn which slots it uses; what it calls is left alone then.
            functions, count, sites = self.functions, self.block_count, len(self.sites)
            before = dict(self.decisions)
            self.functions, self._learning = [], True
            self._waiting_procedure(procedure, made)
            self.functions, self._learning, self.block_count, self.decisions = functions, False, count, before
            del self.sites[sites:]
        self._waiting_procedure(procedure, made)
        return made

    def _waiting_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, False):
            for var in procedure.params:
                self.bind(var)
            self._own(info.ret)
            leave = self.new_block()
            self._exit, self._value_slot = leave, info.value
            statements = [*self.hook_statements(procedure.before), *procedure.block]
            self.block(info.entry, statements, leave)
            self._exit = None
            end = self.new_block()
            self.block(leave, self.hook_statements(procedure.after), end)
            out = self.begin_block(end, procedure.span)
            self.end_of_scope(procedure.name, out)
            self._put_back(procedure, Slot(info.value), out)
            out.give(Known("B")[Slot(info.ret)])

    def _put_back(self, procedure: m.Procedure, value: Code, out: Lines) -> None:
        """Names that are handed back see the states that have ended with the rule."""
        names = [(self.local(procedure.params[at]), procedure.params[at].type) for at in self._handed_back(procedure)]
        for name, type_ in [*names, (value, procedure.type)]:
            kind = self.game.kinds.get(kind_carried(type_))
            ended = ends_states(kind, procedure.name) if kind is not None else []
            if kind is not None and ended:
                out.store(name, self.put_back(kind, ended, name, type_))

    def _handed_back(self, procedure: m.Procedure) -> list[int]:
        """The parameters that a rule gives back to its caller's names."""
        return sorted(self.following.changed(procedure))

    def _plain_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, True):
            names = [self.bind(v) for v in procedure.params]
            out = self._begin_plain(info.plain, procedure)
            counted = self.work.of_procedure(procedure, calls_itself(procedure))
            if counted:
                out.do(call("step", counted))
            for hook in self.hook_statements(procedure.before):
                self.plain(hook, out)
            # What comes after sees a piece where the rule has moved it, and a parameter as the rule has set it.
            back = [names[at] for at in self._handed_back(procedure)]
            handed = back
            if procedure.after or self.has_scope(procedure.name):
                inside = self.following.changed_in(procedure.block)
                handed = [
                    n
                    for n, v in zip(names, procedure.params, strict=True)
                    if v.ident in inside or _is_set(v, procedure.block)
                ]
                self._take_back(Name("value"), handed, call(f"{info.plain}_", POSITION, STATE, *names), out)
                for hook in self.hook_statements(procedure.after):
                    self.plain(hook, out)
                self.end_of_scope(procedure.name, out)
                self._put_back(procedure, Name("value"), out)
                out.give(_with(Name("value"), back))
                out = self._begin_plain(f"{info.plain}_", procedure)
            self._handed = handed
            for statement in procedure.block:
                if not isinstance(statement, ir.DocS):
                    out.at(statement.span)
                    self.plain(statement, out)
            self._handed = []
            if handed:
                out.give(_with(Const(None), handed))

    def _begin_plain(self, name: str, procedure: m.Procedure) -> Lines:
        out = self.begin_rule(self.functions, name, ("p", "S"), procedure.params, "rule")
        out.at(procedure.span)
        self.functions[-1].origin = out.origin
        return out

    def _take_back(self, value: Code, names: Sequence[Code], given: Code, out: Lines) -> None:
        """What a rule gives back, and the names it hands back beside it."""
        if names:
            out.add(c.Store((value, *names), given))
        else:
            out.store(value, given)

    @contextmanager
    def inside(self, procedure: m.Procedure, plain_: bool) -> Iterator[None]:
        before = (
            self._plain, self._exit, self._value_slot, self._returns, self._procedure, self._loops, self._phase_stack,
            self._handed,
        )  # fmt: skip
        self._plain, self._exit, self._returns, self._procedure = plain_, None, procedure.type, procedure
        self._handed = []
        self._loops = []
        if procedure.form != "sequence":
            self._phase_stack = []
        try:
            yield
        finally:
            (
                self._plain, self._exit, self._value_slot, self._returns, self._procedure, self._loops,
                self._phase_stack, self._handed,
            ) = before  # fmt: skip

    def hook_statements(self, hooks: Sequence[m.Hook]) -> list[ir.S]:
        out: list[ir.S] = []
        for hook in hooks:
            if hook.condition is None:
                out += hook.block
            else:
                out.append(ir.IfS(hook.span, hook.cites, hook.condition, hook.block, ()))
        return out

    def _call(
        self, statement: ir.S, procedure: m.Procedure, args: tuple[ir.X, ...], result: ir.X | ir.Var | None,
        out: Lines, k: int,
    ) -> None:  # fmt: skip
        if procedure.form == "phase" and self._procedure is not None and self._procedure.form in ("sequence", "phase"):
            if procedure.name not in self._phase_stack:
                self._phase(procedure, out, k)
                return
        info = self.info(procedure)
        circle = self._circles.get(id(self._procedure), []) if self._procedure is not None else []
        recursive = procedure in circle
        settled = bool(self.following.settled_after(self._procedure, statement))
        handed = self._taken_back(procedure, args)
        after = k
        saved: list[Slot] = []
        if recursive:
            # Its own slots are enough: whoever called it has saved theirs.
            slots = sorted(self._owned.get(id(self._procedure), set()) | self._state_slots(circle))
            saved = [Slot(s) for s in slots]
        if recursive or result is not None or handed or settled:
            after = self.new_block()
            back = self.begin_block(after, statement.span)
            self._come_back(info, saved, handed, recursive, back)
            if isinstance(result, ir.Var):
                back.store(self.bind(result), Slot(info.value))
            elif result is not None:
                self.assign(result, Slot(info.value), back)
            self.settle(statement, back)
            back.jump(k)
        if args:
            out.let("given", c.Tuple(tuple(self.x(a) for a in args)))
        if saved:
            out.store(Slot(STACK), call("deeper", Slot(STACK), c.Tuple(tuple(saved))))
            for p in circle:
                self.reset_scope(p.name, out)
        if args:
            out.add(c.Store(tuple(Slot(s) for s in info.params), Name("given"), is_tuple=True))
        out.store(Slot(info.ret), c.Address(after))
        out.jump(info.entry)

    def _come_back(
        self, info: ProcedureInfo, saved: Sequence[Slot], handed: Sequence[tuple[int, ir.Var]], recursive: bool,
        back: Lines,
    ) -> None:  # fmt: skip
        """After a call: the caller's own slots as they were, and its names for the pieces it has handed over."""
        if recursive and handed:
            back.let("given", c.Tuple(tuple(Slot(info.params[at]) for at, _ in handed)))
        if saved:
            back.let("frame", Slot(STACK))
            back.store(Slot(STACK), Name("frame")[0])
            back.add(c.Store(tuple(saved), Name("frame")[1], is_tuple=True))
        if handed and recursive:
            back.add(c.Store(tuple(self.local(var) for _, var in handed), Name("given"), is_tuple=True))
        elif handed:
            for at, var in handed:
                back.store(self.local(var), Slot(info.params[at]))

    def _taken_back(self, procedure: m.Procedure, args: Sequence[ir.X]) -> list[tuple[int, ir.Var]]:
        """Which of the caller's names a rule moves or alters the pieces of, and by which parameters."""
        back = [(at, args[at]) for at in self._handed_back(procedure)]
        return [(at, arg.var) for at, arg in back if isinstance(arg, ir.Local) and self.is_used_again(arg.var)]

    def _state_slots(self, circle: Sequence[m.Procedure]) -> set[int]:
        names = {p.name for p in circle}
        out: set[int] = set()
        for state in self.lasting(names):
            slot = self.layout.state_slot.get(id(state))
            if slot is None:
                continue  # a state of pieces is counted where they stand
            if state.kind is None or self.layout.state_mode[id(state)] == "mask":
                out.add(slot)
                continue
            out |= set(range(slot, slot + state.kind.size))
            masks = self.layout.mask_slot.get(id(state))
            if masks is not None:
                out |= set(range(masks, masks + self.layout.small_kind(state.type)))
        return out

    def _phase(self, phase: m.Procedure, out: Lines, k: int) -> None:
        """A phase of the sequence, written where it stands in it."""
        entry = self.new_block()
        leave, end = self.new_block(), self.new_block()
        self.phase_entries.setdefault(phase.name, entry)
        number = len(self.phases)
        around = self._phase_number
        self.phases.append(phase.name)
        self.phase_within.append((*self._phase_stack, phase.name))
        self.phase_blocks.append((entry, end))
        out.jump(entry)
        outer = (self._exit, self._procedure, self._returns, self._loops)
        self._exit, self._procedure, self._returns, self._loops = leave, phase, phase.type, []
        self._phase_stack.append(phase.name)
        self._phase_number = number
        inner = self.begin_block(entry, phase.span)
        inner.store(Slot(PHASE), number)
        inner.tell(self.site("phase", ir.DocS(phase.span, phase.cites, ""), phase.name), number)
        self.seq([*self.hook_statements(phase.before), *phase.block], inner, leave)
        self._exit = None
        self.block(leave, self.hook_statements(phase.after), end)
        self._phase_stack.pop()
        self._phase_number = around
        self._exit, self._procedure, self._returns, self._loops = outer
        last = self.begin_block(end, phase.span)
        self.end_of_scope(phase.name, last)
        last.store(Slot(PHASE), around)
        last.jump(k)

    def _does(self, statement: ir.DoesS, out: Lines, k: int) -> None:
        """What a thing does: go to the rule of that thing."""
        thing = Slot(self.hidden(statement, "thing"))
        out.store(thing, self.x(statement.thing))
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is None:
                continue
            inside = out.when(thing.equals(candidate.index))
            call_ = ir.CallS(statement.span, statement.cites, procedure, statement.args)
            if procedure.stops:
                self._call(statement, procedure, statement.args, None, inside, k)
            else:
                self.plain(call_, inside)
                self.settle(statement, inside)
                inside.jump(k)
        out.jump(k)

    # -------------------------------------------------------------- statements that do not wait

    def plain(self, statement: ir.S, out: Lines) -> None:
        """A statement in which play cannot wait."""
        match statement:
            case ir.DocS():
                pass
            case ir.LetS(var=var, value=value):
                code = self.hoisted(partial(self.x, value), out)
                out.store(self.bind(var), code)
            case ir.AssignS():
                self._assign(statement, out)
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                yes, no = out.either(self.hoisted(partial(self.x, condition), out))
                self._plain_block(then, yes)
                self._plain_block(otherwise, no)
            case ir.ForS() | ir.EachS():
                self._plain_for(statement, out)
            case ir.RepeatS():
                self._plain_repeat(statement, out)
            case ir.CallS(procedure=procedure, args=args, result=result):
                self._plain_called(procedure, args, result, out)
                self.settle(statement, out)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                if signal.procedure.block:
                    self._plain_called(signal.procedure, args, None, out)
                    self.settle(statement, out)
            case ir.DoesS():
                self._plain_does(statement, out)
                self.settle(statement, out)
            case ir.ReturnS(value=value):
                self._return(value, out)
            case ir.StopS():
                loop = self._loops[-1]
                if loop.is_inside and loop.noted is not None:
                    out.add(attrs.evolve(loop.noted, origin=None))
                out.add(c.Break() if loop.is_inside else c.Jump(loop.after))
            case ir.MoveS():
                self._move(statement, out)
            case ir.PlaceS():
                self._place(statement, out)
            case ir.DrawS():
                self._draw(statement, out)
            case ir.LotS() | ir.RollS() | ir.ShuffleS():
                self._by_chance(statement, out)
            case ir.RevealS(what=what, to=to):
                viewers: Code = Const(None)
                if to is not None:
                    viewers = self.x(to) if isinstance(to.type, SetOf) else Const(1) << self.x(to)
                self.journal(out, "reveal", statement, [self.items_code(what), viewers], self.type_note(what))
            case ir.TellS():
                self._tell(statement, out)
            case _:
                raise AssertionError(statement)

    def _plain_for(self, statement: ir.ForS | ir.EachS, out: Lines) -> None:
        var, source = statement.var, statement.source
        self.round = self.work.of_loop(statement)
        items = self.counted(self.hoisted(partial(self.refs, source), out))
        self.round = 0
        name = self.bind(var)
        several = self._followed_list(statement)
        noted: c.Store | None = None
        if several is None:
            inside = out.loop_over((name,), items)
        else:
            at = self.fresh("n")
            inside = out.loop_over((Name(at), name), call("enumerate", items))
            listed = self.local(several)
            noted = c.Store((listed,), call("with_member", listed, Name(at), name))
        if var.state is not None and var.state.bounds is not None:
            inside.do(self.checked(var.state, name))
        self._loops.append(Loop(True, 0, noted))
        self._plain_block(self.round_of(statement) if isinstance(statement, ir.ForS) else statement.block, inside)
        if var.state is not None:
            self.end_of_scope(var.state.name, inside)
        if noted is not None:
            inside.add(attrs.evolve(noted, origin=None))
        self._loops.pop()

    def _by_chance(self, statement: ir.LotS | ir.RollS | ir.ShuffleS, out: Lines) -> None:
        match statement:
            case ir.LotS(amount=amount, source=source, var=var):
                kind = self.kind_of(source.type)
                site = self.site("lot", statement, kind)
                given = (self.x(amount), self.x(source))
                name = self.bind(var)
                out.store(name, call("draw_lot", POSITION, STATE, *given, kind, site))
                out.tell(site, name)
            case ir.RollS(amount=number, sides=sides, var=var):
                count = self.x(number) if number is not None else Const(1)
                site = self.site("roll", statement, var.name)
                name = self.bind(var)
                rolled = call("roll", POSITION, STATE, count, sides, site)
                out.store(name, self.checked(var.state, rolled[0] if number is None else rolled))
                out.tell(site, name)
            case ir.ShuffleS(place=place):
                site = self.site("shuffle", statement)
                slot = self.slot(place)
                out.do(call("shuffle", POSITION, STATE, slot, site))
                out.tell(site, slot)

    def _tell(self, statement: ir.TellS, out: Lines) -> None:
        text = statement.text
        types = [self._named_type(part) for part in text.parts]
        if not self.has_secrets or not any(types):
            self.journal(out, "tell", statement, [self.text(text)])
            return
        # In parts, so that nobody reads the name of what they may not know.
        parts = c.Tuple(tuple(self._told_part(part) for part in text.parts))
        self.journal(out, "tell", statement, [self.text(text), parts], types)

    def _named_type(self, part: str | ir.X) -> Any:
        """What a part of a text names that can lie hidden: the type of its value, or those of the things whose fact it
        tells ("of"); None if it names nothing."""
        if isinstance(part, str):
            return None
        element: Type | None = part.type
        while isinstance(element, SetOf | ListOf | Maybe):
            element = element.element
        if isinstance(part.type, Pile):
            return ["list", ["piece", part.type.kind]]
        if isinstance(element, ThingOf | PieceOf):
            return type_data(part.type)
        about = self._told_of(part)
        return ["of", [type_data(x.type) for x in about]] if about else None

    @staticmethod
    def _told_of(part: ir.X) -> list[ir.X]:
        """The things and pieces, by the names a rule has for them, whose facts a part of a text tells."""
        names: dict[int, ir.X] = {}
        bound: set[int] = set()
        for x in walk(part):
            match x:
                case ir.Local(var=var):
                    names[var.ident] = x
                case ir.FilterX(var=var) | ir.MostX(var=var):
                    bound.add(var.ident)
                case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
                    bound |= {var.ident for var, _ in picks}
        return [x for at, x in names.items() if at not in bound and isinstance(x.type, ThingOf | PieceOf)]

    def _told_part(self, part: str | ir.X) -> Code:
        named = self._named_type(part)
        if isinstance(part, str):
            return Const(part)
        if named is None:
            return self.say(part)
        if named[0] == "of":
            return c.Tuple((self.say(part), c.Tuple(tuple(self.x(x) for x in self._told_of(part)))))
        return call("tuple", self.refs(part)) if isinstance(part.type, Pile) else self.x(part)

    def _plain_block(self, block: ir.Block, out: Lines) -> None:
        for statement in block:
            if not isinstance(statement, ir.DocS):
                out.at(statement.span)
                self.plain(statement, out)

    def _plain_repeat(self, statement: ir.RepeatS, out: Lines) -> None:
        self._loops.append(Loop(True, 0))
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
            name = self._procedure.name if self._procedure is not None else "repeat"
            endless = out.inner()
            endless.do(call("too_long", name))
            loop = out.body[-1]
            assert isinstance(loop, c.For)
            loop.other = endless.body
        self._loops.pop()

    def _plain_does(self, statement: ir.DoesS, out: Lines) -> None:
        out.let("thing", self.x(statement.thing))
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is not None:
                inside, out = out.either(Name("thing").equals(candidate.index))
                self._plain_called(procedure, statement.args, None, inside)

    def _plain_called(
        self, procedure: m.Procedure, args: Sequence[ir.X], result: ir.X | ir.Var | None, out: Lines
    ) -> None:
        """A call of a rule that does not wait, and what becomes of what it gives back."""
        given = [self.x(a) for a in args]
        called_ = call(self.info(procedure).plain, POSITION, STATE, *given)
        names = dict(self._taken_back(procedure, args))
        taken = [self.local(names[at]) if at in names else Name("_") for at in self._handed_back(procedure)]
        if taken:
            self._take_back(Name("_" if result is None else "value"), taken, called_, out)
            called_ = Name("value")
        if isinstance(result, ir.Var):
            out.store(self.bind(result), called_)
        elif result is not None:
            self.assign(result, called_, out)
        elif not taken:
            out.do(called_)

    def _return(self, value: ir.X | None, out: Lines) -> None:
        for loop in reversed(self._loops):
            if loop.noted is not None:
                out.add(attrs.evolve(loop.noted, origin=None))
        if self._plain:
            given = self.hoisted(partial(self.x, value), out) if value is not None else Const(None)
            out.give(_with(given, self._handed))
            return
        if value is not None:
            out.store(Slot(self._value_slot), self.x(value))
        if self._exit is None:
            raise AssertionError("return outside a rule")
        out.jump(self._exit)


def _with(value: Code, handed: Sequence[Code]) -> Code:
    """What a rule gives back, with the names it hands back beside it."""
    return c.Tuple((value, *handed)) if handed else value


def calls_itself(procedure: m.Procedure) -> bool:
    """Whether a rule may come back to itself while it runs."""
    seen: set[int] = set()
    todo = [procedure]
    while todo:
        for block in blocks_of(todo.pop()):
            for statement in statements_in(block):
                for other in called(statement):
                    if other is procedure:
                        return True
                    if id(other) not in seen:
                        seen.add(id(other))
                        todo.append(other)
    return False


def blocks_of(procedure: m.Procedure) -> list[ir.Block]:
    return [procedure.block, *(h.block for h in procedure.before), *(h.block for h in procedure.after)]


def _reachable(
    procedure: m.Procedure, graph: dict[int, list[m.Procedure]], known: dict[int, dict[int, m.Procedure]]
) -> dict[int, m.Procedure]:
    """What a rule may call, itself or through others, by identity; `known` are the answers there are already."""
    if id(procedure) not in known:
        seen: dict[int, m.Procedure] = {}
        todo = list(graph.get(id(procedure), []))
        while todo:
            here = todo.pop()
            if id(here) not in seen:
                seen[id(here)] = here
                todo += graph.get(id(here), [])
        known[id(procedure)] = seen
    return known[id(procedure)]


def _is_set(var: ir.Var, block: ir.Block) -> bool:
    """Whether a rule sets a name anew."""
    for statement in statements_in(block):
        match statement:
            case ir.AssignS(target=ir.Local(var=set_)) | ir.CallS(result=ir.Local(var=set_)) if set_ is var:
                return True
    return False
