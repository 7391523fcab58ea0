"""A file of which one line changed is read in that declaration, and is what reading all of it makes of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulescript.diagnostics import Reporter
from rulescript.loader import bundled_games
from rulescript.nodes import Declaration
from rulescript.resources import bundled, write_cached
from rulescript.source import SourceFile, Span, read_source
from rulescript.syntax import parsed_files, parser

CHAPTER = """\
# 4 Moving

Words about it.

```rules
procedure march
    gold += 1

procedure rest
    gold += 2
```

More words.

```rules
procedure rest
    gold += 2

function pay(n: Int) -> Int
    return n * 2
```
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first lines of the declarations that the grammar was asked about."""
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    out: list[str] = []
    parse = parser._parse_piece

    def noted(start: int, text: str, faults: Any) -> Declaration | None:
        out.append(text.partition("\n")[0])
        return parse(start, text, faults)

    monkeypatch.setattr(parser, "_parse_piece", noted)
    return out


def _source(text: str) -> SourceFile:
    return read_source("chapter.rules.md", text, True)[0]


def _places(value: Any) -> Any:
    """What is written and where it stands: nodes that stand elsewhere are equal."""
    if isinstance(value, tuple | list):
        return [_places(each) for each in value]
    if isinstance(value, Span):
        return (value.start, value.end)
    if attrs.has(type(value)):
        return [type(value).__name__, *(_places(getattr(value, field.name)) for field in attrs.fields(type(value)))]
    return value


def test_only_the_declaration_that_changed_is_read(read: list[str]) -> None:
    parsed_files.declarations_in(_source(CHAPTER), Reporter())
    assert len(read) == 4
    read.clear()
    changed = _source(CHAPTER.replace("gold += 1", "gold += 100").replace("Words about it.", "Many words about it."))
    found = parsed_files.declarations_in(changed, Reporter())
    assert read == ["procedure march"]
    assert _places(found) == _places(parser.parse_file(changed, Reporter()))
    assert all(each.span.source is changed for each in found)


def test_a_file_with_a_mistake_is_told_and_the_rest_is_known(read: list[str]) -> None:
    parsed_files.declarations_in(_source(CHAPTER), Reporter())
    read.clear()
    reporter = Reporter()
    found = parsed_files.declarations_in(_source(CHAPTER.replace("gold += 1", "gold +=")), reporter)
    assert read == ["procedure march"] and reporter.has_errors and len(found) == 4
    read.clear()
    reporter = Reporter()
    parsed_files.declarations_in(_source(CHAPTER.replace("return n * 2", "return n *")), reporter)
    assert read == ["function pay(n: Int) -> Int"] and reporter.has_errors


def test_what_was_kept_may_be_damaged(read: list[str], tmp_path: Path) -> None:
    parsed_files.declarations_in(_source(CHAPTER), Reporter())
    (kept,) = (tmp_path / "cache").glob("last-*")
    changed = _source(CHAPTER.replace("gold += 1", "gold += 3"))
    assert write_cached(kept, b"nonsense")
    read.clear()
    found = parsed_files.declarations_in(changed, Reporter())
    assert len(read) == 4
    assert _places(found) == _places(parser.parse_file(changed, Reporter()))


@pytest.mark.parametrize("game", bundled_games())
def test_edited_files_are_what_reading_them_makes(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are dropped, written twice, changed and put elsewhere in a chapter of each game."""
    rng = random.Random(game)
    files = (bundled("games") / game).rglob("*.rules.md")
    path = max(files, key=lambda p: (p.stat().st_size, p.name))
    lines = path.read_text(encoding="utf-8").split("\n")[:250]
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    for _ in range(5):
        at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines[at]
        change = rng.choice(
            [[], [line, line], [line, ""], [line, "    # aside"], [line.replace("1", "2")], [lines[to]]]
        )
        edited = [*lines[:at], *change, *lines[at + 1 :]]
        source = _source("\n".join(edited))
        said, fresh = Reporter(), Reporter()
        found = parsed_files.declarations_in(source, said)
        assert _places(found) == _places(parser.parse_file(source, fresh))
        assert said.everything == fresh.everything
        if not fresh.everything:
            lines = edited
