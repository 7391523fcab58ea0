"""Counters to cut out: every type of piece with its colour, its short name, its values and how many there are, and
every single thing that goes about on the map, such as an army with a name."""

from __future__ import annotations

from collections.abc import Collection

from attrs import define

from rulescript.docgen.grids import is_usual
from rulescript.docgen.positions import Counters
from rulescript.model import game as m
from rulescript.model.types import INT
from rulescript.phrases import kind_noun

__all__ = ["Piece", "pieces_of"]

MOST_VALUES = 3


@define
class Piece:
    """A type of counter. `values` are its numbers, each with what it is called; `back` is what its back says, if that
    is not only whose it is."""

    of: str
    kind: str
    label: str
    short: str
    colour: str
    party: str
    values: list[tuple[str, str]]
    count: int
    back: str = ""
    back_colour: str = ""


def pieces_of(game: m.Game, counters: Counters, galleries: Collection[str] = ()) -> list[Piece]:
    """What has to be cut out; `galleries` are the kinds that are printed as cards."""
    out: list[Piece] = []
    stand = {h.kind.name for kind in game.kinds.values() if kind.links for h in kind.holds.values()}
    for kind in game.kinds.values():
        if not kind.is_pieces and (kind.name not in stand or kind.name in galleries):
            continue
        numbers = [a for a in kind.attrs.values() if a.type == INT][:MOST_VALUES]
        for thing in kind.things:
            short, shade = counters.short_of(kind.name, thing.index), counters.shade_of(kind.name, thing.index)
            told = [a for a in numbers if a.values[thing.index] is not None]
            told = told if kind.is_pieces else [a for a in told if not is_usual(a, thing, game)]
            values = [(a.name, str(a.values[thing.index])) for a in told]
            party = counters.party_of(kind.name, thing.index)
            count = thing.count if kind.is_pieces else 1
            out.append(Piece(kind.name, kind_noun(kind.name), thing.label, short, shade, party, values, count))
    return out
