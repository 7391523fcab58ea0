"""What the names of a rule stand for, where somebody is asked and where another rule is called.

A rule is read from its beginning to its end. What is picked or looped over lies where it was found; after a move it
lies where it was moved to; what was moved where all see it, turned up or shown is known from then on, and not before.
(In which branch that happened is not asked: it may be known, and the writer is believed.) In comes a procedure; out
goes a scene for each of its statements that asks or calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import Factory, define, frozen

from rulescript.analysis.handing_on import handed_by, opened_by
from rulescript.analysis.kept_secrets import Places, picked_anywhere, picks_of
from rulescript.analysis.veiled_parameters import is_turned_down, is_veil
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import inner_blocks

__all__ = ["Lets", "Scene", "scenes_of"]


@define(eq=False)
class Lets:
    """The names that a block gives values to, in the order of the text."""

    order: list[ir.LetS] = Factory(list)
    by_name: dict[int, list[int]] = Factory(dict)

    def add(self, let: ir.LetS) -> None:
        self.by_name.setdefault(let.var.ident, []).append(len(self.order))
        self.order.append(let)


@frozen(eq=False)
class Scene:
    """A moment in a rule: the names of things, each with where these come from or lie now; the first so many values
    that were given names; who picked what; the names of what came into the open; and what was shown, with to whom
    (None: to all)."""

    names: tuple[tuple[ir.Var, ir.X], ...]
    lets: Lets
    most: int
    pickers: Mapping[int, ir.X]
    opened: frozenset[int]
    shown: tuple[ir.RevealS, ...]

    @property
    def moment(self) -> tuple[Any, ...]:
        """What tells apart what can be known of values that were given names."""
        named = tuple((var.ident, id(source)) for var, source in self.names)
        return id(self.lets), named, self.opened, tuple(map(id, self.shown))


def scenes_of(procedure: m.Procedure, places: Places) -> dict[int, Scene]:
    """The scenes of a rule, by the `id` of the statement. `places` are those that hide things, by kind."""
    out: dict[int, Scene] = {}
    for block in (procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))):
        out |= _Reader(places).read(block)
    return out


class _Reader:
    """Reads one block and those inside it."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.pickers: dict[int, ir.X] = {}
        self.names: dict[int, list[tuple[ir.Var, ir.X]]] = {}
        self.lets = Lets()
        self.opened: set[int] = set()
        self.shown: list[ir.RevealS] = []
        # Names of what was turned face down here: put where all look, it is not known for that.
        self.turned_down: set[int] = set()
        self.scenes: dict[int, Scene] = {}

    def read(self, block: ir.Block) -> dict[int, Scene]:
        for statement in block:
            if isinstance(statement, ir.ChooseS | ir.CallS | ir.SignalS | ir.DoesS):
                names = tuple(one for some in self.names.values() for one in some)
                self.scenes[id(statement)] = Scene(
                    names, self.lets, len(self.lets.order), self.pickers, frozenset(self.opened), tuple(self.shown)
                )
            self._bind(statement)
            for inner in inner_blocks(statement):
                self.read(inner)
            self._come_to_light(statement)
            self._forget(statement)
        return self.scenes

    def _forget(self, statement: ir.S) -> None:
        """What was picked in a choice, or gone through, has no name behind it."""
        match statement:
            case ir.ChooseS():
                over = [var for var, _ in picks_of(statement)]
            case ir.ForS(var=var) | ir.EachS(var=var):
                over = [var]
            case _:
                return
        for var in over:
            self.names.pop(var.ident, None)
            self.opened.discard(var.ident)
            self.turned_down.discard(var.ident)

    def _bind(self, statement: ir.S) -> None:
        match statement:
            case ir.ChooseS(by=by):
                for var, source in picks_of(statement):
                    self._name(var, source)
                    self.pickers[var.ident] = by
                for var, place in picked_anywhere(statement, self.places):
                    self.names[var.ident].append((var, place))
            case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source) | ir.LotS(var=var, source=source):
                self._name(var, source)
            case ir.DrawS(var=ir.Var() as var, to=to):
                self._name(var, to)
            case ir.LetS(var=var, value=value):
                self.opened.discard(var.ident)
                self.lets.add(statement)
                match value:
                    case ir.Local(var=other):
                        self.names[var.ident] = [(var, source) for _, source in self.names.get(other.ident, ())]
            case ir.CallS(procedure=called, args=args, result=ir.Local(var=var) | (ir.Var() as var)):
                given = {param.ident: arg for param, arg in zip(called.params, args, strict=False)}
                places = [place for _, place in called.gives_from]
                self.opened.discard(var.ident)
                self.names[var.ident] = [
                    (var, ir.ContentsX(p.type, statement.span, p.holds, p.of and substitute(p.of, given)))
                    for p in places
                ]

    def _name(self, var: ir.Var, source: ir.X) -> None:
        self.opened.discard(var.ident)
        self.names[var.ident] = [(var, source)]

    def _come_to_light(self, statement: ir.S) -> None:
        """What is known after a statement that was not before."""
        match statement:
            case ir.MoveS(what=ir.Local(var=var), to=to) if var.ident in self.names:
                self.names[var.ident] = [(var, to)]
            case ir.RevealS(what=what):
                if statement.to is not None or not isinstance(what, ir.Local):
                    self.shown.append(statement)
            case ir.AssignS(target=ir.PieceStateX(state=state, of=of) | ir.StateX(state=state, of=of), value=value):
                touched = [of.var.ident] if isinstance(of, ir.Local) else list(self.names)
                if is_turned_down(state, value):
                    self.turned_down.update(touched)
                elif is_veil(state):
                    for ident in touched:
                        self._open(ident)
        for param, arg in handed_by(statement):
            if param.is_turned and isinstance(arg, ir.Local):
                self._open(arg.var.ident)
        for var in opened_by(statement):
            is_down = isinstance(statement, ir.MoveS) and var.ident in self.turned_down
            if not is_down and (not isinstance(statement, ir.RevealS) or statement.to is None):
                self._open(var.ident)

    def _open(self, ident: int) -> None:
        self.opened.add(ident)
        self.turned_down.discard(ident)
        self.names.pop(ident, None)
