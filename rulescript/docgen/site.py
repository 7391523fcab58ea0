"""The book as a static site: Jinja2 templates, one style sheet, one script, an index for the search.

Templates are looked for in the designer's folder first, one by one, then here. `rulescript/NAME` always means ours, so
that a template of the same name can extend it. Everything a template prints is escaped unless this package made it.
"""

from __future__ import annotations

import json
import os
import re
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from rulescript.docgen.book import Book
from rulescript.docgen.chosen import chosen_examples, picture_width
from rulescript.docgen.highlight import highlight
from rulescript.docgen.kept_templates import KeptTemplates
from rulescript.docgen.lines import sentence
from rulescript.docgen.maps import COLOURS, SORTS, badge, sign_shape
from rulescript.docgen.names import clean, rule_anchor
from rulescript.docgen.plays import WORTH_SHARING
from rulescript.docgen.prose import Prose
from rulescript.docgen.search import search_entries
from rulescript.docgen.sequence import diagram
from rulescript.docgen.svg import element
from rulescript.docgen.weave import Chapter
from rulescript.errors import BadOption
from rulescript.processes import can_fork, helping

__all__ = [
    "OWN_TEMPLATES", "Page", "environment", "grounds_in", "pages_of", "within_itself", "write_page", "write_site",
]  # fmt: skip

OWN_TEMPLATES = Path(__file__).resolve().parent / "templates"
# The library that searches: a file as it comes from others, with its licence.
SEARCH = Path(__file__).resolve().parent / "data" / "minisearch.js"
DESIGNERS = "For designers"
_PLACEHOLDER = re.compile(r'<a href="@([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)


@frozen
class Page:
    """A page: `name` without its suffix, the template that draws it, and where it stands in the contents."""

    name: str
    title: str
    template: str
    group: str
    context: Mapping[str, Any] = {}
    number: str = ""

    @property
    def is_aside(self) -> bool:
        """Whether it is for those who work on the game, or is found through another page."""
        return self.group in ("", DESIGNERS)


def pages_of(book: Book) -> list[Page]:
    """The pages of a book, in reading order; those with nothing to say are left out."""
    table, rules, reference, designers = "At the table", "The rules", "Reference", DESIGNERS
    pages = [Page("index", book.title, "index.html", "")]

    def add(name: str, title: str, group: str, is_there: object) -> None:
        if is_there:
            pages.append(Page(name, title, f"{name}.html", group))

    add("sequence", "Sequence of play", table, book.sequence)
    add("map", "Map" if len(book.maps) == 1 else "Maps", table, book.maps)
    add("setup", "Set-up", table, book.setups)
    add("tables", "Tables and tracks", table, book.tables or book.tracks)
    add("cards", _gallery_title(book), table, book.galleries)
    if book.differences is not None:
        pages.append(Page("differences", "What is different", "differences.html", rules))
    reserved = {page.title for page in pages} | {"Components", "Options and scenarios", "Examples of play"}
    # Where there are chapters to read, files of nothing but data are for those who work on the game.
    is_literate = any(chapter.is_literate and not chapter.is_main for chapter in book.chapters)
    data: list[Page] = []
    for chapter in book.chapters:
        title = chapter.title if chapter.title not in reserved else f"{chapter.title}: the rules"
        reserved.add(title)
        plain = (is_literate and not chapter.is_literate) or chapter.is_for_designers
        made = Page(
            chapter.page, title, "chapter.html", designers if plain else rules, {"chapter": chapter}, chapter.number
        )
        (data if plain else pages).append(made)
    add("components", "Components", reference, book.components)
    add("options", "Options and scenarios", reference, book.options or book.scenarios)
    add("examples", "Examples of play", reference, book.examples or book.pending)
    # They are found through that page, not through the contents.
    for name, (title, chapters) in book.pages_of_examples.items():
        pages.append(Page(name, title, "examples.html", "", {"shown": chapters}))
    add("decisions", "Decisions", reference, book.decisions)
    add("terms", "Index of terms", reference, book.terms)
    add("rules", "Index of rules", reference, book.rules)
    pages.append(Page("book", "The rulebook to print", "book.html", reference))
    add("readings", "Readings of unclear rules", designers, book.readings)
    add("reconstructed", "What is reconstructed", designers, True)
    add("claims", "What must always be true", designers, book.claims)
    add("coverage", "How far the rules are tried", designers, book.rules)
    pages += data
    return pages


def _gallery_title(book: Book) -> str:
    titles = [g.title for g in book.galleries]
    return " and ".join(titles) if len(titles) < 3 else "Cards"


# ------------------------------------------------------------------ templates


class _Environment(SandboxedEnvironment):
    """The sandbox asks of every attribute that a template looks at whether it would lead outside. Only functions,
    types, frames and the like have such attributes beside those with an underscore; nothing in a book is of that sort.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._harmless: dict[type, bool] = {}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        sort = type(obj)
        harmless = self._harmless.get(sort)
        if harmless is None:
            harmless = self._harmless[sort] = not issubclass(sort, _INSIDES)
        return not attr.startswith("_") if harmless else super().is_safe_attribute(obj, attr, value)


_INSIDES = (
    types.FunctionType, types.MethodType, type, types.CodeType, types.TracebackType, types.FrameType,
    types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType,
)  # fmt: skip


def environment(templates: Path | None = None) -> SandboxedEnvironment:
    """The templates: a designer's first, then ours. What they print is escaped, and they can run no code."""
    own = FileSystemLoader(OWN_TEMPLATES)
    loaders: list[Any] = [own, PrefixLoader({"rulescript": own})]
    if templates is not None:
        loaders.insert(0, FileSystemLoader(templates))
    return _Environment(
        loader=ChoiceLoader(loaders), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, finalize=_printed, bytecode_cache=KeptTemplates(templates),
    )  # fmt: skip


def _printed(value: Any) -> Any:
    """What a template prints: texts of a game without characters that would turn a line around."""
    return clean(value) if type(value) is str else value


def check_templates(folder: Path) -> list[str]:
    """Names in a designer's folder that take the place of nothing, with what may have been meant."""
    from rulescript.diagnostics.spelling import nearest_names

    ours = [p.relative_to(OWN_TEMPLATES).as_posix() for p in sorted(OWN_TEMPLATES.rglob("*")) if p.is_file()]
    out: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name in ours or any(part.startswith(".") for part in path.parts):
            continue
        near = nearest_names(name, ours, limit=1)
        if near:
            out.append(f"`{name}` is no template of ours, so nothing uses it; did you mean `{near[0]}`?")
    return out


class Writer:
    """Renders pages. `suffix` is that of the addresses; on a single page all addresses are anchors."""

    def __init__(self, book: Book, env: SandboxedEnvironment, pages: list[Page], suffix: str = ".html") -> None:
        self.book = book
        self.env = env
        self.pages = pages
        self.suffix = suffix
        self.prose = Prose(lambda ident: f"@{rule_anchor(ident)}", lambda path: "")
        self.names = {page.name for page in pages}
        self.on_one_page = False
        self.here = ""
        self._examples = {e.anchor: e for e in book.examples}
        self.page_of = dict(book.anchors.pages)
        for name, (_, chapters) in book.pages_of_examples.items():
            if name in self.names:
                self.page_of.update((example.anchor, name) for _, some in chapters for example in some)
        env.globals.update(
            book=book, pages=pages, href=self.href, page_href=self.page_href, cite=self.cite, use=self.use,
            linked=self.linked,
            legend_link=legend_link, legend_sign=legend_sign, legend_badge=legend_badge, COLOURS=COLOURS,
            example_titles={a: e.title for a, e in self._examples.items()}, example_anchor=self.example_anchor,
            gallery_of=self.gallery_of, included=self.included, origin_of=self.origin_of,
            chosen_examples=chosen_examples(book), picture_width=picture_width,
        )  # fmt: skip
        env.filters.update(_FILTERS, inline=self.inline, woven=self.woven)

    # -------------------------------------------------------------- addresses

    def href(self, anchor: str) -> str:
        """The address of an anchor of the book; "" if there is none."""
        page = self.page_of.get(anchor)
        if page is None:
            return ""
        if self.on_one_page:
            return f"#{anchor}"
        if page not in self.names:
            return ""
        return f"#{anchor}" if page == self.here else f"{page}{self.suffix}#{anchor}"

    def page_href(self, name: str) -> str:
        if name not in self.names:
            return ""
        return f"#page-{name}" if self.on_one_page and name != "index" else f"{name}{self.suffix}"

    def cite(self, ident: str) -> str:
        """Where a rule's number leads: to where it is written, or to its line in the index."""
        anchor = rule_anchor(ident)
        return self.href(anchor) or self.href(f"i-{anchor}")

    def use(self, key: str) -> tuple[str, str]:
        """A rule that a line speaks of: its address and what it is called."""
        anchor = self.book.where.get(key, "")
        title = self.book.titles.get(key, "").partition(" (")[0]
        return (self.href(anchor), title) if anchor and title else ("", "")

    def linked(self, text: str, keys: Sequence[str]) -> tuple[Markup, list[str]]:
        """A sentence in which the names of rules lead to them, and the rules that it does not name."""
        if self.book.definitions is None or not keys:
            return escape(clean(text)), list(keys)
        text = clean(text)
        found, rest = self.book.definitions.find(text, [key for key in keys if self.use(key)[0]])
        out, at = Markup(""), 0
        for begin, end, key in found:
            address, title = self.use(key)
            link = Markup('<a class="defined" href="{}" title="See: {}">{}</a>')
            out += escape(text[at:begin]) + link.format(address, clean(title), text[begin:end])
            at = end
        return out + escape(text[at:]), rest

    def origin_of(self, name: str) -> tuple[str, str]:
        """Where a rule comes from: an option with its address, or the variant that brings it."""
        found = re.fullmatch(r"game `(.*)`", name)
        if found is None:
            address, title = self.use(f"option {name}")
            if not title:
                address, title = self.use(f"scenario {name}")
            several = name.split(" and ")
            if not title and len(several) > 1:
                return "", " and ".join(self.origin_of(one)[1] for one in several)
            return address, title or _readable(name)
        games = {**dict(self.book.bases), self.book.ident: self.book.title}
        return self.page_href("differences"), games.get(found[1], found[1])

    def example_anchor(self, title: str) -> str:
        return next((e.anchor for e in self.book.examples if e.title == title), "")

    def gallery_of(self, kind: str) -> str:
        """The anchor of the gallery that shows the things of a kind; "" if none does."""
        return next((g.anchor for g in self.book.galleries if g.kind == kind), "")

    def included(self, chapter: Chapter, files: list[str]) -> list[Page]:
        """The pages of the chapters that come from some files."""
        names = [c.page for f in files for c in self.book.chapters if c.file == f and c.level == chapter.level]
        return [page for name in names for page in self.pages if page.name == name]

    # -------------------------------------------------------------- texts

    def inline(self, text: str) -> Markup:
        return self.woven(self.prose.inline(text))

    def woven(self, html: Markup) -> Markup:
        """Prose with its links filled in, now that every page has its address."""

        def fill(found: re.Match[str]) -> str:
            target = found[1]
            if target.startswith("p:"):
                name = target[2:]
                address = self.page_href(name) if name in self.names else ""
            else:
                address = self.href(target) or self.href(f"i-{target}")
            return f'<a href="{escape(address)}"{found[2]}>{found[3]}</a>' if address else found[3]

        return Markup(_PLACEHOLDER.sub(fill, str(html)))

    # -------------------------------------------------------------- pages

    def render(self, page: Page) -> str:
        self.here = page.name
        self.on_one_page = page.name == "book"
        at = self.pages.index(page)
        around = [p for p in self.pages if p.name not in ("index", "book")]
        place = around.index(page) if page in around else -1
        context = {
            "page": page, "shift": 0, "single": self.on_one_page, "number": at,
            "previous": around[place - 1] if place > 0 else None,
            "following": around[place + 1] if 0 <= place < len(around) - 1 else None,
            "flow": self._flow(),
        }  # fmt: skip
        try:
            html = self.with_grounds(self.env.get_template(page.template).render(**page.context, **context))
            return within_itself(html, self.page_of) if self.on_one_page else html
        except TemplateError as problem:
            name = getattr(problem, "name", None) or page.template
            line = getattr(problem, "lineno", None)
            where = f"line {line}: " if line else ""
            raise BadOption(f"the template `{name}` does not work: {where}{problem.message}") from problem

    def with_grounds(self, html: str) -> str:
        """A page with what its pictures of maps refer to, once."""
        used = grounds_in(self.book, html)
        at = html.find(">", html.find("<body")) + 1
        return f"{html[:at]}\n{used}{html[at:]}" if used and at else html

    def _flow(self) -> Markup:
        links = {step_key: self.href(anchor) for step_key, anchor in self.book.where.items()}
        return diagram(self.book.sequence, f"The sequence of play of {self.book.title}", links)


def grounds_in(book: Book, text: str) -> Markup:
    """What the pictures of maps in a text refer to."""
    grounds = [of.ground for of in book.maps] + [more.ground for of in book.maps for more in of.more]
    return Markup("").join(g.definitions() for g in grounds if g is not None and f'href="#{g.ident}"' in text)


def _readable(name: str) -> str:
    from rulescript.phrases import readable

    return readable(name)


_FILTERS = {
    "code": highlight, "sentence": sentence, "clean": clean, "readable": _readable,
    "unique": lambda items: list(dict.fromkeys(items)),
}  # fmt: skip


def legend_link(sort: int) -> Markup:
    line = element("line", x1=2, y1=8, x2=42, y2=8, class_=f"link l{sort % SORTS}")
    return element("svg", line, class_="map sample", width=44, height=16, viewBox="0 0 44 16", aria_hidden="true")


def legend_sign(sign: int) -> Markup:
    return element(
        "svg", sign_shape(sign, 8, 8), class_="map sample", width=16, height=16, viewBox="0 0 16 16", aria_hidden="true"
    )


def legend_badge(which: int) -> Markup:
    return element(
        "svg", badge(which, "2", 11, 9, 18), class_="map sample", width=22, height=18, viewBox="0 0 22 18",
        aria_hidden="true",
    )  # fmt: skip


_LINK = re.compile(r'<a ([^>]*?)href="#([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)


def within_itself(html: str, elsewhere: dict[str, str] | None = None) -> str:
    """A page whose links lead to what is on it; others lead to their page, where there is one, or are words."""
    ids = set(re.findall(r'\bid="([^"]*)"', html))

    def mend(found: re.Match[str]) -> str:
        before, anchor, after, text = found.groups()
        if anchor in ids:
            return found[0]
        page = elsewhere.get(anchor, "") if elsewhere is not None else ""
        if page:
            return f'<a {before}href="{page}.html#{anchor}"{after}>{text}</a>'
        kept = " ".join(part for part in (before + after).split() if part.startswith("id="))
        return f"<span {kept}>{text}</span>" if kept else text

    return _LINK.sub(mend, html)


# ------------------------------------------------------------------ writing


def write_site(
    book: Book,
    folder: Path,
    templates: Path | None = None,
    step: Callable[[str], None] | None = None,
    jobs: int = 1,
) -> list[Path]:
    """Write all pages into a folder, by so many processes; their paths."""
    env = environment(templates)
    pages = pages_of(book)
    writer = Writer(book, env, pages)
    folder.mkdir(parents=True, exist_ok=True)

    def write(page: Page) -> Path:
        written = write_page(folder / f"{page.name}.html", writer.render(page))
        if step is not None:
            step("writing pages")
        return written

    def rest() -> list[Path]:
        writer.on_one_page, writer.here = False, ""
        found = [write_page(folder / "search-index.js", _script(search_entries(book, writer), book.names))]
        names = ("style.css", "custom.css", "site.js", "theme.js")
        found += [write_page(folder / name, env.get_template(name).render()) for name in names]
        found.append(write_page(folder / "paper.css", env.get_template("paper/site.css").render()))
        return [*found, write_page(folder / "minisearch.js", SEARCH.read_text(encoding="utf-8"))]

    if jobs < 2 or len(book.examples) < WORTH_SHARING or not can_fork():
        files = [*(write(page) for page in pages), *rest()]
        _keep(env)
        return files
    compile_templates(templates)
    # The book on one page has everything on it, then come the longest pages.
    longest = ("book", "examples", "cards", "rules")
    order = sorted(pages, key=lambda p: longest.index(sort) if (sort := p.template[:-5]) in longest else len(longest))
    with helping(lambda number: write(order[number]), len(order), jobs) as written:
        more = rest()
    made = {page.name: path for page, path in zip(order, written, strict=True) if path is not None}
    return [*(made.get(page.name) or write(page) for page in pages), *more]


def compile_templates(templates: Path | None = None) -> None:
    """Once for all processes, and before there is a book, if somebody has the time. What is wrong with one is told when
    a page needs it."""
    env = environment(templates)
    env.filters.update(_FILTERS, inline=_unknown_yet, woven=_unknown_yet)
    for path in sorted(OWN_TEMPLATES.rglob("*.html")):
        with suppress(TemplateError):
            env.get_template(path.relative_to(OWN_TEMPLATES).as_posix())
    _keep(env)


def _unknown_yet(text: str) -> Markup:
    """Stands for a filter of a book that is not there: no template is worked out before it is."""
    raise LookupError("this is asked of a book")


def _keep(env: SandboxedEnvironment) -> None:
    if isinstance(env.bytecode_cache, KeptTemplates):
        env.bytecode_cache.write()


def write_page(path: Path, text: str) -> Path:
    """Whoever reads a page while it is printed anew sees the whole of the old one or the whole of the new one."""
    beside = path.with_name(f".{path.name[:100]}.new")
    beside.unlink(missing_ok=True)
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except PermissionError:  # where a file that is being read cannot be replaced
        path.write_text(text, encoding="utf-8", newline="\n")
    finally:
        beside.unlink(missing_ok=True)
    return path


def _script(entries: list[list[str | int]], names: list[list[str]]) -> str:
    """The search index as a script: pages opened from disk may load no other files."""
    return f"window.RULES_INDEX={_data(entries)};\nwindow.RULES_WORDS={_data(names)};\n"


def _data(value: object) -> str:
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char, code in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        told = told.replace(char, code)
    return told
