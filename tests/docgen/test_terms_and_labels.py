"""A word is in the index of terms once; a label that is too long for a counter is still told from others; an option
that needs another is told against that other."""

from __future__ import annotations

import re
from pathlib import Path

from rulescript.docgen import build_site
from rulescript.docgen.positions import abbreviated
from rulescript.docgen.terms import Term, index_of
from rulescript.pipeline import load

NEEDING = """\
rulescript 1
game "Needing", version "1"
values Side: Red, Blue
players Side
state active: Side
state tired: bool
kind Town
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
function bright(t: Town) -> bool as "{t} is bright"
    t == Mill
option storms "Storms"
    function stormy(t: Town) -> bool as "{t} is stormy"
        t == Ford
option calm "Calm", needs storms, after storms
    replace function stormy(t: Town) -> bool
        not tired
sequence
    for active in Side
        choose go: t in Town "Go to {t}"
            require bright(t)
            tired = yes
    end game, draw
"""


def test_one_word_for_several_parts_of_the_rules_is_one_entry_and_the_prose_comes_first() -> None:
    terms = [
        Term("March", "choice", [("c", "Marching")], "March the unit"),
        Term("March", "phase", [("p", "The turn")], "Each side marches."),
        Term("March", "section", [("s", "§4")], "A unit marches along roads."),
        Term("March", "town", [("t", "Towns")], "fort"),
    ]
    ((letter, found),) = index_of(terms)
    assert letter == "M"
    assert [(term.sort, term.definition) for term in found] == [
        ("phase", "A unit marches along roads."),
        ("town", "fort"),
    ]
    assert [anchor for anchor, _ in found[0].places] == ["s", "c", "p"]


def test_no_two_links_of_a_term_have_the_same_words() -> None:
    """Nobody could tell where each leads."""
    terms = [
        Term("Raid", "rule", [("a", "Raids")], "Quick."),
        Term("Raid", "value", [("b", "Raids")]),
        Term("Raid", "phase", [("c", "The turn")]),
    ]
    ((_, (found,)),) = index_of(terms)
    assert found.places == [("a", "Raids"), ("c", "The turn")]


def test_a_long_label_keeps_what_tells_it_from_others() -> None:
    assert abbreviated("Vesprian 1st", 16) == "Vesprian 1st"
    labels = [abbreviated(f"Ruritano-Hentzian {number}", 16) for number in ("1st", "2nd", "10th")]
    assert labels == ["R-H 1st", "R-H 2nd", "R-H 10th"]
    assert len(abbreviated("Donaudampfschifffahrtsgesellschaft", 16)) == 16


def test_what_an_option_replaces_in_another_is_told_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(NEEDING, encoding="utf-8")
    build_site(load(tmp_path), tmp_path / "site", games=1)
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", (tmp_path / "site" / "options.html").read_text("utf-8")))
    told = page.partition("Rules that are replaced")[2]
    assert "It was The town is stormy if it is Ford." in told
