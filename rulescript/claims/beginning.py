"""How play begins where an example says it does: in a phase, or with a procedure.

A position can be *parked*: stopped where a phase begins or ends, before anything in it happened. That is done by
exchanging the block the phase begins with for one that stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript import nodes as n
from rulescript.analysis.arguments import Misfit, match_arguments
from rulescript.analysis.eithers import plain_name
from rulescript.claims import steps as s
from rulescript.claims.chance import Missing
from rulescript.claims.problems import ClaimUnclear
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import RulescriptError
from rulescript.model import ir
from rulescript.model.types import fits
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.claims.play import Table
    from rulescript.model.game import Game as Model
    from rulescript.runtime.game import Game

__all__ = ["MustStop", "call_procedure", "enter_phase", "park"]


class MustStop(Exception):
    """Play has to be stopped where a phase ends, and this game was not made for that."""


@contextmanager
def park(game: Game, blocks: Sequence[int]) -> Iterator[None]:
    """While this lasts, play stops where one of these blocks would begin."""
    own = {number: game.code["B"][number] for number in blocks}

    def stopping(number: int) -> Any:
        def stop(p: Any, S: list[Any]) -> None:
            S[0] = number
            p.d, p.o = 0, []

        return stop

    try:
        for number in own:
            game.code["B"][number] = game.code[f"b{number}"] = stopping(number)
        yield
    finally:
        for number, block in own.items():
            game.code["B"][number] = game.code[f"b{number}"] = block


# The loops of each game's sequence.
_loops: WeakKeyDictionary[Model, list[ir.ForS]] = WeakKeyDictionary()


def _enter_loops(table: Table) -> None:
    """In a loop over some things, those after the present one are still to come."""
    model = table.evaluator.model
    loops = _loops.get(model)
    if loops is None:
        loops = _loops[model] = list(_state_loops(model.procedures["sequence"].block, set()))
    slots = list(table.game.data.loops)
    for (scope, slot), loop in zip(slots, loops, strict=False):
        state = loop.var.state
        if state is None or state.name != scope:
            return
        entry = next(e for e in table.game.data.states if not e.kind and e.name == scope)
        now = table.position.s[entry.slot]
        try:
            items = table.evaluator.refs(loop.source, table.position.s)
        except (RulescriptError, ArithmeticError, TypeError, LookupError, NameError):
            continue
        table.position.s[slot] = items[items.index(now) + 1 :] if now in items else ()


def enter_phase(table: Table, entry: int, span: Span, entries: Sequence[s.Entry] = ()) -> None:
    """Begin a phase. If nobody decides anything in it, and what comes after it needs dice or draws that the
    example says nothing of, play stands where the phase ends."""
    _enter_loops(table)
    block = table.game.code["B"][entry]
    held = [list(p.left) for p in table.script.pending]
    try:
        with table.up_to(entries, 0):
            table.run(block, span)
    except Missing as missing:
        if not table.can_stop:
            raise MustStop from missing
        for pending, left in zip(table.script.pending, held, strict=True):
            pending.left = left
        table.position.j = []
        ends = [b[1] for b in table.game.data.phase_blocks if b[0] == entry]
        with park(table.game, ends):
            try:
                table.run(block, span)
            except Missing:
                raise missing from None


def _version(table: Table, name: str, args: Sequence[n.Expr], call: Span) -> str:
    """Of a procedure for several kinds, the one for what it is given."""
    model = table.evaluator.model
    for version in model.versions.get(name, ()):
        params = model.procedures[version].params if version in model.procedures else ()
        given = match_arguments(args, params, f"`{name}`", call)
        if isinstance(given, Misfit):
            return name
        eithers = [(arg, var) for arg, var in zip(given, params, strict=True) if var.either and arg is not None]
        read = [(table.evaluator.read_at(arg.span, None, table.position, arg), var) for arg, var in eithers]
        if all(fits(x.type, var.declared or var.type) for x, var in read):
            return version
    return name


def call_procedure(table: Table, call: Span) -> None:
    """``run battle(Mill)``"""
    node = table.evaluator.node_at(call)
    function, args = (node.function, node.args) if isinstance(node, n.Call) else (node, ())
    if isinstance(function, n.NameExpr):
        name = function.name
        if name in table.game.data.phases and not args:
            enter_phase(table, table.names.phase_blocks(name)[0], call)
            return
        name = _version(table, name, args, call)
        procedure = table.evaluator.model.procedures.get(name)
    elif isinstance(function, n.AttributeOf) and isinstance(function.object, n.NameExpr):
        name = f"{function.object.name}.{function.name.text}"
        things = table.evaluator.model.things.get(function.object.name, [])
        procedure = next((t.does[function.name.text] for t in things if function.name.text in t.does), None)
    else:
        raise ClaimUnclear("`run` names a procedure and its arguments", call, hint="run battle(Mill)")
    if procedure is None or name not in table.game.data.procedures:
        known = [p for p in table.game.data.procedures if p.isidentifier()]
        raise ClaimUnclear(f"there is no procedure `{name}`", call, "unknown", spelling_hint(name, known))
    given = match_arguments(args, procedure.params, f"`{plain_name(name)}`", call)
    if isinstance(given, Misfit):
        raise ClaimUnclear(given.message, given.span, given.label, given.hint)
    values: list[Any] = []
    said: dict[int, ir.X] = {}
    for arg, var in zip(given, procedure.params, strict=True):
        if arg is None:
            assert var.default is not None
            x = ir.substitute(var.default, said)
        else:
            x = table.evaluator.read_at(arg.span, var.declared or var.type, table.position, arg)
        said[var.ident] = x
        values.append(table.evaluator.worked_out(x, table.position, arg.span if arg is not None else call))
    info = table.game.data.procedures[name]
    if info.plain:
        position = table.position
        function_ = table.game.code[info.plain]

        def block(p: Any, S: list[Any]) -> None:
            function_(p, S, *values)
            S[0] = 0

        position.s[0] = 0
        table.run(block, call)
        return
    for slot, value in zip(info.params, values, strict=True):
        table.position.s[slot] = value
    table.position.s[info.ret] = 0
    table.run(table.game.code["B"][info.entry], call)


def _state_loops(block: ir.Block, seen: set[str]) -> Iterator[ir.ForS]:
    """The loops of the sequence over a state, in the order they were compiled; those over a whole kind left
    out."""
    for statement in block:
        match statement:
            case ir.ForS(var=var, source=source, block=inner) | ir.EachS(var=var, source=source, block=inner):
                if var.state is not None and not isinstance(source, ir.AllThings) and isinstance(statement, ir.ForS):
                    yield statement
                yield from _state_loops(inner, seen)
            case ir.RepeatS(block=inner):
                yield from _state_loops(inner, seen)
            case ir.IfS(then=then, otherwise=otherwise):
                yield from _state_loops(then, seen)
                yield from _state_loops(otherwise, seen)
            case ir.CallS(procedure=procedure) if procedure.form == "phase" and procedure.name not in seen:
                yield from _state_loops(procedure.block, seen | {procedure.name})
