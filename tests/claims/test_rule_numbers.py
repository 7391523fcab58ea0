"""Which rules a number stands for: itself, and all whose numbers go on from it."""

from __future__ import annotations

import pytest

from rulescript.analysis.active import named_by, under
from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Tolls", version "1"
rulebook "Tolls"
    2       section     "Trade"
    2.1a    constraint  "The lowest"
    2.10b   constraint  "Never three"
    4.2A1   constraint  "Not on market days"
values Side: North, South
players Side
state active: Side
state paid: int

phase trade "Trade"
    choose toll: n in 1..4 "Toll {n}"
        require n != 2  §2.1a
        require n != 3  §2.10b
        require n != 4  §4.2A1
        paid += n       §2.1a

sequence
    trade
    end game, draw

"""


def failed(claims: str) -> list[str]:
    example = f'example "Paying"\n    given empty, at trade\n{claims}'
    return [str(r) for r in run_examples(GameSource.of_text(GAME + example)) if not r.ok]


@pytest.mark.parametrize(
    ("ident", "above"),
    [
        ("2.1.8d", ["2.1.8d", "2.1.8", "2.1", "2"]),
        ("4.6.4-b", ["4.6.4-b", "4.6.4", "4.6", "4"]),
        ("4.2A1", ["4.2A1", "4.2A", "4.2", "4"]),
        ("7.2.2-O6a", ["7.2.2-O6a", "7.2.2-O6", "7.2.2", "7.2", "7"]),
        ("13a", ["13a", "13"]),
        ("15.1-EP10", ["15.1-EP10", "15.1", "15"]),
        ("X1-GE-04", ["X1-GE-04", "X1-GE", "X1"]),
    ],
)
def test_a_number_is_under_those_that_it_continues(ident: str, above: list[str]) -> None:
    assert named_by([ident]) == frozenset(above)
    assert all(under(ident, wanted) for wanted in above)


@pytest.mark.parametrize(
    ("ident", "other"),
    [
        ("2.10b", "2.1"),
        ("2.1", "2.10"),
        ("A-11", "A-1"),
        ("A-BRUX", "A-BRU"),
        ("15.1-EP10", "15.1-EP1"),
        ("X1-GE", "X"),
        ("2", "2a"),
    ],
)
def test_a_number_that_only_begins_alike_is_another(ident: str, other: str) -> None:
    assert not under(ident, other)
    assert other not in named_by([ident])


def test_a_refusal_by_a_letter_is_one_by_its_number() -> None:
    for n, number in ((2, "2.1"), (3, "2.10"), (4, "4.2"), (4, "4.2A")):
        assert failed(f"    try toll {n} -> refused by §{number}\n") == []
    assert failed("    try toll 3 -> refused by §2.1\n") != []


def test_so_is_what_the_journal_mentions() -> None:
    play = "    play\n        North: toll 1\n    expect\n"
    assert failed(play + "        journal mentions §2.1\n        journal mentions §2\n") == []
    assert failed(play + "        journal does not mention §2.1\n") != []
