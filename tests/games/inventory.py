"""Nothing of a rulebook is forgotten: every row of its index is in the game's text, or listed with the reason why not.

The index (games/<game>/rulebook.rules) has a row for every requirement of the rulebook and for every reading of an
unclear one. A row is *written* where a rule, the map, the forces or a card cites it, and *claimed* where a check, an
invariant or an example does, also behind a single line of it. A game's own test names the game and has the lists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from rulescript.nodes import RulebookLine
from rulescript.testing.coverage import Written, written_in
from tests.games.sources import index, source

CITED = re.compile(r"§\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")


class Index:
    """The index of a game's rulebook, and what of it the game's text cites."""

    def __init__(self, game: str, below: str) -> None:
        self.game = game
        self.below = below

    @cached_property
    def rules(self) -> Mapping[str, RulebookLine]:
        return index(self.game)

    @cached_property
    def text(self) -> Written:
        return written_in(source(self.game).text)

    @cached_property
    def written(self) -> set[str]:
        return self.text.rules | self.text.components

    @cached_property
    def headings(self) -> set[str]:
        return {ident for ident, rule in self.rules.items() if rule.sort == "note" and self.under(ident)}

    @cached_property
    def rows(self) -> list[str]:
        return [ident for ident in self.rules if ident not in self.headings]

    @cached_property
    def claimed(self) -> set[str]:
        """What checks, invariants and examples cite: in their heading, behind a line, or as what refuses something."""
        texts = [found.example.span.text for found in source(self.game).found()]
        lines = [line.partition("#")[0] for text in texts for line in text.splitlines()]
        return self.text.claims | {ident for line in lines for ident in CITED.findall(line)}

    def under(self, ident: str) -> list[str]:
        """The rows that a heading stands over."""
        below = re.compile(re.escape(ident) + self.below)
        return [other for other in self.rules if below.fullmatch(other)]


class Inventory:
    """The tests; a game's own class says which index, and which rows need no code or follow from others."""

    index: Index
    needs_no_code: dict[str, str]
    follows: dict[str, str]

    def test_every_row_of_the_rulebook_is_written_or_claimed(self) -> None:
        index = self.index
        missing = [row for row in index.rows if row not in index.written | index.claimed | set(self.needs_no_code)]
        assert [f"§{row} {index.rules[row].title}" for row in missing] == []

    def test_what_needs_no_code_is_in_no_text(self) -> None:
        assert sorted(set(self.needs_no_code) & (self.index.written | self.index.claimed)) == []

    def test_a_heading_stands_over_rows_of_its_own(self) -> None:
        index = self.index
        assert {ident for ident in index.headings if not any(row in index.rows for row in index.under(ident))} == set()

    def test_what_rules_is_written_as_a_rule(self) -> None:
        """An example alone is not enough for a row that constrains, computes or orders something."""
        index = self.index
        telling = {"note", "example", "reading", "definition"}
        ruling = {ident for ident in index.rows if index.rules[ident].sort not in telling} | {
            ident
            for ident in index.rows
            if ident in index.claimed and index.rules[ident].sort in ("note", "definition", "reading")
        }
        assert sorted(ruling - index.written - set(self.needs_no_code) - set(self.follows)) == []

    def test_every_printed_example_is_played(self) -> None:
        """Or, if it is about a component, printed on it."""
        index = self.index
        printed = {ident for ident in index.rows if index.rules[ident].sort == "example"}
        assert sorted(printed - index.claimed - index.text.components - set(self.needs_no_code)) == []

    def test_what_follows_from_other_rules_is_pinned(self) -> None:
        assert sorted(set(self.follows) & self.index.written) == []
        assert sorted(set(self.follows) - self.index.claimed) == []

    def test_the_lists_speak_of_rows_there_are(self) -> None:
        assert set(self.needs_no_code) | set(self.follows) <= set(self.index.rows)
        assert not set(self.needs_no_code) & set(self.follows)
        assert all(self.needs_no_code.values()) and all(self.follows.values())

    def test_every_citation_is_a_row_of_the_rulebook(self) -> None:
        assert sorted((self.index.written | self.index.claimed) - set(self.index.rules)) == []
