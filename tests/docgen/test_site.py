"""The printed site: what is on it, that it hangs together, and that everybody can read it."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.book import collect
from rulescript.docgen.site import write_page
from rulescript.docgen.subject import Subject
from tests.docgen.conftest import Site

NAMES = ("lakes", "variant", "cards", "parted")


# ------------------------------------------------------------------ it hangs together


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_well_formed(sites: dict[str, Site], name: str) -> None:
    for page in sites[name].pages.values():
        assert not page.faults, (page.path.name, page.faults[:3])


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_anchor_leads_somewhere(sites: dict[str, Site], name: str) -> None:
    site = sites[name]
    files = {p.name for p in site.files}
    ids = {page.path.name: set(page.ids) for page in site.pages.values()}
    followed = 0
    for page in site.pages.values():
        for _, attrs in page.tags:
            for key in ("href", "src"):
                target = attrs.get(key)
                if target is None:
                    continue
                parts = urlsplit(target)
                if parts.scheme in ("http", "https"):
                    assert attrs.get("rel") == "noopener noreferrer"
                    continue
                assert not parts.scheme and not parts.netloc, (page.path.name, target)
                file = parts.path or page.path.name
                assert file in files, (page.path.name, target)
                if parts.fragment:
                    assert unquote(parts.fragment) in ids[file], (page.path.name, target)
                followed += 1
            for key in ("aria-controls", "aria-labelledby", "for"):
                for ident in (attrs.get(key) or "").split():
                    assert ident in ids[page.path.name], (page.path.name, key, ident)
    assert followed > 200


@pytest.mark.parametrize("name", NAMES)
def test_no_id_is_given_twice_on_a_page(sites: dict[str, Site], name: str) -> None:
    for page in sites[name].pages.values():
        twice = {i for i in page.ids if page.ids.count(i) > 1}
        assert not twice, (page.path.name, sorted(twice)[:5])


@pytest.mark.parametrize("name", NAMES)
def test_every_page_can_be_reached_from_the_first(sites: dict[str, Site], name: str) -> None:
    site = sites[name]
    seen: set[str] = set()
    todo = ["index"]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for attrs in site[here].all("a"):
            file = urlsplit(attrs.get("href") or "").path
            if file.endswith(".html"):
                todo.append(file.removesuffix(".html"))
    assert seen == set(site.pages)


def test_the_search_index_leads_to_what_it_promises(sites: dict[str, Site]) -> None:
    for site in sites.values():
        script = (site.folder / "search-index.js").read_text(encoding="utf-8")
        entries = json.loads(script.splitlines()[0].removeprefix("window.RULES_INDEX=").rstrip(";"))
        assert len(entries) > 40
        for title, sort, address, _text, weight in entries:
            assert 1 <= weight <= 40
            parts = urlsplit(address)
            page = site[parts.path.removesuffix(".html")]
            assert title and sort
            assert not parts.fragment or unquote(parts.fragment) in page.ids, address


def test_the_search_knows_what_things_are_called_otherwise(tmp_path: Path) -> None:
    (tmp_path / "names.rules").write_text(
        """rulescript 1
game "Names", version "1"
kind Land: adjective: text, also: list of text = []
things
    Land Upper_Vale  "Upper Vale" adjective "Alpine", also ["The Vale"]
    Land Moor  adjective "Moorish"
players Land
sequence
    end game, draw
""",
        encoding="utf-8",
    )
    book = collect(Subject.of(rulescript.load(tmp_path / "names.rules")), games=0)
    assert ["Moor", "Moorish"] in book.names
    assert ["Upper Vale", "Alpine", "The Vale", "UV", "UVA", "UVT"] in book.names


def test_the_search_prefers_what_a_player_reads(sites: dict[str, Site]) -> None:
    """Chapters before lists, lists before what is made of the rules; and the words on the first page are found too."""
    script = (sites["lakes"].folder / "search-index.js").read_text(encoding="utf-8")
    entries = json.loads(script.splitlines()[0].removeprefix("window.RULES_INDEX=").rstrip(";"))
    weight = {
        address.partition("#")[0]: weight for _, sort, address, _, weight in entries if sort in ("Page", "Chapter")
    }
    assert weight["rules-introduction.html"] > weight["cards.html"] > weight["coverage.html"]
    made = [weight for _, _, address, _, weight in entries if "#d-" in address]
    assert made and max(made) < weight["cards.html"]
    assert next(text for _, _, address, text, _ in entries if address == "index.html")


# ------------------------------------------------------------------ everybody can read it


@pytest.mark.parametrize("name", NAMES)
def test_headings_are_in_order(sites: dict[str, Site], name: str) -> None:
    for page in sites[name].pages.values():
        main = [h for h in page.headings if h[1] not in ("At the table", "The rules", "Reference", "For designers")]
        assert sum(1 for level, _ in main if level == 1) == 1, page.path.name
        above = 0
        for level, text in main:
            assert level <= above + 1, (page.path.name, text, above, level)
            assert text, page.path.name
            above = level


@pytest.mark.parametrize("name", NAMES)
def test_pages_have_a_language_a_title_a_skip_link_and_landmarks(sites: dict[str, Site], name: str) -> None:
    titles: list[str] = []
    for page in sites[name].pages.values():
        assert page.all("html")[0].get("lang") == "en"
        assert page.all("main")[0].get("id") == "content"
        assert page.has_class("skip")[0].get("href") == "#content"
        assert all(nav.get("aria-label") for nav in page.all("nav"))
        titles.append(re.search(r"<title>(.*?)</title>", page.source, re.S)[1])  # type: ignore[index]
        for field in (*page.all("input"), *page.all("select")):
            wrapped = re.search(r"<label[^>]*>[^<]*<(input|select)", page.source)
            assert wrapped or field.get("id"), page.path.name
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_has_words_for_those_who_do_not_see_it(sites: dict[str, Site], name: str) -> None:
    seen = 0
    for page in sites[name].pages.values():
        assert not page.all("img")
        for svg in page.all("svg"):
            assert svg.get("aria-hidden") == "true" or (
                svg.get("role") in ("img", "group") and svg.get("aria-labelledby")
            )
            seen += svg.get("role") in ("img", "group")
    assert seen > 4


@pytest.mark.parametrize("name", NAMES)
def test_every_table_names_its_columns(sites: dict[str, Site], name: str) -> None:
    for page in sites[name].pages.values():
        for head in page.all("th"):
            assert head.get("scope") in ("col", "row"), page.path.name


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sheet", ["colours.css", "dark.css", "print.css"])
def test_text_stands_out_from_what_is_behind_it(sheet: str) -> None:
    """WCAG AA: 4.5 to 1 for text, 3 to 1 for lines that mean something."""
    from rulescript.docgen.site import OWN_TEMPLATES

    text = (OWN_TEMPLATES / sheet).read_text(encoding="utf-8")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", text))
    colours = {k: v if len(v) == 7 else "#" + "".join(c * 2 for c in v[1:]) for k, v in found.items()}
    behind = ["paper", "sunk", "card", "plain", "water", "mark", "accent-soft"]
    behind += [f"c{i}" for i in range(14)] + [f"t{i}" for i in range(8)]
    for name in behind:
        assert _contrast(colours["ink"], colours[name]) >= 7, (sheet, name)
    for name in ("paper", "sunk", "card"):
        for front in ("soft", "accent"):
            assert _contrast(colours[front], colours[name]) >= 4.5, (sheet, front, name)
    assert _contrast(colours["accent"], colours["accent-soft"]) >= 4.5, sheet
    for front in ("line-strong", "link0", "link1", "link2", "link3", "link4", "link5", "sign"):
        assert _contrast(colours[front], colours["card"]) >= 3, (sheet, front)


def test_it_needs_no_network(sites: dict[str, Site]) -> None:
    for site in sites.values():
        for page in site.pages.values():
            for tag, attrs in page.tags:
                if tag in ("script", "link", "img", "iframe", "object", "embed", "source"):
                    address = attrs.get("src") or attrs.get("href") or ""
                    assert not urlsplit(address).scheme, (page.path.name, tag, address)
        for path in site.files:
            if path.suffix in (".css", ".js"):
                assert "http" not in path.read_text(encoding="utf-8"), path.name
                # A map in the library for the search has a method of that name, which is no call.
                assert not re.search(r"(?<![.\w])fetch\([^)]*\)(?!{)", path.read_text(encoding="utf-8")), path.name


# ------------------------------------------------------------------ what is on it


def test_the_first_page_says_what_the_game_is(lakes: Site) -> None:
    words = lakes["index"].words
    for wanted in (
        "Two Lakes", "Version 3", "Design Nobody in particular", "A quarrel about fish.", "Players 2: North, South",
        "a quarter of an hour", "3 seasons, spring to the autumn", "a map of 6 places; 10 crews of 4 types",
        "six-sided dice", "Fog on the water", "A late start", "some things are hidden",
    ):  # fmt: skip
        assert wanted in words, wanted


def test_the_sequence_is_an_outline_and_a_diagram(lakes: Site) -> None:
    page = lakes["sequence"]
    assert "For each season, first spring, then summer and the autumn" in page.words
    assert "If the turn is not spring" in page.words
    assert len(page.has_class("flow")) >= 2
    drawn = re.search(r'<svg class="flow".*?</svg>', page.source, re.S)
    assert drawn
    for title in ("Set-up", "Marching", "Fighting", "Cards", "For each side"):
        assert title in drawn[0]
    assert re.search(r'<a href="rules-introduction.html#d-phase-marching"><g class="phase leaf">', drawn[0])


def test_chapters_weave_prose_rules_and_code(lakes: Site) -> None:
    page = lakes["rules-introduction"]
    assert "Two towns quarrel about the fish." in page.words
    assert "Your own crews march, each once in a turn" in page.words
    assert "The crew is yours." in page.words
    assert "choose march: c in Place.crews" in page.words  # the code, under its fold
    assert 'href="rules-battle.html"' in page.source  # a link of the prose to another file
    assert re.search(r'<a href="[^"]*#r-2.1" class="cite">§2.1</a> for who may march', page.source)


def test_every_written_rule_is_an_anchor(lakes: Site) -> None:
    ids = {i for page in lakes.pages.values() for i in page.ids}
    for ident in (
        "1",
        "1.1",
        "2",
        "2.1",
        "2.2",
        "2.3",
        "2.3-a",
        "2.4",
        "3",
        "3.1",
        "3.2",
        "3.3",
        "4",
        "4-a",
        "5",
        "6",
        "7",
    ):
        assert f"r-{ident}" in ids, ident
    assert "r-A-2" not in ids and "i-r-A-2" in ids  # nothing follows it, but it has its line in the index


def test_the_map_has_every_space_and_a_legend(sites: dict[str, Site]) -> None:
    for site in sites.values():
        page = site["map"]
        picture = re.search(r'<svg class="map" role="group".*?</svg>', page.source, re.S)
        assert picture
        rows = re.findall(r'<tr id="(space-[^"]+)"><th scope="row">(?:<span[^>]*></span>)*([^<]+)</th>', page.source)
        assert len(rows) == picture[0].count('class="space"') > 3
        for anchor, label in rows:
            assert f'href="#{anchor}"' in picture[0], label
            for word in label.split():
                assert word in picture[0]
    page = sites["lakes"]["map"]
    for wanted in ("path (4, 1 reconstructed", "water (3)", "harbour", "fish", "sea", "Owner: North South"):
        assert wanted in page.words, wanted
    assert "marker-end" in page.source  # one way to the far isle


def test_components_and_counts(lakes: Site) -> None:
    words = lakes["components"].words
    assert "Crews 4 10" in words and "Places 6 6" in words and "Cards 5 5" in words
    assert "Northern boat North boat 3" in words
    assert "Dice with 6 sides" in words


def test_tables_are_tables(lakes: Site) -> None:
    page = lakes["tables"]
    assert "Roll ↓ Strength → 0–1 2–3 4+" in page.words
    assert "otherwise 1 1 2" in page.words
    assert "Reconstructed: one corner is torn off." in page.words
    assert "Season track" in page.words


def test_the_gallery_has_filters(lakes: Site) -> None:
    page = lakes["cards"]
    assert [s.get("data-filter") for s in page.all("select")] == ["side", "worth"]
    cards = page.has_class("card")
    assert len(cards) == 5  # the two Rains are one card with two copies; the fog has a card of its own
    assert "It comes with the fog." in page.words and 'id="card-mist"' in page.source
    assert json.loads(cards[0]["data-values"] or "") == {"side": ["North"], "worth": ["1"]}
    for wanted in (
        "Rain ×2",
        "Everybody loses a fish.",
        "Add Feast's worth to the side's catch.",
        "Storm over the place",
    ):
        assert wanted in page.words, wanted
    assert "While in force, add 1 if" in page.words  # that is said first, and not behind the conditions
    assert ", while in force" not in " ".join(p.words for p in lakes.pages.values())


def test_decisions_have_conditions_in_english_with_their_rules(lakes: Site) -> None:
    page = lakes["decisions"]
    for said, denied, rule in [
        ("The crew is yours.", "The crew is not yours.", "2.1"),
        ("The crew is not tired.", "The crew is tired.", "2.2"),
    ]:
        row = re.search(rf"<td>{re.escape(said).replace(chr(39), '&#39;')}.*?</tr>", page.source, re.S)
        assert row, said
        assert denied.replace("'", "&#39;") in row[0]
        assert f"#r-{rule}" in row[0]
    for title in ("March", "Fight", "Lose", "Play card", "Storm"):
        assert any(text.startswith(title) for _, text in page.headings), title
    # What only an option asks for is there too, and says so.
    for title, option in (("Drift", "Fog on the water"), ("Rest the crew", "Thick fog")):
        heading = next(text for _, text in page.headings if text.startswith(title))
        assert option in heading, heading


def test_options_tell_what_they_change(lakes: Site) -> None:
    page = lakes["options"]
    for wanted in (
        "Fog on the water", "1 new limit, 1 exception, 1 new way to choose, 1 value changed",
        "While the turn is the autumn, the crew is not a boat.", "does not count if the crew's place is",
        "Subtract 1, but not below 1, if the place is a sea.", "Wait for the fog to lift",
        "It needs Fog on the water", "The Old Mill", "Rest the crew", "A late start",
        "Place 2 Southern anglers in Mill.",
    ):  # fmt: skip
        assert wanted in page.words, wanted


def test_scenarios_have_pictures_of_their_set_up(lakes: Site) -> None:
    page = lakes["setup"]
    assert [t for _, t in page.headings if t.startswith(("The game itself", "A late start"))]
    assert len(re.findall('<svg class="map" role="(?:img|group)"', page.source)) == 2
    assert "2 Southern angler" in page.words
    assert "left to chance" in page.words


def test_examples_show_the_position_before_and_after(lakes: Site) -> None:
    page = lakes["examples"]
    for wanted in (
        "A boat crosses the water",
        "Possible places (crew: Northern boat): exactly Mill, Reeds, Otter, The Broad, Far Isle.",
        "march Northern angler to The Broad: refused §2.3", "North: march Northern boat to The Broad",
        "Before", "After", "Nobody holds Heron.", "one is left", "Fog in autumn",
    ):  # fmt: skip
        assert wanted in page.words, wanted
    for wanted in ("Ten crews", "Nobody is drowned"):
        assert wanted in lakes["claims"].words and wanted not in page.words
    figures = page.source.count("<figure")
    assert figures >= 6
    assert page.has_class("new")  # what the play put somewhere is marked
    assert 'class="die">4<' in page.source


def test_indexes_list_terms_and_rules_with_coverage(lakes: Site) -> None:
    terms = lakes["terms"].words
    for wanted in (
        "Heron place",
        "Feast card",
        "Has room condition",
        "Marching phase",
        "Hits table",
        "Fog on the water",
    ):
        assert wanted in terms, wanted
    page = lakes["coverage"]
    row = re.search(r'<tr class="([^"]*)"><th scope="row"><a href="[^"]*r-3.1">.*?</tr>', page.source, re.S)
    assert row and "tried" in row[1] and "2 examples" not in row[0] and "1 example" in row[0]
    absent = re.search(r'<tr id="i-r-A-2" class="([^"]*)"', lakes["rules"].source)
    assert absent and "absent" in absent[1]
    assert "Reached" not in lakes["rules"].words


def test_what_is_for_designers_stands_apart(lakes: Site) -> None:
    menu = re.search(r"<h2>For designers</h2>\s*<ul>(.*?)</ul>", lakes["index"].source, re.S)
    assert menu
    for name in ("claims", "coverage", "readings", "reconstructed", "rules-map", "rules-rulebook"):
        assert (f'href="{name}.html"' in menu[1]) is (name in lakes.pages), name
    assert "Nobody is drowned" not in lakes["rules-introduction"].words


def test_prose_leads_and_what_is_made_of_it_is_folded(lakes: Site) -> None:
    source = lakes["rules-introduction"].source
    prose = source.index("Your own crews march, each once in a turn")
    fold = source.index('<details class="exactly">', prose)
    assert fold < source.index('id="d-phase-marching"') < source.index("</details>", fold)
    # A rule that the prose does not state keeps its generated sentence in the open.
    before = re.sub(r"<details.*?</details>", "", source, flags=re.S)
    assert "The crew is not tired." in before and "#r-2.2" in before
    assert "entry phase" not in before  # what the prose tells is folded


def test_what_is_reconstructed_is_listed_with_its_reason(lakes: Site) -> None:
    words = lakes["reconstructed"].words
    for what, why in [
        ("Reeds", "nobody drew it"), ("Mill – Otter", "the map is torn"), ("hits", "one corner is torn off"),
        ("Storm", "its text is not known"),
        ("2 Northern boat and 1 Northern angler in Heron", "the set-up card is lost"),
    ]:  # fmt: skip
        assert what in words and why in words, what


def test_readings_say_where_they_are_followed(lakes: Site) -> None:
    words = lakes["readings"].words
    assert re.search(r"A tie in losses .*? Followed in Quarrel", words)
    assert "Nobody knows No rule in this book cites it." in words


def test_a_variant_has_a_page_of_differences(sites: dict[str, Site]) -> None:
    page = sites["variant"]["differences"]
    for wanted in (
        "Crowded Roads in Winter is played like Crowded Roads", "Rules that are replaced", "The sequence of play",
        "No longer: Enemies never meet", "New limits", "While the weather is thaw, the area is not The Ice.",
        "An exception to whether the unit may join for the area",
        "The requirement “one nation” does not count if the area is The Ice",
        "After Movement", "As soon as the weather is thaw", "Changed: Stone Hold", "not fortress", "Changed: Morland",
        "limit 4", "The map: Ice", "Enemies meet on the ice only",
    ):  # fmt: skip
        assert wanted in page.words, wanted
    assert "differences" not in sites["lakes"].pages
    assert "The Ice" in sites["variant"]["map"].words
    assert "From Crowded Roads, the game this one builds on." in " ".join(
        p.words for p in sites["variant"].pages.values()
    )


def test_the_rulebook_is_one_page(lakes: Site) -> None:
    """Everything a player reads is on it, and nothing that is for designers."""
    page = lakes["book"]
    for wanted in (
        "Two Lakes", "Contents", "Sequence of play", "Your own crews march, each once in a turn", "Fog on the water",
        "Set-up", "Everybody loses a fish.", "Roll ↓ Strength → 0–1 2–3 4+", "A boat crosses the water",
    ):  # fmt: skip
        assert wanted in page.words, wanted
    for strange in ("phase marching", "Nobody is drowned", "torn off", "It must be so that"):
        assert strange not in page.words, strange
    assert len(re.findall('<svg class="map(?: part)?" role="(?:img|group)"', page.source)) > 1


def test_paper_has_a_style_of_its_own(lakes: Site) -> None:
    style = (lakes.folder / "style.css").read_text(encoding="utf-8")
    assert "@media print" in style and "(prefers-color-scheme: dark)" in style
    assert "{%" not in style and "{{" not in style


def test_options_in_force_are_named(tmp_path: Path) -> None:
    import rulescript
    from rulescript.docgen import build_site
    from tests.docgen.conftest import LAKES

    files = build_site(rulescript.load(LAKES, options=["fog"]), tmp_path, games=1)
    site = Site(tmp_path, files)
    assert "with Fog on the water" in site["index"].words
    assert "in force in this book" in site["options"].words
    assert "Only if: The crew is yours" in site["rules-introduction"].words
    assert "While the turn is the autumn, the crew is not a boat." in site["rules-introduction"].words


def test_many_examples_stand_on_several_pages(sites: dict[str, Site]) -> None:
    """One page lists them all; the text of each stands on one page, and everybody who names it leads there."""
    parted, lakes = sites["parted"], sites["lakes"]
    several = [name for name in parted.pages if name.startswith("examples-")]
    assert len(several) == 3 and not any(name.startswith("examples-") for name in lakes.pages)
    section = r'<section class="example-of-play" id="([^"]*)"'
    shown = {name: re.findall(section, parted[name].source) for name in several}
    together = re.findall(section, lakes["examples"].source)
    assert sorted(a for anchors in shown.values() for a in anchors) == sorted(together)
    assert 'class="example-of-play"' not in parted["examples"].source
    for name, (anchor,) in shown.items():
        assert f'href="{name}.html#{anchor}"' in parted["examples"].source
        assert f"{name}.html#{anchor}" in (parted.folder / "search-index.js").read_text(encoding="utf-8")
        assert not any(f'href="examples.html#{anchor}"' in page.source for page in parted.pages.values())


def test_a_page_is_never_seen_half_written(tmp_path: Path) -> None:
    """`docs --serve` prints into the folder that it shows."""
    text = "old" * 500_000, "new" * 500_000
    path = tmp_path / "page.html"
    write_page(path, text[0])
    seen: set[str] = set()
    with ThreadPoolExecutor(1) as others:
        writing = others.submit(lambda: [write_page(path, text[n % 2]) for n in range(60)])
        while not writing.done():
            seen.add(path.read_text())
    assert seen <= set(text)
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_only_a_word_that_no_column_has_room_for_is_broken(tmp_path: Path) -> None:
    """On a phone a name of one long word left no room for what is said of it; others keep their words whole."""
    text = """
rulescript 1
game "Names", version "1"
values Side: Red, Blue
players Side
kind Town
    holds units: Unit
map Land
    link road
    Town Lowerwaterhousenundersee
    Town Mill
    road Lowerwaterhousenundersee - Mill
pieces Unit: side: Side
    home box
holds box: Unit
things
    Unit Red_foot  Red, 3
state active: Side
phase march "March"
    place 1 Red_foot in Mill
    place 1 Red_foot in Lowerwaterhousenundersee
    choose rest "Rest"
        place 1 Red_foot in Mill
    or pass "Stay"
sequence
    march
    end game, Red wins
"""
    (tmp_path / "names.rules").write_text(text)
    build_site(rulescript.load(tmp_path / "names.rules"), tmp_path / "site", games=0)
    for name in ("map", "setup"):
        heads = re.findall(r'<th scope="row"( class="wordy")?>', (tmp_path / "site" / f"{name}.html").read_text())
        assert sorted(map(bool, heads))[-2:] == [False, True], name
