"""Asides that lead to each other are found among thousands, soon: by who may take them, not one by one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import rulescript

TEXT = """rulescript 1
game "Asides", version "1"
kind Side
things
    Side North
    Side South
players Side
state active: Side
state score: int
phase work
    choose go "Go"
        score += 1
    or rest "Rest"
sequence
    for active in Side
        work
    end game, draw
"""


def loop_of(ask: str, by: str, many: int) -> str:
    """Procedures that call each other and end in a question, and an aside for each of them."""
    text = TEXT + f'procedure p0\n    choose by {ask} c0 "Yes"\n        score += 1\n    or no "No"\n'
    for i in range(1, many):
        text += f'procedure p{i}\n    p{i - 1}\naside a{i} "Do {i}" by {by} during work\n    p{i}\n'
    return text


def reports(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "asides.rules"
    path.write_text(text, encoding="utf-8")
    try:
        rulescript.load(path, cache=False)
    except rulescript.GameInvalid as problem:
        return [each.code for each in problem.diagnostics if each.severity == "error"]
    return []


@pytest.mark.parametrize(
    "ask, by, told",
    [("North", "North", 3), ("South", "North", 0), ("active", "active", 3), ("South", "any of Side", 3)],
)
def test_an_aside_is_offered_again_where_its_player_is_asked(tmp_path: Path, ask: str, by: str, told: int) -> None:
    assert reports(tmp_path, loop_of(ask, by, 4)) == ["RS314"] * told


def test_the_way_through_others_is_told(tmp_path: Path) -> None:
    text = TEXT + 'procedure p\n    choose by North c "Yes"\n        score += 1\n    or no "No"\n'
    text += 'procedure q\n    choose by South d "Yes"\n        score += 1\n    or no "No"\n'
    text += 'aside b "B" by North during work\n    q\naside a "A" by South during work\n    p\n'
    path = tmp_path / "asides.rules"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(rulescript.GameInvalid) as caught:
        rulescript.load(path, cache=False)
    told = sorted(each.message for each in caught.value.diagnostics if each.severity == "error")
    assert told == [
        "`a` can be taken again before it is done, by way of `b`",
        "`b` can be taken again before it is done, by way of `a`",
    ]


@pytest.mark.parametrize("ask", ["North", "South"])
def test_a_thousand_asides_take_no_longer_than_as_many_procedures(tmp_path: Path, ask: str) -> None:
    began = time.process_time()
    assert len(reports(tmp_path, loop_of(ask, "North", 1_000))) == (999 if ask == "North" else 0)
    assert time.process_time() - began < 20
