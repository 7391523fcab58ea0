"""Hints guess well, or not at all, and fast."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulescript.diagnostics import nearest_names, spelling_hint
from rulescript.diagnostics.spelling import _distance_of

NAMES = ["Northmark", "Saltmere", "Upper_Fen", "reach", "reaches", "movement", "r", "t"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Nothmark", ["Northmark"]),
        ("NORTH_MARK", ["Northmark"]),
        ("upper fen", ["Upper_Fen"]),
        ("upperfne", ["Upper_Fen"]),
        ("reech", ["reach"]),
        ("movment", ["movement"]),
        ("R", ["r"]),
        ("x", []),
        ("artillery", []),
        ("", []),
        ("___", []),
    ],
)
def test_nearest_names(word: str, expected: list[str]) -> None:
    assert nearest_names(word, NAMES) == expected


def test_the_nearest_come_first_and_at_most_three() -> None:
    assert nearest_names("tile", ["tilde", "Tile", "tale", "tide", "tile"]) == ["Tile", "tale", "tide"]


def test_a_name_is_never_its_own_hint_and_repeats_count_once() -> None:
    assert nearest_names("tiles", ["tiles", "tile", "tile"]) == ["tile"]


def test_the_usual_question() -> None:
    assert spelling_hint("Nothmark", NAMES) == "did you mean `Northmark`?"
    assert spelling_hint("tile", ["tale", "tide"]) == "did you mean `tale` or `tide`?"
    assert spelling_hint("tile", ["tale", "tide", "tilt"]) == "did you mean `tale`, `tide` or `tilt`?"
    assert spelling_hint("zebra", NAMES) is None


def _plain_distance(one: str, other: str) -> int:
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            best = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i - 1] != other[j - 1]))
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                best = min(best, table[i - 2, j - 2] + 1)
            table[i, j] = best
    return table[len(one), len(other)]


@given(st.text("abc", max_size=9), st.text("abc", max_size=9), st.integers(0, 3))
def test_the_quick_distance_agrees_with_the_plain_one(one: str, other: str, furthest: int) -> None:
    if abs(len(one) - len(other)) <= furthest:
        quick = _distance_of(one, other, furthest)
        plain = _plain_distance(one, other)
        assert quick == plain if plain <= furthest else quick > furthest


def test_two_thousand_names_take_no_time() -> None:
    names = [f"{a}{b}{c}_{n}" for n, a in enumerate(["north", "salt", "upper", "old"] * 5)
             for b in ["mark", "mere", "fen", "ford", "wold"] for c in range(20)]  # fmt: skip
    assert len(names) == 2000
    began = time.process_time()
    assert nearest_names("northmrak3_0", names)[0] == "northmark3_0"
    assert nearest_names("x" * 100_000, ["x" * 100_001, "y" * 100_000]) == []
    assert time.process_time() - began < 1
