"""The sample in docs/ is what is printed today, and Markdown hangs together."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.leftovers import LIST
from tests.docgen.conftest import GAMES

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "docs" / "samples" / "karst_line"
GAME = ROOT / "docs" / "cookbook" / "05-combat-table.rules.md"


def test_the_sample_is_as_it_would_be_printed_today(tmp_path: Path) -> None:
    """RULESCRIPT_REWRITE_GOLDEN=1 prints it anew."""
    build_site(rulescript.load(GAME), tmp_path, format="markdown", games=4)
    if os.environ.get("RULESCRIPT_REWRITE_GOLDEN"):
        shutil.rmtree(SAMPLE, ignore_errors=True)
        shutil.copytree(tmp_path, SAMPLE, ignore=shutil.ignore_patterns(LIST))
    there = {p.name: p.read_text(encoding="utf-8") for p in SAMPLE.iterdir() if p.name != LIST}
    now = {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir() if p.name != LIST}
    assert sorted(there) == sorted(now)
    for name, text in now.items():
        assert there[name] == text, f"{name} would be printed differently today"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_links_of_markdown_lead_somewhere(tmp_path: Path, name: str) -> None:
    files = build_site(rulescript.load(GAMES[name]), tmp_path, format="markdown", games=1)
    texts = {p.name: p.read_text(encoding="utf-8") for p in files}
    anchors = {file: set(re.findall(r'<a id="([^"]+)"></a>', text)) for file, text in texts.items()}
    host = MarkdownIt("commonmark", {"html": True}).enable("table")
    followed = 0
    for file, text in texts.items():
        if not file.endswith(".md"):
            continue
        html = host.render(text)
        assert html.count("<h1>") == 1, file
        for target in re.findall(r'(?:href|src)="([^"]+)"', html):
            parts = urlsplit(target)
            if parts.scheme:
                continue
            where = parts.path or file
            assert where in texts, (file, target)
            assert not parts.fragment or unquote(parts.fragment) in anchors[where], (file, target)
            followed += 1
        for table in re.findall(r"<table>.*?</table>", html, re.S):
            rows = [row.count("<td") + row.count("<th") - row.count("<thead") for row in table.split("</tr>")[:-1]]
            assert len(set(rows)) == 1, (file, rows[:4])
    assert followed > 60


def test_pictures_beside_markdown_stand_alone() -> None:
    for path in SAMPLE.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("<svg ") and 'xmlns="http://www.w3.org/2000/svg"' in text and "<style>" in text
        assert "{%" not in text
