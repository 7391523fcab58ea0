"""Which names for pieces a rule changes.

A piece has no identity of its own: a name for one says in which place it stands and in which state it is. A move or a
new state through the name changes what the name says. So that the names of a caller go on to mean the same piece, a
rule hands back the parameters that it, or what it calls, has moved or altered. `Following` tells which these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars, statements_in
from rulescript.model.types import kind_carried

__all__ = ["Following", "calls_in", "ends_states"]


def calls_in(statement: ir.S) -> list[tuple[m.Procedure, tuple[ir.X, ...]]]:
    """The rules a statement may call itself, with what they are given."""
    match statement:
        case ir.CallS(procedure=procedure, args=args):
            return [(procedure, args)]
        case ir.SignalS(signal=signal, args=args):
            return [(signal.procedure, args)] if signal.procedure is not None else []
        case ir.DoesS(kind=kind, name=name, args=args):
            return [(thing.does[name], args) for thing in kind.things if name in thing.does]
    return []


class Following:
    """What the rules of a game do to the pieces they are given."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        procedures = [*game.procedures.values()]
        for kind in game.kinds.values():
            procedures += [procedure for thing in kind.things for procedure in thing.does.values()]
        procedures += [s.procedure for s in game.signals.values() if s.procedure is not None]
        self._changed: dict[int, frozenset[int]] = {}
        self._uses: dict[int, _Uses] = {}
        self._called: dict[int, list[m.Procedure]] = {}
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

    def changed(self, procedure: m.Procedure) -> frozenset[int]:
        """The parameters, by number, whose pieces a rule moves or alters, itself or in what it calls."""
        return self._changed.get(id(procedure), frozenset())

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
        if var in procedure.params and procedure.params.index(var) in self.changed(procedure):
            return True
        return var.ident in found.again

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
            called = {id(p): p for s in statements_in(_whole(procedure)) for p, _ in calls_in(s)}
            found = self._called[id(procedure)] = list(called.values())
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
                        own = [var for var, _ in alt.picks] + ([alt.many[2]] if alt.many else [])
                        own = [var for var in own if kind_carried(var.type)]
                        self._settle(procedure, alt.block, names + own, found)
                        names += own if len(alts) == 1 else []
                case ir.TogetherS(branches=branches):
                    self._settle(procedure, branches, names, found)
                case ir.IfS(then=then, otherwise=otherwise):
                    self._settle(procedure, then, names, found)
                    self._settle(procedure, otherwise, names, found)
                case ir.ForS(var=var, block=inner) | ir.EachS(var=var, block=inner):
                    self._settle(procedure, inner, [*names, *([var] if kind_carried(var.type) else [])], found)
                case ir.RepeatS(block=inner):
                    self._settle(procedure, inner, names, found)
                case ir.LetS(var=var) | ir.DrawS(var=ir.Var() as var) if kind_carried(var.type):
                    names.append(var)
                case ir.CallS() | ir.SignalS() | ir.DoesS():
                    ended = [state for called, _ in calls_in(statement) for state in self.put_back_by(called)]
                    for var in names if ended else ():
                        states = [s for s in ended if s.kind is not None and s.kind.name == kind_carried(var.type)]
                        if states and self.is_used_again(procedure, var):
                            found.setdefault(id(statement), []).append((var, list(dict.fromkeys(states))))
                    if isinstance(statement, ir.CallS) and isinstance(statement.result, ir.Var):
                        names += [statement.result] if kind_carried(statement.result.type) else []

    def changed_in(self, block: Iterable[ir.S]) -> set[int]:
        """The names, by number, whose pieces a block moves or alters."""
        out: set[int] = set()
        for statement in block:
            match statement:
                case ir.MoveS(what=ir.Local(var=var)) if kind_carried(var.type):
                    out.add(var.ident)
                case ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=var))):
                    out.add(var.ident)
                case ir.IfS(then=then, otherwise=otherwise):
                    out |= self.changed_in(then) | self.changed_in(otherwise)
                case ir.ChooseS(alts=alts):
                    for alt in alts:
                        out |= self.changed_in(alt.block)
                case ir.TogetherS(branches=branches):
                    out |= self.changed_in(branches)
                case ir.RepeatS(block=inner):
                    out |= self.changed_in(inner)
                case ir.ForS(var=var, source=source, block=inner) | ir.EachS(var=var, source=source, block=inner):
                    inside = self.changed_in(inner)
                    out |= inside
                    if isinstance(source, ir.Local) and var.ident in inside:
                        out.add(source.var.ident)
                case _:
                    for procedure, args in calls_in(statement):
                        for at in self.changed(procedure):
                            arg = args[at] if at < len(args) else None
                            if isinstance(arg, ir.Local):
                                out.add(arg.var.ident)
        return out


def ends_states(kind: m.Kind, scope: str) -> list[m.State]:
    """The states of a kind of pieces that are put back when something ends."""
    if not kind.is_pieces:
        return []
    return [state for state in kind.states.values() if any(name.text == scope for name in state.lasts)]


def _whole(procedure: m.Procedure) -> ir.Block:
    hooks = [statement for hook in (*procedure.before, *procedure.after) for statement in hook.block]
    return (*procedure.block, *hooks)


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
                        asked = [source for _, source in alt.picks] + [clause.condition for clause in alt.clauses]
                        asked += [x for clause in alt.clauses for x, _ in clause.lifted if x is not None]
                        asked += [clause.when for clause in alt.clauses if clause.when is not None]
                        asked += [x for x in (alt.many[1:] if alt.many else ()) if isinstance(x, ir.X)]
                        asked += [alt.text] if alt.text is not None else []
                        self._note(asked, set(_bound_by(alt)), loops)
                        self._block(alt.block, loops)
                case ir.TogetherS(branches=branches):
                    self._block(branches, loops)
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    self._note([condition], set(), loops)
                    self._block(then, loops)
                    self._block(otherwise, loops)
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
                    self._note(_expressions(statement), set(), loops)

    def _note(self, asked: Iterable[ir.X], own: set[int], loops: list[set[int]]) -> None:
        found = {ident for x in asked for ident in free_vars(x)} - own
        self.again |= found & self._once
        self._once |= found
        for bound in loops:
            self.again |= found - bound


def _expressions(statement: ir.S) -> list[ir.X]:
    """The expressions of a statement that has no other statements in it."""
    out: list[ir.X] = []
    for field in attrs.fields(type(statement)):
        value = getattr(statement, field.name)
        out += [x for x in (value if isinstance(value, tuple) else (value,)) if isinstance(x, ir.X)]
    return out


def _bound_by(alt: ir.Alt) -> list[int]:
    return [var.ident for var, _ in alt.picks] + ([alt.many[2].ident] if alt.many else [])


def _bound_in(block: Iterable[ir.S]) -> set[int]:
    """The names that are bound anew in a block."""
    out: set[int] = set()
    for statement in statements_in(tuple(block)):
        match statement:
            case ir.ForS(var=var) | ir.EachS(var=var) | ir.LetS(var=var) | ir.RollS(var=var) | ir.LotS(var=var):
                out.add(var.ident)
            case ir.DrawS(var=ir.Var() as var) | ir.CallS(result=ir.Var() as var):
                out.add(var.ident)
            case ir.ChooseS(alts=alts):
                out |= {ident for alt in alts for ident in _bound_by(alt)}
    return out
