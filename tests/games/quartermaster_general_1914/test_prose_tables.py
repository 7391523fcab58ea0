"""The tables of the prose say what the forces, the map and the decks say."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tests.games.prose import GAMES, counts, table
from tests.games.sources import game

GAME = "quartermaster_general_1914"
BOARD = "chapters/board.rules.md"
FORCES = (GAMES / GAME / "forces.rules").read_text(encoding="utf-8")
DECKS = {path.stem: path.read_text(encoding="utf-8") for path in (GAMES / GAME / "decks").glob("*.rules")}


@cache
def board() -> dict[str, Any]:
    return game(GAME).map


def spaces(cell: str) -> set[str]:
    labels = {space["label"]: name for name, space in board().items()}
    return {labels[label] for label in cell.split(", ")}


def having(attribute: str) -> set[str]:
    return {name for name, space in board().items() if space["attributes"].get(attribute) == "yes"}


def test_countries_and_pieces() -> None:
    told = {row[0].replace("-", "_").replace(" ", "_"): row[3:] for row in table(GAME, BOARD, "country")}
    homes = dict(re.findall(r"^    Country (\w+) .*home_space (\w+)", FORCES, re.M))
    assert {country: [int(n) for n in row[1:]] for country, row in told.items()} == counts(GAME)
    assert {country: spaces(row[0]) for country, row in told.items()} == {c: {home} for c, home in homes.items()}


def test_terrain() -> None:
    told = dict(table(GAME, BOARD, "terrain"))
    assert spaces(told["difficult"]) == having("difficult")
    assert spaces(told["sea"]) == having("sea")


def test_objectives() -> None:
    told = {row[0]: spaces(row[1]) for row in table(GAME, BOARD, "Objectives")}
    assert told["Home spaces"] == set(re.findall(r"home_space (\w+)", FORCES))
    assert told["Home spaces"] | told["others"] == having("objective")
    assert not told["Home spaces"] & told["others"]


def test_opening_pieces() -> None:
    code = (GAMES / GAME / "chapters/setup.rules.md").read_text(encoding="utf-8")
    placed = re.findall(r"^    place 1 (\w+) (\w+) in (\w+)", code, re.M)
    told = []
    for country, pieces in table(GAME, "chapters/setup.rules.md", "country"):
        for arm, where in re.findall(r"(Arm|Nav)(?:y|ies) in (?:the )?([^,]+)", pieces):
            for space in where.split(" and "):
                arms = {"Arm": "army", "Nav": "navy"}
                told.append((re.sub(r"\W", "_", country), arms[arm], *spaces(space)))
    assert sorted(told) == sorted(placed)


def test_decks() -> None:
    rows = table(GAME, "game.rules.md", "")
    order = ["austria_ottoman", "russia", "germany", "france_italy", "uk_us"]
    lists = [re.findall(r"deck_has\(\w+, \[([\d, ]+)\]\)", DECKS[deck]) for deck in order]
    made = [[int(n) for n in numbers.split(", ")] for [numbers] in lists]
    told = [[int(row[at]) for row in rows] for at in range(1, 6)]
    assert [column[:-1] for column in told] == made
    assert all(sum(column[:-1]) == column[-1] for column in told)


def test_build_cards() -> None:
    line = re.compile(r"^    Card \w+_Build_\w+ +(\w+), (build_\w+), \w+(?:, (\d+))?", re.M)
    found: dict[str, dict[str, int]] = {}
    for deck in DECKS.values():
        for country, kind, copies in line.findall(deck):
            found.setdefault(country, {})[kind] = int(copies or 1)
    made = {country: [kinds.get("build_army", 0), kinds.get("build_navy", 0)] for country, kinds in found.items()}
    told = {re.sub(r"\W", "_", row[0]): [int(n) for n in row[1:]] for row in table(GAME, "game.rules.md", "country")}
    assert told == made
