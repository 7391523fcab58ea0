"""The examples that stand with the game hold, and none is missing: one for every rule that forbids something,
one for every card with a text of its own, and every line of the rulebook's index is cited somewhere.

The examples are what a reader should look at (games/quartermaster_general_1914/examples); here it is only
checked that they are all there. A rule is pinned when an example names it: in its heading, behind a line, or as
what refuses something.
"""

from __future__ import annotations

import pytest

from rulescript import nodes as n
from rulescript.claims import ExampleResult, GameSource, parse_example, run_checks, run_examples
from rulescript.claims import steps as s
from rulescript.diagnostics import Reporter, render_report
from tests.inside import inside

SOURCE = GameSource.load("quartermaster_general_1914")
GAME = SOURCE.game()
RULES = GAME.rules

# Rules that no example can pin, and why.
NOT_PINNED = {
    "QMG-board-6": "Neutral spaces are not on the board of the program, so nothing can be tried there",
    "QMG-piece-8": "see QMG-board-6",
    "QMG-see-2": "an example sees everything; test_play.py looks through the eyes of the players",
}

# Lines of the index that neither a rule nor an example cites, and why.
NOT_CITED = {
    "QMG-see-3": "how much is said at the table is for the players to settle; the program carries no messages",
    "Q-Amb-22": "slips in page numbers and spelling; nothing in play depends on them",
}


FOUND = SOURCE.found()
PLANS = [parse_example(found.example, Reporter(), found.cites) for found in FOUND]
TRIES = [each for plan in PLANS for each in inside(plan, s.Try)]
REFUSED_BY = {rule for each in TRIES for rule in each.by}
BECAUSE = {each.because.casefold() for each in TRIES if each.because}
PINNED = REFUSED_BY | {
    rule for plan in PLANS for cites in [plan.cites, *(c.cites for c in inside(plan, s.Claim))] for rule in cites
}


def cited_by_rules() -> set[str]:
    """Whatever a declaration, a clause or a statement of the game cites, examples left out."""
    out: set[str] = set()
    for piece in SOURCE.text.pieces:
        if isinstance(piece.declaration, (n.Example, n.Rulebook)):
            continue
        for node in inside(piece.declaration, object):
            out |= {rule for rule in getattr(node, "cites", ()) if isinstance(rule, str)}
    return out


@pytest.fixture(scope="module")
def results() -> list[ExampleResult]:
    return list(run_examples(SOURCE))


def test_all_examples_hold(results: list[ExampleResult]) -> None:
    assert len(results) > 350
    failed = [diagnostic for result in results for diagnostic in result.failures]
    assert not failed, render_report(failed)


def test_all_checks_hold() -> None:
    results = run_checks(SOURCE)
    assert len(results) >= 12
    assert [result.title for result in results if not result.ok] == []


def test_every_example_is_about_a_rule_of_the_rulebook() -> None:
    assert {rule for plan in PLANS for rule in plan.cites} <= set(RULES)
    assert [plan.title for plan in PLANS if not plan.cites] == []


def test_every_card_with_a_text_has_an_example() -> None:
    """An Event, an Economic Warfare or a Status card has an example that is called like it."""
    model = GAME.model
    kind, types = model.kinds["Card"], model.kinds["CardType"].things
    titles = {plan.title for plan in PLANS}
    named = [
        card.label
        for card, sort in zip(kind.things, kind.attrs["type"].values, strict=True)
        if types[sort.index].name in {"event", "warfare", "status"}
    ]
    assert (len(kind.things), len(named)) == (216, 122)
    assert sorted(set(named) - titles) == []


FORBIDDING = {r.ident for r in RULES.values() if r.sort in {"constraint", "victory"}}


@pytest.mark.parametrize("rule", sorted(FORBIDDING - set(NOT_PINNED)))
def test_what_forbids_something_is_pinned_by_an_example(rule: str) -> None:
    assert rule in PINNED, f"no example says what §{rule} ({RULES[rule].title}) means"


def test_what_no_example_can_pin_is_not_pinned() -> None:
    """The list of exceptions holds no more than it must."""
    assert set(NOT_PINNED) <= FORBIDDING - PINNED


def test_every_line_of_the_index_is_cited_or_has_a_reason() -> None:
    """Headings, lines that others stand under, need not be."""
    cited = cited_by_rules() | PINNED
    headings = {ident.rpartition("-")[0] for ident in RULES} | {"QMG", "QX", "Q"}
    missing = sorted(ident for ident in RULES if ident not in cited and ident not in headings)
    assert missing == sorted(NOT_CITED)


def test_every_rule_that_is_no_example_is_cited_where_it_is_written() -> None:
    """Not only by an example: the rule itself says which line of the rulebook it is."""
    by_rules = cited_by_rules()
    elsewhere = {
        "Q-Amb-1": "about the numbers of a printed example",
        "Q-Amb-23": "no rule limits the hand, so there is nothing to write",
        "Q-Amb-24": "no rule keeps a fresh card from being used, so there is nothing to write",
        **NOT_CITED,
    }
    headings = {ident.rpartition("-")[0] for ident in RULES} | {"QMG", "QX", "Q"}
    missing = [
        rule.ident
        for rule in RULES.values()
        if rule.sort != "example" and rule.ident not in by_rules and rule.ident not in headings
    ]
    assert sorted(missing) == sorted(elsewhere)


# Requirements that no `try` can name, since nothing is asked where they fail; examples show what follows instead.
NEVER_TRIED = {
    "two cards to give up": "with one card in hand nobody is asked (Drafting)",
    "a Build card": "the deck is hidden, so a refusal tells nothing (Drafting, Nothing left to draft)",
    "the canal is the Germans' own": "a condition of what is adjacent (The canal is for the Central Powers alone)",
    "the Kiel Canal": "a condition of the supply chain (The canal is for the Central Powers alone)",
    "a piece of its own in every space": "a condition of the supply chain (Nothing in between, no supply)",
    "no canal": "a condition of the supply chain (No canal)",
    "a French Build Army card": "the deck is hidden, so a refusal tells nothing (Troupes Coloniales)",
    "seen in the hand": "what is not there is hidden, so a refusal tells nothing (Redl Blackmailed)",
    "seen from the air": "what is not there is hidden, so a refusal tells nothing (Rumpler Taube)",
    "from your own hand": "a partner does not see it, so a refusal tells nothing (The barrage is for the Power ...)",
    "cards to give up": "with too few cards in hand nobody is asked (Big Bertha makes one single card enough)",
}


def test_every_requirement_refuses_something_in_an_example() -> None:
    """A `require` with a label that no example runs into could be dropped unnoticed."""
    missing = []
    for piece in SOURCE.text.pieces:
        for clause in inside(piece.declaration, n.Require):
            if not clause.label or clause.label in NEVER_TRIED:
                continue
            told = any(words in clause.label.casefold() for words in BECAUSE)
            if not told and not set(clause.cites) & REFUSED_BY:
                missing.append(" ".join(clause.span.text.split()))
    assert missing == []
