"""Who sits where: for each number of people that can play a game, which roles each of them has."""

from __future__ import annotations

from functools import cached_property

from rulescript import calls
from rulescript.errors import BadOption
from rulescript.game_data import GameData

__all__ = ["Seating"]


class Seating:
    """The seats of a game, and how many of them are taken when nobody says otherwise."""

    def __init__(self, data: GameData) -> None:
        self._data = data
        self.chosen: int | None = None

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many people can play."""
        return tuple(sorted(int(n) for n in self._data.seats))

    def choose(self, players: int | None) -> None:
        """Say how many people play where nothing else is said; BadOption if that many cannot."""
        if players is not None:
            self.seats(players)
        self.chosen = players

    @property
    def default(self) -> int:
        return self.chosen if self.chosen is not None else max(self.counts, default=1)

    def seats(self, players: int) -> list[list[int]]:
        """Which roles each seat holds, for a number of players."""
        calls.whole(players, "the number of players")
        found = self._data.seats.get(players)
        if found is None:
            counts = " or ".join(map(str, self.counts))
            raise BadOption(f"{self._data.title} is for {counts} players, not {players}")
        return [list(seat) for seat in found]

    def seat_of(self, role: int, players: int) -> int:
        """The seat that holds a role, for a number of players."""
        return next((seat for seat, roles in enumerate(self.seats(players)) if role in roles), role)
