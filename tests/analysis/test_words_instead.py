"""Where a newcomer asks in other words for what the language has, the hint is what to write."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import GameInvalid

GAME = """\
rulescript 1
game "Instead"
kind Side
    holds pool: Unit
things
    Side North
players Side
kind Region
    state control: maybe Side
    holds units: Unit
pieces Unit: side: Side
    state moved: bool
    home side.pool
things
    Unit Foot  North, 2
map Land
    link road
    Region Mill
    Region Ford
    road Mill - Ford
table losses(hits: int) -> int
    | 0  | 0 |
    | 1+ | 1 |
predicate held(r: Region)
    require r.control != nothing
sequence
    repeat
        choose by North march: u in Region.units, r in Region "March {u} to {r}"
            require r in u.place.road
            require held(r) and losses(1) == 1
            move u to r
        or stop "Stop"
    end game
"""


@pytest.mark.parametrize(
    ("good", "bad", "hint"),
    [
        ("require r in u.place.road", "require not moved(u)", "write `u.moved`"),
        ("require r in u.place.road", "require adjacent(u.place, r)", "write `r in u.place.road`"),
        ("require r in u.place.road", "require r in u.road", "write `u.place.road`"),
        ("    link road\n", "", "before its links: `link road`"),
        ("home side.pool", "home pool", "write for example `side.pool`"),
        ("maybe Side\n", 'maybe Side, told "{it} falls to {contrl}"\n', "did you mean `{control}`?"),
        ("maybe Side\n", 'maybe Side, told "{region} falls"\n', "did you mean `{it}`?"),
        ("maybe Side\n", 'maybe Side, told "{it} falls in {turn}"\n', "say more with `tell`"),
        ("| 1+ | 1 |", "| else | 1 |", "all the rest is called `otherwise` in a table"),
        ("require r.control != nothing", "r.control != nothing", "write `require r.control != nothing`"),
        ("require r.control != nothing", "return r.control != nothing", "write `require r.control != nothing`"),
        ("    repeat\n        choose", "    if 1 == 1\n        choose", "put `repeat` over the choice"),
    ],
)
def test_the_hint_is_what_to_write(good: str, bad: str, hint: str) -> None:
    assert good in GAME
    GameSource.of_text(GAME, "instead.rules").game()
    with pytest.raises(GameInvalid) as caught:
        GameSource.of_text(GAME.replace(good, bad), "instead.rules").game()
    assert hint in str(caught.value)
