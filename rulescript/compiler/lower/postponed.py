"""What is lowered when it is first asked for: functions that only look, by the name under which they are called.

They change nothing that others were told of the game: they bind no slots, ask nobody, and tell the journal nothing. So
a module is whole without them, and who never asks never waits for them."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["PARTS", "Postponed"]

# What the parts of a rule are called after its own name (functions.py, routes.py).
PARTS = ("", "_", "_at", "_work", "_steps")


class Postponed:
    """Functions that are not lowered yet."""

    def __init__(self) -> None:
        self._writes: dict[str, Callable[[], None]] = {}
        # What each name is a part of; a name that is there stays there.
        self.names: dict[str, str] = {}
        self._given = 0

    def put(self, name: str, write: Callable[[], None], parts: tuple[str, ...] = ("",)) -> None:
        """Have something written when it is first asked for."""
        self._writes[name] = write
        self.names.update((name + part, name) for part in parts)

    def fresh(self, prefix: str) -> str:
        self._given += 1
        return f"{prefix}{self._given}"

    def take(self, name: str) -> Callable[[], None] | None:
        """What writes the function of a name; None if that was taken before."""
        return self._writes.pop(self.names.get(name, ""), None)
