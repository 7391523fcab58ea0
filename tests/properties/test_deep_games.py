"""Statements many deep in each other: the work grows with the text, no faster."""

from __future__ import annotations

import pytest

from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.pipeline import look_through
from tests.forms import play_alike
from tests.fuzz.large import HEAD, SEQUENCE
from tests.properties.test_hostile import compiled, within

# What stands around the rest; `#` is how deep it is.
AROUND = {
    "for": "for t# in Town",
    "for some": "for t# in Town[worth > #]",
    "repeat": "repeat 2 times",
    "while": "repeat while score < #",
    "if": "if score > #",
    "each": "each s# in Side",
    "choose": 'choose c#: t# in Town "Take {t#}"',
    "may": 'may m# "Do #"',
    "several": 'choose any number from Mill.tiles as s# "Take {s#}"',
}


def nested(around: str, deep: int, within: str = "score += 1") -> str:
    lines = [f"{'    ' * (at + 1)}{around.replace('#', str(at))}\n" for at in range(deep)]
    return f"{HEAD}\nphase work\n{''.join(lines)}{'    ' * (deep + 1)}{within}\n{SEQUENCE}"


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_deep_in_others_is_looked_at_once(name: str) -> None:
    reporter = Reporter()
    with within(10):
        look_through(load_single(nested(AROUND[name], 18), "deep.rules", reporter), (), "", reporter)
    assert not reporter.has_errors


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_deep_in_others_is_written_once(name: str) -> None:
    sizes = [len(compiled(nested(AROUND[name], deep)).source) for deep in (4, 8)]
    assert sizes[1] < 3 * sizes[0]


@pytest.mark.parametrize("there", ["    move up to 2 from active.box to Mill\n", ""])
def test_selections_within_selections_play_alike_in_all_forms(there: str) -> None:
    """With something to choose from, and with nothing: what follows is written once for both."""
    text = nested(AROUND["several"], 3, "score += 1 + count(s0) + 10 * count(s1) + 100 * count(s2)")
    game = compiled(text.replace("phase work\n", f"phase work\n{there}"))
    assert play_alike(game)
    position = game.start(seed=1).choose("look at Mill")
    if there:
        for _ in range(3):
            position.choose(position.decision.selection.items[:1])
    assert position.value("score") == ("112" if there else "1")


def test_copies_declared_twice_are_one_mistake() -> None:
    reporter = Reporter()
    text = (
        f"{HEAD}\nthings\n    Town Camp  400\n    Town Camp  400\n\nphase work\n    score += Camp_399.worth\n{SEQUENCE}"
    )
    look_through(load_single(text, "copies.rules", reporter), (), "", reporter)
    errors = [d.message for d in reporter.diagnostics if d.severity.name == "ERROR"]
    assert errors == ["there are two Town called `Camp_1`"]
