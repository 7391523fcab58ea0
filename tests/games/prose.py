"""The prose of a game, as a reader meets it: paragraphs under their headings, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

GAMES = Path(__file__).resolve().parents[2] / "games"
MARKDOWN = MarkdownIt("commonmark").enable("table")
CITED = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
# "See §2.1" speaks of a rule and does not state it; nor does a number in code.
ELSEWHERE = re.compile(r"`[^`]*`|\b[Ss]ee §[\w.\-]*\w(?:(?:,| and) §[\w.\-]*\w)*")


def stated_in(text: str) -> list[str]:
    """The rules that a passage states: those it cites, references to other places aside."""
    return CITED.findall(ELSEWHERE.sub("", text))


def paragraphs_of(game: str) -> Iterator[tuple[Path, str, str]]:
    """The paragraphs, list items and cells of a game's literate files: the file, the heading above, the text."""
    for path in sorted((GAMES / game).rglob("*.rules.md")):
        heading = ""
        before = ""
        for token in MARKDOWN.parse(path.read_text(encoding="utf-8")):
            if token.type == "inline":
                if before == "heading_open":
                    heading = token.content
                else:
                    yield path, heading, token.content
            before = token.type


def table(game: str, file: str, head: str) -> list[list[str]]:
    """The rows of the table of a file whose first cell is `head`, without citations."""
    found: list[list[list[str]]] = []
    for token in MARKDOWN.parse((GAMES / game / file).read_text(encoding="utf-8")):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level >= 4:
            found[-1][-1].append(" ".join(CITED.sub("", token.content).split()))
    wanted = [rows[1:] for rows in found if rows[0][0] == head]
    assert len(wanted) == 1, f"{len(wanted)} tables in {file} begin with {head!r}"
    return wanted[0]


def counts(game: str) -> dict[str, list[int]]:
    """The table of pieces in a game's forces: how many of each sort a nation has."""
    text = (GAMES / game / "forces.rules").read_text(encoding="utf-8")
    rows = re.findall(r"^    \| (\w+) +\|([ \d|]+)\|$", text, re.M)
    return {name: [int(cell) for cell in cells.split("|")] for name, cells in rows}
