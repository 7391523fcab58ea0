"""Lines of an example read the same wherever they stand, in any order, and say what is missing or too much."""

from __future__ import annotations

from itertools import permutations

import pytest

from rulescript.claims import ExampleResult, GameSource, run_examples

GAME = """\
rulescript 1
game "Everywhere", version "1"
kind Side: adjective: text, also: list of text
    state vp: int
    holds box: Unit
    holds hand: Card, visible to it, count to others
    holds deck: Card, ordered, hidden to others
things
    Side North  adjective "Northern", also ["CP", "C-P"]
    Side South  adjective "Southern", also ["EN"]
kind Flag
things
    Flag North
    Flag South
    Flag Nobody
players Side
values Arm: foot, horse
state active: Side
kind Town
    state control: maybe Side
    state flag: Flag = Nobody
    state besieged: bool
    holds units: Unit
things
    Town Mill
    Town Ford
    Town Otter
    Town Heron
kind Card: side: Side
    home side.deck
things
    Card Raid   North, 2
    Card March  North
    Card Levy   South, 2
pieces Unit: side: Side, arm: Arm
    home side.box
counts Unit
    |       | foot | horse |
    | North |    5 |     2 |
    | South |    5 |       |
function enemy(s: Side) -> Side
    if s == North then South else North
function ours(t: Town) -> bool
    t.control == active
procedure fight(t: Town)
    roll count(t.units[side == active]) d6 as rolled
    let struck = count(rolled[it >= 4])
    choose by enemy of active lose: struck from t.units[side != active] as lost "Lose {lost}"
        for u in lost
            move u to u.side.box
    choose by enemy of active lose: u in t.units "Also lose {u}"
        require u.side != active
        move u to u.side.box
    or pass
phase battles
    repeat
        choose attack: t in Town "Attack in {t}"
            require some t.units[side == active] and some t.units[side != active]
            fight(t)
        or stop
phase recruiting
    draw 3 from active.box to Mill.units
phase shuffling
    shuffle active.deck
    draw 1 from active.deck to active.hand
phase counting
    active.vp += count(Town.units[side == active])
    choose boast "Boast"
        active.vp += 1
    or stay "Stay"
sequence
    for active in Side
        battles
        recruiting
        shuffling
        counting
    end game, draw
"""
FIGHT = """\
    given empty, active North, at battles
        Mill: 2 Northern foot, 1 Northern horse, 3 Southern foot
"""


def run(body: str) -> ExampleResult:
    (result,) = run_examples(GameSource.of_text(f'{GAME}example "It"\n{body}', "it.rules"))
    return result


def told(body: str) -> str:
    result = run(body)
    assert len(result.failures) == 1, str(result)
    return str(result)


# ------------------------------------------------------------------ order


CLAIMS = [
    "active == North",
    "asks North counting",
    "never asks lose",
    "North.vp == 0",
    "try boast -> allowed",
    "Mill has 1 Northern foot",
]


@pytest.mark.parametrize("order", list(permutations(range(4))) + [(5, 4, 3, 2, 1, 0), (4, 0, 5, 1, 2, 3)])
def test_the_order_of_lines_changes_nothing(order: tuple[int, ...]) -> None:
    """Play stands where the phase begins; what looks at the next decision does not go there for good."""
    lines = "".join(f"        {CLAIMS[at]}\n" for at in order)
    body = (
        "    given empty, active North, at shuffling\n        Mill: 1 Northern foot\n"
        "    play\n        shuffle\n        run to counting\n    expect\n"
    )
    result = run(body + lines)
    assert result.ok, str(result)


def test_play_goes_on_from_where_it_stood() -> None:
    result = run(
        "    given empty, active North, at shuffling\n        Mill: 1 Northern foot\n"
        "    play\n        shuffle\n        run to counting\n"
        "    asks North counting\n    expect\n        North.vp == 0\n"
        "    play\n        North: boast\n    expect\n        North.vp == 2\n"
    )
    assert result.ok, str(result)


# ------------------------------------------------------------------ chance


def test_a_surplus_die_is_told_where_it_is() -> None:
    said = told(f"{FIGHT}    play\n        North: attack Mill\n        dice 1 2 3 4\n    asks South lose\n")
    assert "only 3 of these 4 dice are used" in said and "1 too many" in said and "take away `4`" in said


def test_surplus_draws_are_told_where_they_are() -> None:
    said = told(
        "    given empty, active North, at recruiting\n    play\n        draw 4 Northern foot\n"
        "    expect\n        Mill has 3 foot\n"
    )
    assert "only 3 of these 4 draws are used" in said and "1 too many" in said


@pytest.mark.parametrize(
    ("body", "said", "place"),
    [
        (
            f"{FIGHT}    play\n        North: attack Mill\n        dice 1 2\n    asks South lose\n",
            "one more die: the 2 dice given here are used up",
            "dice 1 2",
        ),
        (
            f"{FIGHT}    play\n        North: attack Mill\n        dice 1\n        dice 2\n    asks South lose\n",
            "one more die: the 2 dice given here are used up",
            "dice 2",
        ),
        (
            "    given empty, active North, at recruiting\n    play\n        draw 2 Northern foot\n    asks nobody\n",
            "one more draw: the 2 draws given here are used up",
            "draw 2 Northern foot",
        ),
        (
            f"{FIGHT}    play\n        North: attack Mill\n    asks South lose\n",
            "the rules ask for a die, and none is given",
            "North: attack Mill",
        ),
    ],
)
def test_what_is_missing_is_told_with_what_was_given(body: str, said: str, place: str) -> None:
    result = run(body)
    (failure,) = result.failures
    assert said in failure.message, str(result)
    assert failure.span.text == place


def test_a_choice_goes_by_the_name_its_author_gave_it() -> None:
    """The second `lose` of a procedure has a number in keys; nobody is told of it."""
    said = told(
        f"{FIGHT}    play\n        North: attack Mill\n        dice 1 2 3\n        North: stop\n    asks nobody\n"
    )
    assert "South is asked `lose` here" in said and "lose_2" not in said and "Lose 2" not in said
    result = run(f"{FIGHT}    play\n        North: attack Mill\n        dice 1 2 3\n    asks South lose\n")
    assert result.ok, str(result)


@pytest.mark.parametrize("line", ["shuffle", "shuffle 2 Raid", "shuffle Raid, Raid, March", "shuffle 1 Raid, 1 March"])
def test_shuffles_with_and_without_counts(line: str) -> None:
    result = run(
        f"    given empty, active North, at shuffling\n    play\n        {line}\n"
        "    expect\n        North.hand has exactly 1 Raid\n"
    )
    assert result.ok, str(result)


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "condition",
    [
        "Mill.control == CP",
        "CP == Mill.control",
        "active == CP and CP.vp == 0",
        "enemy(CP) == EN",
        "Mill in Town[control == CP] and Mill.control == CP",
        "count(Mill.units[side == CP]) == 2",
        "every s in Side: s.vp == 0 and s in {active, CP, EN}",
        "none u in Mill.units: u.side == EN",
        "Mill.flag == CP",
        "Mill.control != EN and Mill.flag == North",
        "Mill has 2 CP foot",
        "CP.box has 3 foot",
        "enemy(EN).box has 3 foot",
        "Ford is empty and Otter is empty",
        "Ford is empty and Mill is not empty",
        "Ford and Otter are empty",
        "Ford, Otter and Heron are empty",
        "Mill has 2 foot and Ford is empty",
        "Mill has 2 foot and Mill.control == CP",
        "Ford is empty and not ours(Ford)",
        "Mill has 2 foot and not (Ford.control == CP) and ours(Mill)",
        "Mill has 2 foot and Mill.besieged",
        "Mill has 2 foot and Mill.besieged and not Ford.besieged and Ford is empty",
        "CP.vp == 0 and Ford is empty and Mill has 2 Northern foot",
    ],
)
def test_other_names_and_joined_lines_work_in_conditions(condition: str) -> None:
    result = run(
        "    given empty, active CP, at battles\n        Mill: 2 CP foot, control CP, flag CP, besieged\n"
        f"    expect\n        {condition}\n"
    )
    assert result.ok, str(result)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("Mill.control == EN", "`Mill.control` is North"),
        ("Ford is empty and Mill is empty", "Mill is not empty"),
        ("Ford, Mill and Otter are empty", "Mill is not empty"),
        ("Mill.control == CQ", "CQ"),
        ("Mill is empty and Fodr is empty", "Mill is not empty"),
        ("Ford is empty and Fodr is empty", "did you mean `Ford`?"),
        ("Ford is empty and not ours(Mill)", "expected `not ours(Mill)`"),
        ("Mill has 2 foot and Mill.besieged", "expected `Mill.besieged`"),
    ],
)
def test_and_fail_where_they_are_not_so(condition: str, said: str) -> None:
    result = run(
        "    given empty, active CP, at battles\n        Mill: 2 CP foot, control CP\n"
        f"    expect\n        {condition}\n"
    )
    assert not result.ok and said in str(result), str(result)


@pytest.mark.parametrize(
    "given",
    [
        "Ford, Otter and Heron: control CP",
        "Ford, Otter, Heron: control CP".replace(", Heron", " and Heron"),
        "every Town: control CP",
        "Ford and Otter and Heron: control CP",
    ],
)
def test_several_are_given_something_at_once(given: str) -> None:
    for head in (f"    given empty, active North, {given}\n", f"    given empty, active North\n        {given}\n"):
        result = run(
            f"{head}    expect\n        Ford.control == North and Otter.control == CP\n        Heron.control == North\n"
        )
        assert result.ok, str(result)


def test_pieces_by_the_name_of_their_kind() -> None:
    """Where only one type can be meant, `units` will do; where not, one is asked to say which."""
    result = run("    given empty, Mill: 3 Southern units\n    expect\n        Mill has 3 Southern foot\n")
    assert result.ok, str(result)
    said = told("    given empty, Mill: 3 Northern units\n    expect\n        Mill has 3 units\n")
    assert "could be pieces of 2 types" in said and "North foot, North horse" in said
