"""What is so of a thing is said of the thing: "the Northern Powers control Mill", not "Mill's control is Northern
Powers". Names have the article they have in a sentence, and verbs agree with them."""

from __future__ import annotations

import re

import pytest

from rulescript.docgen.sentences import Sentences
from rulescript.docgen.subject import Subject
from rulescript.loader import load_single
from rulescript.phrases import kind_noun, with_the
from rulescript.wording.verbs import agreed, all_of, either_of

GAME = """
values Holder: nobody, contested, Northern_Powers "Northern Powers", League "Hill League"
values Deed: fresh, has_moved "has moved", attacks
kind Side: marker: Holder
    state plays: int
    state enemies: int
kind Town
    state control: Holder
    state owner: Holder
    state spent: bool
    state deed: Deed
    holds units: U_Boat
pieces U_Boat: side: Side
    home box
holds box: U_Boat
players Side
state active: Side
state paying: maybe Side
state opened: set of Town
state turned_up: int
things
    Side North "Northern Powers", marker Northern_Powers
    Side South "Hill League", marker League
    U_Boat Line  South, 3
map Valley
    link road
    Town Mill
    Town Ford
    road Mill - Ford
function ready(t: Town) -> bool as "{t} is ready"
    t.deed == fresh
function open_to(t: Town, s: Side) -> bool as "{t} is open to {s}" not "{t} is closed to {s}"
    if t.control == contested
        return no
    return t.control != s.marker or t.spent
procedure lose(s: Side, lost: int, t: Town) as "{s} loses {lost} points in {t}"
    s.plays -= lost
procedure take(t: Town, lost: int)
    t.control = active.marker
    t.control = contested
    t.control = League
    t.control = nobody
    t.deed = has_moved
    t.deed = fresh
    paying = active
    opened += t
    turned_up = 2
    lose(active, lost, t)
    lose(active, lost + 2, t)
    lose(active, if t.spent then 3 else 1, t)
sequence
    active = South
    take(Mill, 1)
    choose go: t in Town "Go to {t}"
        require ready(t)
        require open_to(t, active)
        require t.owner != active.marker or not t.spent
        t.spent = yes
"""


@pytest.fixture(scope="module")
def told() -> list[str]:
    """Every line that is made of the rules."""
    return [sentence.text for sentence in Sentences(Subject.of_text(load_single(GAME, "told"), (), "")).all]


@pytest.mark.parametrize(
    "sentence",
    [
        "Now the active side controls the town.",
        "Now the town is contested.",
        "Now the Hill League controls the town.",
        "Now nobody controls the town.",
        "Now the town has moved.",
        "Now the town is fresh.",
        "Set the paying side to the active side.",
        "Add the town to the opened towns.",
        "Set the number turned up to 2.",
        "The active side loses as many points in the town as the number lost.",
        "The active side loses as many points in the town as the number lost plus 2.",
        "The active side loses 3 points in the town if the town is spent, otherwise 1.",
        "The town is ready if it is fresh.",
        "The town is closed to the side.",
    ],
)
def test_what_becomes_of_a_thing_is_said_of_it(told: list[str], sentence: str) -> None:
    assert sentence in told


def test_a_rule_that_says_yes_or_no_says_of_what(told: list[str]) -> None:
    assert not any(re.match(r"It is (?:not )?so", text) for text in told)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Northern Powers", "the Northern Powers"),
        ("Kingdom of Ruritania", "the Kingdom of Ruritania"),
        ("Ruritania / Hill League", "the Ruritania / Hill League"),
        ("The Northern Powers", "The Northern Powers"),
        ("Ruritania", "Ruritania"),
        ("Ford", "Ford"),
        ("box", "box"),
        ("Inland Sea", "the Inland Sea"),
    ],
)
def test_some_names_have_an_article(name: str, said: str) -> None:
    assert with_the(name) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the Northern Powers has units in Mill", "the Northern Powers have units in Mill"),
        ("the Northern Powers chooses", "the Northern Powers choose"),
        ("the units of the Northern Powers is there", "the units of the Northern Powers is there"),
        ("the hand of the Northern Powers is empty", "the hand of the Northern Powers is empty"),
        ("the Hill League has units in Mill", "the Hill League has units in Mill"),
    ],
)
def test_verbs_agree_with_whom_they_are_said_of(text: str, said: str) -> None:
    assert agreed(text) == said


def test_what_two_sentences_are_about_is_named_once() -> None:
    assert either_of("the town is a port", "the town has a fort") == "the town either is a port or has a fort"
    assert either_of("Mill belongs to North", "Mill belongs to South") == "Mill belongs to either North or South"
    assert either_of("Mill is not a port", "Mill is not a fort") == "Mill either is not a port or is not a fort"
    assert either_of("Mill is a port", "Ford is a port") == "either Mill or Ford is a port"
    assert either_of("Mill is a port", "Ford has a fort") == "either Mill is a port or Ford has a fort"
    joined = all_of(["the unit is infantry", "the unit has not moved", "nobody is in Mill"])
    assert joined == "the unit is infantry and has not moved, and nobody is in Mill"


def test_a_letter_that_names_a_sort_is_one_word_with_it() -> None:
    assert kind_noun("U_Boat") == "U-boat"
    assert kind_noun("A_Town") == "a town"
