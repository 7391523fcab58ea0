"""The journal cites, for what a hook or a reaction does, the rule of the hook and not that of what it hangs on."""

from __future__ import annotations

from pathlib import Path

import rulescript

GAME = """\
rulescript 1
game "Bells"
rulebook "Bells"
    1  rule  "The day"
    2  rule  "Before"
    3  rule  "Answers"
    4  rule  "Every turn"
    5  rule  "Its own"
values Side: North, South
players Side
state active: Side
state rings: int
signal rung

phase day "Day"  §1
    rings += 1
    signal rung

before day  §2
    rings += 10
    rings += 20  §5

when rung  §3
    rings += 100

after active  §4
    if rings > 0
        rings += 1000

sequence
    for active in Side
        day
    end game, draw
"""


def test_each_line_of_the_journal_rests_on_its_rule(tmp_path: Path) -> None:
    path = tmp_path / "bells.rules"
    path.write_text(GAME, encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    told = [(e["value"], e["cites"]) for e in position.journal if e["kind"] == "set"]
    assert told[:5] == [("10", ["2"]), ("30", ["5"]), ("31", ["1"]), ("131", ["3"]), ("1131", ["4"])]
