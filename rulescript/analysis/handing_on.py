"""What rules hand to each other, and the names through which something comes into the open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in

__all__ = ["handed_by", "note_openings", "opened_by", "statements_of"]

ROUNDS = 4  # what is handed on may be handed on again


def statements_of(procedure: m.Procedure) -> list[ir.S]:
    """All statements of a procedure, and of what stands before and after it."""
    blocks = [procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))]
    return [statement for block in blocks for statement in statements_in(block)]


def note_openings(procedures: Sequence[m.Procedure]) -> None:
    """Note the names (`Var.opens`) through which rules move something where all see it, or show it."""
    rules = [statements_of(procedure) for procedure in procedures]
    for _ in range(ROUNDS):
        found = {var.ident: var for statements in rules for s in statements for var in opened_by(s) if not var.opens}
        for var in found.values():
            var.opens = True
        if not found:
            return


def opened_by(statement: ir.S) -> Iterator[ir.Var]:
    """The names through which a statement moves something where all see it, or shows it; or a rule does that they are
    handed to."""
    match statement:
        case ir.MoveS(what=ir.Local(var=var), to=to, end=end) if _all_see_what_comes_to(to.holds, end):
            yield var
        case ir.RevealS(what=ir.Local(var=var)):
            yield var
    for param, arg in handed_by(statement):
        if isinstance(arg, ir.Local) and param.opens:
            yield arg.var


def handed_by(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    """What a statement hands to other rules: their parameters, each with what it is given."""
    match statement:
        case ir.CallS(procedure=called, args=args):
            yield from zip(called.params, args, strict=False)
        case ir.SignalS(signal=signal, args=args):
            yield from zip(signal.params, args, strict=False)
        case ir.DoesS(kind=kind, name=name, args=args):
            for thing in kind.things:
                if name in thing.does:
                    yield from zip(thing.does[name].params, args, strict=False)


def _all_see_what_comes_to(holds: m.Holds, end: str) -> bool:
    """Whether everybody sees a thing that is put into a place: on top of it, if `end` says so."""
    levels = ("visible", "top") if end == "top" else ("visible",)
    lines = holds.visibility
    return not lines or (any(line.who is None for line in lines) and all(line.level in levels for line in lines))
