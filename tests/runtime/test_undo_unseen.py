"""Whether a decision can be taken back tells nothing of what happened out of sight."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript import Game
from rulescript.runtime.event_words import EventTeller
from rulescript.testing import run_conformance

GAME = """\
rulescript 1
game "Traps"
kind Side
    holds hand: Card, visible to it
    holds box: Card, visible to it
kind Card
    home deck
holds deck: Card, hidden to others, ordered
things
    Side North
    Side South
    Card Trap
    Card Calm
    Card Levy
    Card Drill
players Side
state active: Side
state steps: int
phase deal
    shuffle deck
    draw 1 from deck to South.hand
phase go
    choose walk "Walk"
        if Trap in South.hand
            draw 1 from deck to South.box
        steps += 1
    or rest "Rest"
        steps += 1
sequence
    deal
    for active in Side[it == North]
        repeat 3 times
            go
    end game, draw
"""


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("traps") / "traps.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def game(where: Path) -> Game:
    return rulescript.load(where)


@pytest.mark.parametrize("chance", [None, "secure"])
def test_an_unseen_draw_does_not_show(game: Game, chance: str | None) -> None:
    hands = set()
    for seed in range(40):
        position = game.start(seed, chance=chance).choose("walk")
        hands.add(is_trapped := position.value("South.hand") == {"Trap": 1})
        assert position.can_undo("North") and not position.can_undo("South")
        assert position.can_undo() is not is_trapped  # who keeps the game is told
    assert hands == {True, False}


def test_a_draw_that_is_seen_cannot_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "open.rules"
    path.write_text(
        GAME.replace("box: Card, visible to it", "box: Card, visible to it, count to others"), encoding="utf-8"
    )
    game = rulescript.load(path)
    for seed in range(20):
        position = game.start(seed).choose("walk")
        assert position.can_undo("North") is (position.value("South.hand") != {"Trap": 1})


def test_the_kit_looks_at_it(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_conformance(where, plays=8, processes=False).ok

    def all_of_them(self: EventTeller, events: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(events)

    monkeypatch.setattr(EventTeller, "noticed", all_of_them)
    report = run_conformance(where, plays=8, processes=False)
    assert any("can be taken back" in str(failure) for failure in report.failures)
