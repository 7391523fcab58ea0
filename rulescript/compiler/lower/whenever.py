"""Rules that hold at once -> statements that look whether they have come true, wherever something they read changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Key, called, state_key
from rulescript.model.types import (
    BOOL,
    VOID,
    SetOf,
    ThingOf,
    Type,
    kind_of,
    type_data,
)

__all__ = ["Whenever"]

# Names the compiler makes up are numbered from here, above all names of the rules.
OWN_NAMES = 1_000_000


class Whenever(Room):
    """Puts the looking of `whenever` into the rules."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._own_names = 0
        # What blocks said before something was put into them.
        self._before: list[tuple[Any, str, ir.Block]] = []
        self._checks: list[str] = []

    def watch_whenevers(  # noqa: C901 - the parts of a check follow one another, and each needs those before it
        self, procedures: Sequence[m.Procedure]
    ) -> list[m.Procedure]:
        """After every effect that touches what a `whenever` reads, a look whether it holds now."""
        checks: list[tuple[m.Procedure, frozenset[tuple[str, str, str]]]] = []
        found_now: list[tuple[ir.StateX, ir.X]] = []
        span = self.game.procedures["sequence"].span if "sequence" in self.game.procedures else None
        for number, rule in enumerate(self.game.whenevers):
            span = rule.span
            held_type: Type = SetOf(ThingOf(kind_of(rule.var.type))) if rule.var is not None else BOOL
            held = m.State(f"held {number}", held_type, None, None, (), (), span, "", 0 if rule.var else False)
            self.layout.state_slot[id(held)] = self.layout.take(0 if rule.var is not None else False)
            self.layout.state_mode[id(held)] = "one"
            self.layout.name_types[self.layout.state_slot[id(held)]] = type_data(held_type)
            held_x = ir.StateX(held_type, span, held, None)
            block: list[ir.S] = []
            if rule.var is not None and rule.source is not None:
                now = ir.Var("now", held_type, "let", OWN_NAMES + 0 + 4 * number)
                fresh = ir.Var("fresh", held_type, "let", OWN_NAMES + 1 + 4 * number)
                element = ir.Var("each", rule.var.type, "loop", OWN_NAMES + 2 + 4 * number)
                now_x, fresh_x = ir.Local(held_type, span, now), ir.Local(held_type, span, fresh)
                # The rule's own name may live in the state, where its block waits for somebody: this one never does.
                one = ir.Var(rule.var.name, rule.var.type, "element", OWN_NAMES + 3 + 4 * number)
                said: dict[int, ir.X] = {rule.var.ident: ir.Local(rule.var.type, span, one)}
                found = ir.FilterX(held_type, span, rule.source, one, ir.substitute(rule.condition, said))
                found_now.append((held_x, found))
                block = [
                    ir.LetS(span, (), now, found),
                    ir.LetS(span, (), fresh, ir.SetOpX(held_type, span, "-", now_x, held_x)),
                    ir.AssignS(span, (), held_x, "=", now_x),
                    ir.IfS(span, (), ir.SomeX(BOOL, span, fresh_x, True), (ir.StopS(span, ()),), ()),
                    ir.ForS(
                        span, (), element, fresh_x,
                        (ir.CallS(span, rule.cites, rule.procedure, (ir.Local(rule.var.type, span, element),)),),
                    ),
                ]  # fmt: skip
            else:
                found_now.append((held_x, rule.condition))
                flag = ir.Var("now", BOOL, "let", OWN_NAMES + 0 + 4 * number)
                now_b = ir.Local(BOOL, span, flag)
                was = ir.Var("was", BOOL, "let", OWN_NAMES + 1 + 4 * number)
                block = [
                    ir.LetS(span, (), flag, rule.condition),
                    ir.LetS(span, (), was, held_x),
                    ir.AssignS(span, (), held_x, "=", now_b),
                    ir.IfS(
                        span, (),
                        ir.OrX(BOOL, span, (ir.Local(BOOL, span, was), ir.NotX(BOOL, span, now_b))),
                        (ir.StopS(span, ()),), (),
                    ),
                    ir.CallS(span, rule.cites, rule.procedure, ()),
                ]  # fmt: skip
            check = m.Procedure(f"check {number}", "check", (), VOID, rule.cites, span)
            check.block = (ir.RepeatS(span, (), "", None, tuple(block)),)
            reads = self.effects.reads(rule.condition)
            if rule.source is not None:
                reads |= self.effects.reads(rule.source)
            checks.append((check, reads))
        if not checks:
            return []
        self._note_at_first(found_now)

        def watched(block: ir.Block, own: m.Procedure | None) -> ir.Block:
            out: list[ir.S] = []
            for statement in block:
                match statement:
                    case ir.ChooseS(alts=alts):
                        for alt in alts:
                            self._write(alt, "block", watched(alt.block, own))
                    case ir.TogetherS(branches=branches):
                        watched(branches, own)
                    case ir.IfS():
                        self._write(statement, "then", watched(statement.then, own))
                        self._write(statement, "otherwise", watched(statement.otherwise, own))
                    case ir.ForS() | ir.RepeatS() | ir.EachS():
                        self._write(statement, "block", watched(statement.block, own))
                written, reset = self.effects.own_writes(statement), self._reset_by(statement)
                if not isinstance(statement, ir.ForS):
                    out += [statement, *looking(written | reset, statement, own)]
                    continue
                # A loop over a state changes it at the start of every round, not at the end.
                statement.block = (*looking(written, statement, own), *statement.block)
                again = looking(reset, statement, own)
                if again:
                    # What lasts a round is put back after each: looked at before the next one and after the last.
                    first = ir.Var("first", BOOL, "let", self._own_name())
                    first_x = ir.Local(BOOL, statement.span, first)
                    yes, no = (ir.Lit(BOOL, statement.span, value) for value in (True, False))
                    out.append(ir.LetS(statement.span, (), first, yes))
                    statement.block = (
                        ir.IfS(statement.span, (), first_x, (), tuple(again)),
                        ir.AssignS(statement.span, (), first_x, "=", no),
                        *statement.block,
                    )
                out += [statement, *again]
            return tuple(out)

        readers: dict[Key, list[int]] = {}
        for number, (_, reads) in enumerate(checks):
            for key in reads:
                readers.setdefault(key, []).append(number)

        def looking(writes: frozenset[Key], statement: ir.S, own: m.Procedure | None) -> list[ir.S]:
            found = sorted({number for key in writes for number in readers.get(key, ())})
            rules = [(checks[number][0], self.game.whenevers[number]) for number in found]
            return [
                ir.CallS(statement.span, rule.cites, check, ()) for check, rule in rules if rule.procedure is not own
            ]

        for procedure in procedures:
            self._write(procedure, "block", watched(procedure.block, procedure))
            for hook in (*procedure.before, *procedure.after):
                self._write(hook, "block", watched(hook.block, procedure))
        for hooks in self.game.loop_hooks.values():
            for hook in hooks:
                self._write(hook, "block", watched(hook.block, None))
        for check, _ in checks:
            self.game.procedures[check.name] = check
            self._checks.append(check.name)
        return [check for check, _ in checks]

    def _note_at_first(self, held: Sequence[tuple[ir.StateX, ir.X]]) -> None:
        """What is so before the first effect has not become true: play begins with a look at everything."""
        sequence = self.game.procedures.get("sequence")
        if sequence is not None:
            noted = tuple(ir.AssignS(now.span, (), now, "=", found) for now, found in held)
            self._write(sequence, "block", (*noted, *sequence.block))

    def _write(self, part: Any, name: str, block: ir.Block) -> None:
        self._before.append((part, name, getattr(part, name)))
        setattr(part, name, block)

    def put_back(self) -> None:
        """Leave the rules as they were: others read them, and may compile them again."""
        for part, name, block in reversed(self._before):
            setattr(part, name, block)
        for check in self._checks:
            del self.game.procedures[check]
        self._before.clear()
        self._checks.clear()

    def _own_name(self) -> int:
        """A number for a name of our own, above those of the rules that hold at once."""
        self._own_names += 1
        return OWN_NAMES + 4 * len(self.game.whenevers) + self._own_names

    def _reset_by(self, statement: ir.S) -> frozenset[Key]:
        """The states that are put back to their first value at the end of what a statement calls or goes through."""
        names = {procedure.name for procedure in called(statement)}
        if isinstance(statement, ir.ForS) and statement.var.state is not None:
            names.add(statement.var.state.name)
        if not names:
            return frozenset()
        return frozenset(
            ("where", state.kind.name, "") if state.kind is not None and state.kind.is_pieces else state_key(state)
            for state in self.lasting.states_of(names)
        )
