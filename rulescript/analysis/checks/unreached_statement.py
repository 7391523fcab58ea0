"""Statements that play never comes to: the game is over before them, or a `return` or `stop` leaves first."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulescript.analysis.looking import rule_line
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import inner_blocks, statements_in

__all__ = ["check_unreached_statements"]


def check_unreached_statements(game: m.Game, reporter: Reporter) -> None:
    """Nothing stands after what always ends the game or leaves."""
    ends = _always_end(game)
    for procedure in game.every_procedure():
        for block in procedure.blocks:
            for leaving, rest in _unreached(block, ends):
                if _way(leaving, ends).is_over:
                    what = leaving.procedure.name if isinstance(leaving, ir.CallS) else ""
                    said = f"`{what}` always ends the game" if what else "the game is over here"
                    message = "play never comes to this: the game is over before it"
                else:
                    said, message = "this leaves", "play never comes to this: it is left before"
                reporter.warning(
                    "RS322",
                    message,
                    first_line(rest.span),
                    "never reached",
                    [Label(first_line(leaving.span), said)],
                    "take it away, put it before that line, or put an `if` over what ends it",
                    rule_line(game, rest.cites or procedure.cites),
                )


def _always_end(game: m.Game) -> set[int]:
    """The procedures that end the game whatever happens, by identity."""
    ends: set[int] = set()
    callers: dict[int, list[m.Procedure]] = {}
    waiting = game.every_procedure()
    for procedure in waiting:
        for block in (procedure.block, *(hook.block for hook in procedure.before)):
            for statement in statements_in(block):
                if isinstance(statement, ir.CallS):
                    callers.setdefault(id(statement.procedure), []).append(procedure)
    while waiting:
        procedure = waiting.pop()
        if id(procedure) not in ends and (
            _way_of(procedure.block, ends).is_over
            or any(hook.condition is None and _way_of(hook.block, ends).is_over for hook in procedure.before)
        ):
            ends.add(id(procedure))
            waiting += callers.get(id(procedure), ())
    return ends


@frozen
class _Way:
    """How play goes on from a statement, or from a block of them."""

    # The game is over, whatever happens.
    is_over: bool = False
    # Nothing that follows in its block is reached.
    leaves: bool = False
    # A `return` or `stop` somewhere in it may leave before the end of its block is reached.
    may_leave: bool = False


def _way(statement: ir.S, ends: set[int]) -> _Way:
    """Each statement inside is looked at once: blocks can stand in each other many deep."""
    match statement:
        case ir.EndS():
            return _Way(is_over=True, leaves=True)
        case ir.CallS(procedure=procedure):
            return _Way(id(procedure) in ends, id(procedure) in ends)
        case ir.ReturnS() | ir.StopS():
            return _Way(leaves=True, may_leave=True)
    inner = [_way_of(block, ends) for block in inner_blocks(statement)]
    is_over, leaves, may_leave = False, False, any(way.may_leave for way in inner)
    match statement:
        case ir.ChooseS(alts=alts):
            may_leave = may_leave or any(alt.label == "stop" for alt in alts)
        case ir.IfS():
            is_over, leaves = all(way.is_over for way in inner), all(way.leaves for way in inner)
        case ir.ForS(source=ir.AllThings()) | ir.RepeatS(condition=None):
            is_over = leaves = inner[0].is_over
    return _Way(is_over, leaves, may_leave)


def _way_of(block: ir.Block, ends: set[int]) -> _Way:
    ways = [_way(statement, ends) for statement in block]
    first = next((way for way in ways if way.is_over or way.leaves or way.may_leave), _Way())
    return _Way(first.is_over, any(way.leaves for way in ways), any(way.may_leave for way in ways))


def _unreached(block: ir.Block, ends: set[int]) -> Iterator[tuple[ir.S, ir.S]]:
    """What leaves a block, and the first thing after it; also in the blocks inside."""
    for at, statement in enumerate(block):
        for inner in inner_blocks(statement):
            yield from _unreached(inner, ends)
        if _way(statement, ends).leaves:
            rest = next((s for s in block[at + 1 :] if not isinstance(s, ir.DocS)), None)
            if rest is not None:
                yield statement, rest
            return
