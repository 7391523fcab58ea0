"""A game's own examples and checks hold, and none is missing: one for every rule that forbids something.

The examples are what a reader should look at (games/<game>/examples); here it is only checked that they are all there.
A rule is *pinned* when an example names it: in its heading, behind a line, or as what refuses something. A game's own
test names the game and has the lists of what no example can show.
"""

from __future__ import annotations

from functools import cached_property

import pytest

from rulescript import nodes as n
from rulescript.claims import run_checks, run_example, run_examples
from rulescript.diagnostics import render_report
from tests.games.sources import Shown, index, plans, source
from tests.inside import inside

# Of the examples of a game one of so many is played every time.
PLAYED = 20


def some_hold(game: str) -> None:
    """A part of a game's examples: one of each few, so that every chapter has its share."""
    found = [each for each in source(game).found() if not each.options][::PLAYED]
    assert found
    failed = [d for each in found for result in run_example(source(game), each) for d in result.failures]
    assert not failed, render_report(failed)


def all_hold(game: str, at_least: int) -> None:
    """All examples of a game, each with the options it is about."""
    results = list(run_examples(source(game)))
    assert len(results) >= at_least
    failed = [diagnostic for result in results for diagnostic in result.failures]
    assert not failed, render_report(failed)


class Pinned:
    """What the examples of a game show."""

    def __init__(self, game: str) -> None:
        self.game = game

    @cached_property
    def shown(self) -> Shown:
        return Shown([plan for _, plan in plans(self.game)])

    @cached_property
    def forbidding(self) -> set[str]:
        return {row.ident for row in index(self.game).values() if row.sort in {"constraint", "victory"}}

    @cached_property
    def requirements(self) -> list[n.Require]:
        """Those with words of their own. Examples and what helps them are no rules."""
        pieces = [piece.declaration for piece in source(self.game).text.pieces]
        return [clause for each in pieces for clause in inside(each, n.Require) if clause.label]


class Claims:
    """The tests; a game's own class says which game, and what no example can pin or try."""

    pinned: Pinned
    not_pinned: dict[str, str]
    never_tried: dict[str, str]
    at_least: int

    def test_some_examples_hold(self) -> None:
        some_hold(self.pinned.game)

    @pytest.mark.long
    def test_all_examples_hold(self) -> None:
        all_hold(self.pinned.game, self.at_least)

    def test_all_checks_hold(self) -> None:
        results = run_checks(source(self.pinned.game))
        assert results
        assert [result.title for result in results if not result.ok] == []

    def test_what_forbids_something_is_pinned_by_an_example(self) -> None:
        wanted = self.pinned.forbidding - set(self.not_pinned)
        assert wanted
        rules = index(self.pinned.game)
        assert [f"§{rule} {rules[rule].title}" for rule in sorted(wanted - self.pinned.shown.rules)] == []

    def test_what_no_example_can_pin_is_not_pinned(self) -> None:
        """The list of exceptions holds no more than it must."""
        assert set(self.not_pinned) <= self.pinned.forbidding - self.pinned.shown.rules

    def test_every_example_names_rules_there_are(self) -> None:
        shown = self.pinned.shown.plans
        assert {rule for plan in shown for rule in plan.cites} <= set(index(self.pinned.game))
        assert [plan.title for plan in shown if not plan.cites] == []

    def test_every_requirement_refuses_something_in_an_example(self) -> None:
        """A `require` with words of its own that no example runs into could be dropped unnoticed."""
        shown = self.pinned.shown
        missing = [c for c in self.pinned.requirements if c.label not in self.never_tried and not shown.refuses(c)]
        assert [" ".join(clause.span.text.split()) for clause in missing] == []

    def test_what_is_never_tried_is_a_requirement_that_no_example_runs_into(self) -> None:
        shown = self.pinned.shown
        untried = {str(clause.label) for clause in self.pinned.requirements if not shown.refuses(clause)}
        assert sorted(set(self.never_tried) - untried) == []
        assert all(self.never_tried.values()) and all(self.not_pinned.values())
