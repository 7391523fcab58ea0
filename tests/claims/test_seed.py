"""`given setup, seed N` is the game that `start(N)` begins: one generator, used in one way."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.claims import run as claims_run
from rulescript.claims.play import Table

GAME = """\
rulescript 1
game "Pouches"
values Colour: red, blue, green, white
kind Side
    state best: int
    holds hand: Card
    holds bag: Chip
    holds drawn: Chip
kind Card
    home deck
kind Omen
    home sky
pieces Chip: colour: Colour
    home pouch
holds pouch: Chip
holds deck: Card, ordered
holds sky: Omen
holds seen: Omen
things
    Side North
    Side South
    Card Raid  5
    Card Feint  4
    Omen Comet
    Omen Eclipse
    Omen Storm
    Chip Red  red, 9
    Chip Blue  blue, 5
    Chip Green  green, 3
    Chip White  white, 2
players Side
state active: Side
phase set_out
    shuffle deck
    for s in Side
        draw 3 from deck to s.hand
        draw 7 from pouch to s.drawn
        draw 2 from s.drawn[colour != red] to s.bag
        roll 2 d6 as both
        s.best = max(both)
    draw 2 from sky to seen
phase go
    may rest "Rest"
        roll d6 as one
        active.best += one
sequence
    set_out
    for active in Side
        go
"""

EXAMPLE = """
example "seeded"
    given setup, seed {seed}
    expect
        asks North
"""


def laid_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, GameSource]:
    """The table of an example that is given a set-up and nothing else."""
    seen: list[Table] = []

    class Watched(Table):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            seen.append(self)

    monkeypatch.setattr(claims_run, "Table", Watched)
    source = GameSource.of_text(GAME + EXAMPLE.format(seed=seed))
    (result,) = claims_run.run_examples(source)
    assert result.ok, str(result)
    return seen[0], source


@pytest.mark.parametrize("seed", [0, 1, 7, 4242])
def test_given_setup_with_a_seed_is_the_start_with_that_seed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, source = laid_out(seed, monkeypatch)
    started = source.game().start(seed)
    assert table.position.s == started.s
    assert table.position.state_hash() == started.state_hash()


def test_what_an_example_scripts_in_part_leaves_the_rest_to_the_seed() -> None:
    """A draw that is scripted uses up no random number; the draws after it come from what is then there."""
    text = GAME + (
        'example "in part"\n    given setup, seed 7\n    play\n        draw 2 white\n'
        "    expect\n        count(North.drawn[colour == white]) + count(North.bag[colour == white]) == 2\n"
        "        count(North.drawn) + count(North.bag) == 7\n"
    )
    (result,) = claims_run.run_examples(GameSource.of_text(text))
    assert result.ok, str(result)
