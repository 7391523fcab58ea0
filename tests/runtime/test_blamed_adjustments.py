"""A refusal names the rules that adjusted a value, if without them it would have been allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Tolls"
rulebook "Tolls"
    1  rule  "The toll is paid"
    2  rule  "Snow"
    3  rule  "A friend at the gate"
    4  rule  "Never for nothing"
    5  rule  "War"
values Side: North, South
players Side
state active: Side
state snow: bool
state friend: bool
state war: bool
state coins: int = 2
kind Gate: price: int = 1
things
    Gate Mill
    Gate Bridge  price 2

value toll(g: Gate) -> int
    g.price
adjust toll(g) add 1 when snow "Snow"            §2
adjust toll(g) add -1 when friend "A friend"     §3
adjust toll(g) floor 1                           §4
adjust toll(g) set 9 when war "War"              §5

phase day "Day"
    may choose pass_through: g in Gate "Pass through {g}"
        require coins >= toll(g) "enough coins"  §1
        coins -= toll(g)

sequence
    for active in Side
        day
    end game, draw

"""
CASES = {
    "snow is to blame": ("snow is yes", "pass through Bridge -> refused by §1, §2"),
    "the price itself is": ("coins is 1", "pass through Bridge -> refused by §1"),
    "war sets it": ("war is yes", "pass through Mill -> refused by §5"),
    "a floor": ("coins is 0, friend is yes", "pass through Mill -> refused by §4"),
}
NOT_BLAMED = {
    "snow does not matter": ("coins is 0, snow is yes", "pass through Bridge -> refused by §2"),
    "what helps is not to blame": ("coins is 0, friend is yes", "pass through Bridge -> refused by §3"),
    "what is not in force": ("coins is 0", "pass through Bridge -> refused by §5"),
}


def failed(given: str, claim: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "tolls.rules"
    example = f'example "At the gate"  §1\n    given empty, active North, {given}, at day\n    try {claim}\n'
    path.write_text(GAME + example, encoding="utf-8")
    return [str(d.message) for r in run_examples(GameSource.load(path)) for d in r.failures]


@pytest.mark.parametrize("case", CASES)
def test_an_adjustment_that_makes_the_difference_is_named(case: str, tmp_path: Path) -> None:
    assert failed(*CASES[case], tmp_path) == []


@pytest.mark.parametrize("case", NOT_BLAMED)
def test_another_adjustment_is_not(case: str, tmp_path: Path) -> None:
    assert failed(*NOT_BLAMED[case], tmp_path)
