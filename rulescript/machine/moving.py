"""Things and pieces from one place to another."""

from __future__ import annotations

from typing import Any

from rulescript.machine.tables import Items

__all__ = ["move_thing", "take_pieces", "ThingInfo"]


class ThingInfo:
    """What moving single things of one kind needs to know."""

    __slots__ = ("loc", "ordered", "name")

    def __init__(self, name: str, loc: int, ordered: dict[int, bool]) -> None:
        self.name = name
        self.loc = loc
        self.ordered = ordered


def move_thing(S: list[Any], info: ThingInfo, thing: int, target: int, end: str) -> None:
    """Put a single thing in another place; the bottom of an ordered one unless it says top."""
    at = info.loc + thing
    source = S[at]
    if source >= 0:
        if info.ordered[source]:
            held = S[source]
            if held.__class__ is tuple:
                place = held.index(thing)
                S[source] = held[:place] + held[place + 1 :]
            else:
                S[source] = held.without(thing)
        else:
            S[source] &= ~(1 << thing)
    S[at] = target
    if target >= 0:
        if info.ordered[target]:
            held = S[target]
            if held.__class__ is tuple:
                S[target] = (thing, *held) if end == "top" else (*held, thing)
            else:
                S[target] = held.on_top(thing) if end == "top" else held.below(thing)
        else:
            S[target] |= 1 << thing


def take_pieces(pile: int, count: int, items: Items, units: tuple[int, ...]) -> int:
    """So many pieces of a pile, lowest codes first, as a pile."""
    out = 0
    for code, number in items[pile]:
        if count <= 0:
            break
        taken = min(number, count)
        out += taken * units[code]
        count -= taken
    return out
