"""A counterexample that is printed shows what it says: put into the game's file, it fails where the play broke."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.claims import GameSource, run_examples
from rulescript.testing import run_conformance
from rulescript.testing.report import SHOWN

HEAD = """\
rulescript 1
game "Broken", version "1"
kind Side
    state vp: int
    holds hand: Card, visible to it, count to others
    holds deck: Card, ordered, count to others
    holds cup: Chit
things
    Side Red
    Side Blue
players Side
    2: Red, Blue
    1: Red + Blue
state active: Side
values Arm: foot, horse
values Year: y14, y15, y16
state year: Year
kind Place
    holds units: Unit
map Land
    link road
    Place Mill
    Place Ford
    Place Otter
    road Mill - Ford - Otter
holds box: Unit
pieces Unit: side: Side, arm: Arm
    state moved: bool, lasts year
    home box
counts Unit
    |      | foot | horse |
    | Red  |    4 |     2 |
    | Blue |    4 |     2 |
kind Card: side: Side, worth: int
    home side.deck
things
    Card Raid    Red, worth 1, 2
    Card Feint   Red, worth 2
    Card Levy    Blue, worth 1, 2
    Card March   Blue, worth 3
pieces Chit: worth: int
    home bag
holds bag: Chit
things
    Chit One  worth 1, 3
    Chit Two  worth 2, 2
function enemy(s: Side) -> Side
    if s == Red then Blue else Red
route ride(u: Unit on Place) from u.place by road, at most 2 steps
"""

# Losses of two sides, of which some picks leave no choice.
LOSSES = """\
procedure battle(p: Place)
    roll count(p.units[side == active]) d6 as attack
    roll count(p.units[side != active]) d6 as defence
    let struck = count(attack[it >= 4])
    let suffered = count(defence[it >= 4])
    choose by enemy of active lose: struck from p.units[side != active] as lost "Lose {lost}"
        for u in lost
            move u to box
    choose fall: suffered from p.units[side == active] as fallen "Lose {fallen}"
        for u in fallen
            move u to box
phase battles
    battle(Mill)
sequence
    move box to Mill
    for year in Year
        for active in Side
            battles
    end game, draw
"""
# Names asked one by one, declining, dice and draws in between, cards from a shuffled deck.
MARCHES = """\
phase movement
    repeat
        choose march: u in Place.units, p in Place "March {u} to {p}"
            require u.side == active and not u.moved
            require p in ride(u)
            move u to p
            u.moved = yes
            roll 2 d6 as rolled
            active.vp += count(rolled[it >= 5])
            draw 1 from bag to active.cup
        or choose card: c in active.hand "Play {c}"
            move c to bottom of active.deck
            active.vp += c.worth
        or rest "Rest a while"
            active.vp += 1
            stop
        or stop "End of marches"
    shuffle active.deck
sequence
    for s in Side
        shuffle s.deck
        draw 2 from s.deck to s.hand
    place 2 Red_foot, 1 Red_horse in Mill
    place 2 Blue_foot, 1 Blue_horse in Otter
    for year in Year
        for active in Side
            movement
    end game, draw
"""
# Answers given at once, asides, forced choices, selections of any number.
SEALED = """\
aside boast "Boast" by active during year
    active.vp += 1
procedure pay
    choose any number from active.cup as paid "Pay {paid}"
        require count(paid) < 3
        move paid to bag
phase bids
    each s in Side sealed
        choose by s bid: n in 0..2 "Bid {n}"
            s.vp += n
    choose only_way: c in active.hand[worth == 9] "Take {c}"
        active.vp += 9
    or go_on "Go on"
        active.vp -= 0
    pay
sequence
    for s in Side
        draw 2 from bag to s.cup
    for year in Year
        for active in Side
            bids
    end game, draw
"""

GAMES = {
    "losses of both": LOSSES
    + 'invariant "One is gone", at end of battles\n    none Mill.units[side == Red] or none Mill.units[side == Blue]\n',
    "losses, always": LOSSES + 'invariant "Never few", always\n    count(Mill.units) > 9\n',
    "losses, at decisions": LOSSES + 'invariant "Never few", at every decision\n    count(Mill.units) > 9\n',
    "marches, points": MARCHES + 'invariant "Few points", always\n    every s in Side: s.vp < 4\n',
    "marches, chits": MARCHES + 'invariant "One chit", at end of movement\n    every s in Side: count(s.cup) < 2\n',
    "marches, cards": MARCHES + 'invariant "Hands", at every decision\n    every s in Side: count(s.hand) > 0\n',
    "marches, where": MARCHES + 'invariant "None in Ford", at end of movement\n    count(Ford.units) < 2\n',
    "a rule goes wrong": MARCHES.replace("active.vp += c.worth", "active.vp += 6 / (c.worth - 2) rounded down"),
    "goes wrong later": MARCHES.replace(
        "    shuffle active.deck\n",
        "    shuffle active.deck\n    active.vp += 6 / (3 - count(Ford.units)) rounded down\n",
    ),
    "at the beginning": MARCHES + 'invariant "Never", always\n    count(Mill.units) > 9\n',
    "no end of a loop": MARCHES.replace(
        "            active.vp += c.worth\n",
        "            active.vp += c.worth\n            repeat while active.vp > 2\n                active.vp += 1\n",
    ),
    "bids": SEALED + 'invariant "Low", at end of bids\n    every s in Side: s.vp < 3\n',
    "bids and cups": SEALED + 'invariant "Full", at every decision\n    every s in Side: count(s.cup) > 0\n',
    "in an option": MARCHES
    + 'option rich "Rich"\n    invariant "Few", always\n        every s in Side: s.vp < 3\n'
    + 'scenario late "Late"\n    after movement\n        active.vp += 3\n'
    + '    invariant "Less", always\n        Red.vp < 5\n',
    "over at once": MARCHES.replace("    for year in Year\n", "    end game, draw\n    for year in Year\n"),
    "two texts alike": MARCHES.replace('"March {u} to {p}"', '"March {u}"'),
}  # fmt: skip


# One of each sort every day; what takes many steps to shorten is played by `make test-long`.
DAILY = ("a rule goes wrong", "at the beginning", "bids and cups", "over at once")


@pytest.mark.parametrize(
    "name", [name if name in DAILY else pytest.param(name, marks=pytest.mark.long) for name in GAMES]
)
def test_what_is_printed_fails_when_it_is_pasted(name: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(HEAD + GAMES[name], encoding="utf-8")
    report = run_conformance(path, plays=12, processes=False, shrink_seconds=4)
    assert report.failures, report.text()
    for number, failure in enumerate(report.failures):
        assert failure.example, failure.text()
        pasted = tmp_path / f"pasted{number}.rules"
        pasted.write_text(f"{HEAD}{GAMES[name]}\n{failure.example}", encoding="utf-8")
        (result,) = list(run_examples(GameSource.load(pasted)))
        if failure.check not in SHOWN:
            assert result.ok, f"{failure.example}\n{result}"
            continue
        assert not result.ok, failure.text()
        if failure.check == "asked":
            continue
        # The file has another name now.
        said = failure.message.partition(" (")[0].rpartition(".rules:")[2]
        assert any(said in d.message for d in result.failures), f"{failure.text()}\n{result}"


def test_examples_of_the_set_up_keep_the_invariants(tmp_path: Path) -> None:
    """What an example plays from the game's own start is looked at as random play is; a position that it lays out
    itself may be a part of one."""
    game = HEAD + MARCHES + 'invariant "No points", at end of movement\n    Red.vp == 0\n'
    example = """
example "From the start"
    given setup
    play
        Red: rest a while
        shuffle
example "Laid out"
    given setup, active Red, at movement
        Blue: vp 3
    play
        Red: rest a while
        shuffle
    expect
        Red.vp == 1
"""
    first, second = run_examples(GameSource.of_text(game + example))
    assert [d.message for d in first.failures] == ['invariant "No points" does not hold at the end of movement']
    assert first.failures[0].span.text == "Red: rest a while"
    assert second.ok, str(second)
