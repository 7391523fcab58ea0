"""Pieces and things in and out of the places of a position that is laid out.

The hard idea: nothing comes out of nothing. Pieces come from where their kind is at home, and what is displaced goes
back there. A place that is given exactly is emptied first; what was in it is kept at hand, for most of it is mostly
put back.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulescript.claims.names import Phrase
from rulescript.claims.problems import ClaimUnclear
from rulescript.claims.said_before import SaidBefore
from rulescript.machine.moving import ThingInfo, move_thing
from rulescript.machine.tables import BITS
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Stock"]


class Stock:
    """Changes what lies in the places of a raw state."""

    def __init__(self, game: Game, S: list[Any], base: str, said: SaidBefore) -> None:
        self._game = game
        self._data = game.data
        self._S = S
        self._base = base
        self._said = said
        # What was taken out of a place that is given exactly, and not put back yet: slot -> types of pieces.
        self._aside: dict[int, Counter[int]] = {}
        self._exact: set[int] = set()
        # How many things were laid on top of a row, in the order they were named.
        self.tops: dict[int, int] = {}

    def put_thing(self, kind: str, index: int, slot: int) -> None:
        """Move a thing to a place; in a row below those that were put there before it."""
        move_thing(self._S, self._info(kind), index, slot, "")
        if self.is_ordered(slot):
            # As listed, from the top.
            at = self.tops.get(slot, 0)
            held = [i for i in self._S[slot] if i != index]
            held.insert(at, index)
            self._S[slot] = tuple(held)
            self.tops[slot] = at + 1

    def _code_of(self, phrase: Phrase, index: int) -> int:
        """The code of pieces of a type in the states a phrase gives, the others as they start."""
        info = self._data.kinds[phrase.kind]
        given = dict(phrase.states)
        combo = 0
        for name, stride, values, _, start in info.states:
            at = values.index(given[name]) if name in given else start
            combo += stride * at
        return int(combo * info.types + index)

    def put_pieces(self, slot: int, phrase: Phrase, count: int, span: Span) -> None:
        info = self._data.kinds[phrase.kind]
        index = phrase.types[0]
        code = self._code_of(phrase, index)
        aside = self._aside.get(slot)
        taken = 0
        if aside is not None:
            taken = min(count, aside[index])
            aside[index] -= taken
        home = info.homes[index] if info.homes else -1
        if home == slot and aside is None:
            return  # they are there already
        if home >= 0 and home != slot:
            # Those that are as they start first.
            first = self._code_of(Phrase(phrase.kind, (index,), True, (), ""), index)
            there = [x for x in self._game.values.pile(phrase.kind, self._S[home]) if x[0] % info.types == index]
            for known, number in sorted(there, key=lambda x: (x[0] != first, x[0])):
                some = min(count - taken, number)
                self._add(home, phrase.kind, known, -some)
                taken += some
        if taken < count:
            raise self._too_few(phrase, index, home, taken, count, span)
        self._add(slot, phrase.kind, code, count)

    def _too_few(self, phrase: Phrase, index: int, home: int, there: int, wanted: int, span: Span) -> ClaimUnclear:
        values = self._game.values
        name = values.kinds[phrase.kind].labels[index]
        elsewhere: list[str] = []
        source = ""
        for slot, (holds, _) in values.places.items():
            if holds.kind == phrase.kind and slot != home:
                number = sum(
                    n
                    for c, n in values.pile(phrase.kind, self._S[slot])
                    if c % values.kinds[phrase.kind].types == index
                )
                if number:
                    elsewhere.append(f"{number} in {values.place_name(slot)}")
                    source = source or f"{values.place_name(slot)}: without {min(number, wanted - there)} {name}"
        where = values.place_name(home) if home >= 0 else "home"
        total = values.kinds[phrase.kind].counts[index]
        told = f"; {', '.join(elsewhere[:4])}" if elsewhere else ""
        hint = None
        if elsewhere and total >= wanted:
            hint = f"take them away there first, on a line above: `{source}`"
            if self._base != "empty":
                hint += "; or begin with `given empty`"
        message = f"{wanted} {name} are needed, but only {there} of {total} are left in {where}{told}"
        return ClaimUnclear(message, span, "not enough", hint)

    def take_out(self, slot: int, phrase: Phrase, count: int) -> int:
        """Send home what a phrase names, at most so many; how many these were."""
        info = self._data.kinds[phrase.kind]
        if not phrase.is_pieces:
            there = [index for index in phrase.types if self._S[info.loc + index] == slot][:count]
            for index in there:
                self._send_home(phrase.kind, index, slot)
            return len(there)
        taken = 0
        for code, number in self._game.values.pile(phrase.kind, self._S[slot]):
            if code % info.types in phrase.types and self._has_states(phrase, code):
                some = min(count - taken, number)
                taken += some
                self._add(slot, phrase.kind, code, -some)
                self._pieces_home(phrase.kind, code % info.types, some, slot)
        return taken

    def _has_states(self, phrase: Phrase, code: int) -> bool:
        info = self._data.kinds[phrase.kind]
        combo = code // info.types
        given = dict(phrase.states)
        return all(
            name not in given or values[combo // stride % len(values)] == given[name]
            for name, stride, values, _, _ in info.states
        )

    def clear(self, slot: int, keep: bool = False) -> None:
        """Empty a place. With `keep`, what was in it may be put back by the items that follow."""
        if slot in self._exact:
            return
        holds, _ = self._game.values.places[slot]
        kind = holds.kind
        info = self._data.kinds[kind]
        if keep:
            self._exact.add(slot)
            self.tops[slot] = 0
        if not info.is_pieces:
            for index in self._S[slot] if holds.is_ordered else BITS[self._S[slot]]:
                self._send_home(kind, index, slot)
            return
        aside = self._aside.setdefault(slot, Counter()) if keep else None
        for code, number in self._game.values.pile(kind, self._S[slot]):
            if aside is not None:
                aside[code % info.types] += number
            else:
                self._pieces_home(kind, code % info.types, number, slot)
        self._S[slot] = 0

    def _send_home(self, kind: str, index: int, slot: int) -> None:
        homes = self._data.kinds[kind].homes
        home = homes[index] if homes else -1
        self._said.forget(kind, index)
        move_thing(self._S, self._info(kind), index, home if home != slot else -1, "")

    def _pieces_home(self, kind: str, index: int, count: int, slot: int) -> None:
        homes = self._data.kinds[kind].homes
        home = homes[index] if homes else -1
        if home >= 0 and home != slot:
            plain = Phrase(kind, (index,), True, (), "")
            self._add(home, kind, self._code_of(plain, index), count)

    def put_back(self) -> None:
        """What a place given exactly does not have any more goes home (or, from its home, out of the
        game)."""
        for slot, aside in self._aside.items():
            kind = self._game.values.places[slot][0].kind
            for index, count in aside.items():
                self._pieces_home(kind, index, count, slot)
        self.let_go()

    def _add(self, slot: int, kind: str, code: int, count: int) -> None:
        self._S[slot] += count * self._game.values.unit(kind, code)

    def _info(self, kind: str) -> ThingInfo:
        return ThingInfo(kind, self._data.kinds[kind].loc, self._ordered)

    @cached_property
    def _ordered(self) -> dict[int, bool]:
        return {slot: holds.is_ordered for slot, (holds, _) in self._game.values.places.items()}

    def is_ordered(self, slot: int) -> bool:
        return bool(self._game.values.places[slot][0].is_ordered)

    def let_go(self) -> None:
        """Begin anew after a reading that came to nothing: what was at hand is where it was."""
        self._aside.clear()
        self._exact.clear()
