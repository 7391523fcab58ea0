"""A name given anew inside a block, where the name outside is meant: `let n = n + 1` in a loop.

A `let`, or the `as` of a roll or draw, makes a name of its own that ends with its block. Where one of the same name
stands around it and is read afterwards, the writer most likely wanted to change that: what is worked out in the block
is lost without a word. A name that nobody reads again outside may be used anew, and so may one in a block that leaves.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator

from rulescript.analysis.looking import deep, rule_line
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import inner_blocks
from rulescript.source import Span

__all__ = ["check_names_given_anew"]

Names = ChainMap[str, ir.Var]


def check_names_given_anew(game: m.Game, reporter: Reporter) -> None:
    """No block makes a name of its own where it wanted to change the one around it."""
    for procedure in game.every_procedure():
        for block in procedure.blocks:
            given: dict[int, Span] = {}
            for statement, var, outer, is_left in _anew(block, ChainMap(), given):
                if _is_meant(block, statement, outer, is_left):
                    _report(game, reporter, procedure, statement, var, given[outer.ident])


def _given(statement: ir.S) -> ir.Var | None:
    """The name that a statement gives."""
    match statement:
        case ir.LetS(var=var) | ir.RollS(var=var) | ir.DrawS(var=ir.Var() as var):
            return var
        case ir.CallS(result=ir.Var() as var):
            return var
    return None


def _anew(block: ir.Block, around: Names, given: dict[int, Span]) -> Iterator[tuple[ir.S, ir.Var, ir.Var, bool]]:
    """Statements that give a name which stands around their block already, with both, and whether the block leaves."""
    here = around.new_child()  # one of its own for each block: a rule may have thousands of names
    is_left = bool(block) and isinstance(block[-1], ir.ReturnS | ir.EndS | ir.StopS)
    for statement in block:
        for inner in inner_blocks(statement):
            yield from _anew(inner, here, given)
        var = _given(statement)
        if var is None:
            continue
        if var.name in around and around[var.name] is not var:
            yield statement, var, around[var.name], is_left
        here[var.name] = var
        given[var.ident] = statement.span


def _is_meant(block: ir.Block, statement: ir.S, outer: ir.Var, is_left: bool) -> bool:
    """Whether the name around is read by what gives it anew, or after it."""
    reads = [x for x in deep(block) if isinstance(x, ir.Local) and x.var is outer]
    own = [x for x in deep((statement,)) if isinstance(x, ir.Local) and x.var is outer]
    source = statement.span.source
    later = [x for x in reads if x.span.source is source and x.span.start >= statement.span.end]
    return bool(own or later) and not is_left


def _report(
    game: m.Game, reporter: Reporter, procedure: m.Procedure, statement: ir.S, var: ir.Var, first: Span
) -> None:
    name = var.name
    hint = f"give one of the two another name, and say what `{name}` is to be: `{name} = ...`"
    if isinstance(statement, ir.LetS):
        value = " ".join(statement.value.span.text.split())
        parts = value.split(" ", 2)
        hint = f"to change the one above, write `{name} = {value}`"
        if len(parts) == 3 and parts[0] == name and parts[1] in "+-":
            hint = f"to change the one above, write `{name} {parts[1]}= {parts[2]}`"
    elif isinstance(statement, ir.RollS):
        hint = f"give this one another name, and then write `{name} = ...`"
    reporter.error(
        "RS325",
        f"this makes another `{name}`, which ends with its block: the one above stays as it was",
        first_line(statement.span),
        f"another `{name}`",
        [Label(first_line(first), f"`{name}` above")],
        hint,
        rule_line(game, procedure.cites),
    )
