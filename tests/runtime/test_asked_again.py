"""A line that was read is not read again for the same position; for another it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.runtime import answers
from rulescript.runtime.answers import find_answer

TURN = Path(__file__).parents[2] / "docs" / "cookbook" / "01-first-turn.rules.md"
LINE = "cavalry to Upper Ford"


def test_what_a_line_means_changes_with_the_position() -> None:
    position = rulescript.load(TURN).start(seed=1)
    before = position.clone()
    found = find_answer(position, LINE)
    assert found is not None and find_answer(position, "cavalry to Brackwater") is None
    assert find_answer(position, LINE) == found
    position.choose(LINE)
    assert find_answer(position, LINE) is None
    assert find_answer(before, LINE) == found


def test_why_a_line_is_refused_does_not_read_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    position = rulescript.load(TURN).start(seed=1)
    read: list[str] = []
    one_choice = answers.one_choice
    monkeypatch.setattr(answers, "one_choice", lambda *args: (read.append(args[2]), one_choice(*args))[1])
    assert find_answer(position, "move cavalry to Brackwater") is None
    assert "§3.3" in str(position.why_not("move cavalry to Brackwater"))
    assert len(read) == 1
