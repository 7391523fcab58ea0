"""Whether a raw state holds what its types allow. Play never makes another one; a save that somebody has changed may
have it, and a fault of ours might."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulescript.game_data import GameData, KindInfo
from rulescript.machine.chance import MASK64
from rulescript.machine.effort import DEEPEST

__all__ = ["misfit"]

# Where a state has these (`compiler/layout.py`).
STACK, PHASE = 3, 4


def misfit(data: GameData, state: Sequence[Any]) -> str | None:
    """What a state holds that it cannot hold; None if all is as it should be."""
    if not _is_number(state[0]) or not _is_number(state[1]) or not 0 <= state[1] <= MASK64:
        return f"the random state is {state[1]!r}, not one integer of 64 bits"
    for entry in data.states:
        slot, where = entry.slot, f"{entry.kind}.{entry.name}" if entry.kind else entry.name
        if entry.mode == "mask":
            if not _is_set(state[slot], len(data.kinds[entry.kind].names)):
                return f"`{where}` has bits for things that do not exist"
            continue
        size = 1 if entry.mode == "one" else len(data.kinds[entry.kind].names)
        held = state[slot : slot + size]
        for value in held:
            low, high = entry.bounds or (None, None)
            if not _fits(value, entry.type, data.kinds) or (low is not None and not low <= value <= high):
                return f"`{where}` holds {value!r}, which is no value of its type"
        if entry.mode == "dual":
            masks = [0] * len(data.kinds[entry.type[1]].names)
            for index, value in enumerate(held):
                masks[value] |= 1 << index
            if list(state[entry.masks : entry.masks + len(masks)]) != masks:
                return f"the masks of `{where}` do not agree with its values"
    return _odd_name(data, state)


def _odd_name(data: GameData, state: Sequence[Any]) -> str | None:
    """What cannot be so of the names that rules have bound, of where rules go on that have called others, of what they
    keep meanwhile, and of the phase."""
    if not _is_number(state[PHASE]) or not -1 <= state[PHASE] < len(data.phases):
        return f"the phase is {state[PHASE]!r}"
    frame, depth = state[STACK], 0
    while frame is not None:
        if not isinstance(frame, tuple) or len(frame) != 3 or not isinstance(frame[1], tuple) or depth > DEEPEST:
            return f"a rule that called itself has kept {frame!r}"
        frame, depth = frame[0], depth + 1
    for slot, found in data.calls.items():
        if state[slot] != data.initial[slot] and not (_is_number(state[slot]) and state[slot] in found):
            return f"a rule goes on at {state[slot]!r}, where it was not called"
    places: dict[str, set[int]] = {}
    for holds in data.holds:
        places.setdefault(holds.kind, set()).update(range(holds.slot, holds.slot + holds.size))
    passing = set(data.passing)
    for slot, type_ in data.name_types.items():
        value = state[slot]
        if value is None and slot in passing:
            continue  # over before anybody is asked, and left out of a save
        if value != data.initial[slot] and not _fits_name(value, type_, data, places):
            return f"a name stands for {value!r}, which is no {type_[0]}"
    return None


def _fits_name(value: Any, type_: Any, data: GameData, places: Mapping[str, set[int]]) -> bool:
    """The same as `_fits`, of what may also be a piece: where it is, and its code."""
    match type_:
        case ["piece", kind]:
            at, code = value >> data.shift if _is_number(value) else -1, value
            return at in places.get(kind, ()) and code & (1 << data.shift) - 1 < data.kinds[kind].codes
        case ["maybe", inner]:
            return value is None or _fits_name(value, inner, data, places)
        case ["list", inner]:
            return isinstance(value, tuple) and all(_fits_name(item, inner, data, places) for item in value)
    return _fits(value, type_, data.kinds)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_set(value: Any, size: int) -> bool:
    return _is_number(value) and 0 <= value < 1 << size


def _fits(value: Any, type_: Any, kinds: Mapping[str, KindInfo]) -> bool:
    match type_:
        case ["thing", kind]:
            return _is_number(value) and 0 <= value < max(1, len(kinds[kind].names))
        case ["maybe", inner]:
            return value is None or _fits(value, inner, kinds)
        case ["set", ["thing", kind]]:
            return _is_set(value, len(kinds[kind].names))
        case ["list", inner]:
            return isinstance(value, tuple) and all(_fits(item, inner, kinds) for item in value)
        case ["bool"]:
            return isinstance(value, int) and value in (0, 1)
        case ["int"]:
            return isinstance(value, int)
        case ["text"]:
            return isinstance(value, str)
        case ["void" | "nothing"]:
            return value is None
    return True
