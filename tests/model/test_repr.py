"""A model in a debugger: things know their kinds and kinds their things, and neither may print the other whole."""

from __future__ import annotations

from tests.games.sources import game


def test_a_thing_prints_itself_and_not_the_whole_game() -> None:
    model = game("attrition_of_souls").model
    for kind in model.kinds.values():
        assert len(repr(kind.things[0])) < 5_000
        assert f"kind={kind.name}" in repr(kind.things[0])
