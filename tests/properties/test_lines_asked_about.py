"""What `why_not` says of a line and what `choose` does with it agree: it is called allowed if, and only if, it is
taken.

A line or two at each position that `test_own_words_of_options.py` looks at are tried with every run; here are more."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript import BadChoice, Game
from tests.properties.made_lines import is_taken, told_otherwise
from tests.properties.test_own_words_of_options import GAMES, ROOT, random_positions

MARCHES = """rulescript 1
game "Marches", version "1"
kind Side
kind Town
    holds units: Unit
kind Unit: side: Side
    home Mill.units
map Shore
    link road
    Town Mill
    Town Ford
    Town Reeds
    road Mill - Ford - Reeds - Mill
things
    Side North
    Side South
    Unit Guard  North
players Side
state active: Side
phase turn "Turn"
    choose march: u in Town.units, t in Town "March {u} to {t}"
        require t in u.place.road
        move u to t
    or pass
sequence
    for active in [North, South]
        turn
    end game, draw
"""


@pytest.fixture
def marches(tmp_path: Path) -> Game:
    path = tmp_path / "marches.rules"
    path.write_text(MARCHES, encoding="utf-8")
    return rulescript.load(path)


@pytest.mark.parametrize(
    "line",
    [
        "march Guard to Mill to Ford",
        "march Guard from Ford to Mill to Ford",
        "march Guard",
        "Ford",
        "march t=Ford",
        "South: march Guard to Ford",
        "North:",
        "North: North: march Guard to Ford",
        "march Guard to Ford, march Guard to Ford",
    ],
)
def test_what_is_not_taken_is_not_called_allowed(marches: Game, line: str) -> None:
    position = marches.start(1)
    with pytest.raises(BadChoice):
        position.choose(line)
    asked = position.why_not(line)
    assert not asked.allowed and asked.summary.strip(), asked


@pytest.mark.parametrize("line", ["march Guard to Ford", "North: march Guard to Ford", " pass ", "north: Pass"])
def test_what_is_taken_is_called_allowed(marches: Game, line: str) -> None:
    position = marches.start(1)
    assert position.why_not(line).allowed
    assert is_taken(position, line)


def test_a_line_that_fits_several_answers_is_told_which(marches: Game) -> None:
    asked = marches.start(1).why_not("march Guard")
    assert "March Guard to Ford" in str(asked) and "March Guard to Reeds" in str(asked)


LOSSES = """    choose lose: any number from Mill.units as lost "Lose {lost}"
        require count(lost) > 0
        for u in lost
            move u to Ford
"""


def test_more_copies_than_there_are_can_be_asked_about(tmp_path: Path) -> None:
    head, rest = MARCHES.split("    choose march", 1)
    head = head.replace("Guard  North", "Guard  North, 2\n    Unit Horse  North")
    text = head + LOSSES + rest[rest.index("sequence") :]
    path = tmp_path / "lost.rules"
    path.write_text(text, encoding="utf-8")
    position = rulescript.load(path).start(1)
    for line in ("lose Guard, Guard, Guard", "lose 3 Guard", "Guard, Guard, Guard, Horse"):
        assert not position.why_not(line).allowed and not is_taken(position, line), line
    assert "only 2" in str(position.why_not("lose 3 Guard"))


@pytest.mark.long
@pytest.mark.parametrize("where, options", GAMES, ids=lambda x: x if isinstance(x, str) else "+".join(x))
def test_a_line_is_called_allowed_if_it_is_taken(where: str, options: tuple[str, ...]) -> None:
    known = where if "/" not in where else str(ROOT / where)
    try:
        game = rulescript.load(known, options=list(options))
    except rulescript.RulescriptError:
        pytest.skip("no game of its own")
    if not game.player_names:
        pytest.skip("nobody plays it")
    for seed in range(4):
        random = Random(f"{where} {seed}")
        assert [
            line for position in random_positions(game, random) for line in told_otherwise(position, random, 20)
        ] == []
