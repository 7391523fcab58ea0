"""A position plays in the plain form or in the search form, and changes when it likes: it is the same position, with
the same words, views, journal and saves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position

ROOT = Path(__file__).parent.parent.parent
RECIPES = sorted((ROOT / "docs" / "cookbook").glob("[0-9]*.rules.md"))
GAMES = ["attrition_of_souls", *(str(path) for path in RECIPES[::3])]


def both(where: str) -> tuple[Game, Game]:
    """A game that plays in the plain form, and one that plays in the search form."""
    plain, quick = rulescript.load(where), rulescript.load(where)
    plain.count_played = lambda decisions: None  # type: ignore[method-assign]
    plain._may_be_kept = False
    return plain, quick.prepare()


def seen(position: Position) -> Any:
    decision = position.decision
    if decision is None:
        return position.state_hash(), position.outcome
    return (
        position.state_hash(),
        (decision.player, decision.name, decision.phase, decision.prompt),
        [(option.key, option.text, option.args, option.label) for option in decision.options],
    )


def looks_the_same(one: Position, other: Position) -> None:
    assert seen(one) == seen(other)
    assert one.known_state() == other.known_state() and one.o == other.o


@pytest.mark.parametrize("where", GAMES, ids=lambda where: Path(where).name)
def test_both_forms_are_one_position(where: str) -> None:
    plain, quick = both(where)
    rng = Random(where)
    one, other, bare = plain.start(5), quick.start(5), quick.start(5, journal=False)
    for number in range(60):
        looks_the_same(one, other)
        looks_the_same(one, bare)
        if one.decision is None:
            break
        at = rng.randrange(len(one.decision.options))
        aside = rng.randrange(len(one.decision.options))
        # Somebody goes another way with a clone; nobody notices.
        looks_the_same(one.clone().choose(aside), bare.clone().choose(aside))
        looks_the_same(one.clone().choose(aside), bare.clone(journal=True).choose(aside).undo().choose(aside))
        if number % 7 == 3:
            assert other.s[: quick.size] == other.s  # looked at from inside: it goes on in the plain form, and back
        one.choose(at)
        other.choose(one.clone().undo().decision.options[at] if number % 2 else other.decision.options[at])
        bare.choose(bare.decision.options[at])
    assert other.journal.events() == one.journal.events()
    for seat in range(len(plain.seats(one.players))):
        assert other.view(seat).to_dict() == one.view(seat).to_dict() == bare.view(seat).to_dict()
        assert other.view(seat).journal.events() == one.view(seat).journal.events()
    assert other.to_json() == one.to_json()
    looks_the_same(quick.from_json(one.to_json()), plain.from_json(other.to_json()))
    looks_the_same(plain.from_json(bare.to_json()), one)
    while one.steps:
        looks_the_same(one.undo(), other.undo())


def test_a_history_can_begin_later() -> None:
    _, quick = both("attrition_of_souls")
    bare = quick.start(3, journal=False)
    for _ in range(40):
        bare.choose(0)
    kept = bare.clone(journal=True)
    whole = quick.start(3)
    for _ in range(40):
        whole.choose(0)
    first = whole.steps
    for _ in range(10):
        kept.choose(0)
        whole.choose(0)
    assert kept.steps == 10 and [step.events for step in kept.history()] == [
        step.events for step in list(whole.history())[first:]
    ]
    opened = quick.from_json(kept.to_json())
    assert opened.state_hash() == kept.state_hash()
    assert kept.undo(10).state_hash() == bare.state_hash()
    assert kept.clone(journal=False).choose(0).steps == 0
    with pytest.raises(rulescript.BadChoice):
        kept.undo()


CIRCLES = """
import gc
from random import Random
import rulescript

position = rulescript.load("attrition_of_souls").prepare().start(8, journal=False)
rng = Random(1)

def play(steps):
    for _ in range(steps):
        decision = position.decision
        option = decision.options[rng.randrange(len(decision.options))]
        assert option.key and option.text and decision.prompt and option.args is not None
        position.clone().choose(option)
        position.choose(option)

play(30)
gc.collect()
gc.set_debug(gc.DEBUG_SAVEALL)
play(60)
gc.collect()
print(*[type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("rulescript.runtime")])
"""


def test_no_circles_are_left_behind() -> None:
    """In a process of its own: what other tests leave behind is not ours."""
    done = subprocess.run([sys.executable, "-c", CIRCLES], capture_output=True, text=True, timeout=300)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_options_are_a_sequence() -> None:
    position = rulescript.load("attrition_of_souls").start(2)
    while len(position.decision.options) < 4:
        position.choose(0)
    options = position.decision.options
    assert len(options) == len(list(options)) == len(position.decision)
    assert [option.key for option in options[1:3]] == [options[1].key, options[2].key]
    assert options[-1] == list(options)[-1] and options.index(options[2]) == 2
    assert options[1] in options and "a text" not in options
    assert [option.key for option in reversed(options)] == [option.key for option in options][::-1]
    with pytest.raises(IndexError):
        options[len(options)]
    other = position.clone().choose(options[1])
    assert options[1] not in other.decision.options or other.decision.name == position.decision.name
    assert options == list(options) and options != list(options)[1:]


def test_an_option_of_another_position_is_looked_at() -> None:
    """What was legal before is taken only if it is legal now."""
    position = rulescript.load("attrition_of_souls").start(2)
    rng = Random(4)
    earlier: dict[str, Any] = {}
    refused = 0
    for _ in range(80):
        now = {option.key for option in position.decision.options}
        for key, option in list(earlier.items())[-6:]:
            before = position.state_hash()
            if key in now:
                position.clone().choose(option)
                continue
            with pytest.raises(rulescript.BadChoice):
                position.choose(option)
            assert position.state_hash() == before
            refused += 1
        earlier.update((option.key, option) for option in position.decision.options)
        position.choose(rng.randrange(len(now)))
    assert refused > 20
