"""Citations may stand on every line that says something, and none of them is lost."""

from __future__ import annotations

import re

from rulescript.analysis.analyse import analyse
from rulescript.analysis.checks import check_game
from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.testing.coverage import written_in

GAME = """\
kind Side  §1
    holds box: Unit  §2
    holds hand: Card, visible to it  §3
things  §4
    Side North  §5
    Side South
players Side
kind Card: side: Side
    has cost: int = 1  §6
    text "{side} card"  §7
    does play(by: Side)  §8
    in force when cost > 0  §9
    hidden when cost > 1, known to side  §10
    home side.hand  §11
things
    Card Raid  North
        play
            points += 1  §12
kind Town
    holds units: Unit
pieces Unit: side: Side
    home side.box  §13
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
things
    Unit Guard  North, 2
state points: int  §14
state active: Side
procedure go
    let n = count(Town)  §15
    if n > 1  §16
        points += n  §17
    else if n > 0  §18
        points += 1
    repeat 2 times  §19
        points += 1
        stop  §20
    for t in Town  §21
        points += 1
    each s in Side  §22
        may rest "Rest"  §23
            points += 1
    Raid.play(active)  §24
sequence
    go
    end game, draw  §25
"""


IDS = set(re.findall(r"§(\d+)", GAME))


def _text(listed: set[str]) -> str:
    index = "".join(f'    {ident}  note  "Rule {ident}"\n' for ident in sorted(listed))
    return f'rulescript 1\ngame "Cited"\nrulebook "Cited"\n    0  note  "Nothing"\n{index}{GAME}'


def test_every_citation_is_looked_up_in_the_index() -> None:
    reporter = Reporter()
    model = analyse(load_single(_text(set()), "cited.rules", reporter), (), "", reporter)
    assert [d.message for d in reporter.diagnostics] == []
    check_game(model, reporter)
    missing = {d.span.text.removeprefix("§") for d in reporter.diagnostics if d.code == "RS109"}
    assert missing == IDS


def test_every_citation_counts_as_written() -> None:
    reporter = Reporter()
    text = load_single(_text(IDS), "cited.rules", reporter)
    check_game(analyse(text, (), "", reporter), reporter)
    assert [d.message for d in reporter.diagnostics if d.severity.value == "error"] == []
    written = written_in(text)
    assert written.rules | written.components == IDS
