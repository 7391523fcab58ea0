"""The book as Markdown: pages for a code host, maps and set-ups as SVG files beside them.

The templates lie under `templates/markdown/`. Markdown lets HTML through, so every text of a game is escaped here too:
what a template prints goes through `escape_markdown` unless this package made it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from markupsafe import Markup

from rulescript.docgen.book import Book
from rulescript.docgen.names import clean, slug
from rulescript.docgen.site import Page, Writer, environment, grounds_in, pages_of, write_page
from rulescript.errors import BadOption

__all__ = ["escape_markdown", "write_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$]|^[-+](?=\s)|(?<=^\d)[.)](?=\s)|(?<=^\d\d)[.)](?=\s))")


class Safe(str):
    """Markdown that this package made."""


def escape_markdown(value: Any) -> str:
    """A text such that Markdown shows it as it is: no emphasis, no links, no HTML."""
    if value is None:
        return ""
    if isinstance(value, Safe):
        return value
    text = clean(str(value)).replace("\n", " ")
    return _SPECIAL.sub(r"\\\1", text).replace("&", "&amp;").replace("\\<", "&lt;").replace("\\>", "&gt;")


class MarkdownWriter(Writer):
    """Renders Markdown pages."""

    def __init__(self, book: Book, templates: Path | None) -> None:
        env = environment(templates)
        env.autoescape = False
        env.finalize = escape_markdown
        super().__init__(book, env, [p for p in pages_of(book) if p.name != "book"], ".md")
        env.filters.update(
            inline=lambda text: Safe(self._prose(str(text)).replace("\n", " ")),
            prose=lambda text: Safe(self._prose(text)),
            code=lambda text: Safe(clean(text)), ident=lambda text: Safe(slug(str(text))), raw=Safe,
            cites=self._cites, lines=self._lines, fence=_fence,
        )  # fmt: skip
        env.globals.update(anchor=lambda name: Safe(f'<a id="{name}"></a>') if name else Safe(""), link=self._link)

    def page_href(self, name: str) -> str:
        return "README.md" if name == "index" else super().page_href(name)

    def _link(self, text: str, address: str) -> Safe:
        return Safe(f"[{escape_markdown(text)}]({address})") if address else Safe(escape_markdown(text))

    def _cites(self, idents: tuple[str, ...]) -> Safe:
        return Safe(" ".join(self._link(f"§{ident}", self.cite(ident)) for ident in idents))

    def _prose(self, text: str) -> str:
        """An author's Markdown without HTML of his own, and with the pictures and foreign links taken out."""
        out: list[str] = []
        for line in clean(text).split("\n"):
            line = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", line)
            line = re.sub(r"\[([^\]]*)\]\((?!https?://)[^)]*\)", r"\1", line)
            out.append(line.replace("<", "&lt;"))
        return "\n".join(out)

    def _lines(self, lines: list[Any], depth: int = 0) -> Safe:
        """An outline as a nested list."""
        out: list[str] = []
        for line in lines:
            words = escape_markdown(line.text)
            if line.form == "way":
                words = f"**{words}**"
            elif line.form == "heading":
                words = f"*{words}*"
            label = f" “{escape_markdown(line.label)}”" if line.label else ""
            cites = f" {self._cites(line.cites)}" if line.cites else ""
            marks = "".join(f'<a id="{a}"></a>' for a in line.anchors)
            out.append(f"{'  ' * depth}- {marks}{words}{label}{cites}")
            if line.children:
                out.append(self._lines(line.children, depth + 1))
        return Safe("\n".join(out))


def _fence(text: str) -> Safe:
    """Code in a fence that nothing in it can close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    bar = "`" * max(3, longest + 1)
    return Safe(f"{bar}rules\n{clean(text)}\n{bar}")


def write_markdown(book: Book, folder: Path, templates: Path | None = None) -> list[Path]:
    """Write the pages and pictures; README.md first."""
    writer = MarkdownWriter(book, templates)
    folder.mkdir(parents=True, exist_ok=True)
    style = environment(templates).get_template("picture.css").render()
    written: list[Path] = []
    pictures: dict[str, Markup] = {of.anchor: of.picture for of in book.maps}
    pictures |= {more.anchor: more.picture for of in book.maps for more in of.more}
    for setup in book.setups:
        for at, svg in enumerate(setup.pictures):
            pictures[f"{setup.anchor}-{at}"] = svg
    writer.env.globals["pictures"] = pictures
    for page in writer.pages:
        name = "README.md" if page.name == "index" else f"{page.name}.md"
        written.append(write_page(folder / name, _rendered(writer, page)))
    pictures["sequence"] = writer._flow()
    for name, svg in pictures.items():
        inside = str(svg).replace(">", f"><style>{style}</style>", 1)
        inside = inside.replace("</style>", f"</style>{grounds_in(book, inside)}", 1)
        written.append(write_page(folder / f"{name}.svg", inside + "\n"))
    return written


def _rendered(writer: MarkdownWriter, page: Page) -> str:
    writer.here = page.name
    template = f"markdown/{page.template.replace('.html', '.md')}"
    try:
        text = writer.env.get_template(template).render(page=page, single=False, **page.context)
    except TemplateError as problem:
        raise BadOption(f"the template `{template}` does not work: {problem.message}") from problem
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
