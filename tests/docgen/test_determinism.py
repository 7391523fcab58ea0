"""The same game gives the same bytes: twice, with other hash seeds, from another folder, with more processes."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.book import collect
from rulescript.docgen.site import write_site
from rulescript.docgen.subject import Subject
from tests.docgen.conftest import CARDS, LAKES

BUILD = """
import sys
import rulescript
from rulescript.docgen import build_site
game = rulescript.load(sys.argv[1])
for form in ("html", "markdown", "json"):
    build_site(game, f"{sys.argv[2]}/{form}", format=form, games=2)
"""


def digest(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


@pytest.mark.parametrize(
    "game, seeds",
    [
        pytest.param(LAKES, ("0", "1", "4711"), marks=pytest.mark.long, id="two_lakes"),
        pytest.param(CARDS, ("0", "4711"), marks=pytest.mark.long, id="card_exchange"),
    ],
)
def test_other_hash_seeds_and_folders_change_nothing(tmp_path: Path, game: Path, seeds: tuple[str, ...]) -> None:
    found: list[dict[str, str]] = []
    for at, seed in enumerate(seeds):
        place = tmp_path / f"somewhere {at}"
        copy = place / game.name
        shutil.copytree(game, copy)
        out = place / "out"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-c", BUILD, str(copy) if at else game.name, str(out)],
            check=True, env=environment, cwd=place, timeout=300,
        )  # fmt: skip
        found.append(digest(out))
    assert len(found[0]) > 30
    for other in found[1:]:
        assert other == found[0], [k for k in found[0] if found[0][k] != other.get(k)]


def test_a_site_written_again_is_the_same(tmp_path: Path) -> None:
    game = rulescript.load(LAKES)
    build_site(game, tmp_path / "a", games=2)
    build_site(game, tmp_path / "b", games=2)
    build_site(game, tmp_path / "a", games=2)  # over what is there
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_several_processes_print_the_same(tmp_path: Path) -> None:
    """Examples may be played by several processes; the book does not show it."""
    from rulescript.docgen import plays

    worth = plays.WORTH_SHARING
    plays.WORTH_SHARING = 2
    try:
        for jobs in (1, 3):
            book = collect(Subject.of(rulescript.load(LAKES)), games=2, jobs=jobs)
            write_site(book, tmp_path / str(jobs))
    finally:
        plays.WORTH_SHARING = worth
    assert digest(tmp_path / "1") == digest(tmp_path / "3")


def test_nothing_tells_when_or_where_it_was_printed(tmp_path: Path) -> None:
    place = tmp_path / "secret_place"
    shutil.copytree(LAKES, place / "two_lakes")
    build_site(rulescript.load(place / "two_lakes"), tmp_path / "out", games=1)
    build_site(rulescript.load(place / "two_lakes"), tmp_path / "out", format="json", games=1)
    for path in (tmp_path / "out").iterdir():
        assert "secret_place" not in path.read_text(encoding="utf-8"), path.name
