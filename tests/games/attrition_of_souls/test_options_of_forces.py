"""Tanks, elite infantry, air reserves and generals: every rule is written and pinned, alone and together.

The examples stand with the game (games/attrition_of_souls/examples/option_*.rules); here it is checked that none is
missing, that all combinations load and play, and that the reading of a doubtful rule can be exchanged.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript import nodes as n
from rulescript.claims import GameSource, run_example
from rulescript.diagnostics import render_report
from tests.games.sources import Shown, index, plans, source
from tests.inside import inside

GAME = "attrition_of_souls"
OPTIONS = ["tanks", "elite_infantry", "air_reserves", "generals"]
FILES = [f"option_{name}.rules" for name in OPTIONS] + ["options_together.rules"]
CHAPTERS = [f"{name}.rules.md" for name in OPTIONS]

# Every rule of chapters 9, 10, 11 and 18 that says something to a player, and how they meet other options.
TOGETHER = ["X-2", "X-6", "X-7", "X-8", "X-10", "X-11", "X-12", "X-13", "X-14", "X-15", "X-16", "X-17", "X-18"]
TOGETHER += ["X-19", "X-33", "X-34", "Amb-10", "Amb-11", "Amb-17", "Amb-27", "Amb-28", "Amb-29", "Amb-35", "Amb-36"]


@cache
def ruled() -> set[str]:
    rows = index(GAME).values()
    return {r.ident for r in rows if r.sort != "note" and r.ident.partition(".")[0] in {"9", "10", "11", "18"}}


@cache
def declarations() -> list[Any]:
    """What the four chapters declare."""
    pieces = [piece.declaration for piece in source(GAME).text.pieces]
    return [each for each in pieces if Path(each.span.source.name).name in CHAPTERS]


@cache
def shown() -> Shown:
    """By the examples of the four options; test_rules.py runs them."""
    own = [(found, plan) for found, plan in plans(GAME) if Path(found.example.span.source.name).name in FILES]
    assert len(own) > 60
    assert {Path(found.example.span.source.name).name for found, _ in own} == set(FILES)
    return Shown([plan for _, plan in own])


def cited() -> set[str]:
    """The rules that the four chapters cite, anywhere."""
    out: set[str] = set()
    for declaration in declarations():
        for node in inside(declaration, n.Node):
            out |= set(getattr(node, "cites", ()) or ())
    return out


def test_every_rule_is_written() -> None:
    assert len(ruled()) > 30
    assert sorted(ruled() - cited()) == []


def test_every_rule_is_pinned_by_an_example() -> None:
    assert sorted((ruled() | set(TOGETHER)) - shown().rules) == []


def test_every_requirement_refuses_something() -> None:
    """Where the example cannot refuse, because nobody is asked, it says `never asks`: those are listed here."""
    never_asked = {
        "a tank that rolled a die",
        "Jagdkommandos defend",
        "a Stormtrooper attacks",
        "artillery attacks with it",
        "one die in a battle",
        "one general in a battle",
    }
    missing = []
    for declaration in declarations():
        for clause in inside(declaration, n.Require):
            if (
                clause.label
                and clause.label not in never_asked
                and not shown().refuses(clause)
                and not _cited_around(declaration)
            ):
                missing.append(clause.span.text)
    assert missing == []


def _cited_around(declaration: Any) -> set[str]:
    """A requirement without a number of its own has that of what it stands in."""
    return shown().refused_by & set(declaration.cites)


SETS = [[], *[[o] for o in OPTIONS], *map(list, combinations(OPTIONS, 2)), OPTIONS, [*OPTIONS, "any_elite_rerolls"]]


@pytest.mark.parametrize(
    "options", [s if s in (SETS[0], SETS[-1]) else pytest.param(s, marks=pytest.mark.long) for s in SETS], ids="+".join
)
def test_they_play_together(options: list[str]) -> None:
    game = rulescript.load(GAME, options=options)
    chance = Random(len(options))
    position = game.start(seed=len(options), journal=False)
    for _ in range(20_000):
        if position.decision is None:
            break
        position.choose(chance.randrange(len(position.decision.options)))
    assert position.outcome is not None


READING = """\
rulescript 1

game "Every elite storms", version "1"
    builds on attrition_of_souls

rulebook "House rules"
    H1  reading  "Marines storm too"

with elite_infantry
    replace function storms(e: Elite) -> bool  §H1
        e.stormtrooper or e == Marines

example "Marines storm"  §H1
    with options elite_infantry
    given empty, turn Fall_1917, active Entente, run battle(Rhineland)
        Rhineland: 1 American Marines, 2 American artillery, 2 German infantry
    play
        dice 3 3 3
    expect
        asks Entente reroll
    case "the Tirailleurs do not": but Rhineland: no Marines, 1 Tirailleurs
        play
            dice 3 3
        expect
            never asks reroll
"""


def test_a_variant_reads_the_stormtroopers_differently(tmp_path: Path) -> None:
    """§10.7.1 is a named reading (Amb-11): a variant says only that."""
    folder = tmp_path / "marines_storm"
    folder.mkdir()
    (folder / "game.rules").write_text(READING, encoding="utf-8")
    source = GameSource.load(folder)
    own = [f for f in source.found() if f.example.title == "Marines storm"]
    results = [result for found in own for result in run_example(source, found)]
    assert [result.ok for result in results] == [True, True], render_report(d for r in results for d in r.failures)


FACES = """\
rulescript 1

game "As printed on my tiles", version "1"
    builds on attrition_of_souls

with elite_infantry
    amend Marines: special_faces {5, 6}

example "A 4 is no hit for these Marines"  §10.5
    with options elite_infantry
    given empty, turn Fall_1917, active Entente, run battle(Rhineland)
        Rhineland: 1 American Marines, 1 German infantry
    play
        dice 4
    expect
        Rhineland has 1 German infantry
    case "a 5 is"
        play
            dice 5
        expect
            Rhineland has no German infantry
"""


def test_an_owner_can_give_the_printed_faces(tmp_path: Path) -> None:
    folder = tmp_path / "my_tiles"
    folder.mkdir()
    (folder / "game.rules").write_text(FACES, encoding="utf-8")
    source = GameSource.load(folder)
    own = [f for f in source.found() if f.example.title.startswith("A 4 is no hit")]
    results = [result for found in own for result in run_example(source, found)]
    assert [result.ok for result in results] == [True, True], render_report(d for r in results for d in r.failures)
