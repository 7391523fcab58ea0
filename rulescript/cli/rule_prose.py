"""What the author wrote about a rule, for somebody at the table who asks.

In come the files of a game; out come the sentences of its prose that cite a rule, with those before them that cite none
(a citation stands behind the passage it is for), or that stand first under the heading that has its number. Nothing
is made up here: a game without prose has none, and then its rules are said in words made from the code
(`rule_words`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulescript.errors import RulescriptError

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.options import Decision

__all__ = ["rule_prose", "rule_words"]

_FENCE = re.compile(r"^\s*```")
_HEADING = re.compile(r"^#+\s+(?:§?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)\s+)?(.*)$")
_CITE = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
# A sentence ends with a full stop, and with the citations behind it.
_END = re.compile(r"(?<=[.!?])((?:\s*\(?§\s?[A-Za-z0-9.\-]*[A-Za-z0-9]\)?,?)*)\s+(?=[A-Z(*“\"])")
MOST = 5  # sentences of one rule


def rule_prose(game: Game, rule: str) -> list[str]:
    """The sentences that state a rule; those of the section it belongs to if it has none of its own."""
    told = _prose(_files(game))
    found = told.get(rule, [])
    section = rule
    while not found and ("-" in section or "." in section):
        section = re.sub(r"[.\-][^.\-]*$", "", section)
        found = told.get(section, [])
    return found[:MOST]


def _files(game: Game) -> tuple[tuple[str, float], ...]:
    from rulescript.loader import content_key_of

    if game.where is None:
        return ()
    try:
        _, paths = content_key_of(game.where[0])
        return tuple((str(path), path.stat().st_mtime) for path in paths if path.name.endswith(".md"))
    except (RulescriptError, OSError):
        return ()


@lru_cache(maxsize=4)
def _prose(files: tuple[tuple[str, float], ...]) -> dict[str, list[str]]:
    """By rule, the sentences that cite it; by section, its first ones."""
    cited: dict[str, list[str]] = {}
    headed: dict[str, list[str]] = {}
    for name, _ in files:
        try:
            text = Path(name).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            continue
        for section, paragraph in _paragraphs(text):
            passage: list[str] = []
            rules: list[str] = []
            for said in _sentences(paragraph):
                plain = _plain(said)
                if section and len(headed.setdefault(section, [])) < MOST:
                    headed[section].append(plain)
                passage.append(plain)
                # "see §2" speaks of a rule and does not state it.
                stated = [
                    found[1]
                    for found in _CITE.finditer(said)
                    if not re.search(r"\b[Ss]ee\b[^.;:]*$", said[: found.start()])
                ]
                for rule in stated:
                    cited.setdefault(rule, []).extend(passage[-MOST:])
                if stated:
                    passage, rules = [], stated
            for rule in rules:  # what follows the last citation goes on about the same
                cited[rule] += passage
    return {**headed, **{rule: list(dict.fromkeys(told)) for rule, told in cited.items()}}


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a literate file, each with the number of its section."""
    section, is_code = "", False
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if _FENCE.match(line):
            is_code = not is_code
        heading = _HEADING.match(line) if not is_code else None
        is_item = bool(re.match(r"\s*[-*]\s", line))
        if is_code or heading or not line.strip() or is_item or line.startswith("|"):
            if lines:
                yield section, " ".join(lines)
            lines = [re.sub(r"^\s*[-*]\s+", "", line.strip())] if is_item and not is_code else []
            if heading:
                section = heading[1] or section
        elif not _FENCE.match(line):
            lines.append(line.strip())


def _sentences(paragraph: str) -> list[str]:
    """Its sentences, each with the citations behind it."""
    return [part.strip() for part in _END.sub(r"\1\n", paragraph).split("\n") if part.strip()]


def _plain(said: str) -> str:
    """Without citations and signs of Markdown."""
    text = re.sub(r"\s*\((?:see\s)?§[^)]*\)|\s*§\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*,?", "", said)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|\*|`)(.+?)\1", r"\2", text).strip()


def rule_words(game: Game, decision: Decision) -> list[str]:
    """What may be chosen, in words made from the rules: for a game without prose."""
    from rulescript.docgen import describe_game

    try:
        told = describe_game(game, games=0)
    except RulescriptError:
        return []
    out = []
    for each in told["decisions"]:
        if each["name"] == decision.name and str(each["where"]).split()[-1] == decision.procedure:
            for way in each["ways"]:
                needs = [str(clause["text"]) for clause in way["requires"]]
                out.append(f"{way['text']}: {' '.join(needs)}" if needs else str(way["text"]))
    return out
