"""Each mistake a designer makes gets one report, in the right place, in words that can be acted on.

The programs in tests/corpus/bad carry their expectations: `# error: [RS001] "part of the message"` on the
line at fault, or `# error-at: LINE [RS001] "..."` at the top where a comment cannot stand on the line. Beside
some stands the full rendered text; RULESCRIPT_REWRITE_GOLDEN=1 rewrites these.
"""

from __future__ import annotations

import importlib.util
import os
import re
import time
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from lark.exceptions import UnexpectedInput

from rulescript.diagnostics import CODES, Diagnostic, Reporter, render_report
from rulescript.nodes import Declaration, OptionDecl
from rulescript.source import SourceFile, read_source
from rulescript.syntax.faults import Stop
from rulescript.syntax.mistake_table import RULES, Rule
from rulescript.syntax.mistakes import DECLARATIONS, STATEMENTS
from rulescript.syntax.parser import _reader, _stop_of, parse_expression, parse_file

CORPUS = Path(__file__).parent.parent / "corpus" / "bad"
# What parsing alone can find; the other RS0xx codes are the loader's.
SYNTAX_CODES = ["RS001", "RS002", "RS003", "RS004", "RS005", "RS011", "RS012"]
# Words of the language used as names stop the parser too; the rest of RS106 is found later.
PROGRAMS = sorted(path for code in SYNTAX_CODES for path in (CORPUS / code).glob("*.rules"))
PROGRAMS += sorted((CORPUS / "RS106").glob("syntax_*.rules"))
GOLDEN = [path for path in PROGRAMS if path.with_suffix(".txt").exists()]

_HERE = re.compile(r'# error: \[(RS\d{3})\] "(.*)"')
_ELSEWHERE = re.compile(r'# error-at: (\d+) \[(RS\d{3})\] "(.*)"')


def read(name: str, text: str) -> tuple[tuple[Declaration, ...], list[Diagnostic]]:
    reporter = Reporter()
    source, _ = read_source(name, text, literate=False)
    return parse_file(source, reporter), reporter.diagnostics


def name_of(path: Path) -> str:
    return path.relative_to(CORPUS).as_posix()


def expectations_of(text: str) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if elsewhere := _ELSEWHERE.search(line):
            found.append((int(elsewhere[1]), elsewhere[2], elsewhere[3]))
        elif here := _HERE.search(line):
            found.append((number, here[1], here[2]))
    return sorted(found)


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_the_mistake_is_reported_once_and_in_its_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = expectations_of(text)
    assert expected, "the file says nothing of what is wrong with it"
    _, diagnostics = read(path.name, text)
    shown = render_report(diagnostics)
    assert [(d.span.line, d.code) for d in diagnostics] == [(line, code) for line, code, _ in expected], shown
    for diagnostic, (_, _, part) in zip(diagnostics, expected, strict=True):
        assert part in diagnostic.message, shown


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_the_report_can_be_acted_on(path: Path) -> None:
    """A sentence without the parser's words, something under the caret, and something to type."""
    _, diagnostics = read(path.name, path.read_text(encoding="utf-8"))
    for diagnostic in diagnostics:
        said = " ".join((diagnostic.message, diagnostic.label.text, diagnostic.hint or ""))
        assert not re.search(r"\btoken\b|unexpected|_NL|INDENT|STRING|NAME\b|ANON|\$END", said), said
        assert diagnostic.label.text, said
        assert (
            diagnostic.hint
            or "is missing" in diagnostic.message
            or diagnostic.message.startswith(("no declaration", "expected a name"))
        ), said
        assert "``" not in said and "  " not in said, said


@pytest.mark.parametrize("path", GOLDEN, ids=name_of)
def test_the_rendered_text(path: Path) -> None:
    _, diagnostics = read(path.name, path.read_text(encoding="utf-8"))
    rendered = render_report(diagnostics) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("RULESCRIPT_REWRITE_GOLDEN"):
        golden.write_text(rendered, encoding="utf-8")
    assert rendered == golden.read_text(encoding="utf-8")


def test_there_is_a_rendered_text_for_every_code() -> None:
    assert {path.parent.name for path in GOLDEN} >= {*SYNTAX_CODES, "RS106"}


def test_every_rule_of_the_table_has_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that no program in the corpus brings out is dead, or hidden behind another."""
    used: set[str] = set()
    fault_at = Rule.fault_at

    def noting(rule: Rule, stop: Stop) -> object:
        fault = fault_at(rule, stop)
        if fault is not None:
            used.add(rule.pattern.pattern)
        return fault

    monkeypatch.setattr(Rule, "fault_at", noting)
    for path in PROGRAMS:
        read(path.name, path.read_text(encoding="utf-8"))
    unused = [(rule.message, rule.pattern.pattern) for rule in RULES if rule.pattern.pattern not in used]
    assert unused == []


@pytest.mark.parametrize("code", SYNTAX_CODES)
def test_the_catalogue_shows_the_mistake_and_a_cure_that_reads(code: str) -> None:
    _, wrong = read("wrong.rules", CODES[code].example + "\n")
    assert [diagnostic.code for diagnostic in wrong] == [code], render_report(wrong)
    declarations, right = read("right.rules", CODES[code].cure + "\n")
    assert declarations and not right, render_report(right)


@pytest.mark.parametrize("code", [code for code in CODES if code.startswith("RS0") and code != "RS013"])
def test_the_cures_of_the_loader_codes_read_too(code: str) -> None:
    declarations, right = read("right.rules", CODES[code].cure + "\n")
    assert declarations and not right, render_report(right)


def wanted_after(text: str) -> set[str]:
    """The words of the language that may follow."""
    try:
        _reader().parse(text, start="declaration")
    except UnexpectedInput as problem:
        return {word for word in _stop_of(problem, text).wanted if re.fullmatch("[a-z]+", word)}
    raise AssertionError("this should not have been read")


def test_the_lists_of_words_agree_with_the_grammar() -> None:
    assert set(DECLARATIONS) == wanted_after("%\n")
    begin_values = wanted_after("phase p\n    x = %\n") - {"if"}
    assert set(STATEMENTS) == (wanted_after("phase p\n    %\n") - begin_values) | {"else", "or"}


def test_an_empty_file_is_reported() -> None:
    for text in ("", "\n", "  \n\n"):
        declarations, diagnostics = read("empty.rules", text)
        assert not declarations
        assert [d.message for d in diagnostics] == ["there is nothing in this file"]


def test_a_chapter_without_rules_is_no_mistake() -> None:
    """A literate file may be all prose, and a file all comment."""
    reporter = Reporter()
    source, _ = read_source("chapter.rules.md", "# 1 The war\n\nA word before we begin.\n", literate=True)
    assert parse_file(source, reporter) == () and reporter.diagnostics == []
    assert read("comment.rules", "# nothing yet\n") == ((), [])


def test_what_can_be_read_is_kept() -> None:
    """A bad line costs that line and not its declaration; a declaration that is lost costs no other."""
    declarations, diagnostics = read(
        "kept.rules",
        "kind Region nation: Nation\n\nphase one\n    x = = 1\n    y = 2\n\nphase two\n    z = 3\n",
    )
    assert len(diagnostics) == 2
    assert [type(each).__name__ for each in declarations] == ["KindDecl", "ProcedureDecl", "ProcedureDecl"]


def test_a_declaration_is_known_by_as_much_of_its_first_line_as_can_be_read() -> None:
    """Of a rule whose name is lost, what stands under it is read all the same."""
    declarations, diagnostics = read(
        "heads.rules",
        'option fog "Fog" neds tanks\n    state seen: bool\n\nphase "Fire"\n    x = = 1\n\nstate : Side\n',
    )
    assert [d.span.line for d in diagnostics] == [1, 4, 5, 7]
    assert [type(each).__name__ for each in declarations] == ["OptionDecl", "ProcedureDecl"]
    assert isinstance(declarations[0], OptionDecl) and declarations[0].name.text == "fog"


def test_many_mistakes_in_one_declaration_are_all_reported() -> None:
    lines = [f"    road A{number}, B{number}" for number in range(30)]
    _, diagnostics = read("map.rules", "map Valley\n" + "\n".join(lines) + "\n")
    assert [d.span.line for d in diagnostics] == list(range(2, 32))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("t.moved = yes", "to compare, write `==`"),
        ("count(t.units", "`(` is never closed"),
        ("t and", "something is missing after `and`"),
        ("t & & u", "expected a value after `&`"),
        ("t – u", "a long dash"),
    ],
)
def test_an_expression_in_a_text_is_explained_too(text: str, part: str) -> None:
    reporter = Reporter()
    whole = f'phase p\n    tell "{{{text}}}"\n'
    start = whole.index(text)
    assert parse_expression(SourceFile("x.rules", whole), start, start + len(text), reporter) is None
    (diagnostic,) = reporter.diagnostics
    assert part in diagnostic.message
    assert start <= diagnostic.span.start <= start + len(text)


# ---- damaged files ---------------------------------------------------------------------------------------


def load_mutate() -> ModuleType:
    path = Path(__file__).parent.parent / "properties" / "mutate.py"
    spec = importlib.util.spec_from_file_location("mutate", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MUTATE = load_mutate()


@pytest.mark.parametrize("text", MUTATE.SNIPPETS, ids=range(len(MUTATE.SNIPPETS)))
def test_the_undamaged_snippets_read(text: str) -> None:
    declarations, diagnostics = read("good.rules", text)
    assert declarations and not diagnostics, render_report(diagnostics)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.long] * (seed > 1)) for seed in range(10)])
def test_damaged_files_are_always_answered(seed: int) -> None:
    """No exception, no hanging, and never silence about a file in which nothing could be read."""
    damaged = MUTATE.mutations(MUTATE.SNIPPETS, Random(seed))
    for _ in range(300):
        text = next(damaged)
        begun = time.process_time()
        declarations, diagnostics = read("damaged.rules", text)
        assert time.process_time() - begun < 4, text
        says_something = any(line.strip() and line.strip()[0] != "#" for line in text.split("\n"))
        assert declarations or diagnostics or not says_something, text
        lines = [diagnostic.span.line for diagnostic in diagnostics]
        assert len(set(lines)) == len(lines), text
        assert render_report(diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "phase p\n    x = " + "-" * 300 + "1\n",
        "phase p\n    x = " + "not " * 5000 + "y\n",
        "phase p\n    x = " + "(" * 50_000 + "\n",
        "phase p\n    x = " + "a" * 100_000 + " b\n",
        "phase p\n    x = " + "a b " * 20_000 + "\n",
        "phase p\n    x = " + "a, " * 20_000 + "\n",
        "phase p\n    x = " + "1 + " * 5000 + "\n",
        "phase p\n" + "    x = = 1\n" * 2000,
        "phase p\n" + "    if x\n" * 2000,
        "map V\n" + "    road A, B\n" * 5000,
        "".join("    " * depth + "if x\n" for depth in range(60)),
        "phase p\n" + "".join("    " * depth + "if x\n" for depth in range(1, 60)),
        "phse p\n    x\n" * 1000,
        "x = 1\n" * 5000,
        'phase p\n    tell "' + "\\" * 20_000 + "\n",
        "phase p\n    x = “" + "”“" * 5000 + "\n",
        "things\n" + "    Card A  year 1914, " * 3000 + "\n",
    ],
    ids=range(17),
)
def test_a_hostile_file_is_answered_in_time(text: str) -> None:
    begun = time.process_time()
    _, diagnostics = read("hostile.rules", text)
    assert diagnostics
    assert time.process_time() - begun < 4
