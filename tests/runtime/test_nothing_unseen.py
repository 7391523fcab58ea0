"""Who has nothing to choose from, where others cannot see it, is asked all the same: silence would tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript import Game
from rulescript.testing import run_conformance

GAME = """\
rulescript 1
game "Unseen hands"
kind Side
    holds hand: Card, visible to it
    holds out: Card
kind Card
    home deck
holds deck: Card, hidden to others, ordered
things
    Side North
    Side South
    Card A
    Card B
    Card C
players Side
state active: Side

phase deal
    shuffle deck
    draw 1 from deck to North.hand
    draw 1 from deck to South.hand
phase hide
    choose by North bury: c in North.hand "Bury {c}"
        move c to deck
    or keep "Keep"
procedure go
    choose play: c in active.hand "Play {c}"
        move c to active.out
procedure lose
    choose cast: 1 from active.hand as lost "Cast {lost}"
        for c in lost
            move c to deck
procedure cut
    choose drop: up to 2 from active.hand as lost "Drop {lost}"
        for c in lost
            move c to deck
procedure each_one
    choose by North p: a in Side, c in North.hand "Give {a} {c}"
        move c to deck
procedure tok
    may choose by North put: c in North.hand "Put {c}"
        move c to deck
phase run_it
    PHASE
phase after_it
    for active in Side[it == South]
        lose
sequence
    deal
    hide
    run_it
    after_it
    end game, draw
"""
ONE = "for active in Side[it == North]\n        {}"
WAYS = {name: ONE.format(name) for name in ("go", "lose", "cut")} | {"each_one": "each_one", "tok": "tok"}
WAYS["sealed"] = "together\n        North: choose 1 from North.hand as a\n        South: choose 1 from South.hand as b"


def made(folder: Path, way: str) -> Game:
    path = folder / "hands.rules"
    path.write_text(GAME.replace("PHASE", WAYS[way]), encoding="utf-8")
    return rulescript.load(path)


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_hand_is_asked_for(tmp_path: Path, way: str) -> None:
    game = made(tmp_path, way)
    for first in ("bury", "keep"):
        decision = game.start(1).choose(first).decision
        assert decision is not None and decision.player == "North"


@pytest.mark.parametrize("way", ["lose", "cut"])
def test_what_others_are_told_is_the_same(tmp_path: Path, way: str) -> None:
    """The card goes where it cannot be seen; so does no card at all."""
    game = made(tmp_path, way)
    told = []
    for first in ("bury", "keep"):
        position = game.start(1).choose(first)
        while position.decision is not None and position.decision.player == "North":
            position.choose(0)
        events = list(position.view("South").journal.since(1))
        told.append([(event["kind"], event.get("key"), event["text"]) for event in events])
    assert told[0] == told[1] and any(key in ("cast", "drop") for _, key, _ in told[0])


def test_choosing_none_of_what_lies_open_reads_the_same_whatever_forbade_it(tmp_path: Path) -> None:
    """A hidden card decides whether anything of what lies open may be taken; who may take it, and does not, says no
    more."""
    way = 'choose by North spoil: up to 2 from South.out as spoils "Take {spoils}"\n        require C in North.hand\n'
    text = GAME.replace("phase hide", "phase lay\n    move B to South.out\nphase hide").replace(
        "    hide\n", "    lay\n    hide\n"
    )
    text = text.replace("shuffle deck\n    draw 1 from deck", "move C to North.hand\n    draw 0 from deck")
    path = tmp_path / "open.rules"
    path.write_text(text.replace("PHASE", way + "        move spoils to North.out"), encoding="utf-8")
    told = []
    for first, is_free in (("bury", False), ("keep", True)):
        position = rulescript.load(path).start(1).choose(first)
        assert position.decision is not None
        assert [option.key for option in position.decision.options] == ["spoil spoils=B", "done"][not is_free :]
        told.append([event["text"] for event in position.choose("done").view("South").journal.since(1)])
    assert told[0] == told[1]


def test_an_empty_hand_that_all_can_count_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "counted.rules"
    text = GAME.replace("PHASE", WAYS["go"]).replace(
        "hand: Card, visible to it", "hand: Card, visible to it, count to others"
    )
    path.write_text(text, encoding="utf-8")
    # South has one card, as all can see: that is forced, and nobody is asked any more.
    assert rulescript.load(path).start(1).choose("bury").is_over


@pytest.mark.parametrize("way", WAYS)
def test_every_form_and_the_kit_agree(tmp_path: Path, way: str) -> None:
    game = made(tmp_path, way)
    assert run_conformance(tmp_path / "hands.rules", plays=4, processes=False).ok
    assert len(game.playouts(20, seed=1)) == 20
