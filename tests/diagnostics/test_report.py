"""The collector drops repeats and sorts, and its README example works."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import rulescript.diagnostics
from rulescript.diagnostics import Label, Reporter, Severity
from rulescript.source import SourceFile

A = SourceFile("a.rules", "one two three")
B = SourceFile("b.rules", "one two three")


def test_reports_come_by_file_and_place() -> None:
    reporter = Reporter()
    reporter.error("RS101", "third", B.span(0, 3))
    reporter.error("RS101", "second", A.span(8, 13))
    reporter.warning("RS315", "first", A.span(0, 3))
    reporter.error("RS101", "first, said later", A.span(0, 3))
    assert [each.message for each in reporter.diagnostics] == [
        "first",
        "first, said later",
        "second",
        "third",
    ]


def test_a_name_unknown_in_two_places_is_one_report() -> None:
    reporter = Reporter()
    reporter.error("RS104", "there is no space `Mere`", A.span(0, 3), "unknown")
    reporter.error("RS101", "there is no name `Mere`", A.span(4, 7), "unknown")
    reporter.error("RS101", "there is no name `Moor`", A.span(8, 11), "unknown")
    first, other = reporter.diagnostics
    assert [(label.span, label.text) for label in first.others] == [(A.span(4, 7), "here too")]
    assert not other.others


def test_the_same_report_counts_once() -> None:
    reporter = Reporter()
    for _ in range(2):
        reporter.error("RS101", "unknown", A.span(0, 3), "here", others=[Label(A.span(4, 7), "there")])
    reporter.error("RS201", "unknown", A.span(4, 7), "here")
    assert len(reporter.diagnostics) == 2
    other = Reporter()
    other.extend(reporter.diagnostics)
    other.extend(reporter.diagnostics)
    assert other.diagnostics == reporter.diagnostics


def test_only_errors_are_errors() -> None:
    reporter = Reporter()
    assert not reporter.has_errors
    reporter.warning("RS315", "filter", A.span(0, 3), hint="require x", rule="§4.6")
    reporter.note("RS312", "by the way", A.span(0, 3))
    assert not reporter.has_errors
    reporter.error("RS101", "unknown", A.span(0, 3))
    assert reporter.has_errors
    assert {each.severity for each in reporter.diagnostics} == set(Severity)
    assert reporter.diagnostics[0].hint == "require x"
    assert reporter.diagnostics[0].rule == "§4.6"


def test_the_readme_example_runs() -> None:
    readme = Path(rulescript.diagnostics.__file__).with_name("README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, flags=re.S)
    reporter = Reporter()
    place = SimpleNamespace(span=A.span(0, 3))
    exec(example, {"reporter": reporter, "Label": Label, "argument": place, "declaration": place})
    assert reporter.has_errors


def test_what_follows_from_a_line_that_cannot_be_read_is_not_told() -> None:
    text = "phase go\n    active.vp++\n    tell x\n"
    source = SourceFile("t.rules", text, text)
    reporter = Reporter()
    reporter.error("RS001", "one is added with `+= 1`", source.span(22, 24))
    reporter.error("RS201", "this line has a value but does nothing", source.span(13, 24))
    reporter.error("RS101", "there is no name `x`", source.span(34, 35))
    assert [d.code for d in reporter.diagnostics] == ["RS001", "RS101"]


def test_with_a_tab_nothing_is_told_of_what_belongs_under_what() -> None:
    text = "kind Side\n\tstate vp: int\n    holds box: Unit\n"
    source = SourceFile("t.rules", text, text)
    other = SourceFile("u.rules", text, text)
    reporter = Reporter()
    reporter.error("RS012", "a tab in the indentation", source.span(10, 11))
    reporter.error("RS203", "this is no place that holds Unit", source.span(28, 33))
    reporter.error("RS101", "there is no name `x`", other.span(28, 33))
    assert [d.code for d in reporter.diagnostics] == ["RS012", "RS101"]
