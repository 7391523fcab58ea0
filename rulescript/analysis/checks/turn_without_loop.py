"""What stands before, after or at the end of each turn, or lasts as long, of which there is none. A warning.

A state of the game can be a turn: `after year`, `lasts year`, `at end of year`, `once a year`, `during year`. It is one
only if some `for` goes through it; `for y in Year` goes through another name, and then none of these ever comes.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.analysis.looking import inside, rule_line, rules_of
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import ThingOf, say
from rulescript.source import Span

__all__ = ["check_turns_without_loops"]


def check_turns_without_loops(game: m.Game, reporter: Reporter) -> None:
    """Every state that is spoken of as a turn is gone through somewhere."""
    spoken = [(name, span, cites) for name, span, cites in _turns(game) if name not in game.procedures]
    if not spoken:
        return
    loops = (part for rule in rules_of(game) for part in inside(rule) if isinstance(part, ir.ForS))
    gone_through = {loop.var.state.name for loop in loops if loop.var.state is not None}
    for name, span, cites in spoken:
        state = game.states.get(name)
        if state is None or name in gone_through:
            continue
        values = say(state.type).removeprefix("a ").removeprefix("an ") if isinstance(state.type, ThingOf) else "..."
        reporter.warning(
            "RS322",
            f"nothing goes through `{name}`, so it has no turns, and this never comes",
            first_line(span),
            "never reached",
            hint=f"write `for {name} in {values}` where the turns are played",
            rule=rule_line(game, cites),
        )


def _turns(game: m.Game) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """What is spoken of as if it had turns: its name, where, and the rule that says it."""
    for name, hooks in game.loop_hooks.items():
        yield from ((name, hook.span, hook.cites) for hook in hooks)
    for state in game.every_state():
        yield from ((name.text, name.span, state.cites) for name in state.lasts)
    for aside in game.asides:
        yield aside.during, aside.span, aside.cites
    for invariant in game.invariants:
        if invariant.scope:
            yield invariant.scope, invariant.span, invariant.cites
