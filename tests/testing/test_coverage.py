"""Which rules are written, exercised and reached; and which are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import rulescript
from rulescript.claims import GameSource, run_examples
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.testing import run_conformance
from rulescript.testing.coverage import Coverage, Reached, coverage_of, written_in

Write = Callable[..., Path]


def test_rules_are_told_apart_by_where_they_are_cited(rivals: Path) -> None:
    written = written_in(load_text(rivals, Reporter()))
    assert written.components == {"1.1"}
    assert {"2", "2.1", "2.2", "2.2-a", "2.3", "2.4", "3", "4", "5", "6"} == written.rules
    assert written.claims == set()
    assert written.options["storms"] == {"4"}


def test_random_play_reaches_what_it_comes_across(rivals: Path) -> None:
    report = run_conformance(rivals, plays=1, closely=1, processes=False)
    coverage = report.coverage
    assert {"2.1", "2.2", "2.3", "2.4", "3", "4", "5", "6"} <= set(coverage.reached)
    assert coverage.uncited == {"constraint": ["7"], "note": ["1"]}
    assert coverage.unknown == []
    text = coverage.text()
    assert "§7 Never written" in text
    assert "not cited, note: 1" in text
    found = json.loads(json.dumps(coverage.to_dict()))
    assert found["rules"] == 13


def test_a_requirement_is_reached_when_it_refuses_something(rivals: Path) -> None:
    report = run_conformance(rivals, plays=6, options=(), processes=False)
    assert report.coverage.reached["2.2-a"] > 0


def test_a_rule_that_is_never_come_to_is_listed(write: Write) -> None:
    path = write(
        (
            'game "Small"\n',
            'game "Small"\nrulebook "Small"\n    1  note  "A"\n    2  choice  "B"\n    3  table  "C"\n',
        ),
        (
            "        total += 1\n",
            "        total += 1   §2\n        if total > 100\n            total = 0    §3\n",
        ),
    )
    report = run_conformance(path, plays=3, processes=False)
    assert report.ok, report.text()
    assert report.coverage.never_reached == ["3"]
    assert "never reached: 1\n    §3 C" in report.coverage.text()


def test_examples_count_as_reaching_a_rule(rivals: Path, write: Write) -> None:
    text = rivals.read_text(encoding="utf-8")
    example = '\nexample "one" §2.2\n    given setup\n    play\n        Ann: pass\n'
    path = write(text=text + example, name="rivals.rules")
    results = list(run_examples(GameSource.load(path)))
    exercised = {cite for result in results for cite in result.exercised}
    game = rulescript.load(path, cache=False)
    coverage = coverage_of(game, load_text(path, Reporter()), None, exercised)
    assert exercised <= coverage.exercised
    assert not set(coverage.never_reached) & exercised


def test_coverages_can_be_put_together() -> None:
    one = Coverage({"1": "note"}, {"1": "A"}, written={"1"})
    two = Coverage({"2": "choice"}, {"2": "B"}, written={"2"})
    two.reached["1"] = 3
    one.merge(two)
    assert one.never_reached == ["2"]


def test_lines_that_are_run_count_for_the_rules_they_cite(write: Write) -> None:
    path = write(
        ("phase adding\n", "function double(n: int) -> int     §9.1\n    n * 2\n\nphase adding\n"),
        ("        total += 1\n", "        total = double(total) + 1\n"),
    )
    game = rulescript.load(path, cache=False)
    reached = Reached()
    with reached.traced(game):
        position = game.start(1)
        while position.decision:
            position.choose(0)
    coverage = coverage_of(game, load_text(path, Reporter()), reached)
    assert coverage.reached["9.1"] > 0
