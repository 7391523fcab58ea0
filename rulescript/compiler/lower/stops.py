"""Which rules can wait for a player, and which come back to themselves."""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.circles import circles
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in

__all__ = ["Stops", "blocks_of"]


class Stops(Room):
    """Finds where play can wait."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        # For a rule that may come back to itself: all rules on the way.
        self.circles: dict[int, list[m.Procedure]] = {}
        self._looked_at: set[int] = set()
        self._found: list[m.Procedure] = []

    def find_stops(self, procedures: Sequence[m.Procedure]) -> list[m.Procedure]:
        """Note where play can wait. Gives the rules, each after what it calls."""
        called_first = self._find_circles(procedures)
        changed = True
        while changed:
            changed = False
            for procedure in called_first:
                if not procedure.stops and self._procedure_stops(procedure):
                    procedure.stops = True
                    self._found.append(procedure)
                    changed = True
        return called_first

    def put_back(self) -> None:
        """Leave the rules as they were: in another form they may wait elsewhere."""
        for procedure in self._found:
            procedure.stops = False
        self._found.clear()

    def comes_back(self, procedure: m.Procedure) -> bool:
        """Whether a rule may come back to itself while it runs."""
        if id(procedure) not in self._looked_at:
            self._find_circles([procedure])
        return id(procedure) in self.circles

    def _find_circles(self, procedures: Sequence[m.Procedure]) -> list[m.Procedure]:
        """Look which rules come back to themselves. Gives those that can be reached, each after what it calls."""
        out: list[m.Procedure] = []
        for circle in circles(procedures, _called_by):
            out += circle.members
            if circle.is_closed:
                self.circles |= {id(member): list(circle.members) for member in circle.members}
        self._looked_at.update(map(id, out))
        return out

    def _procedure_stops(self, procedure: m.Procedure) -> bool:
        if procedure.form in ("sequence", "phase", "aside"):
            return True
        return any(self.can_wait(s) for block in blocks_of(procedure) for s in block)

    def can_wait(self, statement: ir.S) -> bool:
        """Whether play can wait (or end) inside a statement."""
        match statement:
            case ir.ChooseS() | ir.TogetherS() | ir.EndS():
                return True
            case ir.IfS(then=then, otherwise=otherwise):
                return any(map(self.can_wait, then)) or any(map(self.can_wait, otherwise))
            case ir.ForS():
                return any(map(self.can_wait, self.round_of(statement)))
            case ir.RepeatS(block=block) | ir.EachS(block=block):
                return any(map(self.can_wait, block))
        return any(p.stops for p in called(statement))

    def round_of(self, statement: ir.ForS) -> ir.Block:
        """One round of a loop, with what comes before and after each round of a loop over a state."""
        state = statement.var.state
        hooks = self.game.loop_hooks.get(state.name, []) if state is not None else []
        before = self.hook_statements([h for h in hooks if h.when == "before"])
        after = self.hook_statements([h for h in hooks if h.when == "after"])
        around = self.keeping_up.around_hooks
        return (*around(statement, before), *statement.block, *around(statement, after))

    def hook_statements(self, hooks: Sequence[m.Hook]) -> list[ir.S]:
        out: list[ir.S] = []
        for hook in hooks:
            if hook.condition is None:
                out += hook.block
            else:
                out.append(ir.IfS(hook.span, hook.cites, hook.condition, hook.block, ()))
        return out


def blocks_of(procedure: m.Procedure) -> list[ir.Block]:
    return [procedure.block, *(h.block for h in procedure.before), *(h.block for h in procedure.after)]


def _called_by(procedure: m.Procedure) -> list[m.Procedure]:
    return [each for block in blocks_of(procedure) for s in statements_in(block) for each in called(s)]
