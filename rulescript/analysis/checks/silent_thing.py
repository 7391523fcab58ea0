"""Things that tell in words what they do, and in no rule. Warnings, and only where there is little doubt."""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.analysis.checks.unused import Mentions
from rulescript.analysis.looking import declaration_at, rule_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m

__all__ = ["check_silent_things"]

# So many others must do something for the only one that does not to be missed.
ENOUGH = 3


def check_silent_things(game: m.Game, reporter: Reporter) -> None:
    """A thing of a kind that `does` something: it says what, unless a rule elsewhere speaks of it by name, or it is one
    of several that only have facts, or of a sort of which none does anything."""
    mentions: Mentions | None = None
    for kind in game.kinds.values():
        if not kind.does:
            continue
        # Of several copies the first stands for all.
        things = [t for t in kind.things if not t.copy_of or t.name == f"{t.copy_of}_1"]
        silent = [t for t in things if t.is_silent]
        is_alone = len(silent) == 1 and sum(1 for t in things if t.does) >= ENOUGH
        for thing in silent:
            if (not thing.doc and not is_alone) or _is_of_a_silent_sort(thing, things):
                continue
            mentions = mentions or Mentions(game)
            place = declaration_at(thing.span)
            if any(mentions.outside(name, place) for name in (thing.name, thing.copy_of) if name):
                continue
            what = list(kind.does)
            told = f"`{what[0]}`" if len(what) == 1 else "none of " + ", ".join(f"`{name}`" for name in what)
            without = f"without its {told}" if len(what) == 1 else f"and does {told}"
            reporter.warning(
                "RS321",
                f"{thing.copy_of or thing.name} stands here {without}: nothing happens when it is used",
                thing.span,
                "only words" if thing.doc else "only facts",
                hint=f"write `{what[0]}` under it and what happens further in; if nothing does, `{what[0]} nothing`",
                rule=rule_line(game, thing.cites),
            )


def _is_of_a_silent_sort(thing: m.Thing, things: Sequence[m.Thing]) -> bool:
    """Whether it shares a value with several others and none of them does anything: then a rule goes by that value."""
    for attr in thing.kind.attrs.values():
        value = attr.values[thing.index]
        same = [t for t in things if attr.values[t.index] == value] if isinstance(value, m.ThingRef) else []
        if len(same) > ENOUGH and all(t.is_silent for t in same):
            return True
    return False
