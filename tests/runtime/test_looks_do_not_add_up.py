"""Work is counted between two decisions: what somebody asks of a position meanwhile is no part of the next step, and
however often one looks, each look begins to count anew."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.machine import effort
from rulescript.runtime.game import Game

TEXT = """rulescript 1

game "Looks", version "1"

kind Side
things
    Side North
    Side South

players Side

kind Town
    state walls: int
things
    TOWNS

state turn: Side
state active: Side

function strong(s: Side) -> int
    sum(t.walls for t in Town, u in Town if u.walls >= 0)

standing(s: Side) "walls"
    strong(s)

invariant "Walls stand", always
    every s in Side: strong(s) >= 0

sequence
    for active in Side
        building
    close

phase building
    repeat 30 times
        choose build: t in Town "Build in {t}"
            t.walls += 1
        or pass "Wait"

phase close
    end game, draw "over"
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    towns = "\n".join(f"    Town T{number}" for number in range(40))
    (tmp_path / "looks.rules").write_text(TEXT.replace("    TOWNS", towns))
    game = rulescript.load(tmp_path / "looks.rules")
    game.prepare()
    game.check_invariants(game.start(1))  # much of what it finds is kept
    monkeypatch.setattr(effort, "WORK_LIMIT", 100)
    return game


@pytest.mark.parametrize("journal", [True, False])
def test_looks_between_steps_do_not_add_up(game: Game, journal: bool) -> None:
    position = game.start(1, journal=journal)
    while position.decision is not None:
        for _ in range(2):
            assert game.check_invariants(position) == []
            assert set(position.standing().values()) == {position.standing()["North"]}
            position.view("North").to_json()
        position.choose(position.steps % len(position.decision))
    assert position.is_over
