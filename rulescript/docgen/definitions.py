"""Definitions inside sentences: where a sentence names a rule that has an entry of its own, that name is the link.

In come a sentence and the rules it speaks of; out goes where in it each of them is named. The speaker knows nothing of
links: its words are the same at the table, in a refusal and here. What it calls a rule is known all the same: by the
phrase its author gave it, or else by its name. A rule that goes by other words in a sentence ("is not in supply" for
one called `supplied`) is found nowhere, and its link stands behind the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulescript.analysis.eithers import plain_name
from rulescript.docgen.lines import Line, walk_lines
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.phrases import readable

__all__ = ["Definitions"]

Found = tuple[int, int, str]
_WORD = re.compile(r"[\w'’-]+")
# Words at the ends of a phrase that name nothing.
_SMALL = frozenset(
    """
    a all an and any are as at be by can cannot do does for from had has have if in into is it its may no not of on one
    or so than that the their them there these they this those to was were what which who whose will with you your
    """.split()  # noqa: SIM905 - a list of words is read as words
)


class Definitions:
    """By what words each rule of a game is named. A key is that of `Line.uses`: "function reach"."""

    def __init__(self, game: m.Game) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        self._patterns: dict[str, list[re.Pattern[str]]] = {}
        for sort, rules in (("function", game.functions), ("route", game.routes), ("table", game.tables)):
            for rule in rules.values():
                name = plain_name(rule.name)
                self._words.setdefault(f"{sort} {name}", tuple(_names(name, rule.wording)))

    def find(self, text: str, keys: Sequence[str]) -> tuple[list[Found], list[str]]:
        """Where rules are named in a sentence, in order and not in each other, and those that are not."""
        found: list[Found] = []
        rest: list[str] = []
        for key in keys:
            spots = (hit.span() for pattern in self._patterns_of(key) for hit in pattern.finditer(text))
            spot = next((s for s in spots if all(s[1] <= a or b <= s[0] for a, b, _ in found)), None)
            if spot is None:
                rest.append(key)
            else:
                found.append((*spot, key))
        return sorted(found), rest

    def share_out(self, line: Line) -> None:
        """What is named in the parts of a sentence, and not at its head ("all of these are true:"), is theirs."""
        parts = [child for child in line.children if child.form == "condition"]
        if not parts or not line.uses:
            return
        kept = list(line.uses)
        for key in self.find(line.text, line.uses)[1]:
            for child in parts:
                if any(self.find(each.text, [key])[0] for each in walk_lines([child])):
                    child.uses = tuple(dict.fromkeys((*child.uses, key)))
                    kept = [other for other in kept if other != key]
        line.uses = tuple(kept)

    def _patterns_of(self, key: str) -> list[re.Pattern[str]]:
        """Its names, the longest first: it says most."""
        if key not in self._patterns:
            names = sorted(self._words.get(key, ()), key=len, reverse=True)
            told = [r"\s+".join(map(re.escape, name.split())) for name in names]
            self._patterns[key] = [re.compile(rf"(?i)(?<![\w'’-]){name}(?![\w'’-])") for name in told]
        return self._patterns[key]


def _names(name: str, wording: ir.Wording | None) -> Iterator[str]:
    """What a rule may be called in a sentence."""
    if wording is None:
        yield from _trimmed([readable(name)])
        return
    for told in (wording.text, wording.denied):
        if told is not None:
            yield from _trimmed(part for part in told.parts if isinstance(part, str))


def _trimmed(texts: Iterable[str]) -> Iterator[str]:
    """The stretches of words between values, without small words at their ends; those that say something."""
    for text in texts:
        words = list(_WORD.finditer(text))
        while words and words[0][0].lower() in _SMALL:
            del words[0]
        while words and words[-1][0].lower() in _SMALL:
            del words[-1]
        if words and sum(len(word[0]) for word in words) > 3:
            yield text[words[0].start() : words[-1].end()]
