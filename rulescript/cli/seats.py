"""Who sits where: people and bots, from words like ``North=human`` and ``all=random``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulescript.calls import is_number
from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.bots import Bot, Budget
    from rulescript.runtime.game import Game

__all__ = ["HUMAN", "bots_for", "seat_named", "seat_title", "seats_from", "with_budget"]

HUMAN = "human"


def seat_title(game: Game, players: int, seat: int) -> str:
    """``North``, or ``North and East`` for somebody who plays both."""
    labels = game.data.kinds[game.data.players].labels
    return " and ".join(str(labels[role]) for role in game.seats(players)[seat])


def seat_named(game: Game, players: int, name: str) -> int:
    """The seat of a role, by its name or label or its number counted from 1."""
    seats = game.seats(players)
    wanted = name.strip().replace(" ", "_").casefold()
    if is_number(wanted) and 1 <= int(wanted) <= len(seats):
        return int(wanted) - 1
    labels = game.data.kinds[game.data.players].labels
    matches = set()
    for seat, roles in enumerate(seats):
        for role in roles:
            names = (game.player_names[role].casefold(), str(labels[role]).replace(" ", "_").casefold())
            if wanted in names:
                return seat
            if wanted and any(each.startswith(wanted) for each in names):
                matches.add(seat)
    if len(matches) == 1:
        return matches.pop()
    raise BadOption(f"there is no player `{name}`", hint=f"there are {', '.join(game.player_names)}")


def seats_from(game: Game, players: int, words: Sequence[str], default: str, *, people: bool = True) -> list[str]:
    """Who plays each seat: `human` (if people may) or the name of a bot.

    A word is ``NAME=WHO``, ``all=WHO``, or just ``WHO`` for the next free seat; `default` takes the rest."""
    from rulescript.bots import bot_named

    who: list[str | None] = [None] * len(game.seats(players))
    for word in [part for given in words for part in given.split(",") if part.strip()]:
        name, sign, wanted = word.partition("=")
        if not sign:
            name, wanted = "", word
        wanted = wanted.strip().lower()
        if wanted != HUMAN or not people:
            bot_named(wanted)  # says so if there is none
        if name.strip().lower() == "all":
            who = [wanted] * len(who)
        elif name.strip():
            who[seat_named(game, players, name)] = wanted
        else:
            free = [seat for seat, taken in enumerate(who) if taken is None]
            if not free:
                raise BadOption(f"there are only {len(who)} seats, so `{word}` has none")
            who[free[0]] = wanted
    return [taken if taken is not None else default for taken in who]


def with_budget(who: list[str], think: str | None) -> list[str]:
    """Bots that search, and were given no budget of their own, have the one that was asked for, by their name."""
    return [f"{name}:{think}" if name == "search" and think else name for name in who]


def bots_for(who: Iterable[str], seed: int, think: Budget | None = None) -> list[Bot | None]:
    """A bot for each seat that is not a person's; each with luck of its own. `think` is the budget of
    those that search and were given none."""
    from rulescript.bots import bot_named

    return [None if name == HUMAN else bot_named(name, seed * 1000 + at, think) for at, name in enumerate(who)]
