"""Names of rules inside sentences are links to them; the words stay as the speaker says them."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.definitions import Definitions
from rulescript.docgen.subject import Subject
from tests.docgen.conftest import Page

GAME = """# Wells

Who may dig, and where.

```rules
rulescript 1
game "Wells", version "1"
kind Side
    state points: int
things
    Side Red
    Side Blue
players Side
kind Well: depth: int = 1
    state dug: bool
map Wells
    link path
    Well High  depth 2
    Well Low
    path High - Low
state active: Side

value toil(w: Well) -> int as "the sweat <b>&</b> toil of digging {w}"
    w.depth + 1
function hauls(w: Well) -> bool as "a man at {w} hauls up the bucket"
    w.dug
function reach(w: Well) -> int
    toil(w) + 1
predicate may_dig(w: Well, s: Side) as "{s} is ready to dig {w}"
    require toil(w) > 0
    require reach(w) > 0 and not w.dug and s.points < 3
sequence
    for active in Side
        choose dig: w in Well "Dig {w}"
            require may_dig(w, active)
            w.dug = yes
        or pass
    end game, draw
```
"""


@pytest.fixture(scope="module")
def wells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wells") / "wells.rules.md"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def site(wells: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build_site(rulescript.load(wells), folder, games=1)
    return folder


def test_a_rule_is_found_by_its_phrase_or_its_name(wells: Path) -> None:
    found = Definitions(Subject.of(rulescript.load(wells)).model)
    text = "Red is ready to dig Low, and the reach of Low is 4."
    spots, rest = found.find(text, ["function may_dig", "function reach", "function toil", "function gone"])
    assert [(text[a:b], key) for a, b, key in spots] == [
        ("ready to dig", "function may_dig"),
        ("reach", "function reach"),
    ]
    assert rest == ["function toil", "function gone"]
    assert found.find("It overreaches.", ["function reach"])[0] == []  # only whole words
    text = "A man at Low hauls up the bucket."  # of several stretches, the one that says most
    assert [text[a:b] for a, b, _ in found.find(text, ["function hauls"])[0]] == ["hauls up the bucket"]


def test_two_rules_never_share_a_stretch_of_words(wells: Path) -> None:
    found = Definitions(Subject.of(rulescript.load(wells)).model)
    spots, _ = found.find("Red is ready to dig Low.", ["function may_dig", "function may_dig"])
    assert len(spots) == 1


def test_the_names_in_a_sentence_lead_to_their_entries(site: Path) -> None:
    pages = {path.stem: Page(path) for path in site.glob("*.html")}
    links = [
        attrs["href"] or "" for page in pages.values() for tag, attrs in page.tags if attrs.get("class") == "defined"
    ]
    assert any("#d-value-toil" in link for link in links) and any("#d-predicate-may-dig" in link for link in links)
    for page in pages.values():
        assert not page.faults and not page.all("b")  # an author's phrase is text
    assert any("<b>&</b> toil of digging" in page.words for page in pages.values())


def test_a_list_gives_its_links_to_its_parts(site: Path) -> None:
    source = (site / "rules-wells.html").read_text(encoding="utf-8")
    head = source.index("reach</a>")
    assert "true:" not in source[head - 80 : head]  # it stands in the part that names it


CLAIMED = {
    "game.rules.md": """# Shops

A shop has goods.

```rules
rulescript 1
game "Shops", version "1"
kind Side
    state coins: int = 3
things
    Side Red
    Side Blue
players Side
state active: Side
include "claims.rules"
option rich "Rich"
    adjust coins_made(s) add 2
    adjust price(s) add 1
value price(s: Side) -> int
    2
sequence
    for active in Side
        active.coins -= price(active)
    end game, draw
```
""",
    "claims.rules": """value coins_made(s: Side) -> int
    3
invariant "No coin is made", always
    every s in Side: s.coins <= coins_made(s)
""",
}


def test_what_only_claims_count_with_is_no_change_for_a_player(tmp_path: Path) -> None:
    for name, text in CLAIMED.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = build_site(rulescript.load(tmp_path), tmp_path / "out", format="print changes", games=0)
    words = Page(next(path for path in files if path.suffix == ".html")).words
    assert "price" in words and "coins made" not in words
    assert "1 value changed" in words
