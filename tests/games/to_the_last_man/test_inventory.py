"""Nothing of the rulebook is forgotten: every row of its index is in the game's text, or here with the reason why not.

The index (games/to_the_last_man/rulebook.rules) has a row for every requirement of the core rulebook, for its printed
examples and for every reading of an unclear rule. A row is *written* where a rule, the map, the forces or a card cites
it, and *claimed* where a check, an invariant or an example does, also behind a single line of it.
"""

from __future__ import annotations

import re

import pytest

from rulescript.claims import GameSource
from rulescript.testing.coverage import written_in

# Rows that ask for no code and no example.
NEEDS_NO_CODE = {
    "1.2.3b": "the marker of a rule that is printed in another book",
    "1.2.3g": "the markers of a rule that is printed in another book",
    "2.V.4-d": "about playing together with another game",
    "3.1h": "about playing together with another game",
}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "5.4.3b": "pursuit comes only after a retreat instead of firing (5.4.1b)",
    "8.4a": "no choice of movement or retreat names a Fort",
}

CITED = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
SOURCE = GameSource.load("to_the_last_man")
INDEX = SOURCE.game().rules
TEXT = written_in(SOURCE.text)
WRITTEN = TEXT.rules | TEXT.components


def claimed() -> set[str]:
    """What checks, invariants and examples cite: in their heading, behind a line, or as what refuses something."""
    lines = [line.partition("#")[0] for found in SOURCE.found() for line in found.example.span.text.splitlines()]
    return TEXT.claims | {ident for line in lines for ident in CITED.findall(line)}


CLAIMED = claimed()


def under(ident: str) -> list[str]:
    """The rows that a heading stands over: its number goes on with a dot, a hyphen or a letter."""
    return [other for other in INDEX if re.fullmatch(re.escape(ident) + r"[.\-a-z].*", other)]


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


def test_every_printed_example_is_played() -> None:
    printed = {ident for ident in ROWS if INDEX[ident].sort == "example"}
    assert sorted(printed - CLAIMED) == []


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
