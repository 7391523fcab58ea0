"""Nothing of the rulebook is forgotten: every row of its index is in the game's text, or here with the reason why not.

The index (games/attrition_of_souls/rulebook.rules) has a row for every requirement of the rulebook, for every
reading of an unclear one and for every interaction of two. A row is *written* where a rule, the map, the forces or a
card cites it, and *claimed* where a check, an invariant or an example does, also behind a single line of it.
"""

from __future__ import annotations

import re

import pytest

from rulescript.claims import GameSource
from rulescript.testing.coverage import written_in

# Rows that ask for no code and no example.
NEEDS_NO_CODE = {
    "1.0": "says what the game is about",
    "2.1.3-e": "the colours of printed banners; the sides are shown by name",
    "2.2": "the aid sheet repeats the sequence of 4.0, which is cited",
    "3.9": "dice and markers are no stock: Amb-3",
    "4.3-n": "advice",
    "4.5-n": "advice",
    "4.6.1-b": "follows from 4.5 and 4.6.1-a: a mobilized tile stands in a capital when movement begins",
    "4.10.1.1-c": "advice: what was mobilized is not in the reserves any more",
    "4.11.1-n": "says whom 4.11.1 hits",
    "6.s": "advice; used as evidence for the map",
    "9.n": "advice about balance",
    "19.n": "advice about balance",
    "21-n": "an assessment of the position after the example of play",
    "22.0": "the designer's remarks",
    "Amb-3": "markers and dice are states and rolls, which never run out",
    "Amb-13": "misprinted cross references; the index follows the numbers of the body",
}

# Rows that no rule cites because they follow from others. What follows is pinned by a check, an invariant or an
# example.
FOLLOWS = {
    "2.7": "contested regions come from 4.9-c, the advance and the surrender",
    "3.8": "industrial points are counted on the map (4.2-b) and kept nowhere",
    "6.1-b": "nobody can enter an enemy region in Spring 1914 (6.1-a), so no battle can be planned",
    "X-29": "trenches come before tiles (17.3-a), so the last tile outlives them",
    "Amb-39": "after the surrender 4.8.4 and 4.9 hold in Russian regions as everywhere",
}

CITED = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
SOURCE = GameSource.load("attrition_of_souls")
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
    return [other for other in INDEX if other.startswith((f"{ident}.", f"{ident}-"))]


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
