"""Every row of the rulebook's index is in the game's text, or here with the reason why not (see ../inventory.py)."""

from __future__ import annotations

from tests.games.inventory import Index, Inventory

# Rows that ask for no code and no example.
NEEDS_NO_CODE = {
    "1.2.3b": "the marker of a rule that is printed in another book",
    "1.2.3g": "the markers of a rule that is printed in another book",
    "2.V.4-d": "about playing together with another game",
    "3.1h": "about playing together with another game",
}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "5.4.3b": "pursuit comes only after a retreat instead of firing (5.4.1b)",
    "8.4a": "no choice of movement or retreat names a Fort",
}


class TestInventory(Inventory):
    index = Index("to_the_last_man", below=r"[.\-a-z].*")
    needs_no_code = NEEDS_NO_CODE
    follows = FOLLOWS
