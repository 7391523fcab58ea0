"""A name for a piece follows it: through procedures, signals, hooks, lists, what things do; in every form of a game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import rulescript
from rulescript.errors import GameInvalid
from tests.compiler.in_step import forms_of, source_of

# Three alike foot in A. What `work` does to one of them must be seen in it alone, and it must be found again: the one
# that is marked in the end is the one that was moved and tired before.
GAME = """\
rulescript 1
game "One of three"
kind Side
    holds box: Unit
things
    Side Red
players Side
state active: Side
state n: int
state ends: list of int
values Step: none_yet, first, second
kind Area
    holds units: Unit
things
    Area A
    Area B
    Area C
pieces Unit: side: Side
    state tired: bool
    state step: Step
    state marked: bool
    state brief: bool, lasts work
    state near: bool, lasts in Area
    home side.box
things
    Unit Foot  Red, 5
kind Card
    does play(u: Unit, a: Area)
    does pass_on(u: Unit, a: Area)
things
    Card Plain
        play
            move u to a
            u.tired = yes
        pass_on
            this.play(u, a)
    Card Asking
        play
            move u to a
            choose by Red really: x in Area "Really {{x}}"
                u.tired = yes
        pass_on
            this.play(u, a)
signal seen(u: Unit, a: Area)
signal told(u: Unit, a: Area)

procedure go(u: Unit, a: Area)
    move u to a
    u.tired = yes
procedure go_on(u: Unit, a: Area)
    go(u, a)
procedure go_asking(u: Unit, a: Area)
    choose really: x in Area "Really {{x}}"
        move u to a
    u.tired = yes
procedure go_asking_on(u: Unit, a: Area)
    go_asking(u, a)
procedure go_back(u: Unit, a: Area) -> Unit
    go(u, a)
    return u
procedure down(u: Unit, a: Area, deep: int)
    if deep > 0
        down(u, a, deep - 1)
        u.tired = yes
    else
        move u to a
procedure down_asking(u: Unit, a: Area, deep: int)
    choose really: x in Area "Really {{x}}"
        if deep > 0
            down_asking(u, a, deep - 1)
            u.tired = yes
        else
            move u to a
procedure each_of(us: list of Unit, a: Area)
    for u in us
        go(u, a)
procedure each_asking(us: list of Unit, a: Area)
    for u in us
        go_asking(u, a)
procedure other_first(a: Area, u: Unit)
    go(u, a)
procedure named(u: Unit, a: Area = B)
    go(u, a)
procedure leave_early(u: Unit, a: Area)
    move u to a
    if a == B
        u.tired = yes
        return
    n += 1
procedure twice(u: Unit, v: Unit, a: Area)
    move u to a
    u.tired = yes
    v.step = second
procedure brief_one(u: Unit, a: Area)
    u.brief = yes
    work(u, a)
procedure work(u: Unit, a: Area)
    u.brief = yes
    go(u, a)
procedure work_asking(u: Unit, a: Area)
    u.near = yes
    move u to u.side.box
    go_asking(u, a)
procedure hooked(u: Unit, a: Area)
    u.step = first
before hooked(u, a)
    move u to a
after hooked(u, a)
    u.tired = yes
procedure hooked_asking(u: Unit, a: Area)
    choose really: x in Area "Really {{x}}"
        u.step = first
before hooked_asking(w, x)
    move w to x
after hooked_asking(w, x)
    w.tired = yes
when seen(w, x)
    move w to x
when seen(w, x)
    w.tired = yes
when told(w, x)
    may choose agree: y in Area "Agree on {{y}}"
        move w to x
        w.tired = yes
    or pass

procedure anew
    for a in Area
        move a.units home
    for u in Red.box
        u.tired = no
        u.marked = no
        u.step = none_yet
    place 3 Foot in A

{phases}

sequence
    for active in Side
{calls}
    end game, draw "{{ends}}"
"""

FOLLOWED = {
    "in the rule itself": ["move u to B", "u.tired = yes"],
    "a procedure": ["go(u, B)"],
    "two deep": ["go_on(u, B)"],
    "asking": ["go_asking(u, B)"],
    "asking, two deep": ["go_asking_on(u, B)"],
    "what is given back": ["let v = go_back(u, B)", "v.marked = yes", "return"],
    "calling itself": ["down(u, B, 3)"],
    "calling itself, asking": ["down_asking(u, B, 2)"],
    "second parameter": ["other_first(B, u)"],
    "by its name": ["other_first(u = u, a = B)"],
    "a default": ["named(u)"],
    "leaving early": ["leave_early(u, B)"],
    "signal": ["signal seen(u, B)"],
    "signal, asking": ["signal told(u, B)"],
    "hooks": ["hooked(u, B)"],
    "hooks, asking": ["hooked_asking(u, B)"],
    "what a thing does": ["Plain.play(u, B)"],
    "what a thing does, asking": ["Asking.play(u, B)"],
    "what one of several does": ["for c in Card", "    if c == Plain", "        c.play(u, B)"],
    "what one of several does, passed on": ["for c in Card", "    if c == Asking", "        c.pass_on(u, B)"],
    "a state that ends with the rule": ["work(u, B)"],
    "a state that ends with a rule within": ["brief_one(u, B)"],
    "a state that ends elsewhere": ["work_asking(u, B)"],
    "in a loop": ["for x in {B}", "    go(u, x)"],
    "in a loop, asking": ["for x in {A, B}", "    go_asking(u, x)"],
    "repeated": ["repeat 2 times", "    go(u, B)"],
    "in a branch": ["if n == 0", "    go(u, B)", "else", "    n += 1"],
    "its other name": ["let v = u", "go(v, B)", "v.marked = yes", "return"],
    "a name that is set anew": ["let v = u", "go(u, B)", "v = u", "v.marked = yes", "return"],
    "another one beside it": ["for v in C.units", "    go(v, B)", "go(u, B)"],
    "what never changes, of its other name": [
        "let v = u", "go(v, B)", 'tell "{u} has gone"', "if u.side == Red", "    v.marked = yes", "return",
    ],
}  # fmt: skip
# The same for all of a list: two go.
LISTS = {
    "one by one": ["for u in us", "    go(u, B)", "for u in us", "    u.marked = yes"],
    "one by one, asking": ["for u in us", "    go_asking(u, B)", "for u in us", "    u.marked = yes"],
    "all at once": ["for u in us", "    u.tired = yes", "move us to B", "for u in us", "    u.marked = yes"],
    "in a procedure": ["each_of(us, B)", "for u in us", "    u.marked = yes"],
    "in a procedure, asking": ["each_asking(us, B)", "for u in us", "    u.marked = yes"],
    "leaving the loop": [
        "for u in us", "    go(u, B)", "    if count(B.units) == 2", "        stop", "for u in us",
        "    u.marked = yes",
    ],
    "leaving the loop, asking": [
        "for u in us", "    go_asking(u, B)", "    if count(B.units) == 2", "        stop", "for u in us",
        "    u.marked = yes",
    ],
    "some of them first": [
        "move 1 from us to B", "move us to B", "for u in us", "    u.tired = yes", "    u.marked = yes",
    ],
    "counted afterwards": ["each_of(us, B)", "repeat count(us) times", "    for u in us", "        u.marked = yes"],
}  # fmt: skip


PHASE = """
phase play{number} "Play {number}"
    anew
    choose {picks}
{body}
after play{number}
    ends += 100 * count(A.units) + 10 * count(A.units[tired or marked]) + count(B.units[tired and marked])
"""
ONE, TWO = 'who: u in A.units "Take {u}"', 'who: 2 from A.units as us "Take {us}"'


def written(bodies: Iterable[list[str]], picks: str = ONE) -> str:
    """A game with a phase for each of several things to do with a piece."""
    phases = []
    for number, body in enumerate(bodies):
        lines = body if body[-1] == "return" or picks == TWO else [*body, "u.marked = yes"]
        inside = "\n".join(f"        {line}" for line in lines)
        phases.append(PHASE.format(number=number, body=inside, picks=picks))
    calls = "\n".join(f"        play{number}" for number in range(len(phases)))
    return GAME.format(phases="".join(phases), calls=calls)


def in_all_forms(file: Path) -> set[str]:
    """How a game ends in each of its forms."""
    ends = set()
    for form in forms_of(source_of(file)):
        form.begin(7)
        while form.block and not form.failure:
            form.answer(form.options[0])
        assert not form.failure, (form.name, form.failure)
        ends.add(form.own[2][3])
    return ends


@pytest.mark.parametrize(
    ("ways", "picks", "end"), [(FOLLOWED, ONE, "201"), (LISTS, TWO, "102")], ids=["a name", "a list"]
)
def test_a_name_follows_its_pieces(tmp_path: Path, ways: dict[str, list[str]], picks: str, end: str) -> None:
    """Two stay as they were and one is tired and marked where it went, or one and two."""
    file = tmp_path / "game.rules"
    file.write_text(written(ways.values(), picks), encoding="utf-8")
    found = in_all_forms(file)
    assert len(found) == 1
    assert dict(zip(ways, found.pop().split(", "), strict=True)) == dict.fromkeys(ways, end)


# What cannot be followed is refused, with the name that can be asked instead.
REFUSED = {
    "two names": (["let v = u", "move v to B", "u.tired = yes"], "RS220", "`u` and `v` may be one piece"),
    "the first of two names": (["let v = u", "move u to B", "v.tired = yes"], "RS220", "`v` and `u` may be"),
    "two names, through a procedure": (["let v = u", "go_on(v, B)", "move u to B"], "RS220", "`u` and `v` may be"),
    "given back": (["let v = go_back(u, B)", "move v to C", "u.tired = yes"], "RS220", "`u` and `v` may be"),
    "only asked": (["let v = u", "go(v, B)", "if u.tired", "    n += 1"], "RS220", "`u` and `v` may be"),
    "its place": (["let v = u", "go(v, B)", "if u in B.units", "    n += 1"], "RS220", "`u` and `v` may be"),
    "in a branch": (["let v = u", "if n == 0", "    go(v, B)", "u.tired = yes"], "RS220", "`u` and `v` may be"),
    "in the next round": (["let v = u", "repeat 2 times", "    u.tired = yes", "    go(v, B)"], "RS220", "may be one"),
    "the caller's": (["behind(u)"], "RS220", "`u` is moved or changed through `v`, and whoever calls this"),
    "given twice": (["twice(u, u, B)"], "RS221", "`twice` is given the same piece twice"),
    "given twice by two names": (["let v = u", "twice(u, v, B)"], "RS221", "given the same piece twice"),
}  # fmt: skip
REFUSED_LISTS = {
    "of a list, one": (["for u in us", "    go(u, B)", "    for v in us", "        v.tired = yes"], "RS220"),
    "the first": (["go(first(us) otherwise only(us), B)", "move us to C"], "RS220"),
    "a part": (["for u in us[tired]", "    go(u, B)", "move us to C"], "RS220"),
    "one inside the other": (["for u in us", "    for v in us", "        go(v, B)", "    u.tired = yes"], "RS220"),
}  # fmt: skip


BEHIND = """
procedure behind(u: Unit)
    let v = u
    move v to B
"""


def told(text: str, tmp_path: Path) -> str:
    file = tmp_path / "game.rules"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(GameInvalid) as problem:
        rulescript.load(file, cache=False)
    return str(problem.value)


@pytest.mark.parametrize("way", REFUSED)
def test_two_names_for_one_piece(tmp_path: Path, way: str) -> None:
    body, code, words = REFUSED[way]
    said = told(written([[*body, "return"]]) + (BEHIND if body == ["behind(u)"] else ""), tmp_path)
    assert f"error[{code}]" in said and words in said
    assert said.count("error[") == (2 if way == "in the next round" else 1)


@pytest.mark.parametrize("way", REFUSED_LISTS)
def test_a_piece_and_its_list(tmp_path: Path, way: str) -> None:
    body, code = REFUSED_LISTS[way]
    assert f"error[{code}]" in told(written([body], TWO), tmp_path)


def test_a_parameter_is_no_other_piece(tmp_path: Path) -> None:
    text = written([["go(u, B)"]]).replace(
        "procedure go_on(u: Unit, a: Area)\n", "procedure go_on(u: Unit, a: Area)\n    u = only(A.units)\n"
    )
    assert "error[RS222]" in told(text, tmp_path)
