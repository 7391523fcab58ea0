"""Playing the base game through the front door: bad choices, saves, undo, views, the journal, determinism.

Whatever goes wrong must be said in words a player understands, and must leave the position as it was.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.errors import BadChoice, BadOption, BadSave, RulescriptError
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.games.random_play import at, decisions, played_to

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "games" / "attrition_of_souls"


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("attrition_of_souls")


def keys(position: Position) -> list[str]:
    return [option.key for option in position.decision.options] if position.decision is not None else []


def picture(position: Position) -> tuple[Any, ...]:
    """All that a caller can see of a position."""
    decision = position.decision
    asked = None if decision is None else (decision.player, decision.name, decision.stage, decision.prompt)
    return position.state_hash(), position.steps, asked, keys(position), position.journal.text()


# --- Bad choices -------------------------------------------------------------------------------------------

BAD_CHOICES: list[tuple[Any, str]] = [
    ("advance towards the moon", "moon"),
    ("", "no answer"),
    ("mobilize German infantry in Paris", "not among the options (Mobilize"),
    ("move German infantry from Berlin to Paris", "not among the options"),
    ("mobilize t=Central_Powers.reserves:France_infantry", "France"),
    (99, "there is no option 99"),
    (-1, "there is no option -1"),
    (True, "no option"),
    (None, "no option"),
    (1.0, "no option"),
    ([0], "a list answers a choice of several"),
]


@pytest.mark.parametrize(("answer", "said"), BAD_CHOICES, ids=repr)
def test_a_bad_choice_is_refused_and_changes_nothing(game: Game, answer: Any, said: str) -> None:
    position = played_to(game, at("mobilize"))
    before = picture(position)
    with pytest.raises(BadChoice) as problem:
        position.choose(answer)
    assert said in str(problem.value)
    assert picture(position) == before


def test_an_option_of_another_decision_is_refused(game: Game) -> None:
    position = played_to(game, at("mobilize"))
    assert position.decision is not None
    stale = position.decision.options[0]
    later = played_to(game, at("move"))
    before = picture(later)
    with pytest.raises(BadChoice, match="not among the options"):
        later.choose(stale)
    assert picture(later) == before


def test_an_option_fits_a_clone(game: Game) -> None:
    position = played_to(game, at("move"))
    clone = position.clone()
    assert position.decision is not None
    clone.choose(position.decision.options[0])
    assert clone.state_hash() != position.state_hash()
    position.choose(position.decision.options[0])
    assert picture(clone) == picture(position)


def test_nothing_can_be_chosen_when_the_game_is_over(game: Game) -> None:
    position = game.start(seed=11)
    for _ in decisions(position, 11):
        pass
    before = picture(position)
    with pytest.raises(BadChoice, match="the game is over"):
        position.choose(0)
    assert picture(position) == before
    assert "over" in str(position.why_not("move German infantry from Berlin to Poland"))


@pytest.mark.parametrize("name", ["flying_pigs", "tank"])
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match=f"there is no option `{name}`"):
        rulescript.load("attrition_of_souls", options=[name])


def test_an_unknown_scenario_or_number_of_players_is_refused(game: Game) -> None:
    with pytest.raises(BadOption, match="there is no scenario `peace`"):
        rulescript.load("attrition_of_souls", scenario="peace")
    with pytest.raises(BadOption, match="for 2 players, not 5"):
        game.start(players=5)


# --- Saves -------------------------------------------------------------------------------------------------

# Where a save is most delicate: between the parts of one choice, and when one side has chosen in secret.
STAGES = [
    ("mobilize", 1),
    ("move", 1),
    ("take", 1),
    ("lose", 0),
    ("lose", 1),
    ("lose_2", 0),
    ("advance", 1),
    ("plan", 0),
]


@pytest.mark.parametrize("journal", [True, False], ids=["with history", "snapshot"])
@pytest.mark.parametrize(("choice", "stage"), STAGES)
def test_a_save_in_the_middle_of_a_choice(game: Game, choice: str, stage: int, journal: bool) -> None:
    position = played_to(game, at(choice, stage), journal=journal)
    loaded = game.from_json(position.to_json())
    assert picture(loaded) == picture(position)
    position.choose(0)
    loaded.choose(0)
    assert picture(loaded) == picture(position)


def test_a_loaded_game_plays_on_alike_and_can_be_taken_back(game: Game) -> None:
    position = played_to(game, at("lose_2"))
    loaded = game.from_json(position.to_json())
    ends = []
    for each in (position, loaded):
        for _ in decisions(each, 77):
            pass
        ends.append((each.outcome, each.state_hash(), each.journal.text()))
    assert ends[0] == ends[1]
    loaded.undo(loaded.steps)
    assert loaded.steps == 0


def test_a_save_of_another_game(game: Game) -> None:
    other = rulescript.load(ROOT / "tests" / "cli" / "games" / "skirmish.rules").start(seed=1)
    with pytest.raises(BadSave, match="a save of `skirmish`, not of `attrition_of_souls`"):
        game.from_json(other.to_json())


def test_a_save_with_other_options(game: Game) -> None:
    data = json.loads(played_to(game, at("move")).to_json())
    with pytest.raises(BadSave, match="played with options tanks.*load the game with the same ones"):
        game.from_json(json.dumps({**data, "options": ["tanks"]}))
    with pytest.raises(BadSave, match="scenario `historical`"):
        game.from_json(json.dumps({**data, "scenario": "historical"}))


@pytest.mark.parametrize("text", ["", "{", "[]", "17", '"save"', "null", "{}", '{"format": 2}', "[" * 5000])
def test_text_that_is_no_save(game: Game, text: str) -> None:
    with pytest.raises(BadSave, match="no save of a game"):
        game.from_json(text)


JUNK: list[Any] = [
    None,
    7,
    -1,
    10**30,
    True,
    "x",
    [],
    {},
    [["move", "stop"]],
    [[]],
    [17],
    {"state": [], "block": 1},
]


@pytest.mark.parametrize("journal", [True, False], ids=["with history", "snapshot"])
def test_a_damaged_save_is_refused_or_harmless(game: Game, journal: bool) -> None:
    """Each entry replaced by something else, or missing: never anything but a clear error."""
    saved = json.loads(played_to(game, at("move", 1), journal=journal).to_json())
    refused = 0
    for name in saved:
        damaged = [{**saved, name: junk} for junk in JUNK if junk != saved[name]]
        damaged.append({key: value for key, value in saved.items() if key != name})
        for data in damaged:
            try:
                position = game.from_json(json.dumps(data))
            except RulescriptError as problem:
                assert str(problem)
                refused += 1
            else:
                assert position.decision is None or keys(position)
    assert refused > 60


def test_a_save_whose_choices_do_not_lead_to_its_state(game: Game) -> None:
    saved = json.loads(played_to(game, at("plan")).to_json())
    saved["snapshot"]["state"][5] = 12345
    with pytest.raises(BadSave, match="damaged: its choices do not lead to its state"):
        game.from_json(json.dumps(saved))
    saved["log"][3] = ["mobilize", "mobilize r=Atlantis"]
    with pytest.raises(BadSave, match="diverges at choice 4"):
        game.from_json(json.dumps(saved))


def test_a_state_of_the_wrong_size(game: Game) -> None:
    saved = json.loads(played_to(game, at("plan"), journal=False).to_json())
    saved["snapshot"]["state"].pop()
    with pytest.raises(BadSave, match="not the right size"):
        game.from_json(json.dumps(saved))


def test_every_number_of_a_snapshot_counts(game: Game) -> None:
    saved = json.loads(played_to(game, at("plan"), journal=False).to_json())
    state = saved["snapshot"]["state"]
    for place, value in enumerate(state):
        for other in (None, 3, -1, "x", [1]):
            if other != value:
                saved["snapshot"]["state"] = [*state[:place], other, *state[place + 1 :]]
                with pytest.raises(BadSave, match="damaged"):
                    game.from_json(json.dumps(saved))


@pytest.fixture(scope="module")
def stricter(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The same game, but nobody may move to Hungary."""
    copy = tmp_path_factory.mktemp("changed") / "attrition_of_souls"
    shutil.copytree(FOLDER, copy)
    file = copy / "chapters" / "movement.rules.md"
    text = file.read_text(encoding="utf-8")
    own = "require r in march("
    assert own in text
    changed = text.replace(own, f"require r != Hungary  §4.6.1-a\n            {own}", 1)
    file.write_text(changed, encoding="utf-8")
    return rulescript.load(copy, cache=False)


def test_a_save_under_changed_rules_is_played_again(game: Game, stricter: Game) -> None:
    """A game in which the change makes no difference goes on."""
    position = played_to(game, at("move"))
    assert stricter.rules_hash != game.rules_hash
    loaded = stricter.from_json(position.to_json())
    assert loaded.journal.text() == position.journal.text()
    assert loaded.view("Entente").places() == position.view("Entente").places()


def test_a_save_under_changed_rules_says_where_it_no_longer_fits(game: Game, stricter: Game) -> None:
    def in_hungary(position: Position) -> bool:
        last = list(position.history())[-1:]
        return bool(last) and last[0].key == "move r=Hungary"

    position = played_to(game, in_hungary)
    with pytest.raises(BadSave, match=f"diverges at choice {position.steps}") as problem:
        stricter.from_json(position.to_json())
    assert "4.6.1-a" in str(problem.value)
    snapshot = json.loads(position.to_json())
    snapshot["log"] = None
    with pytest.raises(BadSave, match="the rules have changed since this was saved"):
        stricter.from_json(json.dumps(snapshot))


# --- Undo --------------------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_root_step_by_step(game: Game) -> None:
    position = game.start(seed=21)
    seen = [(here.state_hash(), keys(here)) for here in decisions(position, 21)]
    moves = [step.key for step in position.history()]
    end = position.state_hash(), position.outcome
    for state, offered in reversed(seen):
        position.undo()
        assert (position.state_hash(), keys(position)) == (state, offered)
    assert position.steps == 0
    assert picture(position) == picture(game.start(seed=21))
    with pytest.raises(BadChoice, match="only 0 decisions can be taken back"):
        position.undo()
    for key in moves:
        position.choose(key)
    assert (position.state_hash(), position.outcome) == end


def test_too_much_undo_changes_nothing(game: Game) -> None:
    position = played_to(game, at("move"))
    before = picture(position)
    with pytest.raises(BadChoice, match=f"only {position.steps} decisions"):
        position.undo(position.steps + 1)
    assert picture(position) == before


def test_a_player_may_take_back_what_no_die_followed(game: Game) -> None:
    position = played_to(game, at("move", 1))
    assert position.decision is not None
    player = position.decision.player
    position.choose(0)
    assert position.can_undo(player) == (position.decision is not None and position.decision.player == player)

    def has_rolled(here: Position) -> bool:
        return any(event["kind"] == "roll" for event in here.journal.since(here.steps - 1))

    assert not played_to(game, has_rolled).can_undo()


# --- Determinism -------------------------------------------------------------------------------------------

STORY = """
import sys
from random import Random
import rulescript

for seed in (3, 4):
    rng = Random(seed)
    position = rulescript.load("attrition_of_souls", cache=sys.argv[1] == "cached").start(seed=seed)
    while position.decision:
        print(position.state_hash(), position.decision.name, [o.key for o in position.decision.options])
        position.choose(rng.randrange(len(position.decision.options)))
    print(position.state_hash(), position.outcome)
    print(position.journal.text())
"""


def test_every_process_plays_the_same_game() -> None:
    """Also when Python's sets and dicts are in another order, and when the game is compiled anew."""
    told = [
        subprocess.run(
            [sys.executable, "-c", STORY, cached],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed, cached in (("0", "cached"), ("4242", "anew"))
    ]
    assert told[0].count("\n") > 500
    assert told[0] == told[1]


def test_other_seeds_play_other_games(game: Game) -> None:
    assert len({game.start(seed=seed).state_hash() for seed in range(50)}) == 50


# --- Views and the journal ---------------------------------------------------------------------------------


def test_everything_lies_open_in_the_base_game(game: Game) -> None:
    """No rule of the base game hides anything, not even what is in a pouch: only the draw is blind."""
    for number, position in enumerate(decisions(game.start(seed=8), 8)):
        if number % 60:
            continue
        views = [position.view(side) for side in game.players]
        assert views[0].places() == views[1].places()
        assert views[0].states() == views[1].states()
        for place, inside in views[0].places().items():
            assert inside == position.value(place)
        assert views[0].journal.text() == position.journal.text()


def test_only_the_one_who_decides_is_shown_the_options(game: Game) -> None:
    position = played_to(game, at("move"))
    assert position.decision is not None
    for side in game.players:
        shown = position.view(side).to_dict()["decision"]
        assert ("options" in shown) == (side == position.decision.player)


def test_losses_are_sealed_until_both_have_chosen(game: Game) -> None:
    """§4.8.2-f: both give up tiles at the same time, so the second must not see what the first chose."""
    position = played_to(game, lambda p: at("lose_2")(p) and list(p.history())[-1].choice == "lose")
    first = list(position.history())[-1]
    assert position.decision is not None
    assert position.decision.player != game.player_names[first.player]
    told = position.view(position.decision.player).journal.events()[-1]
    assert told["kind"] == "choice"
    assert told["key"] == "(sealed)"
    assert position.view(game.player_names[first.player]).journal.events()[-1]["key"] == first.key


def test_a_view_does_not_hold_the_seed(game: Game) -> None:
    position = played_to(game, at("move"))
    shown = json.loads(position.view("Entente").to_json())
    assert "seed" not in shown
    assert str(position.s[1]) not in position.view("Entente").to_json()
    assert json.loads(position.to_json())["omniscient"] is True


def test_the_journal_cites_rules_of_the_rulebook(game: Game) -> None:
    position = game.start(seed=5)
    for _ in decisions(position, 5):
        pass
    events = position.journal.events()
    assert {event["kind"] for event in events} >= {"choice", "phase", "draw", "move", "roll", "set", "end"}
    assert [event for event in events if not event["cites"]] == []
    assert {rule for event in events for rule in event["cites"]} <= set(game.rules)
    assert position.outcome is not None
    assert position.outcome.cites


def test_the_journal_speaks_of_tiles_as_players_do(game: Game) -> None:
    text = game.start(seed=5).journal.text()
    assert "Serbian infantry" in text
    assert "§3.1.4" in text
    assert "Serbia infantry" not in text
