"""Compiling leaves a model as it was: others read it, and compile it in another form."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.analysis.analyse import analyse
from rulescript.compiler.module import compile_for_examples, compile_game
from rulescript.diagnostics import Reporter
from rulescript.loader import GameText, load_text
from rulescript.model.game import Game
from rulescript.model.parts import parts_of
from rulescript.pipeline import check_options
from rulescript.resources import bundled

SLICE = Path(__file__).parents[1] / "slices" / "nations"


def model(text: GameText) -> Game:
    reporter = Reporter()
    made = analyse(text, check_options(text, (), ""), "", reporter)
    assert not reporter.has_errors
    return made


LARGE = [bundled("games") / name for name in ("imperial_tide", "lamps_are_going_out")]


@pytest.mark.parametrize(
    "path", [SLICE, *(pytest.param(path, marks=pytest.mark.long) for path in LARGE)], ids=lambda path: path.name
)
def test_a_model_is_left_as_it_was(path: Path) -> None:
    """Rules that hold at once are written into those that could make them come true, and taken out again."""
    text = load_text(path, Reporter())
    once = model(text)
    assert once.whenevers
    said, procedures = parts_of(once), list(once.procedures)
    play = compile_game(once, searched=False)
    assert (parts_of(once), list(once.procedures)) == (said, procedures)
    assert not any(each.stops for each in once.every_procedure())
    examined = compile_for_examples(once, frozenset(), "digest")
    assert (parts_of(once), list(once.procedures)) == (said, procedures)
    assert examined == compile_for_examples(model(text), frozenset(), "digest")
    assert play == compile_game(once, searched=False)
