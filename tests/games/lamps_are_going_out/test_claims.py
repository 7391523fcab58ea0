"""No example is missing: one for every rule that forbids something, for every printed example, for every card and for
every requirement with a reason of its own.

The examples are what a reader should look at (games/lamps_are_going_out/examples); here it is checked that they hold
and are all there. A rule is pinned when an example names it: in its heading, behind a line, or
as what refuses something.
"""

from __future__ import annotations

from functools import cache

import pytest

from rulescript import nodes as n
from rulescript.claims import run_checks
from tests.games.claims import Pinned, all_hold, some_hold
from tests.games.inventory import CITED
from tests.games.sources import game, index, source
from tests.inside import inside

GAME = "lamps_are_going_out"
PINNED = Pinned(GAME)


@cache
def pinned() -> set[str]:
    """The rules that examples name, anywhere."""
    lines = [line.partition("#")[0] for found in source(GAME).found() for line in found.example.span.text.splitlines()]
    return {rule for line in lines for rule in CITED.findall(line)}


# Printed examples that say something of the map or of the nations: checks hold them (map.rules, forces.rules).
CHECKED = {"EX-2.1.10", "EX-2.3.2"}


def test_some_examples_hold() -> None:
    some_hold(GAME)


@pytest.mark.long
def test_all_examples_hold() -> None:
    all_hold(GAME, 600)


def test_all_checks_hold() -> None:
    results = run_checks(source(GAME))
    assert results
    assert [result.title for result in results if not result.ok] == []


def test_every_example_is_about_a_rule_of_the_rulebook() -> None:
    assert {rule for plan in PINNED.shown.plans for rule in plan.cites} <= set(index(GAME))
    assert [plan.title for plan in PINNED.shown.plans if not plan.cites] == []


def test_what_forbids_something_is_pinned_by_an_example() -> None:
    assert len(PINNED.forbidding) > 100
    assert [f"§{rule} {index(GAME)[rule].title}" for rule in sorted(PINNED.forbidding - pinned())] == []


def test_every_printed_example_is_played() -> None:
    printed = {rule.ident for rule in index(GAME).values() if rule.sort == "example"}
    assert len(printed) > 100
    assert sorted(printed - pinned()) == sorted(CHECKED)


def test_every_card_has_an_example() -> None:
    cards = {rule for rule in index(GAME) if rule[:5] in {"EV-G-", "EV-W-", "EV-E-", "EV-C-"}}
    assert len(cards) == len(game(GAME).model.kinds["Event"].things) == 80
    assert sorted(cards - pinned()) == []


# Requirements that no `try` can name, and the example that shows what follows instead.
NOT_ASKED = "where it fails nobody is asked"
CONDITION = "a condition of a path, not of a choice"
ALIKE = "pieces that are alike are one option"
NEVER_TRIED = {
    "bound by the answer to America": (NOT_ASKED, "U-boats bound by the answer to America"),
    "a flag or production": (NOT_ASKED, "Who may hold to the last"),
    "a Home Area of its own": (NOT_ASKED, "Only the French hold Paris to the last"),
    "an anchor": (NOT_ASKED, "A Serbian army in Greece is not evacuated"),
    "Caporetto": (NOT_ASKED, "Caporetto: no last stand in Rome"),
    "no way home": (NOT_ASKED, "Russia falls: allies go home if they can"),
    "friendly or Russian": (CONDITION, "Russia falls: allies go home if they can"),
    "not through Albania": (CONDITION, "No supply through Albania"),
    "friendly": (CONDITION, "A cut off army digs no Trench"),
    "a Fresh British fleet": (ALIKE, "Only a Fresh British fleet shells"),
    "Fresh fleets first": (ALIKE, "Fresh fleets are hit first"),
    "one Western army in Greece": (
        "the Central Powers never hold Greece while Salonika is Open, so nobody of the Entente attacks it",
        "A second Western army does not advance into Greece",
    ),
}


def test_every_requirement_refuses_something_in_an_example() -> None:
    """A `require` with a label that no example runs into could be dropped unnoticed. The rule cited over a `restrict`
    counts for what stands under it."""
    missing = []
    shown = PINNED.shown
    for piece in source(GAME).text.pieces:
        above = {
            id(clause): set(around.cites)
            for around in inside(piece.declaration, n.Restrict)
            for clause in inside(around, n.Require)
        }
        for clause in inside(piece.declaration, n.Require):
            cites = set(clause.cites) | above.get(id(clause), set())
            if not clause.label or clause.label in NEVER_TRIED or cites & shown.refused_by:
                continue
            if not any(words in clause.label.casefold() for words in shown.because):
                missing.append(" ".join(clause.span.text.split()))
    assert missing == []


def test_what_is_never_tried_is_shown() -> None:
    assert set(NEVER_TRIED) <= {clause.label for clause in PINNED.requirements}
    assert {title for _, title in NEVER_TRIED.values()} <= {plan.title for plan in PINNED.shown.plans}
