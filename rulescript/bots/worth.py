"""What a state is worth to a seat: how the game ended, or, while it goes on, what can be said of it.

Two things can be said of any game. Its own `standing` tells how far ahead each player is. And what a side has on the
map tells how it will fare from here: a piece that is gone takes no more places, and the standing of a game that only
counts places notices that too late. So a state that is no end is compared with the one the bot has to decide in:
the change of its lead and the change of its share of what lies on the map, each against how much it usually changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.game_data import are_partners
from rulescript.machine.tables import BITS
from rulescript.runtime.readings import standing_of

if TYPE_CHECKING:
    from rulescript.game_data import KindInfo
    from rulescript.runtime.game import Game

__all__ = ["Worth", "score_of"]

# How far from an even game a state that is no end can be: never as good as a win.
MOST = 0.4


def lead_of(numbers: Sequence[int], own: Iterable[int]) -> float:
    """How far some roles are ahead of the others. Of the others on average: partners stand alike, and a partner in
    another seat is among them."""
    mine = set(own)
    others = [number for role, number in enumerate(numbers) if role not in mine]
    best = max((numbers[role] for role in mine), default=0)
    return best - sum(others) / len(others) if others else best


def score_of(game: Game, state: Sequence[Any], roles: Iterable[int]) -> float:
    """What an ending is worth to a seat: 1 for a win, 0 for a loss, 0.5 for a draw or a game that goes on; where the
    game says who is ahead, a bit more or less than that."""
    own = set(roles)
    found = ending_of(game, state[2], own)
    if found is None:
        numbers = list(standing_of(game, list(state)).values())
        lead = lead_of(numbers, own) if numbers else 0
        return 0.5 + MOST * lead / (abs(lead) + 4)
    return found


def ending_of(game: Game, outcome: Any, own: set[int]) -> float | None:
    """1 for a win, 0 for a loss, 0.5 for a draw; None while the game goes on."""
    if outcome is None:
        return None
    kind, winners, drawn, _, _ = outcome
    if drawn or not winners:
        return 0.5
    players = game.data.players
    if kind == players:
        return 1.0 if own & set(winners) else 0.0
    # The winner is something else, say an alliance: ours if one of our roles belongs to it.
    info = game.data.kinds[players]
    for name, type_ in info.attr_types.items():
        if type_ == ["thing", kind]:
            return 1.0 if any(info.attrs[name][role] in winners for role in own) else 0.0
    return 0.5


# ---- on the map --------------------------------------------------------------------------------------------


def owners_of(game: Game, info: KindInfo, depth: int = 3) -> list[frozenset[int]]:
    """For each thing of a kind, or type of its pieces: the roles it belongs to, by what its attributes say."""
    data = game.data
    count = len(info.names)
    found: list[frozenset[int]] = [frozenset()] * count
    for name, type_ in info.attr_types.items():
        kind = type_[1] if type_[0] == "thing" else None
        if kind is None or name not in info.attrs:
            continue
        if kind == data.players:
            each: list[frozenset[int]] = [frozenset([role]) for role in range(len(data.kinds[kind].names))]
        else:
            each = _members_of(game, kind) or (owners_of(game, data.kinds[kind], depth - 1) if depth else [])
        if any(each):
            values = info.attrs[name]
            told = [each[value] if value is not None else frozenset() for value in values]
            # What names fewer roles says more of whose it is.
            both = zip(found, told, strict=True)
            found = [new if new and (not old or len(new) < len(old)) else old for old, new in both]
    return found


def _members_of(game: Game, kind: str) -> list[frozenset[int]]:
    """The roles that belong to each thing of a kind, such as alliances; nothing if roles have no such thing."""
    info = game.data.kinds[game.data.players]
    for name, type_ in info.attr_types.items():
        if type_ == ["thing", kind] and kind != game.data.players:
            values = info.attrs[name]
            return [
                frozenset(role for role, value in enumerate(values) if value == thing)
                for thing in range(len(game.data.kinds[kind].names))
            ]
    return []


class Presence:
    """How much each role has on the map: pieces and things in places of what is linked, and what those hold."""

    def __init__(self, game: Game) -> None:
        data = game.data
        self.game = game
        self._owners = {}
        for name, info in data.kinds.items():
            if (info.is_pieces or info.loc >= 0) and data.players:
                owners = owners_of(game, info)
                if any(owners) and len(set(owners)) > 1:
                    self._owners[name] = owners
        # Places of the map, and places of things that may lie on it, each with whose it is.
        self._on_map: list[tuple[str, range]] = []
        self._carried: list[tuple[str, int, int, int]] = []
        map_slots: set[int] = set()
        for holds in data.holds:
            if holds.owner and data.kinds[holds.owner].links:
                map_slots.update(range(holds.slot, holds.slot + holds.size))
                if holds.kind in self._owners:
                    self._on_map.append((holds.kind, range(holds.slot, holds.slot + holds.size)))
        for holds in data.holds:
            if holds.owner and holds.kind in self._owners and data.kinds[holds.owner].loc >= 0:
                self._carried.append((holds.kind, holds.slot, data.kinds[holds.owner].loc, holds.size))
        self._map_slots = frozenset(map_slots)
        self._counted: dict[str, dict[Any, list[float]]] = {kind: {} for kind in self._owners}
        self._roles = len(game.player_names)

    @property
    def is_any(self) -> bool:
        return bool(self._on_map)

    def of(self, state: Sequence[Any]) -> list[float]:
        """A number for each role."""
        out = [0.0] * self._roles
        for kind, slots in self._on_map:
            counted = self._counted[kind]
            for held in state[slots.start : slots.stop]:
                if held:
                    found = counted.get(held)
                    if found is None:
                        found = self._count(kind, held)
                    for role, number in enumerate(found):
                        out[role] += number
        for kind, slot, loc, size in self._carried:
            counted = self._counted[kind]
            for at in range(size):
                held = state[slot + at]
                if held and state[loc + at] in self._map_slots:
                    found = counted.get(held)
                    if found is None:
                        found = self._count(kind, held)
                    for role, number in enumerate(found):
                        out[role] += number
        return out

    def _count(self, kind: str, held: Any) -> list[float]:
        info = self.game.data.kinds[kind]
        owners = self._owners[kind]
        out = [0.0] * self._roles
        if info.is_pieces:
            items = [(code % info.types, count) for code, count in self.game.values.pile(kind, held)]
        else:
            items = [(thing, 1) for thing in (BITS[held] if isinstance(held, int) else held)]
        for at, count in items:
            for role in owners[at]:
                out[role] += count / len(owners[at])
        counted = self._counted[kind]
        if len(counted) > 20_000:
            counted.clear()
        counted[held] = out
        return out


# ---- of a state in a search --------------------------------------------------------------------------------


class Worth:
    """What states are worth to some roles, seen from one state.

    `spread` are how much lead and presence usually change, which the bot learns while it plays."""

    def __init__(self, game: Game, roles: Sequence[int], presence: Presence, weight: float = 0.3) -> None:
        self.game = game
        self.own = set(roles)
        self.presence = presence
        self.weight = weight if presence.is_any else 0.0
        self._standing = game.code["standing"] if game.data.standing is not None and "standing" in game.code else None
        if self._standing is None and presence.is_any:
            self.weight = 1.0
        self.sums = [0.0, 0.0]
        self.seen = 0
        self.spread = [1.0, 1.0]
        self.base = (0.0, 0.0)
        self.allies = self.own

    def look_from(self, state: list[Any]) -> None:
        """From now on changes are those since this state."""
        if self._standing is not None:
            numbers = self._standing(state)
            mine = max((numbers[role] for role in self.own), default=0)
            alike = [role for role, number in enumerate(numbers) if number == mine]
            self.allies = self.own | {
                role for role in alike if any(are_partners(self.game.data, role, own) for own in self.own)
            }
        self.base = self._measured(state)
        if self.seen >= 8:
            self.spread = [max(1e-6, total / self.seen) for total in self.sums]
            if self.seen > 2_000:
                self.sums = [total / 2 for total in self.sums]
                self.seen //= 2

    def _measured(self, state: Sequence[Any]) -> tuple[float, float]:
        lead = 0.0
        if self._standing is not None:
            lead = lead_of(self._standing(state), self.own)
        share = 0.0
        if self.weight:
            numbers = self.presence.of(state)
            mine = sum(number for role, number in enumerate(numbers) if role in self.allies)
            share = 2 * mine - sum(numbers)
        return lead, share

    def of(self, state: Sequence[Any]) -> float:
        found = ending_of(self.game, state[2], self.own)
        if found is not None:
            return found
        lead, share = self._measured(state)
        lead -= self.base[0]
        share -= self.base[1]
        sums = self.sums
        sums[0] += abs(lead)
        sums[1] += abs(share)
        self.seen += 1
        changed = lead / self.spread[0] * (1.0 if self._standing is not None else 0.0)
        if self.weight:
            changed += self.weight * share / self.spread[1]
        return 0.5 + MOST * math.tanh(changed / 3.0)
