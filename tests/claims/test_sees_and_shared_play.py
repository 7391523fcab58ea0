"""An example can say what a seat sees, and its cases can share what is played before them."""

from __future__ import annotations

import pytest

from rulescript.claims import ExampleResult, GameSource, run_examples

GAME = """\
rulescript 1
game "Seen", version "1"
kind Side: adjective: text
    holds hand: Card, visible to it, count to others
    holds deck: Card, ordered, hidden to others
    holds discards: Card, ordered, top to others
    holds pouch: Card, visible to it, nonempty to others
    holds pool: Unit
    state vp: int
things
    Side Red   adjective "Redish"
    Side Blue  adjective "Bluish"
players Side
values Arm: foot, horse
state active: Side
kind Town
    holds units: Unit
things
    Town Mill
    Town Ford
kind Card: side: Side
    home side.deck
things
    Card Raid   Red, 2
    Card March  Red
    Card Levy   Blue, 2
    Card Truce  Blue
pieces Unit: side: Side, arm: Arm
    state face_up: bool
    home side.pool
    hidden when not face_up, known to side, showing "{side.adjective} block"
counts Unit
    |      | foot | horse |
    | Red  |    3 |     2 |
    | Blue |    3 |     2 |
phase movement
    repeat
        choose march: u in Town.units, t in Town "March {u} to {t}"
            require u.side == active
            require u.place != t
            move u to t
        or stop
phase rolling
    roll d6 as rolled
    active.vp += rolled
    choose again "Again"
        active.vp += 1
    or done "Done"
sequence
    for active in Side
        movement
        rolling
    end game, draw
"""
GIVEN = """\
    given empty, active Red, at movement
        Mill: 1 Red foot, 1 Red horse (face_up), 2 Blue foot
        Red: hand: Raid, March
        Blue: hand: Levy, Truce, discards: Levy
        Blue: pouch: nothing
        Red: pouch: Raid
"""


def run(body: str) -> list[ExampleResult]:
    return list(run_examples(GameSource.of_text(f'{GAME}example "It"\n{body}', "it.rules")))


@pytest.mark.parametrize(
    "line",
    [
        "Red sees Blue.hand: 2 cards",
        "Red sees Blue.hand: at least 1 card",
        "Blue sees Blue.hand: Levy, Truce",
        "Blue sees Blue.hand: 2 cards",
        "Blue sees Blue.hand: 1 Levy, 1 Truce",
        "Blue sees Blue.hand",
        "Red does not see Blue.hand: Levy",
        "Red does not see Blue.deck",
        "Blue does not see Red.deck",
        "Red sees Blue.discards: Levy",
        "Red sees Red.pouch: Raid",
        "Blue sees Red.pouch: something",
        "Red sees Blue.pouch: nothing",
        "Blue does not see Red.pouch: Raid",
        "Red sees Mill.units: 1 Red foot, 1 Red horse, 2 units",
        "Red sees Mill.units: 1 foot, 2 Bluish blocks",
        "Red sees Mill: 4 units",
        "Red does not see Mill.units: Blue foot",
        "Blue sees Mill.units: 1 Red horse, 2 Blue foot, 1 unit",
        "Blue sees Mill.units: 1 Redish block",
        "Blue does not see Mill.units: Red foot",
        "Blue sees Ford.units: nothing",
        "Red sees Ford.units",
    ],
)  # fmt: skip
def test_what_a_seat_sees(line: str) -> None:
    for body in (f"{GIVEN}    expect\n        {line}\n", f"{GIVEN}    {line}\n"):
        (result,) = run(body)
        assert result.ok, str(result)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Red sees Blue.hand: Levy", "Red sees only how many are in"),
        ("Red sees Blue.hand: 3 cards", "2 cards"),
        ("Red sees Blue.hand", "does not see all of Blue.hand"),
        ("Red does not see Blue.hand", "Red sees only how many"),
        ("Blue does not see Blue.hand: Levy", "Blue does see `Levy`"),
        ("Red does not see Blue.hand: March", "there is no `March`"),
        ("Red sees Blue.deck: 3 cards", "Red sees nothing of"),
        ("Red sees Blue.deck: nothing", "Red sees nothing of"),
        ("Blue sees Red.pouch: Raid", "sees only that"),
        ("Blue sees Red.pouch: 1 card", "sees only that"),
        ("Red sees Mill.units: 2 Blue foot", "2 Bluish block face down"),
        ("Red sees Mill.units: 2 foot", "1 Red foot"),
        ("Red sees Blue.discards: Truce", "on top of"),
        ("Blue does not see Mill.units: Red horse", "Blue does see"),
        ("Green sees Mill.units: 2 foot", "no player is called `Green`"),
        ("Red sees Mlil.units: 2 foot", "did you mean `Mill`?"),
        ("Red sees Mill.units: 2 fooot", "did you mean `foot`?"),
        ("Red sees Mill.units:", "a colon, and what is seen there"),
    ],
)
def test_a_failure_tells_what_is_seen(line: str, told: str) -> None:
    (result,) = run(f"{GIVEN}    expect\n        {line}\n")
    assert not result.ok and told in str(result), str(result)


# ------------------------------------------------------------------ a shared beginning


def test_cases_share_what_is_played_before_them() -> None:
    results = run(
        GIVEN
        + "    play before each case\n        Red: march Red foot to Ford\n        Red: stop\n        dice 3\n"
        '    case "again"\n        play\n            Red: again\n        expect\n            Red.vp == 4\n'
        '    case "done"\n        play\n            Red: done\n        expect\n            Red.vp == 3\n'
        '    case "another position": but Ford: 1 Red horse\n'
        "        Ford has 2 units\n".replace("        Ford has", "        expect\n            Ford has")
    )
    assert [r.title for r in results] == ["It / again", "It / done", "It / another position"]
    assert all(r.ok for r in results), "\n".join(map(str, results))


def test_it_is_played_before_what_the_example_itself_says_too() -> None:
    results = run(
        GIVEN + "    play before each case\n        Red: march Red foot to Ford\n"
        "    expect\n        Ford has 1 Red foot\n"
        '    case "and back"\n        play\n            Red: march foot in Ford to Mill\n'
        "        expect\n            Ford is empty\n"
    )
    assert [r.title for r in results] == ["It", "It / and back"]
    assert all(r.ok for r in results), "\n".join(map(str, results))


def test_a_fault_in_it_is_told_in_each_case() -> None:
    results = run(
        GIVEN + "    play before each case\n        Red: march Red foot to Mlil\n"
        '    case "a"\n        asks Red march\n    case "b"\n        asks Red march\n'
    )
    assert [r.ok for r in results] == [False, False]
    assert "march Red foot to Mlil" in str(results[1])


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    play before each case\n        Red: stop\n        dice 2\n", "there is no case below"),
        (
            '    case "a"\n        asks Red\n    play before each case\n        Red: stop\n        dice 2\n',
            "stands above",
        ),
    ],
)
def test_where_it_stands(body: str, told: str) -> None:
    (result,) = run(GIVEN + body)
    assert told in str(result), str(result)
