"""What rules read and write, by name: for rules that hold at once, for remembering results, for collisions.

A key is ("state", owner or "", name), ("place", owner or "", name) or ("where", kind) for the whereabouts of
single things or pieces.
"""

from __future__ import annotations

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import expressions_of, statements_in, walk
from rulescript.model.types import PieceOf, ThingOf

__all__ = ["Effects", "Key", "called", "place_key", "state_key"]

Key = tuple[str, str, str]


def state_key(state: m.State) -> Key:
    return ("state", state.kind.name if state.kind else "", state.name)


def place_key(holds: m.Holds) -> Key:
    return ("place", holds.owner.name if holds.owner else "", holds.name)


class Effects:
    """Reads and writes, remembered per rule."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self._reads: dict[int, frozenset[Key]] = {}

    # -------------------------------------------------------------- reads

    def reads(self, x: ir.X) -> frozenset[Key]:
        """Everything in the state that an expression looks at, also by way of the rules it asks."""
        return self._followed([x], set())

    def rule_reads(self, rule: m.Function | m.Route) -> frozenset[Key]:
        """The same of a whole rule, remembered."""
        key = id(rule)
        if key not in self._reads:
            self._reads[key] = self._followed(expressions_of(rule), {key})
        return self._reads[key]

    def _followed(self, parts: list[ir.X], seen: set[int]) -> frozenset[Key]:
        """What some expressions read. Each rule they ask is followed once, so that rules may ask each other in a
        circle, and what is known of one of them is never only a part."""
        out: set[Key] = set()
        todo = list(parts)
        while todo:
            for node in walk(todo.pop()):
                match node:
                    case ir.StateX(state=state):
                        out.add(state_key(state))
                    case ir.PlaceOfX(of=of) if isinstance(of.type, ThingOf):
                        # A piece carries its place and state with it; a single thing has to be looked up.
                        out.add(("where", of.type.kind, ""))
                    case ir.ContentsX(holds=holds):
                        out.add(place_key(holds))
                        out.add(("where", holds.kind.name, ""))
                    case ir.CallX(function=rule) | ir.RouteX(route=rule) | ir.TableX(table=rule):
                        if id(rule) not in seen:
                            seen.add(id(rule))
                            todo += expressions_of(rule)
        return frozenset(out)

    # -------------------------------------------------------------- writes

    def own_writes(self, statement: ir.S) -> frozenset[Key]:
        """What one statement writes itself, without the statements or rules inside it."""
        match statement:
            case ir.AssignS(target=target):
                return self._target(target)
            case ir.CallS(result=ir.X() as result) | ir.DoesS(result=ir.X() as result):
                return self._target(result)
            case ir.MoveS(what=what, to=to):
                keys = {place_key(to.holds), ("where", to.holds.kind.name, "")}
                keys |= {place_key(node.holds) for node in walk(what) if isinstance(node, ir.ContentsX)}
                keys |= {state_key(s) for s in to.holds.kind.states.values() if s.ends_in(to.holds)}
                return frozenset(keys)
            case ir.DrawS(source=source, to=to):
                ended = {state_key(s) for s in to.holds.kind.states.values() if s.ends_in(to.holds)}
                return frozenset(
                    {place_key(source.holds), place_key(to.holds), ("where", to.holds.kind.name, ""), *ended}
                )
            case ir.PlaceS(to=to):
                return frozenset({place_key(to.holds), ("where", to.holds.kind.name, "")})
            case ir.ShuffleS(place=place):
                return frozenset({place_key(place.holds)})
            case ir.RollS(var=var) | ir.ForS(var=var) if var.state is not None:
                return frozenset({state_key(var.state)})
        return frozenset()

    @staticmethod
    def _target(target: ir.X) -> frozenset[Key]:
        match target:
            case ir.StateX(state=state):
                return frozenset({state_key(state)})
            case ir.PieceStateX(of=of) if isinstance(of.type, PieceOf):
                return frozenset({("where", of.type.kind, "")})
        return frozenset()

    def writes(self, block: ir.Block) -> frozenset[Key]:
        """All that a block may write, with everything it calls."""
        return self._writes(block, set())

    def _writes(self, block: ir.Block, seen: set[int]) -> frozenset[Key]:
        out: set[Key] = set()
        for statement in statements_in(block):
            out |= self.own_writes(statement)
            for procedure in called(statement):
                if id(procedure) not in seen:
                    seen.add(id(procedure))
                    out = out.union(*(self._writes(block, seen) for block in procedure.blocks))
        return frozenset(out)


def called(statement: ir.S) -> list[m.Procedure]:
    """The procedures a statement calls itself."""
    match statement:
        case ir.CallS(procedure=procedure):
            return [procedure]
        case ir.SignalS(signal=signal):
            return [signal.procedure] if signal.procedure is not None else []
        case ir.DoesS(kind=kind, name=name):
            return [t.does[name] for t in kind.things if name in t.does]
    return []
