"""Statements that play never comes to: the game is over before them, or a `return` or `stop` leaves first."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.analysis.checks.looking import rule_line
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
                if _is_over(leaving, ends):
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
            _block_is_over(procedure.block, ends)
            or any(hook.condition is None and _block_is_over(hook.block, ends) for hook in procedure.before)
        ):
            ends.add(id(procedure))
            waiting += callers.get(id(procedure), ())
    return ends


def _block_is_over(block: ir.Block, ends: set[int]) -> bool:
    for statement in block:
        if _is_over(statement, ends):
            return True
        if _leaves(statement, ends) or _may_leave(statement):
            return False
    return False


def _is_over(statement: ir.S, ends: set[int]) -> bool:
    """Whether the game is over after a statement, whatever happens."""
    match statement:
        case ir.EndS():
            return True
        case ir.CallS(procedure=procedure):
            return id(procedure) in ends
        case ir.IfS(then=then, otherwise=otherwise):
            return _block_is_over(then, ends) and _block_is_over(otherwise, ends)
        case ir.ForS(source=ir.AllThings(), block=block):
            return _block_is_over(block, ends)
        case ir.RepeatS(condition=None, block=block):
            return _block_is_over(block, ends)
    return False


def _leaves(statement: ir.S, ends: set[int]) -> bool:
    """Whether nothing that follows a statement in its block is reached."""
    match statement:
        case ir.ReturnS() | ir.StopS():
            return True
        case ir.IfS(then=then, otherwise=otherwise):
            return all(any(_leaves(s, ends) for s in block) for block in (then, otherwise))
    return _is_over(statement, ends)


def _may_leave(statement: ir.S) -> bool:
    """Whether a `return` or `stop` somewhere in a statement may leave before the end of its block is reached."""
    return any(
        isinstance(inner, ir.ReturnS | ir.StopS)
        or isinstance(inner, ir.ChooseS) and any(alt.label == "stop" for alt in inner.alts)
        for inner in statements_in((statement,))
    )  # fmt: skip


def _unreached(block: ir.Block, ends: set[int]) -> Iterator[tuple[ir.S, ir.S]]:
    """What leaves a block, and the first thing after it; also in the blocks inside."""
    for at, statement in enumerate(block):
        for inner in inner_blocks(statement):
            yield from _unreached(inner, ends)
        if _leaves(statement, ends):
            rest = next((s for s in block[at + 1 :] if not isinstance(s, ir.DocS)), None)
            if rest is not None:
                yield statement, rest
            return
