"""What a raw state says, by the names that the rules give it: its states and places, its phase, who is ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.errors import NoSuchName, RulescriptError
from rulescript.machine import effort
from rulescript.runtime.failures import locate, play_error

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["phase_of", "standing_of", "value_names", "value_of"]


def value_of(game: Game, state: list[Any], name: str) -> Any:
    """A state or place by its name."""
    owner, _, field = calls.text(name, "the name of a state or place").rpartition(".")
    for entry in game.data.states:
        if entry.name == name and not entry.kind:
            return game.values.name(state[entry.slot], entry.type)
        if entry.name == field and owner and entry.kind and owner in game.data.kinds[entry.kind].names:
            index = game.data.kinds[entry.kind].names.index(owner)
            return game.values.name(game.values.state(state, entry, index), entry.type)
    for slot in game.values.places:
        if game.values.place_name(slot) == name:
            return dict(game.values.contents(state, slot))
    from rulescript.diagnostics.spelling import spelling_hint

    hint = spelling_hint(name, value_names(game))
    raise NoSuchName(f"there is no state or place `{name[:80]}`", hint=hint)


def value_names(game: Game) -> list[str]:
    """The names of all states and places."""
    out = [game.values.place_name(slot) for slot in game.values.places]
    for entry in game.data.states:
        owners = game.data.kinds[entry.kind].names if entry.kind else [""]
        out += [f"{owner}.{entry.name}" if owner else str(entry.name) for owner in owners]
    return out


def phase_of(game: Game, state: list[Any]) -> str:
    """The phase that play is in."""
    return str(game.data.phases[state[4]]) if 0 <= state[4] < len(game.data.phases) else ""


def standing_of(game: Game, state: list[Any]) -> dict[str, int]:
    """How far ahead each player is in a raw state; empty if the game has no `standing`."""
    if game.data.standing is None or "standing" not in game.code:
        return {}
    effort.WORK.done = 0
    try:
        return dict(zip(game.player_names, game.code["standing"](state), strict=True))
    except RulescriptError as problem:
        locate(game, problem)
        raise
    except Exception as problem:
        raise play_error(game, problem) from problem
