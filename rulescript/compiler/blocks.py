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

from attrs import Factory, define

from rulescript.analysis.secrets import asked_anyway, later_secret
from rulescript.analysis.types import BOOL, INT, ListOf, PieceOf, Pile, SetOf, ThingOf, Type, element_of
from rulescript.compiler.effects import Effects, called, statements_in
from rulescript.compiler.expressions import Compiler, free_vars
from rulescript.compiler.layout import Layout, plain
from rulescript.compiler.work import Work
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["AltInfo", "Blocks", "DecisionInfo", "ProcedureInfo"]

LOOP_LIMIT = 100_000


@define
class AltInfo:
    """What a driver needs to know about one way to answer."""

    label: str
    form: str  # pick, many, plain, aside
    text: str  # name of the function that words an option
    cites: tuple[str, ...]
    vars: tuple[str, ...] = ()
    alt: ir.Alt | None = None
    flagged: bool = False


@define
class DecisionInfo:
    """One decision point: a stage of a choice."""

    block: int
    choice: str
    procedure: str
    stage: int
    var: ir.Var | None
    alts: list[AltInfo]
    cites: tuple[str, ...]
    span: Span
    choose: ir.ChooseS | None
    sealed: bool = False
    many: bool = False
    previous: list[tuple[str, int, Type]] = Factory(list)
    prompt: str = ""


@define
class ProcedureInfo:
    """Where a procedure begins, for calls, examples and saved positions."""

    name: str
    form: str
    plain: str
    entry: int
    params: list[int]
    ret: int
    value: int
    types: list[Type]


@define
class _Loop:
    python: bool
    after: str


class Blocks(Compiler):
    """Compiles rules with effects."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.work = Work(game)
        self.heavy = self.work.is_heavy
        self.out = Writer()
        self.effects = Effects(game)
        self.block_count = 0
        self.decisions: dict[int, DecisionInfo] = {}
        self.procedures: dict[str, ProcedureInfo] = {}
        self.sites: list[tuple[str, tuple[str, ...], str, int, Any]] = []
        self.phases: list[str] = []
        self.phase_blocks: list[tuple[int, int]] = []
        self.phase_within: list[tuple[str, ...]] = []
        self.phase_entries: dict[str, int] = {}
        self.loop_entries: list[tuple[str, int]] = []
        self._hidden: dict[tuple[int, str], int] = {}
        self._owners: list[object] = []
        self._loops_of: dict[int, ir.ForS] = {}
        self._loops: list[_Loop] = []
        self._exit: str | None = None
        self._plain = False
        self._handed = ""
        self._value_slot = -1
        self._returns: Type | None = None
        self._procedure: m.Procedure | None = None
        self._circles: dict[int, list[m.Procedure]] = {}
        self._owned: dict[int, set[int]] = {}
        self._phase_stack: list[str] = []
        self._phase_number = -1
        self._learning = False
        self.has_secrets = any(h.visibility for k in game.kinds.values() for h in k.holds.values())
        self.has_secrets = self.has_secrets or any(h.visibility for h in game.holds.values())
        self.has_secrets = self.has_secrets or any(k.hidden is not None for k in game.kinds.values())
        self._spoken_for = dict(_rules_of_hooks(game))
        self.halt = self.new_block()

    # -------------------------------------------------------------- blocks and slots

    def new_block(self) -> int:
        self.block_count += 1
        return self.block_count - 1

    def hidden(self, owner: object, tag: str) -> int:
        """A slot of the compiler's own, the same one each time it is asked for."""
        key = (id(owner), tag)
        if key not in self._hidden:
            self._hidden[key] = self.layout.take(0)
            self._owners.append(owner)  # so that no other object can come to have its id
        slot = self._hidden[key]
        self._own(slot)
        return slot

    def _own(self, slot: int) -> None:
        if self._procedure is not None:
            self._owned.setdefault(id(self._procedure), set()).add(slot)

    def bind(self, var: ir.Var) -> str:
        """Where a name lives from here on: a state, a slot, or a local of a plain function."""
        if var.state is not None:
            return f"S[{self.layout.state_slot[id(var.state)]}]"
        if self._plain:
            name = f"v{var.ident}"
        else:
            slot = self.layout.slot_for(var)
            self._own(slot)
            name = f"S[{slot}]"
        self.env[var.ident] = name
        self.codes.pop(var.ident, None)
        return name

    @contextmanager
    def as_local(self, *vars: ir.Var) -> Iterator[None]:
        """While options are listed, the names being chosen are locals of the list."""
        before = {v.ident: self.env.get(v.ident) for v in vars}
        for var in vars:
            self.env[var.ident] = f"v{var.ident}"
        try:
            yield
        finally:
            for var in vars:
                self.codes.pop(var.ident, None)
            for ident, name in before.items():
                if name is None:
                    self.env.pop(ident, None)
                else:
                    self.env[ident] = name

    def site(self, kind: str, statement: ir.S, extra: Any = None) -> int:
        # What a hook or a reaction does rests on its own rule, not on that of what it hangs on.
        cites = statement.cites or self._spoken_for.get(id(statement), ())
        cites = cites or (self._procedure.cites if self._procedure else ())
        self.sites.append((kind, cites, statement.span.source.name, statement.span.line, extra))
        return len(self.sites) - 1

    def journal(self, out: Writer, indent: int, kind: str, statement: ir.S, values: str, extra: Any = None) -> None:
        site = self.site(kind, statement, extra)
        out.line(indent, f"if p.j is not None: p.j.append(({site}, {values}))")

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
        weight = self.work.weight(statement.block, 15_000)
        if weight > 1_000:
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
        self._loops.append(_Loop(False, k))
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
            stepper.line(1, f"return b{advance}")
            next_one = Writer()
            next_one.at(statement.span)
            next_one.line(0, f"def b{advance}(p, S):")
            next_one.line(1, f"left = S[{slot}]")
            next_one.line(1, f"if not left: return {k}")
            next_one.line(1, f"{var} = left[0]")
            next_one.line(1, f"S[{slot}] = left[1:]")
            next_one.line(1, f"return b{body}")
            self.out.extend(next_one)
        self._loops.append(_Loop(False, k))
        self.block(body, self.round_of(statement), f"b{step}")
        self._loops.pop()
        self.out.extend(stepper)

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
            out.line(1, f"return B[S[{info.ret}]]")
            self.out.extend(out)

    def _plain_procedure(self, procedure: m.Procedure, info: ProcedureInfo) -> None:
        with self.inside(procedure, True):
            names = [self.bind(v) for v in procedure.params]
            given = "".join(f", {n}" for n in names)
            out = Writer()
            out.at(procedure.span)
            ending = bool(procedure.after) or self.has_scope(procedure.name)
            out.line(0, f"def {info.plain}(p, S{given}):")
            if calls_itself(procedure):
                out.line(1, f"step({self.work.weight(procedure.block, 300)})")
            for hook in self.hook_statements(procedure.before):
                self.plain(hook, out, 1)
            # What comes after sees a piece where the rule has moved it, and a parameter as the rule has set it.
            changed = [n for n, v in zip(names, procedure.params, strict=True) if _is_changed(v, procedure.block)]
            handed = "".join(f", {n}" for n in changed) if ending else ""
            if ending:
                out.line(1, f"value{handed} = {info.plain}_(p, S{given})")
                for hook in self.hook_statements(procedure.after):
                    self.plain(hook, out, 1)
                self.end_of_scope(procedure.name, out, 1)
                out.line(1, "return value")
                out.line(0, f"def {info.plain}_(p, S{given}):")
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
        if not args and result is None and not recursive:
            out.line(indent, f"S[{info.ret}] = {self.number_of(k, out, indent)}")
            out.line(indent, f"return b{info.entry}")
            return
        after = k
        saved = ""
        if recursive or result is not None:
            number = self.new_block()
            back = Writer()
            back.at(statement.span)
            back.line(0, f"def b{number}(p, S):")
            if recursive:
                # Its own slots are enough: whoever called it has saved theirs.
                slots = sorted(self._owned.get(id(self._procedure), set()) | self._state_slots(circle))
                if slots:
                    saved = ", ".join(f"S[{s}]" for s in slots) + ","
                    back.line(1, "frame = S[3]")
                    back.line(1, "S[3] = frame[0]")
                    back.line(1, f"{saved} = frame[1]")
            if result is not None:
                value = f"S[{info.value}]"
                if isinstance(result, ir.Var):
                    back.line(1, f"{self.bind(result)} = {value}")
                else:
                    self.assign(result, value, back, 1)
            back.line(1, f"return {k}")
            self.out.extend(back)
            after = f"b{number}"
        values = ", ".join(self.x(a) for a in args)
        if args:
            out.line(indent, f"given = ({values},)")
        if saved:
            out.line(indent, f"S[3] = (S[3], ({saved}))")
            for p in circle:
                self.reset_scope(p.name, out, indent)
        if args:
            targets = ", ".join(f"S[{s}]" for s in info.params)
            out.line(indent, f"{targets}, = given")
        out.line(indent, f"S[{info.ret}] = {self.number_of(after, out, indent)}")
        out.line(indent, f"return b{info.entry}")

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
                self._call(call, procedure, statement.args, None, out, indent + 1, k)
            else:
                self.plain(call, out, indent + 1)
                out.line(indent + 1, f"return {k}")
        out.line(indent, f"return {k}")

    # -------------------------------------------------------------- scopes

    def lasting(self, names: set[str]) -> list[m.State]:
        out = [s for s in self.game.states.values() if any(n.text in names for n in s.lasts)]
        for kind in self.game.kinds.values():
            out += [s for s in kind.states.values() if any(n.text in names for n in s.lasts)]
        return out

    def has_scope(self, name: str) -> bool:
        watched = any(i.when == "end" and i.scope == name for i in self.game.invariants)
        return watched or bool(self.lasting({name}))

    def end_of_scope(self, name: str, out: Writer, indent: int) -> None:
        if any(i.when == "end" and i.scope == name for i in self.game.invariants):
            out.line(indent, f"if p.watch is not None: p.watch(p, {name!r})")
        self.reset_scope(name, out, indent)

    def reset_scope(self, name: str, out: Writer, indent: int) -> None:
        for state in self.lasting({name}):
            if state.kind is not None and state.kind.is_pieces:
                self._reset_pieces(state, out, indent)
                continue
            slot = self.layout.state_slot[id(state)]
            if self.layout.state_mode[id(state)] in ("one", "mask"):
                out.line(indent, f"S[{slot}] = {self.layout.initial[slot]!r}")
                continue
            assert state.kind is not None
            size = state.kind.size
            if self.layout.state_mode[id(state)] == "dual":
                size = self.layout.mask_slot[id(state)] + self.layout.small_kind(state.type) - slot
            values = tuple(self.layout.initial[slot : slot + size])
            out.line(indent, f"S[{slot}:{slot + size}] = {self.const(values, 'R')}")

    def _reset_pieces(self, state: m.State, out: Writer, indent: int) -> None:
        """Every piece back to the state it starts with: counters move to the codes that have it."""
        kind = state.kind
        assert kind is not None
        slots = tuple(s for s, (holds, _) in self.layout.place_of_slot.items() if holds.kind is kind)
        out.line(indent, f"for s in {self.const(slots, 'R')}:")
        self._reset_pile(state, "s", out, indent + 1)

    def _reset_pile(self, state: m.State, slot: str, out: Writer, indent: int) -> None:
        """The pieces in one place back to the state they start with."""
        assert state.kind is not None
        pieces = self.layout.pieces[state.kind.name]
        start = plain(state.initial)
        shifts: dict[int, int] = {}
        for code in range(pieces.codes):
            goal = pieces.with_state(code, state, start)
            if goal != code:
                shift = pieces.fields[code][0] - pieces.fields[goal][0]
                shifts[shift] = shifts.get(shift, 0) | pieces.field(code)
        every = self.big(sum(shifts.values()))
        out.line(indent, f"if S[{slot}] & {every}:")
        for shift, mask in shifts.items():
            out.line(indent + 1, f"m = S[{slot}] & {self.big(mask)}")
            moved = f"(m >> {shift})" if shift > 0 else f"(m << {-shift})"
            out.line(indent + 1, f"S[{slot}] += {moved} - m")

    def _ended(self, holds: m.Holds) -> list[m.State]:
        """The states that what comes to a place loses."""
        return [state for state in holds.kind.states.values() if state.ends_in(holds)]

    def _without_ended(self, holds: m.Holds, code: str) -> str:
        """The code of a piece once it is in a place."""
        ended = self._ended(holds)
        if not ended:
            return code
        pieces = self.layout.pieces[holds.kind.name]
        table = list(range(pieces.codes))
        for state in ended:
            table = [pieces.with_state(c, state, plain(state.initial)) for c in table]
        return f"{self.const(tuple(table), 'X')}[{code}]"

    def _end_of_thing(self, holds: m.Holds, out: Writer, indent: int) -> None:
        """What the thing `i` loses when it comes to a place."""
        for state in self._ended(holds):
            slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
            if mode == "mask":
                start = self.layout.initial[slot]
                out.line(indent, f"S[{slot}] = S[{slot}] & ~(1 << i) | {start} & 1 << i")
                continue
            assert state.kind is not None
            values = self.const(tuple(self.layout.initial[slot : slot + state.kind.size]), "R")
            if mode == "dual":
                masks = self.layout.mask_slot[id(state)]
                out.line(indent, f"S[{masks} + S[{slot} + i]] &= ~(1 << i)")
                out.line(indent, f"S[{masks} + {values}[i]] |= 1 << i")
            out.line(indent, f"S[{slot} + i] = {values}[i]")

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
                items = self.hoisted(partial(self.refs, source), out, indent)
                name = self.bind(var)
                out.line(indent, f"for {name} in {self.counted(items)}:")
                self._loops.append(_Loop(True, ""))
                inner = self.round_of(statement) if isinstance(statement, ir.ForS) else block
                self._plain_block(inner, out, indent + 1)
                if var.state is not None:
                    self.end_of_scope(var.state.name, out, indent + 1)
                self._loops.pop()
            case ir.RepeatS():
                self._plain_repeat(statement, out, indent)
            case ir.CallS(procedure=procedure, args=args, result=result):
                info = self.info(procedure)
                given = "".join(f", {self.x(a)}" for a in args)
                code = f"{info.plain}(p, S{given})"
                self._take_result(result, code, out, indent)
            case ir.SignalS(signal=signal, args=args):
                assert signal.procedure is not None
                if signal.procedure.block:
                    info = self.info(signal.procedure)
                    given = "".join(f", {self.x(a)}" for a in args)
                    out.line(indent, f"{info.plain}(p, S{given})")
            case ir.DoesS():
                self._plain_does(statement, out, indent)
            case ir.ReturnS(value=value):
                self._return(value, out, indent)
            case ir.StopS():
                loop = self._loops[-1]
                out.line(indent, "break" if loop.python else f"return {loop.after}")
            case ir.MoveS():
                self._move(statement, out, indent)
            case ir.PlaceS():
                self._place(statement, out, indent)
            case ir.DrawS():
                self._draw(statement, out, indent)
            case ir.RollS(amount=amount, sides=sides, var=var):
                count = self.x(amount) if amount is not None else "1"
                site = self.site("roll", statement, var.name)
                first = "[0]" if amount is None else ""
                name = self.bind(var)
                out.line(indent, f"{name} = roll(p, S, {count}, {sides}, {site}){first}")
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
                self.journal(out, indent, "tell", statement, self.text(text))
            case _:
                raise AssertionError(statement)

    def _plain_block(self, block: ir.Block, out: Writer, indent: int) -> None:
        size = len(out.lines)
        for statement in block:
            if not isinstance(statement, ir.DocS):
                out.at(statement.span)
                self.plain(statement, out, indent)
        if len(out.lines) == size:
            out.line(indent, "pass")

    def _plain_repeat(self, statement: ir.RepeatS, out: Writer, indent: int) -> None:
        self._loops.append(_Loop(True, ""))
        if statement.mode == "times":
            assert statement.condition is not None
            out.line(indent, f"for _ in range({self.x(statement.condition)}):")
            out.line(indent + 1, f"step({self.work.weight(statement.block, 3_000)})")
            self._plain_block(statement.block, out, indent + 1)
        else:
            out.line(indent, f"for _ in range({LOOP_LIMIT}):")
            out.line(indent + 1, f"step({self.work.weight(statement.block, 3_000)})")
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
                info = self.info(procedure)
                given = "".join(f", {self.x(a)}" for a in statement.args)
                out.line(indent, f"{word} thing == {candidate.index}: {info.plain}(p, S{given})")
                word = "elif"

    def _return(self, value: ir.X | None, out: Writer, indent: int) -> None:
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

    # -------------------------------------------------------------- effects

    def _assign(self, statement: ir.AssignS, out: Writer, indent: int) -> None:
        value = self.x(statement.value)
        target = statement.target
        if statement.operator != "=":
            current = self.x(target)
            if isinstance(target.type, SetOf):
                value = f"({current} | {value})" if statement.operator == "+=" else f"({current} & ~{value})"
            elif isinstance(target.type, ListOf):
                value = f"{'joined' if statement.operator == '+=' else 'without'}({current}, {value})"
            else:
                value = f"({current} {statement.operator[0]} {value})"
        if target.type == INT and _may_grow(statement):
            value = f"bounded({value})"
        is_state = isinstance(target, ir.StateX | ir.PieceStateX)
        if is_state:
            out.line(indent, f"if p.j is not None: was = {self.x(target)}")
        self.assign(target, value, out, indent)
        match target:
            case ir.StateX(state=state, of=of):
                owner = self.x(of) if of is not None else "None"
                site = self.site("set", statement, (state.kind.name if state.kind else "", state.name))
            case ir.PieceStateX(state=state, of=of):
                owner = self.x(of)
                site = self.site("piece", statement, (self.kind_of(of.type), state.name))
        if is_state:
            # What changes nothing is only noted as reached, not told.
            now = self.x(target)
            told = f"({site}, {owner}, {now}) if {now} != was else ({site},)"
            out.line(indent, f"if p.j is not None: p.j.append({told})")

    def assign(self, target: ir.X, value: str, out: Writer, indent: int) -> None:
        match target:
            case ir.Local(var=var):
                out.line(indent, f"{self.bind(var)} = {value}")
            case ir.StateX(state=state, of=of):
                slot = self.layout.state_slot[id(state)]
                mode = self.layout.state_mode[id(state)]
                if of is None:
                    out.line(indent, f"S[{slot}] = {value}")
                elif mode == "mask":
                    which = self.x(of)
                    if value == "True":
                        out.line(indent, f"S[{slot}] |= 1 << {which}")
                    elif value == "False":
                        out.line(indent, f"S[{slot}] &= ~(1 << {which})")
                    else:
                        out.line(
                            indent, f"S[{slot}] = S[{slot}] | 1 << {which} if {value} else S[{slot}] & ~(1 << {which})"
                        )
                elif mode == "dual":
                    masks = self.layout.mask_slot[id(state)]
                    out.line(indent, f"i = {self.x(of)}")
                    out.line(indent, f"v = {value}")
                    # Rules that update everything mostly change nothing.
                    out.line(indent, f"if S[{slot} + i] != v:")
                    out.line(indent + 1, f"S[{masks} + S[{slot} + i]] &= ~(1 << i)")
                    out.line(indent + 1, f"S[{masks} + v] |= 1 << i")
                    out.line(indent + 1, f"S[{slot} + i] = v")
                else:
                    out.line(indent, f"S[{self.plus(slot, of)}] = {value}")
            case ir.PieceStateX(state=state, of=ir.Local(var=var)):
                pieces = self.layout.pieces[self.kind_of(var.type)]
                kind = self.ident(pieces.kind.name)
                _, _, values = next(s for s in pieces.states if s[0] is state)
                table = tuple(tuple(pieces.with_state(c, state, v) for c in range(pieces.codes)) for v in values)
                key = self.const(_index(values), "X")
                name = self.local(var)
                out.line(indent, f"i = {name}")
                out.line(indent, f"c = i & 65535; i >>= 16; v = {self.const(table, 'X')}[{key}[{value}]][c]")
                out.line(indent, f"if not S[i] & FM_{kind}[c]: stale({pieces.kind.name!r})")
                out.line(indent, f"S[i] += UN_{kind}[v] - UN_{kind}[c]")
                out.line(indent, f"{name} = i << 16 | v")
            case _:
                raise AssertionError(target)

    def items_code(self, what: ir.X) -> str:
        """Things or pieces as a tuple, for the journal."""
        if isinstance(what.type, ThingOf | PieceOf):
            return f"({self.x(what)},)"
        return self.refs(what)

    def type_note(self, what: ir.X) -> tuple[str, bool]:
        kind = self.kind_of(what.type)
        return (kind, self.game.kinds[kind].is_pieces)

    def _move(self, statement: ir.MoveS, out: Writer, indent: int) -> None:
        what, to = statement.what, statement.to
        kind = to.holds.kind
        site = self.site("move", statement, (kind.name, kind.is_pieces, statement.end))
        target = self.slot(to)
        if kind.is_pieces:
            self._move_pieces(statement, what, target, site, out, indent)
            return
        info = f"TI_{self.ident(kind.name)}"
        end = statement.end
        out.line(indent, f"d = {target}")
        if isinstance(what.type, ThingOf):
            out.line(indent, f"i = {self.x(what)}")
            out.line(
                indent, f"if p.j is not None: p.j.append(({site}, (i,), S[{self.layout.loc_slot[kind.name]} + i], d))"
            )
            out.line(indent, f"move_thing(S, {info}, i, d, {end!r})")
            self._end_of_thing(to.holds, out, indent)
            return
        items = self.refs(what)
        if statement.amount is not None:
            items = f"{items}[:max(0, {self.x(statement.amount)})]"
        out.line(indent, f"for i in {items}:")
        out.line(
            indent + 1, f"if p.j is not None: p.j.append(({site}, (i,), S[{self.layout.loc_slot[kind.name]} + i], d))"
        )
        out.line(indent + 1, f"move_thing(S, {info}, i, d, {end!r})")
        self._end_of_thing(to.holds, out, indent + 1)

    def _move_pieces(self, statement: ir.MoveS, what: ir.X, target: str, site: int, out: Writer, indent: int) -> None:
        self._moved_pieces(statement, what, target, site, out, indent)
        for state in self._ended(statement.to.holds):
            self._reset_pile(state, "d", out, indent)

    def _moved_pieces(self, statement: ir.MoveS, what: ir.X, target: str, site: int, out: Writer, indent: int) -> None:
        kind = self.game.kinds[self.kind_of(what.type)]
        n = self.ident(kind.name)
        out.line(indent, f"d = {target}")
        if isinstance(what.type, PieceOf):
            out.line(indent, f"i = {self.x(what)}")
            out.line(indent, "c = i & 65535; i >>= 16")
            out.line(indent, f"if not S[i] & FM_{n}[c]: stale({kind.name!r})")
            out.line(indent, f"if p.j is not None: p.j.append(({site}, (i << 16 | c,), i, d))")
            out.line(indent, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            if isinstance(what, ir.Local):
                code = self._without_ended(statement.to.holds, "c")
                out.line(indent, f"{self.local(what.var)} = d << 16 | {code}")
            return
        if isinstance(what.type, ListOf):
            items = self.x(what)
            if statement.amount is not None:
                items = f"{items}[:max(0, {self.x(statement.amount)})]"
            out.line(indent, f"for i in {items}:")
            out.line(indent + 1, "c = i & 65535; i >>= 16")
            out.line(indent + 1, f"if not S[i] & FM_{n}[c]: stale({kind.name!r})")
            out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, (i << 16 | c,), i, d))")
            out.line(indent + 1, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            return
        base, _ = self.split_source(what)
        left: list[ir.X] = []
        holder, codes = "", None
        if isinstance(base, ir.ContentsX):
            base, holder, codes, left = self.pile_parts(what, None, ())
        else:
            left = [what]
        if left or statement.amount is not None:
            refs = self.refs(what)
            if statement.amount is not None:
                refs = f"{refs}[:max(0, {self.x(statement.amount)})]"
            out.line(indent, f"for i in {refs}:")
            out.line(indent + 1, "c = i & 65535; i >>= 16")
            out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, (i << 16 | c,), i, d))")
            out.line(indent + 1, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            return
        assert isinstance(base, ir.ContentsX)
        mask = f" & {codes}" if codes else ""
        slot = self.layout.holds_slot[id(base.holds)]
        if holder:
            h = self.fresh("h")
            out.line(indent, f"for {h} in {holder}:")
            out.line(indent + 1, f"i = {slot} + {h}")
            indent += 1
        else:
            out.line(indent, f"i = {self.slot(base)}")
        out.line(indent, f"m = S[i]{mask}")
        out.line(indent, "if m and i != d:")
        pile = f"tuple([i << 16 | c for c, n in IT_{n}[m] for _ in range(n)])"
        out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, {pile}, i, d))")
        out.line(indent + 1, "S[i] -= m; S[d] += m")

    def _place(self, statement: ir.PlaceS, out: Writer, indent: int) -> None:
        pieces = self.layout.pieces[statement.kind.name]
        n = self.ident(statement.kind.name)
        site = self.site("move", statement, (statement.kind.name, True, ""))
        out.line(indent, f"d = {self.slot(statement.to)}")
        for index, count in statement.types:
            home = statement.kind.homes[index]
            if home is None:
                continue
            source = self.layout.slot_of(home[0], home[1])
            code = pieces.default_code(index)
            out.line(indent, f"c = min({count}, (S[{source}] & FM_{n}[{code}]) >> {pieces.fields[code][0]})")
            out.line(indent, f"if p.j is not None: p.j.append(({site}, ({source << 16 | code},) * c, {source}, d))")
            out.line(indent, f"S[{source}] -= c * UN_{n}[{code}]; S[d] += c * UN_{n}[{code}]")

    def _draw(self, statement: ir.DrawS, out: Writer, indent: int) -> None:
        kind = statement.source.holds.kind
        n = self.ident(kind.name)
        site = self.site("draw", statement, (kind.name, kind.is_pieces))
        source, target = self.slot(statement.source), self.slot(statement.to)
        name = self.bind(statement.var) if statement.var is not None else "drawn"
        amount = self.x(statement.amount)
        if kind.is_pieces:
            mask = "-1"
            if statement.filter is not None:
                _, _, codes, left = self.pile_parts(statement.filter, None, ())
                if left:
                    mask = f"sum(set([FM_{n}[i & 65535] for i in {self.refs(statement.filter)}]))"
                else:
                    mask = codes or "-1"
            call = f"draw_pieces(p, S, {amount}, {source}, {mask}, {target}, UN_{n}, IT_{n}, {site})"
        else:
            mask = "-1"
            if statement.filter is not None:
                mask = (
                    self.x(statement.filter)
                    if isinstance(statement.filter.type, SetOf)
                    else (f"sum([1 << i for i in {self.x(statement.filter)}])")
                )
            call = f"draw_things(p, S, {amount}, {source}, {mask}, {target}, TI_{n}, {statement.end!r}, {site})"
        out.line(indent, f"{name} = {call}")
        out.line(indent, f"if p.j is not None: p.j.append(({site}, {name}, {source}, {target}))")
        self._end_of_drawn(statement.to.holds, name, target, out, indent)

    def _end_of_drawn(self, holds: m.Holds, name: str, target: str, out: Writer, indent: int) -> None:
        """What was drawn loses the states that do not last where it comes to."""
        ended = self._ended(holds)
        if not ended:
            return
        if not holds.kind.is_pieces:
            out.line(indent, f"for i in {name}:")
            self._end_of_thing(holds, out, indent + 1)
            return
        out.line(indent, f"d = {target}")
        for state in ended:
            self._reset_pile(state, "d", out, indent)
        code = self._without_ended(holds, "x & 65535")
        out.line(indent, f"{name} = tuple([x >> 16 << 16 | {code} for x in {name}])")

    # -------------------------------------------------------------- choices

    def choose(self, choose: ir.ChooseS, k: str, collect: int | None = None) -> str:
        """A choice; afterwards block `k`. Returns the block that asks. With `collect`, the answer is only noted
        in that slot (effects come later)."""
        if choose.any_of and collect is None:
            return self._choose_any(choose, k)
        return f"b{self._decision(choose, k, collect, None)}"

    def _choose_any(self, choose: ir.ChooseS, k: str) -> str:
        """Each of several players in order may answer; when all decline, the first other way out is taken."""
        assert choose.chooser_var is not None
        who = self.bind(choose.chooser_var)
        slot = self.hidden(choose, "askers")
        start, step = self.new_block(), self.new_block()
        refused = k
        for alt in choose.alts:
            if not alt.picks and alt.many is None:
                number = self.new_block()
                self.block(number, alt.block, self._after(alt, k))
                refused = f"b{number}"
                break
        ask = self._decision(choose, k, None, f"b{step}")
        out = Writer()
        out.at(choose.span)
        out.line(0, f"def b{start}(p, S):")
        out.line(1, f"S[{slot}] = BITS[{self.x(choose.by)}]")
        out.line(1, f"return b{step}")
        out.line(0, f"def b{step}(p, S):")
        out.line(1, f"left = S[{slot}]")
        out.line(1, f"if not left: return {refused}")
        out.line(1, f"{who} = left[0]")
        out.line(1, f"S[{slot}] = left[1:]")
        out.line(1, f"return b{ask}")
        self.out.extend(out)
        return f"b{start}"

    def _after(self, alt: ir.Alt, k: str) -> str:
        if alt.effect == "stop":
            return self._loops[-1].after if self._loops and not self._loops[-1].python else k
        return k

    def stage_of(self, alt: ir.Alt, clause: ir.Clause) -> int:
        """The last name a requirement needs; -1 if it needs none."""
        used = free_vars(self.clause_condition(clause))
        if alt.many is not None and alt.many[2].ident in used:
            return 0
        stage = -1
        for at, (var, _) in enumerate(alt.picks):
            if var.ident in used:
                stage = at
        return stage

    def guard(self, alt: ir.Alt) -> str:
        """What must hold whatever is picked."""
        tests = [self.x(self.clause_condition(c)) for c in alt.clauses if self.stage_of(alt, c) < 0]
        return " and ".join(tests)

    def options(self, alt: ir.Alt, stage: int) -> tuple[str, bool]:
        """A list of what can be picked at a stage, and whether it is shared (must not be changed)."""
        var, source = alt.picks[stage]
        conditions = self.stage_conditions(alt, stage)
        if stage + 1 < len(alt.picks):
            # Whatever is picked now, the later names must be possible.
            later = [p for at in range(stage + 1, len(alt.picks)) for p in self.stage_conditions(alt, at)]
            rest = ir.AndX(BOOL, alt.span, tuple(later)) if later else ir.Lit(BOOL, alt.span, True)
            conditions.append(ir.QuantX(BOOL, alt.span, "some", alt.picks[stage + 1 :], rest))
        copies = self._copies(source)
        with self.as_local(*(v for v, _ in alt.picks[stage:])):
            if isinstance(source.type, SetOf):
                mask, left = self.thing_mask(source, var, conditions)
                if not left:
                    return (f"unlike(BITS[{mask}], {copies})", False) if copies else (f"BITL[{mask}]", True)
                name = self.local(var)
                tests = " and ".join(self.each(c) for c in left)
                listed = f"[{name} for {name} in {self.counted(f'BITS[{mask}]')} if {tests}]"
                return (f"unlike({listed}, {copies})" if copies else listed), False
            loop, left = self.loop(var, source, conditions)
            test = "".join(f" if {self.each(c)}" for c in left)
            listed = f"[{self.local(var)} {loop}{test}]"
            if copies:
                return f"unlike({listed}, {copies})", False
            if isinstance(source.type, ListOf):
                return f"list(dict.fromkeys({listed}))", False
            return listed, False

    def _copies(self, source: ir.X) -> str:
        """For things declared in several copies: which are alike, and what could tell two of them apart.

        In a pile that somebody may look through, the order tells them apart."""
        element = element_of(source.type)
        if not isinstance(element, ThingOf):
            return ""
        kind = self.game.kinds[element.kind]
        if not any(t.copy_of for t in kind.things):
            return ""
        base, _ = self.split_source(source)
        if isinstance(base, ir.ContentsX) and base.holds.ordered:
            if not base.holds.visibility or any(v.level == "visible" for v in base.holds.visibility):
                return ""
        names = [t.copy_of or t.name for t in kind.things]
        first = tuple(names.index(name) for name in names)
        states = tuple(
            (self.layout.state_slot[id(s)], self.layout.state_mode[id(s)] == "mask") for s in kind.states.values()
        )
        loc = self.layout.loc_slot.get(kind.name, -1)
        return f"{self.const(first, 'A')}, S, {loc}, {states!r}"

    def stage_conditions(self, alt: ir.Alt, stage: int) -> list[ir.X]:
        """The requirements that can be tested once the name of a stage is known."""
        return [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == stage
            for part in self.parts_of(self.clause_condition(clause))
        ]

    def _decision(self, choose: ir.ChooseS, k: str, collect: int | None, declined: str | None) -> int:
        """The block that asks the first question of a choice."""
        number = self.new_block()
        primary = next((i for i, a in enumerate(choose.alts) if a.picks or a.many), -1)
        ask, take = Writer(), Writer()
        ask.at(choose.span)
        take.at(choose.span)
        ask.line(0, f"def b{number}(p, S):")
        take.line(0, f"def c{number}(p, S, o):")
        infos: list[AltInfo] = []
        shared = False
        lines: list[str] = []
        first = "[]"
        outer, self.hoists = self.hoists, {}
        for at, alt in enumerate(choose.alts):
            guard = self.guard(alt)
            form = "many" if alt.many else "pick" if alt.picks else "plain"
            names = (alt.many[2].name,) if alt.many else tuple(v.name for v, _ in alt.picks)
            infos.append(AltInfo(alt.label, form, "", alt.cites, names, alt))
            if form == "plain":
                lines.append(f"o.append({-1 - at})" if not guard else f"if {guard}: o.append({-1 - at})")
                continue
            listed, is_shared = self._many_first(alt) if form == "many" else self.options(alt, 0)
            if guard:
                listed, is_shared = f"({listed} if {guard} else [])", is_shared
            if at == primary:
                first, shared = listed, is_shared
            else:
                lines.append(f"o += [({at}, v) for v in {listed}]")
        many = choose.alts[primary].many if primary >= 0 else None
        if many is not None and many[0] != "exactly" and not any(a.effect for a in choose.alts):
            # "Up to" and "any number" may be none, unless passing or stopping says so already.
            infos.append(AltInfo("done", "plain", "", choose.alts[primary].cites))
            whole = self._whole(choose.alts[primary])
            lines.insert(0, f"if o{f' and meets((), {whole})' if whole else ''}: o.append({-len(infos)})")
        asides = self._aside_lines(choose)
        for value, name in self.hoists.items():
            ask.line(1, f"{name} = {value}")
        self.hoists = outer
        if (lines or asides) and shared:
            if lines and all(line.startswith("o.append(") for line in lines) and not asides:
                extra = ", ".join(line[len("o.append(") : -1] for line in lines)
                ask.line(1, f"o = [*{first}, {extra}]")
                lines = []
            else:
                ask.line(1, f"o = [*{first}]")
        else:
            ask.line(1, f"o = {first}")
        for line in lines:
            ask.line(1, line)
        empty = self._when_empty(choose, primary, k, number, collect)
        ask.line(1, f"if len(o) == 1 and not p.ask{self._not_telling(choose)}: return c{number}(p, S, o[0])")
        ask.line(1, f"if not o: return {empty}")
        # Something that may be done at any time never makes a forced choice a real one.
        for line in asides:
            ask.line(1, line)
        ask.line(1, f"p.d = {number}; p.o = o; S[0] = {number}")
        ask.line(1, "return None")
        # ---- taking the answer
        tuples = [i for i, info in enumerate(infos) if info.form != "plain" and i != primary]
        if tuples or asides:
            take.line(1, "if o.__class__ is tuple:")
            take.line(2, "a, o = o")
            for at in tuples:
                take.line(2, f"if a == {at}:")
                self._take_pick(choose, at, take, 3, k, number, collect)
            for at, aside in enumerate(self.game.asides if asides else []):
                assert aside.procedure is not None
                info = self.info(aside.procedure)
                take.line(2, f"if a == {-100 - at}:")
                if aside.chooser is not None:
                    take.line(3, f"S[{info.params[-1]}] = {self.x(self._decider(choose))}")
                if aside.alt.picks:
                    take.line(3, f"S[{info.params[0]}] = o")
                take.line(3, f"S[{info.ret}] = {number}")
                take.line(3, f"return b{info.entry}")
        plains = [i for i, info in enumerate(infos) if info.form == "plain"]
        if plains:
            take.line(1, "if o < 0:")
            for position, at in enumerate(plains):
                inner = 2
                if position < len(plains) - 1:
                    take.line(2, f"if o == {-1 - at}:")
                    inner = 3
                if at == len(choose.alts):
                    take.line(inner, f"return {declined or empty}")
                    continue
                alt = choose.alts[at]
                if declined is not None:
                    take.line(inner, f"return {declined}")
                elif collect is not None:
                    take.line(inner, f"S[{collect}] = {at}")
                    take.line(inner, f"return {k}")
                else:
                    self.seq(alt.block, take, inner, self._after(alt, k))
        if primary >= 0:
            self._take_pick(choose, primary, take, 1, k, number, collect)
        else:
            take.line(1, "return None")
        self.out.extend(ask)
        self.out.extend(take)
        alt0 = choose.alts[primary] if primary >= 0 else None
        var = alt0.picks[0][0] if alt0 is not None and alt0.picks else None
        for aside in self.game.asides if asides else []:
            infos.append(
                AltInfo(
                    aside.name, "aside", "", aside.cites, tuple(v.name for v, _ in aside.alt.picks), aside.alt, True
                )
            )
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, 0, var, infos, choose.cites, choose.span, choose, choose.sealed,
            bool(alt0 and alt0.many),
        )  # fmt: skip
        self._words(number, choose, infos, 0, primary)
        return number

    def _not_telling(self, choose: ir.ChooseS) -> str:
        """For taking a single option unasked: that nobody can learn from it what is hidden."""
        ways = [way for alt in choose.alts if (way := self._telling(alt))]
        return f" and not ({' or '.join(f'({w})' for w in ways)})" if ways else ""

    def _telling(self, alt: ir.Alt) -> str:
        """When others could learn something hidden from an alternative that is not asked for; nothing: never."""
        tests = asked_anyway(alt) if self.has_secrets else None
        if tests is None:
            return ""
        with self.as_local(*(var for var, _ in alt.picks)):
            return " and ".join(self.x(t) for t in tests) or "True"

    def _when_empty(self, choose: ir.ChooseS, primary: int, k: str, number: int, collect: int | None) -> str:
        """Where to go when there is nothing to choose. Choosing none of several is still a (empty) selection."""
        if primary >= 0 and choose.alts[primary].many is not None:
            alt = choose.alts[primary]
            assert alt.many is not None
            block = self.new_block()
            out = Writer()
            out.at(choose.span)
            out.line(0, f"def b{block}(p, S):")
            var = alt.many[2]
            whole = self._whole(alt)
            if whole:
                # There is nothing to choose from, and none at all is not allowed: it is passed over.
                out.line(1, f"if not meets((), {whole}):")
                if collect is not None:
                    out.line(2, f"S[{collect}] = -1")
                out.line(2, f"return {k}")
            out.line(1, f"{self.bind(var)} = {'0' if isinstance(var.type, SetOf) else '()'}")
            if collect is not None:
                out.line(1, f"S[{collect}] = {primary}")
                out.line(1, f"return {k}")
            else:
                self.seq(alt.block, out, 1, self._after(alt, k))
            self.out.extend(out)
            return f"b{block}"
        if collect is not None:
            block = self.new_block()
            self.out.line(0, f"def b{block}(p, S):")
            self.out.line(1, f"S[{collect}] = -1")
            self.out.line(1, f"return {k}")
            return f"b{block}"
        return k

    def _take_pick(
        self, choose: ir.ChooseS, at: int, out: Writer, indent: int, k: str, number: int, collect: int | None
    ) -> None:
        """The first name of an alternative was picked: ask for the next, or do what it says."""
        alt = choose.alts[at]
        if alt.many is not None:
            self._take_many(choose, at, out, indent, k, collect)
            return
        out.line(indent, f"{self.bind(alt.picks[0][0])} = o")
        if len(alt.picks) > 1:
            out.line(indent, f"return b{self._stage(choose, at, 1, k, collect)}")
        elif collect is not None:
            out.line(indent, f"S[{collect}] = {at}")
            out.line(indent, f"return {k}")
        else:
            self.seq(alt.block, out, indent, self._after(alt, k))

    def _stage(self, choose: ir.ChooseS, at: int, stage: int, k: str, collect: int | None) -> int:
        """The block that asks for a later name."""
        alt = choose.alts[at]
        number = self.new_block()
        ask, take = Writer(), Writer()
        ask.at(choose.span)
        ask.line(0, f"def b{number}(p, S):")
        ask.line(1, f"o = {self.hoisted(lambda: self.options(alt, stage)[0], ask, 1)}")
        if not (self.has_secrets and later_secret(alt, stage)):
            ask.line(1, f"if len(o) == 1 and not p.ask: return c{number}(p, S, o[0])")
        ask.line(1, f"p.d = {number}; p.o = o; S[0] = {number}")
        ask.line(1, "return None")
        previous = [(v.name, self.layout.slot_for(v), v.type) for v, _ in alt.picks[:stage]]
        take.at(choose.span)
        take.line(0, f"def c{number}(p, S, o):")
        take.line(1, f"{self.bind(alt.picks[stage][0])} = o")
        if stage + 1 < len(alt.picks):
            take.line(1, f"return b{self._stage(choose, at, stage + 1, k, collect)}")
        elif collect is not None:
            take.line(1, f"S[{collect}] = {at}")
            take.line(1, f"return {k}")
        else:
            self.seq(alt.block, take, 1, self._after(alt, k))
        self.out.extend(ask)
        self.out.extend(take)
        info = AltInfo(alt.label, "pick", "", alt.cites, tuple(v.name for v, _ in alt.picks), alt)
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, stage, alt.picks[stage][0], [info], choose.cites, choose.span, choose,
            choose.sealed, False, previous,
        )  # fmt: skip
        self._words(number, choose, [info], stage, 0)
        return number

    # -------------------------------------------------------------- several at once

    def _available(self, alt: ir.Alt) -> str:
        """(item, how many) pairs of what can be selected from, ascending."""
        assert alt.many is not None
        _, _, _, source = alt.many
        if isinstance(source.type, Pile):
            var = ir.Var("each", PieceOf(self.kind_of(source.type)), "element", -4)
            if isinstance(self.split_source(source)[0], ir.MostX):
                return f"tuple(sorted([(e, 1) for e in {self.refs(source)}]))"
            loop, left = self.loop(var, source, (), "n_")
            test = "".join(f" if {self.each(c)}" for c in left)
            # Places and codes come in ascending order.
            return f"tuple([({self.local(var)}, n_) {loop}{test}])"
        copies = self._copies(source)
        if isinstance(source.type, SetOf) and copies:
            return f"so_many(BITS[{self.x(source)}], {copies})"
        if isinstance(source.type, SetOf):
            return f"tuple([(e, 1) for e in BITS[{self.x(source)}]])"
        return f"tuple(sorted([(e, 1) for e in {self.x(source)}]))"

    def _wanted(self, alt: ir.Alt) -> str:
        assert alt.many is not None
        mode, amount, _, _ = alt.many
        if mode == "any" or amount is None:
            return "1 << 30"
        return self.x(amount)

    def _whole(self, alt: ir.Alt) -> str:
        """What a selection as a whole must meet ("" if nothing): how it is written as its name's value, all of it,
        and that part of it which no further item can mend, as functions."""
        assert alt.many is not None
        _, _, var, source = alt.many
        parts = [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == 0
            for part in self.parts_of(self.clause_condition(clause))
        ]
        if not parts:
            return ""
        hoists, self.hoists = self.hoists, None
        try:
            made = "lambda have: have"
            if isinstance(var.type, SetOf):
                copies = self._copies(source)
                each = f"each_copy(have, BITS[{self.x(source)}], {copies})" if copies else "have"
                made = f"lambda have: sum([1 << i for i in {each}])"
            with self.as_local(var):
                self.env[var.ident] = "have"
                whole = " and ".join(f"({self.x(part)})" for part in parts)
                kept = [stays_broken(part, var.ident, source) for part in parts]
                lasting = " and ".join(f"({self.x(part)})" for part in kept if part is not None)
        finally:
            self.hoists = hoists
        return f"{made}, lambda have: {whole}, lambda have: {lasting or 'True'}"

    def _many_first(self, alt: ir.Alt) -> tuple[str, bool]:
        """The first pick of several. What can be picked and how many are wanted is noted for the later ones."""
        assert alt.many is not None
        mode = alt.many[0]
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        count = f"many_start(S, {wanted}, {self._wanted(alt)})"
        available = self._available(alt)
        listed = f"many_first(S, {items}, {wanted}, {available}, {mode == 'exactly'})"
        whole = self._whole(alt)
        if whole:
            listed = f"completable({listed}, (), S[{items}], S[{wanted}], {mode == 'exactly'}, {whole})"
        return f"{listed} if {count} else []", False

    def _take_many(self, choose: ir.ChooseS, at: int, out: Writer, indent: int, k: str, collect: int | None) -> None:
        alt = choose.alts[at]
        assert alt.many is not None
        mode, _, var, _ = alt.many
        name = self.bind(var)
        chosen = self.hidden(choose, f"chosen{at}")
        more, done = self.new_block(), self.new_block()
        out.line(indent, f"S[{chosen}] = (o,)")
        out.line(indent, f"return b{more}")
        ask = Writer()
        ask.at(choose.span)
        ask.line(0, f"def b{more}(p, S):")
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        ask.line(1, f"have = S[{chosen}]")
        ask.line(1, f"left = S[{wanted}] - len(have)")
        ask.line(1, f"if left <= 0: return b{done}")
        ask.line(1, f"o = many_options(S[{items}], have, {'left' if mode == 'exactly' else '1'})")
        whole = self._whole(alt)
        if whole:
            ask.line(1, f"whole = ({whole})")
            ask.line(1, f"o = completable(o, have, S[{items}], S[{wanted}], {mode == 'exactly'}, *whole)")
        # Who is not asked for more has no more of what comes later: others must not learn that from the silence.
        telling = self._telling(alt) if mode != "exactly" else ""
        unless = f" and not ({telling})" if telling else ""
        ask.line(1, f"if not o{unless}: return b{done}")
        if mode != "exactly":
            ask.line(1, "if whole[1](whole[0](have)): o.append(-1)" if whole else "o.append(-1)")
        ask.line(1, f"if len(o) == 1 and not p.ask{unless}: return c{more}(p, S, o[0])")
        ask.line(1, f"p.d = {more}; p.o = o; S[0] = {more}")
        ask.line(1, "return None")
        ask.line(0, f"def c{more}(p, S, o):")
        if mode != "exactly":
            ask.line(1, f"if o < 0: return b{done}")
        ask.line(1, f"S[{chosen}] += (o,)")
        ask.line(1, f"return b{more}")
        ask.line(0, f"def b{done}(p, S):")
        copies = self._copies(alt.many[3]) if isinstance(alt.many[3].type, SetOf) else ""
        if copies:
            ask.line(1, f"have = each_copy(S[{chosen}], BITS[{self.x(alt.many[3])}], {copies})")
            ask.line(1, f"{name} = sum([1 << i for i in have])")
        elif isinstance(var.type, SetOf):
            ask.line(1, f"{name} = sum([1 << i for i in S[{chosen}]])")
        else:
            ask.line(1, f"{name} = S[{chosen}]")
        # Nothing of the choosing itself stays behind in the state.
        ask.line(1, f"S[{chosen}] = S[{items}] = (); S[{wanted}] = 0")
        if collect is not None:
            ask.line(1, f"S[{collect}] = {at}")
            ask.line(1, f"return {k}")
        else:
            self.seq(alt.block, ask, 1, self._after(alt, k))
        self.out.extend(ask)
        infos = [AltInfo(alt.label, "many", "", alt.cites, (var.name,), alt)]
        if mode != "exactly":
            infos.append(AltInfo("done", "plain", "", alt.cites, ()))
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[more] = DecisionInfo(
            more, choose.name, procedure, 1, None, infos, choose.cites, choose.span, choose, choose.sealed, True,
            [("chosen", chosen, ListOf(_element_type(alt)))],
        )  # fmt: skip
        self._words(more, choose, infos, 1, 0)

    # -------------------------------------------------------------- sealed answers

    def _together(self, branches: Sequence[ir.ChooseS | ir.EachS], out: Writer, indent: int, k: str) -> None:
        """All answer first, then all that follows from the answers."""
        slots = [self.hidden(b, "answer") for b in branches]
        # For each branch that several answer: where they are asked, where answers are noted, where they are played.
        places = [tuple(self.new_block() for _ in range(4)) if isinstance(b, ir.EachS) else () for b in branches]
        after = k
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                self._each_plays(branch, blocks, after)
                after = f"b{blocks[3]}"
                continue
            number = self.new_block()
            effects = Writer()
            effects.at(branch.span)
            effects.line(0, f"def b{number}(p, S):")
            for alt in branch.alts:
                for var, _ in alt.picks:
                    self.bind(var)
                if alt.many is not None:
                    self.bind(alt.many[2])
            for at, alt in enumerate(branch.alts):
                if alt.block:
                    effects.line(1, f"if S[{slot}] == {at}:")
                    self.seq(alt.block, effects, 2, self._after(alt, after))
            effects.line(1, f"return {after}")
            self.out.extend(effects)
            after = f"b{number}"
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                begin, number = Writer(), self.new_block()
                begin.at(branch.span)
                begin.line(0, f"def b{number}(p, S):")
                self._each_asks(branch, blocks, begin, 1, after)
                self.out.extend(begin)
                after = f"b{number}"
            else:
                after = self.choose(branch, after, slot)
        out.line(indent, f"return {after}")

    def _each_sealed(self, statement: ir.EachS, out: Writer, indent: int, k: str) -> None:
        blocks = tuple(self.new_block() for _ in range(4))
        self._each_asks(statement, blocks, out, indent, f"b{blocks[3]}")
        self._each_plays(statement, blocks, k)

    def _each_noted(self, statement: ir.EachS) -> tuple[ir.ChooseS, str, str, int, int, int]:
        """The choice of a sealed `each`, who makes it, what is kept of an answer, and the slots it needs."""
        choose = next(s for s in statement.block if isinstance(s, ir.ChooseS))
        who = self.bind(statement.var)
        left, answers, answer = (self.hidden(statement, tag) for tag in ("left", "answers", "answer"))
        kept = [v for alt in choose.alts for v, _ in alt.picks] + [alt.many[2] for alt in choose.alts if alt.many]
        names = [who, f"S[{answer}]", *(self.bind(v) for v in kept)]
        return choose, who, ", ".join(names) + ",", left, answers, answer

    def _each_asks(self, statement: ir.EachS, blocks: tuple[int, ...], out: Writer, indent: int, k: str) -> None:
        """Ask all of them, one after the other; then block `k`."""
        ask, note, _, _ = blocks
        choose, who, tuple_, left, answers, answer = self._each_noted(statement)
        asked = self.choose(choose, f"b{note}", answer)
        out.line(indent, f"S[{left}] = {self.refs(statement.source)}")
        out.line(indent, f"S[{answers}] = ()")
        out.line(indent, f"return b{ask}")
        w = Writer()
        w.at(statement.span)
        w.line(0, f"def b{ask}(p, S):")
        w.line(1, f"rest = S[{left}]")
        w.line(1, f"if not rest: return {k}")
        w.line(1, f"{who} = rest[0]; S[{left}] = rest[1:]")
        w.line(1, f"return {asked}")
        w.line(0, f"def b{note}(p, S):")
        w.line(1, f"S[{answers}] += (({tuple_}),)")
        w.line(1, f"return b{ask}")
        self.out.extend(w)

    def _each_plays(self, statement: ir.EachS, blocks: tuple[int, ...], k: str) -> None:
        """What follows from each answer; then block `k`."""
        _, _, play, step = blocks
        choose, _, tuple_, _, answers, answer = self._each_noted(statement)
        w = Writer()
        w.at(statement.span)
        w.line(0, f"def b{step}(p, S):")
        w.line(1, f"rest = S[{answers}]")
        w.line(1, f"if not rest: return {k}")
        w.line(1, f"({tuple_}) = rest[0]; S[{answers}] = rest[1:]")
        w.line(1, f"return b{play}")
        w.line(0, f"def b{play}(p, S):")
        for at, alt in enumerate(choose.alts):
            if alt.block:
                w.line(1, f"if S[{answer}] == {at}:")
                self.seq(alt.block, w, 2, f"b{step}")
        w.line(1, f"return b{step}")
        self.out.extend(w)

    # -------------------------------------------------------------- asides

    def _aside_lines(self, choose: ir.ChooseS) -> list[str]:
        """What may be done at any time, offered beside a choice of the same player."""
        if not self.game.asides or choose.sealed or self._procedure is None or self._procedure.no_asides:
            return []
        if self._procedure.form == "aside":
            return []
        out: list[str] = []
        who = self.x(self._decider(choose))
        for at, aside in enumerate(self.game.asides):
            before = dict(self.env)
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = f"({who})"
            listed = self.options(aside.alt, 0)[0] if aside.alt.picks else "(0,)"
            guard = self.guard(aside.alt)
            self.env.clear()
            self.env.update(before)
            by = self.x(aside.by)
            tests = [f"({by}) >> ({who}) & 1" if aside.chooser is not None else f"{who} == {by}"]
            if aside.during in self.game.procedures and self.game.procedures[aside.during].form == "phase":
                tests.append(f"S[4] in WITHIN[{aside.during!r}]")
            if guard:
                tests.append(guard)
            test = " and ".join(tests) or "True"
            out.append(f"if {test}: o = [*o, *[({-100 - at}, v) for v in {listed}]]")
        return out

    @staticmethod
    def _decider(choose: ir.ChooseS) -> ir.X:
        """Who decides at a choice; where several are asked in turn, whose turn it is."""
        if choose.any_of and choose.chooser_var is not None:
            return ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        return choose.by

    # -------------------------------------------------------------- words

    def _words(self, number: int, choose: ir.ChooseS, infos: list[AltInfo], stage: int, primary: int) -> None:
        """Functions that word the options of a decision, and the one that says who decides."""
        out = Writer()
        out.at(choose.span)
        who = self.x(self._decider(choose))
        out.line(0, f"def w{number}(p, S): return {who}")
        held = dict(self.env)
        for aside in self.game.asides:
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = f"({who})"
        self.telling = True
        for at, info in enumerate(infos):
            info.text = f"x{number}_{at}"
            alt = info.alt
            code = repr(info.label.replace("_", " "))
            if info.form == "plain" or alt is None or not (alt.picks or alt.many):
                if info.label == "done":
                    code = repr("That is all" if stage else "None of them")
                elif alt is not None and alt.text is not None:
                    code = self.text(alt.text)
                else:
                    code = repr(info.label.replace("_", " ").capitalize())
            elif info.form == "many":
                element = _element_type(alt)
                code = f"{info.label.replace('_', ' ').capitalize() + ': '!r} + {self.say_place('o', element)}"
            else:
                var = alt.picks[stage if info.form != "aside" else 0][0]
                before = self.env.get(var.ident)
                self.env[var.ident] = "o"
                last = stage == len(alt.picks) - 1 or info.form == "aside"
                if last and alt.text is not None:
                    code = self.text(alt.text)
                else:
                    prefix = info.label.replace("_", " ").capitalize()
                    said = self.say_place("o", var.type)
                    if self._from_one_place(alt.picks[stage if info.form != "aside" else 0][1]):
                        said = self.say_code("o", var.type)
                    code = f"{prefix + ': '!r} + {said}"
                if before is None:
                    self.env.pop(var.ident, None)
                else:
                    self.env[var.ident] = before
            out.line(0, f"def {info.text}(p, S, o): return {code}")
        self.env.clear()
        self.env.update(held)
        self.telling = False
        self.out.extend(out)

    def _from_one_place(self, source: ir.X) -> bool:
        """Whether all that can be picked lies in one place, so that naming it says nothing."""
        base, _ = self.split_source(source)
        return isinstance(base, ir.ContentsX) and not (base.of is not None and isinstance(base.of.type, SetOf))

    def say_place(self, code: str, type_: Type) -> str:
        """A value in words, for a piece with the place it stands in."""
        if isinstance(type_, PieceOf):
            return f"{self.say_code(code, type_)} + PLACES[{code} >> 16]"
        return self.say_code(code, type_)


def _is_changed(var: ir.Var, block: ir.Block) -> bool:
    """Whether a rule moves or alters the piece a name stands for, or sets the name anew."""
    for statement in statements_in(block):
        match statement:
            case ir.MoveS(what=ir.Local(var=moved)) if moved is var:
                return True
            case ir.AssignS(target=ir.Local(var=set_)) if set_ is var:
                return True
            case ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=piece))) if piece is var:
                return True
    return False


def _may_grow(statement: ir.AssignS) -> bool:
    """Whether what is set may be a larger number than any there was. Steps of a fixed size cannot grow far."""
    if statement.operator != "=":
        return not isinstance(statement.value, ir.Lit)
    return isinstance(statement.value, ir.ArithX | ir.CallX | ir.IfX | ir.AggregateX)


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


def _rules_of_hooks(game: m.Game) -> Iterator[tuple[int, tuple[str, ...]]]:
    """For the statements of hooks and reactions: the rules these cite."""
    spoken: list[m.Hook | m.Reaction] = [h for p in game.procedures.values() for h in (*p.before, *p.after)]
    spoken += [hook for hooks in game.loop_hooks.values() for hook in hooks]
    spoken += [reaction for signal in game.signals.values() for reaction in signal.reactions]
    for each in spoken:
        for statement in statements_in(each.block):
            yield id(statement), each.cites


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


def stays_broken(x: ir.X, ident: int, available: ir.X) -> ir.X | None:
    """A requirement on a selection that, once broken, is broken by every larger one: then no more need be tried.

    A sum over a selection only grows if none of what is `available` counts less than nothing; that is looked at
    in play. None: a larger selection may meet it again."""

    def grows(part: ir.X) -> bool:
        """A collection that has at least as many members when the selection is larger."""
        match part:
            case ir.Local(var=var):
                return var.ident == ident
            case ir.FilterX(source=source, condition=condition):
                return grows(source) and ident not in free_vars(condition)
            case ir.AttrX(of=of) | ir.StateX(of=ir.X() as of) | ir.PieceStateX(of=of) | ir.PlaceOfX(of=of):
                return grows(of)
        return False

    def number_grows(small: ir.X, large: ir.X) -> ir.X | None:
        if ident in free_vars(large):
            return None
        match small:
            case ir.BuiltinX(name="count", args=(source,)) if grows(source):
                return x
            case ir.AggregateX(function="count" | "sum" as form, picks=((var, source),), value=value, condition=test):
                inside = [value, *([test] if test is not None else [])]
                if not grows(source) or any(ident in free_vars(each) for each in inside):
                    return None
                if form == "count":
                    return x
                lowest = ir.AggregateX(INT, small.span, "min", ((var, available),), value, None)
                return ir.OrX(BOOL, x.span, (x, ir.CompareX(BOOL, x.span, "<", lowest, ir.Lit(INT, x.span, 0))))
        return None

    match x:
        case ir.QuantX(quantifier="every" | "none", picks=picks, condition=condition):
            sources = [source for _, source in picks if ident in free_vars(source)]
            return x if ident not in free_vars(condition) and all(map(grows, sources)) else None
        case ir.SomeX(source=source, negated=True) | ir.NotX(of=ir.SomeX(source=source, negated=False)):
            return x if grows(source) else None
        case ir.CompareX(operator="<" | "<=", left=left, right=right):
            return number_grows(left, right)
        case ir.CompareX(operator=">" | ">=", left=left, right=right):
            return number_grows(right, left)
    return None


def _element_type(alt: ir.Alt) -> Type:
    assert alt.many is not None
    type_ = alt.many[2].type
    assert isinstance(type_, SetOf | ListOf)
    return type_.element


class _Values(dict[Any, int]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(map(repr, self)))


def _index(values: Sequence[Any]) -> _Values:
    """Which of a state's values a value is; 0 and 1 serve for no and yes."""
    return _Values({v: i for i, v in enumerate(values)})
