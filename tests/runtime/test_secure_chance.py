"""Chance of the system: saved with its outcomes, never rolled again by taking back, and foretold by nobody."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import rulescript
from rulescript.errors import BadSave
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position

GAME = """\
rulescript 1
game "Draws", version "1"
kind Side
    state score: int
    holds hand: Card, visible to it, count to others
kind Card: rank: int
    home deck
    text "rank {rank}"
values Colour: red, blue
values Size: small, large
pieces Chip: colour: Colour, size: Size
    home bag
counts Chip
    |      | small | large |
    | red  |     3 |     1 |
    | blue |     2 |     1 |
holds deck: Card, count to others, ordered
holds bag: Chip
holds table: Chip
things
    Side North
    Side South
    Card C1  rank 1
    Card C2  rank 2
    Card C3  rank 3
    Card C4  rank 4
    Card C5  rank 5
    Card C6  rank 6
players Side
state active: Side

phase deal
    shuffle deck
    draw 2 from deck to North.hand
phase turn
    choose gamble "Gamble"
        roll 3d6 as dice
        active.score += sum(dice)
    or fetch "Fetch"
        draw 2 from bag to table
        shuffle deck
    or wait "Wait"
        active.score += 1

sequence
    deal
    repeat 3 times
        for active in Side
            turn
    end game, draw
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("draws") / "draws.rules"
    path.write_text(GAME, encoding="utf-8")
    return rulescript.load(path)


def played(game: Game, *keys: str) -> Position:
    position = game.start(chance="secure")
    for key in keys:
        position.choose(key)
    return position


def test_two_games_differ_and_the_seed_does_not_matter(game: Game) -> None:
    ends = {played(game, "gamble", "fetch", "gamble").state_hash() for _ in range(12)}
    assert len(ends) > 6


def test_every_die_is_as_likely_as_another(game: Game) -> None:
    dice: Counter[int] = Counter()
    for _ in range(200):
        dice.update(next(e for e in played(game, "gamble").journal if e["kind"] == "roll")["dice"])
    assert set(dice) == {1, 2, 3, 4, 5, 6} and min(dice.values()) > 50


def test_a_save_has_the_outcomes_and_opens_as_it_was(game: Game) -> None:
    position = played(game, "gamble", "fetch", "wait")
    saved = json.loads(position.to_json())
    assert saved["chance"] == "secure" and len(saved["opening"][0]) == 6
    assert [len(entry) for entry in saved["log"]] == [3, 3, 2]
    again = game.from_json(json.dumps(saved))
    assert again.state_hash() == position.state_hash()
    assert again.journal.text() == position.journal.text()
    assert again.undo(3).choose("gamble").state_hash() == position.undo(3).choose("gamble").state_hash()


@pytest.mark.parametrize("change", ["more", "fewer", "wrong", "order"])
def test_outcomes_that_do_not_fit_are_refused(game: Game, change: str) -> None:
    saved = json.loads(played(game, "gamble", "fetch").to_json())
    outcomes = saved["log"][0][2]
    if change == "more":
        outcomes.append(3)
    elif change == "fewer":
        outcomes.pop()
    elif change == "wrong":
        outcomes[0] = 7
    else:
        saved["log"][1][2][-1] = saved["log"][1][2][-1][:-1]
    with pytest.raises(BadSave):
        game.from_json(json.dumps(saved))


def test_taking_back_does_not_roll_again(game: Game) -> None:
    position = played(game, "gamble", "fetch", "gamble")
    first = position.state_hash()
    for _ in range(5):
        position.undo(3)
        for key in ("gamble", "fetch", "gamble"):
            position.choose(key)
        assert position.state_hash() == first
    dice = [e["dice"] for e in position.journal if e["kind"] == "roll"]
    # Deciding otherwise gives the same numbers to what comes then.
    position.undo(3).choose("wait").choose("gamble")
    assert [e["dice"] for e in position.journal if e["kind"] == "roll"] == dice[:1]


def test_taking_back_does_not_roll_again_after_a_save(game: Game) -> None:
    position = played(game, "gamble", "fetch")
    dice = [e["dice"] for e in position.journal if e["kind"] == "roll"]
    opened = game.from_json(position.to_json())
    opened.undo(2)
    saved = opened.to_json()
    assert len(json.loads(saved)["ahead"]) == 3 + 2 + 3
    reopened = game.from_json(saved).choose("wait").choose("gamble")
    assert [e["dice"] for e in reopened.journal if e["kind"] == "roll"] == dice
    # What lay in the deck and was drawn comes again, too.
    same = game.from_json(saved).choose("gamble").choose("fetch")
    assert same.state_hash() == position.state_hash()


@pytest.mark.parametrize("ahead", [[-1], [1 << 64], ["x"], 5, [True], [1.5]])
def test_a_damaged_save_is_refused(game: Game, ahead: object) -> None:
    saved = json.loads(played(game, "gamble").to_json())
    saved["ahead"] = ahead
    with pytest.raises(BadSave):
        game.from_json(json.dumps(saved))


def test_a_clone_foretells_nothing(game: Game) -> None:
    """What a clone rolls is not what the game itself will roll."""
    position = played(game)
    told = set()
    for _ in range(12):
        trial = position.clone().choose("gamble")
        told.add(str([e["dice"] for e in trial.journal if e["kind"] == "roll"]))
    assert len(told) > 6
    before = position.state_hash()
    assert position.steps == 0 and position.state_hash() == before


def test_an_answer_in_words_does_not_try_out_chance(game: Game) -> None:
    position = played(game)
    position.choose("Gamble")
    assert position.steps == 1


def test_replay_shows_what_came_out(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rulescript.cli.main import main

    position = played(game, "gamble", "fetch")
    path = tmp_path / "draws.json"
    path.write_text(position.to_json(), encoding="utf-8")
    assert main(["replay", str(path), "--game", str(game.where[0]), "--all"]) == 0
    dice = next(e["dice"] for e in position.journal if e["kind"] == "roll")
    assert f"Rolled {', '.join(map(str, dice))}." in capsys.readouterr().out
