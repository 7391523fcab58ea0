"""Markers to cut out: what a position shows that is no piece. Who holds a space, that something is built there, whose
points stand where on a track, that a nation is at war.

They come from the states of the game. A state that is bookkeeping (`untold`), or that is over with the step or turn it
belongs to (`lasts`), needs no marker. Of what a space can show there is one marker for each space, so there are always
enough; two values of one state share a marker, a side each. A yes/no state of a counter is printed on its back, unless
the counter can lie face down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from attrs import evolve

from rulescript.docgen.counters import Piece
from rulescript.docgen.maps import TINTS
from rulescript.docgen.outline import capital
from rulescript.docgen.positions import Counters
from rulescript.model import game as m
from rulescript.model.types import BOOL, INT, type_data
from rulescript.phrases import readable

__all__ = ["markers_of", "with_backs"]

# Of a number, so many values have markers of their own; of a set of many things, so many are marked at once.
MOST_NUMBERS = 6
MOST_OF_SET = 12


def _is_shown(state: m.State) -> bool:
    is_untold = state.told is not None and not any(state.told)
    return not (is_untold or state.lasts or "." in state.name)


def _is_on_backs(state: m.State) -> bool:
    return state.kind is not None and state.type == BOOL and state.kind.hidden is None and _is_shown(state)


def with_backs(pieces: list[Piece], game: m.Game) -> list[Piece]:
    """Counters whose backs show the state they can be in, such as `spent`."""
    backs: dict[str, str] = {}
    for kind in game.kinds.values():
        for state in kind.states.values():
            if _is_on_backs(state):
                backs.setdefault(kind.name, readable(state.name).lower())
    return [evolve(p, back=backs[p.of]) if p.of in backs else p for p in pieces]


def markers_of(game: m.Game, counters: Counters, galleries: Collection[str] = ()) -> list[Piece]:
    """The markers of a game; `galleries` are kinds that are printed as cards, which need none."""
    return list(_Markers(game, counters, galleries).all())


class _Markers:
    def __init__(self, game: m.Game, counters: Counters, galleries: Collection[str]) -> None:
        self.game = game
        self.counters = counters
        self.galleries = galleries
        self.titles = {track.state.name: track.title for track in game.tracks if not track.state.kind}

    def all(self) -> Iterator[Piece]:
        kinds = self.game.kinds
        stand = {h.kind.name for kind in kinds.values() if kind.links for h in kind.holds.values()}
        for state in filter(_is_shown, self.game.states.values()):
            yield from self._of_game(state)
        for kind in kinds.values():
            if kind.name in self.galleries:
                continue
            shown = [state for state in kind.states.values() if _is_shown(state)]
            if kind.links:
                told = self._of_spaces
            elif kind.is_pieces or kind.name in stand:
                told = self._of_counters
                first = next((state for state in shown if _is_on_backs(state)), None)
                shown = [state for state in shown if state is not first]  # that one is on the backs
            else:
                told = self._of_each
            for state in shown:
                yield from told(state, kind)

    def _of_game(self, state: m.State) -> Iterator[Piece]:
        words = self.titles.get(state.name) or readable(state.name)
        plain = _plain(state)
        number = 1
        if plain[0] == "set":
            number = min(MOST_OF_SET, self._size(plain[1]))
        elif plain[0] == "list":
            return
        if number:
            yield _marker(words, "", "", number)

    def _of_spaces(self, state: m.State, kind: m.Kind) -> Iterator[Piece]:
        words, number = readable(state.name).lower(), len(kind.things)
        plain = _plain(state)
        if plain == ["bool"]:
            yield _marker(words, "", "", number)
        elif plain == ["int"]:
            yield from _sides([(f"{words} {value}", words, "") for value in _numbers(state)], number)
        elif plain[0] == "thing":
            labels = self.counters.game.data.kinds[plain[1]].labels
            if len(labels) <= TINTS:
                tints = [self.counters.tint_of(plain[1], at) for at in range(len(labels))]
                yield from _sides([(str(t), words, tint) for t, tint in zip(labels, tints, strict=True)], number)

    def _of_counters(self, state: m.State, kind: m.Kind) -> Iterator[Piece]:
        """What lies on or beside a counter while it holds. More than some are not on the table at a time."""
        words = readable(state.name).lower()
        total = sum(t.count if kind.is_pieces else 1 for t in kind.things)
        if state.type == BOOL and kind.hidden is None:
            yield _marker(words, "", "", min(total, MOST_OF_SET))
        elif state.type == INT:
            sides = [(f"{words} {value}", words, "") for value in _numbers(state)]
            yield from _sides(sides, min(total, MOST_OF_SET))

    def _of_each(self, state: m.State, kind: m.Kind) -> Iterator[Piece]:
        """One for each nation or side: its points on a track, or that something is so for it."""
        plain = _plain(state)
        if plain[0] in ("set", "list") or kind.is_values:
            return
        words = readable(state.name).lower()
        for thing in kind.things:
            shade = self.counters.shade_of(kind.name, thing.index) or self.counters.tint_of(kind.name, thing.index)
            yield _marker(words, thing.label, shade, 1)

    def _size(self, of: list[Any]) -> int:
        if of[0] == "thing":
            return len(self.counters.game.data.kinds[of[1]].names)
        return 0


def _plain(state: m.State) -> list[Any]:
    """The type of a state, without the `maybe`."""
    told = type_data(state.type)
    return list(told[1] if told[0] == "maybe" else told)


def _numbers(state: m.State) -> list[int]:
    low, high = (state.bounds[0], state.bounds[1]) if state.bounds else (1, MOST_NUMBERS)
    return list(range(max(low, 1), min(high, max(low, 1) + MOST_NUMBERS - 1) + 1))


def _sides(told: list[tuple[str, str, str]], number: int) -> Iterator[Piece]:
    """Two values on one marker, a side each: (what it says, what of, colour)."""
    for at in range(0, len(told), 2):
        text, of, shade = told[at]
        back, _, back_shade = told[at + 1] if at + 1 < len(told) else told[at]
        made = _marker(text, of if of not in text else "", shade, number)
        yield evolve(made, back=capital(back), back_colour=back_shade)


def _marker(text: str, party: str, shade: str, number: int) -> Piece:
    text = capital(text)
    return Piece("marker", "marker", "", text, shade, party, [], number, back=text, back_colour=shade)
