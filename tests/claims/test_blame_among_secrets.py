"""A refusal names the rules that refuse, also where pieces lie face down: whose they are, all may know."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Blame", version "1"
values Side: Red, Blue
values Arm: foot, horse
players Side
holds box: Unit
kind Area
    holds units: Unit
map Land
    link road
    Area A
    Area B
    Area C
    Area D
    Area E
    road A - B - C
    road A - D - E - C
pieces Unit: side: Side, arm: Arm
    state face_up: bool
    home box
    HIDDEN
counts Unit
    |      | foot | horse |
    | Red  |    2 |     2 |
    | Blue |    2 |     2 |
state active: Side
route ride(u: Unit on Area) from u.place by road, at most 2 steps  §2
    through x
        require none x.units[side != u.side] "not past the enemy"  §3
phase movement
    choose march: u in Area.units, a in Area "March {u} to {a}"
        require u.side == active
        require none a.units[side != u.side] "no enemy"  §5
        require count(a.units) < 2 "stacking"            §6
        require a in ride(u) "out of reach"              §2
        move u to a
    or pass
sequence
    movement
    end game, draw
"""
FACE_DOWN = 'hidden when not face_up, known to side, showing "{side} block"'
GIVEN = """\
    given empty, active Red, at movement
        A: 1 Red horse
        B: 1 Blue horse
        D: 2 Red foot
"""
# What is tried, which rules refuse it, and which do not.
TRIES = [
    ("march Red horse to B", "§5", ("§2", "§3", "§6")),
    ("march Red horse to C", "§2, §3", ("§5", "§6")),
    ("march Red horse to D", "§6", ("§2", "§3", "§5")),
]


@pytest.mark.parametrize("hidden", [FACE_DOWN, 'text "{side} {arm}"'])
@pytest.mark.parametrize(("tried", "by", "others"), TRIES)
def test_the_rules_that_refuse_are_named_and_no_others(
    hidden: str, tried: str, by: str, others: tuple[str, ...]
) -> None:
    def run(cites: str) -> bool:
        text = f'{GAME.replace("HIDDEN", hidden)}example "It"\n{GIVEN}    try {tried} -> refused by {cites}\n'
        (result,) = run_examples(GameSource.of_text(text, "it.rules"))
        return result.ok

    assert run(by)
    assert not any(run(other) for other in others)


def test_what_only_its_owner_knows_is_not_told() -> None:
    """A requirement on the arm of what lies face down is told by its label alone."""
    text = GAME.replace("HIDDEN", FACE_DOWN).replace(
        "require none a.units[side != u.side]", "require none a.units[side != u.side and arm == horse] peeks"
    )
    text = text.replace('peeks "no enemy"', '"no enemy" peeks')
    source = GameSource.of_text(
        f'{text}example "It"\n{GIVEN}    try march Red horse to B -> refused by §5\n', "it.rules"
    )
    (result,) = run_examples(source)
    assert result.ok, str(result)
