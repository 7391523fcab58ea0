"""The examples of To the Last Man! hold, and none is missing (see ../claims.py)."""

from __future__ import annotations

from tests.games.claims import Claims, Pinned

# Requirements that no `try` can name, since nothing is asked where they fail; examples show what follows instead.
NEVER_TRIED = {
    "Friendly areas": "a condition of the way by rail (By rail)",
    "Friendly or Disputed": "a condition of the way of reserves (Strategic reserves keep to their own ground)",
    "Friendly and free of enemies": "a condition of the line of supply (Lines of supply)",
    "a point for it": "without a point nobody is asked any more (Building)",
}


class TestClaims(Claims):
    pinned = Pinned("to_the_last_man")
    not_pinned: dict[str, str] = {}
    never_tried = NEVER_TRIED
    at_least = 300
