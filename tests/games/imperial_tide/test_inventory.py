"""Every row of the rulebook's index is in the game's text, or here with the reason why not (see ../inventory.py)."""

from __future__ import annotations

from tests.games.inventory import Index, Inventory

# Rows that ask for no code and no example.
NEEDS_NO_CODE: dict[str, str] = {}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "6.2.2d": "trenches are a state of the area, so whoever comes into it has them",
    "6.4.1f": "an attack action attacks one area (6.3a), so two targets take two actions",
    "6.16": "the example of play is played",
    "A-BESMOVE": "besiegers move like others, and a fort is besieged where enemy infantry stands (6.4.1)",
    "DN-a": "6.2.4g forbids to go on through the attackers' area, not to enter it",
    "M7": "the borders around Paris are reconstructed; a check holds them to the text",
    "M10": "the borders around Belgrade are reconstructed; a check holds them to the text",
    "M13": "the borders around Minsk are reconstructed; a check holds them to the text",
}


class TestInventory(Inventory):
    index = Index("imperial_tide", below=r"(?:[.\-].+|[a-z])")
    needs_no_code = NEEDS_NO_CODE
    follows = FOLLOWS
