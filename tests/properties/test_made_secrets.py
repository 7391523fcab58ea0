"""Games with secrets, made at random: what is hidden from a seat is so at every door, or the game is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.properties.made_secrets import MORE_FROM, rules
from tests.properties.two_worlds import Refused, compare


def compared(seeds: range, folder: Path) -> tuple[list[str], Counter[str]]:
    """What somebody noticed who should not, and how much was looked at."""
    counts: Counter[str] = Counter()
    found: list[str] = []
    for seed in seeds:
        try:
            found += [f"seed {seed}: {told}" for told in compare(rules(seed), folder, seed, counts)[:1]]
        except Refused:
            counts["refused"] += 1
    return found, counts


def test_two_games_that_differ_in_hidden_things_look_the_same_to_others(tmp_path: Path) -> None:
    found, counts = compared(range(8), tmp_path)
    assert found == []
    found, more = compared(range(MORE_FROM, MORE_FROM + 4), tmp_path)
    assert found == []
    counts += more
    assert counts["games"] >= 4 and counts["doors"] > 500, counts


@pytest.mark.long
@pytest.mark.parametrize("first", [*range(1_000, 1_200, 50), *range(MORE_FROM + 1_000, MORE_FROM + 1_200, 50)])
def test_hundreds_of_games_that_differ_in_hidden_things_look_the_same_to_others(tmp_path: Path, first: int) -> None:
    found, counts = compared(range(first, first + 50), tmp_path)
    assert found == []
    assert counts["games"] > 20, counts
