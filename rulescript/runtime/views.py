"""What one player may see. Levels: hidden, nonempty, count, order, top (of a pile: its first, and how many), visible.

A place says who sees it at which level; a role that holds the thing or is named sees what it is given; others see
what `others` are given. A person in a seat sees what any of the roles in that seat may see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadChoice
from rulescript.runtime import calls
from rulescript.runtime.support import BITS
from rulescript.runtime.unsettled import members, top_of

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["View", "back_of", "is_hidden", "knows", "level_of", "role_of", "said"]

LEVELS = {"hidden": 0, "nonempty": 1, "count": 2, "order": 3, "top": 4, "visible": 5}


def role_of(position: Position, who: str | int) -> int:
    """The number of a role by its name or label."""
    game = position.game
    if not isinstance(who, str):
        calls.whole(who, "a player, if not given by name,")
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
    at, owner = game.values.place_index[slot]
    return str(game.code["SEE"][at](state, viewer, owner))


def is_hidden(game: Game, state: list[Any], kind: str, value: int, roles: list[int]) -> bool:
    """Whether a thing or piece lies face down for all of these roles."""
    hides = game.code["HIDE"].get(kind)
    return hides is not None and all(hides(state, value, role) for role in roles)


def knows(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> bool:
    """Whether one of these roles may know which thing or piece this is, by where and how it lies."""
    info = game.data["kinds"][kind]
    slot = value >> game.values.shift if info["pieces"] else state[info["loc"] + value] if info["loc"] >= 0 else -1
    hides = game.code["HIDE"].get(kind)
    for role in roles:
        level = level_of(game, state, slot, role) if slot >= 0 else "visible"
        if level == "visible" or (level == "top" and top_of(state[slot]) == value):
            if hides is None or not hides(state, value, role):
                return True
    return False


def back_of(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> str:
    """What to call a thing or piece that none of these roles may know: by what its back shows, where it lies in
    sight."""
    info = game.data["kinds"][kind]
    slot = value >> game.values.shift if info["pieces"] else state[info["loc"] + value] if info["loc"] >= 0 else -1
    in_sight = slot < 0 or any(level_of(game, state, slot, role) == "visible" for role in roles)
    if "backs" not in info or not in_sight:
        return f"unknown {kind}"
    return str(info["backs"][(value & game.values.low) % info["types"] if info["pieces"] else value])


def said(game: Game, state: list[Any], value: Any, type_: Any, roles: Sequence[int]) -> str:
    """A value by its names, as some roles may know it: what they may not know is only told by its kind."""
    match type_:
        case ["thing" | "piece", kind]:
            if knows(game, state, kind, value, roles):
                return game.values.name(value, type_)
            return back_of(game, state, kind, value, roles)
        case ["maybe", inner] if value is not None:
            return said(game, state, value, inner, roles)
        case ["set", ["thing", _] as inner]:
            return "{" + ", ".join(sorted(said(game, state, i, inner, roles) for i in BITS[value])) + "}"
        case ["list", [_, _] as inner]:
            return "[" + ", ".join(said(game, state, i, inner, roles) for i in value) + "]"
    return game.values.name(value, type_)


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
            if level == "visible" or (level == "top" and holds["ordered"]):
                contents = self._known(slot, holds)
                seen: Any = [name for name, _ in contents] if holds["ordered"] else _summed(contents)
                if level == "top":
                    seen = [name if at == 0 else f"unknown {holds['kind']}" for at, name in enumerate(seen)]
            elif level in ("count", "order", "top"):
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
        shown = game.data["kinds"][kind]["shown"]
        if game.data["kinds"][kind]["pieces"]:
            items = [(slot << game.values.shift | code, count) for code, count in game.values.pile(kind, S[slot])]
            names = [(game.values.piece_name(kind, ref & game.values.low), ref, count) for ref, count in items]
        else:
            held = members(S[slot]) if holds["ordered"] else BITS[S[slot]]
            names = [(shown[i], i, 1) for i in held]
        return [
            (back_of(game, S, kind, ref, self.roles) if is_hidden(game, S, kind, ref, self.roles) else name, count)
            for name, ref, count in names
        ]

    def states(self) -> dict[str, Any]:
        game, S = self._position.game, self._position.s
        out: dict[str, Any] = {}
        for entry in game.data["states"]:
            if entry["hidden"]:
                continue
            if not entry["kind"]:
                out[entry["name"]] = said(game, S, S[entry["slot"]], entry["type"], self.roles)
                continue
            info = game.data["kinds"][entry["kind"]]
            for i, name in enumerate(info["names"]):
                if info["loc"] >= 0 and not knows(game, S, entry["kind"], i, self.roles):
                    continue
                out[f"{name}.{entry['name']}"] = said(
                    game, S, game.values.state(S, entry, i), entry["type"], self.roles
                )
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

        return Journal(self._position, self.roles)
