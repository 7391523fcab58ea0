"""Where a newcomer asks in other words for what the language has, the hint is what to write."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import GameInvalid

GAME = """\
rulescript 1
game "Instead"
kind Side
    state size: int
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
        # one thing for another that it has
        ("require r in u.place.road", "require u == North", "did you mean `u.side`?"),
        ("require r in u.place.road", "require r == North", "did you mean `r.control`?"),
        ("require r in u.place.road", "require u.side is r", "write `== r`"),
        # what other languages ask behind a dot
        ("require r in u.place.road", "require u.place.road.contains(r)", "write `r in u.place.road`"),
        ("require r in u.place.road", "require r.units.length < 3", "write `count(r.units)`"),
        ("require r in u.place.road", "require r.units.count < 3", "write `count(r.units)`"),
        ("require r in u.place.road", "require r.units < 3", "write `count(r.units)`"),
        ("require r in u.place.road", "require r.held()", "write `held(r)`"),
        ("            move u to r", "            u.move(r)", "write `move u to r`"),
        ("            move u to r", "            u.moved.append(r)", "write `u.moved += r`"),
        # words and ways of theirs
        ("require r in u.place.road", "require any(x.moved for x in r.units)", "write `some x in r.units: x.moved`"),
        ("require r in u.place.road", "require all(x.moved for x in r.units)", "write `every x in r.units: x.moved`"),
        ("            move u to r", "            for i in range(2)\n                move u to r", "`repeat 3 times`"),
        ("            move u to r", '            print("gone")', 'write `tell "..."`'),
        ("            move u to r", "            let n = random(1, 6)", "`roll d6 as rolled`"),
        ("            move u to r", "            move u to home", "without `to`"),
        ("            move u to r", "            goal = r", "write `let goal = ...`"),
        # names
        ('"March {u} to {r}"', '"March {unit} to {r}"', "did you mean `u`?"),
        ("    Region Ford\n", "    Region Ford-End\n", "write `Region Ford_End`"),
        ("    Region Ford\n", "    Region Ford End\n", "write `Ford_End`"),
        ("    Side North\n", "    Side North  size 3\n", "its first value stands at its `state` line"),
        ("            move u to r", "            move u to North.pol", "did you mean `pool`?"),
    ],
)
def test_the_hint_is_what_to_write(good: str, bad: str, hint: str) -> None:
    assert good in GAME
    GameSource.of_text(GAME, "instead.rules").game()
    with pytest.raises(GameInvalid) as caught:
        GameSource.of_text(GAME.replace(good, bad), "instead.rules").game()
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("home side.pool", "home pool"),
        ("    Unit Foot  North, 2\n", "    Unit Foot  North, 2, foot\n"),
        ("by North march", "march"),
        ("kind Region\n", "kind Region marsh: bool\n"),
    ],
)
def test_one_mistake_is_one_report(good: str, bad: str) -> None:
    text = GAME.replace("    repeat\n", "    place 1 Foot in Mill\n    move Mill.units home\n    repeat\n")
    text = text.replace("    Side North\n", "    Side North\n    Side South\n").replace(
        "        or stop", "            chooser.size = 1\n        or stop"
    )
    GameSource.of_text(text, "instead.rules").game()
    with pytest.raises(GameInvalid) as caught:
        GameSource.of_text(text.replace(good, bad), "instead.rules").game()
    assert len(caught.value.diagnostics) == 1, str(caught.value)


KNOWN = """\
rulescript 1
game "Known"
kind Side
    state points: int
things
    Side North
    Side South
players Side
kind Army: side: maybe Side
    state target: maybe Side
things
    Army First  side North
    Army Second
state active: Side
procedure pay(s: Side)
    s.points += 1
sequence
    for a in Army
        if a.side != nothing and a.target != nothing
            active = a.side
            Second.target = nothing
            pay(a.side)
            WHAT
    end game
"""


def test_what_is_fixed_stays_known_and_what_may_change_does_not() -> None:
    """A state that was tested may be nothing again when it was set, of whatever army; an attribute stays as it was."""
    GameSource.of_text(KNOWN.replace("WHAT", "a.side.points += 1"), "known.rules").game()
    for used in ("pay(a.target)", "a.target.points += 1"):
        with pytest.raises(GameInvalid) as caught:
            GameSource.of_text(KNOWN.replace("WHAT", used), "known.rules").game()
        assert "`target` was set since it was tested" in str(caught.value)
        assert "`let kept = a.target`" in str(caught.value)
