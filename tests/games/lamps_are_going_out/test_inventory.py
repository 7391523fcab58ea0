"""Every row of the rulebook's index is in the game's text, or here with the reason why not (see ../inventory.py)."""

from __future__ import annotations

from tests.games.inventory import Index, Inventory

# Rows that ask for no code and no example.
NEEDS_NO_CODE: dict[str, str] = {}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS: dict[str, str] = {}


class TestInventory(Inventory):
    index = Index("lamps_are_going_out", below=r"(?:[.\-].+|[A-Z]?\d*[a-z]?)")
    needs_no_code = NEEDS_NO_CODE
    follows = FOLLOWS
