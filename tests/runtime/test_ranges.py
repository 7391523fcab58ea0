"""Ranges of years: looped over, picked from, asked about."""

from __future__ import annotations

import pytest

from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.pipeline.composing import look_through

GAME = """\
rulescript 1
game "Years"
values Side: red, blue
players Side
state active: Side
state year: 1914..1918 = 1914
state sum_of: int
state hits: int
phase go
    for y in 1914..1918
        sum_of += y
    if year in 1915..1916
        hits += 1
    choose pick: y in 1916..1918 "Go to {y}"
        year = y
sequence
    for active in Side
        go
    end game, draw
"""


def test_a_range_of_years_is_one_like_any_other() -> None:
    position = compile_text(load_single(GAME, "years.rules")).start()
    assert position.decision is not None and [o.text for o in position.decision.options] == [
        f"Go to {year}" for year in (1916, 1917, 1918)
    ]
    position.choose("go to 1916").choose("go to 1918")
    assert position.value("sum_of") == str(2 * sum(range(1914, 1919))) and position.value("hits") == "1"


@pytest.mark.parametrize(
    ("wrong", "said"), [("1918..1914", "from the lower to the higher number"), ("1914..99999", "up to 4,000 at most")]
)
def test_a_range_that_is_none_is_told_with_what_to_write(wrong: str, said: str) -> None:
    reporter = Reporter()
    look_through(load_single(GAME.replace("for y in 1914..1918", f"for y in {wrong}"), "years.rules"), (), "", reporter)
    assert [said in d.message and bool(d.hint) for d in reporter.diagnostics if d.code == "RS201"] == [True]
