"""Prose of a game -> harmless HTML: Markdown with no markup of its author's, and numbers of rules as links.

Texts come from strangers. Raw HTML in them is shown, not obeyed; pictures are left out, since the pages use no
network; a link goes to another chapter, to a place on the web by http or mail, or it is no link at all.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from attrs import frozen
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from rulescript.docgen.names import clean
from rulescript.source import LiterateHeading

__all__ = ["Heading", "Prose", "Paragraphs"]

_CITE = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
_WEB = re.compile(r"(?i)(https?://|mailto:)")
# A table of so many columns may be wider than a small screen.
MANY_COLUMNS = 6
_BOX = '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n'


@frozen
class Heading:
    """A heading of a literate file, at a line of the file."""

    level: int
    ident: str
    title: str
    line: int


@frozen
class Paragraphs:
    """Prose between two headings or blocks of rules. `anchors` are those of rules that are first cited here."""

    html: Markup
    markdown: str
    line: int
    anchors: tuple[str, ...] = ()


class Prose:
    """Reads the prose of one game. `cite` gives the address of a rule's number, `page` that of a file of the game; both
    give "" where there is none."""

    def __init__(self, cite: Callable[[str], str], page: Callable[[str], str]) -> None:
        self.cite = cite
        self.page = page
        self._md = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")

    # -------------------------------------------------------------- whole passages

    def read(self, text: str, first_line: int, headings: Sequence[LiterateHeading], folder: str) -> list[Any]:
        """Headings and paragraphs of a passage that begins at a line of its file."""
        known = {h.line: h for h in headings}
        tokens = self._md.parse(clean(text))
        lines = text.split("\n")
        out: list[Any] = []
        held: list[Token] = []
        held_from = 0

        def flush(until: int) -> None:
            nonlocal held
            if held:
                made = self._render(held, folder)
                if made.strip():
                    raw = "\n".join(lines[held_from:until]).strip("\n")
                    out.append(Paragraphs(Markup(made), raw, first_line + held_from))
            held = []

        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "heading_open" and token.level == 0 and token.map is not None:
                flush(token.map[0])
                line = first_line + token.map[0]
                heading = known.get(line)
                if heading is not None:
                    out.append(Heading(heading.level, heading.ident or "", heading.title, line))
                else:
                    out.append(Heading(int(token.tag[1]), "", tokens[at + 1].content, line))
                at += 3
                continue
            if not held and token.map is not None:
                held_from = token.map[0]
            held.append(token)
            at += 1
        flush(len(lines))
        return out

    def inline(self, text: str) -> Markup:
        """A short text of a game, one line: emphasis, code and citations, nothing else."""
        tokens = self._md.parseInline(clean(text))
        return Markup(self._render(tokens, ""))

    def plain(self, text: str) -> str:
        """A short text without its Markdown, for an index."""
        tokens = self._md.parseInline(clean(text))
        return "".join(t.content if t.content else " " for t in (tokens[0].children or ())) if tokens else ""

    # -------------------------------------------------------------- making it harmless

    def _render(self, tokens: Sequence[Token], folder: str) -> str:
        tokens = list(_boxed(tokens))
        for at, token in enumerate(tokens):
            if token.type == "th_open":
                if tokens[at + 1].content.strip():
                    token.attrSet("scope", "col")
                else:  # a corner without words is no header of anything
                    token.tag = tokens[at + 2].tag = "td"
            if token.children:
                token.children = self._children(token.children, folder)
        rendered: str = self._md.renderer.render(tokens, self._md.options, {})
        return rendered

    def _children(self, children: Sequence[Token], folder: str) -> list[Token]:
        out: list[Token] = []
        links: list[bool] = []  # whether each link that is open was kept
        for token in children:
            if token.type == "image":
                out.append(_text(token.content or "picture"))
            elif token.type == "link_open":
                address = self._address(str(token.attrGet("href") or ""), folder)
                links.append(bool(address))
                if address:
                    token.attrs = {"href": address}
                    if _WEB.match(address):
                        token.attrs["rel"] = "noopener noreferrer"
                    out.append(token)
            elif token.type == "link_close":
                if not links or links.pop():
                    out.append(token)
            elif token.type == "text" and not any(links) and "§" in token.content:
                out += self._cited(token.content)
            else:
                out.append(token)
        return out

    def _address(self, href: str, folder: str) -> str:
        """Where a link leads: another chapter, a place on the web, or nowhere."""
        if _WEB.match(href):
            return href
        path, _, _ = href.partition("#")
        if not path or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", path) or path.startswith("/"):
            return ""
        return self.page(posixpath.normpath(posixpath.join(folder, unquote(path))))

    def _cited(self, text: str) -> list[Token]:
        out: list[Token] = []
        at = 0
        for found in _CITE.finditer(text):
            address = self.cite(found[1])
            if not address:
                continue
            out.append(_text(text[at : found.start()]))
            link = Token("link_open", "a", 1)
            link.attrs = {"href": address, "class": "cite"}
            out += [link, _text(f"§{found[1]}"), Token("link_close", "a", -1)]
            at = found.end()
        out.append(_text(text[at:]))
        return [t for t in out if t.type != "text" or t.content]


def _boxed(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tables of many columns each in a box that can be moved sideways by itself, also with the keyboard."""
    is_wide = False
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            until = next(n for n in range(at, len(tokens)) if tokens[n].type == "thead_close")
            is_wide = sum(t.type == "th_open" for t in tokens[at:until]) >= MANY_COLUMNS
            if is_wide:
                yield Token("html_block", "", 0, content=_BOX)
        yield token
        if token.type == "table_close" and is_wide:
            yield Token("html_block", "", 0, content="</div>\n")


def _text(content: str) -> Token:
    token = Token("text", "", 0)
    token.content = content
    return token


def escaped(text: str) -> Markup:
    return Markup(escape(clean(text)))
