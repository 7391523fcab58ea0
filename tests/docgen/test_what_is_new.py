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


LITERATE = """\
# The base

```rules
rulescript 1
game "Base with prose", version "1"
values Side: Red, Blue
players Side
state active: Side
state points: int
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
kind Town
```

## Playing

Play brings a point.

```rules
phase play "Play"
    points += 1
```

## Counting

After each play the points are counted.

```rules
after play "Counting"
    tell "{points} so far"
```

## The end

```rules
sequence
    play
    end game, draw
```
"""
TAMER = """\
rulescript 1
game "Tamer", version "1"
    builds on base
map More_Land
    link road
    Town Weir
    road Mill - Weir - Ford
replace phase play "Play"
    points += 2
"""


def test_what_was_and_what_is_and_nothing_else_is_marked(tmp_path: Path) -> None:
    (tmp_path / "base.rules.md").write_text(LITERATE, encoding="utf-8")
    (tmp_path / "tamer.rules").write_text(TAMER, encoding="utf-8")
    assert main(["docs", str(tmp_path / "tamer.rules"), "--format", "markdown", "-o", str(tmp_path / "out")]) == 0
    told = (tmp_path / "out" / "differences.md").read_text(encoding="utf-8")
    was, _, now = told.partition("**It was**")[2].partition("**It is now**")
    assert "Add 1 to the points." in was and "Add 2 to the points." in now
    assert "1 town and 2 links: Weir" in told
    pages = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "out").glob("rules-*.md"))
    marks = [part.split("\n")[0] for part in pages.split("## ") if "o longer so with" in part]
    assert marks == ["Playing"]
