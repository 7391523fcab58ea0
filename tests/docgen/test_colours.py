"""Colours: nobody takes one side or nation for another, and a side has the same colour wherever it is met."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen.book import collect
from rulescript.docgen.counters import pieces_of
from rulescript.docgen.markers import markers_of
from rulescript.docgen.positions import Counters
from rulescript.docgen.site import OWN_TEMPLATES
from rulescript.docgen.subject import Subject
from rulescript.runtime.game import Game

# What eyes make of red, green and blue light: all three cones, or one sort of them missing (Machado and others, 2009).
EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
Three = tuple[float, ...]


def _times(matrix: tuple[Three, ...], values: Three) -> Three:
    return tuple(sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)


def _lab(colour: str, eye: str) -> Three:
    light = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in light)
    seen = tuple(min(1.0, max(0.0, v)) for v in _times(EYES[eye], linear))
    x, y, z = (
        v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116
        for v in (a / b for a, b in zip(_times(TO_XYZ, seen), WHITE, strict=True))
    )
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _distance(a: str, b: str, eye: str) -> float:
    return sum((p - q) ** 2 for p, q in zip(_lab(a, eye), _lab(b, eye), strict=True)) ** 0.5


@pytest.mark.parametrize("sheet", ["colours.css", "dark.css", "print.css"])
@pytest.mark.parametrize("eye", EYES)
def test_no_two_colours_are_alike_whoever_looks(sheet: str, eye: str) -> None:
    """A distance of 2.3 can just be seen side by side; areas lie apart, and a legend is small."""
    text = (OWN_TEMPLATES / sheet).read_text(encoding="utf-8")
    found = dict(re.findall(r"--([ct]\d+): (#[0-9a-f]{6});", text))
    for names in ([f"c{n}" for n in range(14)], [f"t{n}" for n in range(8)]):
        near = {(a, b): round(_distance(found[a], found[b], eye), 1) for a, b in combinations(names, 2)}
        assert min(near.values()) >= 5, sorted(near.items(), key=lambda item: item[1])[:3]


GAME = """
rulescript 1
game "Two Shores", version "1"
values Holder: nobody, South_shore "South shore", North_shore "North shore"
kind Shore: adjective: text
things
    Shore North_shore "North shore", adjective "northern"
    Shore South_shore "South shore", adjective "southern"
players Shore
holds box: Barge
holds pool: Gun
kind Nation: shore: Shore
things
    Nation Elm  North_shore
    Nation Oak  South_shore
kind Town
    state holder: Holder = nobody
    holds barges: Barge
map Lake
    link ferry
    Town Reed
    Town Sedge
    ferry Reed - Sedge
pieces Barge: nation: Nation
    home box
pieces Gun: shore: Shore
    home pool
things
    Barge Elm_barge "Elm barge" Elm, 2
    Barge Oak_barge "Oak barge" Oak, 2
    Gun Northern_heavy_gun "Northern heavy gun" North_shore, 3
    Gun Southern_heavy_gun "Southern heavy gun" South_shore, 3
state active: Shore
phase row "Rowing"
    choose go: t in Town "Take {t}"
        t.holder = North_shore
    or pass "Rest"
sequence
    row
    end game, North_shore wins
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "shores.rules").write_text(GAME)
    return rulescript.load(tmp_path / "shores.rules")


def test_a_side_has_one_colour_wherever_it_is_met(game: Game) -> None:
    counters = Counters(game)
    sides = [counters.tint_of("Shore", 0), counters.tint_of("Shore", 1)]
    assert counters.tint_of("Holder", 2) == sides[0]  # what is called as the side is
    assert counters.tint_of("Holder", 1) == sides[1]
    assert counters.tint_of("Holder", 0) not in sides
    assert len(set(sides)) == 2
    told = {piece.short: piece.colour for piece in markers_of(game.model, counters) if piece.kind == "marker"}
    told |= {piece.back: piece.back_colour for piece in markers_of(game.model, counters) if piece.kind == "marker"}
    assert told["North shore"] == sides[0]
    assert told["South shore"] == sides[1]


def test_a_counter_of_no_nation_is_its_players(game: Game) -> None:
    counters = Counters(game)
    pieces = {piece.label: piece for piece in pieces_of(game.model, counters)}
    assert pieces["Northern heavy gun"].party == "North shore"
    assert pieces["Northern heavy gun"].colour == counters.tint_of("Shore", 0)
    assert pieces["Northern heavy gun"].short == pieces["Southern heavy gun"].short  # the colour says whose
    assert pieces["Elm barge"].party == "Elm"
    assert counters.colours[pieces["Southern heavy gun"].colour] == "South shore"


ALLIANCES = """
rulescript 1
game "Four Cantons", version "1"
kind League
things
    League Hill_league "Hill league"
    League Lake_league "Lake league"
kind Canton: league: League
things
    Canton Upper_vale "Upper vale" Hill_league
    Canton Lower_vale "Lower vale" Lake_league
players Canton
values Branch: A, B
kind Invention: league: League, branch: Branch
holds drawer: Invention
things
    Invention Winch  Hill_league, A
        "Lifts one more."
    Invention Lock  Lake_league, B
        "Boats climb."
state active: Canton
phase build "Building"
    choose make: i in Invention "Make {i}"
        move i to drawer
    or pass "Rest"
sequence
    build
    end game, Upper_vale wins
"""


def test_a_card_of_an_alliance_has_its_colour_and_names_it(tmp_path: Path) -> None:
    (tmp_path / "cantons.rules").write_text(ALLIANCES)
    book = collect(Subject.of(rulescript.load(tmp_path / "cantons.rules")), games=0)
    winch, lock = book.galleries[0].cards
    assert (winch.deck, lock.deck) == ("Hill league", "Lake league")
    assert winch.shade and lock.shade and winch.shade != lock.shade
    assert winch.type == "Invention A"  # a letter alone says too little
