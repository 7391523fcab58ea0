"""Choices that stand in what comes before or after each round of a loop are choices like any others."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.pipeline import model_of

GAME = """\
rulescript 1
game "Tolls"
kind Side
    state gold: int = 2
    holds hand: Card, visible to it, count to others
kind Card: side: Side
    home side.hand
kind Town: toll: int
things
    Side North
    Side South
    Card Raid  North
    Card Feint  South
    Town Mill  toll 1
    Town Peak  toll 3
players Side
values Turn: first, second
state turn: Turn
state active: Side
function other(s: Side) -> Side
    if s == North then South else North
before turn
    choose by North begin: t in Town "Begin at {t}"
        require t.toll < 3 "too far"
        North.gold -= 1
    or pass
after active
    choose by active pay: t in Town "Pay for {t}"
        require t.toll <= active.gold "too dear"
        active.gold -= t.toll
    or pass
phase go
    may rest "Rest"
        active.gold += 1
sequence
    for turn in Turn
        for active in Side
            go
"""


def load(tmp_path: Path, text: str = GAME) -> rulescript.Game:
    where = tmp_path / "tolls.rules"
    where.write_text(text, encoding="utf-8")
    return rulescript.load(where)


def test_choices_of_hooks_on_loops_are_listed_and_numbered(tmp_path: Path) -> None:
    model = model_of(load(tmp_path))
    named = {choose.name: (procedure.name, choose.number) for procedure, choose in model.chooses}
    assert named["begin"][0] == named["pay"][0] == "sequence"
    assert sorted(number for _, number in named.values()) == [0, 1, 2]


def test_a_choice_of_a_hook_on_a_loop_explains_itself(tmp_path: Path) -> None:
    position = load(tmp_path).start()
    assert position.decision is not None and position.decision.name == "begin"
    refusal = position.why_not("begin at Peak")
    assert not refusal.allowed and [c.label for c in refusal.clauses] == ["too far"]
    position.choose("pass").choose("decline")
    assert position.decision is not None and position.decision.name == "pay"
    assert "too dear" in str(position.why_not("pay for Peak"))
    assert "not asked now" in str(position.why_not("begin at Mill"))


def test_a_requirement_of_a_hook_on_a_loop_may_not_read_what_is_hidden(tmp_path: Path) -> None:
    where = tmp_path / "tolls.rules"
    where.write_text(
        GAME.replace("t.toll <= active.gold", "count(other(active).hand[it.side == active]) < 1"), encoding="utf-8"
    )
    with pytest.raises(rulescript.GameInvalid) as problem:
        rulescript.load(where)
    assert [d.code for d in problem.value.diagnostics] == ["RS311"]
