"""Saves: enough to open a position at once, and enough to play it again under other rules.

A save holds the game's id, version and rules hash, options, scenario, players, the seed, where chance comes from, the
log of choices (by name and key, never by index) with the outcomes of any chance that the seed does not tell, and a
snapshot of the state.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadSave, RulescriptError
from rulescript.runtime import calls
from rulescript.runtime.chance import Explicit, Script, Secure
from rulescript.runtime.sparse import heap, sparse_slots
from rulescript.runtime.support import BITS
from rulescript.runtime.unsettled import Unsettled, members

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["begun", "restore", "save", "saved_text", "take_logged"]

FORMAT = 1


def saved_text(position: Position) -> str:
    return json.dumps(save(position), separators=(",", ":"), sort_keys=True, default=_plain)


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
        "chance": _chance_of(position),
        **({"ahead": position.chance.ahead} if isinstance(position.chance, Secure) and position.chance.ahead else {}),
        "ask": position.ask,
        "journal": position.j is not None,
        "opening": list(position._drawn),
        "log": log if position.j is not None else None,
        "pending": _pending_of(position),
        "root": position._root,
        "snapshot": {"state": position.known_state(), "block": position.d, "check": position.state_hash()},
    }


def _chance_of(position: Position) -> Any:
    """Where chance comes from: null (the seed), "explicit", "secure", or what is left of a script."""
    if isinstance(position.chance, Script):
        return [said for said in position.chance.unused if not callable(said)]
    return position.chance.name or None if position.chance is not None else None


def _pending_of(position: Position) -> list[Any] | None:
    """The choice that waits for chance, with what came out so far; before the first choice, its name is empty."""
    pending = position._pending
    if pending is None:
        return None
    if pending.is_opening:
        return ["", "", list(pending.outcomes)]
    option = position.game.option(position.d, pending.raw, position.s)
    return [position.game.data["decisions"][position.d]["choice"], option.key, list(pending.outcomes)]


def _plain(value: Any) -> Any:
    """What JSON does not know: a pile in an order that is still open."""
    if isinstance(value, Unsettled):
        return {"unsettled": value.groups}
    raise TypeError(type(value).__name__)


def _tuples(value: Any) -> Any:
    """JSON lists back as tuples, all the way down."""
    if isinstance(value, list):
        return tuple(_tuples(v) for v in value)
    if isinstance(value, dict) and list(value) == ["unsettled"]:
        return Unsettled(value["unsettled"])
    return value


def _makes_sense(value: Any) -> bool:
    """Whether a state can hold this at all: small numbers, texts, nothing, and tuples of them."""
    if isinstance(value, Unsettled):
        value = value.members
    if isinstance(value, tuple):
        return all(map(_makes_sense, value))
    if isinstance(value, int):
        return value.bit_length() <= _MOST_BITS
    return value is None or isinstance(value, str)


def _pile(game: Game, slot: int, value: Any) -> Any:
    """The pieces of a place that has no counters for them."""
    codes = game.data["kinds"][game.values.places[slot][0]["kind"]]["codes"]
    if value and (heap(value) != value or any(not 0 <= code < codes or count <= 0 for code, count in value)):
        raise BadSave("this save is damaged: a place has something in it that no place has")
    return heap(value) if value else 0


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
    same = data.get("hash") == game.rules_hash
    log = data.get("log")
    if log is not None and data.get("seed") is not None and data.get("root") is None:
        return _replay(game, data, log, same)
    if not same:
        raise BadSave(
            "the rules have changed since this was saved, and it holds no history that could be played again",
            hint="save positions with journal=True",
        )
    return _from_snapshot(game, data)


def _from_snapshot(game: Game, data: dict[str, Any]) -> Position:
    """The position as it was saved, without what led to it."""
    from rulescript.runtime.position import Position

    state = [_tuples(v) for v in data["snapshot"]["state"]]
    if len(state) != len(game.data["initial"]):
        raise BadSave("this save is damaged: its state has not the right size")
    if not all(_makes_sense(value) for value in state):
        raise BadSave("this save is damaged: its state has something in it that no game has")
    for slot in sparse_slots(game.data):
        state[slot] = _pile(game, slot, state[slot])
    if game.player_counts:
        game.seats(data["players"])
    position = Position(game, state, data["players"], bool(data.get("journal")))
    if data.get("seed") is not None:
        calls.whole(data["seed"], "the seed")
    position._seed = data.get("seed")
    position._root = data.get("root")
    position.ask = data.get("ask") is True
    position.chance = _chance_from(data)
    if state[0]:
        block = game.code["B"][state[0]] if 0 <= state[0] < len(game.code["B"]) else None
        if block is None:
            raise BadSave("this save is damaged: it goes on nowhere")
        position.run(block)
    _go_on_waiting(position, data)
    _come_again(position, data)
    # Nothing else would notice a changed number: with a history, playing it again does.
    if data["snapshot"]["check"] != position.state_hash():
        raise BadSave("this save is damaged: its state is not the one that was saved")
    _conserved(game, position.s)
    if position.outcome is None and position._pending is None and not (position.d and position.o):
        raise BadSave("this save is damaged: nobody can do anything, and the game is not over")
    _look_at(position)
    _warn_of_invariants(position)
    return position


def _conserved(game: Game, state: list[Any]) -> None:
    """Nothing appears or vanishes in play, and every single thing is in one place, which knows it."""
    values = game.values
    if _counted(game, state) != _counted(game, game.data["initial"]):
        raise BadSave("this save is damaged: it has not the pieces of the game")
    found: dict[tuple[str, int], int] = {}
    for slot, (holds, _) in values.places.items():
        info = values.kinds[holds["kind"]]
        if info["pieces"]:
            continue
        for thing in members(state[slot]) if holds["ordered"] else BITS[state[slot]]:
            if not 0 <= thing < len(info["names"]) or (holds["kind"], thing) in found:
                raise BadSave("this save is damaged: one thing is in two places, or is none of the game's")
            found[holds["kind"], thing] = slot
    for kind, info in values.kinds.items():
        if info["loc"] >= 0:
            for thing in range(len(info["names"])):
                if found.get((kind, thing), -1) != state[info["loc"] + thing]:
                    raise BadSave("this save is damaged: a thing is not in the place where it should be")


def _counted(game: Game, state: list[Any]) -> dict[tuple[str, int], int]:
    """How many pieces there are of each type."""
    values = game.values
    out: dict[tuple[str, int], int] = {}
    for slot, (holds, _) in values.places.items():
        info = values.kinds[holds["kind"]]
        if not info["pieces"]:
            continue
        if isinstance(state[slot], int) and state[slot] < 0:
            raise BadSave("this save is damaged: there are fewer than no pieces in a place")
        for code, number in values.pile(holds["kind"], state[slot]):
            if code >= info["codes"]:
                raise BadSave("this save is damaged: it has pieces of a type that does not exist")
            key = (holds["kind"], code % info["types"])
            out[key] = out.get(key, 0) + number
    return out


def _warn_of_invariants(position: Position) -> None:
    """A position that breaks an invariant may be a fault of the rules: it opens, with a warning."""
    for at in position.game.check_invariants(position, "decision"):
        name = position.game.data["invariants"][at]["title"]
        warnings.warn(f"this save breaks an invariant of its game: {name}", stacklevel=2)


def _look_at(position: Position) -> None:
    """Whoever changes a save can also change what tells that it was changed. So all that can be seen of a position is
    looked at once: what makes no sense fails here, and not when somebody plays on."""
    position.outcome  # noqa: B018
    if position.decision is not None:
        for option in position.decision.options:
            str(option)
    for seat in range(len(position.game.seats(position.players))) if position.game.player_counts else ():
        position.view(seat).to_dict()


# ------------------------------------------------------------------ playing a log again


def _chance_from(data: dict[str, Any]) -> Any:
    """Where chance comes from after the log was played."""
    said = data.get("chance")
    if said is None:
        return None
    if said in (Explicit.name, Secure.name):
        return Explicit() if said == Explicit.name else Secure()
    if not isinstance(said, list):
        raise BadSave("this save is damaged: it does not say where chance comes from")
    return Script(said)


def begun(game: Game, data: dict[str, Any]) -> Position:
    """The game of a save, before its first choice."""
    outcomes = data.get("opening") or []
    if not isinstance(outcomes, list):
        raise BadSave("this save is damaged: what came out before its first choice is no list")
    is_explicit = data.get("chance") == Explicit.name
    chance = Explicit() if is_explicit else Script(outcomes) if outcomes else None
    position = game.begin(data["seed"], data["players"], True, chance, data.get("ask") is True, outcomes)
    _all_used(position, outcomes)
    position.chance = _chance_from(data)
    return position


def take_logged(position: Position, raw: Any, outcomes: Sequence[Any]) -> None:
    """Take an answer of a log with the outcomes that came of it."""
    chance = position.chance
    if not isinstance(outcomes, list):
        raise BadSave("this save is damaged: what came out of a choice is no list")
    if isinstance(chance, Secure):
        chance.is_closed = True
        try:
            position.go(raw, outcomes)
        finally:
            chance.is_closed = position.chance.is_closed = False
        _all_used(position, outcomes)
        return
    if not isinstance(chance, Explicit):
        position.chance = Script(outcomes) if outcomes else None
    try:
        position.go(raw, outcomes)
        _all_used(position, outcomes)
    finally:
        position.chance = chance


def _all_used(position: Position, outcomes: Sequence[Any]) -> None:
    """More outcomes than the rules asked for are those of another game."""
    chance, waiting = position.chance, position._pending
    used = len(waiting.outcomes) if waiting is not None else chance.used if chance is not None else 0
    if used < len(outcomes):
        raise BadSave("the save diverges: more came out of chance than the rules ask for")


def _come_again(position: Position, data: dict[str, Any]) -> None:
    """What comes again, since decisions were taken back before this was saved."""
    ahead = data.get("ahead")
    if ahead is None:
        return
    whole = isinstance(ahead, list) and all(type(number) is int and 0 <= number < 1 << 64 for number in ahead)
    if not whole or not isinstance(position.chance, Secure):
        raise BadSave("this save is damaged: it does not say where chance comes from")
    position.chance.ahead = ahead


def _go_on_waiting(position: Position, data: dict[str, Any]) -> None:
    """Take the choice that waited for chance when it was saved."""
    pending = data.get("pending")
    if pending is None:
        return
    choice, key, outcomes = pending
    if not isinstance(position.chance, Explicit) or not isinstance(outcomes, list):
        raise BadSave("this save is damaged: it waits for what chance has settled")
    if choice or key:
        position.go(_logged_raw(position, choice, key, "its last choice"), outcomes)
    else:
        position.go(None, outcomes, is_opening=True)
    _all_used(position, outcomes)
    if position._pending is None:
        raise BadSave("the save diverges: nothing waits for chance where it was saved")


def _logged_raw(position: Position, choice: str, key: str, which: str) -> Any:
    """The option a log has; BadSave says why it is none."""
    decision = position.decision
    if decision is None:
        raise BadSave(f"the save diverges at {which} ({key}): the game is already over")
    if position._pending is not None:
        raise BadSave(f"the save diverges at {which} ({key}): the rules ask for more of chance than it has")
    found = next((o for o in decision.options if o.key == key), None)
    if found is not None and decision.name == choice:
        return found.raw
    why = f": {position.why_not(key)}" if decision.name == choice else ""
    raise BadSave(
        f"the save diverges at {which}: it has `{choice}: {key}`, but {decision.player} is asked "
        f"for `{decision.name}`{why}"
    )


def _replay(game: Game, data: dict[str, Any], log: list[Any], same: bool) -> Position:
    """Play the log again; under changed rules, say where it no longer fits."""
    position = begun(game, data)
    for number, entry in enumerate(log, 1):
        choice, key = entry[0], entry[1]
        raw = _logged_raw(position, choice, key, f"choice {number}")
        take_logged(position, raw, entry[2] if len(entry) > 2 else [])
    _go_on_waiting(position, data)
    if position._pending is not None and data.get("pending") is None:
        raise BadSave("the save diverges at its end: the rules ask for more of chance than it has")
    _come_again(position, data)
    if same:
        snapshot = [_tuples(v) for v in data["snapshot"]["state"]]
        for slot in game.passing:
            snapshot[slot] = None
        if snapshot != position.known_state():
            raise BadSave("this save is damaged: its choices do not lead to its state")
    return position
