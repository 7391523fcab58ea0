"""Whether a raw state holds what its types allow. Play never makes another one; a save that somebody has changed may
have it, and a fault of ours might."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulescript.game_data import GameData, KindInfo
from rulescript.machine.support import MASK64

__all__ = ["misfit"]


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
    return None


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
    return True
