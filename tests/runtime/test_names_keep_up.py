"""A name of a piece follows what is done to its piece without it.

What random games find stands in `properties/test_made_pieces.py`."""

from __future__ import annotations

import pytest

from rulescript import Position
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """rulescript 1
game "Names"
kind Side
    holds stock: Unit
kind Area
    holds units: Unit
values Arm: foot, horse
values Day: first, second
pieces Unit: side: Side, arm: Arm
    state up: bool
    state n: 0..9
    state tired: bool, lasts day
    home side.stock
things
    Side Red
    Side Blue
    Area A
    Area B
    Area C
counts Unit
    |      | foot | horse |
    | Red  |    5 |     5 |
    | Blue |    5 |     5 |
players Side
state active: Side
state day: Day
state score: int
state left: int = 1
"""
SEQUENCE = """
sequence
    place 2 Red_foot in A
    for active in [Red]
        play
    end game, draw
"""


def played(rules: str, *answers: str, head: str = GAME) -> Position:
    position = compile_text(load_single(head + rules + SEQUENCE, "names.rules")).start(1)
    for answer in answers:
        position = position.choose(answer)
    assert position.decision is None
    return position


FOOT, UP = {"Red_foot": 1}, {"Red_foot(up)": 1}
BOTH = {**FOOT, **UP}
RENEWED = """
        place 1 Red_foot in A.units
        u.up = yes
"""
# What is done to both foot in A while a name means one of them; then another comes there, and the name is asked.
PILES = {
    "a pile": "        move A.units to B.units",
    "a pile of many places": "        move Area.units to B.units",
    "by what they are": "        move A.units[arm == foot and not up] to B",
    "so many": "        move 2 from A.units to B",
    "drawn": "        draw 2 from A.units to B.units",
    "one by one": "        for x in A.units\n            move x to B",
    "picked": "        choose v: v in A.units\n            move v to B\n" * 2,
    "all picked": "        choose v: 2 from A.units as vs\n            move vs to B",
    "by a rule": "        flee(A)",
    "by a rule that asks": "        ask(A)",
    "by a signal": "        signal alarm(A)",
    "at once": "        left = 0",
    "by a rule it is handed to": "        watch(u)",
}
RULES = """
procedure flee(a: Area)
    move a.units to B
procedure ask(a: Area)
    choose how: n in 1..2 "{n}"
        score += n
    move a.units to B
signal alarm(a: Area)
when alarm(a)
    flee(a)
whenever left == 0
    flee(A)
procedure watch(u: Unit)
    flee(A)
    if u in B.units
        score += 1
"""


@pytest.mark.parametrize("way", PILES)
def test_a_name_goes_along_with_the_last_of_its_like(way: str) -> None:
    rules = f'{RULES}\nphase play\n    choose go: u in A.units "Go"\n{PILES[way]}{RENEWED}'
    position = played(rules, *(["how 1"] if "asks" in way else []))
    assert position.value("A.units") == FOOT
    assert position.value("B.units") == BOTH


def test_one_like_it_is_as_good() -> None:
    position = played("""
phase play
    choose go: u in A.units "Go"
        choose v: v in A.units
            v.up = yes
        u.n = 3
""")
    assert position.value("A.units") == {"Red_foot(up)": 1, "Red_foot(n 3)": 1}


def test_a_list_goes_along_as_far_as_none_like_it_are_left() -> None:
    position = played("""
phase play
    place 1 Red_foot in A
    choose both: 2 from A.units as both "Both"
        choose v: v in A.units
            move v to B
        choose w: w in A.units
            move w to C
        for u in both
            u.up = yes
""")
    assert [position.value(f"{a}.units") for a in "ABC"] == [UP, FOOT, UP]


def test_a_loop_goes_on_with_the_pieces_it_began_with() -> None:
    position = played("""
phase play
    for u in A.units
        move A.units to B
        place 1 Blue_foot in A
        u.up = yes
""")
    assert position.value("A.units") == {"Blue_foot": 1}
    assert position.value("B.units") == {"Red_foot(up)": 2, "Blue_foot": 1}


def test_answers_that_wait_for_their_turn() -> None:
    position = played("""
phase play
    each s in Side sealed
        choose by s one: u in A.units "One {u}"
            u.up = yes
            if s == Red
                move A.units to B
                place 1 Red_foot in A
""")
    assert position.value("A.units") == FOOT
    assert position.value("B.units") == {"Red_foot(up)": 2}


def test_branches_that_wait_for_their_turn() -> None:
    position = played("""
phase play
    together
        Red: choose one: u in A.units "One {u}"
            move A.units to B
            place 1 Red_foot in A
        Blue: choose two: v in A.units "Two {v}"
            v.up = yes
""")
    assert position.value("A.units") == FOOT
    assert position.value("B.units") == BOTH


def test_one_piece_under_two_names() -> None:
    position = played("""
procedure swap(u: Unit, v: Unit)
    move u to B
    v.up = yes
phase play
    move 1 from A.units to C
    choose go: u in A.units, v in A.units "Go"
        swap(u, v)
""")
    assert [position.value(f"{a}.units") for a in "ABC"] == [{}, UP, FOOT]


def test_what_is_done_at_any_time_while_somebody_is_asked() -> None:
    rules = """
aside shift "Shift" by active during play
    require left > 0
    left = 0
    move A.units to B
    place 1 Red_foot in A
phase play
    choose go: u in A.units "Go"
        choose how: n in 1..2 "{n}"
            u.up = yes
        require u.n == 0
"""
    rules = rules.replace("        require u.n == 0\n", "")
    position = played(rules, "shift", "how 2")
    assert position.value("A.units") == FOOT
    assert position.value("B.units") == BOTH


@pytest.mark.parametrize("asks", ["", '            may rest "Rest"\n'])
def test_states_that_end_with_a_round(asks: str) -> None:
    position = played(f"""
phase play
    choose go: u in A.units "Go"
        for day in Day
            u.tired = yes
            u.n += 1
{asks}        u.up = yes
""", *["pass", "pass"] * bool(asks))  # fmt: skip
    assert position.value("A.units") == {"Red_foot": 1, "Red_foot(up, n 2)": 1}


def test_a_rule_that_calls_itself() -> None:
    position = played("""
procedure deep(u: Unit, depth: int)
    if depth > 0
        move A.units to B
        place 1 Blue_foot in A
        choose x: v in A.units "X {v}"
            deep(v, depth - 1)
            v.up = yes
        u.n += 1
phase play
    choose go: u in A.units "Go"
        deep(u, 2)
        u.up = yes
""")
    assert position.value("A.units") == {"Blue_foot(up)": 1}
    assert position.value("B.units") == {"Red_foot": 1, "Red_foot(up, n 1)": 1, "Blue_foot(up, n 1)": 1}


def test_a_state_that_ends_in_one_branch_is_none_of_the_names_of_another() -> None:
    rules = """
procedure shake(u: Unit)
    u.tired = yes
    move u to C
phase play
    place 1 Red_horse in A
    together
        Red: choose one: u in A.units[arm == foot] "One {u}"
            u.n = 2
            u.n += 1
        Blue: choose two: v in A.units "Two {v}"
            shake(v)
"""
    position = played(rules, "two Red horse", head=GAME.replace("lasts day", "lasts shake"))
    assert position.value("A.units") == {"Red_foot": 1, "Red_foot(n 3)": 1}
    assert position.value("C.units") == {"Red_horse": 1}


def test_what_is_done_at_any_time_while_a_rule_that_is_called_asks() -> None:
    rules = """
procedure ask
    choose how: n in 1..2 "{n}"
        score += n
aside shift "Shift" by active during play
    require left > 0
    left = 0
    move A.units to B
    place 1 Red_foot in A
phase play
    choose go: u in A.units "Go"
        ask()
        u.up = yes
"""
    position = played(rules, "shift", "how 2")
    assert position.value("A.units") == FOOT
    assert position.value("B.units") == BOTH


def test_what_comes_before_each_round_of_several_loops() -> None:
    position = played("""
before day
    for x in A.units
        move A.units to B
        place 1 Blue_foot in A
        x.n += 1
procedure work(u: Unit)
    for day in Day
        score += 1
    u.up = yes
phase play
    choose go: u in A.units "Go"
        for day in Day
            score += 1
        work(u)
""")
    assert position.value("A.units") == {"Blue_foot": 1}
    assert position.value("B.units")["Red_foot(up, n 1)"] == 1


HANDED = {
    "one rule": """
procedure both(u: Unit, v: Unit)
    v.n += 1
    u.up = yes
""",
    "before it": """
procedure both(u: Unit, v: Unit)
    u.up = yes
before both(u, v)
    v.n += 1
""",
    "a rule for either": """
procedure both(u: Unit, v: Unit)
    stamp(v, 1)
    stamp(u, 2)
procedure stamp(w: Unit, how: int)
    if how == 1
        w.n += 1
    else
        w.up = yes
""",
    "either way round": """
procedure both(u: Unit, v: Unit)
    stamp(v, u, 1)
procedure stamp(w: Unit, x: Unit, how: int)
    if how == 1
        w.n += 1
        stamp(x, w, 2)
    else
        w.up = yes
""",
    "a rule that asks": """
procedure both(u: Unit, v: Unit)
    choose how: n in 1..2 "{n}"
        stamp(v, 1)
        stamp(u, 2)
procedure stamp(w: Unit, how: int)
    choose again: n in 1..2 "{n}"
        if how == 1
            w.n += 1
        else
            w.up = yes
""",
    "a signal": """
procedure both(u: Unit, v: Unit)
    signal two(u, v)
signal two(x: Unit, y: Unit)
when two(x, y)
    y.n += 1
    x.up = yes
""",
    "at once": """
procedure both(u: Unit, v: Unit)
    left = 1 - left
    v.n += 1
    u.up = yes
whenever left == 0
    for w in B.units
        both_again(w)
procedure both_again(w: Unit)
    w.up = no
""",
}


@pytest.mark.parametrize("handed", HANDED.values(), ids=HANDED)
def test_a_loop_goes_through_as_many_pieces_as_there_are(handed: str) -> None:
    """A round's piece is handed to a rule beside another name, both are alike, and both are changed there: the loop
    goes on with the other piece, not with its first once more."""
    rules = (
        handed
        + """
phase play
    choose v: v in A.units
        for u in A.units
            both(u, v)
"""
    )
    position = compile_text(load_single(GAME + rules + SEQUENCE, "names.rules")).start(1)
    while position.decision is not None:
        position = position.choose(0)
    assert position.value("A.units") == {"Red_foot(up)": 1, "Red_foot(up, n 2)": 1}


@pytest.mark.parametrize("leaving", ["stop", "return"])
def test_what_comes_before_a_round_may_leave_it(leaving: str) -> None:
    """The names of the rule around keep up with it all the same."""
    rules = f"""
before day
    for a in Area
        if a == A
            move a.units to B
            {leaving}
    score += 1
procedure live(u: Unit)
    u.n += 1
    for day in Day
        score += 10
phase play
    choose v: v in A.units
        live(v)
        v.up = yes
        v.n += 1
"""
    position = played(rules)
    assert position.value("B.units") == {"Red_foot": 1, "Red_foot(up, n 2)": 1}
    assert position.value("score") == ("22" if leaving == "stop" else "0")


FIRST_ASKED = {
    "a function": "function full(a: Area) -> bool",
    "a value": 'adjust full(a) add 0 "Nothing"\nvalue full(a: Area) -> int',
}
WHERE = {
    "a loop": "        if {full} or u.up\n            u.n += 1",
    "a call": "        tire(u, {full})",
    "a rule that asks": "        let many = {full}\n        ask(u)",
}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("first", FIRST_ASKED)
def test_what_is_first_asked_in_a_loop_gives_its_own_answer(first: str, where: str) -> None:
    """A function is written when a rule first asks it; what the loops around have to note is theirs, not part of it."""
    is_value = first == "a value"
    head = FIRST_ASKED[first]
    rules = f"""
{head}
    if count(a.units) > 8
        return {"7" if is_value else "yes"}
    return {"0" if is_value else "no"}
procedure tire(u: Unit, so: bool)
    move B.units to A
    u.up = not so
procedure ask(u: Unit)
    choose how: n in 1..2 "{{n}}"
        u.up = yes
phase play
    choose both: 2 from A.units as both "Both"
    for u in both
        move u to B
{WHERE[where].format(full="full(C) > 6" if is_value else "full(C)")}
        u.up = yes
    for u in both
        u.n += 2
        move u to C
"""
    position = compile_text(load_single(GAME + rules + SEQUENCE, "names.rules")).start(1)
    while position.decision is not None:
        position = position.choose(0)
    assert position.value("C.units") == {"Red_foot(up, n 2)": 2}


THERE = ["        part()\n        u.up = score == 2\n", "        hit(u)\n", "        ask(u)\n"]


@pytest.mark.parametrize("there", THERE, ids=["in the loop", "in a rule", "in a rule that asks"])
def test_what_a_loop_has_been_through_keeps_no_piece_from_it(there: str) -> None:
    """In the second round both are alike, and one of them goes: the name of the round means the one that stays."""
    position = played(
        f"""
procedure part
    if score == 1
        move 1 from A.units[n == 4] to B
    score += 1
procedure hit(u: Unit)
    part()
    u.up = score == 2
procedure ask(u: Unit)
    choose how: n in 1..2 "{{n}}"
        hit(u)
phase play
    for u in A.units
        u.n = 4
{there}""",
        *(["how 1"] * 2 if "ask" in there else []),
    )
    assert position.value("A.units") == {"Red_foot(up, n 4)": 1}
    assert position.value("B.units") == {"Red_foot(n 4)": 1}
