"""Source files, spans, and literate files whose lines never move."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulescript.source import LiterateHeading, SourceFile, Span, read_source


def literate(text: str) -> tuple[list[str], list[LiterateHeading]]:
    source, headings = read_source("chapter.rules.md", dedent(text), literate=True)
    assert len(source.text) == len(source.original)
    return [line.rstrip() for line in source.text.split("\n")], headings


def test_lines_and_columns_count_from_one() -> None:
    source = SourceFile("a.rules", "one\ntwo\n\nfour")
    span = source.span(5, 7)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 2, 2, 4)
    assert span.text == "wo"
    assert source.line_count == 4
    assert [source.line_text(line) for line in range(1, 5)] == ["one", "two", "", "four"]


def test_the_end_of_the_file_is_a_place() -> None:
    source = SourceFile("a.rules", "one\n")
    assert (source.span(4, 4).line, source.span(4, 4).column) == (2, 1)
    assert (source.span(99, 99).line, source.span(99, 99).column) == (2, 1)
    assert (SourceFile("b.rules", "").span(0, 0).line, SourceFile("b.rules", "").line_text(1)) == (1, "")


def test_only_a_newline_ends_a_line() -> None:
    assert SourceFile("a.rules", "a\u2028b\x0cc\x85d\re").line_count == 1


def test_joining_spans_works_in_either_order() -> None:
    source = SourceFile("a.rules", "one two three")
    first, last = source.span(0, 3), source.span(8, 13)
    assert first.to(last) == last.to(first) == Span(source, 0, 13)
    with pytest.raises(ValueError, match="cannot join"):
        first.to(SourceFile("b.rules", "one two three").span(0, 3))


def test_sources_are_equal_by_name_and_text() -> None:
    assert SourceFile("a", "x", "y") == SourceFile("a", "x", "z")
    assert hash(SourceFile("a", "x", "y")) == hash(SourceFile("a", "x", "z"))
    assert SourceFile("a", "x") != SourceFile("b", "x")
    assert SourceFile("a", "x") != SourceFile("a", "y")
    with pytest.raises(ValueError, match="same length"):
        SourceFile("a", "x", "xx")


@given(st.text(alphabet="ab\n\t é", max_size=60), st.integers(0, 60))
def test_a_line_and_column_lead_back_to_the_offset(text: str, offset: int) -> None:
    source = SourceFile("a.rules", text)
    span = source.span(min(offset, len(text)), len(text))
    assert source.line_start(span.line) + span.column - 1 == span.start
    assert "\n".join(source.line_text(n + 1) for n in range(source.line_count)) == text


def test_plain_files_are_left_alone_but_for_line_ends() -> None:
    source, headings = read_source("maps\\north.rules", "\ufeff# 4.6 not a heading\r\n\tx\r\n", literate=False)
    assert source.name == "maps/north.rules"
    assert source.text == source.original == "# 4.6 not a heading\n\tx\n"
    assert headings == []


def test_prose_is_blanked_and_lines_stay_where_they_were() -> None:
    lines, headings = literate(
        """\
        # 4 Movement
        Tiles move.

        ```rules
        phase movement
            # a comment, not a heading
        ```
        ## 4.6.3 Contested capitals
        ~~~rules
        phase combat
        ~~~
        """
    )
    assert [(n, line) for n, line in enumerate(lines, start=1) if line] == [
        (5, "phase movement"),
        (6, "    # a comment, not a heading"),
        (10, "phase combat"),
    ]
    assert headings == [
        LiterateHeading(1, "4", "Movement", 1),
        LiterateHeading(2, "4.6.3", "Contested capitals", 8),
    ]


def test_blanks_are_spaces_and_the_original_is_kept() -> None:
    source, _ = read_source("a.rules.md", "a\tb\r\n```rules\r\n\tx\r\n```\r\n", literate=True)
    assert source.text == "   \n        \n\tx\n   \n"
    assert source.original == "a\tb\n```rules\n\tx\n```\n"


def test_other_fences_are_prose_even_with_a_rules_fence_inside() -> None:
    lines, headings = literate(
        """\
        ````markdown
        # 9 Not a heading
        ```rules
        not program
        ```
        ````
        ```text
        nor this
        ```
        ```
        nor this
        ```
        ```rules title="x"
        program
        ```
        ```rulesish
        nor this
        ```
        `` ```rules `` in a sentence
        > ```rules
        > a quotation
        > ```
        """
    )
    assert [line for line in lines if line] == ["program"]
    assert headings == []


def test_a_commented_out_chapter_is_prose() -> None:
    lines, headings = literate(
        "<!-- later\n## 5 Siege\n```rules\nsiege\n```\n-->\n<!-- one line -->\n```rules\nx\n```\n"
    )
    assert [line for line in lines if line] == ["x"]
    assert headings == []


def test_an_unclosed_fence_runs_to_the_end() -> None:
    lines, _ = literate("prose\n```rules\nphase movement\n\nand so on")
    assert lines == ["", "", "phase movement", "", "and so on"]


def test_a_longer_fence_is_closed_only_by_one_as_long() -> None:
    lines, _ = literate("````rules\na\n```\nb\n`````\nprose\n")
    assert lines == ["", "a", "```", "b", "", "", ""]


def test_a_fence_in_a_list_keeps_its_place() -> None:
    lines, _ = literate(
        "- item\n\n  ```rules\n  phase a\n  ```\n\n1. - ```rules\n     phase b\n     ```\n"
        "text\n\n    ```rules\n    a code sample\n    ```\n"
    )
    assert [(n, line) for n, line in enumerate(lines, start=1) if line] == [
        (4, "  phase a"),
        (8, "     phase b"),
    ]


def test_a_list_that_ends_too_early_loses_no_rules() -> None:
    lines, _ = literate("- item\n  ```rules\nphase a\n  ```\nprose\n")
    assert [line for line in lines if line] == ["phase a"]


@pytest.mark.parametrize(
    ("heading", "ident", "title"),
    [
        ("4.6.3 Contested capitals", "4.6.3", "Contested capitals"),
        ("4.6.4-b Entry", "4.6.4-b", "Entry"),
        ("§17.2", "17.2", ""),
        ("§ 17.2 Trenches", "17.2", "Trenches"),
        ("QMG-battle-3 Losses", "QMG-battle-3", "Losses"),
        ("X-10: Odd ends", "X-10", "Odd ends"),
        ("4. Movement ##", "4", "Movement"),
        ("1) Setting up", "1", "Setting up"),
        ("4.6 — Movement", "4.6", "Movement"),
        ("4.6 -1 modifiers", "4.6", "-1 modifiers"),
        ("§battle Battles", "battle", "Battles"),
        ("Contested capitals 4.6", None, "Contested capitals 4.6"),
        ("Well-known things", None, "Well-known things"),
        ("4.6/4.7 Both", None, "4.6/4.7 Both"),
        ("Learning C#", None, "Learning C#"),
        ("", None, ""),
        ("##", None, ""),
    ],
)
def test_rule_numbers_in_headings(heading: str, ident: str | None, title: str) -> None:
    _, headings = read_source("a.rules.md", f"### {heading}\n", literate=True)
    assert headings == [LiterateHeading(3, ident, title, 1)]


def test_what_is_not_a_heading() -> None:
    _, headings = read_source("a.rules.md", "#hashtag\n####### seven\n    # 4 sample\n", literate=True)
    assert headings == []


_MARKDOWN = st.lists(
    st.sampled_from(["```rules", "```", "~~~", "- ", "  ", "# 1 a", "x", "\t", "<!--", "-->", "é", "\r\n", "\n"])
).map("".join)


@given(_MARKDOWN)
def test_blanking_keeps_every_newline_and_invents_nothing(raw: str) -> None:
    source, _ = read_source("a.rules.md", raw, literate=True)
    assert len(source.text) == len(source.original)
    for shown, written in zip(source.text, source.original, strict=True):
        assert shown == written or (shown == " " and written != "\n")
