"""Diagnostics as a designer sees them: carets under the right text, whatever the text is made of."""

from __future__ import annotations

import json
import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulescript.diagnostics import (
    Diagnostic,
    Label,
    Severity,
    render_diagnostic,
    render_json,
    render_report,
    render_summary,
)
from rulescript.errors import GameInvalid
from rulescript.source import SourceFile, Span, read_source


def at(source: SourceFile, text: str, nth: int = 0) -> Span:
    """The span of the nth place where `text` stands."""
    start = -1
    for _ in range(nth + 1):
        start = source.original.index(text, start + 1)
    return source.span(start, start + len(text))


def shown(diagnostic: Diagnostic) -> str:
    """The rendering between the first line and the `more` line, which are always alike."""
    lines = render_diagnostic(diagnostic).split("\n")
    assert lines[-1].lstrip().startswith("= more: rulescript check --explain RS")
    assert not any(line != line.rstrip() for line in lines)
    return "\n".join(lines[1:-1]) + "\n"


def error(span: Span, text: str = "", *others: Label, **more: str) -> Diagnostic:
    return Diagnostic("RS101", "wrong", Label(span, text), others, **more)  # type: ignore[arg-type]


def golden(text: str) -> str:
    return dedent(text).removeprefix("\n")


def test_the_example_of_the_house_style() -> None:
    text = "\n" * 41 + (
        "        choose t in tiles of active, r in Region\n"
        "            require r in reach(r)                    §4.6.2\n"
    )
    source = SourceFile("games/salt_and_iron/sequence.rules", text)
    diagnostic = Diagnostic(
        "RS204",
        "`reach` starts from a tile, but `r` is a region",
        Label(source.span(text.index("reach(r") + 6, text.index("reach(r") + 7), "expected a Tile"),
        (Label(source.span(text.index("r in Region"), text.index("r in Region") + 1), "`r` is a Region"),),
        rule="§4.6.2 Movement",
        hint="did you mean `reach(t)`?",
    )
    assert render_diagnostic(diagnostic) + "\n" == golden("""
        error[RS204]: `reach` starts from a tile, but `r` is a region
          --> games/salt_and_iron/sequence.rules:43:32
           |
        42 |         choose t in tiles of active, r in Region
           |                                      - `r` is a Region
        43 |             require r in reach(r)                    §4.6.2
           |                                ^ expected a Tile
           = rule: §4.6.2 Movement
           = hint: did you mean `reach(t)`?
           = more: rulescript check --explain RS204
        """)


def test_without_words_rule_or_hint() -> None:
    source = SourceFile("a.rules", "phase movment\n")
    diagnostic = Diagnostic("RS101", "wrong", Label(at(source, "movment")), severity=Severity.WARNING)
    assert render_diagnostic(diagnostic) + "\n" == golden("""
        warning[RS101]: wrong
         --> a.rules:1:7
          |
        1 | phase movment
          |       ^^^^^^^
          = more: rulescript check --explain RS101
        """)


def test_several_labels_on_one_line_hang_below() -> None:
    source = SourceFile("a.rules", "require r in reach(r, t)\n")
    diagnostic = error(
        at(source, "r", 4),
        "expected a Tile",
        Label(at(source, "reach"), "this one"),
        Label(at(source, "r in"), ""),
    )
    assert shown(diagnostic) == golden("""
         --> a.rules:1:20
          |
        1 | require r in reach(r, t)
          |         ---- ----- ^ expected a Tile
          |              this one
        """)


def test_hanging_labels_show_which_is_whose() -> None:
    source = SourceFile("a.rules", "one two three\n")
    others = Label(at(source, "two"), "second"), Label(at(source, "three"), "third")
    assert shown(error(at(source, "one"), "first", *others)) == golden("""
         --> a.rules:1:1
          |
        1 | one two three
          | ^^^ --- ----- third
          | |   second
          | first
        """)


def test_a_label_inside_another() -> None:
    source = SourceFile("a.rules", "count(r.tiles) / 2\n")
    diagnostic = error(at(source, "tiles"), "a set", Label(at(source, "count(r.tiles)"), "a number"))
    assert shown(diagnostic) == golden("""
         --> a.rules:1:9
          |
        1 | count(r.tiles) / 2
          | --------^^^^^- a number
          |         a set
        """)


def test_a_stretch_of_a_few_lines() -> None:
    source = SourceFile("a.rules", "phase a\n    repeat\n        x\n\n        y  \nphase b\n")
    span = at(source, "repeat").to(at(source, "y  \n"))
    assert shown(error(span, "never ends")) == golden("""
         --> a.rules:2:5
          |
        2 |     repeat
          |     ^^^^^^
        3 |         x
          |         ^
        4 |
        5 |         y
          |         ^ never ends
        """)


def test_a_long_stretch_is_cut_short() -> None:
    source = SourceFile("a.rules", "".join(f"line {n}\n" for n in range(1, 13)))
    diagnostic = error(source.span(0, len(source.text)), "all this", Label(at(source, "line 8"), "but not that"))
    assert shown(diagnostic) == golden("""
          --> a.rules:1:1
           |
         1 | line 1
           | ^^^^^^
         2 | line 2
           | ^^^^^^
        ...
         8 | line 8
           | ------ but not that
        ...
        12 | line 12
           | ^^^^^^^ all this
        """)


def test_other_files_get_their_own_heading() -> None:
    here, there = SourceFile("b.rules", "option mud\n"), SourceFile("a.rules", "\n" * 99 + "option rain\n")
    diagnostic = error(at(here, "mud"), "collides", Label(at(there, "rain"), "with this"))
    assert shown(diagnostic) == golden("""
           --> b.rules:1:8
            |
          1 | option mud
            |        ^^^ collides
           ::: a.rules:100:8
            |
        100 | option rain
            |        ---- with this
        """)


def test_places_at_the_end_of_a_line_and_of_the_file() -> None:
    source = SourceFile("a.rules", "phase a\nphase b\n")
    assert shown(error(source.span(7, 8), "expected `:`")).split("\n")[3] == "  |        ^ expected `:`"
    assert shown(error(source.span(7, 7), "expected `:`")).split("\n")[3] == "  |        ^ expected `:`"
    assert shown(error(source.span(16, 16), "the end")) == golden("""
         --> a.rules:3:1
          |
        3 |
          | ^ the end
        """)


def test_a_file_without_text_is_only_named() -> None:
    diagnostic = error(SourceFile("games/nowhere", "").span(0, 0), "x", hint="rulescript games")
    assert shown(diagnostic) == " --> games/nowhere\n  = hint: rulescript games\n"


def test_literate_files_show_what_was_written() -> None:
    source, _ = read_source("a.rules.md", "# 4.6 Movement\n```rules\nphase a\n```\n", literate=True)
    diagnostic = error(at(source, "phase"), "", Label(at(source, "4.6"), "cited from here"))
    assert "1 | # 4.6 Movement\n  |   --- cited from here\n" in shown(diagnostic)


@pytest.mark.parametrize(
    ("line", "marked", "source_row", "caret_row"),
    [
        ("\tmove x", "x", "    move x", "         ^"),
        ("ab\tmove x", "move", "ab  move x", "    ^^^^"),
        ("ab\tmove x", "\t", "ab  move x", "  ^^"),
        ("Région x", "x", "Région x", "       ^"),
        ("Re\u0301gion x", "x", "Re\u0301gion x", "       ^"),
        ("Re\u0301gion x", "\u0301", "Re\u0301gion x", " ^"),
        ("東京 x", "x", "東京 x", "     ^"),
        ("東京 x", "京", "東京 x", "  ^^"),
        ("\u0301x y", "x", "\u25cc\u0301x y", " ^"),
        ("a\u200bb x", "\u200b", "a\ufffdb x", " ^"),
        ("a\x1b[31m x", "x", "a\u241b[31m x", "       ^"),
        ("a\u202eb x", "x", "a\ufffdb x", "    ^"),
        ("a\rb x", "\r", "a\u240db x", " ^"),
    ],
)
def test_carets_stay_under_their_text(line: str, marked: str, source_row: str, caret_row: str) -> None:
    source = SourceFile("a.rules", line + "\n")
    rows = shown(error(at(source, marked))).split("\n")
    assert rows[2] == f"1 | {source_row}"
    assert rows[3] == f"  | {caret_row}"


def test_a_very_long_line_is_cropped_around_the_fault() -> None:
    source = SourceFile("a.rules", "a" * 5000 + " fault " + "b" * 5000)
    row, carets = shown(error(at(source, "fault"), "here")).split("\n")[2:4]
    assert row.startswith("1 | …a") and row.endswith("b…") and len(row) < 180
    assert row[carets.index("^") : carets.rindex("^") + 1] == "fault"
    whole = shown(error(source.span(0, len(source.text)), "all")).split("\n")
    assert len(whole[3]) < 180
    far = error(at(source, "fault"), "here", Label(source.span(0, 1), "there"))
    assert all(len(line) < 190 for line in shown(far).split("\n"))


def test_texts_cannot_steer_the_terminal_and_hints_may_have_lines() -> None:
    source = SourceFile("a\x1b.rules", "x\n")
    diagnostic = Diagnostic("RS101", "bad \x1b[2J\nname", Label(at(source, "x"), "a\nb"), hint="one\ntwo")
    text = render_diagnostic(diagnostic)
    assert "\x1b" not in text
    assert text.startswith("error[RS101]: bad \u241b[2J name\n")
    assert "  = hint: one\n          two\n" in text


def test_colours_only_if_asked_and_they_change_nothing_else() -> None:
    source = SourceFile("a.rules", "one two three\n")
    diagnostic = error(at(source, "one"), "first", Label(at(source, "two"), "second"), hint="h", rule="r")
    plain, coloured = render_diagnostic(diagnostic), render_diagnostic(diagnostic, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31merror[RS101]\x1b[0m" in coloured
    assert "\x1b[1;31m^^^\x1b[0m \x1b[1;34m---\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_the_summary_counts() -> None:
    span = SourceFile("a.rules", "x").span(0, 1)

    def some(severity: Severity, count: int) -> list[Diagnostic]:
        return [Diagnostic("RS101", "m", Label(span), severity=severity)] * count

    assert render_summary([]) == "no problems found"
    assert render_summary(some(Severity.ERROR, 3) + some(Severity.WARNING, 1)) == "3 errors, 1 warning"
    assert render_summary(some(Severity.NOTE, 2) + some(Severity.ERROR, 1)) == "1 error, 2 notes"
    report = render_report(some(Severity.ERROR, 2))
    assert report.count("\n\n") == 2 and report.endswith("RS101\n\n2 errors")


def test_json_has_the_documented_keys() -> None:
    source = SourceFile("a.rules", "one\ntwo three\n")
    diagnostic = error(at(source, "two"), "here", Label(at(source, "one"), "there"), hint="h", rule="§4.6")
    assert json.loads(json.dumps(render_json([diagnostic]))) == [
        {
            "code": "RS101",
            "slug": "unknown-name",
            "severity": "error",
            "message": "wrong",
            "label": {
                "file": "a.rules",
                "line": 2,
                "column": 1,
                "end_line": 2,
                "end_column": 4,
                "start": 4,
                "end": 7,
                "text": "here",
            },
            "others": [
                {
                    "file": "a.rules",
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 4,
                    "start": 0,
                    "end": 3,
                    "text": "there",
                }
            ],
            "rule": "§4.6",
            "hint": "h",
        }
    ]
    (unknown,) = render_json([Diagnostic("RS000", "m", Label(at(source, "two")))])
    assert (unknown["slug"], unknown["rule"], unknown["hint"], unknown["others"]) == (None, None, None, [])


@given(
    st.text(max_size=80),
    st.lists(st.tuples(st.integers(-2, 90), st.integers(-2, 90), st.text(max_size=5)), min_size=1, max_size=4),
    st.booleans(),
)
def test_nothing_is_too_odd_to_render(text: str, places: list[tuple[int, int, str]], colour: bool) -> None:
    """Every span, even one outside the file or the wrong way round, gives a caret and encodable text."""
    source = SourceFile("a.rules", text)
    first, *others = [Label(source.span(start, end), words) for start, end, words in places]
    rendered = render_diagnostic(Diagnostic("RS101", text, first, tuple(others)), colour=colour)
    rendered.encode("utf-8")
    assert "^" in rendered or not text


def test_of_too_many_problems_the_first_are_told_errors_before_warnings() -> None:
    source = SourceFile("many.rules", "wrong\n" * 300)
    spans = [source.span(6 * at, 6 * at + 5) for at in range(300)]
    many = [
        Diagnostic("RS312" if at < 150 else "RS101", f"number {at}", Label(span), (), None, None,
                   Severity.WARNING if at < 150 else Severity.ERROR)
        for at, span in enumerate(spans)
    ]  # fmt: skip
    report = render_report(many)
    told = [int(each) for each in re.findall(r"\]: number (\d+)", report)]
    assert told == [*range(150, 300), *range(50)]
    assert report.endswith("\n\n... and 100 more (the first 200 are told)\n\n150 errors, 150 warnings")
    assert str(GameInvalid(many)).endswith(report)
    assert "more (the first" not in render_report(many[:200])
