"""Things and pieces from one place to another."""

from __future__ import annotations

from typing import Any

from rulescript.machine.effort import through
from rulescript.machine.tables import Items

__all__ = ["kept_up", "move_thing", "picked", "repicked", "reset_up", "take_pieces", "ThingInfo"]


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


def kept_up(names: tuple[Any, ...], old: int, new: int, left: int, by: int | None = None) -> tuple[Any, ...]:
    """What names stand for once a piece `old` has become `new`, and so many like it are `left`: a name goes along with
    the last; of a list, those for which none is left. `by`: the parameter, by number, through which it was done.

    A list of which a loop has handed on a member is (members, which one, the parameters that are that member); what a
    rule hands on is (None, (its parameter, the parameters it becomes), ...)."""
    out = list(names)
    for at, name in enumerate(names):
        if name.__class__ is not tuple:
            if name == old and not left:
                out[at] = new
        elif name and name[0].__class__ is tuple:
            members, own, params = name
            if by in _now(params, names[at + 1 :]):
                if members[own] == old:
                    out[at] = ((*members[:own], new, *members[own + 1 :]), own, params)
                continue
            gone = through(members).count(old) - left
            if gone > 0 and old != new:
                # The one that was handed on is the last to go: its own name tells what becomes of it.
                others = _replaced((*members[:own], *members[own + 1 :]), old, new, gone)
                gone -= members.count(old) - (members[own] == old) - others.count(old)
                mine = new if members[own] == old and gone else members[own]
                out[at] = ((*others[:own], mine, *others[own:]), own, params)
        elif name and name[0] is not None:
            gone = through(name).count(old) - left
            if gone > 0 and old != new:
                out[at] = _replaced(name, old, new, gone)
    return tuple(out)


def _now(params: tuple[int, ...], later: tuple[Any, ...]) -> tuple[int, ...]:
    """The parameters that a member of a list is by now, after what rules have handed on."""
    for each in later:
        if each.__class__ is tuple and each and each[0] is None:
            params = tuple(to for one, becomes in each[1:] if one in params for to in becomes)
    return params


def _replaced(members: tuple[int, ...], old: int, new: int, many: int) -> tuple[int, ...]:
    """So many of those that are `old` are `new`, the last first."""
    out = list(members)
    for at in range(len(out) - 1, -1, -1):
        if out[at] == old and many > 0:
            out[at] = new
            many -= 1
    return tuple(out)


def picked(answers: tuple[Any, ...], parts: tuple[int, ...]) -> tuple[Any, ...]:
    """The pieces that were picked in several answers, of which some parts are pieces or lists of pieces."""
    out: list[Any] = []
    for answer in answers:
        for at in parts:
            out += answer[at] if answer[at].__class__ is tuple else (answer[at],)
    return tuple(out)


def repicked(answers: tuple[Any, ...], parts: tuple[int, ...], now: tuple[Any, ...]) -> tuple[Any, ...]:
    """The answers once these pieces have become others."""
    out: list[Any] = []
    first = 0
    for answer in answers:
        new = list(answer)
        for at in parts:
            is_many = answer[at].__class__ is tuple
            last = first + (len(answer[at]) if is_many else 1)
            new[at] = now[first:last] if is_many else now[first]
            first = last
        out.append(tuple(new))
    return tuple(out)


def reset_up(names: tuple[Any, ...], places: tuple[int, ...], table: Any, shift: int) -> tuple[Any, ...]:
    """The same once all pieces that stand in some places have other codes."""
    low = (1 << shift) - 1

    def now(name: Any) -> Any:
        if name.__class__ is tuple:
            if name and name[0].__class__ is tuple:  # a list of which a member is handed on
                return (tuple(map(now, name[0])), *name[1:])
            return tuple(map(now, name)) if name and name[0] is not None else name
        if name is None or name >> shift not in places:
            return name
        return name >> shift << shift | table[name & low]

    return tuple(map(now, names))
