"""Which names for pieces a rule changes.

A piece has no identity of its own: a name for one says in which place it stands and in which state it is. A move or a
new state through the name changes what the name says. So that the names of a caller go on to mean the same piece, a
rule hands back the parameters that it, or what it calls, has moved or altered. `Following` tells which these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import bound_by, free_vars, inner_blocks, own_expressions, statements_in
from rulescript.model.types import kind_carried

__all__ = ["Following", "ends_states"]


class Following:
    """What the rules of a game do to the pieces they are given."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        procedures = game.every_procedure()
        procedures += [s.procedure for s in game.signals.values() if s.procedure is not None]
        self._changed: dict[int, frozenset[int]] = {}
        self._uses: dict[int, _Uses] = {}
        self._called: dict[int, list[m.Procedure]] = {}
        # Names, by number, that are asked for in a way that no text shows.
        self.always_asked: set[int] = set()
        self._settled: dict[int, dict[int, list[tuple[ir.Var, list[m.State]]]]] = {}
        rules = [p for p in {id(p): p for p in procedures}.values() if any(kind_carried(v.type) for v in p.params)]
        for procedure in rules:
            self._changed[id(procedure)] = frozenset(self._put_back(procedure))
        found = True
        while found:
            found = False
            for procedure in rules:
                changed = self.changed_in(_whole(procedure))
                mine = frozenset(at for at, var in enumerate(procedure.params) if var.ident in changed)
                if not mine <= self._changed[id(procedure)]:
                    self._changed[id(procedure)] |= mine
                    found = True
        self._handed = self._handed_back()

    def changed(self, procedure: m.Procedure) -> frozenset[int]:
        """The parameters, by number, whose pieces a rule moves or alters, itself or in what it calls."""
        return self._changed.get(id(procedure), frozenset())

    def handed(self, procedure: m.Procedure) -> frozenset[int]:
        """The parameters, by number, that a rule hands back: those that it changes, and of what a thing does those that
        some thing of its kind changes."""
        return self._handed.get(id(procedure), frozenset())

    def handed_names(self, statement: ir.S) -> list[ir.Var]:
        """The names that a statement hands to rules which hand them back."""
        if not isinstance(statement, ir.CallS | ir.DoesS | ir.SignalS):
            return []
        back = {at for procedure in called(statement) for at in self.handed(procedure)}
        given = [statement.args[at] for at in sorted(back)]
        return [arg.var for arg in given if isinstance(arg, ir.Local)]

    def _handed_back(self) -> dict[int, frozenset[int]]:
        out = dict(self._changed)
        for kind in self.game.kinds.values():
            for name in kind.does:
                rules = [thing.does[name] for thing in kind.things if name in thing.does]
                together = frozenset(at for rule in rules for at in self.changed(rule))
                out |= {id(rule): together for rule in rules} if together else {}
        return out

    def _put_back(self, procedure: m.Procedure) -> Iterator[int]:
        """The parameters whose pieces have a state put back when the rule ends."""
        kinds = {kind.name for kind in self.game.kinds.values() if ends_states(kind, procedure.name)}
        for at, var in enumerate(procedure.params):
            if kind_carried(var.type) in kinds:
                yield at

    def is_used_again(self, procedure: m.Procedure | None, var: ir.Var) -> bool:
        """Whether anybody may ask for a name again after a statement that has changed its piece. It may be said that
        somebody does where nobody does."""
        if procedure is None:
            return True
        found = self._uses.get(id(procedure))
        if found is None:
            found = self._uses[id(procedure)] = _Uses(_whole(procedure))
        if var in procedure.params and procedure.params.index(var) in self.handed(procedure):
            return True
        return var.ident in found.again or var.ident in self.always_asked

    def put_back_by(self, procedure: m.Procedure) -> list[m.State]:
        """The states of pieces that end with a rule or with anything it calls."""
        ending = [s for kind in self.game.kinds.values() if kind.is_pieces for s in kind.states.values() if s.lasts]
        if not ending:
            return []
        names: set[str] = set()
        todo = [procedure]
        while todo:
            here = todo.pop()
            if here.name not in names:
                names.add(here.name)
                todo += self._called_by(here)
        return [state for state in ending if any(name.text in names for name in state.lasts)]

    def _called_by(self, procedure: m.Procedure) -> list[m.Procedure]:
        """The rules that a rule calls itself, each once."""
        found = self._called.get(id(procedure))
        if found is None:
            calls = {id(p): p for s in statements_in(_whole(procedure)) for p in called(s)}
            found = self._called[id(procedure)] = list(calls.values())
        return found

    def settled_after(self, procedure: m.Procedure | None, statement: ir.S) -> list[tuple[ir.Var, list[m.State]]]:
        """The names for pieces that may have to be told after a call that some states have ended in it."""
        if procedure is None:
            return []
        found = self._settled.get(id(procedure))
        if found is None:
            found = self._settled[id(procedure)] = {}
            self._settle(procedure, _whole(procedure), [v for v in procedure.params if kind_carried(v.type)], found)
        return found.get(id(statement), [])

    def _settle(
        self, procedure: m.Procedure, block: ir.Block, names: list[ir.Var],
        found: dict[int, list[tuple[ir.Var, list[m.State]]]],
    ) -> None:  # fmt: skip
        names = list(names)
        for statement in block:
            match statement:
                case ir.ChooseS(alts=alts):
                    for alt in alts:
                        own = [var for var, _ in alt.bound if kind_carried(var.type)]
                        self._settle(procedure, alt.block, names + own, found)
                        names += own if len(alts) == 1 else []
                case ir.TogetherS(branches=branches):
                    for branch in branches:  # none knows what is picked in another
                        self._settle(procedure, (branch,), names, found)
                case ir.ForS(var=var, block=inner) | ir.EachS(var=var, block=inner):
                    self._settle(procedure, inner, [*names, *([var] if kind_carried(var.type) else [])], found)
                case ir.LetS(var=var) | ir.DrawS(var=ir.Var() as var) if kind_carried(var.type):
                    names.append(var)
                case ir.CallS() | ir.SignalS() | ir.DoesS():
                    ended = [state for each in called(statement) for state in self.put_back_by(each)]
                    for var in names if ended else ():
                        states = [s for s in ended if s.kind is not None and s.kind.name == kind_carried(var.type)]
                        if states and self.is_used_again(procedure, var):
                            found.setdefault(id(statement), []).append((var, list(dict.fromkeys(states))))
                    if isinstance(statement, ir.CallS) and isinstance(statement.result, ir.Var):
                        names += [statement.result] if kind_carried(statement.result.type) else []
                case _:
                    for inner in inner_blocks(statement):
                        self._settle(procedure, inner, names, found)

    def changed_in(self, block: Iterable[ir.S]) -> set[int]:
        """The names, by number, whose pieces a block moves or alters."""
        out: set[int] = set()
        for statement in block:
            match statement:
                case ir.MoveS(what=ir.Local(var=var)) if kind_carried(var.type):
                    out.add(var.ident)
                case ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=var))):
                    out.add(var.ident)
                case ir.ForS(var=var, source=source, block=inner) | ir.EachS(var=var, source=source, block=inner):
                    inside = self.changed_in(inner)
                    out |= inside
                    if isinstance(source, ir.Local) and var.ident in inside:
                        out.add(source.var.ident)
                case ir.CallS(args=args) | ir.SignalS(args=args) | ir.DoesS(args=args):
                    changed = {at for procedure in called(statement) for at in self.changed(procedure)}
                    out |= {arg.var.ident for at, arg in enumerate(args) if at in changed and isinstance(arg, ir.Local)}
                case _:
                    out = out.union(*map(self.changed_in, inner_blocks(statement)))
        return out


def ends_states(kind: m.Kind, scope: str) -> list[m.State]:
    """The states of a kind of pieces that are put back when something ends."""
    if not kind.is_pieces:
        return []
    return [state for state in kind.states.values() if any(name.text == scope for name in state.lasts)]


def _whole(procedure: m.Procedure) -> ir.Block:
    return tuple(statement for block in procedure.blocks for statement in block)


class _Uses:
    """The names, by number, that more than one statement of a rule asks for, or one that may be run several times
    for the same piece."""

    def __init__(self, block: ir.Block) -> None:
        self.again: set[int] = set()
        self._once: set[int] = set()
        self._block(block, [])

    def _block(self, block: Iterable[ir.S], loops: list[set[int]]) -> None:
        for statement in block:
            match statement:
                case ir.ChooseS(alts=alts, by=by):
                    self._note([by], set(), loops)
                    for alt in alts:
                        self._note(alt.expressions(), {var.ident for var, _ in alt.bound}, loops)
                        self._block(alt.block, loops)
                case ir.ForS(var=var, source=source, block=inner) | ir.EachS(var=var, source=source, block=inner):
                    self._note([source], set(), loops)
                    if isinstance(source, ir.Local):
                        self.again.add(var.ident)  # the list takes over where its piece is
                    self._block(inner, [*loops, _bound_in((statement,))])
                case ir.RepeatS(condition=condition, block=inner):
                    inside = [*loops, _bound_in(inner)]
                    self._note([condition] if condition is not None else [], set(), inside)
                    self._block(inner, inside)
                case _:
                    self._note(own_expressions(statement), set(), loops)
                    for inner in inner_blocks(statement):
                        self._block(inner, loops)

    def _note(self, asked: Iterable[ir.X], own: set[int], loops: list[set[int]]) -> None:
        found = {ident for x in asked for ident in free_vars(x)} - own
        self.again |= found & self._once
        self._once |= found
        for bound in loops:
            self.again |= found - bound


def _bound_in(block: Iterable[ir.S]) -> set[int]:
    """The names that are bound anew in a block."""
    return {var.ident for statement in statements_in(tuple(block)) for var in bound_by(statement)}
