"""Saves: enough to open a position at once, and enough to play it again under other rules.

A save holds the game's id, version and rules hash, options, scenario, players, the seed, the log of choices (by name
and key, never by index) with the outcomes of explicit or scripted chance, and a snapshot of the state.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadSave, RulescriptError
from rulescript.runtime import calls

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["restore", "save"]

FORMAT = 1


def save(position: Position) -> dict[str, Any]:
    game = position.game
    log = [[step.choice, step.key, *([list(step.chance)] if step.chance else [])] for step in position.history()]
    return {
        "format": FORMAT,
        "omniscient": True,
        "game": game.ident,
        "version": game.version,
        "hash": game.rules_hash,
        "options": game.data["options"],
        "scenario": game.data["scenario"],
        "players": position.players,
        "seed": position._seed,
        "journal": position.j is not None,
        "log": log if position.j is not None else None,
        "root": position._root,
        "snapshot": {"state": position.s, "block": position.d, "check": position.state_hash()},
    }


def _tuples(value: Any) -> Any:
    """JSON lists back as tuples, all the way down."""
    if isinstance(value, list):
        return tuple(_tuples(v) for v in value)
    return value


def _makes_sense(value: Any) -> bool:
    """Whether a state can hold this at all: small numbers, texts, nothing, and tuples of them."""
    if isinstance(value, tuple):
        return all(map(_makes_sense, value))
    if isinstance(value, int):
        return value.bit_length() <= _MOST_BITS
    return value is None or isinstance(value, str)


# The largest set of numbers, and of things of a kind, with room to spare.
_MOST_BITS = 8_192


def restore(game: Game, text: str) -> Position:
    """A position from its save; BadSave if it is damaged, of another game, or does not fit these rules."""
    try:
        data = json.loads(calls.text(text, "a save"))
    except (ValueError, RecursionError) as problem:
        raise BadSave(f"this is no save of a game: {problem}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadSave("this is no save of a game, or one of a version this program does not know")
    if data.get("game") != game.ident:
        raise BadSave(f"this is a save of `{data.get('game')}`, not of `{game.ident}`")
    options = data.get("options")
    if not isinstance(options, list) or not all(isinstance(name, str) for name in options):
        raise BadSave("this save is damaged: it does not say which options it was played with")
    if sorted(options) != sorted(game.data["options"]) or data.get("scenario") != game.data["scenario"]:
        chosen = ", ".join(options) or "none"
        raise BadSave(
            f"this save was played with options {chosen} and scenario `{data.get('scenario') or 'none'}`",
            hint="load the game with the same ones",
        )
    try:
        return _restore(game, data)
    except BadSave:
        raise
    except RulescriptError as problem:
        raise BadSave(f"this save is damaged: {problem}") from None
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise BadSave(f"this save is damaged ({type(problem).__name__}: {problem})") from None


def _restore(game: Game, data: dict[str, Any]) -> Position:
    from rulescript.runtime.position import Position

    same = data.get("hash") == game.rules_hash
    log = data.get("log")
    if log is not None and data.get("seed") is not None and data.get("root") is None:
        return _replay(game, data, log, same)
    if not same:
        raise BadSave(
            "the rules have changed since this was saved, and it holds no history that could be played again",
            hint="save positions with journal=True",
        )
    state = [_tuples(v) for v in data["snapshot"]["state"]]
    if len(state) != len(game.data["initial"]):
        raise BadSave("this save is damaged: its state has not the right size")
    if not all(_makes_sense(value) for value in state):
        raise BadSave("this save is damaged: its state has something in it that no game has")
    if game.player_counts:
        game.seats(data["players"])
    position = Position(game, state, data["players"], bool(data.get("journal")))
    # Nothing else would notice a changed number: with a history, playing it again does.
    if data["snapshot"]["check"] != position.state_hash():
        raise BadSave("this save is damaged: its state is not the one that was saved")
    if data.get("seed") is not None:
        calls.whole(data["seed"], "the seed")
    position._seed = data.get("seed")
    position._root = data.get("root")
    if state[0]:
        block = game.code["B"][state[0]] if 0 <= state[0] < len(game.code["B"]) else None
        if block is None:
            raise BadSave("this save is damaged: it goes on nowhere")
        position.run(block)
    _look_at(position)
    return position


def _look_at(position: Position) -> None:
    """Whoever changes a save can also change what tells that it was changed. So all that can be seen of a position is
    looked at once: what makes no sense fails here, and not when somebody plays on."""
    position.outcome  # noqa: B018
    if position.decision is not None:
        for option in position.decision.options:
            str(option)
    for seat in range(len(position.game.seats(position.players))) if position.game.player_counts else ():
        position.view(seat).to_dict()


def _replay(game: Game, data: dict[str, Any], log: list[Any], same: bool) -> Position:
    """Play the log again; under changed rules, say where it no longer fits."""
    position = game.start(data["seed"], players=data["players"])
    for number, entry in enumerate(log, 1):
        choice, key = entry[0], entry[1]
        decision = position.decision
        if decision is None:
            raise BadSave(f"the save diverges at choice {number} ({key}): the game is already over")
        if len(entry) > 2:
            from rulescript.runtime.chance import Script

            position.chance = Script(entry[2])
        found = next((o for o in decision.options if o.key == key), None)
        if found is None or decision.name != choice:
            why = ""
            if decision.name == choice:
                refusal = position.why_not(key)
                why = f": {refusal}"
            raise BadSave(
                f"the save diverges at choice {number}: it has `{choice}: {key}`, but {decision.player} is asked "
                f"for `{decision.name}`{why}"
            )
        position._take(found.raw)
        position.chance = None
    if same:
        snapshot = [_tuples(v) for v in data["snapshot"]["state"]]
        if snapshot != position.s:
            raise BadSave("this save is damaged: its choices do not lead to its state")
    return position
