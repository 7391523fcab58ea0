"""`standing(s: Side) "points ahead"`: who is ahead, for all to see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulescript
from rulescript.bots import score_of
from rulescript.cli.main import main
from rulescript.game_data import StandingInfo
from rulescript.loader import bundled_games, load_single
from rulescript.pipeline import compile_text
from tests.games.sources import game

GAME = """
rulescript 1
game "Ahead"
values Side: North, South
players Side
state active: Side
state gift: int
kind Purse: side: Side
    state gold: int
things
    Purse Northern  North
    Purse Southern  South
function gold(s: Side) -> int
    sum(p.gold for p in Purse if p.side == s)
standing(s: Side) "gold ahead"
    gold(s) - max(gold(x) for x in Side if x != s)
option rich "Rich"
    adjust standing(s) times 10
phase play "Play"
    choose take: n in 1..3 "Take {n}"
        for p in Purse[side == active]
            p.gold += n
    or pass
sequence
    repeat 2 times
        for active in Side
            play
    end game
"""


def test_it_follows_the_position() -> None:
    position = compile_text(load_single(GAME, "ahead.rules")).start(seed=1)
    assert position.standing() == {"North": 0, "South": 0}
    position.choose("Take 3")
    assert position.standing() == {"North": 3, "South": -3}
    assert position.view("South").standing() == position.standing()


def test_options_adjust_it() -> None:
    position = compile_text(load_single(GAME, "ahead.rules"), ("rich",)).start(seed=1)
    assert position.choose("Take 2").standing() == {"North": 20, "South": -20}


def test_it_is_no_rule_of_play() -> None:
    """Saves of a game that is given a standing are those of the same rules."""
    plain = GAME.replace('standing(s: Side) "gold ahead"\n    gold(s) - max(gold(x) for x in Side if x != s)\n', "")
    plain = plain.replace("    adjust standing(s) times 10\n", "    state more: int\n")
    with_it, without = (compile_text(load_single(text, "ahead.rules")) for text in (GAME, plain))
    assert without.start(seed=1).standing() == {}
    assert without.data.standing is None
    assert with_it.data.standing == StandingInfo("gold ahead", [])


def test_bots_and_simulations_use_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ahead.rules"
    path.write_text(GAME, encoding="utf-8")
    position = rulescript.load(path).start(seed=1).choose("Take 3")
    assert score_of(position.game, position.s, [0]) > 0.5 > score_of(position.game, position.s, [1])
    assert main(["simulate", str(path), "-n", "5", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["standing"]
    assert set(told) == {"North", "South"} and told["North"] == -told["South"]
    assert main(["simulate", str(path), "-n", "5", "--seed", "1"]) == 0
    assert "gold ahead at the end, on average: North" in capsys.readouterr().out


@pytest.mark.parametrize("name", bundled_games())
def test_the_finished_games_have_one(name: str) -> None:
    position = game(name).start(seed=2)
    assert sorted(position.standing()) == sorted(position.game.player_names)
