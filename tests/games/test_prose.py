"""Prose leads: every rule that a game's code cites is stated in its prose, by a sentence that names its number.

A number is *stated* where a paragraph, list or table of a literate file names it (`§4.6.3`, but not "see §4.6.3"), or
where it heads a section that has prose of its own. Whether the sentence says the same as the code is for readers and
examples; that there is a sentence is for this test.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import pytest

from rulescript.nodes import RulebookLine
from rulescript.testing.coverage import written_in
from tests.games.prose import CITED, paragraphs_of, stated_in
from tests.games.sources import index, source

HEADED = re.compile(r"§?\s?([A-Za-z]*\d[A-Za-z0-9]*(?:[.\-][A-Za-z0-9]+)*)\s")

# Rows that code cites and no sentence states, and why. The examples of a rulebook are no rows of this kind: they are
# played, not told.
UNSTATED: dict[str, dict[str, str]] = {
    "attrition_of_souls": {},
    "quartermaster_general_1914": {},
    "imperial_tide": {
        "6.16": "an example of play over the whole of 1914, which is played in examples/rulebook.rules",
        **{f"M{n}": "a border or a distance, which the map shows" for n in (1, 2, 4, 6, 8)},
    },
    "to_the_last_man": {},
    "lamps_are_going_out": {
        f"EV-{deck}-{number:02}": "a card, which has its words on its face (decks/)"
        for deck, cards in {"G": 20, "W": 22, "E": 20, "C": 18}.items()
        for number in range(1, cards + 1)
    },
}


@cache
def stated(game: str) -> frozenset[str]:
    """The rows that the prose of a game names."""
    out: set[str] = set()
    for _, heading, text in paragraphs_of(game):
        out.update(stated_in(text))
        if found := HEADED.match(heading + " "):
            out.add(found[1])
    return frozenset(out)


@cache
def cited(game: str) -> tuple[str, ...]:
    """The rows that rules, components and claims cite, in the order of the rulebook; its examples aside."""
    written = written_in(source(game).text)
    rows = written.rules | written.components | written.claims
    rules = index(game)
    return tuple(ident for ident in rules if ident in rows and not is_example(ident, rules))


def has_a_sentence(ident: str, game: str) -> bool:
    """Stated by itself, or a note over rows that all are."""
    rules = index(game)
    if ident in stated(game) or ident in UNSTATED[game]:
        return True
    below = [other for other in rules if re.match(re.escape(ident) + r"(?:[.\-]|[a-z]\b)", other)]
    if rules[ident].sort == "note" and below:
        return all(other in stated(game) or rules[other].sort in ("note", "example") for other in below)
    return False


def is_example(ident: str, rules: Mapping[str, RulebookLine]) -> bool:
    """An example, or a heading over nothing but examples."""
    if rules[ident].sort != "note":
        return bool(rules[ident].sort == "example")
    below = {rule.sort for other, rule in rules.items() if re.match(re.escape(ident) + r"[.\-]", other)}
    return "example" in below and below <= {"example", "note"}


@pytest.mark.parametrize("game", UNSTATED)
def test_every_cited_rule_is_stated_in_prose(game: str) -> None:
    rules = index(game)
    assert len(cited(game)) > 150
    silent = [ident for ident in cited(game) if not has_a_sentence(ident, game)]
    assert silent == [], "\n" + "\n".join(f"§{ident} {rules[ident].title}" for ident in silent)


@pytest.mark.parametrize("game", UNSTATED)
def test_the_exceptions_are_needed(game: str) -> None:
    assert [ident for ident in UNSTATED[game] if ident in stated(game) or ident not in cited(game)] == []
    assert all(UNSTATED[game].values())


@pytest.mark.parametrize("game", UNSTATED)
def test_prose_names_rules_there_are(game: str) -> None:
    rules = index(game)
    wrong = [(path.name, n) for path, _, text in paragraphs_of(game) for n in CITED.findall(text) if n not in rules]
    assert wrong == []
