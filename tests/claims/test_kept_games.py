"""What a large game is compiled to for its examples is kept: who changes an example does not wait for its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulescript.analysis.checks import check_game
from rulescript.claims import GameSource, run, run_example, run_examples
from rulescript.claims.gone_through import Noting
from tests.cli.test_check_again import EXAMPLES, SKIRMISH

OUTSIDE = """\
function twice(n: int) -> int
    return n * 2

example "Twice"
    given setup
    expect
        twice(2) == 4
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(run, "SOME_TEXT", 0)
    path = tmp_path / "skirmish.rules"
    path.write_text(Path(SKIRMISH).read_text(encoding="utf-8") + EXAMPLES.removeprefix("rulescript 1\n"))
    return path


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The options of the games that were compiled all at once."""
    out: list[tuple[str, ...]] = []
    compile_for_examples = run.compile_for_examples

    def noted(model: Any, whole: frozenset[str], digest: str, at_once: bool) -> Any:
        if at_once:
            out.append(model.options)
        return compile_for_examples(model, whole, digest, at_once)

    monkeypatch.setattr(run, "compile_for_examples", noted)
    return out


def told(path: Path) -> list[tuple[str, list[str], list[str], int]]:
    results = run_examples(GameSource.load(path))
    return [
        (r.title, [f"{d.span.line} {d.message}" for d in r.failures], sorted(r.exercised), r.claims) for r in results
    ]


def test_what_is_kept_plays_as_what_is_made(game: Path, compiled: list[tuple[str, ...]]) -> None:
    first = told(game)
    assert len(compiled) == 1 and not any(failures for _, failures, _, _ in first)
    assert told(game) == first
    assert len(compiled) == 1


def test_only_a_change_of_the_rules_is_compiled(game: Path, compiled: list[tuple[str, ...]]) -> None:
    told(game)
    compiled.clear()
    good = game.read_text()
    game.write_text(good.replace("points(North) == 0", "points(North) == 1"))
    assert [title for title, failures, _, _ in told(game) if failures] == ["Towns"]
    assert not compiled
    # Where a rule stands is told with what goes wrong in it.
    game.write_text("\n" + good)
    assert not any(failures for _, failures, _, _ in told(game))
    assert len(compiled) == 1


def test_what_an_outside_file_adds_is_in_none_of_it(game: Path, compiled: list[tuple[str, ...]]) -> None:
    beside = game.with_name("more.rules")
    beside.write_text(OUTSIDE)
    told(game)
    compiled.clear()
    (result,) = run_examples(GameSource.load(game).with_file(beside), only_extra=True)
    assert result.ok and compiled == [()]


def test_a_damaged_file_is_made_anew(game: Path, compiled: list[tuple[str, ...]]) -> None:
    from rulescript.resources import write_cached

    first = told(game)
    compiled.clear()
    for path in (game.parent / "cache").glob("examined-*"):
        assert write_cached(path, b"nonsense")
    assert told(game) == first
    assert len(compiled) == 1


def test_a_set_of_options_is_looked_through_once(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there are more of them than models are kept, and somebody asks what an example went through."""
    looked: list[tuple[tuple[str, ...], str]] = []

    def noted(model: Any, reporter: Any) -> None:
        looked.append((model.options, model.scenario))
        check_game(model, reporter)

    monkeypatch.setattr("rulescript.analysis.checks.check_game", noted)
    monkeypatch.setattr("rulescript.pipeline.shelf.MOST_MODELS", 0)
    source = GameSource.load(game)
    for found in source.found():
        source.noting = noting = Noting()
        run_example(source, found)
        assert all(digest for *_, digest in noting.needs(source.parts))
    assert len(looked) == 3 == len(set(looked))
