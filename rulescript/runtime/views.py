"""What one player may see. Levels: hidden, nonempty, count, order, visible.

A place says who sees it at which level; a role that holds the thing or is named sees what it is given; others see
what `others` are given. A person in a seat sees what any of the roles in that seat may see.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadChoice
from rulescript.runtime.support import BITS

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["View", "is_hidden", "level_of", "role_of"]

LEVELS = {"hidden": 0, "nonempty": 1, "count": 2, "order": 3, "top": 4, "visible": 5}


def role_of(position: Position, who: str | int) -> int:
    """The number of a role by its name or label."""
    game = position.game
    if isinstance(who, int):
        roles = game.seats(position.players)
        if not 0 <= who < len(roles):
            raise BadChoice(f"there is no seat {who}")
        return roles[who][0]
    for i, name in enumerate(game.player_names):
        labels = game.data["kinds"][game.data["players"]]["labels"]
        if who in (name, labels[i]) or who.replace(" ", "_") == name:
            return i
    raise BadChoice(f"there is no player `{who}`; there are {', '.join(game.player_names)}")


def level_of(game: Game, state: list[Any], slot: int, viewer: int) -> str:
    """How much of a place a role sees."""
    holds, owner = game.values.places[slot]
    at = game.data["holds"].index(holds)
    return str(game.code["SEE"][at](state, viewer, owner))


def is_hidden(game: Game, state: list[Any], kind: str, value: int, roles: list[int]) -> bool:
    """Whether a thing or piece lies face down for all of these roles."""
    hides = game.code["HIDE"].get(kind)
    return hides is not None and all(hides(state, value, role) for role in roles)


def _summed(contents: list[tuple[str, int]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for name, count in contents:
        out[name] = out.get(name, 0) + count
    return out


class View:
    """A position as one role, or the person in one seat, may see it."""

    def __init__(self, position: Position, who: str | int) -> None:
        self._position = position
        if isinstance(who, int):
            role_of(position, who)
            self.roles = position.game.seats(position.players)[who]
        else:
            self.roles = [role_of(position, who)]
        self.who = who

    def level(self, slot: int) -> str:
        levels = [level_of(self._position.game, self._position.s, slot, role) for role in self.roles]
        return max(levels, key=lambda level: LEVELS[level])

    def places(self) -> dict[str, Any]:
        """Every place that may be looked at: counts by name, a list where it is ordered, a number, or nothing."""
        game, S = self._position.game, self._position.s
        out: dict[str, Any] = {}
        for slot, (holds, _) in game.values.places.items():
            level = self.level(slot)
            count = game.values.count(S, slot)
            if level == "visible" or (level == "order" and holds["ordered"]):
                contents = self._known(slot, holds)
                seen: Any = [name for name, _ in contents] if holds["ordered"] else _summed(contents)
                if level == "order":
                    seen = len(seen)
            elif level in ("count", "order"):
                seen = count
            elif level == "nonempty":
                seen = count > 0
            else:
                continue
            out[game.values.place_name(slot)] = seen
        return out

    def _known(self, slot: int, holds: dict[str, Any]) -> list[tuple[str, int]]:
        """What lies in a place one may look at; what lies face down is only told by its kind."""
        game, S = self._position.game, self._position.s
        kind = holds["kind"]
        if kind not in game.code["HIDE"]:
            return game.values.contents(S, slot)
        if game.data["kinds"][kind]["pieces"]:
            items = [(slot << 16 | code, count) for code, count in game.values.pile(kind, S[slot])]
            names = [(game.values.piece_name(kind, ref & 65535), ref, count) for ref, count in items]
        else:
            held = S[slot] if holds["ordered"] else BITS[S[slot]]
            names = [(game.data["kinds"][kind]["names"][i], i, 1) for i in held]
        return [
            (f"unknown {kind}" if is_hidden(game, S, kind, ref, self.roles) else name, count)
            for name, ref, count in names
        ]

    def states(self) -> dict[str, Any]:
        game, S = self._position.game, self._position.s
        out: dict[str, Any] = {}
        for entry in game.data["states"]:
            if entry["hidden"]:
                continue
            if not entry["kind"]:
                out[entry["name"]] = game.values.name(S[entry["slot"]], entry["type"])
                continue
            for i, name in enumerate(game.data["kinds"][entry["kind"]]["names"]):
                out[f"{name}.{entry['name']}"] = game.values.name(game.values.state(S, entry, i), entry["type"])
        return out

    def to_dict(self) -> dict[str, Any]:
        position = self._position
        decision = position.decision
        out: dict[str, Any] = {
            "game": position.game.ident,
            "viewer": self.who,
            "phase": position.phase,
            "states": self.states(),
            "places": self.places(),
            "over": position.is_over,
            "outcome": str(position.outcome) if position.outcome is not None else None,
            "decision": None,
        }
        if decision is not None:
            mine = decision.player_index in self.roles
            out["decision"] = {"player": decision.player, "prompt": decision.prompt if mine else decision.name}
            if mine:
                out["decision"]["options"] = [{"key": o.key, "text": o.text} for o in decision.options]
        return out

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True)

    @property
    def journal(self) -> Any:
        from rulescript.runtime.journal import Journal

        return Journal(self._position, self.roles[0])
