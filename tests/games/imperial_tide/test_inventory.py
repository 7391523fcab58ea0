"""Nothing of the rulebook is forgotten: every row of its index is in the game's text, or here with the reason why not.

The index (games/imperial_tide/rulebook.rules) has a row for every requirement of the rulebook, for every
reading of an unclear one and for every interaction of two. A row is *written* where a rule, the map, the forces or a
card cites it, and *claimed* where a check, an invariant or an example does, also behind a single line of it.
"""

from __future__ import annotations

import re

import pytest

from rulescript.claims import GameSource
from rulescript.testing.coverage import written_in

# Rows that ask for no code and no example.
NEEDS_NO_CODE: dict[str, str] = {}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "6.2.2d": "trenches are a state of the area, so whoever comes into it has them",
    "6.4.1f": "an attack action attacks one area (6.3a), so two targets take two actions",
    "6.16": "the example of play is played",
    "A-BESMOVE": "besiegers move like others, and a fort is besieged where enemy infantry stands (6.4.1)",
    "DN-a": "6.2.4g forbids to go on through the attackers' area, not to enter it",
    "M7": "the borders around Paris are reconstructed; a check holds them to the text",
    "M10": "the borders around Belgrade are reconstructed; a check holds them to the text",
    "M13": "the borders around Minsk are reconstructed; a check holds them to the text",
}

CITED = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
SOURCE = GameSource.load("imperial_tide")
INDEX = SOURCE.game().rules
TEXT = written_in(SOURCE.text)
WRITTEN = TEXT.rules | TEXT.components


def claimed() -> set[str]:
    """What checks, invariants and examples cite: in their heading, behind a line, or as what refuses something."""
    lines = [line.partition("#")[0] for found in SOURCE.found() for line in found.example.span.text.splitlines()]
    return TEXT.claims | {ident for line in lines for ident in CITED.findall(line)}


CLAIMED = claimed()


def under(ident: str) -> list[str]:
    """The rows that a heading stands over."""
    below = re.compile(rf"{re.escape(ident)}(?:[.\-].+|[a-z])$")
    return [other for other in INDEX if below.match(other)]


HEADINGS = {ident for ident, rule in INDEX.items() if rule.sort == "note" and under(ident)}
ROWS = [ident for ident in INDEX if ident not in HEADINGS]


@pytest.mark.parametrize("ident", ROWS)
def test_a_row_of_the_rulebook_is_written_or_claimed(ident: str) -> None:
    if ident in NEEDS_NO_CODE:
        assert ident not in WRITTEN | CLAIMED, "it is in the text after all: take it off the list"
    else:
        assert ident in WRITTEN | CLAIMED, f"nothing cites §{ident} ({INDEX[ident].title})"


def test_a_heading_stands_over_rows_of_its_own() -> None:
    assert {ident for ident in HEADINGS if not any(row in ROWS for row in under(ident))} == set()


def test_what_rules_is_written_as_a_rule() -> None:
    """An example alone is not enough for a row that constrains, computes or orders something."""
    telling = {"note", "example", "reading", "definition"}
    ruling = {ident for ident in ROWS if INDEX[ident].sort not in telling} | {
        ident for ident in ROWS if ident in CLAIMED and INDEX[ident].sort in ("note", "definition", "reading")
    }
    assert sorted(ruling - WRITTEN - set(NEEDS_NO_CODE) - set(FOLLOWS)) == []


@pytest.mark.parametrize("ident", FOLLOWS)
def test_what_follows_from_other_rules_is_pinned(ident: str) -> None:
    assert ident not in WRITTEN, "a rule cites it after all: take it off the list"
    assert ident in CLAIMED, f"no claim shows §{ident} ({INDEX[ident].title})"


def test_the_lists_speak_of_rows_there_are() -> None:
    assert set(NEEDS_NO_CODE) | set(FOLLOWS) <= set(ROWS)
    assert not set(NEEDS_NO_CODE) & set(FOLLOWS)
    assert all(NEEDS_NO_CODE.values()) and all(FOLLOWS.values())


def test_every_citation_is_a_row_of_the_rulebook() -> None:
    assert sorted((WRITTEN | CLAIMED) - set(INDEX)) == []
