"""Sites to look at: each is printed once and shared by all tests."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import book as book_module
from rulescript.docgen import build_site
from rulescript.docgen.book import Book, collect
from rulescript.docgen.subject import Subject
from tests.games.sources import game

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAKES = HERE / "games" / "two_lakes"
VARIANT = ROOT / "docs" / "cookbook" / "35-variant"
CARDS = ROOT / "tests" / "slices" / "card_exchange"
GAMES = {"lakes": LAKES, "variant": VARIANT, "cards": CARDS}
# The same as the first, as if it had so many examples that they stand on several pages.
PARTED = "parted"


@cache
def subject(name: str) -> Subject:
    """A bundled game by its name, or one at a path from the root, read once for all tests of a process."""
    return Subject.of(rulescript.load(ROOT / name) if "/" in name else game(name))


class Page(HTMLParser):
    """A page as its elements: (tag, attributes, text that follows, depth)."""

    VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self._heading: list[str] | None = None
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.faults.append(f"<{tag}> has an attribute twice")
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._heading = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
            return
        self.open.pop()
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6") and self._heading is not None:
            self.headings.append((int(tag[1]), " ".join("".join(self._heading).split())))
            self._heading = None

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self._heading is not None:
            self._heading.append(data)

    @property
    def words(self) -> str:
        return re.sub(r" (?=[.,;:)”])", "", " ".join(" ".join(self.text).split()))

    @property
    def ids(self) -> list[str]:
        return [a["id"] or "" for _, a in self.tags if "id" in a]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [a for t, a in self.tags if t == tag]

    def has_class(self, name: str) -> list[dict[str, str | None]]:
        return [a for _, a in self.tags if name in (a.get("class") or "").split()]


class Site:
    """A printed site."""

    def __init__(self, folder: Path, files: list[Path]) -> None:
        self.folder = folder
        self.files = files
        self.pages = {p.stem: Page(p) for p in files if p.suffix == ".html"}

    def __getitem__(self, name: str) -> Page:
        return self.pages[name]


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Site]:
    out: dict[str, Site] = {}
    for name, path in GAMES.items():
        folder = tmp_path_factory.mktemp(name)
        out[name] = Site(folder, build_site(rulescript.load(path), folder, games=3))
    folder = tmp_path_factory.mktemp(PARTED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book_module, "MOST_ON_A_PAGE", 1)
        out[PARTED] = Site(folder, build_site(rulescript.load(LAKES), folder, games=0))
    return out


@pytest.fixture(scope="session")
def lakes(sites: dict[str, Site]) -> Site:
    return sites["lakes"]


@pytest.fixture(scope="session")
def book() -> Book:
    return collect(Subject.of(rulescript.load(LAKES)), games=2)
