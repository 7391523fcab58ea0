"""What chance can come to is told with the labels of things and pieces; keys have their names."""

from __future__ import annotations

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
