"""Every mistake in names, types and the whole game is reported once, in its place, in words that can be
acted on.

The programs in tests/corpus/bad/RS1xx to RS3xx are small games, each with what is wrong with it on the
line: `# error: [RS204] "part of the message"` or `# warning: [RS312] "..."`. A line at the top may
choose: `# options: mud, rail` and `# scenario: late`. What is missing fails, and so does what was not
expected. Beside at least one program of each code stands the full rendered text;
RULESCRIPT_REWRITE_GOLDEN=1 rewrites these.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulescript.diagnostics import CODES, Diagnostic, Reporter, render_report
from rulescript.diagnostics.errors_page import errors_page, in_setting
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT / "tests" / "corpus"
# Mistakes in claims are found when the claims are tried, and shown in tests/testing; RS320 when the set-up is played.
CLAIMS = {"RS319", "RS320", "RS330", "RS331", "RS332"}
# It takes a long text to make this one: the catalogue shows only the pattern.
LONG = {"RS323"}
CODES_HERE = [code for code in CODES if code[2] in "123" and code not in CLAIMS]
PROGRAMS = sorted(p for code in CODES_HERE for p in (CORPUS / "bad" / code).glob("*.rules"))
PROGRAMS = [path for path in PROGRAMS if not path.name.startswith("syntax_")]
GOLDEN = [path for path in PROGRAMS if path.with_suffix(".txt").exists()]
GOOD = sorted((CORPUS / "good" / "checks").glob("*.rules"))

_EXPECTED = re.compile(r'# (error|warning): \[(RS\d{3})\] "([^"]*)"')
_CHOSEN = re.compile(r"^# (options|scenario): (.*)$", re.MULTILINE)


def said_of(name: str, text: str) -> list[Diagnostic]:
    """Everything a game is told, up to the checks of its printed totals."""
    chosen = {what: [n.strip() for n in names.split(",")] for what, names in _CHOSEN.findall(text)}
    reporter = Reporter()
    game = load_single(text, name, reporter)
    try:
        compile_text(game, tuple(chosen.get("options", ())), chosen.get("scenario", [""])[0], reporter)
    except GameInvalid as problem:
        return list(problem.diagnostics)
    return reporter.diagnostics


def name_of(path: Path) -> str:
    return path.relative_to(CORPUS).as_posix()


def expectations_of(text: str) -> list[tuple[int, str, str, str]]:
    lines = enumerate(text.split("\n"), start=1)
    return sorted((at, *found) for at, line in lines for found in _EXPECTED.findall(line))


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_the_mistake_is_reported_once_in_its_place_and_in_words_to_act_on(path: Path) -> None:
    """If the whole report is written beside the program, it is that."""
    text = path.read_text(encoding="utf-8")
    expected = expectations_of(text)
    assert expected, "the file says nothing of what is wrong with it"
    diagnostics = said_of(path.name, text)
    shown = render_report(diagnostics)
    found = sorted((d.span.line, d.severity.value, d.code) for d in diagnostics)
    assert found == [(line, severity, code) for line, severity, code, _ in expected], shown
    for line, _, code, part in expected:
        assert any(d.span.line == line and d.code == code and part in d.message for d in diagnostics), shown
    assert path.parent.name in {code for _, _, code, _ in expected}
    can_be_acted_on(diagnostics)
    golden = path.with_suffix(".txt")
    if not golden.exists():
        return
    if os.environ.get("RULESCRIPT_REWRITE_GOLDEN"):
        golden.write_text(f"{shown}\n", encoding="utf-8")
    assert f"{shown}\n" == golden.read_text(encoding="utf-8")


def can_be_acted_on(diagnostics: list[Diagnostic]) -> None:
    """A sentence in the designer's words, with something short and true under the caret."""
    for diagnostic in diagnostics:
        said = " / ".join(x for x in (diagnostic.message, diagnostic.label.text, diagnostic.hint) if x)
        assert not re.search(r"\btoken\b|unexpected|Traceback|\bNone\b|ThingOf|PieceOf|<|\bERROR\b", said), said
        assert "``" not in said and "  " not in said, said
        assert not diagnostic.message.endswith("."), said
        text = diagnostic.span.text
        assert text.strip() and len(text) < 120, (said, text)
        assert text == text.strip(), (said, text)


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_good_games_are_told_nothing(path: Path) -> None:
    assert said_of(path.name, path.read_text(encoding="utf-8")) == []


def test_ten_mistakes_are_ten_reports() -> None:
    """One mistake does not hide the next, and none is told twice."""
    text = (CORPUS / "bad" / "ten_mistakes.rules").read_text(encoding="utf-8")
    expected = expectations_of(text)
    assert len(expected) == 10
    diagnostics = said_of("ten_mistakes.rules", text)
    found = [(d.span.line, d.severity.value, d.code) for d in diagnostics]
    assert found == [(line, severity, code) for line, severity, code, _ in expected], render_report(diagnostics)
    assert len({code for _, _, code in found}) == 10


# ------------------------------------------------------------------ catalogue, corpus and docs agree


def test_catalogue_corpus_and_docs_name_the_same_codes() -> None:
    # RS9xx are our own faults: no program of a designer's brings them out.
    codes = {code for code in CODES if not code.startswith("RS9")}
    folders = {path.name for path in (CORPUS / "bad").iterdir() if path.is_dir()}
    assert folders <= codes
    assert set(CODES_HERE) <= folders
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (RS\d{3})", page, re.MULTILINE) == list(CODES)


def test_there_is_a_rendered_text_for_every_code() -> None:
    assert {path.parent.name for path in GOLDEN} == set(CODES_HERE)


def test_the_page_of_errors_is_up_to_date() -> None:
    """Made by `python -m rulescript.diagnostics.errors_page > docs/errors.md`."""
    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == errors_page()


@pytest.mark.parametrize("code", [code for code in CODES_HERE if code not in LONG])
def test_the_example_in_the_catalogue_makes_the_mistake(code: str) -> None:
    text, begins = in_setting(CODES[code].example)
    found = [d for d in said_of("wrong.rules", text) if d.span.line >= begins or d.code != "RS312"]
    assert [d.code for d in found] == [code], render_report(found)


@pytest.mark.parametrize("code", CODES_HERE)
def test_the_cure_in_the_catalogue_cures_it(code: str) -> None:
    text, begins = in_setting(CODES[code].cure)
    found = [d for d in said_of("right.rules", text) if d.span.line >= begins or d.code != "RS312"]
    assert found == [], render_report(found)
