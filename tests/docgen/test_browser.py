"""The printed reference in a real browser: `make test-browser`.

Without RULESCRIPT_BROWSER set, these tests are left out; with it, a missing chromium is a failure that says so.
Pictures of what was looked at go to the folder RULESCRIPT_PICTURES names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.book import collect
from rulescript.docgen.paper import print_book
from rulescript.docgen.subject import Subject
from rulescript.loader import bundled_games
from tests.docgen.browser import Browser, find_browser
from tests.docgen.conftest import CARDS, LAKES, VARIANT

pytestmark = pytest.mark.skipif(not os.environ.get("RULESCRIPT_BROWSER"), reason="run with `make test-browser`")

FAVOURITE = "attrition_of_souls"
GAMES: dict[str, Any] = {"lakes": LAKES, "cards": CARDS, "variant": VARIANT}
# The large ones take minutes each: RULESCRIPT_BROWSER=all, or one of them with `-k` and its name.
if os.environ.get("RULESCRIPT_BROWSER") == "all":
    GAMES |= {name: name for name in sorted(bundled_games())}
WAITING = "new Promise(r => requestAnimationFrame(() => setTimeout(r, 60)))"


@pytest.fixture(scope="module")
def browsers() -> Iterator[list[Browser]]:
    made: list[Browser] = []
    yield made
    for each in made:
        each.close()


@pytest.fixture
def browser(browsers: list[Browser]) -> Browser:
    """One for all tests; another if that has gone: a fault of one page is told once."""
    if not browsers or not browsers[-1].is_there:
        program = find_browser()
        if program is None:
            pytest.fail("there is no chromium here: install it (on Debian: apt-get install chromium), then try again")
        browsers.append(Browser(program))
    return browsers[-1]


class Folders(dict[str, Path]):
    """Sites by the names of their games, each printed when it is first looked at."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        super().__init__()
        self._factory = factory

    def __missing__(self, name: str) -> Path:
        self[name] = self._factory.mktemp(name)
        build_site(rulescript.load(GAMES[name]), self[name], games=3)
        return self[name]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return Folders(tmp_path_factory)


def pages(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.html"))


def keep(browser: Browser, name: str) -> None:
    """A picture of what is seen now, if somebody wants it."""
    wanted = os.environ.get("RULESCRIPT_PICTURES")
    if wanted:
        Path(wanted).mkdir(parents=True, exist_ok=True)
        browser.picture(Path(wanted) / f"{name}.png")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_page_opens_from_disk_without_complaint(browser: Browser, folders: dict[str, Path], name: str) -> None:
    browser.look()
    browser.messages.clear()
    browser.requests.clear()
    for path in pages(folders[name]):
        browser.open(path)
        assert browser.run("document.readyState") == "complete"
        assert browser.run("document.querySelectorAll('h1').length") == 1
        assert browser.run("getComputedStyle(document.querySelector('main')).display") == "block", path.name
        assert not browser.messages, (path.name, browser.messages)
    strange = [url for url in browser.requests if not url.startswith(("file:", "about:", "data:"))]
    assert not strange


@pytest.mark.parametrize("name", sorted(GAMES))
def test_links_lead_to_places_that_exist(browser: Browser, folders: dict[str, Path], name: str) -> None:
    """As the browser sees them, after its own reading of the page."""
    script = "[...document.querySelectorAll('a[href]')].map(a => a.href.baseVal ?? a.getAttribute('href'))"
    wanted: dict[str, set[str]] = {}
    ids: dict[str, set[str]] = {}
    for path in pages(folders[name]):
        browser.open(path)
        ids[path.name] = set(browser.run("[...document.querySelectorAll('[id]')].map(e => e.id)"))
        for target in browser.run(script):
            file, _, anchor = target.partition("#")
            if not file.startswith("http"):
                wanted.setdefault(file or path.name, set()).add(anchor)
    for file, anchors in wanted.items():
        assert file in ids, file
        assert anchors - {""} <= ids[file], (file, sorted(anchors - ids[file] - {""})[:3])


def test_an_anchor_brings_its_rule_into_view(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["lakes"] / "rules-introduction.html", "r-2.3-a")
    browser.run(WAITING)
    top = browser.run("document.getElementById('r-2.3-a').parentElement.getBoundingClientRect().top")
    assert 40 <= top < 900  # not under the bar at the top


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_search_finds_and_leads_there(browser: Browser, folders: dict[str, Path], name: str) -> None:
    browser.look()
    browser.open(folders[name] / "index.html")
    browser.key("/", 191)
    assert browser.run("document.activeElement.id") == "find"  # the shortcut
    label = browser.run("RULES_INDEX.find(e => e[2].startsWith('map.html#'))[0]")
    browser.type(label)
    browser.run(WAITING)
    titles = browser.run("[...document.querySelectorAll('#found a > span:first-child')].map(e => e.textContent)")
    assert label in titles[:4]
    assert browser.run("document.getElementById('find').getAttribute('aria-expanded')") == "true"
    browser.key("ArrowDown", 40)
    assert browser.run("document.querySelectorAll('#found [aria-selected=true]').length") == 1
    address = browser.run("document.querySelector('#found [aria-selected=true]').getAttribute('href')")
    keep(browser, f"{name}-search")
    before = browser._loaded
    browser.key("Enter", 13)
    browser._wait(before)
    assert browser.run("location.pathname.split('/').pop() + location.hash") == address


def test_the_search_by_number_and_the_search_for_nothing(browser: Browser, folders: dict[str, Path]) -> None:
    browser.open(folders["lakes"] / "index.html")
    browser.run("document.getElementById('find').focus()")
    browser.type("2.3-a")
    browser.run(WAITING)
    assert browser.run("document.querySelector('#found a').textContent").startswith("§2.3-a")
    browser.key("Escape", 27)
    browser.type("xyzzy plugh")
    browser.run(WAITING)
    assert browser.run("document.getElementById('found').textContent") == "Nothing found."
    assert browser.run("document.getElementById('found-count').textContent") == "Nothing found"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_map_shows_every_space_and_can_be_read(browser: Browser, folders: dict[str, Path], name: str) -> None:
    browser.look(1500, 1100)
    browser.open(folders[name] / "map.html")
    rows = browser.run("document.querySelectorAll('table.spaces tbody tr').length")
    assert browser.run("document.querySelectorAll('.map-figure svg.map .space').length") == rows > 3
    # Of areas, which lie beside each other as they are shaped, what must not meet is their names, and boxes.
    told = browser.run(
        """[...document.querySelectorAll(document.querySelector('.map-figure svg.map .box.area')
            ? '.map-figure svg.map .spaces :is(.label, .space)' : '.map-figure svg.map .space')].map(g => {
          const box = (g.querySelector('.box') || g).getBBox();
          return {name: g.textContent.slice(0, 40), round: !!g.querySelector('ellipse.box'),
            x: box.x, y: box.y, w: box.width, h: box.height,
            inside: [...g.querySelectorAll('text')].every(t => {
              const b = t.getBBox();
              return b.x >= box.x - 1 && b.x + b.width <= box.x + box.width + 1 && b.y >= box.y - 1
                && b.y + b.height <= box.y + box.height + 2; })};
        })"""
    )
    assert len(told) >= rows
    for at, a in enumerate(told):
        assert a["inside"], f"a text does not fit into {a['name']}"
        for b in told[:at]:
            slack = 4 if a["round"] and b["round"] else 0  # the corners of what is round are empty
            apart = (
                a["x"] >= b["x"] + b["w"] - slack
                or b["x"] >= a["x"] + a["w"] - slack
                or a["y"] >= b["y"] + b["h"] - slack
                or b["y"] >= a["y"] + a["h"] - slack
            )
            assert apart, (a["name"], b["name"])
    keep(browser, f"{name}-map")
    styles = browser.run(
        """[...document.querySelectorAll('.legend .link')].map(e => {
          const s = getComputedStyle(e); return s.stroke + s.strokeDasharray + s.strokeWidth; })"""
    )
    assert len(styles) == len(set(styles))  # sorts of links can be told apart


def _luminance(colour: str) -> float:
    parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_can_be_read(browser: Browser, folders: dict[str, Path], dark: bool) -> None:
    browser.look(dark=dark)
    for page in ("index", "rules-introduction", "map", "decisions", "cards", "examples"):
        browser.open(folders["lakes"] / f"{page}.html")
        paper = _luminance(browser.run("getComputedStyle(document.body).backgroundColor"))
        ink = _luminance(browser.run("getComputedStyle(document.body).color"))
        assert (paper < 0.1) is dark
        light, low = max(paper, ink), min(paper, ink)
        assert (light + 0.05) / (low + 0.05) > 7
        keep(browser, f"lakes-{page}-{'dark' if dark else 'light'}")


def test_the_reader_can_choose_the_colours(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["lakes"] / "index.html")
    seen = []
    for _ in range(3):
        browser.run("document.querySelector('.theme').click()")
        seen.append(browser.run("document.documentElement.dataset.theme ?? 'auto'"))
    assert seen == ["dark", "light", "auto"]
    browser.run("document.querySelector('.theme').click()")
    assert _luminance(browser.run("getComputedStyle(document.body).backgroundColor")) < 0.1
    browser.run("document.querySelector('.theme').click(); document.querySelector('.theme').click()")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_phone_shows_everything_without_moving_sideways(
    browser: Browser, folders: dict[str, Path], name: str
) -> None:
    browser.look(390, 844, phone=True)
    for path in pages(folders[name]):
        browser.open(path)
        wide = browser.run("document.documentElement.scrollWidth")
        assert wide <= 391, (path.name, wide)
    browser.open(folders[name] / "map.html")
    assert browser.run("getComputedStyle(document.getElementById('contents')).display") == "none"
    browser.run("document.querySelector('.menu').click()")
    assert browser.run("getComputedStyle(document.getElementById('contents')).display") != "none"
    assert browser.run("document.querySelector('.menu').getAttribute('aria-expanded')") == "true"
    browser.run("document.querySelector('.menu').click()")
    keep(browser, f"{name}-phone")


def test_the_keyboard_is_enough(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["lakes"] / "cards.html")
    browser.key("Tab", 9)
    assert browser.run("document.activeElement.className") == "skip"
    assert browser.run("document.activeElement.getBoundingClientRect().left") >= 0  # it shows itself
    before = browser.run("location.hash")
    browser.key("Enter", 13)
    browser.run("document.activeElement.click()")
    assert browser.run("location.hash") == "#content" != before
    for _ in range(3):
        browser.key("Tab", 9)
    assert browser.run("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_cards_can_be_filtered(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["cards"] / "cards.html")
    shown = "[...document.querySelectorAll('.card')].filter(c => !c.hidden).length"
    everything = browser.run(shown)
    browser.run(
        """(() => { const s = document.querySelector('[data-filter=country]'); s.value = 'Germany';
        s.dispatchEvent(new Event('change', {bubbles: true})); })()"""
    )
    some = browser.run(shown)
    assert 0 < some < everything
    assert browser.run("document.querySelector('.filters .shown').textContent") == f"{some} of {everything} shown"
    browser.run(
        """(() => { const t = document.querySelector('[data-text]'); t.value = 'zeppelins';
        t.dispatchEvent(new Event('input', {bubbles: true})); })()"""
    )
    assert browser.run(shown) == 1
    keep(browser, "cards-filtered")
    browser.run("document.querySelector('[data-clear]').click()")
    assert browser.run(shown) == everything


def test_the_index_of_rules_can_be_filtered(browser: Browser, folders: dict[str, Path]) -> None:
    browser.open(folders["lakes"] / "coverage.html")
    browser.run(
        """(() => { const s = document.querySelector('[data-rules] select'); s.value = 'absent';
        s.dispatchEvent(new Event('change', {bubbles: true})); })()"""
    )
    left = browser.run(
        "[...document.querySelectorAll('.index tbody tr')].filter(r => !r.hidden).map(r => r.cells[0].textContent)"
    )
    assert "§A-2" in left and "§2.1" not in left


def test_a_link_into_a_fold_opens_it(browser: Browser, folders: dict[str, Path]) -> None:
    browser.open(folders["lakes"] / "options.html")
    script = "document.querySelector('details.group:not([open]) [id]')?.id ?? ''"
    hidden = browser.run(script)
    if hidden:
        browser.open(folders["lakes"] / "options.html", hidden)
        browser.run(WAITING)
        assert browser.run(f"document.getElementById('{hidden}').closest('details').open")


@pytest.mark.parametrize("name", ["lakes", "cards"])
def test_paper_shows_the_rules_and_nothing_else(
    browser: Browser, folders: dict[str, Path], name: str, tmp_path: Path
) -> None:
    browser.look(900, 1200, media="print", dark=True)
    browser.open(folders[name] / "book.html")
    for part in (".top", ".contents", ".skip", ".print-hint"):
        assert browser.run(f"getComputedStyle(document.querySelector('{part}')).display") == "none", part
    assert browser.run("getComputedStyle(document.querySelector('main')).display") == "block"
    # On paper it is always black on white, whatever the screen prefers.
    assert _luminance(browser.run("getComputedStyle(document.querySelector('main p')).color")) < 0.2
    keep(browser, f"{name}-print")
    browser.pdf(tmp_path / "book.pdf")
    assert 3 < pages_in(tmp_path / "book.pdf") <= 40
    browser.look()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_an_aid_printed_from_a_browser_has_room_on_its_pages(browser: Browser, tmp_path: Path, name: str) -> None:
    """It is measured before it is printed, in the widths of another program."""
    book = collect(Subject.of(rulescript.load(GAMES[name])), games=0)
    (path,) = print_book(book, tmp_path, "aid", pdf=False)
    browser.look(1200, 900, media="print")
    browser.open(path)
    sides = browser.run("document.querySelectorAll('.side').length")
    assert 1 <= sides <= 2
    browser.pdf(tmp_path / "aid.pdf")
    assert pages_in(tmp_path / "aid.pdf") == sides
    wide = "[...document.querySelectorAll('.column')].filter(c => c.scrollWidth > c.clientWidth + 2).length"
    assert browser.run(wide) == 0
    browser.look()


def pages_in(path: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", path.read_bytes()))


# ------------------------------------------------------------------ accessibility, sizes, words


@pytest.fixture(scope="module")
def axe() -> str:
    named = os.environ.get("RULESCRIPT_AXE")
    path = Path(named) if named else Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.fail("axe-core is not here: `npm install --no-save axe-core`, or name its file with RULESCRIPT_AXE")
    return path.read_text(encoding="utf-8")


SIZES = {"desk": (1280, 900, False), "tablet": (800, 1100, False), "phone": (390, 844, True)}
RUN_AXE = """axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(
  v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + n.html.slice(0, 120)).join(' | ')))"""


@pytest.mark.parametrize("size", sorted(SIZES))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_axe_finds_nothing(browser: Browser, folders: dict[str, Path], name: str, size: str, axe: str) -> None:
    """On no page, in no size, folded and with everything open, in the light and in the dark."""
    wide, high, phone = SIZES[size]
    for number, path in enumerate(pages(folders[name])):
        browser.look(wide, high, phone=phone, dark=bool(number % 2))
        browser.open(path)
        if number % 3 == 0:
            browser.run("document.querySelector('.exact:not([hidden])')?.click()")
        browser.add_script(axe)
        assert browser.run(RUN_AXE) == [], path.name
        if number % 3 == 0:
            browser.run("document.querySelector('.exact:not([hidden])')?.click()")
    browser.look()


@pytest.mark.parametrize("size", sorted(SIZES))
def test_axe_finds_nothing_in_reports_either(browser: Browser, tmp_path: Path, size: str, axe: str) -> None:
    """The page about many games, about two runs and about a number set to several."""
    from rulescript.simulation import Sweep, compare, simulate, varied
    from rulescript.simulation.page import comparison_page, run_page, sweep_page
    from tests.simulation.conftest import FAIR

    games = [(worth, varied(rulescript.load(FAIR), {"Silk_1.worth": worth})) for worth in (1, 50)]
    runs = [(worth, simulate(game, 30, jobs=1, follow=1, pairs=True)) for worth, game in games]
    one, two = (run for _, run in runs)
    made = {"one": run_page(one), "two": comparison_page(compare(one, two))}
    made["sweep"] = sweep_page(Sweep("Silk_1.worth", runs))
    wide, high, phone = SIZES[size]
    browser.messages.clear()
    for number, (name, text) in enumerate(made.items()):
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        browser.look(wide, high, phone=phone, dark=bool(number % 2))
        browser.open(tmp_path / f"{name}.html")
        browser.run("document.querySelectorAll('details').forEach(e => e.open = true)")
        browser.add_script(axe)
        assert browser.run(RUN_AXE) == [], name
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), name
        assert browser.run(SMALL) == [] or not phone, name
        assert not browser.messages, (name, browser.messages)
    browser.look()


SMALL = """[...document.querySelectorAll('body *')].filter(e => {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) return false;
  const box = e.getBoundingClientRect();
  if (!box.width || !box.height || e.closest('[hidden], .unseen, defs, script, title, desc')) return false;
  const matrix = e.ownerSVGElement ? e.getScreenCTM() : null;
  const size = parseFloat(getComputedStyle(e).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
  return size < 10.95; }).slice(0, 4).map(e => e.tagName + '.' + e.getAttribute('class') + ' '
    + e.textContent.trim().slice(0, 30) + ' ' + getComputedStyle(e).fontSize)"""


@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_text_on_a_phone_is_smaller_than_11_pixels(browser: Browser, folders: dict[str, Path], name: str) -> None:
    browser.look(390, 844, phone=True)
    for path in pages(folders[name]):
        browser.open(path)
        assert browser.run(SMALL) == [], path.name
    browser.look()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_on_a_phone_a_row_of_a_long_list_is_told_by_itself(
    browser: Browser, folders: dict[str, Path], name: str
) -> None:
    """Nobody moves a list of spaces or rules sideways to see what is said of one; each value has its column's name."""
    browser.look(390, 844, phone=True)
    seen = 0
    for path in pages(folders[name]):
        browser.open(path)
        tables = browser.run(
            """[...document.querySelectorAll('.stack')].filter(t => t.offsetWidth).map(t => [
              t.parentElement.scrollWidth - t.parentElement.clientWidth,
              [...t.querySelectorAll('td:not(:empty, .what, .words)')].filter(c => c.offsetWidth &&
                !getComputedStyle(c, '::before').content.includes(c.dataset.label || '?')).length])"""
        )
        seen += len(tables)
        assert all(over <= 1 and not bare for over, bare in tables), (path.name, tables)
    assert seen >= 3
    browser.look(1280, 900)
    browser.open(folders[name] / "map.html")
    assert browser.run("getComputedStyle(document.querySelector('.stack tr')).display") == "table-row"


def test_on_a_phone_the_words_of_a_broad_table_are_whole(browser: Browser, tmp_path: Path, axe: str) -> None:
    """Where it has many columns it is moved about by itself, and what a row is of stays beside it."""
    head = " | ".join(f"Column {n}" for n in range(14))
    rows = "\n".join(f"| Canton {r} | " + " | ".join(str(r * n * 37) for n in range(14)) + " |" for r in range(1, 6))
    table = f"| canton | {head} |\n| --- {'| --- ' * 14}|\n{rows}"
    rules = 'rulescript 1\ngame "Broad", version "1"\nvalues Side: Red\nplayers Side\nsequence\n    end game, draw\n'
    (tmp_path / "broad.rules.md").write_text(f"# Broad\n\n{table}\n\n```rules\n{rules}```\n", encoding="utf-8")
    build_site(rulescript.load(tmp_path / "broad.rules.md"), tmp_path / "site", games=1)
    browser.look(390, 844, phone=True)
    browser.open(tmp_path / "site" / "rules-broad.html")
    assert browser.run("document.documentElement.scrollWidth") <= 391
    cells = "[...document.querySelectorAll('.prose td:not(:first-child)')]"
    assert browser.run(f"new Set({cells}.map(c => c.getClientRects()[0].height)).size") == 1
    browser.run("document.querySelector('.prose .scroll').scrollLeft = 300")
    browser.run(WAITING)
    assert 0 <= browser.run("document.querySelector('.prose tbody td').getBoundingClientRect().left") < 60
    browser.add_script(axe)
    assert browser.run(RUN_AXE) == []
    browser.look()


def find(browser: Browser, folder: Path, words: str) -> list[str]:
    """What the search shows for some words, titles first."""
    browser.open(folder / "index.html")
    browser.run("document.getElementById('find').focus()")
    browser.type(words)
    browser.run(WAITING)
    return list(browser.run("[...document.querySelectorAll('#found a')].map(e => e.textContent)"))


def test_the_search_forgives_and_ranks_as_a_reader_would(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    lakes = folders["lakes"]
    assert "Heron" in find(browser, lakes, "herron")[0]  # a slip
    assert "Heron" in find(browser, lakes, "hero")[0]  # the beginning of a word
    assert any("Marching" in text for text in find(browser, lakes, "how do crews march")[:3])  # a question
    assert any("Marching" in text for text in find(browser, lakes, "marches")[:2])  # another form of the word
    assert "Nothing found" not in find(browser, lakes, "fihsing")
    assert find(browser, lakes, "how long is the game")[0].startswith("Length")
    assert find(browser, lakes, "how many players")[0].startswith("Players")
    assert find(browser, lakes, "how many turns are there")[0].startswith("Length")
    assert any("Sequence of play" in text for text in find(browser, lakes, "who goes first")[:3])


def test_a_word_that_is_there_is_no_slip_for_another(browser: Browser, tmp_path: Path) -> None:
    """Who looks for the turn does not mean Turin."""
    rules = LONG_WORDS.replace(LONG, "Long").replace("Town Ford  horse", 'Town Ford "Turin" horse')
    (tmp_path / "turin.rules.md").write_text(rules.replace("# Long", "# Play\n\nA turn is a year."), encoding="utf-8")
    build_site(rulescript.load(tmp_path / "turin.rules.md"), tmp_path / "site", games=1)
    browser.look()
    assert not any("Turin" in text for text in find(browser, tmp_path / "site", "turn"))
    assert "Turin" in find(browser, tmp_path / "site", "turinn")[0]


def test_the_search_shows_each_place_once_and_what_is_called_so_first(
    browser: Browser, folders: dict[str, Path]
) -> None:
    browser.look()
    assert "Set-up" in find(browser, folders["lakes"], "setup")[0]  # however it is written
    for words in ("march", "fish", "heron"):
        find(browser, folders["lakes"], words)
        there = browser.run("[...document.querySelectorAll('#found a')].map(e => e.getAttribute('href'))")
        assert there and len(there) == len(set(there)), words


def test_a_large_map_opens_where_its_spaces_are(browser: Browser, folders: dict[str, Path]) -> None:
    """On a phone too there is something to read at once."""
    browser.look(390, 844, phone=True)
    browser.open(folders["lakes"] / "map.html")
    browser.run(WAITING)
    seen = browser.run(
        """(() => { const room = document.querySelector('.picture .scroll').getBoundingClientRect();
        return [...document.querySelectorAll('.picture .scroll .spaces text.name')].filter(e => {
          const b = e.getBoundingClientRect();
          return b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom;
        }).length; })()"""
    )
    assert seen > 0
    browser.look()


@pytest.mark.skipif(FAVOURITE not in GAMES, reason="run with RULESCRIPT_BROWSER=all")
@pytest.mark.parametrize("name", sorted(set(GAMES) & set(bundled_games())))
def test_phrases_a_player_looks_for_are_found(browser: Browser, folders: dict[str, Path], name: str) -> None:
    browser.look()
    wanted_by_all = {
        "belgum": "Belgium", "how many dice": r"\b(dice|die)\b", "stacking limit": "(?i)limit",
        "win": "(?i)win|victory", "setup": "(?i)set-up", "combat": "(?i)combat|battle",
        "two players": "(?i)introduction|players", "how long is the game": "^Length",
        "order of play": "(?i)sequence|order of play", "who goes first": "(?i)sequence", "how many turns": "^Length",
        "who starts": "(?i)sequence", "initiative": "(?i)sequence",
        "end of the game": "(?i)win|victory|end of the game",
    }  # fmt: skip
    own = {
        "imperial_tide": {
            "usa enters": "Neutral nations", "usa": "^United States", "airplanes": "^§6.11",
            "modifiers": "(?i)shift", "naval movement": "By sea",
            "build points": "^Distant fronts|^The end of a year", "tie": "^Victory", "fortress": "^Forts and sieges",
            "submarines": "U-Boat", "reinforcements": "^Placing units", "withdraw": "^Retreat and advance",
            "rebuy cost": "^The end of a year", "amphibious assault": "Landings", "solo": "Playing alone",
            "Italy enters the war": "^Neutral nations", "declare war": "^Neutral nations", "money": "^Resource Points",
        },
        "quartermaster_general_1914": {
            "draw cards": "^Draw", "victory points": "The end", "discard": "Discarding", "tie": "^The end",
            "adjacent": "^Next to", "hand size": "^Draw", "hand limit": "^Draw", "terrain effects": "attacker|defender",
            "reinforcements": "^Reinforce", "damage": "attrition", "airplanes": "Rumpler|Armée de l'Air",
        },
        "attrition_of_souls": {
            "naval movement": "Movement by sea", "draw tiles": "Drawing tiles", "tie": "^§5.2",
            "eliminated units": "Destroyed tiles", "capital cities": "Contested capitals", "airplanes": "Air reserves",
            "mandatory battles": "Battles that must be fought", "united states": "^United States",
        },
        "lamps_are_going_out": {
            "usa entry": "United States", "retreat": "Retreat", "draw cards": "Drawing", "research": "^Technology",
            "invasion": "Landings", "surrender": "When a nation falls", "ties in combat": "^Combat|Attacks",
        },
        "to_the_last_man": {
            "supply": "Supply", "hand size": "Hand limit", "replacements": "Reinforcements", "airplanes": "Biplanes",
            "railways": "rail", "terrain effects": "^Terrain", "control": "status of an area", "damage": "^Losses",
            "overstack": "Stacking", "isolated": "Out of supply", "army capacity": "What an Army holds",
            "deck runs out": "^§1.3",
        },
    }  # fmt: skip
    for words, wanted in (wanted_by_all | own.get(name, {})).items():
        found = find(browser, folders[name], words)
        assert any(re.search(wanted, text) for text in found[:3]), (words, found[:5])


def test_one_key_opens_everything_exactly(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["lakes"] / "rules-introduction.html")
    folded = "[...document.querySelectorAll('details.exactly')].map(d => d.open)"
    before = browser.run(folded)
    assert before and not any(before)
    browser.key("e", 69)
    assert all(browser.run(folded))
    browser.key("e", 69)
    assert not any(browser.run(folded))


def test_hostile_texts_run_nothing(browser: Browser, tmp_path: Path) -> None:
    from tests.docgen.test_hostile import GAME

    (tmp_path / "evil.rules.md").write_text(GAME, encoding="utf-8")
    build_site(rulescript.load(tmp_path / "evil.rules.md"), tmp_path / "site", games=1)
    browser.look()
    browser.messages.clear()
    for path in pages(tmp_path / "site"):
        browser.open(path)
        browser.run(WAITING)
        assert browser.run("document.querySelectorAll('script').length") == 4, path.name
        assert not browser.messages, (path.name, browser.messages)
    browser.open(tmp_path / "site" / "index.html")
    browser.run("document.getElementById('find').focus()")
    browser.type("script alert")  # results are text, too
    browser.run(WAITING)
    assert browser.run("document.querySelectorAll('#found a').length") > 0
    assert browser.run("document.querySelectorAll('#found script, #found img').length") == 0
    assert not browser.messages


LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
LONG_WORDS = f"""# {LONG}

{LONG} [{LONG}](#x)

| {LONG} | b | c |
| --- | --- | --- |
| {LONG} | {LONG} | 3 |

```rules
rulescript 1
game "{LONG}", version "1"
    design "{LONG}"
values Arm: foot "{LONG}", horse
kind Side
    holds deck: Card
things
    Side North "{LONG}"
    Side South
players Side
kind Town: land: Arm = foot
map Valley
    link road
    Town Mill "{LONG}"
    Town Ford  horse
    road Mill - Ford
kind Card: side: Side
    home side.deck
    does play
things
    Card Raid "{LONG}" North
        "{LONG}"
        play
            active = South
state active: Side
value bonus(t: Town) -> int
    0
option extra "{LONG}"
    "{LONG}"
    adjust bonus(t) add 1 "{LONG}"
phase march "{LONG}"
    choose go: t in Town "{LONG} {{t}}"
        require bonus(t) < 9 "{LONG}"
        active = South
sequence
    march
    end game, draw
```
"""


def test_a_word_longer_than_a_line_is_broken(browser: Browser, tmp_path: Path) -> None:
    """In titles, labels, texts and prose; a table is moved about by itself."""
    (tmp_path / "long.rules.md").write_text(LONG_WORDS, encoding="utf-8")
    build_site(rulescript.load(tmp_path / "long.rules.md"), tmp_path / "site", games=1)
    for wide, high, phone in SIZES.values():
        browser.look(wide, high, phone=phone)
        for path in pages(tmp_path / "site"):
            browser.open(path)
            assert browser.run("document.documentElement.scrollWidth") <= wide + 1, (path.name, wide)
    browser.look()


def test_the_number_of_a_tenth_step_stands_on_one_line(browser: Browser, folders: dict[str, Path]) -> None:
    browser.look()
    browser.open(folders["lakes"] / "index.html")
    heights = browser.run(
        "(() => { const list = document.createElement('ul'); list.className = 'outline';"
        " list.innerHTML = '<li class=\"step\">A step.</li>'.repeat(128); document.querySelector('main').append(list);"
        " return [...list.children].map(e => getComputedStyle(e, '::before').height); })()"
    )
    assert len(set(heights)) == 1, sorted(set(heights))
