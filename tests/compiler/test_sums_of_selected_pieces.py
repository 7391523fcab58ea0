"""A requirement on what a selection of pieces adds up to, however it is compared, compiles and holds in play."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

import rulescript

TEXT = """rulescript 1
game "Sums", version "1"
kind Side
    holds box: Unit
things
    Side Red
    Side Blue
players Side
kind Area
    holds units: Unit
things
    Area Mill
    Area Ford
pieces Unit: side: Side, weight: int
    state worn: 0..1000000000
    home side.box
things
    Unit Foot   Red, weight 1, 1
    Unit Horse  Red, weight 2, 1
    Unit Guns   Red, weight 4, 1
    Unit Scout  Blue, weight 3, 1
state active: Side
phase turn "Turn"
    choose lose: {many} from {source} as us "Lose {{us}}"
        require {left} {operator} {right}
        for u in us
            move u to Ford
sequence
    move Red.box to Mill
    for u in Mill.units
        u.worn = u.weight * 100000000
    active = Red
    turn
    end game
"""
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
SUMS = {
    "sum(u.weight for u in us)": (1, 2, 4),
    "sum(u.worn for u in us)": (100_000_000, 200_000_000, 400_000_000),
    "sum(1 for u in us if u.weight > 1)": (0, 1, 1),
    "count(u.weight > 1 for u in us)": (0, 1, 1),
}


@pytest.mark.parametrize("many, sizes", [("2", (2,)), ("up to 2", (0, 1, 2)), ("any number", (0, 1, 2, 3))])
@pytest.mark.parametrize("said", SUMS)
def test_what_may_be_selected_is_what_adds_up(tmp_path: Path, said: str, many: str, sizes: tuple[int, ...]) -> None:
    values = SUMS[said]
    for number, (sign, holds) in enumerate(COMPARED.items()):
        limit = values[1]
        left, right, written = (said, limit, sign) if number % 2 else (limit, said, TURNED[sign])
        source = "Mill.units" if number % 3 else "Area.units[side == active]"
        text = TEXT.format(many=many, source=source, left=left, operator=written, right=right)
        (tmp_path / "sums.rules").write_text(text, encoding="utf-8")
        position = rulescript.load(tmp_path / "sums.rules", cache=False).start(1, ask=True)
        allowed = {
            frozenset(some)
            for size in sizes
            for some in combinations(range(3), size)
            if holds(sum(values[at] for at in some), limit)
        }
        assert _selected(position) == allowed, (said, sign)


def _selected(position: rulescript.Position) -> set[frozenset[int]]:
    """All selections that the options lead to."""
    found: set[frozenset[int]] = set()
    for option in position.decision.options if position.decision is not None else ():
        after = position.clone().choose(option)
        if after.decision is None:
            there = after.value("Ford.units")
            found.add(
                frozenset(at for at, name in enumerate(("Foot", "Horse", "Guns")) if any(name in x for x in there))
            )
        else:
            found |= _selected(after)
    return found
