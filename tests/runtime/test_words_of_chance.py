"""What chance can come to is told with the labels of things and pieces; keys have their names."""

from __future__ import annotations

import pytest

from rulescript import BadChoice
from rulescript.claims import GameSource

GAME = """\
rulescript 1
game "Draws", version "1"
values Side: North, South
players Side
state active: Side
values Arm: boats, horse
kind Card
    home deck
holds deck: Card, hidden to others
holds hand: Card, visible to others
holds pool: Unit
holds out: Unit
pieces Unit: arm: Arm
    state spent: bool
    home pool
things
    Unit Far_Boats  "U-boats" boats, 1
    Unit Far_Horse  horse, 1
    Card Old_Bruno  "Bruno the Elder"
    Card Ada
phase drawing
    for u in pool.Far_Boats
        u.spent = yes
    draw 1 from pool to out
    draw 1 from deck to hand
sequence
    drawing
    end game, draw
""".replace("pool.Far_Boats", "pool[arm == boats]")


def test_outcomes_are_told_by_labels() -> None:
    position = GameSource.of_text(GAME).game().start(chance="explicit")
    node = position.decision
    assert node is not None and node.is_chance
    told = {option.key: option.text for option in node.options}
    assert told == {"piece Far_Boats(spent)": "U-boats (spent)", "piece Far_Horse": "Far Horse"}
    node = position.choose("piece Far_Horse").decision
    assert node is not None and {o.key: o.text for o in node.options} == {
        "thing Old_Bruno": "Bruno the Elder",
        "thing Ada": "Ada",
    }


def test_an_outcome_is_known_however_its_words_are_written() -> None:
    game = GameSource.of_text(GAME).game()
    for first in ("u-boats (SPENT)", "PIECE far_boats(spent)", "far boats(spent)", "Far_Boats(spent)"):
        for second in ("bruno the elder", "Thing old bruno", "OLD_BRUNO", "  Old   Bruno "):
            position = game.start(chance="explicit").choose(first).choose(second)
            assert position.value("hand") == {"Old_Bruno": 1} and position.is_over
            again = game.from_json(position.to_json())
            assert again.is_over and again.value("hand") == {"Old_Bruno": 1}
    scripted = game.start(chance=["far horse", "bruno the Elder"])
    assert scripted.value("hand") == {"Old_Bruno": 1} and scripted.value("out") == {"Far_Horse": 1}


def test_what_is_no_outcome_is_told_what_there_is() -> None:
    position = GameSource.of_text(GAME).game().start(chance="explicit")
    with pytest.raises(BadChoice, match="is no outcome of this piece") as problem:
        position.choose("piece of cake" * 1000)
    assert problem.value.hint == "there is `piece Far_Horse`, `piece Far_Boats(spent)`"
    assert len(str(problem.value)) < 300
