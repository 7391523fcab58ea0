"""What a caller does wrong is refused with a sentence, and changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.bots import PlayoutBot, RandomBot, SearchBot, bot_named
from rulescript.docgen import describe_game
from rulescript.runtime.game import Game
from rulescript.testing import options, positions

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
    "who may undo at the start": (lambda g: g.start().can_undo("Nobody"), rulescript.BadChoice, "no player `Nobody`"),
    "outcomes with names": (lambda g: g.start(chance={"a": 1}), rulescript.BadOption, "a list of outcomes"),
    "outcomes in no order": (lambda g: g.start(chance={1, 2}), rulescript.BadOption, "a list of outcomes"),
    "an empty answer": (lambda g: g.start().choose("  "), rulescript.BadChoice, "empty text"),
    "an unknown player's view": (lambda g: g.start().view("Nobody"), rulescript.BadChoice, "no player `Nobody`"),
    "an unknown seat's view": (lambda g: g.start().view(7), rulescript.BadChoice, "no seat 7"),
    "a misspelt state": (lambda g: g.start().value("pionts"), KeyError, "did you mean `points`"),
    "a misspelt state of a thing": (lambda g: g.start().value("North.glod"), KeyError, "did you mean `North.gold`"),
    "a seed that is no number": (lambda g: g.start("x"), TypeError, "a whole number"),  # type: ignore[arg-type]
    "no game to play": (lambda g: positions("go"), rulescript.BadCall, "what is played is a Game"),  # type: ignore[arg-type]
    "no position": (lambda g: options(g), rulescript.BadCall, "what is decided in is a Position"),  # type: ignore[arg-type]
    "nobody to tell": (lambda g: SearchBot(1, on_thinking="x"), rulescript.BadCall, "a function"),  # type: ignore[arg-type]
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
    assert game.data.options == ["calm"]


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


def _with_state(data: dict[str, Any], state: list[Any]) -> str:
    """A save whose state was changed by somebody who also changed what tells that it was."""

    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    plain = [tuples(value) for value in state]
    check = hashlib.blake2b(repr(plain).encode(), digest_size=12).hexdigest()
    return json.dumps({**data, "snapshot": {**data["snapshot"], "state": state, "check": check}})


ODD = [None, True, -1, 0, 99, 10**40, -(10**40), 1.5, "x", [], [[]], [None], ["x", 1], {"a": 1}, {}]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("name", ["01-first-turn", "20-exchange", "31-decoys"])
def test_a_changed_state_is_refused_or_can_be_played(name: str, odd: Any) -> None:
    """Each value of the state in turn made something else: an error of ours at once, or none later on."""
    game = rulescript.load(Path("docs/cookbook") / f"{name}.rules.md")
    position = game.start(1, journal=False)
    for _ in range(3):
        position.choose(0)
    data = json.loads(position.to_json())
    for at in range(len(data["snapshot"]["state"])):
        state = list(data["snapshot"]["state"])
        state[at] = odd
        try:
            opened = game.from_json(_with_state(data, state))
        except rulescript.BadSave:
            continue
        for _ in range(5):
            if opened.decision is None:
                break
            before = opened.state_hash()
            try:
                opened.choose(0)
            except rulescript.RulescriptError:
                assert opened.state_hash() == before
                break


ANYTHING = [None, True, -1, 10**30, 1.5, float("nan"), "", "x", "\0", b"x", [], [1], {}, object(), "é" * 5000, [None]]
ANYTHING += ["\ud800", "x\udfff", ["\ud800"]]  # half letters
CALLS: dict[str, Callable[[Game, Any], Any]] = {
    "load": lambda g, odd: rulescript.load(odd),
    "load options": lambda g, odd: rulescript.load(g.where[0], options=odd),
    "load scenario": lambda g, odd: rulescript.load(g.where[0], scenario=odd),
    "load players": lambda g, odd: rulescript.load(g.where[0], players=odd),
    "load without": lambda g, odd: rulescript.load(g.where[0], without=odd),
    "start": lambda g, odd: g.start(odd),
    "start players": lambda g, odd: g.start(players=odd),
    "start chance": lambda g, odd: g.start(chance=odd),
    "seats": lambda g, odd: g.seats(odd),
    "from_json": lambda g, odd: g.from_json(odd),
    "playouts": lambda g, odd: g.playouts(odd) if odd != 10**30 else None,
    "playouts seed": lambda g, odd: g.playouts(1, odd),
    "playouts limit": lambda g, odd: g.playouts(1, limit=odd),
    "choose": lambda g, odd: played(g).choose(odd),
    "choose when all is over": lambda g, odd: played(g).choose(0).choose(0).choose(odd),
    "undo": lambda g, odd: played(g).undo(odd),
    "can_undo": lambda g, odd: played(g).can_undo(odd),
    "value": lambda g, odd: played(g).value(odd),
    "view": lambda g, odd: played(g).view(odd),
    "why_not": lambda g, odd: played(g).why_not(odd),
    "why_not of a player": lambda g, odd: played(g).why_not("win", odd),
    "explain": lambda g, odd: played(g).explain(odd),
    "journal since": lambda g, odd: list(played(g).journal.since(odd)),
    "journal for": lambda g, odd: played(g).journal.for_viewer(odd),
    "bot": lambda g, odd: bot_named(odd, 1),
    "bot seed": lambda g, odd: bot_named("random", odd),
    "playouts of a bot": lambda g, odd: PlayoutBot(1, playouts=odd),
    "bot without a position": lambda g, odd: RandomBot(1).choose(odd),
    "describe": lambda g, odd: describe_game(odd),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_anything_may_be_handed_over(game: Game, call: Callable[[Game, Any], Any]) -> None:
    """What is of the wrong sort gets an error of ours that can be shown."""
    for odd in ANYTHING:
        try:
            call(game, odd)
        except rulescript.RulescriptError as problem:
            assert 0 < len(str(problem).encode()) < 24_000 and "object has no attribute" not in str(problem)


def test_none_means_none(where: Path) -> None:
    game = rulescript.load(where, options=None, scenario=None, without=None)
    assert game.data.options == ["storm"]


@pytest.mark.parametrize("odd", [3, b"storm", 1.5, [3], [None]], ids=repr)
def test_options_are_names(where: Path, odd: Any) -> None:
    with pytest.raises(rulescript.BadCall, match="the options"):
        rulescript.load(where, options=odd)
    with pytest.raises(rulescript.BadCall, match="scenario"):
        rulescript.load(where, scenario=odd)


def test_bots_have_nothing_to_choose_when_the_game_is_over(game: Game) -> None:
    over = played(game).choose(0).choose(0)
    assert over.is_over
    for bot in (RandomBot(1), PlayoutBot(1, playouts=2)):
        with pytest.raises(rulescript.BadChoice, match="over"):
            bot.choose(over)


def test_an_option_of_another_game_changes_nothing(game: Game) -> None:
    other = rulescript.load("docs/cookbook/20-exchange.rules.md").start(1)
    position = played(game)
    before = position.to_json()
    assert other.decision is not None
    with pytest.raises(rulescript.BadChoice):
        position.choose(other.decision.options[0])
    assert position.to_json() == before


def test_an_option_is_a_value_that_fits_every_position_in_which_it_is_offered(game: Game) -> None:
    position = game.start()
    assert position.decision is not None
    first = position.decision.options[0]
    clone = position.clone()
    clone.choose(first).choose(first)
    assert (clone.steps, position.steps) == (2, 0)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_that_no_save_can_hold(sign: int) -> None:
    number = sign * 10**5000
    game = rulescript.load("attrition_of_souls")
    with pytest.raises(rulescript.BadCall, match="a seed has more than 3,000 digits"):
        game.start(number)
    with pytest.raises(rulescript.BadCall, match="more than 3,000 digits"):
        game.playouts(number)
    with pytest.raises(rulescript.BadChoice, match="there is no option of that number"):
        game.start(1).choose(number)
