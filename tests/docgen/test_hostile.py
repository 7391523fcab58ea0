"""Files from strangers: no text of a game can put markup, a script or an address of its own into the pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.markdown import escape_markdown
from rulescript.docgen.names import clean, slug
from tests.docgen.conftest import Page

EVIL = "<script>alert(1)</script>"
QUOTE = '\\" onmouseover=\\"alert(2)\\" x=\\"'
IMAGE = "<img src=x onerror=alert(3)>"
STYLE = "</style></title></textarea></svg><svg onload=alert(4)>"
JINJA = "{{ 7 * 7 }}{% raw %}"
LINK = "[press](javascript:alert(5))"
TURN = "\u202egnp.exe\u2066"

GAME = f"""# Evil {EVIL}

{EVIL} {IMAGE} {JINJA}

[one](javascript:alert(1)) [two](data:text/html,<script>alert(1)</script>) [three](//evil.example/x)
[four](../../../etc/passwd) [five](vbscript:x) ![pic](http://evil.example/p.png) <http://evil.example/auto>
[six](https://good.example/page) [seven]: javascript:alert(1)

<iframe src="http://evil.example"></iframe>

```html
{EVIL}
```

```rules
rulescript 1
game "Evil {EVIL}{QUOTE}{JINJA}", version "1{EVIL}"
    design "{IMAGE}{STYLE}"
    language "en{QUOTE}"
    "{EVIL} {LINK} {JINJA} {TURN}"
rulebook "Book {EVIL}"
    1 section "{EVIL}{QUOTE}"
    2 reading "{STYLE}{LINK}"
```

## 1 Heading {EVIL} {LINK}

| {EVIL} | {LINK} |
| --- | --- |
| {IMAGE} | {JINJA} |

```rules
values Arm: foot "{EVIL}{QUOTE}", horse
kind Side: adjective: text
    "{EVIL}"
    holds deck: Card
things
    Side North "{EVIL}{QUOTE}" adjective "{IMAGE}"
    Side South adjective "plain"
players Side
kind Town: land: Arm = foot, walls: bool = no, worth: int = 1
    "{IMAGE}"
    state held: maybe Side
    holds units: Unit
map Valley
    "{STYLE}"
    link road
    Town Mill "{EVIL}{QUOTE}{TURN}" walls, at 1.0N 2.0E reconstructed "{EVIL}{LINK}"
    Town Ford "{STYLE}{IMAGE}" horse, at 3.0N 4.0E
    Town Keep
    road Mill - Ford - Keep reconstructed "{IMAGE}"
pieces Unit: side: Side, arm: Arm
    state tired: bool, lasts march
    home box
    text "{{side.adjective}} {IMAGE} {{arm}}"
holds box: Unit
counts Unit
    |       | foot | horse |
    | North |    2 |     1 |
    | South |    2 |     1 |
kind Card: side: Side, kind: text
    home side.deck
    does play(s: Side)
things
    Card Raid "{EVIL}{QUOTE}" North, kind "{STYLE}" reconstructed "{IMAGE}"
        "{EVIL} {LINK} **bold** `code`"
        play
            tell "{EVIL}{{s}}"
    Card Feint "{IMAGE}" South, kind "x"
        play
            tell "{LINK}"
state active: Side
table odds(n: int) -> text §1 reconstructed "{EVIL}"
    "{EVIL}{LINK}"
    | 1 | "{EVIL}{QUOTE}" |
    | otherwise | "{STYLE}" |
phase march "March {EVIL}{QUOTE}" §1
    "{IMAGE}{LINK}"
    choose go: u in Town.units, t in Town "Go {EVIL} {{u}} {{t}} {QUOTE}" §1
        require u.side == active "{EVIL}{QUOTE}" §1
        require t in u.place.road "{STYLE}" §2
        require open_to(u, t) and tired_ones(t) < 9
        move u to t
        tell "{EVIL}"
    or stay "{EVIL}{QUOTE}{LINK}"
        signal stayed
        gales += 1
        if u_walls()
            gales += 1
predicate open_to(u: Unit, t: Town) as "{EVIL}{{t}}{QUOTE} is open to {{u}}" not "{STYLE}{{t}} is shut"
    require t.worth > 0 or tired_ones(t) == 0 "{JINJA}"
value tired_ones(t: Town) -> int as "the {IMAGE} of {{t}}"
    count(t.units[tired])
reword Town.walls(t) as "{{t}} has {IMAGE}{QUOTE}" not "{{t}} lacks {EVIL}"
state gales: int, told "{EVIL}{{gales}} gales{QUOTE}"
signal stayed
when stayed once a march "{STYLE}{QUOTE}"
    tell "{EVIL}"
function u_walls -> bool as "{LINK}{EVIL} stands"
    some t in Town: t.walls
phase set_up "{EVIL}"
    place 1 North foot, 1 North horse in Mill §1
    place 1 South foot in Keep
sequence
    set_up
    for active in Side
        march
    end game, North wins "{EVIL}{QUOTE}"
option fog "{EVIL}{QUOTE}" §1
    "{EVIL}{LINK}"
    restrict march.go "{"" if False else ""}"
        require t != Keep "{STYLE}{QUOTE}" §1
scenario late "{STYLE}{EVIL}"
    "{IMAGE}"
    amend Keep: "{EVIL}{QUOTE}"
invariant "{EVIL}{QUOTE}", always
    count(Town.units) <= 6
check "{STYLE}{LINK}"
    count(Town) == 3
example "{EVIL}{QUOTE}{LINK}" §1
    given empty, active North, at march
        Mill: 1 North foot, 1 North horse
    play
        North: u=Mill.units:North_foot
    expect
        asks North
```
""".replace('    restrict march.go ""\n', "    restrict march.go\n")

PLAIN_TAGS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "script",
        "body",
        "a",
        "header",
        "button",
        "div",
        "label",
        "input",
        "nav",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "main",
        "p",
        "span",
        "strong",
        "em",
        "dl",
        "dt",
        "dd",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "section",
        "details",
        "summary",
        "pre",
        "code",
        "figure",
        "figcaption",
        "svg",
        "g",
        "rect",
        "text",
        "path",
        "line",
        "polygon",
        "circle",
        "defs",
        "marker",
        "desc",
        "fieldset",
        "legend",
        "select",
        "option",
        "footer",
        "article",
        "br",
        "blockquote",
        "hr",
    ]
)
OUR_SCRIPTS = {"theme.js", "search-index.js", "minisearch.js", "site.js"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "evil.rules.md").write_text(GAME, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def pages(folder: Path) -> list[Page]:
    game = rulescript.load(folder / "evil.rules.md")
    files = build_site(game, folder / "site", games=2)
    assert all(re.fullmatch(r"[a-z0-9-]+\.(html|css|js)", p.name) and p.parent == folder / "site" for p in files)
    return [Page(p) for p in files if p.suffix == ".html"]


def test_the_texts_are_there_and_harmless(pages: list[Page]) -> None:
    """They are printed as they are written, not dropped."""
    everything = " ".join(p.words for p in pages)
    assert "<script>alert(1)</script>" in everything
    assert "<img src=x onerror=alert(3)>" in everything
    assert "{{ 7 * 7 }}" in everything and "49" not in everything
    assert sum(p.source.count("&lt;script&gt;alert(1)") for p in pages) > 40


def test_no_element_comes_from_a_text(pages: list[Page]) -> None:
    for page in pages:
        assert not page.faults, (page.path.name, page.faults[:3])
        for tag, attrs in page.tags:
            assert tag in PLAIN_TAGS, (page.path.name, tag)
            if tag == "script":
                assert attrs.get("src") in OUR_SCRIPTS, attrs
            assert not [name for name in attrs if name.startswith("on")], (page.path.name, tag, attrs)
            style = attrs.get("style")
            assert style is None or re.fullmatch(r"--least:\d+px", style), attrs


def test_no_address_comes_from_a_text(pages: list[Page]) -> None:
    web: set[str] = set()
    for page in pages:
        for _, attrs in page.tags:
            for key in ("href", "src", "action", "formaction", "xlink:href", "data"):
                target = attrs.get(key)
                if target is None:
                    continue
                parts = urlsplit(target)
                if parts.scheme or parts.netloc:
                    assert parts.scheme in ("http", "https"), target
                    web.add(target)
                else:
                    assert re.fullmatch(r"[\w.-]*(#[\w.:-]+)?", target), target
    assert web == {"https://good.example/page", "http://evil.example/auto"}  # plain links, which a reader may follow


def test_classes_and_ids_are_ours(pages: list[Page]) -> None:
    for page in pages:
        for _, attrs in page.tags:
            for name in (attrs.get("class") or "").split():
                assert re.fullmatch(r"[a-z][a-z0-9-]*", name), name
            assert re.fullmatch(r"[\w.:-]+", attrs.get("id") or "x"), attrs


def test_there_is_a_policy_that_forbids_scripts_in_the_page(pages: list[Page]) -> None:
    for page in pages:
        policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
        assert policy and "default-src 'none'" in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


def test_the_search_index_is_data(folder: Path, pages: list[Page]) -> None:
    script = (folder / "site" / "search-index.js").read_text(encoding="utf-8")
    assert "<" not in script and "\u2028" not in script
    entries = json.loads(script.splitlines()[0].removeprefix("window.RULES_INDEX=").rstrip(";"))
    assert any("<script>" in title for title, *_ in entries)
    assert all(re.fullmatch(r"[a-z0-9-]+\.html(#[\w.:-]+)?", address) for _, _, address, *_ in entries)


def test_characters_that_turn_a_line_around_are_taken_out(pages: list[Page]) -> None:
    for page in pages:
        assert "\u202e" not in page.source and "\u2066" not in page.source


def test_markdown_lets_nothing_through_either(folder: Path) -> None:
    """Rendered by a host that obeys HTML, the pages have only our own anchors and folds in them."""
    game = rulescript.load(folder / "evil.rules.md")
    files = build_site(game, folder / "md", format="markdown", games=1)
    host = MarkdownIt("commonmark", {"html": True}).enable("table")
    for path in files:
        if path.suffix != ".md":
            continue
        html = host.render(path.read_text(encoding="utf-8"))
        page_file = folder / "md" / f"{path.stem}.rendered"
        page_file.write_text(html, encoding="utf-8")
        page = Page(page_file)
        for tag, attrs in page.tags:
            assert tag not in ("script", "iframe", "style", "object", "embed"), (path.name, tag, attrs)
            assert not [name for name in attrs if name.startswith("on")], (path.name, attrs)
            if tag == "img":
                assert re.fullmatch(r"[\w-]+\.svg", attrs.get("src") or ""), attrs
            target = urlsplit(attrs.get("href") or "")
            assert target.scheme in ("", "http", "https"), attrs
    for path in files:
        if path.suffix == ".svg":
            text = path.read_text(encoding="utf-8")
            assert "<script" not in text and "onload" not in re.sub(r"&lt;.*?&gt;", "", text)


def test_json_is_json(folder: Path) -> None:
    (path,) = build_site(rulescript.load(folder / "evil.rules.md"), folder / "json", format="json", games=1)
    told = json.loads(path.read_text(encoding="utf-8"))
    assert "<script>" in told["game"]["title"]


@pytest.mark.parametrize(
    "text", ["../../x", "a/b\\c", "con", "\x00", "", "ß<>\"'&", "a" * 500, "..", "-", "\u202e", "日本"]
)
def test_slugs_are_safe_file_names(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", slug(text))


def test_clean_keeps_letters_and_drops_controls() -> None:
    assert clean("Zürich é 日本 ‘x’\n") == "Zürich é 日本 ‘x’\n"
    assert clean("a\x00b\x1bc\u202ed") == "a\ufffdb\ufffdc\ufffdd"


@pytest.mark.parametrize(
    "text", ["*a*", "_b_", "[x](y)", "`c`", "<b>", "# h", "- i", "1. j", "a | b", "&lt;", "\\", "~~s~~", "![p](q)"]
)
def test_markdown_escapes_show_the_text_itself(text: str) -> None:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(escape_markdown(text))
    shown = re.sub(r"<[^>]+>", "", html).strip()
    import html as entities

    assert entities.unescape(shown) == text
    assert re.fullmatch(r"<p>[^<]*</p>", html.strip())
