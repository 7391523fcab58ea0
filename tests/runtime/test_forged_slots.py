"""A save without a log in which any one slot was changed is refused, or can be played on with.

`tests/fuzz/forged.py` makes them; here some of every printed game, with `long` many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.forged import forged_saves
from tests.games.sources import game

FOLDER = Path(__file__).parents[2] / "games"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/game.rules*"))


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_slot_is_refused_or_plays_on(name: str) -> None:
    _try(name, 3, 20)


@pytest.mark.long
@pytest.mark.parametrize("seed", [11])
@pytest.mark.parametrize("name", GAMES)
def test_many_changed_slots_are_refused_or_play_on(name: str, seed: int) -> None:
    _try(name, seed, 300)


def _try(name: str, seed: int, changes: int) -> None:
    found = list(forged_saves(game(name), seed, changes))
    assert [each for each in found if each.result not in ("refused", "plays")] == []
    # Both happen, or nothing was tried.
    assert {each.result for each in found} == {"refused", "plays"}
