"""What is written: functions and blocks, where values live, and what play is told about decisions.

A value that is bound before a stop and used after it lives in a slot of the position. `hidden` gives slots of the
compiler's own, `bind` those of names in the text, `site` the numbers under which the journal finds a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import attrs

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Name, Slot
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.infos import ChartInfo, DecisionInfo, ProcedureInfo
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.postponed import PARTS, Postponed
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.texts_of_things import Caller, callers_of_rules, texts_of_things
from rulescript.game_data import Calls
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.parts import ANY_RULE, rule_keys, ways_apart
from rulescript.model.traverse import statements_in
from rulescript.model.types import (
    ThingOf,
)
from rulescript.source import Span

__all__ = ["MOST_WRITTEN", "Program", "TooMuchWritten"]


# What slots of the compiler's own hold, by what they are for; an answer may be anything.
_LIST = ["list", ["any"]]
_HELD = {"left": _LIST, "askers": _LIST, "items": _LIST, "chosen": _LIST, "answers": _LIST, "wanted": ["int"],
         "times": ["int"], "thing": ["int"]}  # fmt: skip

# Expressions that one game may become; the largest printed ones are a tenth of this.
MOST_WRITTEN = 1_500_000


class TooMuchWritten(Exception):
    """A game is too large to be compiled; `span` is what was being written."""

    def __init__(self, span: Span) -> None:
        super().__init__(f"the compiled game is more than {MOST_WRITTEN:,} expressions")
        self.span = span


class Program(Room):
    """Collects functions, and gives out slots and numbers."""

    def __init__(self, game: m.Game, layout: Layout, postpones: bool = False, notes: bool = False) -> None:
        super().__init__(game, layout)
        self.written: list[c.Function] = []
        self.postponed = Postponed() if postpones else None
        # How much was written so far.
        self.spent = 0
        self.pure: list[c.Function] = []
        self.memos: list[str] = []
        self.chart_infos: dict[str, ChartInfo] = {}
        self.remembered: set[str] = set()
        self._waiting: list[Callable[[], None]] = []
        self._is_writing = False
        self.function_names: dict[int, str] = {}
        self.route_names: dict[int, str] = {}
        self.reasons_names: dict[int, str] = {}
        self.table_names: dict[int, str] = {}
        self.block_count = 0
        self.decisions: dict[int, DecisionInfo] = {}
        # For each way to choose several: the block that asks for the later ones.
        self.later: dict[int, int] = {}
        self.infos: dict[str, ProcedureInfo] = {}
        self.sites: list[tuple[str, tuple[str, ...], str, int, Any]] = []
        # Whose text they stand in, of sites and of choices (by their number): things that can be out of sight.
        self.site_things: dict[int, Caller] = {}
        self.choice_things: dict[int, Caller] = {}
        # The same where the thing may be out of sight meanwhile, also of rules that only such texts call.
        self.site_askers: dict[int, list[Caller]] = {}
        self.choice_askers: dict[int, Caller] = {}
        self.phases: list[str] = []
        self.phase_blocks: list[tuple[int, int]] = []
        self.phase_within: list[tuple[str, ...]] = []
        self.phase_entries: dict[str, int] = {}
        self.loop_entries: list[tuple[str, int]] = []
        self.owned: dict[int, set[int]] = {}
        self._hidden: dict[tuple[int, str], int] = {}
        self._owners: list[object] = []
        self.has_secrets = game.has_secrets()
        self._keys = rule_keys(game)
        # The rules that note that they are gone through, if any do, by the numbers they note; and the choices, answers
        # and branches that do.
        self.noted: dict[str, int] = {}
        self._apart = ways_apart(game, self._keys) if notes else {}
        self._spoken_for = dict(_rules_of_hooks(game))
        self._written_under: dict[int, Caller] = {}
        self._hidden_under: dict[int, Caller] = {}
        for thing, block, is_unseen in texts_of_things(game) if self.has_secrets else ():
            caller = thing.kind.name, thing.index
            for statement in statements_in(block) if thing.kind.name in layout.loc_slot else ():
                self._written_under[id(statement)] = caller
                if is_unseen:
                    self._hidden_under[id(statement)] = caller
                if isinstance(statement, ir.ChooseS):
                    self.choice_things[statement.number] = caller
                    if is_unseen:
                        self.choice_askers[statement.number] = caller
        self._called_from = callers_of_rules(game, self._hidden_under) if self._hidden_under else {}
        # By the slot that says where the caller of a rule goes on, and what it says: whose text called it, the slot of
        # the caller's own caller, and the slots that the caller has kept on the stack meanwhile.
        self.calls: Calls = {}
        self.new_block()  # number 0: the game is over

    def spend(self, span: Span, many: int = 1) -> None:
        """So many more expressions are written; a game that would become too large is given up."""
        self.spent += many
        if self.spent > MOST_WRITTEN:
            raise TooMuchWritten(span)

    def begin(self, name: str, params: tuple[str, ...], sort: str, span: Span | None = None) -> Lines:
        """The lines of a new function."""
        lines = Lines()
        lines.at(span)
        of = self._whose(span) if sort != "claim" else ""
        self.written.append(c.Function(name, params, lines.body, sort, origin=lines.origin, of=of))
        return lines

    def _whose(self, span: Span | None) -> str:
        """The procedure that is being written, for whoever wants to know what was gone through."""
        procedure = self.rule.procedure
        if procedure is None:
            return ANY_RULE if span is not None else ""
        # What looks whether a `whenever` has come true is made of that.
        return self._keys.get(id(procedure), ANY_RULE) if procedure.form != "check" else ""

    def noting(self, key: str) -> c.Statement:
        """Notes that somebody has come here, for whoever wants to know what was gone through."""
        return c.Do(c.call("ENTER", self.noted.setdefault(key, len(self.noted))))

    def note_begun(self, part: ir.S | ir.Alt, way: str, out: Lines) -> None:
        """Notes that a choice is begun, a way to answer was taken, or one of the ways of a statement."""
        key = self._apart.get((id(part), way))
        if key is not None:
            out.add(self.noting(key))

    def begin_block(self, number: int, span: Span | None = None) -> Lines:
        """The lines of a block: it runs until somebody has to decide, or to the next block."""
        return self.begin(f"b{number}", ("p", "S"), "block", span)

    def begin_rule(
        self, into: list[c.Function], name: str, first: tuple[str, ...], params: Sequence[ir.Var], sort: str,
        last: tuple[str, ...] = (),
    ) -> Lines:  # fmt: skip
        """The lines of a function with the parameters of a rule."""
        lines = Lines()
        names = tuple(_name(self.scope.env[p.ident]) for p in params)
        things = frozenset(n for n, p in zip(names, params, strict=True) if isinstance(p.type, ThingOf))
        of = self._whose(None) if sort == "rule" else ""
        into.append(c.Function(name, (*first, *names, *last), lines.body, sort, things, of=of))
        return lines

    def new_block(self) -> int:
        self.block_count += 1
        return self.block_count - 1

    def hidden(self, owner: object, tag: str) -> int:
        """A slot of the compiler's own, the same one each time it is asked for."""
        key = (id(owner), tag)
        if key not in self._hidden:
            slot = self._hidden[key] = self.layout.take(0)
            self.layout.name_types[slot] = _HELD.get(tag.rstrip("0123456789"), ["any"])
            self._owners.append(owner)  # so that no other object can come to have its id
        slot = self._hidden[key]
        self.own(slot)
        return slot

    def own(self, slot: int) -> None:
        if self.rule.procedure is not None:
            self.owned.setdefault(id(self.rule.procedure), set()).add(slot)

    def bind(self, var: ir.Var) -> Code:
        """Where a name lives from here on: a state, a slot, or a local of a plain function."""
        if var.state is not None:
            return Slot(self.layout.state_slot[id(var.state)])
        name: Code = Name(f"v{var.ident}")
        if not self.rule.is_plain:
            slot = self.layout.slot_for(var)
            self.own(slot)
            name = Slot(slot)
        self.scope.env[var.ident] = name
        self.scope.codes.pop(var.ident, None)
        return name

    def is_used_again(self, var: ir.Var) -> bool:
        """Whether the rule being written may still ask for a name whose piece it has changed."""
        return self.following.is_used_again(self.rule.procedure, var)

    def site(self, kind: str, statement: ir.S, extra: Any = None) -> int:
        # What a hook or a reaction does rests on its own rule, not on that of what it hangs on.
        cites = statement.cites or self._spoken_for.get(id(statement), ())
        cites = cites or (self.rule.procedure.cites if self.rule.procedure else ())
        self.sites.append((kind, cites, statement.span.source.name, statement.span.line, extra))
        site = len(self.sites) - 1
        self.site_things.pop(site, None)
        thing = self._written_under.get(id(statement))
        if thing is not None:
            self.site_things[site] = thing
        self.site_askers.pop(site, None)
        askers = self.unseen_callers(statement)
        if askers:
            self.site_askers[site] = askers
        return site

    def unseen_callers(self, statement: ir.S) -> list[Caller]:
        """The things in whose texts a statement stands, or which alone call its rule, if they may be out of sight."""
        own = self._hidden_under.get(id(statement))
        return [own] if own is not None else self._called_from.get(id(statement), [])

    def note_call(self, statement: ir.S, ret: int, after: int, saved: list[int]) -> None:
        """Note who calls a rule that can wait: so it can be told in whose words it asks, and whether a save goes on
        anywhere."""
        if self.rule.is_learning:
            return
        thing = self._hidden_under.get(id(statement))
        calls = self.calls.setdefault(ret, {})
        if thing is not None or after not in calls:
            calls[after] = (thing, self.rule.ret, saved)

    def note_return(self, ret: int, after: int) -> None:
        """Note where what may be done at any time goes back to: whoever was asked there has not called it."""
        if not self.rule.is_learning:
            self.calls.setdefault(ret, {}).setdefault(after, (None, -1, []))

    def journal(self, out: Lines, kind: str, statement: ir.S, values: Sequence[Code], extra: Any = None) -> None:
        out.tell(self.site(kind, statement, extra), *values)

    def _later(self, name: str, write: Callable[[], None]) -> None:
        """Have a rule written that only looks: at once, or when the one that asks for it is. So a chain of rules may be
        of any length."""
        if self.postponed is not None:
            self.postponed.put(name, write, PARTS)
            return
        self._waiting.append(write)
        if self._is_writing:
            return
        self._is_writing = True
        try:
            while self._waiting:
                with self.scope.apart():
                    self._waiting.pop()()
        finally:
            self._is_writing = False

    def asked(self, name: str, params: tuple[str, ...], span: Span, make: Callable[[], Code]) -> None:
        """A function that gives back what some code is worth: it and nothing else is made of that code, so it may be
        lowered when somebody calls it."""
        if self.postponed is None:
            code = make()
            self.begin(name, params, "claim", span).give(code)
            return
        rule, env, codes = attrs.asdict(self.rule, recurse=False), dict(self.scope.env), dict(self.scope.codes)
        is_counted = self.scope.is_counted

        def write() -> None:
            for field, value in rule.items():
                setattr(self.rule, field, value)
            self.scope.env.update(env)
            self.scope.codes.update(codes)
            self.scope.is_counted = is_counted
            out = self.begin(name, params, "claim", span)
            out.give(self.scope.hoisted(make, out))

        self.postponed.put(name, write)

    def function_name(self, function: m.Function) -> str:
        name = self.function_names.get(id(function))
        if name is None:
            name = self.function_names[id(function)] = f"f{len(self.function_names)}"
            if self.functions.key_of_answers(function) is not None:
                self.remembered.add(name)
            self._later(name, partial(self.functions.need_function, function))
        return name

    def reasons_name(self, function: m.Function) -> str:
        """The function that tells what adjusts a value just now."""
        name = self.reasons_names.get(id(function))
        if name is None:
            name = self.reasons_names[id(function)] = f"because{len(self.reasons_names)}"
            self._later(name, partial(self.functions.need_reasons, function, name))
        return name

    def route_name(self, route: m.Route) -> str:
        name = self.route_names.get(id(route))
        if name is None:
            name = self.route_names[id(route)] = f"r{len(self.route_names)}"
            if self.routes.key_of_answers(route) is not None:
                self.remembered.add(name)
            self._later(name, partial(self.routes.need_route, route))
        return name

    def table_name(self, table: m.Table) -> str:
        name = self.table_names.get(id(table))
        if name is None:
            name = self.table_names[id(table)] = f"t{len(self.table_names)}"
            self._later(name, partial(self.functions.need_table, table))
        return name


def _name(code: Code) -> str:
    assert isinstance(code, Name)
    return code.text


def _rules_of_hooks(game: m.Game) -> Iterator[tuple[int, tuple[str, ...]]]:
    """For the statements of hooks and reactions: the rules these cite."""
    spoken: list[m.Hook | m.Reaction] = [h for p in game.procedures.values() for h in (*p.before, *p.after)]
    spoken += [hook for hooks in game.loop_hooks.values() for hook in hooks]
    spoken += [reaction for signal in game.signals.values() for reaction in signal.reactions]
    for each in spoken:
        for statement in statements_in(each.block):
            yield id(statement), each.cites
