"""In which kind of place a name's thing stands: learnt from tests, lost where ways meet that moved it differently."""

from __future__ import annotations

import pytest

from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Whereabouts"
kind Side
    holds box: Unit
    holds tent: Leader
kind Area
    holds units: Unit
    holds leaders: Leader
    state raided: bool
pieces Unit: side: Side
    home side.box
kind Leader: side: Side
    home side.tent
things
    Side North
    Side South
    Area Mill
    Area Ford
    Unit Northern  North, 4
    Unit Southern  South, 4
    Leader Ada   North
    Leader Bela  South
holds pool: Unit
players Side
state active: Side
state pace: int = 1
{rules}
phase go
    may rest "Rest"
        pace += 1
    place 1 Northern in Mill
    place 1 Southern in Ford
    for u in Area.units
        use(u)
    for l in Leader
        lead(l)
sequence
    for active in Side
        go
"""

USE = """
procedure use(u: Unit{on})
{body}
procedure lead(l: Leader)
    tell "{{l}}"
"""

LEAD = """
procedure use(u: Unit)
    tell "{{u}}"
procedure lead(l: Leader)
{body}
"""


def codes(rules: str) -> list[tuple[str, str]]:
    reporter = Reporter()
    text = load_single(GAME.replace("{rules}", rules), "whereabouts.rules", reporter)
    try:
        compile_text(text, (), "", reporter)
    except GameInvalid as problem:
        return [(d.code, d.message) for d in problem.diagnostics if d.severity.value == "error"]
    return []


def body(lines: str, on: str = "") -> str:
    return USE.format(on=on, body="\n".join("    " + line for line in lines.strip("\n").split("\n")))


def lead(lines: str) -> str:
    return LEAD.format(body="\n".join("    " + line for line in lines.strip("\n").split("\n")))


KNOWN = {
    "an if that asks": body("""
if u in Area.units
    u.place.raided = yes
"""),
    "a part of an and": body("""
if u in Area.units and not u.place.raided
    pace += 1
"""),
    "a filtered pile": body("""
if u in Area.units[side == North]
    u.place.raided = yes
"""),
    "leaving where it is not so": body("""
if u not in Area.units
    return
u.place.raided = yes
"""),
    "a requirement for the next one and for what is done": body("""
may raid "Raid"
    require u in Area.units
    require not u.place.raided
    u.place.raided = yes
"""),
    "a single thing": lead("""
if l in Area.leaders
    l.place.raided = yes
"""),
    "if then else": body("""
pace += if u in Area.units then count(u.place.units) else 0
"""),
    "both ways end in the same kind of place": body("""
if pace > 1
    move u to Mill
else
    move u to Ford
u.place.raided = yes
"""),
    "a way that leaves does not count": body("""
if pace > 1
    move u to u.side.box
    return
u.place.raided = yes
""", " on Area"),
    "a loop that moves within one kind": body("""
repeat 3 times
    u.place.raided = yes
    move u to Ford
u.place.raided = no
""", " on Area"),
    "each round of a loop begins anew": """
procedure use(u: Unit)
    for v in Area.units
        v.place.raided = yes
        move v to v.side.box
procedure lead(l: Leader)
    tell "{l}"
""",
    "what comes before a rule sees it where it was": body("""
move u to u.side.box
""", " on Area") + """
before use(u)
    u.place.raided = yes
""",
    "what comes after sees it where it is": body("""
if pace > 1
    move u to Mill
    return
move u to Ford
""") + """
after use(u)
    u.place.raided = yes
""",
    "a restriction sees the pick where it was": body("""
choose take: v in Area.units "Take {v}"
    move v to v.side.box
or pass
""") + """
restrict use.take
    require not v.place.raided
""",
}  # fmt: skip

LOST = {
    "after an if that may have moved it": body("""
if pace > 1
    move u to u.side.box
u.place.raided = yes
""", " on Area"),
    "after an if with two ways": body("""
if pace > 1
    move u to Mill
else
    move u to u.side.box
u.place.raided = yes
"""),
    "what a test told, after a move": body("""
if u in Area.units
    if pace > 1
        move u to u.side.box
    u.place.raided = yes
"""),
    "in the second round of a loop": body("""
repeat 2 times
    u.place.raided = yes
    move u to u.side.box
""", " on Area"),
    "in the second round, though a test told it before the loop": body("""
if u in Area.units
    repeat 2 times
        u.place.raided = yes
        move u to u.side.box
"""),
    "after a loop that may not have run": body("""
repeat while pace > 1
    move u to Mill
    pace -= 1
u.place.raided = yes
"""),
    "after a stop in the middle of a loop": body("""
repeat
    move u to u.side.box
    if pace > 1
        stop
    move u to Mill
    pace += 1
u.place.raided = yes
""", " on Area"),
    "after a choice that may have moved it": body("""
may flee "Flee"
    move u to u.side.box
u.place.raided = yes
""", " on Area"),
    "in a place of the game itself": body("""
move u to pool
u.place.raided = yes
""", " on Area"),
    "for what comes after, if the rule may leave early": body("""
if pace > 1
    return
move u to u.side.box
""", " on Area") + """
after use(u)
    u.place.raided = yes
""",
    "where the test is not so": body("""
if u in Area.units
    pace += 1
else
    u.place.raided = yes
"""),
    "where either may be so": body("""
if u in Area.units or pace > 1
    u.place.raided = yes
"""),
}  # fmt: skip


@pytest.mark.parametrize("rules", KNOWN.values(), ids=KNOWN)
def test_where_it_stands_is_known(rules: str) -> None:
    assert codes(rules) == []


@pytest.mark.parametrize("rules", LOST.values(), ids=LOST)
def test_where_it_stands_is_not_known(rules: str) -> None:
    found = codes(rules)
    assert [code for code, _ in found] == ["RS203"], found
    assert "can stand in several kinds of places" in found[0][1]


def test_a_loop_that_is_read_twice_names_its_choices_once() -> None:
    rules = body("""
repeat 2 times
    may go_on "Go on"
        move u to u.side.box
""", " on Area")  # fmt: skip
    game = compile_text(load_single(GAME.replace("{rules}", rules), "whereabouts.rules"))
    assert {info.choice for info in game.data.decisions.values()} == {"rest", "go_on"}
