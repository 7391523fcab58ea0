"""How much a bot may think before it decides: so many playouts, so long, or as the game needs.

`500` is a number of playouts; `2s` or `250ms` is a time. Without either a bot looks at as many playouts as make up
about the same work in a turn of any game: a turn of many small decisions gets fewer for each.
"""

from __future__ import annotations

import re

from attrs import frozen

from rulescript import calls
from rulescript.errors import BadCall, BadOption

__all__ = ["Budget", "budget_from", "budget_of"]

_TIME = re.compile(r"(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})\s*(ms|s|m|min)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0}
MOST_PLAYOUTS = 10**9


@frozen
class Budget:
    """For one decision. Neither: what suits the game."""

    playouts: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.seconds:g}s"
        return "" if self.playouts is None else str(self.playouts)


def budget_of(playouts: object, seconds: object) -> Budget:
    """A budget from numbers; BadCall if that is none."""
    if playouts is not None and seconds is not None:
        raise BadCall("a bot thinks for so many playouts or for so long, not both")
    if playouts is not None:
        return Budget(playouts=calls.whole(playouts, "the number of playouts", 1, MOST_PLAYOUTS))
    if seconds is None:
        return Budget()
    if calls.seconds(seconds, "the time to think") == 0:
        raise BadCall("the time to think is more than nothing")
    return Budget(seconds=float(seconds))  # type: ignore[arg-type]


def budget_from(text: str) -> Budget:
    """A budget from words such as `500` or `2s`; BadOption if they say none."""
    said = calls.text(text, "a budget").strip().lower().replace("_", "")
    if calls.is_number(said) and len(said) < 10:
        if int(said):
            return Budget(playouts=int(said))
    elif match := _TIME.fullmatch(said):
        seconds = float(match[1]) * _UNITS[match[2]]
        if 0 < seconds <= calls.MOST_SECONDS:
            return Budget(seconds=seconds)
    raise BadOption(
        f"`{text[:40]}` is no budget for thinking",
        hint="give a number of playouts of at least 1, such as 500, or a time, such as 2s or 250ms",
    )
