"""The digest of the rules: what changes a rule changes it, what only people read does not."""

from __future__ import annotations

import pytest

from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """
values Side: North, South
kind Town: walled: bool = no
    state siege: int
    holds units: Unit
pieces Unit: side: Side
    state moved: bool, lasts march
    home box
holds box: Unit
players Side
state active: Side
map Valley
    link road
    Town Mill  walled
    Town Ford "the Ford"
    Town Keep
    road Mill - Ford - Keep
things
    Unit Guard  North, 2
    Unit Scout  South, 2
function strength(t: Town, s: Side) -> int
    count(t.units[side == s])
function unasked(t: Town) -> int
    t.siege + 1
predicate open_to(t: Town, s: Side)
    require strength(t, s) < 3 "room" §2.4
route march_way(u: Unit on Town) from u.place by road, at most 1 step
table losses(n: int) -> int
    | 1 | 0 |
    | otherwise | 1 |
phase march "The march"
    choose go: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active "your own" §2.1
        require t in march_way(u) §2.2
        require open_to(t, active)
        let lost = losses(t.siege)
        t.siege = lost
        move u to t §2.5
        u.moved = yes
        tell "{u} has marched"
sequence
    for active in Side
        march
    end game, draw
"""


def digest(text: str) -> str:
    return compile_text(load_single(text, "valley.rules")).rules_hash


PLAIN = digest(GAME)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"the Ford"', '"Old Ford"'),
        ('"The march"', '"Marching"'),
        ('"March {u} to {t}"', '"{t}: send {u}"'),
        ('"your own" §2.1', '"not theirs" §3'),
        ("§2.5", "§9"),
        ('tell "{u} has marched"', 'tell "Off goes {u}"'),
        ("let lost = losses(t.siege)\n        t.siege = lost", "let gone = losses(t.siege)\n        t.siege = gone"),
        ("t.siege + 1", "t.siege + 2"),  # nobody asks for it
        ("\nsequence", "\n\n# a remark\nsequence"),
    ],
)
def test_what_only_people_read_changes_nothing(old: str, new: str) -> None:
    assert old in GAME
    assert digest(GAME.replace(old, new)) == PLAIN


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("< 3", "< 4"),
        ("count(t.units[side == s])", "count(t.units[side != s])"),
        ("at most 1 step", "at most 2 steps"),
        ("| otherwise | 1 |", "| otherwise | 2 |"),
        ("Mill - Ford - Keep", "Ford - Mill - Keep"),
        ("North, 2", "North, 3"),
        ("Mill  walled", "Mill"),
        (", lasts march", ""),
        ("        u.moved = yes\n", ""),
        ("end game, draw", "end game, North wins"),
        ("choose go:", "choose wander:"),
        ("require open_to(t, active)", "require open_to(t, South)"),
        ("for active in Side", "for active in {South, North}"),
    ],
)
def test_what_changes_a_rule_changes_it(old: str, new: str) -> None:
    assert old in GAME
    assert digest(GAME.replace(old, new)) != PLAIN
