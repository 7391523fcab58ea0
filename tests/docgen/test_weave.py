"""Literate files become chapters; prose becomes harmless HTML; code is marked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.book import Book, collect
from rulescript.docgen.highlight import highlight
from rulescript.docgen.names import Anchors
from rulescript.docgen.prose import Heading, Paragraphs, Prose
from rulescript.docgen.subject import Subject
from rulescript.docgen.weave import Block, Weaver
from rulescript.source import LiterateHeading, SourceFile, read_source, rules_blocks
from rulescript.wording.proper import Proper
from tests.docgen.conftest import LAKES


def test_blocks_of_rules_are_found_where_the_parser_finds_them() -> None:
    text = "# A\n```rules\nx\n```\ntext\n```text\nno\n```\n- item\n  ```rules\n  y\n  ```\n~~~rules\nopen"
    source, _ = read_source("a.rules.md", text, True)
    assert rules_blocks(source) == [(2, 4), (10, 12), (13, 14)]
    assert [line.strip() for line in source.text.split("\n") if line.strip()] == ["x", "y", "open"]


def test_chapters_keep_prose_and_rules_in_their_order(book: Book) -> None:
    first = book.chapters[0]
    assert (first.title, first.file, first.is_main) == ("Introduction", "game.rules.md", True)
    assert [s.title for s in first.sections] == ["", "The turn", "Marching"]
    marching = first.sections[2]
    assert isinstance(marching.parts[0], Paragraphs) and isinstance(marching.parts[1], Block)
    assert [e.name for e in marching.parts[1].entries] == ["marching", "way", "has_room"]
    assert marching.parts[1].code.startswith('phase marching "Marching"')
    assert [c.title for c in book.chapters[1:]] == [
        "The shores",
        "The cards of both sides",
        "Fighting",
        "Optional rules",
    ]
    includes = [name for b in first.blocks for name in b.includes]
    assert includes[:2] == ["rulebook.rules", "map.rules"]


def test_a_fence_keeps_its_code_and_a_literate_file_may_have_none(tmp_path: Path) -> None:
    text = """# Tiny

```rules
rulescript 1
game "Tiny", version "1"
sequence
    end game, draw "at once"
```

# Second

Only prose.
"""
    (tmp_path / "game.rules.md").write_text(text, encoding="utf-8")
    game = rulescript.load(tmp_path)
    files = build_site(game, tmp_path / "site", games=1)
    names = [p.name for p in files]
    assert "rules-introduction.html" in names and "rules-introduction-second.html" in names
    page = (tmp_path / "site" / "rules-introduction.html").read_text(encoding="utf-8")
    assert "The game ends in a draw (at once)." in page
    assert "\nsequence" not in page.partition("<pre")[0]
    assert "map.html" not in names and "cards.html" not in names  # nothing to show, no page


def test_a_game_without_players_is_printed_too(tmp_path: Path) -> None:
    (tmp_path / "none.rules").write_text(
        'rulescript 1\ngame "None", version "1"\nstate n: int\nsequence\n    repeat 3 times\n        roll d6 as d\n'
        "        n += d\n    end game, draw\n"
    )
    files = build_site(rulescript.load(tmp_path / "none.rules"), tmp_path / "site", games=1)
    assert files[0].name == "index.html"


def test_prose_headings_paragraphs_links_and_citations() -> None:
    prose = Prose(
        lambda ident: f"@r-{ident}" if ident != "9" else "", lambda path: "@p:map" if path == "0/map.rules" else ""
    )
    text = "# 4.6 March *now*\n\nSee [the map](map.rules), §4.6 and §9.\n\n- one\n- two\n\n> quoted"
    parts = prose.read(text, 10, [LiterateHeading(1, "4.6", "March *now*", 10)], "0")
    assert parts[0] == Heading(1, "4.6", "March *now*", 10)
    html = str(parts[1].html)
    assert '<a href="@p:map">the map</a>' in html
    assert '<a href="@r-4.6" class="cite">§4.6</a> and §9.' in html
    assert "<li>one</li>" in html and "<blockquote>" in html
    assert parts[1].markdown.startswith("See [the map]") and parts[1].line == 12


def test_short_texts_are_one_line() -> None:
    prose = Prose(lambda ident: "", lambda path: "")
    assert str(prose.inline("a *b* `c` <i>d</i>")) == "a <em>b</em> <code>c</code> &lt;i&gt;d&lt;/i&gt;"
    assert prose.plain("a *b* `c`") == "a b c" or prose.plain("a *b* `c`").split() == ["a", "b", "c"]


def test_code_is_marked_and_escaped() -> None:
    made = str(highlight('require x < 3 "a <b>"  §4.2  # note'))
    assert '<span class="k">require</span> x &lt; <span class="n">3</span>' in made
    assert '<span class="s">&#34;a &lt;b&gt;&#34;</span>' in made
    assert '<span class="r">§4.2</span>' in made and '<span class="c"># note</span>' in made


def test_anchors_are_given_once() -> None:
    anchors = Anchors()
    assert [anchors.new("a", "p"), anchors.new("a", "q"), anchors.new("a", "p")] == ["a", "a-2", "a-3"]
    assert not anchors.take("a", "z") and anchors.take("b", "z")
    assert anchors.pages == {"a": "p", "a-2": "q", "a-3": "p", "b": "z"}


def test_names_of_parties_get_their_capitals_back() -> None:
    proper = Proper(Subject.of(rulescript.load(LAKES)).model)
    assert proper("replace northern crews at heron") == "replace Northern crews at heron"
    assert proper("plan xiv, mix of iii") == "plan XIV, mix of III"  # numerals are written large, too


def test_the_name_of_a_space_that_is_no_ordinary_word_gets_its_capital_back(tmp_path: Path) -> None:
    source = """rulescript 1
game "Towns"
values Side: North, South
players Side
kind Town
kind U_Boat
map Land
    link road
    Town Kingsbridge
    Town Castle  "Castle-upon-Rock, the New!"
    Town Ford  "Ford"
    Town Brackwater
        "Where the brackwater flows."
    road Kingsbridge - Castle - Brackwater - Ford
sequence
    end game, draw
"""
    (tmp_path / "towns.rules").write_text(source, encoding="utf-8")
    proper = Proper(Subject.of(rulescript.load(tmp_path / "towns.rules")).model)
    assert proper("castle upon rock the new") == "Castle-upon-Rock, the New!" and proper("ford") == "ford"
    assert proper("the u boats move") == "the U-boats move" and proper("U boat attack") == "U-boat attack"
    assert proper("revolt in kingsbridge, castle and brackwater") == "revolt in Kingsbridge, castle and brackwater"


def test_an_alliance_of_players_keeps_the_capital_of_its_adjective(tmp_path: Path) -> None:
    source = """rulescript 1
game "Pacts"
kind Alliance: adjective: text
kind Faction: side: Alliance
things
    Alliance Long_Pact  "Long Pact" adjective "Pactish"
    Faction North  Long_Pact
    Faction South  Long_Pact
players Faction
state pactish_strength: int
sequence
    end game, draw
"""
    (tmp_path / "pacts.rules").write_text(source, encoding="utf-8")
    proper = Proper(Subject.of(rulescript.load(tmp_path / "pacts.rules")).model)
    assert proper("the pactish strength, as long as a pact") == "the Pactish strength, as long as a pact"


def test_progress_is_told() -> None:
    said: list[str] = []
    collect(Subject.of(rulescript.load(LAKES)), games=2, progress=said.append)
    assert said[0] == "reading the chapters" and said.count("playing at random") == 2
    assert said.count("playing the examples") == 4


def test_a_corner_of_a_table_without_words_is_no_header() -> None:
    """A screen reader would announce a header of nothing for every cell below it."""
    (made,) = Prose(lambda number: "", lambda path: "").read("| | dice |\n| - | - |\n| attack | 2 |\n", 1, (), "")
    assert "<td></td>" in made.html and '<th scope="col">dice</th>' in made.html


def test_many_short_blocks_are_woven_in_one_going_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many blocks must not be four times the work."""
    many = 150
    blocks = [
        f"## {i}.1 Rule {i}\n\nSome prose.\n\n```rules\nfunction f{i}(n: int) -> int\n    n + {i}\n```\n"
        for i in range(1, many)
    ]
    start = '# Many\n\n```rules\nrulescript 1\ngame "Many", version "1"\nsequence\n    end game, draw\n```\n\n'
    (tmp_path / "game.rules.md").write_text(start + "\n".join(blocks), encoding="utf-8")
    subject = Subject.of(rulescript.load(tmp_path))
    asked = Counter[str]()
    line_of = SourceFile.line_of

    def counted(source: SourceFile, offset: int) -> int:
        asked["line"] += 1
        return line_of(source, offset)

    monkeypatch.setattr(SourceFile, "line_of", counted)
    proper, anchors = Proper(subject.model), Anchors()
    weaver = Weaver(subject, proper, anchors, Prose(lambda ident: "", lambda path: ""))
    weaver.plan()
    (chapter,) = weaver.weave()
    assert [entry.name for block in chapter.blocks for entry in block.entries if entry.form == "function"] == [
        f"f{i}" for i in range(1, many)
    ]
    assert [section.title for section in chapter.sections][1:] == [f"Rule {i}" for i in range(1, many)]
    assert asked["line"] < 20 * many
