"""The examples that stand with the game hold, and none is missing: one for every rule that forbids something,
one for every card with a text of its own, and every line of the rulebook's index is cited somewhere.

The examples are what a reader should look at (games/quartermaster_general_1914/examples); here it is only
checked that they are all there. A rule is pinned when an example names it: in its heading, behind a line, or as
what refuses something.
"""

from __future__ import annotations

from functools import cache

from rulescript import nodes as n
from tests.games.claims import Claims, Pinned
from tests.games.sources import game, index, source
from tests.inside import inside

GAME = "quartermaster_general_1914"
PINNED = Pinned(GAME)

# Rules that no example can pin, and why.
NOT_PINNED = {
    "QMG-board-6": "Neutral spaces are not on the board of the program, so nothing can be tried there",
    "QMG-piece-8": "see QMG-board-6",
}

# Lines of the index that neither a rule nor an example cites, and why.
NOT_CITED = {
    "QMG-see-3": "how much is said at the table is for the players to settle; the program carries no messages",
    "Q-Amb-22": "slips in page numbers and spelling; nothing in play depends on them",
}


@cache
def cited_by_rules() -> set[str]:
    """Whatever a declaration, a clause or a statement of the game cites, examples left out."""
    out: set[str] = set()
    for piece in source(GAME).text.pieces:
        if isinstance(piece.declaration, (n.Example, n.Rulebook)):
            continue
        for node in inside(piece.declaration, object):
            out |= {rule for rule in getattr(node, "cites", ()) if isinstance(rule, str)}
    return out


def test_every_card_with_a_text_has_an_example() -> None:
    """An Event, an Economic Warfare or a Status card has an example that is called like it."""
    model = game(GAME).model
    kind, types = model.kinds["Card"], model.kinds["CardType"].things
    titles = {plan.title for plan in PINNED.shown.plans}
    named = [
        card.label
        for card, sort in zip(kind.things, kind.attrs["type"].values, strict=True)
        if types[sort.index].name in {"event", "warfare", "status"}
    ]
    assert (len(kind.things), len(named)) == (216, 122)
    assert sorted(set(named) - titles) == []


def test_every_line_of_the_index_is_cited_or_has_a_reason() -> None:
    """Headings, lines that others stand under, need not be."""
    cited = cited_by_rules() | PINNED.shown.rules
    headings = {ident.rpartition("-")[0] for ident in index(GAME)} | {"QMG", "QX", "Q"}
    missing = sorted(ident for ident in index(GAME) if ident not in cited and ident not in headings)
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
    headings = {ident.rpartition("-")[0] for ident in index(GAME)} | {"QMG", "QX", "Q"}
    missing = [
        rule.ident
        for rule in index(GAME).values()
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


class TestClaims(Claims):
    pinned = PINNED
    not_pinned = NOT_PINNED
    never_tried = NEVER_TRIED
    at_least = 350
