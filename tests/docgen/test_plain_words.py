"""What a reader would stumble over: two cards of one name, bookkeeping on a map, decks card by card, bare numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulescript.cli.main import main
from rulescript.docgen import build_site
from rulescript.pipeline import load

DECK = "\n".join(f'    Card Northern_{n} "Card {n}" North, worth {n}' for n in range(20))
GAME = f"""\
rulescript 1
game "Plain"
values Side: North, South
players Side
values Legs: fresh, tired
kind Town
    "`seen` is for the rules alone."
    state seen: int, untold
    state wall: bool
    holds men: Man
    holds finds: Card
pieces Man: side: Side
    state legs: Legs
    home camp
holds camp: Man
kind Card: side: Side, worth: int
holds deck: Card, ordered, hidden to others
holds hand: Card
holds bought: Card
things
    Man Northern_man North, 3
    Man Southern_man South, 3
    Card Northern_Gas "Gas" North, worth 1
    Card Southern_Gas "Gas" South, worth 1
{DECK}
state active: Side
state vp: int
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
value bonus(t: Town) -> int
    0
adjust bonus(t) add 1 when t.wall "Old stones"
value still_stands(t: Town) -> bool
    yes
adjust still_stands(t) set not t.wall "Fallen"
value worth_of(t: Town) -> int
    2
predicate fits(c: Card, t: Town)
    require c is Northern_Gas or c is Southern_Gas
    require count(t.men) != 1
    require bonus(t) > 0
    require worth_of(t) > 1
    require still_stands(t)
phase play "Play"
    move Card to deck
    shuffle deck
    draw 4 from deck to hand
    place 1 Northern man in Mill
    Mill.seen = 3
    Mill.wall = yes
    repeat
        choose lay: c in hand, u in Mill.men "Lay {{c}}"
            require fits(c, Mill)
            require u.legs == fresh
            vp += 1
            move c to bought
            u.legs = tired
        or stop "Enough"
sequence
    play
    end game, draw
option walls "Stone walls"
option moats "Deep moats"
with walls, moats
    adjust bonus(t) add 2
option closed "Closed"
    restrict play.lay
        require no "closed"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "game.rules").write_text(GAME, encoding="utf-8")
    build_site(load(folder), folder / "out", games=1)
    assert main(["docs", str(folder), "--print", "aid", "-o", str(folder / "out")]) == 0
    return {page.stem: words(page) for page in sorted((folder / "out").glob("*.html"))}


def words(page: Path) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8")).split())


def test_two_cards_of_one_name_are_told_apart(site: dict[str, str]) -> None:
    assert "The card is either Northern Gas or Southern Gas" in site["rules-introduction"]


def test_what_is_called_by_a_plural_has_its_verb(site: dict[str, str]) -> None:
    assert "The man&#39;s legs are fresh." in site["decisions"]


def test_a_place_named_for_what_befell_things_is_told_with_them(site: dict[str, str]) -> None:
    assert "Move the card to the bought cards." in site["rules-introduction"]


def test_not_exactly_one_is_not_none(site: dict[str, str]) -> None:
    assert "There is not exactly one man in the town" in site["rules-introduction"]


def test_a_bare_number_that_others_change_is_the_usual_one(site: dict[str, str]) -> None:
    assert "Normally 0." in site["rules-introduction"]


def test_letters_that_are_no_word_are_capitals(site: dict[str, str]) -> None:
    assert "VP: a number" in site["rules-introduction"]


def test_a_set_up_says_how_many_where_chance_says_which(site: dict[str, str]) -> None:
    assert "18 cards, by chance" in site["setup"] and "4 cards, by chance" in site["setup"]


def test_a_set_up_says_what_stands_in_a_space_and_not_in_which_of_its_places(site: dict[str, str]) -> None:
    assert "Mill Northern man" in site["setup"] and "Mill: men" not in site["setup"]


def test_a_bare_number_that_nothing_changes_is_a_sentence(site: dict[str, str]) -> None:
    assert "Always 2." in site["rules-introduction"]


def test_a_condition_that_takes_the_place_of_another_is_one(site: dict[str, str]) -> None:
    assert "The town still stands only if the town has no wall." in site["rules-introduction"]


def test_a_limit_that_leaves_nothing_says_never(site: dict[str, str]) -> None:
    assert "It is allowed: Never." in site["options"]


def test_a_change_is_called_by_what_it_changes_in_words(site: dict[str, str]) -> None:
    """And not by the name that only the rules know."""
    book = site["book"]
    assert "Old stones: a change to the bonus of the town" in book
    assert "Fallen: a change to whether the town still stands" in book
    assert "change to “" not in book


def test_what_several_options_add_together_bears_their_titles(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    chosen = ("--option", "walls", "--option", "moats")
    assert main(["docs", str(tmp_path), "--print", "aid", *chosen, "-o", str(tmp_path / "out")]) == 0
    (aid,) = (tmp_path / "out").glob("*-aid.html")
    assert "Add 2. Stone walls and Deep moats" in words(aid)


def test_values_are_listed_in_their_order(site: dict[str, str]) -> None:
    assert "Fresh or tired, in this order." in site["rules-introduction"]


def test_kinds_that_are_called_by_a_plural_are_no_further_plurals(site: dict[str, str]) -> None:
    assert "Legs" in site["components"] and "Legses" not in site["components"]


def test_bookkeeping_is_not_on_the_map(site: dict[str, str]) -> None:
    assert "wall" in site["setup"] and "seen" not in site["setup"]


def test_terms_are_defined_without_marks(site: dict[str, str]) -> None:
    assert "seen is for the rules alone" in site["terms"] and "`" not in site["terms"]


def test_the_aid_names_what_changes_a_number(site: dict[str, str]) -> None:
    aid = next(text for name, text in site.items() if name.endswith("-aid"))
    assert re.search(r"Add 1 if the town has a wall\. Old stones", aid)


COURTS = """\
rulescript 1
game "Courts"
values Side: North, South
players Side
kind Power: side: Side
kind Town
things
    Power Distant_Court "Distant Court" North
    Power Northern_League "Northern League" South
state active: Side
state paid: bool
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
procedure visit_the_distant_court()
    paid = no
procedure league_debts()
    paid = yes
sequence
    for active in Side
        choose pay "Pay court to the elders"
            paid = yes
        or stay "Stay at home"
            visit_the_distant_court()
        or owe "Owe the league"
            league_debts()
    end game, draw
"""


def test_a_word_that_only_is_part_of_a_name_keeps_the_author_s_letters(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(COURTS, encoding="utf-8")
    build_site(load(tmp_path), tmp_path / "site", games=0)
    words = " ".join(p.read_text(encoding="utf-8") for p in sorted((tmp_path / "site").glob("*.html")))
    assert "Pay court to the elders" in words and "Pay Court" not in words
    assert "Owe the league" in words and "Owe the League" not in words
    assert "isit the Distant Court" in words  # the whole name still is one


def test_a_map_of_which_nothing_is_told_has_no_empty_columns(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(COURTS, encoding="utf-8")
    for format, file in (("html", "map.html"), ("markdown", "map.md")):
        build_site(load(tmp_path), tmp_path / format, games=0, format=format)
        page = (tmp_path / format / file).read_text(encoding="utf-8")
        assert "Linked by road to" in page and "Facts" not in page and ">Rule<" not in page
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len(rows) == 4 and {line.count("|") for line in rows} == {3}
