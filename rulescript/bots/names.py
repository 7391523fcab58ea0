"""Bots by name: `random`, `playout`, `playout:200`, `search`, `search:500`, `search:2s`."""

from __future__ import annotations

from collections.abc import Callable

from rulescript import calls
from rulescript.bots.budget import Budget, budget_from
from rulescript.bots.playout_bot import PlayoutBot
from rulescript.bots.random_bot import RandomBot
from rulescript.bots.search_bot import SearchBot
from rulescript.bots.seated import Bot
from rulescript.errors import BadOption

__all__ = ["BOTS", "bot_named"]

BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "playout": PlayoutBot, "search": SearchBot}


def bot_named(name: str, seed: int = 0, think: Budget | None = None) -> Bot:
    """A bot by its name. `search:500` and `playout:200` look at so many playouts, `search:2s` thinks for so long.

    `think` is the budget of bots that search and whose name has none."""
    base, sign, rest = calls.text(name, "the name of a bot").partition(":")
    if base not in BOTS or (base == "random" and sign):
        from rulescript.diagnostics.spelling import spelling_hint

        known = [*BOTS]
        hint = spelling_hint(base, known) if base not in BOTS else None
        raise BadOption(
            f"no bot is called `{name[:80]}`",
            hint=hint or f"there are {', '.join(known[:-1])} and {known[-1]}",
        )
    if base == "search":
        budget = budget_from(rest) if sign else think or Budget()
        return SearchBot(seed, budget.playouts, budget.seconds)
    if sign:
        budget = budget_from(rest)
        if budget.playouts is None:
            raise BadOption("the playout bot takes a number of playouts, no time", hint="search:2s thinks for so long")
        return PlayoutBot(seed, playouts=budget.playouts)
    return BOTS[base](seed)
