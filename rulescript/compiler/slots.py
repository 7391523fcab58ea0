"""What all rules with effects share when they are compiled: blocks, slots, and what play is told about decisions.

A value that is bound before a stop and used after it lives in a slot of the position. `hidden` gives slots of the
compiler's own, `bind` those of names in the text, `site` the numbers under which the journal finds a statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import Factory, define

from rulescript.analysis.following import Following
from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Name, Slot
from rulescript.compiler.expressions import Compiler
from rulescript.compiler.layout import Layout
from rulescript.compiler.writer import Lines
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects
from rulescript.model.traverse import statements_in
from rulescript.model.types import ThingOf, Type
from rulescript.source import Span

__all__ = ["AltInfo", "DecisionInfo", "ProcedureInfo", "SelectionInfo", "Slots"]


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
class SelectionInfo:
    """Where the state notes a choice of several, for who picks in any order: the alternative of the decision, how
    many (exactly, up to, any), the slots of what there is, how many are wanted and what was picked, whether an
    answer is the bare item, the block that asks for the later ones, and the name of the function that gives what the
    whole must meet ("" if nothing)."""

    alt: int
    mode: str
    items: int
    wanted: int
    chosen: int
    is_bare: bool
    later: int
    demand: str


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
    selections: list[SelectionInfo] = Factory(list)


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
class Loop:
    """A loop being written: one inside a function, or where to go on after it; and what is noted at the end of a
    round."""

    is_inside: bool
    after: int
    noted: c.Store | None = None


class Slots(Compiler):
    """What is written, and where its values live."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.functions: list[c.Function] = []
        self.effects = Effects(game)
        self.following = Following(game)
        self.block_count = 0
        self.decisions: dict[int, DecisionInfo] = {}
        # For each way to choose several: the block that asks for the later ones.
        self.later: dict[int, int] = {}
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
        self._loops: list[Loop] = []
        self._exit: int | None = None
        self._plain = False
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

    def begin(self, name: str, params: tuple[str, ...], sort: str, span: Span | None = None) -> Lines:
        """The lines of a new function."""
        lines = Lines()
        lines.at(span)
        self.functions.append(c.Function(name, params, lines.body, sort, origin=lines.origin))
        return lines

    def begin_block(self, number: int, span: Span | None = None) -> Lines:
        """The lines of a block: it runs until somebody has to decide, or to the next block."""
        return self.begin(f"b{number}", ("p", "S"), "block", span)

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

    def bind(self, var: ir.Var) -> Code:
        """Where a name lives from here on: a state, a slot, or a local of a plain function."""
        if var.state is not None:
            return Slot(self.layout.state_slot[id(var.state)])
        name: Code = Name(f"v{var.ident}")
        if not self._plain:
            slot = self.layout.slot_for(var)
            self._own(slot)
            name = Slot(slot)
        self.env[var.ident] = name
        self.codes.pop(var.ident, None)
        return name

    def is_used_again(self, var: ir.Var) -> bool:
        """Whether the rule being written may still ask for a name whose piece it has changed."""
        return self.following.is_used_again(self._procedure, var)

    @contextmanager
    def as_local(self, *vars: ir.Var) -> Iterator[None]:
        """For a while some names are locals of Python: those being chosen while options are listed, the parameters
        of a rule that only looks."""
        before = {v.ident: self.env.get(v.ident) for v in vars}
        for var in vars:
            self.env[var.ident] = Name(f"v{var.ident}")
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

    def begin_rule(
        self, into: list[c.Function], name: str, first: tuple[str, ...], params: Sequence[ir.Var], sort: str,
        last: tuple[str, ...] = (),
    ) -> Lines:  # fmt: skip
        """The lines of a function with the parameters of a rule."""
        lines = Lines()
        names = tuple(_name(self.env[p.ident]) for p in params)
        things = frozenset(n for n, p in zip(names, params, strict=True) if isinstance(p.type, ThingOf))
        into.append(c.Function(name, (*first, *names, *last), lines.body, sort, things))
        return lines

    def site(self, kind: str, statement: ir.S, extra: Any = None) -> int:
        # What a hook or a reaction does rests on its own rule, not on that of what it hangs on.
        cites = statement.cites or self._spoken_for.get(id(statement), ())
        cites = cites or (self._procedure.cites if self._procedure else ())
        self.sites.append((kind, cites, statement.span.source.name, statement.span.line, extra))
        return len(self.sites) - 1

    def journal(self, out: Lines, kind: str, statement: ir.S, values: Sequence[Code], extra: Any = None) -> None:
        out.tell(self.site(kind, statement, extra), *values)


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
