"""What the compiler believes of where chosen pieces lie is so, whenever somebody is asked."""

from __future__ import annotations

from random import Random

import pytest

import rulescript
from rulescript.compiler import forms
from rulescript.compiler.passes.unit import Unit
from rulescript.pipeline.loading import _search_text
from tests.forms import play_alike

OPTIONS: list[list[str]] = [[], ["air_reserves"]]


def looked_at(game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> Unit:
    """The code of the search form when all passes are done."""
    seen: list[Unit] = []
    monkeypatch.setitem(forms.FORMS, "search", (*forms.FORMS["search"], seen.append))
    _search_text(game)
    return seen[0]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_pieces_lie_where_they_are_believed_to(options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulescript.load("attrition_of_souls", options=options)
    unit = looked_at(game, monkeypatch)
    runs = {run.start: run for run in unit.runs}
    rng = Random(3)
    seen: set[int] = set()
    for seed in range(4):
        position = game.start(seed, journal=False)
        for _ in range(250):
            if position.decision is None:
                break
            position.choose(rng.randrange(len(position.decision.options)))
            for slot, firsts in unit.lies.items():
                if isinstance(slot, int) and (piece := position.s[slot]) is not None and piece > 0:
                    place = piece >> unit.shift
                    assert any(place in runs.get(first, range(first, first + 1)) for first in firsts)
                    seen.add(slot)
    assert seen


def test_pieces_out_of_two_sorts_of_places_are_played_alike() -> None:
    """An airplane is mobilized out of the aerodrome as tiles are out of the reserves, by the same rule."""
    assert play_alike(rulescript.load("attrition_of_souls", options=["air_reserves"]), games=6, limit=300)
