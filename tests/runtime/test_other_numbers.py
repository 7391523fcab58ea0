"""A line that says a number does not mean an option with another one, though it be the only option."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import BadChoice
from rulescript.runtime.position import Position

GAME = """rulescript 1
game "Market"

kind Side
    holds camp: Unit
things
    Side Red
players Side
state active: Side = Red
state bought: int

values Arm: foot, carts
pieces Unit: side: Side, arm: Arm
    home side.camp
counts Unit
    |     | foot | carts |
    | Red |    2 |     2 |

kind Town
    holds units: Unit
things
    Town Mill

phase market
    choose buy: n in 1..3 "Buy {n} carts for 5"
        require n > 1 "so few are not sold"
        require n < 3 "so many are not sold"
        bought = n
    or pass "Buy nothing"

phase muster
    choose send: u in Red.camp, n in 2..2 "{u} goes {n} miles"
        move u to Mill
    or pass "Stay"

sequence
    market
    muster
    end game, {Red} win
"""


def start() -> Position:
    return GameSource.of_text(GAME, "market.rules").game().start(1)


@pytest.mark.parametrize("line", ["buy 1 carts", "buy 1 cart", "buy 1 carts for 5", "1 carts", "buy 3 carts"])
def test_another_number_is_refused(line: str) -> None:
    with pytest.raises(BadChoice):
        start().choose(line)


@pytest.mark.parametrize("line", ["buy 2 carts", "buy carts", "buy 2", "buy for 5", "2 carts for 5"])
def test_its_own_number_or_none_is_understood(line: str) -> None:
    assert start().choose(line).value("bought") == "2"


def test_why_not_tells_the_requirement() -> None:
    assert "so few are not sold" in str(start().why_not("buy 1 carts"))


def test_a_number_of_pieces_is_no_number_of_miles() -> None:
    position = start().choose("buy 2 carts").choose("send 1 Red foot")
    assert position.value("Mill.units") == {"Red_foot": 1}
