"""The table of nations in the prose says what the forces say."""

from __future__ import annotations

import re

from tests.games.prose import GAMES, table

GAME = "lamps_are_going_out"
FORCES = (GAMES / GAME / "forces.rules").read_text(encoding="utf-8")
NATIONS = re.findall(
    r'^    Nation (\w+) +"(?:the )?([^"]+)" \w+, adjective "[^"]+"(?:, base (\d+))?(, neutral)?', FORCES, re.M
)
ARMIES = re.findall(r'^    Unit \w+ +"[^"]+" (\w+)(?!\w)(?!, (?:guns|tanks))', FORCES, re.M)
ENGINEERS = {
    name: re.findall(r"\w+", who) for name, who in re.findall(r"Engineers (\w+) .*nations \{([^}]+)\}", FORCES)
}


def pieces(kind: str) -> dict[str, str]:
    """How many of a kind of piece there are, by whom they belong to."""
    return dict(re.findall(rf'^    {kind} \w+ +"[^"]+" (\w+), (\d+)', FORCES, re.M))


def test_nations_and_their_forces() -> None:
    told = {row[0]: row[1:] for row in table(GAME, "chapters/setup.rules.md", "nation")}
    trenches = {
        nation: n for who, n in pieces("Trench").items() for nation in ENGINEERS[who] if len(ENGINEERS[who]) == 1
    }
    shared = {nation for who in ENGINEERS.values() if len(who) > 1 for nation in who}
    assert list(told) == [label for _, label, *_ in NATIONS]
    for name, label, points, neutral in NATIONS:
        joins, *numbers = told[label]
        assert (joins == "at the start") == (not neutral)
        assert numbers == [
            points or "0",
            str(ARMIES.count(name)),
            pieces("Fleet").get(name, "0"),
            pieces("U_Boat").get(name, "0"),
            "shared" if name in shared else trenches.get(name, "0"),
        ]
