"""Pieces in the words of options: with those of their states that tell them apart, and no others.

A state of a piece (whether it has moved, how many steps it has lost) is told where the pieces that can be picked
now differ in it. Where they are all alike in it, it says nothing to the player who picks: of those that may march,
none has marched. A piece that was picked before is told from the others of its type in its place. What a player
may not see is never compared with, so no words tell of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.runtime.views import knows

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Teller"]


class Teller:
    """Called by the generated texts of options, with the labels of a kind's pieces and one of them.

    `offered` are the pieces that can be picked; None: every state that is not as it starts is told. `things` are
    the single things that can be picked, and their kind."""

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
        self.kind, self.things = things

    def __call__(self, labels: Sequence[str], kind: str, ref: int) -> str:
        return labels[self.code(kind, ref)]

    def code(self, kind: str, ref: int) -> int:
        """The piece as it is told: what need not be said of it is as it starts."""
        code = ref & self.game.values.low
        if self.offered is None:
            return code
        info = self.game.data["kinds"][kind]
        types = info["types"]
        if ref in self.offered:
            others = [other & self.game.values.low for other in self.offered]
        else:
            others = [c for c in self._beside(kind, ref >> self.game.values.shift) if c % types == code % types]
        for _, stride, values, _, start in info["states"]:
            size = len(values)
            at = code // types // stride % size
            if all(other // types // stride % size == at for other in others):
                code += (start - at) * stride * types
        return code

    def apart(self, thing: int, text: str) -> str:
        """What tells a copy of a thing from the other copies that can be picked: its state, or where it lies. And
        where a piece stands, if others that are called alike stand elsewhere and the text does not say it."""
        if thing not in self.things:
            return self._standing(thing, text) if self.offered and thing in self.offered else ""
        game, state = self.game, self.state
        info = game.data["kinds"][self.kind]
        others = [i for i in self.things if i != thing and info["labels"][i] == info["labels"][thing]]
        notes = []
        for entry in game.data["states"] if others else ():
            if entry["kind"] == self.kind:
                own = game.values.state(state, entry, thing)
                if any(game.values.state(state, entry, other) != own for other in others):
                    name = str(entry["name"]).replace("_", " ")
                    said = game.values.label(own, entry["type"])
                    notes.append(
                        {"yes": name, "no": f"not {name}"}[said] if entry["type"] == ["bool"] else f"{name} {said}"
                    )
        if info["loc"] >= 0 and any(state[info["loc"] + i] != state[info["loc"] + thing] for i in others):
            notes.append(f"in {game.values.place_label(state[info['loc'] + thing])}")
        elif others and not notes and info["loc"] >= 0:
            # Side by side in a row: which one, counted from its top.
            slot = state[info["loc"] + thing]
            if slot in game.values.places and game.values.places[slot][0]["ordered"]:
                notes.append(f"number {state[slot].index(thing) + 1} in {game.values.place_label(slot)}")
        return f" ({', '.join(notes)})" if notes else ""

    def _standing(self, ref: int, text: str) -> str:
        place = self.game.values.place_label(ref >> self.game.values.shift)
        if place in text:
            return ""
        told = self.code(self.kind, ref)
        shift = self.game.values.shift
        alike = (other for other in self.offered or () if other >> shift != ref >> shift)
        return f" (in {place})" if any(self.code(self.kind, other) == told for other in alike) else ""

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
