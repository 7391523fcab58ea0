"""What `rulescript fmt` makes of a file: tidy, the same game, and the same again the second time."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulescript.diagnostics import Reporter
from rulescript.resources import bundled
from rulescript.source import SourceFile, read_source
from rulescript.syntax.fmt import format_source

CORPUS = Path(__file__).parent.parent / "corpus" / "good"


def formatted(text: str, literate: bool = False) -> str:
    reporter = Reporter()
    source, _ = read_source("test.rules", text, literate)
    result = format_source(source, reporter)
    assert not reporter.diagnostics, [d.message for d in reporter.diagnostics]
    again, _ = read_source("test.rules", result, literate)
    assert format_source(again) == result, "formatting again changes it"
    return result


def check(before: str, after: str) -> None:
    assert formatted(dedent(before).lstrip("\n")) == dedent(after).lstrip("\n")


# ------------------------------------------------------------------ spacing


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("state   x :int=3,lasts   turn . part", "state x: int = 3, lasts turn.part"),
        ("state x: int = a+b-c*d/e rounded up", "state x: int = a + b - c * d / e rounded up"),
        ("state x: int = - a - -b", "state x: int = -a - -b"),
        ("state x: int = f( -1 ,[ a,b ],{ } )", "state x: int = f(-1, [a, b], {})"),
        ("state x: bool = a . b [ c==d ] [no]", "state x: bool = a.b[c == d][no]"),
        ("state x: bool = f (a) (b)", "state x: bool = f(a)(b)"),
        ("state x: bool = not(a and b)", "state x: bool = not (a and b)"),
        ("state x: bool = a<b or a>=c", "state x: bool = a < b or a >= c"),
        ("state x: bool = a in[b]&c", "state x: bool = a in [b] & c"),
        ("state x: bool = a in 4 .. 6", "state x: bool = a in 4..6"),
        ("state x: bool = some a in b:c", "state x: bool = some a in b: c"),
        ("state x: int = sum( a for b in c if(d) )", "state x: int = sum(a for b in c if (d))"),
        ("signal built( a:Army,b : int changeable )", "signal built(a: Army, b: int changeable)"),
        ("adjust dice (r) add -1 floor 0", "adjust dice(r) add -1 floor 0"),
        ("amend Mill: vp -1, a[b,c],d{e}", "amend Mill: vp -1, a [b, c], d {e}"),
        ("remove a . b   @19.1", "remove a.b  §19.1"),
        ("remove a §1@2 , § 3", "remove a  §1, §2, §3"),
        (
            "exception to a @4.6.3 when b §14.2,§15",
            "exception to a §4.6.3 when b  §14.2, §15",
        ),
        ("exception to a @4.6.3", "exception to a §4.6.3"),
        ("adjust dice add 1 @7.1 ,after tanks", "adjust dice add 1  §7.1, after tanks"),
        ('remove a # a   comment with "quotes', 'remove a  # a   comment with "quotes'),
        ('include   "a  b"', 'include "a  b"'),
    ],
)
def test_spacing_within_a_line(before: str, after: str) -> None:
    assert formatted(before) == after + "\n"


def test_links_and_two_words_for_an_end() -> None:
    check(
        """
        map Valley
          road A-B->C
        phase p
          move c to top   of  d
        """,
        """
        map Valley
            road A - B -> C
        phase p
            move c to top of d
        """,
    )


# ------------------------------------------------------------------ lines


def test_indentation_is_four_spaces_a_level() -> None:
    check(
        """
        phase p
          if a
                stop
          else
           stop
        phase q
              stop
        """,
        """
        phase p
            if a
                stop
            else
                stop
        phase q
            stop
        """,
    )


def test_blank_lines_are_kept_up_to_two() -> None:
    assert (
        formatted("\n\n\n# head\n\n\n\n\nphase p\n\n    stop   \n  \n    stop\n\n\n\n")
        == "# head\n\n\nphase p\n\n    stop\n\n    stop\n"
    )


def test_a_file_of_nothing_stays_so() -> None:
    assert format_source(SourceFile("empty.rules", "")) == ""
    assert formatted("# only this  \n\n\n\n# and this") == "# only this\n\n\n# and this\n"


def test_blanks_on_an_empty_line_are_nothing() -> None:
    assert formatted("phase p\n \t \n    stop\n\t\n") == "phase p\n\n    stop\n"


def test_a_comment_goes_with_its_block() -> None:
    check(
        """
        # above
        phase p # beside
        # under the head
          if a
              stop
              # last in the block
            # still in the block
          # before the next
          stop

          # last of p
        # about q
        phase q
          stop
        """,
        """
        # above
        phase p  # beside
            # under the head
            if a
                stop
                # last in the block
            # still in the block
            # before the next
            stop

            # last of p
        # about q
        phase q
            stop
        """,
    )


def test_comments_on_neighbouring_lines_line_up() -> None:
    check(
        """
        phase p
            x = 1 # one
            xyz = 12   # two
            stop
            stop # three
        """,
        """
        phase p
            x = 1     # one
            xyz = 12  # two
            stop
            stop  # three
        """,
    )


def test_brackets_over_several_lines_keep_their_lines() -> None:
    check(
        """
        phase p
          let x = f(a, # first
               [b,
           c],
            # a word
             d
          )   
          require count(Region[
                 control == Blue
        ]) > 1   @4
        """,
        """
        phase p
            let x = f(a,  # first
                [b,
                    c],
                # a word
                d
            )
            require count(Region[
                control == Blue
            ]) > 1  §4
        """,
    )


# ------------------------------------------------------------------ columns


def test_citations_line_up_within_a_block() -> None:
    """A block is a stretch of one declaration without a blank line; lines without a citation do not count."""
    check(
        """
        phase p §1
            require a and b and c @2
            let x = this_line_is_long_and_cites_nothing
            stop

            require d §3
        """,
        """
        phase p                    §1
            require a and b and c  §2
            let x = this_line_is_long_and_cites_nothing
            stop

            require d  §3
        """,
    )


def test_the_column_of_citations_has_an_end() -> None:
    long = "a" * 120
    lines = formatted(f"phase p\n    require {long} §1\n    require b §2\n").split("\n")
    assert lines[1] == f"    require {long}  §1"
    assert lines[2].index("§") + 1 == 100


def test_tables_line_up() -> None:
    check(
        """
        table losses(roll: int) -> int
            "Words."
            ||0..1|2|3+|
            |1|0|-1|a|
            # between
            | 2,3..4 | 10 | 1 | long,b | if fog and rain §7
            | otherwise | | 6 + | c|unless fog @8 reconstructed "x"
        """,
        """
        table losses(roll: int) -> int
            "Words."
            |           | 0..1 |  2 | 3+      |
            | 1         |    0 | -1 | a       |
            # between
            | 2, 3..4   |   10 |  1 | long, b | if fog and rain  §7
            | otherwise |      | 6+ | c       | unless fog       §8 reconstructed "x"
        """,
    )


def test_an_index_and_a_list_of_things_line_up() -> None:
    check(
        """
        rulebook "Two Rivers"
            4 note "Movement"

            4.6.3-a constraint "By road"
        things
            Region Mill Ruritania, industry 2
            Region Long_Bridge at 48.9N 2E
            Region Bare §2
            Region Castle port
        """,
        """
        rulebook "Two Rivers"
            4        note        "Movement"

            4.6.3-a  constraint  "By road"
        things
            Region Mill         Ruritania, industry 2
            Region Long_Bridge  at 48.9N 2E
            Region Bare  §2
            Region Castle  port
        """,
    )


# ------------------------------------------------------------------ what is left alone


def test_example_lines_keep_their_words() -> None:
    check(
        """
        example   "Free text"  @4
          given  a ,b   @4.6  
               Mill :  2  guns # no comment
          # a comment

          play
        """,
        """
        example "Free text"  §4
            given  a ,b   @4.6
                Mill :  2  guns # no comment
            # a comment

            play
        """,
    )


def test_only_the_fences_of_a_literate_file_change() -> None:
    before = (
        "#  Title  \n\n\n\nSome   prose @4.6\n\n```rules\n\nphase p   @4\n  stop\n\n\n\n\n  stop\n\n```\n\n"
        "- list\n\n```text\nx=1   @2\n```\n\n```rules\n  require  a   @5\n# end\n```\nlast"
    )
    after = (
        "#  Title  \n\n\n\nSome   prose @4.6\n\n```rules\nphase p  §4\n    stop\n\n\n    stop\n```\n\n"
        "- list\n\n```text\nx=1   @2\n```\n\n```rules\n    require a  §5\n# end\n```\nlast"
    )
    assert formatted(before, literate=True) == after


def test_a_fence_that_is_never_closed() -> None:
    assert formatted("Prose\n```rules\nstate x:int\n\n", literate=True) == "Prose\n```rules\nstate x: int\n"


@pytest.mark.parametrize("text", ["phase p\n  stop\n   oops here\n", "nonsense\n", "state x:int = (\n"])
def test_a_file_with_mistakes_is_reported_and_left_alone(text: str) -> None:
    reporter = Reporter()
    assert format_source(SourceFile("bad.rules", text), reporter) == text
    assert reporter.has_errors
    assert format_source(SourceFile("bad.rules", text)) == text


def test_a_result_that_says_something_else_is_never_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the formatter be wrong, the designer gets the file back as it was, and an apology."""
    from rulescript.syntax import fmt

    text = "state x:int = 1  # one\n"
    for wrong in ("state x: int = 2  # one\n", "state x: int = 1\n", "state x: int =\n"):
        monkeypatch.setattr(fmt, "_layout", lambda *_, wrong=wrong: wrong)
        reporter = Reporter()
        assert format_source(SourceFile("fine.rules", text), reporter) == text
        assert [d.code for d in reporter.diagnostics] == ["RS901"]


# ------------------------------------------------------------------ everything we have


def test_good_programs_are_formatted() -> None:
    for path in CORPUS.rglob("*.rules*"):
        text = path.read_text(encoding="utf-8")
        assert formatted(text, path.suffix == ".md") == text, path


@pytest.mark.parametrize(
    "files",
    ["examples/play.rules*", "claims.rules", pytest.param("*.rules*", marks=pytest.mark.long)],
)
def test_the_games_keep_their_meaning(files: str) -> None:
    """`formatted` would see a diagnostic if they did not."""
    for path in sorted(bundled("games").rglob(files)):
        formatted(path.read_text(encoding="utf-8"), path.suffix == ".md")


@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.rules")), ids=lambda path: path.name)
@settings(deadline=None, max_examples=3)
@given(step=st.integers(1, 7), end=st.sampled_from(["", " ", "   "]), mark=st.sampled_from(["§", "@"]))
def test_untidy_files_become_the_same_tidy_one(path: Path, step: int, end: str, mark: str) -> None:
    """However a file is indented and its citations are marked, the same text comes out."""
    tidy = path.read_text(encoding="utf-8")
    lines = []
    for line in tidy.split("\n"):
        indent = len(line) - len(line.lstrip())
        lines.append(" " * (indent // 4 * step) + line.lstrip() + end)
    assert formatted("\n".join(lines).replace("§", mark)) == tidy
