"""The index of terms: every name a reader may look up, and where it is explained."""

from __future__ import annotations

import unicodedata

from attrs import define

__all__ = ["Term", "index_of"]


@define
class Term:
    """A word and what it is; `anchors` are the places, each with its words."""

    word: str
    sort: str
    places: list[tuple[str, str]]
    definition: str = ""


# What the rules themselves call something, by how much it tells a reader that it is that. One word for several of them
# is one entry: a phase, the section about it and the choice in it.
OF_RULES = (
    "phase", "table", "event", "procedure", "route", "condition", "value", "rule", "state", "place", "choice",
    "section",
)  # fmt: skip


def letter_of(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode("ascii").upper()
    first = next((c for c in plain if c.isalnum()), "#")
    return first if first.isalpha() else "0–9"


def index_of(terms: list[Term]) -> list[tuple[str, list[Term]]]:
    """Terms by their first letter; the same word of the same sort is one entry. What an author says of it under a
    heading of its own comes first."""
    merged: dict[tuple[str, str], Term] = {}
    for term in sorted(terms, key=lambda t: t.sort != "section"):
        if not term.word.strip():
            continue
        key = (term.word.casefold(), "" if term.sort in OF_RULES else term.sort)
        old = merged.get(key)
        if old is None:
            # Names in the author's line stand as words here, not as code.
            merged[key] = Term(term.word, term.sort, list(term.places), term.definition.replace("`", ""))
        else:
            old.definition = old.definition or term.definition.replace("`", "")
            # Two links of the same words would not say which leads where: the first is where it is told.
            told = {words for _, words in old.places}
            old.places += [place for place in term.places if place[1] not in told]
            if term.sort in OF_RULES:
                old.sort = min(old.sort, term.sort, key=OF_RULES.index)
    letters: dict[str, list[Term]] = {}
    for term in sorted(merged.values(), key=lambda t: (t.word.casefold(), t.sort)):
        letters.setdefault(letter_of(term.word), []).append(term)
    return sorted(letters.items(), key=lambda pair: (pair[0] != "0–9", pair[0]))
