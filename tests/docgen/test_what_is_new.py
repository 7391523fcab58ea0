"""The page "What is different" of a variant, and the page of an option, name what is new."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulescript.cli.main import main

BASE = """\
rulescript 1
game "Base of cards", version "1"
values Side: Red, Blue
players Side
state active: Side
state points: int
values Arm: foot, horse
holds deck: Card, ordered
holds box: Unit
kind Card: worth: int
    home deck
    does play
pieces Unit: side: Side, arm: Arm
    home box
kind Town
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
things
    Card Old_One  worth 1
        "A point."
        play
            points += 1
sequence
    for active in Side
        choose card: c in deck "Play {c}"
            c.play()
        or pass
    end game, draw
option more "More"
    things
        Card The_Optional_One  worth 3
            play
                points += 3
"""
HOUSE = """\
rulescript 1
game "House", version "1"
    builds on base
values Sky: bright_sky, dark_sky
state omens: int
things
    Card The_New_One  worth 2
        "Two points."
        play
            points += omens
    Card Twin  "A Twin" worth 2, 2
        play
            points += 1
map More_Land
    Town Otter_Bay
    Town Heron_Hill
    road Otter_Bay - Heron_Hill - Mill
counts Unit
    |     | foot |
    | Red |    4 |
state sky: Sky
option rain "A Rainy Day"
    state wet: bool
    invariant "Dry", always
        not wet or sky == dark_sky
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new")
    (folder / "base.rules").write_text(BASE, encoding="utf-8")
    (folder / "house.rules").write_text(HOUSE, encoding="utf-8")
    assert main(["docs", str(folder / "house.rules"), "-o", str(folder / "out")]) == 0
    return folder / "out"


def text_of(path: Path) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "name",
    ["The New One", "A Twin", "Otter Bay", "Heron Hill", "bright sky", "omens", "Red foot (4)", "A Rainy Day"],
)
def test_what_a_variant_adds_is_named(pages: Path, name: str) -> None:
    (page,) = pages.rglob("differences.html")
    text = text_of(page).replace("_", " ")
    main_part = text[text.index("except for what stands here") :]
    assert name.casefold() in main_part.casefold()


def test_what_stands_on_a_new_card_is_told_with_its_name(pages: Path) -> None:
    (page,) = pages.rglob("differences.html")
    assert "The New One: Two points." in text_of(page)


def test_what_an_option_adds_is_named(pages: Path) -> None:
    told = [text_of(page).replace("_", " ") for page in pages.rglob("options.html")]
    assert any("The Optional One" in text for text in told)
