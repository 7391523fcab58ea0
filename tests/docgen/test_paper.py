"""What is printed on paper: a rulebook, an aid, cards and counters with the right numbers, a sheet of changes."""

from __future__ import annotations

import math
import re
import zlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from attrs import evolve
from markupsafe import Markup

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.aid import SIZES, Aid, Part, _laid_out, _Measure, aid_of
from rulescript.docgen.boards import LEAST_NAME, NAME, OVERLAP, board_of, plates_of
from rulescript.docgen.book import Book, collect
from rulescript.docgen.chosen import chosen_examples, picture_width
from rulescript.docgen.maps import LABEL, Scene, _Drawn, _track
from rulescript.docgen.paper import CARD, COUNTER, MARGIN, PAPERS, PARTS, print_book, sheets
from rulescript.docgen.positions import own_states, take
from rulescript.docgen.subject import Subject
from rulescript.errors import BadOption
from rulescript.loader import bundled_games
from tests.docgen.conftest import LAKES, VARIANT, Page

NO_LIBRARY = find_spec("weasyprint") is None
MOST_PAGES = {"lamps_are_going_out": 60}


def printed(book: Book, folder: Path, what: str, **rest: object) -> dict[str, Page]:
    files = print_book(book, folder, what, pdf=False, **rest)  # type: ignore[arg-type]
    return {path.stem.rpartition("-")[2]: Page(path) for path in files}


@pytest.fixture(scope="module")
def kit(book: Book, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    return printed(book, tmp_path_factory.mktemp("kit"), "kit")


# ------------------------------------------------------------------ sheets


@pytest.mark.parametrize("paper", sorted(PAPERS))
@pytest.mark.parametrize(("size", "backs"), [(CARD, True), ((COUNTER, COUNTER), True), (CARD, False)])
def test_everything_lies_on_the_sheet_once_and_backs_lie_behind(
    paper: str, size: tuple[float, float], backs: bool
) -> None:
    wide, high = PAPERS[paper]
    items = list(range(1000))
    made = sheets(items, PAPERS[paper], size, backs)
    fronts = [sheet for sheet in made if not sheet.is_back]
    assert [item for sheet in fronts for _, _, item in sheet.places] == items
    assert len(made) == len(fronts) * (2 if backs else 1)
    for sheet in made:
        for x, y, _ in sheet.places:
            assert x >= MARGIN - 0.02 and x + size[0] <= wide - MARGIN + 0.02
            assert y >= MARGIN - 0.02 and y + size[1] <= high - MARGIN + 0.02
        assert len({(x, y) for x, y, _ in sheet.places}) == len(sheet.places)
    if backs:
        for front, back in zip(made[::2], made[1::2], strict=True):
            assert not front.is_back and back.is_back
            for (x, y, item), (behind, level, other) in zip(front.places, back.places, strict=True):
                # Turned over its long side, the left edge of the front is the right edge of the back.
                assert item == other and y == level and abs(behind - (wide - x - size[0])) < 0.02


# ------------------------------------------------------------------ what is on them


def test_a_kit_is_everything(kit: dict[str, Page], book: Book) -> None:
    assert sorted(kit) == ["aid", "board", "book", "cards", "changes", "counters"]
    for name, page in kit.items():
        assert not page.faults, (name, page.faults[:3])
        assert len(page.ids) == len(set(page.ids)), name
        assert not page.all("script") and not page.all("link")
        for attrs in page.all("a"):
            target = attrs.get("href") or ""
            assert target.startswith("#") and target[1:] in page.ids, (name, target)


def shown_by(page: Page) -> list[tuple[float, ...]]:
    """What each sheet of a board shows: left, top, width, height; the picture of the whole comes first."""
    told = [a["viewbox"] for a in page.has_class("board") if a.get("viewbox")]
    return [tuple(map(float, str(view).split())) for view in told]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_sheets_of_a_board_go_on_where_the_last_one_ends(book: Book, paper: str) -> None:
    for of in book.maps:
        made = board_of(of, PAPERS[paper], MARGIN, COUNTER)
        assert len(made.tiles) == made.rows * made.columns
        views = [tuple(map(float, re.findall(r'viewBox="([^"]*)"', tile.picture)[0].split())) for tile in made.tiles]
        left, top, width, height = map(float, re.findall(r'viewBox="([^"]*)"', made.overview)[0].split())
        scale = (made.paper[0] - 2 * MARGIN) / views[0][2]  # millimetres for a unit of the drawing
        assert 0.85 < scale * 56 / COUNTER < 1.3  # a counter has the room that it needs
        for tile, (x, y, wide, high) in zip(made.tiles, views, strict=True):
            assert abs(x - left - tile.column * (wide - OVERLAP / scale)) < 1.5
            assert abs(y - top - tile.row * (high - OVERLAP / scale)) < 1.5
        assert abs(views[-1][0] + views[-1][2] - left - width) < 1.5
        assert abs(views[-1][1] + views[-1][3] - top - height) < 1.5
        # The number of a sheet would lose its left half in a PDF.
        assert not re.search(r'<text[^>]*[";]opacity', made.overview)


def test_a_board_has_room_for_counters_and_says_how_it_is_glued(kit: dict[str, Page], book: Book) -> None:
    page = kit["board"]
    assert len(shown_by(page)) == len(page.has_class("tile")) + len(book.maps)
    assert "sheet 1 of" in page.words and "100%" in page.words and "Heron" in page.source
    of = book.maps[0]
    bare, board = (Scene("", "", has_links=False, counter=counter) for counter in (0.0, 56.0))
    for space in of.spaces:
        small, large = _Drawn(of, space, bare).box, _Drawn(of, space, board).box
        assert large.width >= 2 * 56 and large.height >= small.height + 56


def test_a_track_of_a_board_has_fields_for_counters() -> None:
    _, right, bottom = _track("Turns", ["1", "2", "3"], 0, 0, 0, 56.0)
    assert right >= 3 * 56 and bottom >= 56


def test_there_are_as_many_counters_and_cards_as_in_the_game(kit: dict[str, Page], book: Book) -> None:
    counters = [a for a in kit["counters"].has_class("piece") if "back" not in (a.get("class") or "").split()]
    assert len(counters) == sum(piece.count for piece in book.pieces)
    assert sum(piece.count for piece in book.pieces if piece.kind != "marker") == 10
    assert kit["counters"].words.count("Northern boat") == 3
    cards = [a for a in kit["cards"].has_class("piece") if "back" not in (a.get("class") or "").split()]
    assert len(cards) == sum(card.copies for gallery in book.galleries for card in gallery.cards)
    backs = [a for a in kit["cards"].has_class("piece") if "back" in (a.get("class") or "").split()]
    assert len(backs) == len(cards)
    assert kit["cards"].words.count("Everybody loses a fish.") == 2  # two copies


def test_the_aid_has_the_sequence_and_the_charts(kit: dict[str, Page]) -> None:
    words = kit["aid"].words
    for wanted in ("Sequence of play", "Marching", "Roll ↓ Strength → 0–1 2–3 4+"):
        assert wanted in words, wanted


HILLS = """# Hills

```rules
rulescript 1
game "Hills", version "1"
kind Side: adjective: text
things
    Side Red  adjective "Red"
    Side Blue  adjective "Blue"
players Side
kind Hill
    holds armies: Army
    holds camps: Camp
kind Army: side: Side, strength: int = 2
kind Order: side: Side, worth: int = 1, day: int = 0
    does play
pieces Camp: side: Side
    home High.camps
map Hills
    link path
    Hill High
    Hill Low
    path High - Low
things
    Camp Red_Camp  "Red camp" Red, 3
    Army Red_First  "Red First Army" Red
    Army Red_Guard  "Red Guard" Red, strength 4
    Order Dig  Red
        play nothing
    Order Charge  Red, worth 3
        play nothing
function worn(n: int) -> bool as "everybody groans at {n}"
    n > 1
table rest(n: int) -> int
    | 1..2      | 0 | if yes
    | 3         | 0 | if not worn(n)
    | otherwise | 1 |
```

## Climbing

| die | you climb |
| --- | --- |
| 1 to 3 | not at all |
| 4 to 6 | one hill |

```rules
table climb(n: int) -> int
    | 1..3      | 0 |
    | otherwise | 1 |
value climbs -> int
    climb(2) + rest(2)
sequence
    end game, draw
```
"""


@pytest.fixture(scope="module")
def hills(tmp_path_factory: pytest.TempPathFactory) -> Book:
    path = tmp_path_factory.mktemp("hills") / "hills.rules.md"
    path.write_text(HILLS, encoding="utf-8")
    return collect(Subject.of(rulescript.load(path)), games=0)


def test_the_aid_has_the_author_s_tables(hills: Book, tmp_path: Path) -> None:
    words = printed(hills, tmp_path, "aid")["aid"].words
    assert "Climbing die you climb 1 to 3 not at all 4 to 6 one hill" in words
    assert "Rest" in words and "Climb Result" not in words  # it stands beside the author's own


def test_the_notes_of_a_table_say_only_what_there_is_to_say(hills: Book) -> None:
    grid = next(grid for entry in hills.tables if entry.name == "rest" for grid in entry.grids)
    assert [row.note for row in grid.rows] == ["", "Unless everybody groans at the number.", ""]


def test_a_table_takes_two_columns_where_one_would_break_its_words() -> None:
    measure = _Measure(9.0, (60.0, 125.0, 255.0))

    def chart(rows: list[list[str]]) -> Part:
        return Part("chart", "Chart", rows=rows)

    assert measure.width_of(chart([["a", "b"], ["1", "2"]])) == 0
    broad = chart([["word " * 9] * 3] * 4)
    assert measure.width_of(broad) == 1 and measure.height(broad, 1) < measure.height(broad)
    many = chart([[f"column{n}" for n in range(12)]] * 4)
    assert measure.width_of(many) == 2 and measure.height(many, 2) < measure.height(many, 1) == math.inf
    assert measure.height(chart([["unbreakable" * 9] * 9]), 2) == math.inf


STEPS = "\n".join(f'phase step{n} "Step {n} of the long way home"\n    walked += 1' for n in range(1, 13))
CALLED = "\n".join(f"        step{n}" for n in range(1, 13))


def _busy(tables: int, folder: Path) -> Aid:
    """The aid of a game with a long sequence, and so many tables of different lengths."""
    made = "\n".join(
        f"table toll{n}(a: int) -> int\n" + "\n".join(f"    | {k} | {k * n} |" for k in range(3 + n % 9)) +
        "\n    | otherwise | 0 |" for n in range(tables)
    )  # fmt: skip
    text = f"""rulescript 1
game "Busy", version "1"
kind Side
things
    Side North
    Side South
players Side
state walked: int
{STEPS}
{made}
sequence
    repeat until walked > 40
{CALLED}
    end game, draw
"""
    (folder / f"busy{tables}.rules").write_text(text, encoding="utf-8")
    book = collect(Subject.of(rulescript.load(folder / f"busy{tables}.rules")), games=0)
    return aid_of(book, PAPERS["a4"], MARGIN)


def test_both_pages_of_an_aid_are_filled_alike_and_the_sequence_comes_first(tmp_path: Path) -> None:
    high = 210 - 2 * MARGIN
    aid = _busy(24, tmp_path)
    measure = _Measure(aid.size, aid.columns)
    assert len(aid.sides) == 2 and len(aid.parts) == 14 + 24
    assert [p.form for p in aid.parts[:14]] == ["step"] * 14
    heights = [
        max(sum(measure.height(p) for p in column) for column in side.narrow) for side in aid.sides if not side.wide
    ]
    assert len(heights) == 2 and max(heights) <= high and min(heights) > 0.75 * high


def test_the_sequence_is_not_cut_for_the_sake_of_larger_letters() -> None:
    """Beside broad tables it would have the largest if one line stood on the first page, the others on the next."""
    steps = [Part("step", f"Step {n} of the long way home", f"{n}.", sort="phase") for n in range(20)]
    rows = [["canton"] + ["what it does"] * 4] + [["Canton"] + ["marches to the far shore"] * 4] * 12
    tables = [Part("chart", f"Table {n}", rows=rows) for n in range(4)]
    columns = (66.0, 137.0, 279.0)
    made = (_laid_out([*steps, *tables], _Measure(size, columns), 192.0) for size in SIZES)
    first, second = next(sides for sides in made if sides is not None)
    assert [part.form for column in first.narrow for part in column] == ["step"] * 20
    assert not second.narrow


def test_a_few_lines_are_not_spread_over_the_page(tmp_path: Path) -> None:
    aid = _busy(0, tmp_path)
    assert len(aid.sides) == 1 and [len(column) for column in aid.sides[0].narrow] == [11, 3]


def test_a_table_of_many_columns_has_the_whole_width(tmp_path: Path) -> None:
    head = " | ".join(f"Column {n}" for n in range(14))
    rows = "\n".join(f"| Canton {r} | " + " | ".join(str(r * n) for n in range(14)) + " |" for r in range(5))
    table = f"| canton | {head} |\n| --- {'| --- ' * 14}|\n{rows}"
    rules = 'rulescript 1\ngame "Broad", version "1"\nvalues Side: Red\nplayers Side\nsequence\n    end game, draw\n'
    (tmp_path / "broad.rules.md").write_text(f"# Broad\n\n{table}\n\n```rules\n{rules}```\n", encoding="utf-8")
    book = collect(Subject.of(rulescript.load(tmp_path / "broad.rules.md")), games=0)
    aid = aid_of(book, PAPERS["a4"], MARGIN)
    assert [part.title for side in aid.sides for column in side.full for part in column] == ["Introduction"]
    page = printed(book, tmp_path / "out", "aid")["aid"]
    assert len(page.has_class("full")) == 1 and "Canton 4" in page.words
    build_site(rulescript.load(tmp_path / "broad.rules.md"), tmp_path / "site", games=0)
    chapter = (tmp_path / "site" / "rules-broad.html").read_text(encoding="utf-8")
    assert re.search(r'<div class="scroll" tabindex="0" role="group" aria-label="Table">\s*<table>', chapter)


def test_what_is_too_much_for_two_pages_is_left_out_the_longest_first(tmp_path: Path) -> None:
    aid = _busy(160, tmp_path)
    assert len(aid.sides) == 2 and aid.size == SIZES[-1]
    lengths = [len(part.rows) for part in aid.parts if part.form == "chart"]
    assert 40 < len(lengths) < 160 and lengths.count(5) > lengths.count(13)


def test_what_goes_about_on_the_map_is_a_counter_and_says_what_is_unusual(hills: Book, tmp_path: Path) -> None:
    told = {(piece.label, piece.short, piece.count, tuple(piece.values)) for piece in hills.pieces}
    assert ("Red First Army", "First Army", 1, ()) in told
    assert ("Red Guard", "Guard", 1, (("strength", "4"),)) in told
    assert sum(piece.count for piece in hills.pieces) == 5
    fronts = [a for a in printed(hills, tmp_path, "counters")["counters"].has_class("piece") if "back" not in str(a)]
    assert len(fronts) == 5


def test_a_counter_says_its_name_once_and_not_at_its_edge(hills: Book, tmp_path: Path) -> None:
    book = evolve(hills, pieces=[evolve(piece, short=piece.label or piece.short) for piece in hills.pieces])
    page = printed(book, tmp_path, "counters")["counters"]
    fronts = re.findall(r'<div class="piece.*?(?=<div class="piece|</section>)', page.source, re.DOTALL)
    told = [p.count("Red First Army") for p in fronts if "Red First Army" in p]
    assert told and set(told) == {1}
    margins = re.findall(r"\.(?:party|short\.wide|label) {[^}]*?margin: [\d.]+mm ([\d.]+)mm", page.source)
    assert len(margins) == 4 and all(float(side) >= 0.5 for side in margins)


def test_a_short_aid_has_large_letters(hills: Book, tmp_path: Path) -> None:
    """Two pages are there to be filled."""
    assert f"body {{ font: {SIZES[0]}pt/" in printed(hills, tmp_path, "aid")["aid"].source


def test_a_card_does_not_say_what_is_as_usual(hills: Book) -> None:
    facts = {card.name: card.facts for gallery in hills.galleries for card in gallery.cards}
    assert facts == {"Dig": [("side", "Red")], "Charge": [("side", "Red"), ("worth", "3")]}


def test_there_is_no_cut_where_nothing_lies() -> None:
    front = sheets([1, 2, 3, 4], PAPERS["a4"], CARD, True)[0]
    assert len(front.across) == 4 and len(front.down) == 3  # two rows of three


def test_the_sheet_of_changes_says_what_was_and_what_is(tmp_path: Path) -> None:
    book = collect(Subject.of(rulescript.load(VARIANT)), games=0)
    words = printed(book, tmp_path, "changes")["changes"].words
    assert "is played like Crowded Roads" in words
    assert "It was" in words and "It is now" in words and "No longer there." in words
    assert re.search(r"Changed: Morland .*?It was Morland: limit 3\. It is now Morland: limit 4", words)


def test_the_sheet_of_changes_does_not_print_a_long_table_twice(tmp_path: Path) -> None:
    rows = "\n".join(f"    | {n}         | {n * 7} |" for n in range(1, 9))
    (tmp_path / "long.rules").write_text(
        f"""rulescript 1
game "Long", version "1"
kind Side
things
    Side North
    Side South
players Side
table toll(n: int) -> int
{rows}
    | otherwise | 0 |
option dear "Dear"
    replace table toll(n: int) -> int
        | 1..4      | 1000 |
        | otherwise | 2000 |
state paid: int
sequence
    paid = toll(2)
    end game, draw
""",
        encoding="utf-8",
    )
    book = collect(Subject.of(rulescript.load(tmp_path / "long.rules")), games=0)
    words = printed(book, tmp_path, "changes")["changes"].words
    assert "It is now" in words and "1000" in words and "2000" in words
    assert "It was" not in words and "49" not in words


def test_the_same_game_gives_the_same_bytes(kit: dict[str, Page], tmp_path: Path) -> None:
    again = collect(Subject.of(rulescript.load(LAKES)), games=2)
    for name, page in printed(again, tmp_path, "kit").items():
        assert page.source == kit[name].source, name


def test_what_cannot_be_printed_is_told(book: Book, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="nothing called `poster`"):
        print_book(book, tmp_path, "poster")
    with pytest.raises(BadOption, match="no paper `a9`"):
        print_book(book, tmp_path, "book", paper="a9")
    (tmp_path / "none.rules").write_text(
        'rulescript 1\ngame "None", version "1"\nsequence\n    end game, draw\n', encoding="utf-8"
    )
    bare = collect(Subject.of(rulescript.load(tmp_path / "none.rules")), games=0)
    with pytest.raises(BadOption, match="has no cards to print"):
        print_book(bare, tmp_path, "cards")
    assert not list(tmp_path.glob("*.html"))
    assert sorted(printed(bare, tmp_path, "kit")) == ["aid", "book"]  # and no board


def test_hostile_texts_are_text_on_paper_too(tmp_path: Path) -> None:
    from tests.docgen.test_hostile import GAME

    (tmp_path / "evil.rules.md").write_text(GAME, encoding="utf-8")
    files = build_site(rulescript.load(tmp_path / "evil.rules.md"), tmp_path / "out", format="print kit", games=0)
    for path in files:
        if path.suffix == ".html":
            page = Page(path)
            assert not page.faults and not page.all("script") and not page.all("img") and not page.all("iframe")
            # What stands in the style sheet comes from us: a title cannot close it.
            assert page.source.count("<style") == page.source.count("</style>")
            for _, attrs in page.tags:
                assert not any(name.startswith("on") for name in attrs), attrs


# ------------------------------------------------------------------ PDF


@pytest.mark.skipif(NO_LIBRARY, reason="rulescript[pdf] is not installed")
def test_pdf_has_numbered_pages_and_the_same_bytes(book: Book, tmp_path: Path) -> None:
    first = print_book(book, tmp_path / "a", "kit", pdf=True)
    assert [path.suffix for path in first[:2]] == [".pdf", ".html"]
    second = print_book(book, tmp_path / "b", "kit", pdf=True)
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert 3 < _pages(first[0]) <= 40
    assert _pages(first[2]) <= 2


@pytest.mark.skipif(not NO_LIBRARY, reason="rulescript[pdf] is installed")
def test_without_the_library_it_says_what_to_do(book: Book, tmp_path: Path) -> None:
    with pytest.raises(BadOption) as refused:
        print_book(book, tmp_path, "book", pdf=True)
    assert "rulescript[pdf]" in str(refused.value.hint)
    assert [path.suffix for path in print_book(book, tmp_path, "book")] == [".html"]


def _pages(path: Path) -> int:
    """How many pages a PDF has; they are listed in streams that are packed."""
    found = 0
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL):
        with suppress(zlib.error):
            found += len(re.findall(rb"/Type\s*/Page\b(?!s)", zlib.decompress(packed)))
    return found


@pytest.mark.long
@pytest.mark.skipif(NO_LIBRARY, reason="rulescript[pdf] is not installed")
@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_a_rulebook_is_short_enough_for_the_table(name: str, tmp_path: Path) -> None:
    book = collect(Subject.of(rulescript.load(name)), games=0, jobs=2)
    files = {path.stem: path for path in print_book(book, tmp_path, "book", pdf=True) if path.suffix == ".pdf"}
    assert _pages(files[f"{name}-book"]) <= MOST_PAGES.get(name, 40)
    files = {path.stem: path for path in print_book(book, tmp_path, "aid", pdf=True) if path.suffix == ".pdf"}
    assert _pages(files[f"{name}-aid"]) == 2


def test_every_part_has_a_template() -> None:
    from rulescript.docgen.site import OWN_TEMPLATES

    for parts in PARTS.values():
        for part in parts:
            assert (OWN_TEMPLATES / "paper" / f"{part}.html").is_file()


# ------------------------------------------------------------------ pictures of examples in the rulebook


def drawn(wide: int, high: int) -> Markup:
    return Markup(f'<svg class="map" viewBox="10 20 {wide} {high}"></svg>')


def test_the_picture_of_an_example_is_as_large_as_its_letters_want() -> None:
    """A little of a map was blown up to half a page before, and much of it made so small that nobody could read it."""
    assert picture_width(drawn(100, 90), False) == picture_width(drawn(100, 90), True) == "22mm"
    assert picture_width(drawn(440, 200), False) == "97mm" and picture_width(drawn(440, 200), True) == "80mm"
    assert picture_width(drawn(900, 300), False) == picture_width(drawn(900, 300), True) == "164mm"


def test_an_example_whose_picture_can_be_read_goes_before_one_of_more_rules(book: Book) -> None:
    shown = next(e for e in chosen_examples(book) if e.tellings[0].before)
    telling = evolve(shown.tellings[0], before=drawn(1900, 1600), after=Markup(""))
    large = evolve(shown, title="Large", cites=(*shown.cites, *shown.cites), tellings=[telling])
    assert shown in chosen_examples(evolve(book, examples=[large, *book.examples]))
    assert large not in chosen_examples(evolve(book, examples=[large, *book.examples]))


def test_what_an_example_begins_with_stays_together(kit: dict[str, Page]) -> None:
    """Its title, what is given and the pictures: only what is then done goes on on the next page."""
    shown = kit["book"].source.split('<section class="shown-example"')[1:]
    assert shown
    for each in shown:
        before, _, after = each.partition("</div>\n<ul>")
        assert '<div class="begins">' in before
        assert "<figure" not in after.partition("</section>")[0]


STATES = """
rulescript 1
game "Signals", version "1"
values Side: Red, Blue
players Side
holds pack: Order
kind Order: side: Side
    home pack
things
    Order Night_march "Night march" Red
        "Once a game."
        state used: bool
        when rested "Night march"
            used = yes
    Order Dawn "Dawn" Blue
        "Once a game."
        state used: bool = yes
        when rested "Dawn"
            used = yes
state active: Side
state hour_of_day: int
signal rested
phase rest "Rest"
    choose sleep "Sleep"
        signal rested
        hour_of_day += 1
    or pass "Wake"
sequence
    rest
    end game, Red wins
"""


def test_what_a_card_keeps_for_itself_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "signals.rules").write_text(STATES)
    game = rulescript.load(tmp_path / "signals.rules")
    told = dict(own_states(game, take(game.start(1))))
    assert told["Dawn: used"] == "yes"
    assert "Night march: used" not in told  # as usual
    assert told["Hour of day"] == "0"


def _wide_game(across: int, down: int) -> str:
    towns = [[f"Town_{x}_{y}" for x in range(across)] for y in range(down)]
    lines = [f"    Town {t} at {50 - y}.0N {x}.0E" for y, row in enumerate(towns) for x, t in enumerate(row)]
    lines += [f"    road {' - '.join(row)}" for row in towns]
    lines += [f"    road {' - '.join(row[0] for row in towns)}"]
    return "\n".join(
        [
            'rulescript 1\ngame "Wide", version "1"\nvalues Side: Red, Blue\nplayers Side\nkind Town',
            "map Land\n    link road",
        ]
        + lines
        + ['sequence\n    end game, Red wins "at once"\n']
    )


@pytest.mark.parametrize(("across", "down", "sheets"), [(4, 4, 0), (12, 6, 1), (18, 9, 2)])
def test_names_on_the_map_of_a_rulebook_can_be_read(tmp_path: Path, across: int, down: int, sheets: int) -> None:
    """A map that would be too small between the margins has pages for itself."""
    (tmp_path / "wide.rules").write_text(_wide_game(across, down))
    wide = collect(Subject.of(rulescript.load(tmp_path / "wide.rules")), games=0)
    made = plates_of(wide.maps[0], PAPERS["a4"])
    assert (len(made.tiles) if made else 0) == sheets
    if made is None:
        return
    views = [tuple(map(float, re.findall(r'viewBox="([^"]*)"', tile.picture)[0].split())) for tile in made.tiles]
    scale = made.size[0] / views[0][2]
    assert LABEL * scale * 72 / 25.4 >= LEAST_NAME
    assert made.size[0] <= made.paper[0] - 2 * made.margin
    assert made.size[1] <= made.paper[1] - 40
    for before, after in zip(views, views[1:], strict=False):
        again = (before[0] + before[2] - after[0]) * scale
        assert after[1] != before[1] or NAME - 0.5 < again < NAME + 0.5  # a name at the edge is whole on one of them
    page = printed(wide, tmp_path, "book")["book"]
    assert len(page.has_class("plate")) == sheets
    assert "page: plate1" in page.source
    assert len(page.has_class("left")) == (made.columns == 2)  # two that lie beside each other face each other
    heads = re.findall(r'<div class="plate-head">(.*?)</div><figure>', page.source, re.DOTALL)
    assert ['class="legend"' in head for head in heads] == [True, False][:sheets]  # it is read beside the map
    # What is above the pictures is as high on each page, and nothing of one plate stands on the page of another.
    assert f".plate1 .plate-head {{ min-height: {made.head:.1f}mm; }}" in page.source
    assert made.size[1] + made.head <= made.paper[1] - 30
    assert ".plate { break-before: page; break-inside: avoid; }" in page.source


def test_a_long_legend_has_its_room_above_the_map(tmp_path: Path) -> None:
    (tmp_path / "wide.rules").write_text(_wide_game(18, 9))
    of = collect(Subject.of(rulescript.load(tmp_path / "wide.rules")), games=0).maps[0]
    many = evolve(of, sorts=[(f"road of the {n}th sort", 3, 0) for n in range(40)])
    short, long = plates_of(of, PAPERS["a4"]), plates_of(many, PAPERS["a4"])
    assert short and long and long.head > short.head + 15
    assert long.head + long.size[1] <= long.paper[1] - 30


@pytest.mark.skipif(NO_LIBRARY, reason="needs rulescript[pdf]")
def test_what_is_wide_is_not_cut_off_by_the_page(tmp_path: Path) -> None:
    """A table of many columns, a word of 400 letters and a very long title stay between the margins."""
    from weasyprint import HTML

    head = "| Delegation | " + " | ".join(f"Column{n}" for n in range(15)) + " |"
    row = "| The Grand Duchy of Upper Reed | " + " | ".join(str(n * 7) for n in range(15)) + " |"
    title = "The Protracted and Never Quite Concluded Negotiations of the Seventeen Reed Cantons"
    rules = f'rulescript 1\ngame "{title}", version "1"\nvalues Side: Red, Blue\nplayers Side\n'
    rules += "sequence\n    end game, Red wins\n"
    text = f"# {title}\n\n{'reed' * 100}\n\n## 1 Columns\n\n{head}\n|{'---|' * 16}\n{row}\n\n```rules\n{rules}```\n"
    (tmp_path / "wide.rules.md").write_text(text)
    book = collect(Subject.of(rulescript.load(tmp_path / "wide.rules.md")), games=0)
    [path] = [p for p in print_book(book, tmp_path, "book", pdf=False) if p.suffix == ".html"]
    pages = HTML(string=path.read_text(encoding="utf-8")).render().pages
    edges = [
        (round(box.position_x + box.width), type(box).__name__)
        for page in pages
        for box in page._page_box.descendants()
        if type(box).__name__ in ("TableBox", "TextBox") and isinstance(box.width, float | int)
    ]
    assert {name for _, name in edges} == {"TableBox", "TextBox"}
    assert max(edges)[0] <= (210 - 16) * 96 / 25.4 + 1, max(edges)
