"""What somebody may see who plays no role, and what options are about, as data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.runtime.views import LEVELS

ROOT = Path(__file__).parent.parent.parent
HIDING = ["20-exchange", "25-half-hands", "30-sealed-choices", "31-decoys", "23-yearly-decks"]


def recipe(name: str) -> rulescript.Game:
    return rulescript.load(ROOT / "docs" / "cookbook" / f"{name}.rules.md")


@pytest.mark.parametrize("name", HIDING)
def test_a_spectator_sees_what_each_role_sees(name: str) -> None:
    position = recipe(name).start(4)
    rng = Random(name)
    game = position.game
    for _ in range(40):
        theirs = [position.view(role) for role in game.players]
        mine = position.view("spectator")
        for slot in game.values.places:
            least = min((view.level(slot) for view in theirs), key=lambda level: LEVELS[level])
            assert mine.level(slot) == least
        states = mine.states()
        assert all(states.keys() <= view.states().keys() for view in theirs)
        told = mine.to_dict()
        assert not mine.options and "options" not in (told["decision"] or {})
        # A line of the journal that everybody reads is read by the spectator; none that only some read.
        lines = {event["text"] for event in mine.journal if event["kind"] == "choice"}
        for view in theirs:
            assert lines <= {event["text"] for event in view.journal} | {"(hidden)", "(sealed)"}
        with pytest.raises(rulescript.BadChoice, match="spectator"):
            mine.why_not("anything")
        if position.decision is None:
            break
        position.choose(rng.randrange(len(position.decision.options)))


def test_a_hidden_hand_is_a_number_for_a_spectator() -> None:
    position = recipe("20-exchange").start(1)
    mine = position.view("spectator")
    assert mine.places()["Ruritania.hand"] == 8
    assert mine.explain("Ruritania.hand").said == "hidden"
    assert mine.explain("count(Ruritania.hand)").value == 8
    assert json.loads(mine.to_json())["viewer"] == "spectator"


def test_the_journal_of_a_view_is_for_nobody_else() -> None:
    """It is handed on as a whole; who asks it for another's story would else have that."""
    position = recipe("20-exchange").start(1)
    position.choose(0)
    for mine, other in [("Ruritania", "Vespria"), ("Ruritania", 1), ("spectator", "Vespria"), (0, "Vespria")]:
        journal = position.view(mine).journal
        with pytest.raises(rulescript.BadChoice, match="another viewer"):
            journal.for_viewer(other)
        with pytest.raises(rulescript.BadChoice, match="another viewer"):
            journal.story(viewer=other)
        assert journal.story(viewer=mine) == journal.story()
        assert journal.story(viewer="spectator") == position.view("spectator").journal.story()


def test_the_journal_for_a_seat_is_that_of_all_its_roles() -> None:
    game = rulescript.load("quartermaster_general_1914", players=2)
    position = game.start(3)
    for _ in range(12):
        position.choose(0)
    for seat in range(2):
        assert position.journal.for_viewer(seat).events() == position.view(seat).journal.events()


def test_a_role_of_that_name_is_a_role(tmp_path: Path) -> None:
    text = """rulescript 1

game "Onlookers"

kind Side
things
    Side player
    Side spectator

players Side

state active: Side
state score: int

phase scoring
    choose more: s in Side
        score += 1

sequence
    for active in Side
        scoring
    end game, draw
"""
    file = tmp_path / "onlookers.rules"
    file.write_text(text, encoding="utf-8")
    assert list(rulescript.load(file).start(1).view("spectator").roles) == [1]


def test_args_name_what_is_bound() -> None:
    position = recipe("01-first-turn").start(1)
    first = position.decision.options[0].args
    assert first["u"]["name"] == "Ruritania_infantry" and first["u"]["place"] == "Aldmere.units"
    assert first["u"]["states"] == {"moved": False}
    assert position.decision.options[-1].args == {}
    position.choose(0)
    for option in position.decision.options:
        assert option.args["u"] == first["u"]
        assert option.args["t"] == {"kind": "Town", "name": option.key.partition("t=")[2]}
    seen = position.view("Ruritania").to_dict()["decision"]["options"]
    assert [each["args"] for each in seen] == [option.args for option in position.decision.options]


@pytest.mark.parametrize("where", ["attrition_of_souls", *(str(p) for p in (ROOT / "docs" / "cookbook").glob("*.md"))])
def test_args_are_plain_data_and_fit_the_keys(where: str) -> None:
    if where.endswith("README.md"):
        return
    game = rulescript.load(where)
    position = game.start(6)
    rng = Random(2)
    for _ in range(60):
        decision = position.decision
        if decision is None:
            return
        for option in decision.options:
            args = option.args
            assert json.loads(json.dumps(args)) == args
            if "=" in option.key:
                name, _, value = option.key.partition(" ")[2].partition("=")
                bound = args[name]
                if isinstance(bound, dict) and "place" in bound:
                    assert value.startswith(f"{bound['place']}:{bound['name']}")
                elif isinstance(bound, dict):
                    assert bound["name"] == value
                elif isinstance(bound, int) and not isinstance(bound, bool):
                    assert str(bound) == value
            else:
                assert decision.stage or not args
        if decision.selection is not None:
            told = decision.selection.to_dict()
            assert all(item["args"] for item in told["items"])
        position.choose(rng.randrange(len(decision.options)))
