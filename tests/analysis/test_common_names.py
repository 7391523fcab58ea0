"""The common name of several copies of a thing: one of them, or all of them, in rules as in examples."""

from __future__ import annotations

import pytest

from rulescript.claims.run import GameSource, run_examples
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Names"
kind Side
    holds hand: Card
    holds gone: Card
kind Card: side: Side
    home side.hand
things
    Side North
    Card Levy   North, 3
    Card Drill  North
    Card Feint  North, 2
players Side
state active: Side
function levies -> int
    count(active.hand & Levy)
phase go
    choose give: c in active.hand "Give {c}"
        require c is Levy "a levy"
        require c == Levy and c != Feint and c not in {Feint, Drill}
        require c in Levy + Drill
        move c to active.gone
    or pass
sequence
    for active in Side
        go
    end game, North wins
example "A levy"
    given setup
    legal c exactly {Levy_1}
    try give Feint -> refused because "a levy"
    expect
        levies == 3
        first(active.hand) == Levy
        first(active.hand) != Feint
"""


def test_the_common_name_is_one_of_the_copies() -> None:
    results = list(run_examples(GameSource.of_text(GAME, "names.rules")))
    assert results and all(result.ok for result in results), "\n".join(map(str, results))


def test_it_is_said_once_and_not_for_each_copy() -> None:
    position = compile_text(load_single(GAME, "names.rules")).start(seed=1, ask=True)
    refusal = str(position.why_not("give Feint"))
    assert "Feint is not Levy (a levy)" in refusal
    said = [line.partition(" [")[0] for line in refusal.splitlines()]
    assert not any("Levy, Levy" in line or "Feint, Feint" in line for line in said)


def test_an_unknown_name_is_still_unknown() -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(GAME.replace("c is Levy", "c is Levies"), "names.rules"))
    assert "nothing about a Card can be `Levies`" in str(caught.value)


def test_a_name_in_a_rule_may_not_hide_it() -> None:
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(GAME.replace("give: c in", "give: Levy in"), "names.rules"))
    assert "`Levy` already names something" in str(caught.value)
