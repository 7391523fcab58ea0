"""When a requirement is limited or lifted may be as hidden as what it asks: others learn it neither by who is asked nor
by what his options are."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Amended", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    state n: int
kind Card: worth: int = 1
    home North.hand
kind Town
things
    Side North
    Side South
    Card Drum
    Card Horn  worth 3
    Town Mill
    Town Ford
players Side
state active: Side
state flooded: bool
state spying: bool
holds spare: Card, count to others
phase go
    may choose raid: t in Town "Raid {t}"
        require t != Ford "not there"
        require not flooded "a flood"
        active.n += 1
phase setup
    draw 1 from North.hand to spare
    SET
sequence
    setup
    for active in Side[it == North]
        go
    end game, draw
AMENDED
"""
HEAVY = "some c in active.hand: c.worth > 2"


# What amends the choice, what the set-up does, and whether North is asked: all learn it, so not by what is in the hand.
AMENDED = {
    "limited by what is hidden": (f'restrict go.raid when {HEAVY}\n    require no "too heavy"', "", True),
    "lifted by what is hidden": (f'exception to go.raid "a flood" when {HEAVY}', "flooded = yes", True),
    "lifted by it though all is forbidden": (
        f'restrict go.raid\n    require no "truce"\nexception to go.raid "a flood" when {HEAVY}',
        "flooded = yes",
        False,
    ),
    "limited for all to see": ('restrict go.raid when flooded\n    require no "all is wet"', "flooded = yes", False),
    "limited for all to see, beside what is hidden": (
        f'restrict go.raid\n    require {HEAVY} "too light"\nrestrict go.raid when spying\n    require no "not so"',
        "spying = yes",
        False,
    ),
    "lifted for all to see, beside what is hidden": (
        f'restrict go.raid\n    require {HEAVY} "too light"\nexception to go.raid "a flood" when spying',
        "flooded = yes\n    spying = yes",
        True,
    ),
}


@pytest.mark.parametrize("way", AMENDED)
def test_whether_somebody_is_asked_tells_no_card(tmp_path: Path, way: str) -> None:
    amended, before, is_asked = AMENDED[way]
    path = tmp_path / "amended.rules"
    path.write_text(GAME.replace("AMENDED", amended).replace("SET", before or "flooded = no"), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    asked: dict[str, set[bool]] = {}
    for seed in range(8):
        position = game.start(seed)
        held = str(position.view("North").to_dict()["places"]["North.hand"])
        asked.setdefault(held, set()).add(position.decision is not None)
    assert len(asked) == 2  # both hands came up
    assert list(asked.values()) == [{is_asked}, {is_asked}]


def test_what_may_be_lifted_is_not_known_of_who_chooses() -> None:
    """A requirement that the place is one's own lets nobody look into it while it does not hold."""
    looks = GAME.replace(
        'raid: t in Town "Raid {t}"\n        require t != Ford "not there"',
        'raid: s in Side "Raid {s}"\n        require s == active "from home"\n'
        "        require some c in s.hand: c.worth > 2",
    ).replace("SET", "flooded = no")
    compile_text(load_single(looks.replace("AMENDED", ""), "amended.rules"))
    with pytest.raises(GameInvalid, match="looks into `hand`"):
        lifted = 'exception to go.raid "from home" when spying'
        compile_text(load_single(looks.replace("AMENDED", lifted), "amended.rules"))
