"""Every page of the cookbook is a game that loads without complaint, plays to its end, keeps its claims."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.analysis.analyse import analyse
from rulescript.analysis.checks import check_game
from rulescript.claims import GameSource, run_checks, run_examples
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.source import read_source
from rulescript.syntax.fmt import format_source

COOKBOOK = Path(__file__).resolve().parents[2] / "docs" / "cookbook"
PAGES = sorted([*COOKBOOK.glob("*.rules.md"), *COOKBOOK.glob("*/game.rules.md")])
GAMES = 20
LONGEST = 2_000


def name_of(page: Path) -> str:
    """What other pages call a page: its file, or its folder if it has one of its own."""
    return page.relative_to(COOKBOOK).as_posix().removesuffix("/game.rules.md").removesuffix(".rules.md")


page_of = pytest.mark.parametrize("page", PAGES, ids=map(name_of, PAGES))


@page_of
def test_a_page_checks_clean(page: Path) -> None:
    """No error, and no warning either: a designer copies what he sees."""
    reporter = Reporter()
    model = analyse(load_text(page, reporter), (), "", reporter)
    check_game(model, reporter)
    assert [f"{d.code} line {d.span.line}: {d.message}" for d in reporter.diagnostics] == []
    assert model.examples, "a page has at least one example"


@page_of
def test_a_page_is_formatted(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    source, _ = read_source(page.name, text, True)
    assert format_source(source) == text


@page_of
def test_random_games_end_and_keep_the_invariants(page: Path) -> None:
    play_at_random(rulescript.load(page, cache=False), GAMES)


def play_at_random(game: rulescript.Game, games: int) -> None:
    def at_end(position: Any, scope: str) -> None:
        assert not game.check_invariants(position, "end", scope), scope

    for seed in range(games):
        # Every second game also asks where there is only one answer.
        position = game.start(seed=seed, ask=seed % 2 == 1)
        position.watch = at_end
        choices = random.Random(seed)
        for _ in range(LONGEST):
            if position.decision is None:
                break
            assert not game.check_invariants(position, "decision")
            options: list[Any] = list(position.decision.options)
            assert len({o.key for o in options}) == len(options)
            position.choose(choices.choice(options))
        assert position.is_over and position.outcome is not None
        assert position.outcome.how != "the sequence of play is over", "a page says who wins"


@pytest.mark.parametrize(
    ("options", "scenario"),
    [(["winter"], ""), (["passports"], ""), (["passports", "smugglers"], ""), (["winter"], "late_autumn")],
)
def test_the_optional_rules_can_be_played(options: list[str], scenario: str) -> None:
    page = COOKBOOK / "34-options.rules.md"
    play_at_random(rulescript.load(page, options=options, scenario=scenario, cache=False), 10)


@page_of
def test_a_page_names_its_index_entry_and_what_to_change(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "## What to change for your own game" in text
    index = (COOKBOOK / "README.md").read_text(encoding="utf-8")
    assert f"({page.relative_to(COOKBOOK).as_posix()})" in index


def test_the_index_and_the_pages_name_only_pages_that_exist() -> None:
    files = {p.relative_to(COOKBOOK).as_posix() for p in PAGES}
    names = {name_of(p) for p in PAGES}
    for page in (COOKBOOK / "README.md", *PAGES):
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"\]\((?:\.\./)?(\d\d-[\w./-]+)\)", text):
            assert name in files, f"{page.name} names {name}"
        for name in re.findall(r"`(\d\d-[\w-]+)`", text):
            assert name in names, f"{page.name} names {name}"


@page_of
def test_the_claims_of_a_page_hold(page: Path) -> None:
    source = GameSource.load(page)
    examples = list(run_examples(source))
    assert [str(r) for r in examples if not r.ok] == []
    assert all(r.claims for r in examples), "an example that claims nothing tests nothing"
    assert [r.title for r in run_checks(source) if not r.ok] == []


def test_any_number_may_be_none() -> None:
    """The victors of a battle need not follow: choosing any number of pieces may be choosing none."""
    game = rulescript.load(COOKBOOK / "15-chained-advance.rules.md", cache=False)
    position = game.start(chance=[4, 2])
    position.choose("attack Cross from Aldmere")
    assert position.decision is not None and "done" in [o.key for o in position.decision.options]
    before = position.value("Aldmere.units")
    position.choose("done")
    assert position.value("Aldmere.units") == before
    assert position.value("Cross.units") == {}
