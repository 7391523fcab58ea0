"""The measure of how a sentence reads finds what a reader stumbles over, and nothing in plain sentences."""

from __future__ import annotations

import pytest

from rulescript.wording.style import BAD, faults_of, score_of
from rulescript.wording.verbs import a_sort, agreed, all_of, by_itself, denied, told


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("There are reserves of the side whose side is the side.", "whose ... is the ..."),
        ("The unit's nation's side is North.", "X's Y's Z"),
        ("“only lacks” holds for North, the target and Mill.", "holds for"),
        ("Yes if the unit has moved, otherwise no.", "yes or no"),
        ("The set of other for each side in the sponsors.", "the set of ... for each"),
        ("The hits are the losses table's entry for the roll.", "table's entry"),
        ("Unit u may go to area t.", "a letter for a name"),
        ("Move the card to the_box.", "a name as it is written"),
        ("The card is something.", "something, nothing"),
        ("Roll dice for “n” units.", "a name in quotes"),
        ("North has a piece (with the town).", "(with ...)"),
        ("Move the them to Mill.", "the the"),
        ("North gets 1 points.", "1 points"),
        ("North gets minus 2 points.", "gets minus"),
        ("The loss at 2 is yes.", "is yes"),
        ("Repeat until the passes are at least 2:", "the passes are at least 2"),
        ("Draw the number of cards cards.", "a word twice"),
        ("Northern Powers's units move.", "s's"),
        ("There is no its card in Mill.", "no its"),
        ("The number minus the have infantry.", "the have"),
        ("Mill's control is not nobody.", "is nobody"),
    ],
)
def test_what_a_machine_writes_is_found(text: str, family: str) -> None:
    assert family in [fault.name for fault in faults_of(text)]
    assert score_of(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "The unit is infantry and has not moved.",
        "You have no units in Mill.",
        "If the area is a capital, the nation is North.",
        "Draw two cards from the top of your deck and put them in your hand.",
        "Roll as many d6 as there are units of North in the town (the dice).",
        "Move the card to “The box of nothing at all, whose box is the box”.",
    ],
)
def test_plain_sentences_have_no_faults(text: str) -> None:
    assert faults_of(text) == []


def test_length_and_repetition_count() -> None:
    long = "The unit is here and there " + "and the army marches on " * 10
    assert {"long"} <= {fault.name for fault in faults_of(long)}
    assert score_of(long) >= BAD
    assert "army 10 times" in [fault.name for fault in faults_of(long)]


@pytest.mark.parametrize(
    ("words", "said", "not_said"),
    [
        ("moved", "has moved", "has not moved"),
        ("port", "is a port", "is not a port"),
        ("can_dig".replace("_", " "), "can dig", "cannot dig"),
        ("has had its revolution", "has had its revolution", "has not had its revolution"),
        ("has garrison", "has a garrison", "has no garrison"),
        ("blocks", "blocks", "does not block"),
        ("touches", "touches", "does not touch"),
        ("siege marker", "has a siege marker", "has no siege marker"),
    ],
)
def test_a_name_is_told_of_its_subject(words: str, said: str, not_said: str) -> None:
    assert (told(words, True), told(words, False)) == (said, not_said)


@pytest.mark.parametrize(
    ("words", "said", "not_said"),
    [
        ("by sea", "it is by sea", "it is not by sea"),
        ("doubled", "it is doubled", "it is not doubled"),
        ("weather broken", "the weather is broken", "the weather is not broken"),
        ("north has passed", "north has passed", "north has not passed"),
        ("raid", "“raid” applies", "“raid” does not apply"),
    ],
)
def test_a_fact_without_a_subject(words: str, said: str, not_said: str) -> None:
    assert (by_itself(words, True), by_itself(words, False)) == (said, not_said)


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("{u} is supplied by sea", "{u} is not supplied by sea"),
        ("{u} must attack", "{u} need not attack"),
        ("{n} has a ship", "{n} has no ship"),
        ("{n} has lost a ship", "{n} has not lost a ship"),
        ("{n} can go", "{n} cannot go"),
        ("{n} holds {a}", ""),
        ("there are no ships", ""),
    ],
)
def test_an_authors_words_are_denied_by_their_verb(text: str, opposite: str) -> None:
    assert denied(text) == opposite


def test_verbs_agree_with_you() -> None:
    assert agreed("you has passed and you holds Mill") == "you have passed and you hold Mill"
    assert agreed("you is North; you may pass, and you always win") == "you are North; you may pass, and you always win"
    assert agreed("North has passed") == "North has passed"


def test_what_is_said_of_one_subject_is_joined() -> None:
    said = ["the unit belongs to North", "the unit is infantry", "the unit has not moved"]
    assert all_of(said) == "the unit belongs to North, is infantry and has not moved"
    assert all_of(["Mill is a port", "Ford is a port"]) == "Mill is a port and Ford is a port"


def test_sorts_have_articles_where_one_says_them() -> None:
    assert [a_sort(name) for name in ("infantry", "fort", "guns", "Army")] == ["infantry", "a fort", "guns", "an Army"]
