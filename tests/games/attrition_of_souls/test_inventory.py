"""Every row of the rulebook's index is in the game's text, or here with the reason why not (see ../inventory.py)."""

from __future__ import annotations

from tests.games.inventory import Index, Inventory

# Rows that ask for no code and no example.
NEEDS_NO_CODE = {
    "1.0": "says what the game is about",
    "2.1.3-e": "the colours of printed banners; the sides are shown by name",
    "2.2": "the aid sheet repeats the sequence of 4.0, which is cited",
    "3.9": "dice and markers are no stock: Amb-3",
    "4.3-n": "advice",
    "4.5-n": "advice",
    "4.6.1-b": "follows from 4.5 and 4.6.1-a: a mobilized tile stands in a capital when movement begins",
    "4.10.1.1-c": "advice: what was mobilized is not in the reserves any more",
    "4.11.1-n": "says whom 4.11.1 hits",
    "6.s": "advice; used as evidence for the map",
    "9.n": "advice about balance",
    "19.n": "advice about balance",
    "21-n": "an assessment of the position after the example of play",
    "22.0": "the designer's remarks",
    "Amb-3": "markers and dice are states and rolls, which never run out",
    "Amb-13": "misprinted cross references; the index follows the numbers of the body",
}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "2.7": "contested regions come from 4.9-c, the advance and the surrender",
    "3.8": "industrial points are counted on the map (4.2-b) and kept nowhere",
    "6.1-b": "nobody can enter an enemy region in Spring 1914 (6.1-a), so no battle can be planned",
    "X-29": "trenches come before tiles (17.3-a), so the last tile outlives them",
    "Amb-39": "after the surrender 4.8.4 and 4.9 hold in Russian regions as everywhere",
}


class TestInventory(Inventory):
    index = Index("attrition_of_souls", below=r"[.\-].*")
    needs_no_code = NEEDS_NO_CODE
    follows = FOLLOWS
