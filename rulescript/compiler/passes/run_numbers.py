"""All that is written in a run is one number, where something is looked up by it.

Before::

    asked = (S[6], tuple(S[386:450]), v69)
    found = way1_memo.get(asked)
    m = sum([S[963 + x] for x in BITS[L37[v]]])
    S[386 + v18] = 2

After::

    asked = (S[6], S[1801] or number(S, 1801, 386, 450), v69)
    found = way1_memo.get(asked)
    m = (S[1802] or gathered(S, 1802, 963, 1027))[L37[v]]
    S[386 + v18] = 2
    S[1801] = 0

Equal numbers mean equal entries. One is worked out when it is asked for (`number`), and gone (0) once an entry of the
run is written; so is the table of what lies in which places. Two passes: `run_numbers` writes the look-ups, and
`note_changes`, once all that writes to the state stands there, the rest."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.run_changes import RunChanges
from rulescript.compiler.passes.unit import Unit, is_kept, rewritten

__all__ = ["note_changes", "run_numbers"]


def run_numbers(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, lambda code: _gathered(code, unit))))


def _gathered(code: c.Code, unit: Unit) -> c.Code:
    """All that lies in some places of a run, looked up by the places; and all that is written in a run, as a number."""
    code = c.altered(code, lambda part: _gathered(part, unit))
    match code:
        case c.Call(
            function=c.Known(text="tuple"),
            args=(c.Part(of=c.Name(text="S"), first=c.Const(value=first), last=c.Const(value=last)),),
        ):
            # All that is written in a run, to look something up by.
            run = next((run for run in unit.runs if run.start == first and run.stop == last), None)
            return _known("number", run, unit) if run is not None else code
        case c.Call(
            function=c.Known(text="sum"),
            args=(
                c.Listing(
                    form="list",
                    value=c.Slot(base=base, at=c.Name(text=member)),
                    loops=(c.Each(names=(name,), source=c.Get(of=c.Known(text="BITS"), at=places), tests=()),),
                ),
            ),
        ) if member == name and base not in unit.places and not isinstance(places, c.Const):
            run = next((run for run in unit.runs if run.start == base), None)
            if run is not None and len(run) > 2:
                return _known("gathered", run, unit)[places]
    return code


def _known(how: str, run: range, unit: Unit) -> c.Code:
    """What is known of all that is written in a run."""
    slot = unit.numbered.get((run.start, how))
    if slot is None:
        slot = unit.numbered[run.start, how] = unit.slot(c.Const(0))
    return c.Any_((c.Slot(slot), c.call(how, c.STATE, slot, run.start, run.stop)))


# ------------------------------------------------------------------ what changes


def note_changes(unit: Unit) -> None:
    """Where an entry is written, the number of its run is gone."""
    if not unit.numbered:
        return
    for how in dict.fromkeys(how for _, how in unit.numbered):
        nowhere = unit.slot(c.Const(0))
        table = [nowhere] * (unit.size + len(unit.kept))
        for run in unit.runs:
            if (run.start, how) in unit.numbered:
                table[run.start : run.stop] = [unit.numbered[run.start, how]] * len(run)
        noted = _Noted(unit, table, nowhere, how)
        if noted.has_places:
            unit.tables[noted.name] = c.Const(tuple(table))
        noted.run()


class _Noted(RunChanges):
    """Puts a note behind every statement that writes to a numbered run."""

    def __init__(self, unit: Unit, table: list[int], nowhere: int, how: str) -> None:
        super().__init__(unit)
        self.table = table
        self.nowhere = nowhere
        self.name = f"NU_{how}"
        self.slots = [slot for (_, other), slot in unit.numbered.items() if other == how]
        self.has_places = any(first in unit.places for first, other in unit.numbered if other == how)

    def after(self, targets: tuple[c.Code, ...], statement: c.Statement) -> c.Body:
        slots: dict[c.Code, None] = {}
        for target in targets:
            match target:
                case c.Slot(base=base, at=None):
                    slots[c.Slot(self.table[base])] = None
                case c.Slot(base=0, at=c.Const(value=int(at))):
                    slots[c.Slot(self.table[at])] = None
                case c.Slot(base=0, at=c.Code() as at):
                    # A place of pieces, or a set of them that is kept.
                    if self.has_places and not is_kept(at):
                        slots[c.Slot(0, c.Known(self.name)[at])] = None
                case c.Slot(base=base):
                    slots[c.Slot(self.table[base])] = None
                case c.Part(first=c.Const(value=int(first)), last=c.Const(value=int(last))):
                    slots |= {c.Slot(slot): None for slot in self.table[first:last]}
                case c.Name() if target != c.STATE:
                    pass
                case _:  # nobody knows what
                    slots |= {c.Slot(slot): None for slot in self.slots}
        return [c.Store((slot,), c.Const(0), origin=statement.origin) for slot in slots if slot != c.Slot(self.nowhere)]
