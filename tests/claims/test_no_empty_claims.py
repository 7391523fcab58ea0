"""A claim that something is refused, not asked or not legal says what it is about, or it fails.

Each line here once held wherever it stood, or could have."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Empty claims", version "1"
rulebook "Empty claims"
    1    section  "All of it"
    1.1  rule     "Free towns only"
    2    section  "Giving"
values Side: North, South
players Side
state active: Side
values Arm: foot, horse
kind Town
    state owner: maybe Side
    holds units: Unit
holds box: Unit
pieces Unit: side: Side, arm: Arm
    home box
counts Unit
    |       | foot | horse |
    | North |    3 |     1 |
    | South |    3 |     1 |
things
    Town Mill
    Town Ford
    Town Upper_Ford
phase taking "Taking"  §1
    choose take: t in Town "Take {t}"
        require t.owner == nothing "free"  §1.1
        t.owner = active
phase tolls "Tolls"  §1
    choose toll: n in 1..6 "Toll {n}"
        require n <= 3 "at most three"
        tell "{n}"
phase giving "Giving"  §2
    choose give: t in Town, s in Side "Give {t} to {s}"
        require t.owner == active and s != active
        t.owner = s
    or pass
phase losing "Losing"  §2
    choose lose: 2 from Mill.units as lost "Lose {lost}"
        move lost to box
sequence
    for active in Side
        taking
        tolls
        giving
        losing
    end game, draw
"""

TAKING = "    given empty, active North, at taking\n        Ford: owner South\n"
FULL = "    given empty, active North, at taking\n        every Town: owner South\n"
TOLLS = "    given empty, active North, at tolls\n"
GIVING = "    given empty, active North, at giving\n        Mill: owner North\n"
LOSING = "    given empty, active North, at losing\n        Mill: 2 North foot, 2 South horse, 1 South foot\n".replace(
    "2 South horse", "1 South horse"
)


def told(lines: str) -> list[str]:
    text = f'{GAME}example "x"\n{lines}'
    return [
        f"{d.code} {d.message} | {d.label.text} | {d.hint}"
        for r in run_examples(GameSource.of_text(text))
        for d in r.failures
    ]


HOLD = [
    TAKING + "    try take Ford -> refused by §1.1",
    TAKING + '    case "a": but at tolls\n        asks toll',
    TAKING + "    try take town Ford -> refused",
    TAKING + "    try North: take Ford -> refused",
    TAKING + "    try South: take Mill -> refused",
    TAKING + "    try South: give Mill to North -> refused",
    TAKING + "    try give Ford to South -> not asked",
    TAKING + "    try South: give Ford to North -> not asked",
    TAKING + "    try toll 6 -> not asked",
    TAKING + "    try pass -> refused",
    TAKING + "    try take Mill then toll 4 -> refused",
    TAKING + "    try take Mill then take Upper Ford -> not asked",
    FULL + "    try take Mill -> not asked",
    FULL + "    legal t for take exactly none",
    FULL + "    legal t for take count 0",
    FULL + "    legal t for take excludes {Mill, Upper Ford}",
    FULL + "    legal take exactly none",
    TOLLS + "    try toll 4 -> refused",
    TOLLS + "    legal n excludes {4, 5}",
    GIVING + "    try give Mill to North -> refused",
    GIVING + "    try lose North foot -> not asked",
    LOSING + "    try lose 2 South horse -> refused",
    LOSING + "    try lose 2 North horse, South foot -> refused",
]  # fmt: skip


@pytest.mark.parametrize("lines", HOLD)
def test_what_is_about_the_choice_that_is_asked_holds(lines: str) -> None:
    assert told(lines + "\n") == []


FAIL = {
    # at an unrelated decision
    TAKING + "    try give Ford to South -> refused": "RS330 `give Ford to South` is not asked here",
    TAKING + "    try toll 6 -> refused": "RS330 `toll 6` is not asked here",
    TAKING + "    try lose 2 North foot -> refused": "is not asked here",
    TAKING + "    try take Mill then take Ford -> refused": "is not asked here",
    GIVING + "    try take Ford -> refused": "is not asked here",
    # passed over
    FULL + "    try take Mill -> refused": "`take` was passed over, for there was nothing to choose;",
    # words that name nothing
    TAKING + "    try Haig turns 4 to 1 -> refused": "RS319 nothing in the game is called `haig`",
    TAKING + "    try 4 to 1 -> refused": "RS319 `4 to 1` is no answer to any choice",
    TAKING + "    try take Ford from Mill -> refused": "says nothing | the options are: Take Mill; Take Upper Ford",
    TAKING + "    try North: -> refused": "write who, a colon, and what they choose",
    TAKING + "    try North: take Mill then North: -> refused": "write who, a colon, and what they choose",
    TAKING + "    try : take Ford -> refused": "write who, a colon, and what they choose",
    TAKING + "    try North: the -> refused": "RS319 `the` is no answer to any choice",
    TAKING + "    try North: ... -> refused": "RS319 `...` is no answer to any choice",
    TOLLS + "    try to -> refused": "RS319 `to` is no answer to any choice",
    TAKING + "    legal t includes {}": "`includes {}` holds in any case",
    TAKING + "    legal t excludes {}": "`excludes {}` holds in any case",
    TAKING + "    outcomes of taking over count(Mill.units) excludes {}": "`excludes {}` holds in any case",
    TAKING + '    try take Ford -> refused because ""': '`because ""` holds in any case',
    TAKING + '    try take Ford -> refused by " "': "holds in any case",
    TAKING + '    journal mentions ""': "in any case",
    TAKING + '    journal does not mention ""': "in any case",
    TAKING + "    try take -> refused": "RS319 `take` does not say what is refused",
    TOLLS + "    try toll -> refused": "RS319 `toll` does not say what is refused",
    LOSING + "    try lose -> refused": "RS319 `lose` does not say what is refused",
    TAKING + "    try South: 4 to 1 -> refused": "RS319 `4 to 1` is no answer to any choice",
    TAKING + "    try South: Haig -> not asked": "RS319 nothing in the game is called `haig`",
    TAKING + "    try units -> not asked": "RS319 `units` is no answer to any choice",
    TOLLS + "    try toll 2 3 -> refused": "says nothing",
    GIVING + "    try give North foot to South -> refused": "RS319",
    TOLLS + "    legal n excludes {four}": "RS319 `four` is no number",
    TAKING + "    legal t excludes {Ford of Haig}": "RS319 no Town is called",
    TAKING + "    legal t excludes {Mil}": "did you mean `Mill`?",
    FULL + "    legal t for take exactly {Mil}": "did you mean `Mill`?",
    LOSING + "    legal lost excludes {blue foot}": "RS319 `blue` is no word for pieces",
    # the wrong one of the three
    TAKING + "    try take Mill -> not asked": "`take Mill` is allowed | expected not to be asked",
    TAKING + "    try take Ford -> not asked": "somebody owns Ford (free) §1.1 | if that is meant:",
    TAKING + "    try give Ford to South -> allowed": "is not asked here",
    TAKING + "    try South: take Mill -> allowed": "is refused | North is asked `take`, not South",
    TAKING + "    try take Mill -> nowhere": "RS331",
    # refused, but not by this
    TAKING + "    try South: take Mill -> refused by §1.1": "but not by §1.1 | North is asked `take`",
    TAKING + "    try take Ford -> refused by §2": "but not by §2",
    TAKING + "    try take Ford -> refused by §9": "RS109 the rulebook has no rule §9",
    TAKING + "    expect\n        journal does not mention §7": "RS109 the rulebook has no rule §7",
    # of a choice that was passed over something is said to be legal, or of one that was not, that nothing is
    FULL + "    legal t for take exactly {Mill}": "`take` was passed over: there was nothing to choose",
    FULL + "    legal t for take includes {Mill}": "`Mill` is not legal",
    FULL + "    legal t for take count 1": "found 0",
    TOLLS + "    legal t for take exactly none": "RS319 North is asked `toll`",
    TAKING + "    legal t exactly none": "also legal: Mill, Upper_Ford",
    # two beginnings
    TAKING.replace("at taking", "at taking, at tolls") + "    asks toll": "where play begins is said here and above",
    TAKING + "        at tolls\n    asks toll": "where play begins is said here and above",
    TAKING.replace("at taking", "at taking, seed 1, seed 2") + "    asks take": "the seed is said here and above",
    TAKING + '    case "a": but at tolls, at giving\n        asks give': "where play begins is said here and above",
    # taken away where it is not
    TAKING + "        Mill: without 1 North foot\n    asks take": "`without 1 North foot`: there is none in Mill.units",
    LOSING + "        Mill: without 3 North foot\n    asks lose": "Mill.units has only 2 of these",
}  # fmt: skip


@pytest.mark.parametrize("lines", FAIL)
def test_what_is_about_nothing_or_something_else_is_told(lines: str) -> None:
    found = told(lines + "\n")
    assert len(found) == 1, found
    assert FAIL[lines] in found[0], found[0]


def test_a_choice_is_passed_over_since_the_last_line_only() -> None:
    """What was passed over earlier in the game says nothing about where play stands."""
    first = FULL + "    play\n        North: toll 2\n    legal t for take exactly none\n"
    assert told(first) == []  # South's, too, is passed over after it
    later = (
        FULL + "        Upper Ford: owner North\n    play\n        North: toll 2\n    legal t for take exactly none\n"
    )
    assert "which has no `take`" in told(later)[0]


MARCH = """\
phase marching "Marching"
    choose march: u in Town.units, t in u.place.road "March {u} to {t}"
        require u.side == active "your own"
        move u to t
    or pass
"""
ROADS = """\
map Shore
    link road
    Town Mill
    Town Ford
    Town Upper_Ford
    road Mill - Ford - Upper_Ford
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("march foot to Upper Ford", ""),
        ("North foot to Upper Ford", ""),
        ("to Upper Ford", "cannot be read as an answer here"),
        ("march to Upper Ford", "cannot be read as an answer here"),
        ("march foot to Mill to Ford", "cannot be read as an answer here"),
    ],
)
def test_what_no_rule_refuses_but_that_it_cannot_be_read_is_told(line: str, expected: str) -> None:
    towns = "things\n    Town Mill\n    Town Ford\n    Town Upper_Ford\n"
    text = GAME.replace(towns, ROADS + MARCH).replace("        tolls\n", "        tolls\n        marching\n")
    text += 'example "x"\n    given empty, active North, at marching\n        Mill: 2 North foot, 1 North horse\n'
    (result,) = run_examples(GameSource.of_text(f"{text}    try {line} -> refused\n"))
    assert [d.message for d in result.failures] == ([f"`{line}` {expected}"] if expected else [])


ASSUMING = GAME.replace("phase tolls", "function fee(n: int) -> int  §1\n    n + 1\nphase tolls").replace(
    'tell "{n}"', 'tell "{fee(n)}"'
)
TOLL = "    given empty, active North, at tolls\n"
PAYS = "    play\n        North: toll 2\n"
ANY_FEE = TOLL + "    assume fee(...) = 7\n"
FEE_OF_THREE = TOLL + "    assume fee(3) = 7\n"
EMPTY = {
    TOLL + "    expect\n        yes": "RS333 `yes` holds in any case",
    TOLL + "    expect\n        1 == 1": "RS333 `1 == 1` holds in any case",
    TOLL + '    expect\n        "a # b" == "a # b"': "holds in any case",
    TOLL + "    expect\n        active == active": "RS333 `active == active` holds in any case",
    TOLL + "    expect\n        active == North and no == no": "RS333 `no == no` holds in any case",
    TOLL + "    expect\n        count(Mill.units) >= 0": "RS333 `count(Mill.units) >= 0` holds in any case",
    TOLL + "    expect\n        Mill.owner == North or Mill.owner != North": "holds in any case",
    TOLL + "    expect\n        not Ford in {Mill} or yes": "holds in any case",
    TOLL + "    expect\n        Mill in {Mill, Ford}": "RS333 `Mill in {Mill, Ford}` holds in any case",
    ANY_FEE + "    expect\n        active == North": "nothing that is played or expected here asks for `fee`",
    FEE_OF_THREE + PAYS + '    expect\n        journal mentions "3"': "asks for `fee` with these values",
    FEE_OF_THREE + "    assume fee(_) = 8\n" + PAYS + '    expect\n        journal mentions "8"': "with these values",
    ANY_FEE + "    expect\n        fee(2) == 7": "RS333 `fee(2) == 7` only asks for what is assumed",
    TOLL
    + '    case "a": but active South\n        assume fee(_) = 8\n        expect\n            active == South': "`fee`",
}


@pytest.mark.parametrize("lines", EMPTY)
def test_what_holds_whatever_the_rules_do_is_told(lines: str) -> None:
    text = f'{ASSUMING}example "x"\n{lines}\n'
    said = [f"{d.code} {d.message}" for r in run_examples(GameSource.of_text(text)) for d in r.failures]
    assert len(said) == 1 and EMPTY[lines] in said[0], said


LATER = """    case "a"
        play
            North: toll 2
        expect
            journal mentions "7"
"""
FULL_OF_MEANING = [
    TOLL + "    assume fee(2) = 7\n" + PAYS + '    expect\n        journal mentions "7"',
    ANY_FEE + "    expect\n        fee(2) == 7 or active == South",
    FEE_OF_THREE + "    expect\n        fee(2) + fee(3) == 10",
    ANY_FEE + "    expect\n        active == North\n" + LATER,
    TOLL + "    expect\n        fee(2) == 3",
    TOLL + "    expect\n        count(Town) == 3",
]


@pytest.mark.parametrize("lines", FULL_OF_MEANING)
def test_what_rests_on_the_rules_holds(lines: str) -> None:
    text = f'{ASSUMING}example "x"\n{lines}\n'
    assert [d.message for r in run_examples(GameSource.of_text(text)) for d in r.failures] == []
