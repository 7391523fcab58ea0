"""The examples of Imperial Tide hold, and none is missing (see ../claims.py)."""

from __future__ import annotations

from tests.games.claims import Claims, Pinned

# Requirements that no `try` can name, since nothing is asked where they fail; examples show what follows instead.
NEVER_TRIED = {
    "your own units": "an area that is activated has units of one side only (One's own units only)",
    "your own infantry": "so has one that is attacked from (Who may not attack)",
    "no enemies there": "an area with enemies is theirs, which refuses a retreat already (Where nobody retreats to)",
    "who has retreated adds nothing": "an area has one marker only (Artillery that has retreated does not fire back)",
    "free of the enemy": "a condition of the supply path (Supply of the Central Powers)",
}


class TestClaims(Claims):
    pinned = Pinned("imperial_tide")
    not_pinned: dict[str, str] = {}
    never_tried = NEVER_TRIED
    at_least = 500
