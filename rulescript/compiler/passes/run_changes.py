"""Every statement that writes to the state, with what a pass adds to it (for passes that keep something about runs).

States are written by statements that say where; things are moved, drawn and shuffled by functions of the machine, of
which the tables below know what they change."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["MOVING", "RunChanges"]

# Functions of the machine that change slots: which of their arguments say where. Those that move single things, which
# of them says of what kind. And those that are given the state, and write to no run.
_CHANGING = {"draw_pieces": (3, 5), "draw_unseen": (2, 4), "draw_sparse": (3, 5)}
MOVING = {"move_thing": 1, "draw_things": 6}
_HARMLESS = frozenset({
    "alike_in", "answers", "charted", "draw_lot", "each_copy", "find_present", "first_picks", "gathered", "many_first",
    "many_options", "many_start", "mend_present", "number", "renew_chart", "roll", "so_many", "unlike",
})  # fmt: skip


class RunChanges:
    """Goes through functions; `before` and `after` say what is added."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.functions = {function.name for function in unit.functions}

    def before(self, statement: c.Statement) -> c.Body:
        """What stands in front of a statement."""
        return []

    def after(self, targets: tuple[c.Code, ...], statement: c.Statement) -> c.Body:
        """What follows where something was written to. A run as a whole is meant by the part of the state that it is;
        all runs, by the state."""
        raise NotImplementedError

    def run(self) -> None:
        self.unit.map(lambda function: function if function.sort == "pure" else self._noted(function))

    def _noted(self, function: c.Function) -> c.Function:
        return evolve(function, body=self._body(function.body))

    def _body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            inner = c.bodies(statement)
            if inner:
                statement = c.with_bodies(statement, [self._body(each) for each in inner])
                if isinstance(statement, c.For):
                    notes = self.after(statement.targets, statement)
                    statement = evolve(statement, body=[*notes, *statement.body]) if notes else statement
            out += self.before(statement)
            out.append(statement)
            match statement:
                case c.Store(targets=targets, value=value):
                    out += self.after((*targets, *self._changed(value)), statement)
                case c.Do(value=value):
                    out += self.after(self._changed(value), statement)
        return out

    def _changed(self, value: c.Code) -> tuple[c.Code, ...]:
        """The slots that functions of the machine change."""
        found: list[c.Code] = []
        for code in c.inside(value):
            match code:
                case c.Call(function=c.Known(text=text), args=args) if text in MOVING:
                    found += self.moved(text, args)
                case c.Call(function=c.Known(text="shuffle"), args=(_, _, c.Const(value=int(at)), _)):
                    found.append(c.Slot(at))
                case c.Call(function=c.Known(text=text), args=args) if text in _CHANGING:
                    found += [c.Slot(0, args[at]) for at in _CHANGING[text]]
                case c.Call(function=c.Known(text=text), args=args):
                    if c.STATE in args and text not in _HARMLESS and text not in self.functions:
                        found.append(c.STATE)
        return tuple(found)

    def moved(self, text: str, args: tuple[c.Code, ...]) -> list[c.Code]:
        """What changes when single things move."""
        info = args[MOVING[text]]
        assert isinstance(info, c.Known)
        return [self.whole(first) for first in self.unit.homes[info.text]]

    def whole(self, first: int) -> c.Code:
        """A run as a whole; a slot that is none by itself."""
        run = next((run for run in self.unit.runs if run.start == first), range(first, first + 1))
        return c.Part(c.STATE, c.Const(run.start), c.Const(run.stop))
