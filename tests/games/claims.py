"""A game's own examples and checks hold, and none is missing: one for every rule that forbids something.

The examples are what a reader should look at (games/<game>/examples); here it is only checked that they are all there.
A rule is *pinned* when an example names it: in its heading, behind a line, or as what refuses something. A game's own
test names the game and has the lists of what no example can show.
"""

from __future__ import annotations

from functools import cached_property

import pytest

from rulescript import nodes as n
from rulescript.claims import GameSource, parse_example, run_checks, run_examples
from rulescript.claims import steps as s
from rulescript.diagnostics import Reporter, render_report
from tests.inside import inside


class Pinned:
    """What the examples of a game show."""

    def __init__(self, game: str) -> None:
        self.source = GameSource.load(game)
        self.rules = self.source.game().rules
        self.plans = [parse_example(found.example, Reporter(), found.cites) for found in self.source.found()]
        tries = [each for plan in self.plans for each in inside(plan, s.Try)]
        self.refused_by = {rule for each in tries for rule in each.by}
        self.because = {each.because.casefold() for each in tries if each.because}
        cited = [cites for plan in self.plans for cites in (plan.cites, *(c.cites for c in inside(plan, s.Claim)))]
        self.rules_shown = self.refused_by | {rule for cites in cited for rule in cites}
        self.forbidding = {rule.ident for rule in self.rules.values() if rule.sort in {"constraint", "victory"}}

    @cached_property
    def requirements(self) -> list[n.Require]:
        """Those with words of their own. Examples and what helps them are no rules."""
        pieces = [piece.declaration for piece in self.source.text.pieces]
        return [clause for each in pieces for clause in inside(each, n.Require) if clause.label]

    def refuses(self, clause: n.Require) -> bool:
        """Whether an example runs into a requirement, by its words or by its rule."""
        told = any(words in str(clause.label).casefold() for words in self.because)
        return told or bool(set(clause.cites) & self.refused_by)


class Claims:
    """The tests; a game's own class says which game, and what no example can pin or try."""

    pinned: Pinned
    not_pinned: dict[str, str]
    never_tried: dict[str, str]
    at_least: int

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "rule" in metafunc.fixturenames:
            metafunc.parametrize("rule", sorted(self.pinned.forbidding - set(self.not_pinned)))

    def test_all_examples_hold(self) -> None:
        results = list(run_examples(self.pinned.source))
        assert len(results) >= self.at_least
        failed = [diagnostic for result in results for diagnostic in result.failures]
        assert not failed, render_report(failed)

    def test_all_checks_hold(self) -> None:
        results = run_checks(self.pinned.source)
        assert results
        assert [result.title for result in results if not result.ok] == []

    def test_what_forbids_something_is_pinned_by_an_example(self, rule: str) -> None:
        title = self.pinned.rules[rule].title
        assert rule in self.pinned.rules_shown, f"no example says what §{rule} ({title}) means"

    def test_what_no_example_can_pin_is_not_pinned(self) -> None:
        """The list of exceptions holds no more than it must."""
        assert set(self.not_pinned) <= self.pinned.forbidding - self.pinned.rules_shown

    def test_every_example_names_rules_there_are(self) -> None:
        plans = self.pinned.plans
        assert {rule for plan in plans for rule in plan.cites} <= set(self.pinned.rules)
        assert [plan.title for plan in plans if not plan.cites] == []

    def test_every_requirement_refuses_something_in_an_example(self) -> None:
        """A `require` with words of its own that no example runs into could be dropped unnoticed."""
        pinned = self.pinned
        missing = [c for c in pinned.requirements if c.label not in self.never_tried and not pinned.refuses(c)]
        assert [" ".join(clause.span.text.split()) for clause in missing] == []

    def test_what_is_never_tried_is_a_requirement_that_no_example_runs_into(self) -> None:
        untried = {str(clause.label) for clause in self.pinned.requirements if not self.pinned.refuses(clause)}
        assert sorted(set(self.never_tried) - untried) == []
        assert all(self.never_tried.values()) and all(self.not_pinned.values())
