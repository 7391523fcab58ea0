"""A phase in which nobody decides, looked at alone: what comes after it may need dice nobody spoke of."""

from __future__ import annotations

from rulescript.claims.run import GameSource, run_examples

GAME = """\
rulescript 1
game "Alone"
values Side: North, South
players Side
state active: Side
state turn: Turn
values Turn: spring, summer
state gold: int
state hits: int
state marched: int
kind Town: worth: int = 1
    state owner: Side
    holds units: Unit
    holds reserve: Unit
pieces Unit: side: Side
    home box
holds box: Unit
things
    Town Mill
    Unit Red  North, 4
phase income
    gold += sum(t.worth for t in Town if t.owner == active)
phase lottery
    draw 1 from box to Mill.reserve as won
phase storm
    roll d6 as die
    hits += die
phase march
    choose march: n in 1..3 "March {n}"
        marched += n
    or stay "Stay"
phase setup
    place 1 Red in Mill.units
sequence
    setup
    for turn in Turn
        for active in Side
            income
            lottery
            storm
            march
    end game, North wins
"""


def check(example: str, number: int = 1) -> None:
    results = list(run_examples(GameSource.of_text(GAME + example, "alone.rules")))
    assert len(results) == number and all(result.ok for result in results), "\n".join(map(str, results))


def test_without_anything_of_chance_it_stands_where_the_phase_ends() -> None:
    check("""\
example "Income"
    given empty, turn spring, active North, at income
    expect
        gold == 1
        none Mill.reserve
        hits == 0
""")


def test_its_own_chance_is_given_and_no_more() -> None:
    check("""\
example "Lottery"
    given empty, turn spring, active North, at lottery
    play
        draw Red
    expect
        Mill.reserve has 1 Red
        hits == 0
""")


def test_with_all_of_it_play_goes_on_to_the_decision() -> None:
    check(
        """\
example "All"
    given empty, turn spring, active North, at income
    play
        draw Red
        dice 4
        North: march 2
        draw Red
        dice 1
    expect
        gold == 1 and hits == 5 and marched == 2
example "Run"
    given empty, turn summer, active North, run income
    expect
        gold == 1
""",
        2,
    )


def test_what_its_own_phase_needs_is_still_asked_for() -> None:
    text = """\
example "Storm"
    given empty, turn spring, active North, at storm
    expect
        hits == 4
"""
    (result,) = run_examples(GameSource.of_text(GAME + text, "alone.rules"))
    assert not result.ok and "a die" in str(result)


def test_of_two_ways_with_one_name_the_named_one_counts() -> None:
    """A choice is called like its first way; `legal n for march` means that way alone."""
    more = GAME.replace(
        '    or stay "Stay"\n',
        '    or choose ride: n in 1..5 "Ride {n}"\n        marched += 2 * n\n    or stay "Stay"\n',
    )
    text = """\
example "Ways"
    given empty, turn spring, active North, at march
        Mill: reserve: 1 Red, owner South
    legal n for march exactly {1, 2, 3}
    legal n for ride exactly {1, 2, 3, 4, 5}
    legal n exactly {1, 2, 3, 4, 5}
    expect
        Mill.owner == South and count(Mill.reserve) == 1
"""
    (result,) = run_examples(GameSource.of_text(more + text, "alone.rules"))
    assert result.ok, str(result)
