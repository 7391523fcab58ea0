"""The tables of the prose say what the forces, the map and the options say."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tests.games.prose import GAMES, counts, table
from tests.games.sources import game

GAME = "attrition_of_souls"
FORCES = (GAMES / GAME / "forces.rules").read_text(encoding="utf-8")
# Names of nations in the prose -> names in the program.
NATIONS = {
    (title or name.replace("_", " ")): name
    for name, title in re.findall(r'^    Nation (\w+) +(?:"([^"]+)")?', FORCES, re.M)
}
NEUTRAL = {name for name in NATIONS.values() if re.search(rf"^    Nation {name} .*starts_neutral", FORCES, re.M)}
TURNS = {
    name.replace("_", " "): set(re.findall(r"\w+", enters or ""))
    for name, enters in re.findall(r"^    Turn (\w+) +year \d+(?:, enters \{([^}]*)\})?", FORCES, re.M)
}
DEFAULTS = {"nation": "", "capital": "no", "industry": "0"}


@cache
def board() -> dict[str, Any]:
    return game(GAME).map


def test_tiles() -> None:
    rows = table(GAME, "chapters/board.rules.md", "Central Powers") + table(GAME, "chapters/board.rules.md", "Entente")
    told = {NATIONS[name]: [int(n) for n in numbers] for name, *numbers in rows}
    assert {name: numbers[:3] for name, numbers in told.items()} == counts(GAME)
    assert all(sum(numbers[:3]) == numbers[3] for numbers in told.values())


def test_regions_and_their_industry() -> None:
    told = {}
    for nation, side, capitals, territories, enters in table(GAME, "chapters/board.rules.md", "nation"):
        for cell, capital in ((capitals, "yes"), (territories, "no")):
            for label, industry in re.findall(r"([^,]+?) (\d)(?:, |$)", cell):
                told[label] = (NATIONS[nation], capital, industry)
        assert re.search(rf"^    Nation {NATIONS[nation]} .*{side.replace(' ', '_')}", FORCES, re.M)
        came = [turn for turn, nations in TURNS.items() if NATIONS[nation] in nations]
        assert came == ([] if enters == "from the start" else [enters])
    printed = {
        region["label"]: tuple(region["attributes"].get(key, default) for key, default in DEFAULTS.items())
        for region in board().values()
    }
    assert told == printed


def test_the_calendar() -> None:
    told = {}
    for turn, central, entente, _ in table(GAME, "chapters/sequence.rules.md", "turn"):
        names = {NATIONS[name] for cell in (central, entente) for name in cell.split(", ") if name != "none"}
        for each in ["Spring 1917", "Fall 1917", "Spring 1918"] if " to " in turn else [turn]:
            told[each] = names
    assert told == TURNS


def test_markers_at_the_start() -> None:
    told = {
        marker.split(",")[0]: set(cell.split(", ")) for marker, cell in table(GAME, "chapters/setup.rules.md", "marker")
    }
    assert told["neutral"] == {r["label"] for r in board().values() if r["attributes"]["nation"] in NEUTRAL}
    assert set.union(*told.values()) == {region["label"] for region in board().values()}
    assert [len(regions) for regions in told.values()] == [11, 4, 12]


def test_the_cards_and_their_years() -> None:
    code = (GAMES / GAME / "chapters/event_cards.rules.md").read_text(encoding="utf-8")
    cards = re.findall(r'^        EventCard (\w+)  (?:"([^"]+)" )?number "(\w+)", \w+, year (\d+)', code, re.M)
    rows = re.findall(r"^\| ([^|]+?) §15\.[12]-(\w+) \| (\d+) \|", code, re.M)
    made = [(title or name.replace("_", " "), number, year) for name, title, number, year in cards]
    assert sorted(rows) == sorted(made)
    assert len(rows) == 20


def test_the_historical_set_up() -> None:
    code = (GAMES / GAME / "chapters/historical_1914.rules.md").read_text(encoding="utf-8")
    placed = {region: tiles for tiles, region in re.findall(r"^        place (.+?) in (\w+)", code, re.M)}
    told = {
        next(name for name, r in board().items() if r["label"] == label): tiles.replace("Austro-Hungarian", "Austrian")
        for label, tiles in table(GAME, "chapters/historical_1914.rules.md", "region")
    }
    assert told == placed
