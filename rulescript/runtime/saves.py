"""Saves: enough to open a position at once, and enough to play it again under other rules.

A save holds the game's id, version and rules hash, options, scenario, players, the seed, where chance comes from, the
log of choices (by name and key, never by index) with the outcomes of any chance that the seed does not tell, and a
snapshot of the state. What each of these may be is in `save_schema.py`; here they are held against the rules.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript import calls
from rulescript.errors import BadSave, RulescriptError
from rulescript.machine.sparse import heap, sparse_slots
from rulescript.machine.tables import BITS
from rulescript.machine.unsettled import Unsettled, members
from rulescript.runtime.chance import Explicit, Script, Secure
from rulescript.runtime.plain_steps import step_plainly
from rulescript.runtime.save_schema import FORMAT, Saved, saved_from_text
from rulescript.runtime.state_types import misfit

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["begun", "check_game", "opened", "restore", "save", "saved_text", "take_logged"]


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
        "options": game.data.options,
        "scenario": game.data.scenario,
        "players": position.players,
        "seed": position._origin.seed,
        "chance": _chance_of(position),
        **({"ahead": position.chance.ahead} if isinstance(position.chance, Secure) and position.chance.ahead else {}),
        "ask": position.ask,
        "journal": position.j is not None,
        "opening": list(position._origin.drawn),
        "log": log if position.j is not None and position._origin.seed is not None else None,
        "pending": _pending_of(position),
        "root": None,
        "snapshot": {
            "state": position.known_state(),
            "block": position.d,
            "check": position.state_hash(),
            "layout": game.data.layout,
        },
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
    return [position.game.data.decisions[position.d].choice, option.key, list(pending.outcomes)]


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
    codes = game.data.kinds[game.values.places[slot][0].kind].codes
    if value and (heap(value) != value or any(not 0 <= code < codes or count <= 0 for code, count in value)):
        raise BadSave("this save is damaged: a place has something in it that no place has")
    return heap(value) if value else 0


# The largest set of numbers, and of things of a kind, with room to spare.
_MOST_BITS = 8_192


def restore(game: Game, text: str) -> Position:
    """A position from its save; BadSave if it is damaged, of another game, or does not fit these rules."""
    return opened(game, saved_from_text(calls.text(text, "a save")))


def opened(game: Game, saved: Saved) -> Position:
    """The position of a save whose fields have been looked at."""
    check_game(game, saved)
    try:
        return _restore(game, saved)
    except BadSave:
        raise
    except RulescriptError as problem:
        where = "snapshot" if saved.log is None else "log"
        raise BadSave(f"this save is damaged: its `{where}` does not fit the rules: {problem}", field=where) from None
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        message = f"this save is damaged: its `snapshot` cannot be understood ({type(problem).__name__}: {problem})"
        raise BadSave(message, field="snapshot") from None


def check_game(game: Game, saved: Saved) -> None:
    """BadSave if this is no save of this game, with these options, this scenario and a number of players it has."""
    if saved.game != game.ident:
        raise BadSave(f"this is a save of `{saved.game}`, not of `{game.ident}`", field="game")
    is_same_options = sorted(saved.options) == sorted(game.data.options)
    if not is_same_options or saved.scenario != game.data.scenario:
        chosen = ", ".join(saved.options) or "none"
        raise BadSave(
            f"this save was played with options {chosen} and scenario `{saved.scenario or 'none'}`",
            hint="load the game with the same ones",
            field="scenario" if is_same_options else "options",
        )
    if saved.players not in (game.player_counts or (game.seating.default,)):
        counts = " or ".join(map(str, game.player_counts)) or game.seating.default
        raise BadSave(
            f"this save is damaged: its `players` is {saved.players}, but {game.title} is for {counts}",
            field="players",
        )


def _restore(game: Game, saved: Saved) -> Position:
    same = saved.hash == game.rules_hash
    is_laid_out_alike = saved.snapshot.layout == game.data.layout
    if saved.log is not None:
        return _replay(game, saved, same and is_laid_out_alike)
    if same and not is_laid_out_alike:
        raise BadSave(
            "this was saved by another version of rulescript, and it holds no history that could be played again",
            hint="save positions with journal=True",
            field="snapshot",
        )
    if not same:
        raise BadSave(
            "the rules have changed since this was saved, and it holds no history that could be played again",
            hint="save positions with journal=True",
            field="hash",
        )
    return _from_snapshot(game, saved)


def _check_snapshot(saved: Saved, position: Position) -> None:
    """Nothing else would notice a changed number of a position without its history."""
    if saved.snapshot.check != position.state_hash():
        raise BadSave("this save is damaged: its state is not the one that was saved", field="snapshot")
    if saved.snapshot.block != position.d:
        raise BadSave("this save is damaged: it stands at another decision than was saved", field="snapshot")


def _from_snapshot(game: Game, saved: Saved) -> Position:
    """The position as it was saved, without what led to it."""
    from rulescript.runtime.position import Position

    if saved.journal and saved.seed is not None:
        raise BadSave(
            "this save is damaged: its `journal` says that it has a history, but it has none", field="journal"
        )
    state = [_tuples(v) for v in saved.snapshot.state]
    if len(state) != len(game.data.initial):
        raise BadSave("this save is damaged: its state has not the right size", field="snapshot")
    if not all(_makes_sense(value) for value in state):
        raise BadSave("this save is damaged: its state has something in it that no game has", field="snapshot")
    if any(state[slot] is not None for slot in game.passing):
        raise BadSave("this save is damaged: its state has something where nothing is kept", field="snapshot")
    for slot in sparse_slots(game.data):
        state[slot] = _pile(game, slot, state[slot])
    if misfit(game.data, state) is not None:
        raise BadSave("this save is damaged: a state has a value that it cannot have", field="snapshot")
    position = Position(game, state, saved.players, saved.journal)
    position.ask = saved.ask
    position.chance = _chance_from(saved)
    _check_opening(game, saved)
    position._origin = evolve(position._origin, seed=saved.seed, drawn=tuple(saved.opening))
    if state[0] and not saved.is_opening:
        block = game.code["B"][state[0]] if 0 <= state[0] < len(game.code["B"]) else None
        if block is None:
            raise BadSave("this save is damaged: it goes on nowhere", field="snapshot")
        position.run(block)
    _go_on_waiting(position, saved)
    _come_again(position, saved)
    _check_snapshot(saved, position)
    _conserved(game, position.s)
    if position.outcome is None and position._pending is None and not (position.d and position.o):
        raise BadSave("this save is damaged: nobody can do anything, and the game is not over")
    _look_at(position)
    _warn_of_invariants(position)
    return position


def _check_opening(game: Game, saved: Saved) -> None:
    """What came out before the first choice must be what the rules ask for there. Without a history nothing else would
    notice."""
    if saved.seed is None:
        if saved.opening:
            raise BadSave("this save is damaged: its `opening` belongs to no beginning", field="opening")
    elif saved.chance is not None and not saved.is_opening:
        position = begun(game, saved)
        if position._pending is not None or list(position._origin.drawn) != saved.opening:
            raise BadSave("this save is damaged: its `opening` is not whole", field="opening")


def _conserved(game: Game, state: list[Any]) -> None:
    """Nothing appears or vanishes in play, and every single thing is in one place, which knows it."""
    values = game.values
    if _counted(game, state) != _counted(game, game.data.initial):
        raise BadSave("this save is damaged: it has not the pieces of the game")
    found: dict[tuple[str, int], int] = {}
    for slot, (holds, _) in values.places.items():
        info = values.kinds[holds.kind]
        if info.is_pieces:
            continue
        for thing in members(state[slot]) if holds.is_ordered else BITS[state[slot]]:
            if not 0 <= thing < len(info.names) or (holds.kind, thing) in found:
                raise BadSave("this save is damaged: one thing is in two places, or is none of the game's")
            found[holds.kind, thing] = slot
    for kind, info in values.kinds.items():
        if info.loc >= 0:
            for thing in range(len(info.names)):
                if found.get((kind, thing), -1) != state[info.loc + thing]:
                    raise BadSave("this save is damaged: a thing is not in the place where it should be")


def _counted(game: Game, state: list[Any]) -> dict[tuple[str, int], int]:
    """How many pieces there are of each type."""
    values = game.values
    out: dict[tuple[str, int], int] = {}
    for slot, (holds, _) in values.places.items():
        info = values.kinds[holds.kind]
        if not info.is_pieces:
            continue
        if isinstance(state[slot], int) and state[slot] < 0:
            raise BadSave("this save is damaged: there are fewer than no pieces in a place")
        pile = values.pile(holds.kind, state[slot])
        if not info.is_sparse and sum(values.unit(holds.kind, code) * number for code, number in pile) != state[slot]:
            raise BadSave("this save is damaged: a place has something in it that is no piece")
        for code, number in pile:
            if code >= info.codes:
                raise BadSave("this save is damaged: it has pieces of a type that does not exist")
            key = (holds.kind, code % info.types)
            out[key] = out.get(key, 0) + number
    return out


def _warn_of_invariants(position: Position) -> None:
    """A position that breaks an invariant may be a fault of the rules: it opens, with a warning."""
    for at in position.game.check_invariants(position, "decision"):
        name = position.game.data.invariants[at].title
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


def _chance_from(saved: Saved) -> Any:
    """Where chance comes from after the log was played."""
    if saved.chance is None:
        return None
    if isinstance(saved.chance, list):
        return Script(saved.chance)
    return Explicit() if saved.chance == Explicit.name else Secure()


def begun(game: Game, saved: Saved) -> Position:
    """The game of a save, before its first choice."""
    if saved.seed is None:
        raise BadSave("this save does not say from which seed its game began", field="seed")
    outcomes = saved.opening
    chance = Script(outcomes) if isinstance(saved.chance, list) else _chance_from(saved)
    if isinstance(chance, Secure):
        chance.is_closed = True
    try:
        position = game.begin(saved.seed, saved.players, True, chance, saved.ask, outcomes)
        _all_used(position, outcomes)
    except RulescriptError as problem:
        raise BadSave(
            f"this save is damaged: its `opening` does not fit the rules: {problem}", field="opening"
        ) from None
    if isinstance(position.chance, Secure):
        position.chance.is_closed = False
    elif not isinstance(position.chance, Explicit):
        position.chance = _chance_from(saved)
    return position


def take_logged(position: Position, raw: Any, outcomes: Sequence[Any]) -> None:
    """Take an answer of a log with the outcomes that came of it."""
    chance = position.chance
    if isinstance(chance, Secure):
        chance.is_closed = True
        try:
            step_plainly(position, raw, outcomes)
        finally:
            chance.is_closed = position.chance.is_closed = False
        _all_used(position, outcomes)
        return
    if not isinstance(chance, Explicit):
        position.chance = Script(outcomes) if outcomes else None
    try:
        step_plainly(position, raw, outcomes)
        _all_used(position, outcomes)
    finally:
        position.chance = chance


def _all_used(position: Position, outcomes: Sequence[Any]) -> None:
    """More outcomes than the rules asked for are those of another game."""
    chance, waiting = position.chance, position._pending
    used = len(waiting.outcomes) if waiting is not None else chance.used if chance is not None else 0
    if used < len(outcomes):
        raise BadSave("the save diverges: more came out of chance than the rules ask for", field="log")


def _come_again(position: Position, saved: Saved) -> None:
    """What comes again, since decisions were taken back before this was saved."""
    if saved.ahead:
        position.chance.ahead = saved.ahead


def _go_on_waiting(position: Position, saved: Saved) -> None:
    """Take the choice that waited for chance when it was saved."""
    pending = saved.pending
    if pending is None:
        return
    if pending.key:
        step_plainly(position, _logged_raw(position, pending.choice, pending.key, "its last choice"), pending.outcomes)
    else:
        step_plainly(position, None, pending.outcomes, is_opening=True)
    _all_used(position, pending.outcomes)
    if position._pending is None:
        raise BadSave("the save diverges: nothing waits for chance where it was saved", field="pending")


def _logged_raw(position: Position, choice: str, key: str, which: str) -> Any:
    """The option a log has; BadSave says why it is none."""
    decision = position.decision
    if decision is None:
        raise BadSave(f"the save diverges at {which} ({key}): the game is already over", field="log")
    if position._pending is not None:
        message = f"the save diverges at {which} ({key}): the rules ask for more of chance than it has"
        raise BadSave(message, field="log")
    found = next((o for o in decision.options if o.key == key), None)
    if found is not None and decision.name == choice:
        return found.raw
    why = f": {position.why_not(key)}" if decision.name == choice else ""
    raise BadSave(
        f"the save diverges at {which}: it has `{choice}: {key}`, but {decision.player} is asked "
        f"for `{decision.name}`{why}",
        field="log",
    )


def _replay(game: Game, saved: Saved, same: bool) -> Position:
    """Play the log again; under changed rules, say where it no longer fits."""
    if not saved.journal:
        raise BadSave(
            "this save is damaged: its `journal` says that it has no history, but it has one", field="journal"
        )
    position = begun(game, saved)
    for number, entry in enumerate(saved.log or (), 1):
        raw = _logged_raw(position, entry.choice, entry.key, f"choice {number}")
        take_logged(position, raw, entry.outcomes)
    _go_on_waiting(position, saved)
    if position._pending is not None and saved.pending is None:
        raise BadSave("the save diverges at its end: the rules ask for more of chance than it has", field="log")
    _come_again(position, saved)
    if same:
        if [_tuples(v) for v in saved.snapshot.state] != position.known_state():
            raise BadSave("this save is damaged: its choices do not lead to its state", field="snapshot")
        _check_snapshot(saved, position)
    return position
