"""Facts that are worked out once, before play: `limits (Mill.road + Mill)`."""

from __future__ import annotations

from typing import Any

import pytest

from rulescript.analysis.analyse import analyse
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import load_single
from rulescript.model import game as m

GAME = """\
rulescript 1
game "Facts"
kind Side
things
    Side North
players Side
values Ground: clear, rough
map Land
    link road, river
    Town Mill  worth (2 * 3 - 1), near (road + it)
    Town Ford  rough, near (Mill.road - Hill)
    Town Hill  near (Town[worth > 1 and ground == clear])
    Town Lake  worth (Mill.worth + count(Mill.road)), near ({Ford, Mill}.road & Mill.links)
    road Mill - Ford - Hill
    road Mill - Hill
    river Mill -> Lake
kind Town: worth: int = 1, ground: Ground = clear, near: set of Town, ways: int = count(links)
sequence
    end game, draw
"""


def _read(text: str) -> tuple[m.Game, list[Diagnostic]]:
    reporter = Reporter()
    model = analyse(load_single(text, "facts.rules", reporter), (), "", reporter)
    return model, reporter.diagnostics


def _near(model: m.Game, at: int) -> set[str]:
    town = model.kinds["Town"]
    refs: Any = town.attrs["near"].values[at]
    return {town.things[ref.index].name for ref in refs}


def test_links_sets_and_arithmetic() -> None:
    model, problems = _read(GAME)
    assert [p.message for p in problems] == []
    town = model.kinds["Town"]
    assert town.attrs["worth"].values == [5, 1, 1, 7]
    assert town.attrs["ways"].values == [3, 2, 2, 0]
    assert _near(model, 0) == {"Mill", "Ford", "Hill"}
    assert _near(model, 1) == {"Ford"}
    assert _near(model, 2) == {"Mill", "Lake"}
    assert _near(model, 3) == {"Ford", "Hill"}


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        ("worth (Town)", "RS201", "`worth` of Mill must be a number"),
        ("worth (points + 1)", "RS101", "there is no thing `points`"),
        ("worth (Ford.worth)", "", ""),
        ("worth (worth + 1)", "RS314", "`worth` is worked out from itself"),
        ("near (3)", "RS201", "`near` of Mill must be a set of Town"),
        ("near (Mill.rail)", "RS201", "a fact must be fixed before play begins, and this is not"),
        ("worth (1 / 0 rounded up)", "RS210", "division by zero"),
        ("worth (Mill + Ford)", "RS201", "these two do not go together"),
    ],
)
def test_what_cannot_be_worked_out_is_reported_once(written: str, code: str, said: str) -> None:
    text = GAME.replace("Town Mill  worth (2 * 3 - 1), near (road + it)", f"Town Mill  {written}")
    model, problems = _read(text.replace("worth (Mill.worth + count(Mill.road))", "worth 2"))
    assert [(p.code, p.message) for p in problems] == ([(code, said)] if code else [])


def test_a_variant_may_amend_with_what_is_worked_out() -> None:
    model, problems = _read(GAME.replace("sequence\n", "amend Hill: worth (Mill.worth + 1)\nsequence\n"))
    assert problems == []
    assert model.kinds["Town"].attrs["worth"].values == [5, 1, 6, 7]
