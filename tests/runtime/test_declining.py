"""How it is called not to use a reaction: as the author words it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript

GAME = """\
rulescript 1
game "Alarm", version "1"
kind Side
    state points: int
things
    Side North
    Side South
players Side
state active: Side
signal alarm
when alarm
    choose by South fire: n in 1..2 "Fire {{n}}"
        South.points += n
    {first}
when alarm
    choose by South run: n in 1..2 "Run {{n}}"
        South.points -= n
    {second}
phase day
    signal alarm
sequence
    active = North
    day
    end game, draw
"""


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ('or pass "Hold the line"', 'or pass "Hold the line"', "Hold the line"),
        ('or pass "Hold the line"', "or pass", "Hold the line"),
        ("or pass", "or pass", "Decline"),
        ('or pass "Hold the line"', 'or pass "Stay"', "Decline"),
    ],
)
def test_declining_several_reactions(tmp_path: Path, first: str, second: str, said: str) -> None:
    path = tmp_path / "alarm.rules"
    path.write_text(GAME.format(first=first, second=second), encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    assert position.decision is not None
    *_, last = position.decision.options
    assert (last.key, last.text) == ("pass", said)
    assert position.choose("pass").is_over


@pytest.mark.parametrize(("last", "said"), [("", "Decline"), ("or pass", "Pass"), ('or pass "Stay here"', "Stay here")])
def test_a_may_is_declined_in_one_way(tmp_path: Path, last: str, said: str) -> None:
    path = tmp_path / "walk.rules"
    text = GAME.split("signal alarm")[0] + 'phase day\n    may choose go: n in 1..2 "Go {n}"\n'
    path.write_text(
        f"{text}        active.points += n\n    {last}\nsequence\n    active = North\n    day\n    end game, draw\n",
        encoding="utf-8",
    )
    position = rulescript.load(path, cache=False).start()
    assert position.decision is not None
    assert [(option.key, option.text) for option in position.decision.options[2:]] == [("pass", said)]
    assert position.choose("pass").is_over
