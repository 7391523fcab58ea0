"""What a seat remembers: things it has seen go where it may not look.

A card that was played for all to see and then put into a closed pile is still in that pile, until something that the
seat could not tell has left it: from then on it may have been this card. Events say who could tell what (`Seen` in
runtime/events.py); nothing else is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.runtime.events import Seen

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Memory"]

# So many decisions are gone through when a bot sits down to a game that was begun without it.
LONGEST = 2_000


class Memory:
    """Where each thing lies that some roles could tell and have not lost sight of since: (kind, thing) -> place."""

    def __init__(self, game: Game, roles: Sequence[int]) -> None:
        self.game = game
        self.places: dict[tuple[str, int], int] = {}
        self._mine = sum(1 << role for role in roles)
        self._tip: Any = None
        kinds = {holds.kind for holds in game.data.holds if holds.is_restricted} | set(game.code["HIDE"])
        self._kinds = {kind for kind in kinds if game.data.kinds[kind].loc >= 0}

    def follow(self, position: Position) -> None:
        """Go through what happened since the last time, or, in another game, from its beginning."""
        if not self._kinds or position.j is None:
            self.places.clear()
            return
        steps: list[Any] = []
        here = position._tip
        while here is not None and here is not self._tip and len(steps) < LONGEST:
            steps.append(here)
            here = here.parent
        if here is not self._tip or self._tip is None:
            self.places.clear()
        if here is None:
            self._see(position._opening)
        for step in reversed(steps):
            self._see(step.events)
        self._tip = position._tip

    def _see(self, events: Iterable[tuple[Any, ...]]) -> None:
        sites = self.game.data.sites
        for event in events:
            sort, _, _, _, extra = sites[event[0]]
            if sort not in ("move", "draw") or extra[0] not in self._kinds:
                continue
            kind, items, source, target = extra[0], event[1], event[2], event[3]
            seen = event[-1] if isinstance(event[-1], Seen) else None
            for at, item in enumerate(items):
                if seen is None or seen[at] & self._mine:
                    if seen is None or seen.ends[1] & self._mine:
                        self.places[kind, item] = target
                    else:
                        self.places.pop((kind, item), None)
                    continue
                lost = [thing for thing, place in self.places.items() if place == source and thing[0] == kind]
                for thing in lost:
                    del self.places[thing]
                self.places.pop((kind, item), None)
