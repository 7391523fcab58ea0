"""Forged saves: without a log, one slot of the state changed, with the fingerprint that belongs to it.

Whoever can write a file can write such a one. It is refused at the door, or it is another position of the game, and
play goes on from there.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from attrs import frozen

from rulescript.errors import BadSave, StepLimit
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.runtime.saves import _tuples

__all__ = ["Forged", "forged_saves"]


@frozen
class Forged:
    """A change of a slot, and what came of it: "refused", "plays", or what went wrong."""

    slot: int
    was: Any
    value: Any
    seed: int
    result: str


def with_slot(game: Game, position: Position, slot: int, value: Any) -> str:
    """The save of a position with something else in a slot, and the fingerprint that belongs to that."""
    data = json.loads(position.to_json())
    data["snapshot"]["state"][slot] = value
    state = [_tuples(each) for each in data["snapshot"]["state"]]
    with suppress(TypeError, ValueError, LookupError):  # what cannot be looked at is refused with any fingerprint
        data["snapshot"]["check"] = Position(game, state, data["players"], False).state_hash()
    return json.dumps(data)


def other_value(random: Random, value: Any, elsewhere: Any) -> Any:
    """Something like a value: one more or less, what another position has there, some of it, or none."""
    if isinstance(value, list):
        ways = [elsewhere, value[1:], value[::-1], [*value, *value[:1]], None]
        if value:
            at = random.randrange(len(value))
            ways.append([*value[:at], other_value(random, value[at], 0), *value[at + 1 :]])
        return random.choice(ways)
    if isinstance(value, int) and not isinstance(value, bool):
        return random.choice([value + 1, value - 1, 0, 1, value ^ (1 << random.randrange(12)), elsewhere])
    return random.choice([0, 1, random.randrange(50), elsewhere, None])


def forged_saves(game: Game, seed: int, changes: int, steps: int = 25, depth: int = 120) -> Iterator[Forged]:
    """Change saves of a game at random, open them, and play on for some steps."""
    random = Random(seed)
    kept = [slot for slot in range(len(game.data.initial)) if slot not in game.values.places]
    while changes > 0:
        position = game.start(random.randrange(1 << 30), journal=False)
        other = game.start(random.randrange(1 << 30), journal=False)
        for each in (position, other):
            for _ in range(random.randrange(depth)):
                if each.decision is None or not len(each.decision):
                    break
                each.choose(random.randrange(len(each.decision)))
        if position.decision is None:
            continue
        own = json.loads(position.to_json())["snapshot"]["state"]
        elsewhere = json.loads(other.to_json())["snapshot"]["state"]
        for _ in range(12):
            # Half of them where the rules themselves keep something: most slots are places.
            slot = random.choice(kept) if random.random() < 0.5 else random.randrange(len(own))
            value = other_value(random, own[slot], elsewhere[slot])
            if value == own[slot] and type(value) is type(own[slot]):
                continue
            changes -= 1
            play = random.randrange(1 << 30)
            yield Forged(slot, own[slot], value, play, tried(game, position, slot, value, play, steps))


def tried(game: Game, position: Position, slot: int, value: Any, seed: int, steps: int) -> str:
    """What comes of a changed save."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invariants that do not hold
            opened = game.from_json(with_slot(game, position, slot, value))
    except BadSave:
        return "refused"
    except Exception as problem:
        return f"opening: {type(problem).__name__}: {problem}"
    random = Random(seed)
    try:
        for _ in range(steps):
            decision = opened.decision
            if decision is None:
                break
            opened.choose(random.randrange(len(decision)))
    except StepLimit:
        return "plays"
    except Exception as problem:
        return f"playing: {type(problem).__name__}: {problem}"
    return "plays"
