"""Examples that begin alike are set up once; each comes out, and depends on the same rules, as if it were alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rulescript.claims.gone_through import Noting
from rulescript.claims.play import Table
from rulescript.claims.run import GameSource, run_example

GAME = """\
rulescript 1
game "Ferries"
kind Side
    state luck: int
    holds hand: Card
kind Card
    home deck
holds deck: Card, ordered
things
    Side East
    Side West
    Card Rope
    Card Oar
    Card Sail
    Card Tar
players Side
state active: Side
state round: int
procedure deal
    shuffle deck
    for s in Side
        draw 1 from deck to s.hand
        roll d6 as one
        s.luck = one
phase set_out
    deal
    round = 1
phase cross
    may pull "Pull"
        active.luck += 1
phase rest
    round += 1
    may wait "Wait"
        active.luck = 0
sequence
    set_out
    for active in Side
        cross
        rest

example "Pulled"
    given setup
    play
        East: pull
    expect
        round == 2

example "Pulled again"
    given setup
    play
        East: pull
    expect
        count(East.hand) == 1

example "Another seed"
    given setup, seed 3
    play
        East: pull
    expect
        round == 2

example "At the rest"
    given setup, at rest
    play
        East: wait
    expect
        round == 2

example "At the rest, with more luck"
    given setup, at rest
        East: luck 9
    expect
        East.luck == 9

example "Own dice"
    given setup
    play
        dice 2
        dice 5
        East: pull
    expect
        East.luck == 3

example "Not those dice"
    given setup
    expect
        East.luck + West.luck > 1
"""


def _played(source: GameSource, numbers: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    found = source.found()
    out: dict[int, tuple[Any, ...]] = {}
    for number in numbers:
        states: list[tuple[Any, ...]] = []

        def watch(title: str, moment: str, table: Table, states: list[tuple[Any, ...]] = states) -> None:
            states.append((moment, list(table.position.s), table.position._opening, table.parked, set(table.passed)))

        source.noting = noting = Noting()
        results = run_example(source, found[number], watch=watch)
        out[number] = ([str(result) for result in results], states, noting.needs(source.parts))
    return out


def test_what_was_set_up_for_another_example_serves_as_if_it_were_set_up_anew() -> None:
    every = range(len(GameSource.of_text(GAME).found()))
    alone = {number: _played(GameSource.of_text(GAME), [number])[number] for number in every}
    assert all(text.startswith("ok") for texts, _, _ in alone.values() for text in texts), alone
    for order in ([*every, *every], [*reversed(every), *every]):
        assert _played(GameSource.of_text(GAME), order) == alone


def test_the_rules_of_a_set_up_are_gone_through_whoever_played_it() -> None:
    needs = {number: each[2] for number, each in _played(GameSource.of_text(GAME), [0, 1]).items()}
    assert needs[0][0][2] == needs[1][0][2]
    assert any("deal" in rule for rule in needs[1][0][2])


def test_it_is_played_once_for_all_that_begin_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    run = Table.run

    def noted(self: Table, block: Any, span: Any) -> None:
        if block is self.game.code["B"][self.game.data.start]:
            begun.append(span.text.split("\n")[0])
        run(self, block, span)

    monkeypatch.setattr(Table, "run", noted)
    source = GameSource.of_text(GAME)
    _played(source, range(len(source.found())))
    # Plainly, with another seed, up to the rest as it is and with something changed, and with dice of its own.
    assert len(begun) == 5, begun
