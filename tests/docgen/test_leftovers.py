"""A print takes away what an earlier one wrote and it does not, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.leftovers import LIST, take_away_leftovers

GAME = """\
rulescript 1
game "Pair"
kind Side
things
    Side Red
    Side Blue
players Side
state rounds : int

phase first "First"
    rounds = rounds + 1

sequence
    repeat 2 times
        first
    end game "It is over"
"""
CHAPTER = "# {title}\n\nWords about it.\n\n```rules\nstate {name} : int\nafter first\n    {name} = {name} + 1\n```\n"


def write(folder: Path, *chapters: str) -> Path:
    folder.mkdir(exist_ok=True)
    uses = "".join(f'include "{name}.rules.md"\n' for name in chapters)
    (folder / "game.rules").write_text(GAME + uses, encoding="utf-8")
    for name in chapters:
        text = CHAPTER.format(name=name, title=name.title())
        (folder / f"{name}.rules.md").write_text(text, encoding="utf-8")
    return folder / "game.rules"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_page_of_a_chapter_goes_with_the_chapter(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_site(rulescript.load(write(tmp_path / "pair", "marches", "sieges")), site, games=0)
    before = names(site)
    (site / "notes.html").write_text("mine", encoding="utf-8")
    build_site(rulescript.load(write(tmp_path / "pair", "marches")), site, games=0)
    assert before - names(site) == {"rules-sieges.html"}
    assert (site / "notes.html").read_text(encoding="utf-8") == "mine"


def test_what_somebody_changed_or_brought_stays(tmp_path: Path) -> None:
    for name in ("a.html", "b.html", "c.html"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    take_away_leftovers(tmp_path, {"html": [tmp_path / "a.html", tmp_path / "b.html"]})
    (tmp_path / "b.html").write_text("changed by hand", encoding="utf-8")
    gone = take_away_leftovers(tmp_path, {"html": []})
    assert [path.name for path in gone] == ["a.html"]
    assert names(tmp_path) == {"b.html", "c.html", LIST}


def test_another_sort_of_print_takes_nothing_away(tmp_path: Path) -> None:
    game = rulescript.load(write(tmp_path / "pair", "marches"))
    build_site(game, tmp_path / "out", games=0)
    site = names(tmp_path / "out")
    build_site(game, tmp_path / "out", format="print book", games=0)
    build_site(game, tmp_path / "out", format="json", games=0)
    both = names(tmp_path / "out")
    assert site < both
    build_site(game, tmp_path / "out", format="print aid", games=0)
    assert both < names(tmp_path / "out")


@pytest.mark.parametrize(
    "name", ["../outside.txt", "/etc/hostname", "inner/file.txt", "..", ".", "", "link.txt", "inner", "c:x", "a\0b"]
)
def test_a_list_of_strangers_reaches_nothing_else(tmp_path: Path, name: str) -> None:
    import hashlib

    site = tmp_path / "site"
    (site / "inner").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("x", encoding="utf-8")
    (site / "inner" / "file.txt").write_text("x", encoding="utf-8")
    (site / "link.txt").symlink_to(tmp_path / "outside.txt")
    digest = hashlib.sha256(b"x").hexdigest()
    (site / LIST).write_text(json.dumps({name: ["html", digest]}), encoding="utf-8")
    assert take_away_leftovers(site, {"html": []}) == []
    assert (tmp_path / "outside.txt").exists() and (site / "inner" / "file.txt").exists()
    assert (site / "link.txt").is_symlink()


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"a.html": 3}', '{"a.html": ["html"]}', "[" * 100_000])
def test_a_list_that_is_none_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.html").write_text("a", encoding="utf-8")
    (tmp_path / LIST).write_text(text, encoding="utf-8")
    assert take_away_leftovers(tmp_path, {"html": []}) == []
    assert (tmp_path / "a.html").exists()
