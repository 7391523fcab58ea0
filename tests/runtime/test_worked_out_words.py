"""A refusal understands an option's whole text, also the words that are worked out from what is picked."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Raising", version "1"
rulebook "Raising"
    1  rule  "Where pieces are raised"
    2  rule  "Taking back"
kind Side: adjective: text
    holds stock: Unit
values Arm: foot, ships
pieces Unit: side: Side, arm: Arm
    home side.stock
    text "{side.adjective} {arm}"
kind Space: water: bool = no, open: bool = yes
    holds units: Unit
things
    Side North  adjective "Northern"
    Side South  adjective "Southern"
    Space Mill
    Space Ford  not open
    Space Lake  water, not open
players Side
counts Unit
    |       | foot | ships |
    | North |    2 |     1 |
    | South |    1 |     1 |
state active: Side
function arm_for(r: Space) -> Arm
    if r.water then ships else foot
procedure raise_one(s: Side)  §1
    may choose by s muster: r in Space "Raise {s.adjective} {arm_for(r)} in {r}"
        require r.open "open ground"  §1
        require none r.units "empty"  §1
        move 1 from s.stock[arm == arm_for(r)] to r
aside take_back: u in Space.units "Take back {u} from {u.place}" by active during raising  §2
    require u.side == active
    move u to u.side.stock
phase raising "Raising"  §1
    raise_one(active)
    raise_one(active)
sequence
    for active in Side
        raising
    end game, draw
"""


@pytest.mark.parametrize("line", ["raise Northern foot in Ford", "raise Ford", "Raise Northern ships in Lake"])
def test_the_whole_text_of_a_refused_option(tmp_path: Path, line: str) -> None:
    """The words of the aside fit almost as well: they must not win."""
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    position = rulescript.load(tmp_path, cache=False).start(seed=1)
    refusal = position.why_not(line)
    assert refusal.cites == ("1",)
    assert "open ground" in refusal.text


def test_a_word_that_does_not_fit_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    position = rulescript.load(tmp_path, cache=False).start(seed=1)
    assert "sheep" in position.why_not("raise Northern sheep in Ford").text


def test_taking_back_is_still_understood(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    position = rulescript.load(tmp_path, cache=False).start(seed=1)
    assert position.why_not("take back Northern foot from Ford").cites == ("2",)
