"""Loops that can never end.

`repeat` without a condition ends by `stop`, `or stop`, `return` or the end of the game. `repeat while`
and `repeat until` can also end when the condition changes, so something inside must write what it reads.
What cannot be seen from the text (a loop that goes on although it could end) is left to the step limit of
play.
"""

from __future__ import annotations

from rulescript.analysis.looking import deep, inside, rule_line, rules_of
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects, called, state_key
from rulescript.model.traverse import bound_by, free_vars, inner_blocks

__all__ = ["check_endless_loops"]

_LOOPS = (ir.RepeatS, ir.ForS, ir.EachS)


def check_endless_loops(game: m.Game, reporter: Reporter) -> None:
    """Every loop has a way out."""
    if any(isinstance(part, ir.EndS) for w in game.whenevers for part in deep(w.procedure.block)):
        return  # the game may end at any moment
    effects = Effects(game)
    for rule in rules_of(game):
        for part in inside(rule):
            if not isinstance(part, ir.RepeatS) or part.mode == "times" or can_leave(part.block):
                continue
            head = first_line(part.span)
            cites = part.cites or rule.cites
            if part.condition is None:
                reporter.error(
                    "RS305",
                    "nothing inside this `repeat` can ever end it",
                    head,
                    "goes on for ever",
                    hint='add `or stop "..."` to its choice, or a condition: `repeat while ...`',
                    rule=rule_line(game, cites),
                )
            elif not may_change(game, effects, part.condition, part.block):
                reporter.error(
                    "RS305",
                    f"nothing inside this loop changes what `{part.mode}` asks",
                    part.condition.span,
                    "stays as it is",
                    hint="add `stop` where the loop is done",
                    rule=rule_line(game, cites),
                )


def can_leave(block: ir.Block) -> bool:
    """Whether something in a loop's body may leave it."""
    return _leaves(block, False, set())


def _leaves(block: ir.Block, in_another: bool, seen: set[int]) -> bool:
    for statement in block:
        match statement:
            case ir.ReturnS() | ir.EndS():
                return True
            case ir.StopS():
                if not in_another:
                    return True
            case ir.ChooseS(alts=alts):
                if any(alt.effect == "stop" and not in_another for alt in alts):
                    return True
        in_loop = in_another or isinstance(statement, _LOOPS)
        if any(_leaves(inner, in_loop, seen) for inner in inner_blocks(statement)):
            return True
        if any(_may_end_game(procedure, seen) for procedure in called(statement)):
            return True
    return False


def _may_end_game(procedure: m.Procedure, seen: set[int]) -> bool:
    if id(procedure) in seen:
        return False
    seen.add(id(procedure))
    for part in deep(procedure.blocks):
        if isinstance(part, ir.EndS):
            return True
        if isinstance(part, ir.S) and any(_may_end_game(p, seen) for p in called(part)):
            return True
    return False


def may_change(game: m.Game, effects: Effects, condition: ir.X, block: ir.Block) -> bool:
    """Whether anything in a block, or in what it calls, can change the answer to a condition."""
    reads = effects.reads(condition)
    names = free_vars(condition)
    # A piece held by a name is looked up where it stands now.
    pieces = any(isinstance(part, ir.PieceStateX | ir.PlaceOfX) for part in deep(condition))
    if pieces or reads & effects.writes(block):
        return True
    ran: set[str] = set()
    todo = [block]
    while todo:
        for part in deep(todo.pop()):
            match part:
                case ir.AssignS(target=ir.Local(var=var)) if var.ident in names:
                    return True
                case ir.CallS(result=ir.Local(var=var)) if var.ident in names:
                    return True
            if isinstance(part, ir.S):
                if any(var.ident in names for var in bound_by(part)):
                    return True
                for procedure in called(part):
                    if procedure.name not in ran:
                        ran.add(procedure.name)
                        todo += procedure.blocks
    # What lasts only as long as a rule that is called inside goes back by itself.
    return any(
        state_key(state) in reads and any(scope.text in ran for scope in state.lasts) for state in game.every_state()
    ) or any(reads & effects.writes(w.procedure.block) for w in game.whenevers)
