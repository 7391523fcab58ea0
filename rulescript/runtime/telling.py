"""Pieces in the words of options: with those of their states that tell them apart, and no others.

A state of a piece (whether it has moved, how many steps it has lost) is told where the pieces that can be picked
now differ in it. Where they are all alike in it, it says nothing to the player who picks: of those that may march,
none has marched. A piece that was picked before is told from the others of its type in its place. What a player
may not see is never compared with, so no words tell of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.game_data import StateInfo
from rulescript.runtime.views import knows, level_of

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Teller"]


class Teller:
    """Called by the generated texts of options, with the labels of a kind's pieces and one of them.

    `offered` are the pieces that can be picked; None: every state that is not as it starts is told. `things` are
    the single things that can be picked, and their kind. What tells them apart is worked out once for all of them."""

    __slots__ = ("_alike", "_groups", "_others", "_standings", "chooser", "game", "kind", "offered", "state", "things")

    def __init__(
        self,
        game: Game,
        state: list[Any],
        chooser: int,
        offered: Iterable[int] | None,
        things: tuple[str, Sequence[int]] = ("", ()),
    ) -> None:
        self.game = game
        self.state = state
        self.chooser = chooser
        self.offered = None if offered is None else frozenset(offered)
        self.kind = things[0]
        self.things = frozenset(things[1])
        # By kind, the states in which all that can be picked are alike; and other pieces, as they are told.
        self._alike: dict[str, list[tuple[int, int, int]]] = {}
        self._others: dict[tuple[str, int], int] = {}
        self._standings: dict[int, set[int]] | None = None
        self._groups: dict[str, _Copies] | None = None

    def __call__(self, labels: Sequence[str], kind: str, ref: int) -> str:
        return labels[self.code(kind, ref)]

    def code(self, kind: str, ref: int) -> int:
        """The piece as it is told: what need not be said of it is as it starts."""
        code = ref & self.game.values.low
        if self.offered is None:
            return code
        if ref not in self.offered:
            told = self._others.get((kind, ref))
            if told is None:
                told = self._others[kind, ref] = self._code_of_other(kind, ref)
            return told
        types: int = self.game.data.kinds[kind].types
        for stride, size, start in self._alike_in(kind):
            code += (start - code // types // stride % size) * stride * types
        return code

    def _alike_in(self, kind: str) -> list[tuple[int, int, int]]:
        """The states in which all that can be picked are alike: their strides, how many values, and the first one."""
        found = self._alike.get(kind)
        if found is None:
            info = self.game.data.kinds[kind]
            combos = {(other & self.game.values.low) // info.types for other in self.offered or ()}
            found = self._alike[kind] = [
                (stride, len(values), start)
                for _, stride, values, _, start in info.states
                if len({combo // stride % len(values) for combo in combos}) == 1
            ]
        return found

    def _code_of_other(self, kind: str, ref: int) -> int:
        """A piece that cannot be picked now is told from the others of its type beside it."""
        info = self.game.data.kinds[kind]
        types: int = info.types
        code = ref & self.game.values.low
        beside = self._beside(kind, ref >> self.game.values.shift)
        others = [c // types for c in beside if c % types == code % types]
        for _, stride, values, _, start in info.states:
            size = len(values)
            at = code // types // stride % size
            if all(other // stride % size == at for other in others):
                code += (start - at) * stride * types
        return code

    def apart(self, thing: int, text: str) -> str:
        """What tells a copy of a thing from the other copies that can be picked: its state, or where it lies. And
        where a piece stands, if others that are called alike stand elsewhere and the text does not say it."""
        if thing not in self.things:
            return self._standing(thing, text) if self.offered and thing in self.offered else ""
        if self._groups is None:
            self._groups = self._copies()
        game, state = self.game, self.state
        info = game.data.kinds[self.kind]
        copies = self._groups.get(info.labels[thing])
        if copies is None:
            return ""
        notes = []
        for entry in copies.unlike:
            name = entry.name.replace("_", " ")
            said = game.values.label(game.values.state(state, entry, thing), entry.type)
            notes.append({"yes": name, "no": f"not {name}"}[said] if entry.type == ["bool"] else f"{name} {said}")
        if copies.is_spread:
            notes.append(f"in {game.values.place_label(state[info.loc + thing])}")
        elif not notes and info.loc >= 0:
            # Side by side in a row: which one, counted from its top, if that is for the one who picks to see.
            slot = state[info.loc + thing]
            is_row = slot in game.values.places and game.values.places[slot][0].is_ordered
            if is_row and level_of(game, state, slot, self.chooser) == "visible":
                notes.append(f"number {state[slot].index(thing) + 1} in {game.values.place_label(slot)}")
        return f" ({', '.join(notes)})" if notes else ""

    def _copies(self) -> dict[str, _Copies]:
        """The things that can be picked and are called alike, by what they are called."""
        game, state = self.game, self.state
        info = game.data.kinds[self.kind]
        groups: dict[str, list[int]] = {}
        for thing in self.things:
            groups.setdefault(info.labels[thing], []).append(thing)
        entries = [entry for entry in game.data.states if entry.kind == self.kind]
        out: dict[str, _Copies] = {}
        for label, group in groups.items():
            if len(group) > 1:
                unlike = []
                for entry in entries:
                    first = game.values.state(state, entry, group[0])
                    if any(game.values.state(state, entry, other) != first for other in group):
                        unlike.append(entry)
                is_spread = info.loc >= 0 and len({state[info.loc + i] for i in group}) > 1
                out[label] = _Copies(unlike, is_spread)
        return out

    def _standing(self, ref: int, text: str) -> str:
        values = self.game.values
        place = values.place_label(ref >> values.shift)
        if place in text:
            return ""
        if self._standings is None:
            self._standings = {}
            for other in self.offered or ():
                self._standings.setdefault(self.code(self.kind, other), set()).add(other >> values.shift)
        return f" (in {place})" if len(self._standings[self.code(self.kind, ref)]) > 1 else ""

    def _beside(self, kind: str, slot: int) -> list[int]:
        """The pieces in a place that the one who decides knows."""
        game = self.game
        if slot not in game.values.places:
            return []
        codes = [code for code, _ in game.values.pile(kind, self.state[slot])]
        if not game.has_secrets:
            return codes
        here = slot << game.values.shift
        return [code for code in codes if knows(game, self.state, kind, here | code, [self.chooser])]


class _Copies:
    """Things that are called alike: the states in which they are not, and whether they lie in several places."""

    __slots__ = ("is_spread", "unlike")

    def __init__(self, unlike: list[StateInfo], is_spread: bool) -> None:
        self.unlike = unlike
        self.is_spread = is_spread
