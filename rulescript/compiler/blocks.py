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

from rulescript.analysis.following import ends_states
from rulescript.analysis.types import ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type, kind_carried
from rulescript.compiler.choosing import Choosing
from rulescript.compiler.effects import called, statements_in
from rulescript.compiler.names import type_data
from rulescript.compiler.slots import Loop, ProcedureInfo
from rulescript.compiler.walking import walk
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir

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

    def seq(self, block: Sequence[ir.S], out: Writer, indent: int, k: str) -> None:
        """Statements one after the other, then go on with block `k`."""
        statements = [s for s in block if not isinstance(s, ir.DocS)]
        for at, statement in enumerate(statements):
            out.at(statement.span)
            if not self.stops(statement):
                self.plain(statement, out, indent)
                if isinstance(statement, ir.ReturnS | ir.StopS):
                    return
                continue
            rest = statements[at + 1 :]
            if rest:
                number = self.new_block()
                after = f"b{number}"
                self.stopping(statement, out, indent, after)
                self.block(number, rest, k)
            else:
                self.stopping(statement, out, indent, k)
            return
        out.line(indent, f"return {k}")

    def block(self, number: int, statements: Sequence[ir.S], k: str) -> None:
        """A block of its own with these statements."""
        out = Writer()
        out.line(0, f"def b{number}(p, S):")
        self.seq(statements, out, 1, k)
        self.out.extend(out)

    def stopping(self, statement: ir.S, out: Writer, indent: int, k: str) -> None:
        """A statement in which play can wait; afterwards, block `k`."""
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                out.line(indent, f"if {self.hoisted(partial(self.x, condition), out, indent)}:")
                self.seq(then, out, indent + 1, k)
                self.seq(otherwise, out, indent, k)
            case ir.ChooseS():
                first = self.choose(statement, k)
                out.line(indent, f"return {first}")
            case ir.RepeatS():
                self._repeat(statement, out, indent, k)
            case ir.ForS():
                self._for(statement, out, indent, k)
            case ir.EachS(var=var, source=source, sealed=sealed, block=block):
                if sealed:
                    self._each_sealed(statement, out, indent, k)
                else:
                    # The same loop each time it is compiled, so that it keeps its slots.
                    loop = ir.ForS(statement.span, statement.cites, var, source, block)
                    self._for(self._loops_of.setdefault(id(statement), loop), out, indent, k)
            case ir.TogetherS(branches=branches):
                self._together(branches, out, indent, k)
            case ir.CallS(procedure=procedure, args=args, result=result):
                self._call(statement, procedure, args, result, out, indent, k)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                self._call(statement, signal.procedure, args, None, out, indent, k)
            case ir.DoesS():
                self._does(statement, out, indent, k)
            case ir.EndS(winner=winner, drawn=drawn, how=how):
                who = self.x(winner) if winner is not None else "None"
                if winner is not None and isinstance(winner.type, SetOf):
                    who = f"BITS[{who}]"
                elif winner is not None:
                    who = f"({who},)"
                kind = winner.type if winner is not None else None
                name = ""
                if kind is not None:
                    name = self.kind_of(kind)
                words = self.text(how) if how is not None else "''"
                site = self.site("end", statement)
                out.line(indent, f"S[2] = ({name!r}, {who if who != 'None' else '()'}, {drawn}, {words}, {site})")
                self.journal(out, indent, "end", statement, "S[2]")
                out.line(indent, "S[0] = 0")
                out.line(indent, "return None")
            case _:
                raise AssertionError(statement)

    # -------------------------------------------------------------- loops

    def _repeat(self, statement: ir.RepeatS, out: Writer, indent: int, k: str) -> None:
        head = self.new_block()
        inner = Writer()
        inner.at(statement.span)
        inner.line(0, f"def b{head}(p, S):")
        weight = self.work.of_round(statement.block)
        if weight > HOP:
            inner.line(1, f"step({weight})")
        match statement.mode:
            case "while":
                assert statement.condition is not None
                inner.line(1, f"if not {self.x(statement.condition)}: return {k}")
            case "times":
                slot = self.hidden(statement, "times")
                assert statement.condition is not None
                out.line(indent, f"S[{slot}] = {self.x(statement.condition)}")
                inner.line(1, f"if S[{slot}] <= 0: return {k}")
                inner.line(1, f"S[{slot}] -= 1")
        after = f"b{head}"
        if statement.mode == "until":
            test = self.new_block()
            after = f"b{test}"
        self._loops.append(Loop(False, k))
        self.seq(statement.block, inner, 1, after)
        self._loops.pop()
        self.out.extend(inner)
        if statement.mode == "until":
            assert statement.condition is not None
            tester = Writer()
            tester.at(statement.span)
            tester.line(0, f"def b{test}(p, S):")
            tester.line(1, f"return {k} if {self.x(statement.condition)} else b{head}")
            self.out.extend(tester)
        out.line(indent, f"return b{head}")

    def _for(self, statement: ir.ForS, out: Writer, indent: int, k: str) -> None:
        var = self.bind(statement.var)
        body, step = self.new_block(), self.new_block()
        loop = Loop(False, k)
        scope = statement.var.state.name if statement.var.state is not None else ""
        stepper = Writer()
        stepper.at(statement.span)
        stepper.line(0, f"def b{step}(p, S):")
        if scope:
            self.end_of_scope(scope, stepper, 1)
        if isinstance(statement.source, ir.AllThings) and statement.var.state is not None:
            # The place in the loop is the state itself, so a position can begin anywhere.
            size = statement.source.kind.size
            out.line(indent, f"{var} = 0")
            out.line(indent, f"return b{body}" if size else f"return {k}")
            weight = self.work.of_round(statement.block)
            if weight > HOP:
                stepper.line(1, f"step({weight})")
            stepper.line(1, f"if {var} + 1 < {size}:")
            stepper.line(2, f"{var} += 1")
            stepper.line(2, f"return b{body}")
            stepper.line(1, f"return {k}")
        else:
            slot = self.hidden(statement, "left")
            if scope:
                self.loop_entries.append((scope, slot))
            out.line(indent, f"S[{slot}] = {self.refs(statement.source)}")
            advance = self.new_block()
            out.line(indent, f"return b{advance}")
            several = self._followed_list(statement)
            if several is not None:
                # What the round made of its piece is noted in the list it goes through.
                name = self.local(several)
                noted = f"{name} = with_member({name}, len({name}) - len(S[{slot}]) - 1, {var})"
                stepper.line(1, noted)
                left = self.new_block()
                leaver = Writer()
                leaver.at(statement.span)
                leaver.line(0, f"def b{left}(p, S):")
                leaver.line(1, noted)
                leaver.line(1, f"return {k}")
                self.out.extend(leaver)
                loop = Loop(False, f"b{left}", noted)
            stepper.line(1, f"return b{advance}")
            next_one = Writer()
            next_one.at(statement.span)
            next_one.line(0, f"def b{advance}(p, S):")
            next_one.line(1, f"left = S[{slot}]")
            next_one.line(1, f"if not left: return {k}")
            weight = self.work.of_round(statement.block)
            if weight > HOP:
                next_one.line(1, f"step({weight})")
            next_one.line(1, f"{var} = {self.checked(statement.var.state, 'left[0]')}")
            next_one.line(1, f"S[{slot}] = left[1:]")
            next_one.line(1, f"return b{body}")
            self.out.extend(next_one)
        self._loops.append(loop)
        self.block(body, self.round_of(statement), f"b{step}")
        self._loops.pop()
        self.out.extend(stepper)

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
            out, count, sites = self.out, self.block_count, len(self.sites)
            before = dict(self.decisions)
            self.out, self._learning = Writer(), True
            self._waiting_procedure(procedure, made)
            self.out, self._learning, self.block_count, self.decisions = out, False, count, before
            del self.sites[sites:]
        self._waiting_procedure(procedure, made)
        return made

    def _waiting_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, False):
            for var in procedure.params:
                self.bind(var)
            self._own(info.ret)
            leave = self.new_block()
            self._exit, self._value_slot = f"b{leave}", info.value
            statements = [*self.hook_statements(procedure.before), *procedure.block]
            self.block(info.entry, statements, f"b{leave}")
            self._exit = None
            end = self.new_block()
            self.block(leave, self.hook_statements(procedure.after), f"b{end}")
            out = Writer()
            out.at(procedure.span)
            out.line(0, f"def b{end}(p, S):")
            self.end_of_scope(procedure.name, out, 1)
            self._put_back(procedure, f"S[{info.value}]", out, 1)
            out.line(1, f"return B[S[{info.ret}]]")
            self.out.extend(out)

    def _put_back(self, procedure: m.Procedure, value: str, out: Writer, indent: int) -> None:
        """Names that are handed back see the states that have ended with the rule."""
        names = [(self.local(procedure.params[at]), procedure.params[at].type) for at in self._handed_back(procedure)]
        for name, type_ in [*names, (value, procedure.type)]:
            kind = self.game.kinds.get(kind_carried(type_))
            ended = ends_states(kind, procedure.name) if kind is not None else []
            if kind is not None and ended:
                out.line(indent, f"{name} = {self.put_back(kind, ended, name, type_)}")

    def _handed_back(self, procedure: m.Procedure) -> list[int]:
        """The parameters that a rule gives back to its caller's names."""
        return sorted(self.following.changed(procedure))

    def _plain_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, True):
            names = [self.bind(v) for v in procedure.params]
            given = "".join(f", {n}" for n in names)
            out = Writer()
            out.at(procedure.span)
            ending = bool(procedure.after) or self.has_scope(procedure.name)
            out.line(0, f"def {info.plain}(p, S{self.declared(procedure.params)}):")
            counted = self.work.of_procedure(procedure, calls_itself(procedure))
            if counted:
                out.line(1, f"step({counted})")
            for hook in self.hook_statements(procedure.before):
                self.plain(hook, out, 1)
            # What comes after sees a piece where the rule has moved it, and a parameter as the rule has set it.
            back = self._handed_back(procedure)
            given_back = "".join(f", {names[at]}" for at in back)
            handed = given_back
            if ending:
                inside = self.following.changed_in(procedure.block)
                changed = [
                    n
                    for n, v in zip(names, procedure.params, strict=True)
                    if v.ident in inside or _is_set(v, procedure.block)
                ]
                handed = "".join(f", {n}" for n in changed)
                out.line(1, f"value{handed} = {info.plain}_(p, S{given})")
                for hook in self.hook_statements(procedure.after):
                    self.plain(hook, out, 1)
                self.end_of_scope(procedure.name, out, 1)
                self._put_back(procedure, "value", out, 1)
                out.line(1, f"return value{given_back}")
                out.line(0, f"def {info.plain}_(p, S{self.declared(procedure.params)}):")
            size = len(out.lines)
            self._handed = handed
            for statement in procedure.block:
                if not isinstance(statement, ir.DocS):
                    out.at(statement.span)
                    self.plain(statement, out, 1)
            self._handed = ""
            if handed:
                out.line(1, f"return None{handed}")
            elif len(out.lines) == size:
                out.line(1, "pass")
            self.out.extend(out)

    @contextmanager
    def inside(self, procedure: m.Procedure, plain_: bool) -> Iterator[None]:
        before = (
            self._plain, self._exit, self._value_slot, self._returns, self._procedure, self._loops, self._phase_stack,
            self._handed,
        )  # fmt: skip
        self._plain, self._exit, self._returns, self._procedure = plain_, None, procedure.type, procedure
        self._handed = ""
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
        out: Writer, indent: int, k: str,
    ) -> None:  # fmt: skip
        if procedure.form == "phase" and self._procedure is not None and self._procedure.form in ("sequence", "phase"):
            if procedure.name not in self._phase_stack:
                self._phase(procedure, out, indent, k)
                return
        info = self.info(procedure)
        circle = self._circles.get(id(self._procedure), []) if self._procedure is not None else []
        recursive = procedure in circle
        settled = bool(self.following.settled_after(self._procedure, statement))
        if not args and result is None and not recursive and not settled:
            out.line(indent, f"S[{info.ret}] = {self.number_of(k, out, indent)}")
            out.line(indent, f"return b{info.entry}")
            return
        after = k
        saved = ""
        handed = self._taken_back(procedure, args)
        if recursive or result is not None or handed or settled:
            number = self.new_block()
            back = Writer()
            back.at(statement.span)
            back.line(0, f"def b{number}(p, S):")
            if recursive and handed:
                back.line(1, f"given = ({', '.join(f'S[{info.params[at]}]' for at, _ in handed)},)")
            if recursive:
                # Its own slots are enough: whoever called it has saved theirs.
                slots = sorted(self._owned.get(id(self._procedure), set()) | self._state_slots(circle))
                if slots:
                    saved = ", ".join(f"S[{s}]" for s in slots) + ","
                    back.line(1, "frame = S[3]")
                    back.line(1, "S[3] = frame[0]")
                    back.line(1, f"{saved} = frame[1]")
            if handed and recursive:
                back.line(1, f"{', '.join(self.local(var) for _, var in handed)}, = given")
            elif handed:
                for at, var in handed:
                    back.line(1, f"{self.local(var)} = S[{info.params[at]}]")
            if result is not None:
                value = f"S[{info.value}]"
                if isinstance(result, ir.Var):
                    back.line(1, f"{self.bind(result)} = {value}")
                else:
                    self.assign(result, value, back, 1)
            self.settle(statement, back, 1)
            back.line(1, f"return {k}")
            self.out.extend(back)
            after = f"b{number}"
        values = ", ".join(self.x(a) for a in args)
        if args:
            out.line(indent, f"given = ({values},)")
        if saved:
            out.line(indent, f"S[3] = deeper(S[3], ({saved}))")
            for p in circle:
                self.reset_scope(p.name, out, indent, is_end=False)
        if args:
            targets = ", ".join(f"S[{s}]" for s in info.params)
            out.line(indent, f"{targets}, = given")
        out.line(indent, f"S[{info.ret}] = {self.number_of(after, out, indent)}")
        out.line(indent, f"return b{info.entry}")

    def _taken_back(self, procedure: m.Procedure, args: Sequence[ir.X]) -> list[tuple[int, ir.Var]]:
        """Which of the caller's names a rule moves or alters the pieces of, and by which parameters."""
        back = [(at, args[at]) for at in self._handed_back(procedure)]
        return [(at, arg.var) for at, arg in back if isinstance(arg, ir.Local) and self.is_used_again(arg.var)]

    def _state_slots(self, circle: Sequence[m.Procedure]) -> set[int]:
        names = {p.name for p in circle}
        out: set[int] = set()
        for state in self.lasting(names):
            slot = self.layout.state_slot.get(id(state))
            if slot is None or state.is_depth:
                continue  # a state of pieces is counted where they stand, and how often a rule runs by all of them
            if state.kind is None or self.layout.state_mode[id(state)] == "mask":
                out.add(slot)
                continue
            out |= set(range(slot, slot + state.kind.size))
            masks = self.layout.mask_slot.get(id(state))
            if masks is not None:
                out |= set(range(masks, masks + self.layout.small_kind(state.type)))
        return out

    def number_of(self, k: str, out: Writer, indent: int) -> str:
        """The number of a block by its name; an expression such as `B[S[3]]` becomes the slot it reads."""
        if k.startswith("b") and k[1:].isdigit():
            return k[1:]
        if k.startswith("B[") and k.endswith("]"):
            return k[2:-1]
        raise AssertionError(k)

    def _phase(self, phase: m.Procedure, out: Writer, indent: int, k: str) -> None:
        """A phase of the sequence, written where it stands in it."""
        entry = self.new_block()
        leave, end = self.new_block(), self.new_block()
        self.phase_entries.setdefault(phase.name, entry)
        number = len(self.phases)
        around = self._phase_number
        self.phases.append(phase.name)
        self.phase_within.append((*self._phase_stack, phase.name))
        self.phase_blocks.append((entry, end))
        out.line(indent, f"return b{entry}")
        outer = (self._exit, self._procedure, self._returns, self._loops)
        self._exit, self._procedure, self._returns, self._loops = f"b{leave}", phase, phase.type, []
        self._phase_stack.append(phase.name)
        self._phase_number = number
        inner = Writer()
        inner.at(phase.span)
        inner.line(0, f"def b{entry}(p, S):")
        inner.line(1, f"S[4] = {number}")
        site = self.site("phase", ir.DocS(phase.span, phase.cites, ""), phase.name)
        inner.line(1, f"if p.j is not None: p.j.append(({site}, {number}))")
        self.seq([*self.hook_statements(phase.before), *phase.block], inner, 1, f"b{leave}")
        self.out.extend(inner)
        self._exit = None
        self.block(leave, self.hook_statements(phase.after), f"b{end}")
        self._phase_stack.pop()
        self._phase_number = around
        self._exit, self._procedure, self._returns, self._loops = outer
        last = Writer()
        last.at(phase.span)
        last.line(0, f"def b{end}(p, S):")
        self.end_of_scope(phase.name, last, 1)
        last.line(1, f"S[4] = {around}")
        last.line(1, f"return {k}")
        self.out.extend(last)

    def _does(self, statement: ir.DoesS, out: Writer, indent: int, k: str) -> None:
        """What a thing does: go to the rule of that thing."""
        slot = self.hidden(statement, "thing")
        out.line(indent, f"S[{slot}] = {self.x(statement.thing)}")
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is None:
                continue
            out.line(indent, f"if S[{slot}] == {candidate.index}:")
            call = ir.CallS(statement.span, statement.cites, procedure, statement.args)
            if procedure.stops:
                self._call(statement, procedure, statement.args, None, out, indent + 1, k)
            else:
                self.plain(call, out, indent + 1)
                self.settle(statement, out, indent + 1)
                out.line(indent + 1, f"return {k}")
        out.line(indent, f"return {k}")

    # -------------------------------------------------------------- statements that do not wait

    def plain(self, statement: ir.S, out: Writer, indent: int) -> None:
        """A statement in which play cannot wait."""
        match statement:
            case ir.DocS():
                pass
            case ir.LetS(var=var, value=value):
                code = self.hoisted(partial(self.x, value), out, indent)
                out.line(indent, f"{self.bind(var)} = {code}")
            case ir.AssignS():
                self._assign(statement, out, indent)
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                out.line(indent, f"if {self.hoisted(partial(self.x, condition), out, indent)}:")
                self._plain_block(then, out, indent + 1)
                if otherwise:
                    out.line(indent, "else:")
                    self._plain_block(otherwise, out, indent + 1)
            case ir.ForS(var=var, source=source, block=block) | ir.EachS(var=var, source=source, block=block):
                self.round = self.work.of_loop(statement)
                items = self.counted(self.hoisted(partial(self.refs, source), out, indent))
                self.round = 0
                name = self.bind(var)
                several = self._followed_list(statement)
                noted = ""
                if several is None:
                    out.line(indent, f"for {name} in {items}:")
                else:
                    at = self.fresh("n")
                    out.line(indent, f"for {at}, {name} in enumerate({items}):")
                    noted = f"{self.local(several)} = with_member({self.local(several)}, {at}, {name})"
                if var.state is not None and var.state.bounds is not None:
                    out.line(indent + 1, self.checked(var.state, name))
                self._loops.append(Loop(True, "", noted))
                inner = self.round_of(statement) if isinstance(statement, ir.ForS) else block
                self._plain_block(inner, out, indent + 1)
                if var.state is not None:
                    self.end_of_scope(var.state.name, out, indent + 1)
                if noted:
                    out.line(indent + 1, noted)
                self._loops.pop()
            case ir.RepeatS():
                self._plain_repeat(statement, out, indent)
            case ir.CallS(procedure=procedure, args=args, result=result):
                code = self._plain_call(procedure, args)
                taken = self._taken(procedure, args)
                if taken and result is not None:
                    out.line(indent, f"value{taken} = {code}")
                    self._take_result(result, "value", out, indent)
                elif taken:
                    out.line(indent, f"_{taken} = {code}")
                else:
                    self._take_result(result, code, out, indent)
                self.settle(statement, out, indent)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                if signal.procedure.block:
                    taken = self._taken(signal.procedure, args)
                    code = self._plain_call(signal.procedure, args)
                    out.line(indent, f"_{taken} = {code}" if taken else code)
                    self.settle(statement, out, indent)
            case ir.DoesS():
                self._plain_does(statement, out, indent)
                self.settle(statement, out, indent)
            case ir.ReturnS(value=value):
                self._return(value, out, indent)
            case ir.StopS():
                loop = self._loops[-1]
                if loop.python and loop.noted:
                    out.line(indent, loop.noted)
                out.line(indent, "break" if loop.python else f"return {loop.after}")
            case ir.MoveS():
                self._move(statement, out, indent)
            case ir.PlaceS():
                self._place(statement, out, indent)
            case ir.DrawS():
                self._draw(statement, out, indent)
            case ir.LotS(amount=amount, source=source, var=var):
                kind = self.kind_of(source.type)
                site = self.site("lot", statement, kind)
                given = f"{self.x(amount)}, {self.x(source)}"
                name = self.bind(var)
                out.line(indent, f"{name} = draw_lot(p, S, {given}, {kind!r}, {site})")
                out.line(indent, f"if p.j is not None: p.j.append(({site}, {name}))")
            case ir.RollS(amount=amount, sides=sides, var=var):
                count = self.x(amount) if amount is not None else "1"
                site = self.site("roll", statement, var.name)
                first = "[0]" if amount is None else ""
                name = self.bind(var)
                rolled = self.checked(var.state, f"roll(p, S, {count}, {sides}, {site}){first}")
                out.line(indent, f"{name} = {rolled}")
                out.line(indent, f"if p.j is not None: p.j.append(({site}, {name}))")
            case ir.ShuffleS(place=place):
                site = self.site("shuffle", statement)
                slot_code = self.slot(place)
                out.line(indent, f"shuffle(p, S, {slot_code}, {site})")
                out.line(indent, f"if p.j is not None: p.j.append(({site}, {slot_code}))")
            case ir.RevealS(what=what, to=to):
                viewers = "None"
                if to is not None:
                    viewers = self.x(to) if isinstance(to.type, SetOf) else f"1 << {self.x(to)}"
                self.journal(
                    out, indent, "reveal", statement, f"{self.items_code(what)}, {viewers}", self.type_note(what)
                )
            case ir.TellS(text=text):
                types = [self._named_type(part) for part in text.parts]
                if not self.has_secrets or not any(types):
                    self.journal(out, indent, "tell", statement, self.text(text))
                    return
                # In parts, so that nobody reads the name of what they may not know.
                parts = "".join(f"{self._told_part(part)}, " for part in text.parts)
                self.journal(out, indent, "tell", statement, f"{self.text(text)}, ({parts})", types)
            case _:
                raise AssertionError(statement)

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

    def _told_part(self, part: str | ir.X) -> str:
        named = self._named_type(part)
        if isinstance(part, str):
            return repr(part)
        if named is None:
            return self.say(part)
        if named[0] == "of":
            about = "".join(f"{self.x(x)}, " for x in self._told_of(part))
            return f"({self.say(part)}, ({about}))"
        return f"tuple({self.refs(part)})" if isinstance(part.type, Pile) else self.x(part)

    def _plain_block(self, block: ir.Block, out: Writer, indent: int) -> None:
        size = len(out.lines)
        for statement in block:
            if not isinstance(statement, ir.DocS):
                out.at(statement.span)
                self.plain(statement, out, indent)
        if len(out.lines) == size:
            out.line(indent, "pass")

    def _plain_repeat(self, statement: ir.RepeatS, out: Writer, indent: int) -> None:
        self._loops.append(Loop(True, ""))
        if statement.mode == "times":
            assert statement.condition is not None
            out.line(indent, f"for _ in range({self.x(statement.condition)}):")
            out.line(indent + 1, f"step({self.work.of_round(statement.block)})")
            self._plain_block(statement.block, out, indent + 1)
        else:
            out.line(indent, f"for _ in range({LOOP_LIMIT}):")
            out.line(indent + 1, f"step({self.work.of_round(statement.block)})")
            if statement.mode == "while":
                assert statement.condition is not None
                out.line(indent + 1, f"if not {self.x(statement.condition)}: break")
            self._plain_block(statement.block, out, indent + 1)
            if statement.mode == "until":
                assert statement.condition is not None
                out.line(indent + 1, f"if {self.x(statement.condition)}: break")
            name = self._procedure.name if self._procedure is not None else "repeat"
            out.line(indent, f"else: too_long({name!r})")
        self._loops.pop()

    def _take_result(self, result: ir.X | ir.Var | None, code: str, out: Writer, indent: int) -> None:
        if result is None:
            out.line(indent, code)
        elif isinstance(result, ir.Var):
            out.line(indent, f"{self.bind(result)} = {code}")
        else:
            self.assign(result, code, out, indent)

    def _plain_does(self, statement: ir.DoesS, out: Writer, indent: int) -> None:
        out.line(indent, f"thing = {self.x(statement.thing)}")
        word = "if"
        for candidate in statement.kind.things:
            procedure = candidate.does.get(statement.name)
            if procedure is not None:
                code, taken = self._plain_call(procedure, statement.args), self._taken(procedure, statement.args)
                code = f"_{taken} = {code}" if taken else code
                out.line(indent, f"{word} thing == {candidate.index}: {code}")
                word = "elif"

    def _plain_call(self, procedure: m.Procedure, args: Sequence[ir.X]) -> str:
        given = "".join(f", {self.x(a)}" for a in args)
        return f"{self.info(procedure).plain}(p, S{given})"

    def _taken(self, procedure: m.Procedure, args: Sequence[ir.X]) -> str:
        """Where a plain rule's caller puts what it hands back beside its value; "" if it hands back nothing."""
        names = dict(self._taken_back(procedure, args))
        return "".join(f", {self.local(names[at]) if at in names else '_'}" for at in self._handed_back(procedure))

    def _return(self, value: ir.X | None, out: Writer, indent: int) -> None:
        for loop in reversed(self._loops):
            if loop.noted:
                out.line(indent, loop.noted)
        if self._plain:
            if value is None:
                out.line(indent, f"return None{self._handed}")
            else:
                result: ir.X = value
                out.line(indent, f"return {self.hoisted(partial(self.x, result), out, indent)}{self._handed}")
            return
        if value is not None:
            out.line(indent, f"S[{self._value_slot}] = {self.x(value)}")
        if self._exit is None:
            raise AssertionError("return outside a rule")
        out.line(indent, f"return {self._exit}")


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
