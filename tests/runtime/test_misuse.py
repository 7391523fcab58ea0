"""What a caller does wrong is refused with a sentence, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Weather", version "1"
kind Side
    state gold: int
things
    Side North
    Side South
players Side
state active: Side
state points: int
phase go
    choose win "Take a point"
        points += 1
    or rest "Rest"
sequence
    repeat 2 times
        for active in Side
            go
    end game, draw "{points}"
option storm "Storm", on
    after go
        points += 10
option calm "Calm", excludes storm
    before go
        points = 0
"""


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("weather") / "weather.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def game(where: Path) -> Game:
    return rulescript.load(where)


def played(game: Game) -> rulescript.Position:
    return game.start(3).choose("win").choose("rest")


BAD: dict[str, tuple[Callable[[Game], Any], type[Exception], str]] = {
    "undo at the start": (lambda g: g.start().undo(), rulescript.BadChoice, "only 0 decisions"),
    "undo too many": (lambda g: played(g).undo(5), rulescript.BadChoice, "only 2 decisions"),
    "undo fewer than none": (lambda g: played(g).undo(-1), rulescript.BadChoice, "-1 decisions"),
    "undo without history": (lambda g: g.start(journal=False).choose(0).undo(), rulescript.BadChoice, "no history"),
    "who may undo": (lambda g: played(g).can_undo("Nobody"), rulescript.BadChoice, "no player `Nobody`"),
    "an empty answer": (lambda g: g.start().choose("  "), rulescript.BadChoice, "empty text"),
    "an unknown player's view": (lambda g: g.start().view("Nobody"), rulescript.BadChoice, "no player `Nobody`"),
    "an unknown seat's view": (lambda g: g.start().view(7), rulescript.BadChoice, "no seat 7"),
    "a misspelt state": (lambda g: g.start().value("pionts"), KeyError, "did you mean `points`"),
    "a misspelt state of a thing": (lambda g: g.start().value("North.glod"), KeyError, "did you mean `North.gold`"),
    "a seed that is no number": (lambda g: g.start("x"), TypeError, "a whole number"),  # type: ignore[arg-type]
    "chance of an unknown sort": (lambda g: g.start(chance="magic"), rulescript.BadOption, '"explicit"'),
    "too many players": (lambda g: g.start(players=9), rulescript.BadOption, "for 2 players"),
}


@pytest.mark.parametrize(("act", "sort", "said"), BAD.values(), ids=BAD)
def test_a_mistake_is_told(game: Game, act: Callable[[Game], Any], sort: type[Exception], said: str) -> None:
    with pytest.raises(sort) as problem:
        act(game)
    assert said in str(problem.value)


def test_an_unknown_option_names_those_there_are(where: Path) -> None:
    with pytest.raises(rulescript.BadOption, match="the options are storm, calm"):
        rulescript.load(where, options=["nosuch"])


def test_one_option_need_not_be_a_list(where: Path) -> None:
    game = rulescript.load(where, options="calm", without="storm")
    assert game.data["options"] == ["calm"]


def changed(**what: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update(what)


DAMAGED: dict[str, Callable[[dict[str, Any]], None]] = {
    "no snapshot": lambda data: data.pop("snapshot") and None,
    "half a state": lambda data: data["snapshot"].update(state=data["snapshot"]["state"][:5]),
    "another number": lambda data: data["snapshot"]["state"].__setitem__(-1, 4711),
    "options that are none": changed(options=[3]),
    "other options": changed(options=["calm"]),
    "a seed that is no number": changed(seed="x"),
    "too many players": changed(players=77),
    "an unknown choice": changed(log=[["win", "fly"]]),
    "a choice too many": lambda data: data["log"].extend([["win", "win"]] * 9),
    "another format": changed(format=99),
    "another game": changed(game="chess"),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_save_is_no_position(game: Game, damage: Callable[[dict[str, Any]], None]) -> None:
    data = json.loads(played(game).to_json())
    damage(data)
    with pytest.raises(rulescript.BadSave) as problem:
        game.from_json(json.dumps(data))
    assert str(problem.value)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "null", '"x"', "{}", "\x00\x01"])
def test_what_is_no_save_is_told_so(game: Game, text: str) -> None:
    with pytest.raises(rulescript.BadSave):
        game.from_json(text)


def test_an_option_is_a_value_that_fits_every_position_in_which_it_is_offered(game: Game) -> None:
    position = game.start()
    assert position.decision is not None
    first = position.decision.options[0]
    clone = position.clone()
    clone.choose(first).choose(first)
    assert (clone.steps, position.steps) == (2, 0)
