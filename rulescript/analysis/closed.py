"""Where asides are offered: not in `closed` rules and those that these call, and during a procedure only while it runs.

A rule that runs only inside closed ones is as good as closed. One that also runs elsewhere cannot tell by itself where
it is: so each closed rule that calls such a one notes that it is running, and every aside asks for that first. In the
same way a procedure notes that it is running if an aside is for the time `during` it. What is noted is how often, for a
procedure may run within itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulescript import nodes as n
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import chooses_in, statements_in
from rulescript.model.types import BOOL, INT

__all__ = ["close_asides"]


def close_asides(game: m.Game, procedures: Sequence[m.Procedure]) -> None:
    """Mark the rules in which no asides are offered, and let asides ask whether a closed rule is running."""
    for name in dict.fromkeys(aside.during for aside in game.asides):
        procedure = game.procedures.get(name)
        if procedure is not None and procedure.form != "phase":
            _offer_during(game, procedure)
    closed = [procedure for procedure in procedures if procedure.closed]
    if not game.asides or not closed:
        return
    roots = [p for p in procedures if p.form in ("sequence", "whenever", "aside")]
    free = _reached(roots, through_closed=False)
    for procedure in procedures:
        procedure.no_asides = procedure.closed or id(procedure) not in free
    for procedure in closed:
        inside = _reached([procedure], through_closed=True)
        if any(id(other) in inside and id(other) in free and not other.closed and _asks(other) for other in procedures):
            _note_running(game, procedure)


def _reached(roots: Iterable[m.Procedure], through_closed: bool) -> set[int]:
    """The rules that some rules call, and those that these call, and themselves."""
    seen: set[int] = set()
    todo = list(roots)
    first = {id(procedure) for procedure in todo}
    while todo:
        procedure = todo.pop()
        if id(procedure) in seen:
            continue
        seen.add(id(procedure))
        if procedure.closed and not through_closed and id(procedure) not in first:
            continue
        for block in procedure.blocks:
            for statement in statements_in(block):
                todo += called(statement)
    return seen


def _asks(procedure: m.Procedure) -> bool:
    return any(chooses_in(block) for block in procedure.blocks)


def _running(game: m.Game, procedure: m.Procedure) -> ir.X:
    """Whether a rule is running: it notes that itself, from now on."""
    span = procedure.span
    name = f"{procedure.name.replace('.', ' ').replace('_', ' ')} is running"
    state = game.states.get(name)
    if state is None:
        ends = (n.Name(procedure.name, span=span),)
        state = m.State(name, BOOL, None, None, ends, (), span, procedure.origin, False, is_depth=True)
        game.states[name] = state
        # Read as yes or no, and counted nonetheless.
        deeper = ir.AssignS(span, (), ir.StateX(INT, span, state, None), "+=", ir.Lit(INT, span, 1))
        procedure.block = (deeper, *procedure.block)
    return ir.StateX(BOOL, span, state, None)


def _offer_during(game: m.Game, procedure: m.Procedure) -> None:
    """Asides that are for the time of a procedure are offered while it runs."""
    running = _running(game, procedure)
    label = f"during {procedure.name.replace('_', ' ')}"
    for aside in game.asides:
        if aside.during == procedure.name:
            clause = ir.Clause(running, label, aside.cites, False, procedure.span, procedure.origin)
            aside.alt.clauses.insert(0, clause)


def _note_running(game: m.Game, procedure: m.Procedure) -> None:
    span = procedure.span
    running = _running(game, procedure)
    for aside in game.asides:
        label = f"not during {procedure.name.replace('_', ' ')}"
        clause = ir.Clause(ir.NotX(BOOL, span, running), label, procedure.cites, False, span, procedure.origin)
        aside.alt.clauses.insert(0, clause)
