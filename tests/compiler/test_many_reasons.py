"""What adjusts a value is told by a function of its own; who decides is told by another."""

from __future__ import annotations

import re

from rulescript.claims import GameSource

MANY = 40


def test_a_game_tells_the_reasons_of_many_values_and_who_decides() -> None:
    values = "".join(
        f'value worth{n}(s: Side) -> int  §1\n    {n}\n\nadjust worth{n}(s) add 1 "No {n}"  §1\n\n' for n in range(MANY)
    )
    text = "".join(f"{{reasons(worth{n}(active))}}" for n in range(MANY))
    source = GameSource.of_text(
        f"""rulescript 1

game "Reasons"

values Side: North, South
players Side
state active: Side = South
state n: int = 0

{values}
phase go "Go"
    repeat until n > 3
        choose by active one: x in 1..2 "Take {{x}}{text}"  §1
            n += x
        or two "Take none{text}"  §1
            n += 1

sequence
    go
"""
    )
    names = re.findall(r"(?m)^def (\w+)", source.game().source)
    assert len(names) == len(set(names))
    position = source.game().start(0)
    assert position.decision is not None and position.decision.player == "South"
    assert [option.text for option in position.decision.options][-1].count("(No ") == MANY
    while position.decision is not None:
        assert position.decision.player == "South"
        position.choose(0)
