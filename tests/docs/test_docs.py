"""What the pages for people show is run: terminal sessions, rules, examples, Python. Their links lead
somewhere.

Fences are told apart by the words after their backticks:

    rules               declarations; on a page they add up to one file
    rules alone         a file of its own, only parsed
    rules NAME          (tutorial) lines for the game NAME
    rules statements    the body of a procedure with a parameter `r: Region`
    rules expressions   an expression a line, with `# is ...` behind it
    rules example       examples from outside, run against the page's game
    console             commands after `$ ` and what they print; `...` stands for anything
    python              with `>>>`: a doctest, in one namespace for the page
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen
from lark import Lark, Token, Tree

import rulescript
from rulescript.analysis.calls import BUILTINS
from rulescript.claims import GameSource, run_checks, run_examples, run_file
from rulescript.claims.parse import _SECTIONS
from rulescript.cli.main import main
from rulescript.diagnostics import Reporter, render_report
from rulescript.source import read_source
from rulescript.syntax.parser import _Indenter, _pieces, parse_file
from rulescript.testing import run_conformance

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
README, TUTORIAL, LANGUAGE, API = (
    ROOT / "README.md",
    DOCS / "tutorial.md",
    DOCS / "language.md",
    DOCS / "api.md",
)
PAGES = sorted(
    [
        README,
        *DOCS.glob("*.md"),
        DOCS / "cookbook" / "README.md",
        *ROOT.glob("rulescript/*/README.md"),
        ROOT / "tests" / "README.md",
    ]
)
page_of = pytest.mark.parametrize("page", PAGES, ids=[p.relative_to(ROOT).as_posix() for p in PAGES])


@frozen
class Fence:
    """A block of code on a page. `line` is that of its opening backticks, `note` the comment above it."""

    words: tuple[str, ...]
    text: str
    line: int
    note: str


def fences(page: Path) -> list[Fence]:
    lines = page.read_text(encoding="utf-8").splitlines()
    out: list[Fence] = []
    start = -1
    for at, line in enumerate(lines):
        if start < 0 and line.startswith("```"):
            start = at
        elif start >= 0 and line.startswith("```"):
            note = lines[start - 1] if start and lines[start - 1].startswith("<!--") else ""
            words = tuple(lines[start][3:].split())
            out.append(Fence(words, "\n".join(lines[start + 1 : at]) + "\n", start + 1, note))
            start = -1
    assert start < 0, f"{page.name}: the fence of line {start + 1} is never closed"
    return out


def indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


# ---- links and paths ---------------------------------------------------------------------------------------


def anchor(heading: str) -> str:
    """The name a code host gives to a heading, without the number it adds to a repeated one."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    found: set[str] = set()
    in_fence = False
    for line in page.read_text(encoding="utf-8").splitlines():
        in_fence ^= line.startswith("```")
        if not in_fence and (heading := re.match(r"#+ (.*)", line)):
            name = anchor(heading[1])
            number = sum(1 for x in found if x == name or re.fullmatch(re.escape(name) + r"-\d+", x))
            found.add(f"{name}-{number}" if number else name)
    return found


def prose(page: Path) -> str:
    return re.sub(r"(?ms)^```.*?^```", "", page.read_text(encoding="utf-8"))


@page_of
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, place = target.partition("#")
        where = (page.parent / file).resolve() if file else page
        assert where.exists(), f"{page.name} links to {target}"
        if place and where.suffix == ".md":
            assert place in anchors(where), f"{page.name} links to {target}"


@page_of
def test_paths_named_in_code_exist(page: Path) -> None:
    for name in re.findall(r"`((?:rulescript|docs|games|tests|grammar|compiler|runtime)/[\w./-]*)`", prose(page)):
        places = (ROOT / name, ROOT / "rulescript" / name, page.parent / name)
        assert any(place.exists() for place in places), f"{page.name} names {name}"


@page_of
def test_no_machine_is_named(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"/(?:home|work|tmp|root|Users)/|localhost", text)


# ---- terminal sessions -------------------------------------------------------------------------------------


def run(command: str, typed: str = "") -> str:
    """What a command prints, errors and all."""
    words = command.split()
    assert words[0] == "rulescript", command
    out = io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(words[1:])
    finally:
        sys.stdin = before
    return out.getvalue()


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    command = ""
    shown: list[str] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        else:
            shown.append(line)
    yield command, shown


def pattern_of(line: str, any_number: bool) -> str:
    pattern = re.sub(r"(?:\\\s)+|\s+", r"\\s+", re.escape(line.strip())).replace(r"\.\.\.", ".*")
    return re.sub(r"\d[\d.,]*", r"[\\d.,]+", pattern.replace(r"\.", ".")) if any_number else pattern


def assert_shown(command: str, shown: list[str], found: str) -> None:
    """Every line shown must come in order; nothing may stand between two of them, unless `...` does."""
    # What random games come to may change with the engine; what the numbers are about may not.
    any_number = "simulate" in command
    lines = [line for line in found.splitlines() if line.strip()]
    at, skipping = 0, False
    for line in (line for line in shown if line.strip()):
        if line.strip() == "...":
            skipping = True
            continue
        pattern = pattern_of(line, any_number)
        while at < len(lines) and not re.fullmatch(pattern, lines[at].strip()):
            assert skipping, f"`{command}` prints\n{found}\nwhere the page shows\n{line}"
            at += 1
        assert at < len(lines), f"`{command}` never prints\n{line}\nbut\n{found}"
        at, skipping = at + 1, False
    assert skipping or at == len(lines), f"`{command}` also prints\n" + "\n".join(lines[at:])


def play_session(fence: Fence) -> None:
    for command, shown in commands(fence.text):
        typed = [m[1] for line in shown if (m := re.fullmatch(r"\w+> (.*)", line))]
        assert_shown(command, shown, run(command, "".join(f"{line}\n" for line in typed)))


def without(text: str, beginning: str) -> str:
    """A file without the declaration that begins so."""
    start = text.index(beginning)
    return text[:start] + text[start + re.search(r"\n(?=\S)|\Z", text[start:]).end() :]  # type: ignore[union-attr]


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every box is typed in, one after the other, and every command is given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    game = tmp_path / "salt_road" / "game.rules"
    game.parent.mkdir()
    text = ""
    for fence in fences(TUTORIAL):
        match fence.words:
            case ("rules",):
                if dropped := re.fullmatch(r"<!-- drop: (.*) -->", fence.note):
                    found = run_conformance(game.parent, plays=2, shrink_seconds=0, processes=False).failures
                    assert [f.check for f in found] == ["invariants"] and "Two sides never" in found[0].message
                    text = without(text, dropped[1])
                text += ("\n" if text else "") + fence.text
                game.write_text(text, encoding="utf-8")
            case ("rules", name):
                other = tmp_path / name / "game.rules"
                other.write_text(other.read_text(encoding="utf-8") + "\n" + fence.text, encoding="utf-8")
            case ("console",):
                if changed := re.fullmatch(r"<!-- change: (.*) => (.*) -->", fence.note):
                    assert changed[1] in text
                    game.write_text(text.replace(changed[1], changed[2]), encoding="utf-8")
                play_session(fence)
                game.write_text(text, encoding="utf-8")
            case ("text",):
                pass
            case words:
                raise AssertionError(f"line {fence.line}: a fence of {words}")
    assert "would change" not in run("rulescript fmt --check salt_road")
    for options in ((), ("swift_riders",)):
        loaded = rulescript.load(tmp_path / "salt_road", options=options, cache=False)
        assert all(playout.over for playout in loaded.playouts(50))
    assert all(playout.over for playout in rulescript.load(tmp_path / "long_road", cache=False).playouts(50))


# ---- the language ------------------------------------------------------------------------------------------


def lake_war(statements: bool) -> str:
    """The game of language.md; with its statements, each snippet in a procedure of its own."""
    parts: list[str] = []
    for fence in fences(LANGUAGE):
        if fence.words == ("rules",):
            parts.append(fence.text)
        elif fence.words == ("rules", "statements") and statements:
            parts.append(f"procedure snippet_{fence.line}(r: Region)\n{indented(fence.text)}")
    return "\n".join(parts)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lake") / "lake_war.rules"
    path.write_text(lake_war(statements=False), encoding="utf-8")
    return path


def test_the_game_of_the_language_page_checks_clean(lake: Path) -> None:
    """Only what is there to be shown and not to be used may be reported as unused."""
    told = run(f"rulescript check {lake}")
    codes = set(re.findall(r"^(?:error|warning)\[(\w+)\]", told, re.M))
    assert codes <= {"RS312"}, told


def test_the_statements_of_the_language_page_are_good(tmp_path: Path) -> None:
    path = tmp_path / "lake_war.rules"
    path.write_text(lake_war(statements=True), encoding="utf-8")
    told = run(f"rulescript check {path}")
    assert "error[" not in told, told


def test_the_game_of_the_language_page_plays(lake: Path) -> None:
    for options in ((), ("night",), ("fog", "glory")):
        game = rulescript.load(lake, options=options, cache=False)
        assert all(playout.over for playout in game.playouts(30))


def test_the_claims_of_the_language_page_hold(lake: Path, tmp_path: Path) -> None:
    source = GameSource.load(lake)
    assert [r.title for r in run_checks(source) if not r.ok] == []
    assert [str(r) for r in run_examples(source) if not r.ok] == []
    more = tmp_path / "more.rules"
    more.write_text("\n".join(f.text for f in fences(LANGUAGE) if f.words == ("rules", "example")), encoding="utf-8")
    results = run_file(source, more)
    assert len(results) > 15
    assert [str(r) for r in results if not r.ok] == []


def test_the_expressions_of_the_language_page_come_to_what_it_says(lake: Path) -> None:
    position = rulescript.load(lake, cache=False).start(seed=1)
    seen = 0
    for fence in fences(LANGUAGE):
        if fence.words != ("rules", "expressions"):
            continue
        for number, line in enumerate(fence.text.splitlines(), fence.line + 1):
            expression, found, value = line.partition("# is ")
            assert found, f"line {number} does not say what it is"
            assert position.explain(expression.strip()).said == value.strip(), f"line {number}: {line}"
            seen += 1
    assert seen > 60


def test_every_snippet_of_rules_parses() -> None:
    for page in (README, TUTORIAL, LANGUAGE, API):
        for fence in fences(page):
            if fence.words[:1] == ("rules",) and fence.words[1:] not in (("statements",), ("expressions",)):
                reporter = Reporter()
                source, _ = read_source(f"{page.name}, line {fence.line}", fence.text, False)
                parse_file(source, reporter)
                assert not reporter.has_errors, render_report(reporter.diagnostics)


@cache
def grammar() -> tuple[str, Lark]:
    text = (ROOT / "grammar" / "rulescript.lark").read_text(encoding="utf-8")
    start = ["declaration", "expression"]
    return text, Lark(text, parser="lalr", start=start, postlex=_Indenter(), maybe_placeholders=False)


def test_the_language_page_uses_every_rule_of_the_grammar() -> None:
    """Whatever can be written is shown: each rule and each named form of the grammar occurs in a snippet."""
    _, reader = grammar()
    wanted: set[str] = set()
    for rule in reader.rules:
        # A rule that begins with `?` or `_` leaves no trace of its own; its named forms do.
        if rule.alias is not None or not rule.options.expand1:
            wanted.add(str(rule.alias or rule.origin.name))
    wanted = {name for name in wanted if not name.startswith("_")}
    found: set[str] = set()

    def look(tree: Tree[Token]) -> None:
        found.update(str(node.data) for node in tree.iter_subtrees())

    for fence in fences(LANGUAGE):
        if fence.words[:1] != ("rules",):
            continue
        if fence.words[1:] == ("expressions",):
            for line in fence.text.splitlines():
                look(reader.parse(line.partition("# is ")[0] + "\n", start="expression"))
            continue
        whole = fence.text
        if fence.words[1:] == ("statements",):
            whole = f"procedure snippet\n{indented(whole)}"
        for start, end in _pieces(whole):
            look(reader.parse(whole[start:end], start="declaration"))
    missing = sorted(wanted - found)
    assert not missing, missing


def test_the_language_page_names_every_word() -> None:
    text, _ = grammar()
    page = LANGUAGE.read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", page[page.index("## Words of the language") :]))
    keywords = set(re.findall(r'"([a-z]+)"', re.sub(r"//.*", "", text)))
    for pattern in re.findall(r"/\(([a-z|]+)\)", text):
        keywords.update(pattern.split("|"))
    assert keywords - listed == set()
    assert set(_SECTIONS) - listed == set()


def test_the_language_page_explains_every_built_in_function() -> None:
    page = LANGUAGE.read_text(encoding="utf-8")
    assert [name for name in BUILTINS if f"`{name}(" not in page] == []


# ---- Python ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [README, API], ids=["README.md", "api.md"])
def test_the_python_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where a reader with a checkout would run it, except that what it writes goes elsewhere."""
    shutil.copytree(DOCS / "cookbook", tmp_path / "docs" / "cookbook")
    monkeypatch.chdir(tmp_path)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    space: dict[str, object] = {}
    told: list[str] = []
    blocks = [f for f in fences(page) if f.words == ("python",) and ">>>" in f.text]
    assert blocks
    for fence in blocks:
        test = parser.get_doctest(fence.text, space, f"{page.name}, line {fence.line}", page.name, fence.line)
        test.globs = space  # what one block defines, the next may use
        runner.run(test, out=told.append, clear_globs=False)
    assert not told, "".join(told)


def test_the_python_of_a_page_that_is_a_file_compiles() -> None:
    for page in (README, API):
        for fence in fences(page):
            if fence.words == ("python",) and ">>>" not in fence.text:
                compile(fence.text, f"{page.name}, line {fence.line}", "exec")
