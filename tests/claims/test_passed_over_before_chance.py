"""Of a choice that was passed over one can speak although dice or a shuffle come before the next decision."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Storms", version "1"
kind Side
    state points: int
    holds boats: Boat
things
    Side North
    Side South
players Side
kind Boat: side: Side
    home side.boats
things
    Boat Heron  North
    Boat Otter  South
kind Card
    home deck
things
    Card Calm
    Card Gale
holds deck: Card, ordered
holds sea: Boat
state active: Side
phase landing "Landing"
    choose if possible land: b in sea "Land {b}"
        require b.side == active
        move b to active.boats
phase weather "Weather"
    CHANCE
phase sailing "Sailing"
    choose sail: b in active.boats "Sail {b}"
        move b to sea
    or pass
sequence
    for active in Side
        landing
        weather
        sailing
    end game, draw
example "x"
    given empty, active North, at landing
"""
CHANCE = ["roll d6 as die\n    active.points += die", "shuffle deck"]


def told(chance: str, line: str) -> list[str]:
    text = f"{GAME.replace('CHANCE', chance)}    {line}\n"
    return [f"{d.message} | {d.label.text}" for r in run_examples(GameSource.of_text(text)) for d in r.failures]


@pytest.mark.parametrize("chance", CHANCE)
@pytest.mark.parametrize("line", ["legal b for land exactly none", "legal land count 0", "try land Heron -> not asked"])
def test_nothing_was_legal_in_it(chance: str, line: str) -> None:
    assert told(chance, line) == []


@pytest.mark.parametrize("chance", CHANCE)
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("legal b for land exactly {Heron}", "`Heron` is not legal | legal: none"),
        ("try land Heron -> refused", "`land Heron` is not asked here | `land` was passed over"),
        ("try land Heron -> allowed", "`land Heron` is not asked here | `land` was passed over"),
        ("legal b for sail exactly none", "and none is given"),
        ("try sail Heron -> allowed", "and none is given"),
        ("asks North sail", "and none is given"),
    ],
)
def test_what_is_not_so_fails_all_the_same(chance: str, line: str, wanted: str) -> None:
    [failure] = told(chance, line)
    assert wanted in failure
