"""The book on paper: a player's rulebook, an aid of two pages, a board to glue, cards and counters to cut out.

In comes a book, out go files that are complete in themselves: HTML that any browser prints, and PDF where the library
for it is installed (`pip install 'rulescript[pdf]'`). A sheet of cards or counters is laid out here, in millimetres,
so that backs lie behind their fronts whatever prints them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from attrs import define
from jinja2 import TemplateError
from markupsafe import Markup

from rulescript.docgen.aid import GAP, aid_of
from rulescript.docgen.boards import LEGEND_SIZE, Board, board_of, plates_of
from rulescript.docgen.book import Book
from rulescript.docgen.site import Page, Writer, environment, grounds_in, pages_of, within_itself, write_page
from rulescript.errors import BadOption

__all__ = ["PAPERS", "PARTS", "can_make_pdf", "print_book", "write_pdf"]

T = TypeVar("T")

# What can be asked for, and what it is made of.
PARTS = {
    "book": ("book",), "aid": ("aid",), "cards": ("cards",), "counters": ("counters",), "board": ("board",),
    "changes": ("changes",), "kit": ("book", "aid", "board", "cards", "counters", "changes"),
}  # fmt: skip
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
CARD = (63.0, 88.0)
COUNTER = 15.0
MARGIN = 9.0
# The names of an area, drawn twice: first broad and white, so that borders and lines do not run through them.
_LABEL = re.compile(r'<g class="label">((?:<text[^>]*>[^<]*</text>)+)')
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_SVG = re.compile(r'<svg class="(?:map|flow)(?! defs)\b[^"]*".*?</svg>', re.DOTALL)
_NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'


@define
class Sheet:
    """One side of a sheet: what lies where, (left, top, thing) in millimetres, and the lines to cut along."""

    places: list[tuple[float, float, Any]]
    across: list[float]
    down: list[float]
    is_back: bool = False


def sheets(items: Sequence[T], paper: tuple[float, float], size: tuple[float, float], backs: bool) -> list[Sheet]:
    """Things of one size on as few sheets as will do. Behind each sheet of fronts follows that of its backs, the other
    way round from left to right, as paper is turned."""
    across = int((paper[0] - 2 * MARGIN) // size[0])
    down = int((paper[1] - 2 * MARGIN) // size[1])
    left, top = (paper[0] - across * size[0]) / 2, (paper[1] - down * size[1]) / 2
    xs = [round(left + n * size[0], 2) for n in range(across + 1)]
    ys = [round(top + n * size[1], 2) for n in range(down + 1)]
    out: list[Sheet] = []
    for begin in range(0, len(items), across * down):
        some = items[begin : begin + across * down]
        spots = [(xs[n % across], ys[n // across], item) for n, item in enumerate(some)]
        lines = ys[: 2 + (len(some) - 1) // across]  # no cut where nothing lies
        out.append(Sheet(spots, xs, lines))
        if backs:
            turned = [(round(paper[0] - x - size[0], 2), y, item) for x, y, item in spots]
            out.append(Sheet(turned, xs, lines, True))
    return out


def print_book(
    book: Book,
    folder: Path,
    what: str,
    templates: Path | None = None,
    paper: str = "a4",
    pdf: bool | None = None,
) -> list[Path]:
    """Write what was asked for, each part a file; PDF if the library is there (or if `pdf` insists on it)."""
    if what not in PARTS:
        raise BadOption(f"there is nothing called `{what}` to print", hint=f"one of: {', '.join(PARTS)}")
    if paper not in PAPERS:
        raise BadOption(f"there is no paper `{paper}`", hint=f"one of: {', '.join(PAPERS)}")
    maker = can_make_pdf()
    if pdf and not maker:
        raise BadOption("to write PDF needs a library that is not here", hint="pip install 'rulescript[pdf]'")
    press = Press(book, templates, paper)
    made = {part: html for part in PARTS[what] if (html := press.print(part))}
    if not made:
        raise BadOption(f"{book.title} has no {what} to print")
    folder.mkdir(parents=True, exist_ok=True)
    out: list[Path] = []
    for part, html in made.items():
        target = folder / f"{book.ident}-{part}.html"
        write_page(target, html)
        if maker and pdf is not False:
            out.append(write_pdf(press, part, html, target.with_suffix(".pdf")))
        out.append(target)
    return out


def can_make_pdf() -> bool:
    from importlib.util import find_spec

    return find_spec("weasyprint") is not None


class Press(Writer):
    """Renders the parts of a kit. All links are within one file, or no links at all."""

    def __init__(self, book: Book, templates: Path | None, paper: str) -> None:
        super().__init__(book, environment(templates), pages_of(book))
        self.paper = PAPERS[paper]
        self.boards: list[Board] = []
        self.env.globals.update(
            paper_size=self.paper, margin=MARGIN, card_size=CARD, counter_size=COUNTER, legend_size=LEGEND_SIZE,
        )  # fmt: skip

    def print(self, part: str) -> str:
        """The HTML of a part; empty if the game has nothing of the sort."""
        context: dict[str, Any] = {}
        if part == "cards":
            cards = [(g, card) for g in self.book.galleries for card in g.cards for _ in range(card.copies)]
            if not cards:
                return ""
            context["sheets"] = sheets(cards, self.paper, CARD, True)
        elif part == "counters":
            pieces = [piece for piece in self.book.pieces for _ in range(piece.count)]
            if not pieces:
                return ""
            context["sheets"] = sheets(pieces, self.paper, (COUNTER, COUNTER), True)
        elif part == "board":
            boards = [board_of(of, self.paper, MARGIN, COUNTER) for of in self.book.maps]
            if not boards:
                return ""
            context["boards"] = boards
            self.boards += boards
        elif part == "book":
            context["plates"] = [plates_of(of, self.paper) for of in self.book.maps]
            self.boards += filter(None, context["plates"])
        elif part == "changes" and self.book.differences is None and not self.book.options:
            return ""
        elif part == "aid":
            context |= {"aid": aid_of(self.book, self.paper, MARGIN), "aid_gap": GAP}
        self.here, self.on_one_page = "book", True
        page = Page(part, self.book.title, f"paper/{part}.html", "")
        try:
            html = self.env.get_template(page.template).render(
                page=page, shift=0, single=True, flow=Markup(""), part=part, **context
            )
        except TemplateError as problem:
            raise BadOption(f"the template `{page.template}` does not work: {problem.message}") from problem
        return within_itself(self.with_grounds(html))


# ------------------------------------------------------------------ PDF


def write_pdf(press: Press, part: str, html: str, target: Path) -> Path:
    """A part as PDF. The library draws pictures by themselves, so each takes its style along."""
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    for problem in _warnings():
        problem.disabled = True
    style = _resolved(press.env.get_template("picture.css").render())

    def alone(found: re.Match[str]) -> str:
        svg = found[0] if "xmlns=" in found[0].split(">", 1)[0] else found[0].replace("<svg ", f"<svg {_NAMESPACE} ", 1)
        svg = re.sub(r' style="--least:[^"]*"', "", svg, count=1)
        for board in press.boards:
            svg = svg.replace(board.everything, board.definition)
        svg = _LABEL.sub(r'<g class="label"><g class="under">\1</g>\1', svg)
        svg = svg.replace(">", f"><style>{style}</style>{grounds_in(press.book, svg)}", 1)
        sort = "small" if "aria-hidden" in svg.split(">", 1)[0] else "drawn"
        data = base64.b64encode(svg.encode()).decode()
        return f'<img class="{sort}" alt="" src="data:image/svg+xml;base64,{data}">'

    # The identifier of a file is made of its text, and no date is in it: the same game, the same bytes.
    import hashlib

    # Whatever a game says, the library opens no file and no address for it.
    fetcher = URLFetcher(allowed_protocols=("data",))
    ident = hashlib.sha256(html.encode()).digest()[:16]
    HTML(string=_SVG.sub(alone, html), url_fetcher=fetcher).write_pdf(target, pdf_identifier=ident)
    return target


def _warnings() -> Iterator[Any]:
    import logging

    yield from (logging.getLogger(name) for name in ("weasyprint", "fontTools", "fontTools.subset"))


def _resolved(css: str) -> str:
    """A style sheet with its variables filled in."""
    root = dict(re.findall(r"--([\w-]+):\s*([^;]+);", css))
    css = re.sub(r":root\s*{[^}]*}", "", css)
    for _ in range(3):
        css = _VARIABLE.sub(lambda found: root.get(found[1], "black"), css)
    # The library draws the outline of a letter over it, not under it.
    css = re.sub(r"paint-order: stroke; stroke: [^;]*;", "stroke: none;", css)
    css += "svg.map .under text { fill: #fff; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }"
    return css.replace("<", "").replace("&", "")
