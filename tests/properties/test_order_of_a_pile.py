"""Games that differ only in how a pile was shuffled look alike to all who may not look through it: whichever way
something is picked from it, at every door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript import Position
from rulescript.testing.hiding import doors
from tests.runtime.test_peeks_in_a_deck import DECKS, TAKE

# With two cards of each worth above one, and two places to go to.
GAME = DECKS.replace("    Card Fife  worth 2\n", "    Card Fife  worth 2\n    Card Lute  worth 3\n")
GAME = GAME.replace("    Town Mill\n", "    Town Mill\n    Town Ford\n").replace(
    "kind Town\n", "kind Town\n    holds here: Card\n"
)
LOOK = "\n        require sum(c.worth for c in got) > 3 peeks\n        "
BOTH = LOOK + "move got to North.hand"
WAYS = {
    "one": 'choose take: c in active.deck "Take {c}"' + TAKE,
    "one that is heavy": 'choose take: c in active.deck[worth > 1] "Take {c}"' + TAKE,
    "one of the heaviest": 'choose take: c in (most d in active.deck by d.worth) "Take {c}"' + TAKE,
    "one of a list": 'choose take: c in list(d for d in North.deck if d.worth > 1) "Take {c}"' + TAKE,
    "one by a function": 'choose take: c in heavy(active) "Take {c}"' + TAKE,
    "one of what has a name": 'let found = heavy(active)\n    choose take: c in found "Take {c}"' + TAKE,
    "one, and then where to": 'choose take: c in active.deck, t in Town "Take {c} to {t}"' + TAKE,
    "where to, and then one": 'choose take: t in Town, c in active.deck "Take {c} to {t}"' + TAKE,
    "one of all there are": 'choose take: c in Card "Take {c}"' + TAKE,
    "one of the copies": 'choose take: c in Horn "Take {c}"' + TAKE,
    "one, if at all": 'may choose take: c in active.deck "Take {c}"' + TAKE,
    "one, by another": 'choose by South take: c in North.deck "Take {c}"' + TAKE,
    "one, by whoever will": 'choose by any of Side take: c in North.deck "Take {c}"' + TAKE,
    "two": 'choose take: 2 from North.deck as got "Take {got}"' + BOTH,
    "two, by another": 'choose by South take: 2 from North.deck as got "Take {got}"' + BOTH,
    "two of the heavy": 'choose take: 2 from North.deck[worth > 1] as got "Take {got}"' + BOTH,
    "up to two": 'choose take: up to 2 from North.deck as got "Take {got}"' + BOTH,
    "any number": 'choose take: any number from North.deck as got "Take {got}"' + BOTH,
    "any number by a function": 'choose take: any number from heavy(active) as got "Take {got}"' + BOTH,
    "two that have a name": 'let l = heavy(active)\n    choose take: 2 from l as got "Take {got}"' + BOTH,
    "two, told": 'choose take: 2 from North.deck as got "Take {got}"' + BOTH + '\n        tell "{active} has {got}"',
    "two, one by one": 'choose take: 2 from North.deck as got "Take {got}"'
    + LOOK + "for c in got\n            move c to North.hand",
    "two, one of which is kept": 'choose take: 2 from North.deck as got "Take {got}"'
    + LOOK + 'choose which: c in got "Hold {c}"\n            move c to North.hand',
    "two, put below": 'choose take: 2 from North.deck as got "Take {got}"' + LOOK + "move got to bottom of North.deck",
}  # fmt: skip
LINES = ("take Horn", "take Horn, Bell", "take Bell", "take 2 Horn", "take Horn_2")
ASKED = (
    "North.deck", "count(North.deck)", "first(North.deck)", "North.hand", "heavy(North)", "Horn_1 in North.deck", "got",
    "list(c for c in North.deck)", "Horn_1.place", "c", "found", "l",
)  # fmt: skip


def seen(position: Position, who: str) -> dict[str, Any]:
    out = doors(position, who, LINES, ASKED)
    decision = position.decision
    if decision is not None and decision.player == who:
        out["selection"] = json.dumps(decision.selection.to_dict()) if decision.selection else ""
        out["args"] = [option.args for option in decision.options]
    return out


# Where North sees the top of the pile, and what comes to light there, South alone may learn nothing.
CASES = [*((way, "count") for way in WAYS), *((way, "top") for way in WAYS if "by South" in WAYS[way])]


@pytest.mark.parametrize(("way", "level"), CASES)
def test_how_a_pile_lies_is_nowhere_to_be_learnt(tmp_path: Path, way: str, level: str) -> None:
    path = tmp_path / "decks.rules"
    path.write_text(GAME.replace("WAY", WAYS[way]).replace("LEVEL", level), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    worlds = [game.start(seed) for seed in range(6)]
    assert len({str(list(world.value("North.deck"))) for world in worlds}) > 1
    viewers = ("North", "South") if level == "count" else ("South",)
    asked = 0
    while all(world.decision is not None for world in worlds):
        for who in viewers:
            here, *there = (seen(world, who) for world in worlds)
            for other in there:
                assert other == here
        for world in worlds:
            texts = [option.text for option in world.decision.options]  # type: ignore[union-attr]
            assert len(set(texts)) == len(texts)
        keys = [{option.key for option in world.decision.options} for world in worlds]  # type: ignore[union-attr]
        both = sorted(set.intersection(*keys))
        for world in worlds:
            world.choose(both[(asked * 7 + 1) % len(both)])
        asked += 1
    assert asked > 1 and all(world.decision is None for world in worlds)


def test_copies_of_a_pile_are_picked_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "decks.rules"
    path.write_text(GAME.replace("WAY", WAYS["two"]).replace("LEVEL", "count"), encoding="utf-8")
    for seed in range(4):
        position = rulescript.load(path).start(seed).choose("take 2 Horn")
        assert position.value("North.hand") == {"Horn_1": 1, "Horn_2": 1}
