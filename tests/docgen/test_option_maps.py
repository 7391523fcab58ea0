"""Spaces that only an option adds are drawn, too: on a map of their own, marked, and in the table."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from tests.docgen.conftest import LAKES, Page


@pytest.fixture
def game(tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(LAKES, tmp_path / "two_lakes"))
    with (copy / "options.rules.md").open("a", encoding="utf-8") as file:
        file.write(
            '\n```rules\noption island "The new island"  §6\n    map Lakes\n        link path\n'
            "        Place New_Isle  fish 1, at 47.0N 8.9E\n        path Heron - New_Isle\n```\n"
        )
    return copy


def test_an_option_that_adds_spaces_has_a_map(game: Path, tmp_path: Path) -> None:
    build_site(rulescript.load(game), tmp_path / "site", games=1)
    page = Page(tmp_path / "site" / "map.html")
    assert page.faults == [] and len(page.ids) == len(set(page.ids))
    assert "with the option The new island: New Isle is only there with it, and marked" in page.words
    assert "New Isle only with The new island fish 1" in page.words
    assert len(page.has_class("marked")) == 1 and len(page.has_class("map")) > 2


def test_chosen_it_belongs_to_the_map_itself(game: Path, tmp_path: Path) -> None:
    build_site(rulescript.load(game, options=["island"]), tmp_path / "site", games=1)
    page = Page(tmp_path / "site" / "map.html")
    assert "New Isle fish 1" in page.words and "only there with it" not in page.words
    assert page.has_class("marked") == []


def test_markdown_has_it_too(game: Path, tmp_path: Path) -> None:
    files = build_site(rulescript.load(game), tmp_path / "md", format="markdown", games=1)
    text = (tmp_path / "md" / "map.md").read_text(encoding="utf-8")
    assert "New Isle (only with The new island)" in text
    (picture,) = [f for f in files if f.suffix == ".svg" and "with-island" in f.name]
    assert picture.name in text
