"""A loop through the players in which one of them makes every choice. A warning.

`for s in Side` where `for active in Side` is meant: choices that do not say by whom are made by `active`, and nothing
ever sets it.
"""

from __future__ import annotations

from rulescript.analysis.looking import inside, rule_line, rules_of
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects, called, state_key
from rulescript.model.traverse import statements_in
from rulescript.model.types import ThingOf, element_of

__all__ = ["check_idle_players"]


def check_idle_players(game: m.Game, reporter: Reporter) -> None:
    """Where choices are made by `active` and the players are gone through, something sets `active`."""
    active, players = game.states.get("active"), game.players
    if active is None or players is None or players.size < 2 or active.type != ThingOf(players.name):
        return
    effects, key = Effects(game), state_key(active)
    loops: list[tuple[ir.ForS | ir.EachS, tuple[str, ...]]] = []
    for rule in rules_of(game):
        for part in inside(rule):
            if isinstance(part, ir.S) and key in effects.own_writes(part):
                return
            if isinstance(part, ir.ForS | ir.EachS) and element_of(part.source.type) == active.type:
                loops.append((part, part.cites or rule.cites))
    for loop, cites in loops:
        if _asks(loop.block, active):
            first = players.things[m.plain(active.initial)]
            reporter.warning(
                "RS348",
                f"nothing ever sets `active`, so {first.label} makes every choice in this loop",
                first_line(loop.span),
                f"goes through the players as `{loop.var.name}`",
                hint=f"write `for active in {loop.source.span.text.strip()}`",
                rule=rule_line(game, cites),
            )
            return


def _asks(block: ir.Block, active: m.State) -> bool:
    """Whether something in a block, or in what it calls, is asked of the active player."""
    seen: set[int] = set()
    todo = [block]
    while todo:
        for statement in statements_in(todo.pop()):
            if (
                isinstance(statement, ir.ChooseS)
                and isinstance(statement.by, ir.StateX)
                and statement.by.state is active
            ):
                return True
            for procedure in called(statement):
                if id(procedure) not in seen:
                    seen.add(id(procedure))
                    todo += procedure.blocks
    return False
