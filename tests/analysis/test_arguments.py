"""Values by name, and parameters that a call may leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.docgen.entries import Entries
from rulescript.docgen.subject import Subject
from rulescript.wording.proper import Proper

GAME = """
rulescript 1
game "Small"
values Side: North, South
players Side
state active: Side
state told: int
kind Town: size: int = 1
    holds units: Unit
    holds cards: Card
pieces Unit: side: Side
    home box
holds box: Unit
map Valley
    link road
    Town Mill  size 2
    Town Ford
    Town Keep  size 3
    road Mill - Ford - Keep
kind Card
    home Mill.cards
    does play(s: Side, times: int = told + 1)
things
    Unit Guard  North, 4
    Unit Scout  South, 4
    Card Raid
        play
            told += times

function strength(t: Town, s: Side = active, base: int = 10 * t.size) -> int
    base + count(t.units[side == s])
value might(t: Town, s: Side = active) -> int
    count(t.units[side == s])
adjust might(t, s) add 1 when s == South "tired"
predicate quiet(t: Town, limit: int = 2)
    require count(t.units) < limit "crowded"
table losses(roll: int, odds: int = 3) -> int
    |           | 1 | 2 | 3+ |
    | 1..3      | 0 | 1 |  2 |
    | otherwise | 3 | 4 |  5 |
route ride(u: Unit on Town, far: int = 1) from u.place by road, at most far steps
signal fought(t: Town, hits: int = t.size)
when fought(t, hits)
    told += 100 * hits
procedure fall_back(u: Unit on Town, far: int = 1, to: Town = first(ride(u, far = far)) otherwise Keep)
    move u to to
procedure shout(n: int = 1)
    told += n
phase march
    place 2 Guard in Mill
    place 1 Scout in Ford
    shout
    shout(n = 4)
    shout()
    choose go: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active
        require t in ride(u, far = 2)
        move u to t
        signal fought(t)
        signal fought(hits = 1, t = Mill)
    or pass
    Raid.play(North)
    Raid.play(times = 1000, s = North)
sequence
    for active in Side
        march
    end game, draw
example "What is not said"
    given empty, active South
        Mill: 2 Guard, 1 Scout
        Keep: 1 Scout
    expect
        strength(Mill) == 21
        strength(Mill, North) == 22
        strength(Mill, base = 5) == 6
        strength(base = 0, t = Keep, s = South) == 1
        strength(Mill, s = North, base = 0) == 2
        might(Mill) == 2 and might(Mill, s = North) == 2
        not quiet(Mill) and quiet(Mill, limit = 4) and quiet(Keep)
        losses(2) == 2 and losses(2, odds = 1) == 0 and losses(5, 1, shift = 1) == 4 and losses(5, shift = -2) == 3
        every u in Mill.units: ride(u) == {Ford} and ride(u, far = 2) == {Ford, Keep}
example "A procedure"
    given empty, active North, run shout(n = 7)
    expect
        told == 7
    case "without a word": but run shout
        expect
            told == 1
    case "a piece that goes on": but Mill: 1 Guard, run march
        play
            North: pass
        expect
            told == 6 + 7 + 1000 + 6
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "small.rules"
    made.write_text(GAME.lstrip(), encoding="utf-8")
    return made


def test_the_examples_hold(path: Path) -> None:
    results = list(run_examples(GameSource.load(path)))
    assert len(results) == 4
    assert all(result.ok for result in results), "\n".join(str(r) for r in results if not r.ok)


def test_a_signal_is_told_what_the_call_leaves_out(path: Path) -> None:
    """`fought(t)` counts the size of its town, `fought(hits = 1, t = Mill)` what it is given."""
    position = rulescript.load(path).start(seed=1)
    assert position.explain("told").value == 6
    position.choose("go Guard to Keep")
    # The size of Keep, one hit for Mill, the card's default (what was told, and one), its thousand, South's six.
    assert position.explain("told").value == 6 + 300 + 100 + 407 + 1000 + 6


def test_a_default_is_worked_out_in_the_names_of_its_own_text(path: Path, tmp_path: Path) -> None:
    """A variant's own `limit` is not what the base meant; and an option may leave out what the base leaves out."""
    text = path.read_text(encoding="utf-8").replace("limit: int = 2", "limit: int = told + 2")
    path.write_text(text, encoding="utf-8")
    more = tmp_path / "more.rules"
    more.write_text(
        'rulescript 1\ngame "More"\n    builds on small\nkind Post\nthings\n    Post told_tale\n'
        "procedure another(t: Town, told: int = 50) -> bool\n    return quiet(t)\n"
        'example "The same"\n    given empty\n        Mill: 1 Guard\n    expect\n        quiet(Mill)\n',
        encoding="utf-8",
    )
    results = list(run_examples(GameSource.load(more)))
    assert [r.ok for r in results if r.title == "The same"] == [True]


def test_the_reference_names_what_need_not_be_said(path: Path) -> None:
    book = Subject.of(rulescript.load(path))
    entries = Entries(book, Proper(book.model))
    titles = [entries.called(f.name, f.params) for f in book.model.functions.values()]
    assert "Quiet (town, limit: a number (2 unless said))" in titles


SWAPPED = {
    'tell "{strength(South, Mill)}"': "write `strength(Mill, South)`",
    "told = strength(South, Mill, 3)": "write `strength(Mill, South, 3)`",
    "told = strength(t = South, s = Mill)": "write `strength(t = Mill, s = South)`",
    "if quiet(2, Mill)\n        told = 1": "write `quiet(Mill, 2)`",
    "signal fought(2, Mill)": "write `signal fought(Mill, 2)`",
    "Raid.play(2, North)": "write `Raid.play(North, 2)`",
}


@pytest.mark.parametrize("line", SWAPPED)
def test_two_values_in_each_others_place_are_one_mistake_with_the_call_to_write(line: str) -> None:
    text = GAME.strip().replace("    Raid.play(North)\n", f"    {line}\n")
    with pytest.raises(rulescript.errors.GameInvalid) as caught:
        GameSource.of_text(text, "swapped.rules").game()
    (only,) = caught.value.diagnostics
    assert only.code == "RS204" and "these two are swapped" in only.message, str(caught.value)
    assert SWAPPED[line] in str(caught.value)
