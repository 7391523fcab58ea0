"""Whoever wants to look on while an example is played is shown the table before, during and after it."""

from __future__ import annotations

from rulescript.claims.play import Table
from rulescript.claims.run import GameSource, run_example
from rulescript.runtime.readings import value_of

GAME = """
values Side: North, South
players Side
state active: Side
state points: int
phase scoring
    repeat
        choose more "One more"
            points += 1
        or stop "Enough"
sequence
    for active in Side
        scoring
    end game, draw
example "Points"
    given empty, active North, at scoring
    play
        North: one more
    expect
        points == 1
    play
        North: one more
    expect
        points == 2
    case "from three": but points 3
        play
            North: one more
        expect
            points == 4
"""


def test_the_table_is_shown_at_every_turn_of_an_example() -> None:
    source = GameSource.of_text(GAME, "points.rules")
    (found,) = source.found()
    seen: list[tuple[str, str, object]] = []

    def watch(title: str, moment: str, table: Table) -> None:
        seen.append((title, moment, value_of(table.game, table.position.s, "points")))

    results = run_example(source, found, watch=watch)
    assert all(result.ok for result in results)
    assert seen == [
        ("Points", "before", "0"), ("Points", "play", "1"), ("Points", "play", "2"), ("Points", "after", "2"),
        ("Points / from three", "before", "3"), ("Points / from three", "play", "4"),
        ("Points / from three", "after", "4"),
    ]  # fmt: skip
