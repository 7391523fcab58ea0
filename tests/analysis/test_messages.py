"""Mistakes a newcomer makes, and the hint that helps: each is told once, in the words of the game at hand."""

from __future__ import annotations

import pytest

from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Newcomer"
kind Side
    state vp: int
    holds box: Unit
kind Town: worth: int = 1
    state control: maybe Side
    holds units: Unit
pieces Unit: side: Side
    home side.box
things
    Side North
    Side South
    Unit Northern  North, 4
    Unit Southern  South
players Side
map Land
    link road
    Town Mill
    Town Ford  worth 2
    road Mill - Ford
state active: Side
phase movement
    place 2 Northern in Mill
    choose march: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active
        require t.control == nothing
        move u to t
        active.vp += 1
    or pass
sequence
    for active in Side
        movement
"""


def errors(old: str, new: str) -> list[Diagnostic]:
    assert GAME.count(old) == 1, old
    reporter = Reporter()
    text = load_single(GAME.replace(old, new), "newcomer.rules", reporter)
    try:
        compile_text(text, (), "", reporter)
    except GameInvalid as problem:
        return [d for d in problem.diagnostics if d.severity.value == "error"]
    return []


MISTAKES = [
    ("require u.side == active", "require vp > 0", "RS101", "it is something that each Side has", "`s.vp`"),
    ("require u.side == active", "require len(t.units) < 3", "RS101", "no rule `len`", "`count`"),
    ("require u.side == active", "require t.units.count() < 3", "RS101", "only rules", "`count(t.units)`"),
    ("require u.side == active", "require t.units[0].side == active", "RS201", "stands a condition", "`first(...)`"),
    ("state vp: int", "state vp: integer", "RS101", "`integer`", "`int`"),
    ('"March {u} to {t}"', '" "', "RS201", "says nothing to the player", ""),
    ("active.vp += 1", "let x = 2d6", "RS001", "", ""),
    ("active.vp += 1", "let x = d6", "RS101", "`d6`", "`roll d6 as rolled`"),
    ("u in Town.units, t", "u in Unit, t", "RS213", "nowhere in particular", "`Town.units`"),
    ("u in Town.units, t", "u in Mill, t", "RS201", "a set, list or pile", "`Mill.units`"),
    ("for active in Side", "for i in 3", "RS201", "a set, list or pile", "`1..3`"),
    ("place 2 Northern in Mill", "place 5 Northern in Mill", "RS214", "there are only 4 of `Northern`", ""),
    (
        "place 2 Northern in Mill",
        "place 1 Southern in Mill",
        "RS214",
        "nobody says how many",
        "`Unit Southern  ..., 1`",
    ),
    ('"March {u} to {t}"', '"March {u to {t}"', "RS003", "`{` in this text is never closed", "{value}"),
    ('"March {u} to {t}"', '"March u} to {t}"', "RS003", "`}` in this text closes nothing", "{value}"),
]


@pytest.mark.parametrize(("old", "new", "code", "said", "hint"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_one_mistake_one_report(old: str, new: str, code: str, said: str, hint: str) -> None:
    (found,) = errors(old, new)
    assert found.code == code and said in found.message
    assert hint in (found.hint or "")


def test_things_of_an_unknown_kind_are_not_missed_again_and_again() -> None:
    found = errors("kind Town: worth: int = 1", "kind Twon: worth: int = 1")
    assert found[0].message == "there is no kind `Town`"
    assert not any("Mill" in d.message or "Ford" in d.message for d in found)
