"""A choice over several names is asked one by one; where the rest is settled, its words tell all of it."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Posts"
kind Side
    holds box: Unit
    holds hand: Card, visible to it, count to others
    holds spent: Card, visible to it, count to others
things
    Side North
    Side South
players Side
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.box
counts Unit
    |       | foot | horse |
    | North |    1 |     1 |
    | South |    1 |     1 |
kind Card: side: Side
    home side.hand
things
    Card Drum  North
    Card Fife  South
map Land
    link road
    Town Mill
    Town Ford
    Town Hill
    road Mill - Ford - Hill
kind Town
    holds units: Unit
state active: Side
phase muster "Muster"
    choose send: u in active.box, t in Town "Send {u} to {t}"
        require u.arm == horse or t == Mill
        move u to t
    choose march: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active
        require t in u.place.road
        require t != Ford or u.arm == foot
        move u to t
    may choose give: t in Town, c in active.hand "Give {c} to {t}"
        move c to active.spent
sequence
    for active in Side
        muster
    end game, draw
"""


@pytest.fixture(scope="module")
def game() -> rulescript.Game:
    return compile_text(load_single(GAME, "posts.rules"))


def _texts(position: rulescript.Position) -> list[str]:
    assert position.decision is not None
    return [option.text for option in position.decision.options]


def test_what_is_settled_is_told_whole(game: rulescript.Game) -> None:
    position = game.start(seed=1)
    assert _texts(position) == ["Send North foot to Mill", "Send: North horse"]
    assert position.decision is not None
    assert [option.key.split("=")[0] for option in position.decision.options] == ["send u", "send u"]


def test_the_words_are_an_answer(game: rulescript.Game) -> None:
    position = game.start(seed=1)
    position.choose("Send North foot to Mill")
    assert position.value("Mill.units") == {} and len(position.value("Ford.units")) == 1  # and it marched on


def test_the_journal_tells_it_whole(game: rulescript.Game) -> None:
    position = game.start(seed=1)
    assert position.decision is not None
    position.choose(position.decision.options[0])
    told = [event["text"] for event in position.journal if event["kind"] == "choice"]
    assert told[0] == "Send North foot to Mill"
    others = [e["text"] for e in position.journal.for_viewer("South") if e["kind"] == "choice"]
    assert others[0] == "Send North foot to Mill"


def test_who_asks_to_see_everything_is_asked_for_the_rest(game: rulescript.Game) -> None:
    position = game.start(seed=1, ask=True)
    assert _texts(position) == ["Send: North foot", "Send: North horse"]
    position.choose("Send: North foot")
    assert _texts(position) == ["Send North foot to Mill"]


def test_nothing_that_tells_answers_apart_gets_lost(game: rulescript.Game) -> None:
    """Two units of a sort in different towns: "March foot to Ford" could be either, so both keep theirs."""
    crowded = GAME.replace("    choose march", "    place 1 South foot in Hill\n    choose march")
    crowded = crowded.replace("        require u.side == active\n", "")
    position = compile_text(load_single(crowded, "crowded.rules")).start(seed=1)
    position.choose("Send North foot to Mill")
    assert len(set(_texts(position))) == len(_texts(position))


def test_what_others_may_not_know_is_not_told_them(game: rulescript.Game) -> None:
    position = game.start(seed=1)
    while position.decision is not None and position.decision.name != "give":
        position.choose(position.decision.options[0])
    assert position.decision is not None
    position.choose(position.decision.options[0])
    told = "\n".join(str(event) for event in position.journal.for_viewer("South"))
    assert "Drum" not in told
