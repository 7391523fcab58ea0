"""Slots that hold what was worked out are emptied where it may have become wrong (for the passes that keep something).

What is kept depends on states alone. These are set by statements that say so: by number, or counted on from the first
of a run; pieces and their places are something else."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["Forgetting"]

NOTHING = c.Const(None)


class Forgetting:
    def __init__(self, unit: Unit, nothing: c.Code = NOTHING) -> None:
        self.unit = unit
        self.nothing = nothing  # what is in an empty slot
        self.depends: dict[int, frozenset[int]] = {}  # what is in a slot depends on these
        self.runs = {run.start: frozenset(run) for run in unit.runs}

    def run(self) -> None:
        if self.depends:
            self.unit.map(lambda f: f if f.sort == "pure" else evolve(f, body=self._body(f.body)))

    def _body(self, body: c.Body, wrong: frozenset[int] = frozenset()) -> c.Body:
        """Statements with what they mean for the slots. `wrong` are those to be emptied first: several stores in a row
        empty one once, before anybody looks."""
        out: c.Body = []
        for statement in body:
            if wrong and not (isinstance(statement, c.Store) and self._is_plain(statement)):
                out += self._emptied(wrong, statement)
                wrong = frozenset()
            inner = c.bodies(statement)
            if inner:
                first = self._wrong(statement) if isinstance(statement, c.For) else frozenset()
                statement = c.with_bodies(statement, [self._body(each, first) for each in inner])
            elif isinstance(statement, c.Store):
                wrong |= self._wrong(statement)
            out.append(statement)
        if wrong:
            out += self._emptied(wrong, body[-1] if body else None)
        return out

    def _emptied(self, slots: frozenset[int], near: c.Statement | None) -> c.Body:
        origin = near.origin if near is not None else None
        return [c.Store((c.Slot(slot),), self.nothing, origin=origin) for slot in sorted(slots)]

    def _is_plain(self, store: c.Store) -> bool:
        """Whether nothing that is kept is looked at, and nothing called that may look."""
        for code in c.expressions(store):
            for each in c.inside(code):
                if isinstance(each, c.Call) or isinstance(each, c.Slot) and each.base in self.depends:
                    return False
        return True

    def _wrong(self, statement: c.Store | c.For) -> frozenset[int]:
        """The slots that are wrong after a statement, or in each round of a loop."""
        found: set[int] = set()
        for target in statement.targets:
            if isinstance(target, c.Slot):
                written = self.written(target)
                found |= {slot for slot, reads in self.depends.items() if written is None or written & reads}
        return frozenset(found)

    def written(self, target: c.Slot) -> frozenset[int] | None:
        """The slots that one may be; None if it may be any. Those whose number is worked out are places."""
        if target.at is None:
            return frozenset({target.base})
        if not target.base:
            return frozenset()
        return self.runs.get(target.base)
