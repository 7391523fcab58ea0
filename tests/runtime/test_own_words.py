"""A place that the option's own text names is not taken for where a piece stands."""

from __future__ import annotations

from pathlib import Path

import rulescript

GAME = """\
rulescript 1
game "Landing", version "1"
rulebook "Landing"
    1  rule  "Not in a storm"
    2  rule  "Guns stay"
    3  rule  "Closed"
kind Side
    holds boats: Unit
things
    Side North
    Side South
players Side
values Arm: foot, guns
pieces Unit: side: Side, arm: Arm
    home side.boats
counts Unit
    |       | foot | guns |
    | North |    2 |    1 |
    | South |    1 |    1 |
kind Town
    holds units: Unit
things
    Town Mill
    Town Ford
state active: Side
state storm: bool = yes
phase landing "Landing"                                  §1
    choose land: u in active.boats "Land {u} in Mill"
        require not storm or u.arm == guns "calm water"  §1
        require u.arm != guns "guns stay aboard"         §2
        move u to Mill
    or choose put: u in active.boats "Land {u} in Ford"
        require no "Ford is closed"                      §3
        move u to Ford
    or wait "Wait"
        storm = no
    or pass "Sail home"
sequence
    for active in Side
        landing
        landing
    end game, draw
"""


def test_the_piece_that_could_go_there_is_judged(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    game = rulescript.load(tmp_path, cache=False)
    position = game.start(seed=1)
    refusal = position.why_not("land North foot in Mill")
    assert refusal.cites == ("1",)
    assert position.why_not("land North guns in Mill").cites == ("2",)
    assert position.why_not("land North foot in Ford").cites == ("3",)
    assert "otter" in position.why_not("land North foot in Otter").text
