"""Counters to cut out: every type of piece with its colour, its short name, its values and how many there are."""

from __future__ import annotations

from attrs import define

from rulescript.docgen.maps import COLOURS
from rulescript.docgen.positions import Counters
from rulescript.model import game as m
from rulescript.model.types import INT
from rulescript.phrases import kind_noun

__all__ = ["Piece", "pieces_of"]

MOST_VALUES = 3


@define
class Piece:
    """A type of counter. `values` are its numbers, each with what it is called."""

    kind: str
    label: str
    short: str
    colour: str
    party: str
    values: list[tuple[str, str]]
    count: int


def pieces_of(game: m.Game, counters: Counters) -> list[Piece]:
    out: list[Piece] = []
    for kind in game.kinds.values():
        if not kind.is_pieces:
            continue
        numbers = [a for a in kind.attrs.values() if a.type == INT][:MOST_VALUES]
        for thing in kind.things:
            short, colour = counters.short_of(kind.name, thing.index)
            values = [(a.name, str(a.values[thing.index])) for a in numbers if a.values[thing.index] is not None]
            shade = f"c{colour % COLOURS}" if colour >= 0 else ""
            party = counters.colours.get(colour, "")
            out.append(Piece(kind_noun(kind.name), thing.label, short, shade, party, values, thing.count))
    return out
