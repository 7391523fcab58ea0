"""Options that are on by default, and doing without them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource, run_examples
from rulescript.testing.conformance import configurations

GAME = """\
rulescript 1
game "Weather"
kind Side
things
    Side North
players Side
state points: int = 1
sequence
    repeat 3 times
        go
    end game, draw "{points}"
phase go
    may win "Take a point"
        points += 1
option storm "Storm", on
    after go
        points += 10
option gale "Gale", on, needs storm
    after go
        points += 100
option calm "Calm", excludes storm
    before go
        points = 0
option mud "Mud"
    before go
        points += 1000
example "It is stormy"
    given setup
    play
        North: win
        run to end passing
    expect
        points == 332
example "It is not"
    with options -storm, -gale
    given setup
    play
        North: win
        run to end passing
    expect
        points == 2
"""


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "weather.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


def _points(game: rulescript.Game) -> str:
    position = game.start(seed=1)
    while position.decision:
        position.choose(position.decision.options[0])
    assert position.outcome is not None
    return str(position.outcome.how)


def test_an_option_that_is_on_can_be_switched_off(where: Path) -> None:
    assert rulescript.load(where).data.options == ["gale", "storm"]
    assert _points(rulescript.load(where)) == "334"
    game = rulescript.load(where, without=["gale"])
    assert game.data.options == ["storm"]
    assert _points(game) == "34"
    assert _points(rulescript.load(where, without=["gale", "storm"])) == "4"


def test_all_of_them_at_once(where: Path) -> None:
    assert rulescript.load(where, without=["*"]).data.options == []
    assert rulescript.load(where, options=["storm", "mud"], without=["*"]).data.options == ["mud", "storm"]


def test_the_cache_tells_them_apart(where: Path) -> None:
    for _ in range(2):
        assert _points(rulescript.load(where)) == "334"
        assert _points(rulescript.load(where, without=["gale"])) == "34"


def test_leaving_out_what_is_off_anyway_changes_nothing(where: Path) -> None:
    assert rulescript.load(where, without=["mud"]).data.options == ["gale", "storm"]


@pytest.mark.parametrize(
    ("options", "without", "said", "hint"),
    [
        ([], ["strom"], "there is no option `strom`", "did you mean `storm`?"),
        ([], ["storm"], "option `gale` needs `storm`", "leave out `gale` too"),
        (["storm"], ["storm"], "option `storm` is both asked for and left out", None),
        (
            ["calm"],
            [],
            "options `calm` and `storm` exclude each other",
            "leave out `storm`, which is on by default",
        ),
    ],
)
def test_what_does_not_go_together(
    where: Path, options: list[str], without: list[str], said: str, hint: str | None
) -> None:
    with pytest.raises(rulescript.BadOption) as caught:
        rulescript.load(where, options=options, without=without)
    assert caught.value.message == said
    assert caught.value.hint == hint


def test_a_save_knows_what_it_was_played_without(where: Path) -> None:
    game = rulescript.load(where, without=["gale"])
    position = game.start(seed=3)
    assert position.decision is not None
    position.choose(position.decision.options[0])
    text = position.to_json()
    assert json.loads(text)["options"] == ["storm"]
    with pytest.raises(rulescript.BadSave):
        rulescript.load(where).from_json(text)
    assert game.from_json(text).state_hash() == position.state_hash()


def test_examples_may_leave_them_out(where: Path) -> None:
    assert [str(r) for r in run_examples(GameSource.load(where)) if not r.ok] == []


def test_the_conformance_kit_plays_without_them_too(where: Path) -> None:
    played = [c.options for c in configurations(rulescript.load(where))]
    assert ("-gale",) in played
    assert ("-storm",) not in played  # the gale needs it
