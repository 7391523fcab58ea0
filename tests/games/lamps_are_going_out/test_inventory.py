"""Every row of the rulebook's index is in the game's text, or here with the reason why not (see ../inventory.py)."""

from __future__ import annotations

from tests.games.inventory import Index, Inventory

# Rows that ask for no code and no example.
NEEDS_NO_CODE = {
    "2.7": "a list of markers: each is a state, and cited where it is used",
    "2.8": "the sheets of the players: the board shows what is on them",
    "5.3c": "advice about where to keep cards",
    "7.2.2-b": "an aid for the table",
}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS: dict[str, str] = {
    "2.1.6": "the map has no unnamed areas, so nobody can enter one",
    "6.2.1b": "what moves, retreats or advances into a square or circle asks for an empty one; an invariant holds it",
    "7.3.1g": "an invader that has cleared the area advances like every attacker (7.2.7a)",
    "7.3.1i": "a garrison has one value and no dice, so two of them can never be higher (7.3.1e)",
    "7.3.2.1b": "only an invasion must attack; whoever comes later is under no duty",
    "7.3.2.2": "the changes of 7.3.1 are for the landing itself; a Beachhead is next to the area behind it",
    "7.5f": "breaches last as long as the phase",
    "14g": "how far Germany comes in the first turn follows from the borders; a check holds them",
    "A-47": "no border leads through the fourth corner; a check holds the borders of Belgium to the text",
}


class TestInventory(Inventory):
    index = Index("lamps_are_going_out", below=r"(?:[.\-].+|[A-Z]\d*|(?<=[A-Z])\d+|[a-z])")
    needs_no_code = NEEDS_NO_CODE
    follows = FOLLOWS
