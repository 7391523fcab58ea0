"""Which rules the prose states, what stays in the open, and where a citation leads."""

from __future__ import annotations

from pathlib import Path

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.book import Book, collect
from rulescript.docgen.subject import Subject
from rulescript.docgen.told import Told, told_in
from tests.docgen.conftest import Site

GAME = """# Told

```rules
rulescript 1
game "Told", version "1"
values Side: North, South
players Side
kind Place
    state held: int
things
    Place Mill
rulebook "The book"
    1     rule "Moves"
    1.1   rule "Far moves"
    1a    rule "A sentence of the first"
    2     rule "Elsewhere"
    3     rule "Seen"
    4     rule "Unsaid"
    R-1   reading "A question"
```

## 1 Moves

You move once. What is far is told in §2. See the map, or §3, for the rest. On a tie §R-1 nobody moves.

```rules
procedure march(p: Place)  §1
    p.held += 1           §1a
    p.held += 2           §2
    p.held += 3           §3
    p.held += 4           §1.1
    p.held += 5           §R-1

procedure quiet           §4
    Mill.held += 6

sequence
    march(Mill)
    quiet()
    end game, draw
```
"""


def told_book(tmp_path: Path, text: str = GAME) -> Book:
    (tmp_path / "told.rules.md").write_text(text, encoding="utf-8")
    return collect(Subject.of(rulescript.load(tmp_path / "told.rules.md")), games=0)


def test_prose_states_what_it_cites_or_stands_under() -> None:
    told = Told(cited={"5.1"}, headed={"6.3"})
    assert all(told.has(ident) for ident in ("5.1", "6.3", "6.3a", "6.3-b", "5.1-c"))
    assert not any(told.has(ident) for ident in ("6.3.1", "6", "6.30", "5.2"))


def test_what_the_prose_does_not_state_stays_in_the_open(tmp_path: Path) -> None:
    book = told_book(tmp_path)
    block = next(b for c in book.chapters for b in c.blocks if any(e.name == "march" for e in b.entries))
    assert [e.name for e in block.open] == ["quiet"]  # nobody says what it does
    assert "march" in [e.name for e in block.exact]
    assert sorted(c for line in block.also for c in line.cites) == ["1.1", "3"]


def test_a_reading_says_what_was_decided(tmp_path: Path) -> None:
    (reading,) = told_book(tmp_path).readings
    assert "On a tie" in str(reading.ruling[0]) and not reading.sentences
    silent = GAME.replace(" On a tie §R-1 nobody moves.", "")
    (reading,) = told_book(tmp_path, silent).readings
    assert not reading.ruling and "5" in reading.sentences[0]


def test_a_citation_leads_to_the_sentence_that_states_it(tmp_path: Path) -> None:
    book = told_book(tmp_path)
    html = "".join(str(p.html) for c in book.chapters for s in c.sections for p in s.parts if hasattr(p, "html"))
    assert 'id="r-2"' in html and 'id="r-R-1"' in html
    assert 'id="r-3"' not in html  # "see" speaks of it, no more


def test_a_sentence_that_ends_with_a_colon_takes_along_what_stands_under_it() -> None:
    from rulescript.docgen.lines import Line

    line = Line("If it rains:", children=[Line("Stay."), Line("Or:", children=[Line("Swim.")])])
    assert line.whole == "If it rains: Stay; Or: Swim."
    assert Line("Go.", children=[Line("Far.")]).whole == "Go."


def test_prose_that_a_variant_changes_is_marked(sites: dict[str, Site]) -> None:
    notes = [page.source.count('class="changed-note"') for page in sites["variant"].pages.values()]
    assert sum(notes) >= 2
    words = " ".join(page.words for page in sites["variant"].pages.values())
    # Of its third section only the sequence is replaced: what else is told there still holds.
    assert "In part no longer so with Crowded Roads in Winter" in words
    assert "Changed with Crowded Roads in Winter" in words
    assert 'class="superseded"' not in "".join(page.source for page in sites["variant"].pages.values())
    assert 'class="changed-note"' not in "".join(page.source for page in sites["lakes"].pages.values())


def test_nothing_is_told_by_a_book_without_prose() -> None:
    assert not told_in([]).cited


BASE = """# Base

```rules
rulescript 1
game "Base", version "1"
values Side: Red, Blue
players Side
state points: int
```

## Marching

Whoever marches gets a point.

```rules
phase march "March"
    points += 1
```

## Resting

Whoever rests gets two points, and wins.

```rules
phase rest "Rest"
    points += 2
phase winning "Winning"
    end game, Red wins
```

```rules
sequence
    march
    rest
    winning
```
"""
HOUSE = """rulescript 1
game "House", version "1"
    builds on base
replace phase march "March"
    points += 3
replace phase rest "Rest"
    points += 4
"""


def test_prose_says_how_much_of_it_still_holds(tmp_path: Path) -> None:
    """All of one section is replaced, and half of another: only the first is faded."""
    for name, text in (("base", BASE), ("house", HOUSE)):
        (tmp_path / name).mkdir()
        ending = "rules.md" if name == "base" else "rules"
        (tmp_path / name / f"game.{ending}").write_text(text, encoding="utf-8")
    game = rulescript.load(tmp_path / "house")
    build_site(game, tmp_path / "html", games=1)
    (page,) = (p.read_text(encoding="utf-8") for p in (tmp_path / "html").glob("rules-base.html"))
    marching, resting = page.split('id="s-resting"')
    assert "No longer so with" in marching and 'class="superseded"' in marching
    assert "In part no longer so with" in resting and 'class="superseded"' not in resting
    build_site(game, tmp_path / "md", format="markdown", games=1)
    told = (tmp_path / "md" / "rules-base.md").read_text(encoding="utf-8")
    assert "*No longer so with [House]" in told and "*In part no longer so with [House]" in told


def test_what_a_card_says_on_its_face_is_not_said_again_in_a_chapter(tmp_path: Path) -> None:
    """Nor what is an example of the rulebook; a card without words of its own is told in the open."""
    cards = """
signal rested(p: Place) as "somebody rests in {p}"
kind Card
    home table
    does play
holds table: Card
things
    Card Feast  §5
        "Whoever rests gets seven."
        play
            Mill.held += 7
        when rested(p)  §7
            Mill.held += 7
    Card Famine  §6
        play
            Mill.held += 8
        when rested(p)  §6
            Mill.held += 8
"""
    text = GAME.replace("procedure quiet ", f"{cards}\nprocedure quiet ")
    text = text.replace("    Mill.held += 6", "    Mill.held += 6       §E-1\n    signal rested(Mill)")
    rules = ('5 rule "Feast"', '6 rule "Famine"', '7 rule "Rest at a feast"', 'E-1 example "At the mill"', "R-1 ")
    text = text.replace("    R-1   ", "\n".join(f"    {rule}" for rule in rules))
    book = told_book(tmp_path, text)
    said = {c for chapter in book.chapters for block in chapter.blocks for line in block.also for c in line.cites}
    assert "6" in said and not said & {"5", "7", "E-1"}
