"""Of a game with thousands of scenarios as many are set up and printed as can be; the page says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
import rulescript.docgen.subject as subjects
from rulescript.docgen import build_site
from rulescript.docgen.subject import Subject
from tests.fuzz.large import text_of


@pytest.mark.parametrize("format", ["html", "markdown"])
def test_of_many_scenarios_some_are_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str) -> None:
    monkeypatch.setattr(subjects, "MOST_LETTERS", 10_000)
    path = tmp_path / "many.rules"
    path.write_text(text_of("scenarios", 4_000), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    many = len(game.scenarios)
    assert many > 20
    build_site(game, tmp_path / "site", format=format, games=1)
    page = (tmp_path / "site" / ("setup.html" if format == "html" else "setup.md")).read_text(encoding="utf-8")
    assert f"Of {many} scenarios only the first 8 are set up here" in page
    assert "Scenario 7" in page and f"Scenario {many - 1}" not in page
    # Each is told all the same where options and scenarios are.
    options = (tmp_path / "site" / ("options.html" if format == "html" else "options.md")).read_text(encoding="utf-8")
    assert f"Scenario {many - 1}" in options
    # Whoever wants to see one of the others names it.
    last = rulescript.load(path, scenario=f"sc{many - 1}", cache=False)
    build_site(last, tmp_path / "last", format=format, games=1)
    page = (tmp_path / "last" / ("setup.html" if format == "html" else "setup.md")).read_text(encoding="utf-8")
    assert "only the first" not in page and f"Scenario {many - 1}" in page


def test_as_many_options_as_go_together(tmp_path: Path) -> None:
    """However they need and exclude each other: each brings what it needs, and none joins that somebody excludes."""
    rules = """
option a "A"
    state sa: int
option b "B", needs a
    state sb: int
option c "C", excludes b
    state sc: int
option d "D", needs c
    state sd: int
option e "E", needs b
    state se: int
"""
    path = tmp_path / "together.rules"
    path.write_text(text_of("states", 1_000) + rules, encoding="utf-8")
    subject = Subject.of(rulescript.load(path, cache=False))
    assert subject.everything == ("a", "b", "e")
    assert subject.needed("e") == ("e", "b", "a")
    assert [sorted(places.model.options) for places in subject.compositions] == [[], ["a", "b", "e"], ["a", "c", "d"]]
